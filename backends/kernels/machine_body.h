/* poolproof: the machine itself: one tile of one statement.
 *
 * In the common subset of C and OpenCL C; see machine_ops.h for what must be
 * defined before, and machine_task.h for what it runs. No division but a few a
 * tile, and no step of an index is computed twice.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MACHINE_BODY_H
#define PP_MACHINE_BODY_H

#include "machine_ops.h"
#include "machine_task.h"

enum { PP_LONG_ROW = 64 }; /* lanes */

/* Where a tile is.
 * start  each access's operand
 * at     counters of the lanes at the tile's first, below their extents
 * lane   bytes from the operand's start to that lane's element, but what the
 *        loops add, which is in loop
 * turn   counters of the loops, then of the expression's loops
 * n      lanes of the tile, 1 to PP_TILE */
typedef struct pp_cursor {
  PP_GLOBAL unsigned char *start[PP_ACCESSES];
  uint64_t at[PP_AXES];
  uint64_t turn[PP_AXES];
  int64_t lane[PP_ACCESSES];
  int64_t loop[PP_ACCESSES];
  uint32_t n;
} pp_cursor;

typedef struct pp_workspace {
  pp_value stack[PP_DEPTH];
  pp_value slot[PP_SLOTS];
  pp_value into;
  pp_tile wide;
} pp_workspace;

/* The operation for a dtype. */
static void pp_get(uint32_t dtype, pp_tile *tile, uint32_t at,
                   const PP_GLOBAL unsigned char *from, int64_t stride,
                   uint32_t n) {
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_get_##name(tile, at, from, stride, n);                                  \
    break;
  switch (dtype) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
}

static void pp_put(uint32_t dtype, const pp_tile *tile, uint32_t at,
                   PP_GLOBAL unsigned char *to, int64_t stride, uint32_t n) {
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_put_##name(tile, at, to, stride, n);                                    \
    break;
  switch (dtype) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
}

static void pp_literal(uint32_t dtype, pp_value *value, uint64_t bits) {
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_literal_##name(&value->tile, bits);                                     \
    break;
  value->uniform = 1;
  switch (dtype) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
}

static void pp_spread(uint32_t dtype, pp_value *value, uint32_t n) {
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_spread_##name(&value->tile, n);                                         \
    break;
  if (!value->uniform) return;
  value->uniform = 0;
  switch (dtype) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
}

static void pp_convert(uint32_t to, uint32_t from, pp_tile *tile, pp_tile *wide,
                       uint32_t n) {
  uint32_t is_float = 0;
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    is_float = pp_widen_##name(wide, tile, n);                                 \
    break;
  switch (from) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_narrow_##name(tile, wide, is_float, n);                                 \
    break;
  switch (to) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
}

static void pp_unary(uint32_t dtype, uint32_t op, pp_value *value, uint32_t n) {
  if (value->uniform) n = 1;
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_unary_##name(op, &value->tile, n);                                      \
    break;
  switch (dtype) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
}

/* a = a op b */
static void pp_binary(uint32_t dtype, uint32_t op, pp_value *a,
                      const pp_value *b, uint32_t n) {
  if (a->uniform && b->uniform) n = 1;
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_binary_##name(op, &a->tile, &b->tile, a->uniform, b->uniform, n);       \
    break;
  switch (dtype) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
  a->uniform = a->uniform && b->uniform;
}

/* a = a op b, the elements of b one after the other in memory */
static void pp_meet(uint32_t dtype, uint32_t op, pp_value *a,
                    const PP_GLOBAL unsigned char *b, uint32_t n) {
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_meet_##name(op, &a->tile, b, a->uniform, n);                            \
    break;
  switch (dtype) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
  a->uniform = 0;
}

static void pp_copy(uint32_t dtype, pp_value *to, const pp_value *from,
                    uint32_t n) {
  to->uniform = from->uniform;
  if (to->uniform) n = 1;
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_copy_##name(&to->tile, &from->tile, n);                                 \
    break;
  switch (dtype) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
}

/* c = c != 0 ? a : b, which follow it */
static void pp_select(uint32_t dtype, pp_value *c, uint32_t n) {
  for (uint32_t k = 0; k < 3; k++)
    pp_spread(dtype, c + k, n);
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_select_##name(&c->tile, &c[1].tile, &c[2].tile, n);                     \
    break;
  switch (dtype) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
}

