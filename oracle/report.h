/* poolproof: plans told in tables. */
#ifndef PP_REPORT_H
#define PP_REPORT_H

#include "facts.h"

/* Prints a plan's numbers, its peaks and (the first 20, or all) its items to
 * standard output. Not for PP_BAD_SPAN. Returns 0, or
 * PP_EXIT_RESOURCE when memory is short. */
int pp_report_plan(const pp_problem *problem, const pp_layout *layout,
                   const pp_facts *facts, uint64_t cap, bool all,
                   pp_diag *diag);

/* Prints a line "label bytes B human note". */
void pp_report_bytes(const char *label, uint64_t bytes, const char *note);

#endif
