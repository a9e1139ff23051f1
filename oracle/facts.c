#include "facts.h"

#include <stdlib.h>
#include <string.h>

static uint64_t add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* The items as the kind reads them; NULL when memory is short. */
static pp_item *items_as(const pp_problem *problem, pp_kind kind) {
  pp_item *items = malloc((problem->n + 1) * sizeof *items);
  if (!items) return NULL;
  for (size_t i = 0; i < problem->n; i++) {
    items[i] = problem->items[i];
    if (kind == PP_SEGMENTS) items[i].has_span = false;
  }
  return items;
}

static bool no_reuse_total(const pp_problem *problem, uint64_t *total) {
  const pp_plan_options options = {.cap = PP_CAP_UNLIMITED};
  uint64_t *offset = malloc((problem->n + 1) * sizeof *offset);
  if (!offset) return false;
  if (pp_no_reuse_plan(problem->items, problem->n, &options, offset, total,
                       NULL) != PP_OK)
    *total = UINT64_MAX;
  free(offset);
  return true;
}

static size_t peak_of(const pp_item *item, const size_t *class_peak) {
  return item->has_span ? class_peak[item->item_class] : 0;
}

/* Sorts the items by peak, counting. */
static bool find_members(const pp_problem *problem, pp_facts *facts) {
  size_t *class_peak = calloc(problem->classes + 1, sizeof *class_peak);
  facts->member = calloc(problem->n + 1, sizeof *facts->member);
  facts->first = calloc(facts->peaks + 2, sizeof *facts->first);
  bool good = class_peak && facts->member && facts->first;
  if (good) {
    size_t *next = facts->first + 1; /* where a peak's next item goes */
    for (size_t k = 1; k < facts->peaks; k++)
      class_peak[facts->peak[k].item_class] = k;
    for (size_t i = 0; i < problem->n; i++)
      next[peak_of(&problem->items[i], class_peak) + 1]++;
    for (size_t k = 1; k < facts->peaks; k++)
      next[k] += next[k - 1];
    for (size_t i = 0; i < problem->n; i++)
      facts->member[next[peak_of(&problem->items[i], class_peak)]++] = i;
  }
  free(class_peak);
  return good;
}

int pp_facts_find(const pp_problem *problem, pp_kind kind, pp_facts *facts,
                  pp_diag *diag) {
  *facts = (pp_facts){0};
  size_t bad = 0;
  pp_item *items = items_as(problem, kind);
  facts->peak = malloc((problem->n + 1) * sizeof *facts->peak);
  bool found = items && facts->peak &&
               pp_lower_bound(items, problem->n, NULL, facts->peak,
                              &facts->peaks, &facts->bound, &bad) == PP_OK &&
               no_reuse_total(problem, &facts->no_reuse);
  free(items);
  if (kind == PP_SEGMENTS) facts->peaks = 0;
  if (found && (facts->peaks == 0 || find_members(problem, facts))) return 0;
  pp_facts_free(facts);
  return pp_fail_memory(diag);
}

void pp_facts_free(pp_facts *facts) {
  free(facts->peak);
  free(facts->member);
  free(facts->first);
  *facts = (pp_facts){0};
}

bool pp_live_at(const pp_item *item, const pp_peak *peak) {
  return !item->has_span || (item->lo <= peak->step && peak->step <= item->hi);
}

uint64_t pp_layout_total(const pp_layout *layout) {
  uint64_t total = 0;
  for (size_t k = 0; k < layout->segments; k++)
    total = add(total, layout->size[k]);
  return total;
}
