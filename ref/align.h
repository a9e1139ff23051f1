/* poolproof reference: alignment (SEG-1). SPDX-License-Identifier: MIT */
#ifndef PP_REF_ALIGN_H
#define PP_REF_ALIGN_H

#include "types.h"

/* What "x is a multiple of align" means is visible in align.c alone. All
 * other files know one fact about it, proved there as a lemma of the same
 * name, so that no other proof meets a division. */
#ifdef PP_REF_ALIGN_VISIBLE
/*@ predicate Aligned(integer x, integer align) =
  @   align <= 1 || x % align == 0;
  @*/
#else
/*@ axiomatic Alignment {
  @   predicate Aligned(integer x, integer align);
  @   axiom zero_is_aligned: \forall integer align; Aligned(0, align);
  @ }
  @*/
#endif

/*@ // SEG-1: y is x aligned up.
  @ predicate LeastAligned(integer x, integer align, integer y) =
  @   x <= y && Aligned(y, align) &&
  @   \forall integer m; x <= m && Aligned(m, align) ==> y <= m;
  @*/

/* The bytes to skip at x, so that x + result is x aligned up (SEG-1): 0 when
 * x is aligned, else below align. align: 0 and 1 mean none, any other value
 * is legal. The sum may lie past 2^64-1, which is why it is not what is
 * returned. Thread-safe: touches no memory. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures seg_1_least_multiple: LeastAligned(x, align, x + \result);
  @ ensures seg_1_aligned_stays: \result == 0 <==> Aligned(x, align);
  @ ensures seg_1_below_align: \result == 0 || \result < align;
  @*/
uint64_t pp_ref_padding(uint64_t x, uint64_t align);

#endif
