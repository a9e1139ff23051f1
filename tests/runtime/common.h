/* poolproof: what the runtime's long tests share.
 * SPDX-License-Identifier: MIT */
#ifndef PP_RUNTIME_TESTS_H
#define PP_RUNTIME_TESTS_H

#include <poolproof/fault.h>
#include <poolproof/runtime.h>

/* Ends the program with status 1, having said what failed. Any thread. */
void pp_die(const char *format, ...) __attribute__((format(printf, 1, 2)))
__attribute__((noreturn));

/* What pp_die adds on a line of its own: how to see it again. */
extern char pp_again[256];

/* The routine of that text, which must be good. */
pp_routine *pp_routine_of(const char *text);

/* The backend of that name, which must be in the list. */
pp_backend *pp_backend_of(const char *name);

/* The backends to run on, a bit each by pp_backend_id: that of the name, or
 * with NULL all that are here, having said which are not. Ends the program
 * with status 2 when the one that is named is not here. */
unsigned pp_backends_for(const char *name);

/* Calls that must succeed. */
pp_context *pp_root_on(pp_backend *backend, size_t ordinal);
pp_context *pp_child_of(pp_context *parent, pp_routine *routine);
void pp_drop(pp_context *context);

/* Do both count the same things alive? (`released` may differ.) */
bool pp_same_census(const pp_census *a, const pp_census *b);

/* A census for people; text has room for PP_CENSUS_TEXT bytes. */
enum { PP_CENSUS_TEXT = 256 };
const char *pp_census_text(const pp_census *census, char *text);

/* Tears the fault backend's runtime down and frees it: no breach, no leak. */
void pp_close_fault(pp_backend *backend);

/* Of the steady clock. */
double pp_seconds(void);

#endif
