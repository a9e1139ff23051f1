/* poolproof: slabs and kernels in this process's memory, for the backends that
 * run on this processor. SPDX-License-Identifier: MIT */
#ifndef PP_HOST_H
#define PP_HOST_H

#include "kernels/code.h"

#include <poolproof/backend.h>

/* A pool's buffer; a pp_slab's handle is one. */
typedef struct pp_host_slab {
  unsigned char *bytes;
  uint64_t size;
} pp_host_slab;

typedef struct pp_host_kernel pp_host_kernel;

enum { PP_HOST_ALIGNMENT = 64 };

void pp_host_limits(pp_limits *limits, bool asynchronous);

/* PP_NO_MEMORY; PP_BACKEND_FAILED when align is no power of two. */
pp_status pp_host_slab_new(uint64_t size, uint64_t align, pp_slab *slab);
void pp_host_slab_free(pp_slab slab);

/* The bytes of a range inside the slab, or NULL when it is not inside. */
unsigned char *pp_host_range(pp_slab slab, uint64_t offset, uint64_t bytes);

/* Do two ranges inside their slabs share a byte? */
bool pp_host_overlap(pp_slab a, uint64_t a_offset, pp_slab b, uint64_t b_offset,
                     uint64_t bytes);

/* memset and memcpy, for no bytes too. */
void pp_host_set(unsigned char *to, uint8_t value, uint64_t bytes);
void pp_host_copy(void *to, const void *from, uint64_t bytes);

/* NULL without memory. */
pp_host_kernel *pp_host_kernel_new(const pp_code *code);
void pp_host_kernel_free(pp_host_kernel *kernel);

/* How many operands it takes. */
size_t pp_host_kernel_operands(const pp_host_kernel *kernel);

/* Runs it. PP_BACKEND_FAILED, nothing done: an operand is not inside its slab.
 * One run of a kernel at a time. */
pp_status pp_host_run(pp_host_kernel *kernel, const pp_operand *operand);

#endif
