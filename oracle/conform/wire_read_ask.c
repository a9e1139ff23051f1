#include "wire_parts.h"

#include <string.h>

enum { COMMON = 2 }; /* id and verb, which every request has */
#define COMMON_FIELDS                                                          \
  {"id", true, NULL}, {                                                        \
    "verb", false, NULL                                                        \
  }
#define COUNT(fields) (sizeof(fields) / sizeof(fields)[0])

static int take_item(const pp_reader *reader, const json_t *object, bool arena,
                     pp_item *item) {
  pp_field field[] = {{"size", false, NULL},
                      {"align", false, NULL},
                      {"class", false, NULL},
                      {"span", true, NULL}};
  uint64_t item_class = 0;
  if (pp_reader_fields(reader, object, "it", field, arena ? 4 : 2) != 0 ||
      pp_reader_u64(reader, &field[0], &item->size) != 0 ||
      pp_reader_u64(reader, &field[1], &item->align) != 0 ||
      pp_reader_u64(reader, &field[2], &item_class) != 0)
    return reader->diag->code;
  if (item_class > UINT32_MAX)
    return pp_reader_fail(reader, "class", "is above 2^32 - 1");
  item->item_class = (uint32_t)item_class;
  item->has_span = field[3].value != NULL;
  if (!item->has_span) return 0;
  return pp_reader_span(reader, &field[3], &item->lo, &item->hi);
}

static int take_items(pp_reader *reader, const pp_field *field, pp_case *c) {
  size_t n = 0;
  if (pp_reader_array(reader, field, &n) != 0) return reader->diag->code;
  if (!pp_case_reserve(c, n)) return pp_fail_memory(reader->diag);
  reader->part[0] = field->key;
  for (size_t i = 0; i < n; i++) {
    reader->at[0] = i;
    c->items[i] = (pp_item){0};
    c->n = i + 1;
    if (take_item(reader, json_array_get(field->value, i), c->kind == PP_ARENA,
                  &c->items[i]) != 0)
      return reader->diag->code;
  }
  reader->part[0] = NULL;
  return 0;
}

static int take_plan(pp_reader *reader, const json_t *root, pp_ask *ask) {
  pp_field field[] = {
      COMMON_FIELDS, {"cap", false, NULL}, {"items", false, NULL}};
  ask->c.kind = ask->verb == PP_ASK_ARENA ? PP_ARENA : PP_SEGMENTS;
  if (pp_reader_fields(reader, root, "it", field, COUNT(field)) != 0 ||
      pp_reader_u64(reader, &field[COMMON], &ask->c.cap) != 0)
    return reader->diag->code;
  return take_items(reader, &field[COMMON + 1], &ask->c);
}

/* An array of one number an item. */
static int take_column(const pp_reader *reader, const pp_field *field, size_t n,
                       uint64_t **out) {
  size_t count = 0;
  if (pp_reader_numbers(reader, field, n + 1, out, &count) != 0)
    return reader->diag->code;
  if (count == n) return 0;
  return pp_reader_fail(reader, field->key, "has not one number an item");
}

static int take_claim(const pp_reader *reader, const json_t *object,
                      pp_ask *ask) {
  pp_field field[] = {{"segment", false, NULL},
                      {"offset", false, NULL},
                      {"sizes", false, NULL}};
  pp_claim *claim = &ask->claim;
  if (pp_reader_fields(reader, object, "\"layout\"", field, COUNT(field)) !=
          0 ||
      take_column(reader, &field[0], ask->c.n, &claim->segment) != 0 ||
      take_column(reader, &field[1], ask->c.n, &claim->offset) != 0)
    return reader->diag->code;
  return pp_reader_numbers(reader, &field[2], ask->c.n + 1, &claim->size,
                           &claim->segments);
}

static int take_validate(pp_reader *reader, const json_t *root, pp_ask *ask) {
  pp_field field[] = {COMMON_FIELDS,
                      {"kind", false, NULL},
                      {"cap", false, NULL},
                      {"items", false, NULL},
                      {"layout", false, NULL}};
  const char *kind = "";
  if (pp_reader_fields(reader, root, "it", field, COUNT(field)) != 0 ||
      pp_reader_text(reader, &field[COMMON], &kind) != 0 ||
      pp_reader_u64(reader, &field[COMMON + 1], &ask->c.cap) != 0)
    return reader->diag->code;
  if (strcmp(kind, "arena") == 0)
    ask->c.kind = PP_ARENA;
  else if (strcmp(kind, "segments") != 0)
    return pp_reader_fail(reader, "kind",
                          "is neither \"arena\" nor \"segments\"");
  if (take_items(reader, &field[COMMON + 2], &ask->c) != 0)
    return reader->diag->code;
  return take_claim(reader, field[COMMON + 3].value, ask);
}

