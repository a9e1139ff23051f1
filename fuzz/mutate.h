/* poolproof: mutations that know what a problem is.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MUTATE_H
#define PP_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* Changes the input in buf (size bytes, room for max) and returns its new
 * size, at most max. A problem file (JSON, or CSV with or without offsets)
 * is read, edited - spans made to touch, sizes tied, the cap moved by one, an
 * item doubled, dropped, moved ... - and printed. Anything else, and now and
 * then a problem too, has bytes edited, or gives way to a new problem. A pure
 * function of its arguments; any bytes are welcome. Out of memory: the input
 * stays as it is. */
size_t pp_mutate(uint8_t *buf, size_t size, size_t max, uint64_t seed);

#endif
