#include "formats/json_import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum pp_action { PP_ACT_ALLOC, PP_ACT_FREE, PP_ACT_OTHER } pp_action;

/* One entry of a device's trace; last: the end of an allocation's life. */
typedef struct pp_entry {
  pp_action action;
  uint64_t address;
  uint64_t size;
  uint64_t stream;
  uint64_t last;
} pp_entry;

/* Where an address is named. */
typedef struct pp_touch {
  uint64_t address;
  size_t entry;
} pp_touch;

typedef struct pp_trace {
  const pp_bytes *bytes;
  size_t n;
  pp_entry *entry; /* owned */
  pp_touch *touch; /* owned; by address, in order within one */
  pp_diag *diag;
} pp_trace;

/* A block is given back at free_completed: before, work that was under way
 * when the free was requested may still use it. Entries about segments and
 * marks say nothing of blocks. */
static bool action_named(const char *name, pp_action *action) {
  static const struct {
    const char *name;
    pp_action action;
  } actions[] = {{"alloc", PP_ACT_ALLOC},
                 {"free_completed", PP_ACT_FREE},
                 {"free_requested", PP_ACT_OTHER},
                 {"segment_alloc", PP_ACT_OTHER},
                 {"segment_free", PP_ACT_OTHER},
                 {"segment_map", PP_ACT_OTHER},
                 {"segment_unmap", PP_ACT_OTHER},
                 {"snapshot", PP_ACT_OTHER},
                 {"oom", PP_ACT_OTHER}};
  for (size_t k = 0; k < sizeof actions / sizeof actions[0]; k++) {
    if (strcmp(actions[k].name, name) != 0) continue;
    *action = actions[k].action;
    return true;
  }
  return false;
}

static int read_entry(const pp_trace *trace, size_t k, const json_t *object,
                      bool streams, pp_entry *entry) {
  const pp_bytes *bytes = trace->bytes;
  const char *name = json_string_value(json_object_get(object, "action"));
  char where[40];
  snprintf(where, sizeof where, "entry %zu", k);
  if (!name || !action_named(name, &entry->action))
    return pp_diag_fail(trace->diag, PP_EXIT_INPUT,
                        "%s: %s: action \"%.40s\" is not known; what it does "
                        "to blocks is not guessed",
                        bytes->name, where, name ? name : "");
  if (entry->action == PP_ACT_OTHER) return 0;
  if (pp_import_u64(bytes, where, "addr", json_object_get(object, "addr"),
                    &entry->address, trace->diag) != 0)
    return trace->diag->code;
  if (entry->action == PP_ACT_FREE) return 0;
  if (streams &&
      pp_import_u64(bytes, where, "stream", json_object_get(object, "stream"),
                    &entry->stream, trace->diag) != 0)
    return trace->diag->code;
  return pp_import_u64(bytes, where, "size", json_object_get(object, "size"),
                       &entry->size, trace->diag);
}

static int compare(const void *a, const void *b) {
  const pp_touch *x = a;
  const pp_touch *y = b;
  if (x->address != y->address) return x->address > y->address ? 1 : -1;
  return (x->entry > y->entry) - (x->entry < y->entry);
}

static int read_entries(pp_trace *trace, const json_t *array, bool streams) {
  trace->n = json_array_size(array);
  trace->entry = calloc(trace->n + 1, sizeof *trace->entry);
  trace->touch = calloc(trace->n + 1, sizeof *trace->touch);
  if (!trace->entry || !trace->touch) return pp_fail_memory(trace->diag);
  for (size_t k = 0; k < trace->n; k++) {
    if (read_entry(trace, k, json_array_get(array, k), streams,
                   &trace->entry[k]) != 0)
      return trace->diag->code;
    trace->touch[k] = (pp_touch){trace->entry[k].address, k};
  }
  qsort(trace->touch, trace->n, sizeof *trace->touch, compare);
  return 0;
}

/* Pairs what allocates an address with what frees it next. Blocks from before
 * the trace are freed without being allocated; what nobody frees lives to the
 * last entry. */
