/* poolproof reference: segments under a cap (SEG).
 * SPDX-License-Identifier: MIT */
#include "segments.h"

/*@ // What holds once the first n items are placed.
  @ predicate Planned(pp_item *items, integer n, integer cap,
  @                   size_t *segment, uint64_t *offset, uint64_t *size) =
  @   FirstAtZero(n, segment, offset) &&
  @   AtEndAlignedUp(items, n, segment, offset) &&
  @   NewOnlyIfNotFitting(items, n, cap, segment, offset) &&
  @   EndsUnderCap(items, n, cap, offset) &&
  @   SizesExact(items, n, segment, offset, size) && Monotone(n, segment);
  @
  @ // The places of the first n items are the same in two states.
  @ predicate SamePlaces{A, B}(integer n, size_t *segment,
  @                            uint64_t *offset) =
  @   \forall integer i; 0 <= i < n ==>
  @     \at(segment[i], A) == \at(segment[i], B) &&
  @     \at(offset[i], A) == \at(offset[i], B);
  @*/

/*@ requires \valid_read(items + (0 .. n - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= n;
  @ ensures seg_5_over: \result < n ==> items[\result].size > cap;
  @ ensures seg_5_first: EachUnderCap(items, \result, cap);
  @*/
static size_t first_over_cap(const pp_item *items, size_t n, uint64_t cap) {
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant seg_5_first: EachUnderCap(items, i, cap);
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++)
    if (items[i].size > cap) return i;
  return n;
}

/*@ requires 1 <= i < n;
  @ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid(segment + (0 .. i));
  @ requires \valid(offset + (0 .. i));
  @ requires \valid(size + (0 .. i));
  @ requires \separated(items + (0 .. n - 1), segment + (0 .. i),
  @   offset + (0 .. i), size + (0 .. i));
  @ requires items[i].size <= cap;
  @ requires Planned(items, i, cap, segment, offset, size);
  @ terminates \true;
  @ assigns segment[i], offset[i];
  @ assigns size[segment[i - 1]], size[segment[i - 1] + 1];
  @ ensures same_items: SameSizes{Pre, Post}(items, n);
  @ ensures seg_2_first_at_zero: FirstAtZero(i + 1, segment, offset);
  @ ensures seg_2_at_end_aligned_up:
  @   AtEndAlignedUp(items, i + 1, segment, offset);
  @ ensures seg_3_new_only_if_not_fitting:
  @   NewOnlyIfNotFitting(items, i + 1, cap, segment, offset);
  @ ensures seg_3_under_cap: EndsUnderCap(items, i + 1, cap, offset);
  @ ensures seg_4_sizes_exact:
  @   SizesExact(items, i + 1, segment, offset, size);
  @ ensures seg_4_monotone: Monotone(i + 1, segment);
  @*/
static void place(const pp_item *items, size_t i, uint64_t cap, size_t *segment,
                  uint64_t *offset, uint64_t *size) /*@ ghost (size_t n) */ {
  size_t k = segment[i - 1];
  uint64_t end = size[k];
  uint64_t pad = pp_ref_padding(end, items[i].align);
  uint64_t o = 0;
  //@ assert end == End(items, offset, i - 1);
  if (pad > cap - end || items[i].size > cap - end - pad)
    k++;
  else
    o = end + pad;
  segment[i] = k;
  offset[i] = o;
  size[k] = o + items[i].size;
  //@ assert same_items: SameSizes{Pre, Here}(items, n);
  //@ assert same_places: SamePlaces{Pre, Here}(i, segment, offset);
  /*@ assert same_ends: \forall integer j; 0 <= j < i ==>
    @   End(items, offset, j) == End{Pre}(items, offset, j);
    @*/
  //@ assert seg_4_size: size[segment[i]] == End(items, offset, i);
  //@ assert seg_3_under_cap: End(items, offset, i) <= cap;
  /*@ assert same_last: \forall integer j; 0 <= j < i &&
    @   LastInSegment(i + 1, segment, j) ==> segment[j] != segment[i] &&
    @     LastInSegment{Pre}(i, segment, j);
    @*/
  /*@ assert seg_4_sizes_before: \forall integer j; 0 <= j < i &&
    @   segment[j] != segment[i] ==>
    @     size[segment[j]] == \at(size[segment[j]], Pre);
    @*/
  /*@ assert seg_4_monotone: \forall integer j; 0 <= j < i ==>
    @   segment[j] <= segment[i];
    @*/
  /*@ assert same_monotone: \forall integer j, l; 0 <= j <= l < i ==>
    @   segment[j] <= segment[l] <= l;
    @*/
  /*@ assert seg_2_stays_aligned_up: segment[i] == segment[i - 1] ==>
    @   LeastAligned(End(items, offset, i - 1), items[i].align, offset[i]);
    @*/
  /*@ assert seg_2_next_at_zero: segment[i] != segment[i - 1] ==>
    @   segment[i] == segment[i - 1] + 1 && offset[i] == 0;
    @*/
  /*@ assert seg_3_not_fitting: segment[i] != segment[i - 1] ==>
    @   NoFit(End(items, offset, i - 1), items[i].size, items[i].align, cap);
    @*/
}

