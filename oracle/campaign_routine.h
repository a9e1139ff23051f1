/* poolproof: what `poolproof fuzz-routine` does.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CAMPAIGN_ROUTINE_H
#define PP_CAMPAIGN_ROUTINE_H

#include "routine_check.h"

/* All plain. Both limits 0: 10 seconds. */
typedef struct pp_routine_options {
  uint64_t seed;
  uint64_t first;       /* number of the first check */
  uint64_t runs;        /* 0: no limit */
  uint64_t seconds;     /* 0: no limit */
  pp_backend *backend;  /* NULL: all */
  const char *find_dir; /* where a find is written; NULL: here */
  bool quiet;
} pp_routine_options;

/* Checks random routines until runs or seconds are over, or one shows that
 * something disagrees. Check i of a seed is the same everywhere. To standard
 * output: the seed, what was compared, a find and the commands that show it
 * again. A crash ends the process, after the command that repeats it.
 *
 * Returns PP_EXIT_FINE, PP_EXIT_FOUND, or diag's code: no memory, a find that
 * could not be written, a long run in which something never happened. */
int pp_routine_campaign(const pp_routine_options *options, pp_diag *diag);

/* Checks routines, 1 to PP_CHAIN, that follow each other, with the options'
 * seed and backend. Returns the same; PP_EXIT_INPUT when they cannot. */
int pp_routine_replay(pp_routine *const *routine, size_t routines,
                      const pp_routine_options *options, pp_diag *diag);

#endif
