#include "ask.h"

#include <stdlib.h>
#include <string.h>

const char pp_ask_no_memory[] = "it could not be looked at: out of memory";

static int by_number(const void *a, const void *b) {
  uint64_t one = *(const uint64_t *)a;
  uint64_t other = *(const uint64_t *)b;
  return (one > other) - (one < other);
}

static const char *wrong_uids(const pp_ask *ask) {
  uint64_t *uid = calloc(ask->nodes + 1, sizeof *uid);
  if (!uid) return pp_ask_no_memory;
  for (size_t i = 0; i < ask->nodes; i++)
    uid[i] = ask->node[i].uid;
  qsort(uid, ask->nodes, sizeof *uid, by_number);
  const char *wrong = NULL;
  for (size_t i = 1; i < ask->nodes; i++)
    if (uid[i - 1] == uid[i]) wrong = "two nodes have one uid";
  free(uid);
  return wrong;
}

static const char *wrong_nodes(const pp_ask *ask) {
  for (size_t i = 0; i < ask->nodes; i++) {
    const pp_node *node = &ask->node[i];
    if (pp_ask_node_bytes(node) > INT64_MAX)
      return "a node has more than 2^63 - 1 bytes";
    if ((node->intents & PP_MERGE) != 0 && node->intents != PP_MERGE)
      return "a merge node has another intent";
    if (node->has_span && node->lo > node->hi)
      return "a node's span ends before it begins";
  }
  return wrong_uids(ask);
}

static const char *wrong_spans(const pp_ask *ask) {
  for (size_t k = 0; k < ask->events; k++)
    if (ask->event[k].node >= ask->nodes)
      return "an access is of a node that is not there";
  return wrong_nodes(ask);
}

/* The nodes of every context, each context's by uid. */
typedef struct pp_contexts {
  const pp_ask *ask;
  size_t nodes;
  pp_held *held;
  size_t *start; /* of each context, and the end */
} pp_contexts;

static const pp_held *find_held(const pp_contexts *all, size_t context,
                                uint64_t uid) {
  size_t n = all->start[context + 1] - all->start[context];
  if (n == 0) return NULL;
  const pp_held key = {.uid = uid};
  return bsearch(&key, all->held + all->start[context], n, sizeof key,
                 pp_held_by_uid);
}

/* False: out of memory. */
static bool open_contexts(pp_contexts *all, const pp_ask *ask) {
  size_t n = 0;
  for (size_t i = 0; i < ask->holders; i++)
    n += ask->holder[i].nodes;
  *all = (pp_contexts){.ask = ask,
                       .nodes = n,
                       .held = calloc(n + 1, sizeof *all->held),
                       .start = calloc(ask->holders + 1, sizeof *all->start)};
  if (!all->held || !all->start) return false;
  n = 0;
  for (size_t i = 0; i < ask->holders; i++) {
    const pp_holder *holder = &ask->holder[i];
    all->start[i] = n;
    if (holder->nodes > 0)
      memcpy(all->held + n, holder->held, holder->nodes * sizeof *all->held);
    qsort(all->held + n, holder->nodes, sizeof *all->held, pp_held_by_uid);
    n += holder->nodes;
  }
  all->start[ask->holders] = n;
  return true;
}

static void close_contexts(pp_contexts *all) {
  free(all->held);
  free(all->start);
}

static const char *wrong_script(const pp_contexts *all) {
  const pp_ask *ask = all->ask;
  for (size_t i = 0; i < ask->holders; i++)
    for (size_t k = all->start[i] + 1; k < all->start[i + 1]; k++)
      if (all->held[k - 1].uid == all->held[k].uid)
        return "a context holds a node twice";
  for (size_t k = 0; k < ask->acts; k++) {
    const pp_act *act = &ask->act[k];
    if (act->context >= ask->holders)
      return "a step is about a context that is not there";
    if (act->kind == PP_ACT_TOUCH && !find_held(all, act->context, act->uid))
      return "a step touches a node that its context does not hold";
  }
  return NULL;
}

/* A context reaches a pool, in which it holds a node as its parent does. */
typedef struct pp_reach {
  uint64_t pool;
  size_t context;
  bool inherits;
} pp_reach;

