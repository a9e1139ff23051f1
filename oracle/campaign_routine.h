/* poolproof: what `poolproof fuzz-routine` does.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CAMPAIGN_ROUTINE_H
#define PP_CAMPAIGN_ROUTINE_H

#include "backend_campaign.h"
#include "routine_check.h"

/* Checks random routines until runs or seconds are over, or one shows that
 * something disagrees; on the backends chosen, by default all that are here,
 * of which those that need a driver take a share when none is named. Check i of
 * a seed is the same everywhere. To standard output: the seed, what was
 * compared, a find and the commands that show it again. A crash ends the
 * process, after the command that repeats it.
 *
 * Returns PP_EXIT_FINE, PP_EXIT_FOUND, or diag's code: no memory, a find that
 * could not be written, a long run in which something never happened, a named
 * backend that is not here. */
int pp_routine_campaign(const pp_backend_campaign *options, pp_diag *diag);

/* Checks routines, 1 to PP_CHAIN, that follow each other, with the options'
 * seed and backends. Returns the same; PP_EXIT_INPUT when they cannot. */
int pp_routine_replay(pp_routine *const *routine, size_t routines,
                      const pp_backend_campaign *options, pp_diag *diag);

#endif
