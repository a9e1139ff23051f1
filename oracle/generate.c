#include "generate.h"

#include "random.h"

#include <stdlib.h>

/* What one problem is made of: every item draws from the same few habits, so
 * that sizes tie, spans touch and alignments meet. */
typedef struct pp_style {
  pp_random *random;
  uint64_t base;    /* the number that sizes are at, around or a part of */
  unsigned sizes;   /* habit */
  unsigned aligns;  /* habit */
  unsigned spans;   /* habit */
  uint64_t steps;   /* how many */
  uint64_t epoch;   /* the first step */
  uint64_t always;  /* one in so many items is always live; 0: none */
  uint32_t classes; /* how many */
  uint32_t label;   /* what is added to a class */
} pp_style;

static uint64_t pick(pp_random *random, const uint64_t *from, size_t count) {
  return from[pp_random_below(random, count)];
}

/* value, or one below or above, within 64 bits. */
static uint64_t around(pp_random *random, uint64_t value) {
  uint64_t by = pp_random_below(random, 3);
  if (by == 0 && value > 0) return value - 1;
  if (by == 2 && value < UINT64_MAX) return value + 1;
  return value;
}

static uint64_t edge(pp_random *random) {
  static const uint64_t edges[] = {
      UINT64_C(1) << 8,  UINT64_C(1) << 16, UINT64_C(1) << 31,
      UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 32,
      UINT64_C(1) << 33, UINT64_C(1) << 48, UINT64_C(1) << 62,
      UINT64_C(1) << 63, UINT64_C(1) << 63, UINT64_MAX};
  return pick(random, edges, sizeof edges / sizeof *edges);
}

static uint64_t any_size(const pp_style *style) {
  pp_random *random = style->random;
  switch (style->sizes) {
  case 0:
    return pp_random_below(random, 3);
  case 1:
    return pp_random_below(random, 9);
  case 2:
    return 1 + pp_random_below(random, 4);
  case 3:
    return style->base % 100;
  case 4:
    return 64 * pp_random_below(random, 9);
  case 5:
    return pp_random_below(random, 5000);
  case 6:
    return around(random, style->base);
  case 7:
    return around(random, style->base / (1 + pp_random_below(random, 4)));
  case 8:
    return style->base / (2 + pp_random_below(random, 15));
  case 9:
    return pp_random_one_in(random, 2) ? pp_random_below(random, 5)
                                       : around(random, style->base / 2);
  case 10:
    return around(random, style->base - style->base / 4);
  default:
    return pp_random_next(random) >> pp_random_below(random, 64);
  }
}

static uint64_t any_align(const pp_style *style) {
  static const uint64_t powers[] = {1, 2, 4, 16, 64, 256, 4096};
  static const uint64_t mixed[] = {0, 1, 2, 3, 4, 6, 12, 16, 64, 256, 4096};
  pp_random *random = style->random;
  switch (style->aligns) {
  case 0:
    return 1;
  case 1:
    return pp_random_below(random, 4);
  case 2:
    return pick(random, powers, sizeof powers / sizeof *powers);
  case 3:
    return pick(random, mixed, sizeof mixed / sizeof *mixed);
  case 4:
    return 1 + pp_random_below(random, 100);
  case 5:
    return 1 + 2 * pp_random_below(random, 8);
  case 6:
    return pp_random_one_in(random, 3) ? around(random, style->base) : 1;
  case 7:
    return around(random, edge(random));
  default:
    return pp_random_next(random) >> pp_random_below(random, 64);
  }
}

/* A step at or a little after an end of the life of an earlier item. */
static uint64_t touching(const pp_style *style, const pp_case *c, size_t i,
                         uint64_t or_else) {
  if (i == 0) return or_else;
  const pp_item *other = &c->items[pp_random_below(style->random, i)];
  uint64_t at = other->hi;
  if (pp_random_one_in(style->random, 4)) at = other->lo;
  uint64_t after = pp_random_below(style->random, 2);
  if (!other->has_span || at < style->epoch) return or_else;
  at -= style->epoch;
  return at + after < style->steps ? at + after : or_else;
}

