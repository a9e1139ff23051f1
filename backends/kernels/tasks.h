/* poolproof: a code's statements as tasks for devices.
 * SPDX-License-Identifier: MIT */
#ifndef PP_TASKS_H
#define PP_TASKS_H

#include "kernels/task.h"

/* The statements that have a point, in order. */
typedef struct pp_tasks {
  size_t count;
  pp_task *task;
} pp_tasks;

/* False without memory; tasks is then empty. */
bool pp_tasks_make(const pp_code *code, pp_tasks *tasks);
void pp_tasks_free(pp_tasks *tasks);

/* Does a statement compute in the dtype, or access such a node? */
bool pp_code_uses(const pp_code *code, pp_dtype dtype);

#endif
