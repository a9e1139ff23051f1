/* poolproof reference: releasing a context's pools (REL).
 * SPDX-License-Identifier: MIT */
#ifndef PP_REF_RELEASE_H
#define PP_REF_RELEASE_H

#include "types.h"

/* How far the release of a context has come. Starts as {0, false}.
 * next      nodes before this one are dealt with
 * released  all is freed; nothing is left to do */
typedef struct pp_ref_progress {
  size_t next;
  bool released;
} pp_ref_progress;

/* The device's ledger. Only the two calls below change it: C code cannot. */
/*@ ghost uint64_t pp_ref_ledger[4]; */

/*@ axiomatic Ledger {
  @   // How often a pool was freed.
  @   logic integer Freed{L}(integer pool) reads pp_ref_ledger[0 .. 3];
  @   // How often it was passed to free, freed or not.
  @   logic integer Asked{L}(integer pool) reads pp_ref_ledger[0 .. 3];
  @   // When it was freed last, counted in frees.
  @   logic integer When{L}(integer pool) reads pp_ref_ledger[0 .. 3];
  @   logic integer Frees{L} reads pp_ref_ledger[0 .. 3];
  @   // How often the device was waited for, and a call failed.
  @   logic integer Awaits{L} reads pp_ref_ledger[0 .. 3];
  @   logic integer Failures{L} reads pp_ref_ledger[0 .. 3];
  @   // What the last call answered.
  @   logic integer LastStatus{L} reads pp_ref_ledger[0 .. 3];
  @   // No work is in flight.
  @   predicate Idle{L} reads pp_ref_ledger[0 .. 3];
  @ }
  @
  @ predicate SamePools{A, B} =
  @   Frees{A} == Frees{B} && \forall integer p;
  @     Freed{A}(p) == Freed{B}(p) && When{A}(p) == When{B}(p);
  @
  @ predicate SameLedger{A, B} =
  @   SamePools{A, B} && Awaits{A} == Awaits{B} &&
  @   Failures{A} == Failures{B} && LastStatus{A} == LastStatus{B} &&
  @   \forall integer p; Asked{A}(p) == Asked{B}(p);
  @*/

/* The backend's calls: whoever links the reference provides them. What these
 * contracts say is assumed of them. This one waits for all work. */
/*@ terminates \true;
  @ assigns pp_ref_ledger[0 .. 3];
  @ ensures idle: \result == PP_OK ==> Idle;
  @ ensures no_pool: SamePools{Pre, Post};
  @ ensures none_asked: \forall integer p; Asked(p) == Asked{Pre}(p);
  @ ensures waited: Awaits == \old(Awaits) + 1;
  @ ensures failure: Failures == \old(Failures) + (\result == PP_OK ? 0 : 1);
  @ ensures last: LastStatus == \result;
  @*/
pp_status pp_ref_await(void);

/* This one frees a pool, or fails and leaves it as it was. */
/*@ requires rel_2_idle: Idle;
  @ terminates \true;
  @ assigns pp_ref_ledger[0 .. 3];
  @ ensures idle: Idle;
  @ ensures no_wait: Awaits == \old(Awaits);
  @ ensures failure: Failures == \old(Failures) + (\result == PP_OK ? 0 : 1);
  @ ensures last: LastStatus == \result;
  @ ensures untouched: \result != PP_OK ==> SamePools{Pre, Post};
  @ ensures asked: Asked(pool) == \old(Asked(pool)) + 1;
  @ ensures freed: \result == PP_OK ==>
  @   Freed(pool) == \old(Freed(pool)) + 1 && When(pool) == \old(Frees) &&
  @   Frees == \old(Frees) + 1;
  @ ensures others: \forall integer p; p != pool ==>
  @   Freed(p) == Freed{Pre}(p) && When(p) == When{Pre}(p) &&
  @   Asked(p) == Asked{Pre}(p);
  @*/
pp_status pp_ref_free_pool(uint64_t pool);