/* Folds the lanes into lane 0 of `into`, one after the other. */
static void pp_along(uint32_t dtype, uint32_t op, pp_tile *into,
                     pp_value *value, uint32_t n) {
  pp_spread(dtype, value, n);
#define PP_CASE(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    pp_along_##name(op, into, &value->tile, n);                                \
    break;
  switch (dtype) { PP_DTYPES(PP_CASE) }
#undef PP_CASE
}

/* The row of lanes that begins at counters c: how many are left of it, `most`
 * at most. */
static uint32_t pp_row(const PP_TASK pp_task *task, const uint64_t *c,
                       uint32_t most) {
  uint64_t left = task->lane_extent[task->lanes - 1] - c[task->lanes - 1];
  return left < most ? (uint32_t)left : most;
}

/* Counters c and an access's offset after `done` lanes of a row. */
static int64_t pp_next_row(const PP_TASK pp_task *task, uint32_t k, uint64_t *c,
                           int64_t offset, uint32_t done) {
  const PP_TASK pp_task_access *access = &task->access[k];
  uint32_t a = task->lanes - 1;
  c[a] += done - 1;
  offset += (int64_t)(done - 1) * access->lane[a];
  while (a > 0 && c[a] + 1 == task->lane_extent[a]) {
    offset -= (int64_t)c[a] * access->lane[a];
    c[a] = 0;
    a--;
  }
  c[a]++;
  return offset + access->lane[a];
}

/* A tile's elements, from memory or to it, row by row. */
static void pp_move(const PP_TASK pp_task *task, const pp_cursor *cursor,
                    uint32_t k, pp_tile *tile, uint32_t writes) {
  const PP_TASK pp_task_access *access = &task->access[k];
  int64_t stride = access->lane[task->lanes - 1];
  int64_t offset = cursor->lane[k] + cursor->loop[k];
  uint64_t c[PP_AXES] = {0};
  for (uint32_t a = 0; a < task->lanes; a++)
    c[a] = cursor->at[a];
  uint32_t at = 0;
  for (;;) {
    uint32_t n = pp_row(task, c, cursor->n - at);
    PP_GLOBAL unsigned char *there = cursor->start[k] + offset;
    if (writes)
      pp_put(access->dtype, tile, at, there, stride, n);
    else
      pp_get(access->dtype, tile, at, there, stride, n);
    at += n;
    if (at == cursor->n) return;
    offset = pp_next_row(task, k, c, offset, n);
  }
}

static void pp_load(const PP_TASK pp_task *task, const pp_cursor *cursor,
                    uint32_t k, pp_value *value, pp_tile *wide) {
  const PP_TASK pp_task_access *access = &task->access[k];
  uint32_t a = task->lanes - 1;
  uint32_t n = cursor->n;
  uint32_t row = pp_row(task, cursor->at, n);
  value->uniform = access->still || (row == n && access->lane[a] == 0);
  if (value->uniform) n = row = 1;
  if (row == n)
    pp_get(access->dtype, &value->tile, 0,
           cursor->start[k] + (cursor->lane[k] + cursor->loop[k]),
           access->lane[a], n);
  else
    pp_move(task, cursor, k, &value->tile, 0);
  if (access->dtype != task->dtype)
    pp_convert(task->dtype, access->dtype, &value->tile, wide, n);
}

/* Puts the cursor on the tile whose first lane is `first`. The tile ends where
 * a row does unless that makes it short: within a row what does not move with
 * the last axis is uniform. */
static void pp_seek(const PP_TASK pp_task *task, pp_cursor *cursor,
                    uint64_t first) {
  uint64_t left = task->points - first;
  for (uint32_t a = task->lanes - 1; a > 0; a--) {
    cursor->at[a] = first % task->lane_extent[a];
    first /= task->lane_extent[a];
  }
  cursor->at[0] = first;
  cursor->n = left < PP_TILE ? (uint32_t)left : PP_TILE;
  uint32_t row = pp_row(task, cursor->at, cursor->n);
  if (row >= PP_LONG_ROW) cursor->n = row;
  for (uint32_t k = 0; k < task->accesses; k++) {
    cursor->lane[k] = task->access[k].base;
    for (uint32_t a = 0; a < task->lanes; a++)
      cursor->lane[k] += (int64_t)cursor->at[a] * task->access[k].lane[a];
  }
}

static void pp_rewind(const PP_TASK pp_task *task, pp_cursor *cursor) {
  for (uint32_t a = 0; a < PP_AXES; a++)
    cursor->turn[a] = 0;
  for (uint32_t k = 0; k < task->accesses; k++)
    cursor->loop[k] = 0;
}

/* The next point of the loops' axes [axis, end); after the last one 0, and
 * they are at their first again. */
