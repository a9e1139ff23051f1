/* poolproof: virtual nodes are computed where they are read (RTN-3).
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "expression.h"
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* What a virtual node is at an index, once that is known. */
typedef struct pp_known {
  pp_access access;
  unsigned term;
} pp_known;

typedef struct pp_inlining {
  const pp_lowering *lowering;
  pp_expression expression;
  unsigned knowns;
  pp_known known[PP_TERMS];
} pp_inlining;

/* A statement seen from the one that its value goes to: each of its axes as an
 * index in that one's axes; what its steps leave and remember.
 * own  it is that one itself: its reads stay as they are written */
typedef struct pp_frame {
  const pp_statement *statement;
  bool own;
  pp_index map[PP_AXES];
  unsigned height;
  unsigned stack[PP_DEPTH];
  unsigned slot[PP_SLOTS];
  unsigned loops;
  pp_term loop[PP_AXES];
} pp_frame;

static unsigned read_node(pp_inlining *inlining, const pp_access *access);

/* index with the frame's axes replaced; false: past 63 bits. */
static bool replace(const pp_frame *frame, const pp_index *index,
                    pp_index *result) {
  const pp_statement *statement = frame->statement;
  *result = (pp_index){.base = index->base};
  for (unsigned a = 0; a < statement->axes + statement->inner; a++) {
    int64_t scale = index->scale[a];
    if (scale == 0 || (statement->extent[a] == 1 && !frame->own)) continue;
    int64_t part = 0;
    if (__builtin_mul_overflow(scale, frame->map[a].base, &part) ||
        __builtin_add_overflow(result->base, part, &result->base))
      return false;
    for (unsigned b = 0; b < PP_AXES; b++)
      if (__builtin_mul_overflow(scale, frame->map[a].scale[b], &part) ||
          __builtin_add_overflow(result->scale[b], part, &result->scale[b]))
        return false;
  }
  return true;
}

static unsigned load(pp_inlining *inlining, const pp_frame *frame,
                     const pp_access *read) {
  const pp_lowering *lowering = inlining->lowering;
  const pp_node *node = &lowering->node[read->node];
  pp_term term = {
      .op = PP_OP_LOAD, .access = {.node = read->node}, .rank = node->rank};
  for (unsigned d = 0; d < node->rank; d++)
    if (!replace(frame, &read->index[d], &term.access.index[d]))
      return PP_NO_TERM;
  if (lowering->fact[read->node].placement == PP_VIRTUAL)
    return read_node(inlining, &term.access);
  return pp_expression_term(&inlining->expression, &term);
}

/* Inner axes of the whole for some of the frame's; false: too many. */
static bool open_axes(pp_inlining *inlining, pp_frame *frame, unsigned from,
                      unsigned axes, unsigned *first) {
  *first = pp_expression_axes(&inlining->expression, axes,
                              &frame->statement->extent[from]);
  if (*first == PP_AXES) return false;
  for (unsigned k = 0; k < axes; k++) {
    frame->map[from + k] = (pp_index){0};
    frame->map[from + k].scale[*first + k] = 1;
  }
  return true;
}

static unsigned operate(pp_inlining *inlining, pp_frame *frame,
                        const pp_step *step) {
  pp_term term = {.op = step->op, .bits = step->bits};
  unsigned arity = (unsigned)pp_op_arity(step->op);
  frame->height -= arity;
  for (unsigned k = 0; k < arity; k++)
    term.argument[k] = frame->stack[frame->height + k];
  return pp_expression_term(&inlining->expression, &term);
}

static unsigned end_loop(pp_inlining *inlining, pp_frame *frame,
                         const pp_step *step) {
  frame->height -= 2;
  pp_term term = frame->loop[--frame->loops];
  term.fold = step->fold;
  term.argument[0] = frame->stack[frame->height];
  term.argument[1] = frame->stack[frame->height + 1];
  return pp_expression_term(&inlining->expression, &term);
}

