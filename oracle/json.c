#include "json.h"

#include "builder.h"
#include "foreign.h"
#include "number.h"
#include "planners.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* jansson does not always tell a failed allocation from bad text, so its
 * allocations leave a mark. Its lexer goes on when a token's buffer cannot
 * grow, and then reads past the token's end: while a document is loaded, what
 * fails comes out of a reserve, which is enough to get to an end, and the
 * document counts as failed. */
enum { PP_RESERVE = 1 << 16 };

static _Thread_local bool out_of_memory;
static _Thread_local _Alignas(16) char reserve[PP_RESERVE];
static _Thread_local size_t reserved;
static _Thread_local bool loading;

static void *marked_malloc(size_t size) {
  void *memory = malloc(size);
  if (memory) return pp_foreign(memory, size);
  out_of_memory = true;
  if (!loading || size > PP_RESERVE) return NULL;
  size = (size + 15) / 16 * 16;
  if (size > PP_RESERVE - reserved) return NULL;
  memory = reserve + reserved;
  reserved += size;
  return memory;
}

static void marked_free(void *memory) {
  uintptr_t at = (uintptr_t)memory;
  uintptr_t from = (uintptr_t)reserve;
  if (at < from || at - from >= PP_RESERVE) free(memory);
}

__attribute__((constructor)) static void set_allocator(void) {
  json_set_alloc_funcs(marked_malloc, marked_free);
}

bool pp_json_can_carry(const char *text, pp_diag *diag) {
  out_of_memory = false;
  json_t *string = json_string(text);
  json_decref(string);
  if (!string && out_of_memory) pp_fail_memory(diag);
  return string != NULL;
}

static size_t feed(void *buffer, size_t size, void *source) {
  if (out_of_memory) return 0;
  ssize_t got = pp_source_read(source, buffer, size);
  pp_foreign_stack();
  return got < 0 ? (size_t)-1 : (size_t)got;
}

static json_t *load_reserved(pp_source *source, json_error_t *error) {
  loading = true;
  reserved = 0;
  pp_foreign_stack();
  json_t *root =
      json_load_callback(feed, source, JSON_REJECT_DUPLICATES, error);
  if (out_of_memory) {
    json_decref(root);
    root = NULL;
  }
  loading = false;
  return root;
}

json_t *pp_json_load(pp_source *source, pp_diag *diag) {
  out_of_memory = false;
  pp_source_peek(source);
  size_t above = source->line - 1;
  json_error_t error = {0};
  json_t *root = load_reserved(source, &error);
  if (root) return root;
  if (out_of_memory)
    pp_fail_memory(diag);
  else if (pp_source_status(source, diag) == 0)
    pp_diag_fail(diag, PP_EXIT_INPUT, "%s: line %zu, column %d: not JSON: %s%s",
                 source->name,
                 above + (size_t)(error.line > 0 ? error.line : 1),
                 error.column, error.text,
                 json_error_code(&error) == json_error_numeric_overflow
                     ? "; write numbers above 2^63 - 1 as strings"
                     : "");
  return NULL;
}

/* Where a sentence points to: the file and a place inside it. */
typedef struct pp_place {
  const char *name;
  char where[160];
} pp_place;

static int wrong(const pp_place *place, pp_diag *diag, const char *key,
                 const char *what) {
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s%s\"%s\" %s", place->name,
                      place->where, place->where[0] ? ": " : "", key, what);
}

const char *pp_json_show(const json_t *value, char *out, size_t size) {
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    snprintf(out, size, "an object");
    break;
  case JSON_ARRAY:
    snprintf(out, size, "an array");
    break;
  case JSON_STRING:
    snprintf(out, size, "\"%.60s\"", json_string_value(value));
    break;
  case JSON_INTEGER:
    snprintf(out, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    break;
  case JSON_REAL:
    snprintf(out, size, "%.17g", json_real_value(value));
    break;
  case JSON_TRUE:
  case JSON_FALSE:
    snprintf(out, size, "%s", json_is_true(value) ? "true" : "false");
    break;
  case JSON_NULL:
    snprintf(out, size, "null");
    break;
  }
  return out;
}

const char *pp_json_u64(const json_t *value, uint64_t *number) {
  if (json_is_string(value))
    return pp_parse_u64(json_string_value(value), number);
  if (json_is_real(value)) return "is not written as a whole number";
  if (!json_is_integer(value)) return "is not a whole number";
  if (json_integer_value(value) < 0) return "is negative";
  *number = (uint64_t)json_integer_value(value);
  return NULL;
}

