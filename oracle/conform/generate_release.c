/* poolproof: random questions about releases.  SPDX-License-Identifier: MIT */
#include "generate_parts.h"

enum { CONTEXTS = 4, POOLS_EACH = 12 };

/* pool  ids handed out so far, never one twice */
typedef struct pp_scene_pools {
  uint64_t last;
} pp_scene_pools;

static uint64_t new_pool(pp_generating *it, pp_scene_pools *pools) {
  pools->last += 1 + pp_random_below(&it->random, 2);
  return pools->last;
}

static bool any_constants(pp_generating *it, pp_ask *ask,
                          pp_scene_pools *pools) {
  size_t n = (size_t)pp_random_below(&it->random, 3);
  ask->constant = calloc(n + 1, sizeof *ask->constant);
  if (!ask->constant) return false;
  uint64_t pool = new_pool(it, pools);
  for (; ask->constants < n; ask->constants++) {
    if (pp_random_one_in(&it->random, 2)) pool = new_pool(it, pools);
    ask->constant[ask->constants] =
        (pp_location){.pool = pool, .offset = 64 * (uint64_t)ask->constants};
  }
  return true;
}

static void inherit(pp_generating *it, const pp_holder *parent,
                    pp_holder *holder) {
  for (size_t i = 0; i < parent->nodes; i++)
    if (!pp_random_one_in(&it->random, 12))
      holder->held[holder->nodes++] = parent->held[i];
}

/* One more node, in a pool of the context's own, a constant's, or the merge
 * buffer, or beside another (maybe its parent's) node; now and then one that
 * the parent holds elsewhere. */
static void add_node(pp_generating *it, const pp_ask *ask, pp_holder *holder,
                     const uint64_t *own, size_t owned, uint64_t uid) {
  pp_random *random = &it->random;
  uint64_t turn = pp_random_one_in(random, 2) ? uid : pp_random_next(random);
  pp_location at = {.pool = own[owned > 1 ? turn % owned : 0],
                    .offset = 64 * pp_random_below(random, 4)};
  if (ask->constants > 0 && pp_random_one_in(random, 5)) {
    at = ask->constant[pp_random_below(random, ask->constants)];
    if (pp_random_one_in(random, 4)) at.offset += 64;
  }
  if (holder->nodes > 0 && pp_random_one_in(random, 8)) {
    at = holder->held[pp_random_below(random, holder->nodes)].at;
    at.offset += 64;
  }
  if (pp_random_one_in(random, 12)) at = (pp_location){0};
  if (holder->nodes > 0 && pp_random_one_in(random, 10)) {
    pp_held *moved = &holder->held[pp_random_below(random, holder->nodes)];
    if (pp_random_one_in(random, 2)) {
      at = moved->at;
      at.offset += 64;
    }
    moved->at = at;
    return;
  }
  holder->held[holder->nodes++] = (pp_held){.uid = uid, .at = at};
}

/* Nodes come in any order (REL-2). */
static void shuffle(pp_generating *it, pp_holder *holder) {
  for (size_t i = holder->nodes; i > 1; i--) {
    size_t j = (size_t)pp_random_below(&it->random, i);
    pp_held held = holder->held[i - 1];
    holder->held[i - 1] = holder->held[j];
    holder->held[j] = held;
  }
}

static bool any_holder(pp_generating *it, pp_ask *ask, pp_scene_pools *pools,
                       size_t fresh) {
  pp_random *random = &it->random;
  pp_holder *holder = &ask->holder[ask->holders];
  uint64_t own[POOLS_EACH];
  size_t inherited = 0;
  holder->parent = SIZE_MAX;
  if (ask->holders > 0 && !pp_random_one_in(random, 4)) {
    holder->parent = (size_t)pp_random_below(random, ask->holders);
    inherited = ask->holder[holder->parent].nodes;
  }
  holder->held = calloc(inherited + fresh + 1, sizeof *holder->held);
  if (!holder->held) return false;
  ask->holders++;
  if (holder->parent != SIZE_MAX)
    inherit(it, &ask->holder[holder->parent], holder);
  size_t owned =
      1 + (size_t)pp_random_below(random, fresh > 3 ? POOLS_EACH : 3);
  for (size_t k = 0; k < owned; k++)
    own[k] = new_pool(it, pools);
  for (size_t k = 0; k < fresh; k++)
    add_node(it, ask, holder, own, owned,
             1 + 16 * (uint64_t)ask->holders + (uint64_t)k);
  if (!pp_random_one_in(random, 3)) shuffle(it, holder);
  return true;
}

static pp_act any_act(pp_generating *it, const pp_ask *ask) {
  pp_random *random = &it->random;
  pp_act act = {.context = (size_t)pp_random_below(random, ask->holders)};
  const pp_holder *holder = &ask->holder[act.context];
  if (holder->nodes > 0 && pp_random_one_in(random, 3)) {
    act.kind = PP_ACT_TOUCH;
    act.uid = holder->held[pp_random_below(random, holder->nodes)].uid;
    return act;
  }
  uint64_t way = pp_random_below(random, 6);
  if (way == 0) act.fail_await = 1;
  uint64_t late = pp_random_one_in(random, 3) ? POOLS_EACH : 3;
  if (way == 1 || way == 2) act.fail_free = 1 + pp_random_below(random, late);
  return act;
}

static void widen_place(const pp_widening *pools, const pp_widening *offsets,
                        pp_location *at) {
  if (at->pool == 0) return;
  at->pool = pp_widen(pools, at->pool);
  at->offset = pp_widen(offsets, at->offset / 64);
}

static void widen(pp_generating *it, pp_ask *ask) {
  pp_widening uids = pp_any_widening(it);
  pp_widening pools = pp_any_widening(it);
  pp_widening offsets = pp_any_widening(it);
  for (size_t k = 0; k < ask->constants; k++)
    widen_place(&pools, &offsets, &ask->constant[k]);
  for (size_t k = 0; k < ask->holders; k++)
    for (size_t i = 0; i < ask->holder[k].nodes; i++) {
      pp_held *held = &ask->holder[k].held[i];
      held->uid = pp_widen(&uids, held->uid);
      widen_place(&pools, &offsets, &held->at);
    }
}

bool pp_generate_release(pp_generating *it, pp_ask *ask) {
  pp_random *random = &it->random;
  pp_scene_pools pools = {0};
  size_t acts = 1 + (size_t)pp_random_below(random, (it->most + 1) / 2);
  size_t left = it->most - acts;
  if (!any_constants(it, ask, &pools)) return false;
  ask->holder = calloc(CONTEXTS, sizeof *ask->holder);
  ask->act = calloc(acts + 1, sizeof *ask->act);
  if (!ask->holder || !ask->act) return false;
  size_t contexts = 1 + (size_t)pp_random_below(random, CONTEXTS);
  for (size_t k = 0; k < contexts; k++) {
    size_t many = pp_random_one_in(random, 3) ? left : 3;
    if (many > left) many = left;
    size_t fresh = (size_t)pp_random_below(random, many + 1);
    if (!any_holder(it, ask, &pools, fresh)) return false;
    size_t used = ask->holder[k].nodes;
    left = used < left ? left - used : 0;
  }
  widen(it, ask);
  for (; ask->acts < acts; ask->acts++)
    ask->act[ask->acts] = any_act(it, ask);
  return true;
}
