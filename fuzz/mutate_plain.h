/* poolproof: edits of bytes, and of text whose grammar is not known.
 *
 * Each changes the input in buf, size bytes with room for max, by one edit
 * that random draws, and returns its new size, at most max; size when there is
 * no room or no memory for it. SPDX-License-Identifier: MIT */
#ifndef PP_MUTATE_PLAIN_H
#define PP_MUTATE_PLAIN_H

#include "random.h"

#include <stddef.h>

/* One to eight bytes of anything. */
size_t pp_edit_bytes(uint8_t *buf, size_t size, size_t max, pp_random *random);

/* A token becomes another one of its kind that the text has, a number one that
 * matters; tokens, lines and what stands in brackets are dropped, doubled and
 * exchanged. */
size_t pp_edit_text(uint8_t *buf, size_t size, size_t max, pp_random *random);

/* The bytes [at, at + length) of buf become the n bytes at `with`, which may
 * be bytes of buf. */
size_t pp_replace_bytes(uint8_t *buf, size_t size, size_t max, size_t at,
                        size_t length, const uint8_t *with, size_t n);

#endif
