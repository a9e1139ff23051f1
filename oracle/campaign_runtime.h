/* poolproof: what `poolproof fuzz-runtime` does, and what becomes of a program
 * that shows a fault. SPDX-License-Identifier: MIT */
#ifndef PP_CAMPAIGN_RUNTIME_H
#define PP_CAMPAIGN_RUNTIME_H

#include "replay.h"

/* All plain. Both limits 0: 10 seconds. */
typedef struct pp_runtime_options {
  uint64_t seed;
  uint64_t first;   /* number of the first program */
  uint64_t runs;    /* 0: no limit */
  uint64_t seconds; /* 0: no limit */
  pp_backend *backend;
  const char *find_dir; /* where a find is written; NULL: here */
  bool quiet;
} pp_runtime_options;

/* Replays random programs until runs or seconds are over, or one shows that
 * the runtime and the model disagree. Program i of a seed is the same
 * everywhere (of backends with as many devices). To standard output: the
 * seed, what was compared, a find and the commands that show it again. A
 * crash ends the process, after the command that repeats it.
 *
 * Returns PP_EXIT_FINE, PP_EXIT_FOUND, or diag's code: no memory, a find that
 * could not be written, nothing compared. */
int pp_runtime_campaign(const pp_runtime_options *options, pp_diag *diag);

/* Makes a program that shows a fault small, while it shows one; its sentence
 * goes to replay. */
void pp_replay_shrink(pp_program *program, pp_backend *backend,
                      pp_replay *replay);

/* Writes the program to path. Returns 0 or diag's code. */
int pp_program_save(const char *path, const pp_program *program, pp_diag *diag);

#endif
