/* poolproof: a code's statements as tasks for devices.
 * SPDX-License-Identifier: MIT */
#include "kernels/tasks.h"

#include <stdlib.h>

bool pp_tasks_make(const pp_code *code, pp_tasks *tasks) {
  *tasks = (pp_tasks){0, calloc(code->statements + 1, sizeof(pp_task))};
  if (tasks->task == NULL) return false;
  for (size_t s = 0; s < code->statements; s++)
    if (!pp_task_is_empty(&code->statement[s]))
      pp_task_make(&tasks->task[tasks->count++], &code->statement[s], true);
  return true;
}

void pp_tasks_free(pp_tasks *tasks) {
  free(tasks->task);
  *tasks = (pp_tasks){0, NULL};
}

bool pp_code_uses(const pp_code *code, pp_dtype dtype) {
  for (size_t s = 0; s < code->statements; s++) {
    const pp_flat_statement *statement = &code->statement[s];
    if (statement->dtype == dtype) return true;
    for (unsigned r = 0; r < statement->reads; r++)
      if (statement->read[r].dtype == dtype) return true;
  }
  return false;
}
