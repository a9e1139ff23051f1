/* poolproof: what `poolproof fuzz` does.  SPDX-License-Identifier: MIT */
#ifndef PP_CAMPAIGN_H
#define PP_CAMPAIGN_H

#include "diag.h"

#include <stdint.h>

/* All plain; zeroed is a good start (seed 0, 10 seconds, a job a core). */
typedef struct pp_campaign_options {
  uint64_t seed;        /* pp_random_fresh_seed() when the user gave none */
  uint64_t first;       /* --first: number of the first run */
  uint64_t runs;        /* --runs: how many; 0: no limit */
  uint64_t seconds;     /* --seconds: 0: no limit; both 0: 10 seconds */
  unsigned jobs;        /* --jobs: threads; 0: one a core */
  size_t max_items;     /* --items: of a problem; 0: 32 */
  const char *find_dir; /* --finds: where a find is written; NULL: "." */
  bool quiet;           /* --quiet: no progress line */
} pp_campaign_options;

/* Compares both planners and both checkers on random problems until runs or
 * seconds are over, a disagreement is found, or the user presses Ctrl-C.
 * Run i depends on the seed, i and max_items alone, and the find reported is
 * the one with the least i, whatever the number of jobs.
 *
 * To stdout: the seed and command that repeat it, a find (sentence, file,
 * command that replays it), the verdict with the runs really compared by
 * outcome. To stderr: progress.
 *
 * A planner that crashes or hangs takes the process with it, after the command
 * that shows it again was printed.
 *
 * Returns PP_EXIT_FINE, PP_EXIT_FOUND, or diag's code: no memory, a find that
 * could not be written, nothing compared at all. */
int pp_campaign(const pp_campaign_options *options, pp_diag *diag);

#endif
