#include "wire_parts.h"

#include "number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(fields) (sizeof(fields) / sizeof(fields)[0])

/* An array of one number for each of the n items. */
static int take_column(const pp_reader *reader, const pp_field *field, size_t n,
                       uint64_t **out) {
  size_t count = 0;
  if (pp_reader_numbers(reader, field, n, out, &count) != 0)
    return reader->diag->code;
  if (count == n) return 0;
  char what[100];
  (void)snprintf(what, sizeof what,
                 "has %zu numbers, the request has %zu items", count, n);
  return pp_reader_fail(reader, field->key, what);
}

static int take_segments(const pp_reader *reader, const json_t *result,
                         const pp_ask *ask, pp_reply *reply) {
  pp_field field[] = {{"segment", false, NULL},
                      {"offset", false, NULL},
                      {"sizes", false, NULL}};
  if (pp_reader_fields(reader, result, "\"result\"", field, COUNT(field)) !=
          0 ||
      take_column(reader, &field[0], ask->c.n, &reply->segment) != 0 ||
      take_column(reader, &field[1], ask->c.n, &reply->offset) != 0)
    return reader->diag->code;
  return pp_reader_numbers(reader, &field[2], 0, &reply->size,
                           &reply->segments);
}

static int take_arena(const pp_reader *reader, const json_t *result,
                      const pp_ask *ask, pp_reply *reply) {
  pp_field field[] = {{"offset", false, NULL}, {"total", false, NULL}};
  void *segment = NULL;
  void *size = NULL;
  if (pp_reader_fields(reader, result, "\"result\"", field, COUNT(field)) !=
          0 ||
      take_column(reader, &field[0], ask->c.n, &reply->offset) != 0 ||
      pp_reader_room(reader, ask->c.n, sizeof *reply->segment, &segment) != 0)
    return reader->diag->code;
  reply->segment = segment;
  if (pp_reader_room(reader, 1, sizeof *reply->size, &size) != 0)
    return reader->diag->code;
  reply->size = size;
  reply->segments = 1;
  return pp_reader_u64(reader, &field[1], &reply->size[0]);
}

/* What a violation says beside its kind. */
static const char *const violation_keys[][3] = {
    [PP_NO_SUCH_SEGMENT] = {"item"},
    [PP_MISALIGNED] = {"item"},
    [PP_PAST_END] = {"item"},
    [PP_SEGMENT_TOO_BIG] = {"segment"},
    [PP_SHARED_BYTES] = {"items", "bytes"},
    [PP_WRONG_SIZE] = {"segment", "claimed", "end"},
};

static int take_violation(const pp_reader *reader, const json_t *object,
                          pp_violation *violation) {
  const char *word = json_string_value(json_object_get(object, "kind"));
  size_t kind = PP_NO_SUCH_SEGMENT;
  while (kind <= PP_WRONG_SIZE &&
         (!word || strcmp(word, pp_wire_violations[kind]) != 0))
    kind++;
  if (kind > PP_WRONG_SIZE)
    return pp_reader_fail(reader, "kind", "of the violation is none there is");
  pp_field field[4] = {{"kind", false, NULL}};
  size_t n = 1;
  for (; n < 4 && violation_keys[kind][n - 1]; n++)
    field[n].key = violation_keys[kind][n - 1];
  if (pp_reader_fields(reader, object, "\"violation\"", field, n) != 0)
    return reader->diag->code;
  violation->kind = (pp_violation_kind)kind;
  if (kind != PP_SHARED_BYTES) {
    if (pp_reader_u64(reader, &field[1], &violation->first) != 0 ||
        pp_reader_u64(reader, &field[2], &violation->lo) != 0)
      return reader->diag->code;
    return pp_reader_u64(reader, &field[3], &violation->hi);
  }
  if (pp_reader_span(reader, &field[1], &violation->first,
                     &violation->second) != 0)
    return reader->diag->code;
  return pp_reader_span(reader, &field[2], &violation->lo, &violation->hi);
}

static int take_verdict(const pp_reader *reader, const json_t *result,
                        pp_reply *reply) {
  pp_field field[] = {{"valid", false, NULL}, {"violation", true, NULL}};
  bool valid = false;
  if (pp_reader_fields(reader, result, "\"result\"", field, COUNT(field)) !=
          0 ||
      pp_reader_flag(reader, &field[0], &valid) != 0)
    return reader->diag->code;
  if (valid && field[1].value)
    return pp_reader_fail(reader, "violation", "goes with \"valid\": false");
  if (valid) return 0;
  if (!field[1].value) return pp_reader_fail(reader, "violation", "is missing");
  return take_violation(reader, field[1].value, &reply->violation);
}

