/* poolproof: a routine's layout as a problem.
 * SPDX-License-Identifier: MIT */
#include "routine_problem.h"

#include <stdlib.h>
#include <string.h>

enum { PP_USUAL_ALIGN = 64 };

/* *known is 0, or one more than the dtype's class. */
static bool find_class(pp_problem *problem, pp_dtype dtype, uint32_t *known) {
  if (*known > 0) return true;
  char *name = strdup(pp_dtype_name(dtype));
  if (!name) return false;
  problem->class_names[problem->classes++] = name;
  *known = (uint32_t)problem->classes;
  return true;
}

static bool add_item(pp_problem *problem, const pp_node *node, uint64_t align,
                     const uint32_t *known) {
  char *id = strdup(node->label);
  if (!id) return false;
  problem->ids[problem->n] = id;
  problem->items[problem->n++] = (pp_item){.size = pp_node_bytes(node),
                                           .align = align,
                                           .lo = node->lo,
                                           .hi = node->hi,
                                           .item_class = *known - 1,
                                           .has_span = node->has_span};
  return true;
}

static bool add_items(const pp_routine *final, uint64_t align,
                      pp_problem *problem) {
  uint32_t known[PP_DTYPE_COUNT] = {0};
  problem->items = calloc(final->nodes + 1, sizeof *problem->items);
  problem->ids = calloc(final->nodes + 1, sizeof(char *));
  problem->class_names = calloc(PP_DTYPE_COUNT, sizeof(char *));
  if (!problem->items || !problem->ids || !problem->class_names) return false;
  for (size_t k = 0; k < final->nodes; k++) {
    const pp_node *node = &final->node[final->order[k]];
    if ((node->intents & (PP_CONSTANT | PP_MERGE)) != 0) continue;
    if (!find_class(problem, node->dtype, &known[node->dtype]) ||
        !add_item(problem, node, align, &known[node->dtype]))
      return false;
  }
  return true;
}

/* A step is called by the first statement that runs at it. */
static bool add_steps(const pp_routine *final, pp_problem *problem) {
  char *text = pp_routine_print(final);
  char *rest = NULL;
  problem->step = calloc(final->positions + 1, sizeof(char *));
  bool good = text && problem->step;
  const char *line = good ? strtok_r(text, "\n", &rest) : NULL;
  for (size_t i = 0; line && i < final->nodes; i++)
    line = strtok_r(NULL, "\n", &rest);
  for (size_t k = 0; good && line && k < final->statements; k++) {
    line = strtok_r(NULL, "\n", &rest);
    if (!line || final->position[k] != problem->steps) continue;
    char *step = strdup(line);
    good = step != NULL;
    if (good) problem->step[problem->steps++] = step;
  }
  free(text);
  return good;
}

int pp_routine_problem(const pp_routine *final, uint64_t align,
                       pp_problem *problem, pp_diag *diag) {
  *problem = (pp_problem){.kind = PP_ARENA, .cap = PP_CAP_USUAL};
  if (align == 0) align = PP_USUAL_ALIGN;
  if (add_items(final, align, problem) && add_steps(final, problem)) return 0;
  pp_problem_free(problem);
  return pp_fail_memory(diag);
}
