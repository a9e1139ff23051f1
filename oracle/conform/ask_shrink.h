/* poolproof: a question made small.  SPDX-License-Identifier: MIT */
#ifndef PP_ASK_SHRINK_H
#define PP_ASK_SHRINK_H

#include "ask.h"

/* Does this question still show it? */
typedef bool pp_ask_test(void *state, const pp_ask *ask);

/* Makes ask smaller while test holds. ask must pass the test; what it becomes
 * has nothing wrong with it and needs no capability more. Deterministic; asks
 * the test at most `tests` times. Returns how often it asked. Out of memory:
 * returns with ask as small as it was then. */
size_t pp_ask_shrink(pp_ask *ask, pp_ask_test *test, void *state, size_t tests);

#endif
