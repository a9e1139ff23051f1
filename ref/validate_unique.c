/* poolproof reference: VAL leaves no choice either. A proof, not a program:
 * what validate.h says of the answer is so much that two answers to one
 * question are equal. Compiled nowhere. SPDX-License-Identifier: MIT */
#include "validate.h"

/*@ // All that pp_ref_validate says of the violation that it answers, but
  @ // VAL-2, which follows (valid_layout).
  @ predicate Answer(pp_violation v, pp_kind kind, pp_item *items,
  @                  integer n, integer cap, size_t *segment,
  @                  uint64_t *offset, uint64_t *size, integer segments) =
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
  @   (v.kind == PP_VALID ==> v.first == 0) &&
  @   (v.kind != PP_SHARED_BYTES ==> v.second == 0) &&
  @   (v.kind != PP_SHARED_BYTES && v.kind != PP_WRONG_SIZE ==>
  @     v.lo == 0 && v.hi == 0) &&
  @   PP_VALID <= v.kind <= PP_WRONG_SIZE &&
  @   NoneBefore(Rank(v.kind), kind, items, n, cap, segment, offset, size,
  @              segments);
  @
  @ lemma clash_with{L}:
  @   \forall pp_kind kind, pp_item *items, size_t *segment,
  @     uint64_t *offset, integer f, g;
  @   0 <= f < g && Clash(kind, items, segment, offset, f, g) ==>
  @   !NoClashWith(kind, items, g, segment, offset, g);
  @
  @ lemma clash_among{L}:
  @   \forall pp_kind kind, pp_item *items, size_t *segment,
  @     uint64_t *offset, integer f, g, m;
  @   0 <= f < g < m && Clash(kind, items, segment, offset, f, g) ==>
  @   !NoClash(kind, items, m, segment, offset);
  @
  @ lemma shared_ends{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, size_t *segment,
  @     uint64_t *offset, integer f, g, lo, hi; 0 <= f &&
  @   SharedBytes(kind, items, n, segment, offset, f, g, lo, hi) ==>
  @   Owns(items, offset, f, lo) && Owns(items, offset, g, lo) &&
  @   Owns(items, offset, f, hi - 1) && Owns(items, offset, g, hi - 1) &&
  @   !(Owns(items, offset, f, lo - 1) && Owns(items, offset, g, lo - 1)) &&
  @   !(Owns(items, offset, f, hi) && Owns(items, offset, g, hi));
  @
  @ lemma shared_range{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, size_t *segment,
  @     uint64_t *offset, integer f, g, lo, hi; 0 <= f &&
  @   SharedBytes(kind, items, n, segment, offset, f, g, lo, hi) ==>
  @   lo == \max(offset[f], offset[g]) &&
  @   hi == \min(End(items, offset, f), End(items, offset, g));
  @
  @ // VAL-1: a violation of one kind contradicts that there is none.
  @ lemma not_after_no_such_segment{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     r, f, g, lo, hi;
  @   0 <= f && NoneBefore(r, kind, items, n, cap, segment, offset,
  @              size, segments) &&
  @   Lost(n, segment, segments, f) ==>
  @   r <= PP_NO_SUCH_SEGMENT;
  @
  @ lemma not_after_misaligned{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     r, f, g, lo, hi;
  @   0 <= f && NoneBefore(r, kind, items, n, cap, segment, offset,
  @              size, segments) &&
  @   Misaligned(items, n, offset, f) ==>
  @   r <= PP_MISALIGNED;
  @
  @ lemma not_after_past_end{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     r, f, g, lo, hi;
  @   0 <= f && NoneBefore(r, kind, items, n, cap, segment, offset,
  @              size, segments) &&
  @   PastEnd(items, n, segment, offset, size, f) ==>
  @   r <= PP_PAST_END;
  @
  @ lemma not_after_segment_too_big{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     r, f, g, lo, hi;
  @   0 <= f && NoneBefore(r, kind, items, n, cap, segment, offset,
  @              size, segments) &&
  @   TooBig(size, segments, cap, f) ==>
  @   r <= PP_SEGMENT_TOO_BIG;
  @
  @ lemma not_after_shared_bytes{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     r, f, g, lo, hi;
  @   0 <= f && NoneBefore(r, kind, items, n, cap, segment, offset,
  @              size, segments) &&
  @   SharedBytes(kind, items, n, segment, offset, f, g, lo, hi) ==>
  @   r <= PP_SHARED_BYTES;
  @
  @ lemma not_after_wrong_size{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     r, f, g, lo, hi;
  @   0 <= f && NoneBefore(r, kind, items, n, cap, segment, offset,
  @              size, segments) &&
  @   WrongSize(items, n, segment, offset, size, segments, f, lo, hi) ==>
  @   r <= PP_WRONG_SIZE;
  @
  @ // VAL-1: there is one first violation of each kind.
  @ lemma one_second{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     f, g, lo, hi, f2, g2, lo2, hi2; 0 <= f && 0 <= f2 &&
  @   SharedBytes(kind, items, n, segment, offset, f, g, lo, hi) &&
  @   SharedBytes(kind, items, n, segment, offset, f2, g2, lo2, hi2) ==>
  @   g == g2;
  @
  @ lemma one_first{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     f, g, lo, hi, f2, g2, lo2, hi2; 0 <= f && 0 <= f2 &&
  @   SharedBytes(kind, items, n, segment, offset, f, g, lo, hi) &&
  @   SharedBytes(kind, items, n, segment, offset, f2, g2, lo2, hi2) ==>
  @   f == f2;
  @
  @ lemma one_lo{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     f, g, lo, hi, f2, g2, lo2, hi2; 0 <= f && 0 <= f2 &&
  @   SharedBytes(kind, items, n, segment, offset, f, g, lo, hi) &&
  @   SharedBytes(kind, items, n, segment, offset, f2, g2, lo2, hi2) ==>
  @   lo == lo2;
  @
  @ lemma one_hi{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     f, g, lo, hi, f2, g2, lo2, hi2; 0 <= f && 0 <= f2 &&
  @   SharedBytes(kind, items, n, segment, offset, f, g, lo, hi) &&
  @   SharedBytes(kind, items, n, segment, offset, f2, g2, lo2, hi2) ==>
  @   hi == hi2;
  @
  @ lemma one_wrong_size{L}:
  @   \forall pp_kind kind, pp_item *items, integer n, cap, size_t *segment,
  @     uint64_t *offset, uint64_t *size, integer segments,
  @     f, g, lo, hi, f2, g2, lo2, hi2; 0 <= f && 0 <= f2 &&
  @   WrongSize(items, n, segment, offset, size, segments, f, lo, hi) &&
  @   WrongSize(items, n, segment, offset, size, segments, f2, lo2, hi2) ==>
  @   f == f2 && lo == lo2 && hi == hi2;
  @
  @ lemma one_no_later{L}:
  @   \forall pp_violation v, w, pp_kind kind, pp_item *items, integer n, cap,
  @     size_t *segment, uint64_t *offset, uint64_t *size, integer segments;
  @   Answer(v, kind, items, n, cap, segment, offset, size, segments) &&
  @   Answer(w, kind, items, n, cap, segment, offset, size, segments) ==>
  @   Rank(v.kind) <= Rank(w.kind);
  @
  @ lemma one_kind{L}:
  @   \forall pp_violation v, w, pp_kind kind, pp_item *items, integer n, cap,
  @     size_t *segment, uint64_t *offset, uint64_t *size, integer segments;
  @   Answer(v, kind, items, n, cap, segment, offset, size, segments) &&
  @   Answer(w, kind, items, n, cap, segment, offset, size, segments) ==>
  @   v.kind == w.kind;
  @
  @ lemma one_place{L}:
  @   \forall pp_violation v, w, pp_kind kind, pp_item *items, integer n, cap,
  @     size_t *segment, uint64_t *offset, uint64_t *size, integer segments;
  @   Answer(v, kind, items, n, cap, segment, offset, size, segments) &&
  @   Answer(w, kind, items, n, cap, segment, offset, size, segments) ==>
  @   v.first == w.first && v.second == w.second;
  @
  @ lemma one_range{L}:
  @   \forall pp_violation v, w, pp_kind kind, pp_item *items, integer n, cap,
  @     size_t *segment, uint64_t *offset, uint64_t *size, integer segments;
  @   Answer(v, kind, items, n, cap, segment, offset, size, segments) &&
  @   Answer(w, kind, items, n, cap, segment, offset, size, segments) ==>
  @   v.lo == w.lo && v.hi == w.hi;
  @
  @ // VAL-2 follows: with no kind left to be guilty of, a layout is valid.
  @ lemma valid_layout{L}:
  @   \forall pp_violation v, pp_kind kind, pp_item *items, integer n, cap,
  @     size_t *segment, uint64_t *offset, uint64_t *size, integer segments;
  @   Answer(v, kind, items, n, cap, segment, offset, size, segments) ==>
  @   (v.kind == PP_VALID <==>
  @    ValidLayout(kind, items, n, cap, segment, offset, size, segments));
  @*/

