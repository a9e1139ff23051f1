#include "routine.h"

#include "kernels/code.h"
#include "routines.h"

#include <stdlib.h>

/* The number of the element that an access names, from the indices alone. */
static uint64_t element(const pp_routine *routine, const pp_access *access,
                        unsigned axes, const uint64_t *counter) {
  const pp_node *node = &routine->node[access->node];
  int64_t number = 0;
  for (unsigned d = 0; d < node->rank; d++) {
    int64_t index = access->index[d].base;
    for (unsigned axis = 0; axis < axes; axis++)
      if (counter[axis] > 0)
        index += access->index[d].scale[axis] * (int64_t)counter[axis];
    cr_assert(index >= 0 && (uint64_t)index < node->dims[d]);
    number = number * (int64_t)node->dims[d] + index;
  }
  return (uint64_t)number;
}

static uint64_t flat_element(const pp_flat_access *flat, unsigned axes,
                             const uint64_t *counter) {
  int64_t number = flat->base;
  for (unsigned p = 0; p < axes; p++)
    number += flat->stride[p] * (int64_t)counter[p];
  return (uint64_t)number;
}

static unsigned axes_of(const pp_statement *statement) {
  return statement->axes + statement->inner;
}

/* Writes the axes in the order that code.h wants; returns how many of them
 * are the target's. */
static unsigned order_axes(const pp_statement *statement, unsigned *order) {
  unsigned next = 0;
  unsigned parallel = 0;
  for (unsigned wanted = 1; wanted < 3; wanted++)
    for (unsigned axis = 0; axis < statement->axes; axis++) {
      bool used = false;
      for (unsigned d = 0; d < PP_RANK; d++)
        used |= statement->target.index[d].scale[axis] != 0;
      if (used != (wanted == 1)) continue;
      order[next++] = axis;
      parallel += used;
    }
  for (unsigned axis = statement->axes; axis < axes_of(statement); axis++)
    order[axis] = axis;
  return parallel;
}

/* The next point, the last axis fastest; false after the last one. */
static bool step(const pp_statement *statement, uint64_t *counter) {
  for (unsigned axis = axes_of(statement); axis > 0; axis--) {
    counter[axis - 1]++;
    if (counter[axis - 1] < statement->extent[axis - 1]) return true;
    counter[axis - 1] = 0;
  }
  return false;
}

static bool has_points(const pp_statement *statement) {
  for (unsigned axis = 0; axis < axes_of(statement); axis++)
    if (statement->extent[axis] == 0) return false;
  return true;
}

static void compare_points(const pp_routine *routine,
                           const pp_statement *statement,
                           const pp_flat_statement *flat,
                           const unsigned *order) {
  uint64_t counter[PP_AXES] = {0};
  if (!has_points(statement)) return;
  do {
    uint64_t moved[PP_AXES] = {0};
    unsigned axes = axes_of(statement);
    for (unsigned p = 0; p < axes; p++)
      moved[p] = counter[order[p]];
    cr_assert_eq(flat_element(&flat->target, axes, moved),
                 element(routine, &statement->target, axes, counter));
    for (unsigned k = 0; k < statement->reads; k++)
      cr_assert_eq(flat_element(&flat->read[k], axes, moved),
                   element(routine, &statement->read[k], axes, counter));
  } while (step(statement, counter));
}

static void compare(const pp_routine *routine, size_t at,
                    const pp_flat_statement *flat) {
  const pp_statement *statement = &routine->statement[at];
  unsigned order[PP_AXES] = {0};
  cr_assert_eq(flat->parallel, order_axes(statement, order));
  cr_assert_eq(flat->position, routine->position[at]);
  cr_assert_eq(flat->axes, statement->axes);
  cr_assert_eq(flat->inner, statement->inner);
  cr_assert_eq(flat->fold, statement->fold);
  cr_assert_eq(flat->reads, statement->reads);
  cr_assert_eq(flat->dtype, routine->node[statement->target.node].dtype);
  cr_assert_eq(flat->target.operand, statement->target.node);
  for (unsigned p = 0; p < axes_of(statement); p++)
    cr_assert_eq(flat->extent[p], statement->extent[order[p]]);
  for (unsigned k = 0; k < flat->reads; k++) {
    cr_assert_eq(flat->read[k].operand, statement->read[k].node);
    cr_assert_eq(flat->read[k].dtype,
                 routine->node[statement->read[k].node].dtype);
  }
  if (has_points(statement)) {
    cr_assert_eq(flat->steps, statement->steps);
    cr_assert_arr_eq(flat->step, statement->step, sizeof flat->step);
  }
  compare_points(routine, statement, flat, order);
}

