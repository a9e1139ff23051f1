/* poolproof: how files write the two ends of a life.
 * SPDX-License-Identifier: MIT */
#ifndef PP_ENDS_H
#define PP_ENDS_H

#include <stdbool.h>
#include <stdint.h>

/* PP_ENDS_SAID: the file says it itself, or nobody has said it. */
typedef enum pp_ends {
  PP_ENDS_SAID = 0,
  PP_ENDS_CLOSED,    /* [first, last] */
  PP_ENDS_HALF_OPEN, /* [first, past the last) */
  PP_ENDS_EXCLUSIVE  /* (before the first, past the last) */
} pp_ends;

/* "closed" or "inclusive", "half-open", "exclusive". False: no such name. */
bool pp_ends_named(const char *name, pp_ends *ends);

/* Makes the life that lower and upper say a closed one. False, nothing
 * changed: it is empty. ends is not PP_ENDS_SAID. */
bool pp_ends_close(pp_ends ends, uint64_t *lower, uint64_t *upper);

/* The other way round, of a closed life that is not empty. False, nothing
 * changed: an end would be below 0 or above 2^64 - 1. */
bool pp_ends_open(pp_ends ends, uint64_t *lower, uint64_t *upper);

/* What pp_ends_close asks for, in a few words. */
const char *pp_ends_rule(pp_ends ends);

#endif
