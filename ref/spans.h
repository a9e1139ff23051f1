/* poolproof reference: spans of nodes (RTN-6). SPDX-License-Identifier: MIT */
#ifndef PP_REF_SPANS_H
#define PP_REF_SPANS_H

#include "types.h"

typedef enum pp_ref_access {
  PP_REF_READ = 0,
  PP_REF_WRITE, /* any other write */
  PP_REF_FILL   /* a set that gives every element of the node a value */
} pp_ref_access;

/* One access: at a position, in the final code, to a node. */
typedef struct pp_ref_event {
  size_t node;
  uint64_t position;
  pp_ref_access access;
} pp_ref_event;

/* A node's span [lo, hi], closed; {false, 0, 0} without one. */
typedef struct pp_ref_life {
  bool has_span;
  uint64_t lo, hi;
} pp_ref_life;

/*@ // RTN-6: event k is the node's first one.
  @ predicate FirstAccess(pp_ref_event *event, integer n, integer node,
  @                       integer k) =
  @   0 <= k < n && event[k].node == node &&
  @   \forall integer j; 0 <= j < k ==> event[j].node != node;
  @
  @ // RTN-6: the node is written, and wholly, before anything else.
  @ predicate FilledFirst(pp_ref_event *event, integer n, integer node) =
  @   \exists integer k; 0 <= k < n &&
  @     FirstAccess(event, n, node, k) && event[k].access == PP_REF_FILL;
  @
  @ // RTN-6: someone in the routine reads the node.
  @ predicate IsRead(pp_ref_event *event, integer n, integer node) =
  @   \exists integer k; 0 <= k < n &&
  @     event[k].node == node && event[k].access == PP_REF_READ;
  @
  @ // RTN-6: the node may share bytes.
  @ predicate Eligible(pp_ref_event *event, integer n, bool *working,
  @                    integer node) =
  @   working[node] && FilledFirst(event, n, node) && IsRead(event, n, node);
  @
  @ // RTN-6: [lo, hi] has all positions at which the node is accessed.
  @ predicate Covers(pp_ref_event *event, integer n, integer node,
  @                  integer lo, integer hi) =
  @   \forall integer k; 0 <= k < n && event[k].node == node ==>
  @     lo <= event[k].position <= hi;
  @
  @ // RTN-6: the node is accessed there.
  @ predicate AccessedAt(pp_ref_event *event, integer n, integer node,
  @                      integer position) =
  @   \exists integer k; 0 <= k < n &&
  @     event[k].node == node && event[k].position == position;
  @*/

/* The spans of a routine's nodes (RTN-6).
 *
 * event    n accesses in the order in which they happen; their positions may
 *          be in any order, and events of nodes from `nodes` on count nothing
 * working  nodes: is it in context, and neither read-only, constant,
 *          observable, host-initialised nor merge, and without data?
 * opaque   has the routine opaque code?
 * life     out, nodes: the spans
 * Arrays may be NULL when they have no entry. The caller owns all memory; life
 * may not overlap anything. Thread-safe: touches nothing but its arguments. */
/*@ requires \valid_read(event + (0 .. n - 1));
  @ requires \valid_read(working + (0 .. nodes - 1));
  @ requires \valid(life + (0 .. nodes - 1));
  @ requires \separated(life + (0 .. nodes - 1), event + (0 .. n - 1));
  @ requires \separated(life + (0 .. nodes - 1), working + (0 .. nodes - 1));
  @ terminates \true;
  @ assigns life[0 .. nodes - 1];
  @ ensures rtn_6_eligible: \forall integer v; 0 <= v < nodes ==>
  @   (life[v].has_span <==> !opaque && Eligible{Pre}(event, n, working, v));
  @ ensures rtn_6_covers: \forall integer v; 0 <= v < nodes ==>
  @   life[v].has_span ==>
  @     Covers{Pre}(event, n, v, life[v].lo, life[v].hi);
  @ ensures rtn_6_least: \forall integer v; 0 <= v < nodes ==>
  @   life[v].has_span ==>
  @     AccessedAt{Pre}(event, n, v, life[v].lo) &&
  @     AccessedAt{Pre}(event, n, v, life[v].hi);
  @ ensures rtn_6_none: \forall integer v; 0 <= v < nodes ==>
  @   !life[v].has_span ==> life[v].lo == 0 && life[v].hi == 0;
  @*/
void pp_ref_spans(const pp_ref_event *event, size_t n, const bool *working,
                  size_t nodes, bool opaque, pp_ref_life *life);

#endif
