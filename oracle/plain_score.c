/* poolproof: the footprint, read plainly off FPT-1 with the proved planners.
 * SPDX-License-Identifier: MIT */
#include "plain_score.h"

#include "ref/arena.h"
#include "ref/segments.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };
static const uint64_t CAP = UINT64_C(1) << 32;

/* One group of nodes as the planners take them, and room for their answers.
 * uid  of item i's node */
typedef struct pp_group {
  size_t n;
  pp_item *item;
  uint64_t *uid;
  size_t *segment, *order, *pos;
  uint64_t *offset, *bytes;
} pp_group;

static bool group_new(pp_group *group, size_t room) {
  *group = (pp_group){.item = calloc(room + 1, sizeof *group->item),
                      .uid = calloc(room + 1, sizeof *group->uid),
                      .segment = calloc(room + 1, sizeof *group->segment),
                      .order = calloc(room + 1, sizeof *group->order),
                      .pos = calloc(room + 1, sizeof *group->pos),
                      .offset = calloc(room + 1, sizeof *group->offset),
                      .bytes = calloc(room + 1, sizeof *group->bytes)};
  return group->item && group->uid && group->segment && group->order &&
         group->pos && group->offset && group->bytes;
}

static void group_free(pp_group *group) {
  free(group->item);
  free(group->uid);
  free(group->segment);
  free(group->order);
  free(group->pos);
  free(group->offset);
  free(group->bytes);
}

static uint64_t bytes_of(const pp_node *node) {
  static const uint64_t width[PP_DTYPE_COUNT] = {
#define PP_WIDTH(NAME, name, type, kind) sizeof(type),
      PP_DTYPES(PP_WIDTH)
#undef PP_WIDTH
  };
  uint64_t bytes = width[node->dtype];
  for (unsigned d = 0; d < node->rank; d++)
    if (node->dims[d] == 0) return 0;
  for (unsigned d = 0; d < node->rank; d++)
    bytes *= node->dims[d];
  return bytes;
}

/* The working nodes, or the constants, by uid. */
static void fill(pp_group *group, const pp_node *node, size_t n, bool constants,
                 uint64_t align, bool reuse, pp_footprint *footprint) {
  uint64_t least = 0;
  for (size_t taken = 0; taken < n; taken++) {
    const pp_node *next = NULL;
    for (size_t i = 0; i < n; i++) {
      bool constant = (node[i].intents & PP_CONSTANT) != 0;
      if ((node[i].intents & PP_MERGE) == 0 && constant == constants &&
          node[i].uid >= least && (!next || node[i].uid < next->uid))
        next = &node[i];
    }
    if (!next) return;
    bool shares = !constants && reuse && next->has_span;
    group->uid[group->n] = next->uid;
    group->item[group->n++] = (pp_item){.size = bytes_of(next),
                                        .align = align,
                                        .lo = next->lo,
                                        .hi = next->hi,
                                        .item_class = (uint32_t)next->dtype,
                                        .has_span = shares};
    footprint->nodes++;
    if (shares) footprint->planned++;
    if (next->uid == UINT64_MAX) return;
    least = next->uid + 1;
  }
}

static uint64_t saturated(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* SEG: *sum is all segments, and *past whether that is above 2^64 - 1. */
static pp_status add_segments(pp_group *group, uint64_t cap, uint64_t *sum,
                              bool *past, pp_failure *failure) {
  size_t segments = 0;
  size_t bad = 0;
  if (pp_ref_plan_pool_segments(group->item, group->n, cap, group->segment,
                                group->offset, group->bytes, &segments,
                                &bad) != PP_OK)
    return pp_fail_node(failure, PP_ITEM_OVER_CAP, group->uid[bad],
                        "uid %" PRIu64 " is larger than the cap",
                        group->uid[bad]);
  for (size_t k = 0; k < segments; k++) {
    if (group->bytes[k] > UINT64_MAX - *sum) *past = true;
    *sum = saturated(*sum, group->bytes[k]);
  }
  return PP_OK;
}

/* ARN where a node has a span and it fits, else SEG. */
static pp_status add_working(pp_group *group, uint64_t cap,
                             pp_footprint *footprint, bool *past,
                             pp_failure *failure) {
  size_t bad = 0;
  uint64_t total = 0;
  pp_status status =
      add_segments(group, cap, &footprint->dedicated, past, failure);
  if (status != PP_OK) return status;
  footprint->working = footprint->dedicated;
  if (footprint->planned == 0 ||
      pp_ref_plan_arena_offsets(group->item, group->n, cap, group->order,
                                group->pos, group->offset, &total,
                                &bad) != PP_OK)
    return PP_OK;
  footprint->arena = true;
  footprint->working = total;
  *past = false;
  return PP_OK;
}

/* An item over the cap is said before a sum that is too large. */
static pp_status add_up(pp_group *working, pp_group *constants, uint64_t cap,
                        pp_footprint *own, pp_failure *failure) {
  bool past = false;
  pp_status status = add_working(working, cap, own, &past, failure);
  if (status == PP_OK)
    status = add_segments(constants, cap, &own->constants, &past, failure);
  if (status != PP_OK) return status;
  if (past || own->working > UINT64_MAX - own->constants)
    return pp_fail(failure, PP_OVER_CAP, "the sum is above 2^64 - 1");
  own->total = own->working + own->constants;
  return PP_OK;
}

pp_status pp_plain_score_nodes(const pp_node *node, size_t n,
                               const pp_score_options *exactly,
                               pp_footprint *footprint, pp_failure *failure) {
  pp_group working;
  pp_group constants;
  pp_footprint own = {0};
  bool room = group_new(&working, n);
  room = group_new(&constants, n) && room;
  pp_status status = PP_NO_MEMORY;
  if (room) {
    fill(&working, node, n, false, exactly->alignment, !exactly->no_reuse,
         &own);
    fill(&constants, node, n, true, exactly->alignment, false, &own);
    status = add_up(&working, &constants, exactly->cap, &own, failure);
  } else {
    (void)pp_fail(failure, PP_NO_MEMORY, "out of memory");
  }
  group_free(&working);
  group_free(&constants);
  if (status == PP_OK) *footprint = own;
  return status;
}

pp_status pp_plain_score(const pp_routine *routine,
                         const pp_score_options *options,
                         pp_footprint *footprint, pp_failure *failure) {
  pp_score_options exactly = {0};
  if (options) exactly = *options;
  if (exactly.cap == 0) exactly.cap = CAP;
  if (exactly.alignment == 0) exactly.alignment = ALIGNMENT;
  return pp_plain_score_nodes(routine->node, routine->nodes, &exactly,
                              footprint, failure);
}
