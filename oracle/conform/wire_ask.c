#include "wire_parts.h"

#include <stdio.h>

static void put_items(pp_text *text, const pp_ask *ask, bool arena) {
  pp_text_pair(text, ",\"cap\":", ask->c.cap);
  pp_text_word(text, ",\"items\":[");
  for (size_t i = 0; i < ask->c.n; i++) {
    const pp_item *item = &ask->c.items[i];
    pp_text_pair(text, i > 0 ? ",{\"size\":" : "{\"size\":", item->size);
    pp_text_pair(text, ",\"align\":", item->align);
    if (arena) pp_text_pair(text, ",\"class\":", item->item_class);
    if (arena && item->has_span) {
      pp_text_pair(text, ",\"span\":[", item->lo);
      pp_text_pair(text, ",", item->hi);
      pp_text_word(text, "]");
    }
    pp_text_word(text, "}");
  }
  pp_text_word(text, "]");
}

static void put_validate(pp_text *text, const pp_ask *ask) {
  const pp_claim *claim = &ask->claim;
  bool arena = ask->c.kind == PP_ARENA;
  pp_text_word(text, arena ? ",\"kind\":\"arena\"" : ",\"kind\":\"segments\"");
  put_items(text, ask, arena);
  pp_text_word(text, ",\"layout\":{\"segment\":");
  pp_text_numbers(text, claim->segment, ask->c.n);
  pp_text_word(text, ",\"offset\":");
  pp_text_numbers(text, claim->offset, ask->c.n);
  pp_text_word(text, ",\"sizes\":");
  pp_text_numbers(text, claim->size, claim->segments);
  pp_text_word(text, "}");
}

static void put_intents(pp_text *text, unsigned intents) {
  bool first = true;
  if (intents == 0) return;
  pp_text_word(text, ",\"intents\":[");
  for (unsigned k = 0; k < PP_INTENTS; k++) {
    if ((intents & 1U << k) == 0) continue;
    pp_text_word(text, first ? "\"" : ",\"");
    pp_text_word(text, pp_wire_intents[k]);
    pp_text_word(text, "\"");
    first = false;
  }
  pp_text_word(text, "]");
}

static void put_spans(pp_text *text, const pp_ask *ask) {
  pp_text_word(text, ask->opaque ? ",\"opaque\":true" : "");
  pp_text_word(text, ",\"nodes\":[");
  for (size_t i = 0; i < ask->nodes; i++) {
    pp_text_pair(text, i > 0 ? ",{\"uid\":" : "{\"uid\":", ask->node[i].uid);
    put_intents(text, ask->node[i].intents);
    pp_text_word(text, ask->in_context[i] ? "}" : ",\"in_context\":false}");
  }
  pp_text_word(text, "],\"accesses\":[");
  for (size_t k = 0; k < ask->events; k++) {
    const pp_ref_event *event = &ask->event[k];
    pp_text_pair(text, k > 0 ? ",{\"node\":" : "{\"node\":", event->node);
    pp_text_pair(text, ",\"position\":", event->position);
    pp_text_word(text, ",\"access\":\"");
    pp_text_word(text, pp_wire_accesses[event->access]);
    pp_text_word(text, "\"}");
  }
  pp_text_word(text, "]");
}

static void put_score(pp_text *text, const pp_ask *ask) {
  pp_text_pair(text, ",\"cap\":", ask->c.cap);
  pp_text_pair(text, ",\"alignment\":", ask->alignment);
  pp_text_word(text, ask->no_reuse ? ",\"aliasing\":false" : "");
  pp_text_word(text, ",\"nodes\":[");
  for (size_t i = 0; i < ask->nodes; i++) {
    const pp_node *node = &ask->node[i];
    pp_text_pair(text, i > 0 ? ",{\"uid\":" : "{\"uid\":", node->uid);
    pp_text_word(text, ",\"dtype\":\"");
    pp_text_word(text, pp_wire_dtypes[node->dtype]);
    pp_text_word(text, "\",\"dims\":");
    pp_text_numbers(text, node->dims, node->rank);
    put_intents(text, node->intents);
    if (node->has_span) {
      pp_text_pair(text, ",\"span\":[", node->lo);
      pp_text_pair(text, ",", node->hi);
      pp_text_word(text, "]");
    }
    pp_text_word(text, "}");
  }
  pp_text_word(text, "]");
}

