#include "formats/json_import.h"

#include <inttypes.h>

typedef struct pp_nodes {
  const pp_bytes *bytes;
  const pp_import_options *options;
  const json_t *intervals;
  const json_t *usages;
  pp_diag *diag;
} pp_nodes;

/* null, [] and [n, n) are no life: such a node never takes bytes. */
static int node_life(const pp_nodes *nodes, size_t i, const char *where,
                     pp_item *item) {
  const json_t *interval = json_array_get(nodes->intervals, i);
  if (json_is_null(interval) ||
      (json_is_array(interval) && json_array_size(interval) == 0))
    return 0;
  if (!json_is_array(interval) || json_array_size(interval) != 2)
    return pp_diag_fail(nodes->diag, PP_EXIT_INPUT,
                        "%s: %s: its interval is not [first, past the last)",
                        nodes->bytes->name, where);
  if (pp_import_u64(nodes->bytes, where, "intervals",
                    json_array_get(interval, 0), &item->lo, nodes->diag) != 0 ||
      pp_import_u64(nodes->bytes, where, "intervals",
                    json_array_get(interval, 1), &item->hi, nodes->diag) != 0)
    return nodes->diag->code;
  if (item->hi < item->lo)
    return pp_diag_fail(nodes->diag, PP_EXIT_INPUT,
                        "%s: %s: interval [%" PRIu64 ", %" PRIu64
                        ") ends before it begins (ARN, BAD_SPAN)",
                        nodes->bytes->name, where, item->lo, item->hi);
  item->has_span = pp_ends_close(PP_ENDS_HALF_OPEN, &item->lo, &item->hi);
  return 0;
}

static int node_size(const pp_nodes *nodes, size_t i, const char *where,
                     uint64_t *size) {
  const json_t *usages = json_array_get(nodes->usages, i);
  size_t n = json_array_size(usages);
  bool smallest = nodes->options->smallest;
  uint64_t strategy = smallest ? 0 : nodes->options->strategy;
  uint64_t usage = 0;
  if (!json_is_array(usages) || strategy >= n)
    return pp_diag_fail(nodes->diag, PP_EXIT_INPUT,
                        "%s: %s: %zu usages; that of strategy %" PRIu64
                        " is wanted",
                        nodes->bytes->name, where, n, strategy);
  for (size_t k = smallest ? 0 : strategy; k < n; k++) {
    if (pp_import_u64(nodes->bytes, where, "usages", json_array_get(usages, k),
                      &usage, nodes->diag) != 0)
      return nodes->diag->code;
    if (k == strategy || usage < *size) *size = usage;
    if (!smallest) break;
  }
  return 0;
}

static int add_nodes(const pp_nodes *nodes, pp_builder *builder,
                     uint64_t *lifeless) {
  size_t n = json_array_size(nodes->intervals);
  if (json_array_size(nodes->usages) != n)
    return pp_diag_fail(nodes->diag, PP_EXIT_INPUT,
                        "%s: %zu intervals, but usages of %zu nodes",
                        nodes->bytes->name, n, json_array_size(nodes->usages));
  for (size_t i = 0; i < n; i++) {
    pp_item item = {0};
    char where[32];
    snprintf(where, sizeof where, "node %zu", i);
    if (node_life(nodes, i, where, &item) != 0) return nodes->diag->code;
    if (!item.has_span) {
      ++*lifeless;
      continue;
    }
    if (node_size(nodes, i, where, &item.size) != 0 ||
        pp_import_add(builder, nodes->bytes->name, where, i, PP_DEFAULT_CLASS,
                      item, nodes->diag) != 0)
      return nodes->diag->code;
  }
  return 0;
}

static int read_problem(pp_nodes *nodes, const json_t *root,
                        pp_builder *builder, uint64_t *lifeless) {
  const pp_bytes *bytes = nodes->bytes;
  pp_problem *to = builder->problem;
  const json_t *problem = json_object_get(root, "problem");
  const json_t *arrays = json_object_get(problem, "nodes");
  const json_t *limit = json_object_get(problem, "usage_limit");
  to->has_cap = limit && !json_is_null(limit);
  if (!json_is_object(arrays))
    return pp_diag_fail(nodes->diag, PP_EXIT_INPUT,
                        "%s: no object \"nodes\" in an object \"problem\"",
                        bytes->name);
  if (pp_import_array(bytes, "nodes", arrays, "intervals", &nodes->intervals,
                      nodes->diag) != 0 ||
      pp_import_array(bytes, "nodes", arrays, "usages", &nodes->usages,
                      nodes->diag) != 0 ||
      (to->has_cap && pp_import_u64(bytes, "problem", "usage_limit", limit,
                                    &to->cap, nodes->diag) != 0))
    return nodes->diag->code;
  return add_nodes(nodes, builder, lifeless);
}

int pp_import_iopddl(const pp_bytes *bytes, const pp_import_options *options,
                     pp_import *import, pp_diag *diag) {
  pp_builder builder = {.problem = &import->problem};
  pp_nodes nodes = {.bytes = bytes, .options = options, .diag = diag};
  import->problem = (pp_problem){.kind = PP_ARENA, .cap = PP_CAP_USUAL};
  json_t *root = pp_import_json(bytes, diag);
  int status = root ? read_problem(&nodes, root, &builder, &import->lifeless)
                    : diag->code;
  json_decref(root);
  return pp_builder_end(&builder, status);
}
