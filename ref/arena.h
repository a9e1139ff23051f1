/* poolproof reference: one arena, bytes reused over time (ARN).
 * SPDX-License-Identifier: MIT */
#ifndef PP_REF_ARENA_H
#define PP_REF_ARENA_H

#include "align.h"
#include "conflict.h"
#include "layout.h"

/*@ // What ARN reads of n items is the same in two states. (The flag and the
  @ // class are of types that no output has.)
  @ predicate SameItems{A, B}(pp_item *items, integer n) =
  @   \forall integer i; 0 <= i < n ==>
  @     \at(items[i].size, A) == \at(items[i].size, B) &&
  @     \at(items[i].align, A) == \at(items[i].align, B) &&
  @     \at(items[i].lo, A) == \at(items[i].lo, B) &&
  @     \at(items[i].hi, A) == \at(items[i].hi, B);
  @
  @ // ARN-2: item i is placed before item j.
  @ predicate Before(pp_item *items, integer i, integer j) =
  @   items[i].size > items[j].size ||
  @   (items[i].size == items[j].size && i < j);
  @
  @ // ARN-2: order is a permutation of the n items, pos its inverse.
  @ predicate Perm(integer n, size_t *order, size_t *pos) =
  @   (\forall integer q; 0 <= q < n ==>
  @     order[q] < n && pos[order[q]] == q) &&
  @   \forall integer i; 0 <= i < n ==> pos[i] < n && order[pos[i]] == i;
  @
  @ // ARN-2: order lists the n items as they are placed.
  @ predicate Sorted(pp_item *items, integer n, size_t *order) =
  @   \forall integer p, q; 0 <= p < q < n ==>
  @     Before(items, order[p], order[q]);
  @
  @ // ARN-3: item j, where it stands, forbids item i the offset o.
  @ predicate Blocks(pp_item *items, uint64_t *offset, integer j, integer i,
  @                  integer o) =
  @   Conflict(items, i, j) && o < End(items, offset, j) &&
  @   offset[j] < o + items[i].size;
  @
  @ // ARN-3: one of the first q items placed forbids item i the offset o.
  @ predicate Blocked(pp_item *items, size_t *order, integer q,
  @                   uint64_t *offset, integer i, integer o) =
  @   \exists integer p; 0 <= p < q &&
  @     Blocks(items, offset, order[p], i, o);
  @
  @ // ARN-3: o is aligned for the q-th item placed and nothing forbids it.
  @ predicate Fits(pp_item *items, size_t *order, integer q,
  @                uint64_t *offset, integer o) =
  @   Aligned(o, items[order[q]].align) &&
  @   !Blocked(items, order, q, offset, order[q], o);
  @
  @ // ARN-3: below o no aligned offset is free for the q-th item placed.
  @ predicate NoneBelow(pp_item *items, size_t *order, integer q,
  @                     uint64_t *offset, integer o) =
  @   \forall integer m;
  @     0 <= m < o && Aligned(m, items[order[q]].align) ==>
  @       Blocked(items, order, q, offset, order[q], m);
  @
  @ // ARN-3, 4: the q-th item placed stands at the least offset that fits,
  @ // and ends within the cap.
  @ predicate LeastFit(pp_item *items, size_t *order, integer q,
  @                    uint64_t *offset, integer cap) =
  @   Fits(items, order, q, offset, offset[order[q]]) &&
  @   NoneBelow(items, order, q, offset, offset[order[q]]) &&
  @   End(items, offset, order[q]) <= cap;
  @
  @ predicate AllLeastFit(pp_item *items, size_t *order, integer n,
  @                       uint64_t *offset, integer cap) =
  @   \forall integer q; 0 <= q < n ==>
  @     LeastFit(items, order, q, offset, cap);
  @
  @ // ARN-4: wherever the q-th item may stand, it ends past the cap.
  @ predicate Stuck(pp_item *items, size_t *order, integer q,
  @                 uint64_t *offset, integer cap) =
  @   NoneBelow(items, order, q, offset, cap - items[order[q]].size + 1);
  @
  @ // ARN-4: total is the greatest end of the first n items placed, 0 if
  @ // there is none.
  @ predicate Total(pp_item *items, size_t *order, integer n,
  @                 uint64_t *offset, integer total) =
  @   (\forall integer q; 0 <= q < n ==>
  @     End(items, offset, order[q]) <= total) &&
  @   (total == 0 || \exists integer q;
  @     0 <= q < n && End(items, offset, order[q]) == total);
  @*/

