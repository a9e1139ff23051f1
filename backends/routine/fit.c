/* poolproof: making a routine fit a budget (FPT-4).
 * SPDX-License-Identifier: MIT */
#include "footprint_nodes.h"
#include "lowering.h"

#include "planner/internal.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 pp_wide; /* a product of two words */

/* One candidate.
 * node   its index in the source
 * state  what the answer says of it */
typedef struct pp_candidate {
  size_t node;
  pp_flip state;
} pp_candidate;

typedef struct pp_fit_run {
  pp_lowering lowering;
  const pp_score_options *score;
  pp_fitting *fitting;
  bool *flip;           /* what is decided at the moment, by node */
  const pp_node **node; /* room for the nodes in context */
  size_t candidates;
  pp_candidate *candidate;
  pp_footprint now;
} pp_fit_run;

/* The nodes in context, by uid: those that only recalled statements read are
 * behind the source's. */
static size_t list_nodes(pp_fit_run *run) {
  const pp_lowering *lowering = &run->lowering;
  const pp_routine *source = lowering->source;
  size_t i = 0;
  size_t j = source->nodes;
  size_t n = 0;
  while (i < source->nodes || j < lowering->nodes) {
    size_t own = i < source->nodes ? source->order[i] : j;
    bool first =
        j == lowering->nodes ||
        (i < source->nodes && lowering->node[own].uid <= lowering->node[j].uid);
    size_t node = first ? own : j;
    *(first ? &i : &j) += 1;
    if (pp_in_context(lowering, node)) run->node[n++] = &lowering->node[node];
  }
  return n;
}

/* The footprint of the code as it is lowered now. */
static pp_status measure(pp_fit_run *run, pp_footprint *footprint) {
  run->fitting->scores++;
  return pp_footprint_of(run->node, list_nodes(run), run->score, footprint,
                         run->lowering.failure);
}

static pp_status score(pp_fit_run *run, pp_footprint *footprint) {
  pp_status status = pp_lowering_again(&run->lowering);
  return status == PP_OK ? measure(run, footprint) : status;
}

static pp_relief relief(uint64_t before, uint64_t after) {
  if (after > before) return (pp_relief){true, after - before};
  return (pp_relief){false, before - after};
}

/* The sign of x - y. */
static int compare_reliefs(pp_relief x, pp_relief y) {
  if (x.negative != y.negative) return x.negative ? -1 : 1;
  int sign = (x.bytes > y.bytes) - (x.bytes < y.bytes);
  return x.negative ? -sign : sign;
}

/* The sign of x / x_cost - y / y_cost, exactly. */
static int compare_ratios(pp_relief x, uint64_t x_cost, pp_relief y,
                          uint64_t y_cost) {
  if (x.negative != y.negative) return x.negative ? -1 : 1;
  pp_wide left = (pp_wide)x.bytes * y_cost;
  pp_wide right = (pp_wide)y.bytes * x_cost;
  int sign = (left > right) - (left < right);
  return x.negative ? -sign : sign;
}

static int by_rank(const void *a, const void *b) {
  const pp_flip *x = &((const pp_candidate *)a)->state;
  const pp_flip *y = &((const pp_candidate *)b)->state;
  int sign = compare_ratios(x->solo, x->cost, y->solo, y->cost);
  if (sign == 0) sign = compare_reliefs(x->solo, y->solo);
  if (sign != 0) return -sign;
  return x->uid < y->uid ? -1 : x->uid > y->uid;
}

static void find_candidates(pp_fit_run *run) {
  const pp_lowering *lowering = &run->lowering;
  for (size_t i = 0; i < lowering->source->nodes; i++) {
    const pp_fact *fact = &lowering->fact[i];
    const pp_node *node = &lowering->node[i];
    if (fact->placement != PP_MATERIALISED || fact->reason != PP_REASON_POLICY)
      continue;
    pp_candidate *fresh = &run->candidate[run->candidates++];
    *fresh = (pp_candidate){i, {.uid = node->uid, .cost = fact->cost}};
    memcpy(fresh->state.label, node->label, sizeof node->label);
  }
}

/* Each alone, from the baseline; then in the order in which they rank. */
static pp_status rank(pp_fit_run *run) {
  for (size_t k = 0; k < run->candidates; k++) {
    pp_candidate *candidate = &run->candidate[k];
    pp_footprint alone;
    run->flip[candidate->node] = true;
    pp_status status = score(run, &alone);
    run->flip[candidate->node] = false;
    if (status != PP_OK) return status;
    candidate->state.solo = relief(run->fitting->baseline.total, alone.total);
  }
  qsort(run->candidate, run->candidates, sizeof *run->candidate, by_rank);
  return PP_OK;
}

/* Flips all candidates before `end` that are held, or back; are there any? */
static bool flip_held(pp_fit_run *run, size_t end, bool flip) {
  bool any = false;
  for (size_t k = 0; k < end; k++) {
    const pp_candidate *candidate = &run->candidate[k];
    if (candidate->state.outcome != PP_FLIP_HELD) continue;
    run->flip[candidate->node] = flip;
    any = true;
  }
  return any;
}

