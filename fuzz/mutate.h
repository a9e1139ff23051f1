/* poolproof: mutations that know what problems, routines and programs are.
 *
 * Pure functions of their arguments: the same ones give the same bytes, on any
 * machine. Any bytes are welcome, of any kind; the kind is seen from them.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MUTATE_H
#define PP_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Changes the input in buf (size bytes, room for max) and returns its new
 * size, at most max. A problem file (JSON, or CSV with or without offsets),
 * a routine or a program is read, edited as edit.h, edit_routine.h and
 * edit_program.h say, and printed. Other text has tokens, lines and brackets
 * edited, anything else bytes, and so, now and then, have problems, routines
 * and programs; an empty input, and seldom other text, gives way to a new one
 * of these. Out of memory: bytes are edited at most. */
size_t pp_mutate(uint8_t *buf, size_t size, size_t max, uint64_t seed);

/* Writes a mixture of a (na bytes) and b (nb) to out, which overlaps neither
 * and has room for max bytes, and returns its size, at most max: of two
 * problems the items of both, of two routines or programs what both do, and of
 * anything else the first lines or bytes of a and the last ones of b. */
size_t pp_crossover(const uint8_t *a, size_t na, const uint8_t *b, size_t nb,
                    uint8_t *out, size_t max, uint64_t seed);

#endif
