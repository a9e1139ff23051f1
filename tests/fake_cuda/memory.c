/* poolproof: the fake driver's memory: blocks of the host's under addresses
 * that are none of the host's.  SPDX-License-Identifier: MIT */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

enum { UNIT = 256, FRESH = 0xff };

fake_block *fake_find(CUcontext context, uint64_t address, uint64_t bytes) {
  const size_t entry = address >> 32 & (FAKE_ENTRIES - 1);
  if (context->block == NULL || address >> 48 != context->memory.tag)
    return NULL;
  fake_block *block = context->block[entry];
  if (block == NULL || address < block->range.base) return NULL;
  const uint64_t offset = address - block->range.base;
  if (offset > block->range.size || bytes > block->range.size - offset)
    return NULL;
  return block;
}

unsigned char *fake_bytes(const fake_block *block, uint64_t address) {
  return block->range.bytes + (address - block->range.base);
}

static bool marked(const fake_block *block, uint64_t offset) {
  return (block->range.written[offset >> 3] >> (offset & 7) & 1) != 0;
}

static void set_mark(const fake_block *block, uint64_t offset, bool value) {
  unsigned char *byte = &block->range.written[offset >> 3];
  const unsigned bit = 1u << (offset & 7);
  *byte = (unsigned char)(value ? *byte | bit : *byte & ~bit);
}

void fake_mark(const fake_block *block, uint64_t address, uint64_t bytes) {
  uint64_t at = address - block->range.base;
  const uint64_t end = at + bytes;
  while (at < end && (at & 7) != 0)
    set_mark(block, at++, true);
  memset(block->range.written + (at >> 3), 0xff, (end - at) >> 3);
  for (at += (end - at) & ~7ull; at < end; at++)
    set_mark(block, at, true);
}

void fake_copy_marks(const fake_block *to, uint64_t to_address,
                     const fake_block *from, uint64_t from_address,
                     uint64_t bytes) {
  const uint64_t first = to_address - to->range.base;
  const uint64_t source = from_address - from->range.base;
  for (uint64_t b = 0; b < bytes; b++) {
    const uint64_t left = bytes - b;
    if (((first + b) & 7) == 0 && ((source + b) & 7) == 0 && left >= 8) {
      memcpy(to->range.written + ((first + b) >> 3),
             from->range.written + ((source + b) >> 3), left >> 3);
      b += (left & ~7ull) - 1;
    } else {
      set_mark(to, first + b, marked(from, source + b));
    }
  }
}

/* So many free entries in a row, searched for behind the last ones taken, so
 * that an address comes back late; FAKE_ENTRIES when there are none. */
static size_t free_entries(CUcontext context, size_t count) {
  size_t run = 0;
  for (size_t k = 0; k < 2 * (size_t)FAKE_ENTRIES; k++) {
    const size_t at = (context->next_entry + k) % FAKE_ENTRIES;
    if (at == 0) run = 0;
    run = context->block[at] == NULL ? run + 1 : 0;
    if (run == count) return at + 1 - count;
  }
  return FAKE_ENTRIES;
}

static bool make_table(CUcontext context) {
  if (context->block != NULL) return true;
  context->memory.range = calloc(FAKE_ENTRIES, sizeof(fake_range));
  context->block = calloc(FAKE_ENTRIES, sizeof(fake_block *));
  if (context->memory.range != NULL && context->block != NULL) return true;
  free(context->memory.range);
  free(context->block);
  context->memory.range = NULL;
  context->block = NULL;
  return false;
}

static void free_block(fake_block *block) {
  if (block == NULL) return;
  free(block->range.bytes);
  free(block->range.written);
  free(block);
}

static fake_block *make_block(size_t bytes) {
  fake_block *block = calloc(1, sizeof *block);
  if (block == NULL) return NULL;
  block->range.size = bytes;
  block->range.bytes = malloc(bytes);
  block->range.written = calloc(bytes / 8 + 1, 1);
  if (block->range.bytes == NULL || block->range.written == NULL) {
    free_block(block);
    return NULL;
  }
  memset(block->range.bytes, FRESH, bytes);
  return block;
}

/* Multiples of 256, and of no more than that. */
static int place_block(CUcontext context, fake_block *block) {
  const uint64_t low = UNIT * (2 * (context->next_entry % 8) + 1);
  block->entries = (size_t)((low + block->range.size - 1) >> 32) + 1;
  block->first = free_entries(context, block->entries);
  if (block->first == FAKE_ENTRIES) return CUDA_ERROR_OUT_OF_MEMORY;
  block->range.base =
      context->memory.tag << 48 | (uint64_t)block->first << 32 | low;
  size_t e = 0;
  do {
    context->block[block->first + e] = block;
    context->memory.range[block->first + e] = block->range;
  } while (++e < block->entries);
  context->next_entry = (block->first + block->entries) % FAKE_ENTRIES;
  context->used += block->range.size;
  return 0;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuMemAlloc_v2, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (address == NULL || bytes == 0) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (bytes > fake.memory - context->used || !make_table(context))
    return fake_end(CUDA_ERROR_OUT_OF_MEMORY);
  fake_block *block = make_block(bytes);
  if (block == NULL) return fake_end(CUDA_ERROR_OUT_OF_MEMORY);
  result = place_block(context, block);
  if (result != 0)
    free_block(block);
  else
    *address = block->range.base;
  return fake_end(result);
}

static void remove_block(CUcontext context, fake_block *block) {
  for (size_t e = 0; e < block->entries; e++) {
    context->block[block->first + e] = NULL;
    context->memory.range[block->first + e] = (fake_range){.size = 0};
  }
  context->used -= block->range.size;
  free_block(block);
}

/* Waits for the context's work. */
CUresult cuMemFree_v2(CUdeviceptr address) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuMemFree_v2, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  fake_block *block = fake_find(context, address, 0);
  if (block == NULL || block->range.base != address)
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  fake_run_context(context);
  if (context->lost == 0) remove_block(context, block);
  return fake_end(context->lost);
}

void fake_free_memory(CUcontext context) {
  for (size_t e = 0; context->block != NULL && e < FAKE_ENTRIES; e++)
    if (context->block[e] != NULL) remove_block(context, context->block[e]);
}
