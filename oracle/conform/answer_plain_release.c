/* poolproof: releases, read plainly off REL.  SPDX-License-Identifier: MIT */
#include "answer_parts.h"
#include "wire.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* REL-1, 2: the pools that a context owns, in the order in which they go;
 * REL-4: those before `freed` are gone. */
typedef struct pp_owner {
  uint64_t *pool;
  size_t pools;
  size_t freed;
  bool released;
} pp_owner;

static bool same_place(pp_location a, pp_location b) {
  return a.pool == b.pool && a.offset == b.offset;
}

static bool holds(const pp_holder *holder, const pp_held *held) {
  for (size_t i = 0; i < holder->nodes; i++)
    if (holder->held[i].uid == held->uid)
      return same_place(holder->held[i].at, held->at);
  return false;
}

/* REL-1: nothing in the pool is a constant or where the parent has it. */
static bool owns(const pp_ask *ask, const pp_holder *holder, uint64_t pool) {
  if (pool == 0) return false;
  for (size_t k = 0; k < ask->constants; k++)
    if (ask->constant[k].pool == pool) return false;
  for (size_t i = 0; holder->parent != SIZE_MAX && i < holder->nodes; i++)
    if (holder->held[i].at.pool == pool &&
        holds(&ask->holder[holder->parent], &holder->held[i]))
      return false;
  return true;
}

/* The context's node with the least uid that is not below `from`, or NULL. */
static const pp_held *next_node(const pp_holder *holder, uint64_t from) {
  const pp_held *next = NULL;
  for (size_t i = 0; i < holder->nodes; i++)
    if (holder->held[i].uid >= from &&
        (!next || holder->held[i].uid < next->uid))
      next = &holder->held[i];
  return next;
}

static bool is_among(const uint64_t *pool, size_t n, uint64_t which) {
  for (size_t k = 0; k < n; k++)
    if (pool[k] == which) return true;
  return false;
}

static bool find_own(const pp_ask *ask, const pp_holder *holder,
                     pp_owner *owner) {
  owner->pool = calloc(holder->nodes + 1, sizeof *owner->pool);
  if (!owner->pool) return false;
  const pp_held *held = next_node(holder, 0);
  while (held) {
    uint64_t pool = held->at.pool;
    if (owns(ask, holder, pool) && !is_among(owner->pool, owner->pools, pool))
      owner->pool[owner->pools++] = pool;
    held = held->uid < UINT64_MAX ? next_node(holder, held->uid + 1) : NULL;
  }
  return true;
}

static bool release(const pp_act *act, pp_owner *owner, pp_done *done) {
  pp_text calls = {0};
  uint64_t frees = 0;
  if (owner->released) return true;
  pp_text_print(&calls, "await\n");
  done->status = act->fail_await == 1 ? PP_BACKEND_FAILED : PP_OK;
  while (done->status == PP_OK && owner->freed < owner->pools) {
    pp_text_print(&calls, "free %" PRIu64 "\n", owner->pool[owner->freed]);
    if (++frees == act->fail_free)
      done->status = PP_BACKEND_FAILED;
    else
      owner->freed++;
  }
  owner->released = done->status == PP_OK;
  done->calls = calls.at;
  return !calls.failed;
}

static bool is_gone(const pp_ask *ask, const pp_owner *owner, uint64_t pool) {
  for (size_t k = 0; k < ask->holders; k++)
    if (is_among(owner[k].pool, owner[k].freed, pool)) return true;
  return false;
}

static pp_status touch(const pp_ask *ask, const pp_owner *owner,
                       const pp_act *act) {
  const pp_held *held = next_node(&ask->holder[act->context], act->uid);
  bool gone = held && is_gone(ask, owner, held->at.pool);
  return gone ? PP_POOL_GONE : PP_OK;
}

static void keep_live(const pp_ask *ask, const pp_owner *owner,
                      pp_reply *reply) {
  size_t kept = 0;
  for (size_t k = 0; k < reply->lives; k++)
    if (!is_gone(ask, owner, reply->live[k]))
      reply->live[kept++] = reply->live[k];
  reply->lives = kept;
}

bool pp_answer_plain_release(const pp_ask *ask, pp_reply *reply) {
  pp_owner *owner = calloc(ask->holders + 1, sizeof *owner);
  bool good = owner && pp_reply_acts(ask, reply);
  for (size_t k = 0; good && k < ask->holders; k++)
    good = find_own(ask, &ask->holder[k], &owner[k]);
  for (size_t k = 0; good && k < ask->acts; k++) {
    const pp_act *act = &ask->act[k];
    if (act->kind == PP_ACT_TOUCH)
      reply->done[k].status = touch(ask, owner, act);
    else
      good = release(act, &owner[act->context], &reply->done[k]);
  }
  if (good) keep_live(ask, owner, reply);
  for (size_t k = 0; owner && k < ask->holders; k++)
    free(owner[k].pool);
  free(owner);
  return good;
}