static int take_intents(const pp_reader *reader, const pp_field *field,
                        unsigned *intents) {
  size_t n = 0;
  if (pp_reader_array(reader, field, &n) != 0) return reader->diag->code;
  for (size_t i = 0; i < n; i++) {
    const char *word = json_string_value(json_array_get(field->value, i));
    unsigned k = 0;
    while (k < PP_INTENTS && (!word || strcmp(word, pp_wire_intents[k]) != 0))
      k++;
    if (k == PP_INTENTS)
      return pp_reader_fail(reader, field->key,
                            "has something else than \"observable\", "
                            "\"constant\", \"host\" and \"merge\"");
    if ((*intents & 1U << k) != 0)
      return pp_reader_fail(reader, field->key, "has a word twice");
    *intents |= 1U << k;
  }
  return 0;
}

/* Nodes as long as an array, in ask->node. */
static int make_nodes(pp_reader *reader, const pp_field *field, pp_ask *ask) {
  void *node = NULL;
  if (pp_reader_array(reader, field, &ask->nodes) != 0 ||
      pp_reader_room(reader, ask->nodes, sizeof *ask->node, &node) != 0)
    return reader->diag->code;
  ask->node = node;
  reader->part[0] = field->key;
  return 0;
}

static int take_bare_nodes(pp_reader *reader, const pp_field *list,
                           pp_ask *ask) {
  void *flags = NULL;
  if (make_nodes(reader, list, ask) != 0 ||
      pp_reader_room(reader, ask->nodes, sizeof(bool), &flags) != 0)
    return reader->diag->code;
  ask->in_context = flags;
  for (size_t i = 0; i < ask->nodes; i++) {
    pp_field field[] = {{"uid", false, NULL},
                        {"intents", true, NULL},
                        {"in_context", true, NULL}};
    reader->at[0] = i;
    ask->in_context[i] = true;
    if (pp_reader_fields(reader, json_array_get(list->value, i), "it", field,
                         COUNT(field)) != 0 ||
        pp_reader_u64(reader, &field[0], &ask->node[i].uid) != 0 ||
        take_intents(reader, &field[1], &ask->node[i].intents) != 0 ||
        pp_reader_flag(reader, &field[2], &ask->in_context[i]) != 0)
      return reader->diag->code;
  }
  reader->part[0] = NULL;
  return 0;
}

static int take_event(const pp_reader *reader, const json_t *object,
                      pp_ref_event *event) {
  pp_field field[] = {{"node", false, NULL},
                      {"position", false, NULL},
                      {"access", false, NULL}};
  const char *word = "";
  if (pp_reader_fields(reader, object, "it", field, COUNT(field)) != 0 ||
      pp_reader_u64(reader, &field[0], &event->node) != 0 ||
      pp_reader_u64(reader, &field[1], &event->position) != 0 ||
      pp_reader_text(reader, &field[2], &word) != 0)
    return reader->diag->code;
  for (unsigned k = 0; k < PP_ACCESSES; k++) {
    if (strcmp(word, pp_wire_accesses[k]) != 0) continue;
    event->access = (pp_ref_access)k;
    return 0;
  }
  return pp_reader_fail(reader, "access",
                        "is none of \"read\", \"write\" and \"fill\"");
}

static int take_spans(pp_reader *reader, const json_t *root, pp_ask *ask) {
  pp_field field[] = {COMMON_FIELDS,
                      {"opaque", true, NULL},
                      {"nodes", false, NULL},
                      {"accesses", false, NULL}};
  void *event = NULL;
  if (pp_reader_fields(reader, root, "it", field, COUNT(field)) != 0 ||
      pp_reader_flag(reader, &field[COMMON], &ask->opaque) != 0 ||
      take_bare_nodes(reader, &field[COMMON + 1], ask) != 0 ||
      pp_reader_array(reader, &field[COMMON + 2], &ask->events) != 0 ||
      pp_reader_room(reader, ask->events, sizeof *ask->event, &event) != 0)
    return reader->diag->code;
  ask->event = event;
  reader->part[0] = "accesses";
  for (size_t k = 0; k < ask->events; k++) {
    reader->at[0] = k;
    if (take_event(reader, json_array_get(field[COMMON + 2].value, k),
                   &ask->event[k]) != 0)
      return reader->diag->code;
  }
  return 0;
}

