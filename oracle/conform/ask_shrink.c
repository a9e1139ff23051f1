#include "ask_shrink.h"

#include "shrink.h"
#include "shrink_parts.h"

#include <string.h>

/* What lies as far from `to` as value lies from `from`. */
static uint64_t beside(uint64_t value, uint64_t from, uint64_t to) {
  if (value >= from)
    return value - from > UINT64_MAX - to ? UINT64_MAX : to + (value - from);
  return from - value > to ? 0 : to - (from - value);
}

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

/* The bytes that the problem needs in one piece. False: it has no such plan, or
 * there is no memory. */
static bool needs(const pp_case *c, uint64_t *total) {
  pp_claim claim;
  bool planned = pp_claim_new(&claim, c->n) &&
                 pp_claim_plan(c, PP_CAP_UNLIMITED, &claim) &&
                 claim.segments <= 1;
  if (planned) *total = claim.size[0];
  pp_claim_free(&claim);
  return planned;
}

/* Without item i, the cap as far from what is needed as before. */
static bool fewer_under_cap(pp_ask_shrinker *shrinker, size_t i) {
  uint64_t before = 0;
  uint64_t now = 0;
  if (!pp_shrink_begin(shrinker)) return false;
  pp_case *c = &shrinker->trial.c;
  if (!needs(c, &before)) return false;
  memmove(c->items + i, c->items + i + 1, (c->n - i - 1) * sizeof *c->items);
  c->n--;
  if (!needs(c, &now)) return false;
  c->cap = beside(c->cap, before, now);
  return pp_shrink_keep(shrinker);
}

static void shrink_problem(pp_ask_shrinker *shrinker) {
  bool any = true;
  while (any && shrinker->left > 0 && !shrinker->stop) {
    pp_case c = {0};
    if (pp_case_copy(&c, &shrinker->best->c))
      (void)pp_shrink(&c, case_test, shrinker, shrinker->left);
    pp_case_free(&c);
    any = false;
    for (size_t i = shrinker->best->c.n; i > 0; i--)
      if (i <= shrinker->best->c.n && fewer_under_cap(shrinker, i - 1))
        any = true;
  }
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

static uint64_t end_inside(const pp_ask *ask, size_t segment) {
  uint64_t most = 0;
  for (size_t i = 0; i < ask->c.n; i++) {
    uint64_t end = beside(ask->claim.offset[i], 0, ask->c.items[i].size);
    if (ask->claim.segment[i] == segment && end > most) most = end;
  }
  return most;
}

static uint64_t greatest(const pp_claim *claim) {
  uint64_t most = 0;
  for (size_t k = 0; k < claim->segments; k++)
    if (claim->size[k] > most) most = claim->size[k];
  return most;
}

/* Claimed sizes as far from the ends as before, the cap from the sizes. */
static bool follow_ends(pp_ask_shrinker *shrinker) {
  const pp_ask *from = shrinker->best;
  pp_ask *to = &shrinker->trial;
  if (to->verb != PP_ASK_VALIDATE || to->claim.segments != from->claim.segments)
    return false;
  for (size_t k = 0; k < to->claim.segments; k++)
    to->claim.size[k] =
        beside(from->claim.size[k], end_inside(from, k), end_inside(to, k));
  to->c.cap = beside(from->c.cap, greatest(&from->claim), greatest(&to->claim));
  return true;
}

static bool drop(pp_ask_shrinker *shrinker, unsigned part, size_t i) {
  if (i >= pp_part_count(shrinker->best, part)) return false;
  return pp_shrink_begin(shrinker) && pp_part_drop(&shrinker->trial, part, i);
}

static bool fewer(pp_ask_shrinker *shrinker) {
  bool any = false;
  for (unsigned part = 0; part < PP_PARTS; part++)
    for (size_t i = pp_part_count(shrinker->best, part); i > 0; i--)
      if ((drop(shrinker, part, i - 1) && pp_shrink_keep(shrinker)) ||
          (part == PP_PART_ITEMS && drop(shrinker, part, i - 1) &&
           follow_ends(shrinker) && pp_shrink_keep(shrinker)))
        any = true;
  return any;
}

static bool set_number(pp_ask_shrinker *shrinker, size_t i, uint64_t value) {
  for (unsigned follow = 0; follow < 2; follow++) {
    if (!pp_shrink_begin(shrinker)) return false;
    *pp_number_at(&shrinker->trial, i) = value;
    if (follow == 1 && !follow_ends(shrinker)) return false;
    if (pp_shrink_keep(shrinker)) return true;
  }
  return false;
}

/* Number i of the question. */
typedef struct pp_lowering_ask {
  pp_ask_shrinker *shrinker;
  size_t i;
} pp_lowering_ask;

static bool set_at(void *state, uint64_t value) {
  const pp_lowering_ask *at = state;
  return set_number(at->shrinker, at->i, value);
}

static bool lower(pp_ask_shrinker *shrinker) {
  bool any = false;
  for (size_t i = 0; pp_number_at(shrinker->best, i); i++) {
    pp_lowering_ask at = {shrinker, i};
    if (pp_shrink_value(*pp_number_at(shrinker->best, i), 0, set_at, &at))
      any = true;
  }
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
