/* poolproof reference: SEG leaves no choice (SEG-7). A proof, not a program:
 * what is proved is that the loop's body establishes agreement one item
 * further. Compiled nowhere. SPDX-License-Identifier: MIT */
#include "segments.h"

/*@ // All that pp_ref_plan_pool_segments says of a layout of n items.
  @ predicate SegLayout(pp_item *items, integer n, integer cap,
  @                     size_t *segment, uint64_t *offset, uint64_t *size,
  @                     integer segments) =
  @   FirstAtZero(n, segment, offset) &&
  @   AtEndAlignedUp(items, n, segment, offset) &&
  @   NewOnlyIfNotFitting(items, n, cap, segment, offset) &&
  @   EndsUnderCap(items, n, cap, offset) &&
  @   SizesExact(items, n, segment, offset, size) &&
  @   Monotone(n, segment) &&
  @   segments == (0 < n ? segment[n - 1] + 1 : 0);
  @
  @ // What a layout of n items is judged by is the same in two states.
  @ predicate SameLayout{A, B}(pp_item *items, integer n, size_t *segment,
  @                            uint64_t *offset, uint64_t *size) =
  @   \forall integer i; 0 <= i < n ==>
  @     \at(items[i].size, A) == \at(items[i].size, B) &&
  @     \at(items[i].align, A) == \at(items[i].align, B) &&
  @     \at(segment[i], A) == \at(segment[i], B) &&
  @     \at(offset[i], A) == \at(offset[i], B) &&
  @     \at(size[i], A) == \at(size[i], B);
  @
  @ // Two layouts put the first n items at the same places.
  @ predicate SamePlaces(integer n, size_t *segment1, uint64_t *offset1,
  @                      size_t *segment2, uint64_t *offset2) =
  @   \forall integer i; 0 <= i < n ==>
  @     segment1[i] == segment2[i] && offset1[i] == offset2[i];
  @*/

/*@ requires SegLayout(items, n, cap, segment1, offset1, size1, segments1);
  @ requires SegLayout(items, n, cap, segment2, offset2, size2, segments2);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures seg_7_same_places:
  @   SamePlaces(n, segment1, offset1, segment2, offset2);
  @ ensures seg_7_same_count: segments1 == segments2;
  @ ensures seg_7_same_sizes:
  @   \forall integer s; 0 <= s < segments1 ==> size1[s] == size2[s];
  @*/
void pp_ref_segments_unique(const pp_item *items, size_t n, uint64_t cap,
                            const size_t *segment1, const uint64_t *offset1,
                            const uint64_t *size1, size_t segments1,
                            const size_t *segment2, const uint64_t *offset2,
                            const uint64_t *size2, size_t segments2) {
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant SamePlaces(i, segment1, offset1, segment2, offset2);
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++) {
    /*@ assert 0 < i ==>
      @   End(items, offset1, i - 1) == End(items, offset2, i - 1);
      @*/
    /*@ assert 0 < i && segment1[i] == segment1[i - 1] ==>
      @   !NoFit(End(items, offset1, i - 1), items[i].size, items[i].align,
      @          cap);
      @*/
    /*@ assert 0 < i && segment2[i] == segment2[i - 1] ==>
      @   !NoFit(End(items, offset2, i - 1), items[i].size, items[i].align,
      @          cap);
      @*/
    /*@ assert 0 < i ==> (segment1[i] == segment1[i - 1] <==>
      @   segment2[i] == segment2[i - 1]);
      @*/
    //@ assert segment1[i] == segment2[i];
    //@ assert offset1[i] == offset2[i];
  }
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant \forall integer s; 0 <= s &&
    @   s < (i < n ? segment1[i] : segments1) ==> size1[s] == size2[s];
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++) {
    /*@ assert i == n - 1 || segment1[i + 1] != segment1[i] ==>
      @   LastInSegment(n, segment1, i) && LastInSegment(n, segment2, i);
      @*/
    /*@ assert i == n - 1 || segment1[i + 1] != segment1[i] ==>
      @   size1[segment1[i]] == size2[segment1[i]];
      @*/
  }
}

