/* poolproof: a library to preload that hides others: dlopen of a name in
 * HIDE_LIBRARIES (with colons) looks for a name that is not there.
 * SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *open_fn(const char *name, int flags);

static bool is_hidden(const char *name) {
  const char *list = getenv("HIDE_LIBRARIES");
  size_t length = strlen(name);
  while (list != NULL && *list != '\0') {
    size_t word = strcspn(list, ":");
    if (word == length && memcmp(list, name, length) == 0) return true;
    list += word + (list[word] == ':');
  }
  return false;
}

__attribute__((visibility("default"))) void *dlopen(const char *name,
                                                    int flags) {
  char hidden[256];
  void *symbol = dlsym(RTLD_NEXT, "dlopen");
  open_fn *real = NULL;
  memcpy((void *)&real, (void *)&symbol, sizeof symbol);
  if (name == NULL || !is_hidden(name)) return real(name, flags);
  (void)snprintf(hidden, sizeof hidden, "/nonexistent/%s", name);
  return real(hidden, flags);
}
