/* poolproof: an answer held to the rules.
 *
 * The rule that a wrong answer is said to break is the one that tells most:
 *   refusals    SEG-5, ARN-4, ARN (a bad span); FPT-1 for a score
 *   invalid     SEG-1 misaligned; SEG-2, ARN-1 shared bytes; SEG-3, ARN-4 over
 *               the cap; SEG-4, ARN-4 a wrong size; else VAL-1
 *   segments    the first item that stands elsewhere: SEG-3 in another segment
 *               or where one begins, SEG-1 when it has an alignment, else
 *               SEG-2; no such item: SEG-4, without items SEG-6
 *   arena       the first item, in order of placement, that stands elsewhere:
 *               ARN-2 when it changed places with one of its size, else ARN-3
 *   total mode  VAL-3
 *   validate    VAL-2 the verdict, VAL-1 the violation
 *   score       FPT-1; FPT-3 when aliasing is off
 *   release     see judge_release.c
 * A refusal may name, in the modes other than exact, any item that has what it
 * says.
 *
 * SPDX-License-Identifier: MIT */
#include "judge_parts.h"

#include "diag.h"
#include "say.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *pp_wrong_name(pp_wrong wrong) {
  static const char *const names[PP_WRONG_COUNT] = {"right",
#define PP_WRONG_WORD(NAME, name) #name,
                                                    PP_WRONGS(PP_WRONG_WORD)
#undef PP_WRONG_WORD
  };
  return names[wrong];
}

void pp_judge_say(pp_judgement *judgement, pp_wrong wrong, const char *rule,
                  const char *format, ...) {
  if (judgement->wrong != PP_RIGHT) return;
  char *text = judgement->sentence;
  size_t room = sizeof judgement->sentence;
  judgement->wrong = wrong;
  judgement->rule = rule;
  va_list list;
  va_start(list, format);
  int used = vsnprintf(text, room, format, list);
  va_end(list);
  if (used >= 0 && (size_t)used < room && *rule != '\0' &&
      wrong != PP_WRONG_INVALID)
    (void)snprintf(text + used, room - (size_t)used, " (%s)", rule);
}

static const char *refusal_rule(const pp_ask *ask, pp_status status) {
  if (status == PP_BAD_SPAN) return "ARN";
  switch (ask->verb) {
  case PP_ASK_SEGMENTS:
    return "SEG-5";
  case PP_ASK_ARENA:
    return "ARN-4";
  case PP_ASK_SCORE:
    return "FPT-1";
  default:
    return pp_ask_verb_rules(ask->verb);
  }
}

/* "item_over_cap of item 1 (size 9, align 1), cap 8". */
static const char *tell_refusal(const pp_ask *ask, const pp_reply *reply,
                                char *text, size_t size) {
  const char *name = pp_status_name(reply->status);
  size_t i = reply->index;
  char item[PP_SAY_ROOM];
  if (reply->status == PP_OVER_CAP)
    (void)snprintf(text, size, "%s, cap %" PRIu64, name, ask->c.cap);
  else if (ask->verb == PP_ASK_SCORE && i < ask->nodes)
    (void)snprintf(text, size,
                   "%s of node %zu (uid %" PRIu64 ", %" PRIu64
                   " bytes), cap %" PRIu64,
                   name, i, ask->node[i].uid, pp_ask_node_bytes(&ask->node[i]),
                   ask->c.cap);
  else if (reply->status == PP_BAD_SPAN)
    (void)snprintf(text, size, "%s of %s", name, pp_say_item(&ask->c, i, item));
  else
    (void)snprintf(text, size, "%s of %s, cap %" PRIu64, name,
                   pp_say_item(&ask->c, i, item), ask->c.cap);
  return text;
}

/* Has it what the refusal says? */
static bool guilty(const pp_ask *ask, const pp_reply *reply) {
  size_t i = reply->index;
  if (ask->verb == PP_ASK_SCORE)
    return i < ask->nodes && (ask->node[i].intents & PP_MERGE) == 0 &&
           pp_ask_node_bytes(&ask->node[i]) > ask->c.cap;
  if (i >= ask->c.n) return false;
  const pp_item *item = &ask->c.items[i];
  return reply->status == PP_BAD_SPAN ? item->has_span && item->lo > item->hi
                                      : item->size > ask->c.cap;
}

static void judge_refusals(const pp_ask *ask, const pp_reply *said,
                           const pp_reply *expected, pp_compare compare,
                           pp_judgement *judgement) {
  char is[320];
  char must[320];
  const char *rule = refusal_rule(ask, expected->status);
  tell_refusal(ask, said, is, sizeof is);
  tell_refusal(ask, expected, must, sizeof must);
  if (said->status != expected->status)
    pp_judge_say(judgement, PP_WRONG_REFUSED, rule,
                 "refused as %s; the rules refuse it as %s", is, must);
  else if (said->status != PP_OVER_CAP && said->index != expected->index &&
           (compare == PP_COMPARE_EXACT || !guilty(ask, said)))
    pp_judge_say(judgement, PP_WRONG_NAMED, rule,
                 "refused as %s; the rules name the first, %s", is, must);
}

