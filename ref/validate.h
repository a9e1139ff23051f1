/* poolproof reference: is a claimed layout valid (VAL).
 * SPDX-License-Identifier: MIT */
#ifndef PP_REF_VALIDATE_H
#define PP_REF_VALIDATE_H

#include "align.h"
#include "conflict.h"
#include "layout.h"

/*@ // ARN: the problem is one that may be asked.
  @ predicate SpansGood(pp_kind kind, pp_item *items, integer n) =
  @   kind == PP_ARENA ==>
  @     \forall integer i; 0 <= i < n ==> !BadSpan(items, i);
  @
  @ // VAL-1: each of the n items names a segment that the layout has.
  @ predicate AllNamed(integer n, size_t *segment, integer segments) =
  @   \forall integer i; 0 <= i < n ==> segment[i] < segments;
  @
  @ // VAL-1, SEG-1: each offset is a multiple of the item's alignment.
  @ predicate AllAligned(pp_item *items, integer n, uint64_t *offset) =
  @   \forall integer i; 0 <= i < n ==> Aligned(offset[i], items[i].align);
  @
  @ // VAL-1: each item ends within the claimed size of its segment.
  @ predicate AllInside(pp_item *items, integer n, size_t *segment,
  @                     uint64_t *offset, uint64_t *size) =
  @   \forall integer i; 0 <= i < n ==>
  @     End(items, offset, i) <= size[segment[i]];
  @
  @ // VAL-1: each of the claimed sizes is within the cap.
  @ predicate AllUnderCap(uint64_t *size, integer segments, integer cap) =
  @   \forall integer s; 0 <= s < segments ==> size[s] <= cap;
  @
  @ // VAL-1: items i and j conflict, stand in one segment and share a byte.
  @ predicate Clash(pp_kind kind, pp_item *items, size_t *segment,
  @                 uint64_t *offset, integer i, integer j) =
  @   segment[i] == segment[j] &&
  @   (kind == PP_ARENA ==> Conflict(items, i, j)) &&
  @   \exists integer b;
  @     Owns(items, offset, i, b) && Owns(items, offset, j, b);
  @
  @ // VAL-1: no item before i clashes with item j.
  @ predicate NoClashWith(pp_kind kind, pp_item *items, integer i,
  @                       size_t *segment, uint64_t *offset, integer j) =
  @   \forall integer k; 0 <= k < i ==>
  @     !Clash(kind, items, segment, offset, k, j);
  @
  @ // VAL-1: no two of the n items clash.
  @ predicate NoClash(pp_kind kind, pp_item *items, integer n,
  @                   size_t *segment, uint64_t *offset) =
  @   \forall integer j; 0 <= j < n ==>
  @     NoClashWith(kind, items, j, segment, offset, j);
  @
  @ // VAL-1: e is the greatest end in segment s, 0 when it has no item.
  @ predicate GreatestEnd(pp_item *items, integer n, size_t *segment,
  @                       uint64_t *offset, integer s, integer e) =
  @   (\forall integer i; 0 <= i < n && segment[i] == s ==>
  @     End(items, offset, i) <= e) &&
  @   (e == 0 || \exists integer i;
  @     0 <= i < n && segment[i] == s && End(items, offset, i) == e);
  @
  @ // VAL-1: each claimed size is the greatest end inside.
  @ predicate AllExact(pp_item *items, integer n, size_t *segment,
  @                    uint64_t *offset, uint64_t *size, integer segments) =
  @   \forall integer s; 0 <= s < segments ==>
  @     GreatestEnd(items, n, segment, offset, s, size[s]);
  @
  @ // VAL-1: the reading of a violation of each kind: real, and the first.
  @ predicate Lost(integer n, size_t *segment, integer segments,
  @                integer first) =
  @   first < n && segment[first] >= segments &&
  @   AllNamed(first, segment, segments);
  @
  @ predicate Misaligned(pp_item *items, integer n, uint64_t *offset,
  @                      integer first) =
  @   first < n && !Aligned(offset[first], items[first].align) &&
  @   AllAligned(items, first, offset);
  @
  @ predicate PastEnd(pp_item *items, integer n, size_t *segment,
  @                   uint64_t *offset, uint64_t *size, integer first) =
  @   first < n && End(items, offset, first) > size[segment[first]] &&
  @   AllInside(items, first, segment, offset, size);
  @
  @ predicate TooBig(uint64_t *size, integer segments, integer cap,
  @                  integer first) =
  @   first < segments && size[first] > cap && AllUnderCap(size, first, cap);
  @
  @ predicate SharedBytes(pp_kind kind, pp_item *items, integer n,
  @                       size_t *segment, uint64_t *offset, integer first,
  @                       integer second, integer lo, integer hi) =
  @   first < second < n &&
  @   Clash(kind, items, segment, offset, first, second) &&
  @   NoClash(kind, items, second, segment, offset) &&
  @   NoClashWith(kind, items, first, segment, offset, second) && lo < hi &&
  @   \forall integer b; lo <= b < hi <==>
  @     Owns(items, offset, first, b) && Owns(items, offset, second, b);
  @
  @ predicate WrongSize(pp_item *items, integer n, size_t *segment,
  @                     uint64_t *offset, uint64_t *size, integer segments,
  @                     integer first, integer lo, integer hi) =
  @   first < segments && lo == size[first] && lo != hi &&
  @   GreatestEnd(items, n, segment, offset, first, hi) &&
  @   AllExact(items, n, segment, offset, size, first);
  @
  @ // VAL-1: the order of the kinds; PP_VALID stands after them all.
  @ logic integer Rank(integer kind) = kind == PP_VALID ? 7 : kind;
  @
  @ // VAL-1: the layout is guilty of no kind before the one of rank r.
  @ predicate NoneBefore(integer r, pp_kind kind, pp_item *items, integer n,
  @                      integer cap, size_t *segment, uint64_t *offset,
  @                      uint64_t *size, integer segments) =
  @   (r > PP_NO_SUCH_SEGMENT ==> AllNamed(n, segment, segments)) &&
  @   (r > PP_MISALIGNED ==> AllAligned(items, n, offset)) &&
  @   (r > PP_PAST_END ==> AllInside(items, n, segment, offset, size)) &&
  @   (r > PP_SEGMENT_TOO_BIG ==> AllUnderCap(size, segments, cap)) &&
  @   (r > PP_SHARED_BYTES ==> NoClash(kind, items, n, segment, offset)) &&
  @   (r > PP_WRONG_SIZE ==>
  @     AllExact(items, n, segment, offset, size, segments));
  @
  @ // VAL-2: what a valid layout is.
  @ predicate ValidLayout(pp_kind kind, pp_item *items, integer n,
  @                       integer cap, size_t *segment, uint64_t *offset,
  @                       uint64_t *size, integer segments) =
  @   AllNamed(n, segment, segments) && AllAligned(items, n, offset) &&
  @   AllInside(items, n, segment, offset, size) &&
  @   AllUnderCap(size, segments, cap) &&
  @   NoClash(kind, items, n, segment, offset) &&
  @   AllExact(items, n, segment, offset, size, segments);
  @*/