/* A whole number from 0 to 2^64 - 1, as a number or a string of digits. */
static int get_u64(const pp_place *place, const char *key, const json_t *value,
                   uint64_t *number, pp_diag *diag) {
  char shown[80];
  if (!value) return wrong(place, diag, key, "is missing");
  const char *what = pp_json_u64(value, number);
  if (!what) return 0;
  return pp_diag_fail(
      diag, PP_EXIT_INPUT,
      "%s: %s%s\"%s\": %s %s; bytes and steps are whole numbers "
      "from 0 to 2^64 - 1, as digits or as a string of digits",
      place->name, place->where, place->where[0] ? ": " : "", key,
      pp_json_show(value, shown, sizeof shown), what);
}

static int get_text(const pp_place *place, const char *key,
                    const json_t *object, const char **text, pp_diag *diag) {
  const json_t *value = json_object_get(object, key);
  if (!value) return wrong(place, diag, key, "is missing");
  if (!json_is_string(value)) return wrong(place, diag, key, "is not a string");
  *text = json_string_value(value);
  return 0;
}

/* Refuses keys that are not listed (NULL ends the list): a misspelt key that
 * is passed over would change the answer silently. */
static int only_keys(const pp_place *place, json_t *object,
                     const char *const *known, pp_diag *diag) {
  const char *key = NULL;
  json_t *value = NULL;
  json_object_foreach(object, key, value) {
    const char *const *k = known;
    while (*k && strcmp(*k, key) != 0)
      k++;
    if (!*k) {
      char shown[60];
      return wrong(place, diag, pp_printable(key, shown, sizeof shown),
                   "is not a key that this format has");
    }
  }
  return 0;
}

/* The document is an object of this format and version. */
static int check_format(const pp_place *place, const json_t *root,
                        const char *format, pp_diag *diag) {
  const char *text = "";
  if (!json_is_object(root))
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: not a JSON object",
                        place->name);
  if (get_text(place, "poolproof", root, &text, diag) != 0) return diag->code;
  if (strcmp(text, format) == 0) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT,
                      "%s: \"poolproof\" is \"%.40s\", here \"%s\" is wanted",
                      place->name, text, format);
}

static int get_items(const pp_place *place, const json_t *root,
                     const json_t **items, pp_diag *diag) {
  *items = json_object_get(root, "items");
  if (!*items) return wrong(place, diag, "items", "is missing");
  if (!json_is_array(*items))
    return wrong(place, diag, "items", "is not an array");
  return 0;
}

static int get_kind(const pp_place *place, const json_t *root, pp_kind *kind,
                    pp_diag *diag) {
  const char *text = "";
  if (get_text(place, "kind", root, &text, diag) != 0) return diag->code;
  if (strcmp(text, "arena") == 0)
    *kind = PP_ARENA;
  else if (strcmp(text, "segments") == 0)
    *kind = PP_SEGMENTS;
  else
    return wrong(place, diag, "kind", "is neither \"arena\" nor \"segments\"");
  return 0;
}

/* "spans" says the convention; it must be there once an item has a span. */
static int get_convention(const pp_place *place, const json_t *root,
                          pp_problem *problem, bool *said, pp_diag *diag) {
  const char *text = "";
  *said = json_object_get(root, "spans") != NULL;
  if (!*said) return 0;
  if (get_text(place, "spans", root, &text, diag) != 0) return diag->code;
  problem->half_open = strcmp(text, "half-open") == 0;
  if (problem->half_open || strcmp(text, "closed") == 0) return 0;
  return wrong(place, diag, "spans", "is neither \"closed\" nor \"half-open\"");
}

static int get_span(const pp_place *place, const json_t *object, pp_item *item,
                    const pp_problem *problem, bool said, pp_diag *diag) {
  const json_t *span = json_object_get(object, "span");
  if (!span) return 0;
  if (!said)
    return wrong(place, diag, "span",
                 "needs \"spans\": \"closed\" or \"half-open\" at the top; a "
                 "convention is never guessed");
  if (!json_is_array(span) || json_array_size(span) != 2)
    return wrong(place, diag, "span", "is not [first, last]");
  if (get_u64(place, "span", json_array_get(span, 0), &item->lo, diag) != 0 ||
      get_u64(place, "span", json_array_get(span, 1), &item->hi, diag) != 0)
    return diag->code;
  item->has_span = true;
  if (!problem->half_open) return 0;
  if (item->hi <= item->lo && problem->kind == PP_SEGMENTS) {
    item->has_span = false; /* SEG reads size and align alone */
    return 0;
  }
  if (item->hi <= item->lo) {
    pp_bad_span(diag, problem->n, problem->cap);
    return wrong(place, diag, "span",
                 "is half-open and empty: its end is not above its start "
                 "(ARN, BAD_SPAN)");
  }
  item->hi--;
  return 0;
}

