/* poolproof reference: segments under a cap (SEG).
 * SPDX-License-Identifier: MIT */
#ifndef PP_REF_SEGMENTS_H
#define PP_REF_SEGMENTS_H

#include "align.h"
#include "layout.h"

/*@ // What SEG reads of n items is the same in two states.
  @ predicate SameSizes{A, B}(pp_item *items, integer n) =
  @   \forall integer i; 0 <= i < n ==>
  @     \at(items[i].size, A) == \at(items[i].size, B) &&
  @     \at(items[i].align, A) == \at(items[i].align, B);
  @
  @ // SEG-5: no item is larger than the cap.
  @ predicate EachUnderCap(pp_item *items, integer n, integer cap) =
  @   \forall integer i; 0 <= i < n ==> items[i].size <= cap;
  @
  @ // SEG-3: nowhere at or after end does an aligned item fit.
  @ predicate NoFit(integer end, integer size, integer align, integer cap) =
  @   \forall integer m; end <= m && Aligned(m, align) ==> m + size > cap;
  @
  @ // SEG-2: the first item opens segment 0.
  @ predicate FirstAtZero(integer n, size_t *segment, uint64_t *offset) =
  @   0 < n ==> segment[0] == 0 && offset[0] == 0;
  @
  @ // SEG-2: in an open segment items stand at the end, aligned up.
  @ predicate AtEndAlignedUp(pp_item *items, integer n, size_t *segment,
  @                          uint64_t *offset) =
  @   \forall integer p, i; 0 <= p && p + 1 == i && i < n &&
  @     segment[i] == segment[p] ==>
  @       LeastAligned(End(items, offset, p), items[i].align, offset[i]);
  @
  @ // SEG-3: a new segment, the next one, is opened when nothing else fits.
  @ predicate NewOnlyIfNotFitting(pp_item *items, integer n, integer cap,
  @                               size_t *segment, uint64_t *offset) =
  @   \forall integer p, i; 0 <= p && p + 1 == i && i < n &&
  @     segment[i] != segment[p] ==>
  @       segment[i] == segment[p] + 1 && offset[i] == 0 &&
  @       NoFit(End(items, offset, p), items[i].size, items[i].align, cap);
  @
  @ // SEG-3: every end is within the cap.
  @ predicate EndsUnderCap(pp_item *items, integer n, integer cap,
  @                        uint64_t *offset) =
  @   \forall integer i; 0 <= i < n ==> End(items, offset, i) <= cap;
  @
  @ // No item after i, of n, is in the segment of item i.
  @ predicate LastInSegment(integer n, size_t *segment, integer i) =
  @   \forall integer j; i < j < n ==> segment[j] != segment[i];
  @
  @ // SEG-4: a segment ends where its last item does.
  @ predicate SizesExact(pp_item *items, integer n, size_t *segment,
  @                      uint64_t *offset, uint64_t *size) =
  @   \forall integer i; 0 <= i < n && LastInSegment(n, segment, i) ==>
  @     size[segment[i]] == End(items, offset, i);
  @
  @ // SEG-2, 3: segment numbers never fall and never run ahead of the items.
  @ predicate Monotone(integer n, size_t *segment) =
  @   (\forall integer i; 0 <= i < n ==> segment[i] <= i) &&
  @   \forall integer i, j; 0 <= i <= j < n ==> segment[i] <= segment[j];
  @*/

/* Lays n items out in input order in segments of at most cap bytes (SEG).
 *
 * items     n items, of which size and align are read; NULL when n is 0
 * cap       bytes, any value; 2^64-1 is "unlimited"
 * segment   out, n entries: the segment of each item, from 0 on
 * offset    out, n entries: its byte offset in that segment
 * size      out, n entries of which *segments are written: segment sizes
 * segments  out: how many segments there are
 * bad       out, written with PP_ITEM_OVER_CAP alone
 * The caller owns all memory; the outputs may not overlap anything.
 *
 * PP_OK             the one layout that SEG-1..4 and 6 allow (SEG-7, proved
 *                   in segments_unique.c)
 * PP_ITEM_OVER_CAP  *bad is the first item with size > cap (SEG-5); nothing
 *                   else was written
 * Thread-safe: touches nothing but its arguments. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid(segment + (0 .. n - 1));
  @ requires \valid(offset + (0 .. n - 1));
  @ requires \valid(size + (0 .. n - 1));
  @ requires \valid(segments) && \valid(bad);
  @ requires \separated(items + (0 .. n - 1), segment + (0 .. n - 1),
  @   offset + (0 .. n - 1), size + (0 .. n - 1), segments, bad);
  @ terminates \true;
  @ assigns segment[0 .. n - 1], offset[0 .. n - 1], size[0 .. n - 1];
  @ assigns *segments, *bad;
  @ behavior over_cap:
  @   assumes !EachUnderCap(items, n, cap);
  @   assigns *bad;
  @   ensures seg_5_status: \result == PP_ITEM_OVER_CAP;
  @   ensures seg_5_over: *bad < n && items[*bad].size > cap;
  @   ensures seg_5_first: EachUnderCap(items, *bad, cap);
  @ behavior planned:
  @   assumes EachUnderCap(items, n, cap);
  @   assigns segment[0 .. n - 1], offset[0 .. n - 1], size[0 .. n - 1],
  @     *segments;
  @   ensures seg_5_only_if_over: \result == PP_OK;
  @   ensures seg_2_first_at_zero: FirstAtZero(n, segment, offset);
  @   ensures seg_2_at_end_aligned_up:
  @     AtEndAlignedUp(items, n, segment, offset);
  @   ensures seg_3_new_only_if_not_fitting:
  @     NewOnlyIfNotFitting(items, n, cap, segment, offset);
  @   ensures seg_3_under_cap: EndsUnderCap(items, n, cap, offset);
  @   ensures seg_4_sizes_exact: SizesExact(items, n, segment, offset, size);
  @   ensures seg_4_monotone: Monotone(n, segment);
  @   ensures seg_4_count: 0 < n ==> *segments == segment[n - 1] + 1;
  @   ensures same_items: SameSizes{Pre, Post}(items, n);
  @   ensures seg_6_no_items: n == 0 ==> *segments == 0;
  @ complete behaviors;
  @ disjoint behaviors;
  @*/
pp_status pp_ref_plan_pool_segments(const pp_item *items, size_t n,
                                    uint64_t cap, size_t *segment,
                                    uint64_t *offset, uint64_t *size,
                                    size_t *segments, size_t *bad);

#endif
