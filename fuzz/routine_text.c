/* poolproof fuzz target: any bytes to the parser of routines, those that parse
 * printed and parsed again.
 * SPDX-License-Identifier: MIT */
#include "same_routine.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

/* A refusal has a sentence and, unless memory ran out, a line. */
static void check_failure(pp_status status, const pp_routine *routine,
                          const pp_failure *failure) {
  bool placed = strncmp(failure->text, "line ", 5) == 0;
  if (status != failure->status)
    pp_target_fail("the failure's status is %d, not %d", failure->status,
                   status);
  if (status != PP_NO_MEMORY &&
      (!placed || (status != PP_BAD_ROUTINE && status != PP_BAD_SPAN)))
    pp_target_fail("a routine is refused with status %d: %s", status,
                   failure->text);
  if (routine) pp_target_fail("a parser fails and keeps memory");
}

/* What was printed, parsed again; NULL: no memory. */
static pp_routine *reread(const char *text) {
  pp_routine *again = NULL;
  pp_failure failure = {0};
  pp_status status = pp_routine_parse(text, strlen(text), &again, &failure);
  if (status != PP_OK && status != PP_NO_MEMORY)
    pp_target_fail("what was printed does not parse: %s", failure.text);
  return again;
}

static void check_round(const pp_routine *routine) {
  char *text = pp_routine_print(routine);
  pp_routine *again = text ? reread(text) : NULL;
  char *twice = again ? pp_routine_print(again) : NULL;
  if (again && !pp_same_routine(routine, again))
    pp_target_fail("a printed routine reads back as another:\n%s", text);
  if (twice && strcmp(text, twice) != 0)
    pp_target_fail("a routine prints in two ways:\n%s%s", text, twice);
  if (twice) pp_target_compare();
  free(twice);
  pp_routine_free(again);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_target_begin();
  pp_routine *routine = NULL;
  pp_failure failure = {0};
  pp_status status =
      pp_routine_parse((const char *)data, size, &routine, &failure);
  if (status != PP_OK) {
    check_failure(status, routine, &failure);
    return 0;
  }
  check_round(routine);
  pp_routine_free(routine);
  return 0;
}