/*@ requires 0 < n;
  @ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid(segment + (0 .. n - 1));
  @ requires \valid(offset + (0 .. n - 1));
  @ requires \valid(size + (0 .. n - 1));
  @ requires \separated(items + (0 .. n - 1), segment + (0 .. n - 1),
  @   offset + (0 .. n - 1), size + (0 .. n - 1));
  @ requires EachUnderCap(items, n, cap);
  @ terminates \true;
  @ assigns segment[0 .. n - 1], offset[0 .. n - 1], size[0 .. n - 1];
  @ ensures seg_2_first_at_zero: FirstAtZero(n, segment, offset);
  @ ensures seg_2_at_end_aligned_up:
  @   AtEndAlignedUp(items, n, segment, offset);
  @ ensures seg_3_new_only_if_not_fitting:
  @   NewOnlyIfNotFitting(items, n, cap, segment, offset);
  @ ensures seg_3_under_cap: EndsUnderCap(items, n, cap, offset);
  @ ensures seg_4_sizes_exact: SizesExact(items, n, segment, offset, size);
  @ ensures seg_4_monotone: Monotone(n, segment);
  @ ensures same_items: SameSizes{Pre, Post}(items, n);
  @*/
static void place_all(const pp_item *items, size_t n, uint64_t cap,
                      size_t *segment, uint64_t *offset, uint64_t *size) {
  segment[0] = 0;
  offset[0] = 0;
  size[0] = items[0].size;
  /*@ loop invariant 1 <= i <= n;
    @ loop invariant seg_5_under_cap: EachUnderCap(items, n, cap);
    @ loop invariant seg_2_first_at_zero: FirstAtZero(i, segment, offset);
    @ loop invariant seg_2_at_end_aligned_up:
    @   AtEndAlignedUp(items, i, segment, offset);
    @ loop invariant seg_3_new_only_if_not_fitting:
    @   NewOnlyIfNotFitting(items, i, cap, segment, offset);
    @ loop invariant seg_3_under_cap: EndsUnderCap(items, i, cap, offset);
    @ loop invariant seg_4_sizes_exact:
    @   SizesExact(items, i, segment, offset, size);
    @ loop invariant seg_4_monotone: Monotone(i, segment);
    @ loop invariant same_items: SameSizes{Pre, Here}(items, n);
    @ loop assigns i, segment[0 .. n - 1], offset[0 .. n - 1],
    @   size[0 .. n - 1];
    @ loop variant n - i;
    @*/
  for (size_t i = 1; i < n; i++)
    place(items, i, cap, segment, offset, size) /*@ ghost (n) */;
}

pp_status pp_ref_plan_pool_segments(const pp_item *items, size_t n,
                                    uint64_t cap, size_t *segment,
                                    uint64_t *offset, uint64_t *size,
                                    size_t *segments, size_t *bad) {
  size_t over = first_over_cap(items, n, cap);
  if (over < n) {
    *bad = over;
    return PP_ITEM_OVER_CAP;
  }
  *segments = 0;
  if (n == 0) return PP_OK;
  place_all(items, n, cap, segment, offset, size);
  //@ ghost Placed: ;
  *segments = segment[n - 1] + 1;
  /*@ assert same_sizes: \forall integer i; 0 <= i < n ==>
    @   size[i] == \at(size[i], Placed);
    @*/
  /*@ assert same_places: \forall integer i; 0 <= i < n ==>
    @   segment[i] == \at(segment[i], Placed) &&
    @   offset[i] == \at(offset[i], Placed);
    @*/
  /*@ assert same_ends: \forall integer i; 0 <= i < n ==>
    @   End(items, offset, i) == End{Placed}(items, offset, i);
    @*/
  /*@ assert same_last: \forall integer i; 0 <= i < n ==>
    @   (LastInSegment(n, segment, i) <==>
    @    LastInSegment{Placed}(n, segment, i));
    @*/
  //@ assert in_range: \forall integer i; 0 <= i < n ==> segment[i] <= i;
  //@ assert seg_2_stands: AtEndAlignedUp(items, n, segment, offset);
  return PP_OK;
}