/* SEG-7 for the program: whatever layout follows the rules is the one that
 * pp_ref_plan_pool_segments answers. All that segments.h says is needed. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid(segment + (0 .. n - 1));
  @ requires \valid(offset + (0 .. n - 1));
  @ requires \valid(size + (0 .. n - 1));
  @ requires \valid(segments) && \valid(bad);
  @ requires \separated(items + (0 .. n - 1), segment + (0 .. n - 1),
  @   offset + (0 .. n - 1), size + (0 .. n - 1), segments, bad);
  @ requires \separated(segment2 + (0 .. n - 1), segment + (0 .. n - 1),
  @   offset + (0 .. n - 1), size + (0 .. n - 1), segments, bad);
  @ requires \separated(offset2 + (0 .. n - 1), segment + (0 .. n - 1),
  @   offset + (0 .. n - 1), size + (0 .. n - 1), segments, bad);
  @ requires \separated(size2 + (0 .. n - 1), segment + (0 .. n - 1),
  @   offset + (0 .. n - 1), size + (0 .. n - 1), segments, bad);
  @ requires EachUnderCap(items, n, cap);
  @ requires SegLayout(items, n, cap, segment2, offset2, size2, segments2);
  @ terminates \true;
  @ assigns segment[0 .. n - 1], offset[0 .. n - 1], size[0 .. n - 1];
  @ assigns *segments, *bad;
  @ ensures seg_5_only_if_over: \result == PP_OK;
  @ ensures seg_7_this_place: SamePlaces(n, segment, offset, segment2, offset2);
  @ ensures seg_7_this_count: *segments == segments2;
  @ ensures seg_7_this_size:
  @   \forall integer s; 0 <= s < segments2 ==> size[s] == size2[s];
  @*/
pp_status pp_ref_segments_only(const pp_item *items, size_t n, uint64_t cap,
                               size_t *segment, uint64_t *offset,
                               uint64_t *size, size_t *segments, size_t *bad,
                               const size_t *segment2, const uint64_t *offset2,
                               const uint64_t *size2, size_t segments2) {
  pp_status status = pp_ref_plan_pool_segments(items, n, cap, segment, offset,
                                               size, segments, bad);
  /*@ assert same_claim: \forall integer i; 0 <= i < n ==>
    @   segment2[i] == \at(segment2[i], Pre) &&
    @   offset2[i] == \at(offset2[i], Pre) && size2[i] == \at(size2[i], Pre);
    @*/
  //@ assert layout: SegLayout(items, n, cap, segment, offset, size, *segments);
  //@ assert in_range: \forall integer i; 0 <= i < n ==> segment2[i] <= i;
  //@ assert other1: FirstAtZero(n, segment2, offset2) && Monotone(n, segment2);
  /*@ assert other2: \forall integer i; 0 <= i < n ==>
    @   End(items, offset2, i) == End{Pre}(items, offset2, i);
    @*/
  //@ assert other3: AtEndAlignedUp(items, n, segment2, offset2);
  //@ assert other4: NewOnlyIfNotFitting(items, n, cap, segment2, offset2);
  //@ assert other5: EndsUnderCap(items, n, cap, offset2);
  /*@ assert other6: \forall integer i; 0 <= i < n ==>
    @   (LastInSegment(n, segment2, i) <==>
    @    LastInSegment{Pre}(n, segment2, i));
    @*/
  //@ assert other7: SizesExact(items, n, segment2, offset2, size2);
  pp_ref_segments_unique(items, n, cap, segment, offset, size, *segments,
                         segment2, offset2, size2, segments2);
  return status;
}

/* SEG-5 for the program: the first item over the cap is the one refused. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid(segment + (0 .. n - 1));
  @ requires \valid(offset + (0 .. n - 1));
  @ requires \valid(size + (0 .. n - 1));
  @ requires \valid(segments) && \valid(bad);
  @ requires \separated(items + (0 .. n - 1), segment + (0 .. n - 1),
  @   offset + (0 .. n - 1), size + (0 .. n - 1), segments, bad);
  @ requires EachUnderCap(items, first, cap);
  @ requires first < n && items[first].size > cap;
  @ terminates \true;
  @ assigns segment[0 .. n - 1], offset[0 .. n - 1], size[0 .. n - 1];
  @ assigns *segments, *bad;
  @ ensures seg_5_this_status: \result == PP_ITEM_OVER_CAP;
  @ ensures seg_5_this_item: *bad == first;
  @*/
pp_status pp_ref_segments_refused(const pp_item *items, size_t n, uint64_t cap,
                                  size_t *segment, uint64_t *offset,
                                  uint64_t *size, size_t *segments, size_t *bad,
                                  size_t first) {
  pp_status status = pp_ref_plan_pool_segments(items, n, cap, segment, offset,
                                               size, segments, bad);
  //@ assert not_later: *bad <= first;
  //@ assert not_earlier: first <= *bad;
  return status;
}
