/* poolproof reference: is a claimed layout valid (VAL).
 * SPDX-License-Identifier: MIT */
#include "validate.h"

/*@ // No end is past 2^64-1.
  @ predicate EndsFit(pp_item *items, integer n, uint64_t *offset) =
  @   \forall integer i; 0 <= i < n ==>
  @     End(items, offset, i) <= 18446744073709551615;
  @*/

/*@ requires \valid_read(segment + (0 .. n - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= n;
  @ ensures val_1_real: \result < n ==> segment[\result] >= segments;
  @ ensures val_1_first: AllNamed(\result, segment, segments);
  @ ensures val_2_all: \result == n <==> AllNamed(n, segment, segments);
  @*/
static size_t first_lost(const size_t *segment, size_t n, size_t segments) {
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant val_1_first: AllNamed(i, segment, segments);
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++)
    if (segment[i] >= segments) return i;
  return n;
}

/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(offset + (0 .. n - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= n;
  @ ensures val_1_real:
  @   \result < n ==> !Aligned(offset[\result], items[\result].align);
  @ ensures val_1_first: AllAligned(items, \result, offset);
  @ ensures val_2_all: \result == n <==> AllAligned(items, n, offset);
  @*/
static size_t first_misaligned(const pp_item *items, size_t n,
                               const uint64_t *offset) {
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant val_1_first: AllAligned(items, i, offset);
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++)
    if (pp_ref_padding(offset[i], items[i].align) != 0) return i;
  return n;
}

/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(segment + (0 .. n - 1));
  @ requires \valid_read(offset + (0 .. n - 1));
  @ requires \forall integer i; 0 <= i < n ==>
  @   \valid_read(size + segment[i]);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= n;
  @ ensures val_1_real: \result < n ==>
  @   End(items, offset, \result) > size[segment[\result]];
  @ ensures val_1_first:
  @   AllInside(items, \result, segment, offset, size);
  @ ensures val_2_all:
  @   \result == n <==> AllInside(items, n, segment, offset, size);
  @*/
static size_t first_past_end(const pp_item *items, size_t n,
                             const size_t *segment, const uint64_t *offset,
                             const uint64_t *size) {
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant val_1_first:
    @   AllInside(items, i, segment, offset, size);
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++) {
    uint64_t room = size[segment[i]];
    if (offset[i] > room || items[i].size > room - offset[i]) return i;
  }
  return n;
}

/*@ requires \valid_read(size + (0 .. segments - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= segments;
  @ ensures val_1_real: \result < segments ==> size[\result] > cap;
  @ ensures val_1_first: AllUnderCap(size, \result, cap);
  @ ensures val_2_all:
  @   \result == segments <==> AllUnderCap(size, segments, cap);
  @*/
static size_t first_too_big(const uint64_t *size, size_t segments,
                            uint64_t cap) {
  /*@ loop invariant 0 <= s <= segments;
    @ loop invariant val_1_first: AllUnderCap(size, s, cap);
    @ loop assigns s;
    @ loop variant segments - s;
    @*/
  for (size_t s = 0; s < segments; s++)
    if (size[s] > cap) return s;
  return segments;
}

/*@ requires \valid_read(items + (0 .. j));
  @ requires \valid_read(segment + (0 .. j));
  @ requires \valid_read(offset + (0 .. j));
  @ requires EndsFit(items, j + 1, offset) && i <= j;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures val_1_clash:
  @   \result <==> Clash(kind, items, segment, offset, i, j);
  @*/
static bool clash(pp_kind kind, const pp_item *items, const size_t *segment,
                  const uint64_t *offset, size_t i, size_t j) {
  if (segment[i] != segment[j]) return false;
  if (items[i].size == 0 || items[j].size == 0) return false;
  if (offset[i] >= offset[j] + items[j].size) return false;
  if (offset[j] >= offset[i] + items[i].size) return false;
  /*@ assert witness: \let b = \max(offset[i], offset[j]);
    @   Owns(items, offset, i, b) && Owns(items, offset, j, b);
    @*/
  return kind != PP_ARENA || pp_ref_conflict(items, i, j);
}

/*@ requires \valid_read(items + (0 .. j));
  @ requires \valid_read(segment + (0 .. j));
  @ requires \valid_read(offset + (0 .. j));
  @ requires EndsFit(items, j + 1, offset);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= j;
  @ ensures val_1_real:
  @   \result < j ==> Clash(kind, items, segment, offset, \result, j);
  @ ensures val_1_least_first:
  @   NoClashWith(kind, items, \result, segment, offset, j);
  @*/
