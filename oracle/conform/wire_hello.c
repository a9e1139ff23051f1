#include "wire_parts.h"

#include <stdio.h>
#include <string.h>

#define COUNT(fields) (sizeof(fields) / sizeof(fields)[0])

enum { USUAL_BATCH = 64 };

static const char *const compares[PP_COMPARE_COUNT] = {
#define PP_COMPARE_WORD(NAME, name, about) #name,
    PP_COMPARES(PP_COMPARE_WORD)
#undef PP_COMPARE_WORD
};

const char *pp_compare_name(pp_compare compare) {
  return compares[compare];
}

bool pp_compare_named(const char *name, pp_compare *compare) {
  for (unsigned k = 0; k < PP_COMPARE_COUNT; k++) {
    if (strcmp(compares[k], name) != 0) continue;
    *compare = (pp_compare)k;
    return true;
  }
  return false;
}

void pp_wire_hello(pp_text *text, uint64_t id) {
  pp_text_pair(text, "{\"id\":", id);
  pp_text_pair(text,
               ",\"verb\":\"hello\",\"protocol\":{\"min\":", PP_PROTOCOL_LEAST);
  pp_text_pair(text, ",\"max\":", PP_PROTOCOL_MOST);
  pp_text_word(text, "},\"spans\":\"closed\"}\n");
}

static void put_limits(pp_text *text, const pp_hello *hello) {
  bool items = hello->items != SIZE_MAX;
  bool batch = hello->batch != USUAL_BATCH;
  if (!items && !batch) return;
  pp_text_word(text, ",\"limits\":{");
  if (items) pp_text_pair(text, "\"items\":", hello->items);
  if (batch)
    pp_text_pair(text, items ? ",\"batch\":" : "\"batch\":", hello->batch);
  pp_text_word(text, "}");
}

void pp_wire_hello_reply(pp_text *text, const pp_hello *hello, uint64_t id) {
  bool first = true;
  pp_text_pair(text, "{\"id\":", id);
  pp_text_pair(text, ",\"result\":{\"protocol\":", hello->protocol);
  pp_text_word(text, ",\"name\":");
  pp_text_string(text, hello->name);
  pp_text_word(text, ",\"version\":");
  pp_text_string(text, hello->version);
  if (hello->homepage[0] != '\0') {
    pp_text_word(text, ",\"homepage\":");
    pp_text_string(text, hello->homepage);
  }
  pp_text_word(text, ",\"capabilities\":[");
  for (unsigned bit = 0; bit < PP_CAPABILITY_COUNT; bit++) {
    if ((hello->capabilities & (pp_capabilities)1 << bit) == 0) continue;
    pp_text_word(text, first ? "" : ",");
    pp_text_string(text, pp_capability_name(bit));
    first = false;
  }
  pp_text_word(text, "]");
  put_limits(text, hello);
  if (hello->compare != PP_COMPARE_EXACT) {
    pp_text_word(text, ",\"compare\":");
    pp_text_string(text, pp_compare_name(hello->compare));
  }
  pp_text_word(text, "}}\n");
}

void pp_wire_bye(pp_text *text, uint64_t id) {
  pp_text_pair(text, "{\"id\":", id);
  pp_text_word(text, ",\"verb\":\"bye\"}\n");
}

void pp_wire_bye_reply(pp_text *text, uint64_t id) {
  pp_text_pair(text, "{\"id\":", id);
  pp_text_word(text, ",\"result\":{}}\n");
}

static int take_name(const pp_reader *reader, const pp_field *field,
                     char out[PP_HELLO_TEXT]) {
  const char *text = "";
  if (pp_reader_text(reader, field, &text) != 0) return reader->diag->code;
  if (strlen(text) >= PP_HELLO_TEXT)
    return pp_reader_fail(reader, field->key, "has more than 127 bytes");
  memcpy(out, text, strlen(text) + 1);
  return 0;
}

