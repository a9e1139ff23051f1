#include "release.h"

/*@ requires \valid_read(at + (0 .. n - 1));
  @ requires \valid_read(parent_at + (0 .. n - 1));
  @ requires \valid_read(in_parent + (0 .. n - 1));
  @ requires \valid_read(constant + (0 .. m - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rel_1_held: \result <==>
  @   Held(at, parent_at, in_parent, n, constant, m, pool);
  @*/
static bool held(const pp_location *at, const pp_location *parent_at,
                 const bool *in_parent, size_t n, const pp_location *constant,
                 size_t m, uint64_t pool) {
  /*@ loop invariant 0 <= k <= m;
    @ loop invariant rel_1_no_constant:
    @   \forall integer j; 0 <= j < k ==> constant[j].pool != pool;
    @ loop assigns k;
    @ loop variant m - k;
    @*/
  for (size_t k = 0; k < m; k++)
    if (constant[k].pool == pool) return true;
  /*@ loop invariant 0 <= i <= n;
    @ loop invariant rel_1_not_inherited:
    @   \forall integer j; 0 <= j < i ==> at[j].pool != pool ||
    @     !Inherited(at, parent_at, in_parent, j);
    @ loop assigns i;
    @ loop variant n - i;
    @*/
  for (size_t i = 0; i < n; i++)
    if (at[i].pool == pool && in_parent[i] && parent_at[i].pool == pool &&
        parent_at[i].offset == at[i].offset)
      return true;
  return false;
}

/* The first node of node i's pool. */
/*@ requires \valid_read(at + (0 .. i));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rel_2_same_pool: \result <= i && at[\result].pool == at[i].pool;
  @ ensures rel_2_first: FirstNode(at, \result);
  @*/
static size_t first_of(const pp_location *at, size_t i) {
  size_t j = 0;
  /*@ loop invariant 0 <= j <= i;
    @ loop invariant rel_2_not_before:
    @   \forall integer k; 0 <= k < j ==> at[k].pool != at[i].pool;
    @ loop assigns j;
    @ loop variant i - j;
    @*/
  while (at[j].pool != at[i].pool)
    j++;
  return j;
}

pp_status pp_ref_release(const pp_location *at, const pp_location *parent_at,
                         const bool *in_parent, size_t n,
                         const pp_location *constant, size_t m,
                         pp_ref_progress *progress) {
  if (progress->released) return PP_OK;
  pp_status status = pp_ref_await();
  size_t i = progress->next;
  /*@ loop invariant \at(progress->next, Pre) <= i <= n;
    @ loop invariant status == PP_OK ==> Idle;
    @ loop invariant rel_1_so_far:
    @   FreedJust{Pre, Here}(at, parent_at, in_parent, n, constant, m,
    @                        \at(progress->next, Pre), i);
    @ loop invariant rel_4_asked_so_far:
    @   AskedJust{Pre, Here}(at, parent_at, in_parent, n, constant, m,
    @                        \at(progress->next, Pre), i,
    @                        i + (status != PP_OK && i < n ? 1 : 0));
    @ loop invariant rel_2_so_far:
    @   Ordered{Pre, Here}(at, parent_at, in_parent, n, constant, m, i);
    @ loop invariant rel_2_one_wait: Awaits == \at(Awaits, Pre) + 1;
    @ loop invariant rel_4_stopped: status != PP_OK ==>
    @   LastStatus == status && (i == \at(progress->next, Pre) ||
    @   (i < n && Due{Pre}(at, parent_at, in_parent, n, constant, m, i)));
    @ loop invariant rel_4_failures:
    @   Failures == \at(Failures, Pre) + (status == PP_OK ? 0 : 1);
    @ loop assigns i, status, pp_ref_ledger[0 .. 3];
    @ loop variant n - i + (status == PP_OK ? 1 : 0);
    @*/
  while (i < n && status == PP_OK) {
    if (first_of(at, i) == i &&
        !held(at, parent_at, in_parent, n, constant, m, at[i].pool))
      status = pp_ref_free_pool(at[i].pool);
    if (status == PP_OK) i++;
  }
  progress->next = i;
  progress->released = status == PP_OK;
  /*@ assert same_nodes:
    @   SameNodes{Pre, Here}(at, parent_at, in_parent, n, constant, m);
    @*/
  /*@ assert rel_1_same_due: \forall integer k; 0 <= k < n ==>
    @   (Due(at, parent_at, in_parent, n, constant, m, k) <==>
    @    Due{Pre}(at, parent_at, in_parent, n, constant, m, k));
    @*/
  /*@ assert rel_2_kept: Ordered{Here, Here}(at, parent_at, in_parent, n,
    @   constant, m, i);
    @*/
  return status;
}

bool pp_ref_gone(const pp_location *at, const pp_location *parent_at,
                 const bool *in_parent, size_t n, const pp_location *constant,
                 size_t m, const pp_ref_progress *progress, size_t i) {
  if (held(at, parent_at, in_parent, n, constant, m, at[i].pool)) return false;
  return first_of(at, i) < progress->next;
}
