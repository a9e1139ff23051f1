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
  const pp_token *token = &parser->lexer.token;
  for (unsigned k = 0; k < PP_DTYPE_COUNT; k++)
    if (token->kind == PP_TOKEN_NAME && same(token, pp_dtype_name(k))) {
      node->dtype = k;
      pp_lexer_next(&parser->lexer);
      return true;
    }
  return pp_wanted(parser, "a dtype");
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

static bool parse_list(pp_parser *parser, const pp_node *node, void *data) {
  uint64_t elements = pp_node_elements(node);
  for (uint64_t i = 0; i < elements; i++) {
    uint64_t bits = 0;
    if (parser->lexer.token.kind == PP_TOKEN_LINE_END)
      return pp_refuse_at(parser, parser->lexer.token.at,
                          "the data end after %llu of %llu elements",
                          (unsigned long long)i, (unsigned long long)elements);
    if (!pp_take_literal(parser, node->dtype, &bits)) return false;
    pp_element_set(data, node->dtype, i, bits);
  }
  if (parser->lexer.token.kind == PP_TOKEN_LINE_END) return true;
  return pp_refuse_at(parser, parser->lexer.token.at,
                      "more data than the node's %llu elements",
                      (unsigned long long)elements);
}

static bool parse_fill(pp_parser *parser, const pp_node *node, char *data) {
  uint64_t bits = 0;
  size_t bytes = (size_t)pp_node_bytes(node);
  size_t done = pp_dtype_bytes(node->dtype);
  if (!pp_take_literal(parser, node->dtype, &bits)) return false;
  if (bytes == 0) return true;
  pp_element_set(data, node->dtype, 0, bits);
  for (; done < bytes; done *= 2)
    memcpy(data + done, data, done < bytes - done ? done : bytes - done);
  return true;
}

/* Has the text, from here on, what may fill the node? */
static bool data_fits(pp_parser *parser, const pp_node *node, bool fill) {
  uint64_t bytes = pp_node_bytes(node);
  const char *at = parser->lexer.token.at;
  if (fill && bytes > parser->fill_left)
    return pp_refuse_at(parser, at,
                        "'data fill' may ask for %d bytes in a routine, all "
                        "together",
                        PP_FILL);
  if (fill) parser->fill_left -= bytes;
  if (fill || pp_node_elements(node) <= line_left(parser)) return true;
  return pp_refuse_at(parser, at, "fewer data than the node's %llu elements",
                      (unsigned long long)pp_node_elements(node));
}

static bool parse_data(pp_parser *parser, const pp_node *node, void **data) {
  if (!pp_lexer_at_name(&parser->lexer, "data")) return true;
  pp_lexer_next(&parser->lexer);
  bool fill = pp_lexer_at_name(&parser->lexer, "fill");
  if (fill) pp_lexer_next(&parser->lexer);
  if (!data_fits(parser, node, fill)) return false;
  *data = pp_data_new(node);
  if (!*data) return pp_parse_no_memory(parser);
  return fill ? parse_fill(parser, node, *data)
              : parse_list(parser, node, *data);
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
  if (!parse_data(parser, &node, &data) || !pp_take_line_end(parser)) {
    free(data);
    return false;
  }
  parser->status =
      pp_node_take(parser->routine, &node, data, &index, parser->failure);
  return parser->status == PP_OK;
}
