/* poolproof: how far a long command is.  SPDX-License-Identifier: MIT */
#ifndef PP_PROGRESS_H
#define PP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* On a terminal one line that is rewritten, else a plain line every 5 s. */
typedef struct pp_progress {
  FILE *stream; /* NULL: say nothing */
  bool terminal;
  double started; /* seconds of the steady clock */
  double next;
  const char *noun; /* "problems" */
} pp_progress;

/* Starts the clock. quiet: say nothing, but keep the clock. */
void pp_progress_start(pp_progress *progress, FILE *stream, const char *noun,
                       bool quiet);

/* Says done, the share of all work behind (0 to 1, below 0: not known) and
 * found, if it is time to. */
void pp_progress_show(pp_progress *progress, uint64_t done, double share,
                      uint64_t found);

/* Wipes the line on a terminal. */
void pp_progress_end(pp_progress *progress);

/* Seconds since the start. */
double pp_progress_elapsed(const pp_progress *progress);

/* Seconds of processor time that this process has used. */
double pp_cpu_seconds(void);

#endif
