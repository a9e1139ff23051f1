#include "wire_parts.h"

#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "contexts[1].nodes[0]: ", or "" at the top. */
static const char *place(const pp_reader *reader, char *out, size_t size) {
  size_t at = 0;
  out[0] = '\0';
  for (size_t k = 0; k < PP_READER_DEPTH && reader->part[k]; k++) {
    int put = snprintf(out + at, size - at, "%s%s[%zu]", k > 0 ? "." : "",
                       reader->part[k], reader->at[k]);
    if (put < 0 || (size_t)put >= size - at) return out;
    at += (size_t)put;
  }
  if (at > 0) (void)snprintf(out + at, size - at, ": ");
  return out;
}

int pp_reader_fail(const pp_reader *reader, const char *key, const char *what) {
  char where[160];
  char shown[80];
  return pp_diag_fail(reader->diag, PP_EXIT_INPUT, "%s: %s\"%s\" %s",
                      reader->name, place(reader, where, sizeof where),
                      pp_printable(key, shown, sizeof shown), what);
}

json_t *pp_reader_load(const pp_reader *reader, const char *json, size_t size) {
  size_t at = 0;
  while (at < size && strchr(" \t\r\n", json[at]) && json[at] != '\0')
    at++;
  if (at == size || json[at] != '{') {
    (void)pp_diag_fail(reader->diag, PP_EXIT_INPUT, "%s: not a JSON object",
                       reader->name);
    return NULL;
  }
  pp_source source;
  pp_source_memory(&source, reader->name, json, size);
  return pp_json_load(&source, reader->diag);
}

static int unknown_key(const pp_reader *reader, const json_t *object,
                       const pp_field *fields, size_t n) {
  const char *key = NULL;
  const json_t *value = NULL;
  json_object_foreach((json_t *)object, key, value) {
    size_t k = 0;
    while (k < n && strcmp(fields[k].key, key) != 0)
      k++;
    if (k == n)
      return pp_reader_fail(reader, key, "is not a key that is known here");
  }
  return pp_diag_fail(reader->diag, PP_EXIT_RESOURCE,
                      "%s: keys are not counted right", reader->name);
}

int pp_reader_fields(const pp_reader *reader, const json_t *object,
                     const char *what, pp_field *fields, size_t n) {
  char where[160];
  size_t found = 0;
  if (!json_is_object(object))
    return pp_diag_fail(reader->diag, PP_EXIT_INPUT, "%s: %s%s is no object",
                        reader->name, place(reader, where, sizeof where), what);
  for (size_t k = 0; k < n; k++) {
    fields[k].value = json_object_get(object, fields[k].key);
    if (fields[k].value)
      found++;
    else if (!fields[k].optional)
      return pp_reader_fail(reader, fields[k].key, "is missing");
  }
  if (found == json_object_size(object)) return 0;
  return unknown_key(reader, object, fields, n);
}

static int take_u64(const pp_reader *reader, const char *key,
                    const json_t *value, uint64_t *out) {
  const char *wrong = pp_json_u64(value, out);
  if (!wrong) return 0;
  char what[200];
  (void)snprintf(what, sizeof what,
                 "%s; wanted is a whole number from 0 to 2^64 - 1, as digits "
                 "or as a string of digits",
                 wrong);
  return pp_reader_fail(reader, key, what);
}

int pp_reader_u64(const pp_reader *reader, const pp_field *field,
                  uint64_t *out) {
  if (!field->value) return 0;
  return take_u64(reader, field->key, field->value, out);
}

int pp_reader_text(const pp_reader *reader, const pp_field *field,
                   const char **out) {
  if (!field->value) return 0;
  if (!json_is_string(field->value))
    return pp_reader_fail(reader, field->key, "is no string");
  *out = json_string_value(field->value);
  return 0;
}

int pp_reader_flag(const pp_reader *reader, const pp_field *field, bool *out) {
  if (!field->value) return 0;
  if (!json_is_boolean(field->value))
    return pp_reader_fail(reader, field->key, "is neither true nor false");
  *out = json_is_true(field->value);
  return 0;
}

int pp_reader_array(const pp_reader *reader, const pp_field *field, size_t *n) {
  *n = 0;
  if (!field->value) return 0;
  if (!json_is_array(field->value))
    return pp_reader_fail(reader, field->key, "is no array");
  *n = json_array_size(field->value);
  return 0;
}

int pp_reader_span(const pp_reader *reader, const pp_field *field,
                   uint64_t *first, uint64_t *last) {
  if (!json_is_array(field->value) || json_array_size(field->value) != 2)
    return pp_reader_fail(reader, field->key, "is no pair of whole numbers");
  if (take_u64(reader, field->key, json_array_get(field->value, 0), first) != 0)
    return reader->diag->code;
  return take_u64(reader, field->key, json_array_get(field->value, 1), last);
}

int pp_reader_room(const pp_reader *reader, size_t n, size_t size, void **out) {
  *out = calloc(n > 0 ? n : 1, size);
  if (*out) return 0;
  (void)pp_fail_memory(reader->diag);
  return PP_EXIT_RESOURCE;
}

int pp_reader_numbers(const pp_reader *reader, const pp_field *field,
                      size_t room, uint64_t **out, size_t *n) {
  size_t count = 0;
  void *numbers = NULL;
  if (pp_reader_array(reader, field, &count) != 0 ||
      pp_reader_room(reader, count > room ? count : room, sizeof **out,
                     &numbers) != 0)
    return reader->diag->code;
  *out = numbers;
  for (size_t i = 0; i < count; i++)
    if (take_u64(reader, field->key, json_array_get(field->value, i),
                 &(*out)[i]) != 0)
      return reader->diag->code;
  *n = count;
  return 0;
}
