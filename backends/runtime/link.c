/* poolproof: linking a routine: CTX-2, CTX-3.  SPDX-License-Identifier: MIT */
#include "internal.h"

#include <poolproof/planner.h>

#include <inttypes.h>
#include <stdlib.h>

typedef struct pp_linking {
  const pp_context *parent;
  pp_device *device;
  pp_routine *routine;
  pp_lineage *lineage;
  pp_delta working;
  pp_delta constant;
  pp_context *child;
  uint64_t *id; /* the pools minted so far, working ones first */
  size_t minted;
  pp_failure *failure;
} pp_linking;

static pp_status no_memory(pp_linking *linking) {
  return pp_fail(linking->failure, PP_NO_MEMORY, "out of memory");
}

/* What is held under the node's uid: the parent's, or a cached constant. */
static const pp_entry *held(const pp_linking *linking, const pp_node *node) {
  const pp_entry *entry = pp_entry_find(&linking->parent->nodes, node->uid);
  if (entry != NULL || (node->intents & PP_CONSTANT) == 0) return entry;
  return pp_entry_find(&linking->device->constants, node->uid);
}

static pp_status check_held(pp_linking *linking, const pp_node *node,
                            const pp_entry *entry) {
  if (!pp_entry_matches(entry, node))
    return pp_fail_node(linking->failure, PP_BAD_ROUTINE, node->uid,
                        "node %s (uid %" PRIu64
                        ") differs from what is held under its uid",
                        node->label, node->uid);
  if (entry->shared)
    return pp_fail_node(linking->failure, PP_ALIASED, node->uid,
                        "node %s (uid %" PRIu64
                        ") shares its bytes with others in the parent; make "
                        "it observable to use it later (CTX-4)",
                        node->label, node->uid);
  if (pp_pool_find(&linking->device->pools, entry->at.pool) == NULL)
    return pp_fail_node(linking->failure, PP_POOL_GONE, node->uid,
                        "node %s (uid %" PRIu64 ") is in pool %" PRIu64
                        ", which was freed (REL-6)",
                        node->label, node->uid, entry->at.pool);
  return PP_OK;
}

/* The delta, in uid order. */
static pp_status sort_out(pp_linking *linking, bool reuse) {
  const pp_routine *routine = linking->routine;
  uint64_t align = linking->device->limits.alignment;
  for (size_t i = 0; i < routine->nodes; i++) {
    const pp_node *node = &routine->node[routine->order[i]];
    if ((node->intents & PP_MERGE) != 0) continue;
    const pp_entry *entry = held(linking, node);
    pp_status status = PP_OK;
    if (entry != NULL)
      status = check_held(linking, node, entry);
    else if ((node->intents & PP_CONSTANT) != 0)
      pp_delta_add(&linking->constant, node, align, false);
    else
      pp_delta_add(&linking->working, node, align, reuse);
    if (status != PP_OK) return status;
  }
  return PP_OK;
}

/* All of the host's memory that the link needs, so that nothing but the
 * backend can fail from here on. */
static pp_status make_room(pp_linking *linking) {
  size_t pools = linking->working.layout.pools + linking->constant.layout.pools;
  size_t nodes = linking->routine->nodes;
  pp_context *child = linking->child = calloc(1, sizeof *child);
  if (child == NULL) return no_memory(linking);
  linking->id = calloc(pools + 1, sizeof *linking->id);
  child->own = calloc(pools + 1, sizeof *child->own);
  child->operand = calloc(nodes + 1, sizeof *child->operand);
  if (linking->id == NULL || child->own == NULL || child->operand == NULL ||
      !pp_entries_reserve(&child->nodes, linking->parent->nodes.used + nodes) ||
      !pp_entries_reserve(&linking->device->constants,
                          linking->constant.layout.n) ||
      !pp_pools_reserve(&linking->device->pools, pools))
    return no_memory(linking);
  return PP_OK;
}

