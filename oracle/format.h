/* poolproof: reading and writing problems and layouts.
 *
 * Formats: `problem/1` and `layout/1` JSON (oracle/schema/) and MiniMalloc's
 * CSV. Which one a file is in is told by its first byte that is no blank: `{`
 * is JSON, anything else CSV. Every function is reentrant. Every failure is
 * one sentence in diag that names the file and the line or item. */
#ifndef PP_FORMAT_H
#define PP_FORMAT_H

#include "facts.h"

#include <stdio.h>

/* Reads a problem from a file, or from standard input when path is "-". On
 * failure problem is empty. Returns 0 or diag's exit status. Memory is O(size
 * of the input), time O(size of the input) but for sorting. */
int pp_problem_read(const char *path, pp_problem *problem, pp_diag *diag);

/* The same from memory; name stands for the file in sentences. */
int pp_problem_parse(const char *name, const void *bytes, size_t size,
                     pp_problem *problem, pp_diag *diag);

/* Writes problem in its own format. Returns 0, or diag's exit status when out
 * has failed or memory is short. What is written reads back as the same. */
int pp_problem_write(FILE *out, const pp_problem *problem, pp_diag *diag);

/* Reads a layout of problem: items are matched by id. An item that the layout
 * does not place gets segment SIZE_MAX (PP_NO_SUCH_SEGMENT to the checkers);
 * an id unknown to the problem, or placed twice, is an input error. */
int pp_layout_read(const char *path, const pp_problem *problem,
                   pp_layout *layout, pp_diag *diag);
int pp_layout_parse(const char *name, const void *bytes, size_t size,
                    const pp_problem *problem, pp_layout *layout,
                    pp_diag *diag);

/* Writes layout/1 JSON, whatever the status. facts are read unless the status
 * is PP_BAD_SPAN; kind is the plan's name, planner says who made it. */
int pp_layout_write_json(FILE *out, const pp_problem *problem,
                         const pp_layout *layout, const pp_facts *facts,
                         const char *kind, const char *planner, uint64_t cap,
                         pp_diag *diag);

/* Writes problem's CSV columns with an offset column last (and, for more
 * than one segment, a segment column before it). Needs status PP_OK. */
int pp_layout_write_csv(FILE *out, const pp_problem *problem,
                        const pp_layout *layout, pp_diag *diag);

#endif
