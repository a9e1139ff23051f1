#include "parse.h"

#include <stdlib.h>
#include <string.h>

static bool same_name(const pp_token *a, const pp_token *b) {
  return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}

/* The number among names, or count. */
static unsigned find_name(const pp_token *names, unsigned count,
                          const pp_token *name) {
  unsigned k = 0;
  while (k < count && !same_name(&names[k], name))
    k++;
  return k;
}

static bool take_extent(pp_parser *parser, uint64_t *extent) {
  if (parser->lexer.token.kind == PP_TOKEN_NUMBER)
    return pp_take_u64(parser, "an extent", extent);
  return pp_refuse_at(parser, parser->lexer.token.at,
                      "an extent, a whole number, is wanted after '<'");
}

static bool parse_loop(pp_parser *parser, pp_loops *loops) {
  pp_token name;
  if (!pp_take_name(parser, "the name of a loop", &name)) return false;
  if (loops->count == PP_AXES)
    return pp_refuse_at(parser, name.at, "more than %d loops", PP_AXES);
  if (find_name(parser->axis, PP_AXES, &name) < PP_AXES ||
      find_name(loops->name, loops->count, &name) < loops->count)
    return pp_refuse_at(parser, name.at, "two loops of one name");
  if (!pp_take_sign(parser, "<") ||
      !take_extent(parser, &loops->extent[loops->count]))
    return false;
  loops->name[loops->count] = name;
  loops->count++;
  return true;
}

bool pp_parse_loops(pp_parser *parser, pp_loops *loops) {
  do {
    if (!parse_loop(parser, loops)) return false;
  } while (pp_took_sign(parser, ","));
  return pp_take_sign(parser, ":");
}

void pp_name_axes(pp_parser *parser, const pp_loops *loops, unsigned axis) {
  memcpy(&parser->axis[axis], loops->name, loops->count * sizeof(pp_token));
}

static bool parse_axes(pp_parser *parser) {
  pp_statement *statement = &parser->statement;
  pp_loops loops = {0};
  memset(parser->axis, 0, sizeof parser->axis);
  if (!pp_took_word(parser, "for")) return true;
  if (!pp_parse_loops(parser, &loops)) return false;
  pp_name_axes(parser, &loops, 0);
  statement->axes = loops.count;
  memcpy(statement->extent, loops.extent, sizeof loops.extent);
  return true;
}

/* *sum += or -= size, within 64 bits with a sign. */
static bool accumulate(int64_t *sum, uint64_t size, bool negative) {
  int64_t value = 0;
  if (size > (uint64_t)INT64_MAX + negative) return false;
  if (negative)
    value = size == 0 ? 0 : -(int64_t)(size - 1) - 1;
  else
    value = (int64_t)size;
  return !__builtin_add_overflow(*sum, value, sum);
}

/* NUMBER, NUMBER*AXIS or AXIS. */
static bool parse_term(pp_parser *parser, bool negative, pp_index *index) {
  const char *at = parser->lexer.token.at;
  uint64_t size = 1;
  bool number = parser->lexer.token.kind == PP_TOKEN_NUMBER;
  int64_t *sum = &index->base;
  if (number && !pp_take_u64(parser, "a whole number", &size)) return false;
  if (!number || pp_took_sign(parser, "*")) {
    pp_token name;
    if (!pp_take_name(parser, "a loop's name or a number", &name)) return false;
    unsigned axis = find_name(parser->axis, PP_AXES, &name);
    if (axis == PP_AXES)
      return pp_refuse_at(parser, name.at, "there is no loop '%.*s'",
                          pp_shown(&name), name.at);
    sum = &index->scale[axis];
  }
  return accumulate(sum, size, negative) ||
         pp_refuse_at(parser, at, "the index passes 64 bits");
}

static bool parse_index(pp_parser *parser, pp_index *index) {
  bool negative = pp_took_sign(parser, "-");
  do {
    if (!parse_term(parser, negative, index)) return false;
    negative = pp_lexer_at_sign(&parser->lexer, "-");
  } while (pp_took_sign(parser, "+") || pp_took_sign(parser, "-"));
  return true;
}

static int compare_label(const void *label, const void *node) {
  return strcmp(label, (*(const pp_node *const *)node)->label);
}

/* The node of that label, or NULL. */
static const pp_node *find_node(const pp_parser *parser, const pp_token *name) {
  char label[PP_LABEL] = {0};
  if (name->length >= sizeof label) return NULL;
  memcpy(label, name->at, name->length);
  const pp_node *const *found =
      bsearch(label, parser->by_label, parser->routine->nodes,
              sizeof(const pp_node *), compare_label);
  return found ? *found : NULL;
}

