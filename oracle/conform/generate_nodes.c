/* poolproof: random questions about nodes: their lives, their bytes.
 * SPDX-License-Identifier: MIT */
#include "answer.h"
#include "generate_parts.h"

static const unsigned intents[] = {PP_OBSERVABLE, PP_CONSTANT, PP_HOST,
                                   PP_MERGE};
enum { INTENTS = sizeof intents / sizeof *intents };

/* n nodes whose uids are distinct and in no order. */
static bool new_nodes(pp_generating *it, pp_ask *ask, size_t n) {
  ask->node = calloc(n + 1, sizeof *ask->node);
  ask->in_context = calloc(n + 1, sizeof *ask->in_context);
  if (!ask->node || !ask->in_context) return false;
  ask->nodes = n;
  for (size_t i = 0; i < n; i++) {
    ask->node[i].uid = i + 1;
    ask->in_context[i] = true;
  }
  for (size_t i = n; i > 1 && !pp_random_one_in(&it->random, 3); i--) {
    size_t j = (size_t)pp_random_below(&it->random, i);
    uint64_t uid = ask->node[i - 1].uid;
    ask->node[i - 1].uid = ask->node[j].uid;
    ask->node[j].uid = uid;
  }
  return true;
}

static pp_ref_access any_access(pp_generating *it, bool first) {
  static const pp_ref_access usual[] = {PP_REF_READ, PP_REF_READ, PP_REF_READ,
                                        PP_REF_WRITE, PP_REF_FILL};
  if (first && !pp_random_one_in(&it->random, 5)) return PP_REF_FILL;
  return usual[pp_random_below(&it->random, 5)];
}

static bool any_events(pp_generating *it, pp_ask *ask, size_t n) {
  pp_random *random = &it->random;
  bool *seen = calloc(ask->nodes + 1, sizeof *seen);
  ask->event = calloc(n + 1, sizeof *ask->event);
  if (!seen || !ask->event) {
    free(seen);
    return false;
  }
  uint64_t position = pp_random_below(random, 2);
  bool ordered = !pp_random_one_in(random, 6);
  for (; ask->events < n; ask->events++) {
    size_t node = (size_t)pp_random_below(random, ask->nodes);
    ask->event[ask->events] = (pp_ref_event){
        .node = node,
        .position = ordered ? position : pp_random_below(random, n),
        .access = any_access(it, !seen[node])};
    seen[node] = true;
    position += pp_random_below(random, 3);
  }
  free(seen);
  return true;
}

bool pp_generate_spans(pp_generating *it, pp_ask *ask) {
  pp_random *random = &it->random;
  size_t many = pp_random_one_in(random, 3) ? it->most : 4;
  if (it->most < 4) many = 1;
  size_t nodes = 1 + (size_t)pp_random_below(random, many);
  size_t events = (size_t)pp_random_below(random, it->most - nodes + 1);
  if (!new_nodes(it, ask, nodes) || !any_events(it, ask, events)) return false;
  for (size_t i = 0; i < nodes; i++) {
    if (pp_random_one_in(random, 4))
      ask->node[i].intents = intents[pp_random_below(random, INTENTS)];
    if (pp_random_one_in(random, 16)) ask->node[i].intents |= PP_OBSERVABLE;
    ask->in_context[i] = !pp_random_one_in(random, 10);
  }
  ask->opaque = pp_random_one_in(random, 16);
  pp_widening wide = pp_any_widening(it);
  for (size_t i = 0; i < nodes; i++)
    ask->node[i].uid = pp_widen(&wide, ask->node[i].uid);
  wide = pp_any_widening(it);
  for (size_t k = 0; k < events; k++)
    ask->event[k].position = pp_widen(&wide, ask->event[k].position);
  return true;
}

