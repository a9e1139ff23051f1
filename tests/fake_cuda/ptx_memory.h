/* poolproof: where the accesses of a thread go, and which are refused: NULL,
 * with the result set. Inline, since width, store and kind are constants where
 * it counts. SPDX-License-Identifier: MIT */
#ifndef FAKE_PTX_MEMORY_H
#define FAKE_PTX_MEMORY_H

#include "ptx_internal.h"

#include "driver.h"

#include <string.h>

static inline unsigned char *fake_at_fault(fake_thread *thread, int result) {
  thread->result = result;
  return NULL;
}

/* A load of bytes that nobody wrote. */
static inline bool fake_unwritten(fake_thread *thread) {
  thread->tally->uninitialised++;
  return !thread->tally->strict;
}

/* One range covers each address; its bits tell of what was written. An access
 * that is aligned has its bits in one byte. */
static inline unsigned char *fake_at_global(fake_thread *thread,
                                            uint64_t address, unsigned width,
                                            bool store) {
  const fake_memory *memory = thread->memory;
  const fake_range *range = &memory->range[address >> 32 & (FAKE_ENTRIES - 1)];
  uint64_t offset = 0;
  if (address >> 48 != memory->tag || range->size < width ||
      __builtin_sub_overflow(address, range->base, &offset) ||
      offset > range->size - width)
    return fake_at_fault(thread, CUDA_ERROR_ILLEGAL_ADDRESS);
  if ((address & (width - 1)) != 0)
    return fake_at_fault(thread, CUDA_ERROR_MISALIGNED_ADDRESS);
  unsigned char *written = &range->written[offset >> 3];
  const unsigned mask = ((1u << width) - 1) << (offset & 7);
  if (store)
    *written = (unsigned char)(*written | mask);
  else if ((*written & mask) != mask && !fake_unwritten(thread))
    return fake_at_fault(thread, CUDA_ERROR_ILLEGAL_ADDRESS);
  return range->bytes + offset;
}

static inline unsigned char *fake_at_private(fake_thread *thread,
                                             uint64_t address, unsigned width,
                                             bool store, unsigned kind) {
  const fake_ptx *ptx = thread->ptx;
  uint64_t each = 0; /* 1 for each byte */
  uint64_t all = 0;  /* what each one is */
  const size_t size = ptx->shadow.count;
  if (address < FAKE_PRIVATE || address - FAKE_PRIVATE >= size ||
      size - (address - FAKE_PRIVATE) < width)
    return fake_at_fault(thread, CUDA_ERROR_ILLEGAL_ADDRESS);
  const uint64_t offset = address - FAKE_PRIVATE;
  unsigned char *state = ptx->state + offset;
  memset(&each, 1, width);
  memcpy(&all, state, width);
  if ((all & each * kind) != each * kind)
    return fake_at_fault(thread, CUDA_ERROR_ILLEGAL_ADDRESS);
  if ((offset & (width - 1)) != 0)
    return fake_at_fault(thread, CUDA_ERROR_MISALIGNED_ADDRESS);
  if (store)
    memset(state, (int)(kind | FAKE_WRITTEN), width);
  else if ((all & each * FAKE_WRITTEN) != each * FAKE_WRITTEN &&
           !fake_unwritten(thread))
    return fake_at_fault(thread, CUDA_ERROR_ILLEGAL_ADDRESS);
  return ptx->bytes + offset;
}

static inline unsigned char *fake_at_generic(fake_thread *thread,
                                             uint64_t address, unsigned width,
                                             bool store) {
  if (address >= FAKE_WINDOW && address - FAKE_WINDOW < 1u << 30)
    return fake_at_private(thread, address - FAKE_WINDOW, width, store,
                           FAKE_LOCAL);
  return fake_at_global(thread, address, width, store);
}

#endif
