/* poolproof: pp_ref_validate, for Eva.
 *
 * validate-any-size: both kinds; 0..3 items, 0..3 segments; offsets each of
 * 0, 1, 2^63, 2^64-1; cap, claimed sizes, sizes, segments and all else any
 * value; the padding of an offset any value, whatever the alignment
 *
 * validate-any-offset: both kinds; 0..2 items, 0..2 segments; claimed sizes
 * each of 0, 1, 2^63-1; alignments each of 0, 3, 2^64-1; cap, offsets, sizes,
 * segments and all else any value; with align.c
 *
 * An offset and the claimed size it is held against are not both intervals:
 * Eva keeps no relation between the two through memory, so what is left of
 * the segment would be a false alarm.
 * SPDX-License-Identifier: MIT */
#include "validate.h"
#include "inputs.h"

#ifdef ANY_PADDING
#define MOST 3
#else
#define MOST 2
#endif

static uint64_t boxes;

static void box(size_t n, size_t segments, const pp_item *all,
                const size_t *segment, const uint64_t *offset,
                const uint64_t *size) {
  pp_violation violation;
  size_t bad;
  size_t skip = MOST - n;
  pp_kind kind = any64 % 2 == 0 ? PP_SEGMENTS : PP_ARENA;
  pp_status status = pp_ref_validate(
      kind, n > 0 ? all + skip : NULL, n, any64, segment + skip, offset + skip,
      size + (MOST - segments), segments, &violation, &bad);
  if (status == PP_BAD_SPAN) {
    seen = bad;
  } else {
    seen = violation.kind;
    seen = violation.first;
    seen = violation.second;
    seen = violation.lo;
    seen = violation.hi;
  }
  boxes++;
}

static void fill(uint64_t *words) {
  for (size_t k = 0; k < MOST; k++)
    words[k] = any64;
}

static void fill_items(pp_item *items) {
  for (size_t k = 0; k < MOST; k++)
    items[k] = any_item();
}

#ifdef ANY_PADDING
static const uint64_t offsets[] = {0, 1, HALF, TOP};

static void boxes_of(size_t n, size_t segments) {
  pp_item all[MOST];
  size_t segment[MOST];
  uint64_t offset[MOST];
  uint64_t size[MOST];
  fill_items(all);
  fill(segment);
  fill(offset);
  fill(size);
  for (size_t way = 0; way < ways(COUNT(offsets), n); way++) {
    for (size_t k = 0; k < n; k++)
      offset[MOST - 1 - k] = offsets[choice(way, COUNT(offsets), k)];
    box(n, segments, all, segment, offset, size);
  }
}
#else
static const uint64_t sizes[] = {0, 1, HALF - 1};
static const uint64_t aligns[] = {0, 3, TOP};

/* One choice for an item is no segment of the layout. */
static void boxes_named(size_t n, size_t segments, const pp_item *all,
                        const uint64_t *size) {
  size_t segment[MOST];
  uint64_t offset[MOST];
  fill(segment);
  fill(offset);
  for (size_t way = 0; way < ways(segments + 1, n); way++) {
    for (size_t k = 0; k < n; k++) {
      size_t named = choice(way, segments + 1, k);
      segment[MOST - 1 - k] = between(named, named < segments ? named : TOP);
    }
    box(n, segments, all, segment, offset, size);
  }
}

static void boxes_aligned(size_t n, size_t segments, const uint64_t *size) {
  pp_item all[MOST];
  fill_items(all);
  for (size_t way = 0; way < ways(COUNT(aligns), n); way++) {
    for (size_t k = 0; k < n; k++)
      all[MOST - 1 - k].align = aligns[choice(way, COUNT(aligns), k)];
    boxes_named(n, segments, all, size);
  }
}

static void boxes_of(size_t n, size_t segments) {
  uint64_t size[MOST];
  fill(size);
  for (size_t way = 0; way < ways(COUNT(sizes), segments); way++) {
    for (size_t k = 0; k < segments; k++)
      size[MOST - 1 - k] = sizes[choice(way, COUNT(sizes), k)];
    boxes_aligned(n, segments, size);
  }
}
#endif

void entry(void) {
  for (size_t n = 0; n <= MOST; n++)
    for (size_t segments = 0; segments <= MOST; segments++)
      boxes_of(n, segments);
  Frama_C_show_each_boxes(boxes);
}
