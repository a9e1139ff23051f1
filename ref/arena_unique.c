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

/*@ // From the q-th item placed on, an answer to n items is as arena.h says:
  @ // all are placed, or the first that fits nowhere is not.
  @ predicate Answer(pp_item *items, integer q, integer n, integer cap,
  @                  size_t *order, uint64_t *offset, integer ok) =
  @   ok != 0 ? AllLeastFit(items, order, n, offset, cap) :
  @   \exists integer s; q <= s < n &&
  @     AllLeastFit(items, order, s, offset, cap) &&
  @     Stuck(items, order, s, offset, cap);
  @*/

/* ARN-3, 4: two answers that agree so far both end here, or agree on the next
 * item as well. */
/*@ requires q < n && SameOrder(n, order1, order2);
  @ requires SameOffsets(q, order1, offset1, offset2);
  @ requires Answer(items, q, n, cap, order1, offset1, ok1);
  @ requires Answer(items, q, n, cap, order2, offset2, ok2);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures arn_5_one_place: (!ok1 && !ok2) ||
  @   (SameOffsets(q + 1, order1, offset1, offset2) &&
  @    Answer(items, q + 1, n, cap, order1, offset1, ok1) &&
  @    Answer(items, q + 1, n, cap, order2, offset2, ok2));
  @*/
void pp_ref_place_unique(const pp_item *items, size_t q, size_t n, uint64_t cap,
                         const size_t *order1, const uint64_t *offset1,
                         bool ok1, const size_t *order2,
                         const uint64_t *offset2, bool ok2) {
  //@ assert order1[q] == order2[q];
  /*@ assert same_blocked: \forall integer m;
    @   Blocked(items, order1, q, offset1, order1[q], m) <==>
    @   Blocked(items, order2, q, offset2, order2[q], m);
    @*/
  /*@ assert same_stuck: Stuck(items, order1, q, offset1, cap) <==>
    @   Stuck(items, order2, q, offset2, cap);
    @*/
  /*@ assert placed1: LeastFit(items, order1, q, offset1, cap) ||
    @   (!ok1 && Stuck(items, order1, q, offset1, cap));
    @*/
  /*@ assert placed2: LeastFit(items, order2, q, offset2, cap) ||
    @   (!ok2 && Stuck(items, order2, q, offset2, cap));
    @*/
  /*@ assert not_both1: LeastFit(items, order1, q, offset1, cap) ==>
    @   !Stuck(items, order1, q, offset1, cap);
    @*/
  /*@ assert not_both2: LeastFit(items, order2, q, offset2, cap) ==>
    @   !Stuck(items, order2, q, offset2, cap);
    @*/
  /*@ assert both: (!ok1 && !ok2) ||
    @   (LeastFit(items, order1, q, offset1, cap) &&
    @    LeastFit(items, order2, q, offset2, cap));
    @*/
  /*@ assert one_place: (!ok1 && !ok2) ||
    @   offset1[order1[q]] == offset2[order2[q]];
    @*/
}

/* ARN-5: two answers to one problem, whatever their place, are equal. ok is
 * that the answer was PP_OK; else it was PP_OVER_CAP. */
/*@ requires Perm(n, order1, pos1) && Sorted(items, n, order1);
  @ requires Perm(n, order2, pos2) && Sorted(items, n, order2);
  @ requires Answer(items, 0, n, cap, order1, offset1, ok1);
  @ requires Answer(items, 0, n, cap, order2, offset2, ok2);
  @ requires ok1 ==> Total(items, order1, n, offset1, total1);
  @ requires ok2 ==> Total(items, order2, n, offset2, total2);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures arn_2_same_order: SameOrder(n, order1, order2);
  @ ensures arn_5_same_status: ok1 <==> ok2;
  @ ensures arn_5_same_offsets: ok1 && ok2 ==>
  @   \forall integer i; 0 <= i < n ==> offset1[i] == offset2[i];
  @ ensures arn_5_same_total: ok1 && ok2 ==> total1 == total2;
  @*/
void pp_ref_arena_unique(const pp_item *items, size_t n, uint64_t cap,
                         const size_t *order1, const size_t *pos1,
                         const uint64_t *offset1, uint64_t total1, bool ok1,
                         const size_t *order2, const size_t *pos2,
                         const uint64_t *offset2, uint64_t total2, bool ok2) {
  pp_ref_order_unique(items, n, order1, pos1, order2, pos2);
  /*@ loop invariant 0 <= q <= n;
    @ loop invariant agree: (!ok1 && !ok2) ||
    @   (SameOffsets(q, order1, offset1, offset2) &&
    @    Answer(items, q, n, cap, order1, offset1, ok1) &&
    @    Answer(items, q, n, cap, order2, offset2, ok2));
    @ loop assigns q;
    @ loop variant n - q;
    @*/
  for (size_t q = 0; q < n; q++)
    if (ok1 || ok2)
      pp_ref_place_unique(items, q, n, cap, order1, offset1, ok1, order2,
                          offset2, ok2);
  /*@ assert by_place: \forall integer i; 0 <= i < n ==>
    @   offset1[i] == offset1[order1[pos1[i]]] &&
    @   offset2[i] == offset2[order1[pos1[i]]];
    @*/
  /*@ assert same_ends: ok1 && ok2 ==> \forall integer q; 0 <= q < n ==>
    @   End(items, offset1, order1[q]) == End(items, offset2, order2[q]);
    @*/
}

