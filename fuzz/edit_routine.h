/* poolproof: edits of a routine.  SPDX-License-Identifier: MIT */
#ifndef PP_EDIT_ROUTINE_H
#define PP_EDIT_ROUTINE_H

#include <poolproof/routine.h>

#include "random.h"

/* A sealed routine, for the caller to free, like this one but for one to four
 * edits that random draws: statements and nodes dropped, doubled, exchanged,
 * spliced in; folds, operations, literals, indices, reads, dimensions, dtypes,
 * intents, data, spans and kinds changed. NULL: no memory, or no edit that was
 * tried gives a routine. */
pp_routine *pp_edit_routine(const pp_routine *routine, pp_random *random);

/* The same of two: the first statements of one and the last ones of the other,
 * with their nodes; nodes of one label and shape may become one. */
pp_routine *pp_cross_routines(const pp_routine *a, const pp_routine *b,
                              pp_random *random);

/* A generated routine of a few statements. NULL: no memory. */
pp_routine *pp_small_routine(pp_random *random);

/* A copy of another name. NULL: no memory. */
pp_routine *pp_rename_routine(const pp_routine *routine, const char *name);

#endif
