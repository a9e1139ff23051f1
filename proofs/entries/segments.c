/* poolproof: pp_ref_plan_pool_segments, for Eva.
 *
 * segments-any-padding: 0..3 items; cap and the sizes of all but the first
 * each of 0, 1, 2, 2^63-1, 2^63, 2^64-3, 2^64-2, 2^64-1; the first size and
 * all else any value; the padding before an item any value, whatever the
 * alignment
 *
 * segments-any-cap: 0..3 items; any cap; sizes each of 0, 1, 2^63, 2^64-1;
 * alignments of all but the first, whose is not read, each of 0, 3, 2^63,
 * 2^64-1; with align.c
 *
 * An offset and the size behind it are not both intervals: Eva keeps no
 * relation between the two through memory, so their sum would be a false
 * alarm.
 * SPDX-License-Identifier: MIT */
#include "segments.h"
#include "inputs.h"

#define MOST 3

static uint64_t boxes;

static void box(size_t n, uint64_t cap, const pp_item *all) {
  size_t segment[MOST];
  uint64_t offset[MOST];
  uint64_t size[MOST];
  size_t segments;
  size_t bad;
  size_t skip = MOST - n;
  pp_status status = pp_ref_plan_pool_segments(
      n > 0 ? all + skip : NULL, n, cap, segment + skip, offset + skip,
      size + skip, &segments, &bad);
  if (status == PP_ITEM_OVER_CAP) {
    seen = bad;
  } else {
    for (size_t k = skip; k < MOST; k++) {
      seen = segment[k];
      seen = offset[k];
    }
    for (size_t k = 0; k < segments; k++)
      seen = size[skip + k];
  }
  boxes++;
}

#ifdef ANY_PADDING
static const uint64_t list[] = {0, 1, 2, HALF - 1, HALF, TOP - 2, TOP - 1, TOP};

static void boxes_of(size_t n, uint64_t cap) {
  size_t exact = n > 1 ? n - 1 : 0;
  for (size_t way = 0; way < ways(COUNT(list), exact); way++) {
    pp_item all[MOST] = {any_item(), any_item(), any_item()};
    for (size_t k = 0; k < exact; k++)
      all[MOST - 1 - k].size = list[choice(way, COUNT(list), k)];
    box(n, cap, all);
  }
}

void entry(void) {
  for (size_t n = 0; n <= MOST; n++)
    for (size_t c = 0; c < COUNT(list); c++)
      boxes_of(n, list[c]);
  Frama_C_show_each_boxes(boxes);
}
#else
static const uint64_t sizes[] = {0, 1, HALF, TOP};
static const uint64_t aligns[] = {0, 3, HALF, TOP};

static void boxes_of(size_t n, size_t sizes_way) {
  pp_item all[MOST] = {any_item(), any_item(), any_item()};
  size_t exact = n > 1 ? n - 1 : 0;
  for (size_t k = 0; k < n; k++)
    all[MOST - 1 - k].size = sizes[choice(sizes_way, COUNT(sizes), k)];
  for (size_t way = 0; way < ways(COUNT(aligns), exact); way++) {
    for (size_t k = 0; k < exact; k++)
      all[MOST - 1 - k].align = aligns[choice(way, COUNT(aligns), k)];
    box(n, any64, all);
  }
}

void entry(void) {
  for (size_t n = 0; n <= MOST; n++)
    for (size_t way = 0; way < ways(COUNT(sizes), n); way++)
      boxes_of(n, way);
  Frama_C_show_each_boxes(boxes);
}
#endif
