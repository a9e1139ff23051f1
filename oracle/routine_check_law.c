/* poolproof: what lowering may move, inline and merge, read plainly off RTN-2,
 * RTN-3 and RTN-5. SPDX-License-Identifier: MIT */
#include "routine_check_parts.h"

#include <stdlib.h>
#include <string.h>

static bool accesses(const pp_statement *statement, size_t node) {
  if (statement->kind == PP_BARRIER) return false;
  for (unsigned r = 0; r < statement->reads; r++)
    if (statement->read[r].node == node) return true;
  return statement->target.node == node;
}

static bool uses_axis(const pp_access *access, unsigned axis) {
  for (unsigned d = 0; d < PP_RANK; d++)
    if (access->index[d].scale[axis] != 0) return true;
  return false;
}

/* At each point the same element? Sealed: what does not count is 0. */
static bool at_one_index(const pp_access *a, const pp_access *b) {
  for (unsigned d = 0; d < PP_RANK; d++) {
    if (a->index[d].base != b->index[d].base) return false;
    for (unsigned axis = 0; axis < PP_AXES; axis++)
      if (a->index[d].scale[axis] != b->index[d].scale[axis]) return false;
  }
  return true;
}

/* Do the accesses of one statement meet what another one writes there alone? */
static bool meet_at_one_index(const pp_statement *writer,
                              const pp_statement *other) {
  const pp_access *written = &writer->target;
  for (unsigned r = 0; r < other->reads; r++)
    if (other->read[r].node == written->node &&
        !at_one_index(&other->read[r], written))
      return false;
  return other->target.node != written->node ||
         at_one_index(&other->target, written);
}

static bool may_share_kernel(const pp_statement *a, const pp_statement *b) {
  if (a->kind != PP_ASSIGN || b->kind != PP_ASSIGN || a->axes != b->axes)
    return false;
  for (unsigned axis = 0; axis < a->axes; axis++)
    if (a->extent[axis] != b->extent[axis] || !uses_axis(&a->target, axis) ||
        !uses_axis(&b->target, axis))
      return false;
  return meet_at_one_index(a, b) && meet_at_one_index(b, a);
}

bool pp_check_kernels(pp_routine_trial *trial, const char *name,
                      const pp_routine *routine) {
  for (size_t k = 0; k < routine->statements; k++)
    for (size_t j = k; j > 0 && routine->statement[j].joins; j--)
      if (!may_share_kernel(&routine->statement[j - 1], &routine->statement[k]))
        return pp_trial_differs(trial,
                                "%s: statements %zu and %zu share a kernel "
                                "(RTN-5)",
                                name, j - 1, k);
  return true;
}

static bool is_zeroing(const pp_routine *source, size_t k) {
  const pp_statement *statement = &source->statement[k];
  return statement->kind == PP_ASSIGN &&
         pp_check_fills(statement, &source->node[statement->target.node]) &&
         statement->steps == 1 && statement->step[0].op == PP_OP_LIT &&
         statement->step[0].bits == 0;
}

/* RTN-2: before which statement the zeroing k goes, as far as it may on the
 * way to the first later access; k: it stays. Opaque code accesses all. */
static size_t destination(const pp_routine *source, size_t k) {
  size_t node = source->statement[k].target.node;
  size_t fence = source->statements;
  if (!is_zeroing(source, k)) return k;
  for (size_t j = k + 1; j < source->statements; j++) {
    pp_statement_kind kind = source->statement[j].kind;
    if (kind != PP_ASSIGN && j < fence) fence = j;
    if (kind == PP_OPAQUE || accesses(&source->statement[j], node))
      return j < fence ? j : fence;
  }
  return k;
}

/* The source with its zeroings where they must be. */
static pp_status sunk(const pp_routine *source, pp_routine *made,
                      pp_failure *failure) {
  pp_status status = PP_OK;
  for (size_t i = 0; status == PP_OK && i < source->nodes; i++) {
    pp_node node = source->node[i];
    size_t index = 0;
    node.has_span = false;
    node.lo = node.hi = 0;
    status = pp_routine_node(made, &node, &index, failure);
  }
  for (size_t to = 0; to < source->statements; to++) {
    for (size_t k = 0; status == PP_OK && k < to; k++)
      if (destination(source, k) == to)
        status = pp_routine_statement(made, &source->statement[k], failure);
    if (status == PP_OK && destination(source, to) == to) {
      pp_statement statement = source->statement[to];
      statement.joins = false;
      status = pp_routine_statement(made, &statement, failure);
    }
  }
  return status == PP_OK ? pp_routine_seal(made, failure) : status;
}

/* The statements of a routine's text. */
static const char *statements_of(const char *text) {
  const char *at = text;
  const char *line = text;
  while (line) {
    if (strncmp(line, "routine ", 8) == 0 || strncmp(line, "node ", 5) == 0)
      at = line;
    line = strchr(line, '\n');
    if (line) line++;
  }
  at = strchr(at, '\n');
  return at ? at : "";
}

static bool same_statements(pp_routine_trial *trial, const pp_routine *is,
                            const pp_routine *must) {
  char *a = pp_routine_print(is);
  char *b = pp_routine_print(must);
  bool good = a && b;
  if (!good)
    (void)pp_trial_no_memory(trial);
  else if (strcmp(statements_of(a), statements_of(b)) != 0)
    good =
        pp_trial_differs(trial, "policy materialise: the final code is not the "
                                "source with its zeroings sunk (RTN-2)");
  free(a);
  free(b);
  return good;
}

bool pp_check_sinking(pp_routine_trial *trial) {
  const pp_lower_options options = {.policy = PP_POLICY_MATERIALISE};
  pp_lowered *lowered = NULL;
  pp_failure failure;
  pp_status status = pp_lower(trial->source[0], &options, &lowered, &failure);
  if (!pp_trial_fine(trial, status, &failure, "sinking", "lowering"))
    return false;
  pp_routine *must = pp_routine_new("sunk");
  bool good = must || pp_trial_no_memory(trial);
  if (good)
    good = pp_trial_fine(trial, sunk(trial->source[0], must, &failure),
                         &failure, "sinking", "doing it plainly") &&
           same_statements(trial, lowered->routine, must);
  pp_routine_free(must);
  pp_lowered_free(lowered);
  return good;
}

/* The first and the last access, and is there a barrier between them? */
static bool spans_barrier(const pp_routine *source, size_t node) {
  bool seen = false;
  bool barrier = false;
  for (size_t k = 0; k < source->statements; k++) {
    const pp_statement *statement = &source->statement[k];
    if (statement->kind == PP_BARRIER) barrier = seen;
    if (!accesses(statement, node)) continue;
    if (barrier) return true;
    seen = true;
  }
  return false;
}

bool pp_check_virtual(pp_routine_trial *trial, const char *name,
                      const pp_routine *source, size_t node) {
  const char *label = source->node[node].label;
  for (size_t k = 0; k < source->statements; k++)
    if (source->statement[k].kind == PP_OPAQUE)
      return pp_trial_differs(trial,
                              "%s: node %s is virtual beside opaque code "
                              "(RTN-3)",
                              name, label);
  if (!spans_barrier(source, node)) return true;
  return pp_trial_differs(
      trial, "%s: node %s is virtual across a barrier (RTN-3)", name, label);
}