static uint32_t pp_turn(const PP_TASK pp_task *task, pp_cursor *cursor,
                        uint32_t axis, uint32_t end) {
  for (uint32_t left = end; left > axis; left--) {
    uint32_t a = left - 1;
    uint32_t ends = cursor->turn[a] + 1 == task->loop_extent[a];
    for (uint32_t k = 0; k < task->accesses; k++) {
      int64_t stride = task->access[k].loop[a];
      cursor->loop[k] += ends ? -(int64_t)cursor->turn[a] * stride : stride;
    }
    cursor->turn[a] = ends ? 0 : cursor->turn[a] + 1;
    if (!ends) return 1;
  }
  return 0;
}

/* What the load's elements meet at their place in memory: 1, or 0 when the
 * load has to be made first. */
static uint32_t pp_met(const PP_TASK pp_task *task, const pp_cursor *cursor,
                       const PP_TASK pp_task_step *step, pp_value *top) {
  uint32_t k = step->access;
  if (step->meets == PP_OP_COUNT ||
      pp_row(task, cursor->at, cursor->n) != cursor->n)
    return 0;
  pp_meet(task->dtype, step->meets, top - 1,
          cursor->start[k] + (cursor->lane[k] + cursor->loop[k]), cursor->n);
  return 1;
}

/* The expression; its value is the lowest of the stack. */
static void pp_evaluate(const PP_TASK pp_task *task, pp_cursor *cursor,
                        pp_workspace *space) {
  pp_value *top = space->stack; /* the next free one */
  uint32_t s = 0;
  while (s < task->steps) {
    const PP_TASK pp_task_step *step = &task->step[s++];
    switch (step->op) {
    case PP_OP_LOAD:
      if (pp_met(task, cursor, step, top))
        s++;
      else
        pp_load(task, cursor, step->access, top++, &space->wide);
      break;
    case PP_OP_LIT:
      pp_literal(task->dtype, top++, step->bits);
      break;
    case PP_OP_NEG:
    case PP_OP_ABS:
    case PP_OP_SQRT:
      pp_unary(task->dtype, step->op, top - 1, cursor->n);
      break;
    case PP_OP_SELECT:
      top -= 2;
      pp_select(task->dtype, top - 1, cursor->n);
      break;
    case PP_OP_KEEP:
      pp_copy(task->dtype, &space->slot[step->slot], top - 1, cursor->n);
      break;
    case PP_OP_AGAIN:
      pp_copy(task->dtype, top++, &space->slot[step->slot], cursor->n);
      break;
    case PP_OP_NEXT:
      top--;
      pp_binary(task->dtype, step->fold, top - 1, top, cursor->n);
      if (pp_turn(task, cursor, step->axis, step->end)) s = step->back;
      break;
    default:
      top--;
      pp_binary(task->dtype, step->op, top - 1, top, cursor->n);
      break;
    }
  }
}

/* The tile of the target's elements from `first` on. */
static void pp_across_tile(const PP_TASK pp_task *task, pp_cursor *cursor,
                           pp_workspace *space, uint64_t first) {
  uint32_t folds = task->fold != PP_OP_COUNT;
  pp_seek(task, cursor, first);
  pp_rewind(task, cursor);
  if (folds) pp_move(task, cursor, PP_TARGET, &space->into.tile, 0);
  space->into.uniform = 0;
  do {
    pp_evaluate(task, cursor, space);
    if (folds)
      pp_binary(task->dtype, task->fold, &space->into, space->stack, cursor->n);
  } while (pp_turn(task, cursor, 0, task->loops));
  if (!folds) pp_spread(task->dtype, space->stack, cursor->n);
  pp_move(task, cursor, PP_TARGET,
          folds ? &space->into.tile : &space->stack[0].tile, 1);
}

/* The target's element that the loops are at. */
static void pp_along_tiles(const PP_TASK pp_task *task, pp_cursor *cursor,
                           pp_workspace *space) {
  PP_GLOBAL unsigned char *target =
      cursor->start[PP_TARGET] +
      (task->access[PP_TARGET].base + cursor->loop[PP_TARGET]);
  pp_get(task->dtype, &space->into.tile, 0, target, 0, 1);
  for (uint64_t first = 0; first < task->points; first += cursor->n) {
    pp_seek(task, cursor, first);
    pp_evaluate(task, cursor, space);
    pp_along(task->dtype, task->fold, &space->into.tile, space->stack,
             cursor->n);
  }
  pp_put(task->dtype, &space->into.tile, 0, target, 0, 1);
}

#endif
