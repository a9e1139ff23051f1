/* poolproof: slabs and kernels in this process's memory.
 * SPDX-License-Identifier: MIT */
#include "cc/host.h"

#include "kernels/machine.h"

#include <stdlib.h>
#include <string.h>

struct pp_host_kernel {
  const pp_code *code;
  unsigned char *operand[];
};

void pp_host_limits(pp_limits *limits, bool asynchronous) {
  *limits = (pp_limits){.name = "this processor",
                        .f64 = true,
                        .max_pool = PTRDIFF_MAX,
                        .alignment = PP_HOST_ALIGNMENT,
                        .asynchronous = asynchronous};
}

/* One block: the slab, padding, the bytes. Blocks from malloc are reused by
 * the next malloc, which those from posix_memalign need not be. */
pp_status pp_host_slab_new(uint64_t size, uint64_t align, pp_slab *slab) {
  uint64_t room = 0;
  if (align == 0 || (align & (align - 1)) != 0) return PP_BACKEND_FAILED;
  if (__builtin_add_overflow(size, align - 1, &room) ||
      __builtin_add_overflow(room, sizeof(pp_host_slab), &room) ||
      room > PTRDIFF_MAX)
    return PP_NO_MEMORY;
  pp_host_slab *made = malloc((size_t)room);
  if (made == NULL) return PP_NO_MEMORY;
  unsigned char *bytes = (unsigned char *)(made + 1);
  uint64_t past = (uint64_t)(uintptr_t)bytes & (align - 1);
  *made = (pp_host_slab){bytes + (past == 0 ? 0 : align - past), size};
  slab->handle = made;
  return PP_OK;
}

void pp_host_slab_free(pp_slab slab) {
  free(slab.handle);
}

unsigned char *pp_host_range(pp_slab slab, uint64_t offset, uint64_t bytes) {
  const pp_host_slab *host = slab.handle;
  if (offset > host->size || bytes > host->size - offset) return NULL;
  return host->bytes + offset;
}

bool pp_host_overlap(pp_slab a, uint64_t a_offset, pp_slab b, uint64_t b_offset,
                     uint64_t bytes) {
  if (a.handle != b.handle) return false;
  return a_offset < b_offset ? b_offset - a_offset < bytes
                             : a_offset - b_offset < bytes;
}

void pp_host_set(unsigned char *to, uint8_t value, uint64_t bytes) {
  if (bytes > 0) memset(to, value, (size_t)bytes);
}

void pp_host_copy(void *to, const void *from, uint64_t bytes) {
  if (bytes > 0) memcpy(to, from, (size_t)bytes);
}

pp_host_kernel *pp_host_kernel_new(const pp_code *code) {
  pp_host_kernel *kernel = NULL;
  size_t bytes = 0;
  if (__builtin_mul_overflow(code->operands, sizeof kernel->operand[0],
                             &bytes) ||
      __builtin_add_overflow(bytes, sizeof *kernel, &bytes))
    return NULL;
  kernel = malloc(bytes);
  if (kernel != NULL) kernel->code = code;
  return kernel;
}

void pp_host_kernel_free(pp_host_kernel *kernel) {
  free(kernel);
}

size_t pp_host_kernel_operands(const pp_host_kernel *kernel) {
  return kernel->code->operands;
}

pp_status pp_host_run(pp_host_kernel *kernel, const pp_operand *operand) {
  const pp_code *code = kernel->code;
  for (size_t i = 0; i < code->operands; i++) {
    kernel->operand[i] = pp_host_range(operand[i].slab, operand[i].offset,
                                       code->operand_bytes[i]);
    if (kernel->operand[i] == NULL) return PP_BACKEND_FAILED;
  }
  pp_machine_run(code, kernel->operand);
  return PP_OK;
}