static pp_status mint(pp_linking *linking, pp_delta *delta, pp_pool_use use) {
  const uint64_t *id = linking->id + linking->minted;
  for (size_t k = 0; k < delta->layout.pools; k++) {
    pp_status status =
        pp_pool_mint(linking->device, delta->layout.bytes[k], use,
                     &linking->id[linking->minted], linking->failure);
    if (status != PP_OK) return status;
    linking->minted++;
  }
  for (size_t i = 0; i < delta->layout.n; i++)
    delta->entry[i].at.pool = id[delta->entry[i].at.pool];
  return PP_OK;
}

/* Data, zeros, or nothing where the routine writes before it reads. */
static pp_status fill(pp_linking *linking, const pp_entry *entry,
                      const pp_node *node) {
  pp_device *device = linking->device;
  pp_backend *backend = device->backend;
  if (entry->bytes == 0 || (node->data == NULL && node->has_span)) return PP_OK;
  pp_slab slab = pp_pool_find(&device->pools, entry->at.pool)->slab;
  if (node->data != NULL) {
    pp_status status =
        backend->call->from_host(backend, device->ordinal, slab,
                                 entry->at.offset, node->data, entry->bytes);
    if (status == PP_OK) return PP_OK;
    return pp_call_failed(device, PP_CALL_FROM_HOST, status, linking->failure);
  }
  pp_status status = backend->call->memset(backend, device->ordinal, slab,
                                           entry->at.offset, entry->bytes, 0);
  if (status == PP_OK) return PP_OK;
  return pp_call_failed(device, PP_CALL_MEMSET, status, linking->failure);
}

/* Both groups' nodes, merged in uid order. */
static pp_status fill_all(pp_linking *linking) {
  const pp_delta *a = &linking->working;
  const pp_delta *b = &linking->constant;
  size_t i = 0;
  size_t j = 0;
  while (i < a->layout.n || j < b->layout.n) {
    bool first = j == b->layout.n ||
                 (i < a->layout.n && a->entry[i].uid < b->entry[j].uid);
    const pp_delta *delta = first ? a : b;
    size_t *at = first ? &i : &j;
    pp_status status =
        fill(linking, &delta->entry[*at], delta->layout.node[*at]);
    if (status != PP_OK) return status;
    *at += 1;
  }
  return PP_OK;
}

static pp_status mint_fill_compile(pp_linking *linking) {
  pp_device *device = linking->device;
  pp_backend *backend = device->backend;
  pp_status status = mint(linking, &linking->working, PP_POOL_WORKING);
  if (status != PP_OK) return status;
  status = mint(linking, &linking->constant, PP_POOL_CONSTANT);
  if (status != PP_OK) return status;
  status = fill_all(linking);
  if (status != PP_OK) return status;
  status =
      backend->call->compile(backend, device->ordinal, linking->routine->code,
                             &linking->child->kernel);
  if (status == PP_OK) return PP_OK;
  return pp_call_failed(device, PP_CALL_COMPILE, status, linking->failure);
}

/* CTX-3: what was minted goes back. Under work in flight nothing is freed. */
static void unwind(pp_linking *linking) {
  pp_device *device = linking->device;
  if (linking->minted == 0) return;
  bool idle = pp_device_await(device, NULL) == PP_OK;
  while (linking->minted > 0) {
    uint64_t id = linking->id[--linking->minted];
    if (!idle || pp_pool_free(device, id, NULL) != PP_OK)
      pp_pool_orphan(device, id);
  }
}

/* REL-1: reached through a location, not the parent's under the same node, in
 * no pool of constants. */
static bool owns(const pp_linking *linking, const pp_entry *entry) {
  if (entry->inherited) return false;
  const pp_pool *pool = pp_pool_find(&linking->device->pools, entry->at.pool);
  return pool->use != PP_POOL_CONSTANT;
}

/* Pools were minted in the uid order of their first nodes, so their ids
 * ascend and a pool that was listed is the last one (REL-2). */
static void list_owned(pp_linking *linking) {
  pp_context *child = linking->child;
  for (size_t i = 0; i < child->nodes.used; i++) {
    const pp_entry *entry = &child->nodes.entry[i];
    if (!owns(linking, entry)) continue;
    if (child->owns == 0 || child->own[child->owns - 1] != entry->at.pool)
      child->own[child->owns++] = entry->at.pool;
  }
}

