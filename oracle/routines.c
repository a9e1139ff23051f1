/* poolproof: random routines: nodes, spans, and the whole.
 * SPDX-License-Identifier: MIT */
#include "routines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "routines_parts.h"

static size_t at_most(size_t value, size_t limit) {
  return value < limit ? value : limit;
}

static void draw_shape(pp_draft *draft, pp_node *node, const uint64_t *extent,
                       uint64_t extents) {
  static const unsigned ranks[] = {0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4};
  pp_random *random = draft->random;
  bool alone = draft->limits->source ? pp_random_one_in(random, 3)
                                     : !pp_random_one_in(random, 2);
  if (draft->nodes > 0 && !alone) {
    const pp_node *like = &draft->node[pp_random_below(random, draft->nodes)];
    node->rank = like->rank;
    memcpy(node->dims, like->dims, sizeof node->dims);
    return;
  }
  node->rank = ranks[pp_random_below(random, sizeof ranks / sizeof ranks[0])];
  if (draft->limits->huge && node->rank > 2) node->rank = 2;
  for (unsigned d = 0; d < node->rank; d++) {
    node->dims[d] = extent[pp_random_below(random, extents)];
    if (pp_random_one_in(random, 40)) node->dims[d] = 0;
  }
}

static unsigned draw_intents(const pp_draft *draft) {
  unsigned intents = 0;
  uint64_t rarity = draft->flow ? 24 : 8;
  if (pp_random_one_in(draft->random, rarity)) intents |= PP_CONSTANT;
  if (pp_random_one_in(draft->random, rarity)) intents |= PP_HOST;
  if (pp_random_one_in(draft->random, rarity)) intents |= PP_OBSERVABLE;
  return intents;
}

static bool wants_data(const pp_draft *draft, unsigned intents) {
  if ((intents & (PP_CONSTANT | PP_HOST)) != 0)
    return !draft->limits->huge && !pp_random_one_in(draft->random, 5);
  if (draft->limits->huge) return false;
  return pp_random_one_in(draft->random, draft->flow ? 24 : 8);
}

/* False without memory. */
static bool draw_data(pp_draft *draft, pp_node *node) {
  uint64_t bytes = pp_node_bytes(node);
  void *data = malloc(bytes > 0 ? bytes : 1);
  if (!data) return false;
  pp_random_values(draft->random, node->dtype, draft->limits->wild, data,
                   pp_node_elements(node));
  node->data = data;
  return true;
}

static void label(pp_node *node) {
  char kind = (node->intents & PP_MERGE) != 0 ? 'm' : 'n';
  (void)snprintf(node->label, sizeof node->label, "%c%" PRIu64, kind,
                 node->uid);
}

/* A node that exists already, as a routine has it. */
static void add_known(pp_draft *draft, const pp_node *known, unsigned intents) {
  pp_node *node = &draft->node[draft->nodes++];
  *node = *known;
  node->intents = intents;
  node->has_span = false;
  node->lo = node->hi = 0;
  node->data = NULL;
  label(node);
}

static void add_knowns(pp_draft *draft) {
  const pp_routine_limits *limits = draft->limits;
  const pp_node *merge = limits->merge;
  for (size_t k = 0;
       k < limits->knowns && draft->nodes < PP_ROUTINE_NODES / 2 - 1; k++)
    if (pp_random_one_in(draft->random, 2))
      add_known(draft, &limits->known[k], limits->known[k].intents);
  if (merge) add_known(draft, merge, PP_MERGE);
}

/* Huge ones: two of them are at most 2^40 together; powers of two, so that
 * ratios of sizes are often the same, or nearly. */
static uint64_t draw_extent(const pp_draft *draft) {
  pp_random *random = draft->random;
  if (!draft->limits->huge)
    return 1 + pp_random_below(random, draft->limits->extent);
  uint64_t power = UINT64_C(1) << (1 + pp_random_below(random, 20));
  return power - (pp_random_one_in(random, 4) ? 1 : 0);
}

static pp_status add_new(pp_draft *draft) {
  enum { EXTENTS = 3 };
  pp_random *random = draft->random;
  size_t room = at_most(draft->limits->nodes, PP_ROUTINE_NODES / 2);
  size_t fewer = draft->flow && room > 1 ? 2 : room / 2 + 1;
  size_t count = room - (size_t)pp_random_below(random, fewer);
  uint64_t uid[PP_ROUTINE_NODES];
  uint64_t extent[EXTENTS];
  pp_dtype usual = (pp_dtype)pp_random_below(random, PP_DTYPE_COUNT);
  for (size_t k = 0; k < EXTENTS; k++)
    extent[k] = draw_extent(draft);
  for (size_t k = 0; k < room; k++) {
    size_t other = (size_t)pp_random_below(random, k + 1);
    uid[k] = uid[other];
    uid[other] = draft->limits->first_uid + k;
  }
  for (size_t k = 0; k < count; k++) {
    pp_node *node = &draft->node[draft->nodes];
    *node = (pp_node){.uid = uid[k], .dtype = usual};
    if (pp_random_one_in(random, draft->flow ? 10 : 4))
      node->dtype = (pp_dtype)pp_random_below(random, PP_DTYPE_COUNT);
    draw_shape(draft, node, extent, EXTENTS);
    if (k > 0) node->intents = draw_intents(draft); /* one can be written */
    label(node);
    draft->nodes++;
    if (wants_data(draft, node->intents) && !draw_data(draft, node))
      return PP_NO_MEMORY;
  }
  return PP_OK;
}

