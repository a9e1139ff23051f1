#include "counter.h"

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define PP_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define PP_SANITIZED 1
#endif
#endif
#ifndef PP_SANITIZED
#define PP_SANITIZED 0
#endif

enum { ROOM = 1 << 16 };

static void *from_block(pp_counter *counter, size_t bytes) {
  if (PP_SANITIZED) return NULL;
  if (!counter->block) {
    counter->block = malloc(ROOM);
    counter->room = counter->block ? ROOM : 0;
  }
  if (bytes > counter->room) return NULL;
  size_t step = (bytes + (bytes == 0) + 15) / 16 * 16;
  if (step > counter->room - counter->used) return NULL;
  void *memory = counter->block + counter->used;
  counter->used += step;
  return memory;
}

static void *counter_alloc(void *state, size_t bytes) {
  pp_counter *counter = state;
  counter->calls++;
  counter->bytes =
      bytes > SIZE_MAX - counter->bytes ? SIZE_MAX : counter->bytes + bytes;
  if (counter->calls == counter->fail_at) return NULL;
  void *memory = from_block(counter, bytes);
  if (!memory) memory = malloc(bytes > 0 ? bytes : 1);
  if (memory)
    counter->live++;
  else
    counter->empty = true;
  return memory;
}

static void counter_release(void *state, void *memory) {
  pp_counter *counter = state;
  counter->live--;
  uintptr_t at = (uintptr_t)memory;
  uintptr_t block = (uintptr_t)counter->block;
  if (!counter->block || at < block || at - block >= counter->room)
    free(memory);
  if (counter->live == 0) counter->used = 0;
}

pp_allocator pp_counter_allocator(pp_counter *counter) {
  return (pp_allocator){counter_alloc, counter_release, counter};
}

void pp_counter_start(pp_counter *counter, size_t fail_at) {
  counter->calls = 0;
  counter->bytes = 0;
  counter->fail_at = fail_at;
}

bool pp_counter_failed(const pp_counter *counter) {
  return counter->fail_at > 0 && counter->calls >= counter->fail_at;
}

void pp_counter_close(pp_counter *counter) {
  free(counter->block);
  *counter = (pp_counter){0};
}
