/* poolproof: questions in files.  SPDX-License-Identifier: MIT */
#ifndef PP_ASK_FILE_H
#define PP_ASK_FILE_H

#include "ask.h"

/* Reads a question from a file, or from standard input ("-"): a request of the
 * protocol (an object with "verb"), or a problem in any form that
 * pp_problem_read knows, which asks for the plan of its kind. A question that
 * has something wrong with it (pp_ask_wrong) is refused. Returns 0 or diag's.
 */
int pp_ask_read(const char *path, pp_ask *ask, pp_diag *diag);

/* Writes the question to dir/name ("." when dir is NULL) as a request, whole or
 * not at all. path (size bytes) receives the file's path. Returns 0 or diag's
 * code. */
int pp_ask_save(const pp_ask *ask, const char *dir, const char *name,
                char *path, size_t size, pp_diag *diag);

/* The same to a path, or to standard output ("-"). */
int pp_ask_write(const pp_ask *ask, const char *path, pp_diag *diag);

#endif
