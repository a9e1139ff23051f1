/* poolproof: the MiniMalloc CSV side of format.h. */
#ifndef PP_CSV_FORMAT_H
#define PP_CSV_FORMAT_H

#include "format.h"
#include "formats/ends.h"
#include "source.h"

int pp_csv_problem(pp_source *source, pp_problem *problem, pp_diag *diag);

/* The same where a column upper says what `ends` says. */
int pp_csv_problem_ends(pp_source *source, pp_ends ends, pp_problem *problem,
                        pp_diag *diag);
int pp_csv_layout(pp_source *source, const pp_problem *problem,
                  pp_layout *layout, pp_diag *diag);
int pp_csv_problem_write(FILE *out, const pp_problem *problem, pp_diag *diag);

#endif
