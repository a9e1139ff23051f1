/* poolproof reference: releases over several calls (REL-1..4). Proofs, not a
 * program: what callers may rely on who go on where a call has failed, or call
 * once too often. Compiled nowhere. SPDX-License-Identifier: MIT */
#include "release.h"

/*@ // REL-1: the context reaches the pool, and nobody else holds it.
  @ predicate Owned(pp_location *at, pp_location *parent_at, bool *in_parent,
  @                 integer n, pp_location *constant, integer m,
  @                 integer pool) =
  @   (\exists integer i; 0 <= i < n && at[i].pool == pool) &&
  @   !Held(at, parent_at, in_parent, n, constant, m, pool);
  @
  @ lemma goes_on{A, B, C}:
  @   \forall pp_location *at, *parent_at, bool *in_parent, integer n,
  @     pp_location *constant, integer m, next, more;
  @   0 <= next <= more <= n &&
  @   SameNodes{A, B}(at, parent_at, in_parent, n, constant, m) &&
  @   FreedJust{A, B}(at, parent_at, in_parent, n, constant, m, 0, next) &&
  @   FreedJust{B, C}(at, parent_at, in_parent, n, constant, m, next, more) ==>
  @     FreedJust{A, C}(at, parent_at, in_parent, n, constant, m, 0, more);
  @*/

/* Each pool has a first node, so that what is due at some node are the pools
 * that the context owns. */
/*@ requires \valid_read(at + (0 .. n - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rel_1_due_are_owned:
  @   \forall integer p; DueBefore(at, parent_at, in_parent, n, constant, m,
  @                                n, p) <==>
  @     Owned(at, parent_at, in_parent, n, constant, m, p);
  @*/
void pp_ref_release_due(const pp_location *at, const pp_location *parent_at,
                        const bool *in_parent, size_t n,
                        const pp_location *constant, size_t m) {
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant due: \forall integer j; 0 <= j < i ==>
    @   Held(at, parent_at, in_parent, n, constant, m, at[j].pool) ||
    @   DueBefore(at, parent_at, in_parent, n, constant, m, n, at[j].pool);
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    /*@ loop invariant 0 <= k <= i;
      @ loop invariant \forall integer j; 0 <= j < k ==>
      @   at[j].pool != at[i].pool;
      @ loop assigns k;
      @ loop variant i - k;
      @*/
    while (at[k].pool != at[i].pool)
      k++;
    //@ assert first: k <= i && at[k].pool == at[i].pool && FirstNode(at, k);
    /*@ assert due: Held(at, parent_at, in_parent, n, constant, m,
      @   at[k].pool) || Due(at, parent_at, in_parent, n, constant, m, k);
      @*/
  }
  /*@ assert one_way: \forall integer p;
    @   DueBefore(at, parent_at, in_parent, n, constant, m, n, p) ==>
    @   Owned(at, parent_at, in_parent, n, constant, m, p);
    @*/
}

/* Any number of calls, from the first one on. */
/*@ requires \valid_read(at + (0 .. n - 1));
  @ requires \valid_read(parent_at + (0 .. n - 1));
  @ requires \valid_read(in_parent + (0 .. n - 1));
  @ requires \valid_read(constant + (0 .. m - 1));
  @ requires \valid(progress);
  @ requires \separated(progress, at + (0 .. n - 1),
  @   parent_at + (0 .. n - 1), in_parent + (0 .. n - 1),
  @   constant + (0 .. m - 1));
  @ requires progress->next == 0 && !progress->released;
  @ requires 0 < calls;
  @ terminates \true;
  @ assigns *progress, pp_ref_ledger[0 .. 3];
  @ ensures rel_1_never_others: \forall integer p;
  @   !Owned{Pre}(at, parent_at, in_parent, n, constant, m, p) ==>
  @     Freed(p) == Freed{Pre}(p);
  @ ensures rel_1_others_never_asked: \forall integer p;
  @   !Owned{Pre}(at, parent_at, in_parent, n, constant, m, p) ==>
  @     Asked(p) == Asked{Pre}(p);
  @ ensures rel_4_never_twice: \forall integer p;
  @   Freed{Pre}(p) <= Freed(p) <= Freed{Pre}(p) + 1;
  @ ensures rel_4_a_prefix:
  @   FreedJust{Pre, Post}(at, parent_at, in_parent, n, constant, m, 0,
  @                        progress->next);
  @ ensures rel_2_prefix_in_order:
  @   Ordered{Post, Post}(at, parent_at, in_parent, n, constant, m,
  @                       progress->next);
  @ ensures rel_1_each_own_once: \result == PP_OK ==> \forall integer p;
  @   Owned{Pre}(at, parent_at, in_parent, n, constant, m, p) ==>
  @     Freed(p) == Freed{Pre}(p) + 1;
  @ ensures rel_4_strict_prefix: \result != PP_OK ==>
  @   progress->next == 0 ||
  @   (progress->next < n &&
  @    Due(at, parent_at, in_parent, n, constant, m, progress->next));
  @ ensures rel_4_this_failure: \result == PP_OK || \result == LastStatus;
  @ ensures rel_4_one_failure_a_call:
  @   Failures <= \old(Failures) + calls && Awaits <= \old(Awaits) + calls;
  @*/
pp_status pp_ref_release_calls(const pp_location *at,
                               const pp_location *parent_at,
                               const bool *in_parent, size_t n,
                               const pp_location *constant, size_t m,
                               pp_ref_progress *progress, size_t calls) {
  pp_ref_release_due(at, parent_at, in_parent, n, constant, m);
  pp_status status = PP_BUSY;
  /*@ loop invariant 0 <= k <= calls;
    @ loop invariant k == 0 ==> status == PP_BUSY;
    @ loop invariant progress->next <= n;
    @ loop invariant progress->released ==> progress->next == n;
    @ loop invariant progress->released <==> status == PP_OK;
    @ loop invariant SameNodes{Pre, Here}(at, parent_at, in_parent, n,
    @                                     constant, m);
    @ loop invariant rel_4_this_failure:
    @   k == 0 || status == PP_OK || status == LastStatus;
    @ loop invariant rel_4_strict_prefix: status == PP_OK ||
    @   progress->next == 0 ||
    @   (progress->next < n &&
    @    Due(at, parent_at, in_parent, n, constant, m, progress->next));
    @ loop invariant rel_4_a_prefix:
    @   FreedJust{Pre, Here}(at, parent_at, in_parent, n, constant, m, 0,
    @                        progress->next);
    @ loop invariant rel_2_prefix_in_order:
    @   Ordered{Here, Here}(at, parent_at, in_parent, n, constant, m,
    @                       progress->next);
    @ loop invariant rel_1_others_never_asked: \forall integer p;
    @   !DueBefore{Pre}(at, parent_at, in_parent, n, constant, m, n, p) ==>
    @     Asked(p) == Asked{Pre}(p);
    @ loop invariant Failures <= \at(Failures, Pre) + k;
    @ loop invariant Awaits <= \at(Awaits, Pre) + k;
    @ loop assigns k, status, *progress, pp_ref_ledger[0 .. 3];
    @ loop variant calls - k;
    @*/
  for (size_t k = 0; k < calls; k++) {
    status = pp_ref_release(at, parent_at, in_parent, n, constant, m, progress);
    /*@ assert this_call:
      @   FreedJust{LoopCurrent, Here}(at, parent_at, in_parent, n, constant,
      @     m, \at(progress->next, LoopCurrent), progress->next);
      @*/
  }
  return status;
}