static int take_lives(pp_reader *reader, const json_t *result,
                      const pp_ask *ask, pp_reply *reply) {
  pp_field field[] = {{"spans", false, NULL}};
  void *life = NULL;
  size_t n = 0;
  if (pp_reader_fields(reader, result, "\"result\"", field, COUNT(field)) !=
          0 ||
      pp_reader_array(reader, &field[0], &n) != 0 ||
      pp_reader_room(reader, ask->nodes, sizeof *reply->life, &life) != 0)
    return reader->diag->code;
  reply->life = life;
  if (n != ask->nodes)
    return pp_reader_fail(reader, "spans", "has not one entry a node");
  for (size_t i = 0; i < n; i++) {
    const pp_field span = {"spans", false, json_array_get(field[0].value, i)};
    if (json_is_null(span.value)) continue;
    if (pp_reader_span(reader, &span, &reply->life[i].lo, &reply->life[i].hi) !=
        0)
      return reader->diag->code;
    reply->life[i].has_span = true;
  }
  return 0;
}

static int take_footprint(const pp_reader *reader, const json_t *result,
                          pp_footprint *footprint) {
  pp_field field[] = {{"working", false, NULL}, {"constants", false, NULL},
                      {"total", false, NULL},   {"dedicated", false, NULL},
                      {"planned", false, NULL}, {"nodes", false, NULL},
                      {"arena", false, NULL}};
  uint64_t *const number[] = {&footprint->working, &footprint->constants,
                              &footprint->total,   &footprint->dedicated,
                              &footprint->planned, &footprint->nodes};
  if (pp_reader_fields(reader, result, "\"result\"", field, COUNT(field)) != 0)
    return reader->diag->code;
  for (size_t k = 0; k < COUNT(number); k++)
    if (pp_reader_u64(reader, &field[k], number[k]) != 0)
      return reader->diag->code;
  return pp_reader_flag(reader, &field[COUNT(number)], &footprint->arena);
}

/* "await" or "free POOL" as a line of calls. */
static int take_call(const pp_reader *reader, const json_t *value,
                     pp_text *calls) {
  static const char start[] = "free ";
  const char *word = json_string_value(value);
  uint64_t pool = 0;
  if (word && strcmp(word, "await") == 0) {
    pp_text_word(calls, "await\n");
    return 0;
  }
  if (!word || strncmp(word, start, strlen(start)) != 0)
    return pp_reader_fail(reader, "calls",
                          "has something else than \"await\" and \"free N\"");
  const char *wrong = pp_parse_u64(word + strlen(start), &pool);
  if (wrong) return pp_reader_fail(reader, "calls", wrong);
  pp_text_print(calls, "free %" PRIu64 "\n", pool);
  return 0;
}

static int take_calls(const pp_reader *reader, const pp_field *field,
                      pp_done *done) {
  pp_text calls = {0};
  size_t n = 0;
  int status = pp_reader_array(reader, field, &n);
  for (size_t k = 0; status == 0 && k < n; k++)
    status = take_call(reader, json_array_get(field->value, k), &calls);
  if (status == 0 && calls.failed) status = pp_fail_memory(reader->diag);
  if (status == 0)
    done->calls = calls.at;
  else
    pp_text_free(&calls);
  return status;
}

static int take_step(const pp_reader *reader, const json_t *object,
                     pp_done *done) {
  pp_field field[] = {{"status", false, NULL}, {"calls", false, NULL}};
  const char *word = "";
  if (pp_reader_fields(reader, object, "it", field, COUNT(field)) != 0 ||
      pp_reader_text(reader, &field[0], &word) != 0)
    return reader->diag->code;
  if (strcmp(word, "failed") == 0)
    done->status = PP_BACKEND_FAILED;
  else if (strcmp(word, "pool_gone") == 0)
    done->status = PP_POOL_GONE;
  else if (strcmp(word, "ok") != 0)
    return pp_reader_fail(reader, "status",
                          "is none of \"ok\", \"failed\" and \"pool_gone\"");
  return take_calls(reader, &field[1], done);
}

static int take_done(pp_reader *reader, const json_t *result, const pp_ask *ask,
                     pp_reply *reply) {
  pp_field field[] = {{"steps", false, NULL}, {"live", false, NULL}};
  void *done = NULL;
  size_t n = 0;
  if (pp_reader_fields(reader, result, "\"result\"", field, COUNT(field)) !=
          0 ||
      pp_reader_array(reader, &field[0], &n) != 0)
    return reader->diag->code;
  if (n != ask->acts)
    return pp_reader_fail(reader, "steps", "has not one entry a step");
  if (pp_reader_room(reader, n, sizeof *reply->done, &done) != 0)
    return reader->diag->code;
  reply->done = done;
  reply->acts = n;
  reader->part[0] = "steps";
  for (size_t k = 0; k < n; k++) {
    reader->at[0] = k;
    if (take_step(reader, json_array_get(field[0].value, k), &reply->done[k]) !=
        0)
      return reader->diag->code;
  }
  reader->part[0] = NULL;
  return pp_reader_numbers(reader, &field[1], 0, &reply->live, &reply->lives);
}