static int pair(pp_trace *trace, uint64_t *strays) {
  pp_entry *open = NULL;
  for (size_t s = 0; s < trace->n; s++) {
    size_t k = trace->touch[s].entry;
    pp_entry *entry = &trace->entry[k];
    if (entry->action == PP_ACT_OTHER) continue;
    if (open && open->address != entry->address) open = NULL;
    if (entry->action == PP_ACT_FREE) {
      if (open)
        open->last = k - 1;
      else
        ++*strays;
      open = NULL;
      continue;
    }
    if (open)
      return pp_diag_fail(trace->diag, PP_EXIT_INPUT,
                          "%s: entry %zu: address %" PRIu64
                          " is allocated again; entry %zu did, and no "
                          "free_completed is between them",
                          trace->bytes->name, k, entry->address,
                          (size_t)(open - trace->entry));
    open = entry;
    entry->last = trace->n - 1;
  }
  return 0;
}

static int add_items(const pp_trace *trace, bool streams, pp_builder *builder) {
  for (size_t k = 0; k < trace->n; k++) {
    const pp_entry *entry = &trace->entry[k];
    char where[40];
    char class_name[40] = PP_DEFAULT_CLASS;
    if (entry->action != PP_ACT_ALLOC) continue;
    snprintf(where, sizeof where, "entry %zu", k);
    if (streams)
      snprintf(class_name, sizeof class_name, "stream %" PRIu64, entry->stream);
    const pp_item item = {
        .size = entry->size, .lo = k, .hi = entry->last, .has_span = true};
    if (pp_import_add(builder, trace->bytes->name, where, k, class_name, item,
                      trace->diag) != 0)
      return trace->diag->code;
  }
  return 0;
}

/* The trace of the device asked for, or of the only one that has entries. */
static int choose_device(const pp_bytes *bytes, const json_t *root,
                         const pp_import_options *options, const json_t **trace,
                         pp_diag *diag) {
  const json_t *traces = NULL;
  if (pp_import_array(bytes, "", root, "device_traces", &traces, diag) != 0)
    return diag->code;
  size_t devices = json_array_size(traces);
  size_t busy = 0;
  size_t device = 0;
  for (size_t k = 0; k < devices; k++) {
    if (json_array_size(json_array_get(traces, k)) == 0) continue;
    device = k;
    busy++;
  }
  if (!options->has_device && busy > 1)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %zu devices have traces, the last of them %zu; "
                        "--device takes one",
                        bytes->name, busy, device);
  *trace =
      json_array_get(traces, options->has_device ? options->device : device);
  if (json_is_array(*trace)) return 0;
  return pp_diag_fail(
      diag, PP_EXIT_INPUT, "%s: device %" PRIu64 " has no trace; there are %zu",
      bytes->name, options->has_device ? options->device : device, devices);
}

static int read_snapshot(const pp_bytes *bytes, const json_t *root,
                         const pp_import_options *options, pp_builder *builder,
                         uint64_t *strays, pp_diag *diag) {
  const json_t *array = NULL;
  pp_trace trace = {.bytes = bytes, .diag = diag};
  bool streams = options->stream_classes;
  int status = choose_device(bytes, root, options, &array, diag);
  if (status == 0) status = read_entries(&trace, array, streams);
  if (status == 0) status = pair(&trace, strays);
  if (status == 0) status = add_items(&trace, streams, builder);
  free(trace.entry);
  free(trace.touch);
  return status;
}

static int refuse_pickle(const pp_bytes *bytes, pp_diag *diag) {
  bool pickle = bytes->size > 0 && bytes->at[0] == 0x80;
  bool zip = bytes->size > 1 && memcmp(bytes->at, "PK", 2) == 0;
  if (!pickle && !zip) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT,
                      "%s: a pickle, which can run any code and is never "
                      "opened; write the snapshot as JSON",
                      bytes->name);
}

int pp_import_pytorch(const pp_bytes *bytes, const pp_import_options *options,
                      pp_import *import, pp_diag *diag) {
  pp_builder builder = {.problem = &import->problem};
  import->problem = (pp_problem){.kind = PP_ARENA, .cap = PP_CAP_USUAL};
  if (refuse_pickle(bytes, diag) != 0) return diag->code;
  json_t *root = pp_import_json(bytes, diag);
  int status = root ? read_snapshot(bytes, root, options, &builder,
                                    &import->strays, diag)
                    : diag->code;
  json_decref(root);
  return pp_builder_end(&builder, status);
}