/* One step; its value, or PP_NO_TERM. */
static unsigned follow(pp_inlining *inlining, pp_frame *frame,
                       const pp_step *step) {
  unsigned top = 0;
  pp_term *loop = NULL;
  switch (step->op) {
  case PP_OP_LOAD:
    return load(inlining, frame, &frame->statement->read[step->read]);
  case PP_OP_KEEP:
    top = frame->stack[--frame->height];
    frame->slot[step->slot] = top;
    inlining->expression.term[top].wanted = true;
    return top;
  case PP_OP_AGAIN:
    return frame->slot[step->slot];
  case PP_OP_LOOP:
    loop = &frame->loop[frame->loops++];
    *loop = (pp_term){.op = PP_OP_LOOP, .axes = step->axes};
    if (!open_axes(inlining, frame, step->axis, step->axes, &loop->axis))
      return PP_NO_TERM;
    return frame->stack[--frame->height];
  case PP_OP_NEXT:
    return end_loop(inlining, frame, step);
  default:
    return operate(inlining, frame, step);
  }
}

/* The value of the frame's expression, or PP_NO_TERM. */
static unsigned evaluate(pp_inlining *inlining, pp_frame *frame) {
  const pp_statement *statement = frame->statement;
  for (unsigned k = 0; k < statement->steps; k++) {
    unsigned value = follow(inlining, frame, &statement->step[k]);
    if (value == PP_NO_TERM) return PP_NO_TERM;
    frame->stack[frame->height++] = value;
  }
  return frame->stack[0];
}

/* The axis that a dimension of a target has, or PP_AXES. */
static unsigned axis_of(const pp_statement *statement, unsigned d) {
  for (unsigned axis = 0; axis < statement->axes; axis++)
    if (statement->target.index[d].scale[axis] != 0 &&
        statement->extent[axis] != 1)
      return axis;
  return PP_AXES;
}

/* Turns the target's indices around: axis = (index - base) * scale, with a
 * scale of 1 or -1, because the statement covers the node. */
static bool map_target(pp_frame *frame, unsigned rank,
                       const pp_access *access) {
  const pp_statement *statement = frame->statement;
  for (unsigned d = 0; d < rank; d++) {
    unsigned axis = axis_of(statement, d);
    if (axis == PP_AXES) continue;
    int64_t scale = statement->target.index[d].scale[axis];
    pp_index *map = &frame->map[axis];
    *map = access->index[d];
    if (__builtin_sub_overflow(map->base, statement->target.index[d].base,
                               &map->base))
      return false;
    if (__builtin_mul_overflow(map->base, scale, &map->base)) return false;
    for (unsigned b = 0; b < PP_AXES; b++)
      if (__builtin_mul_overflow(map->scale[b], scale, &map->scale[b]))
        return false;
  }
  return true;
}

/* The axes that the target has not, as one loop's; *axes = 0: there are
 * none. They are opened one by one, so that their numbers follow. */
static bool open_reductions(pp_inlining *inlining, pp_frame *frame,
                            unsigned rank, pp_term *loop) {
  const pp_statement *statement = frame->statement;
  for (unsigned axis = 0; axis < statement->axes; axis++) {
    if (statement->extent[axis] == 1 ||
        pp_access_moves(&statement->target, rank, axis))
      continue;
    unsigned number = 0;
    if (!open_axes(inlining, frame, axis, 1, &number)) return false;
    if (loop->axes == 0) loop->axis = number;
    loop->axes++;
  }
  return true;
}

/* One write of a virtual node on top of what it was, at an index. */
static unsigned write_node(pp_inlining *inlining, size_t line,
                           const pp_access *access, unsigned before) {
  const pp_lowering *lowering = inlining->lowering;
  unsigned rank = lowering->node[access->node].rank;
  pp_frame frame = {.statement = lowering->line[line]};
  pp_term loop = {.op = PP_OP_LOOP, .fold = frame.statement->fold};
  if (!map_target(&frame, rank, access) ||
      !open_reductions(inlining, &frame, rank, &loop))
    return PP_NO_TERM;
  unsigned value = evaluate(inlining, &frame);
  if (frame.statement->fold == PP_FOLD_SET) return value;
  if (loop.axes == 0)
    return pp_expression_op(&inlining->expression,
                            pp_fold_op(frame.statement->fold), before, value,
                            0);
  loop.argument[0] = before;
  loop.argument[1] = value;
  return pp_expression_term(&inlining->expression, &loop);
}

