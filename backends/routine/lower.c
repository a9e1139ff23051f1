/* poolproof: lowering, as a whole.  SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

#include "planner/internal.h"

#include <stdlib.h>
#include <string.h>

const char *pp_reason_text(pp_reason reason) {
  static const char *const texts[] = {
#define PP_REASON_TEXT(NAME, text) text,
      PP_REASONS(PP_REASON_TEXT)
#undef PP_REASON_TEXT
  };
  return (unsigned)reason < PP_REASON_COUNT ? texts[reason] : "?";
}

pp_status pp_lowering_no_memory(const pp_lowering *lowering) {
  return pp_fail(lowering->failure, PP_NO_MEMORY,
                 "no memory to lower the routine");
}

const pp_statement *pp_lowering_line(const pp_lowering *lowering, size_t i) {
  return lowering->made[i] ? lowering->made[i] : lowering->line[i];
}

static pp_status make_lines(pp_lowering *lowering) {
  const pp_routine *source = lowering->source;
  size_t n = lowering->recalls + source->statements;
  lowering->line = calloc(n + 1, sizeof(const pp_statement *));
  lowering->made = calloc(n + 1, sizeof(pp_statement *));
  lowering->gone = calloc(n + 1, sizeof *lowering->gone);
  lowering->current = calloc(n + 1, sizeof *lowering->current);
  lowering->joins = calloc(n + 1, sizeof *lowering->joins);
  if (!lowering->line || !lowering->made || !lowering->gone ||
      !lowering->current || !lowering->joins)
    return pp_lowering_no_memory(lowering);
  for (size_t i = 0; i < n; i++)
    lowering->line[i] = i < lowering->recalls
                            ? &lowering->recalled[i]
                            : &source->statement[i - lowering->recalls];
  lowering->lines = n;
  return PP_OK;
}

pp_status pp_lowering_open(pp_lowering *lowering, const pp_routine *source,
                           const pp_lower_options *options,
                           pp_failure *failure) {
  *lowering = (pp_lowering){.source = source, .failure = failure};
  if (options) lowering->options = *options;
  if (!source->code)
    return pp_fail(failure, PP_BAD_ROUTINE, "routine %s is not sealed",
                   source->name);
  lowering->nodes = source->nodes;
  lowering->node = calloc(source->nodes + 1, sizeof *lowering->node);
  if (!lowering->node) return pp_lowering_no_memory(lowering);
  for (size_t i = 0; i < source->nodes; i++)
    lowering->node[i] = source->node[i];
  pp_status status = pp_recall_all(lowering);
  if (status == PP_OK) status = make_lines(lowering);
  return status;
}

void pp_lowering_close(pp_lowering *lowering) {
  for (size_t i = 0; lowering->made && i < lowering->lines; i++)
    free(lowering->made[i]);
  free((void *)lowering->made);
  free((void *)lowering->line);
  free(lowering->node);
  free(lowering->recalled);
  free(lowering->gone);
  free(lowering->current);
  free(lowering->joins);
  free(lowering->write);
  free(lowering->barriers);
  free(lowering->fact);
}

/* From then on no node becomes virtual that was not, or no node at all. */
static void freeze(pp_lowering *lowering, bool all) {
  for (size_t i = 0; i < lowering->nodes; i++)
    if (all || lowering->fact[i].placement != PP_VIRTUAL)
      lowering->fact[i].too_big = true;
}

/* What turns out not to fit stays in context, which may let others fit, or not:
 * most often once is enough, and it ends. */
static pp_status decide_and_rewrite(pp_lowering *lowering) {
  enum { SHRINK = 8, LAST = 16 };
  bool again = true;
  pp_status status = PP_OK;
  for (int pass = 0; again && status == PP_OK; pass++) {
    if (pass >= SHRINK) freeze(lowering, pass >= LAST);
    pp_decide(lowering);
    status = pp_inline(lowering, &again);
  }
  if (status == PP_OK) status = pp_schedule(lowering);
  if (status == PP_OK) status = pp_lives(lowering);
  return status;
}

pp_status pp_lowering_again(pp_lowering *lowering) {
  for (size_t i = 0; i < lowering->nodes; i++)
    lowering->fact[i].too_big = false;
  return decide_and_rewrite(lowering);
}

