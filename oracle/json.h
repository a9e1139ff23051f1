/* poolproof: the JSON side of format.h. */
#ifndef PP_JSON_H
#define PP_JSON_H

#include "format.h"
#include "source.h"

int pp_json_problem(pp_source *source, pp_problem *problem, pp_diag *diag);
int pp_json_layout(pp_source *source, const pp_problem *problem,
                   pp_layout *layout, pp_diag *diag);
int pp_json_problem_write(FILE *out, const pp_problem *problem, pp_diag *diag);

/* True when text is what JSON can carry: valid UTF-8. False with diag set
 * when memory is short. */
bool pp_json_can_carry(const char *text, pp_diag *diag);

#endif
