/* poolproof: sources lowered one after the other in one lineage, and which
 * recalls must be refused (RTN-1). SPDX-License-Identifier: MIT */
#include "routine_check_parts.h"

#include <string.h>

static bool same_node(const pp_node *a, const pp_node *b) {
  const unsigned lasting = PP_CONSTANT | PP_MERGE;
  return a->dtype == b->dtype && a->rank == b->rank &&
         (a->intents & lasting) == (b->intents & lasting) && !b->data &&
         memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

bool pp_routines_follow(pp_routine *const *routine, size_t routines) {
  for (size_t k = 1; k < routines; k++)
    for (size_t i = 0; i < routine[k]->nodes; i++) {
      const pp_node *node = &routine[k]->node[i];
      bool merge = (node->intents & PP_MERGE) != 0;
      for (size_t j = 0; j < k; j++) {
        const pp_node *before = pp_node_of(routine[j], node->uid, merge);
        if (before && !same_node(before, node)) return false;
      }
    }
  return true;
}

/* Is the node among those of the final codes so far, which are linked? */
static bool held(const void *holder, uint64_t uid) {
  const pp_way *way = holder;
  for (size_t k = 0; k < way->n; k++)
    if (pp_node_of(way->lowered[k]->routine, uid, false)) return true;
  return false;
}

static bool is_of(const pp_routine *source, size_t node, uint64_t uid) {
  return source->node[node].uid == uid &&
         (source->node[node].intents & PP_MERGE) == 0;
}

static bool writes(const pp_routine *source, size_t k, uint64_t uid) {
  const pp_statement *statement = &source->statement[k];
  return statement->kind != PP_BARRIER &&
         is_of(source, statement->target.node, uid);
}

static bool accesses(const pp_routine *source, size_t k, uint64_t uid) {
  const pp_statement *statement = &source->statement[k];
  if (statement->kind == PP_BARRIER) return false;
  for (unsigned r = 0; r < statement->reads; r++)
    if (is_of(source, statement->read[r].node, uid)) return true;
  return writes(source, k, uid);
}

/* The last of the first `n` sources for which some statement does, or n. */
static size_t last_source(const pp_routine_trial *trial, size_t n, uint64_t uid,
                          bool (*does)(const pp_routine *, size_t, uint64_t)) {
  for (size_t left = n; left > 0; left--)
    for (size_t k = 0; k < trial->source[left - 1]->statements; k++)
      if (does(trial->source[left - 1], k, uid)) return left - 1;
  return n;
}

static bool is_virtual(const pp_lowered *lowered, uint64_t uid) {
  for (size_t i = 0; i < lowered->nodes; i++)
    if (lowered->placed[i].uid == uid &&
        lowered->placed[i].placement == PP_VIRTUAL)
      return true;
  return false;
}

/* Is node `at` of source s computed from constants alone? */
static bool fixed(const pp_routine_trial *trial, const pp_way *way, size_t s,
                  size_t at) {
  const pp_node *node = &trial->source[s]->node[at];
  if ((node->intents & PP_CONSTANT) != 0) return true;
  if ((node->intents & PP_MERGE) != 0 ||
      !is_virtual(way->lowered[s], node->uid))
    return false;
  size_t from = last_source(trial, s + 1, node->uid, writes);
  const pp_routine *source = trial->source[from];
  for (size_t k = 0; k < source->statements; k++) {
    const pp_statement *statement = &source->statement[k];
    if (!writes(source, k, node->uid)) continue;
    for (unsigned r = 0; r < statement->reads; r++)
      if (!fixed(trial, way, from, statement->read[r].node)) return false;
  }
  return true;
}

typedef enum pp_recall_law {
  PP_NO_RECALL,
  PP_CAN,
  PP_MAY,
  PP_CANNOT
} pp_recall_law;

/* Can the node, virtual in an earlier source, be computed by source n, each
 * time that it runs? `may`: when one statement can. */
static pp_recall_law law_of(const pp_routine_trial *trial, const pp_way *way,
                            size_t n, size_t at) {
  const pp_node *node = &trial->source[n]->node[at];
  uint64_t uid = node->uid;
  size_t last = last_source(trial, n, uid, accesses);
  if (last == n || !is_virtual(way->lowered[last], uid) || held(way, uid))
    return PP_NO_RECALL;
  size_t from = last_source(trial, last + 1, uid, writes);
  const pp_routine *source = trial->source[from];
  size_t parts = 0;
  if (last_source(trial, n + 1, uid, writes) == n ||
      (node->intents & ~(unsigned)PP_OBSERVABLE) != 0)
    return PP_CANNOT;
  for (size_t k = 0; k < source->statements; k++) {
    const pp_statement *statement = &source->statement[k];
    if (!writes(source, k, uid)) continue;
    parts++;
    for (unsigned r = 0; r < statement->reads; r++) {
      size_t read = statement->read[r].node;
      if (!fixed(trial, way, from, read)) return PP_CANNOT;
      if (is_virtual(way->lowered[from], source->node[read].uid)) parts++;
    }
  }
  return parts == 1 ? PP_CAN : PP_MAY;
}

/* Does the source need what the node was before? With an intent it is in
 * context, accessed or not. */
static bool needs(const pp_routine *source, size_t node) {
  uint64_t uid = source->node[node].uid;
  size_t first = 0;
  while (first < source->statements && !accesses(source, first, uid))
    first++;
  if ((source->node[node].intents & PP_MERGE) != 0) return false;
  if (first == source->statements) return source->node[node].intents != 0;
  const pp_statement *statement = &source->statement[first];
  for (unsigned r = 0; r < statement->reads; r++)
    if (statement->read[r].node == node) return true;
  return !pp_check_fills(statement, &source->node[node]);
}

/* What the law says of all that source n recalls: the worst. */
static pp_recall_law law(pp_routine_trial *trial, const pp_way *way, size_t n,
                         size_t *recalls) {
  const pp_routine *source = trial->source[n];
  pp_recall_law worst = PP_NO_RECALL;
  for (size_t i = 0; i < source->nodes; i++) {
    if (!needs(source, i)) continue;
    pp_recall_law one = law_of(trial, way, n, i);
    if (one != PP_NO_RECALL) *recalls += 1;
    if (one > worst) worst = one;
  }
  return worst;
}

bool pp_way_lower(pp_routine_trial *trial, pp_way *way) {
  pp_failure failure = {.text = ""};
  for (size_t k = 0; k < trial->sources; k++) {
    pp_lower_options options = way->lower;
    size_t recalls = 0;
    pp_recall_law must = law(trial, way, k, &recalls);
    options.held = held;
    options.holder = way;
    if (k > 0) options.lineage = way->lowered[k - 1]->lineage;
    pp_status status =
        pp_lower(trial->source[k], &options, &way->lowered[k], &failure);
    pp_count(trial, PP_COUNT_LOWERED, 1);
    if (status == PP_BAD_ROUTINE && must >= PP_MAY) {
      pp_count(trial, PP_COUNT_REFUSALS, 1);
      return true;
    }
    if (!pp_trial_fine(trial, status, &failure, way->name, "lowering"))
      return false;
    way->n++;
    if (must == PP_CANNOT)
      return pp_trial_differs(trial,
                              "%s: routine %zu recalls a node that may not "
                              "be computed again (RTN-1)",
                              way->name, k);
    pp_count(trial, PP_COUNT_RECALLS, recalls);
  }
  return true;
}

void pp_way_free(pp_way *way) {
  for (size_t k = 0; k < way->n; k++)
    pp_lowered_free(way->lowered[k]);
  way->n = 0;
}