static void take(pp_fit_run *run, size_t at, const pp_footprint *footprint) {
  run->candidate[at].state.outcome = PP_FLIP_TAKEN;
  run->now = *footprint;
}

/* Alone, and where that saves nothing with all held ones. */
static pp_status try(pp_fit_run *run, size_t at) {
  pp_candidate *candidate = &run->candidate[at];
  pp_footprint footprint;
  run->flip[candidate->node] = true;
  pp_status status = score(run, &footprint);
  bool saves = status == PP_OK && footprint.total < run->now.total;
  bool joint = status == PP_OK && !saves && flip_held(run, at, true);
  if (joint) status = score(run, &footprint);
  if (status != PP_OK) return status;
  candidate->state.marginal = relief(run->now.total, footprint.total);
  if (footprint.total < run->now.total) {
    for (size_t k = 0; joint && k < at; k++)
      if (run->candidate[k].state.outcome == PP_FLIP_HELD)
        run->candidate[k].state.outcome = PP_FLIP_JOINED;
    take(run, at, &footprint);
  } else {
    bool harms = footprint.total > run->now.total;
    (void)flip_held(run, at, false);
    run->flip[candidate->node] = false;
    candidate->state.outcome = harms ? PP_FLIP_DROPPED : PP_FLIP_HELD;
  }
  candidate->state.total = run->now.total;
  return PP_OK;
}

static bool met(const pp_fit_run *run, const pp_budget *budget) {
  return budget->kind == PP_BUDGET_OFF ||
         (budget->kind == PP_BUDGET_BYTES && run->now.total <= budget->bytes);
}

/* options' lineage with what was taken, which is what is flipped. */
static pp_status decide_taken(pp_fit_run *run) {
  const pp_lowering *lowering = &run->lowering;
  const pp_routine *source = lowering->source;
  uint64_t *uid = pp_scratch_new(NULL, source->nodes, sizeof *uid);
  size_t n = 0;
  if (!uid) return pp_lowering_no_memory(lowering);
  for (size_t i = 0; i < source->nodes; i++) {
    size_t node = source->order[i];
    if (run->flip[node]) uid[n++] = lowering->node[node].uid;
  }
  pp_status status =
      pp_lineage_inline(lowering->options.lineage, uid, n,
                        &run->fitting->lineage, lowering->failure);
  pp_scratch_free(NULL, uid);
  return status;
}

static pp_status search(pp_fit_run *run, const pp_budget *budget) {
  pp_fitting *fitting = run->fitting;
  pp_status status = pp_lowering_run(&run->lowering);
  if (status == PP_OK) status = measure(run, &fitting->baseline);
  if (status != PP_OK) return status;
  run->now = fitting->baseline;
  if (budget->kind != PP_BUDGET_OFF) {
    find_candidates(run);
    status = rank(run);
  }
  for (size_t k = 0; status == PP_OK && k < run->candidates; k++) {
    run->candidate[k].state.total = run->now.total;
    if (!met(run, budget)) status = try(run, k);
  }
  if (status != PP_OK) return status;
  fitting->final = run->now;
  fitting->within = budget->kind == PP_BUDGET_MINIMISE || met(run, budget);
  fitting->flips = run->candidates;
  for (size_t k = 0; k < run->candidates; k++)
    fitting->flip[k] = run->candidate[k].state;
  return decide_taken(run);
}

static pp_status make_room(pp_fit_run *run) {
  size_t nodes = run->lowering.nodes;
  run->flip = calloc(nodes + 1, sizeof *run->flip);
  run->node = pp_scratch_new(NULL, nodes, sizeof(const pp_node *));
  run->candidate = pp_scratch_new(NULL, nodes, sizeof *run->candidate);
  run->fitting->flip = calloc(nodes + 1, sizeof *run->fitting->flip);
  run->lowering.flip = run->flip;
  if (run->flip && run->node && run->candidate && run->fitting->flip)
    return PP_OK;
  return pp_lowering_no_memory(&run->lowering);
}

pp_status pp_fit(const pp_routine *source, const pp_lower_options *options,
                 const pp_score_options *score, const pp_budget *budget,
                 pp_fitting **fitting, pp_failure *failure) {
  pp_fit_run run = {.score = score};
  if (score && score->no_reuse)
    return pp_fail(failure, PP_BAD_ROUTINE,
                   "a budget needs reuse: without it nothing shares bytes "
                   "(FPT-4)");
  run.fitting = calloc(1, sizeof *run.fitting);
  if (!run.fitting)
    return pp_fail(failure, PP_NO_MEMORY, "no memory to fit the routine");
  pp_status status = pp_lowering_open(&run.lowering, source, options, failure);
  if (status == PP_OK) status = make_room(&run);
  if (status == PP_OK) status = search(&run, budget);
  pp_lowering_close(&run.lowering);
  free(run.flip);
  pp_scratch_free(NULL, (void *)run.node);
  free(run.candidate);
  if (status == PP_OK)
    *fitting = run.fitting;
  else
    pp_fitting_free(run.fitting);
  return status;
}

void pp_fitting_free(pp_fitting *fitting) {
  if (!fitting) return;
  pp_lineage_free(fitting->lineage);
  free(fitting->flip);
  free(fitting);
}
