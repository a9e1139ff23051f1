/* poolproof reference: one arena, bytes reused over time (ARN).
 * SPDX-License-Identifier: MIT */
#include "arena.h"

/*@ // The first n places are sorted but for the item at place p.
  @ predicate SortedBut(pp_item *items, integer n, size_t *order,
  @                     integer p) =
  @   \forall integer a, b; 0 <= a < b < n && a != p && b != p ==>
  @     Before(items, order[a], order[b]);
  @
  @ // The items after place p are smaller than item i.
  @ predicate SmallerAfter(pp_item *items, integer n, size_t *order,
  @                        integer p, integer i) =
  @   \forall integer b; p < b < n ==>
  @     items[order[b]].size < items[i].size;
  @
  @ // Item i, the last of n, is at place p; the other items are sorted.
  @ predicate Sinking(pp_item *items, integer n, size_t *order, size_t *pos,
  @                   integer p, integer i) =
  @   Perm(n, order, pos) && order[p] == i && pos[i] == p &&
  @   SortedBut(items, n, order, p) &&
  @   SmallerAfter(items, n, order, p, i);
  @
  @ // Each of the n places names an item, no two the same.
  @ predicate Listed(integer n, size_t *order) =
  @   (\forall integer q; 0 <= q < n ==> order[q] < n) &&
  @   \forall integer p, q; 0 <= p < q < n ==> order[p] != order[q];
  @
  @ predicate SameOrder{A, B}(size_t *order, integer n) =
  @   \forall integer q; 0 <= q < n ==>
  @     \at(order[q], A) == \at(order[q], B);
  @*/

/*@ requires 0 < p <= i;
  @ requires \valid_read(items + (0 .. i));
  @ requires \valid(order + (0 .. i)) && \valid(pos + (0 .. i));
  @ requires \separated(items + (0 .. i), order + (0 .. i), pos + (0 .. i));
  @ requires Sinking(items, i + 1, order, pos, p, i);
  @ terminates \true;
  @ assigns order[p - 1], order[p], pos[i], pos[order[p - 1]];
  @ ensures arn_2_permutation: \result ==> Perm(i + 1, order, pos);
  @ ensures arn_2_moved: \result ==> order[p - 1] == i && pos[i] == p - 1;
  @ ensures arn_2_sorted_but:
  @   \result ==> SortedBut(items, i + 1, order, p - 1);
  @ ensures arn_2_smaller_after:
  @   \result ==> SmallerAfter(items, i + 1, order, p - 1, i);
  @ ensures arn_2_stays:
  @   !\result ==> Sinking(items, i + 1, order, pos, p, i);
  @ ensures arn_2_not_smaller:
  @   !\result ==> items[order[p - 1]].size >= items[i].size;
  @*/
static bool sink(const pp_item *items, size_t i, size_t p, size_t *order,
                 size_t *pos) {
  size_t j = order[p - 1];
  if (items[j].size >= items[i].size) return false;
  //@ assert j != i && j <= i && pos[j] == p - 1;
  order[p - 1] = i;
  order[p] = j;
  pos[i] = p - 1;
  pos[j] = p;
  /*@ assert \forall integer k; 0 <= k <= i ==>
    @   items[k].size == \at(items[k].size, Pre);
    @*/
  /*@ assert \forall integer k; 0 <= k <= i && k != p && k != p - 1 ==>
    @   order[k] == \at(order[k], Pre);
    @*/
  /*@ assert \forall integer k; 0 <= k <= i && k != i && k != j ==>
    @   pos[k] == \at(pos[k], Pre);
    @*/
  //@ assert arn_2_swapped: order[p - 1] == i && order[p] == j;
  //@ assert arn_2_swapped_back: pos[i] == p - 1 && pos[j] == p;
  return true;
}

/*@ requires \valid_read(items + (0 .. i));
  @ requires \valid(order + (0 .. i)) && \valid(pos + (0 .. i));
  @ requires \separated(items + (0 .. i), order + (0 .. i), pos + (0 .. i));
  @ requires Sinking(items, i + 1, order, pos, i, i);
  @ terminates \true;
  @ assigns order[0 .. i], pos[0 .. i];
  @ ensures arn_2_permutation: Perm(i + 1, order, pos);
  @ ensures arn_2_sorted: Sorted(items, i + 1, order);
  @*/
