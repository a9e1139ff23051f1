/* poolproof reference: contracts that can run. A proof, not a program.
 *
 * A predicate that speaks of all bytes, or of all offsets, cannot be evaluated.
 * For each such predicate P there is one here, Runs_P, that can, and a proof
 * that both say the same: a lemma for all parameters, whose premise, if it
 * has one, is checked whenever Runs_P runs. proofs/contracts takes Runs_P
 * where a contract says P. Compiled nowhere. SPDX-License-Identifier: MIT */
#define PP_REF_ALIGN_VISIBLE
#include "align.h"
#include "arena.h"
#include "segments.h"
#include "validate.h"

/*@ // x aligned up.
  @ logic integer Up(integer x, integer align) =
  @   align <= 1 || x % align == 0 ? x : x - x % align + align;
  @
  @ lemma multiple: \forall integer k, a; 0 < a ==> (k * a) % a == 0;
  @
  @ lemma division: \forall integer x, a; 0 <= x && 0 < a ==>
  @   x == (x / a) * a + x % a && 0 <= x % a < a;
  @
  @ lemma next_form: \forall integer x, a; 0 <= x && 0 < a ==>
  @   x - x % a + a == (x / a + 1) * a;
  @
  @ lemma next_multiple: \forall integer x, a; 0 < a ==>
  @   ((x / a + 1) * a) % a == 0;
  @
  @ lemma next_is_multiple: \forall integer x, a; 0 <= x && 0 < a ==>
  @   (x - x % a + a) % a == 0;
  @
  @ lemma form: \forall integer x, a; 0 <= x && 0 < a && x % a == 0 ==>
  @   x == (x / a) * a;
  @
  @ lemma factors: \forall integer j, k, a;
  @   0 < a && j * a < k * a ==> j * a + a <= k * a;
  @
  @ lemma apart: \forall integer x, y, a;
  @   0 <= x < y && 0 < a && x % a == 0 && y % a == 0 ==> x + a <= y;
  @
  @ lemma next_after: \forall integer x, a; 0 <= x && 0 < a && x % a == 0 ==>
  @   (x + a) % a == 0;
  @
  @ lemma next_before: \forall integer x, a; 0 < a <= x && x % a == 0 ==>
  @   (x - a) % a == 0;
  @
  @ lemma up_is_aligned: \forall integer x, a; 0 <= x ==>
  @   Aligned(Up(x, a), a);
  @
  @ lemma up_is_close: \forall integer x, a; 0 <= x ==>
  @   x <= Up(x, a) && (Up(x, a) == x || Up(x, a) < x + a);
  @
  @ lemma up_is_least: \forall integer x, a, m;
  @   0 <= x <= m && Aligned(m, a) ==> Up(x, a) <= m;
  @
  @ lemma up_is: \forall integer x, a, m;
  @   0 <= x <= m && Aligned(m, a) && (x == m || m < x + a) ==> m == Up(x, a);
  @*/

/*@ predicate Runs_LeastAligned(integer x, integer align, integer y) =
  @   y == Up(x, align);
  @
  @ lemma runs_least_aligned: \forall integer x, align, y; 0 <= x ==>
  @   (LeastAligned(x, align, y) <==> Runs_LeastAligned(x, align, y));
  @
  @ predicate Runs_NoFit(integer end, integer size, integer align,
  @                      integer cap) =
  @   Up(end, align) + size > cap;
  @
  @ lemma runs_no_fit: \forall integer end, size, align, cap; 0 <= end ==>
  @   (NoFit(end, size, align, cap) <==> Runs_NoFit(end, size, align, cap));
  @*/

