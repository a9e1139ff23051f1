#include "ask_file.h"

#include "format.h"
#include "output.h"
#include "source.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 << 20 }; /* bytes of a file */

/* A request has "verb" as one of its keys; no problem has. */
static bool is_request(const char *text, size_t size) {
  static const char key[] = "\"verb\"";
  return memmem(text, size, key, sizeof key - 1) != NULL &&
         text[strspn(text, " \t\r\n")] == '{';
}

static int of_problem(const char *name, const char *text, size_t size,
                      pp_ask *ask, pp_diag *diag) {
  pp_problem problem = {0};
  int status = pp_problem_parse(name, text, size, &problem, diag);
  if (status == 0) status = pp_case_from_problem(&ask->c, &problem, diag);
  ask->verb = problem.kind == PP_ARENA ? PP_ASK_ARENA : PP_ASK_SEGMENTS;
  pp_case_strip(&ask->c);
  pp_problem_free(&problem);
  return status;
}

int pp_ask_read(const char *path, pp_ask *ask, pp_diag *diag) {
  size_t size = 0;
  const char *name = pp_input_name(path);
  *ask = (pp_ask){0};
  char *text = pp_source_text(path, MOST, &size, diag);
  if (!text) return diag->code;
  int status = is_request(text, size)
                   ? pp_wire_read_ask(name, text, size, ask, diag)
                   : of_problem(name, text, size, ask, diag);
  free(text);
  const char *wrong = status == 0 ? pp_ask_wrong(ask) : NULL;
  if (wrong == pp_ask_no_memory)
    status = pp_fail_memory(diag);
  else if (wrong)
    status = pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s", name, wrong);
  if (status != 0) pp_ask_free(ask);
  return status;
}

int pp_ask_save(const pp_ask *ask, const char *dir, const char *name,
                char *path, size_t size, pp_diag *diag) {
  int status = pp_output_path(dir, name, path, size, diag);
  return status == 0 ? pp_ask_write(ask, path, diag) : status;
}

int pp_ask_write(const pp_ask *ask, const char *path, pp_diag *diag) {
  pp_text text = {0};
  pp_wire_canonical(&text, ask);
  pp_text_put(&text, "\n", 1);
  int status = pp_text_save(&text, path, diag);
  pp_text_free(&text);
  return status;
}