/* ARN-5 for the program: whatever answer follows the rules is the one that
 * pp_ref_plan_arena_offsets gives. All that arena.h says is needed. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid(order + (0 .. n - 1));
  @ requires \valid(pos + (0 .. n - 1));
  @ requires \valid(offset + (0 .. n - 1));
  @ requires \valid(total) && \valid(bad);
  @ requires \separated(items + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1), offset + (0 .. n - 1), total, bad);
  @ requires \separated(order2 + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1), offset + (0 .. n - 1), total, bad);
  @ requires \separated(pos2 + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1), offset + (0 .. n - 1), total, bad);
  @ requires \separated(offset2 + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1), offset + (0 .. n - 1), total, bad);
  @ requires \forall integer i; 0 <= i < n ==> !BadSpan(items, i);
  @ requires Perm(n, order2, pos2) && Sorted(items, n, order2);
  @ requires Answer(items, 0, n, cap, order2, offset2, ok2);
  @ requires ok2 ==> Total(items, order2, n, offset2, total2);
  @ terminates \true;
  @ assigns order[0 .. n - 1], pos[0 .. n - 1], offset[0 .. n - 1];
  @ assigns *total, *bad;
  @ ensures arn_5_this_status: \result == (ok2 ? PP_OK : PP_OVER_CAP);
  @ ensures arn_2_this_order: SameOrder(n, order, order2);
  @ ensures arn_5_this_offset: ok2 ==>
  @   \forall integer i; 0 <= i < n ==> offset[i] == offset2[i];
  @ ensures arn_5_this_total: ok2 ==> *total == total2;
  @*/
pp_status pp_ref_arena_only(const pp_item *items, size_t n, uint64_t cap,
                            size_t *order, size_t *pos, uint64_t *offset,
                            uint64_t *total, size_t *bad, const size_t *order2,
                            const size_t *pos2, const uint64_t *offset2,
                            uint64_t total2, bool ok2) {
  pp_status status =
      pp_ref_plan_arena_offsets(items, n, cap, order, pos, offset, total, bad);
  /*@ assert same_offsets: \forall integer i; 0 <= i < n ==>
    @   offset2[i] == \at(offset2[i], Pre);
    @*/
  /*@ assert same_pos: \forall integer i; 0 <= i < n ==>
    @   pos2[i] == \at(pos2[i], Pre);
    @*/
  /*@ assert same_places: \forall integer i; 0 <= i < n ==>
    @   order2[i] == \at(order2[i], Pre);
    @*/
  //@ assert other0: Perm(n, order2, pos2);
  /*@ assert other1: \forall integer i, j; 0 <= i < n && 0 <= j < n ==>
    @   (Before(items, i, j) <==> Before{Pre}(items, i, j));
    @*/
  //@ assert sorted: Sorted(items, n, order2);
  /*@ assert other2: \forall integer i, j; 0 <= i < n && 0 <= j < n ==>
    @   (Conflict(items, i, j) <==> Conflict{Pre}(items, i, j));
    @*/
  /*@ assert other3: \forall integer i; 0 <= i < n ==>
    @   End(items, offset2, i) == End{Pre}(items, offset2, i);
    @*/
  /*@ assert other4: \forall integer j, i, o; 0 <= i < n && 0 <= j < n ==>
    @   (Blocks(items, offset2, j, i, o) <==>
    @    Blocks{Pre}(items, offset2, j, i, o));
    @*/
  /*@ assert other5: \forall integer q, i, o; 0 <= q < n && 0 <= i < n ==>
    @   (Blocked(items, order2, q, offset2, i, o) <==>
    @    Blocked{Pre}(items, order2, q, offset2, i, o));
    @*/
  /*@ assert other6: \forall integer q; 0 <= q < n ==>
    @   (LeastFit(items, order2, q, offset2, cap) <==>
    @    LeastFit{Pre}(items, order2, q, offset2, cap));
    @*/
  /*@ assert other7: \forall integer q; 0 <= q < n ==>
    @   (Stuck(items, order2, q, offset2, cap) <==>
    @    Stuck{Pre}(items, order2, q, offset2, cap));
    @*/
  /*@ assert other8: \forall integer s; 0 <= s <= n ==>
    @   (AllLeastFit(items, order2, s, offset2, cap) <==>
    @    AllLeastFit{Pre}(items, order2, s, offset2, cap));
    @*/
  //@ assert answer: Answer(items, 0, n, cap, order2, offset2, ok2);
  pp_ref_arena_unique(items, n, cap, order, pos, offset, *total,
                      status == PP_OK, order2, pos2, offset2, total2, ok2);
  return status;
}

