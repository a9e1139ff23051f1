#include "answer_parts.h"
#include "plugins.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, GUARD_BYTE = 0xa5, FRESH_BYTE = 0xc3, OUTPUTS = 6 };

/* An array that is given to a plugin, with guards around it.
 * name  for messages
 * at    of `bytes` bytes; GUARD before it and after it
 * was   what an input held; NULL: an output */
typedef struct pp_guarded {
  const char *name;
  unsigned char *block;
  unsigned char *at;
  size_t bytes;
  const void *was;
} pp_guarded;

/* The arrays of one call. */
typedef struct pp_lent {
  size_t count;
  pp_guarded array[OUTPUTS];
  bool failed;
} pp_lent;

static void *lend(pp_lent *lent, const char *name, const void *was,
                  size_t count, size_t each) {
  pp_guarded *array = &lent->array[lent->count];
  size_t bytes = count * each;
  *array = (pp_guarded){.name = name, .bytes = bytes, .was = was};
  array->block = malloc(bytes + (size_t)2 * GUARD);
  if (!array->block) {
    lent->failed = true;
    return NULL;
  }
  array->at = array->block + GUARD;
  memset(array->block, GUARD_BYTE, bytes + (size_t)2 * GUARD);
  if (was && bytes > 0)
    memcpy(array->at, was, bytes);
  else
    memset(array->at, FRESH_BYTE, bytes);
  lent->count++;
  return array->at;
}

static void give_back(pp_lent *lent) {
  for (size_t k = 0; k < lent->count; k++)
    free(lent->array[k].block);
}

static bool whole(const unsigned char *guard) {
  for (size_t i = 0; i < GUARD; i++)
    if (guard[i] != GUARD_BYTE) return false;
  return true;
}

/* What the call did to memory that is not its own: NULL, or a text. */
static const char *harm(const pp_lent *lent, char *text, size_t size) {
  for (size_t k = 0; k < lent->count; k++) {
    const pp_guarded *array = &lent->array[k];
    const char *what = NULL;
    if (!whole(array->block))
      what = "writes before";
    else if (!whole(array->at + array->bytes))
      what = "writes past the end of";
    else if (array->was && array->bytes > 0 &&
             memcmp(array->at, array->was, array->bytes) != 0)
      what = "changes";
    if (!what) continue;
    (void)snprintf(text, size, "the plugin %s its %s array", what, array->name);
    return text;
  }
  return NULL;
}

static bool is_error(pp_reply *reply, const char *text) {
  pp_reply_free(reply);
  reply->kind = PP_REPLY_ERROR;
  (void)snprintf(reply->text, sizeof reply->text, "%s", text);
  return true;
}

/* Whether the status is one that the question's verb may have. */
static bool is_known(const pp_ask *ask, pp_status status) {
  if (status == PP_OK) return true;
  if (ask->verb == PP_ASK_SEGMENTS) return status == PP_ITEM_OVER_CAP;
  if (ask->verb == PP_ASK_VALIDATE) return status == PP_BAD_SPAN;
  return status == PP_ITEM_OVER_CAP || status == PP_BAD_SPAN ||
         status == PP_OVER_CAP;
}

/* True: there is something wrong, and the reply says it. */
static bool spoiled(const pp_ask *ask, const pp_lent *lent, pp_status status,
                    size_t bad, pp_reply *reply) {
  char text[160];
  if (harm(lent, text, sizeof text)) return is_error(reply, text);
  if (status == PP_NO_MEMORY)
    return is_error(reply, "the plugin answers PP_NO_MEMORY");
  if (!is_known(ask, status)) {
    (void)snprintf(text, sizeof text, "the plugin's %s answers status %d",
                   pp_ask_verb_name(ask->verb), (int)status);
    return is_error(reply, text);
  }
  if ((status == PP_ITEM_OVER_CAP || status == PP_BAD_SPAN) &&
      bad >= ask->c.n) {
    (void)snprintf(text, sizeof text, "the plugin's *bad names item %zu of %zu",
                   bad, ask->c.n);
    return is_error(reply, text);
  }
  return false;
}