/*@ // The bytes that items i and j share are those from First to Last.
  @ logic integer First(uint64_t *offset, integer i, integer j) =
  @   \max(offset[i], offset[j]);
  @
  @ logic integer Last(pp_item *items, uint64_t *offset, integer i,
  @                    integer j) =
  @   \min(End(items, offset, i), End(items, offset, j));
  @
  @ lemma shared_byte: \forall pp_item *items, uint64_t *offset,
  @   integer i, j, b;
  @     Owns(items, offset, i, b) && Owns(items, offset, j, b) <==>
  @     First(offset, i, j) <= b < Last(items, offset, i, j);
  @
  @ predicate Runs_Clash(pp_kind kind, pp_item *items, size_t *segment,
  @                      uint64_t *offset, integer i, integer j) =
  @   segment[i] == segment[j] &&
  @   (kind == PP_ARENA ==> Conflict(items, i, j)) &&
  @   First(offset, i, j) < Last(items, offset, i, j);
  @
  @ lemma clash_witness: \forall pp_kind kind, pp_item *items,
  @   size_t *segment, uint64_t *offset, integer i, j;
  @     Runs_Clash(kind, items, segment, offset, i, j) ==>
  @     Owns(items, offset, i, First(offset, i, j)) &&
  @     Owns(items, offset, j, First(offset, i, j));
  @
  @ lemma runs_clash: \forall pp_kind kind, pp_item *items, size_t *segment,
  @   uint64_t *offset, integer i, j;
  @     Clash(kind, items, segment, offset, i, j) <==>
  @     Runs_Clash(kind, items, segment, offset, i, j);
  @
  @ // The bytes from lo to hi are those that items i and j share.
  @ predicate Shared(pp_item *items, uint64_t *offset, integer i, integer j,
  @                  integer lo, integer hi) =
  @   \forall integer b; lo <= b < hi <==>
  @     Owns(items, offset, i, b) && Owns(items, offset, j, b);
  @
  @ lemma shared_outer: \forall pp_item *items, uint64_t *offset,
  @   integer i, j, lo, hi;
  @     lo < hi && Shared(items, offset, i, j, lo, hi) ==>
  @       Owns(items, offset, i, lo) && Owns(items, offset, j, lo) &&
  @       Owns(items, offset, i, hi - 1) && Owns(items, offset, j, hi - 1);
  @
  @ lemma shared_inner: \forall pp_item *items, uint64_t *offset,
  @   integer i, j, b, lo, hi;
  @     Owns(items, offset, i, b) && Owns(items, offset, j, b) &&
  @     Shared(items, offset, i, j, lo, hi) ==> lo <= b < hi;
  @
  @ lemma shared_to: \forall pp_item *items, uint64_t *offset,
  @   integer i, j, lo, hi;
  @     lo < hi && First(offset, i, j) < Last(items, offset, i, j) &&
  @     Shared(items, offset, i, j, lo, hi) ==>
  @       Owns(items, offset, i, First(offset, i, j)) &&
  @       Owns(items, offset, j, First(offset, i, j)) &&
  @       Owns(items, offset, i, Last(items, offset, i, j) - 1) &&
  @       Owns(items, offset, j, Last(items, offset, i, j) - 1) &&
  @       lo == First(offset, i, j) && hi == Last(items, offset, i, j);
  @
  @ lemma shared_back: \forall pp_item *items, uint64_t *offset,
  @   integer i, j, lo, hi;
  @     lo == First(offset, i, j) && hi == Last(items, offset, i, j) ==>
  @       Shared(items, offset, i, j, lo, hi);
  @
  @ predicate Runs_SharedBytes(pp_kind kind, pp_item *items, integer n,
  @                            size_t *segment, uint64_t *offset,
  @                            integer first, integer second, integer lo,
  @                            integer hi) =
  @   first < second < n &&
  @   Clash(kind, items, segment, offset, first, second) &&
  @   NoClash(kind, items, second, segment, offset) &&
  @   NoClashWith(kind, items, first, segment, offset, second) && lo < hi &&
  @   lo == First(offset, first, second) &&
  @   hi == Last(items, offset, first, second);
  @
  @ lemma shared_bytes: \forall pp_kind kind, pp_item *items, integer n,
  @   size_t *segment, uint64_t *offset, integer first, second, lo, hi;
  @     SharedBytes(kind, items, n, segment, offset, first, second, lo, hi)
  @     ==> Shared(items, offset, first, second, lo, hi) && lo < hi &&
  @     First(offset, first, second) < Last(items, offset, first, second);
  @
  @ lemma shared_bytes_to: \forall pp_kind kind, pp_item *items, integer n,
  @   size_t *segment, uint64_t *offset, integer first, second, lo, hi;
  @     SharedBytes(kind, items, n, segment, offset, first, second, lo, hi)
  @     ==>
  @     Runs_SharedBytes(kind, items, n, segment, offset, first, second, lo,
  @                      hi);
  @
  @ lemma shared_bytes_back: \forall pp_kind kind, pp_item *items, integer n,
  @   size_t *segment, uint64_t *offset, integer first, second, lo, hi;
  @     Runs_SharedBytes(kind, items, n, segment, offset, first, second, lo,
  @                      hi) ==>
  @     SharedBytes(kind, items, n, segment, offset, first, second, lo, hi);
  @
  @ lemma runs_shared_bytes: \forall pp_kind kind, pp_item *items, integer n,
  @   size_t *segment, uint64_t *offset, integer first, second, lo, hi;
  @     SharedBytes(kind, items, n, segment, offset, first, second, lo, hi)
  @     <==>
  @     Runs_SharedBytes(kind, items, n, segment, offset, first, second, lo,
  @                      hi);
  @*/

