#include "parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pp_spot spot_of(const pp_parser *parser, const char *at) {
  return (pp_spot){parser->lexer.line,
                   (size_t)(at - parser->lexer.line_start) + 1};
}

bool pp_refuse_at(pp_parser *parser, const char *at, const char *format, ...) {
  char text[PP_FAILURE_TEXT];
  pp_spot spot = spot_of(parser, at);
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE: clang-tidy 14 does not see va_start */
  (void)vsnprintf(text, sizeof text, format, list);
  va_end(list);
  parser->status =
      pp_fail(parser->failure, PP_BAD_ROUTINE, "line %zu, column %zu: %s",
              spot.line, spot.column, text);
  return false;
}

bool pp_parse_no_memory(pp_parser *parser) {
  parser->status =
      pp_fail(parser->failure, PP_NO_MEMORY, "no memory for the routine");
  return false;
}

int pp_shown(const pp_token *token) {
  return token->length < PP_LABEL ? (int)token->length : PP_LABEL - 1;
}

bool pp_wanted(pp_parser *parser, const char *what) {
  const pp_token *token = &parser->lexer.token;
  unsigned char byte = 0;
  if (token->length > 0) byte = (unsigned char)*token->at;
  if (token->kind == PP_TOKEN_LINE_END)
    return pp_refuse_at(parser, token->at, "%s is missing", what);
  if (token->kind == PP_TOKEN_SIGN && (byte <= ' ' || byte > '~'))
    return pp_refuse_at(parser, token->at, "byte 0x%02x where %s should be",
                        byte, what);
  return pp_refuse_at(parser, token->at, "'%.*s' where %s should be",
                      pp_shown(token), token->at, what);
}

bool pp_took_sign(pp_parser *parser, const char *sign) {
  if (!pp_lexer_at_sign(&parser->lexer, sign)) return false;
  pp_lexer_next(&parser->lexer);
  return true;
}

bool pp_take_sign(pp_parser *parser, const char *sign) {
  char what[8];
  if (pp_took_sign(parser, sign)) return true;
  (void)snprintf(what, sizeof what, "'%s'", sign);
  return pp_wanted(parser, what);
}

bool pp_at_word(const pp_parser *parser, const char *word) {
  return pp_lexer_at_name(&parser->lexer, word) &&
         pp_lexer_peek(&parser->lexer) != '[';
}

bool pp_took_word(pp_parser *parser, const char *word) {
  if (!pp_at_word(parser, word)) return false;
  pp_lexer_next(&parser->lexer);
  return true;
}

bool pp_take_name(pp_parser *parser, const char *what, pp_token *name) {
  *name = parser->lexer.token;
  if (name->kind != PP_TOKEN_NAME) return pp_wanted(parser, what);
  pp_lexer_next(&parser->lexer);
  return true;
}

bool pp_take_u64(pp_parser *parser, const char *what, uint64_t *value) {
  const pp_token *token = &parser->lexer.token;
  if (token->kind != PP_TOKEN_NUMBER) return pp_wanted(parser, what);
  *value = 0;
  for (size_t k = 0; k < token->length; k++) {
    if (!pp_is_digit(token->at[k])) return pp_wanted(parser, what);
    if (__builtin_mul_overflow(*value, 10, value) ||
        __builtin_add_overflow(*value, (unsigned)(token->at[k] - '0'), value))
      return pp_refuse_at(parser, token->at, "%s is above 2^64 - 1", what);
  }
  pp_lexer_next(&parser->lexer);
  return true;
}

bool pp_take_line_end(pp_parser *parser) {
  return parser->lexer.token.kind == PP_TOKEN_LINE_END ||
         pp_wanted(parser, "the end of the line");
}

bool pp_at_literal(const pp_parser *parser) {
  pp_lexer ahead = parser->lexer;
  if (pp_lexer_at_sign(&ahead, "-")) pp_lexer_next(&ahead);
  if (ahead.token.kind == PP_TOKEN_NUMBER) return true;
  return (pp_lexer_at_name(&ahead, "inf") || pp_lexer_at_name(&ahead, "nan")) &&
         pp_lexer_peek(&ahead) != '[';
}

bool pp_take_literal(pp_parser *parser, pp_dtype dtype, uint64_t *bits) {
  if (!pp_at_literal(parser)) return pp_wanted(parser, "a number");
  bool negative = pp_took_sign(parser, "-");
  bool pattern = pp_lexer_at_name(&parser->lexer, "nan") &&
                 pp_lexer_peek(&parser->lexer) == '(';
  if (pattern) {
    pp_lexer_next(&parser->lexer);
    pp_lexer_next(&parser->lexer);
    if (parser->lexer.token.kind != PP_TOKEN_NUMBER)
      return pp_wanted(parser, "a NaN's bit pattern");
  }
  pp_token number = parser->lexer.token;
  const char *wrong =
      pattern
          ? pp_nan_read(dtype, negative, number.at, number.length, bits)
          : pp_literal_read(dtype, negative, number.at, number.length, bits);
  if (wrong)
    return pp_refuse_at(parser, number.at, "the %s literal %s",
                        pp_dtype_name(dtype), wrong);
  pp_lexer_next(&parser->lexer);
  return !pattern || pp_take_sign(parser, ")");
}

