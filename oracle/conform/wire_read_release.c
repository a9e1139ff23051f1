#include "wire_parts.h"

#include <string.h>

#define COUNT(fields) (sizeof(fields) / sizeof(fields)[0])

static int take_held(const pp_reader *reader, const json_t *object,
                     pp_held *held) {
  pp_field field[] = {
      {"uid", false, NULL}, {"pool", false, NULL}, {"offset", false, NULL}};
  if (pp_reader_fields(reader, object, "it", field, COUNT(field)) != 0 ||
      pp_reader_u64(reader, &field[0], &held->uid) != 0 ||
      pp_reader_u64(reader, &field[1], &held->at.pool) != 0)
    return reader->diag->code;
  return pp_reader_u64(reader, &field[2], &held->at.offset);
}

static int take_holder(pp_reader *reader, const json_t *object,
                       pp_holder *holder) {
  pp_field field[] = {{"parent", true, NULL}, {"nodes", false, NULL}};
  void *held = NULL;
  holder->parent = SIZE_MAX;
  if (pp_reader_fields(reader, object, "it", field, COUNT(field)) != 0 ||
      pp_reader_u64(reader, &field[0], &holder->parent) != 0)
    return reader->diag->code;
  if (field[0].value && holder->parent == SIZE_MAX)
    return pp_reader_fail(reader, "parent", "is no context");
  if (pp_reader_array(reader, &field[1], &holder->nodes) != 0 ||
      pp_reader_room(reader, holder->nodes, sizeof *holder->held, &held) != 0)
    return reader->diag->code;
  holder->held = held;
  reader->part[1] = "nodes";
  for (size_t k = 0; k < holder->nodes; k++) {
    reader->at[1] = k;
    if (take_held(reader, json_array_get(field[1].value, k),
                  &holder->held[k]) != 0)
      return reader->diag->code;
  }
  reader->part[1] = NULL;
  return 0;
}

static int take_holders(pp_reader *reader, const pp_field *field, pp_ask *ask) {
  void *holder = NULL;
  size_t n = 0;
  if (pp_reader_array(reader, field, &n) != 0 ||
      pp_reader_room(reader, n, sizeof *ask->holder, &holder) != 0)
    return reader->diag->code;
  ask->holder = holder;
  ask->holders = n;
  reader->part[0] = field->key;
  for (size_t i = 0; i < n; i++) {
    reader->at[0] = i;
    if (take_holder(reader, json_array_get(field->value, i), &ask->holder[i]) !=
        0)
      return reader->diag->code;
  }
  return 0;
}

static int take_constants(pp_reader *reader, const pp_field *list,
                          pp_ask *ask) {
  void *constant = NULL;
  if (pp_reader_array(reader, list, &ask->constants) != 0 ||
      pp_reader_room(reader, ask->constants, sizeof *ask->constant,
                     &constant) != 0)
    return reader->diag->code;
  ask->constant = constant;
  reader->part[0] = list->key;
  for (size_t k = 0; k < ask->constants; k++) {
    pp_field field[] = {{"pool", false, NULL}, {"offset", false, NULL}};
    reader->at[0] = k;
    if (pp_reader_fields(reader, json_array_get(list->value, k), "it", field,
                         COUNT(field)) != 0 ||
        pp_reader_u64(reader, &field[0], &ask->constant[k].pool) != 0 ||
        pp_reader_u64(reader, &field[1], &ask->constant[k].offset) != 0)
      return reader->diag->code;
  }
  return 0;
}

static int take_release_act(const pp_reader *reader, const json_t *object,
                            pp_act *act) {
  pp_field field[] = {{"do", false, NULL},
                      {"context", false, NULL},
                      {"fail_await", true, NULL},
                      {"fail_free", true, NULL}};
  if (pp_reader_fields(reader, object, "it", field, COUNT(field)) != 0 ||
      pp_reader_u64(reader, &field[1], &act->context) != 0 ||
      pp_reader_u64(reader, &field[2], &act->fail_await) != 0)
    return reader->diag->code;
  return pp_reader_u64(reader, &field[3], &act->fail_free);
}

static int take_touch_act(const pp_reader *reader, const json_t *object,
                          pp_act *act) {
  pp_field field[] = {
      {"do", false, NULL}, {"context", false, NULL}, {"uid", false, NULL}};
  act->kind = PP_ACT_TOUCH;
  if (pp_reader_fields(reader, object, "it", field, COUNT(field)) != 0 ||
      pp_reader_u64(reader, &field[1], &act->context) != 0)
    return reader->diag->code;
  return pp_reader_u64(reader, &field[2], &act->uid);
}

static int take_act(const pp_reader *reader, const json_t *object,
                    pp_act *act) {
  const char *word = json_string_value(json_object_get(object, "do"));
  if (word && strcmp(word, "release") == 0)
    return take_release_act(reader, object, act);
  if (word && strcmp(word, "touch") == 0)
    return take_touch_act(reader, object, act);
  return pp_reader_fail(reader, "do", "is neither \"release\" nor \"touch\"");
}

static int take_script(pp_reader *reader, const pp_field *field, pp_ask *ask) {
  void *act = NULL;
  if (pp_reader_array(reader, field, &ask->acts) != 0 ||
      pp_reader_room(reader, ask->acts, sizeof *ask->act, &act) != 0)
    return reader->diag->code;
  ask->act = act;
  reader->part[0] = field->key;
  for (size_t k = 0; k < ask->acts; k++) {
    reader->at[0] = k;
    if (take_act(reader, json_array_get(field->value, k), &ask->act[k]) != 0)
      return reader->diag->code;
  }
  return 0;
}

int pp_wire_take_release(pp_reader *reader, const json_t *root, pp_ask *ask) {
  pp_field field[] = {{"id", true, NULL},
                      {"verb", false, NULL},
                      {"contexts", false, NULL},
                      {"constants", false, NULL},
                      {"script", false, NULL}};
  if (pp_reader_fields(reader, root, "it", field, COUNT(field)) != 0 ||
      take_holders(reader, &field[2], ask) != 0 ||
      take_constants(reader, &field[3], ask) != 0)
    return reader->diag->code;
  return take_script(reader, &field[4], ask);
}
