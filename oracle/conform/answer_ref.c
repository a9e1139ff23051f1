#include "answer_parts.h"

#include "plain_score.h"

#include "ref/ref.h"

#include <stdlib.h>

static bool segments(const pp_ask *ask, pp_reply *reply) {
  size_t bad = 0;
  if (!pp_reply_room(ask, reply)) return false;
  pp_status status = pp_ref_plan_pool_segments(
      ask->c.items, ask->c.n, ask->c.cap, reply->segment, reply->offset,
      reply->size, &reply->segments, &bad);
  return pp_reply_settle(reply, status, bad);
}

static bool arena(const pp_ask *ask, pp_reply *reply) {
  size_t bad = 0;
  pp_status status = PP_NO_MEMORY;
  size_t *order = calloc(ask->c.n + 1, sizeof *order);
  size_t *pos = calloc(ask->c.n + 1, sizeof *pos);
  reply->segments = 1;
  if (pp_reply_room(ask, reply) && order && pos)
    status =
        pp_ref_plan_arena_offsets(ask->c.items, ask->c.n, ask->c.cap, order,
                                  pos, reply->offset, reply->size, &bad);
  free(order);
  free(pos);
  return pp_reply_settle(reply, status, bad);
}

static bool validate(const pp_ask *ask, pp_reply *reply) {
  size_t bad = 0;
  pp_status status =
      pp_ref_validate(ask->c.kind, ask->c.items, ask->c.n, ask->c.cap,
                      ask->claim.segment, ask->claim.offset, ask->claim.size,
                      ask->claim.segments, &reply->violation, &bad);
  return pp_reply_settle(reply, status, bad);
}

/* RTN-6: a node works when it is in context and no intent keeps its bytes. */
static bool spans(const pp_ask *ask, pp_reply *reply) {
  bool *working = calloc(ask->nodes + 1, sizeof *working);
  reply->life = calloc(ask->nodes + 1, sizeof *reply->life);
  bool room = working && reply->life;
  for (size_t i = 0; room && i < ask->nodes; i++)
    working[i] = ask->in_context[i] && ask->node[i].intents == 0;
  if (room)
    pp_ref_spans(ask->event, ask->events, working, ask->nodes, ask->opaque,
                 reply->life);
  free(working);
  return room;
}

static bool score(const pp_ask *ask, pp_reply *reply) {
  const pp_score_options exactly = {.cap = ask->c.cap,
                                    .alignment = ask->alignment,
                                    .no_reuse = ask->no_reuse};
  pp_failure failure = {.text = ""};
  pp_status status = pp_plain_score_nodes(ask->node, ask->nodes, &exactly,
                                          &reply->footprint, &failure);
  return pp_reply_settle(reply, status, pp_score_node(ask, failure.uid));
}

bool pp_answer_ref(const pp_ask *ask, pp_reply *reply) {
  static bool (*const answer[PP_ASK_COUNT])(const pp_ask *, pp_reply *) = {
      segments, arena, validate, spans, score, pp_answer_ref_release};
  return answer[ask->verb](ask, reply);
}
