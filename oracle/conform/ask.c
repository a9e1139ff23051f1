#include "ask.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[PP_CAPABILITY_COUNT] = {
#define PP_VERB_WORD(NAME, name, rules) #name,
#define PP_FEATURE_WORD(NAME, name, about) #name,
    PP_ASK_VERBS(PP_VERB_WORD) PP_FEATURES(PP_FEATURE_WORD)
#undef PP_VERB_WORD
#undef PP_FEATURE_WORD
};

static const char *const rule_names[PP_ASK_COUNT] = {
#define PP_VERB_RULES(NAME, name, rules) rules,
    PP_ASK_VERBS(PP_VERB_RULES)
#undef PP_VERB_RULES
};

const char *pp_capability_name(unsigned bit) {
  return words[bit];
}

bool pp_capability_named(const char *name, unsigned *bit) {
  for (unsigned k = 0; k < PP_CAPABILITY_COUNT; k++) {
    if (strcmp(words[k], name) != 0) continue;
    *bit = k;
    return true;
  }
  return false;
}

const char *pp_ask_verb_name(pp_ask_verb verb) {
  return words[verb];
}

const char *pp_ask_verb_rules(pp_ask_verb verb) {
  return rule_names[verb];
}

bool pp_ask_verb_named(const char *name, pp_ask_verb *verb) {
  unsigned bit = 0;
  if (!pp_capability_named(name, &bit) || bit >= PP_ASK_COUNT) return false;
  *verb = (pp_ask_verb)bit;
  return true;
}

int pp_held_by_uid(const void *a, const void *b) {
  uint64_t x = ((const pp_held *)a)->uid;
  uint64_t y = ((const pp_held *)b)->uid;
  return (x > y) - (x < y);
}

static void free_holders(pp_ask *ask) {
  for (size_t i = 0; ask->holder && i < ask->holders; i++)
    free(ask->holder[i].held);
  free(ask->holder);
}

void pp_ask_free(pp_ask *ask) {
  pp_case_free(&ask->c);
  pp_claim_free(&ask->claim);
  free(ask->node);
  free(ask->in_context);
  free(ask->event);
  free_holders(ask);
  free(ask->constant);
  free(ask->act);
  *ask = (pp_ask){0};
}

/* n things out of room for `room` of them; NULL for none, and, with *good
 * false, without memory. */
static void *copied(const void *from, size_t n, size_t room, size_t size,
                    bool *good) {
  if (room == 0 || !from || !*good) return NULL;
  void *to = calloc(room, size);
  if (!to) *good = false;
  if (to && n > 0) memcpy(to, from, n * size);
  return to;
}

static void copy_claim(pp_ask *to, const pp_ask *from, bool *good) {
  const pp_claim *claim = &from->claim;
  size_t n = from->c.n;
  size_t room = claim->segments > n + 1 ? claim->segments : n + 1;
  to->claim.cap = claim->cap;
  to->claim.segments = claim->segments;
  to->claim.segment = copied(claim->segment, n, n + 1, sizeof(size_t), good);
  to->claim.offset = copied(claim->offset, n, n + 1, sizeof(uint64_t), good);
  to->claim.size =
      copied(claim->size, claim->segments, room, sizeof(uint64_t), good);
}

static void copy_holders(pp_ask *to, const pp_ask *from, bool *good) {
  to->holder = copied(from->holder, 0, from->holders, sizeof(pp_holder), good);
  if (!to->holder) return;
  to->holders = from->holders;
  for (size_t i = 0; i < from->holders; i++) {
    const pp_holder *holder = &from->holder[i];
    to->holder[i] =
        (pp_holder){.parent = holder->parent,
                    .nodes = holder->nodes,
                    .held = copied(holder->held, holder->nodes, holder->nodes,
                                   sizeof(pp_held), good)};
  }
}

bool pp_ask_copy(pp_ask *to, const pp_ask *from) {
  pp_ask copy = {.verb = from->verb,
                 .nodes = from->nodes,
                 .events = from->events,
                 .opaque = from->opaque,
                 .alignment = from->alignment,
                 .no_reuse = from->no_reuse,
                 .constants = from->constants,
                 .acts = from->acts};
  bool good = pp_case_copy(&copy.c, &from->c);
  copy_claim(&copy, from, &good);
  copy.node =
      copied(from->node, from->nodes, from->nodes, sizeof(pp_node), &good);
  copy.in_context =
      copied(from->in_context, from->nodes, from->nodes, sizeof(bool), &good);
  copy.event = copied(from->event, from->events, from->events,
                      sizeof(pp_ref_event), &good);
  copy_holders(&copy, from, &good);
  copy.constant = copied(from->constant, from->constants, from->constants,
                         sizeof(pp_location), &good);
  copy.act = copied(from->act, from->acts, from->acts, sizeof(pp_act), &good);
  if (!good) {
    pp_ask_free(&copy);
    return false;
  }
  pp_ask_free(to);
  *to = copy;
  return true;
}