/* Lays n items out in one arena of at most cap bytes, in which items that do
 * not conflict may share bytes (ARN).
 *
 * items   n items; NULL when n is 0
 * cap     bytes, any value; 2^64-1 is "unlimited"
 * order   out, n entries: the items in the order of placement (ARN-2)
 * pos     out, n entries: the place of each item in order
 * offset  out, n entries: the byte offset of each item
 * total   out: the greatest end
 * bad     out, written with PP_BAD_SPAN alone
 * The caller owns all memory; the outputs may not overlap anything.
 *
 * PP_OK        the one layout that ARN-1..4 allow (ARN-5, proved in
 *              arena_unique.c)
 * PP_OVER_CAP  the total of that layout is above cap (ARN-4); order and pos
 *              are as with PP_OK, so are the offsets of the items placed
 *              before the one that did not fit; total is unspecified
 * PP_BAD_SPAN  *bad is the first item with lo > hi; nothing else was written
 * Cubic in n: a reference. Thread-safe: touches nothing but its arguments. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid(order + (0 .. n - 1));
  @ requires \valid(pos + (0 .. n - 1));
  @ requires \valid(offset + (0 .. n - 1));
  @ requires \valid(total) && \valid(bad);
  @ requires \separated(items + (0 .. n - 1), order + (0 .. n - 1),
  @   pos + (0 .. n - 1), offset + (0 .. n - 1), total, bad);
  @ terminates \true;
  @ assigns order[0 .. n - 1], pos[0 .. n - 1], offset[0 .. n - 1];
  @ assigns *total, *bad;
  @ ensures same_items: SameItems{Pre, Post}(items, n);
  @ ensures arn_status: \result == PP_OK || \result == PP_OVER_CAP ||
  @   \result == PP_BAD_SPAN;
  @ ensures arn_bad_span_status: \result == PP_BAD_SPAN <==>
  @   \exists integer i; 0 <= i < n && BadSpan{Pre}(items, i);
  @ ensures arn_bad_span_first: \result == PP_BAD_SPAN ==>
  @   *bad < n && BadSpan{Pre}(items, *bad) &&
  @   \forall integer i; 0 <= i < *bad ==> !BadSpan{Pre}(items, i);
  @ ensures arn_2_permutation:
  @   \result != PP_BAD_SPAN ==> Perm(n, order, pos);
  @ ensures arn_2_sorted:
  @   \result != PP_BAD_SPAN ==> Sorted(items, n, order);
  @ ensures arn_3_least_fit: \result == PP_OK ==>
  @   AllLeastFit(items, order, n, offset, cap);
  @ ensures arn_4_total: \result == PP_OK ==>
  @   Total(items, order, n, offset, *total) && *total <= cap;
  @ ensures arn_4_over_cap: \result == PP_OVER_CAP ==>
  @   \exists integer q; 0 <= q < n &&
  @     AllLeastFit(items, order, q, offset, cap) &&
  @     Stuck(items, order, q, offset, cap);
  @ behavior bad_span:
  @   assumes \exists integer i; 0 <= i < n && BadSpan(items, i);
  @   assigns *bad;
  @ behavior planned:
  @   assumes \forall integer i; 0 <= i < n ==> !BadSpan(items, i);
  @   assigns order[0 .. n - 1], pos[0 .. n - 1], offset[0 .. n - 1], *total;
  @ complete behaviors;
  @ disjoint behaviors;
  @*/
pp_status pp_ref_plan_arena_offsets(const pp_item *items, size_t n,
                                    uint64_t cap, size_t *order, size_t *pos,
                                    uint64_t *offset, uint64_t *total,
                                    size_t *bad);

#endif
