/* poolproof reference: what ranks flips is a strict total order (FPT-4). A
 * proof, not a program: compiled nowhere. SPDX-License-Identifier: MIT */
#include "budget.h"

/*@ // The difference of two flips' ratios, times their costs.
  @ logic integer Lead(pp_ref_rank *a, pp_ref_rank *b) =
  @   Bytes(a->relief) * b->cost - Bytes(b->relief) * a->cost;
  @*/

/* What a ranking must be for there to be one sequence of flips. */
/*@ requires \valid_read(a) && \valid_read(b) && \valid_read(c);
  @ requires 0 < a->cost && 0 < b->cost && 0 < c->cost;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures fpt_4_irreflexive: !RanksBefore(a, a);
  @ ensures fpt_4_asymmetric: RanksBefore(a, b) ==> !RanksBefore(b, a);
  @ ensures fpt_4_transitive:
  @   RanksBefore(a, b) && RanksBefore(b, c) ==> RanksBefore(a, c);
  @ ensures fpt_4_total:
  @   a->uid != b->uid ==> RanksBefore(a, b) || RanksBefore(b, a);
  @*/
void pp_ref_ranks_order(const pp_ref_rank *a, const pp_ref_rank *b,
                        const pp_ref_rank *c) {
  //@ assert fpt_4_opposite: Lead(b, a) == -Lead(a, b);
  /*@ assert fpt_4_chain: Lead(a, c) * b->cost ==
    @   Lead(a, b) * c->cost + Lead(b, c) * a->cost;
    @*/
  /*@ assert fpt_4_greater: 0 <= Lead(a, b) && 0 <= Lead(b, c) &&
    @   0 < Lead(a, b) + Lead(b, c) ==> 0 < Lead(a, c);
    @*/
  /*@ assert fpt_4_equal: Lead(a, b) == 0 && Lead(b, c) == 0 ==>
    @   Lead(a, c) == 0;
    @*/
}