static int add_item(pp_builder *builder, pp_place *place, json_t *object,
                    bool said, pp_diag *diag) {
  static const char *const keys[] = {"id",    "size", "align",
                                     "class", "span", NULL};
  const pp_problem *problem = builder->problem;
  pp_item item = {0};
  const char *id = "";
  const char *class_name = PP_DEFAULT_CLASS;
  snprintf(place->where, sizeof place->where, "item %zu", problem->n);
  if (!json_is_object(object))
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s is not an object",
                        place->name, place->where);
  if (get_text(place, "id", object, &id, diag) != 0) return diag->code;
  if (id[0] == '\0') return wrong(place, diag, "id", "is empty");
  char shown[100];
  snprintf(place->where, sizeof place->where, "item %zu \"%s\"", problem->n,
           pp_printable(id, shown, sizeof shown));
  bool classed = json_object_get(object, "class") != NULL;
  if (only_keys(place, object, keys, diag) != 0 ||
      get_u64(place, "size", json_object_get(object, "size"), &item.size,
              diag) != 0 ||
      get_u64(place, "align", json_object_get(object, "align"), &item.align,
              diag) != 0 ||
      ((classed || problem->kind == PP_ARENA) &&
       get_text(place, "class", object, &class_name, diag) != 0) ||
      get_span(place, object, &item, problem, said, diag) != 0)
    return diag->code;
  return pp_builder_add(builder, place->name, place->where, id, class_name,
                        item, diag);
}

static int build_problem(pp_builder *builder, pp_place *place, json_t *root,
                         pp_diag *diag) {
  static const char *const keys[] = {"poolproof", "kind",  "cap",
                                     "spans",     "items", NULL};
  pp_problem *problem = builder->problem;
  const json_t *cap =
      json_is_object(root) ? json_object_get(root, "cap") : NULL;
  const json_t *items = NULL;
  bool said = false;
  if (check_format(place, root, "problem/1", diag) != 0 ||
      only_keys(place, root, keys, diag) != 0 ||
      get_kind(place, root, &problem->kind, diag) != 0 ||
      get_convention(place, root, problem, &said, diag) != 0 ||
      (cap && get_u64(place, "cap", cap, &problem->cap, diag) != 0) ||
      get_items(place, root, &items, diag) != 0)
    return diag->code;
  problem->has_cap = cap != NULL;
  size_t n = json_array_size(items);
  for (size_t i = 0; i < n; i++)
    if (add_item(builder, place, json_array_get(items, i), said, diag) != 0)
      return diag->code;
  return 0;
}

int pp_json_problem(pp_source *source, pp_problem *problem, pp_diag *diag) {
  pp_builder builder = {.problem = problem};
  pp_place place = {.name = source->name};
  *problem = (pp_problem){.format = PP_JSON, .cap = PP_CAP_USUAL};
  json_t *root = pp_json_load(source, diag);
  int status = root ? build_problem(&builder, &place, root, diag) : diag->code;
  json_decref(root);
  return pp_builder_end(&builder, status);
}

static int get_status(const pp_place *place, const json_t *root,
                      pp_layout *layout, pp_diag *diag) {
  const char *text = "";
  if (get_text(place, "status", root, &text, diag) != 0) return diag->code;
  for (pp_status status = PP_OK; status < PP_NO_MEMORY; status++) {
    if (strcmp(text, pp_status_name(status)) != 0) continue;
    layout->status = status;
    return 0;
  }
  return wrong(place, diag, "status",
               "is none of ok, item_over_cap, over_cap, bad_span");
}

/* What is not looked at must be what the format says all the same. */
static int check_rest(const pp_place *place, const json_t *root,
                      pp_diag *diag) {
  static const char *const numbers[] = {"cap", "lower_bound", "no_reuse"};
  uint64_t ignored = 0;
  for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
    const json_t *value = json_object_get(root, numbers[k]);
    if (value && get_u64(place, numbers[k], value, &ignored, diag) != 0)
      return diag->code;
  }
  const json_t *planner = json_object_get(root, "planner");
  const json_t *peaks = json_object_get(root, "peaks");
  if (planner && !json_is_string(planner))
    return wrong(place, diag, "planner", "is not a string");
  if (peaks && !json_is_array(peaks))
    return wrong(place, diag, "peaks", "is not an array");
  return 0;
}

