#include "internal.h"

#include <stdlib.h>

void *pp_scratch_new(const pp_allocator *allocator, size_t count,
                     size_t bytes) {
  size_t size = 0;
  if (__builtin_mul_overflow(count, bytes, &size)) return NULL;
  if (size == 0) size = 1;
  return allocator ? allocator->alloc(allocator->state, size) : malloc(size);
}

void pp_scratch_free(const pp_allocator *allocator, void *memory) {
  if (!memory) return;
  if (allocator)
    allocator->release(allocator->state, memory);
  else
    free(memory);
}
