/* poolproof-backend: cc multidev_cc opencl cuda
 *
 * The training step of corpus/routines/mlp-training.ppr (RTN, FPT): reuse and
 * sinking shrink it, budgets are kept and never lost by tightening them, and
 * six steps under each budget leave, on each backend of this processor, the
 * losses and weights that the interpreter computes; under the tightest one on
 * each that is here. One argument: the file.
 * SPDX-License-Identifier: MIT */
#include "common.h"

#include <poolproof/footprint.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "here.h"
#include "run_routine.h"
#include "source.h"

enum { STEPS = 6, SEED = 1, TOTALS = 64, ALIGNMENT = 64 };

static const pp_routine *source;

static pp_routine *read_source(const char *path) {
  size_t size = 0;
  pp_diag diag = {0};
  pp_routine *routine = NULL;
  pp_failure why;
  char *text = pp_source_text(path, SIZE_MAX, &size, &diag);
  if (!text) pp_die("%s", diag.text);
  if (pp_routine_parse(text, size, &routine, &why) != PP_OK)
    pp_die("%s", why.text);
  free(text);
  return routine;
}

static uint64_t total(bool no_reuse, bool no_sinking) {
  const pp_lower_options how = {.no_sinking = no_sinking};
  const pp_score_options score = {.no_reuse = no_reuse};
  pp_lowered *lowered = NULL;
  pp_footprint footprint;
  pp_failure why;
  if (pp_lower(source, &how, &lowered, &why) != PP_OK ||
      pp_score_footprint(lowered->routine, &score, &footprint, &why) != PP_OK)
    pp_die("%s", why.text);
  pp_lowered_free(lowered);
  return footprint.total;
}

static pp_fitting *fit(pp_budget_kind kind, uint64_t bytes) {
  const pp_budget budget = {kind, bytes};
  pp_fitting *fitting = NULL;
  pp_failure why;
  if (pp_fit(source, NULL, NULL, &budget, &fitting, &why) != PP_OK)
    pp_die("%s", why.text);
  return fitting;
}

static size_t taken(const pp_fitting *fitting) {
  size_t flips = 0;
  for (size_t k = 0; k < fitting->flips; k++)
    if (fitting->flip[k].outcome == PP_FLIP_TAKEN) flips++;
  return flips;
}

/* Reliefs of the flips sum to baseline - final. */
static void check_sum(const pp_fitting *fitting) {
  uint64_t sum = 0;
  for (size_t k = 0; k < fitting->flips; k++) {
    const pp_flip *flip = &fitting->flip[k];
    if (flip->outcome != PP_FLIP_TAKEN) continue;
    if (flip->marginal.negative) pp_die("%s costs bytes", flip->label);
    sum += flip->marginal.bytes;
  }
  if (sum != fitting->baseline.total - fitting->final.total)
    pp_die("the reliefs sum to %" PRIu64 ", not %" PRIu64 " - %" PRIu64, sum,
           fitting->baseline.total, fitting->final.total);
}

static void check_budget(uint64_t bytes, uint64_t least, uint64_t *before) {
  pp_fitting *fitting = fit(PP_BUDGET_BYTES, bytes);
  check_sum(fitting);
  if (fitting->within != (fitting->final.total <= bytes))
    pp_die("%" PRIu64 " bytes: within is wrong", bytes);
  if (!fitting->within && fitting->final.total != least)
    pp_die("%" PRIu64 " bytes: not within, and not the least", bytes);
  if (fitting->final.total > *before)
    pp_die("%" PRIu64 " bytes: tighter, and larger", bytes);
  if (bytes >= fitting->baseline.total && taken(fitting) > 0)
    pp_die("%" PRIu64 " bytes: the baseline fits, and flips were taken", bytes);
  *before = fitting->final.total;
  pp_fitting_free(fitting);
}

