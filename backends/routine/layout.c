#include "layout.h"

#include "planner/internal.h"

#include <inttypes.h>
#include <string.h>

bool pp_layout_open(pp_layout *layout, size_t n) {
  *layout =
      (pp_layout){.node = pp_scratch_new(NULL, n, sizeof(const pp_node *)),
                  .item = pp_scratch_new(NULL, n, sizeof *layout->item),
                  .segment = pp_scratch_new(NULL, n, sizeof *layout->segment),
                  .offset = pp_scratch_new(NULL, n, sizeof *layout->offset),
                  .bytes = pp_scratch_new(NULL, n, sizeof *layout->bytes)};
  return layout->node && layout->item && layout->segment && layout->offset &&
         layout->bytes;
}

void pp_layout_close(pp_layout *layout) {
  pp_scratch_free(NULL, (void *)layout->node);
  pp_scratch_free(NULL, layout->item);
  pp_scratch_free(NULL, layout->segment);
  pp_scratch_free(NULL, layout->offset);
  pp_scratch_free(NULL, layout->bytes);
}

void pp_layout_add(pp_layout *layout, const pp_node *node, uint64_t align,
                   bool reuse) {
  layout->node[layout->n] = node;
  layout->item[layout->n++] = (pp_item){.size = pp_node_bytes(node),
                                        .align = align,
                                        .lo = node->lo,
                                        .hi = node->hi,
                                        .item_class = (uint32_t)node->dtype,
                                        .has_span = node->has_span && reuse};
}

pp_status pp_layout_segments(pp_layout *layout, uint64_t cap,
                             pp_failure *failure) {
  const pp_plan_options options = {.cap = cap};
  pp_error error;
  layout->arena = false;
  pp_status status =
      pp_segments_plan(layout->item, layout->n, &options, layout->segment,
                       layout->offset, layout->bytes, &layout->pools, &error);
  if (status != PP_ITEM_OVER_CAP) return status;
  const pp_node *node = layout->node[error.index];
  return pp_fail_node(failure, status, node->uid,
                      "node %s (uid %" PRIu64 ") has %" PRIu64
                      " bytes, a pool holds %" PRIu64 " at most (SEG-5)",
                      node->label, node->uid, error.item.size, cap);
}

pp_status pp_layout_plan(pp_layout *layout, uint64_t cap, pp_failure *failure) {
  const pp_plan_options options = {.cap = cap};
  bool spans = false;
  for (size_t i = 0; i < layout->n; i++)
    if (layout->item[i].has_span) spans = true;
  pp_status status = PP_OVER_CAP;
  if (spans)
    status = pp_arena_plan(layout->item, layout->n, &options, layout->offset,
                           layout->bytes, NULL);
  if (status == PP_OVER_CAP) return pp_layout_segments(layout, cap, failure);
  if (status != PP_OK)
    return pp_fail(failure, status, "no memory to lay nodes out");
  layout->arena = true;
  layout->pools = 1;
  memset(layout->segment, 0, layout->n * sizeof *layout->segment);
  return PP_OK;
}
