/* poolproof: lives and bytes of nodes held to the rules.
 * SPDX-License-Identifier: MIT */
#include "judge_parts.h"

#include <inttypes.h>
#include <stdio.h>

/* RTN-6: why a node has no span. */
static const char *why_none(const pp_ask *ask, size_t node) {
  if (ask->opaque) return "there is opaque code";
  if (!ask->in_context[node]) return "it is not in context";
  if (ask->node[node].intents != 0) return "its intents forbid it";
  for (size_t k = 0; k < ask->events; k++) {
    if (ask->event[k].node != node) continue;
    return ask->event[k].access == PP_REF_FILL
               ? "nobody reads it"
               : "its first access fills it not";
  }
  return "nothing accesses it";
}

static const char *tell_life(const pp_ref_life *life, char *text, size_t size) {
  if (life->has_span)
    (void)snprintf(text, size, "span [%" PRIu64 ", %" PRIu64 "]", life->lo,
                   life->hi);
  else
    (void)snprintf(text, size, "no span");
  return text;
}

void pp_judge_spans(const pp_ask *ask, const pp_reply *said,
                    const pp_reply *expected, pp_judgement *judgement) {
  for (size_t i = 0; i < ask->nodes; i++) {
    const pp_ref_life *is = &said->life[i];
    const pp_ref_life *must = &expected->life[i];
    char text[64];
    char right[64];
    if (is->has_span == must->has_span &&
        (!is->has_span || (is->lo == must->lo && is->hi == must->hi)))
      continue;
    pp_judge_say(judgement, PP_WRONG_SPANS, "RTN-6",
                 "node %zu (uid %" PRIu64 "): %s, the rules give %s%s%s", i,
                 ask->node[i].uid, tell_life(is, text, sizeof text),
                 tell_life(must, right, sizeof right),
                 must->has_span ? "" : ", since ",
                 must->has_span ? "" : why_none(ask, i));
    return;
  }
}

typedef struct pp_figure {
  const char *name;
  uint64_t is, must;
  bool right;
} pp_figure;

/* Outside exact mode: an arena holds its largest node at least, and segments
 * are the specified ones; total mode bounds it from above. */
static bool may_be(const pp_ask *ask, const pp_footprint *is,
                   pp_compare compare, const pp_footprint *must) {
  if (compare == PP_COMPARE_TOTAL && is->working > must->working) return false;
  if (!is->arena) return is->working == must->dedicated;
  for (size_t i = 0; i < ask->nodes; i++)
    if ((ask->node[i].intents & (PP_MERGE | PP_CONSTANT)) == 0 &&
        pp_ask_node_bytes(&ask->node[i]) > is->working)
      return false;
  return is->working <= ask->c.cap;
}

/* What a mode wants of each; total mode bounds working, valid mode leaves it
 * free, and the total is always both. */
void pp_judge_score(const pp_ask *ask, const pp_reply *said,
                    const pp_reply *expected, pp_compare compare,
                    pp_judgement *judgement) {
  const pp_footprint *is = &said->footprint;
  const pp_footprint *must = &expected->footprint;
  bool exact = compare == PP_COMPARE_EXACT;
  uint64_t sum = 0;
  if (__builtin_add_overflow(is->working, is->constants, &sum))
    sum = UINT64_MAX;
  const pp_figure figures[] = {
      {"nodes", is->nodes, must->nodes, is->nodes == must->nodes},
      {"planned", is->planned, must->planned, is->planned == must->planned},
      {"dedicated", is->dedicated, must->dedicated,
       is->dedicated == must->dedicated},
      {"arena", is->arena, must->arena,
       is->arena == must->arena || (!exact && must->planned > 0)},
      {"working", is->working, must->working,
       is->working == must->working ||
           (!exact && may_be(ask, is, compare, must))},
      {"constants", is->constants, must->constants,
       is->constants == must->constants},
      {"total", is->total, exact ? must->total : sum,
       is->total == (exact ? must->total : sum)},
  };
  for (size_t k = 0; k < sizeof figures / sizeof *figures; k++)
    if (!figures[k].right)
      pp_judge_say(
          judgement, PP_WRONG_SCORE, ask->no_reuse ? "FPT-3" : "FPT-1",
          "%s is %" PRIu64 ", the rules give %s%" PRIu64, figures[k].name,
          figures[k].is,
          figures[k].is > figures[k].must && k == 4 && !exact ? "at most " : "",
          figures[k].must);
}