static void settle(const pp_item *items, size_t i, size_t *order, size_t *pos) {
  size_t p = i;
  /*@ loop invariant 0 <= p <= i;
    @ loop invariant arn_2_sinking: Sinking(items, i + 1, order, pos, p, i);
    @ loop assigns p, order[0 .. i], pos[0 .. i];
    @ loop variant p;
    @*/
  while (p > 0) {
    //@ assert order[p - 1] <= i;
    if (!sink(items, i, p, order, pos)) break;
    p--;
  }
  //@ assert 0 < p ==> order[p - 1] < i;
  //@ assert arn_2_one_before: 0 < p ==> Before(items, order[p - 1], order[p]);
  /*@ assert arn_2_before: \forall integer a; 0 <= a < p ==>
    @   Before(items, order[a], order[p]);
    @*/
  /*@ assert arn_2_after: \forall integer b; p < b <= i ==>
    @   Before(items, order[p], order[b]);
    @*/
}

/*@ requires \valid_read(items + (0 .. i));
  @ requires \valid(order + (0 .. i)) && \valid(pos + (0 .. i));
  @ requires \separated(items + (0 .. i), order + (0 .. i), pos + (0 .. i));
  @ requires Perm(i, order, pos) && Sorted(items, i, order);
  @ terminates \true;
  @ assigns order[0 .. i], pos[0 .. i];
  @ ensures arn_2_permutation: Perm(i + 1, order, pos);
  @ ensures arn_2_sorted: Sorted(items, i + 1, order);
  @*/
static void insert(const pp_item *items, size_t i, size_t *order, size_t *pos) {
  order[i] = i;
  pos[i] = i;
  //@ assert SortedBut(items, i + 1, order, i);
  //@ assert Perm(i + 1, order, pos);
  settle(items, i, order, pos);
}

/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid(order + (0 .. n - 1)) && \valid(pos + (0 .. n - 1));
  @ requires \separated(items + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1));
  @ terminates \true;
  @ assigns order[0 .. n - 1], pos[0 .. n - 1];
  @ ensures same_items: SameItems{Pre, Post}(items, n);
  @ ensures arn_2_permutation: Perm(n, order, pos);
  @ ensures arn_2_sorted: Sorted(items, n, order);
  @*/
static void sort(const pp_item *items, size_t n, size_t *order, size_t *pos) {
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant same_items: SameItems{Pre, Here}(items, n);
    @ loop invariant arn_2_permutation: Perm(i, order, pos);
    @ loop invariant arn_2_sorted: Sorted(items, i, order);
    @ loop assigns i, order[0 .. n - 1], pos[0 .. n - 1];
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++)
    insert(items, i, order, pos);
}

/*@ // The first q + 1 items in order, and their offsets, may be read.
  @ predicate Readable{L}(pp_item *items, size_t *order, integer q,
  @                       uint64_t *offset) =
  @   \forall integer p; 0 <= p <= q ==>
  @     \valid_read(items + order[p]) && \valid_read(offset + order[p]);
  @
  @ // The first q items placed end within the cap.
  @ predicate EndsWithin(pp_item *items, size_t *order, integer q,
  @                      uint64_t *offset, integer cap) =
  @   \forall integer p; 0 <= p < q ==>
  @     End(items, offset, order[p]) <= cap;
  @*/

/*@ requires \valid_read(order + (0 .. q));
  @ requires Readable(items, order, q, offset);
  @ requires EndsWithin(items, order, q, offset, 18446744073709551615);
  @ requires o + items[order[q]].size <= 18446744073709551615;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= q;
  @ ensures arn_3_blocker: \result < q ==>
  @   Blocks(items, offset, order[\result], order[q], o);
  @ ensures arn_3_free:
  @   !Blocked(items, order, \result, offset, order[q], o);
  @*/
