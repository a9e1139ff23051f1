/* poolproof: makes statements ready for the machine.
 * SPDX-License-Identifier: MIT */
#include "kernels/task.h"

/* Fewer lanes than these do not pay for the work that each tile is. */
enum { FEW_LANES = 32 };

static const pp_op folds[] = {[PP_FOLD_SET] = PP_OP_COUNT,
                              [PP_FOLD_ADD] = PP_OP_ADD,
                              [PP_FOLD_MUL] = PP_OP_MUL,
                              [PP_FOLD_MIN] = PP_OP_MIN,
                              [PP_FOLD_MAX] = PP_OP_MAX};

static int64_t element_bytes(pp_dtype dtype) {
  return (int64_t)pp_dtype_bytes(dtype);
}

static const pp_flat_access *access_of(const pp_flat_statement *statement,
                                       uint32_t k) {
  return k == PP_TARGET ? &statement->target : &statement->read[k - 1];
}

/* Some axes of a statement, each of more than one point, neighbours joined
 * where every access steps through both as through one. Strides are bytes. */
typedef struct pp_axes {
  uint32_t count;
  uint64_t extent[PP_AXES];
  int64_t stride[PP_AXES][PP_ACCESSES];
} pp_axes;

/* Makes one of the last axis and an inner one if that is possible. */
static bool join(pp_axes *axes, uint64_t extent, const int64_t *stride,
                 uint32_t accesses) {
  if (axes->count == 0) return false;
  uint32_t last = axes->count - 1;
  uint64_t both = 0;
  if (extent > INT64_MAX ||
      __builtin_mul_overflow(axes->extent[last], extent, &both))
    return false;
  for (uint32_t k = 0; k < accesses; k++) {
    int64_t whole = 0;
    if (__builtin_mul_overflow(stride[k], (int64_t)extent, &whole) ||
        whole != axes->stride[last][k])
      return false;
  }
  axes->extent[last] = both;
  for (uint32_t k = 0; k < accesses; k++)
    axes->stride[last][k] = stride[k];
  return true;
}

static void collect(pp_axes *axes, const pp_flat_statement *statement,
                    unsigned from, unsigned to) {
  uint32_t accesses = statement->reads + 1;
  for (unsigned a = from; a < to; a++) {
    int64_t stride[PP_ACCESSES];
    if (statement->extent[a] == 1) continue;
    for (uint32_t k = 0; k < accesses; k++) {
      const pp_flat_access *access = access_of(statement, k);
      stride[k] = access->stride[a] * element_bytes(access->dtype);
    }
    if (join(axes, statement->extent[a], stride, accesses)) continue;
    axes->extent[axes->count] = statement->extent[a];
    for (uint32_t k = 0; k < accesses; k++)
      axes->stride[axes->count][k] = stride[k];
    axes->count++;
  }
}

/* UINT64_MAX when there are more. */
static uint64_t points_of(const pp_axes *axes) {
  uint64_t points = 1;
  for (uint32_t a = 0; a < axes->count; a++)
    if (__builtin_mul_overflow(points, axes->extent[a], &points))
      return UINT64_MAX;
  return points;
}

static void set_lanes(pp_task *task, const pp_axes *axes) {
  task->lanes = axes->count > 0 ? axes->count : 1;
  task->lane_extent[0] = 1;
  for (uint32_t k = 0; k < task->accesses; k++) {
    task->access[k].lane[0] = 0;
    task->access[k].still = 1;
  }
  for (uint32_t a = 0; a < axes->count; a++) {
    task->lane_extent[a] = axes->extent[a];
    for (uint32_t k = 0; k < task->accesses; k++) {
      task->access[k].lane[a] = axes->stride[a][k];
      if (axes->stride[a][k] != 0) task->access[k].still = 0;
    }
  }
}

/* The loops' axes, and behind them the expression's loops', each as it is: a
 * loop may be over some of another one's axes. */
