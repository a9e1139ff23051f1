/* poolproof: a statement made ready for the machine. In the common subset of C
 * and OpenCL C: fixed widths, the same layout everywhere.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MACHINE_TASK_H
#define PP_MACHINE_TASK_H

enum { PP_ACCESSES = PP_READS + 1, PP_TARGET = 0 };

/* Strides and base are bytes from the operand's start.
 * still  no lane moves it: one value for all of them */
typedef struct pp_task_access {
  int64_t base;
  int64_t lane[PP_AXES];
  int64_t loop[PP_AXES];
  uint64_t operand;
  uint32_t dtype;
  uint32_t still;
} pp_task_access;

/* access     load: which
 * meets      load: what the step after it does with it and the value below
 * slot       keep, again
 * fold       next: the operation that folds
 * axis, end  next: its loop is over [axis, end) of the loops' axes
 * back       next: the step to go on with while there are points
 * The steps of a loop's beginning are left out: it changes nothing. */
typedef struct pp_task_step {
  uint64_t bits;
  uint32_t op;
  uint32_t access;
  uint32_t meets;
  uint32_t slot;
  uint32_t fold;
  uint32_t axis;
  uint32_t end;
  uint32_t back;
} pp_task_step;

/* The points of `lanes` axes (at least one) are done a tile at a time, those
 * of `loops` axes (perhaps none) one after the other; behind the loops' axes
 * are those of the expression's own loops. All are row-major, and no extent is
 * 0.
 * along     the lanes are the reduction, the loops the target's elements;
 *           otherwise the other way round
 * points    of the lanes
 * fold      what meets the target: PP_OP_COUNT sets it
 * accesses  the target, then the reads */
typedef struct pp_task {
  uint64_t points;
  uint64_t lane_extent[PP_AXES];
  uint64_t loop_extent[PP_AXES];
  uint32_t lanes;
  uint32_t loops;
  uint32_t along;
  uint32_t dtype;
  uint32_t fold;
  uint32_t accesses;
  uint32_t steps;
  uint32_t padding;
  pp_task_access access[PP_ACCESSES];
  pp_task_step step[PP_STEPS];
} pp_task;

/* Where the accesses' operands begin in their buffers, in bytes. */
typedef struct pp_places {
  uint64_t offset[PP_ACCESSES];
} pp_places;

#endif
