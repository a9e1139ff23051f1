#include "format.h"

#include "csv_format.h"
#include "json.h"

#include <string.h>

/* Is "routine" the first word behind comments? */
static bool is_routine(const pp_source *source) {
  static const char word[] = "routine";
  const char *at = source->at;
  const char *end = at + source->left;
  while (at < end && (*at == '#' || strchr(" \t\r\n", *at))) {
    if (*at == '#') at = memchr(at, '\n', (size_t)(end - at));
    if (!at) return false;
    at++;
  }
  size_t length = sizeof word - 1;
  return (size_t)(end - at) > length && memcmp(at, word, length) == 0 &&
         strchr(" \t", at[length]);
}

static int read_problem(pp_source *source, pp_problem *problem, pp_diag *diag) {
  *problem = (pp_problem){0};
  int first = pp_source_peek(source);
  if (first < 0 && pp_source_status(source, diag) != 0) return diag->code;
  if (first < 0)
    return pp_diag_fail(
        diag, PP_EXIT_INPUT,
        "%s: empty; a JSON problem or a CSV with a header such as "
        "id,lower,upper,size is wanted",
        source->name);
  if (is_routine(source))
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: a routine; score, run, view FILE.ppr take those",
                        source->name);
  return first == '{' ? pp_json_problem(source, problem, diag)
                      : pp_csv_problem(source, problem, diag);
}

static int read_layout(pp_source *source, const pp_problem *problem,
                       pp_layout *layout, pp_diag *diag) {
  *layout = (pp_layout){0};
  int first = pp_source_peek(source);
  if (first < 0 && pp_source_status(source, diag) != 0) return diag->code;
  if (first < 0)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: empty; a JSON layout or a CSV with columns id and "
                        "offset is wanted",
                        source->name);
  return first == '{' ? pp_json_layout(source, problem, layout, diag)
                      : pp_csv_layout(source, problem, layout, diag);
}

int pp_problem_read(const char *path, pp_problem *problem, pp_diag *diag) {
  pp_source source;
  *problem = (pp_problem){0};
  if (pp_source_open(&source, path, diag) != 0) return diag->code;
  int status = read_problem(&source, problem, diag);
  pp_source_close(&source);
  return status;
}

int pp_problem_parse(const char *name, const void *bytes, size_t size,
                     pp_problem *problem, pp_diag *diag) {
  pp_source source;
  pp_source_memory(&source, name, bytes, size);
  return read_problem(&source, problem, diag);
}

int pp_problem_write(FILE *out, const pp_problem *problem, pp_diag *diag) {
  return problem->format == PP_JSON ? pp_json_problem_write(out, problem, diag)
                                    : pp_csv_problem_write(out, problem, diag);
}

int pp_layout_read(const char *path, const pp_problem *problem,
                   pp_layout *layout, pp_diag *diag) {
  pp_source source;
  *layout = (pp_layout){0};
  if (pp_source_open(&source, path, diag) != 0) return diag->code;
  int status = read_layout(&source, problem, layout, diag);
  pp_source_close(&source);
  return status;
}

int pp_layout_parse(const char *name, const void *bytes, size_t size,
                    const pp_problem *problem, pp_layout *layout,
                    pp_diag *diag) {
  pp_source source;
  pp_source_memory(&source, name, bytes, size);
  return read_layout(&source, problem, layout, diag);
}
