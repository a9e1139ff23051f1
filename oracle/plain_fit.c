/* poolproof: fitting a budget, read plainly off FPT-4.
 * SPDX-License-Identifier: MIT */
#include "plain_fit.h"

#include "plain_score.h"
#include "ref/budget.h"

#include <stdlib.h>
#include <string.h>

/* flipped[k]: candidate k is virtual in the lowering to come. */
typedef struct pp_plain_run {
  const pp_routine *source;
  const pp_lower_options *options;
  const pp_score_options *score;
  pp_fitting *fitting;
  bool *flipped;
  pp_failure *failure;
} pp_plain_run;

/* options' lineage with all flips as they are now; the caller's to free. */
static pp_status flipped_lineage(const pp_plain_run *run,
                                 pp_lineage **lineage) {
  const pp_lineage *given = run->options ? run->options->lineage : NULL;
  pp_lineage *own =
      given ? pp_lineage_hold((pp_lineage *)given) : pp_lineage_new();
  if (!own) return pp_fail(run->failure, PP_NO_MEMORY, "out of memory");
  for (size_t k = 0; k < run->fitting->flips; k++) {
    pp_lineage *fork = NULL;
    if (!run->flipped[k]) continue;
    pp_status status =
        pp_decide_inline(own, run->fitting->flip[k].uid, &fork, run->failure);
    pp_lineage_free(own);
    if (status != PP_OK) return status;
    own = fork;
  }
  *lineage = own;
  return PP_OK;
}

static pp_status score(const pp_plain_run *run, pp_footprint *footprint) {
  pp_lower_options options = {0};
  pp_lineage *lineage = NULL;
  pp_lowered *lowered = NULL;
  if (run->options) options = *run->options;
  pp_status status = flipped_lineage(run, &lineage);
  if (status != PP_OK) return status;
  options.lineage = lineage;
  status = pp_lower(run->source, &options, &lowered, run->failure);
  if (status == PP_OK)
    status =
        pp_plain_score(lowered->routine, run->score, footprint, run->failure);
  if (lowered) pp_lowered_free(lowered);
  pp_lineage_free(lineage);
  return status;
}

static pp_relief relief(uint64_t before, uint64_t after) {
  pp_relief saved = {.negative = after > before};
  saved.bytes = saved.negative ? after - before : before - after;
  return saved;
}

static bool ranks_before(const pp_flip *a, const pp_flip *b) {
  const pp_ref_rank x = {{a->solo.negative, a->solo.bytes}, a->cost, a->uid};
  const pp_ref_rank y = {{b->solo.negative, b->solo.bytes}, b->cost, b->uid};
  return pp_ref_ranks_before(&x, &y);
}

/* Each flip alone; then in the order in which they rank. */
static pp_status rank(pp_plain_run *run) {
  pp_fitting *fitting = run->fitting;
  for (size_t k = 0; k < fitting->flips; k++) {
    pp_footprint alone;
    run->flipped[k] = true;
    pp_status status = score(run, &alone);
    run->flipped[k] = false;
    if (status != PP_OK) return status;
    fitting->flip[k].solo = relief(fitting->baseline.total, alone.total);
  }
  for (size_t k = 0; k < fitting->flips; k++)
    for (size_t j = k + 1; j < fitting->flips; j++)
      if (ranks_before(&fitting->flip[j], &fitting->flip[k])) {
        pp_flip first = fitting->flip[j];
        fitting->flip[j] = fitting->flip[k];
        fitting->flip[k] = first;
      }
  return PP_OK;
}

static void flip_held(pp_plain_run *run, bool flipped) {
  for (size_t k = 0; k < run->fitting->flips; k++)
    if (run->fitting->flip[k].outcome == PP_FLIP_HELD)
      run->flipped[k] = flipped;
}