static size_t first_clash(pp_kind kind, const pp_item *items,
                          const size_t *segment, const uint64_t *offset,
                          size_t j) {
  /*@ loop invariant 0 <= i <= j;
    @ loop invariant val_1_least_first:
    @   NoClashWith(kind, items, i, segment, offset, j);
    @ loop assigns i;
    @ loop variant j - i;
    @*/
  for (size_t i = 0; i < j; i++)
    if (clash(kind, items, segment, offset, i, j)) return i;
  return j;
}

/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(segment + (0 .. n - 1));
  @ requires \valid_read(offset + (0 .. n - 1));
  @ requires EndsFit(items, n, offset);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= n;
  @ ensures val_1_real: \result < n ==>
  @   !NoClashWith(kind, items, \result, segment, offset, \result);
  @ ensures val_1_least_second:
  @   NoClash(kind, items, \result, segment, offset);
  @ ensures val_2_all:
  @   \result == n <==> NoClash(kind, items, n, segment, offset);
  @*/
static size_t first_clashing(pp_kind kind, const pp_item *items, size_t n,
                             const size_t *segment, const uint64_t *offset) {
  /*@ loop invariant 0 <= j <= n;
    @ loop invariant val_1_least_second:
    @   NoClash(kind, items, j, segment, offset);
    @ loop assigns j;
    @ loop variant n - j;
    @*/
  for (size_t j = 0; j < n; j++) {
    size_t i = first_clash(kind, items, segment, offset, j);
    //@ assert i < j ==> !NoClashWith(kind, items, j, segment, offset, j);
    //@ assert i < j ==> !NoClash(kind, items, n, segment, offset);
    if (i < j) return j;
  }
  return n;
}

/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(segment + (0 .. n - 1));
  @ requires \valid_read(offset + (0 .. n - 1));
  @ requires EndsFit(items, n, offset);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures val_1_greatest_end:
  @   GreatestEnd(items, n, segment, offset, s, \result);
  @*/
static uint64_t greatest_end(const pp_item *items, size_t n,
                             const size_t *segment, const uint64_t *offset,
                             size_t s) {
  uint64_t top = 0;
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant val_1_greatest_end:
    @   GreatestEnd(items, i, segment, offset, s, top);
    @ loop assigns i, top;
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++)
    if (segment[i] == s && offset[i] + items[i].size > top)
      top = offset[i] + items[i].size;
  return top;
}

/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(segment + (0 .. n - 1));
  @ requires \valid_read(offset + (0 .. n - 1));
  @ requires \valid_read(size + (0 .. segments - 1));
  @ requires EndsFit(items, n, offset);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures in_range: \result <= segments;
  @ ensures val_1_real: \result < segments ==>
  @   !GreatestEnd(items, n, segment, offset, \result, size[\result]);
  @ ensures val_1_first:
  @   AllExact(items, n, segment, offset, size, \result);
  @ ensures val_2_all: \result == segments <==>
  @   AllExact(items, n, segment, offset, size, segments);
  @*/
