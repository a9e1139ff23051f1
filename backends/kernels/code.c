#include "code.h"

#include <stdlib.h>

/* Where the axes of a statement go: the target's first, inner ones last. */
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
  for (unsigned axis = 0; axis < statement->inner; axis++)
    order.from[next++] = statement->axes + axis;
  return order;
}

static bool has_points(const uint64_t *extent, unsigned axes) {
  for (unsigned axis = 0; axis < axes; axis++)
    if (extent[axis] == 0) return false;
  return true;
}

/* Copies the steps that run and answers which reads they load, as bits. */
static unsigned copy_steps(pp_flat_statement *flat,
                           const pp_statement *statement) {
  unsigned loads = 0;
  unsigned idle = 0; /* loops that are open from one without points on */
  for (unsigned k = 0; k < statement->steps; k++) {
    const pp_step *step = &statement->step[k];
    bool begins = step->op == PP_OP_LOOP;
    if (begins &&
        (idle > 0 || !has_points(&statement->extent[step->axis], step->axes)))
      idle++;
    if (idle == 0) flat->step[flat->steps++] = *step;
    if (idle == 0 && step->op == PP_OP_LOAD) loads |= 1U << step->read;
    if (idle > 0 && step->op == PP_OP_NEXT) idle--;
  }
  return loads;
}

/* Of an access that is made. Where an axis has one point, indices may be
 * scaled by anything: those strides are left 0. All others are inside the
 * node, so that no sum here passes its number of elements. */
static void flatten(pp_flat_access *flat, const pp_node *node,
                    const pp_statement *statement, const pp_axis_order *order,
                    const pp_access *access) {
  int64_t row = 1; /* elements from one index of the dimension to the next */
  for (unsigned d = node->rank; d > 0; d--) {
    const pp_index *index = &access->index[d - 1];
    flat->base += index->base * row;
    for (unsigned p = 0; p < statement->axes + statement->inner; p++)
      if (statement->extent[order->from[p]] > 1)
        flat->stride[p] += index->scale[order->from[p]] * row;
    row *= (int64_t)node->dims[d - 1];
  }
}

static void flatten_accesses(pp_flat_statement *flat, const pp_node *node,
                             const pp_statement *statement,
                             const pp_axis_order *order, unsigned loads) {
  bool runs = has_points(statement->extent, statement->axes);
  flat->target.operand = statement->target.node;
  flat->target.dtype = flat->dtype;
  if (runs)
    flatten(&flat->target, &node[statement->target.node], statement, order,
            &statement->target);
  for (unsigned k = 0; k < flat->reads; k++) {
    const pp_access *read = &statement->read[k];
    flat->read[k].operand = read->node;
    flat->read[k].dtype = node[read->node].dtype;
    if (runs && (loads >> k & 1U) != 0)
      flatten(&flat->read[k], &node[read->node], statement, order, read);
  }
}

static void flatten_statement(pp_flat_statement *flat, const pp_node *node,
                              const pp_statement *statement) {
  const pp_node *target = &node[statement->target.node];
  pp_axis_order order = order_axes(statement, target->rank);
  flat->dtype = target->dtype;
  flat->parallel = order.parallel;
  flat->axes = statement->axes;
  flat->inner = statement->inner;
  flat->fold = statement->fold;
  flat->reads = statement->reads;
  for (unsigned p = 0; p < flat->axes + flat->inner; p++)
    flat->extent[p] = statement->extent[order.from[p]];
  unsigned loads = copy_steps(flat, statement);
  flatten_accesses(flat, node, statement, &order, loads);
}

pp_code *pp_code_make(const pp_routine *routine) {
  pp_code *code = calloc(1, sizeof *code);
  if (!code) return NULL;
  code->operands = routine->nodes;
  code->operand_bytes = calloc(code->operands + 1, sizeof(uint64_t));
  code->statement = calloc(routine->statements + 1, sizeof(pp_flat_statement));
  if (!code->operand_bytes || !code->statement) {
    pp_code_free(code);
    return NULL;
  }
  for (size_t i = 0; i < code->operands; i++)
    code->operand_bytes[i] = pp_node_bytes(&routine->node[i]);
  for (size_t k = 0; k < routine->statements; k++) {
    if (routine->statement[k].kind == PP_BARRIER) continue;
    pp_flat_statement *flat = &code->statement[code->statements++];
    flat->position = routine->position[k];
    flatten_statement(flat, routine->node, &routine->statement[k]);
  }
  return code;
}

void pp_code_free(pp_code *code) {
  if (!code) return;
  free(code->operand_bytes);
  free(code->statement);
  free(code);
}