/* The life of item i in steps from 0 to style->steps - 1. */
static void any_span(const pp_style *style, const pp_case *c, size_t i,
                     uint64_t *lo, uint64_t *hi) {
  pp_random *random = style->random;
  const uint64_t last = style->steps - 1;
  uint64_t half = (c->n + 1) / 2;
  *lo = pp_random_below(random, style->steps);
  switch (style->spans) {
  case 0: /* anything */
    *hi = *lo + pp_random_below(random, last - *lo + 1);
    break;
  case 1: /* staircase: each meets the next, or just does not */
    *lo = i > last ? last : i;
    *hi = *lo + pp_random_below(random, 3);
    break;
  case 2: /* nested around the middle */
    *lo = i > half ? half : i;
    *hi = 2 * half - *lo;
    break;
  case 3: /* blocks one after the other */
    *lo -= *lo % 3;
    *hi = *lo + 1 + pp_random_below(random, 3);
    break;
  case 4: /* short lives */
    *hi = *lo + pp_random_below(random, 2);
    break;
  case 5: /* forward and backward pass */
    *hi = last - (*lo > last / 2 ? last - *lo : *lo);
    if (*hi < *lo) *hi = *lo;
    break;
  default: /* begins where another one ends */
    *lo = touching(style, c, i, *lo);
    *hi = *lo + pp_random_below(random, 4);
    break;
  }
  if (*hi > last) *hi = last;
  if (*lo > *hi) *lo = *hi;
}

static void any_item(const pp_style *style, const pp_case *c, size_t i) {
  pp_random *random = style->random;
  pp_item *item = &c->items[i];
  bool twin = i > 0 && pp_random_one_in(random, 5);
  *item = (pp_item){.size = twin ? c->items[i - 1].size : any_size(style),
                    .align = any_align(style)};
  any_span(style, c, i, &item->lo, &item->hi);
  item->lo += style->epoch;
  item->hi += style->epoch;
  item->item_class =
      style->label + (uint32_t)pp_random_below(random, style->classes);
  item->has_span =
      style->always == 0 || !pp_random_one_in(random, style->always);
  if (!item->has_span && pp_random_one_in(random, 2)) {
    item->lo = pp_random_below(random, 9); /* nobody may look at these */
    item->hi = pp_random_below(random, 9);
  }
  if (pp_random_one_in(random, 16)) item->size = 0;
}

static uint64_t any_steps(pp_random *random, size_t n) {
  static const uint64_t wide[] = {64, 1000, UINT64_C(1) << 40};
  switch (pp_random_below(random, 4)) {
  case 0:
    return 3;
  case 1:
    return 2 + pp_random_below(random, n + 1);
  case 2:
    return 2 * (uint64_t)n + 2;
  default:
    return pick(random, wide, sizeof wide / sizeof *wide);
  }
}

static pp_style any_style(pp_random *random, size_t n) {
  static const uint64_t always[] = {0, 0, 8, 8, 2, 1};
  static const uint64_t classes[] = {1, 1, 1, 2, 2, 3, 4};
  static const uint64_t labels[] = {0, 0, 0, 255, 65535, UINT32_MAX - 3};
  pp_style style = {.random = random, .base = edge(random)};
  style.sizes = (unsigned)pp_random_below(random, 16);
  if (style.sizes > 11) style.sizes -= 11;
  style.aligns = (unsigned)pp_random_below(random, 12);
  if (style.aligns > 8) style.aligns -= 9;
  style.spans = (unsigned)pp_random_below(random, 9);
  style.steps = any_steps(random, n);
  style.epoch = 0;
  if (pp_random_one_in(random, 6)) style.epoch = UINT64_MAX - style.steps + 1;
  style.always = pick(random, always, sizeof always / sizeof *always);
  style.classes =
      (uint32_t)pick(random, classes, sizeof classes / sizeof *classes);
  style.label = (uint32_t)pick(random, labels, sizeof labels / sizeof *labels);
  return style;
}

