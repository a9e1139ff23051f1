/* poolproof: fitting a budget, read plainly off FPT-4.
 * SPDX-License-Identifier: MIT */
#ifndef PP_PLAIN_FIT_H
#define PP_PLAIN_FIT_H

#include <poolproof/footprint.h>

/* What pp_fit must answer, but for how many footprints it computed (0 here):
 * each set of flips is a lowering of its own with pp_decide_inline and a
 * pp_plain_score, and flips rank by the proved pp_ref_ranks_before. */
pp_status pp_plain_fit(const pp_routine *source,
                       const pp_lower_options *options,
                       const pp_score_options *score, const pp_budget *budget,
                       pp_fitting **fitting, pp_failure *failure);

#endif
