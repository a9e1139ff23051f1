/* poolproof: campaigns that run on backends: what they are told, how they run.
 * SPDX-License-Identifier: MIT */
#ifndef PP_BACKEND_CAMPAIGN_H
#define PP_BACKEND_CAMPAIGN_H

#include "here.h"
#include "progress.h"
#include "replay.h"

/* All plain. Both limits 0: 10 seconds. */
typedef struct pp_backend_campaign {
  uint64_t seed;
  uint64_t first;   /* number of the first run */
  uint64_t runs;    /* 0: no limit */
  uint64_t seconds; /* 0: no limit */
  pp_backend_choice choice;
  const char *find_dir; /* where a find is written; NULL: here */
  bool quiet;
} pp_backend_campaign;

/* A campaign on its way.
 * seconds      0: no limit
 * verdicts[v]  runs with verdict v */
typedef struct pp_campaign_run {
  const pp_backend_campaign *options;
  uint64_t seconds;
  uint64_t verdicts[PP_UNDECIDED + 1];
  pp_progress progress;
  double cpu_before;
} pp_campaign_run;

/* The verdict of one run. */
typedef pp_verdict (*pp_campaign_one)(void *state, uint64_t number);

/* Runs from the options' first number on, until runs or seconds are over, or
 * one disagrees; looks at the clock and shows progress every so many of them,
 * which it calls `what`. A crash says `again`, the number, " --runs 1". Returns
 * how many were run. */
uint64_t pp_campaign_all(pp_campaign_run *run,
                         const pp_backend_campaign *options, const char *what,
                         const char *again, uint64_t every, pp_campaign_one one,
                         void *state);

/* Runs that agreed or disagreed. */
uint64_t pp_campaign_compared(const pp_campaign_run *run);

/* Prints how many of them a second of a core compares, and ends the line. */
void pp_campaign_rate(const pp_campaign_run *run);

/* "--backend NAME,... " for one that was named, or ""; returns text. */
enum { PP_BACKEND_OPTION = PP_BACKEND_NAMES + 16 };
const char *pp_campaign_backends(const pp_backend_campaign *options,
                                 char text[PP_BACKEND_OPTION]);

/* Where a find goes: DIR/find-SEED-NUMBERend. Returns 0, or diag's code when
 * that is too long. */
int pp_campaign_path(const pp_backend_campaign *options, uint64_t number,
                     const char *end, char *path, size_t size, pp_diag *diag);

#endif