/* All totals on the way from the baseline to the least. */
static size_t list_totals(uint64_t *totals) {
  pp_fitting *fitting = fit(PP_BUDGET_MINIMISE, 0);
  check_sum(fitting);
  size_t n = 0;
  totals[n++] = fitting->baseline.total;
  for (size_t k = 0; k < fitting->flips; k++)
    if (fitting->flip[k].outcome == PP_FLIP_TAKEN && n < TOTALS)
      totals[n++] = fitting->flip[k].total;
  if (!fitting->within || n < 3 || totals[n - 1] != fitting->final.total)
    pp_die("minimise takes %zu flips only", n - 1);
  pp_fitting_free(fitting);
  return n;
}

static void check_budgets(const uint64_t *totals, size_t n) {
  uint64_t before = UINT64_MAX;
  for (size_t k = 0; k < n; k++) {
    check_budget(totals[k] + 1, totals[n - 1], &before);
    check_budget(totals[k], totals[n - 1], &before);
  }
  check_budget(totals[n - 1] - 1, totals[n - 1], &before);
  check_budget(1, totals[n - 1], &before);
}

/* The budgets are totals of this processor's alignment, so they can be kept
 * there; elsewhere one that is said to be kept is. */
static void check_row(const pp_run_row *row, uint64_t bytes) {
  if (bytes == 0) return;
  if (row->missed && row->alignment <= ALIGNMENT)
    pp_die("%s misses %" PRIu64 " bytes", row->backend, bytes);
  if (!row->missed && row->working + row->constants > bytes)
    pp_die("%s has %" PRIu64 " bytes of %" PRIu64, row->backend,
           row->working + row->constants, bytes);
}

/* backends, plans: a bit each, as pp_run_options says. */
static void train(const pp_truth *truth, unsigned backends, unsigned plans,
                  uint64_t bytes) {
  const pp_budget budget = {PP_BUDGET_BYTES, bytes};
  const pp_run_options how = {.backends = backends,
                              .plans = plans,
                              .budget = bytes > 0 ? &budget : NULL};
  static pp_run_report report;
  pp_failure why;
  if (pp_run_routine(truth, &how, &report, &why) != PP_OK)
    pp_die("%s", why.text);
  if (report.rows < (size_t)__builtin_popcount(backends))
    pp_die("%zu rows only", report.rows);
  for (size_t k = 0; k < report.rows; k++) {
    const pp_run_row *row = &report.row[k];
    if (row->owners[0] != '\0' || row->values[0] != '\0')
      pp_die("%s, %s, %" PRIu64 " bytes: %s%s", row->backend, row->plan, bytes,
             row->owners, row->values);
    check_row(row, bytes);
  }
  printf("%12" PRIu64 " bytes: %zu runs of %d steps agree\n",
         report.row[0].working + report.row[0].constants,
         report.rows * PP_RUN_TIMES, STEPS);
}

/* Those that need a driver: they may be slow, and train under the tightest
 * budget alone. */
static unsigned driven(void) {
  unsigned backends = 0;
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    if (pp_backend_driven(pp_backend_module((pp_backend_id)id)))
      backends |= 1U << id;
  return backends;
}

int main(int argc, char **argv) {
  uint64_t totals[TOTALS];
  pp_truth truth;
  if (argc != 2) {
    fputs("usage: training FILE\n", stderr);
    return 2;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  unsigned here = pp_backends_for(NULL);
  pp_routine *routine = read_source(argv[1]);
  source = routine;
  uint64_t apart = total(true, false);
  uint64_t early = total(false, true);
  uint64_t sunk = total(false, false);
  printf("no reuse %" PRIu64 ", reuse %" PRIu64 ", with sinking %" PRIu64 "\n",
         apart, early, sunk);
  if (early >= apart || sunk >= early) pp_die("it does not shrink");
  size_t n = list_totals(totals);
  check_budgets(totals, n);
  if (pp_truth_make(source, STEPS, SEED, &truth) != PP_OK)
    pp_die("out of memory");
  unsigned host = here & ~driven();
  train(&truth, host, 1U | 2U | 8U, 0);
  for (size_t k = 1; k < n; k++)
    train(&truth, k + 1 < n ? host : here, 1U, totals[k]);
  pp_truth_free(&truth);
  pp_routine_free(routine);
  printf("%zu budgets, all agree\n", n);
  return 0;
}
