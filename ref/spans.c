#include "spans.h"

/*@ // What the spans hang on is the same in two states.
  @ predicate SameEvents{A, B}(pp_ref_event *event, integer n) =
  @   \forall integer k; 0 <= k < n ==>
  @     \at(event[k].node, A) == \at(event[k].node, B) &&
  @     \at(event[k].position, A) == \at(event[k].position, B) &&
  @     \at(event[k].access, A) == \at(event[k].access, B);
  @
  @ lemma same_eligible{A, B}:
  @   \forall pp_ref_event *event, integer n, bool *working, integer v;
  @   SameEvents{A, B}(event, n) &&
  @   \at(working[v], A) == \at(working[v], B) ==>
  @     (Eligible{A}(event, n, working, v) <==>
  @      Eligible{B}(event, n, working, v));
  @
  @ lemma same_covers{A, B}:
  @   \forall pp_ref_event *event, integer n, v, lo, hi;
  @   SameEvents{A, B}(event, n) && Covers{A}(event, n, v, lo, hi) ==>
  @     Covers{B}(event, n, v, lo, hi);
  @
  @ lemma same_place{A, B}:
  @   \forall pp_ref_event *event, integer n, v, p;
  @   SameEvents{A, B}(event, n) && AccessedAt{A}(event, n, v, p) ==>
  @     AccessedAt{B}(event, n, v, p);
  @*/

/* The node's first access, or n. */
/*@ requires \valid_read(event + (0 .. n - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rtn_6_in_range: \result <= n;
  @ ensures rtn_6_first: \result < n ==> FirstAccess(event, n, node, \result);
  @ ensures rtn_6_no_access: \result == n ==>
  @   \forall integer k; 0 <= k < n ==> event[k].node != node;
  @*/
static size_t first_access(const pp_ref_event *event, size_t n, size_t node) {
  /*@ loop invariant 0 <= k <= n;
    @ loop invariant rtn_6_not_before:
    @   \forall integer j; 0 <= j < k ==> event[j].node != node;
    @ loop assigns k;
    @ loop variant n - k;
    @*/
  for (size_t k = 0; k < n; k++)
    if (event[k].node == node) return k;
  return n;
}

/*@ requires \valid_read(event + (0 .. n - 1));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rtn_6_read: \result <==> IsRead(event, n, node);
  @*/
static bool is_read(const pp_ref_event *event, size_t n, size_t node) {
  /*@ loop invariant 0 <= k <= n;
    @ loop invariant rtn_6_not_read:
    @   \forall integer j; 0 <= j < k ==>
    @     event[j].node != node || event[j].access != PP_REF_READ;
    @ loop assigns k;
    @ loop variant n - k;
    @*/
  for (size_t k = 0; k < n; k++)
    if (event[k].node == node && event[k].access == PP_REF_READ) return true;
  return false;
}

/* The least span of a node that is accessed. */
/*@ requires \valid_read(event + (0 .. n - 1));
  @ requires FirstAccess(event, n, node, first);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rtn_6_span: \result.has_span;
  @ ensures rtn_6_all: Covers(event, n, node, \result.lo, \result.hi);
  @ ensures rtn_6_lo: AccessedAt(event, n, node, \result.lo);
  @ ensures rtn_6_hi: AccessedAt(event, n, node, \result.hi);
  @*/
static pp_ref_life cover(const pp_ref_event *event, size_t n, size_t node,
                         size_t first) {
  pp_ref_life life = {true, event[first].position, event[first].position};
  /*@ loop invariant first < k <= n;
    @ loop invariant life.has_span;
    @ loop invariant rtn_6_so_far: Covers(event, k, node, life.lo, life.hi);
    @ loop invariant rtn_6_lo: AccessedAt(event, k, node, life.lo);
    @ loop invariant rtn_6_hi: AccessedAt(event, k, node, life.hi);
    @ loop assigns k, life;
    @ loop variant n - k;
    @*/
  for (size_t k = first + 1; k < n; k++) {
    if (event[k].node != node) continue;
    if (event[k].position < life.lo) life.lo = event[k].position;
    if (event[k].position > life.hi) life.hi = event[k].position;
  }
  return life;
}

/*@ requires \valid_read(event + (0 .. n - 1));
  @ requires \valid_read(working + node);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures rtn_6_eligible:
  @   \result.has_span <==> Eligible(event, n, working, node);
  @ ensures rtn_6_covers: \result.has_span ==>
  @   Covers(event, n, node, \result.lo, \result.hi);
  @ ensures rtn_6_least: \result.has_span ==>
  @   AccessedAt(event, n, node, \result.lo) &&
  @   AccessedAt(event, n, node, \result.hi);
  @ ensures rtn_6_none: !\result.has_span ==>
  @   \result.lo == 0 && \result.hi == 0;
  @*/
static pp_ref_life life_of(const pp_ref_event *event, size_t n,
                           const bool *working, size_t node) {
  size_t first = first_access(event, n, node);
  if (first == n || event[first].access != PP_REF_FILL || !working[node] ||
      !is_read(event, n, node))
    return (pp_ref_life){false, 0, 0};
  return cover(event, n, node, first);
}

void pp_ref_spans(const pp_ref_event *event, size_t n, const bool *working,
                  size_t nodes, bool opaque, pp_ref_life *life) {
  /*@ loop invariant 0 <= i <= nodes;
    @ loop invariant same_events: SameEvents{Pre, Here}(event, n);
    @ loop invariant same_working: \forall integer v; 0 <= v < nodes ==>
    @   working[v] == \at(working[v], Pre);
    @ loop invariant rtn_6_eligible: \forall integer v; 0 <= v < i ==>
    @   (life[v].has_span <==>
    @    !opaque && Eligible{Pre}(event, n, working, v));
    @ loop invariant rtn_6_covers: \forall integer v; 0 <= v < i ==>
    @   life[v].has_span ==>
    @     Covers{Pre}(event, n, v, life[v].lo, life[v].hi);
    @ loop invariant rtn_6_least: \forall integer v; 0 <= v < i ==>
    @   life[v].has_span ==>
    @     AccessedAt{Pre}(event, n, v, life[v].lo) &&
    @     AccessedAt{Pre}(event, n, v, life[v].hi);
    @ loop invariant rtn_6_none: \forall integer v; 0 <= v < i ==>
    @   !life[v].has_span ==> life[v].lo == 0 && life[v].hi == 0;
    @ loop assigns i, life[0 .. nodes - 1];
    @ loop variant nodes - i;
    @*/
  for (size_t i = 0; i < nodes; i++) {
    pp_ref_life one = {false, 0, 0};
    if (!opaque) one = life_of(event, n, working, i);
    /*@ assert rtn_6_this: one.has_span <==>
      @   !opaque && Eligible{Pre}(event, n, working, i);
      @*/
    life[i] = one;
  }
}
