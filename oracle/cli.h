/* poolproof: the commands of the program. */
#ifndef PP_CLI_H
#define PP_CLI_H

#include "diag.h"

#include <argp.h>
#include <stdint.h>

/* Each takes its own arguments (argv[0] = "poolproof plan", say), prints its
 * answer to standard output and returns an exit status; what failed is in
 * diag when that is PP_EXIT_INPUT or PP_EXIT_RESOURCE. Usage errors and
 * --help end the process as argp does. */
int pp_command_plan(int argc, char **argv, pp_diag *diag);
int pp_command_check(int argc, char **argv, pp_diag *diag);
int pp_command_compare(int argc, char **argv, pp_diag *diag);
int pp_command_view(int argc, char **argv, pp_diag *diag);
int pp_command_fuzz(int argc, char **argv, pp_diag *diag);
int pp_command_exhaust(int argc, char **argv, pp_diag *diag);

/* The value of --cap, or a usage error. */
uint64_t pp_cli_bytes(const char *option, const char *text,
                      struct argp_state *state);

/* A whole number from least to most, or a usage error. */
uint64_t pp_cli_number(const char *option, const char *text, uint64_t least,
                       uint64_t most, struct argp_state *state);

/* argp_parse with its failures turned into diag's. Returns 0 to go on. */
int pp_cli_parse(const struct argp *argp, int argc, char **argv, void *input,
                 pp_diag *diag);

/* Flushes standard output. Returns status, or PP_EXIT_RESOURCE in diag when
 * not all could be written. */
int pp_cli_finish(int status, pp_diag *diag);

#endif
