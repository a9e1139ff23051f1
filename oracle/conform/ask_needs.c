#include "ask.h"

static bool big(uint64_t number) {
  return number > UINT64_C(1) << 53;
}

static bool power_of_two(uint64_t number) {
  return number != 0 && (number & (number - 1)) == 0;
}

static pp_capabilities feature(pp_feature which, bool needed) {
  return needed ? (pp_capabilities)1 << (PP_ASK_COUNT + (unsigned)which) : 0;
}

static pp_capabilities needs_of_items(const pp_ask *ask) {
  bool arena = ask->verb == PP_ASK_ARENA ||
               (ask->verb == PP_ASK_VALIDATE && ask->c.kind == PP_ARENA);
  pp_capabilities needs = feature(PP_FEATURE_U64, big(ask->c.cap));
  for (size_t i = 0; i < ask->c.n; i++) {
    const pp_item *item = &ask->c.items[i];
    needs |= feature(PP_FEATURE_ANY_ALIGN, !power_of_two(item->align)) |
             feature(PP_FEATURE_ZERO_SIZE, item->size == 0) |
             feature(PP_FEATURE_U64, big(item->size) || big(item->align));
    if (!arena) continue;
    needs |= feature(PP_FEATURE_CLASSES,
                     item->item_class != ask->c.items[0].item_class) |
             feature(PP_FEATURE_ALWAYS_LIVE, !item->has_span) |
             feature(PP_FEATURE_U64,
                     item->has_span && (big(item->lo) || big(item->hi)));
  }
  return needs;
}

static pp_capabilities needs_of_claim(const pp_ask *ask) {
  const pp_claim *claim = &ask->claim;
  bool found = false;
  for (size_t i = 0; i < ask->c.n; i++)
    found = found || big(claim->segment[i]) || big(claim->offset[i]);
  for (size_t k = 0; k < claim->segments; k++)
    found = found || big(claim->size[k]);
  return feature(PP_FEATURE_U64, found);
}

static pp_capabilities needs_of_spans(const pp_ask *ask) {
  bool found = false;
  for (size_t i = 0; i < ask->nodes; i++)
    found = found || big(ask->node[i].uid);
  for (size_t k = 0; k < ask->events; k++)
    found = found || big(ask->event[k].position) || big(ask->event[k].node);
  return feature(PP_FEATURE_U64, found);
}

static bool big_node(const pp_node *node) {
  bool found =
      big(node->uid) || (node->has_span && (big(node->lo) || big(node->hi)));
  for (unsigned d = 0; d < node->rank; d++)
    found = found || big(node->dims[d]);
  return found;
}

static pp_capabilities needs_of_score(const pp_ask *ask) {
  pp_capabilities needs =
      feature(PP_FEATURE_U64, big(ask->c.cap) || big(ask->alignment)) |
      feature(PP_FEATURE_ANY_ALIGN, !power_of_two(ask->alignment));
  for (size_t i = 0; i < ask->nodes; i++) {
    const pp_node *node = &ask->node[i];
    bool has_bytes = (node->intents & PP_MERGE) == 0;
    needs |= feature(PP_FEATURE_CLASSES, node->dtype != ask->node[0].dtype) |
             feature(PP_FEATURE_ZERO_SIZE,
                     has_bytes && pp_ask_node_bytes(node) == 0) |
             feature(PP_FEATURE_U64, big_node(node));
  }
  return needs;
}

static pp_capabilities needs_of_release(const pp_ask *ask) {
  bool found = false;
  for (size_t i = 0; i < ask->holders; i++) {
    const pp_holder *holder = &ask->holder[i];
    found = found || (holder->parent != SIZE_MAX && big(holder->parent));
    for (size_t k = 0; k < holder->nodes; k++)
      found = found || big(holder->held[k].uid) ||
              big(holder->held[k].at.pool) || big(holder->held[k].at.offset);
  }
  for (size_t k = 0; k < ask->constants; k++)
    found = found || big(ask->constant[k].pool) || big(ask->constant[k].offset);
  for (size_t k = 0; k < ask->acts; k++)
    found = found || big(ask->act[k].context) || big(ask->act[k].uid) ||
            big(ask->act[k].fail_await) || big(ask->act[k].fail_free);
  return feature(PP_FEATURE_U64, found);
}

pp_capabilities pp_ask_needs(const pp_ask *ask) {
  pp_capabilities verb = (pp_capabilities)1 << (unsigned)ask->verb;
  switch (ask->verb) {
  case PP_ASK_VALIDATE:
    return verb | needs_of_items(ask) | needs_of_claim(ask);
  case PP_ASK_SPANS:
    return verb | needs_of_spans(ask);
  case PP_ASK_SCORE:
    return verb | needs_of_score(ask);
  case PP_ASK_RELEASE:
    return verb | needs_of_release(ask);
  default:
    return verb | needs_of_items(ask);
  }
}