static unsigned read_node(pp_inlining *inlining, const pp_access *access) {
  const pp_lowering *lowering = inlining->lowering;
  const pp_fact *fact = &lowering->fact[access->node];
  unsigned rank = lowering->node[access->node].rank;
  for (unsigned k = 0; k < inlining->knowns; k++)
    if (pp_same_access(&inlining->known[k].access, access, rank, PP_AXES))
      return inlining->known[k].term;
  const size_t *write = lowering->write + fact->write;
  unsigned term = write_node(inlining, write[0], access, PP_NO_TERM);
  for (size_t w = 1; w < fact->writes && term != PP_NO_TERM; w++)
    term = write_node(inlining, write[w], access, term);
  if (term == PP_NO_TERM || inlining->knowns == PP_TERMS) return PP_NO_TERM;
  inlining->expression.term[term].wanted = true;
  inlining->known[inlining->knowns++] = (pp_known){*access, term};
  return term;
}

/* Does it read a virtual node, and one for which something changed? */
static void see_reads(const pp_lowering *lowering,
                      const pp_statement *statement, bool *is_virtual,
                      bool *changed) {
  for (unsigned r = 0; r < statement->reads; r++) {
    const pp_fact *fact = &lowering->fact[statement->read[r].node];
    if (fact->placement == PP_VIRTUAL) *is_virtual = true;
    if (fact->changed) *changed = true;
  }
}

static void begin(pp_inlining *inlining, const pp_lowering *lowering,
                  unsigned axes, const uint64_t *extent) {
  inlining->lowering = lowering;
  inlining->knowns = 0;
  pp_expression_begin(&inlining->expression, axes, extent);
}

/* The statement with virtual nodes in their places; false: past a limit. */
static bool rewrite(pp_inlining *inlining, const pp_lowering *lowering,
                    const pp_statement *statement, pp_statement *made) {
  pp_frame frame = {.statement = statement, .own = true};
  begin(inlining, lowering, statement->axes, statement->extent);
  for (unsigned axis = 0; axis < statement->axes; axis++)
    frame.map[axis].scale[axis] = 1;
  *made = *statement;
  unsigned root = evaluate(inlining, &frame);
  return pp_expression_write(&inlining->expression, root, made);
}

/* What the line reads stays in context from now on. */
static void give_up(pp_lowering *lowering, const pp_statement *statement) {
  for (unsigned r = 0; r < statement->reads; r++) {
    pp_fact *fact = &lowering->fact[statement->read[r].node];
    if (fact->placement == PP_VIRTUAL) fact->too_big = true;
  }
}

/* Line i as it is in the final code; *fits: or it is past a limit. */
static pp_status make_line(pp_inlining *inlining, pp_lowering *lowering,
                           size_t i, bool *fits) {
  const pp_statement *statement = lowering->line[i];
  bool is_virtual = false;
  bool changed = false;
  if (statement->kind == PP_BARRIER) return PP_OK;
  see_reads(lowering, statement, &is_virtual, &changed);
  bool keep = lowering->current[i] && !changed;
  lowering->current[i] = !lowering->gone[i];
  if (lowering->gone[i] || keep) return PP_OK;
  if (!is_virtual) {
    free(lowering->made[i]);
    lowering->made[i] = NULL;
    return PP_OK;
  }
  pp_statement *made = lowering->made[i];
  if (!made) made = lowering->made[i] = malloc(sizeof *made);
  if (!made) return pp_lowering_no_memory(lowering);
  *fits = rewrite(inlining, lowering, statement, made);
  return PP_OK;
}

pp_status pp_inline(pp_lowering *lowering, bool *again) {
  pp_inlining *inlining = malloc(sizeof *inlining);
  if (!inlining) return pp_lowering_no_memory(lowering);
  pp_status status = PP_OK;
  *again = false;
  for (size_t i = 0; i < lowering->lines && status == PP_OK; i++) {
    bool fits = true;
    status = make_line(inlining, lowering, i, &fits);
    if (fits) continue;
    give_up(lowering, lowering->line[i]);
    *again = true;
  }
  free(inlining);
  return status;
}

pp_status pp_inline_whole(const pp_lowering *lowering, size_t node,
                          pp_statement *statement, bool *fits) {
  const pp_node *whole = &lowering->node[node];
  pp_inlining *inlining = malloc(sizeof *inlining);
  if (!inlining) return pp_lowering_no_memory(lowering);
  begin(inlining, lowering, whole->rank, whole->dims);
  *statement = (pp_statement){.target = {.node = node}};
  for (unsigned d = 0; d < whole->rank; d++)
    statement->target.index[d].scale[d] = 1;
  unsigned root = read_node(inlining, &statement->target);
  *fits = pp_expression_write(&inlining->expression, root, statement);
  free(inlining);
  return PP_OK;
}