static int take_capabilities(const pp_reader *reader, const pp_field *field,
                             pp_capabilities *capabilities) {
  size_t n = 0;
  if (pp_reader_array(reader, field, &n) != 0) return reader->diag->code;
  for (size_t k = 0; k < n; k++) {
    const char *word = json_string_value(json_array_get(field->value, k));
    unsigned bit = 0;
    char what[100];
    char shown[60];
    if (!word) return pp_reader_fail(reader, field->key, "has no string");
    bool known = pp_capability_named(word, &bit);
    if (known && (*capabilities & (pp_capabilities)1 << bit) == 0) {
      *capabilities |= (pp_capabilities)1 << bit;
      continue;
    }
    (void)snprintf(what, sizeof what, "has \"%s\"%s",
                   pp_printable(word, shown, sizeof shown),
                   known ? " twice" : ", which is no capability");
    return pp_reader_fail(reader, field->key, what);
  }
  return 0;
}

static int take_limits(const pp_reader *reader, const json_t *limits,
                       pp_hello *hello) {
  pp_field field[] = {{"items", true, NULL}, {"batch", true, NULL}};
  hello->items = SIZE_MAX;
  hello->batch = USUAL_BATCH;
  if (!limits) return 0;
  if (pp_reader_fields(reader, limits, "\"limits\"", field, COUNT(field)) !=
          0 ||
      pp_reader_u64(reader, &field[0], &hello->items) != 0 ||
      pp_reader_u64(reader, &field[1], &hello->batch) != 0)
    return reader->diag->code;
  if (hello->items == 0) return pp_reader_fail(reader, "items", "is 0");
  if (hello->batch == 0) return pp_reader_fail(reader, "batch", "is 0");
  return 0;
}

static int take_hello(const pp_reader *reader, const json_t *result,
                      pp_hello *hello) {
  pp_field field[] = {{"protocol", false, NULL}, {"name", false, NULL},
                      {"version", false, NULL},  {"homepage", true, NULL},
                      {"limits", true, NULL},    {"capabilities", false, NULL},
                      {"compare", true, NULL}};
  uint64_t protocol = 0;
  const char *compare = "exact";
  if (pp_reader_fields(reader, result, "\"result\"", field, COUNT(field)) !=
          0 ||
      pp_reader_u64(reader, &field[0], &protocol) != 0 ||
      take_name(reader, &field[1], hello->name) != 0 ||
      take_name(reader, &field[2], hello->version) != 0 ||
      take_name(reader, &field[3], hello->homepage) != 0 ||
      take_limits(reader, field[4].value, hello) != 0 ||
      take_capabilities(reader, &field[5], &hello->capabilities) != 0 ||
      pp_reader_text(reader, &field[6], &compare) != 0)
    return reader->diag->code;
  if (protocol < PP_PROTOCOL_LEAST || protocol > PP_PROTOCOL_MOST)
    return pp_reader_fail(reader, "protocol", "is not 1");
  if (hello->name[0] == '\0') return pp_reader_fail(reader, "name", "is empty");
  hello->protocol = (unsigned)protocol;
  if (pp_compare_named(compare, &hello->compare)) return 0;
  return pp_reader_fail(reader, "compare", "is none of exact, valid and total");
}

/* The result of an answer to hello or bye; NULL: diag says why. */
static const json_t *plain_result(const pp_reader *reader, const json_t *root) {
  pp_field field[] = {{"id", true, NULL}, {"result", false, NULL}};
  if (pp_reader_fields(reader, root, "it", field, COUNT(field)) != 0)
    return NULL;
  return field[1].value;
}

int pp_wire_read_hello_reply(const char *name, const char *json, size_t size,
                             pp_hello *hello, pp_diag *diag) {
  const pp_reader reader = {.name = name, .diag = diag};
  *hello = (pp_hello){0};
  json_t *root = pp_reader_load(&reader, json, size);
  const json_t *result = root ? plain_result(&reader, root) : NULL;
  int status = result ? take_hello(&reader, result, hello) : diag->code;
  json_decref(root);
  if (status != 0) *hello = (pp_hello){0};
  return status;
}

int pp_wire_read_bye_reply(const char *name, const char *json, size_t size,
                           pp_diag *diag) {
  const pp_reader reader = {.name = name, .diag = diag};
  json_t *root = pp_reader_load(&reader, json, size);
  const json_t *result = root ? plain_result(&reader, root) : NULL;
  if (result) (void)pp_reader_fields(&reader, result, "\"result\"", NULL, 0);
  json_decref(root);
  return diag->code;
}
