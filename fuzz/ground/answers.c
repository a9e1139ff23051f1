/* poolproof: counts the questions that vectors ask, and sees the first wrong
 * answer.
 * SPDX-License-Identifier: MIT */
#include "probe.h"

#include "answer.h"

/* NOLINTBEGIN: the linker's names */
bool __real_pp_answer(pp_answerer answerer, const pp_ask *ask, pp_reply *reply);
bool __wrap_pp_answer(pp_answerer answerer, const pp_ask *ask, pp_reply *reply);
bool __real_pp_reply_equal(const pp_ask *ask, const pp_reply *a,
                           const pp_reply *b);
bool __wrap_pp_reply_equal(const pp_ask *ask, const pp_reply *a,
                           const pp_reply *b);

/* The reference is asked every question, and first. */
bool __wrap_pp_answer(pp_answerer answerer, const pp_ask *ask,
                      pp_reply *reply) {
  if (answerer == PP_ANSWERER_REF) pp_probe_case();
  return __real_pp_answer(answerer, ask, reply);
}

bool __wrap_pp_reply_equal(const pp_ask *ask, const pp_reply *a,
                           const pp_reply *b) {
  return !pp_probe_judged(!__real_pp_reply_equal(ask, a, b));
}
/* NOLINTEND */
