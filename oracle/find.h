/* poolproof: a disagreement, made small, kept and told.
 * SPDX-License-Identifier: MIT */
#ifndef PP_FIND_H
#define PP_FIND_H

#include "case.h"

/* What is known of a find, and where it goes. */
typedef struct pp_find {
  pp_case c;          /* as it was found; made small in place */
  char sentence[480]; /* as it was found */
  const char *again;  /* the command that finds it again */
  const char *dir;    /* where its file goes; NULL: "." */
  const char *name;   /* of its file */
} pp_find;

/* Shrinks the find, writes it as a problem file, and prints to standard
 * output the sentence, the file and the commands that show it again. Returns
 * PP_EXIT_FOUND, or diag's code when the file could not be written (all else
 * is printed still). */
int pp_find_report(pp_find *find, pp_diag *diag);

/* What shows a find again, for `poolproof compare`: everything that the differ
 * compares (differ.h), not the plans alone, on a problem as it was read. On a
 * disagreement sentence (`size` bytes) says on what; else it is "". Returns
 * PP_EXIT_FINE, PP_EXIT_FOUND, or diag's code without memory. */
int pp_find_replay(const pp_problem *problem, char *sentence, size_t size,
                   pp_diag *diag);

#endif
