/* poolproof: threads that share one job.  SPDX-License-Identifier: MIT */
#ifndef PP_WORKERS_H
#define PP_WORKERS_H

#include "diag.h"

/* How many threads: wanted, or one a core for 0; 1 to 256. */
unsigned pp_jobs(unsigned wanted);

/* jobs zeroed parts of `bytes` each, one after the other; NULL: no memory. */
void *pp_workers_new(unsigned jobs, size_t bytes);
void pp_workers_free(void *parts);

/* Runs work on each part in a thread of its own, and watch every tenth of a
 * second in this one until all are done. Returns 0, or PP_EXIT_RESOURCE with
 * diag when not one thread could be started. */
int pp_workers_run(void *(*work)(void *part), void *parts, size_t bytes,
                   unsigned jobs, void (*watch)(void *state), void *state,
                   pp_diag *diag);

#endif
