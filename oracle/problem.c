#include "problem.h"

#include <stdlib.h>

const char *pp_status_name(pp_status status) {
  static const char *const names[] = {
      [PP_OK] = "ok",
      [PP_ITEM_OVER_CAP] = "item_over_cap",
      [PP_OVER_CAP] = "over_cap",
      [PP_BAD_SPAN] = "bad_span",
      [PP_NO_MEMORY] = "no_memory",
  };
  return names[status];
}

static void free_strings(char **strings, size_t n) {
  for (size_t i = 0; strings && i < n; i++)
    free(strings[i]);
  free(strings);
}

void pp_problem_free(pp_problem *problem) {
  free(problem->items);
  free_strings(problem->ids, problem->n);
  free_strings(problem->class_names, problem->classes);
  free_strings(problem->step, problem->steps);
  *problem = (pp_problem){0};
}

void pp_layout_free(pp_layout *layout) {
  free(layout->segment);
  free(layout->offset);
  free(layout->size);
  *layout = (pp_layout){0};
}
