/* poolproof: calls that must succeed, or what is checked is wrong: for tests,
 * and for checks that run in a process of their own.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MUST_H
#define PP_MUST_H

#include <poolproof/fault.h>
#include <poolproof/runtime.h>

/* Ends the process with status 1, having said what failed: on standard output,
 * or to pp_die_told. Any thread. */
void pp_die(const char *format, ...) __attribute__((format(printf, 1, 2)))
__attribute__((noreturn));

/* Takes the sentence in place of standard output, when it is not NULL. */
extern void (*pp_die_told)(const char *sentence);

/* What pp_die adds on a line of its own: how to see it again. */
extern char pp_again[256];

/* The routine of that text, which must be good. */
pp_routine *pp_routine_of(const char *text);

/* The backend of that name, which must be in the list. */
pp_backend *pp_backend_of(const char *name);

/* Calls that must succeed. */
pp_context *pp_root_on(pp_backend *backend, size_t ordinal);
pp_context *pp_child_of(pp_context *parent, pp_routine *routine);
void pp_drop(pp_context *context);

/* Tears the fault backend's runtime down and frees it: no breach, no leak. */
void pp_close_fault(pp_backend *backend);

/* Of the steady clock. */
double pp_seconds(void);

#endif
