#include "edit.h"

#include "generate.h"

#include <stdlib.h>
#include <string.h>

bool pp_editing_open(pp_editing *editing, const pp_problem *problem,
                     const pp_layout *layout) {
  pp_diag diag = {0};
  size_t room = problem->n + PP_EDIT_ITEMS + 1;
  if (pp_case_from_problem(&editing->c, problem, &diag) != 0 ||
      !pp_case_reserve(&editing->c, room))
    return false;
  if (!layout || layout->status != PP_OK) return true;
  size_t sizes = layout->segments > room ? layout->segments : room;
  editing->has_claim = true;
  editing->claim.cap = problem->cap;
  editing->claim.segments = layout->segments;
  editing->claim.segment = calloc(room, sizeof(size_t));
  editing->claim.offset = calloc(room, sizeof(uint64_t));
  editing->claim.size = calloc(sizes + 1, sizeof(uint64_t));
  if (!editing->claim.segment || !editing->claim.offset || !editing->claim.size)
    return false;
  for (size_t i = 0; i < layout->n; i++) {
    size_t segment = layout->segment[i];
    editing->claim.segment[i] = segment < layout->segments ? segment : 0;
    editing->claim.offset[i] = layout->offset[i];
  }
  for (size_t k = 0; k < layout->segments; k++)
    editing->claim.size[k] = layout->size[k];
  return true;
}

void pp_editing_close(pp_editing *editing) {
  pp_case_free(&editing->c);
  free(editing->claim.segment);
  free(editing->claim.offset);
  free(editing->claim.size);
}

static pp_item *any_item(pp_editing *editing) {
  pp_case *c = &editing->c;
  return &c->items[pp_random_below(editing->random, c->n)];
}

/* value moved by one, halved, doubled, or replaced by one that matters. */
static uint64_t other_number(pp_random *random, uint64_t value) {
  static const unsigned bits[] = {0, 1, 2, 8, 12, 31, 32, 33, 62, 63};
  uint64_t power = UINT64_C(1) << bits[pp_random_below(random, 10)];
  switch (pp_random_below(random, 8)) {
  case 0:
    return value > 0 ? value - 1 : 1;
  case 1:
    return value < UINT64_MAX ? value + 1 : 0;
  case 2:
    return value / 2;
  case 3:
    return value < UINT64_MAX / 2 ? 2 * value : UINT64_MAX;
  case 4:
    return pp_random_below(random, 9);
  case 5:
    return power - 1;
  case 6:
    return power;
  default:
    return power + 1;
  }
}

static void tie_sizes(pp_editing *editing) {
  const pp_item *from = any_item(editing);
  any_item(editing)->size = from->size;
}

static void touch_spans(pp_editing *editing) {
  pp_item *a = any_item(editing);
  const pp_item *b = any_item(editing);
  if (!b->has_span) return;
  uint64_t length = a->has_span && a->hi > a->lo ? a->hi - a->lo : 0;
  a->lo = b->hi;
  if (pp_random_one_in(editing->random, 2) && a->lo < UINT64_MAX) a->lo++;
  if (length > UINT64_MAX - a->lo) length = UINT64_MAX - a->lo;
  a->hi = a->lo + length;
  a->has_span = true;
}

static void change_span(pp_editing *editing) {
  pp_item *item = any_item(editing);
  uint64_t *end = pp_random_one_in(editing->random, 2) ? &item->lo : &item->hi;
  *end = other_number(editing->random, *end);
  if (item->lo > item->hi) item->lo = item->hi;
  item->has_span = true;
}

static void drop_span(pp_editing *editing) {
  pp_item *item = any_item(editing);
  item->has_span = false;
  item->lo = item->hi = 0;
}

static void change_size(pp_editing *editing) {
  pp_item *item = any_item(editing);
  item->size = other_number(editing->random, item->size);
}

static void change_align(pp_editing *editing) {
  static const uint64_t aligns[] = {0, 1, 2, 3, 4, 6, 12, 16, 64, 256, 4096};
  pp_item *item = any_item(editing);
  item->align = aligns[pp_random_below(editing->random, 11)];
  if (pp_random_one_in(editing->random, 4))
    item->align = other_number(editing->random, item->size);
}

static void swap_classes(pp_editing *editing) {
  pp_item *a = any_item(editing);
  pp_item *b = any_item(editing);
  uint32_t item_class = a->item_class;
  a->item_class = b->item_class;
  b->item_class = item_class;
  if (pp_random_one_in(editing->random, 3))
    a->item_class = (uint32_t)pp_random_below(editing->random, 4);
}

/* The total that the fast planner needs for the items as an arena, or the sum
 * of some in a row, where segments are full. The cap as it is when there is
 * none. */
static uint64_t any_total(pp_editing *editing) {
  pp_case *c = &editing->c;
  const pp_plan_options options = {.cap = PP_CAP_UNLIMITED};
  uint64_t total = 0;
  if (pp_random_one_in(editing->random, 2)) {
    size_t from = (size_t)pp_random_below(editing->random, c->n);
    size_t to = from + 1 + (size_t)pp_random_below(editing->random, c->n);
    for (size_t i = from; i < to && i < c->n; i++)
      if (__builtin_add_overflow(total, c->items[i].size, &total))
        return c->cap;
    return total;
  }
  uint64_t *offset = calloc(c->n, sizeof *offset);
  if (!offset ||
      pp_arena_plan(c->items, c->n, &options, offset, &total, NULL) != PP_OK)
    total = c->cap;
  free(offset);
  return total;
}

