#include "planners.h"

#include "ref/ref.h"

#include <stdlib.h>
#include <string.h>

static const char *const plan_names[] = {"arena", "segments", "no-reuse"};
static const char *const side_names[] = {"fast", "ref"};

const char *pp_plan_name(pp_plan plan) {
  return plan_names[plan];
}

const char *pp_side_name(pp_side side) {
  return side_names[side];
}

static bool named(const char *const *names, size_t n, const char *name,
                  size_t *index) {
  for (*index = 0; *index < n; ++*index)
    if (strcmp(names[*index], name) == 0) return true;
  return false;
}

bool pp_plan_named(const char *name, pp_plan *plan) {
  size_t index = 0;
  if (!named(plan_names, 3, name, &index)) return false;
  *plan = (pp_plan)index;
  return true;
}

bool pp_side_named(const char *name, pp_side *side) {
  size_t index = 0;
  if (!named(side_names, 2, name, &index)) return false;
  *side = (pp_side)index;
  return true;
}

pp_plan pp_plan_of(pp_kind kind) {
  return kind == PP_ARENA ? PP_PLAN_ARENA : PP_PLAN_SEGMENTS;
}

static bool layout_take(pp_layout *layout, size_t n) {
  *layout = (pp_layout){.n = n};
  layout->segment = calloc(n + 1, sizeof *layout->segment);
  layout->offset = calloc(n + 1, sizeof *layout->offset);
  layout->size = calloc(n + 1, sizeof *layout->size);
  return layout->segment && layout->offset && layout->size;
}

static void run_fast(const pp_problem *problem, pp_plan plan, uint64_t cap,
                     pp_layout *layout) {
  const pp_plan_options options = {.cap = cap};
  const pp_item *items = problem->items;
  pp_error error = {0};
  layout->segments = 1;
  if (plan == PP_PLAN_SEGMENTS)
    layout->status = pp_segments_plan(items, problem->n, &options,
                                      layout->segment, layout->offset,
                                      layout->size, &layout->segments, &error);
  else if (plan == PP_PLAN_ARENA)
    layout->status = pp_arena_plan(items, problem->n, &options, layout->offset,
                                   &layout->size[0], &error);
  else
    layout->status = pp_no_reuse_plan(items, problem->n, &options,
                                      layout->offset, &layout->size[0], &error);
  layout->index = layout->status == PP_OK ? SIZE_MAX : error.index;
}

static void run_ref(const pp_problem *problem, pp_plan plan, uint64_t cap,
                    pp_layout *layout) {
  const pp_item *items = problem->items;
  size_t n = problem->n;
  if (plan == PP_PLAN_SEGMENTS) {
    layout->status = pp_ref_plan_pool_segments(
        items, n, cap, layout->segment, layout->offset, layout->size,
        &layout->segments, &layout->index);
    return;
  }
  size_t *order = malloc((n + 1) * sizeof *order);
  size_t *pos = malloc((n + 1) * sizeof *pos);
  layout->segments = 1;
  layout->status = PP_NO_MEMORY;
  layout->index = SIZE_MAX;
  if (order && pos)
    layout->status =
        pp_ref_plan_arena_offsets(items, n, cap, order, pos, layout->offset,
                                  &layout->size[0], &layout->index);
  if (layout->status == PP_OVER_CAP) layout->index = SIZE_MAX;
  free(order);
  free(pos);
}

int pp_plan_run(const pp_problem *problem, pp_plan plan, pp_side side,
                uint64_t cap, pp_layout *layout, pp_diag *diag) {
  bool taken = layout_take(layout, problem->n);
  if (taken && side == PP_SIDE_REF && plan != PP_PLAN_NO_REUSE)
    run_ref(problem, plan, cap, layout);
  else if (taken)
    run_fast(problem, plan, cap, layout);
  if (taken && layout->status != PP_NO_MEMORY) return 0;
  pp_layout_free(layout);
  return pp_fail_memory(diag);
}

const char *pp_refusal_text(const pp_problem *problem, pp_plan plan,
                            uint64_t cap, const pp_layout *layout, char *text,
                            size_t size) {
  pp_error error = {.status = layout->status,
                    .index = SIZE_MAX,
                    .what = pp_plan_name(plan),
                    .name = "",
                    .cap = cap};
  char name[100];
  if (layout->index < problem->n) {
    error.index = layout->index;
    error.item = problem->items[layout->index];
    error.name = pp_printable(problem->ids[layout->index], name, sizeof name);
  }
  pp_error_text(&error, text, size);
  return text;
}

bool pp_layout_equal(const pp_layout *a, const pp_layout *b) {
  if (a->status != b->status) return false;
  if (a->status == PP_OVER_CAP) return true;
  if (a->status != PP_OK) return a->index == b->index;
  return a->n == b->n && a->segments == b->segments &&
         memcmp(a->segment, b->segment, a->n * sizeof *a->segment) == 0 &&
         memcmp(a->offset, b->offset, a->n * sizeof *a->offset) == 0 &&
         memcmp(a->size, b->size, a->segments * sizeof *a->size) == 0;
}
