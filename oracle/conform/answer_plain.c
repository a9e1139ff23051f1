/* poolproof: the rules once more, read plainly; nothing of ref/ or backends/
 * is called.  SPDX-License-Identifier: MIT */
#include "answer_parts.h"

#include "brute.h"

#include <stdio.h>
#include <stdlib.h>

/* Time grows with the values. */
static const uint64_t TINY = 1 << 14;

static bool too_large(pp_reply *reply) {
  pp_reply_free(reply);
  reply->kind = PP_REPLY_ERROR;
  (void)snprintf(reply->text, sizeof reply->text,
                 "too large for brute force: %d items, values of %d at most",
                 (int)PP_BRUTE_ITEMS, (int)TINY);
  return true;
}

static bool tiny(const pp_item *items, size_t n) {
  if (n > PP_BRUTE_ITEMS) return false;
  for (size_t i = 0; i < n; i++)
    if (items[i].size > TINY || items[i].align > TINY) return false;
  return true;
}

static bool segments(const pp_ask *ask, pp_reply *reply) {
  size_t bad = 0;
  if (!tiny(ask->c.items, ask->c.n)) return too_large(reply);
  if (!pp_reply_room(ask, reply)) return false;
  pp_status status =
      pp_brute_segments(ask->c.items, ask->c.n, ask->c.cap, reply->segment,
                        reply->offset, reply->size, &reply->segments, &bad);
  return pp_reply_settle(reply, status, bad);
}

static bool arena(const pp_ask *ask, pp_reply *reply) {
  size_t bad = 0;
  if (!tiny(ask->c.items, ask->c.n)) return too_large(reply);
  if (!pp_reply_room(ask, reply)) return false;
  reply->segments = 1;
  pp_status status = pp_brute_arena(ask->c.items, ask->c.n, ask->c.cap,
                                    reply->offset, reply->size, &bad);
  return pp_reply_settle(reply, status, bad);
}

static bool validate(const pp_ask *ask, pp_reply *reply) {
  size_t bad = 0;
  bool small = tiny(ask->c.items, ask->c.n);
  for (size_t i = 0; small && i < ask->c.n; i++)
    if (ask->claim.offset[i] > TINY) small = false;
  if (!small) return too_large(reply);
  pp_status status =
      pp_brute_check(ask->c.kind, ask->c.items, ask->c.n, ask->c.cap,
                     ask->claim.segment, ask->claim.offset, ask->claim.size,
                     ask->claim.segments, &reply->violation, &bad);
  return pp_reply_settle(reply, status, bad);
}

/* RTN-6, for one node: what is known of it after all accesses. */
static pp_ref_life life_of(const pp_ask *ask, size_t node) {
  pp_ref_life life = {false, 0, 0};
  bool accessed = false;
  bool filled = false;
  bool read = false;
  for (size_t k = 0; k < ask->events; k++) {
    const pp_ref_event *event = &ask->event[k];
    if (event->node != node) continue;
    if (!accessed) {
      filled = event->access == PP_REF_FILL;
      life.lo = life.hi = event->position;
    }
    accessed = true;
    if (event->access == PP_REF_READ) read = true;
    if (event->position < life.lo) life.lo = event->position;
    if (event->position > life.hi) life.hi = event->position;
  }
  bool kept = (ask->node[node].intents &
               (PP_OBSERVABLE | PP_CONSTANT | PP_HOST | PP_MERGE)) != 0;
  life.has_span =
      !ask->opaque && ask->in_context[node] && !kept && filled && read;
  return life.has_span ? life : (pp_ref_life){false, 0, 0};
}

static bool spans(const pp_ask *ask, pp_reply *reply) {
  reply->life = calloc(ask->nodes + 1, sizeof *reply->life);
  if (!reply->life) return false;
  for (size_t i = 0; i < ask->nodes; i++)
    reply->life[i] = life_of(ask, i);
  return true;
}

/* FPT-1: one group, by uid; index[i] is item i's node. */
typedef struct pp_plain_group {
  size_t n;
  size_t index[PP_BRUTE_ITEMS];
  pp_item item[PP_BRUTE_ITEMS];
} pp_plain_group;

/* Puts the node where its uid belongs. False: no room, or it is not tiny. */
static bool insert(pp_plain_group *group, const pp_ask *ask, size_t node,
                   bool spans_count) {
  const pp_node *it = &ask->node[node];
  size_t to = group->n;
  if (to == PP_BRUTE_ITEMS) return false;
  for (; to > 0 && ask->node[group->index[to - 1]].uid > it->uid; to--) {
    group->index[to] = group->index[to - 1];
    group->item[to] = group->item[to - 1];
  }
  group->n++;
  group->index[to] = node;
  group->item[to] = (pp_item){.size = pp_ask_node_bytes(it),
                              .align = ask->alignment,
                              .lo = it->lo,
                              .hi = it->hi,
                              .item_class = (uint32_t)it->dtype,
                              .has_span = it->has_span && spans_count};
  return tiny(&group->item[to], 1);
}

/* The SEG sum. */
static pp_status sum_of(const pp_plain_group *group, uint64_t cap,
                        uint64_t *sum, size_t *bad) {
  size_t segment[PP_BRUTE_ITEMS];
  uint64_t offset[PP_BRUTE_ITEMS];
  uint64_t size[PP_BRUTE_ITEMS];
  size_t segments_made = 0;
  pp_status status = pp_brute_segments(group->item, group->n, cap, segment,
                                       offset, size, &segments_made, bad);
  if (status == PP_OK)
    for (size_t k = 0; k < segments_made; k++)
      *sum += size[k];
  else
    *bad = group->index[*bad];
  return status;
}

static pp_status add_up(const pp_plain_group *working,
                        const pp_plain_group *constants, uint64_t cap,
                        pp_footprint *footprint, size_t *bad) {
  uint64_t offset[PP_BRUTE_ITEMS];
  uint64_t total = 0;
  size_t stuck = 0;
  pp_status status =
      pp_brute_arena(working->item, working->n, cap, offset, &total, &stuck);
  footprint->arena = status == PP_OK && footprint->planned > 0;
  status = sum_of(working, cap, &footprint->dedicated, bad);
  if (status == PP_OK)
    status = sum_of(constants, cap, &footprint->constants, bad);
  footprint->working = footprint->arena ? total : footprint->dedicated;
  footprint->total = footprint->working + footprint->constants;
  return status;
}

static bool score(const pp_ask *ask, pp_reply *reply) {
  pp_plain_group working = {0};
  pp_plain_group constants = {0};
  size_t bad = 0;
  for (size_t i = 0; i < ask->nodes; i++) {
    const pp_node *node = &ask->node[i];
    bool constant = (node->intents & PP_CONSTANT) != 0;
    if ((node->intents & PP_MERGE) != 0) continue;
    if (!insert(constant ? &constants : &working, ask, i,
                !constant && !ask->no_reuse))
      return too_large(reply);
    reply->footprint.nodes++;
    if (!constant && !ask->no_reuse && node->has_span)
      reply->footprint.planned++;
  }
  pp_status status =
      add_up(&working, &constants, ask->c.cap, &reply->footprint, &bad);
  return pp_reply_settle(reply, status, bad);
}

bool pp_answer_plain(const pp_ask *ask, pp_reply *reply) {
  static bool (*const answer[PP_ASK_COUNT])(const pp_ask *, pp_reply *) = {
      segments, arena, validate, spans, score, pp_answer_plain_release};
  return answer[ask->verb](ask, reply);
}
