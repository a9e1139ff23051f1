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
/*@ ghost int pp_ref_ledger; */

/*@ axiomatic Ledger {
  @   // How often a pool was freed.
  @   logic integer Freed{L}(integer pool) reads pp_ref_ledger;
  @   // When it was freed last, counted in frees.
  @   logic integer When{L}(integer pool) reads pp_ref_ledger;
  @   logic integer Frees{L} reads pp_ref_ledger;
  @   // How often the device was waited for, and a call failed.
  @   logic integer Awaits{L} reads pp_ref_ledger;
  @   logic integer Failures{L} reads pp_ref_ledger;
  @   // What the last call answered.
  @   logic integer Last{L} reads pp_ref_ledger;
  @   // No work is in flight.
  @   predicate Idle{L} reads pp_ref_ledger;
  @ }
  @
  @ predicate SamePools{A, B} =
  @   Frees{A} == Frees{B} && \forall integer p;
  @     Freed{A}(p) == Freed{B}(p) && When{A}(p) == When{B}(p);
  @*/

/* The backend, which whoever links the reference provides: waits for all work
 * of the device. */
/*@ terminates \true;
  @ assigns pp_ref_ledger;
  @ ensures \result == PP_OK ==> Idle;
  @ ensures SamePools{Pre, Post};
  @ ensures Awaits == \old(Awaits) + 1;
  @ ensures Failures == \old(Failures) + (\result == PP_OK ? 0 : 1);
  @ ensures Last == \result;
  @*/
pp_status pp_ref_await(void);

/* The backend: frees a pool, or fails and leaves it as it was. */
/*@ requires rel_2_idle: Idle;
  @ terminates \true;
  @ assigns pp_ref_ledger;
  @ ensures Idle;
  @ ensures Awaits == \old(Awaits);
  @ ensures Failures == \old(Failures) + (\result == PP_OK ? 0 : 1);
  @ ensures Last == \result;
  @ ensures \result != PP_OK ==> SamePools{Pre, Post};
  @ ensures \result == PP_OK ==>
  @   Freed(pool) == \old(Freed(pool)) + 1 && When(pool) == \old(Frees) &&
  @   Frees == \old(Frees) + 1;
  @ ensures \forall integer p; p != pool ==>
  @   Freed(p) == Freed{Pre}(p) && When(p) == When{Pre}(p);
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
  @ predicate First(pp_location *at, integer i) =
  @   \forall integer j; 0 <= j < i ==> at[j].pool != at[i].pool;
  @
  @ // REL-1, 2: a pool of the context's own is freed at node i.
  @ predicate Due(pp_location *at, pp_location *parent_at, bool *in_parent,
  @               integer n, pp_location *constant, integer m, integer i) =
  @   First(at, i) &&
  @   !Held(at, parent_at, in_parent, n, constant, m, at[i].pool);
  @
  @ // The pool is freed at one of the nodes before next.
  @ predicate Before(pp_location *at, pp_location *parent_at, bool *in_parent,
  @                  integer n, pp_location *constant, integer m,
  @                  integer next, integer pool) =
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
  @     (Before{A}(at, parent_at, in_parent, n, constant, m, next, p) &&
  @      !Before{A}(at, parent_at, in_parent, n, constant, m, from, p) ==>
  @        Freed{B}(p) == Freed{A}(p) + 1) &&
  @     (!Before{A}(at, parent_at, in_parent, n, constant, m, next, p) ||
  @      Before{A}(at, parent_at, in_parent, n, constant, m, from, p) ==>
  @        Freed{B}(p) == Freed{A}(p));
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
  @     \at(at[i], A) == \at(at[i], B) &&
  @     \at(parent_at[i], A) == \at(parent_at[i], B) &&
  @     \at(in_parent[i], A) == \at(in_parent[i], B)) &&
  @   \forall integer k; 0 <= k < m ==>
  @     \at(constant[k], A) == \at(constant[k], B);
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
  @                  progress->next);
  @ terminates \true;
  @ assigns *progress, pp_ref_ledger;
  @ behavior released:
  @   assumes progress->released;
  @   assigns \nothing;
  @   ensures rel_3_nothing_to_do: \result == PP_OK;
  @ behavior not_released:
  @   assumes !progress->released;
  @   assigns *progress, pp_ref_ledger;
  @   ensures rel_1_own_pools_once:
  @     FreedJust{Pre, Post}(at, parent_at, in_parent, n, constant, m,
  @                          \old(progress->next), progress->next);
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
  @   ensures rel_4_first_error: \result == PP_OK || \result == Last;
  @   ensures rel_4_no_call_after_it:
  @     Failures == \old(Failures) + (\result == PP_OK ? 0 : 1);
  @   ensures same_nodes:
  @     SameNodes{Pre, Post}(at, parent_at, in_parent, n, constant, m);
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
  @   Before(at, parent_at, in_parent, n, constant, m, progress->next,
  @          at[i].pool);
  @*/
bool pp_ref_gone(const pp_location *at, const pp_location *parent_at,
                 const bool *in_parent, size_t n, const pp_location *constant,
                 size_t m, const pp_ref_progress *progress, size_t i);

#endif