static void judge_results(const pp_ask *ask, const pp_reply *said,
                          const pp_reply *expected, pp_compare compare,
                          pp_judgement *judgement) {
  switch (ask->verb) {
  case PP_ASK_VALIDATE:
    pp_judge_validate(ask, said, expected, compare, judgement);
    break;
  case PP_ASK_SPANS:
    pp_judge_spans(ask, said, expected, judgement);
    break;
  case PP_ASK_SCORE:
    pp_judge_score(ask, said, expected, compare, judgement);
    break;
  case PP_ASK_RELEASE:
    pp_judge_release(ask, said, expected, judgement);
    break;
  default:
    pp_judge_layout(ask, said, expected, compare, judgement);
    break;
  }
}

/* Would every item have bytes of its own under the cap? Then any planner has a
 * plan. */
static bool fits_without_reuse(const pp_case *c) {
  uint64_t end = 0;
  for (size_t i = 0; i < c->n; i++) {
    uint64_t align = c->items[i].align;
    uint64_t over = align > 1 ? end % align : 0;
    if (__builtin_add_overflow(end, over > 0 ? align - over : 0, &end) ||
        __builtin_add_overflow(end, c->items[i].size, &end))
      return false;
  }
  return end <= c->cap;
}

static void judge_answer(const pp_ask *ask, const pp_reply *said,
                         const pp_reply *expected, pp_compare compare,
                         pp_judgement *judgement) {
  char text[320];
  bool refuses = said->kind == PP_REPLY_REJECT;
  bool refused = expected->kind == PP_REPLY_REJECT;
  bool other_fits = ask->verb == PP_ASK_ARENA && compare != PP_COMPARE_EXACT &&
                    refused && expected->status == PP_OVER_CAP;
  bool may_not_fit = ask->verb == PP_ASK_ARENA && compare == PP_COMPARE_VALID &&
                     said->status == PP_OVER_CAP &&
                     !fits_without_reuse(&ask->c);
  if (refuses && refused)
    judge_refusals(ask, said, expected, compare, judgement);
  else if (refuses && may_not_fit)
    return;
  else if (refuses)
    pp_judge_say(judgement, PP_WRONG_REFUSED, refusal_rule(ask, said->status),
                 "refused as %s; the rules give an answer",
                 tell_refusal(ask, said, text, sizeof text));
  else if (refused && !other_fits)
    pp_judge_say(judgement, PP_WRONG_ANSWERED,
                 refusal_rule(ask, expected->status),
                 "answered; the rules refuse it as %s",
                 tell_refusal(ask, expected, text, sizeof text));
  else
    judge_results(ask, said, expected, compare, judgement);
}

static void judge_unsupported(const pp_ask *ask, const char *word,
                              const pp_hello *hello, pp_judgement *judgement) {
  unsigned bit = 0;
  char safe[100];
  pp_printable(word, safe, sizeof safe);
  if (!pp_capability_named(word, &bit))
    pp_judge_say(judgement, PP_WRONG_CONTRADICTED, "",
                 "unsupported \"%s\", which is no capability", safe);
  else if ((hello->capabilities >> bit & 1) != 0)
    pp_judge_say(judgement, PP_WRONG_CONTRADICTED, "",
                 "unsupported \"%s\", which hello declared", safe);
  else if ((pp_ask_needs(ask) >> bit & 1) == 0)
    pp_judge_say(judgement, PP_WRONG_CONTRADICTED, "",
                 "unsupported \"%s\", which the request does not need", safe);
}

void pp_judge(const pp_ask *ask, const pp_reply *said, const pp_reply *expected,
              const pp_hello *hello, pp_compare compare,
              pp_judgement *judgement) {
  char safe[400];
  *judgement = (pp_judgement){.wrong = PP_RIGHT, .rule = ""};
  switch (said->kind) {
  case PP_REPLY_UNSUPPORTED:
    judge_unsupported(ask, said->text, hello, judgement);
    break;
  case PP_REPLY_SKIP:
    if (!pp_wire_is_url(said->text))
      pp_judge_say(judgement, PP_WRONG_CONTRADICTED, "",
                   "skipped, and \"%s\" is no http or https URL of an issue",
                   pp_printable(said->text, safe, sizeof safe));
    break;
  case PP_REPLY_RESULT:
  case PP_REPLY_REJECT:
    judge_answer(ask, said, expected, compare, judgement);
    break;
  default:
    pp_judge_say(judgement, PP_WRONG_FAILED, "", "it failed: %s",
                 pp_printable(said->text, safe, sizeof safe));
    break;
  }
}