/* VAL-1 for the program: whatever violation is as the rules say is the one
 * that pp_ref_validate answers. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(segment + (0 .. n - 1));
  @ requires \valid_read(offset + (0 .. n - 1));
  @ requires \valid_read(size + (0 .. segments - 1));
  @ requires \valid(v) && \valid(bad);
  @ requires \separated(v, bad, items + (0 .. n - 1));
  @ requires \separated(v, bad, segment + (0 .. n - 1));
  @ requires \separated(v, bad, offset + (0 .. n - 1));
  @ requires \separated(v, bad, size + (0 .. segments - 1));
  @ requires SpansGood(kind, items, n);
  @ requires Answer(w, kind, items, n, cap, segment, offset, size, segments);
  @ terminates \true;
  @ assigns *v, *bad;
  @ ensures arn_bad_span_only: \result == PP_OK;
  @ ensures val_1_this_kind: v->kind == w.kind;
  @ ensures val_1_this_place: v->first == w.first && v->second == w.second;
  @ ensures val_1_this_range: v->lo == w.lo && v->hi == w.hi;
  @*/
pp_status pp_ref_violation_only(pp_kind kind, const pp_item *items, size_t n,
                                uint64_t cap, const size_t *segment,
                                const uint64_t *offset, const uint64_t *size,
                                size_t segments, pp_violation *v, size_t *bad,
                                pp_violation w) {
  pp_status status = pp_ref_validate(kind, items, n, cap, segment, offset, size,
                                     segments, v, bad);
  /*@ assert answer: Answer{Pre}(\at(*v, Here), kind, items, n, cap, segment,
    @   offset, size, segments);
    @*/
  return status;
}

