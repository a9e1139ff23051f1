/* Loaded before the C library (LD_PRELOAD): makes allocation number
 * PP_FAIL_AT fail and tells at the end, on descriptor PP_FAIL_FD, how many
 * there were and how many blocks were never given back. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static atomic_ulong calls;
static atomic_long live;
static unsigned long fail_at;

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("PP_FAIL_AT");
  atomic_store(&calls, 0);
  atomic_store(&live, 0);
  fail_at = text ? strtoul(text, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void) {
  const char *text = getenv("PP_FAIL_FD");
  char line[64];
  int n = snprintf(line, sizeof line, "%lu %ld\n", atomic_load(&calls),
                   atomic_load(&live));
  if (text && write(atoi(text), line, (size_t)n) < 0) _exit(99);
}

static bool refuse(void) {
  if (atomic_fetch_add(&calls, 1) + 1 != fail_at) return false;
  errno = ENOMEM;
  return true;
}

static void *count(void *memory) {
  if (memory) atomic_fetch_add(&live, 1);
  return memory;
}

void *malloc(size_t size) {
  return refuse() ? NULL : count(__libc_malloc(size));
}

void *calloc(size_t n, size_t size) {
  return refuse() ? NULL : count(__libc_calloc(n, size));
}

void *realloc(void *memory, size_t size) {
  if (refuse()) return NULL;
  void *moved = __libc_realloc(memory, size);
  return memory ? moved : count(moved);
}

void free(void *memory) {
  if (memory) atomic_fetch_sub(&live, 1);
  __libc_free(memory);
}
