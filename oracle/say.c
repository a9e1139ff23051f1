#include "say.h"

#include <inttypes.h>
#include <stdio.h>

const char *pp_say_status(pp_status status) {
  switch (status) {
  case PP_OK:
    return "OK";
  case PP_ITEM_OVER_CAP:
    return "ITEM_OVER_CAP";
  case PP_OVER_CAP:
    return "OVER_CAP";
  case PP_BAD_SPAN:
    return "BAD_SPAN";
  case PP_NO_MEMORY:
    return "NO_MEMORY";
  default:
    return "no planner's status";
  }
}

const char *pp_say_item(const pp_case *c, size_t item, char *text) {
  if (item >= c->n) {
    (void)snprintf(text, PP_SAY_ROOM, "no item (%zu)", item);
    return text;
  }
  const pp_item *it = &c->items[item];
  char life[PP_SAY_ROOM / 2] = "";
  if (c->kind == PP_ARENA && it->has_span)
    (void)snprintf(life, sizeof life,
                   ", class %" PRIu32 ", span [%" PRIu64 ", %" PRIu64 "]",
                   it->item_class, it->lo, it->hi);
  else if (c->kind == PP_ARENA)
    (void)snprintf(life, sizeof life, ", always live");
  (void)snprintf(text, PP_SAY_ROOM,
                 "item %zu (size %" PRIu64 ", align %" PRIu64 "%s)", item,
                 it->size, it->align, life);
  return text;
}

static const char *const violation_names[] = {
    "VALID",           "NO_SUCH_SEGMENT", "MISALIGNED", "PAST_END",
    "SEGMENT_TOO_BIG", "SHARED_BYTES",    "WRONG_SIZE"};

const char *pp_say_violation(const pp_violation *violation, char *text) {
  size_t kinds = sizeof violation_names / sizeof *violation_names;
  const char *name = (size_t)violation->kind < kinds
                         ? violation_names[violation->kind]
                         : "an unknown violation";
  (void)snprintf(text, PP_SAY_ROOM,
                 "%s (first %zu, second %zu, lo %" PRIu64 ", hi %" PRIu64 ")",
                 name, violation->first, violation->second, violation->lo,
                 violation->hi);
  return text;
}