static int take_dims(const pp_reader *reader, const pp_field *field,
                     pp_node *node) {
  size_t rank = 0;
  if (pp_reader_array(reader, field, &rank) != 0) return reader->diag->code;
  if (rank > PP_RANK)
    return pp_reader_fail(reader, field->key, "has more than 4 numbers");
  node->rank = (unsigned)rank;
  for (unsigned d = 0; d < node->rank; d++) {
    const pp_field dim = {field->key, false, json_array_get(field->value, d)};
    if (pp_reader_u64(reader, &dim, &node->dims[d]) != 0)
      return reader->diag->code;
  }
  return 0;
}

static int take_dtype(const pp_reader *reader, const pp_field *field,
                      pp_node *node) {
  const char *word = "";
  if (pp_reader_text(reader, field, &word) != 0) return reader->diag->code;
  for (unsigned k = 0; k < PP_DTYPE_COUNT; k++) {
    if (strcmp(word, pp_wire_dtypes[k]) != 0) continue;
    node->dtype = (pp_dtype)k;
    return 0;
  }
  return pp_reader_fail(reader, field->key,
                        "is none of u8, i32, i64, f32 and f64");
}

static int take_node(const pp_reader *reader, const json_t *object,
                     pp_node *node) {
  pp_field field[] = {{"uid", false, NULL},
                      {"dtype", false, NULL},
                      {"dims", false, NULL},
                      {"intents", true, NULL},
                      {"span", true, NULL}};
  if (pp_reader_fields(reader, object, "it", field, COUNT(field)) != 0 ||
      pp_reader_u64(reader, &field[0], &node->uid) != 0 ||
      take_dtype(reader, &field[1], node) != 0 ||
      take_dims(reader, &field[2], node) != 0 ||
      take_intents(reader, &field[3], &node->intents) != 0)
    return reader->diag->code;
  node->has_span = field[4].value != NULL;
  if (!node->has_span) return 0;
  return pp_reader_span(reader, &field[4], &node->lo, &node->hi);
}

static int take_score(pp_reader *reader, const json_t *root, pp_ask *ask) {
  pp_field field[] = {COMMON_FIELDS,
                      {"cap", false, NULL},
                      {"alignment", false, NULL},
                      {"aliasing", true, NULL},
                      {"nodes", false, NULL}};
  bool aliasing = true;
  if (pp_reader_fields(reader, root, "it", field, COUNT(field)) != 0 ||
      pp_reader_u64(reader, &field[COMMON], &ask->c.cap) != 0 ||
      pp_reader_u64(reader, &field[COMMON + 1], &ask->alignment) != 0 ||
      pp_reader_flag(reader, &field[COMMON + 2], &aliasing) != 0 ||
      make_nodes(reader, &field[COMMON + 3], ask) != 0)
    return reader->diag->code;
  ask->no_reuse = !aliasing;
  for (size_t i = 0; i < ask->nodes; i++) {
    reader->at[0] = i;
    if (take_node(reader, json_array_get(field[COMMON + 3].value, i),
                  &ask->node[i]) != 0)
      return reader->diag->code;
  }
  return 0;
}

int pp_wire_take_ask(pp_reader *reader, const json_t *root, pp_ask *ask) {
  const char *word = json_string_value(json_object_get(root, "verb"));
  if (!word) return pp_reader_fail(reader, "verb", "is missing or no string");
  if (!pp_ask_verb_named(word, &ask->verb))
    return pp_reader_fail(reader, "verb",
                          "is none of segments, arena, validate, spans, score "
                          "and release");
  switch (ask->verb) {
  case PP_ASK_VALIDATE:
    return take_validate(reader, root, ask);
  case PP_ASK_SPANS:
    return take_spans(reader, root, ask);
  case PP_ASK_SCORE:
    return take_score(reader, root, ask);
  case PP_ASK_RELEASE:
    return pp_wire_take_release(reader, root, ask);
  default:
    return take_plan(reader, root, ask);
  }
}

int pp_wire_read_ask(const char *name, const char *json, size_t size,
                     pp_ask *ask, pp_diag *diag) {
  pp_reader reader = {.name = name, .diag = diag};
  *ask = (pp_ask){0};
  json_t *root = pp_reader_load(&reader, json, size);
  int status = root ? pp_wire_take_ask(&reader, root, ask) : diag->code;
  json_decref(root);
  if (status != 0) pp_ask_free(ask);
  return status;
}
