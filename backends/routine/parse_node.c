#include "parse.h"

#include <stdlib.h>
#include <string.h>

static bool same(const pp_token *token, const char *text) {
  return token->length == strlen(text) &&
         memcmp(token->at, text, token->length) == 0;
}

static bool parse_label(pp_parser *parser, pp_node *node) {
  pp_token name;
  if (!pp_take_name(parser, "the node's label", &name)) return false;
  if (name.length >= sizeof node->label)
    return pp_refuse_at(parser, name.at,
                        "the label has %zu letters, at most %d may be",
                        name.length, PP_LABEL - 1);
  memcpy(node->label, name.at, name.length);
  return true;
}

static bool parse_dtype(pp_parser *parser, pp_node *node) {
  static const char all[] =
#define PP_DTYPE_TEXT(NAME, name, type, kind) ", " #name
      PP_DTYPES(PP_DTYPE_TEXT)
#undef PP_DTYPE_TEXT
      ;
  const pp_token *token = &parser->lexer.token;
  for (unsigned k = 0; k < PP_DTYPE_COUNT; k++)
    if (token->kind == PP_TOKEN_NAME && same(token, pp_dtype_name(k))) {
      node->dtype = k;
      pp_lexer_next(&parser->lexer);
      return true;
    }
  if (token->kind != PP_TOKEN_NAME) return pp_wanted(parser, "a dtype");
  return pp_refuse_at(parser, token->at, "'%.*s' is no dtype; %s are",
                      pp_shown(token), token->at, &all[2]);
}

static bool parse_dims(pp_parser *parser, pp_node *node) {
  if (!pp_take_sign(parser, "[")) return false;
  if (pp_took_sign(parser, "]")) return true;
  do {
    if (node->rank == PP_RANK)
      return pp_refuse_at(parser, parser->lexer.token.at,
                          "more than %d dimensions", PP_RANK);
    if (!pp_take_u64(parser, "a dimension", &node->dims[node->rank]))
      return false;
    node->rank++;
  } while (pp_took_sign(parser, ","));
  return pp_take_sign(parser, "]");
}

static bool parse_intents(pp_parser *parser, pp_node *node) {
  static const char *const names[] = PP_INTENT_NAMES;
  for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++) {
    if (!pp_lexer_at_name(&parser->lexer, names[k])) continue;
    if ((node->intents & (1U << k)) != 0)
      return pp_refuse_at(parser, parser->lexer.token.at, "'%s' stands twice",
                          names[k]);
    node->intents |= 1U << k;
    pp_lexer_next(&parser->lexer);
    return parse_intents(parser, node);
  }
  return true;
}

static bool parse_span(pp_parser *parser, pp_node *node) {
  if (!pp_lexer_at_name(&parser->lexer, "span")) return true;
  pp_lexer_next(&parser->lexer);
  node->has_span = true;
  return pp_take_u64(parser, "the span's first position", &node->lo) &&
         pp_take_u64(parser, "the span's last position", &node->hi);
}

/* The bytes from here to the end of the line. */
static uint64_t line_left(const pp_parser *parser) {
  const char *at = parser->lexer.token.at;
  size_t left = (size_t)(parser->lexer.end - at);
  const char *feed = left > 0 ? memchr(at, '\n', left) : NULL;
  return feed ? (uint64_t)(feed - at) : left;
}

/* Without memory for them the values are but counted. */
static bool parse_list(pp_parser *parser, const pp_node *node, void *data) {
  const pp_token *token = &parser->lexer.token;
  uint64_t elements = pp_node_elements(node);
  uint64_t given = 0;
  const char *extra = NULL;
  while (token->kind != PP_TOKEN_LINE_END &&
         (given < elements || pp_at_literal(parser))) {
    uint64_t bits = 0;
    if (given == elements) extra = token->at;
    if (!pp_take_literal(parser, node->dtype, &bits)) return false;
    if (data && given < elements)
      pp_element_set(data, node->dtype, given, bits);
    given++;
  }
  return given == elements ||
         pp_refuse_at(parser, extra ? extra : token->at,
                      "values given: %llu, wanted: %llu",
                      (unsigned long long)given, (unsigned long long)elements);
}

static bool parse_fill(pp_parser *parser, const pp_node *node, char *data) {
  uint64_t bits = 0;
  size_t bytes = (size_t)pp_node_bytes(node);
  size_t done = pp_dtype_bytes(node->dtype);
  if (!pp_at_literal(parser))
    return pp_wanted(parser, "the value of 'data fill'");
  if (!pp_take_literal(parser, node->dtype, &bits)) return false;
  if (bytes == 0) return true;
  pp_element_set(data, node->dtype, 0, bits);
  for (; done < bytes; done *= 2)
    memcpy(data + done, data, done < bytes - done ? done : bytes - done);
  return true;
}

/* Takes the node's bytes from those that fills may ask for. */
static bool fill_fits(pp_parser *parser, const pp_node *node) {
  uint64_t bytes = pp_node_bytes(node);
  if (bytes > parser->fill_left)
    return pp_refuse_at(parser, parser->lexer.token.at,
                        "'data fill' may ask for %d bytes in a routine, all "
                        "together",
                        PP_FILL);
  parser->fill_left -= bytes;
  return true;
}

static bool parse_data(pp_parser *parser, const pp_node *node, void **data) {
  if (!pp_lexer_at_name(&parser->lexer, "data")) return true;
  pp_lexer_next(&parser->lexer);
  bool fill = pp_lexer_at_name(&parser->lexer, "fill");
  if (fill) pp_lexer_next(&parser->lexer);
  if (fill && !fill_fits(parser, node)) return false;
  if (!fill && pp_node_elements(node) > line_left(parser))
    return parse_list(parser, node, NULL);
  *data = pp_data_new(node);
  if (!*data) return pp_parse_no_memory(parser);
  return fill ? parse_fill(parser, node, *data)
              : parse_list(parser, node, *data);
}

static bool end_node(pp_parser *parser, const pp_node *node, bool has_data) {
  if (has_data) return pp_take_line_end(parser);
  if (parser->lexer.token.kind == PP_TOKEN_LINE_END) return true;
  return pp_wanted(parser, node->has_span
                               ? "data or the end of the line"
                               : "an intent (observable, constant, host, "
                                 "merge), span, data or the end of the line");
}

/* What pp_node_check says, at the label. */
static bool check(pp_parser *parser, const pp_node *node, const char *label) {
  pp_failure inner;
  if (pp_node_check(node, &inner) == PP_OK) return true;
  return pp_refuse_at(parser, label, "%s", inner.text);
}

bool pp_parse_node(pp_parser *parser) {
  pp_node node = {0};
  void *data = NULL;
  size_t index = 0;
  if (!pp_take_u64(parser, "the node's uid", &node.uid)) return false;
  const char *label = parser->lexer.token.at;
  if (!parse_label(parser, &node) || !parse_dtype(parser, &node) ||
      !parse_dims(parser, &node) || !parse_intents(parser, &node) ||
      !parse_span(parser, &node) || !check(parser, &node, label))
    return false;
  if (!parse_data(parser, &node, &data) ||
      !end_node(parser, &node, data != NULL)) {
    free(data);
    return false;
  }
  parser->status =
      pp_node_take(parser->routine, &node, data, &index, parser->failure);
  return parser->status == PP_OK;
}
