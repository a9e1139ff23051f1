/* poolproof: vectors, read (oracle/schema/vectors-1).
 * SPDX-License-Identifier: MIT */
#include "vectors_parts.h"
#include "wire_parts.h"

#include <stdlib.h>
#include <string.h>

/* A list of words becomes one text with commas between them; words have none
 * themselves. */
static int take_words(const pp_reader *reader, const pp_field *field,
                      bool plain, char **out) {
  size_t n = 0;
  pp_text text = {0};
  if (pp_reader_array(reader, field, &n) != 0) return reader->diag->code;
  for (size_t i = 0; i < n; i++) {
    const char *word = json_string_value(json_array_get(field->value, i));
    if (!word || word[0] == '\0' || strlen(word) >= PP_LIST_WORD ||
        strchr(word, ',') || (plain && strchr(word, ' '))) {
      pp_text_free(&text);
      return pp_reader_fail(reader, field->key, "is no list of words");
    }
    if (i > 0) pp_text_word(&text, ",");
    pp_text_word(&text, word);
  }
  pp_text_put(&text, "", 0);
  *out = text.at;
  if (!text.failed) return 0;
  pp_text_free(&text);
  *out = NULL;
  return pp_fail_memory(reader->diag);
}

static int take_copy(const pp_reader *reader, const pp_field *field,
                     char **out) {
  const char *text = "";
  if (pp_reader_text(reader, field, &text) != 0) return reader->diag->code;
  if (field->value && text[0] == '\0')
    return pp_reader_fail(reader, field->key, "is empty");
  *out = strdup(text);
  return *out ? 0 : pp_fail_memory(reader->diag);
}

static int add_flag(const pp_reader *reader, pp_vector_set *set,
                    pp_ask_verb verb, const char *name, json_t *object) {
  pp_field fields[] = {
      {"about", false, NULL}, {"kind", true, NULL}, {"seen", true, NULL}};
  if (name[0] == '\0' || strpbrk(name, ", "))
    return pp_reader_fail(reader, name, "is no word, and so no flag");
  if (pp_reader_fields(reader, object, name, fields, 3) != 0)
    return reader->diag->code;
  pp_flag *more = realloc(set->flag, (set->flags + 1) * sizeof *more);
  if (!more) return pp_fail_memory(reader->diag);
  set->flag = more;
  pp_flag *flag = &set->flag[set->flags++];
  *flag = (pp_flag){.verb = verb, .name = strdup(name)};
  if (!flag->name) return pp_fail_memory(reader->diag);
  if (take_copy(reader, &fields[0], &flag->about) != 0 ||
      take_copy(reader, &fields[1], &flag->kind) != 0 ||
      take_words(reader, &fields[2], false, &flag->seen) != 0)
    return reader->diag->code;
  return 0;
}

static int take_flags(const pp_reader *reader, pp_vector_set *set,
                      pp_ask_verb verb, json_t *flags) {
  const char *name = NULL;
  json_t *object = NULL;
  if (!json_is_object(flags))
    return pp_reader_fail(reader, "flags", "is no object");
  json_object_foreach(flags, name, object) {
    if (add_flag(reader, set, verb, name, object) != 0)
      return reader->diag->code;
  }
  return 0;
}

static int take_request(pp_reader *reader, pp_ask_verb verb, const json_t *part,
                        pp_ask *ask) {
  if (!json_is_object(part))
    return pp_diag_fail(reader->diag, PP_EXIT_INPUT, "%s: not a JSON object",
                        reader->name);
  if (pp_wire_take_ask(reader, part, ask) != 0) return reader->diag->code;
  const char *wrong =
      ask->verb != verb ? "it is of another verb" : pp_ask_wrong(ask);
  if (!wrong) return 0;
  if (wrong == pp_ask_no_memory) return pp_fail_memory(reader->diag);
  return pp_diag_fail(reader->diag, PP_EXIT_INPUT, "%s: \"request\": %s",
                      reader->name, wrong);
}

static int take_expect(pp_reader *reader, const json_t *part, const pp_ask *ask,
                       pp_reply *expect) {
  if (!json_is_object(part))
    return pp_diag_fail(reader->diag, PP_EXIT_INPUT, "%s: not a JSON object",
                        reader->name);
  if (pp_wire_take_reply(reader, part, ask, expect) != 0)
    return reader->diag->code;
  if (expect->kind == PP_REPLY_RESULT || expect->kind == PP_REPLY_REJECT)
    return 0;
  return pp_diag_fail(reader->diag, PP_EXIT_INPUT,
                      "%s: \"expect\" is neither a result nor a reject",
                      reader->name);
}

