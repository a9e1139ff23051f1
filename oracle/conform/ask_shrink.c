#include "ask_shrink.h"

#include "shrink.h"
#include "shrink_parts.h"

#include <string.h>

/* -- problems: the shrinker of problems knows them best -------------------- */

static bool case_test(void *state, const pp_case *c) {
  pp_ask_shrinker *shrinker = state;
  if (c->kind != shrinker->best->c.kind || !pp_shrink_begin(shrinker))
    return false;
  if (!pp_case_copy(&shrinker->trial.c, c)) {
    shrinker->stop = true;
    return false;
  }
  return pp_shrink_keep(shrinker);
}

static void shrink_problem(pp_ask_shrinker *shrinker) {
  pp_case c = {0};
  if (pp_case_copy(&c, &shrinker->best->c))
    (void)pp_shrink(&c, case_test, shrinker, shrinker->left);
  pp_case_free(&c);
}

/* -- everything else: fewer of each part, then smaller numbers ------------- */

bool pp_shrink_begin(pp_ask_shrinker *shrinker) {
  if (shrinker->left == 0 || shrinker->stop) return false;
  pp_ask_free(&shrinker->trial);
  shrinker->stop = !pp_ask_copy(&shrinker->trial, shrinker->best);
  return !shrinker->stop;
}

bool pp_shrink_keep(pp_ask_shrinker *shrinker) {
  pp_ask *trial = &shrinker->trial;
  if (pp_ask_wrong(trial) || (pp_ask_needs(trial) & ~shrinker->needs) != 0)
    return false;
  shrinker->left--;
  shrinker->done++;
  if (!shrinker->test(shrinker->state, trial)) return false;
  pp_ask worse = *shrinker->best;
  *shrinker->best = *trial;
  *trial = worse;
  return true;
}

static bool fewer(pp_ask_shrinker *shrinker) {
  bool any = false;
  for (unsigned part = 0; part < PP_PARTS; part++)
    for (size_t i = pp_part_count(shrinker->best, part); i > 0; i--)
      if (i <= pp_part_count(shrinker->best, part) &&
          pp_shrink_begin(shrinker) &&
          pp_part_drop(&shrinker->trial, part, i - 1) &&
          pp_shrink_keep(shrinker))
        any = true;
  return any;
}

static bool set_number(pp_ask_shrinker *shrinker, size_t i, uint64_t value) {
  if (!pp_shrink_begin(shrinker)) return false;
  *pp_number_at(&shrinker->trial, i) = value;
  return pp_shrink_keep(shrinker);
}

/* 0, 1, 2, 3, or what halving what is left finds. */
static bool lower_number(pp_ask_shrinker *shrinker, size_t i) {
  uint64_t value = *pp_number_at(shrinker->best, i);
  bool any = false;
  for (uint64_t small = 0; small < 4 && small < value; small++)
    if (set_number(shrinker, i, small)) return true;
  for (uint64_t step = value / 2; step > 0; step /= 2)
    while (value >= step && set_number(shrinker, i, value - step)) {
      value -= step;
      any = true;
    }
  return any;
}

static bool lower(pp_ask_shrinker *shrinker) {
  bool any = false;
  for (size_t i = 0; pp_number_at(shrinker->best, i); i++)
    if (lower_number(shrinker, i)) any = true;
  return any;
}

/* Switches go to what is left out on the wire. */
static bool plainer(pp_ask_shrinker *shrinker) {
  bool any = false;
  for (size_t i = 0; pp_switch_count(shrinker->best) > i; i++)
    if (pp_shrink_begin(shrinker) && pp_switch_off(&shrinker->trial, i) &&
        pp_shrink_keep(shrinker))
      any = true;
  return any;
}

size_t pp_ask_shrink(pp_ask *ask, pp_ask_test *test, void *state,
                     size_t tests) {
  pp_ask_shrinker shrinker = {.best = ask,
                              .needs = pp_ask_needs(ask),
                              .test = test,
                              .state = state,
                              .left = tests};
  if (ask->verb == PP_ASK_SEGMENTS || ask->verb == PP_ASK_ARENA) {
    shrink_problem(&shrinker);
  } else {
    bool any = true;
    while (any && shrinker.left > 0 && !shrinker.stop) {
      any = fewer(&shrinker);
      any = plainer(&shrinker) || any;
      any = lower(&shrinker) || any;
    }
  }
  pp_ask_free(&shrinker.trial);
  return shrinker.done;
}