static int get_plan(const pp_place *place, const json_t *root,
                    pp_layout *layout, pp_diag *diag) {
  const char *text = "";
  if (!json_object_get(root, "kind")) return 0;
  if (get_text(place, "kind", root, &text, diag) != 0) return diag->code;
  layout->has_plan = pp_plan_named(text, &layout->plan);
  if (layout->has_plan) return 0;
  return wrong(place, diag, "kind", "is none of arena, segments, no-reuse");
}

/* The sizes that the layout claims: "segments", or for one segment "total". */
static int get_claims(const pp_place *place, const json_t *root,
                      pp_layout *layout, pp_diag *diag) {
  const json_t *total = json_object_get(root, "total");
  const json_t *segments = json_object_get(root, "segments");
  if (total && get_u64(place, "total", total, &layout->total, diag) != 0)
    return diag->code;
  layout->has_total = total != NULL;
  if (!segments) return 0;
  if (!json_is_array(segments))
    return wrong(place, diag, "segments", "is not an array of sizes");
  layout->segments = json_array_size(segments);
  layout->size = calloc(layout->segments + 1, sizeof *layout->size);
  if (!layout->size) return pp_fail_memory(diag);
  for (size_t k = 0; k < layout->segments; k++)
    if (get_u64(place, "segments", json_array_get(segments, k),
                &layout->size[k], diag) != 0)
      return diag->code;
  return 0;
}

static int place_item(pp_placer *placer, pp_place *place, json_t *object,
                      size_t at, pp_diag *diag) {
  static const char *const keys[] = {"id", "segment", "offset", NULL};
  const char *id = "";
  uint64_t segment = 0;
  uint64_t offset = 0;
  snprintf(place->where, sizeof place->where, "item %zu", at);
  if (!json_is_object(object))
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s is not an object",
                        place->name, place->where);
  const json_t *given = json_object_get(object, "segment");
  if (only_keys(place, object, keys, diag) != 0 ||
      get_text(place, "id", object, &id, diag) != 0 ||
      (given && get_u64(place, "segment", given, &segment, diag) != 0) ||
      get_u64(place, "offset", json_object_get(object, "offset"), &offset,
              diag) != 0)
    return diag->code;
  return pp_placer_add(placer, place->name, place->where, id, segment, offset,
                       diag);
}

static int build_layout(pp_placer *placer, pp_place *place, json_t *root,
                        pp_diag *diag) {
  static const char *const keys[] = {
      "poolproof",   "status",   "index",    "planner", "kind",  "cap", "total",
      "lower_bound", "no_reuse", "segments", "peaks",   "items", NULL};
  pp_layout *layout = placer->layout;
  const json_t *items = NULL;
  if (check_format(place, root, "layout/1", diag) != 0 ||
      only_keys(place, root, keys, diag) != 0 ||
      get_status(place, root, layout, diag) != 0 ||
      get_plan(place, root, layout, diag) != 0 ||
      check_rest(place, root, diag) != 0 ||
      get_claims(place, root, layout, diag) != 0)
    return diag->code;
  const json_t *index = json_object_get(root, "index");
  bool named =
      layout->status == PP_ITEM_OVER_CAP || layout->status == PP_BAD_SPAN;
  layout->index = SIZE_MAX;
  if ((named || index) &&
      get_u64(place, "index", index, &layout->index, diag) != 0)
    return diag->code;
  if (named && layout->index >= placer->problem->n)
    return wrong(place, diag, "index", "is no item of the problem");
  if (layout->status != PP_OK) return 0;
  if (get_items(place, root, &items, diag) != 0) return diag->code;
  size_t n = json_array_size(items);
  for (size_t i = 0; i < n; i++)
    if (place_item(placer, place, json_array_get(items, i), i, diag) != 0)
      return diag->code;
  return 0;
}

int pp_json_layout(pp_source *source, const pp_problem *problem,
                   pp_layout *layout, pp_diag *diag) {
  pp_placer placer = {0};
  pp_place place = {.name = source->name};
  int status = pp_placer_begin(&placer, problem, layout, diag);
  json_t *root = status == 0 ? pp_json_load(source, diag) : NULL;
  if (status == 0)
    status = root ? build_layout(&placer, &place, root, diag) : diag->code;
  json_decref(root);
  return pp_placer_end(&placer, status, diag);
}
