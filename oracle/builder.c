#include "builder.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for one more element; at least doubles, so that growing costs
 * linear time in all. */
static bool grow(void **array, size_t *room, size_t used, size_t bytes) {
  if (used < *room) return true;
  size_t more = *room < 16 ? 16 : *room;
  if (more > SIZE_MAX / bytes - *room) return false;
  void *grown = realloc(*array, (*room + more) * bytes);
  if (!grown) return false;
  *array = grown;
  *room += more;
  return true;
}

static bool grow_items(pp_builder *builder) {
  pp_problem *problem = builder->problem;
  void *items = problem->items;
  void *ids = problem->ids;
  size_t room = builder->item_room;
  bool grown = grow(&items, &room, problem->n, sizeof *problem->items);
  problem->items = items;
  if (!grown) return false;
  room = builder->item_room;
  grown = grow(&ids, &room, problem->n, sizeof *problem->ids);
  problem->ids = ids;
  if (grown) builder->item_room = room;
  return grown;
}

/* The index of a class, new or known. */
static bool intern_class(pp_builder *builder, const char *name,
                         uint32_t *index) {
  pp_problem *problem = builder->problem;
  size_t found = 0;
  if (pp_names_find(&builder->classes, name, &found)) {
    *index = (uint32_t)found;
    return true;
  }
  if (problem->classes >= UINT32_MAX) return false;
  void *names = problem->class_names;
  bool grown = grow(&names, &builder->class_room, problem->classes,
                    sizeof *problem->class_names);
  problem->class_names = names;
  char *copy = grown ? strdup(name) : NULL;
  if (!copy) return false;
  bool added = false;
  found = problem->classes;
  if (!pp_names_add(&builder->classes, copy, &found, &added)) {
    free(copy);
    return false;
  }
  problem->class_names[problem->classes++] = copy;
  *index = (uint32_t)found;
  return true;
}

int pp_builder_add(pp_builder *builder, const char *name, const char *where,
                   const char *id, const char *class_name, pp_item item,
                   pp_diag *diag) {
  pp_problem *problem = builder->problem;
  if (!grow_items(builder) ||
      !intern_class(builder, class_name, &item.item_class))
    return pp_fail_memory(diag);
  char *copy = strdup(id);
  size_t index = problem->n;
  bool added = false;
  if (!copy || !pp_names_add(&builder->ids, copy, &index, &added)) {
    free(copy);
    return pp_fail_memory(diag);
  }
  if (!added) {
    free(copy);
    return pp_diag_fail(
        diag, PP_EXIT_INPUT,
        "%s: %s: id \"%s\" is taken by item %zu; ids must differ", name, where,
        id, index);
  }
  problem->items[problem->n] = item;
  problem->ids[problem->n++] = copy;
  return 0;
}

int pp_builder_end(pp_builder *builder, int status) {
  pp_names_free(&builder->ids);
  pp_names_free(&builder->classes);
  if (status != 0) pp_problem_free(builder->problem);
  return status;
}

static int index_ids(pp_placer *placer, pp_diag *diag) {
  for (size_t i = 0; i < placer->problem->n; i++) {
    size_t index = i;
    bool added = false;
    if (!pp_names_add(&placer->ids, placer->problem->ids[i], &index, &added))
      return pp_fail_memory(diag);
  }
  return 0;
}

int pp_placer_begin(pp_placer *placer, const pp_problem *problem,
                    pp_layout *layout, pp_diag *diag) {
  size_t n = problem->n;
  *placer = (pp_placer){.problem = problem, .layout = layout};
  *layout = (pp_layout){.n = n};
  layout->segment = calloc(n + 1, sizeof *layout->segment);
  layout->offset = calloc(n + 1, sizeof *layout->offset);
  placer->placed = calloc(n + 1, sizeof *placer->placed);
  if (!layout->segment || !layout->offset || !placer->placed)
    return pp_fail_memory(diag);
  for (size_t i = 0; i < n; i++)
    layout->segment[i] = SIZE_MAX;
  return index_ids(placer, diag);
}

int pp_placer_add(pp_placer *placer, const char *name, const char *where,
                  const char *id, uint64_t segment, uint64_t offset,
                  pp_diag *diag) {
  size_t i = 0;
  if (!pp_names_find(&placer->ids, id, &i))
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %s: the problem has no item \"%s\"", name, where,
                        id);
  if (placer->placed[i])
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %s: item \"%s\" is placed twice", name, where, id);
  placer->placed[i] = true;
  placer->layout->segment[i] = segment;
  placer->layout->offset[i] = offset;
  return 0;
}

/* Sizes where the input claims none. An item that ends past 2^64 - 1 counts
 * as ending there, so that the checkers find it past the end. */
static int measure(const pp_problem *problem, pp_layout *layout,
                   pp_diag *diag) {
  size_t segments = problem->kind == PP_ARENA ? 1 : 0;
  for (size_t i = 0; i < layout->n; i++) {
    bool possible = layout->segment[i] < layout->n;
    if (possible && layout->segment[i] >= segments)
      segments = layout->segment[i] + 1;
  }
  layout->size = calloc(segments + 1, sizeof *layout->size);
  if (!layout->size) return pp_fail_memory(diag);
  layout->segments = segments;
  for (size_t i = 0; i < layout->n; i++) {
    if (layout->segment[i] >= segments) continue;
    uint64_t end = 0;
    if (__builtin_add_overflow(layout->offset[i], problem->items[i].size, &end))
      end = UINT64_MAX;
    uint64_t *size = &layout->size[layout->segment[i]];
    if (end > *size) *size = end;
  }
  return 0;
}

int pp_placer_end(pp_placer *placer, int status, pp_diag *diag) {
  if (status == 0 && !placer->layout->size)
    status = measure(placer->problem, placer->layout, diag);
  pp_names_free(&placer->ids);
  free(placer->placed);
  if (status != 0) pp_layout_free(placer->layout);
  return status;
}