static size_t compare_all(const pp_routine *routine) {
  cr_assert_eq(routine->code->operands, routine->nodes);
  for (size_t i = 0; i < routine->nodes; i++)
    cr_assert_eq(routine->code->operand_bytes[i],
                 pp_node_bytes(&routine->node[i]));
  size_t compared = 0;
  for (size_t k = 0; k < routine->statements; k++)
    if (routine->statement[k].kind != PP_BARRIER)
      compare(routine, k, &routine->code->statement[compared++]);
  cr_assert_eq(routine->code->statements, compared);
  return compared;
}

Test(code, flat_as_by_nested_loops) {
  const pp_routine_limits limits = {
      .nodes = 12, .statements = 12, .extent = 5, .wild = true};
  pp_random random;
  size_t compared = 0;
  pp_random_start(&random, 4, 0);
  for (int k = 0; k < 400; k++) {
    pp_routine *routine = NULL;
    pp_failure failure = {.text = ""};
    cr_assert_eq(pp_random_routine(&random, &limits, &routine, &failure), PP_OK,
                 "%s", failure.text);
    compared += compare_all(routine);
    pp_routine_free(routine);
  }
  cr_expect_gt(compared, 1000);
}

Test(code, by_hand) {
  pp_routine *routine = pp_must_parse(
      "routine r\nnode 1 y f64 [3, 5]\nnode 2 x u8 [7, 4, 6]\nnode 3 z f32 "
      "[0, 3]\n"
      "for k<2, i<3, l<1, j<5: y[2 - i, j] += x[2*i + k, 3, 9*l + 5 - j]\n"
      "for i<0, j<9: z[5*i, 7*j + 4] += x[i, 9223372036854775807*j, j]\n"
      "end\n");
  const pp_flat_statement *flat = routine->code->statement;
  const uint64_t extent[PP_AXES] = {3, 5, 2, 1};
  const int64_t target[PP_AXES] = {-5, 1};
  const int64_t read[PP_AXES] = {48, -1, 24, 0};
  cr_expect_eq(flat->parallel, 2);
  cr_expect_arr_eq(flat->extent, extent, sizeof extent);
  cr_expect_eq(flat->target.base, 10);
  cr_expect_arr_eq(flat->target.stride, target, sizeof target);
  cr_expect_eq(flat->read[0].base, 23);
  cr_expect_arr_eq(flat->read[0].stride, read, sizeof read);
  cr_expect_eq(flat->read[0].dtype, PP_U8);
  cr_expect_eq(flat->dtype, PP_F64);
  cr_expect_eq(flat[1].parallel, 2);
  cr_expect_eq(flat[1].read[0].stride[1], 0);
  compare_all(routine);
  pp_routine_free(routine);
  pp_code_free(NULL);
}

Test(code, loops_of_expressions) {
  pp_routine *routine = pp_must_parse(
      "routine r\nnode 1 y f64 [4]\nnode 2 x u8 [4, 3, 5]\nbarrier\n"
      "for r<2, i<4: y[i] += sum(1 for k<3, l<2: x[i, 2 - k, 2*l + r])\n"
      "barrier\n"
      "for i<4: y[i] = sum(2 for k<2: 3 + product(4 for l<0: x[9, 9*l, 9]"
      " + sum(5 for m<2: x[i, 7, m])) + x[i, k, 0])\n"
      "also for i<4: y[i] = y[i] + sum(6 for k<0: 7)\n"
      "end\n");
  const pp_flat_statement *flat = routine->code->statement;
  const uint64_t extent[PP_AXES] = {4, 2, 3, 2};
  const int64_t read[PP_AXES] = {15, 1, -5, 2};
  const int64_t last[PP_AXES] = {15, 5};
  const pp_op ops[] = {PP_OP_LIT, PP_OP_LOOP, PP_OP_LIT, PP_OP_LIT,
                       PP_OP_ADD, PP_OP_LOAD, PP_OP_ADD, PP_OP_NEXT};
  cr_assert_eq(routine->code->statements, 3);
  cr_expect_eq(flat[0].position, 1);
  cr_expect_eq(flat[0].inner, 2);
  cr_expect_arr_eq(flat[0].extent, extent, sizeof extent);
  cr_expect_eq(flat[0].read[0].base, 10);
  cr_expect_arr_eq(flat[0].read[0].stride, read, sizeof read);
  cr_expect_eq(flat[1].position, 3);
  cr_assert_eq(flat[1].steps, COUNT(ops));
  for (size_t k = 0; k < COUNT(ops); k++)
    cr_expect_eq(flat[1].step[k].op, ops[k], "step %zu", k);
  const pp_flat_access *made = &flat[1].read[flat[1].step[5].read];
  cr_expect_arr_eq(made->stride, last, sizeof last);
  for (unsigned k = 0; k < flat[1].reads; k++)
    if (&flat[1].read[k] != made) cr_expect_eq(flat[1].read[k].base, 0);
  cr_expect_eq(flat[2].position, 3);
  cr_expect_eq(flat[2].steps, 3);
  pp_routine_free(routine);
}
