/* poolproof: final code: what is in it, how long nodes live (RTN-6), what it
 * takes (FPT). SPDX-License-Identifier: MIT */
#include "routine_check_parts.h"

#include "plain_score.h"
#include "ref/spans.h"

#include <inttypes.h>
#include <stdlib.h>

bool pp_check_fills(const pp_statement *statement, const pp_node *node) {
  uint64_t points = 1;
  bool empty = false;
  if (statement->fold != PP_FOLD_SET) return false;
  for (unsigned a = 0; a < statement->axes; a++)
    if (statement->extent[a] == 0) empty = true;
  for (unsigned a = 0; a < statement->axes && !empty; a++)
    points *= statement->extent[a];
  return (empty ? 0 : points) == pp_node_elements(node);
}

/* All accesses one after the other; *opaque: is there opaque code? Returns how
 * many. */
static size_t list_events(const pp_routine *routine, pp_ref_event *event,
                          bool *opaque) {
  size_t n = 0;
  for (size_t k = 0; k < routine->statements; k++) {
    const pp_statement *statement = &routine->statement[k];
    uint64_t position = routine->position[k];
    size_t target = statement->target.node;
    if (statement->kind == PP_BARRIER) continue;
    if (statement->kind == PP_OPAQUE) *opaque = true;
    for (unsigned r = 0; r < statement->reads; r++)
      event[n++] =
          (pp_ref_event){statement->read[r].node, position, PP_REF_READ};
    event[n++] = (pp_ref_event){
        target, position,
        pp_check_fills(statement, &routine->node[target]) ? PP_REF_FILL
                                                          : PP_REF_WRITE};
  }
  return n;
}

/* Positions begin at 0 and go up by one with each statement that does not
 * join. */
static bool check_positions(pp_routine_trial *trial, const char *name,
                            const pp_routine *routine) {
  size_t position = 0;
  for (size_t k = 0; k < routine->statements; k++) {
    bool joins = routine->statement[k].joins;
    if (k > 0 && !joins) position++;
    if (joins) pp_count(trial, PP_COUNT_MERGED, 1);
    if (routine->position[k] != position || (k == 0 && joins))
      return pp_trial_differs(trial,
                              "%s: statement %zu is at position %zu instead "
                              "of %zu (RTN-5)",
                              name, k, routine->position[k], position);
  }
  return true;
}

static bool compare_spans(pp_routine_trial *trial, const char *name,
                          const pp_routine *routine, const pp_ref_life *life) {
  for (size_t i = 0; i < routine->nodes; i++) {
    const pp_node *node = &routine->node[i];
    pp_count(trial, PP_COUNT_SPANS, 1);
    if (node->has_span == life[i].has_span && node->lo == life[i].lo &&
        node->hi == life[i].hi)
      continue;
    return pp_trial_differs(
        trial,
        "%s: node %s has %s span %" PRIu64 " %" PRIu64
        ", the reference %s %" PRIu64 " %" PRIu64 " (RTN-6)",
        name, node->label, node->has_span ? "the" : "no", node->lo, node->hi,
        life[i].has_span ? "has" : "has none", life[i].lo, life[i].hi);
  }
  return true;
}

static bool check_lives(pp_routine_trial *trial, const char *name,
                        const pp_routine *routine, pp_ref_event *event,
                        bool *working, pp_ref_life *life) {
  bool opaque = false;
  size_t n = list_events(routine, event, &opaque);
  for (size_t i = 0; i < routine->nodes; i++)
    working[i] = routine->node[i].intents == 0 && !routine->node[i].data;
  pp_ref_spans(event, n, working, routine->nodes, opaque, life);
  return check_positions(trial, name, routine) &&
         pp_check_kernels(trial, name, routine) &&
         compare_spans(trial, name, routine, life);
}

bool pp_check_lives(pp_routine_trial *trial, const char *name,
                    const pp_routine *routine) {
  size_t most = routine->statements * (PP_READS + 1);
  pp_ref_event *event = calloc(most + 1, sizeof *event);
  bool *working = calloc(routine->nodes + 1, sizeof *working);
  pp_ref_life *life = calloc(routine->nodes + 1, sizeof *life);
  bool good = event && working && life
                  ? check_lives(trial, name, routine, event, working, life)
                  : pp_trial_no_memory(trial);
  free(event);
  free(working);
  free(life);
  return good;
}

