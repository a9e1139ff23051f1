/* poolproof: what the lineage computes for a routine that needs it (RTN-1).
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

#include "planner/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t pp_lowering_find(const pp_lowering *lowering, uint64_t uid) {
  const pp_routine *source = lowering->source;
  size_t lo = 0;
  size_t hi = source->nodes;
  while (lo < hi) {
    size_t middle = lo + (hi - lo) / 2;
    if (lowering->node[source->order[middle]].uid < uid)
      lo = middle + 1;
    else
      hi = middle;
  }
  for (; lo < source->nodes; lo++) {
    const pp_node *node = &lowering->node[source->order[lo]];
    if (node->uid != uid) break;
    if ((node->intents & PP_MERGE) == 0) return source->order[lo];
  }
  for (size_t i = source->nodes; i < lowering->nodes; i++)
    if (lowering->node[i].uid == uid) return i;
  return SIZE_MAX;
}

static pp_status refuse(const pp_lowering *lowering, const pp_node *node,
                        const pp_recall *recall) {
  pp_provenance from = {.routine = "?"};
  (void)pp_lineage_placed(lowering->options.lineage, node->uid, &from);
  const char *fix = "decide_materialized keeps it (RTN-3)";
  if (recall->spoiled)
    return pp_fail_node(lowering->failure, PP_BAD_ROUTINE, node->uid,
                        "node %s: virtual in routine %s, and uid %" PRIu64
                        ", which it is computed from, was written since or "
                        "may have been; %s",
                        node->label, from.routine, recall->by, fix);
  return pp_fail_node(lowering->failure, PP_BAD_ROUTINE, node->uid,
                      "node %s: virtual in routine %s, and no one statement "
                      "computes it; %s",
                      node->label, from.routine, fix);
}

static bool same_shape(const pp_node *a, const pp_node *b) {
  return a->dtype == b->dtype && a->rank == b->rank &&
         memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

static bool label_taken(const pp_lowering *lowering, const char *label) {
  for (size_t i = 0; i < lowering->nodes; i++)
    if (strcmp(lowering->node[i].label, label) == 0) return true;
  return false;
}

/* The operand among the lowering's nodes, perhaps a new one at the end. */
static pp_status find_operand(pp_lowering *lowering, const pp_node *operand,
                              size_t *index) {
  *index = pp_lowering_find(lowering, operand->uid);
  if (*index != SIZE_MAX) {
    if (same_shape(operand, &lowering->node[*index])) return PP_OK;
    return pp_fail_node(lowering->failure, PP_BAD_ROUTINE, operand->uid,
                        "node %s (uid %" PRIu64
                        ") differs from what the lineage has under its uid",
                        lowering->node[*index].label, operand->uid);
  }
  pp_node *grown =
      realloc(lowering->node, (lowering->nodes + 1) * sizeof *grown);
  if (!grown) return pp_lowering_no_memory(lowering);
  lowering->node = grown;
  pp_node *node = &grown[lowering->nodes];
  *node = *operand;
  if (label_taken(lowering, node->label))
    snprintf(node->label, sizeof node->label, "recalled_%" PRIu64,
             operand->uid);
  *index = lowering->nodes++;
  return PP_OK;
}

static pp_status recall_node(pp_lowering *lowering, size_t node,
                             const pp_recall *recall) {
  const pp_node *here = &lowering->node[node];
  const pp_record *record = recall->record;
  if (!record || recall->spoiled) return refuse(lowering, here, recall);
  if (!same_shape(here, &record->node))
    return pp_fail_node(lowering->failure, PP_BAD_ROUTINE, here->uid,
                        "node %s (uid %" PRIu64
                        ") differs from what the lineage has under its uid",
                        here->label, here->uid);
  pp_statement *grown =
      realloc(lowering->recalled, (lowering->recalls + 1) * sizeof *grown);
  if (!grown) return pp_lowering_no_memory(lowering);
  lowering->recalled = grown;
  pp_statement *statement = &grown[lowering->recalls];
  *statement = record->statement;
  statement->target.node = node;
  for (unsigned r = 0; r < statement->reads; r++) {
    const pp_node *operand = &record->operand[statement->read[r].node - 1];
    pp_status status =
        find_operand(lowering, operand, &statement->read[r].node);
    if (status != PP_OK) return status;
  }
  lowering->recalls++;
  return PP_OK;
}

/* needs[i]: node i's first access is no set that fills it. */
static void find_needs(const pp_routine *source, bool *needs, bool *seen) {
  for (size_t k = 0; k < source->statements; k++) {
    const pp_statement *statement = &source->statement[k];
    if (statement->kind == PP_BARRIER) continue;
    for (unsigned r = 0; r < statement->reads; r++) {
      size_t node = statement->read[r].node;
      if (!seen[node]) needs[node] = true;
      seen[node] = true;
    }
    size_t target = statement->target.node;
    if (!seen[target])
      needs[target] = !pp_statement_fills(statement, &source->node[target]);
    seen[target] = true;
  }
}

static bool is_held(const pp_lowering *lowering, uint64_t uid) {
  const pp_lower_options *options = &lowering->options;
  return options->held && options->held(options->holder, uid);
}

pp_status pp_recall_all(pp_lowering *lowering) {
  const pp_routine *source = lowering->source;
  const pp_lineage *lineage = lowering->options.lineage;
  if (!pp_lineage_recalls(lineage)) return PP_OK;
  bool *needs = calloc(2 * source->nodes + 1, sizeof *needs);
  if (!needs) return pp_lowering_no_memory(lowering);
  find_needs(source, needs, needs + source->nodes);
  pp_status status = PP_OK;
  for (size_t i = 0; i < source->nodes && status == PP_OK; i++) {
    size_t node = source->order[i];
    const pp_node *here = &lowering->node[node];
    const pp_recall *recall = pp_lineage_recall(lineage, here->uid);
    if (needs[node] && recall && (here->intents & PP_MERGE) == 0 &&
        !is_held(lowering, here->uid))
      status = recall_node(lowering, node, recall);
  }
  free(needs);
  return status;
}
