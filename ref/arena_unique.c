/* poolproof reference: ARN leaves no choice (ARN-5). A proof, not a program:
 * each loop establishes agreement one place further. Compiled nowhere.
 * SPDX-License-Identifier: MIT */
#include "arena.h"

/*@ // Two orders agree on their first n places.
  @ predicate SameOrder(integer n, size_t *order1, size_t *order2) =
  @   \forall integer q; 0 <= q < n ==> order1[q] == order2[q];
  @
  @ // Two layouts agree on the first n items placed.
  @ predicate SameOffsets(integer n, size_t *order, uint64_t *offset1,
  @                       uint64_t *offset2) =
  @   \forall integer q; 0 <= q < n ==>
  @     offset1[order[q]] == offset2[order[q]];
  @*/

/* ARN-2: there is one sorted permutation. */
/*@ requires Perm(n, order1, pos1) && Sorted(items, n, order1);
  @ requires Perm(n, order2, pos2) && Sorted(items, n, order2);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures arn_2_one_order: SameOrder(n, order1, order2);
  @*/
void pp_ref_order_unique(const pp_item *items, size_t n, const size_t *order1,
                         const size_t *pos1, const size_t *order2,
                         const size_t *pos2) {
  /*@ loop invariant 0 <= q <= n;
    @ loop invariant SameOrder(q, order1, order2);
    @ loop assigns q;
    @ loop variant n - q;
    @*/
  for (size_t q = 0; q < n; q++) {
    //@ assert q <= pos2[order1[q]] && q <= pos1[order2[q]];
    /*@ assert order1[q] == order2[q] ||
      @   Before(items, order2[q], order2[pos2[order1[q]]]);
      @*/
    /*@ assert order1[q] == order2[q] ||
      @   Before(items, order1[q], order1[pos1[order2[q]]]);
      @*/
    //@ assert order1[q] == order2[q];
  }
}

/* ARN-3: the first n items placed have one place each. */
/*@ requires AllLeastFit(items, order1, n, offset1, cap);
  @ requires AllLeastFit(items, order2, n, offset2, cap);
  @ requires SameOrder(n, order1, order2);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures arn_5_one_place: SameOffsets(n, order1, offset1, offset2);
  @*/
void pp_ref_places_unique(const pp_item *items, size_t n, uint64_t cap,
                          const size_t *order1, const uint64_t *offset1,
                          const size_t *order2, const uint64_t *offset2) {
  /*@ loop invariant 0 <= q <= n;
    @ loop invariant SameOffsets(q, order1, offset1, offset2);
    @ loop assigns q;
    @ loop variant n - q;
    @*/
  for (size_t q = 0; q < n; q++) {
    //@ assert order1[q] == order2[q];
    //@ assert LeastFit(items, order1, q, offset1, cap);
    //@ assert LeastFit(items, order2, q, offset2, cap);
    /*@ assert same_blocked: \forall integer m;
      @   Blocked(items, order1, q, offset1, order1[q], m) <==>
      @   Blocked(items, order2, q, offset2, order2[q], m);
      @*/
    /*@ assert offset1[order1[q]] < offset2[order2[q]] ==>
      @   Blocked(items, order2, q, offset2, order2[q], offset1[order1[q]]);
      @*/
    /*@ assert offset2[order2[q]] < offset1[order1[q]] ==>
      @   Blocked(items, order1, q, offset1, order1[q], offset2[order2[q]]);
      @*/
  }
}

/* ARN-5: two answers to one problem, whatever their place, are equal. ok is
 * that the answer was PP_OK; else it was PP_OVER_CAP, with the item that is
 * the stuck-th to be placed. */
/*@ requires Perm(n, order1, pos1) && Sorted(items, n, order1);
  @ requires Perm(n, order2, pos2) && Sorted(items, n, order2);
  @ requires ok1 ==> AllLeastFit(items, order1, n, offset1, cap) &&
  @   Total(items, order1, n, offset1, total1);
  @ requires ok2 ==> AllLeastFit(items, order2, n, offset2, cap) &&
  @   Total(items, order2, n, offset2, total2);
  @ requires !ok1 ==> stuck1 < n &&
  @   AllLeastFit(items, order1, stuck1, offset1, cap) &&
  @   Stuck(items, order1, stuck1, offset1, cap);
  @ requires !ok2 ==> stuck2 < n &&
  @   AllLeastFit(items, order2, stuck2, offset2, cap) &&
  @   Stuck(items, order2, stuck2, offset2, cap);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures arn_2_same_order: SameOrder(n, order1, order2);
  @ ensures arn_5_same_status: ok1 <==> ok2;
  @ ensures arn_5_same_offsets: ok1 && ok2 ==>
  @   \forall integer i; 0 <= i < n ==> offset1[i] == offset2[i];
  @ ensures arn_5_same_total: ok1 && ok2 ==> total1 == total2;
  @ ensures arn_5_same_stuck: !ok1 && !ok2 ==> stuck1 == stuck2;
  @*/
void pp_ref_arena_unique(const pp_item *items, size_t n, uint64_t cap,
                         const size_t *order1, const size_t *pos1,
                         const uint64_t *offset1, uint64_t total1, bool ok1,
                         size_t stuck1, const size_t *order2,
                         const size_t *pos2, const uint64_t *offset2,
                         uint64_t total2, bool ok2, size_t stuck2) {
  pp_ref_order_unique(items, n, order1, pos1, order2, pos2);
  size_t end1 = ok1 ? n : stuck1;
  size_t end2 = ok2 ? n : stuck2;
  size_t end = end1 < end2 ? end1 : end2;
  pp_ref_places_unique(items, end, cap, order1, offset1, order2, offset2);
  /*@ assert same_blocked: end < n ==> \forall integer m;
    @   Blocked(items, order1, end, offset1, order1[end], m) <==>
    @   Blocked(items, order2, end, offset2, order2[end], m);
    @*/
  //@ assert end < end1 ==> LeastFit(items, order1, end, offset1, cap);
  //@ assert end < end2 ==> LeastFit(items, order2, end, offset2, cap);
  //@ assert end < end1 ==> !Stuck(items, order2, end, offset2, cap);
  //@ assert end < end2 ==> !Stuck(items, order1, end, offset1, cap);
  //@ assert end1 == end2;
  //@ assert ok1 ==> SameOffsets(n, order1, offset1, offset2);
  /*@ assert by_place: \forall integer i; 0 <= i < n ==>
    @   offset1[i] == offset1[order1[pos1[i]]] &&
    @   offset2[i] == offset2[order1[pos1[i]]];
    @*/
  /*@ assert ok1 ==> \forall integer i; 0 <= i < n ==>
    @   offset1[i] == offset2[i];
    @*/
}