/* The cap at, or one beside, a size, a total, or itself. */
static void change_cap(pp_editing *editing) {
  pp_case *c = &editing->c;
  uint64_t cap = c->cap;
  if (pp_random_one_in(editing->random, 4)) cap = any_item(editing)->size;
  if (!pp_random_one_in(editing->random, 3)) cap = any_total(editing);
  uint64_t by = pp_random_below(editing->random, 3);
  if (by == 0 && cap > 0) cap--;
  if (by == 2 && cap < UINT64_MAX) cap++;
  c->cap = pp_random_one_in(editing->random, 8) ? PP_CAP_UNLIMITED : cap;
}

void pp_editing_append(pp_editing *editing, const pp_editing *other,
                       size_t from, size_t to) {
  pp_case *c = &editing->c;
  for (size_t i = from; i < to && c->n < PP_EDIT_ITEMS; i++) {
    c->items[c->n] = other->c.items[i];
    if (editing->has_claim) {
      bool placed = other->has_claim;
      editing->claim.segment[c->n] = placed ? other->claim.segment[i] : 0;
      editing->claim.offset[c->n] = placed ? other->claim.offset[i] : 0;
    }
    c->n++;
  }
}

static void double_item(pp_editing *editing) {
  size_t from = (size_t)pp_random_below(editing->random, editing->c.n);
  pp_editing_append(editing, editing, from, from + 1);
}

void pp_editing_drop(pp_editing *editing, size_t from, size_t to) {
  pp_case *c = &editing->c;
  pp_claim *claim = &editing->claim;
  size_t after = c->n - to;
  memmove(c->items + from, c->items + to, after * sizeof *c->items);
  if (editing->has_claim) {
    memmove(claim->segment + from, claim->segment + to, after * sizeof(size_t));
    memmove(claim->offset + from, claim->offset + to, after * sizeof(uint64_t));
  }
  c->n -= to - from;
}

static void drop_item(pp_editing *editing) {
  size_t at = (size_t)pp_random_below(editing->random, editing->c.n);
  pp_editing_drop(editing, at, at + 1);
}

/* One item becomes two: two sizes of one sum, or two lives, one after the
 * other or with one step of both. */
static void split_item(pp_editing *editing) {
  pp_case *c = &editing->c;
  size_t at = (size_t)pp_random_below(editing->random, c->n);
  if (c->n >= PP_EDIT_ITEMS) return;
  pp_editing_append(editing, editing, at, at + 1);
  pp_item *a = &c->items[at];
  pp_item *b = &c->items[c->n - 1];
  if (a->has_span && a->hi > a->lo && !pp_random_one_in(editing->random, 3)) {
    a->hi = a->lo + pp_random_below(editing->random, a->hi - a->lo);
    b->lo = pp_random_one_in(editing->random, 4) ? a->hi : a->hi + 1;
  } else {
    a->size = pp_random_below(editing->random, a->size);
    b->size -= a->size;
  }
}

/* Two items become one: as long as both lives, as large as both, or as the
 * larger one. */
static void merge_items(pp_editing *editing) {
  pp_case *c = &editing->c;
  pp_item *a = any_item(editing);
  size_t other = (size_t)pp_random_below(editing->random, c->n);
  const pp_item *b = &c->items[other];
  uint64_t sum = 0;
  if (a == b || __builtin_add_overflow(a->size, b->size, &sum)) return;
  if (pp_random_one_in(editing->random, 3))
    sum = a->size > b->size ? a->size : b->size;
  a->size = sum;
  a->has_span = a->has_span && b->has_span;
  a->lo = !a->has_span ? 0 : a->lo < b->lo ? a->lo : b->lo;
  a->hi = !a->has_span ? 0 : a->hi > b->hi ? a->hi : b->hi;
  pp_editing_drop(editing, other, other + 1);
}

static void swap_items(pp_editing *editing) {
  pp_item *a = any_item(editing);
  pp_item *b = any_item(editing);
  pp_item item = *a;
  *a = *b;
  *b = item;
}

/* Items of a generated problem after those there are. */
static void splice(pp_editing *editing) {
  enum { MOST = 8, CLASSES = 4 };
  pp_editing other = {.random = editing->random};
  uint64_t seed = pp_random_next(editing->random);
  if (pp_generate(&other.c, seed, 0, MOST)) {
    for (size_t i = 0; i < other.c.n; i++) {
      pp_item *item = &other.c.items[i];
      item->item_class %= CLASSES;
      if (item->lo > item->hi) item->has_span = false;
    }
    pp_editing_append(editing, &other, 0, other.c.n);
  }
  pp_editing_close(&other);
}

static void flip_kind(pp_editing *editing) {
  pp_case *c = &editing->c;
  c->kind = c->kind == PP_ARENA ? PP_SEGMENTS : PP_ARENA;
}

/* The claim's own edit, kept printable: no item in a far-off segment. */
static void spoil_claim(pp_editing *editing) {
  pp_spoil(&editing->c, &editing->claim, pp_random_next(editing->random));
  for (size_t i = 0; i < editing->c.n; i++)
    if (editing->claim.segment[i] > editing->c.n)
      editing->claim.segment[i] = editing->c.n;
}

void pp_edit(pp_editing *editing) {
  typedef void pp_edit_function(pp_editing *);
  static pp_edit_function *const edits[] = {
      tie_sizes,   touch_spans,  touch_spans,  change_span, drop_span,
      change_size, change_align, swap_classes, change_cap,  change_cap,
      double_item, drop_item,    swap_items,   splice,      flip_kind,
      split_item,  merge_items};
  if (editing->has_claim && pp_random_one_in(editing->random, 2)) {
    spoil_claim(editing);
    return;
  }
  if (editing->c.n == 0) {
    splice(editing);
    return;
  }
  edits[pp_random_below(editing->random, sizeof edits / sizeof *edits)](
      editing);
}
