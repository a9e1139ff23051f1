/* poolproof: what the lineage computes for a routine that needs it (RTN-1).
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

#include "planner/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the source does with a node. */
typedef struct pp_need {
  bool seen;
  bool filled; /* its first access is a set that fills it */
  bool written;
} pp_need;

/* Recalling on its way.
 * by_label  the source's nodes
 * operands  of all records recalled, by uid once sorted */
typedef struct pp_recalling {
  pp_lowering *lowering;
  pp_need *need;
  const pp_node **by_label;
  size_t operands;
  const pp_node **operand;
} pp_recalling;

static size_t seek_source(const pp_lowering *lowering, uint64_t uid) {
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
  return SIZE_MAX;
}

size_t pp_lowering_find(const pp_lowering *lowering, uint64_t uid) {
  size_t lo = lowering->source->nodes;
  size_t hi = lowering->nodes;
  size_t found = seek_source(lowering, uid);
  if (found != SIZE_MAX) return found;
  while (lo < hi) {
    size_t middle = lo + (hi - lo) / 2;
    if (lowering->node[middle].uid < uid)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo < lowering->nodes && lowering->node[lo].uid == uid ? lo : SIZE_MAX;
}

bool pp_lowering_held(const pp_lowering *lowering, uint64_t uid) {
  const pp_lower_options *options = &lowering->options;
  return options->held && options->held(options->holder, uid);
}

static pp_status refuse(const pp_lowering *lowering, const pp_node *node,
                        const char *why) {
  pp_provenance from = {.routine = "?"};
  (void)pp_lineage_placed(lowering->options.lineage, node->uid, &from);
  return pp_fail_node(lowering->failure, PP_BAD_ROUTINE, node->uid,
                      "node %s: virtual in routine %s%s; decide_materialized "
                      "keeps it (RTN-3)",
                      node->label, from.routine, why);
}

static pp_status differs(const pp_lowering *lowering, const pp_node *node) {
  return pp_fail_node(lowering->failure, PP_BAD_ROUTINE, node->uid,
                      "node %s (uid %" PRIu64
                      ") differs from what the lineage has under its uid",
                      node->label, node->uid);
}

static bool same_shape(const pp_node *a, const pp_node *b) {
  return a->dtype == b->dtype && a->rank == b->rank &&
         memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

/* May the node be computed anew at each run of this routine? */
static pp_status check_recall(const pp_lowering *lowering, size_t node,
                              const pp_need *need, const pp_recall *recall) {
  const pp_node *here = &lowering->node[node];
  char why[80];
  if (recall->changes) {
    (void)snprintf(why, sizeof why,
                   ", computed from uid %" PRIu64 ", which is no constant",
                   recall->by);
    return refuse(lowering, here, why);
  }
  if (!recall->record)
    return refuse(lowering, here, ", and no one statement computes it");
  if (!same_shape(here, &recall->record->node)) return differs(lowering, here);
  if ((here->intents & ~(unsigned)PP_OBSERVABLE) != 0 || here->data)
    return refuse(lowering, here, ", and given from outside here");
  if (need->written) return refuse(lowering, here, ", and changed here");
  return PP_OK;
}

static void find_needs(const pp_routine *source, pp_need *need) {
  for (size_t k = 0; k < source->statements; k++) {
    const pp_statement *statement = &source->statement[k];
    if (statement->kind == PP_BARRIER) continue;
    for (unsigned r = 0; r < statement->reads; r++)
      need[statement->read[r].node].seen = true;
    size_t target = statement->target.node;
    if (!need[target].seen)
      need[target].filled =
          pp_statement_fills(statement, &source->node[target]);
    need[target].seen = need[target].written = true;
  }
}

/* What the lineage has for the node, when its value is needed. */
static const pp_recall *needed(const pp_recalling *recalling, size_t node) {
  const pp_lowering *lowering = recalling->lowering;
  const pp_node *here = &lowering->node[node];
  const pp_need *need = &recalling->need[node];
  bool wanted = need->seen || here->intents != 0 || here->data;
  if (!wanted || need->filled || (here->intents & PP_MERGE) != 0 ||
      pp_lowering_held(lowering, here->uid))
    return NULL;
  return pp_lineage_recall(lowering->options.lineage, here->uid);
}

static int by_uid(const void *a, const void *b) {
  const pp_node *const *x = a;
  const pp_node *const *y = b;
  return ((*x)->uid > (*y)->uid) - ((*x)->uid < (*y)->uid);
}

static int by_label(const void *a, const void *b) {
  const pp_node *const *x = a;
  const pp_node *const *y = b;
  return strcmp((*x)->label, (*y)->label);
}

/* A label that no node of the source has. */
static void label(const pp_recalling *recalling, pp_node *node) {
  const pp_node *key = node;
  unsigned long long uid = node->uid;
  (void)snprintf(node->label, sizeof node->label, "recalled_%llu", uid);
  for (unsigned k = 2;
       bsearch(&key, recalling->by_label, recalling->lowering->source->nodes,
               sizeof(const pp_node *), by_label);
       k++)
    (void)snprintf(node->label, sizeof node->label, "r%u_%llu", k, uid);
}

/* The operands that the source has not, by uid behind its nodes. */
static pp_status add_operands(pp_recalling *recalling) {
  pp_lowering *lowering = recalling->lowering;
  size_t most = lowering->nodes + recalling->operands;
  if (recalling->operands == 0) return PP_OK;
  pp_node *grown = realloc(lowering->node, (most + 1) * sizeof *grown);
  if (!grown) return pp_lowering_no_memory(lowering);
  lowering->node = grown;
  qsort(recalling->operand, recalling->operands, sizeof(const pp_node *),
        by_uid);
  for (size_t k = 0; k < recalling->operands; k++) {
    const pp_node *operand = recalling->operand[k];
    size_t at = pp_lowering_find(lowering, operand->uid);
    if (at == SIZE_MAX) {
      at = lowering->nodes++;
      grown[at] = *operand;
      label(recalling, &grown[at]);
    }
    if (!same_shape(operand, &grown[at]) ||
        (grown[at].intents & PP_CONSTANT) == 0)
      return differs(lowering, &grown[at]);
  }
  return PP_OK;
}

/* Checks all that is needed, and lists what it is computed from. */
static pp_status list(pp_recalling *recalling, size_t *recalls) {
  pp_lowering *lowering = recalling->lowering;
  const pp_routine *source = lowering->source;
  for (size_t i = 0; i < source->nodes; i++) {
    size_t node = source->order[i];
    const pp_recall *recall = needed(recalling, node);
    if (!recall) continue;
    pp_status status =
        check_recall(lowering, node, &recalling->need[node], recall);
    if (status != PP_OK) return status;
    const pp_record *record = recall->record;
    for (size_t k = 0; k < record->operands; k++) {
      const pp_node **grown =
          pp_grown((void *)recalling->operand, recalling->operands,
                   sizeof(const pp_node *));
      if (!grown) return pp_lowering_no_memory(lowering);
      recalling->operand = grown;
      grown[recalling->operands++] = &record->operand[k];
    }
    *recalls += 1;
  }
  return PP_OK;
}

static pp_status write_statements(pp_recalling *recalling, size_t recalls) {
  pp_lowering *lowering = recalling->lowering;
  const pp_routine *source = lowering->source;
  lowering->recalled = calloc(recalls + 1, sizeof *lowering->recalled);
  if (!lowering->recalled) return pp_lowering_no_memory(lowering);
  for (size_t i = 0; i < source->nodes; i++) {
    size_t node = source->order[i];
    const pp_recall *recall = needed(recalling, node);
    if (!recall) continue;
    const pp_record *record = recall->record;
    pp_statement *statement = &lowering->recalled[lowering->recalls++];
    *statement = record->statement;
    statement->target.node = node;
    for (unsigned r = 0; r < statement->reads; r++) {
      const pp_node *operand = &record->operand[statement->read[r].node - 1];
      statement->read[r].node = pp_lowering_find(lowering, operand->uid);
    }
  }
  return PP_OK;
}

pp_status pp_recall_all(pp_lowering *lowering) {
  const pp_routine *source = lowering->source;
  if (!pp_lineage_recalls(lowering->options.lineage)) return PP_OK;
  pp_recalling recalling = {
      .lowering = lowering,
      .need = calloc(source->nodes + 1, sizeof *recalling.need),
      .by_label = pp_nodes_by_label(source)};
  size_t recalls = 0;
  pp_status status = PP_NO_MEMORY;
  if (recalling.need && recalling.by_label) {
    find_needs(source, recalling.need);
    status = list(&recalling, &recalls);
    if (status == PP_OK) status = add_operands(&recalling);
    if (status == PP_OK) status = write_statements(&recalling, recalls);
  } else {
    (void)pp_lowering_no_memory(lowering);
  }
  free(recalling.need);
  free((void *)recalling.by_label);
  free((void *)recalling.operand);
  return status;
}