static int take_result(pp_reader *reader, const json_t *result,
                       const pp_ask *ask, pp_reply *reply) {
  switch (ask->verb) {
  case PP_ASK_SEGMENTS:
    return take_segments(reader, result, ask, reply);
  case PP_ASK_VALIDATE:
    return take_verdict(reader, result, reply);
  case PP_ASK_SPANS:
    return take_lives(reader, result, ask, reply);
  case PP_ASK_SCORE:
    return take_footprint(reader, result, &reply->footprint);
  case PP_ASK_RELEASE:
    return take_done(reader, result, ask, reply);
  default:
    return take_arena(reader, result, ask, reply);
  }
}

static int take_reject(const pp_reader *reader, const pp_field *reject,
                       const pp_field *index, pp_reply *reply) {
  static const pp_status classes[] = {PP_ITEM_OVER_CAP, PP_OVER_CAP,
                                      PP_BAD_SPAN};
  const char *word = "";
  size_t k = 0;
  reply->index = SIZE_MAX;
  if (pp_reader_text(reader, reject, &word) != 0) return reader->diag->code;
  while (k < COUNT(classes) && strcmp(word, pp_status_name(classes[k])) != 0)
    k++;
  if (k == COUNT(classes))
    return pp_reader_fail(reader, "reject",
                          "is none of item_over_cap, over_cap and bad_span");
  reply->status = classes[k];
  if (classes[k] != PP_OVER_CAP && !index->value)
    return pp_reader_fail(reader, "index", "is missing");
  if (classes[k] == PP_OVER_CAP && index->value)
    return pp_reader_fail(reader, "index", "goes with an item's refusal");
  return pp_reader_u64(reader, index, &reply->index);
}

static int take_words(const pp_reader *reader, const pp_field *field,
                      pp_reply *reply) {
  const char *text = "";
  unsigned bit = 0;
  if (pp_reader_text(reader, field, &text) != 0) return reader->diag->code;
  if (reply->kind == PP_REPLY_UNSUPPORTED && !pp_capability_named(text, &bit))
    return pp_reader_fail(reader, field->key, "is no capability");
  if (reply->kind == PP_REPLY_SKIP && strlen(text) >= sizeof reply->text)
    return pp_reader_fail(reader, field->key, "has more than 399 bytes");
  size_t size = strnlen(text, sizeof reply->text);
  if (size == sizeof reply->text) /* cut where a character begins */
    for (size--; size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80;)
      size--;
  memcpy(reply->text, text, size);
  return 0;
}

int pp_wire_take_reply(pp_reader *reader, const json_t *root, const pp_ask *ask,
                       pp_reply *reply) {
  enum { ID = PP_REPLY_COUNT, INDEX, FIELDS };
  pp_field field[FIELDS] = {
#define PP_REPLY_FIELD(NAME, name) [PP_REPLY_##NAME] = {#name, true, NULL},
      PP_REPLIES(PP_REPLY_FIELD)
#undef PP_REPLY_FIELD
          [ID] = {"id", true, NULL},
      [INDEX] = {"index", true, NULL}};
  unsigned kinds = 0;
  if (pp_reader_fields(reader, root, "it", field, FIELDS) != 0)
    return reader->diag->code;
  for (unsigned k = 0; k < PP_REPLY_COUNT; k++) {
    if (!field[k].value) continue;
    reply->kind = (pp_reply_kind)k;
    kinds++;
  }
  if (kinds != 1)
    return pp_diag_fail(reader->diag, PP_EXIT_INPUT,
                        "%s: one of result, reject, unsupported, skip and "
                        "error is wanted, there are %u",
                        reader->name, kinds);
  if (field[INDEX].value && reply->kind != PP_REPLY_REJECT)
    return pp_reader_fail(reader, "index", "goes with \"reject\"");
  if (reply->kind == PP_REPLY_RESULT)
    return take_result(reader, field[PP_REPLY_RESULT].value, ask, reply);
  if (reply->kind == PP_REPLY_REJECT)
    return take_reject(reader, &field[PP_REPLY_REJECT], &field[INDEX], reply);
  return take_words(reader, &field[reply->kind], reply);
}

int pp_wire_read_reply(const char *name, const char *json, size_t size,
                       const pp_ask *ask, pp_reply *reply, pp_diag *diag) {
  pp_reader reader = {.name = name, .diag = diag};
  *reply = (pp_reply){0};
  json_t *root = pp_reader_load(&reader, json, size);
  int status =
      root ? pp_wire_take_reply(&reader, root, ask, reply) : diag->code;
  json_decref(root);
  if (status != 0) pp_reply_free(reply);
  return status;
}
