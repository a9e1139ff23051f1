/* poolproof: releases held to the rules.
 *
 * The rule, by the first step that differs:
 *   REL-6  what a touch answers
 *   REL-3  a call, though the context was released before
 *   REL-2  the wait is missing, or the same frees come in another order
 *   REL-4  calls go on after one that failed; a retry's frees; the status, or
 *          the pools that live at the end, are not what the calls say
 *   REL-1  a pool too many or too few
 * SPDX-License-Identifier: MIT */
#include "judge_parts.h"

#include "diag.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *calls_of(const pp_done *done) {
  return done->calls ? done->calls : "";
}

/* One line of the calls: not terminated. */
typedef struct pp_line {
  const char *at;
  size_t size;
} pp_line;

/* The line at *at, which goes on to the next; size 0: there is none. */
static pp_line next_line(const char **at) {
  pp_line line = {*at, strcspn(*at, "\n")};
  *at += line.size;
  if (**at == '\n') *at += 1;
  return line;
}

static bool same_line(pp_line a, pp_line b) {
  return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

static bool has_line(const char *calls, pp_line line) {
  const char *at = calls;
  while (*at != '\0')
    if (same_line(next_line(&at), line)) return true;
  return false;
}

/* Was the context's release tried before, and did it fail? */
static bool is_retry(const pp_ask *ask, const pp_reply *expected, size_t step) {
  for (size_t k = 0; k < step; k++)
    if (ask->act[k].kind == PP_ACT_RELEASE &&
        ask->act[k].context == ask->act[step].context &&
        expected->done[k].status != PP_OK)
      return true;
  return false;
}

/* is and right are the first calls that differ, `number` of them. */
static const char *rule_of_calls(const pp_ask *ask, const pp_reply *said,
                                 const pp_reply *expected, size_t step,
                                 pp_line is, pp_line right, size_t number) {
  const pp_done *done = &expected->done[step];
  bool retry = is_retry(ask, expected, step);
  if (calls_of(done)[0] == '\0') return "REL-3";
  if (number == 1) return retry && is.size == 0 ? "REL-4" : "REL-2";
  if (right.size == 0 && done->status != PP_OK) return "REL-4";
  if (has_line(calls_of(&said->done[step]), right) &&
      has_line(calls_of(done), is))
    return "REL-2";
  return retry ? "REL-4" : "REL-1";
}

static const char *word(pp_status status) {
  if (status == PP_OK) return "ok";
  return status == PP_POOL_GONE ? "pool_gone" : "failed";
}

/* "\"free 3\"", or "no call". */
static const char *tell_call(pp_line line, char *text, size_t size) {
  char safe[64];
  char call[48];
  (void)snprintf(call, sizeof call, "%.*s",
                 line.size < sizeof call ? (int)line.size : (int)sizeof call,
                 line.at);
  if (line.size == 0)
    (void)snprintf(text, size, "no call");
  else
    (void)snprintf(text, size, "\"%s\"", pp_printable(call, safe, sizeof safe));
  return text;
}

static void judge_calls(const pp_ask *ask, const pp_reply *said,
                        const pp_reply *expected, size_t step,
                        pp_judgement *judgement) {
  const char *is_at = calls_of(&said->done[step]);
  const char *must_at = calls_of(&expected->done[step]);
  size_t number = 0;
  while (*is_at != '\0' || *must_at != '\0') {
    pp_line is = next_line(&is_at);
    pp_line right = next_line(&must_at);
    char text[80];
    char wanted[80];
    number++;
    if (same_line(is, right)) continue;
    bool touch = ask->act[step].kind == PP_ACT_TOUCH;
    pp_judge_say(
        judgement, PP_WRONG_RELEASE,
        touch ? "REL-6"
              : rule_of_calls(ask, said, expected, step, is, right, number),
        "step %zu (%s of context %zu): call %zu is %s, the rules give %s", step,
        touch ? "touch" : "release", ask->act[step].context, number,
        tell_call(is, text, sizeof text),
        tell_call(right, wanted, sizeof wanted));
    return;
  }
}

static void judge_step(const pp_ask *ask, const pp_reply *said,
                       const pp_reply *expected, size_t step,
                       pp_judgement *judgement) {
  const pp_act *act = &ask->act[step];
  pp_status is = said->done[step].status;
  pp_status must = expected->done[step].status;
  judge_calls(ask, said, expected, step, judgement);
  if (is == must) return;
  if (act->kind == PP_ACT_TOUCH)
    pp_judge_say(judgement, PP_WRONG_RELEASE, "REL-6",
                 "step %zu (touch of uid %" PRIu64
                 " in context %zu): %s, the rules give %s",
                 step, act->uid, act->context, word(is), word(must));
  else
    pp_judge_say(judgement, PP_WRONG_RELEASE, "REL-4",
                 "step %zu (release of context %zu): %s, the rules give %s",
                 step, act->context, word(is), word(must));
}

void pp_judge_release(const pp_ask *ask, const pp_reply *said,
                      const pp_reply *expected, pp_judgement *judgement) {
  size_t k = 0;
  for (size_t step = 0; step < ask->acts; step++)
    judge_step(ask, said, expected, step, judgement);
  while (k < said->lives && k < expected->lives &&
         said->live[k] == expected->live[k])
    k++;
  bool more = k < said->lives;
  bool must = k < expected->lives;
  if (!more && !must) return;
  /* The lists ascend: the lesser of two pools is missing in the other one. */
  bool leaked = more && (!must || said->live[k] < expected->live[k]);
  pp_judge_say(judgement, PP_WRONG_RELEASE, "REL-4",
               "pool %" PRIu64 " is %s at the end, by the rules it is %s",
               leaked ? said->live[k] : expected->live[k],
               leaked ? "live" : "gone", leaked ? "gone" : "live");
}
