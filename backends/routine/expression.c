#include "expression.h"

#include "internal.h"

#include <string.h>

void pp_expression_begin(pp_expression *expression, unsigned axes,
                         const uint64_t *extent) {
  expression->terms = 0;
  expression->outer = expression->axes = axes;
  for (unsigned axis = 0; axis < axes; axis++)
    expression->extent[axis] = extent[axis];
}

unsigned pp_expression_axes(pp_expression *expression, unsigned axes,
                            const uint64_t *extent) {
  unsigned first = expression->axes;
  if (axes > PP_AXES - first) return PP_AXES;
  for (unsigned axis = 0; axis < axes; axis++)
    expression->extent[first + axis] = extent[axis];
  expression->axes += axes;
  return first;
}

static unsigned arguments(pp_op op) {
  return op == PP_OP_LOOP ? 2 : (unsigned)pp_op_arity(op);
}

static bool same(const pp_term *a, const pp_term *b) {
  if (a->op != b->op || a->bits != b->bits || a->axis != b->axis ||
      a->axes != b->axes || a->fold != b->fold)
    return false;
  for (unsigned k = 0; k < arguments(a->op); k++)
    if (a->argument[k] != b->argument[k]) return false;
  return a->op != PP_OP_LOAD ||
         pp_same_access(&a->access, &b->access, a->rank, PP_AXES);
}

unsigned pp_expression_term(pp_expression *expression, const pp_term *term) {
  unsigned at = expression->terms;
  for (unsigned k = 0; k < arguments(term->op); k++)
    if (term->argument[k] >= at) return PP_NO_TERM;
  for (unsigned t = 0; t < at; t++)
    if (same(&expression->term[t], term)) return t;
  if (at == PP_TERMS) return PP_NO_TERM;
  pp_term *fresh = &expression->term[at];
  *fresh = *term;
  fresh->uses = 0;
  fresh->wanted = false;
  fresh->slot = PP_SLOTS;
  fresh->steps = term->op == PP_OP_LOOP ? 2 : 1;
  for (unsigned k = 0; k < arguments(term->op); k++)
    fresh->steps += expression->term[term->argument[k]].steps;
  if (fresh->steps > PP_STEPS) fresh->steps = PP_STEPS + 1;
  expression->terms++;
  return at;
}

unsigned pp_expression_op(pp_expression *expression, pp_op op, unsigned a,
                          unsigned b, unsigned c) {
  const pp_term term = {.op = op, .argument = {a, b, c}};
  return pp_expression_term(expression, &term);
}

pp_op pp_fold_op(pp_fold fold) {
  static const pp_op ops[] = {[PP_FOLD_SET] = PP_OP_COUNT,
                              [PP_FOLD_ADD] = PP_OP_ADD,
                              [PP_FOLD_MUL] = PP_OP_MUL,
                              [PP_FOLD_MIN] = PP_OP_MIN,
                              [PP_FOLD_MAX] = PP_OP_MAX};
  return ops[fold];
}

/* An expression on its way into a statement.
 * slots   how many are taken
 * wanted  wanted terms that have no slot yet
 * fits    no limit was passed */
typedef struct pp_writing {
  pp_expression *expression;
  pp_statement *statement;
  unsigned slots;
  unsigned wanted;
  unsigned height;
  bool fits;
} pp_writing;

static void step(pp_writing *writing, const pp_step *step) {
  pp_statement *statement = writing->statement;
  if (!writing->fits) return;
  writing->height = writing->height + 1 - (unsigned)pp_op_arity(step->op);
  if (statement->steps == PP_STEPS || writing->height > PP_DEPTH) {
    writing->fits = false;
    return;
  }
  statement->step[statement->steps++] = *step;
}

static void load(pp_writing *writing, const pp_term *term) {
  pp_statement *statement = writing->statement;
  unsigned k = 0;
  while (
      k < statement->reads &&
      !pp_same_access(&statement->read[k], &term->access, term->rank, PP_AXES))
    k++;
  if (k == PP_READS) {
    writing->fits = false;
    return;
  }
  if (k == statement->reads) {
    statement->read[k] = term->access;
    statement->reads++;
  }
  step(writing, &(pp_step){.op = PP_OP_LOAD, .read = k});
}

static bool worth_keeping(const pp_term *term) {
  return term->uses > 1 && term->steps > 1;
}

/* Remembers the term on top of the stack, unless all slots that are left are
 * for wanted ones. */
static void keep(pp_writing *writing, pp_term *term) {
  if (!worth_keeping(term)) return;
  unsigned left = PP_SLOTS - writing->slots;
  if (term->wanted) {
    if (writing->wanted > 0) writing->wanted--;
  } else if (left <= writing->wanted) {
    return;
  }
  if (left == 0) return;
  term->slot = writing->slots++;
  step(writing, &(pp_step){.op = PP_OP_KEEP, .slot = term->slot});
}

static void forget(pp_writing *writing, unsigned slots) {
  pp_expression *expression = writing->expression;
  for (unsigned t = 0; t < expression->terms; t++)
    if (expression->term[t].slot != PP_SLOTS &&
        expression->term[t].slot >= slots)
      expression->term[t].slot = PP_SLOTS;
  writing->slots = slots;
}

static void write_term(pp_writing *writing, unsigned at) {
  pp_term *term = &writing->expression->term[at];
  if (!writing->fits) return;
  if (term->slot != PP_SLOTS) {
    step(writing, &(pp_step){.op = PP_OP_AGAIN, .slot = term->slot});
    return;
  }
  if (term->op == PP_OP_LOAD) {
    load(writing, term);
    return;
  }
  if (term->op == PP_OP_LOOP) {
    write_term(writing, term->argument[0]);
    step(writing,
         &(pp_step){.op = PP_OP_LOOP, .axis = term->axis, .axes = term->axes});
    unsigned slots = writing->slots;
    write_term(writing, term->argument[1]);
    forget(writing, slots);
    step(writing, &(pp_step){.op = PP_OP_NEXT, .fold = term->fold});
  } else {
    for (unsigned k = 0; k < arguments(term->op); k++)
      write_term(writing, term->argument[k]);
    step(writing, &(pp_step){.op = term->op, .bits = term->bits});
  }
  keep(writing, term);
}

static void count_uses(pp_expression *expression, unsigned root) {
  for (unsigned t = 0; t < expression->terms; t++) {
    expression->term[t].uses = 0;
    expression->term[t].slot = PP_SLOTS;
  }
  expression->term[root].uses = 1;
  /* Arguments come before what they are arguments of. */
  for (unsigned left = root + 1; left > 0; left--) {
    const pp_term *term = &expression->term[left - 1];
    for (unsigned k = 0; term->uses > 0 && k < arguments(term->op); k++)
      expression->term[term->argument[k]].uses++;
  }
}

bool pp_expression_write(pp_expression *expression, unsigned root,
                         pp_statement *statement) {
  if (root == PP_NO_TERM) return false;
  pp_writing writing = {
      .expression = expression, .statement = statement, .fits = true};
  count_uses(expression, root);
  for (unsigned t = 0; t <= root; t++)
    if (expression->term[t].wanted && worth_keeping(&expression->term[t]))
      writing.wanted++;
  statement->axes = expression->outer;
  statement->inner = expression->axes - expression->outer;
  memset(statement->extent, 0, sizeof statement->extent);
  memcpy(statement->extent, expression->extent,
         expression->axes * sizeof *statement->extent);
  statement->reads = 0;
  statement->steps = 0;
  write_term(&writing, root);
  return writing.fits && writing.slots <= PP_SLOTS;
}
