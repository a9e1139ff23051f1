#include "shrink_parts.h"

#include <stdlib.h>
#include <string.h>

/* Takes entry i out of an array of n. */
#define PP_DROP(array, n, i)                                                   \
  memmove((array) + (i), (array) + (i) + 1, ((n) - (i)-1) * sizeof *(array))

static size_t held(const pp_ask *ask) {
  size_t sum = 0;
  for (size_t k = 0; k < ask->holders; k++)
    sum += ask->holder[k].nodes;
  return sum;
}

static size_t dims(const pp_ask *ask) {
  size_t sum = 0;
  for (size_t i = 0; i < ask->nodes; i++)
    sum += ask->node[i].rank;
  return sum;
}

size_t pp_part_count(const pp_ask *ask, unsigned part) {
  switch (part) {
  case PP_PART_ACTS:
    return ask->acts;
  case PP_PART_HOLDERS:
    return ask->holders;
  case PP_PART_EVENTS:
    return ask->events;
  case PP_PART_NODES:
    return ask->nodes;
  case PP_PART_ITEMS:
    return ask->c.n;
  case PP_PART_SEGMENTS:
    return ask->claim.segments;
  case PP_PART_HELD:
    return held(ask);
  case PP_PART_CONSTANTS:
    return ask->constants;
  default:
    return dims(ask);
  }
}

static bool drop_holder(pp_ask *ask, size_t k) {
  for (size_t j = k + 1; j < ask->holders; j++) {
    size_t *parent = &ask->holder[j].parent;
    if (*parent == SIZE_MAX) continue;
    if (*parent == k)
      *parent = ask->holder[k].parent;
    else if (*parent > k)
      (*parent)--;
  }
  size_t kept = 0;
  for (size_t j = 0; j < ask->acts; j++) {
    if (ask->act[j].context == k) continue;
    ask->act[kept] = ask->act[j];
    if (ask->act[kept].context > k) ask->act[kept].context--;
    kept++;
  }
  ask->acts = kept;
  free(ask->holder[k].held);
  PP_DROP(ask->holder, ask->holders, k);
  ask->holders--;
  return true;
}

static bool drop_node(pp_ask *ask, size_t i) {
  size_t kept = 0;
  for (size_t j = 0; j < ask->events; j++) {
    if (ask->event[j].node == i) continue;
    ask->event[kept] = ask->event[j];
    if (ask->event[kept].node > i) ask->event[kept].node--;
    kept++;
  }
  ask->events = kept;
  PP_DROP(ask->node, ask->nodes, i);
  if (ask->in_context) PP_DROP(ask->in_context, ask->nodes, i);
  ask->nodes--;
  return true;
}

static bool drop_item(pp_ask *ask, size_t i) {
  PP_DROP(ask->c.items, ask->c.n, i);
  PP_DROP(ask->claim.segment, ask->c.n, i);
  PP_DROP(ask->claim.offset, ask->c.n, i);
  ask->c.n--;
  return true;
}

static bool drop_segment(pp_ask *ask, size_t k) {
  for (size_t i = 0; i < ask->c.n; i++)
    if (ask->claim.segment[i] > k && ask->claim.segment[i] < SIZE_MAX)
      ask->claim.segment[i]--;
  PP_DROP(ask->claim.size, ask->claim.segments, k);
  ask->claim.segments--;
  return true;
}

static bool drop_held(pp_ask *ask, size_t i) {
  for (size_t k = 0; k < ask->holders; k++) {
    pp_holder *holder = &ask->holder[k];
    if (i < holder->nodes) {
      PP_DROP(holder->held, holder->nodes, i);
      holder->nodes--;
      return true;
    }
    i -= holder->nodes;
  }
  return false;
}

static bool drop_dim(pp_ask *ask, size_t i) {
  for (size_t k = 0; k < ask->nodes; k++) {
    pp_node *node = &ask->node[k];
    if (i < node->rank) {
      PP_DROP(node->dims, node->rank, i);
      node->rank--;
      node->dims[node->rank] = 0;
      return true;
    }
    i -= node->rank;
  }
  return false;
}

bool pp_part_drop(pp_ask *ask, unsigned part, size_t i) {
  switch (part) {
  case PP_PART_ACTS:
    PP_DROP(ask->act, ask->acts, i);
    ask->acts--;
    return true;
  case PP_PART_HOLDERS:
    return drop_holder(ask, i);
  case PP_PART_EVENTS:
    PP_DROP(ask->event, ask->events, i);
    ask->events--;
    return true;
  case PP_PART_NODES:
    return drop_node(ask, i);
  case PP_PART_ITEMS:
    return drop_item(ask, i);
  case PP_PART_SEGMENTS:
    return drop_segment(ask, i);
  case PP_PART_HELD:
    return drop_held(ask, i);
  case PP_PART_CONSTANTS:
    PP_DROP(ask->constant, ask->constants, i);
    ask->constants--;
    return true;
  default:
    return drop_dim(ask, i);
  }
}
