/* poolproof: the bytes that a routine needs (FPT-1).
 * SPDX-License-Identifier: MIT */
#include "footprint_nodes.h"

#include "layout.h"

#include "planner/internal.h"

enum { USUAL_ALIGNMENT = 64 };

typedef struct pp_scoring {
  pp_layout working;
  pp_layout constant;
  uint64_t cap;
  pp_failure *failure;
} pp_scoring;

static pp_status no_memory(pp_failure *failure) {
  return pp_fail(failure, PP_NO_MEMORY, "no memory to score the routine");
}

/* *sum += the pools' bytes. */
static bool add_pools(const pp_layout *layout, uint64_t *sum) {
  for (size_t k = 0; k < layout->pools; k++)
    if (__builtin_add_overflow(*sum, layout->bytes[k], sum)) return false;
  return true;
}

static pp_status measure(pp_scoring *scoring, pp_footprint *footprint) {
  pp_layout *working = &scoring->working;
  pp_layout *constant = &scoring->constant;
  pp_failure *failure = scoring->failure;
  pp_status status = pp_layout_plan(working, scoring->cap, failure);
  if (status != PP_OK) return status;
  bool fits = add_pools(working, &footprint->working);
  footprint->arena = working->arena;
  status = pp_layout_segments(working, scoring->cap, failure);
  if (status != PP_OK) return status;
  if (!add_pools(working, &footprint->dedicated))
    footprint->dedicated = UINT64_MAX;
  status = pp_layout_segments(constant, scoring->cap, failure);
  if (status != PP_OK) return status;
  fits = fits && add_pools(constant, &footprint->constants) &&
         !__builtin_add_overflow(footprint->working, footprint->constants,
                                 &footprint->total);
  if (fits) return PP_OK;
  return pp_fail(failure, PP_OVER_CAP,
                 "the routine needs more than 2^64 - 1 bytes (ARN-4)");
}

static void sort_out(pp_scoring *scoring, const pp_node *const *node, size_t n,
                     const pp_score_options *options, pp_footprint *footprint) {
  uint64_t align =
      options->alignment > 0 ? options->alignment : USUAL_ALIGNMENT;
  for (size_t i = 0; i < n; i++) {
    if ((node[i]->intents & PP_MERGE) != 0) continue;
    bool constant = (node[i]->intents & PP_CONSTANT) != 0;
    bool reuse = !constant && !options->no_reuse;
    pp_layout_add(constant ? &scoring->constant : &scoring->working, node[i],
                  align, reuse);
    footprint->nodes++;
    if (node[i]->has_span && reuse) footprint->planned++;
  }
}

pp_status pp_footprint_of(const pp_node *const *node, size_t n,
                          const pp_score_options *options,
                          pp_footprint *footprint, pp_failure *failure) {
  const pp_score_options defaults = {0};
  if (!options) options = &defaults;
  pp_scoring scoring = {.cap = options->cap > 0 ? options->cap : PP_CAP_USUAL,
                        .failure = failure};
  pp_footprint own = {0};
  bool room = pp_layout_open(&scoring.working, n);
  room = pp_layout_open(&scoring.constant, n) && room;
  pp_status status = PP_NO_MEMORY;
  if (room) {
    sort_out(&scoring, node, n, options, &own);
    status = measure(&scoring, &own);
  } else {
    (void)no_memory(failure);
  }
  pp_layout_close(&scoring.working);
  pp_layout_close(&scoring.constant);
  if (status == PP_OK) *footprint = own;
  return status;
}

pp_status pp_score_footprint(const pp_routine *routine,
                             const pp_score_options *options,
                             pp_footprint *footprint, pp_failure *failure) {
  if (!routine->code)
    return pp_fail(failure, PP_BAD_ROUTINE, "routine %s is not sealed",
                   routine->name);
  const pp_node **node =
      pp_scratch_new(NULL, routine->nodes, sizeof(const pp_node *));
  if (!node) return no_memory(failure);
  for (size_t i = 0; i < routine->nodes; i++)
    node[i] = &routine->node[routine->order[i]];
  pp_status status =
      pp_footprint_of(node, routine->nodes, options, footprint, failure);
  pp_scratch_free(NULL, (void *)node);
  return status;
}