static int take_vector(const pp_reader *reader, pp_ask_verb verb,
                       const json_t *object, pp_vector *vector) {
  pp_field fields[] = {{"id", false, NULL},      {"comment", false, NULL},
                       {"flags", false, NULL},   {"rules", false, NULL},
                       {"request", false, NULL}, {"expect", false, NULL}};
  const char *id = "";
  if (pp_reader_fields(reader, object, "a vector", fields, 6) != 0 ||
      pp_reader_text(reader, &fields[0], &id) != 0)
    return reader->diag->code;
  if (id[0] == '\0' || strlen(id) >= sizeof vector->id)
    return pp_reader_fail(reader, "id",
                          "is no id such as "
                          "arena-0123456789abcdef");
  memcpy(vector->id, id, strlen(id) + 1);
  if (take_copy(reader, &fields[1], &vector->comment) != 0 ||
      take_words(reader, &fields[2], true, &vector->flags) != 0 ||
      take_words(reader, &fields[3], true, &vector->rules) != 0)
    return reader->diag->code;
  char where[200];
  snprintf(where, sizeof where, "%s: vector \"%s\"", reader->name, id);
  pp_reader own = {.name = where, .diag = reader->diag};
  if (take_request(&own, verb, fields[4].value, &vector->ask) != 0)
    return reader->diag->code;
  own = (pp_reader){.name = where, .diag = reader->diag};
  return take_expect(&own, fields[5].value, &vector->ask, &vector->expect);
}

static int add_vector(pp_reader *reader, pp_vector_set *set, pp_ask_verb verb,
                      const json_t *object) {
  pp_vector vector = {.comment = NULL};
  int status = take_vector(reader, verb, object, &vector);
  for (size_t i = 0; status == 0 && i < set->vectors.n; i++)
    if (strcmp(set->vectors.vector[i].id, vector.id) == 0)
      status = pp_reader_fail(reader, vector.id, "is here twice");
  if (status == 0 && !pp_vector_set_add(set, &vector))
    status = pp_fail_memory(reader->diag);
  if (status != 0) pp_vector_free(&vector);
  return status;
}

/* "poolproof": "vectors/1". */
static int check_format(const pp_reader *reader, const pp_field *field) {
  const char *format = "";
  if (pp_reader_text(reader, field, &format) != 0) return reader->diag->code;
  if (strcmp(format, "vectors/1") == 0) return 0;
  return pp_reader_fail(reader, field->key, "is not \"vectors/1\"");
}

static int take_verb(const pp_reader *reader, const pp_field *field,
                     pp_vector_set *set, pp_ask_verb *verb) {
  const char *word = "";
  if (pp_reader_text(reader, field, &word) != 0) return reader->diag->code;
  if (!pp_ask_verb_named(word, verb))
    return pp_reader_fail(reader, field->key, "is no verb");
  if (set->verbs >> *verb & 1)
    return pp_reader_fail(reader, field->key, "is here twice");
  set->verbs |= 1U << *verb;
  set->named[*verb] = strdup(reader->name);
  return set->named[*verb] ? 0 : pp_fail_memory(reader->diag);
}

/* The file of a verb. */
static int take_file(pp_reader *reader, pp_vector_set *set, json_t *root) {
  pp_field fields[] = {{"poolproof", false, NULL},
                       {"verb", false, NULL},
                       {"flags", false, NULL},
                       {"vectors", false, NULL}};
  pp_ask_verb verb = PP_ASK_SEGMENTS;
  size_t n = 0;
  if (pp_reader_fields(reader, root, "the document", fields, 4) != 0 ||
      check_format(reader, &fields[0]) != 0 ||
      take_verb(reader, &fields[1], set, &verb) != 0 ||
      take_flags(reader, set, verb, fields[2].value) != 0 ||
      pp_reader_array(reader, &fields[3], &n) != 0)
    return reader->diag->code;
  for (size_t i = 0; i < n; i++) {
    reader->part[0] = "vectors";
    reader->at[0] = i;
    if (add_vector(reader, set, verb, json_array_get(fields[3].value, i)) != 0)
      return reader->diag->code;
  }
  reader->part[0] = NULL;
  return 0;
}

/* All files in one. */
static int take_bundle(pp_reader *reader, pp_vector_set *set, json_t *root) {
  pp_field fields[] = {{"poolproof", false, NULL}, {"files", false, NULL}};
  size_t n = 0;
  if (pp_reader_fields(reader, root, "the document", fields, 2) != 0 ||
      check_format(reader, &fields[0]) != 0 ||
      pp_reader_array(reader, &fields[1], &n) != 0)
    return reader->diag->code;
  for (size_t i = 0; i < n; i++)
    if (take_file(reader, set, json_array_get(fields[1].value, i)) != 0)
      return reader->diag->code;
  return 0;
}

int pp_vector_set_parse(const char *name, const char *json, size_t size,
                        pp_vector_set *set, pp_diag *diag) {
  pp_reader reader = {.name = name, .diag = diag};
  json_t *root = pp_reader_load(&reader, json, size);
  if (!root) return diag->code;
  int status = json_object_get(root, "files") ? take_bundle(&reader, set, root)
                                              : take_file(&reader, set, root);
  json_decref(root);
  return status;
}