static void put_location(pp_text *text, const pp_location *at) {
  pp_text_pair(text, "\"pool\":", at->pool);
  pp_text_pair(text, ",\"offset\":", at->offset);
  pp_text_word(text, "}");
}

static void put_act(pp_text *text, const pp_act *act) {
  bool touch = act->kind == PP_ACT_TOUCH;
  pp_text_word(text, touch ? "{\"do\":\"touch\"" : "{\"do\":\"release\"");
  pp_text_pair(text, ",\"context\":", act->context);
  if (touch) pp_text_pair(text, ",\"uid\":", act->uid);
  if (!touch && act->fail_await > 0)
    pp_text_pair(text, ",\"fail_await\":", act->fail_await);
  if (!touch && act->fail_free > 0)
    pp_text_pair(text, ",\"fail_free\":", act->fail_free);
  pp_text_word(text, "}");
}

static void put_release(pp_text *text, const pp_ask *ask) {
  pp_text_word(text, ",\"contexts\":[");
  for (size_t i = 0; i < ask->holders; i++) {
    const pp_holder *holder = &ask->holder[i];
    pp_text_word(text, i > 0 ? ",{" : "{");
    if (holder->parent != SIZE_MAX) {
      pp_text_pair(text, "\"parent\":", holder->parent);
      pp_text_word(text, ",");
    }
    pp_text_word(text, "\"nodes\":[");
    for (size_t k = 0; k < holder->nodes; k++) {
      pp_text_pair(text,
                   k > 0 ? ",{\"uid\":" : "{\"uid\":", holder->held[k].uid);
      pp_text_word(text, ",");
      put_location(text, &holder->held[k].at);
    }
    pp_text_word(text, "]}");
  }
  pp_text_word(text, "],\"constants\":[");
  for (size_t k = 0; k < ask->constants; k++) {
    pp_text_word(text, k > 0 ? ",{" : "{");
    put_location(text, &ask->constant[k]);
  }
  pp_text_word(text, "],\"script\":[");
  for (size_t k = 0; k < ask->acts; k++) {
    pp_text_word(text, k > 0 ? "," : "");
    put_act(text, &ask->act[k]);
  }
  pp_text_word(text, "]");
}

/* Behind the "{" and what the caller put there. */
static void put_rest(pp_text *text, const pp_ask *ask) {
  pp_text_word(text, "\"verb\":\"");
  pp_text_word(text, pp_ask_verb_name(ask->verb));
  pp_text_word(text, "\"");
  switch (ask->verb) {
  case PP_ASK_VALIDATE:
    put_validate(text, ask);
    break;
  case PP_ASK_SPANS:
    put_spans(text, ask);
    break;
  case PP_ASK_SCORE:
    put_score(text, ask);
    break;
  case PP_ASK_RELEASE:
    put_release(text, ask);
    break;
  default:
    put_items(text, ask, ask->verb == PP_ASK_ARENA);
  }
  pp_text_word(text, "}");
}

void pp_wire_ask(pp_text *text, const pp_ask *ask, uint64_t id) {
  pp_text_pair(text, "{\"id\":", id);
  pp_text_word(text, ",");
  put_rest(text, ask);
  pp_text_word(text, "\n");
}

void pp_wire_canonical(pp_text *text, const pp_ask *ask) {
  pp_text_word(text, "{");
  put_rest(text, ask);
}

bool pp_wire_id(const pp_ask *ask, char id[PP_ASK_ID]) {
  pp_text text = {0};
  char hex[PP_SHA_HEX];
  pp_wire_canonical(&text, ask);
  bool good = !text.failed;
  if (good) {
    pp_text_sha256(&text, hex);
    (void)snprintf(id, PP_ASK_ID, "%s-%.16s", pp_ask_verb_name(ask->verb), hex);
  }
  pp_text_free(&text);
  return good;
}
