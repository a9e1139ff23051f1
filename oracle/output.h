/* poolproof: output files that are whole or not there. */
#ifndef PP_OUTPUT_H
#define PP_OUTPUT_H

#include "diag.h"

#include <stdio.h>

/* A file being written: a temporary beside it until pp_output_end. Standard
 * output ("-") and anything that is no regular file is written directly. */
typedef struct pp_output {
  FILE *stream;
  const char *path;
  char *target;    /* where path leads, links followed; owned */
  char *temporary; /* owned; NULL when written directly */
  char *buffer;    /* owned; the stream's */
} pp_output;

/* dir/name ("." when dir is NULL) in path. 0, or diag's when it is too long. */
int pp_output_path(const char *dir, const char *name, char *path, size_t size,
                   pp_diag *diag);

/* 0 when the output is not the file that is read; else diag's. */
int pp_output_apart(const char *path, const char *input, pp_diag *diag);

/* Opens path for writing. Returns 0, or diag's exit status: PP_EXIT_INPUT
 * when path cannot be written to. */
int pp_output_open(pp_output *output, const char *path, pp_diag *diag);

/* Right after a failed write: PP_EXIT_RESOURCE, and why in diag. */
int pp_fail_write(const FILE *out, pp_diag *diag);

/* Puts the file in its place when status is 0, else removes what was written.
 * Returns status, or diag's exit status when the last write failed. */
int pp_output_end(pp_output *output, int status, pp_diag *diag);

#endif
