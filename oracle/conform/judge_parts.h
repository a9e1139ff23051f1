/* poolproof: what the parts of the judge share.
 * SPDX-License-Identifier: MIT */
#ifndef PP_JUDGE_PARTS_H
#define PP_JUDGE_PARTS_H

#include "judge.h"

/* The verdict, unless there is one. rule is static; " (RULE)" comes behind the
 * sentence. */
void pp_judge_say(pp_judgement *judgement, pp_wrong wrong, const char *rule,
                  const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Two results, each judged as judge.h says. expected of a layout may be a
 * refusal with PP_OVER_CAP: then any valid layout is right. */
void pp_judge_layout(const pp_ask *ask, const pp_reply *said,
                     const pp_reply *expected, pp_compare compare,
                     pp_judgement *judgement);
void pp_judge_validate(const pp_ask *ask, const pp_reply *said,
                       const pp_reply *expected, pp_compare compare,
                       pp_judgement *judgement);
void pp_judge_spans(const pp_ask *ask, const pp_reply *said,
                    const pp_reply *expected, pp_judgement *judgement);
void pp_judge_score(const pp_ask *ask, const pp_reply *said,
                    const pp_reply *expected, pp_compare compare,
                    pp_judgement *judgement);
void pp_judge_release(const pp_ask *ask, const pp_reply *said,
                      const pp_reply *expected, pp_judgement *judgement);

/* A layout of the question's items, whoever claims it. */
typedef struct pp_laid {
  const pp_case *c;
  const size_t *segment;
  const uint64_t *offset;
  const uint64_t *size;
  size_t segments;
} pp_laid;

/* A violation in one sentence that names items, spans, classes and bytes, with
 * its rules; *rule is the most telling of them, static. Returns text. */
const char *pp_laid_violation(const pp_laid *laid,
                              const pp_violation *violation, char *text,
                              size_t size, const char **rule);

#endif
