/* poolproof: the values of a routine's nodes, each in its own memory.
 * SPDX-License-Identifier: MIT */
#ifndef PP_VALUES_H
#define PP_VALUES_H

#include <poolproof/routine.h>

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

/* How many of the elements are NaN. */
uint64_t pp_count_nans(pp_dtype dtype, const void *values, uint64_t elements);

#endif