size_t pp_ask_size(const pp_ask *ask) {
  size_t size = 0;
  switch (ask->verb) {
  case PP_ASK_SPANS:
  case PP_ASK_SCORE:
    return ask->nodes + ask->events;
  case PP_ASK_RELEASE:
    for (size_t i = 0; i < ask->holders; i++)
      size += ask->holder[i].nodes;
    return size + ask->acts;
  default:
    return ask->c.n;
  }
}

uint64_t pp_ask_node_bytes(const pp_node *node) {
  static const uint64_t width[PP_DTYPE_COUNT] = {
#define PP_WIDTH(NAME, name, type, kind) sizeof(type),
      PP_DTYPES(PP_WIDTH)
#undef PP_WIDTH
  };
  uint64_t bytes = width[node->dtype];
  for (unsigned d = 0; d < node->rank; d++)
    if (node->dims[d] == 0) return 0;
  for (unsigned d = 0; d < node->rank; d++)
    if (__builtin_mul_overflow(bytes, node->dims[d], &bytes)) return UINT64_MAX;
  return bytes;
}

void pp_reply_free(pp_reply *reply) {
  free(reply->segment);
  free(reply->offset);
  free(reply->size);
  free(reply->life);
  for (size_t i = 0; reply->done && i < reply->acts; i++)
    free(reply->done[i].calls);
  free(reply->done);
  free(reply->live);
  *reply = (pp_reply){0};
}

static bool same_bytes(const void *a, const void *b, size_t n, size_t size) {
  return n == 0 || memcmp(a, b, n * size) == 0;
}

static bool same_layout(size_t n, const pp_reply *a, const pp_reply *b) {
  return a->segments == b->segments &&
         same_bytes(a->segment, b->segment, n, sizeof *a->segment) &&
         same_bytes(a->offset, b->offset, n, sizeof *a->offset) &&
         same_bytes(a->size, b->size, a->segments, sizeof *a->size);
}

static bool same_violation(const pp_violation *a, const pp_violation *b) {
  return a->kind == b->kind && a->first == b->first && a->second == b->second &&
         a->lo == b->lo && a->hi == b->hi;
}

static bool same_lives(size_t n, const pp_ref_life *a, const pp_ref_life *b) {
  for (size_t i = 0; i < n; i++)
    if (a[i].has_span != b[i].has_span ||
        (a[i].has_span && (a[i].lo != b[i].lo || a[i].hi != b[i].hi)))
      return false;
  return true;
}

static bool same_footprint(const pp_footprint *a, const pp_footprint *b) {
  return a->working == b->working && a->constants == b->constants &&
         a->total == b->total && a->dedicated == b->dedicated &&
         a->arena == b->arena && a->planned == b->planned &&
         a->nodes == b->nodes;
}

static bool same_done(const pp_reply *a, const pp_reply *b) {
  if (a->acts != b->acts || a->lives != b->lives ||
      !same_bytes(a->live, b->live, a->lives, sizeof *a->live))
    return false;
  for (size_t i = 0; i < a->acts; i++) {
    const char *one = a->done[i].calls ? a->done[i].calls : "";
    const char *other = b->done[i].calls ? b->done[i].calls : "";
    if (a->done[i].status != b->done[i].status || strcmp(one, other) != 0)
      return false;
  }
  return true;
}

bool pp_reply_equal(const pp_ask *ask, const pp_reply *a, const pp_reply *b) {
  if (a->kind != b->kind) return false;
  if (a->kind == PP_REPLY_REJECT)
    return a->status == b->status && a->index == b->index;
  if (a->kind != PP_REPLY_RESULT) return true;
  switch (ask->verb) {
  case PP_ASK_VALIDATE:
    return same_violation(&a->violation, &b->violation);
  case PP_ASK_SPANS:
    return same_lives(ask->nodes, a->life, b->life);
  case PP_ASK_SCORE:
    return same_footprint(&a->footprint, &b->footprint);
  case PP_ASK_RELEASE:
    return same_done(a, b);
  default:
    return same_layout(ask->c.n, a, b);
  }
}
