/* poolproof: what the runtime's long tests share.
 * SPDX-License-Identifier: MIT */
#ifndef PP_RUNTIME_TESTS_H
#define PP_RUNTIME_TESTS_H

#include "must.h"

/* The backends to run on, a bit each by pp_backend_id: that of the name, or
 * with NULL all that are here, having said which are not. Ends the program
 * with status 2 when the one that is named is not here. */
unsigned pp_backends_for(const char *name);

/* Do both count the same things alive? (`released` may differ.) */
bool pp_same_census(const pp_census *a, const pp_census *b);

/* A census for people; text has room for PP_CENSUS_TEXT bytes. */
enum { PP_CENSUS_TEXT = 256 };
const char *pp_census_text(const pp_census *census, char *text);

#endif
