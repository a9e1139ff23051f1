/* poolproof: the reference interpreter of routines (ORC-1).
 *
 * Every node has its own memory; statements run one after the other, point by
 * point in row-major order, one element at a time, straight from what
 * poolproof/routine.h says. It reads the statements as they were built, never
 * the flat code that backends take, and shares no function with them.
 * SPDX-License-Identifier: MIT */
#ifndef PP_INTERP_H
#define PP_INTERP_H

#include <poolproof/routine.h>

/* Runs a sealed routine once; bytes[i] is node i's own buffer, of
 * pp_node_bytes, aligned or not. */
void pp_interp(const pp_routine *routine, unsigned char *const *bytes);

/* One buffer for each node of a routine. */
typedef struct pp_memory {
  size_t nodes;
  unsigned char **bytes;
} pp_memory;

/* Allocates the buffers and fills them with the nodes' data or zeros.
 * PP_NO_MEMORY: nothing is left to free. */
pp_status pp_memory_new(const pp_routine *routine, pp_memory *memory);

/* Frees the buffers; a memory of all zeros is nothing. */
void pp_memory_free(pp_memory *memory);

/* Are the elements bit for bit the same, all NaNs counting as one? If not,
 * *first (may be NULL) is the first one that differs. */
bool pp_same_values(pp_dtype dtype, const void *a, const void *b,
                    uint64_t elements, uint64_t *first);

#endif
