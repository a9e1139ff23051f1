/* poolproof: a failing problem made small.  SPDX-License-Identifier: MIT */
#ifndef PP_SHRINK_H
#define PP_SHRINK_H

#include "case.h"

/* Does this case still show it? */
typedef bool pp_shrink_test(void *state, const pp_case *c);

/* Keeps a value, or does not. */
typedef bool pp_shrink_set(void *state, uint64_t value);

/* Offers lower values than `value`: from `least` to 3, then what halving what
 * is left finds. True: one was kept. */
bool pp_shrink_value(uint64_t value, uint64_t least, pp_shrink_set *set,
                     void *state);

/* Makes c smaller while test holds: fewer items, then smaller and simpler
 * numbers, fewer classes and steps, a simpler cap. c must pass the test.
 * Deterministic; asks the test at most `tests` times. Returns how often it
 * asked. Out of memory: returns with c as small as it was then. */
size_t pp_shrink(pp_case *c, pp_shrink_test *test, void *state, size_t tests);

#endif
