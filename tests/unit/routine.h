/* poolproof: what the tests of routines share. SPDX-License-Identifier: MIT */
#ifndef PP_TEST_ROUTINE_H
#define PP_TEST_ROUTINE_H

#include <criterion/criterion.h>
#include <poolproof/routine.h>

#include <string.h>

#define LIT0                                                                   \
  { .op = PP_OP_LIT }
#define ADD                                                                    \
  { .op = PP_OP_ADD }
#define SELECT                                                                 \
  { .op = PP_OP_SELECT }
#define LOOP(first, count)                                                     \
  { .op = PP_OP_LOOP, .axis = (first), .axes = (count) }
#define NEXT                                                                   \
  { .op = PP_OP_NEXT, .fold = PP_FOLD_ADD }
#define KEEP(number)                                                           \
  { .op = PP_OP_KEEP, .slot = (number) }
#define AGAIN(number)                                                          \
  { .op = PP_OP_AGAIN, .slot = (number) }
#define LOAD(number)                                                           \
  { .op = PP_OP_LOAD, .read = (number) }

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

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

/* Adding the statement alone is refused with this sentence; NULL: it is not. */
static inline void pp_expect_alone(size_t k, const pp_statement *statement,
                                   const char *text) {
  pp_routine *routine = pp_routine_new("r");
  pp_failure failure = {.text = ""};
  pp_status status = pp_routine_statement(routine, statement, &failure);
  cr_expect_eq(status, text ? PP_BAD_ROUTINE : PP_OK, "case %zu: %s", k,
               failure.text);
  cr_expect_str_eq(failure.text, text ? text : "", "case %zu: %s", k,
                   failure.text);
  cr_expect_eq(routine->statements, text ? 0 : 1);
  pp_routine_free(routine);
}

#endif
