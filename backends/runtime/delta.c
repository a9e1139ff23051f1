/* poolproof: the layout of a link's new nodes (CTX-2, CTX-4).
 * SPDX-License-Identifier: MIT */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

bool pp_delta_open(pp_delta *delta, size_t n) {
  bool room = pp_layout_open(&delta->layout, n);
  delta->entry = calloc(n + 1, sizeof *delta->entry);
  return room && delta->entry != NULL;
}

void pp_delta_close(pp_delta *delta) {
  free(delta->entry);
  pp_layout_close(&delta->layout);
}

void pp_delta_add(pp_delta *delta, const pp_node *node, uint64_t align,
                  bool reuse) {
  pp_entry *entry = &delta->entry[delta->layout.n];
  *entry = (pp_entry){.uid = node->uid,
                      .bytes = pp_node_bytes(node),
                      .rank = node->rank,
                      .dtype = node->dtype,
                      .constant = (node->intents & PP_CONSTANT) != 0};
  memcpy(entry->dims, node->dims, sizeof entry->dims);
  pp_layout_add(&delta->layout, node, align, reuse);
}

/* A node's bytes [lo, hi) in the arena. */
typedef struct pp_extent {
  uint64_t lo, hi;
  pp_entry *entry;
} pp_extent;

static int by_offset(const void *a, const void *b) {
  const pp_extent *x = a;
  const pp_extent *y = b;
  return (x->lo > y->lo) - (x->lo < y->lo);
}

/* CTX-4: by offset, a node meets an earlier one when it begins before the
 * greatest end so far, and a later one when the next begins before its end. */
static bool find_shared(pp_delta *delta) {
  size_t nodes = delta->layout.n;
  pp_extent *extent = calloc(nodes + 1, sizeof *extent);
  if (extent == NULL) return false;
  size_t n = 0;
  for (size_t i = 0; i < nodes; i++) {
    pp_entry *entry = &delta->entry[i];
    uint64_t lo = entry->at.offset;
    if (entry->bytes > 0)
      extent[n++] = (pp_extent){lo, lo + entry->bytes, entry};
  }
  qsort(extent, n, sizeof *extent, by_offset);
  uint64_t end = 0;
  for (size_t i = 0; i < n; i++) {
    if (extent[i].lo < end || (i + 1 < n && extent[i + 1].lo < extent[i].hi))
      extent[i].entry->shared = true;
    if (extent[i].hi > end) end = extent[i].hi;
  }
  free(extent);
  return true;
}

pp_status pp_delta_plan(pp_delta *delta, uint64_t cap, pp_failure *failure) {
  pp_layout *layout = &delta->layout;
  if (layout->n == 0) return PP_OK;
  pp_status status = pp_layout_plan(layout, cap, failure);
  if (status != PP_OK) return status;
  for (size_t i = 0; i < layout->n; i++)
    delta->entry[i].at = (pp_location){layout->segment[i], layout->offset[i]};
  if (layout->arena && !find_shared(delta))
    return pp_fail(failure, PP_NO_MEMORY, "out of memory");
  return PP_OK;
}