static void any_dims(pp_generating *it, pp_node *node) {
  pp_random *random = &it->random;
  bool large = pp_random_one_in(random, 12);
  if (large && !pp_can(it->can, PP_FEATURE_U64)) large = false;
  node->dtype = (pp_dtype)pp_random_below(random, PP_DTYPE_COUNT);
  node->rank = (unsigned)pp_random_below(random, PP_RANK + 1);
  for (unsigned d = 0; d < node->rank; d++)
    node->dims[d] = 1 + pp_random_below(random, large ? 1 << 14 : 6);
  if (node->rank > 0 && pp_random_one_in(random, 10) &&
      pp_can(it->can, PP_FEATURE_ZERO_SIZE))
    node->dims[pp_random_below(random, node->rank)] = 0;
  if (!pp_can(it->can, PP_FEATURE_CLASSES)) node->dtype = PP_F32;
}

static void any_life(pp_generating *it, pp_node *node) {
  pp_random *random = &it->random;
  node->lo = pp_random_below(random, 5);
  node->hi = node->lo + pp_random_below(random, 3);
  node->has_span = !pp_random_one_in(random, 5);
  if ((node->intents & PP_MERGE) != 0) node->has_span = false;
  /* Counts nothing for a constant, which some plan all the same. */
  if ((node->intents & PP_CONSTANT) != 0 && !pp_random_one_in(random, 4))
    node->has_span = false;
  if (!node->has_span) node->lo = node->hi = 0;
}

static bool any_score_cap(pp_generating *it, pp_ask *ask) {
  pp_random *random = &it->random;
  pp_reply reply = {0};
  ask->c.cap = PP_CAP_USUAL;
  if (pp_random_one_in(random, 3)) return true;
  if (!pp_answer(PP_ANSWERER_FAST, ask, &reply)) return false;
  if (reply.kind == PP_REPLY_RESULT) {
    const uint64_t near[] = {reply.footprint.working, reply.footprint.constants,
                             reply.footprint.dedicated};
    uint64_t cap = near[pp_random_below(random, 3)];
    uint64_t by = pp_random_below(random, 3);
    ask->c.cap = by == 0 && cap > 0 ? cap - 1 : cap + (by == 2);
  }
  if (ask->c.cap == 0) ask->c.cap = 1;
  pp_reply_free(&reply);
  return true;
}

bool pp_generate_score(pp_generating *it, pp_ask *ask) {
  static const uint64_t alignments[] = {1, 1, 2, 4, 8, 64, 64, 256};
  pp_random *random = &it->random;
  size_t nodes = (size_t)pp_random_below(random, it->most + 1);
  if (!new_nodes(it, ask, nodes)) return false;
  for (size_t i = 0; i < nodes; i++) {
    pp_node *node = &ask->node[i];
    if (pp_random_one_in(random, 4)) node->intents = PP_CONSTANT;
    if (pp_random_one_in(random, 12)) node->intents = PP_MERGE;
    if (pp_random_one_in(random, 12)) node->intents = PP_OBSERVABLE;
    any_dims(it, node);
    any_life(it, node);
  }
  free(ask->in_context);
  ask->in_context = NULL;
  ask->alignment = alignments[pp_random_below(random, 8)];
  if (pp_can(it->can, PP_FEATURE_ANY_ALIGN) && pp_random_one_in(random, 8))
    ask->alignment = 1 + pp_random_below(random, 12);
  if (pp_can(it->can, PP_FEATURE_U64) && pp_random_one_in(random, 12))
    ask->alignment = UINT64_C(1) << pp_random_below(random, 41);
  ask->no_reuse = pp_random_one_in(random, 6);
  pp_widening uids = pp_any_widening(it);
  pp_widening steps = pp_any_widening(it);
  for (size_t i = 0; i < nodes; i++) {
    pp_node *node = &ask->node[i];
    node->uid = pp_widen(&uids, node->uid);
    if (!node->has_span) continue;
    node->lo = pp_widen(&steps, node->lo);
    node->hi = pp_widen(&steps, node->hi);
  }
  return any_score_cap(it, ask);
}
