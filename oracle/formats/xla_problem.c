#include "formats/xla.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A logical buffer. group: the buffer that holds its memory, itself unless it
 * shares. */
typedef struct pp_xla_buffer {
  uint64_t id;
  uint64_t size;
  size_t group;
  bool seen, freed;
  bool placed;
} pp_xla_buffer;

/* The memory that the buffer of the same index begins: one item. */
typedef struct pp_xla_group {
  bool begun, placed;
  uint64_t size;
  uint64_t offset;
  uint64_t lo;
  uint64_t last_share, last_free;
  uint64_t end; /* the last event of its trace */
  size_t trace;
} pp_xla_group;

typedef struct pp_xla_builder {
  const char *name;
  const pp_xla *xla;
  uint64_t allocation; /* the index of the chosen one */
  const pp_xla_record *chosen;
  size_t chosen_at; /* among the allocations */
  size_t traces;    /* of the chosen one */
  size_t n;
  pp_xla_buffer *buffer; /* owned; n, by id */
  pp_xla_group *group;   /* owned; n */
  pp_diag *diag;
} pp_xla_builder;

static int compare(const void *a, const void *b) {
  const pp_xla_buffer *x = a;
  const pp_xla_buffer *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

static int bad_size(const pp_xla_builder *builder, const char *what,
                    uint64_t id, const char *number, uint64_t value) {
  return pp_diag_fail(builder->diag, PP_EXIT_INPUT,
                      "%s: %s %" PRIu64 ": its %s is -%" PRIu64
                      "; bytes are not negative",
                      builder->name, what, id, number, UINT64_MAX - value + 1);
}

static bool negative(uint64_t value) {
  return value > INT64_MAX;
}

static int collect_buffers(pp_xla_builder *builder) {
  const pp_xla_list *list = &builder->xla->list[PP_XLA_BUFFER];
  builder->n = list->n;
  builder->buffer = calloc(list->n + 1, sizeof *builder->buffer);
  builder->group = calloc(list->n + 1, sizeof *builder->group);
  if (!builder->buffer || !builder->group) return pp_fail_memory(builder->diag);
  for (size_t k = 0; k < list->n; k++) {
    const uint64_t *value = list->record[k].value;
    builder->buffer[k] = (pp_xla_buffer){.id = value[0], .size = value[1]};
    if (negative(value[1]))
      return bad_size(builder, "logical buffer", value[0], "size", value[1]);
  }
  qsort(builder->buffer, list->n, sizeof *builder->buffer, compare);
  for (size_t k = 1; k < list->n; k++)
    if (builder->buffer[k - 1].id == builder->buffer[k].id)
      return pp_diag_fail(builder->diag, PP_EXIT_INPUT,
                          "%s: logical buffer %" PRIu64 " comes twice",
                          builder->name, builder->buffer[k].id);
  return 0;
}

static int find_buffer(pp_xla_builder *builder, const char *where, uint64_t id,
                       pp_xla_buffer **found) {
  const pp_xla_buffer key = {.id = id};
  *found = bsearch(&key, builder->buffer, builder->n, sizeof key, compare);
  if (*found) return 0;
  return pp_diag_fail(builder->diag, PP_EXIT_INPUT,
                      "%s: %s: there is no logical buffer %" PRIu64,
                      builder->name, where, id);
}

enum { PP_LISTED = 12 };

/* "3, 5, 9": the allocations of the traces, each once, in the order in which
 * they come, a dozen at most. Returns how many. */
static size_t list_allocations(const pp_xla_list *traces, char *text,
                               size_t size) {
  uint64_t listed[PP_LISTED];
  size_t count = 0;
  size_t used = 0;
  text[0] = '\0';
  for (size_t k = 0; k < traces->n && count < PP_LISTED && used < size; k++) {
    uint64_t allocation = traces->record[k].value[0];
    size_t earlier = 0;
    while (earlier < count && listed[earlier] != allocation)
      earlier++;
    if (earlier < count) continue;
    listed[count++] = allocation;
    used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64,
                             count > 1 ? ", " : "", allocation);
  }
  return count;
}

