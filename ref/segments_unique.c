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
