/* poolproof: inputs made smaller step by step, by the project's shrinkers.
 *
 * A shrinker asks a callback; a fuzzer wants to be asked one candidate at a
 * time. Shrinkers are deterministic, so the next candidate is found by running
 * the shrinker again with the answers so far. SPDX-License-Identifier: MIT */
#ifndef PP_TRIM_H
#define PP_TRIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pp_trim pp_trim;

/* How many questions of its shrinker a trim answers at most; those whose
 * candidate is no smaller than what was kept last are answered no here. */
enum { PP_TRIM_QUESTIONS = 128 };

/* Starts from an input of any kind: a problem without a layout, a routine, a
 * program, or anything else, of which lines or bytes are dropped. Copies the
 * bytes. NULL: no memory. */
pp_trim *pp_trim_new(const uint8_t *bytes, size_t size);

/* The next candidate, smaller than what was kept last, in *bytes until the next
 * call; its size. 0: there is none. */
size_t pp_trim_next(pp_trim *trim, const uint8_t **bytes);

/* Tells whether the candidate does what the input does: it is then what the
 * next ones come from. Once a candidate. */
void pp_trim_tell(pp_trim *trim, bool kept);

/* NULL is nothing. */
void pp_trim_free(pp_trim *trim);

#endif