/* Virtual nodes are not in the code, used ones that stay are. */
static bool check_placed(pp_routine_trial *trial, const pp_way *way, size_t k) {
  const pp_routine *source = trial->source[k];
  const pp_lowered *lowered = way->lowered[k];
  for (size_t i = 0; i < lowered->candidates; i++)
    if (lowered->candidate[i].cost == 0)
      return pp_trial_differs(trial, "%s: the candidate %s costs 0 (RTN-4)",
                              way->name, lowered->candidate[i].label);
  for (size_t i = 0; i < source->nodes; i++) {
    const pp_node *node = &source->node[source->order[i]];
    const pp_placed *placed = &lowered->placed[i];
    bool merge = (node->intents & PP_MERGE) != 0;
    bool there = pp_node_of(lowered->routine, node->uid, merge) != NULL;
    bool kept = placed->placement == PP_MATERIALISED;
    if (!kept) pp_count(trial, PP_COUNT_VIRTUAL, 1);
    if (!kept && !pp_check_virtual(trial, way->name, source, source->order[i]))
      return false;
    if (placed->uid != node->uid)
      return pp_trial_differs(trial,
                              "%s: node %zu in uid order is placed as %" PRIu64,
                              way->name, i, placed->uid);
    if (kept ? !there && placed->reason != PP_REASON_UNUSED : there)
      return pp_trial_differs(
          trial, "%s: node %s is %s and %s in the final code (RTN-3)",
          way->name, node->label, kept ? "materialised" : "virtual",
          there ? "is" : "is not");
    if (!there && (node->intents != 0 || node->data))
      return pp_trial_differs(trial,
                              "%s: node %s is not in the final code, though it "
                              "has an intent or data (RTN-3)",
                              way->name, node->label);
  }
  return true;
}

static bool same_footprint(const pp_footprint *a, const pp_footprint *b) {
  return a->working == b->working && a->constants == b->constants &&
         a->total == b->total && a->dedicated == b->dedicated &&
         a->arena == b->arena && a->planned == b->planned &&
         a->nodes == b->nodes;
}

/* FPT-1, with the cap and reuse of the link. */
static bool check_score(pp_routine_trial *trial, const pp_way *way, size_t k) {
  const pp_score_options options = {.cap = way->link.cap,
                                    .alignment = trial->alignment,
                                    .no_reuse = way->link.no_reuse};
  const pp_routine *final = way->lowered[k]->routine;
  pp_footprint is = {0};
  pp_footprint must = {0};
  pp_failure why = {.text = ""};
  pp_failure because = {.text = ""};
  pp_status status = pp_score_footprint(final, &options, &is, &why);
  pp_status wanted = pp_plain_score(final, &options, &must, &because);
  if (status == PP_NO_MEMORY || wanted == PP_NO_MEMORY)
    return pp_trial_no_memory(trial);
  pp_count(trial, PP_COUNT_SCORES, 1);
  if (status != wanted || (status != PP_OK && why.uid != because.uid))
    return pp_trial_differs(trial,
                            "%s: the footprint is refused with \"%s\" instead "
                            "of \"%s\" (FPT-1)",
                            way->name, why.text, because.text);
  if (status == PP_ITEM_OVER_CAP) pp_count(trial, PP_COUNT_OVER_CAP, 1);
  if (is.planned > 0 && !is.arena) pp_count(trial, PP_COUNT_FALLBACKS, 1);
  if (status != PP_OK || same_footprint(&is, &must)) return true;
  return pp_trial_differs(
      trial,
      "%s: the footprint is %" PRIu64 " + %" PRIu64 " (dedicated %" PRIu64
      ", %zu of %zu nodes planned) instead of %" PRIu64 " + %" PRIu64
      " (%" PRIu64 ", %zu of %zu) (FPT-1)",
      way->name, is.working, is.constants, is.dedicated, is.planned, is.nodes,
      must.working, must.constants, must.dedicated, must.planned, must.nodes);
}

bool pp_way_check_code(pp_routine_trial *trial, const pp_way *way) {
  bool good = true;
  for (size_t k = 0; good && k < way->n; k++)
    good = pp_check_lives(trial, way->name, way->lowered[k]->routine) &&
           check_placed(trial, way, k) && check_score(trial, way, k);
  return good;
}
