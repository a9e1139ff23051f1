/* poolproof: an answer held to the rules.  SPDX-License-Identifier: MIT */
#ifndef PP_JUDGE_H
#define PP_JUDGE_H

#include "answer.h"
#include "wire.h"

/* What is wrong with an answer: enumerator, word (in reports and signatures).
 *   answered   a result where the rules refuse
 *   refused    a refusal where the rules give a result, or of another class
 *   named      the right refusal, naming another item
 *   invalid    a layout that breaks VAL-1
 *   larger     a valid layout, larger than the specified one
 *   different  valid and no larger, but not the specified one
 *   verdict    validate: valid for invalid, or the other way round
 *   violation  validate: another violation than the first
 *   spans, score, release   another answer than the rules give
 *   failed     an `error` answer
 *   contradicted   `unsupported`, of something that hello declared or that the
 *              request does not need; `skip` without an http(s) URL */
#define PP_WRONGS(X)                                                           \
  X(ANSWERED, answered)                                                        \
  X(REFUSED, refused)                                                          \
  X(NAMED, named)                                                              \
  X(INVALID, invalid)                                                          \
  X(LARGER, larger)                                                            \
  X(DIFFERENT, different)                                                      \
  X(VERDICT, verdict)                                                          \
  X(VIOLATION, violation)                                                      \
  X(SPANS, spans)                                                              \
  X(SCORE, score)                                                              \
  X(RELEASE, release)                                                          \
  X(FAILED, failed)                                                            \
  X(CONTRADICTED, contradicted)

typedef enum pp_wrong {
  PP_RIGHT = 0,
#define PP_WRONG_ENUM(NAME, name) PP_WRONG_##NAME,
  PP_WRONGS(PP_WRONG_ENUM)
#undef PP_WRONG_ENUM
      PP_WRONG_COUNT
} pp_wrong;

const char *pp_wrong_name(pp_wrong wrong);

/* One answer, judged.
 * wrong      PP_RIGHT: it agrees, or it is a `skip` or `unsupported` that is
 *            allowed
 * rule       the rule that it breaks; static; "" when right
 * sentence   who says what on which item, the rules' answer beside it */
typedef struct pp_judgement {
  pp_wrong wrong;
  const char *rule;
  char sentence[900];
} pp_judgement;

/* Judges what was said to ask. expected: the reference's answer. hello: what
 * was declared. The answer is a pure function of its arguments. */
void pp_judge(const pp_ask *ask, const pp_reply *said, const pp_reply *expected,
              const pp_hello *hello, pp_compare compare,
              pp_judgement *judgement);

#endif