/* Judges a claimed layout of n items (VAL): the first violation, or valid.
 *
 * kind       PP_ARENA: items share bytes as ARN-1 says, in each segment by
 *            itself; otherwise no two items of a segment may share a byte
 * items      n items; NULL when n is 0
 * cap        bytes, any value: no segment may be larger
 * segment, offset   n entries each: the place claimed for each item
 * size, segments    segments entries: the claimed sizes of the segments
 * violation  out, written with PP_OK: what was found (see types.h)
 * bad        out, written with PP_BAD_SPAN alone
 * The caller owns all memory; violation and bad may not overlap anything.
 * No claim is trusted: every value of every array is answered.
 *
 * PP_OK        violation->kind is PP_VALID or the first kind, in the order of
 *              pp_violation_kind, that the layout is guilty of; an end past
 *              2^64-1 is PP_PAST_END
 * PP_BAD_SPAN  PP_ARENA: *bad is the first item with lo > hi
 * VAL-2, sound and complete: the answer is PP_VALID if and only if the layout
 * is a ValidLayout, and what is reported instead is real and the first.
 * Thread-safe: touches nothing but its arguments. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(segment + (0 .. n - 1));
  @ requires \valid_read(offset + (0 .. n - 1));
  @ requires \valid_read(size + (0 .. segments - 1));
  @ requires \valid(violation) && \valid(bad);
  @ requires \separated(violation, bad, items + (0 .. n - 1));
  @ requires \separated(violation, bad, segment + (0 .. n - 1));
  @ requires \separated(violation, bad, offset + (0 .. n - 1));
  @ requires \separated(violation, bad, size + (0 .. segments - 1));
  @ terminates \true;
  @ assigns *violation, *bad;
  @ ensures arn_bad_span_only: \result == PP_OK || \result == PP_BAD_SPAN;
  @ ensures arn_bad_span_status:
  @   \result == PP_BAD_SPAN <==> !SpansGood{Pre}(kind, items, n);
  @ ensures arn_bad_span_first: \result == PP_BAD_SPAN ==>
  @   *bad < n && BadSpan{Pre}(items, *bad) &&
  @   SpansGood{Pre}(kind, items, *bad);
  @ ensures val_1_no_such_segment:
  @   \result == PP_OK && violation->kind == PP_NO_SUCH_SEGMENT ==>
  @     Lost{Pre}(n, segment, segments, violation->first);
  @ ensures val_1_misaligned:
  @   \result == PP_OK && violation->kind == PP_MISALIGNED ==>
  @     Misaligned{Pre}(items, n, offset, violation->first);
  @ ensures val_1_past_end:
  @   \result == PP_OK && violation->kind == PP_PAST_END ==>
  @     PastEnd{Pre}(items, n, segment, offset, size, violation->first);
  @ ensures val_1_segment_too_big:
  @   \result == PP_OK && violation->kind == PP_SEGMENT_TOO_BIG ==>
  @     TooBig{Pre}(size, segments, cap, violation->first);
  @ ensures val_1_shared_bytes:
  @   \result == PP_OK && violation->kind == PP_SHARED_BYTES ==>
  @     SharedBytes{Pre}(kind, items, n, segment, offset, violation->first,
  @                 violation->second, violation->lo, violation->hi);
  @ ensures val_1_wrong_size:
  @   \result == PP_OK && violation->kind == PP_WRONG_SIZE ==>
  @     WrongSize{Pre}(items, n, segment, offset, size, segments,
  @               violation->first, violation->lo, violation->hi);
  @ ensures val_1_other_fields: \result == PP_OK ==>
  @   (violation->kind == PP_VALID ==> violation->first == 0) &&
  @   (violation->kind != PP_SHARED_BYTES ==> violation->second == 0) &&
  @   (violation->kind != PP_SHARED_BYTES &&
  @    violation->kind != PP_WRONG_SIZE ==>
  @      violation->lo == 0 && violation->hi == 0);
  @ ensures val_1_order: \result == PP_OK ==>
  @   PP_VALID <= violation->kind <= PP_WRONG_SIZE &&
  @   NoneBefore{Pre}(Rank(violation->kind), kind, items, n, cap, segment,
  @                   offset, size, segments);
  @ ensures val_2_sound_and_complete: \result == PP_OK ==>
  @   (violation->kind == PP_VALID <==>
  @    ValidLayout{Pre}(kind, items, n, cap, segment, offset, size, segments));
  @ behavior bad_span:
  @   assumes !SpansGood(kind, items, n);
  @   assigns *bad;
  @ behavior judged:
  @   assumes SpansGood(kind, items, n);
  @   assigns *violation;
  @ complete behaviors;
  @ disjoint behaviors;
  @*/
pp_status pp_ref_validate(pp_kind kind, const pp_item *items, size_t n,
                          uint64_t cap, const size_t *segment,
                          const uint64_t *offset, const uint64_t *size,
                          size_t segments, pp_violation *violation,
                          size_t *bad);

#endif
