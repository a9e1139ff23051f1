/* poolproof: a failing program made small.  SPDX-License-Identifier: MIT */
#ifndef PP_PROGRAM_SHRINK_H
#define PP_PROGRAM_SHRINK_H

#include "program.h"

/* Does this program still show it? */
typedef bool pp_program_test(void *state, const pp_program *program);

/* Makes program smaller while test holds: fewer operations, faults and
 * options, earlier faults, routines with fewer statements and nodes, less
 * data. It must pass the test. Deterministic; asks the test at most `tests`
 * times. Returns how often it asked. Out of memory: returns with program as
 * small as it was then. */
size_t pp_program_shrink(pp_program *program, pp_program_test *test,
                         void *state, size_t tests);

#endif