/* ARN for the program: the first item with a bad span is the one refused. */
/*@ requires \valid_read(items + (0 .. n - 1));
  @ requires \valid_read(segment + (0 .. n - 1));
  @ requires \valid_read(offset + (0 .. n - 1));
  @ requires \valid_read(size + (0 .. segments - 1));
  @ requires \valid(v) && \valid(bad);
  @ requires \separated(v, bad, items + (0 .. n - 1));
  @ requires \separated(v, bad, segment + (0 .. n - 1));
  @ requires \separated(v, bad, offset + (0 .. n - 1));
  @ requires \separated(v, bad, size + (0 .. segments - 1));
  @ requires first < n && !SpansGood(kind, items, n);
  @ requires BadSpan(items, first) && SpansGood(kind, items, first);
  @ terminates \true;
  @ assigns *v, *bad;
  @ ensures arn_bad_span_this_status: \result == PP_BAD_SPAN;
  @ ensures arn_bad_span_this_item: *bad == first;
  @*/
pp_status pp_ref_validate_refused(pp_kind kind, const pp_item *items, size_t n,
                                  uint64_t cap, const size_t *segment,
                                  const uint64_t *offset, const uint64_t *size,
                                  size_t segments, pp_violation *v, size_t *bad,
                                  size_t first) {
  pp_status status = pp_ref_validate(kind, items, n, cap, segment, offset, size,
                                     segments, v, bad);
  return status;
}
