#include "parse.h"

#include <stdio.h>

/* Levels of parentheses, functions and minus signs: every expression of
 * PP_STEPS steps can be printed in fewer. */
enum { NESTING = 64 };

static bool parse_sum(pp_parser *parser);

static bool nest(pp_parser *parser) {
  if (parser->nesting == NESTING)
    return pp_refuse_at(parser, parser->lexer.token.at,
                        "nested deeper than %d levels", NESTING);
  parser->nesting++;
  return true;
}

/* Appends a step that the token at `at` asks for. */
static bool emit(pp_parser *parser, const char *at, pp_step step) {
  pp_statement *statement = &parser->statement;
  if (statement->steps == PP_STEPS)
    return pp_refuse_at(parser, at, "more than %d operations", PP_STEPS);
  if (!pp_stack_step(&parser->stack, statement, &step))
    return pp_refuse_at(parser, at, "%s", parser->stack.wrong);
  statement->step[statement->steps] = step;
  statement->steps++;
  return true;
}

static bool parse_read(pp_parser *parser) {
  pp_statement *statement = &parser->statement;
  const char *at = parser->lexer.token.at;
  pp_access access;
  unsigned read = 0;
  if (!pp_parse_access(parser, &access)) return false;
  while (read < statement->reads &&
         !pp_same_access(&statement->read[read], &access, PP_RANK, PP_AXES))
    read++;
  if (read == PP_READS)
    return pp_refuse_at(parser, at, "more than %d reads", PP_READS);
  if (read == statement->reads) {
    statement->read[read] = access;
    statement->reads++;
  }
  return emit(parser, at, (pp_step){.op = PP_OP_LOAD, .read = read});
}

/* Is it written as its name and arguments in parentheses? */
static bool is_function(pp_op op) {
  return op > PP_OP_DIV && op < PP_OP_LOOP && op != PP_OP_NEG;
}

/* What the function of that name ends with; PP_OP_COUNT: there is none. */
static pp_step find_function(const pp_parser *parser) {
  static const char *const loops[PP_FOLD_COUNT] = PP_LOOP_NAMES;
  for (unsigned op = 0; op < PP_OP_LOOP; op++)
    if (is_function(op) && pp_lexer_at_name(&parser->lexer, pp_op_name(op)))
      return (pp_step){.op = op};
  for (unsigned fold = 0; fold < PP_FOLD_COUNT; fold++)
    if (pp_lexer_at_name(&parser->lexer, loops[fold]))
      return (pp_step){.op = PP_OP_NEXT, .fold = fold};
  return (pp_step){.op = PP_OP_COUNT};
}

/* Refuses a name that is none, and says what there is. */
static bool no_function(pp_parser *parser) {
  static const char *const loops[PP_FOLD_COUNT] = PP_LOOP_NAMES;
  const pp_token *name = &parser->lexer.token;
  char all[100];
  size_t length = 0;
  for (unsigned op = 0; op < PP_OP_LOOP; op++)
    if (is_function(op))
      length += (size_t)snprintf(all + length, sizeof all - length, "%s, ",
                                 pp_op_name(op));
  return pp_refuse_at(
      parser, name->at, "'%.*s' is no function; %s%s, %s, %s and %s are",
      pp_shown(name), name->at, all, loops[PP_FOLD_ADD], loops[PP_FOLD_MUL],
      loops[PP_FOLD_MIN], loops[PP_FOLD_MAX]);
}

static bool take_slot(pp_parser *parser, pp_step *step) {
  uint64_t slot = 0;
  if (!pp_take_u64(parser, "a slot's number", &slot)) return false;
  step->slot = slot < PP_SLOTS ? (unsigned)slot : PP_SLOTS;
  return true;
}

/* The first value, the loops and what is in them. */
static bool parse_loop(pp_parser *parser, const char *at) {
  static const pp_token none = {0};
  pp_loops loops = {0};
  if (!parse_sum(parser)) return false;
  if (!pp_took_word(parser, "for")) return pp_wanted(parser, "'for'");
  const char *names = parser->lexer.token.at;
  if (!pp_parse_loops(parser, &loops)) return false;
  pp_step step = pp_loop_begin(&parser->statement, parser->stack.open,
                               loops.extent, loops.count);
  if (step.op == PP_OP_COUNT)
    return pp_refuse_at(parser, names, "more than %d loops", PP_AXES);
  pp_name_axes(parser, &loops, step.axis);
  if (!emit(parser, at, step) || !parse_sum(parser)) return false;
  for (unsigned k = 0; k < step.axes; k++)
    parser->axis[step.axis + k] = none;
  return true;
}

