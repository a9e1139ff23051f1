/* poolproof: the JSON side of format.h. */
#ifndef PP_JSON_H
#define PP_JSON_H

#include "format.h"
#include "source.h"

struct json_t;

/* The document of an input, jansson's; a key that comes twice is refused.
 * NULL: why is in diag. */
struct json_t *pp_json_load(pp_source *source, pp_diag *diag);

/* A whole number from 0 to 2^64 - 1, as a number or a string of digits: NULL,
 * or what is wrong with value in a few words; *number is then unchanged. */
const char *pp_json_u64(const struct json_t *value, uint64_t *number);

/* A value for sentences: `"h1"`, `-5`, `an object`, in out (80 bytes are
 * enough). Returns out. */
const char *pp_json_show(const struct json_t *value, char *out, size_t size);

int pp_json_problem(pp_source *source, pp_problem *problem, pp_diag *diag);
int pp_json_layout(pp_source *source, const pp_problem *problem,
                   pp_layout *layout, pp_diag *diag);
int pp_json_problem_write(FILE *out, const pp_problem *problem, pp_diag *diag);

/* Writes `before`, which is JSON's own, and then a number (a string above
 * 2^53, as not every reader keeps those whole), or a text. False: no memory,
 * or out has failed. */
bool pp_json_put_number(FILE *out, const char *before, uint64_t value);
bool pp_json_put_text(FILE *out, const char *before, const char *text);

/* The status that they all were: 0 when all is true, or diag's. */
int pp_json_written(FILE *out, bool all, pp_diag *diag);

/* True when text is what JSON can carry: valid UTF-8. False with diag set
 * when memory is short. */
bool pp_json_can_carry(const char *text, pp_diag *diag);

#endif