pp_status pp_lowering_run(pp_lowering *lowering) {
  pp_status status = lowering->options.no_sinking ? PP_OK : pp_sink(lowering);
  if (status == PP_OK) status = pp_facts_collect(lowering);
  if (status == PP_OK) status = decide_and_rewrite(lowering);
  return status;
}

static pp_placed placed(const pp_lowering *lowering, size_t node) {
  const pp_fact *fact = &lowering->fact[node];
  pp_placed place = {.uid = lowering->node[node].uid,
                     .placement = fact->placement,
                     .reason = fact->reason,
                     .cost = fact->cost};
  memcpy(place.label, lowering->node[node].label, sizeof place.label);
  if (fact->placement == PP_MATERIALISED && !pp_in_context(lowering, node))
    place.reason = PP_REASON_UNUSED;
  return place;
}

static int by_cost(const void *a, const void *b) {
  const pp_placed *x = a;
  const pp_placed *y = b;
  if (x->cost != y->cost) return x->cost > y->cost ? -1 : 1;
  return x->uid < y->uid ? -1 : x->uid > y->uid;
}

/* RTN-3, RTN-4. */
static pp_status report(const pp_lowering *lowering, pp_lowered *lowered) {
  const pp_routine *source = lowering->source;
  lowered->placed = calloc(source->nodes + 1, sizeof *lowered->placed);
  lowered->candidate = calloc(source->nodes + 1, sizeof *lowered->candidate);
  if (!lowered->placed || !lowered->candidate)
    return pp_lowering_no_memory(lowering);
  lowered->nodes = source->nodes;
  for (size_t i = 0; i < source->nodes; i++) {
    pp_placed place = placed(lowering, source->order[i]);
    lowered->placed[i] = place;
    if (place.reason == PP_REASON_POLICY)
      lowered->candidate[lowered->candidates++] = place;
  }
  qsort(lowered->candidate, lowered->candidates, sizeof *lowered->candidate,
        by_cost);
  return PP_OK;
}

static pp_status finish(const pp_lowering *lowering, pp_lowered *lowered) {
  char *name =
      pp_lineage_name(lowering->options.lineage, lowering->source->name);
  if (!name) return pp_lowering_no_memory(lowering);
  pp_status status =
      pp_lowering_build(lowering, PP_STAGE_FINAL, name, &lowered->routine);
  if (status == PP_OK)
    status = pp_lineage_after(lowering, name, &lowered->lineage);
  if (status == PP_OK && lowering->options.stages)
    status = pp_stages_text(lowering, lowered->routine, &lowered->stages);
  free(name);
  return status;
}

static pp_status lower(const pp_routine *source,
                       const pp_lower_options *options, bool surface,
                       pp_lowered **lowered, pp_failure *failure) {
  pp_lowering lowering;
  pp_lowered *answer = calloc(1, sizeof *answer);
  if (!answer)
    return pp_fail(failure, PP_NO_MEMORY, "no memory to lower the routine");
  pp_status status = pp_lowering_open(&lowering, source, options, failure);
  if (status == PP_OK) status = pp_lowering_run(&lowering);
  if (status == PP_OK) status = report(&lowering, answer);
  if (status == PP_OK && !surface) status = finish(&lowering, answer);
  pp_lowering_close(&lowering);
  if (status == PP_OK)
    *lowered = answer;
  else
    pp_lowered_free(answer);
  return status;
}

pp_status pp_lower(const pp_routine *source, const pp_lower_options *options,
                   pp_lowered **lowered, pp_failure *failure) {
  return lower(source, options, false, lowered, failure);
}

pp_status pp_decision_surface(const pp_routine *source,
                              const pp_lower_options *options,
                              pp_lowered **surface, pp_failure *failure) {
  return lower(source, options, true, surface, failure);
}

void pp_lowered_free(pp_lowered *lowered) {
  if (!lowered) return;
  pp_routine_free(lowered->routine);
  pp_lineage_free(lowered->lineage);
  free(lowered->placed);
  free(lowered->candidate);
  free(lowered->stages);
  free(lowered);
}
