#include "answer_parts.h"

#include "brute.h"
#include "planners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERB(NAME) ((pp_capabilities)1 << PP_ASK_##NAME)

static const char *const names[PP_ANSWERER_COUNT] = {
#define PP_ANSWERER_WORD(NAME, name, about) #name,
    PP_ANSWERERS(PP_ANSWERER_WORD)
#undef PP_ANSWERER_WORD
};

static const struct {
  size_t most;
  pp_capabilities lacks;
  bool (*answer)(const pp_ask *ask, pp_reply *reply);
} sides[PP_ANSWERER_COUNT] = {
    [PP_ANSWERER_REF] = {PP_REF_PLAN_ITEMS, 0, pp_answer_ref},
    [PP_ANSWERER_FAST] = {100000, VERB(SPANS) | VERB(RELEASE), pp_answer_fast},
    [PP_ANSWERER_PLAIN] = {PP_BRUTE_ITEMS, 0, pp_answer_plain},
};

const char *pp_answerer_name(pp_answerer answerer) {
  return names[answerer];
}

bool pp_answerer_named(const char *name, pp_answerer *answerer) {
  for (int k = 0; k < PP_ANSWERER_COUNT; k++) {
    if (strcmp(names[k], name) != 0) continue;
    *answerer = (pp_answerer)k;
    return true;
  }
  return false;
}

pp_capabilities pp_answerer_can(pp_answerer answerer) {
  return PP_CAPABILITY_ALL & ~sides[answerer].lacks;
}

size_t pp_answerer_most(pp_answerer answerer) {
  return sides[answerer].most;
}

bool pp_answer(pp_answerer answerer, const pp_ask *ask, pp_reply *reply) {
  *reply = (pp_reply){.kind = PP_REPLY_RESULT};
  if (sides[answerer].answer(ask, reply)) return true;
  pp_reply_free(reply);
  return false;
}

bool pp_reply_room(const pp_ask *ask, pp_reply *reply) {
  size_t room = ask->c.n + 1;
  reply->segment = calloc(room, sizeof *reply->segment);
  reply->offset = calloc(room, sizeof *reply->offset);
  reply->size = calloc(room, sizeof *reply->size);
  return reply->segment && reply->offset && reply->size;
}

bool pp_reply_acts(const pp_ask *ask, pp_reply *reply) {
  size_t room = pp_ask_pools(ask, NULL, 0);
  reply->done = calloc(ask->acts + 1, sizeof *reply->done);
  reply->live = calloc(room + 1, sizeof *reply->live);
  if (!reply->done || !reply->live) return false;
  reply->acts = ask->acts;
  reply->lives = pp_ask_pools(ask, reply->live, room);
  return true;
}

bool pp_reply_settle(pp_reply *reply, pp_status status, size_t index) {
  if (status == PP_NO_MEMORY) return false;
  if (status == PP_OK) return true;
  pp_reply_free(reply);
  reply->kind = PP_REPLY_REJECT;
  reply->status = status;
  reply->index = status == PP_OVER_CAP ? SIZE_MAX : index;
  return true;
}

bool pp_reply_cannot(const pp_ask *ask, pp_reply *reply) {
  reply->kind = PP_REPLY_UNSUPPORTED;
  (void)snprintf(reply->text, sizeof reply->text, "%s",
                 pp_ask_verb_name(ask->verb));
  return true;
}

size_t pp_score_node(const pp_ask *ask, uint64_t uid) {
  size_t i = 0;
  while (i < ask->nodes && ask->node[i].uid != uid)
    i++;
  return i;
}
