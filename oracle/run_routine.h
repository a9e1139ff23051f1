/* poolproof: a routine run by backends under several plans, held to the
 * interpreter and to the shadow owners (ORC-1). SPDX-License-Identifier: MIT */
#ifndef PP_RUN_ROUTINE_H
#define PP_RUN_ROUTINE_H

#include "run_truth.h"

#include <poolproof/backend.h>
#include <poolproof/footprint.h>

enum { PP_RUN_PLANS = 4, PP_RUN_TEXT = 400, PP_RUN_TIMES = 2 };

/* The plans' names for a command line, by number. */
extern const char *const pp_run_plan_words[PP_RUN_PLANS];

/* Bytes of values that a run may take beside the pools. */
#define PP_RUN_BYTES (UINT64_C(1) << 34)

/* backends  a bit each, by pp_backend_id; all must be here
 * plans     a bit each, by number
 * no_reuse  only plans without reuse: the second is then the first as well
 * as_is     the source is final code: the first plan is the source, the second
 *           the same without reuse; there are no others
 * budget    the first plan is fitted to it; NULL: as lowered by default */
typedef struct pp_run_options {
  unsigned backends;
  unsigned plans;
  bool no_reuse;
  bool as_is;
  const pp_budget *budget;
} pp_run_options;

/* One plan on one backend.
 * alignment         of its device, which the plan is made for
 * missed            it is fitted, and not within the budget there
 * working, constants  bytes that the device's census counts (CTX-5)
 * long_owners       its owners were not looked at: that takes too long
 * owners, values    empty, or the first fault in one sentence */
typedef struct pp_run_row {
  const char *backend;
  const char *plan;
  uint64_t alignment;
  bool missed;
  bool long_owners;
  uint64_t working;
  uint64_t constants;
  char owners[PP_FAILURE_TEXT];
  char values[PP_RUN_TEXT];
} pp_run_row;

/* compared  values; nans: how many of them are NaN */
typedef struct pp_run_report {
  size_t rows;
  pp_run_row row[PP_BACKEND_COUNT * PP_RUN_PLANS];
  uint64_t compared;
  uint64_t nans;
} pp_run_report;

/* Can it be run? Scores every plan; *fitting, the caller's, is what became of
 * the budget, or NULL. Errors of pp_lower, pp_fit and pp_score_footprint;
 * PP_OVER_CAP, too: the values take more than PP_RUN_BYTES. */
pp_status pp_run_score(const pp_routine *source, size_t steps,
                       const pp_run_options *options, pp_fitting **fitting,
                       pp_failure *failure);

/* Lowers the truth's routine under each plan, for each backend's alignment and
 * cap, and runs it there,
 * PP_RUN_TIMES times from fresh contexts, truth->steps steps each. Looked-at
 * values after each step are those of truth, bit for bit, all NaNs counting as
 * one; the census is what the scorer says (FPT-2); no byte is read that is not
 * the reader's own latest.
 * Errors of pp_lower and pp_fit; PP_NO_MEMORY, PP_DEVICE_LOST,
 * PP_BACKEND_FAILED and PP_NOT_MERGED (there are two merge nodes) of the
 * runtime, and PP_NO_DEVICE. What else goes wrong there is in the row's values.
 * Leaves the backends torn down. */
pp_status pp_run_routine(const pp_truth *truth, const pp_run_options *options,
                         pp_run_report *report, pp_failure *failure);

#endif