static void commit(pp_plain_run *run, size_t at, bool group) {
  pp_fitting *fitting = run->fitting;
  for (size_t k = 0; group && k < at; k++)
    if (fitting->flip[k].outcome == PP_FLIP_HELD)
      fitting->flip[k].outcome = PP_FLIP_JOINED;
  fitting->flip[at].outcome = PP_FLIP_TAKEN;
}

static pp_status try_flip(pp_plain_run *run, size_t at) {
  pp_footprint *now = &run->fitting->final;
  pp_flip *flip = &run->fitting->flip[at];
  pp_footprint then;
  run->flipped[at] = true;
  pp_status status = score(run, &then);
  bool group = status == PP_OK && then.total >= now->total;
  if (group) {
    flip_held(run, true);
    status = score(run, &then);
  }
  if (status != PP_OK) return status;
  flip->marginal = relief(now->total, then.total);
  if (then.total < now->total) {
    commit(run, at, group);
    *now = then;
  } else {
    flip->outcome = then.total > now->total ? PP_FLIP_DROPPED : PP_FLIP_HELD;
    flip_held(run, false);
    run->flipped[at] = false;
  }
  return PP_OK;
}

static bool met(const pp_fitting *fitting, const pp_budget *budget) {
  if (budget->kind == PP_BUDGET_MINIMISE) return false;
  return budget->kind == PP_BUDGET_OFF || fitting->final.total <= budget->bytes;
}

static pp_status search(pp_plain_run *run, const pp_budget *budget) {
  pp_fitting *fitting = run->fitting;
  pp_status status = rank(run);
  for (size_t k = 0; status == PP_OK && k < fitting->flips; k++) {
    if (!met(fitting, budget)) status = try_flip(run, k);
    fitting->flip[k].total = fitting->final.total;
  }
  fitting->within = budget->kind == PP_BUDGET_MINIMISE || met(fitting, budget);
  if (status == PP_OK) status = flipped_lineage(run, &fitting->lineage);
  return status;
}

/* What policy materialised; without a budget nothing is asked. */
static pp_status find_candidates(pp_plain_run *run, const pp_budget *budget) {
  pp_lowered *surface = NULL;
  pp_fitting *fitting = run->fitting;
  pp_status status =
      pp_decision_surface(run->source, run->options, &surface, run->failure);
  if (status != PP_OK) return status;
  fitting->flip = calloc(surface->candidates + 1, sizeof *fitting->flip);
  run->flipped = calloc(surface->candidates + 1, sizeof *run->flipped);
  for (size_t k = 0; fitting->flip && k < surface->candidates; k++) {
    const pp_placed *placed = &surface->candidate[k];
    if (placed->placement != PP_MATERIALISED || budget->kind == PP_BUDGET_OFF)
      continue;
    pp_flip *flip = &fitting->flip[fitting->flips++];
    *flip = (pp_flip){.uid = placed->uid, .cost = placed->cost};
    memcpy(flip->label, placed->label, sizeof flip->label);
  }
  pp_lowered_free(surface);
  if (fitting->flip && run->flipped) return PP_OK;
  return pp_fail(run->failure, PP_NO_MEMORY, "out of memory");
}

pp_status pp_plain_fit(const pp_routine *source,
                       const pp_lower_options *options,
                       const pp_score_options *score_options,
                       const pp_budget *budget, pp_fitting **fitting,
                       pp_failure *failure) {
  pp_plain_run run = {.source = source,
                      .options = options,
                      .score = score_options,
                      .fitting = calloc(1, sizeof *run.fitting),
                      .failure = failure};
  if (!run.fitting) return pp_fail(failure, PP_NO_MEMORY, "out of memory");
  pp_status status = find_candidates(&run, budget);
  if (status == PP_OK) status = score(&run, &run.fitting->baseline);
  if (status == PP_OK) {
    run.fitting->final = run.fitting->baseline;
    status = search(&run, budget);
  }
  free(run.flipped);
  if (status == PP_OK)
    *fitting = run.fitting;
  else
    pp_fitting_free(run.fitting);
  return status;
}
