/* poolproof: the one layout step of the scorer and of the allocator (CTX-2,
 * FPT-2). SPDX-License-Identifier: MIT */
#ifndef PP_LAYOUT_H
#define PP_LAYOUT_H

#include <poolproof/failure.h>
#include <poolproof/routine.h>
#include <poolproof/types.h>

/* Some nodes, in the order in which they were added, and where they go.
 * node                   the caller's
 * segment[i], offset[i]  node i's pool and place in it
 * bytes[k]               of pool k, k < pools
 * arena                  all are in one arena (ARN), not in segments (SEG) */
typedef struct pp_layout {
  size_t n;
  const pp_node **node;
  pp_item *item;
  size_t *segment;
  uint64_t *offset;
  uint64_t *bytes;
  size_t pools;
  bool arena;
} pp_layout;

/* Room for n nodes. False: no memory; close it all the same. */
bool pp_layout_open(pp_layout *layout, size_t n);
void pp_layout_close(pp_layout *layout);

/* reuse: the node's span counts (FPT-3). */
void pp_layout_add(pp_layout *layout, const pp_node *node, uint64_t align,
                   bool reuse);

/* One arena when a node has a span and it fits the cap, otherwise segments.
 * PP_ITEM_OVER_CAP names the first such node; PP_NO_MEMORY. */
pp_status pp_layout_plan(pp_layout *layout, uint64_t cap, pp_failure *failure);

/* The same, but never an arena: no sharing. */
pp_status pp_layout_segments(pp_layout *layout, uint64_t cap,
                             pp_failure *failure);

#endif
