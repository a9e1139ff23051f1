/* poolproof: where a run was when the process crashed.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CRASH_H
#define PP_CRASH_H

#include <stdint.h>

/* What a thread is at: the command that does it again is before, number and
 * after, one after the other. */
typedef struct pp_crash_note {
  const char *before;
  uint64_t number;
  const char *after;
} pp_crash_note;

/* From now on, a thread that crashes (SIGSEGV, SIGBUS, SIGFPE, SIGILL,
 * SIGABRT) first says the command of its note on standard output; then the
 * process dies as it would have. A handler that is there already, such as a
 * sanitizer's, stays. */
void pp_crash_watch(void);

/* The calling thread's note, from now on; NULL: it has none. It is read when
 * a crash comes, so it may be changed at any time before. */
void pp_crash_note_set(const pp_crash_note *note);

#endif
