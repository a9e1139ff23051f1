#include "shrink.h"

#include <string.h>

typedef struct pp_shrinker {
  pp_case *best;
  pp_case trial;
  pp_shrink_test *test;
  void *state;
  size_t left; /* tests */
  size_t done;
  bool stop; /* out of memory */
} pp_shrinker;

static bool begin(pp_shrinker *shrinker) {
  if (shrinker->left == 0 || shrinker->stop) return false;
  shrinker->stop = !pp_case_copy(&shrinker->trial, shrinker->best);
  return !shrinker->stop;
}

/* Keeps the trial if it still shows the fault. */
static bool keep(pp_shrinker *shrinker) {
  shrinker->left--;
  shrinker->done++;
  if (!shrinker->test(shrinker->state, &shrinker->trial)) return false;
  pp_case worse = *shrinker->best;
  *shrinker->best = shrinker->trial;
  shrinker->trial = worse;
  return true;
}

static bool drop_items(pp_shrinker *shrinker, size_t from, size_t count) {
  if (!begin(shrinker)) return false;
  pp_case *trial = &shrinker->trial;
  memmove(trial->items + from, trial->items + from + count,
          (trial->n - from - count) * sizeof *trial->items);
  trial->n -= count;
  return keep(shrinker);
}

static bool fewer_items(pp_shrinker *shrinker) {
  bool any = false;
  for (size_t count = shrinker->best->n / 2; count > 0; count /= 2)
    for (size_t from = shrinker->best->n; from > 0; from--)
      if (from - 1 + count <= shrinker->best->n &&
          drop_items(shrinker, from - 1, count))
        any = true;
  if (shrinker->best->n == 1 && drop_items(shrinker, 0, 1)) any = true;
  return any;
}

/* Items i and j > i become one of their sizes' sum: for faults that want a
 * great sum of many. */
static bool merge(pp_shrinker *shrinker, size_t i, size_t j) {
  uint64_t sum = 0;
  if (!begin(shrinker)) return false;
  pp_case *trial = &shrinker->trial;
  if (__builtin_add_overflow(trial->items[i].size, trial->items[j].size, &sum))
    return false;
  trial->items[i].size = sum;
  memmove(trial->items + j, trial->items + j + 1,
          (trial->n - j - 1) * sizeof *trial->items);
  trial->n--;
  return keep(shrinker);
}

static bool merge_items(pp_shrinker *shrinker) {
  bool any = false;
  for (size_t i = 0; i < shrinker->best->n; i++)
    for (size_t j = shrinker->best->n; j > i + 1; j--)
      if (j <= shrinker->best->n && merge(shrinker, i, j - 1)) any = true;
  return any;
}

bool pp_shrink_value(uint64_t value, uint64_t least, pp_shrink_set *set,
                     void *state) {
  for (uint64_t small = least; small < 4 && small < value; small++)
    if (set(state, small)) return true;
  bool any = false;
  for (uint64_t step = value / 2; step > 0; step /= 2)
    while (value >= step && set(state, value - step)) {
      value -= step;
      any = true;
    }
  return any;
}

/* Where a number lives: in item i, in all items that are as large as item i,
 * or the case's cap. */
enum { SIZE, ALIGN, HI, LO, TIES, CAP };

static uint64_t *number_at(pp_case *c, size_t i, unsigned field) {
  switch (field) {
  case SIZE:
  case TIES:
    return &c->items[i].size;
  case ALIGN:
    return &c->items[i].align;
  case HI:
    return &c->items[i].hi;
  case LO:
    return &c->items[i].lo;
  default:
    return &c->cap;
  }
}

static bool set_number(pp_shrinker *shrinker, size_t i, unsigned field,
                       uint64_t value) {
  uint64_t from = *number_at(shrinker->best, i, field);
  if (from == value || !begin(shrinker)) return false;
  pp_case *trial = &shrinker->trial;
  for (size_t j = 0; field == TIES && j < trial->n; j++)
    if (trial->items[j].size == from) trial->items[j].size = value;
  *number_at(trial, i, field) = value;
  return keep(shrinker);
}

/* Number `field` of item i. */
typedef struct pp_lowering_at {
  pp_shrinker *shrinker;
  size_t i;
  unsigned field;
} pp_lowering_at;

static bool set_at(void *state, uint64_t value) {
  const pp_lowering_at *at = state;
  return set_number(at->shrinker, at->i, at->field, value);
}

/* No alignment is written 1. */
static bool lower_number(pp_shrinker *shrinker, size_t i, unsigned field) {
  pp_lowering_at at = {shrinker, i, field};
  return pp_shrink_value(*number_at(shrinker->best, i, field),
                         field == ALIGN ? 1 : 0, set_at, &at);
}

