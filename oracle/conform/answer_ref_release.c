/* poolproof: releases, by the proved state machine and a driver that writes
 * down its calls.  SPDX-License-Identifier: MIT */
#include "answer_parts.h"
#include "wire.h"

#include "release_hooks.h"

#include "ref/release.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A context as the reference takes it: nodes by uid. */
typedef struct pp_releasing {
  size_t n;
  pp_held *held;
  pp_location *at, *parent_at;
  bool *in_parent;
  pp_ref_progress progress;
} pp_releasing;

/* constant  the device's, and pool 0, which no context owns
 * calls     of the step under way
 * awaits, frees  how many of them were made in it */
typedef struct pp_driver {
  const pp_act *act;
  pp_reply *reply;
  size_t contexts;
  pp_releasing *context;
  size_t constants;
  pp_location *constant;
  pp_text calls;
  uint64_t awaits, frees;
} pp_driver;

static pp_status answer_await(void *state) {
  pp_driver *driver = state;
  driver->awaits++;
  pp_text_print(&driver->calls, "await\n");
  return driver->awaits == driver->act->fail_await ? PP_BACKEND_FAILED : PP_OK;
}

static void drop(pp_reply *reply, uint64_t pool) {
  size_t k = 0;
  while (k < reply->lives && reply->live[k] != pool)
    k++;
  if (k == reply->lives) return;
  reply->lives--;
  memmove(&reply->live[k], &reply->live[k + 1],
          (reply->lives - k) * sizeof *reply->live);
}

static pp_status answer_free_pool(void *state, uint64_t pool) {
  pp_driver *driver = state;
  driver->frees++;
  pp_text_print(&driver->calls, "free %" PRIu64 "\n", pool);
  if (driver->frees == driver->act->fail_free) return PP_BACKEND_FAILED;
  drop(driver->reply, pool);
  return PP_OK;
}

static bool take_context(const pp_ask *ask, size_t k, pp_releasing *it) {
  const pp_holder *holder = &ask->holder[k];
  size_t room = holder->nodes + 1;
  it->held = calloc(room, sizeof *it->held);
  it->at = calloc(room, sizeof *it->at);
  it->parent_at = calloc(room, sizeof *it->parent_at);
  it->in_parent = calloc(room, sizeof *it->in_parent);
  if (!it->held || !it->at || !it->parent_at || !it->in_parent) return false;
  it->n = holder->nodes;
  if (it->n > 0) memcpy(it->held, holder->held, it->n * sizeof *it->held);
  qsort(it->held, it->n, sizeof *it->held, pp_held_by_uid);
  for (size_t i = 0; i < it->n; i++) {
    it->at[i] = it->held[i].at;
    if (holder->parent == SIZE_MAX) continue;
    const pp_holder *parent = &ask->holder[holder->parent];
    for (size_t j = 0; j < parent->nodes; j++) {
      if (parent->held[j].uid != it->held[i].uid) continue;
      it->in_parent[i] = true;
      it->parent_at[i] = parent->held[j].at;
    }
  }
  return true;
}

static bool driver_open(const pp_ask *ask, pp_reply *reply, pp_driver *driver) {
  *driver = (pp_driver){
      .reply = reply,
      .context = calloc(ask->holders + 1, sizeof *driver->context),
      .constant = calloc(ask->constants + 1, sizeof *driver->constant)};
  if (!driver->context || !driver->constant) return false;
  if (ask->constants > 0)
    memcpy(driver->constant, ask->constant,
           ask->constants * sizeof *driver->constant);
  driver->constants = ask->constants + 1;
  for (size_t k = 0; k < ask->holders; k++) {
    driver->contexts++;
    if (!take_context(ask, k, &driver->context[k])) return false;
  }
  return pp_reply_acts(ask, reply);
}

static void driver_close(pp_driver *driver) {
  for (size_t k = 0; k < driver->contexts; k++) {
    free(driver->context[k].held);
    free(driver->context[k].at);
    free(driver->context[k].parent_at);
    free(driver->context[k].in_parent);
  }
  free(driver->context);
  free(driver->constant);
}

static bool release(pp_driver *driver, pp_done *done) {
  pp_releasing *it = &driver->context[driver->act->context];
  driver->calls = (pp_text){0};
  driver->awaits = driver->frees = 0;
  pp_release_hook((pp_release_hooks){answer_await, answer_free_pool, driver});
  done->status =
      pp_ref_release(it->at, it->parent_at, it->in_parent, it->n,
                     driver->constant, driver->constants, &it->progress);
  done->calls = driver->calls.at;
  return !driver->calls.failed;
}

/* REL-6: has the context that owns the pool freed it? */
static bool gone(const pp_driver *driver, uint64_t pool) {
  for (size_t k = 0; k < driver->contexts; k++) {
    const pp_releasing *it = &driver->context[k];
    for (size_t i = 0; i < it->n; i++)
      if (it->at[i].pool == pool &&
          pp_ref_gone(it->at, it->parent_at, it->in_parent, it->n,
                      driver->constant, driver->constants, &it->progress, i))
        return true;
  }
  return false;
}

static pp_status touch(const pp_driver *driver) {
  const pp_releasing *it = &driver->context[driver->act->context];
  for (size_t i = 0; i < it->n; i++)
    if (it->held[i].uid == driver->act->uid && gone(driver, it->at[i].pool))
      return PP_POOL_GONE;
  return PP_OK;
}

bool pp_answer_ref_release(const pp_ask *ask, pp_reply *reply) {
  pp_driver driver;
  bool good = driver_open(ask, reply, &driver);
  for (size_t k = 0; good && k < ask->acts; k++) {
    driver.act = &ask->act[k];
    if (driver.act->kind == PP_ACT_TOUCH)
      reply->done[k].status = touch(&driver);
    else
      good = release(&driver, &reply->done[k]);
  }
  driver_close(&driver);
  return good;
}