/* ARN for the program: the first item with a bad span is the one refused. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid(order + (0 .. n - 1));
  @ requires \valid(pos + (0 .. n - 1));
  @ requires \valid(offset + (0 .. n - 1));
  @ requires \valid(total) && \valid(bad);
  @ requires \separated(items + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1), offset + (0 .. n - 1), total, bad);
  @ requires first < n && BadSpan(items, first);
  @ requires \forall integer i; 0 <= i < first ==> !BadSpan(items, i);
  @ terminates \true;
  @ assigns order[0 .. n - 1], pos[0 .. n - 1], offset[0 .. n - 1];
  @ assigns *total, *bad;
  @ ensures arn_bad_span_this_status: \result == PP_BAD_SPAN;
  @ ensures arn_bad_span_this_item: *bad == first;
  @*/
pp_status pp_ref_arena_refused(const pp_item *items, size_t n, uint64_t cap,
                               size_t *order, size_t *pos, uint64_t *offset,
                               uint64_t *total, size_t *bad, size_t first) {
  pp_status status =
      pp_ref_plan_arena_offsets(items, n, cap, order, pos, offset, total, bad);
  return status;
}

/* The place of the first item that ends past the cap; n when none does. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(order + (0 .. n - 1));
  @ requires \valid_read(offset + (0 .. n - 1));
  @ requires \forall integer q; 0 <= q < n ==> order[q] < n;
  @ requires AllLeastFit(items, order, n, offset, 18446744073709551615);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= n;
  @ ensures arn_4_under_cap:
  @   AllLeastFit(items, order, \result, offset, cap);
  @ ensures arn_4_past_cap: \result < n ==>
  @   End(items, offset, order[\result]) > cap &&
  @   NoneBelow(items, order, \result, offset, offset[order[\result]]);
  @*/
static size_t first_past_cap(const pp_item *items, size_t n, uint64_t cap,
                             const size_t *order, const uint64_t *offset) {
  /*@ loop invariant 0 <= q <= n;
    @ loop invariant AllLeastFit(items, order, q, offset, cap);
    @ loop assigns q;
    @ loop variant n - q;
    @*/
  for (size_t q = 0; q < n; q++) {
    //@ assert LeastFit(items, order, q, offset, 18446744073709551615);
    if (offset[order[q]] > cap || items[order[q]].size > cap - offset[order[q]])
      return q;
  }
  return n;
}

/* ARN-4 as the rule has it: with no cap in the way there is one layout; the
 * program answers PP_OK if and only if its total is within the cap. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(order2 + (0 .. n - 1));
  @ requires \valid_read(offset2 + (0 .. n - 1));
  @ requires \valid(order + (0 .. n - 1));
  @ requires \valid(pos + (0 .. n - 1));
  @ requires \valid(offset + (0 .. n - 1));
  @ requires \valid(total) && \valid(bad);
  @ requires \separated(items + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1), offset + (0 .. n - 1), total, bad);
  @ requires \separated(order2 + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1), offset + (0 .. n - 1), total, bad);
  @ requires \separated(pos2 + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1), offset + (0 .. n - 1), total, bad);
  @ requires \separated(offset2 + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1), offset + (0 .. n - 1), total, bad);
  @ requires \forall integer i; 0 <= i < n ==> !BadSpan(items, i);
  @ requires Perm(n, order2, pos2) && Sorted(items, n, order2);
  @ requires AllLeastFit(items, order2, n, offset2, 18446744073709551615);
  @ requires Total(items, order2, n, offset2, total2);
  @ terminates \true;
  @ assigns order[0 .. n - 1], pos[0 .. n - 1], offset[0 .. n - 1];
  @ assigns *total, *bad;
  @ ensures arn_4_this_status:
  @   \result == (total2 <= cap ? PP_OK : PP_OVER_CAP);
  @*/
pp_status pp_ref_arena_within(const pp_item *items, size_t n, uint64_t cap,
                              size_t *order, size_t *pos, uint64_t *offset,
                              uint64_t *total, size_t *bad,
                              const size_t *order2, const size_t *pos2,
                              const uint64_t *offset2, uint64_t total2) {
  size_t s = first_past_cap(items, n, cap, order2, offset2);
  /*@ assert ends: \forall integer q; 0 <= q < s ==>
    @   End(items, offset2, order2[q]) <= cap;
    @*/
  //@ assert within: s == n <==> total2 <= cap;
  /*@ assert beyond: s < n ==>
    @   cap - items[order2[s]].size + 1 <= offset2[order2[s]];
    @*/
  //@ assert stuck: s < n ==> Stuck(items, order2, s, offset2, cap);
  //@ assert answer: Answer(items, 0, n, cap, order2, offset2, s == n ? 1 : 0);
  return pp_ref_arena_only(items, n, cap, order, pos, offset, total, bad,
                           order2, pos2, offset2, total2, s == n);
}
