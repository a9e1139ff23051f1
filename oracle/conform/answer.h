/* poolproof: questions answered here, by each of our own sides.
 * SPDX-License-Identifier: MIT */
#ifndef PP_ANSWER_H
#define PP_ANSWER_H

#include "ask.h"

/* Enumerator, word, what it is. REF answers every verb from ref/ (spans,
 * segments, arena, validate and release are the proved functions; score is
 * FPT-1 read plainly over the proved planners). FAST is backends/: segments,
 * arena, validate, score. PLAIN is brute force, or the rules read plainly, in
 * oracle/ alone: every verb, for tiny questions only (brute.h's limits on
 * items and values; PP_REPLY_ERROR beyond them). */
#define PP_ANSWERERS(X)                                                        \
  X(REF, ref, "the proved reference")                                          \
  X(FAST, fast, "the fast planner")                                            \
  X(PLAIN, plain, "brute force")

typedef enum pp_answerer {
#define PP_ANSWERER_ENUM(NAME, name, about) PP_ANSWERER_##NAME,
  PP_ANSWERERS(PP_ANSWERER_ENUM)
#undef PP_ANSWERER_ENUM
      PP_ANSWERER_COUNT
} pp_answerer;

const char *pp_answerer_name(pp_answerer answerer);
bool pp_answerer_named(const char *name, pp_answerer *answerer);

/* Which verbs it answers (and every feature). */
pp_capabilities pp_answerer_can(pp_answerer answerer);

/* The greatest question that it answers in reasonable time (pp_ask_size). */
size_t pp_answerer_most(pp_answerer answerer);

/* Answers. reply (zeroed or freed before) is a RESULT, a REJECT, or UNSUPPORTED
 * with the capability. False: out of memory, reply empty. The question has
 * nothing wrong with it (pp_ask_wrong). Thread-safe. */
bool pp_answer(pp_answerer answerer, const pp_ask *ask, pp_reply *reply);

#endif
