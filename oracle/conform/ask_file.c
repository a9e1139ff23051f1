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
  for (size_t i = 0; problem.kind == PP_SEGMENTS && i < ask->c.n; i++)
    ask->c.items[i] =
        (pp_item){.size = ask->c.items[i].size, .align = ask->c.items[i].align};
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
  int length = snprintf(path, size, "%s/%s", dir ? dir : ".", name);
  if (length < 0 || (size_t)length >= size)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: the path is too long", name);
  return pp_ask_write(ask, path, diag);
}

int pp_ask_write(const pp_ask *ask, const char *path, pp_diag *diag) {
  pp_output output;
  pp_text text = {0};
  pp_wire_canonical(&text, ask);
  pp_text_put(&text, "\n", 1);
  int status = text.failed ? pp_fail_memory(diag) : 0;
  if (status == 0) status = pp_output_open(&output, path, diag);
  if (status == 0) {
    if (fwrite(text.at, 1, text.size, output.stream) != text.size)
      status = pp_fail_write(output.stream, diag);
    status = pp_output_end(&output, status, diag);
  }
  pp_text_free(&text);
  return status;
}
