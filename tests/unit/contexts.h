/* poolproof: what the tests of contexts share. SPDX-License-Identifier: MIT */
#ifndef PP_CONTEXTS_H
#define PP_CONTEXTS_H

#include "routine.h"

#include <poolproof/fault.h>
#include <poolproof/runtime.h>

#include <criterion/criterion.h>
#include <inttypes.h>

/* The call, whose failure is WHY, goes well and says nothing. */
#define OK(call)                                                               \
  do {                                                                         \
    pp_failure why_ = {0};                                                     \
    pp_status status_ = (call);                                                \
    cr_assert(status_ == PP_OK, "line %d: %s", __LINE__, why_.text);           \
    cr_assert(why_.text[0] == '\0', "line %d: %s", __LINE__, why_.text);       \
  } while (0)
#define WHY (&why_)

/* The call answers that status, and says so. */
#define IS(expected, call)                                                     \
  do {                                                                         \
    pp_failure why_ = {0};                                                     \
    pp_status status_ = (call);                                                \
    cr_assert(status_ == (expected), "line %d: %d %s", __LINE__, status_,      \
              why_.text);                                                      \
    cr_assert(why_.status == status_ && why_.text[0] != '\0');                 \
  } while (0)

/* The same, in these words. */
#define SAYS(expected, words, call)                                            \
  do {                                                                         \
    pp_failure why_ = {0};                                                     \
    pp_status status_ = (call);                                                \
    cr_assert(status_ == (expected), "line %d: %d %s", __LINE__, status_,      \
              why_.text);                                                      \
    cr_assert(why_.status == status_, "line %d", __LINE__);                    \
    cr_assert_str_eq(why_.text, (words), "line %d: %s", __LINE__, why_.text);  \
  } while (0)

/* a and c never live together, b lives with both: sizes 16, 24, 16. */
static const char pp_chain[] = "routine chain\n"
                               "node 1 x i32 [] host data 5\n"
                               "node 2 a i32 [4] span 0 1\n"
                               "node 3 b i32 [6] span 1 2\n"
                               "node 4 c i32 [4] span 2 3\n"
                               "node 5 y i32 [] observable\n"
                               "for i<4: a[i] = x[] + 1\n"
                               "for i<6: b[i] = a[0] * 2\n"
                               "for i<4: c[i] = b[i] + 1\n"
                               "for i<4: y[] += c[i]\n"
                               "end\n";

static const char pp_merging[] = "routine merging\n"
                                 "node 8 x i32 [2] observable\n"
                                 "node 8 other i32 [2] merge\n"
                                 "for i<2: x[i] += other[i]\n"
                                 "end\n";

/* A fault backend around the backend of that name; alignment 8. */
static inline pp_backend *pp_start(const char *name, bool delay) {
  pp_backend *inner = NULL;
  pp_backend *backend = NULL;
  OK(pp_get_backend(name, &inner, WHY));
  const pp_fault_options options = {.delay = delay, .alignment = 8};
  cr_assert(pp_fault_backend_new(inner, &options, &backend) == PP_OK);
  return backend;
}

/* Nothing was left, and no contract broken. */
static inline void pp_finish(pp_backend *backend) {
  OK(pp_teardown(backend, WHY));
  const char *breach = pp_fault_breach(backend);
  cr_assert(breach == NULL, "%s", breach);
  cr_assert(pp_fault_backend_free(backend) == 0);
}

static inline pp_context *pp_root(pp_backend *backend, size_t ordinal) {
  pp_context *context = NULL;
  OK(pp_make_context(backend, ordinal, &context, WHY));
  return context;
}

static inline pp_context *pp_link_text(pp_context *parent, const char *text,
                                       uint64_t cap) {
  pp_routine *routine = pp_must_parse(text);
  pp_context *child = NULL;
  const pp_link_options options = {.cap = cap};
  OK(pp_link(parent, routine, &options, &child, WHY));
  pp_routine_free(routine);
  return child;
}

static inline void pp_drop(pp_context *context) {
  OK(pp_context_free(context, WHY));
}

#endif