static bool has_access(const pp_statement *statement, size_t node) {
  for (unsigned k = 0; k < statement->reads; k++)
    if (statement->read[k].node == node) return true;
  return statement->target.node == node;
}

static bool is_known(const pp_draft *draft, const pp_node *node) {
  for (size_t k = 0; k < draft->limits->knowns; k++)
    if (draft->limits->known[k].uid == node->uid) return true;
  return false;
}

/* RTN-6. */
static bool eligible(const pp_draft *draft, size_t i) {
  const pp_node *node = &draft->node[i];
  return node->intents == 0 && !node->data && !is_known(draft, node) &&
         draft->filled[i] && draft->read[i];
}

static void declare_span(pp_draft *draft, size_t i) {
  pp_node *node = &draft->node[i];
  for (size_t k = 0; k < draft->statements; k++) {
    if (!has_access(&draft->statement[k], i)) continue;
    if (!node->has_span) node->lo = k;
    node->has_span = true;
    node->hi = k;
  }
  if (pp_random_one_in(draft->random, 8))
    node->lo -= pp_random_below(draft->random, node->lo + 1);
  if (pp_random_one_in(draft->random, 8))
    node->hi += pp_random_below(draft->random, 3);
  if (pp_random_one_in(draft->random, 64)) node->hi = UINT64_MAX;
}

static void declare_spans(pp_draft *draft) {
  if (draft->limits->source) return;
  if (pp_random_one_in(draft->random, 12)) return;
  for (size_t i = 0; i < draft->nodes; i++)
    if (eligible(draft, i) && !pp_random_one_in(draft->random, 8))
      declare_span(draft, i);
}

static void rename_nodes(pp_statement *statement, const size_t *index) {
  statement->target.node = index[statement->target.node];
  for (unsigned k = 0; k < statement->reads; k++)
    statement->read[k].node = index[statement->read[k].node];
}

static pp_status build(pp_draft *draft, pp_routine *routine,
                       pp_failure *failure) {
  size_t index[PP_ROUTINE_NODES] = {0};
  pp_status status = PP_OK;
  for (size_t i = 0; status == PP_OK && i < draft->nodes; i++)
    status = pp_routine_node(routine, &draft->node[i], &index[i], failure);
  for (size_t k = 0; status == PP_OK && k < draft->statements; k++) {
    rename_nodes(&draft->statement[k], index);
    status = pp_routine_statement(routine, &draft->statement[k], failure);
  }
  return status == PP_OK ? pp_routine_seal(routine, failure) : status;
}

static pp_status finish(pp_draft *draft, pp_routine **routine,
                        pp_failure *failure) {
  pp_routine *made = pp_routine_new("random");
  if (!made) return pp_fail(failure, PP_NO_MEMORY, "out of memory");
  pp_status status = build(draft, made, failure);
  if (status == PP_OK)
    *routine = made;
  else
    pp_routine_free(made);
  return status;
}

pp_status pp_random_routine(pp_random *random, const pp_routine_limits *limits,
                            pp_routine **routine, pp_failure *failure) {
  pp_draft *draft = calloc(1, sizeof *draft);
  if (!draft) return pp_fail(failure, PP_NO_MEMORY, "out of memory");
  draft->random = random;
  draft->limits = limits;
  draft->flow = !pp_random_one_in(random, 4);
  add_knowns(draft);
  pp_status status = add_new(draft);
  if (status == PP_OK) {
    size_t most = at_most(limits->statements, PP_ROUTINE_STATEMENTS);
    size_t fewer = draft->flow ? most / 3 + 1 : most;
    size_t count = most - (size_t)pp_random_below(random, fewer);
    if (limits->source) pp_draft_source(draft, count);
    while (draft->statements < count)
      pp_draft_statement(draft);
    declare_spans(draft);
    status = finish(draft, routine, failure);
  } else {
    status = pp_fail(failure, status, "out of memory");
  }
  for (size_t i = 0; i < draft->nodes; i++)
    free((void *)draft->node[i].data);
  free(draft);
  return status;
}
