/* poolproof: pp_ref_plan_arena_offsets, for Eva.
 *
 * arena-any-padding: 0..3 items; cap each of 1, 2^63, 2^64-2, 2^64-1; sizes
 * each of 0, 1, 2^63, 2^64-2, 2^64-1; spans, classes and all else any value;
 * the padding before an item any value, whatever the alignment
 *
 * arena-any-cap: 0..3 items; any cap; sizes each of 3, 2^63, 2^64-1;
 * alignments each of 1, 2^63; spans and classes any value; with align.c
 *
 * Sizes are not intervals: Eva keeps no relation between an offset and a size
 * through memory, so their sum would be a false alarm.
 * SPDX-License-Identifier: MIT */
#include "arena.h"
#include "inputs.h"

#define MOST 3

static uint64_t boxes;

static void box(size_t n, uint64_t cap, const pp_item *all) {
  size_t order[MOST];
  size_t pos[MOST];
  uint64_t offset[MOST];
  uint64_t total;
  size_t bad;
  size_t skip = MOST - n;
  pp_status status =
      pp_ref_plan_arena_offsets(n > 0 ? all + skip : NULL, n, cap, order + skip,
                                pos + skip, offset + skip, &total, &bad);
  if (status == PP_BAD_SPAN) {
    seen = bad;
  } else {
    for (size_t k = skip; k < MOST; k++) {
      seen = order[k];
      seen = pos[k];
      if (status == PP_OK) seen = offset[k];
    }
    if (status == PP_OK) seen = total;
  }
  boxes++;
}

#ifdef ANY_PADDING
static const uint64_t caps[] = {1, HALF, TOP - 1, TOP};
static const uint64_t sizes[] = {0, 1, HALF, TOP - 1, TOP};

static void boxes_of(size_t n, pp_item *all) {
  for (size_t c = 0; c < COUNT(caps); c++)
    box(n, caps[c], all);
}
#else
static const uint64_t sizes[] = {3, HALF, TOP};
static const uint64_t aligns[] = {1, HALF};

/* Every cap, in pieces whose values are on the same side of every size: the
 * answer of size <= cap is kept in a variable there, which Eva does not
 * connect with the cap. */
static const uint64_t pieces[][2] = {
    {0, 2}, {3, HALF - 1}, {HALF, TOP - 1}, {TOP, TOP}};

static void boxes_of(size_t n, pp_item *all) {
  for (size_t way = 0; way < ways(COUNT(aligns), n); way++) {
    for (size_t k = 0; k < n; k++)
      all[MOST - 1 - k].align = aligns[choice(way, COUNT(aligns), k)];
    for (size_t c = 0; c < COUNT(pieces); c++)
      box(n, between(pieces[c][0], pieces[c][1]), all);
  }
}
#endif

void entry(void) {
  for (size_t n = 0; n <= MOST; n++)
    for (size_t way = 0; way < ways(COUNT(sizes), n); way++) {
      pp_item all[MOST] = {any_item(), any_item(), any_item()};
      for (size_t k = 0; k < n; k++)
        all[MOST - 1 - k].size = sizes[choice(way, COUNT(sizes), k)];
      boxes_of(n, all);
    }
  Frama_C_show_each_boxes(boxes);
}