/* Moves to the next line that has a token. */
static bool next_line(pp_parser *parser) {
  while (pp_lexer_line(&parser->lexer))
    if (parser->lexer.token.kind != PP_TOKEN_LINE_END) return true;
  return false;
}

/* `routine NAME`, with which the text begins. */
static bool parse_head(pp_parser *parser) {
  pp_token name;
  if (parser->lexer.token.kind == PP_TOKEN_LINE_END) (void)next_line(parser);
  if (parser->lexer.token.kind == PP_TOKEN_LINE_END)
    return pp_refuse_at(parser, parser->lexer.token.at,
                        "'routine' and a name are missing");
  if (!pp_lexer_at_name(&parser->lexer, "routine"))
    return pp_wanted(parser, "'routine' and a name");
  pp_lexer_next(&parser->lexer);
  if (!pp_take_name(parser, "the routine's name", &name) ||
      !pp_take_line_end(parser))
    return false;
  char *copy = malloc(name.length + 1);
  if (!copy) return pp_parse_no_memory(parser);
  memcpy(copy, name.at, name.length);
  copy[name.length] = '\0';
  parser->routine = pp_routine_new(copy);
  free(copy);
  return parser->routine || pp_parse_no_memory(parser);
}

static bool mark(pp_parser *parser, pp_spot **spots, size_t count) {
  pp_spot *grown = pp_grown(*spots, count, sizeof *grown);
  if (!grown) return pp_parse_no_memory(parser);
  *spots = grown;
  grown[count] = spot_of(parser, parser->lexer.token.at);
  return true;
}

static bool parse_node_line(pp_parser *parser) {
  if (parser->by_label)
    return pp_refuse_at(parser, parser->lexer.token.at,
                        "nodes come before all statements");
  if (!mark(parser, &parser->node_spot, parser->routine->nodes)) return false;
  pp_lexer_next(&parser->lexer);
  return pp_parse_node(parser);
}

/* What is wrong with the whole routine, at the line that it is about. */
static pp_status tell(const pp_parser *parser, const pp_failure *wrong,
                      const pp_place *place) {
  pp_spot spot = {1, 1};
  if (wrong->status == PP_NO_MEMORY)
    return pp_fail(parser->failure, PP_NO_MEMORY, "%s", wrong->text);
  if (place->statement != SIZE_MAX)
    spot = parser->statement_spot[place->statement];
  else if (place->node != SIZE_MAX)
    spot = parser->node_spot[place->node];
  pp_fail(parser->failure, wrong->status, "line %zu, column %zu: %s", spot.line,
          spot.column, wrong->text);
  if (parser->failure) {
    parser->failure->uid = wrong->uid;
    parser->failure->has_uid = wrong->has_uid;
  }
  return wrong->status;
}

/* All nodes are there: statements find them by their labels. */
static bool end_nodes(pp_parser *parser) {
  pp_failure wrong;
  pp_place place = {SIZE_MAX, SIZE_MAX};
  if (pp_nodes_check(parser->routine, &place.node, &wrong) != PP_OK) {
    parser->status = tell(parser, &wrong, &place);
    return false;
  }
  parser->by_label = pp_nodes_by_label(parser->routine);
  return parser->by_label || pp_parse_no_memory(parser);
}

static bool parse_statement_line(pp_parser *parser) {
  if (!parser->by_label && !end_nodes(parser)) return false;
  return mark(parser, &parser->statement_spot, parser->routine->statements) &&
         pp_parse_statement(parser);
}

static bool parse_end(pp_parser *parser) {
  if (!pp_take_line_end(parser)) return false;
  return !next_line(parser) ||
         pp_wanted(parser, "nothing more after the routine's end");
}

static bool parse_all(pp_parser *parser) {
  if (!parse_head(parser)) return false;
  while (next_line(parser)) {
    if (pp_took_word(parser, "end")) return parse_end(parser);
    if (pp_at_word(parser, "node") ? !parse_node_line(parser)
                                   : !parse_statement_line(parser))
      return false;
    if (!pp_take_line_end(parser)) return false;
  }
  return pp_wanted(parser, "the routine's 'end'");
}

static pp_status seal(const pp_parser *parser) {
  pp_failure wrong;
  pp_place place;
  pp_status status = pp_routine_seal_at(parser->routine, &place, &wrong);
  return status == PP_OK ? PP_OK : tell(parser, &wrong, &place);
}

pp_status pp_routine_parse(const char *text, size_t size, pp_routine **routine,
                           pp_failure *failure) {
  pp_parser parser = {.failure = failure, .fill_left = PP_FILL};
  pp_lexer_start(&parser.lexer, text, size);
  *routine = NULL;
  pp_status status = parse_all(&parser) ? seal(&parser) : parser.status;
  if (status == PP_OK)
    *routine = parser.routine;
  else
    pp_routine_free(parser.routine);
  free(parser.by_label);
  free(parser.node_spot);
  free(parser.statement_spot);
  return status;
}
