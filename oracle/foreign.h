/* poolproof: memory that libraries write.
 *
 * MemorySanitizer does not see what a library writes that was built without
 * it. What it alone writes counts as written; in other builds these do
 * nothing. SPDX-License-Identifier: MIT */
#ifndef PP_FOREIGN_H
#define PP_FOREIGN_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define PP_FOREIGN __attribute__((noinline))
#endif
#endif

/* Memory that a library asked for. Returns it; NULL is nothing. */
static inline void *pp_foreign(void *memory, size_t size) {
#ifdef PP_FOREIGN
  if (memory) __msan_unpoison(memory, size);
#endif
  (void)size;
  return memory;
}

/* The stack below, where the library's frames will be: before it is called,
 * and before a callback returns to it. */
#ifdef PP_FOREIGN
PP_FOREIGN static inline void pp_foreign_stack(void) {
  char below[1 << 20];
  __msan_unpoison(below, sizeof below);
}
#else
static inline void pp_foreign_stack(void) {}
#endif

#endif