static void spoil_a_span(pp_random *random, const pp_case *c) {
  pp_item *item = &c->items[pp_random_below(random, c->n)];
  if (item->hi == UINT64_MAX) item->hi--;
  item->lo =
      item->hi + 1 +
      pp_random_below(random,
                      pp_random_one_in(random, 2) ? 1 : UINT64_MAX - item->hi);
  item->has_span = true;
}

/* The end of some item, or the total, of the plan under no cap; false when
 * there is none. */
static bool some_end(pp_random *random, const pp_case *c, uint64_t *offset,
                     size_t *segment, uint64_t *end) {
  const pp_plan_options options = {.cap = PP_CAP_UNLIMITED};
  size_t segments = 0;
  size_t i = (size_t)pp_random_below(random, c->n);
  if (c->kind == PP_SEGMENTS) {
    uint64_t *size = offset + c->n;
    if (pp_segments_plan(c->items, c->n, &options, segment, offset, size,
                         &segments, NULL) != PP_OK)
      return false;
    *end = pp_random_one_in(random, 2) ? offset[i] + c->items[i].size
                                       : size[segment[i]];
    return true;
  }
  return pp_arena_plan(c->items, c->n, &options, offset, end, NULL) == PP_OK;
}

static uint64_t any_cap(pp_random *random, const pp_case *c, uint64_t end) {
  const pp_item *items = c->items;
  switch (pp_random_below(random, 8)) {
  case 0:
    return PP_CAP_UNLIMITED;
  case 1:
    return end > 0 ? end - 1 : 0;
  case 2:
  case 3:
    return end;
  case 4:
    return end < UINT64_MAX ? end + 1 : end;
  case 5:
    return around(random, items[pp_random_below(random, c->n)].size);
  case 6:
    return pp_random_one_in(random, 4) ? 0 : edge(random);
  default:
    return end - pp_random_below(random, end < UINT64_MAX ? end + 1 : end);
  }
}

static bool set_cap(pp_random *random, pp_case *c) {
  c->cap = PP_CAP_USUAL;
  if (c->n == 0 || pp_random_one_in(random, 8)) return true;
  uint64_t *offset = calloc(2 * c->n, sizeof *offset);
  size_t *segment = calloc(c->n, sizeof *segment);
  bool room = offset && segment;
  uint64_t end = 0;
  if (room && !some_end(random, c, offset, segment, &end))
    end = around(random, edge(random));
  if (room) c->cap = any_cap(random, c, end);
  free(segment);
  free(offset);
  return room;
}

static size_t any_count(pp_random *random, size_t max_items) {
  size_t n = 0;
  switch (pp_random_below(random, 8)) {
  case 0:
  case 1:
    n = (size_t)pp_random_below(random, 5);
    break;
  case 2:
  case 3:
  case 4:
    n = 2 + (size_t)pp_random_below(random, 8);
    break;
  default:
    n = (size_t)pp_random_below(random, (uint64_t)max_items + 1);
    break;
  }
  return n < max_items ? n : max_items;
}

bool pp_generate(pp_case *c, uint64_t seed, uint64_t run, size_t max_items) {
  pp_random random;
  pp_random_start(&random, seed, run);
  size_t n = any_count(&random, max_items);
  if (!pp_case_reserve(c, n)) return false;
  c->kind = pp_random_one_in(&random, 4) ? PP_SEGMENTS : PP_ARENA;
  c->n = n;
  const pp_style style = any_style(&random, n);
  for (size_t i = 0; i < n; i++)
    any_item(&style, c, i);
  if (!set_cap(&random, c)) return false;
  if (n > 0 && c->kind == PP_ARENA && pp_random_one_in(&random, 64))
    for (uint64_t k = 1 + pp_random_below(&random, 3); k > 0; k--)
      spoil_a_span(&random, c);
  return true;
}
