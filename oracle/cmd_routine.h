/* poolproof: what the commands that take a routine share.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CMD_ROUTINE_H
#define PP_CMD_ROUTINE_H

#include "cli.h"

#include <poolproof/footprint.h>
#include <poolproof/lower.h>

/* Options, as argp children. */
extern const struct argp pp_cli_lower_argp; /* --policy, --no-sinking,
                                               --kernels; pp_lower_options */
extern const struct argp pp_cli_score_argp; /* --cap, --align, --no-reuse;
                                               pp_score_options */

/* A budget (FPT-5) as the value of --budget, or a usage error. */
pp_budget pp_cli_budget(const char *text, struct argp_state *state);

/* Reads a routine's text, "-" from standard input. Returns 0 or diag's. */
int pp_routine_read(const char *path, pp_routine **routine, pp_diag *diag);

/* What a status other than PP_OK of a file's routine means for the program:
 * PP_EXIT_FOUND, told on standard error, when something does not fit under the
 * cap; otherwise diag's. */
int pp_cli_failed(const char *path, const pp_failure *failure, pp_diag *diag);

#endif
