/* poolproof: a question made small, its numbers.
 * SPDX-License-Identifier: MIT */
#include "shrink_parts.h"

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a segment is a number");

/* Counts numbers down to the one that is wanted. */
typedef struct pp_counting {
  size_t left;
  uint64_t *found;
} pp_counting;

static bool number(pp_counting *counting, uint64_t *at) {
  if (counting->left > 0) {
    counting->left--;
    return false;
  }
  counting->found = at;
  return true;
}

static bool in_items(pp_ask *ask, pp_counting *counting) {
  for (size_t i = 0; i < ask->c.n; i++) {
    pp_item *item = &ask->c.items[i];
    if (number(counting, &item->size) || number(counting, &item->align) ||
        number(counting, &ask->claim.offset[i]) ||
        number(counting, (uint64_t *)&ask->claim.segment[i]))
      return true;
    if (item->has_span &&
        (number(counting, &item->hi) || number(counting, &item->lo)))
      return true;
  }
  for (size_t k = 0; k < ask->claim.segments; k++)
    if (number(counting, &ask->claim.size[k])) return true;
  return number(counting, &ask->c.cap);
}

static bool in_nodes(pp_ask *ask, pp_counting *counting) {
  for (size_t i = 0; i < ask->nodes; i++) {
    pp_node *node = &ask->node[i];
    for (unsigned d = 0; d < node->rank; d++)
      if (number(counting, &node->dims[d])) return true;
    if (node->has_span &&
        (number(counting, &node->hi) || number(counting, &node->lo)))
      return true;
    if (number(counting, &node->uid)) return true;
  }
  for (size_t k = 0; k < ask->events; k++)
    if (number(counting, &ask->event[k].position)) return true;
  return ask->verb == PP_ASK_SCORE &&
         (number(counting, &ask->alignment) || number(counting, &ask->c.cap));
}

static bool in_release(pp_ask *ask, pp_counting *counting) {
  for (size_t k = 0; k < ask->acts; k++)
    if (number(counting, &ask->act[k].fail_await) ||
        number(counting, &ask->act[k].fail_free))
      return true;
  for (size_t k = 0; k < ask->constants; k++)
    if (number(counting, &ask->constant[k].offset)) return true;
  for (size_t k = 0; k < ask->holders; k++)
    for (size_t i = 0; i < ask->holder[k].nodes; i++)
      if (number(counting, &ask->holder[k].held[i].at.offset)) return true;
  return false;
}

uint64_t *pp_number_at(pp_ask *ask, size_t i) {
  pp_counting counting = {.left = i};
  if (ask->verb == PP_ASK_VALIDATE)
    (void)in_items(ask, &counting);
  else if (ask->verb == PP_ASK_RELEASE)
    (void)in_release(ask, &counting);
  else
    (void)in_nodes(ask, &counting);
  return counting.found;
}

/* Switches: of each item its span and class, of each node its intents, its
 * place, its span and its dtype; then those of the question. */
enum { ITEM = 2, NODE = 4, WHOLE = 2 };

size_t pp_switch_count(const pp_ask *ask) {
  return ITEM * ask->c.n + NODE * ask->nodes + WHOLE;
}

static bool item_off(pp_item *item, size_t which) {
  if (which == 0) {
    if (!item->has_span) return false;
    item->has_span = false;
    item->lo = item->hi = 0;
    return true;
  }
  if (item->item_class == 0) return false;
  item->item_class = 0;
  return true;
}

static bool node_off(pp_ask *ask, size_t i, size_t which) {
  pp_node *node = &ask->node[i];
  switch (which) {
  case 0:
    if (node->intents == 0) return false;
    node->intents = 0;
    return true;
  case 1:
    if (!ask->in_context || ask->in_context[i]) return false;
    ask->in_context[i] = true;
    return true;
  case 2:
    if (!node->has_span) return false;
    node->has_span = false;
    node->lo = node->hi = 0;
    return true;
  default:
    if (node->dtype == PP_U8) return false;
    node->dtype = PP_U8;
    return true;
  }
}

bool pp_switch_off(pp_ask *ask, size_t i) {
  if (i < ITEM * ask->c.n) return item_off(&ask->c.items[i / ITEM], i % ITEM);
  i -= ITEM * ask->c.n;
  if (i < NODE * ask->nodes) return node_off(ask, i / NODE, i % NODE);
  bool *whole = i == NODE * ask->nodes ? &ask->opaque : &ask->no_reuse;
  if (!*whole) return false;
  *whole = false;
  return true;
}