static bool parse_arguments(pp_parser *parser, const char *at, pp_step *step) {
  if (step->op == PP_OP_NEXT) return parse_loop(parser, at);
  if (step->op == PP_OP_AGAIN) return take_slot(parser, step);
  if (step->op == PP_OP_KEEP &&
      !(take_slot(parser, step) && pp_take_sign(parser, ",")))
    return false;
  for (int k = 0; k < pp_op_arity(step->op); k++)
    if ((k > 0 && !pp_take_sign(parser, ",")) || !parse_sum(parser))
      return false;
  return true;
}

static bool parse_function(pp_parser *parser) {
  const char *at = parser->lexer.token.at;
  pp_step step = find_function(parser);
  if (step.op == PP_OP_COUNT) return no_function(parser);
  if (!nest(parser)) return false;
  pp_lexer_next(&parser->lexer);
  pp_lexer_next(&parser->lexer);
  if (!parse_arguments(parser, at, &step)) return false;
  parser->nesting--;
  return pp_take_sign(parser, ")") && emit(parser, at, step);
}

static bool parse_literal(pp_parser *parser) {
  const char *at = parser->lexer.token.at;
  pp_step step = {.op = PP_OP_LIT};
  return pp_take_literal(parser, parser->dtype, &step.bits) &&
         emit(parser, at, step);
}

static bool parse_primary(pp_parser *parser) {
  if (pp_at_literal(parser)) return parse_literal(parser);
  if (pp_lexer_at_sign(&parser->lexer, "(")) {
    if (!nest(parser)) return false;
    pp_lexer_next(&parser->lexer);
    if (!parse_sum(parser)) return false;
    parser->nesting--;
    return pp_take_sign(parser, ")");
  }
  if (parser->lexer.token.kind != PP_TOKEN_NAME)
    return pp_wanted(parser, "a value");
  if (pp_lexer_peek(&parser->lexer) == '(') return parse_function(parser);
  return parse_read(parser);
}

/* A minus before a number belongs to the number. */
static bool parse_unary(pp_parser *parser) {
  const char *at = parser->lexer.token.at;
  if (!pp_lexer_at_sign(&parser->lexer, "-") || pp_at_literal(parser))
    return parse_primary(parser);
  if (!nest(parser)) return false;
  pp_lexer_next(&parser->lexer);
  if (!parse_unary(parser)) return false;
  parser->nesting--;
  return emit(parser, at, (pp_step){.op = PP_OP_NEG});
}

/* The operation whose sign is here, of two; PP_OP_COUNT: neither. */
static pp_op which(const pp_parser *parser, const char *const signs[2],
                   const pp_op ops[2]) {
  for (unsigned k = 0; k < 2; k++)
    if (pp_lexer_at_sign(&parser->lexer, signs[k])) return ops[k];
  return PP_OP_COUNT;
}

static bool parse_product(pp_parser *parser) {
  static const char *const signs[] = {"*", "/"};
  static const pp_op ops[] = {PP_OP_MUL, PP_OP_DIV};
  if (!parse_unary(parser)) return false;
  for (;;) {
    const char *at = parser->lexer.token.at;
    pp_op op = which(parser, signs, ops);
    if (op == PP_OP_COUNT) return true;
    pp_lexer_next(&parser->lexer);
    if (!parse_unary(parser) || !emit(parser, at, (pp_step){.op = op}))
      return false;
  }
}

static bool parse_sum(pp_parser *parser) {
  static const char *const signs[] = {"+", "-"};
  static const pp_op ops[] = {PP_OP_ADD, PP_OP_SUB};
  if (!parse_product(parser)) return false;
  for (;;) {
    const char *at = parser->lexer.token.at;
    pp_op op = which(parser, signs, ops);
    if (op == PP_OP_COUNT) return true;
    pp_lexer_next(&parser->lexer);
    if (!parse_product(parser) || !emit(parser, at, (pp_step){.op = op}))
      return false;
  }
}

bool pp_parse_expression(pp_parser *parser) {
  return parse_sum(parser);
}
