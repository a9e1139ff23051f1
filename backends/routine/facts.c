/* poolproof: how the lines of a lowering access each node.
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

#include <stdlib.h>

static bool in_index(const pp_access *access, unsigned rank, unsigned axis) {
  for (unsigned d = 0; d < rank; d++)
    if (access->index[d].scale[axis] != 0) return true;
  return false;
}

static bool has_points(const pp_statement *statement) {
  for (unsigned axis = 0; axis < statement->axes; axis++)
    if (statement->extent[axis] == 0) return false;
  return true;
}

/* Does it write every element? Sealed: no element is written at two points
 * outside reductions, so that counting is enough. */
static bool covers(const pp_statement *statement, const pp_node *node) {
  uint64_t points = 1;
  if (!has_points(statement)) return pp_node_elements(node) == 0;
  for (unsigned axis = 0; axis < statement->axes; axis++)
    if (in_index(&statement->target, node->rank, axis))
      points = pp_product(points, statement->extent[axis]);
  return points == pp_node_elements(node);
}

/* How often the statement reads one cell through the access, at most: each
 * dimension tells one of its axes apart, the longest. */
static uint64_t reads_of_cell(const pp_statement *statement,
                              const pp_access *access, unsigned rank) {
  bool told[PP_AXES] = {false};
  unsigned axes = statement->axes + statement->inner;
  for (unsigned d = 0; d < rank; d++) {
    unsigned longest = axes;
    for (unsigned axis = 0; axis < axes; axis++)
      if (access->index[d].scale[axis] != 0 && !told[axis] &&
          (longest == axes ||
           statement->extent[axis] > statement->extent[longest]))
        longest = axis;
    if (longest < axes) told[longest] = true;
  }
  uint64_t reads = 1;
  for (unsigned axis = 0; axis < axes; axis++)
    if (!told[axis]) reads = pp_product(reads, statement->extent[axis]);
  return reads;
}

/* Points that one element of the target takes; 0: a literal. */
static uint64_t work(const pp_statement *statement, unsigned rank) {
  uint64_t points = statement->reads > 0 ? 1 : 0;
  for (unsigned axis = 0; axis < statement->axes + statement->inner; axis++)
    if (!in_index(&statement->target, rank, axis))
      points = pp_product(points, statement->extent[axis]);
  return points;
}

static void touch(pp_fact *fact, size_t at) {
  if (fact->first == SIZE_MAX) fact->first = at;
}

static void see_read(pp_lowering *lowering, size_t at, const pp_access *read) {
  const pp_statement *statement = lowering->line[at];
  const pp_node *node = &lowering->node[read->node];
  pp_fact *fact = &lowering->fact[read->node];
  touch(fact, at);
  if (fact->first_read == SIZE_MAX) fact->first_read = at;
  fact->last_read = at;
  if (node->dtype != lowering->node[statement->target.node].dtype)
    fact->precise = false;
  if (!has_points(statement)) fact->reached = false;
  fact->reads = pp_sum(fact->reads, reads_of_cell(statement, read, node->rank));
}

static void see_write(pp_lowering *lowering, size_t at) {
  const pp_statement *statement = lowering->line[at];
  size_t target = statement->target.node;
  const pp_node *node = &lowering->node[target];
  pp_fact *fact = &lowering->fact[target];
  bool sets = statement->fold == PP_FOLD_SET;
  bool whole = covers(statement, node);
  if (fact->first == SIZE_MAX)
    fact->filled = sets && whole;
  else if (sets || !whole)
    fact->recurrence = true;
  for (unsigned r = 0; r < statement->reads; r++)
    if (statement->read[r].node == target) fact->recurrence = true;
  touch(fact, at);
  fact->extent = pp_sum(fact->extent, work(statement, node->rank));
  fact->writes++;
}

/* pp_fact.write = where each node's lines begin, and the lines there. */
static void list_writes(pp_lowering *lowering) {
  size_t at = 0;
  for (size_t i = 0; i < lowering->nodes; i++) {
    lowering->fact[i].write = at;
    at += lowering->fact[i].writes;
    lowering->fact[i].writes = 0;
  }
  for (size_t i = 0; i < lowering->lines; i++) {
    if (lowering->line[i]->kind == PP_BARRIER) continue;
    pp_fact *fact = &lowering->fact[lowering->line[i]->target.node];
    lowering->write[fact->write + fact->writes] = i;
    fact->writes++;
  }
}

pp_status pp_facts_collect(pp_lowering *lowering) {
  size_t n = lowering->lines;
  lowering->fact = calloc(lowering->nodes + 1, sizeof *lowering->fact);
  lowering->write = calloc(n + 1, sizeof *lowering->write);
  lowering->barriers = calloc(n + 1, sizeof *lowering->barriers);
  if (!lowering->fact || !lowering->write || !lowering->barriers)
    return pp_lowering_no_memory(lowering);
  for (size_t i = 0; i < lowering->nodes; i++)
    lowering->fact[i] = (pp_fact){.first = SIZE_MAX,
                                  .first_read = SIZE_MAX,
                                  .last_read = SIZE_MAX,
                                  .precise = true,
                                  .reached = true};
  for (size_t i = 0; i < n; i++) {
    const pp_statement *statement = lowering->line[i];
    bool barrier = statement->kind == PP_BARRIER;
    lowering->barriers[i + 1] = lowering->barriers[i] + (barrier ? 1 : 0);
    if (statement->kind == PP_OPAQUE) lowering->opaque = true;
    if (barrier) continue;
    for (unsigned r = 0; r < statement->reads; r++)
      see_read(lowering, i, &statement->read[r]);
    see_write(lowering, i);
  }
  list_writes(lowering);
  return PP_OK;
}
