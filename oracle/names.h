/* poolproof: a set of names, each with the index it stands for. */
#ifndef PP_NAMES_H
#define PP_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* A zeroed struct is an empty set. Names are borrowed: they outlive the set.
 * Lookups cost O(log n) comparisons. */
typedef struct pp_names {
  void *root;
} pp_names;

/* Adds name with *index unless it is there. *index becomes what name stands
 * for and *added tells whether it is new. False when memory is short. */
bool pp_names_add(pp_names *names, const char *name, size_t *index,
                  bool *added);

/* True and *index when name is in the set. */
bool pp_names_find(const pp_names *names, const char *name, size_t *index);

void pp_names_free(pp_names *names);

#endif
