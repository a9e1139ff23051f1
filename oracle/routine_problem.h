/* poolproof: a routine's layout as a problem.
 * SPDX-License-Identifier: MIT */
#ifndef PP_ROUTINE_PROBLEM_H
#define PP_ROUTINE_PROBLEM_H

#include "problem.h"

#include <poolproof/routine.h>

/* The working nodes of final code (FPT-1), in uid order, as items of an arena:
 * named after their labels, a class a dtype, on multiples of align bytes (0:
 * 64), with the code's positions as steps. Returns 0 or diag's exit status. */
int pp_routine_problem(const pp_routine *final, uint64_t align,
                       pp_problem *problem, pp_diag *diag);

#endif
