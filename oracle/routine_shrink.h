/* poolproof: routines from their parts, and made small.
 * SPDX-License-Identifier: MIT */
#ifndef PP_ROUTINE_SHRINK_H
#define PP_ROUTINE_SHRINK_H

#include <poolproof/routine.h>

/* Do these routines, one after the other, still show it? */
typedef bool pp_routine_test(void *state, pp_routine *const *routine,
                             size_t routines);

/* A sealed routine of these, for the caller to free; NULL: they are none, or
 * no memory. */
pp_routine *pp_routine_from(const char *name, const pp_node *node, size_t nodes,
                            const pp_statement *statement, size_t statements);

/* Makes the routines, at most 8, smaller while test holds: fewer of them, of
 * statements, of nodes, of operations, of intents and data, shorter
 * dimensions. They must pass the test. Routines that are replaced are freed.
 * Deterministic; asks at most `tests` times. Returns how often it asked. Out of
 * memory: they are as small as they were then. */
size_t pp_routine_shrink(pp_routine **routine, size_t *routines,
                         pp_routine_test *test, void *state, size_t tests);

#endif
