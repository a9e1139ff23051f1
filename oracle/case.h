/* poolproof: one small problem as the harnesses make and edit it.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CASE_H
#define PP_CASE_H

#include "problem.h"

/* A problem without names. Spans are closed. items has room for `room` items;
 * the case owns it. A zeroed struct is an empty case of kind PP_SEGMENTS. */
typedef struct pp_case {
  pp_kind kind;
  uint64_t cap;
  size_t n;
  size_t room;
  pp_item *items;
} pp_case;

/* Makes room for n items, keeping those there are. False: out of memory,
 * nothing changed. */
bool pp_case_reserve(pp_case *c, size_t n);

/* Copies from into to (both live). False: out of memory, to unchanged. */
bool pp_case_copy(pp_case *to, const pp_case *from);

/* Gives back what the case owns and clears it. */
void pp_case_free(pp_case *c);

/* Brings a case to what a problem file can say of it: classes numbered in
 * order of first appearance, no lo and hi where there is no span. The rules
 * give both the same answer. Returns whether anything changed. */
bool pp_case_normalise(pp_case *c);

/* Forgets what the rules do not look at: of segments lives and classes, of
 * items that are always live the steps. */
void pp_case_strip(pp_case *c);

/* A number that depends on everything in the case that a problem file says. */
uint64_t pp_case_hash(const pp_case *c);

/* Sets c to the problem, or problem (zeroed or freed before) to the case:
 * JSON, closed spans, ids "i0" .., class names "c0" ... Return 0, or
 * PP_EXIT_RESOURCE with diag set and the target freed. */
int pp_case_from_problem(pp_case *c, const pp_problem *problem, pp_diag *diag);
int pp_case_to_problem(const pp_case *c, pp_problem *problem, pp_diag *diag);

/* Writes the case as problem JSON to dir/name ("." when dir is NULL), whole
 * or not at all.
 * path (size bytes) receives the file's path. Returns 0 or diag's code. */
int pp_case_save(const pp_case *c, const char *dir, const char *name,
                 char *path, size_t size, pp_diag *diag);

#endif
