/* poolproof: sets of nodes by uid: a context's, and a device's constants.
 * SPDX-License-Identifier: MIT */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* The first entry whose uid is not below. */
static size_t place_of(const pp_entries *entries, uint64_t uid) {
  size_t low = 0;
  size_t high = entries->used;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (entries->entry[middle].uid < uid)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

pp_entry *pp_entry_find(const pp_entries *entries, uint64_t uid) {
  size_t i = place_of(entries, uid);
  return i < entries->used && entries->entry[i].uid == uid ? &entries->entry[i]
                                                           : NULL;
}

bool pp_entries_reserve(pp_entries *entries, size_t more) {
  if (more <= entries->room - entries->used) return true;
  if (more > SIZE_MAX / sizeof *entries->entry / 2 - entries->used)
    return false;
  size_t room = entries->used + more;
  if (entries->used > 0) room *= 2;
  pp_entry *entry = realloc(entries->entry, room * sizeof *entry);
  if (entry == NULL) return false;
  entries->entry = entry;
  entries->room = room;
  return true;
}

void pp_entry_insert(pp_entries *entries, const pp_entry *entry) {
  size_t i = place_of(entries, entry->uid);
  pp_entry *to = entries->entry + i;
  memmove(to + 1, to, (entries->used - i) * sizeof *to);
  *to = *entry;
  entries->used++;
}

bool pp_entry_matches(const pp_entry *entry, const pp_node *node) {
  if (entry->dtype != node->dtype || entry->rank != node->rank) return false;
  if (entry->constant != ((node->intents & PP_CONSTANT) != 0)) return false;
  for (unsigned d = 0; d < node->rank; d++)
    if (entry->dims[d] != node->dims[d]) return false;
  return true;
}
