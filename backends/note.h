/* poolproof: what a backend has to say of a call that failed.
 * SPDX-License-Identifier: MIT */
#ifndef PP_NOTE_H
#define PP_NOTE_H

enum { PP_NOTE = 160 };

/* Keeps the reason, cut when too long, of a failure that the calling thread is
 * about to answer: "clCreateBuffer: CL_OUT_OF_HOST_MEMORY". The latest one of
 * each thread is kept. */
void pp_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes ": " and the thread's note to `text`, of PP_NOTE bytes, and forgets
 * it; nothing when there is none. Returns text. */
const char *pp_note_take(char *text);

#endif
