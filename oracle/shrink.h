/* poolproof: a failing problem made small.  SPDX-License-Identifier: MIT */
#ifndef PP_SHRINK_H
#define PP_SHRINK_H

#include "case.h"

/* Does this case still show it? */
typedef bool pp_shrink_test(void *state, const pp_case *c);

/* Makes c smaller while test holds: fewer items, then smaller and simpler
 * numbers, fewer classes and steps, a simpler cap. c must pass the test.
 * Deterministic; asks the test at most `tests` times. Returns how often it
 * asked. Out of memory: returns with c as small as it was then. */
size_t pp_shrink(pp_case *c, pp_shrink_test *test, void *state, size_t tests);

#endif
