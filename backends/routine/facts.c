/* poolproof: how the lines of a lowering access each node.
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

#include <stdlib.h>

/* The longest axis of an index that is in none of the other indices told so
 * far, or `axes`. */
static unsigned axis_told(const pp_statement *statement,
                          const pp_access *access, unsigned d,
                          const bool *used) {
  unsigned axes = statement->axes + statement->inner;
  unsigned longest = axes;
  for (unsigned axis = 0; axis < axes; axis++)
    if (access->index[d].scale[axis] != 0 && !used[axis] &&
        (longest == axes ||
         statement->extent[axis] > statement->extent[longest]))
      longest = axis;
  return longest;
}

/* How often the statement reads one cell through the access, at most: each
 * dimension tells one axis, given all others, when that is in no dimension
 * that told one before; those with one axis come first. */
static uint64_t reads_of_cell(const pp_statement *statement,
                              const pp_access *access, unsigned rank) {
  unsigned axes = statement->axes + statement->inner;
  bool used[PP_AXES] = {false};
  bool told[PP_AXES] = {false};
  for (int several = 0; several < 2; several++)
    for (unsigned d = 0; d < rank; d++) {
      unsigned count = 0;
      for (unsigned axis = 0; axis < axes; axis++)
        if (access->index[d].scale[axis] != 0) count++;
      unsigned axis = axis_told(statement, access, d, used);
      if ((count > 1) != (several == 1) || axis == axes) continue;
      told[axis] = true;
      for (unsigned a = 0; a < axes; a++)
        if (access->index[d].scale[a] != 0) used[a] = true;
    }
  uint64_t reads = 1;
  for (unsigned axis = 0; axis < axes; axis++)
    if (!told[axis]) reads = pp_product(reads, statement->extent[axis]);
  return reads;
}

/* Points that one element of the target takes; 0: it is set to a literal. */
static uint64_t work(const pp_statement *statement, unsigned rank) {
  bool literal = statement->fold == PP_FOLD_SET && statement->steps == 1 &&
                 statement->step[0].op == PP_OP_LIT;
  uint64_t points = literal ? 0 : 1;
  for (unsigned axis = 0; axis < statement->axes + statement->inner; axis++)
    if (!pp_access_moves(&statement->target, rank, axis))
      points = pp_product(points, statement->extent[axis]);
  return points;
}

static void see_read(pp_lowering *lowering, size_t at, const pp_access *read) {
  const pp_statement *statement = lowering->line[at];
  const pp_node *node = &lowering->node[read->node];
  pp_fact *fact = &lowering->fact[read->node];
  fact->seen = true;
  if (fact->first_read == SIZE_MAX) fact->first_read = at;
  fact->last_read = at;
  if (node->dtype != lowering->node[statement->target.node].dtype)
    fact->precise = false;
  if (!pp_statement_runs(statement)) fact->reached = false;
  fact->reads = pp_sum(fact->reads, reads_of_cell(statement, read, node->rank));
}

static void see_write(pp_lowering *lowering, const pp_statement *statement) {
  size_t target = statement->target.node;
  const pp_node *node = &lowering->node[target];
  pp_fact *fact = &lowering->fact[target];
  bool sets = statement->fold == PP_FOLD_SET;
  bool whole = pp_statement_covers(statement, node);
  if (!fact->seen)
    fact->filled = sets && whole;
  else if (sets || !whole)
    fact->recurrence = true;
  for (unsigned r = 0; r < statement->reads; r++)
    if (statement->read[r].node == target) fact->recurrence = true;
  fact->seen = true;
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
    lowering->fact[i] = (pp_fact){.first_read = SIZE_MAX,
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
    see_write(lowering, statement);
  }
  list_writes(lowering);
  return PP_OK;
}