/* Indices up to the closing bracket. */
static bool parse_indices(pp_parser *parser, pp_access *access,
                          unsigned *count) {
  if (pp_took_sign(parser, "]")) return true;
  do {
    if (*count == PP_RANK)
      return pp_refuse_at(parser, parser->lexer.token.at,
                          "more than %d indices", PP_RANK);
    if (!parse_index(parser, &access->index[*count])) return false;
    (*count)++;
  } while (pp_took_sign(parser, ","));
  return pp_take_sign(parser, "]");
}

bool pp_parse_access(pp_parser *parser, pp_access *access) {
  pp_token name;
  unsigned count = 0;
  if (!pp_take_name(parser, "a node's label", &name)) return false;
  const pp_node *node = find_node(parser, &name);
  if (!node)
    return pp_refuse_at(parser, name.at,
                        find_name(parser->axis, PP_AXES, &name) < PP_AXES
                            ? "'%.*s' is a loop, not a value"
                            : "there is no node '%.*s'",
                        pp_shown(&name), name.at);
  *access = (pp_access){.node = (size_t)(node - parser->routine->node)};
  if (pp_took_sign(parser, "[") && !parse_indices(parser, access, &count))
    return false;
  if (count == node->rank) return true;
  return pp_refuse_at(parser, name.at, "node %s has %u dimensions, not %u",
                      node->label, node->rank, count);
}

/* The fold that is here, one token or a name and '=' side by side;
 * PP_FOLD_COUNT: none. */
static unsigned find_fold(const pp_lexer *lexer) {
  static const char *const signs[] = {
#define PP_FOLD_SIGN(NAME, name, sign) sign,
      PP_FOLDS(PP_FOLD_SIGN)
#undef PP_FOLD_SIGN
  };
  const pp_token *token = &lexer->token;
  bool word = token->kind == PP_TOKEN_NAME;
  size_t left = (size_t)(lexer->end - token->at);
  unsigned k = 0;
  for (; k < PP_FOLD_COUNT; k++) {
    size_t length = strlen(signs[k]);
    if (length <= left && memcmp(token->at, signs[k], length) == 0 &&
        token->length + word == length)
      break;
  }
  return k;
}

static bool parse_fold(pp_parser *parser) {
  bool word = parser->lexer.token.kind == PP_TOKEN_NAME;
  parser->statement.fold = find_fold(&parser->lexer);
  if (parser->statement.fold == PP_FOLD_COUNT)
    return pp_wanted(parser, "a fold (= += *= min= max=)");
  pp_lexer_next(&parser->lexer);
  if (word) pp_lexer_next(&parser->lexer);
  return true;
}

/* A word that begins the line, and not an assignment. */
static bool check_begin(pp_parser *parser) {
  const pp_token *word = &parser->lexer.token;
  pp_lexer ahead = parser->lexer;
  pp_lexer_next(&ahead);
  if (word->kind != PP_TOKEN_NAME || ahead.token.kind == PP_TOKEN_SIGN ||
      find_fold(&ahead) < PP_FOLD_COUNT || pp_at_word(parser, "for") ||
      pp_at_word(parser, "opaque") || pp_at_word(parser, "also") ||
      find_node(parser, word))
    return true;
  return pp_refuse_at(parser, word->at,
                      "'%.*s' begins neither node, statement nor end",
                      pp_shown(word), word->at);
}

static bool parse_assignment(pp_parser *parser) {
  pp_statement *statement = &parser->statement;
  if (pp_took_word(parser, "opaque"))
    statement->kind = PP_OPAQUE;
  else
    statement->joins = pp_took_word(parser, "also");
  if (!parse_axes(parser) || !pp_parse_access(parser, &statement->target) ||
      !parse_fold(parser))
    return false;
  parser->dtype = parser->routine->node[statement->target.node].dtype;
  return pp_parse_expression(parser);
}

bool pp_parse_statement(pp_parser *parser) {
  pp_statement *statement = &parser->statement;
  *statement = (pp_statement){0};
  parser->stack = (pp_stack){0};
  parser->nesting = 0;
  if (pp_took_word(parser, "barrier"))
    statement->kind = PP_BARRIER;
  else if (!check_begin(parser) || !parse_assignment(parser))
    return false;
  if (!pp_take_line_end(parser)) return false;
  parser->status =
      pp_routine_statement(parser->routine, statement, parser->failure);
  return parser->status == PP_OK;
}
