#include "code.h"

#include <stdlib.h>

/* Where the axes of a statement go: the target's first. */
typedef struct pp_axis_order {
  unsigned parallel;
  unsigned from[PP_AXES];
} pp_axis_order;

static bool in_target(const pp_statement *statement, unsigned rank,
                      unsigned axis) {
  for (unsigned d = 0; d < rank; d++)
    if (statement->target.index[d].scale[axis] != 0) return true;
  return false;
}

static pp_axis_order order_axes(const pp_statement *statement, unsigned rank) {
  pp_axis_order order = {0};
  unsigned next = 0;
  for (unsigned axis = 0; axis < statement->axes; axis++)
    if (in_target(statement, rank, axis)) order.from[next++] = axis;
  order.parallel = next;
  for (unsigned axis = 0; axis < statement->axes; axis++)
    if (!in_target(statement, rank, axis)) order.from[next++] = axis;
  return order;
}

static bool executes(const pp_statement *statement) {
  for (unsigned axis = 0; axis < statement->axes; axis++)
    if (statement->extent[axis] == 0) return false;
  return true;
}

/* Where nothing is executed, or an axis has one point, indices may be scaled
 * by anything: those strides are left 0. All others are inside the node, so
 * that no sum here passes its number of elements. */
static pp_flat_access flatten(const pp_routine *routine,
                              const pp_statement *statement,
                              const pp_axis_order *order,
                              const pp_access *access) {
  const pp_node *node = &routine->node[access->node];
  pp_flat_access flat = {.operand = access->node, .dtype = node->dtype};
  if (!executes(statement)) return flat;
  int64_t row = 1; /* elements from one index of the dimension to the next */
  for (unsigned d = node->rank; d > 0; d--) {
    const pp_index *index = &access->index[d - 1];
    flat.base += index->base * row;
    for (unsigned p = 0; p < statement->axes; p++)
      if (statement->extent[order->from[p]] > 1)
        flat.stride[p] += index->scale[order->from[p]] * row;
    row *= (int64_t)node->dims[d - 1];
  }
  return flat;
}

static pp_flat_statement flat_statement(const pp_routine *routine,
                                        const pp_statement *statement) {
  const pp_node *target = &routine->node[statement->target.node];
  pp_axis_order order = order_axes(statement, target->rank);
  pp_flat_statement flat = {.dtype = target->dtype,
                            .parallel = order.parallel,
                            .axes = statement->axes,
                            .fold = statement->fold,
                            .reads = statement->reads,
                            .steps = statement->steps};
  for (unsigned p = 0; p < flat.axes; p++)
    flat.extent[p] = statement->extent[order.from[p]];
  flat.target = flatten(routine, statement, &order, &statement->target);
  for (unsigned k = 0; k < flat.reads; k++)
    flat.read[k] = flatten(routine, statement, &order, &statement->read[k]);
  for (unsigned k = 0; k < flat.steps; k++)
    flat.step[k] = statement->step[k];
  return flat;
}

pp_code *pp_code_make(const pp_routine *routine) {
  pp_code *code = calloc(1, sizeof *code);
  if (!code) return NULL;
  code->operands = routine->nodes;
  code->statements = routine->statements;
  code->operand_bytes = calloc(code->operands + 1, sizeof(uint64_t));
  code->statement = calloc(code->statements + 1, sizeof(pp_flat_statement));
  if (!code->operand_bytes || !code->statement) {
    pp_code_free(code);
    return NULL;
  }
  for (size_t i = 0; i < code->operands; i++)
    code->operand_bytes[i] = pp_node_bytes(&routine->node[i]);
  for (size_t k = 0; k < code->statements; k++)
    code->statement[k] = flat_statement(routine, &routine->statement[k]);
  return code;
}

void pp_code_free(pp_code *code) {
  if (!code) return;
  free(code->operand_bytes);
  free(code->statement);
  free(code);
}
