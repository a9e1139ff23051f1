/* poolproof: what the tests of routines share. SPDX-License-Identifier: MIT */
#ifndef PP_TEST_ROUTINE_H
#define PP_TEST_ROUTINE_H

#include <criterion/criterion.h>
#include <poolproof/routine.h>

#include <string.h>

/* The parsed routine; the test ends when it does not parse. */
static inline pp_routine *pp_must_parse(const char *text) {
  pp_routine *routine = NULL;
  pp_failure failure = {.text = ""};
  cr_assert_eq(pp_routine_parse(text, strlen(text), &routine, &failure), PP_OK,
               "%s\n%s", failure.text, text);
  return routine;
}

/* Parsing answers status with exactly this sentence. */
static inline void pp_must_refuse(const char *text, size_t size,
                                  pp_status status, const char *sentence) {
  pp_routine *routine = NULL;
  pp_failure failure = {.text = ""};
  const char *shown = text != NULL ? text : "(NULL)";
  cr_expect_eq(pp_routine_parse(text, size, &routine, &failure), status,
               "%s: %s", shown, failure.text);
  cr_expect_str_eq(failure.text, sentence, "%s\nis refused with: %s", shown,
                   failure.text);
  cr_expect_null(routine);
  pp_routine_free(routine);
}

#endif