static int choose(pp_xla_builder *builder, const pp_import_options *options) {
  const pp_xla_list *traces = &builder->xla->list[PP_XLA_TRACE];
  const pp_xla_list *all = &builder->xla->list[PP_XLA_ALLOCATION];
  char text[300];
  if (traces->n == 0)
    return pp_diag_fail(builder->diag, PP_EXIT_INPUT,
                        "%s: no heap simulator trace (%zu allocations, %zu "
                        "logical buffers): when buffers live is not said",
                        builder->name, all->n, builder->n);
  if (!options->has_allocation &&
      list_allocations(traces, text, sizeof text) > 1)
    return pp_diag_fail(builder->diag, PP_EXIT_INPUT,
                        "%s: allocations %s have heap simulator traces; "
                        "--allocation takes one",
                        builder->name, text);
  builder->allocation = options->has_allocation ? options->allocation
                                                : traces->record[0].value[0];
  for (size_t k = 0; k < traces->n; k++)
    if (traces->record[k].value[0] == builder->allocation) builder->traces++;
  if (builder->traces == 0)
    return pp_diag_fail(builder->diag, PP_EXIT_INPUT,
                        "%s: allocation %" PRIu64
                        " has no heap simulator trace: when its buffers live "
                        "is not said",
                        builder->name, builder->allocation);
  for (size_t k = 0; k < all->n; k++) {
    if (all->record[k].value[0] != builder->allocation) continue;
    if (builder->chosen)
      return pp_diag_fail(builder->diag, PP_EXIT_INPUT,
                          "%s: allocation %" PRIu64 " comes twice",
                          builder->name, builder->allocation);
    builder->chosen = &all->record[k];
    builder->chosen_at = k;
  }
  return 0;
}

static int wrong_event(const pp_xla_builder *builder, const char *where,
                       const pp_xla_buffer *buffer, const char *what) {
  return pp_diag_fail(builder->diag, PP_EXIT_INPUT,
                      "%s: %s: buffer %" PRIu64 " %s", builder->name, where,
                      buffer->id, what);
}

/* A buffer joins the memory that another one began. */
static int share(pp_xla_builder *builder, const char *where, size_t trace,
                 uint64_t step, uint64_t with, pp_xla_buffer *buffer) {
  pp_xla_buffer *canonical = NULL;
  if (find_buffer(builder, where, with, &canonical) != 0)
    return builder->diag->code;
  if (!canonical->seen || builder->group[canonical->group].trace != trace)
    return wrong_event(builder, where, buffer,
                       "shares with one that this trace has not allocated");
  buffer->seen = true;
  buffer->group = canonical->group;
  pp_xla_group *group = &builder->group[buffer->group];
  group->last_share = step;
  if (buffer->size > group->size) group->size = buffer->size;
  return 0;
}

static int add_event(pp_xla_builder *builder, const pp_xla_record *event,
                     size_t trace, uint64_t step, uint64_t end) {
  char where[64];
  pp_xla_buffer *buffer = NULL;
  snprintf(where, sizeof where, "trace %zu, event %" PRIu64, trace, step);
  if (event->value[0] > PP_XLA_SHARE_WITH)
    return pp_diag_fail(builder->diag, PP_EXIT_INPUT,
                        "%s: %s: kind %" PRIu64
                        " is none of ALLOC, FREE, SHARE_WITH",
                        builder->name, where, event->value[0]);
  if (find_buffer(builder, where, event->value[1], &buffer) != 0)
    return builder->diag->code;
  if (event->value[0] == PP_XLA_FREE) {
    if (!buffer->seen || buffer->freed ||
        builder->group[buffer->group].trace != trace)
      return wrong_event(builder, where, buffer, "is freed, and is not live");
    buffer->freed = true;
    builder->group[buffer->group].last_free = step;
    return 0;
  }
  if (buffer->seen)
    return wrong_event(builder, where, buffer, "is allocated a second time");
  if (event->value[0] == PP_XLA_SHARE_WITH)
    return share(builder, where, trace, step, event->value[2], buffer);
  buffer->seen = true;
  buffer->group = (size_t)(buffer - builder->buffer);
  builder->group[buffer->group] = (pp_xla_group){.begun = true,
                                                 .size = buffer->size,
                                                 .lo = step,
                                                 .end = end,
                                                 .trace = trace};
  return 0;
}

static int follow(pp_xla_builder *builder) {
  const pp_xla_list *events = &builder->xla->list[PP_XLA_EVENT];
  const pp_xla_list *traces = &builder->xla->list[PP_XLA_TRACE];
  size_t at = 0;
  for (size_t t = 0; t < traces->n; t++) {
    size_t first = at;
    while (at < events->n && events->record[at].parent == t)
      at++;
    if (traces->record[t].value[0] != builder->allocation) continue;
    for (size_t k = first; k < at; k++)
      if (add_event(builder, &events->record[k], t, k - first,
                    at - first - 1) != 0)
        return builder->diag->code;
  }
  return 0;
}

/* Where sharing buffers are freed with the canonical one alone, the last free
 * of the memory ends its life; where nobody frees it after its last event, or
 * the canonical buffer is not freed, it lives to the end of the trace. */
