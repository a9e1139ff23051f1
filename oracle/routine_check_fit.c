/* poolproof: fits, held to the plain one (FPT-4).
 * SPDX-License-Identifier: MIT */
#include "routine_check_parts.h"

#include "plain_fit.h"

#include <inttypes.h>
#include <string.h>

/* One source to fit.
 * minimum, baseline  totals, once known */
typedef struct pp_fit_trial {
  pp_routine_trial *trial;
  const pp_lower_options *lower;
  pp_score_options score;
  uint64_t minimum, baseline;
} pp_fit_trial;

static bool same_relief(pp_relief a, pp_relief b) {
  return a.negative == b.negative && a.bytes == b.bytes;
}

/* NULL: they are the same. */
static const char *difference(const pp_flip *a, const pp_flip *b) {
  if (a->uid != b->uid || strcmp(a->label, b->label) != 0)
    return "another candidate is at its rank";
  if (a->cost != b->cost) return "another cost";
  if (!same_relief(a->solo, b->solo)) return "another solo relief";
  if (a->outcome != b->outcome) return "another outcome";
  if (!same_relief(a->marginal, b->marginal)) return "another marginal relief";
  return a->total != b->total ? "another total" : NULL;
}

static bool same_fitting(const pp_fit_trial *fit, const pp_fitting *is,
                         const pp_fitting *must) {
  pp_routine_trial *trial = fit->trial;
  if (is->flips != must->flips)
    return pp_trial_differs(trial, "fit: %zu candidates instead of %zu (FPT-4)",
                            is->flips, must->flips);
  for (size_t k = 0; k < is->flips; k++) {
    const char *what = difference(&is->flip[k], &must->flip[k]);
    if (what)
      return pp_trial_differs(trial,
                              "fit: flip %zu, %s: %s than a plain fit has "
                              "there for %s (FPT-4)",
                              k, is->flip[k].label, what, must->flip[k].label);
  }
  if (is->baseline.total == must->baseline.total &&
      is->final.total == must->final.total &&
      is->final.working == must->final.working &&
      is->final.nodes == must->final.nodes && is->within == must->within)
    return true;
  return pp_trial_differs(trial,
                          "fit: from %" PRIu64 " to %" PRIu64
                          " bytes, instead of from %" PRIu64 " to %" PRIu64
                          ", or wrong about being within (FPT-4)",
                          is->baseline.total, is->final.total,
                          must->baseline.total, must->final.total);
}

/* The reliefs of what was taken sum to what was saved. */
static bool check_sum(const pp_fit_trial *fit, const pp_fitting *fitting) {
  uint64_t sum = 0;
  for (size_t k = 0; k < fitting->flips; k++) {
    const pp_flip *flip = &fitting->flip[k];
    if (flip->outcome == PP_FLIP_JOINED)
      pp_count(fit->trial, PP_COUNT_JOINED, 1);
    if (flip->outcome == PP_FLIP_DROPPED)
      pp_count(fit->trial, PP_COUNT_DROPPED, 1);
    if (flip->outcome != PP_FLIP_TAKEN) continue;
    pp_count(fit->trial, PP_COUNT_FLIPS, 1);
    sum += flip->marginal.bytes;
    if (flip->marginal.negative)
      return pp_trial_differs(fit->trial, "fit: %s is taken at a loss (FPT-4)",
                              flip->label);
  }
  if (fitting->baseline.total - fitting->final.total == sum) return true;
  return pp_trial_differs(fit->trial,
                          "fit: the reliefs sum to %" PRIu64 ", not to %" PRIu64
                          " - %" PRIu64 " (FPT-4)",
                          sum, fitting->baseline.total, fitting->final.total);
}

/* Lowering with the fit's lineage gives its footprint, and is run. */
static bool check_lineage(const pp_fit_trial *fit, const pp_fitting *fitting,
                          bool runs) {
  pp_routine_trial *trial = fit->trial;
  pp_way way = {.name = "fitted", .lower = *fit->lower};
  pp_footprint footprint = {0};
  pp_failure failure;
  way.lower.lineage = fitting->lineage;
  way.link.cap = fit->score.cap;
  bool good = pp_way_lower(trial, &way) && pp_way_check_code(trial, &way);
  if (good) {
    pp_status status = pp_score_footprint(way.lowered[0]->routine, &fit->score,
                                          &footprint, &failure);
    good = pp_trial_fine(trial, status, &failure, way.name, "scoring");
  }
  if (good && footprint.total != fitting->final.total)
    good = pp_trial_differs(trial,
                            "fit: its lineage gives %" PRIu64
                            " bytes, it says %" PRIu64 " (FPT-4)",
                            footprint.total, fitting->final.total);
  if (good && runs && pp_code_work(way.lowered[0]->routine) <= PP_CODE_WORK)
    good = pp_way_interpret(trial, &way) && pp_way_run(trial, &way);
  pp_way_free(&way);
  return good;
}

