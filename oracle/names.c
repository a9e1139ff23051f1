#include "names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

typedef struct pp_name {
  const char *name;
  size_t index;
} pp_name;

static int by_name(const void *a, const void *b) {
  return strcmp(((const pp_name *)a)->name, ((const pp_name *)b)->name);
}

bool pp_names_add(pp_names *names, const char *name, size_t *index,
                  bool *added) {
  pp_name *entry = malloc(sizeof *entry);
  if (!entry) return false;
  *entry = (pp_name){name, *index};
  pp_name **node = tsearch(entry, &names->root, by_name);
  *added = node && *node == entry;
  if (node) *index = (*node)->index;
  if (!*added) free(entry);
  return node != NULL;
}

bool pp_names_find(const pp_names *names, const char *name, size_t *index) {
  pp_name key = {name, 0};
  pp_name *const *node = tfind(&key, &names->root, by_name);
  if (node) *index = (*node)->index;
  return node != NULL;
}

void pp_names_free(pp_names *names) {
  tdestroy(names->root, free);
  names->root = NULL;
}