static void set_loops(pp_task *task, const pp_flat_statement *statement,
                      const pp_axes *axes) {
  task->loops = axes->count;
  for (uint32_t a = 0; a < axes->count; a++) {
    task->loop_extent[a] = axes->extent[a];
    for (uint32_t k = 0; k < task->accesses; k++)
      task->access[k].loop[a] = axes->stride[a][k];
  }
  for (unsigned i = 0; i < statement->inner; i++) {
    uint32_t a = task->loops + i;
    task->loop_extent[a] = statement->extent[statement->axes + i];
    for (uint32_t k = 0; k < task->accesses; k++) {
      const pp_flat_access *access = access_of(statement, k);
      task->access[k].loop[a] =
          access->stride[statement->axes + i] * element_bytes(access->dtype);
    }
  }
}

/* A literal so that its first bytes are the value's, as in memory. */
static uint64_t literal(pp_dtype dtype, uint64_t bits) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return bits << (64 - 8 * element_bytes(dtype));
#else
  (void)dtype;
  return bits;
#endif
}

static bool takes_two(pp_op op) {
  return op >= PP_OP_ADD && op <= PP_OP_EQ;
}

/* What the step after a load does, where the load's elements may be used as
 * they lie in memory; PP_OP_COUNT: nothing. */
static uint32_t meets(const pp_task *task, const pp_flat_statement *statement,
                      unsigned s) {
  const pp_task_access *access = &task->access[statement->step[s].read + 1];
  if (s + 1 == statement->steps || !takes_two(statement->step[s + 1].op) ||
      access->dtype != task->dtype ||
      access->lane[task->lanes - 1] != element_bytes(statement->dtype))
    return PP_OP_COUNT;
  return statement->step[s + 1].op;
}

/* A loop that is open: its axes among the task's, and its first step. */
typedef struct pp_open_loop {
  uint32_t axis;
  uint32_t end;
  uint32_t back;
} pp_open_loop;

static void set_step(pp_task *task, const pp_flat_statement *statement,
                     unsigned s, const pp_open_loop *loop) {
  const pp_step *from = &statement->step[s];
  pp_task_step *step = &task->step[task->steps++];
  *step = (pp_task_step){.op = from->op, .slot = from->slot};
  if (from->op == PP_OP_LIT) step->bits = literal(statement->dtype, from->bits);
  if (from->op == PP_OP_LOAD) {
    step->access = from->read + 1;
    step->meets = meets(task, statement, s);
  }
  if (from->op == PP_OP_NEXT) {
    step->fold = folds[from->fold];
    step->axis = loop->axis;
    step->end = loop->end;
    step->back = loop->back;
  }
}

static void set_steps(pp_task *task, const pp_flat_statement *statement) {
  pp_open_loop open[PP_AXES + 1] = {{0}}; /* open[0]: none is */
  unsigned loops = 0;
  task->steps = 0;
  for (unsigned s = 0; s < statement->steps; s++) {
    const pp_step *step = &statement->step[s];
    if (step->op == PP_OP_LOOP) {
      uint32_t axis = task->loops + step->axis - statement->axes;
      open[++loops] = (pp_open_loop){axis, axis + step->axes, task->steps};
    } else {
      set_step(task, statement, s, &open[loops]);
      if (step->op == PP_OP_NEXT) loops--;
    }
  }
}

void pp_task_make(pp_task *task, const pp_flat_statement *statement,
                  bool across) {
  pp_axes target = {0};
  pp_axes reduction = {0};
  task->dtype = statement->dtype;
  task->fold = folds[statement->fold];
  task->accesses = statement->reads + 1;
  for (uint32_t k = 0; k < task->accesses; k++) {
    const pp_flat_access *access = access_of(statement, k);
    task->access[k].operand = access->operand;
    task->access[k].dtype = access->dtype;
    task->access[k].base = access->base * element_bytes(access->dtype);
  }
  collect(&target, statement, 0, statement->parallel);
  collect(&reduction, statement, statement->parallel, statement->axes);
  uint64_t elements = points_of(&target);
  uint64_t terms = points_of(&reduction);
  task->along = !across && elements < FEW_LANES && elements < terms;
  task->points = task->along ? terms : elements;
  set_lanes(task, task->along ? &reduction : &target);
  set_loops(task, statement, task->along ? &target : &reduction);
  set_steps(task, statement);
}

bool pp_task_is_empty(const pp_flat_statement *statement) {
  for (unsigned a = 0; a < statement->axes; a++)
    if (statement->extent[a] == 0) return true;
  return false;
}
