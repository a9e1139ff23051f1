/* A planner as a plugin: the rules SEG and ARN (ref/README.md), written
 * plainly and slowly. Put your planner in its place. See plugin.h.
 * SPDX-License-Identifier: MIT */
#include <poolproof/plugin.h>

/* SEG-1: the least multiple of align at or above `at`. False: above 2^64. */
static bool align_up(uint64_t at, uint64_t align, uint64_t *up) {
  uint64_t over = align > 1 ? at % align : 0;
  *up = at;
  return over == 0 || !__builtin_add_overflow(at, align - over, up);
}

/* Does [at, at + size) lie within the cap? */
static bool fits(uint64_t at, uint64_t size, uint64_t cap) {
  return size <= cap && at <= cap - size;
}

static pp_status segments(const pp_item *items, size_t n, uint64_t cap,
                          size_t *segment, uint64_t *offset, uint64_t *size,
                          size_t *segments, size_t *bad) {
  size_t open = 0; /* how many are open or closed: the last one is open */
  for (size_t i = 0; i < n; i++)
    if (items[i].size > cap) {
      *bad = i;
      return PP_ITEM_OVER_CAP;
    }
  for (size_t i = 0; i < n; i++) {
    uint64_t at = 0;
    if (open == 0 || !align_up(size[open - 1], items[i].align, &at) ||
        !fits(at, items[i].size, cap)) {
      open++;
      at = 0;
    }
    segment[i] = open - 1;
    offset[i] = at;
    size[open - 1] = at + items[i].size;
  }
  *segments = open;
  return PP_OK;
}

/* ARN-1: may the two not share bytes? */
static bool conflict(const pp_item *a, const pp_item *b) {
  return !a->has_span || !b->has_span || a->item_class != b->item_class ||
         (a->lo <= b->hi && b->lo <= a->hi);
}

/* ARN-2: is item i placed before item j? */
static bool before(const pp_item *items, size_t i, size_t j) {
  return items[i].size > items[j].size ||
         (i < j && items[i].size == items[j].size);
}

/* ARN-3: the item that item i, at `at`, does not pass: it must go above; n when
 * there is none. */
static size_t in_the_way(const pp_item *items, size_t n, size_t i, uint64_t at,
                         const uint64_t *offset) {
  for (size_t j = 0; j < n; j++) {
    if (!before(items, j, i) || !conflict(&items[i], &items[j])) continue;
    bool below = items[i].size <= offset[j] && at <= offset[j] - items[i].size;
    if (!below && at < offset[j] + items[j].size) return j;
  }
  return n;
}

/* The k-th item as they are placed. */
static size_t at_rank(const pp_item *items, size_t n, size_t k) {
  for (size_t i = 0; i < n; i++) {
    size_t rank = 0;
    for (size_t j = 0; j < n; j++)
      if (j != i && before(items, j, i)) rank++;
    if (rank == k) return i;
  }
  return n;
}

static pp_status arena(const pp_item *items, size_t n, uint64_t cap,
                       uint64_t *offset, uint64_t *total, size_t *bad) {
  *total = 0;
  for (size_t i = 0; i < n; i++)
    if (items[i].has_span && items[i].lo > items[i].hi) {
      *bad = i;
      return PP_BAD_SPAN;
    }
  for (size_t k = 0; k < n; k++) {
    size_t i = at_rank(items, n, k);
    uint64_t at = 0;
    size_t j = 0;
    while ((j = in_the_way(items, n, i, at, offset)) < n)
      if (!align_up(offset[j] + items[j].size, items[i].align, &at))
        return PP_OVER_CAP;
    if (!fits(at, items[i].size, cap)) return PP_OVER_CAP; /* ARN-4 */
    offset[i] = at;
    if (at + items[i].size > *total) *total = at + items[i].size;
  }
  return PP_OK;
}

/* `validate` is left out: NULL below says so. */
const pp_planner_plugin *pp_planner_plugin_v1(void) {
  static const pp_planner_plugin plugin = {
      .abi = PP_PLUGIN_ABI,
      .bytes = sizeof plugin,
      .name = "example planner",
      .version = "1.0",
      .compare = "exact",
      .segments = segments,
      .arena = arena,
  };
  return &plugin;
}
