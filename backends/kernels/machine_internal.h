/* poolproof: the builds of the machine, as machine.c knows them.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MACHINE_INTERNAL_H
#define PP_MACHINE_INTERNAL_H

#include "kernels/machine.h"
#include "kernels/task.h"

/* Runs the task on the operands' bytes. */
void pp_machine_portable(const pp_task *task, unsigned char *const *operand);

#if defined(__x86_64__)
void pp_machine_v3(const pp_task *task, unsigned char *const *operand);
#endif

#endif