static size_t blocker(const pp_item *items, const size_t *order, size_t q,
                      const uint64_t *offset, uint64_t o) {
  size_t i = order[q];
  /*@ loop invariant 0 <= p <= q;
    @ loop invariant arn_3_free: !Blocked(items, order, p, offset, i, o);
    @ loop assigns p;
    @ loop variant q - p;
    @*/
  for (size_t p = 0; p < q; p++) {
    size_t j = order[p];
    if (o < offset[j] + items[j].size && offset[j] < o + items[i].size &&
        pp_ref_conflict(items, i, j))
      return p;
  }
  return q;
}

/* Where an item may stand, if anywhere. */
typedef struct spot {
  bool fits;
  uint64_t at;
} spot;

/*@ requires \valid_read(order + (0 .. q));
  @ requires Readable(items, order, q, offset);
  @ requires EndsWithin(items, order, q, offset, cap);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures arn_3_fits:
  @   \result.fits ==> Fits(items, order, q, offset, \result.at);
  @ ensures arn_3_none_below:
  @   \result.fits ==> NoneBelow(items, order, q, offset, \result.at);
  @ ensures arn_4_under_cap:
  @   \result.fits ==> \result.at + items[order[q]].size <= cap;
  @ ensures arn_4_over_cap:
  @   !\result.fits ==> Stuck(items, order, q, offset, cap);
  @*/
static spot least_fit(const pp_item *items, const size_t *order, size_t q,
                      uint64_t cap, const uint64_t *offset) {
  size_t i = order[q];
  spot s = {items[i].size <= cap, 0};
  /*@ loop invariant arn_4_under_cap: s.fits ==> s.at + items[i].size <= cap;
    @ loop invariant arn_3_aligned: s.fits ==> Aligned(s.at, items[i].align);
    @ loop invariant arn_3_none_below:
    @   s.fits ==> NoneBelow(items, order, q, offset, s.at);
    @ loop invariant arn_4_over_cap:
    @   !s.fits ==> Stuck(items, order, q, offset, cap);
    @ loop assigns s;
    @ loop variant s.fits ? cap - s.at + 1 : 0;
    @*/
  while (s.fits) {
    size_t p = blocker(items, order, q, offset, s.at);
    if (p == q) break;
    uint64_t end = offset[order[p]] + items[order[p]].size;
    uint64_t pad = pp_ref_padding(end, items[i].align);
    /*@ assert arn_3_jump: \forall integer m; s.at <= m < end ==>
      @   Blocks(items, offset, order[p], i, m);
      @*/
    //@ assert arn_3_to_end: NoneBelow(items, order, q, offset, end);
    //@ assert arn_3_to_pad: NoneBelow(items, order, q, offset, end + pad);
    s.fits = pad <= cap - end && items[i].size <= cap - end - pad;
    if (s.fits) s.at = end + pad;
  }
  return s;
}

/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(order + (0 .. n - 1));
  @ requires \valid(offset + (0 .. n - 1)) && \valid(total);
  @ requires \separated(items + (0 .. n - 1), order + (0 .. n - 1),
  @   offset + (0 .. n - 1), total);
  @ requires q < n && Listed(n, order);
  @ requires AllLeastFit(items, order, q, offset, cap);
  @ requires Total(items, order, q, offset, *total) && *total <= cap;
  @ terminates \true;
  @ assigns offset[order[q]], *total;
  @ ensures same_items: SameItems{Pre, Post}(items, n);
  @ ensures same_order: SameOrder{Pre, Post}(order, n);
  @ ensures arn_3_least_fit:
  @   \result ==> AllLeastFit(items, order, q + 1, offset, cap);
  @ ensures arn_4_total:
  @   \result ==> Total(items, order, q + 1, offset, *total);
  @ ensures arn_4_under_cap: \result ==> *total <= cap;
  @ ensures arn_3_as_before:
  @   !\result ==> AllLeastFit(items, order, q, offset, cap);
  @ ensures arn_4_over_cap:
  @   !\result ==> Stuck(items, order, q, offset, cap);
  @*/
static bool place(const pp_item *items, const size_t *order, size_t q,
                  uint64_t cap, uint64_t *offset, uint64_t *total)
