/* poolproof: layouts, and verdicts on layouts, held to the rules.
 * SPDX-License-Identifier: MIT */
#include "judge_parts.h"

#include "say.h"

#include "ref/validate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TOLD = 160, SENTENCE = 600 };

static bool is_arena(const pp_laid *laid) {
  return laid->c->kind == PP_ARENA;
}

/* "1 (span [0, 1], class 0, offset 4, size 8)". */
static const char *tell(const pp_laid *laid, size_t i, char *text) {
  const pp_item *item = &laid->c->items[i];
  char life[100] = "";
  if (is_arena(laid) && item->has_span)
    (void)snprintf(life, sizeof life,
                   "span [%" PRIu64 ", %" PRIu64 "], class %" PRIu32 ", ",
                   item->lo, item->hi, item->item_class);
  else if (is_arena(laid))
    (void)snprintf(life, sizeof life, "always live, ");
  (void)snprintf(text, TOLD, "%zu (%soffset %" PRIu64 ", size %" PRIu64 ")", i,
                 life, laid->offset[i], item->size);
  return text;
}

static const char *why_apart(const pp_laid *laid, size_t i, size_t j) {
  const pp_item *a = &laid->c->items[i];
  const pp_item *b = &laid->c->items[j];
  if (!is_arena(laid)) return "in one segment (SEG-2, VAL-1)";
  if (!a->has_span || !b->has_span)
    return "though one is always live (ARN-1, VAL-1)";
  if (a->item_class != b->item_class)
    return "though their classes differ (ARN-1, VAL-1)";
  return "while both live (ARN-1, VAL-1)";
}

static void tell_item(const pp_laid *laid, const pp_violation *violation,
                      char *text, size_t size, const char **rule) {
  char item[TOLD];
  size_t i = violation->first;
  tell(laid, i, item);
  *rule = "VAL-1";
  if (violation->kind == PP_NO_SUCH_SEGMENT) {
    (void)snprintf(text, size, "item %s is in segment %zu of %zu (VAL-1)", item,
                   laid->segment[i], laid->segments);
  } else if (violation->kind == PP_MISALIGNED) {
    *rule = "SEG-1";
    (void)snprintf(text, size,
                   "item %s is at no multiple of its alignment %" PRIu64
                   " (SEG-1, VAL-1)",
                   item, laid->c->items[i].align);
  } else {
    (void)snprintf(text, size,
                   "item %s ends past the %" PRIu64
                   " bytes of segment %zu (VAL-1)",
                   item, laid->size[laid->segment[i]], laid->segment[i]);
  }
}

static void tell_segment(const pp_laid *laid, const pp_violation *violation,
                         char *text, size_t size, const char **rule) {
  size_t k = violation->first;
  if (violation->kind == PP_SEGMENT_TOO_BIG) {
    *rule = is_arena(laid) ? "ARN-4" : "SEG-3";
    (void)snprintf(text, size,
                   "segment %zu of %" PRIu64 " bytes is over the cap %" PRIu64
                   " (%s, VAL-1)",
                   k, laid->size[k], laid->c->cap, *rule);
  } else {
    *rule = is_arena(laid) ? "ARN-4" : "SEG-4";
    (void)snprintf(text, size,
                   "segment %zu claims %" PRIu64
                   " bytes, its items end at %" PRIu64 " (%s, VAL-1)",
                   k, violation->lo, violation->hi, *rule);
  }
}

const char *pp_laid_violation(const pp_laid *laid,
                              const pp_violation *violation, char *text,
                              size_t size, const char **rule) {
  char a[TOLD];
  char b[TOLD];
  switch (violation->kind) {
  case PP_NO_SUCH_SEGMENT:
  case PP_MISALIGNED:
  case PP_PAST_END:
    tell_item(laid, violation, text, size, rule);
    break;
  case PP_SHARED_BYTES:
    *rule = is_arena(laid) ? "ARN-1" : "SEG-2";
    (void)snprintf(
        text, size, "items %s and %s share bytes [%" PRIu64 ", %" PRIu64 ") %s",
        tell(laid, violation->first, a), tell(laid, violation->second, b),
        violation->lo, violation->hi,
        why_apart(laid, violation->first, violation->second));
    break;
  case PP_SEGMENT_TOO_BIG:
  case PP_WRONG_SIZE:
    tell_segment(laid, violation, text, size, rule);
    break;
  default:
    *rule = "VAL-1";
    (void)snprintf(text, size, "valid");
    break;
  }
  return text;
}

