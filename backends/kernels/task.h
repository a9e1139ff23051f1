/* poolproof: a statement made ready for the machine, on this processor or on a
 * device. SPDX-License-Identifier: MIT */
#ifndef PP_TASK_H
#define PP_TASK_H

#include "kernels/code.h"
#include "kernels/machine_task.h"

/* Has it no point, so that there is nothing to run? */
bool pp_task_is_empty(const pp_flat_statement *statement);

/* Fills the task of a statement that is not empty.
 * across  the lanes are to be the target's elements, whatever their number: on
 *         a device each is a work item's */
void pp_task_make(pp_task *task, const pp_flat_statement *statement,
                  bool across);

#endif
