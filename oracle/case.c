#include "case.h"

#include "format.h"
#include "output.h"
#include "random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool pp_case_reserve(pp_case *c, size_t n) {
  if (n <= c->room) return true;
  if (n > SIZE_MAX / 2 / sizeof(pp_item)) return false;
  size_t room = n < 8 ? 8 : n + n / 2;
  pp_item *items = realloc(c->items, room * sizeof *items);
  if (!items) return false;
  c->items = items;
  c->room = room;
  return true;
}

bool pp_case_copy(pp_case *to, const pp_case *from) {
  if (!pp_case_reserve(to, from->n)) return false;
  if (from->n > 0) memcpy(to->items, from->items, from->n * sizeof(pp_item));
  to->kind = from->kind;
  to->cap = from->cap;
  to->n = from->n;
  return true;
}

void pp_case_free(pp_case *c) {
  free(c->items);
  *c = (pp_case){0};
}

/* The number of item i's class in order of first appearance; seen tells the
 * numbers of those before i apart from their names. */
static uint32_t class_number(const pp_case *c, const uint32_t *name, size_t i,
                             uint32_t *classes) {
  for (size_t j = 0; j < i; j++)
    if (name[j] == name[i]) return c->items[j].item_class;
  return (*classes)++;
}

bool pp_case_normalise(pp_case *c) {
  uint32_t *name = malloc((c->n + 1) * sizeof *name);
  if (!name) return false;
  bool changed = false;
  uint32_t classes = 0;
  for (size_t i = 0; i < c->n; i++)
    name[i] = c->items[i].item_class;
  for (size_t i = 0; i < c->n; i++) {
    pp_item *item = &c->items[i];
    item->item_class = class_number(c, name, i, &classes);
    if (item->item_class != name[i]) changed = true;
    if (item->has_span || (item->lo == 0 && item->hi == 0)) continue;
    item->lo = 0;
    item->hi = 0;
    changed = true;
  }
  free(name);
  return changed;
}

void pp_case_strip(pp_case *c) {
  for (size_t i = 0; i < c->n; i++) {
    pp_item *item = &c->items[i];
    if (c->kind == PP_SEGMENTS)
      *item = (pp_item){.size = item->size, .align = item->align};
    if (!item->has_span) item->lo = item->hi = 0;
  }
}

uint64_t pp_case_hash(const pp_case *c) {
  uint64_t hash = pp_random_mix((uint64_t)c->kind, c->cap);
  for (size_t i = 0; i < c->n; i++) {
    const pp_item *item = &c->items[i];
    hash = pp_random_mix(hash, item->size);
    hash = pp_random_mix(hash, item->align);
    hash = pp_random_mix(hash, item->item_class);
    if (!item->has_span) continue;
    hash = pp_random_mix(hash, item->lo);
    hash = pp_random_mix(hash, item->hi);
  }
  return hash;
}

int pp_case_from_problem(pp_case *c, const pp_problem *problem, pp_diag *diag) {
  if (!pp_case_reserve(c, problem->n)) {
    pp_case_free(c);
    return pp_fail_memory(diag);
  }
  c->kind = problem->kind;
  c->cap = problem->cap;
  c->n = problem->n;
  if (c->n > 0) memcpy(c->items, problem->items, c->n * sizeof(pp_item));
  return 0;
}

static char *numbered(char letter, size_t number) {
  char text[32];
  (void)snprintf(text, sizeof text, "%c%zu", letter, number);
  return strdup(text);
}

static bool name_items(pp_problem *problem, size_t n) {
  problem->ids = calloc(n + 1, sizeof *problem->ids);
  if (!problem->ids) return false;
  for (; problem->n < n; problem->n++) {
    char *id = numbered('i', problem->n);
    if (!id) return false;
    problem->ids[problem->n] = id;
  }
  return true;
}

static bool name_classes(pp_problem *problem, size_t classes) {
  problem->class_names = calloc(classes + 1, sizeof *problem->class_names);
  if (!problem->class_names) return false;
  for (; problem->classes < classes; problem->classes++) {
    char *name = numbered('c', problem->classes);
    if (!name) return false;
    problem->class_names[problem->classes] = name;
  }
  return true;
}

/* Classes go out as pp_case_normalise numbers them. */
static bool number_items(pp_problem *problem, const pp_case *c) {
  pp_case copy = {0};
  if (!pp_case_copy(&copy, c)) return false;
  (void)pp_case_normalise(&copy);
  size_t classes = 0;
  for (size_t i = 0; i < copy.n; i++)
    if (copy.items[i].item_class >= classes)
      classes = (size_t)copy.items[i].item_class + 1;
  problem->items = copy.items;
  return classes <= c->n && name_classes(problem, classes);
}

int pp_case_to_problem(const pp_case *c, pp_problem *problem, pp_diag *diag) {
  *problem = (pp_problem){
      .kind = c->kind, .format = PP_JSON, .has_cap = true, .cap = c->cap};
  if (number_items(problem, c) && name_items(problem, c->n)) {
    if (problem->items) return 0;
    problem->items = calloc(1, sizeof(pp_item));
    if (problem->items) return 0;
  }
  pp_problem_free(problem);
  return pp_fail_memory(diag);
}

int pp_case_save(const pp_case *c, const char *dir, const char *name,
                 char *path, size_t size, pp_diag *diag) {
  pp_problem problem = {0};
  pp_output output;
  int code = pp_output_path(dir, name, path, size, diag);
  if (code == 0) code = pp_case_to_problem(c, &problem, diag);
  if (code != 0) return code;
  code = pp_output_open(&output, path, diag);
  if (code == 0)
    code = pp_output_end(&output,
                         pp_problem_write(output.stream, &problem, diag), diag);
  pp_problem_free(&problem);
  return code;
}