/*@ // The least offset that is free is 0, or the end of an item that blocks
  @ // the aligned offset before it, aligned up: no other need be looked at.
  @ predicate Runs_NoneBelow(pp_item *items, size_t *order, integer q,
  @                          uint64_t *offset, integer o) =
  @   (0 < o ==> Blocked(items, order, q, offset, order[q], 0)) &&
  @   \forall integer p; 0 <= p < q &&
  @     Conflict(items, order[q], order[p]) &&
  @     Up(End(items, offset, order[p]), items[order[q]].align) < o ==>
  @       Blocked(items, order, q, offset, order[q],
  @               Up(End(items, offset, order[p]), items[order[q]].align));
  @
  @ lemma runs_none_below: \forall pp_item *items, size_t *order, integer q,
  @   uint64_t *offset, integer o; o <= 18446744073709551616 ==>
  @     NoneBelow(items, order, q, offset, o) ==>
  @     Runs_NoneBelow(items, order, q, offset, o);
  @
  @ lemma blocker_ends: \forall pp_item *items, size_t *order, integer q,
  @   uint64_t *offset, integer i, m, step;
  @     0 <= step && Blocked(items, order, q, offset, i, m - step) &&
  @     !Blocked(items, order, q, offset, i, m) ==>
  @       \exists integer p; 0 <= p < q && Conflict(items, i, order[p]) &&
  @         m - step < End(items, offset, order[p]) <= m;
  @
  @ lemma none_below_nothing: \forall pp_item *items, size_t *order,
  @   integer q, uint64_t *offset, integer o; o <= 0 ==>
  @     NoneBelow(items, order, q, offset, o);
  @*/

/* The converse for 0 < o <= 2^64, o being last + 1, by induction over the
 * aligned offsets. */
/*@ requires Runs_NoneBelow(items, order, q, offset, last + 1);
  @ requires align == items[order[q]].align;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures none_below: NoneBelow(items, order, q, offset, last + 1);
  @*/
void pp_ref_none_below(const pp_item *items, const size_t *order, size_t q,
                       const uint64_t *offset, uint64_t last, uint64_t align) {
  uint64_t step = align <= 1 ? 1 : align;
  uint64_t m = 0;
  /*@ loop invariant in_range: 0 <= m <= last && Aligned(m, align);
    @ loop invariant before: 0 < m ==> step <= m && Aligned(m - step, align);
    @ loop invariant so_far: NoneBelow(items, order, q, offset, m);
    @ loop assigns m;
    @ loop variant last - m;
    @*/
  for (;;) {
    /*@ assert blocked_before: 0 < m ==>
      @   Blocked(items, order, q, offset, order[q], m - step);
      @*/
    /*@ assert ends_here: \forall integer p; 0 <= p < q &&
      @   Conflict(items, order[q], order[p]) &&
      @   m - step < End(items, offset, order[p]) <= m ==>
      @     0 < m ==> Up(End(items, offset, order[p]), align) == m;
      @*/
    //@ assert blocked_here: Blocked(items, order, q, offset, order[q], m);
    /*@ assert next: \forall integer x; m < x && Aligned(x, align) ==>
      @   m + step <= x;
      @*/
    //@ assert further: NoneBelow(items, order, q, offset, m + step);
    if (step > last - m) return;
    m += step;
  }
}