/*@ // REL-1: the parent holds node i at the same place.
  @ predicate Inherited(pp_location *at, pp_location *parent_at,
  @                     bool *in_parent, integer i) =
  @   in_parent[i] && parent_at[i].pool == at[i].pool &&
  @   parent_at[i].offset == at[i].offset;
  @
  @ // REL-1: others than this context hold the pool.
  @ predicate Held(pp_location *at, pp_location *parent_at, bool *in_parent,
  @                integer n, pp_location *constant, integer m,
  @                integer pool) =
  @   (\exists integer k; 0 <= k < m && constant[k].pool == pool) ||
  @   \exists integer i; 0 <= i < n && at[i].pool == pool &&
  @     Inherited(at, parent_at, in_parent, i);
  @
  @ // REL-2: node i is the first one of its pool.
  @ predicate FirstNode(pp_location *at, integer i) =
  @   \forall integer j; 0 <= j < i ==> at[j].pool != at[i].pool;
  @
  @ // REL-1, 2: a pool of the context's own is freed at node i.
  @ predicate Due(pp_location *at, pp_location *parent_at, bool *in_parent,
  @               integer n, pp_location *constant, integer m, integer i) =
  @   FirstNode(at, i) &&
  @   !Held(at, parent_at, in_parent, n, constant, m, at[i].pool);
  @
  @ // The pool is freed at one of the nodes before next.
  @ predicate DueBefore(pp_location *at, pp_location *parent_at,
  @                     bool *in_parent, integer n, pp_location *constant,
  @                     integer m, integer next, integer pool) =
  @   \exists integer i; 0 <= i < next && at[i].pool == pool &&
  @     Due(at, parent_at, in_parent, n, constant, m, i);
  @
  @ // REL-1, 4: from A to B the pools of nodes [from, next) were freed, once
  @ // each, and no others.
  @ predicate FreedJust{A, B}(pp_location *at, pp_location *parent_at,
  @                           bool *in_parent, integer n,
  @                           pp_location *constant, integer m, integer from,
  @                           integer next) =
  @   \forall integer p;
  @     (DueBefore{A}(at, parent_at, in_parent, n, constant, m, next, p) &&
  @      !DueBefore{A}(at, parent_at, in_parent, n, constant, m, from, p) ==>
  @        Freed{B}(p) == Freed{A}(p) + 1) &&
  @     (!DueBefore{A}(at, parent_at, in_parent, n, constant, m, next, p) ||
  @      DueBefore{A}(at, parent_at, in_parent, n, constant, m, from, p) ==>
  @        Freed{B}(p) == Freed{A}(p));
  @
  @ // REL-1, 4: from A to B the pools of nodes [from, next) were passed to
  @ // free, once each, and no others but those of nodes [next, stop).
  @ predicate AskedJust{A, B}(pp_location *at, pp_location *parent_at,
  @                           bool *in_parent, integer n,
  @                           pp_location *constant, integer m, integer from,
  @                           integer next, integer stop) =
  @   \forall integer p;
  @     (DueBefore{A}(at, parent_at, in_parent, n, constant, m, next, p) &&
  @      !DueBefore{A}(at, parent_at, in_parent, n, constant, m, from, p) ==>
  @        Asked{B}(p) == Asked{A}(p) + 1) &&
  @     (!DueBefore{A}(at, parent_at, in_parent, n, constant, m, stop, p) ||
  @      DueBefore{A}(at, parent_at, in_parent, n, constant, m, from, p) ==>
  @        Asked{B}(p) == Asked{A}(p));
  @
  @ // REL-2: of the nodes as in A, those before next were freed in their
  @ // order, as the ledger of B says.
  @ predicate Ordered{A, B}(pp_location *at, pp_location *parent_at,
  @                         bool *in_parent, integer n,
  @                         pp_location *constant, integer m, integer next) =
  @   (\forall integer i; 0 <= i < next &&
  @     Due{A}(at, parent_at, in_parent, n, constant, m, i) ==>
  @       When{B}(\at(at[i].pool, A)) < Frees{B}) &&
  @   \forall integer i, j; 0 <= i < j < next &&
  @     Due{A}(at, parent_at, in_parent, n, constant, m, i) &&
  @     Due{A}(at, parent_at, in_parent, n, constant, m, j) ==>
  @       When{B}(\at(at[i].pool, A)) < When{B}(\at(at[j].pool, A));
  @
  @ // What a release reads is the same in two states.
  @ predicate SameNodes{A, B}(pp_location *at, pp_location *parent_at,
  @                           bool *in_parent, integer n,
  @                           pp_location *constant, integer m) =
  @   (\forall integer i; 0 <= i < n ==>
  @     \at(at[i].pool, A) == \at(at[i].pool, B) &&
  @     \at(at[i].offset, A) == \at(at[i].offset, B) &&
  @     \at(parent_at[i].pool, A) == \at(parent_at[i].pool, B) &&
  @     \at(parent_at[i].offset, A) == \at(parent_at[i].offset, B) &&
  @     \at(in_parent[i], A) == \at(in_parent[i], B)) &&
  @   \forall integer k; 0 <= k < m ==>
  @     \at(constant[k].pool, A) == \at(constant[k].pool, B);
  @
  @ lemma same_held{A, B}:
  @   \forall pp_location *at, *parent_at, bool *in_parent, integer n,
  @     pp_location *constant, integer m, p;
  @   SameNodes{A, B}(at, parent_at, in_parent, n, constant, m) ==>
  @     (Held{A}(at, parent_at, in_parent, n, constant, m, p) <==>
  @      Held{B}(at, parent_at, in_parent, n, constant, m, p));
  @
  @ lemma same_due{A, B}:
  @   \forall pp_location *at, *parent_at, bool *in_parent, integer n,
  @     pp_location *constant, integer m, i; 0 <= i < n &&
  @   SameNodes{A, B}(at, parent_at, in_parent, n, constant, m) ==>
  @     (Due{A}(at, parent_at, in_parent, n, constant, m, i) <==>
  @      Due{B}(at, parent_at, in_parent, n, constant, m, i));
  @
  @ lemma same_before{A, B}:
  @   \forall pp_location *at, *parent_at, bool *in_parent, integer n,
  @     pp_location *constant, integer m, next, p; 0 <= next <= n &&
  @   SameNodes{A, B}(at, parent_at, in_parent, n, constant, m) ==>
  @     (DueBefore{A}(at, parent_at, in_parent, n, constant, m, next, p) <==>
  @      DueBefore{B}(at, parent_at, in_parent, n, constant, m, next, p));
  @*/

