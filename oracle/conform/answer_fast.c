#include "answer_parts.h"

#include "backends/routine/footprint_nodes.h"
#include <poolproof/planner.h>

#include <stdlib.h>

static bool segments(const pp_ask *ask, pp_reply *reply) {
  const pp_plan_options options = {.cap = ask->c.cap};
  pp_error error = {0};
  if (!pp_reply_room(ask, reply)) return false;
  pp_status status =
      pp_segments_plan(ask->c.items, ask->c.n, &options, reply->segment,
                       reply->offset, reply->size, &reply->segments, &error);
  return pp_reply_settle(reply, status, error.index);
}

static bool arena(const pp_ask *ask, pp_reply *reply) {
  const pp_plan_options options = {.cap = ask->c.cap};
  pp_error error = {0};
  if (!pp_reply_room(ask, reply)) return false;
  reply->segments = 1;
  pp_status status = pp_arena_plan(ask->c.items, ask->c.n, &options,
                                   reply->offset, reply->size, &error);
  return pp_reply_settle(reply, status, error.index);
}

static bool validate(const pp_ask *ask, pp_reply *reply) {
  size_t bad = 0;
  pp_status status =
      pp_check(ask->c.kind, ask->c.items, ask->c.n, ask->c.cap,
               ask->claim.segment, ask->claim.offset, ask->claim.size,
               ask->claim.segments, NULL, &reply->violation, &bad);
  return pp_reply_settle(reply, status, bad);
}

static int by_uid(const void *a, const void *b) {
  uint64_t x = (*(const pp_node *const *)a)->uid;
  uint64_t y = (*(const pp_node *const *)b)->uid;
  return (x > y) - (x < y);
}

/* With a cap of 0, which the fast side cannot be told, whatever has a byte is
 * over it, and what has none fits any. */
static size_t over_nothing(const pp_ask *ask, const pp_node *const *node) {
  for (int constants = 0; constants < 2; constants++)
    for (size_t i = 0; i < ask->nodes; i++)
      if ((node[i]->intents & PP_MERGE) == 0 &&
          ((node[i]->intents & PP_CONSTANT) != 0) == (constants == 1) &&
          pp_ask_node_bytes(node[i]) > 0)
        return (size_t)(node[i] - ask->node);
  return ask->nodes;
}

static bool score(const pp_ask *ask, pp_reply *reply) {
  const pp_score_options options = {.cap = ask->c.cap,
                                    .alignment = ask->alignment,
                                    .no_reuse = ask->no_reuse};
  pp_failure failure = {.text = ""};
  size_t bad = ask->nodes;
  const pp_node **node = calloc(ask->nodes + 1, sizeof(const pp_node *));
  if (!node) return false;
  for (size_t i = 0; i < ask->nodes; i++)
    node[i] = &ask->node[i];
  qsort((void *)node, ask->nodes, sizeof(const pp_node *), by_uid);
  if (ask->c.cap == 0) bad = over_nothing(ask, node);
  pp_status status = PP_ITEM_OVER_CAP;
  if (bad == ask->nodes) {
    status = pp_footprint_of(node, ask->nodes, &options, &reply->footprint,
                             &failure);
    bad = pp_score_node(ask, failure.uid);
  }
  free((void *)node);
  return pp_reply_settle(reply, status, bad);
}

bool pp_answer_fast(const pp_ask *ask, pp_reply *reply) {
  static bool (*const answer[PP_ASK_COUNT])(const pp_ask *, pp_reply *) = {
      segments, arena, validate, NULL, score, NULL};
  return answer[ask->verb] ? answer[ask->verb](ask, reply)
                           : pp_reply_cannot(ask, reply);
}