static uint64_t total_of(const pp_reply *reply) {
  uint64_t total = 0;
  for (size_t k = 0; k < reply->segments; k++)
    if (__builtin_add_overflow(total, reply->size[k], &total))
      return UINT64_MAX;
  return total;
}

static bool same_place(const pp_reply *a, const pp_reply *b, size_t i) {
  return a->segment[i] == b->segment[i] && a->offset[i] == b->offset[i];
}

/* SEG: the first item that stands elsewhere, n when there is none. */
static size_t first_moved(const pp_case *c, const pp_reply *said,
                          const pp_reply *expected) {
  size_t i = 0;
  while (i < c->n && same_place(said, expected, i))
    i++;
  return i;
}

/* ARN-2: the same, in order of placement. */
static size_t first_displaced(const pp_case *c, const pp_reply *said,
                              const pp_reply *expected) {
  size_t first = c->n;
  for (size_t i = 0; i < c->n; i++)
    if (!same_place(said, expected, i) &&
        (first == c->n || c->items[i].size > c->items[first].size))
      first = i;
  return first;
}

static const char *segments_rule(const pp_case *c, const pp_reply *said,
                                 const pp_reply *expected, size_t i) {
  if (c->n == 0) return "SEG-6";
  if (i == c->n) return "SEG-4";
  if (said->segment[i] != expected->segment[i]) return "SEG-3";
  if (i > 0 && expected->segment[i - 1] != expected->segment[i]) return "SEG-3";
  return c->items[i].align > 1 ? "SEG-1" : "SEG-2";
}

/* An item took the place of another one of its size. */
static const char *arena_rule(const pp_case *c, const pp_reply *said,
                              const pp_reply *expected, size_t i) {
  if (i == c->n) return "ARN-4";
  for (size_t j = 0; j < c->n; j++)
    if (c->items[j].size == c->items[i].size &&
        said->offset[i] == expected->offset[j] &&
        said->offset[j] == expected->offset[i] && j != i)
      return "ARN-2";
  return "ARN-3";
}

/* Where the two first differ; returns the rule. */
static const char *tell_difference(const pp_case *c, const pp_reply *said,
                                   const pp_reply *expected, char *text,
                                   size_t size) {
  char item[PP_SAY_ROOM];
  bool arena = c->kind == PP_ARENA;
  size_t i = arena ? first_displaced(c, said, expected)
                   : first_moved(c, said, expected);
  if (i == c->n)
    (void)snprintf(text, size,
                   "%zu segment%s of %" PRIu64
                   " bytes in all, the rules give %zu of %" PRIu64,
                   said->segments, said->segments == 1 ? "" : "s",
                   total_of(said), expected->segments, total_of(expected));
  else if (arena)
    (void)snprintf(
        text, size, "%s: offset %" PRIu64 ", the rules give %" PRIu64,
        pp_say_item(c, i, item), said->offset[i], expected->offset[i]);
  else
    (void)snprintf(text, size,
                   "%s: segment %zu, offset %" PRIu64
                   ", the rules give segment %zu, offset %" PRIu64,
                   pp_say_item(c, i, item), said->segment[i], said->offset[i],
                   expected->segment[i], expected->offset[i]);
  return arena ? arena_rule(c, said, expected, i)
               : segments_rule(c, said, expected, i);
}

static void judge_valid(const pp_case *c, const pp_reply *said,
                        const pp_reply *expected, pp_compare compare,
                        pp_judgement *judgement) {
  uint64_t total = total_of(said);
  uint64_t most = total_of(expected);
  char text[SENTENCE];
  if (total > most && compare == PP_COMPARE_TOTAL)
    pp_judge_say(judgement, PP_WRONG_LARGER, "VAL-3",
                 "%" PRIu64 " bytes in all, the rules give %" PRIu64, total,
                 most);
  if (compare != PP_COMPARE_EXACT) return;
  const char *rule = tell_difference(c, said, expected, text, sizeof text);
  if (total > most)
    pp_judge_say(judgement, PP_WRONG_LARGER, rule,
                 "%s; valid, and %" PRIu64 " bytes in all, the rules give "
                 "%" PRIu64,
                 text, total, most);
  else
    pp_judge_say(judgement, PP_WRONG_DIFFERENT, rule,
                 "%s; valid, and %" PRIu64 " bytes in all%s", text, total,
                 total < most ? ", less than by the rules" : " in both");
}

