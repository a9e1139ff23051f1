/* poolproof reference: which items conflict (ARN-1).
 * SPDX-License-Identifier: MIT */
#ifndef PP_REF_CONFLICT_H
#define PP_REF_CONFLICT_H

#include "types.h"

/*@ // ARN-1: items i and j may not share bytes.
  @ predicate Conflict(pp_item *items, integer i, integer j) =
  @   !(items[i].has_span && items[j].has_span &&
  @     (items[i].hi < items[j].lo || items[j].hi < items[i].lo) &&
  @     items[i].item_class == items[j].item_class);
  @
  @ lemma conflict_is_symmetric{L}: \forall pp_item *items, integer i, j;
  @   Conflict(items, i, j) <==> Conflict(items, j, i);
  @
  @ // Item i has a span that ends before it begins.
  @ predicate BadSpan(pp_item *items, integer i) =
  @   items[i].has_span && items[i].lo > items[i].hi;
  @*/

/* Whether items i and j conflict (ARN-1): unless both have a span, the closed
 * spans are disjoint and the classes are equal. Thread-safe: reads only. */
/*@ requires \valid_read(items + i) && \valid_read(items + j);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures arn_1_conflict: \result <==> Conflict(items, i, j);
  @*/
static inline bool pp_ref_conflict(const pp_item *items, size_t i, size_t j) {
  if (!items[i].has_span || !items[j].has_span) return true;
  if (items[i].item_class != items[j].item_class) return true;
  return items[i].lo <= items[j].hi && items[j].lo <= items[i].hi;
}

/* The first of n items whose span has lo > hi; n when there is none.
 * Thread-safe: reads only. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= n;
  @ ensures arn_bad_span: \result < n ==> BadSpan(items, \result);
  @ ensures arn_bad_span_first:
  @   \forall integer i; 0 <= i < \result ==> !BadSpan(items, i);
  @*/
static inline size_t pp_ref_first_bad_span(const pp_item *items, size_t n) {
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant arn_bad_span_first:
    @   \forall integer k; 0 <= k < i ==> !BadSpan(items, k);
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++)
    if (items[i].has_span && items[i].lo > items[i].hi) return i;
  return n;
}

#endif