static uint64_t last_step(const pp_xla_builder *builder, size_t g) {
  const pp_xla_group *group = &builder->group[g];
  bool ends = builder->buffer[g].freed && group->last_free > group->last_share;
  return ends ? group->last_free - 1 : group->end;
}

static int add_items(const pp_xla_builder *builder, pp_problem *problem) {
  pp_builder items = {.problem = problem};
  *problem = (pp_problem){.kind = PP_ARENA, .cap = PP_CAP_USUAL};
  int status = 0;
  for (size_t g = 0; status == 0 && g < builder->n; g++) {
    const pp_xla_group *group = &builder->group[g];
    char class_name[40] = PP_DEFAULT_CLASS;
    if (!group->begun) continue;
    if (builder->traces > 1)
      snprintf(class_name, sizeof class_name, "trace %zu", group->trace);
    const pp_item item = {.size = group->size,
                          .lo = group->lo,
                          .hi = last_step(builder, g),
                          .has_span = true};
    status =
        pp_import_add(&items, builder->name, "traces", builder->buffer[g].id,
                      class_name, item, builder->diag);
  }
  return pp_builder_end(&items, status);
}

/* One `assigned` of the allocation. */
static int note_place(pp_xla_builder *builder, const pp_xla_record *place) {
  char where[64];
  pp_xla_buffer *buffer = NULL;
  snprintf(where, sizeof where, "allocation %" PRIu64, builder->allocation);
  if (find_buffer(builder, where, place->value[0], &buffer) != 0)
    return builder->diag->code;
  if (negative(place->value[1]))
    return bad_size(builder, "assigned buffer", buffer->id, "offset",
                    place->value[1]);
  if (!buffer->seen)
    return wrong_event(builder, where, buffer,
                       "is assigned and in no trace of it: when it lives is "
                       "not said");
  if (buffer->placed)
    return wrong_event(builder, where, buffer, "is assigned twice");
  if (place->value[2] != buffer->size)
    return wrong_event(builder, where, buffer,
                       "is assigned another size than it has");
  pp_xla_group *group = &builder->group[buffer->group];
  if (group->placed && group->offset != place->value[1])
    return wrong_event(builder, where, buffer,
                       "shares bytes with one at another offset");
  buffer->placed = group->placed = true;
  group->offset = place->value[1];
  return 0;
}

static int place_items(const pp_xla_builder *builder, pp_placer *placer,
                       pp_layout *layout) {
  char where[64];
  char id[24];
  snprintf(where, sizeof where, "allocation %" PRIu64, builder->allocation);
  for (size_t g = 0; g < builder->n; g++) {
    const pp_xla_group *group = &builder->group[g];
    if (!group->begun) continue;
    if (!group->placed)
      return wrong_event(builder, where, &builder->buffer[g],
                         "is in its trace and assigned no bytes");
    snprintf(id, sizeof id, "%" PRIu64, builder->buffer[g].id);
    if (pp_placer_add(placer, builder->name, where, id, 0, group->offset,
                      builder->diag) != 0)
      return builder->diag->code;
  }
  if (negative(builder->chosen->value[1]))
    return bad_size(builder, "allocation", builder->allocation, "size",
                    builder->chosen->value[1]);
  layout->size = calloc(1, sizeof *layout->size);
  if (!layout->size) return pp_fail_memory(builder->diag);
  layout->segments = 1;
  layout->has_total = true;
  layout->total = layout->size[0] = builder->chosen->value[1];
  return 0;
}

static int find_layout(pp_xla_builder *builder, pp_import *import) {
  const pp_xla_list *places = &builder->xla->list[PP_XLA_PLACE];
  bool any = false;
  for (size_t k = 0; builder->chosen && k < places->n; k++) {
    if (places->record[k].parent != builder->chosen_at) continue;
    any = true;
    if (note_place(builder, &places->record[k]) != 0)
      return builder->diag->code;
  }
  if (!any) return 0;
  pp_placer placer = {0};
  int status = pp_placer_begin(&placer, &import->problem, &import->layout,
                               builder->diag);
  if (status == 0) status = place_items(builder, &placer, &import->layout);
  import->has_layout = true;
  return pp_placer_end(&placer, status, builder->diag);
}

int pp_xla_problem(const char *name, const pp_xla *xla,
                   const pp_import_options *options, pp_import *import,
                   pp_diag *diag) {
  pp_xla_builder builder = {.name = name, .xla = xla, .diag = diag};
  int status = collect_buffers(&builder);
  if (status == 0) status = choose(&builder, options);
  if (status == 0) status = follow(&builder);
  if (status == 0) status = add_items(&builder, &import->problem);
  if (status == 0) status = find_layout(&builder, import);
  free(builder.buffer);
  free(builder.group);
  return status;
}
