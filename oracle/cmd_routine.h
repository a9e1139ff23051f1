/* poolproof: what the commands that take a routine share.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CMD_ROUTINE_H
#define PP_CMD_ROUTINE_H

#include "cli.h"

#include <poolproof/footprint.h>
#include <poolproof/lower.h>

/* given  one of the options of lowering was
 * as_is  the file is final code already: nothing is lowered */
typedef struct pp_cli_lower {
  pp_lower_options options;
  bool given;
  bool as_is;
} pp_cli_lower;

/* text  as it was given; NULL: it was not */
typedef struct pp_cli_budget {
  pp_budget budget;
  const char *text;
} pp_cli_budget;

/* Options, as argp children. */
extern const struct argp pp_cli_lower_argp;  /* --policy, --no-sinking,
                                                --kernels; pp_cli_lower */
extern const struct argp pp_cli_final_argp;  /* these and --as-is; the same */
extern const struct argp pp_cli_align_argp;  /* --align; pp_score_options */
extern const struct argp pp_cli_score_argp;  /* --cap, --align; the same */
extern const struct argp pp_cli_budget_argp; /* --budget; pp_cli_budget */

/* Reads a routine's text, "-" from standard input. Returns 0 or diag's. */
int pp_routine_read(const char *path, pp_routine **routine, pp_diag *diag);

/* *final is the source's final code, or with as_is the source itself, and has
 * one more holder. Statuses of pp_lower. */
pp_status pp_routine_final(const pp_routine *source, const pp_cli_lower *how,
                           pp_routine **final, pp_failure *failure);

/* Writes the routine's text, "-" to standard output. Returns 0 or diag's. */
int pp_routine_write(const char *path, const pp_routine *routine,
                     pp_diag *diag);

/* "  baseline ..." and "  final ...", which says whether it is within. */
void pp_report_fitting(const pp_fitting *fitting);

/* What a status other than PP_OK of a file's routine means for the program:
 * PP_EXIT_FOUND, told on standard error, when something does not fit under the
 * cap; otherwise diag's. */
int pp_cli_failed(const char *path, const pp_failure *failure, pp_diag *diag);

#endif