/*@ ghost (size_t n) */ {
  spot s = least_fit(items, order, q, cap, offset);
  if (!s.fits) return false;
  uint64_t end = s.at + items[order[q]].size;
  uint64_t top = end > *total ? end : *total;
  offset[order[q]] = s.at;
  *total = top;
  //@ assert same_items: SameItems{Pre, Here}(items, n);
  //@ assert same_order: SameOrder{Pre, Here}(order, n);
  /*@ assert same_offsets: \forall integer p; 0 <= p < q ==>
    @   offset[order[p]] == \at(offset[order[p]], Pre);
    @*/
  /*@ assert same_blocks: \forall integer p, i, o; 0 <= p < q && 0 <= i < n ==>
    @   (Blocks(items, offset, order[p], i, o) <==>
    @    Blocks{Pre}(items, offset, \at(order[p], Pre), i, o));
    @*/
  /*@ assert same_blocked: \forall integer p, i, o;
    @   0 <= p <= q && 0 <= i < n ==>
    @     (Blocked(items, order, p, offset, i, o) <==>
    @      Blocked{Pre}(items, order, p, offset, i, o));
    @*/
  /*@ assert same_ends: \forall integer p; 0 <= p < q ==>
    @   End(items, offset, order[p]) ==
    @   End{Pre}(items, offset, \at(order[p], Pre));
    @*/
  /*@ assert arn_3_still_least: \forall integer p; 0 <= p < q ==>
    @   LeastFit(items, order, p, offset, cap);
    @*/
  //@ assert arn_3_fits: Fits(items, order, q, offset, offset[order[q]]);
  /*@ assert arn_3_none_below:
    @   NoneBelow(items, order, q, offset, offset[order[q]]);
    @*/
  //@ assert arn_4_end: End(items, offset, order[q]) == end <= top <= cap;
  return true;
}

/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(order + (0 .. n - 1));
  @ requires \valid(offset + (0 .. n - 1)) && \valid(total);
  @ requires \separated(items + (0 .. n - 1), order + (0 .. n - 1),
  @   offset + (0 .. n - 1), total);
  @ requires Listed(n, order);
  @ terminates \true;
  @ assigns offset[0 .. n - 1], *total;
  @ ensures same_items: SameItems{Pre, Post}(items, n);
  @ ensures same_order: SameOrder{Pre, Post}(order, n);
  @ ensures arn_3_least_fit:
  @   \result == n ==> AllLeastFit(items, order, n, offset, cap);
  @ ensures arn_4_total: \result == n ==>
  @   Total(items, order, n, offset, *total) && *total <= cap;
  @ ensures arn_4_over_cap: \result != n ==> \result < n &&
  @   AllLeastFit(items, order, \result, offset, cap) &&
  @   Stuck(items, order, \result, offset, cap);
  @*/
static size_t place_all(const pp_item *items, size_t n, uint64_t cap,
                        const size_t *order, uint64_t *offset,
                        uint64_t *total) {
  *total = 0;
  /*@ loop invariant 0 <= q <= n;
    @ loop invariant same_items: SameItems{Pre, Here}(items, n);
    @ loop invariant same_order: SameOrder{Pre, Here}(order, n);
    @ loop invariant arn_3_least_fit:
    @   AllLeastFit(items, order, q, offset, cap);
    @ loop invariant arn_4_total: Total(items, order, q, offset, *total);
    @ loop invariant arn_4_under_cap: *total <= cap;
    @ loop assigns q, offset[0 .. n - 1], *total;
    @ loop variant n - q;
    @*/
  for (size_t q = 0; q < n; q++)
    if (!place(items, order, q, cap, offset, total) /*@ ghost (n) */) return q;
  return n;
}

pp_status pp_ref_plan_arena_offsets(const pp_item *items, size_t n,
                                    uint64_t cap, size_t *order, size_t *pos,
                                    uint64_t *offset, uint64_t *total,
                                    size_t *bad) {
  size_t first = pp_ref_first_bad_span(items, n);
  if (first < n) {
    *bad = first;
    return PP_BAD_SPAN;
  }
  sort(items, n, order, pos);
  size_t q = place_all(items, n, cap, order, offset, total);
  return q == n ? PP_OK : PP_OVER_CAP;
}