static size_t first_wrong_size(const pp_item *items, size_t n,
                               const size_t *segment, const uint64_t *offset,
                               const uint64_t *size, size_t segments) {
  /*@ loop invariant 0 <= s <= segments;
    @ loop invariant val_1_first:
    @   AllExact(items, n, segment, offset, size, s);
    @ loop assigns s;
    @ loop variant segments - s;
    @*/
  for (size_t s = 0; s < segments; s++)
    if (size[s] != greatest_end(items, n, segment, offset, s)) return s;
  return segments;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures val_1_kind: \result.kind == kind && \result.first == first;
  @ ensures val_1_second: \result.second == second;
  @ ensures val_1_bytes: \result.lo == lo && \result.hi == hi;
  @*/
static pp_violation found(pp_violation_kind kind, size_t first, size_t second,
                          uint64_t lo, uint64_t hi) {
  pp_violation v = {kind, first, second, lo, hi};
  return v;
}

/*@ requires \valid_read(items + i) && \valid_read(items + j);
  @ requires \valid_read(offset + i) && \valid_read(offset + j);
  @ requires End(items, offset, i) <= 18446744073709551615;
  @ requires End(items, offset, j) <= 18446744073709551615;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures val_1_kind: \result.kind == PP_SHARED_BYTES;
  @ ensures val_1_items: \result.first == i && \result.second == j;
  @ ensures val_1_lo: \result.lo == \max(offset[i], offset[j]);
  @ ensures val_1_hi: \result.hi ==
  @   \min(End(items, offset, i), End(items, offset, j));
  @*/
static pp_violation found_clash(const pp_item *items, const uint64_t *offset,
                                size_t i, size_t j) {
  uint64_t end_i = offset[i] + items[i].size;
  uint64_t end_j = offset[j] + items[j].size;
  return found(PP_SHARED_BYTES, i, j,
               offset[i] > offset[j] ? offset[i] : offset[j],
               end_i < end_j ? end_i : end_j);
}

/*@ // What judge answers is the first violation v.
  @ predicate Verdict(pp_violation v, pp_kind kind, pp_item *items,
  @                   integer n, integer cap, size_t *segment,
  @                   uint64_t *offset, uint64_t *size, integer segments) =
  @   (v.kind == PP_NO_SUCH_SEGMENT ==>
  @     Lost(n, segment, segments, v.first)) &&
  @   (v.kind == PP_MISALIGNED ==> Misaligned(items, n, offset, v.first)) &&
  @   (v.kind == PP_PAST_END ==>
  @     PastEnd(items, n, segment, offset, size, v.first)) &&
  @   (v.kind == PP_SEGMENT_TOO_BIG ==>
  @     TooBig(size, segments, cap, v.first)) &&
  @   (v.kind == PP_SHARED_BYTES ==>
  @     SharedBytes(kind, items, n, segment, offset, v.first, v.second, v.lo,
  @                 v.hi)) &&
  @   (v.kind == PP_WRONG_SIZE ==>
  @     WrongSize(items, n, segment, offset, size, segments, v.first, v.lo,
  @               v.hi)) &&
  @   PP_VALID <= v.kind <= PP_WRONG_SIZE &&
  @   NoneBefore(Rank(v.kind), kind, items, n, cap, segment, offset, size,
  @              segments);
  @*/

/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(segment + (0 .. n - 1));
  @ requires \valid_read(offset + (0 .. n - 1));
  @ requires \valid_read(size + (0 .. segments - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures val_1_verdict: Verdict(\result, kind, items, n, cap, segment,
  @   offset, size, segments);
  @ ensures val_2_sound_and_complete: \result.kind == PP_VALID <==>
  @   ValidLayout(kind, items, n, cap, segment, offset, size, segments);
  @ ensures val_1_other_fields:
  @   (\result.kind == PP_VALID ==> \result.first == 0) &&
  @   (\result.kind != PP_SHARED_BYTES ==> \result.second == 0) &&
  @   (\result.kind != PP_SHARED_BYTES && \result.kind != PP_WRONG_SIZE ==>
  @     \result.lo == 0 && \result.hi == 0);
  @*/
static pp_violation judge(pp_kind kind, const pp_item *items, size_t n,
                          uint64_t cap, const size_t *segment,
                          const uint64_t *offset, const uint64_t *size,
                          size_t segments) {
  size_t k = first_lost(segment, n, segments);
  if (k < n) return found(PP_NO_SUCH_SEGMENT, k, 0, 0, 0);
  k = first_misaligned(items, n, offset);
  if (k < n) return found(PP_MISALIGNED, k, 0, 0, 0);
  k = first_past_end(items, n, segment, offset, size);
  if (k < n) return found(PP_PAST_END, k, 0, 0, 0);
  k = first_too_big(size, segments, cap);
  if (k < segments) return found(PP_SEGMENT_TOO_BIG, k, 0, 0, 0);
  k = first_clashing(kind, items, n, segment, offset);
  if (k < n) {
    size_t i = first_clash(kind, items, segment, offset, k);
    return found_clash(items, offset, i, k);
  }
  k = first_wrong_size(items, n, segment, offset, size, segments);
  if (k == segments) return found(PP_VALID, 0, 0, 0, 0);
  uint64_t real = greatest_end(items, n, segment, offset, k);
  return found(PP_WRONG_SIZE, k, 0, size[k], real);
}

pp_status pp_ref_validate(pp_kind kind, const pp_item *items, size_t n,
                          uint64_t cap, const size_t *segment,
                          const uint64_t *offset, const uint64_t *size,
                          size_t segments, pp_violation *violation,
                          size_t *bad) {
  size_t k = kind == PP_ARENA ? pp_ref_first_bad_span(items, n) : n;
  if (k < n) {
    *bad = k;
    return PP_BAD_SPAN;
  }
  pp_violation v = judge(kind, items, n, cap, segment, offset, size, segments);
  *violation = v;
  return PP_OK;
}
