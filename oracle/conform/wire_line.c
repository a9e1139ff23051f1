#include "wire_parts.h"

#include "foreign.h"

#include <string.h>

#define COUNT(fields) (sizeof(fields) / sizeof(fields)[0])

static bool whole_id(const json_t *root, uint64_t *id) {
  pp_diag unsaid = {0};
  const pp_reader reader = {.name = "", .diag = &unsaid};
  const pp_field field = {"id", false, json_object_get(root, "id")};
  return field.value && pp_reader_u64(&reader, &field, id) == 0;
}

/* The id of an object that holds a whole number too big for JSON_INTEGER: the
 * answer to that request is wrong, but it is its answer. */
static bool number_too_big_id(const char *line, size_t size, uint64_t *id) {
  json_error_t error;
  pp_foreign_stack();
  json_t *root = json_loadb(
      line, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
  const json_t *value = json_object_get(root, "id");
  double number = json_is_real(value) ? json_real_value(value) : -1;
  bool good = number >= 0 && number < 9007199254740992.0;
  if (good) *id = (uint64_t)number;
  good = good && (double)*id == number;
  json_decref(root);
  return good;
}

bool pp_wire_line_id(const char *line, size_t size, uint64_t *id,
                     const char **what) {
  pp_diag diag = {0};
  const pp_reader reader = {.name = "", .diag = &diag};
  json_t *root = pp_reader_load(&reader, line, size);
  bool good = root ? whole_id(root, id) : number_too_big_id(line, size, id);
  *what = "";
  if (good && !root) return true;
  if (diag.code == PP_EXIT_RESOURCE)
    *what = "out of memory";
  else if (!root)
    *what = "no JSON object";
  else if (!good)
    *what = "no whole number \"id\"";
  json_decref(root);
  return good;
}

static int take_protocol(const pp_reader *reader, const json_t *range,
                         unsigned *most) {
  pp_field field[] = {{"min", false, NULL}, {"max", false, NULL}};
  uint64_t least = 0;
  uint64_t greatest = 0;
  if (pp_reader_fields(reader, range, "\"protocol\"", field, COUNT(field)) !=
          0 ||
      pp_reader_u64(reader, &field[0], &least) != 0 ||
      pp_reader_u64(reader, &field[1], &greatest) != 0)
    return reader->diag->code;
  if (least > greatest)
    return pp_reader_fail(reader, "protocol", "has a min above its max");
  if (greatest > PP_PROTOCOL_MOST) greatest = PP_PROTOCOL_MOST;
  bool known = greatest >= PP_PROTOCOL_LEAST && greatest >= least;
  *most = known ? (unsigned)greatest : 0;
  return 0;
}

static int take_hello(const pp_reader *reader, const json_t *root,
                      unsigned *most) {
  pp_field field[] = {{"id", false, NULL},
                      {"verb", false, NULL},
                      {"protocol", false, NULL},
                      {"spans", false, NULL}};
  const char *spans = "";
  if (pp_reader_fields(reader, root, "it", field, COUNT(field)) != 0 ||
      pp_reader_text(reader, &field[3], &spans) != 0 ||
      take_protocol(reader, field[2].value, most) != 0)
    return reader->diag->code;
  if (strcmp(spans, "closed") == 0) return 0;
  return pp_reader_fail(reader, "spans", "is not \"closed\"");
}

static pp_line_kind take_line(pp_reader *reader, const json_t *root,
                              unsigned *most, pp_ask *ask) {
  pp_field field[] = {{"id", false, NULL}, {"verb", false, NULL}};
  const char *verb = json_string_value(json_object_get(root, "verb"));
  if (verb && strcmp(verb, "hello") == 0)
    return take_hello(reader, root, most) == 0 ? PP_LINE_HELLO : PP_LINE_BAD;
  if (verb && strcmp(verb, "bye") == 0)
    return pp_reader_fields(reader, root, "it", field, COUNT(field)) == 0
               ? PP_LINE_BYE
               : PP_LINE_BAD;
  if (pp_wire_take_ask(reader, root, ask) == 0) return PP_LINE_ASK;
  pp_ask_free(ask);
  return PP_LINE_BAD;
}

pp_line_kind pp_wire_read_line(const char *line, size_t size, uint64_t *id,
                               unsigned *most, pp_ask *ask, pp_diag *diag) {
  pp_reader reader = {.name = "request", .diag = diag};
  pp_line_kind kind = PP_LINE_BAD;
  *id = 0;
  *most = 0;
  *ask = (pp_ask){0};
  json_t *root = pp_reader_load(&reader, line, size);
  if (root && (!whole_id(root, id) || *id == 0)) {
    *id = 0;
    (void)pp_reader_fail(&reader, "id", "is no whole number from 1 on");
  } else if (root) {
    kind = take_line(&reader, root, most, ask);
  }
  json_decref(root);
  return kind;
}

bool pp_wire_is_url(const char *text) {
  const char *rest = NULL;
  if (strncmp(text, "http://", 7) == 0) rest = text + 7;
  if (strncmp(text, "https://", 8) == 0) rest = text + 8;
  if (!rest || *rest == '\0' || *rest == '/') return false;
  for (; *rest; rest++)
    if (*rest <= ' ' || *rest >= 0x7f || *rest == '"' || *rest == '<' ||
        *rest == '>')
      return false;
  return true;
}