static void inherit(pp_entries *to, const pp_entry *entry) {
  to->entry[to->used] = *entry;
  to->entry[to->used++].inherited = true;
}

/* The parent's nodes and the routine's other ones, merged in uid order: new
 * ones from the delta, constants from the cache. */
static void list_nodes(pp_linking *linking) {
  const pp_entries *from = &linking->parent->nodes;
  const pp_routine *routine = linking->routine;
  pp_entries *to = &linking->child->nodes;
  const pp_entry *working = linking->working.entry;
  size_t i = 0;
  for (size_t k = 0; k < routine->nodes; k++) {
    const pp_node *node = &routine->node[routine->order[k]];
    for (; i < from->used && from->entry[i].uid <= node->uid; i++)
      inherit(to, &from->entry[i]);
    if ((node->intents & PP_MERGE) != 0 ||
        (i > 0 && from->entry[i - 1].uid == node->uid))
      continue;
    to->entry[to->used++] =
        (node->intents & PP_CONSTANT) != 0
            ? *pp_entry_find(&linking->device->constants, node->uid)
            : *working++;
  }
  for (; i < from->used; i++)
    inherit(to, &from->entry[i]);
}

/* Needs no memory. */
static void commit(pp_linking *linking) {
  pp_context *child = linking->child;
  pp_device *device = linking->device;
  for (size_t i = 0; i < linking->constant.layout.n; i++)
    pp_entry_insert(&device->constants, &linking->constant.entry[i]);
  list_nodes(linking);
  child->device = device;
  child->routine = pp_routine_hold(linking->routine);
  child->lineage =
      linking->lineage != NULL ? linking->lineage : linking->parent->lineage;
  if (child->lineage != NULL) pp_lineage_hold(child->lineage);
  list_owned(linking);
  device->handles++;
  device->contexts++;
}

static pp_status plan(pp_linking *linking, const pp_link_options *options) {
  const pp_link_options defaults = {0};
  if (options == NULL) options = &defaults;
  uint64_t cap = options->cap == 0 ? PP_CAP_USUAL : options->cap;
  if (cap > linking->device->limits.max_pool)
    cap = linking->device->limits.max_pool;
  size_t nodes = linking->routine->nodes;
  if (!pp_delta_open(&linking->working, nodes) ||
      !pp_delta_open(&linking->constant, nodes))
    return no_memory(linking);
  pp_status status = sort_out(linking, !options->no_reuse);
  if (status != PP_OK) return status;
  status = pp_delta_plan(&linking->working, cap, linking->failure);
  if (status != PP_OK) return status;
  status = pp_delta_plan(&linking->constant, cap, linking->failure);
  if (status != PP_OK) return status;
  return make_room(linking);
}

static void give_up(pp_linking *linking) {
  unwind(linking);
  if (linking->child == NULL) return;
  free(linking->child->nodes.entry);
  free(linking->child->own);
  free(linking->child->operand);
  free(linking->child);
}

pp_status pp_link(pp_context *parent, pp_routine *routine,
                  const pp_link_options *options, pp_context **child,
                  pp_failure *failure) {
  if (routine->code == NULL)
    return pp_fail(failure, PP_BAD_ROUTINE, "routine %s is not sealed",
                   routine->name);
  pp_device *device = parent->device;
  pp_linking linking = {.parent = parent,
                        .device = device,
                        .routine = routine,
                        .lineage = options != NULL ? options->lineage : NULL,
                        .failure = failure};
  pthread_mutex_lock(&device->lock);
  pp_status status = plan(&linking, options);
  if (status == PP_OK) {
    pp_orphans_retry(device);
    status = mint_fill_compile(&linking);
  }
  if (status == PP_OK)
    commit(&linking);
  else
    give_up(&linking);
  pthread_mutex_unlock(&device->lock);
  if (status == PP_OK) *child = linking.child;
  free(linking.id);
  pp_delta_close(&linking.working);
  pp_delta_close(&linking.constant);
  return status;
}