/* One budget; *final: the total that was reached. */
static bool check_budget(pp_fit_trial *fit, const pp_budget *budget, bool runs,
                         uint64_t *final) {
  pp_routine_trial *trial = fit->trial;
  pp_fitting *is = NULL;
  pp_fitting *must = NULL;
  pp_failure failure;
  pp_status status =
      pp_fit(trial->source[0], fit->lower, &fit->score, budget, &is, &failure);
  if (!pp_trial_fine(trial, status, &failure, "fit", "fitting")) return false;
  status = pp_plain_fit(trial->source[0], fit->lower, &fit->score, budget,
                        &must, &failure);
  bool good = pp_trial_fine(trial, status, &failure, "fit", "a plain fit");
  pp_count(trial, PP_COUNT_FITS, good ? 1 : 0);
  good = good && same_fitting(fit, is, must) && check_sum(fit, is) &&
         check_lineage(fit, is, runs);
  *final = is->final.total;
  fit->baseline = is->baseline.total;
  pp_fitting_free(is);
  pp_fitting_free(must);
  return good;
}

static bool expect_total(const pp_fit_trial *fit, const char *budget,
                         uint64_t is, uint64_t must) {
  if (is == must) return true;
  return pp_trial_differs(fit->trial,
                          "fit: %s ends at %" PRIu64
                          " bytes, it must be %" PRIu64 " (FPT-4)",
                          budget, is, must);
}

/* The least, none, and two in between of which the tighter one is never
 * larger. */
static bool check_budgets(pp_fit_trial *fit) {
  pp_random *random = &fit->trial->random;
  pp_budget budget = {.kind = PP_BUDGET_MINIMISE};
  uint64_t loose = 0;
  uint64_t tight = 0;
  if (!check_budget(fit, &budget, false, &fit->minimum)) return false;
  budget.kind = PP_BUDGET_OFF;
  if (!check_budget(fit, &budget, false, &loose) ||
      !expect_total(fit, "no budget", loose, fit->baseline))
    return false;
  budget = (pp_budget){PP_BUDGET_BYTES, 1};
  if (!check_budget(fit, &budget, false, &tight) ||
      (fit->minimum > 0 && !expect_total(fit, "one byte", tight, fit->minimum)))
    return false;
  budget.bytes =
      fit->minimum + pp_random_below(random, fit->baseline - fit->minimum + 1);
  if (!check_budget(fit, &budget, !fit->trial->heavy, &loose)) return false;
  budget.bytes -= pp_random_below(random, budget.bytes - fit->minimum + 1);
  if (!check_budget(fit, &budget, false, &tight)) return false;
  if (tight <= loose) return true;
  return pp_trial_differs(fit->trial,
                          "fit: a tighter budget ends at %" PRIu64
                          " bytes, a looser one at %" PRIu64 " (FPT-4)",
                          tight, loose);
}

bool pp_check_fit(pp_routine_trial *trial, const pp_lower_options *lower) {
  pp_fit_trial fit = {.trial = trial,
                      .lower = lower,
                      .score = {.cap = trial->heavy ? UINT64_MAX : 0,
                                .alignment = pp_random_one_in(&trial->random, 2)
                                                 ? 1
                                                 : trial->alignment}};
  const pp_score_options off = {.no_reuse = true};
  const pp_budget budget = {.kind = PP_BUDGET_MINIMISE};
  pp_fitting *fitting = NULL;
  if (pp_fit(trial->source[0], lower, &off, &budget, &fitting, NULL) !=
      PP_BAD_ROUTINE) {
    pp_fitting_free(fitting);
    return pp_trial_differs(trial, "fit: not refused without reuse (FPT-4)");
  }
  return check_budgets(&fit);
}