/* By pool, then context; what tells that it inherits comes first. */
static int by_pool(const void *a, const void *b) {
  const pp_reach *one = a;
  const pp_reach *other = b;
  if (one->pool != other->pool) return one->pool < other->pool ? -1 : 1;
  if (one->context != other->context)
    return one->context < other->context ? -1 : 1;
  return (int)other->inherits - (int)one->inherits;
}

static void fill_reach(const pp_contexts *all, pp_reach *reach) {
  const pp_ask *ask = all->ask;
  for (size_t i = 0; i < ask->holders; i++)
    for (size_t k = all->start[i]; k < all->start[i + 1]; k++) {
      const pp_held *held = &all->held[k];
      size_t parent = ask->holder[i].parent;
      const pp_held *same =
          parent == SIZE_MAX ? NULL : find_held(all, parent, held->uid);
      reach[k] =
          (pp_reach){.pool = held->at.pool,
                     .context = i,
                     .inherits = same && same->at.pool == held->at.pool &&
                                 same->at.offset == held->at.offset};
    }
  qsort(reach, all->nodes, sizeof *reach, by_pool);
}

static const char *wrong_owners(const pp_contexts *all, const pp_reach *reach,
                                const uint64_t *constant) {
  size_t owner = SIZE_MAX;
  for (size_t k = 0; k < all->nodes; k++) {
    uint64_t pool = reach[k].pool;
    bool first = k == 0 || reach[k - 1].pool != pool;
    if (first) owner = SIZE_MAX;
    bool entry = first || reach[k - 1].context != reach[k].context;
    if (!entry || reach[k].inherits || pool == 0) continue;
    if (bsearch(&pool, constant, all->ask->constants, sizeof pool, by_number))
      continue;
    if (owner != SIZE_MAX) return "two contexts would both own one pool";
    owner = reach[k].context;
  }
  return NULL;
}

static const char *wrong_pools(const pp_contexts *all) {
  const pp_ask *ask = all->ask;
  pp_reach *reach = calloc(all->nodes + 1, sizeof *reach);
  uint64_t *constant = calloc(ask->constants + 1, sizeof *constant);
  const char *wrong = pp_ask_no_memory;
  if (reach && constant) {
    for (size_t k = 0; k < ask->constants; k++)
      constant[k] = ask->constant[k].pool;
    qsort(constant, ask->constants, sizeof *constant, by_number);
    fill_reach(all, reach);
    wrong = wrong_owners(all, reach, constant);
  }
  free(reach);
  free(constant);
  return wrong;
}

static const char *wrong_release(const pp_ask *ask) {
  for (size_t i = 0; i < ask->holders; i++)
    if (ask->holder[i].parent != SIZE_MAX && ask->holder[i].parent >= i)
      return "a context's parent is no earlier context";
  pp_contexts all;
  const char *wrong = pp_ask_no_memory;
  if (open_contexts(&all, ask)) wrong = wrong_script(&all);
  if (!wrong) wrong = wrong_pools(&all);
  close_contexts(&all);
  return wrong;
}

const char *pp_ask_wrong(const pp_ask *ask) {
  switch (ask->verb) {
  case PP_ASK_SPANS:
    return wrong_spans(ask);
  case PP_ASK_SCORE:
    if (ask->alignment == 0) return "the alignment is 0";
    return wrong_nodes(ask);
  case PP_ASK_RELEASE:
    return wrong_release(ask);
  default:
    return NULL;
  }
}

/* Lowers *least to pool if that is above `above`. */
static void lower(uint64_t pool, uint64_t above, uint64_t *least) {
  if (pool > above && (*least == 0 || pool < *least)) *least = pool;
}

size_t pp_ask_pools(const pp_ask *ask, uint64_t *pool, size_t room) {
  size_t n = 0;
  for (uint64_t last = 0;; n++) {
    uint64_t next = 0;
    for (size_t i = 0; i < ask->holders; i++)
      for (size_t k = 0; k < ask->holder[i].nodes; k++)
        lower(ask->holder[i].held[k].at.pool, last, &next);
    for (size_t k = 0; k < ask->constants; k++)
      lower(ask->constant[k].pool, last, &next);
    if (next == 0) return n;
    if (n < room) pool[n] = next;
    last = next;
  }
}
