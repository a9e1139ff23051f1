/* poolproof: what `poolproof fuzz-runtime` does, and what becomes of a program
 * that shows a fault. SPDX-License-Identifier: MIT */
#ifndef PP_CAMPAIGN_RUNTIME_H
#define PP_CAMPAIGN_RUNTIME_H

#include "backend_campaign.h"
#include "replay.h"

/* Replays random programs on the chosen backends that are here, each on all of
 * them, until runs or seconds are over, or one shows that the runtime and the
 * model disagree. Programs are drawn for as many devices as the backends have,
 * by turns: program i of a seed is the same where they have as many. To
 * standard output: the
 * seed, what was compared, a find and the commands that show it again. A
 * crash ends the process, after the command that repeats it.
 *
 * Returns PP_EXIT_FINE, PP_EXIT_FOUND, or diag's code: no memory, a find that
 * could not be written, nothing compared on one of them, a named backend that
 * is not here. */
int pp_runtime_campaign(const pp_backend_campaign *options, pp_diag *diag);

/* Makes a program that shows a fault small, while it shows one; its sentence
 * goes to replay. */
void pp_replay_shrink(pp_program *program, pp_backend *backend,
                      pp_replay *replay);

/* Writes the program to path. Returns 0 or diag's code. */
int pp_program_save(const char *path, const pp_program *program, pp_diag *diag);

#endif
