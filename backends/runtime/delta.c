/* poolproof: the layout of a link's new nodes (CTX-2, CTX-4).
 * SPDX-License-Identifier: MIT */
#include "internal.h"

#include <poolproof/planner.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool pp_delta_open(pp_delta *delta, size_t n) {
  memset(delta, 0, sizeof *delta);
  if (n == 0) return true;
  delta->entry = calloc(n, sizeof *delta->entry);
  delta->node = calloc(n, sizeof(const pp_node *));
  delta->item = calloc(n, sizeof *delta->item);
  delta->segment = calloc(n, sizeof *delta->segment);
  delta->offset = calloc(n, sizeof *delta->offset);
  delta->bytes = calloc(n, sizeof *delta->bytes);
  return delta->entry != NULL && delta->node != NULL && delta->item != NULL &&
         delta->segment != NULL && delta->offset != NULL &&
         delta->bytes != NULL;
}

void pp_delta_close(pp_delta *delta) {
  free(delta->entry);
  free(delta->node);
  free(delta->item);
  free(delta->segment);
  free(delta->offset);
  free(delta->bytes);
}

void pp_delta_add(pp_delta *delta, const pp_node *node, uint64_t align,
                  bool reuse) {
  size_t i = delta->n++;
  uint64_t bytes = pp_node_bytes(node);
  pp_entry *entry = &delta->entry[i];
  *entry = (pp_entry){.uid = node->uid,
                      .bytes = bytes,
                      .rank = node->rank,
                      .dtype = node->dtype,
                      .constant = (node->intents & PP_CONSTANT) != 0};
  memcpy(entry->dims, node->dims, sizeof entry->dims);
  delta->node[i] = node;
  delta->item[i] = (pp_item){.size = bytes,
                             .align = align,
                             .lo = node->lo,
                             .hi = node->hi,
                             .item_class = (uint32_t)node->dtype,
                             .has_span = node->has_span && reuse};
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
  pp_extent *extent = calloc(delta->n, sizeof *extent);
  if (extent == NULL) return false;
  size_t n = 0;
  for (size_t i = 0; i < delta->n; i++) {
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

static bool any_span(const pp_delta *delta) {
  for (size_t i = 0; i < delta->n; i++)
    if (delta->item[i].has_span) return true;
  return false;
}

static pp_status plan_segments(pp_delta *delta, uint64_t cap,
                               pp_failure *failure) {
  const pp_plan_options options = {.cap = cap};
  pp_error error;
  pp_status status =
      pp_segments_plan(delta->item, delta->n, &options, delta->segment,
                       delta->offset, delta->bytes, &delta->pools, &error);
  if (status != PP_ITEM_OVER_CAP) return status;
  const pp_entry *entry = &delta->entry[error.index];
  return pp_fail_node(failure, status, entry->uid,
                      "node %s (uid %" PRIu64 ") has %" PRIu64
                      " bytes, a pool holds %" PRIu64 " at most (SEG-5)",
                      delta->node[error.index]->label, entry->uid, entry->bytes,
                      cap);
}

pp_status pp_delta_plan(pp_delta *delta, uint64_t cap, pp_failure *failure) {
  if (delta->n == 0) return PP_OK;
  bool arena = any_span(delta);
  pp_status status = PP_OK;
  if (arena) {
    const pp_plan_options options = {.cap = cap};
    delta->pools = 1;
    status = pp_arena_plan(delta->item, delta->n, &options, delta->offset,
                           &delta->bytes[0], NULL);
    if (status == PP_OVER_CAP) arena = false;
  }
  if (!arena) status = plan_segments(delta, cap, failure);
  if (status == PP_ITEM_OVER_CAP) return status;
  for (size_t i = 0; i < delta->n && status == PP_OK; i++)
    delta->entry[i].at =
        (pp_location){arena ? 0 : delta->segment[i], delta->offset[i]};
  if (status == PP_OK && arena && !find_shared(delta)) status = PP_NO_MEMORY;
  if (status != PP_OK) pp_fail(failure, status, "out of memory");
  return status;
}
