/* poolproof: when the nodes of final code live (RTN-6).
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

#include <stdlib.h>

bool pp_in_context(const pp_lowering *lowering, size_t node) {
  const pp_node *here = &lowering->node[node];
  const pp_fact *fact = &lowering->fact[node];
  if (fact->placement == PP_VIRTUAL) return false;
  return fact->used || here->intents != 0 || here->data;
}

static void live(pp_lowering *lowering, size_t node, uint64_t position) {
  pp_node *here = &lowering->node[node];
  pp_fact *fact = &lowering->fact[node];
  if (!fact->used) here->lo = position;
  here->hi = position;
  fact->used = true;
}

/* The first access fills, as facts say: rewriting a line neither adds a write
 * nor takes one, and reads of nodes that stay only move to where a virtual
 * node was read, after what wrote them. */
static bool eligible(const pp_lowering *lowering, size_t node,
                     const bool *read) {
  const pp_node *here = &lowering->node[node];
  const pp_fact *fact = &lowering->fact[node];
  return !lowering->opaque && fact->placement == PP_MATERIALISED &&
         here->intents == 0 && !here->data && fact->used && fact->filled &&
         read[node];
}

pp_status pp_lives(pp_lowering *lowering) {
  size_t position = 0;
  bool *read = calloc(lowering->nodes + 1, sizeof *read);
  if (!read) return pp_lowering_no_memory(lowering);
  for (size_t i = 0; i < lowering->nodes; i++)
    lowering->fact[i].used = false;
  bool first = true;
  for (size_t i = 0; i < lowering->lines; i++) {
    if (lowering->gone[i]) continue;
    if (!first && !lowering->joins[i]) position++;
    first = false;
    const pp_statement *statement = pp_lowering_line(lowering, i);
    if (statement->kind == PP_BARRIER) continue;
    for (unsigned r = 0; r < statement->reads; r++) {
      live(lowering, statement->read[r].node, position);
      read[statement->read[r].node] = true;
    }
    live(lowering, statement->target.node, position);
  }
  for (size_t i = 0; i < lowering->nodes; i++) {
    pp_node *node = &lowering->node[i];
    node->has_span = eligible(lowering, i, read);
    if (!node->has_span) node->lo = node->hi = 0;
  }
  free(read);
  return PP_OK;
}
