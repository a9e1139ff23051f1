#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

static bool wrong(pp_stack *stack, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool wrong(pp_stack *stack, const char *format, ...) {
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE: clang-tidy 14 does not see va_start */
  (void)vsnprintf(stack->wrong, sizeof stack->wrong, format, list);
  va_end(list);
  return false;
}

/* May a loop be over these extents from the axis on? */
static bool fits(const pp_statement *statement, unsigned open,
                 const uint64_t *extent, unsigned axes, unsigned axis) {
  unsigned end = statement->axes + statement->inner;
  for (unsigned k = 0; k < axes && axis + k < end; k++)
    if (statement->extent[axis + k] != extent[k] ||
        (open & 1U << (axis + k)) != 0)
      return false;
  return true;
}

pp_step pp_loop_begin(pp_statement *statement, unsigned open,
                      const uint64_t *extent, unsigned axes) {
  unsigned axis = statement->axes;
  while (!fits(statement, open, extent, axes, axis))
    axis++;
  if (axes > PP_AXES - axis) return (pp_step){.op = PP_OP_COUNT};
  for (unsigned k = 0; k < axes; k++)
    statement->extent[axis + k] = extent[k];
  unsigned inner = axis + axes - statement->axes;
  if (statement->inner < inner) statement->inner = inner;
  return (pp_step){.op = PP_OP_LOOP, .axis = axis, .axes = axes};
}

static bool keep(pp_stack *stack, const pp_step *step) {
  unsigned slot = 1U << step->slot;
  if (stack->loops > 0 && (stack->loop[stack->loops - 1].kept & slot) != 0)
    return wrong(stack, "slot %u remembers a value from outside the loop",
                 step->slot);
  stack->kept |= slot;
  return true;
}

static bool begin_loop(pp_stack *stack, const pp_statement *statement,
                       const pp_step *step) {
  unsigned end = statement->axes + statement->inner;
  if (step->axes == 0) return wrong(stack, "a loop over no axes");
  if (step->axis < statement->axes || step->axis >= end ||
      step->axes > end - step->axis)
    return wrong(stack, "a loop over %u axes from axis %u, not all are inner",
                 step->axes, step->axis);
  unsigned axes = ((1U << step->axes) - 1) << step->axis;
  if ((stack->open & axes) != 0)
    return wrong(stack, "a loop over an axis of a loop that it is in");
  stack->loop[stack->loops] =
      (pp_open_loop){stack->floor, stack->kept, stack->open};
  stack->loops++;
  stack->floor = stack->height;
  stack->open |= axes;
  stack->looped |= axes;
  return true;
}

static bool end_loop(pp_stack *stack, const pp_step *step) {
  if (stack->loops == 0) return wrong(stack, "next is in no loop");
  if (stack->height - stack->floor != 1)
    return wrong(stack, "next finds %d values in its loop, not one",
                 stack->height - stack->floor);
  if ((unsigned)step->fold >= PP_FOLD_COUNT || step->fold == PP_FOLD_SET)
    return wrong(stack, "no loop has fold %u", (unsigned)step->fold);
  stack->loops--;
  const pp_open_loop *loop = &stack->loop[stack->loops];
  stack->height = stack->floor;
  stack->floor = loop->floor;
  stack->kept = loop->kept;
  stack->open = loop->open;
  return true;
}

static bool check_operand(pp_stack *stack, const pp_statement *statement,
                          const pp_step *step) {
  bool has_slot = step->op == PP_OP_KEEP || step->op == PP_OP_AGAIN;
  if (!pp_op_name(step->op))
    return wrong(stack, "there is no operation %u", (unsigned)step->op);
  if (step->op == PP_OP_LOAD && step->read >= statement->reads)
    return wrong(stack, "there is no read %u", step->read);
  if (has_slot && step->slot >= PP_SLOTS)
    return wrong(stack, "slots are numbered 0 to %d", PP_SLOTS - 1);
  if (step->op == PP_OP_AGAIN && (stack->kept & 1U << step->slot) == 0)
    return wrong(stack, "slot %u remembers nothing", step->slot);
  return true;
}

bool pp_stack_step(pp_stack *stack, const pp_statement *statement,
                   const pp_step *step) {
  if (!check_operand(stack, statement, step)) return false;
  if (step->op == PP_OP_NEXT) return end_loop(stack, step);
  int taken = pp_op_arity(step->op);
  if (stack->height - stack->floor < taken)
    return wrong(stack, "%s finds too few values", pp_op_name(step->op));
  stack->height += 1 - taken;
  if (stack->height > PP_DEPTH)
    return wrong(stack, "more than %d values at one time", PP_DEPTH);
  if (step->op == PP_OP_KEEP) return keep(stack, step);
  if (step->op == PP_OP_LOOP) return begin_loop(stack, statement, step);
  return true;
}