static bool segments(const pp_planner_plugin *planner, const pp_ask *ask,
                     pp_lent *lent, pp_reply *reply) {
  size_t n = ask->c.n;
  size_t count = SIZE_MAX;
  size_t bad = SIZE_MAX;
  const pp_item *items =
      lend(lent, "items", ask->c.items, n, sizeof *ask->c.items);
  size_t *segment = lend(lent, "segment", NULL, n, sizeof *segment);
  uint64_t *offset = lend(lent, "offset", NULL, n, sizeof *offset);
  uint64_t *size = lend(lent, "size", NULL, n, sizeof *size);
  if (lent->failed || !pp_reply_room(ask, reply)) return false;
  pp_status status = planner->segments(items, n, ask->c.cap, segment, offset,
                                       size, &count, &bad);
  if (spoiled(ask, lent, status, bad, reply)) return true;
  if (status != PP_OK) return pp_reply_settle(reply, status, bad);
  if (count > n) return is_error(reply, "the plugin's *segments is above n");
  reply->segments = count;
  if (n > 0) {
    memcpy(reply->segment, segment, n * sizeof *segment);
    memcpy(reply->offset, offset, n * sizeof *offset);
    memcpy(reply->size, size, count * sizeof *size);
  }
  return pp_reply_settle(reply, status, bad);
}

static bool arena(const pp_planner_plugin *planner, const pp_ask *ask,
                  pp_lent *lent, pp_reply *reply) {
  size_t n = ask->c.n;
  size_t bad = SIZE_MAX;
  const pp_item *items =
      lend(lent, "items", ask->c.items, n, sizeof *ask->c.items);
  uint64_t *offset = lend(lent, "offset", NULL, n, sizeof *offset);
  uint64_t *total = lend(lent, "total", NULL, 1, sizeof *total);
  reply->segments = 1;
  if (lent->failed || !pp_reply_room(ask, reply)) return false;
  pp_status status = planner->arena(items, n, ask->c.cap, offset, total, &bad);
  if (spoiled(ask, lent, status, bad, reply)) return true;
  if (n > 0) memcpy(reply->offset, offset, n * sizeof *offset);
  reply->size[0] = *total;
  return pp_reply_settle(reply, status, status == PP_OVER_CAP ? SIZE_MAX : bad);
}

static bool validate(const pp_planner_plugin *planner, const pp_ask *ask,
                     pp_lent *lent, pp_reply *reply) {
  size_t n = ask->c.n;
  size_t bad = SIZE_MAX;
  const pp_claim *claim = &ask->claim;
  const pp_item *items =
      lend(lent, "items", ask->c.items, n, sizeof *ask->c.items);
  const size_t *segment =
      lend(lent, "segment", claim->segment, n, sizeof *segment);
  const uint64_t *offset =
      lend(lent, "offset", claim->offset, n, sizeof *offset);
  const uint64_t *size =
      lend(lent, "size", claim->size, claim->segments, sizeof *size);
  pp_violation *violation = lend(lent, "violation", NULL, 1, sizeof *violation);
  if (lent->failed) return false;
  pp_status status =
      planner->validate(ask->c.kind, items, n, ask->c.cap, segment, offset,
                        size, claim->segments, violation, &bad);
  if (spoiled(ask, lent, status, bad, reply)) return true;
  if (status == PP_OK && (unsigned)violation->kind > PP_WRONG_SIZE)
    return is_error(reply, "the plugin's violation is of no kind");
  if (status == PP_OK) reply->violation = *violation;
  return pp_reply_settle(reply, status, bad);
}

bool pp_plugin_answer(void *state, const pp_ask *ask, pp_reply *reply) {
  const pp_plugin *plugin = state;
  const pp_planner_plugin *planner = plugin->planner;
  pp_lent lent = {.count = 0};
  bool answered = false;
  if (ask->verb == PP_ASK_SEGMENTS)
    answered = segments(planner, ask, &lent, reply);
  else if (ask->verb == PP_ASK_ARENA)
    answered = arena(planner, ask, &lent, reply);
  else
    answered = validate(planner, ask, &lent, reply);
  give_back(&lent);
  if (!answered) pp_reply_free(reply);
  return answered;
}
