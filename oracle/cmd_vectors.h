/* poolproof: what the parts of the command vectors share.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CMD_VECTORS_H
#define PP_CMD_VECTORS_H

#include "cli.h"
#include "conform/vectors_parts.h"

/* What the subcommands are told; each takes some of it.
 * path       --vectors, or the folder that is its argument; NULL: the vectors
 *            that the program carries
 * argument   an id, or a file
 * verb       has_verb
 * output     -o; "-" if not given */
typedef struct pp_vectors_arguments {
  const char *path;
  const char *argument;
  bool has_verb;
  pp_ask_verb verb;
  const char *flag, *rule;
  const char *comment, *flags, *rules, *to;
  const char *output;
} pp_vectors_arguments;

/* The subcommands, as the commands of cli.h. */
int pp_vectors_list(int argc, char **argv, pp_diag *diag);
int pp_vectors_show(int argc, char **argv, pp_diag *diag);
int pp_vectors_table_of(int argc, char **argv, pp_diag *diag);
int pp_vectors_bundle(int argc, char **argv, pp_diag *diag);
int pp_vectors_add(int argc, char **argv, pp_diag *diag);
int pp_vectors_lint_of(int argc, char **argv, pp_diag *diag);
int pp_vectors_freeze_of(int argc, char **argv, pp_diag *diag);

/* An option of several subcommands, or [DIR] as the one argument; input
 * pp_vectors_arguments. */
error_t pp_vectors_parse_dir(int key, char *text, struct argp_state *state);

#endif