void pp_judge_layout(const pp_ask *ask, const pp_reply *said,
                     const pp_reply *expected, pp_compare compare,
                     pp_judgement *judgement) {
  pp_case c = ask->c;
  c.kind = ask->verb == PP_ASK_ARENA ? PP_ARENA : PP_SEGMENTS;
  const pp_laid laid = {&c, said->segment, said->offset, said->size,
                        said->segments};
  bool planned = expected->kind == PP_REPLY_RESULT;
  if (planned && pp_reply_equal(ask, said, expected)) return;
  pp_violation violation = {.kind = PP_VALID};
  size_t bad = 0;
  (void)pp_ref_validate(c.kind, c.items, c.n, c.cap, said->segment,
                        said->offset, said->size, said->segments, &violation,
                        &bad);
  if (violation.kind == PP_VALID && planned)
    judge_valid(&c, said, expected, compare, judgement);
  if (violation.kind == PP_VALID) return;
  char text[SENTENCE];
  char difference[SENTENCE / 2] = "";
  const char *rule = "VAL-1";
  if (planned && compare == PP_COMPARE_EXACT) {
    char where[SENTENCE / 2 - 16];
    rule = tell_difference(&c, said, expected, where, sizeof where);
    (void)snprintf(difference, sizeof difference, "%s (%s); ", where, rule);
  }
  pp_laid_violation(&laid, &violation, text, sizeof text, &rule);
  pp_judge_say(judgement, PP_WRONG_INVALID, rule, "%s%s", difference, text);
}

/* A violation as it was said: nothing of it is trusted. */
static const char *tell_said(const pp_violation *it, char *text, size_t size) {
  const char *name = pp_wire_violations[it->kind];
  if (it->kind == PP_VALID)
    (void)snprintf(text, size, "%s", name);
  else if (it->kind == PP_SHARED_BYTES)
    (void)snprintf(text, size,
                   "%s of items %zu and %zu, bytes [%" PRIu64 ", %" PRIu64 ")",
                   name, it->first, it->second, it->lo, it->hi);
  else if (it->kind == PP_WRONG_SIZE)
    (void)snprintf(text, size,
                   "%s of segment %zu, claimed %" PRIu64 ", end %" PRIu64, name,
                   it->first, it->lo, it->hi);
  else
    (void)snprintf(text, size, "%s of %s %zu", name,
                   it->kind == PP_SEGMENT_TOO_BIG ? "segment" : "item",
                   it->first);
  return text;
}

void pp_judge_validate(const pp_ask *ask, const pp_reply *said,
                       const pp_reply *expected, pp_compare compare,
                       pp_judgement *judgement) {
  const pp_laid laid = {&ask->c, ask->claim.segment, ask->claim.offset,
                        ask->claim.size, ask->claim.segments};
  bool passes = said->violation.kind == PP_VALID;
  bool must_pass = expected->violation.kind == PP_VALID;
  char is[200];
  char must[SENTENCE];
  const char *rule = "";
  tell_said(&said->violation, is, sizeof is);
  pp_laid_violation(&laid, &expected->violation, must, sizeof must, &rule);
  if (passes && !must_pass)
    pp_judge_say(judgement, PP_WRONG_VERDICT, "VAL-2", "valid, but %s", must);
  else if (!passes && must_pass)
    pp_judge_say(judgement, PP_WRONG_VERDICT, "VAL-2",
                 "%s, but the layout is valid", is);
  else if (compare == PP_COMPARE_EXACT && !pp_reply_equal(ask, said, expected))
    pp_judge_say(judgement, PP_WRONG_VIOLATION, "VAL-1",
                 "%s, but the first violation is that %s", is, must);
}