static bool lower_numbers(pp_shrinker *shrinker) {
  bool any = false;
  for (unsigned field = SIZE; field <= LO; field++)
    for (size_t i = 0; i < shrinker->best->n; i++)
      if (lower_number(shrinker, i, field)) any = true;
  return any;
}

static bool is_tied(const pp_case *c, size_t i) {
  size_t same = 0;
  for (size_t j = 0; j < c->n; j++)
    same += c->items[j].size == c->items[i].size;
  return same > 1;
}

/* Equal sizes at once: ties stay ties. */
static bool lower_ties(pp_shrinker *shrinker) {
  bool any = false;
  for (size_t i = 0; i < shrinker->best->n; i++)
    if (is_tied(shrinker->best, i) && lower_number(shrinker, i, TIES))
      any = true;
  return any;
}

/* Every step `from` becomes `to` at once: lives keep how they meet. */
static bool move_step(pp_shrinker *shrinker, uint64_t from, uint64_t to) {
  if (!begin(shrinker)) return false;
  for (size_t i = 0; i < shrinker->trial.n; i++) {
    pp_item *item = &shrinker->trial.items[i];
    if (item->lo == from) item->lo = to;
    if (item->hi == from) item->hi = to;
  }
  return keep(shrinker);
}

static bool has_step(const pp_case *c, uint64_t step) {
  for (size_t i = 0; i < c->n; i++)
    if (c->items[i].has_span &&
        (c->items[i].lo == step || c->items[i].hi == step))
      return true;
  return false;
}

/* The least step at or above from; false when there is none. */
static bool least_step(const pp_case *c, uint64_t from, uint64_t *least) {
  bool any = false;
  for (size_t i = 0; i < c->n; i++) {
    if (!c->items[i].has_span) continue;
    const uint64_t ends[] = {c->items[i].lo, c->items[i].hi};
    for (size_t k = 0; k < 2; k++)
      if (ends[k] >= from && (!any || ends[k] < *least)) {
        *least = ends[k];
        any = true;
      }
  }
  return any;
}

/* Steps become 0, 1, 2 ... in their order. */
static bool fewer_steps(pp_shrinker *shrinker) {
  bool any = false;
  uint64_t step = 0;
  for (uint64_t to = 0; least_step(shrinker->best, to, &step); to++)
    if (!has_step(shrinker->best, to) && move_step(shrinker, step, to))
      any = true;
    else if (step > to)
      break;
  return any;
}

/* All items of one class take another's, or lose their spans. */
static bool fewer_classes(pp_shrinker *shrinker) {
  bool any = false;
  for (size_t i = 0; i < shrinker->best->n; i++) {
    uint32_t from = shrinker->best->items[i].item_class;
    uint32_t to = shrinker->best->items[0].item_class;
    if (from == to || !begin(shrinker)) continue;
    for (size_t j = i; j < shrinker->trial.n; j++)
      if (shrinker->trial.items[j].item_class == from)
        shrinker->trial.items[j].item_class = to;
    if (keep(shrinker)) any = true;
  }
  for (size_t i = 0; i < shrinker->best->n; i++) {
    if (!shrinker->best->items[i].has_span || !begin(shrinker)) continue;
    shrinker->trial.items[i].has_span = false;
    shrinker->trial.items[i].lo = shrinker->trial.items[i].hi = 0;
    if (keep(shrinker)) any = true;
  }
  return any;
}

static bool simpler_cap(pp_shrinker *shrinker) {
  if (shrinker->best->cap == PP_CAP_UNLIMITED) return false;
  if (set_number(shrinker, 0, CAP, PP_CAP_UNLIMITED)) return true;
  return lower_number(shrinker, 0, CAP);
}

static bool simpler_kind(pp_shrinker *shrinker) {
  if (shrinker->best->kind == PP_SEGMENTS || !begin(shrinker)) return false;
  shrinker->trial.kind = PP_SEGMENTS;
  return keep(shrinker);
}

static void normalise(pp_shrinker *shrinker) {
  if (begin(shrinker) && pp_case_normalise(&shrinker->trial))
    (void)keep(shrinker);
}

size_t pp_shrink(pp_case *c, pp_shrink_test *test, void *state, size_t tests) {
  pp_shrinker shrinker = {
      .best = c, .test = test, .state = state, .left = tests};
  normalise(&shrinker);
  bool any = true;
  while (any && shrinker.left > 0 && !shrinker.stop) {
    any = fewer_items(&shrinker);
    any = merge_items(&shrinker) || any;
    any = simpler_kind(&shrinker) || any;
    any = fewer_classes(&shrinker) || any;
    any = fewer_steps(&shrinker) || any;
    any = lower_ties(&shrinker) || any;
    any = lower_numbers(&shrinker) || any;
    any = simpler_cap(&shrinker) || any;
  }
  normalise(&shrinker);
  pp_case_free(&shrinker.trial);
  return shrinker.done;
}