/* Releases what a context owns, or goes on where an earlier call failed (REL).
 *
 * at         n nodes in uid order: where the context holds each
 * parent_at  n: where the parent holds the same node, read when in_parent
 * in_parent  n: whether the parent holds it
 * n          nodes; the arrays may be NULL when it is 0
 * constant   m places of the device's constants, in any order
 * progress   in and out: {0, false} before the first call, then as this
 *            function left it; the other arguments stay the same
 *
 * PP_OK      all pools of the context's own are freed; a later call does
 *            nothing and succeeds (REL-3)
 * otherwise  the first call of the backend that failed, and the last one
 *            made; what was freed so far is remembered (REL-4)
 * The caller owns all memory. Thread-safe if the two backend calls are. */
/*@ requires \valid_read(at + (0 .. n - 1));
  @ requires \valid_read(parent_at + (0 .. n - 1));
  @ requires \valid_read(in_parent + (0 .. n - 1));
  @ requires \valid_read(constant + (0 .. m - 1));
  @ requires \valid(progress);
  @ requires \separated(progress, at + (0 .. n - 1),
  @   parent_at + (0 .. n - 1), in_parent + (0 .. n - 1),
  @   constant + (0 .. m - 1));
  @ requires progress->next <= n;
  @ requires progress->released ==> progress->next == n;
  @ requires Ordered{Here, Here}(at, parent_at, in_parent, n, constant, m,
  @                              progress->next);
  @ terminates \true;
  @ assigns *progress, pp_ref_ledger[0 .. 3];
  @ ensures same_nodes:
  @   SameNodes{Pre, Post}(at, parent_at, in_parent, n, constant, m);
  @ behavior released:
  @   assumes progress->released;
  @   assigns \nothing;
  @   ensures rel_3_succeeds: \result == PP_OK;
  @   ensures rel_3_no_call: SameLedger{Pre, Post};
  @   ensures rel_3_stays: progress->released &&
  @     progress->next == \old(progress->next);
  @ behavior not_released:
  @   assumes !progress->released;
  @   assigns *progress, pp_ref_ledger[0 .. 3];
  @   ensures rel_1_own_pools_once:
  @     FreedJust{Pre, Post}(at, parent_at, in_parent, n, constant, m,
  @                          \old(progress->next), progress->next);
  @   ensures rel_4_each_asked_once:
  @     AskedJust{Pre, Post}(at, parent_at, in_parent, n, constant, m,
  @                          \old(progress->next), progress->next,
  @                          progress->next +
  @                          (\result != PP_OK && progress->next < n ? 1 : 0));
  @   ensures rel_1_all_or_error:
  @     \result == PP_OK ==> progress->next == n;
  @   ensures rel_2_waited_once: Awaits == \old(Awaits) + 1;
  @   ensures rel_2_in_order:
  @     Ordered{Post, Post}(at, parent_at, in_parent, n, constant, m,
  @                         progress->next);
  @   ensures rel_4_released_if_ok: progress->released <==> \result == PP_OK;
  @   ensures rel_4_goes_on: \old(progress->next) <= progress->next <= n;
  @   ensures rel_4_stops_at_a_pool: \result != PP_OK ==>
  @     progress->next == \old(progress->next) ||
  @     (progress->next < n &&
  @      Due(at, parent_at, in_parent, n, constant, m, progress->next));
  @   ensures rel_4_first_error: \result == PP_OK || \result == LastStatus;
  @   ensures rel_4_no_call_after_it:
  @     Failures == \old(Failures) + (\result == PP_OK ? 0 : 1);
  @ complete behaviors;
  @ disjoint behaviors;
  @*/
pp_status pp_ref_release(const pp_location *at, const pp_location *parent_at,
                         const bool *in_parent, size_t n,
                         const pp_location *constant, size_t m,
                         pp_ref_progress *progress);

/* REL-6: is node i's pool one that the release has freed? Arguments as above;
 * i < n. */
/*@ requires \valid_read(at + (0 .. n - 1));
  @ requires \valid_read(parent_at + (0 .. n - 1));
  @ requires \valid_read(in_parent + (0 .. n - 1));
  @ requires \valid_read(constant + (0 .. m - 1));
  @ requires \valid_read(progress);
  @ requires i < n;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rel_6_gone: \result <==>
  @   DueBefore(at, parent_at, in_parent, n, constant, m, progress->next,
  @          at[i].pool);
  @*/
bool pp_ref_gone(const pp_location *at, const pp_location *parent_at,
                 const bool *in_parent, size_t n, const pp_location *constant,
                 size_t m, const pp_ref_progress *progress, size_t i);

#endif
