/* poolproof: the model: links (CTX-2, CTX-3, CTX-4).
 * SPDX-License-Identifier: MIT */
#include "model_parts.h"

#include <stdlib.h>
#include <string.h>

#include "ref/arena.h"
#include "ref/segments.h"

/* The nodes of a delta that go to the same kind of pools.
 * segment, offset  of each node; size: of each pool */
typedef struct pp_group {
  size_t n, pools;
  const pp_node **node;
  pp_item *item;
  size_t *segment;
  uint64_t *offset, *size;
  bool *shared;
  uint64_t first_id;
} pp_group;

typedef struct pp_linker {
  pp_model *model;
  const pp_model_context *parent;
  size_t device;
  pp_routine *routine;
  pp_group working, constant;
  pp_model_context child;
  uint64_t *minted;
  size_t mints;
} pp_linker;

static bool open_group(pp_group *group, size_t n) {
  group->node = calloc(n + 1, sizeof(const pp_node *));
  group->item = calloc(n + 1, sizeof *group->item);
  group->segment = calloc(n + 1, sizeof *group->segment);
  group->offset = calloc(n + 1, sizeof *group->offset);
  group->size = calloc(n + 1, sizeof *group->size);
  group->shared = calloc(n + 1, sizeof *group->shared);
  return group->node && group->item && group->segment && group->offset &&
         group->size && group->shared;
}

static void close_group(pp_group *group) {
  free((void *)group->node);
  free(group->item);
  free(group->segment);
  free(group->offset);
  free(group->size);
  free(group->shared);
}

static const pp_model_node *cached(const pp_model_device *device, uint64_t uid,
                                   pp_location *at) {
  for (size_t i = 0; i < device->constants; i++) {
    if (device->constant[i].uid != uid) continue;
    *at = device->constant_at[i];
    return &device->constant[i];
  }
  return NULL;
}

/* What is there under the node's uid: in the parent, or, for a constant, in
 * the device's cache. */
static const pp_model_node *held(const pp_linker *linker, const pp_node *node,
                                 pp_location *at) {
  const pp_model_node *there = pp_model_find(linker->parent, node->uid);
  if (there) {
    *at = linker->parent->at[there - linker->parent->node];
    return there;
  }
  if ((node->intents & PP_CONSTANT) == 0) return NULL;
  return cached(&linker->model->device[linker->device], node->uid, at);
}

static bool fits(const pp_model_node *there, const pp_node *node) {
  if (there->dtype != node->dtype || there->rank != node->rank) return false;
  for (unsigned d = 0; d < node->rank; d++)
    if (there->dims[d] != node->dims[d]) return false;
  return there->constant == ((node->intents & PP_CONSTANT) != 0);
}

static void add(pp_group *group, const pp_node *node, uint64_t align,
                bool reuse) {
  size_t i = group->n++;
  group->node[i] = node;
  group->item[i] = (pp_item){.size = pp_node_bytes(node),
                             .align = align,
                             .lo = node->lo,
                             .hi = node->hi,
                             .item_class = (uint32_t)node->dtype,
                             .has_span = node->has_span && reuse};
}

static pp_status sort_out(pp_linker *linker, bool reuse) {
  const pp_model_device *device = &linker->model->device[linker->device];
  const pp_routine *routine = linker->routine;
  for (size_t k = 0; k < routine->nodes; k++) {
    const pp_node *node = &routine->node[routine->order[k]];
    pp_location at = {0, 0};
    if ((node->intents & PP_MERGE) != 0) continue;
    const pp_model_node *there = held(linker, node, &at);
    if (!there) {
      bool constant = (node->intents & PP_CONSTANT) != 0;
      add(constant ? &linker->constant : &linker->working, node,
          device->limits.alignment, reuse && !constant);
      continue;
    }
    if (!fits(there, node)) return PP_BAD_ROUTINE;
    if (there->shared) return PP_ALIASED;
    if (pp_model_pool(device, at.pool) == device->pools) return PP_POOL_GONE;
  }
  return PP_OK;
}

/* One arena, when there is a span and it fits. False: it does not, or there is
 * no memory. */
static bool plan_arena(pp_model *model, pp_group *group, uint64_t cap) {
  bool any = false;
  for (size_t i = 0; i < group->n; i++)
    any = any || group->item[i].has_span;
  if (!any) return false;
  size_t *order = calloc(2 * group->n, sizeof *order);
  if (!order) {
    model->beyond = true;
    return false;
  }
  size_t bad = 0;
  pp_status status = pp_ref_plan_arena_offsets(
      group->item, group->n, cap, order, order + group->n, group->offset,
      &group->size[0], &bad);
  free(order);
  memset(group->segment, 0, group->n * sizeof *group->segment);
  group->pools = 1;
  return status == PP_OK;
}

/* CTX-4, byte range by byte range. */
static void mark_shared(pp_group *group) {
  for (size_t i = 0; i < group->n; i++)
    for (size_t j = 0; j < group->n; j++) {
      if (i == j || group->segment[i] != group->segment[j]) continue;
      if (group->item[i].size == 0 || group->item[j].size == 0) continue;
      if (group->offset[i] < group->offset[j] + group->item[j].size &&
          group->offset[j] < group->offset[i] + group->item[i].size)
        group->shared[i] = true;
    }
}

static pp_status plan(pp_model *model, pp_group *group, uint64_t cap) {
  size_t bad = 0;
  size_t pools = 0;
  if (group->n == 0) return PP_OK;
  if (!plan_arena(model, group, cap)) {
    pp_status status =
        pp_ref_plan_pool_segments(group->item, group->n, cap, group->segment,
                                  group->offset, group->size, &pools, &bad);
    if (status != PP_OK) return status;
    group->pools = pools;
  }
  mark_shared(group);
  return PP_OK;
}

static pp_status plan_both(pp_linker *linker, const pp_link_options *options) {
  const pp_limits *limits = &linker->model->device[linker->device].limits;
  uint64_t cap = options->cap > 0 ? options->cap : UINT64_C(1) << 32;
  if (cap > limits->max_pool) cap = limits->max_pool;
  pp_status status = sort_out(linker, !options->no_reuse);
  if (status == PP_OK) status = plan(linker->model, &linker->working, cap);
  if (status == PP_OK) status = plan(linker->model, &linker->constant, cap);
  return status;
}

static bool fill_node(pp_model *model, pp_model_node *node,
                      const pp_node *from) {
  *node = (pp_model_node){.uid = from->uid,
                          .bytes = pp_node_bytes(from),
                          .rank = from->rank,
                          .dtype = from->dtype,
                          .constant = (from->intents & PP_CONSTANT) != 0};
  memcpy(node->dims, from->dims, sizeof node->dims);
  node->cell = pp_cell_new(model, node->bytes);
  if (!node->cell) return false;
  if (node->bytes == 0 || (!from->data && from->has_span)) return true;
  node->cell->known = true;
  if (from->data) memcpy(node->cell->at, from->data, node->bytes);
  return true;
}

/* Puts a node, whose cell it takes over, at its place in uid order. */
static void put(pp_model_context *child, const pp_model_node *node,
                pp_location at, bool in_parent) {
  size_t i = child->nodes++;
  for (; i > 0 && child->node[i - 1].uid > node->uid; i--) {
    child->node[i] = child->node[i - 1];
    child->at[i] = child->at[i - 1];
    child->parent_at[i] = child->parent_at[i - 1];
    child->in_parent[i] = child->in_parent[i - 1];
  }
  child->node[i] = *node;
  child->at[i] = at;
  child->parent_at[i] = in_parent ? at : (pp_location){0, 0};
  child->in_parent[i] = in_parent;
}

/* The location without its pool's id: of working pools the first one is
 * minted as next_id, constant ones follow. */
static bool put_group(pp_linker *linker, const pp_group *group) {
  for (size_t i = 0; i < group->n; i++) {
    pp_model_node node;
    if (!fill_node(linker->model, &node, group->node[i])) return false;
    node.shared = group->shared[i];
    pp_location at = {group->first_id + group->segment[i], group->offset[i]};
    put(&linker->child, &node, at, false);
  }
  return true;
}

static void put_held(pp_linker *linker) {
  const pp_model_context *parent = linker->parent;
  const pp_model_device *device = &linker->model->device[linker->device];
  for (size_t i = 0; i < parent->nodes; i++) {
    (void)pp_cell_hold(parent->node[i].cell);
    put(&linker->child, &parent->node[i], parent->at[i], true);
  }
  for (size_t k = 0; k < linker->routine->nodes; k++) {
    const pp_node *node = &linker->routine->node[k];
    pp_location at = {0, 0};
    if ((node->intents & PP_CONSTANT) == 0 || pp_model_find(parent, node->uid))
      continue;
    const pp_model_node *there = cached(device, node->uid, &at);
    if (!there) continue;
    (void)pp_cell_hold(there->cell);
    put(&linker->child, there, at, false);
  }
}

/* Bytes of both groups' pools: little enough? */
static bool is_small(const pp_linker *linker) {
  const pp_group *groups[] = {&linker->working, &linker->constant};
  uint64_t sum = 0;
  for (size_t g = 0; g < 2; g++)
    for (size_t k = 0; k < groups[g]->pools; k++) {
      if (groups[g]->size[k] > PP_MODEL_BYTES - sum) return false;
      sum += groups[g]->size[k];
    }
  return true;
}

/* The child as it will be if all goes well, and room in the tables. */
static bool prepare(pp_linker *linker) {
  pp_model *model = linker->model;
  pp_model_device *device = &model->device[linker->device];
  pp_model_context *child = &linker->child;
  size_t most = linker->parent->nodes + linker->routine->nodes + 1;
  size_t pools = linker->working.pools + linker->constant.pools;
  linker->working.first_id = device->next_id;
  linker->constant.first_id = device->next_id + linker->working.pools;
  child->node = calloc(most, sizeof *child->node);
  child->at = calloc(most, sizeof *child->at);
  child->parent_at = calloc(most, sizeof *child->parent_at);
  child->in_parent = calloc(most, sizeof *child->in_parent);
  linker->minted = calloc(pools + 1, sizeof *linker->minted);
  if (!child->node || !child->at || !child->parent_at || !child->in_parent ||
      !linker->minted || !pp_model_reserve(model, linker->device, pools))
    return false;
  put_held(linker);
  return put_group(linker, &linker->working) &&
         put_group(linker, &linker->constant);
}

static bool reserve_constants(pp_model_device *device, size_t more) {
  size_t room = device->constants + more;
  if (room <= device->constant_room) return true;
  pp_model_node *constant =
      realloc(device->constant, room * sizeof *device->constant);
  if (constant) device->constant = constant;
  pp_location *at =
      realloc(device->constant_at, room * sizeof *device->constant_at);
  if (at) device->constant_at = at;
  if (!constant || !at) return false;
  device->constant_room = room;
  return true;
}

static void cache(pp_model_device *device, const pp_model_node *node,
                  pp_location at) {
  size_t i = device->constants++;
  for (; i > 0 && device->constant[i - 1].uid > node->uid; i--) {
    device->constant[i] = device->constant[i - 1];
    device->constant_at[i] = device->constant_at[i - 1];
  }
  device->constant[i] = *node;
  device->constant_at[i] = at;
  (void)pp_cell_hold(node->cell);
}

static pp_status mint(pp_linker *linker, const pp_group *group,
                      pp_pool_use use) {
  pp_model_device *device = &linker->model->device[linker->device];
  for (size_t k = 0; k < group->pools; k++) {
    uint64_t id = device->next_id++;
    pp_status status =
        pp_model_mint(linker->model, linker->device, id, group->size[k], use);
    if (status != PP_OK) return status;
    linker->minted[linker->mints++] = id;
  }
  return PP_OK;
}

/* The new nodes in uid order: one call for each that has bytes, but those that
 * the routine fills. */
static pp_status fill(pp_linker *linker) {
  const pp_routine *routine = linker->routine;
  const pp_model_context *child = &linker->child;
  size_t device = linker->device;
  for (size_t k = 0; k < routine->nodes; k++) {
    const pp_node *node = &routine->node[routine->order[k]];
    if ((node->intents & PP_MERGE) != 0 || pp_node_bytes(node) == 0) continue;
    const pp_model_node *made = pp_model_find(child, node->uid);
    if (child->at[made - child->node].pool < linker->working.first_id)
      continue; /* it was there before */
    if (!node->data && node->has_span) continue;
    pp_status status = pp_model_call(
        linker->model, node->data ? PP_CALL_FROM_HOST : PP_CALL_MEMSET, device,
        device);
    if (status != PP_OK) return status;
  }
  return PP_OK;
}

static pp_status mint_fill_compile(pp_linker *linker) {
  size_t device = linker->device;
  pp_status status = mint(linker, &linker->working, PP_POOL_WORKING);
  if (status == PP_OK)
    status = mint(linker, &linker->constant, PP_POOL_CONSTANT);
  if (status == PP_OK) status = fill(linker);
  if (status == PP_OK)
    status = pp_model_call(linker->model, PP_CALL_COMPILE, device, device);
  return status;
}

/* CTX-3. The first failure is the one that is told. */
static void unwind(pp_linker *linker) {
  pp_model *model = linker->model;
  size_t device = linker->device;
  pp_backend_call first = model->failed;
  if (linker->mints == 0) return;
  bool idle = pp_model_call(model, PP_CALL_AWAIT, device, device) == PP_OK;
  while (linker->mints > 0) {
    uint64_t id = linker->minted[--linker->mints];
    if (!idle || pp_model_free_pool(model, device, id) != PP_OK)
      pp_model_orphan(&model->device[device], id);
  }
  model->failed = first;
}

static void commit(pp_linker *linker, size_t index) {
  pp_model *model = linker->model;
  pp_model_device *device = &model->device[linker->device];
  pp_model_context *child = &linker->child;
  for (size_t i = 0; i < child->nodes; i++)
    if (child->node[i].constant &&
        child->at[i].pool >= linker->working.first_id)
      cache(device, &child->node[i], child->at[i]);
  child->made = true;
  child->device = linker->device;
  child->routine = pp_routine_hold(linker->routine);
  device->contexts++;
  model->context[index] = *child;
  *child = (pp_model_context){0};
}

static pp_status link_all(pp_linker *linker, const pp_link_options *options,
                          size_t child) {
  pp_model *model = linker->model;
  pp_model_device *device = &model->device[linker->device];
  size_t nodes = linker->routine->nodes;
  if (!open_group(&linker->working, nodes) ||
      !open_group(&linker->constant, nodes)) {
    model->beyond = true;
    return PP_OK;
  }
  pp_status status = plan_both(linker, options);
  if (status != PP_OK || model->beyond) return status;
  if (!is_small(linker) || !prepare(linker) ||
      !reserve_constants(device, linker->constant.n)) {
    model->beyond = true;
    return PP_OK;
  }
  pp_model_retry(model, linker->device);
  status = mint_fill_compile(linker);
  if (status == PP_OK)
    commit(linker, child);
  else
    unwind(linker);
  return status;
}

pp_status pp_model_link(pp_model *model, size_t child, size_t parent,
                        pp_routine *routine, const pp_link_options *options) {
  pp_linker linker = {.model = model,
                      .parent = &model->context[parent],
                      .device = model->context[parent].device,
                      .routine = routine};
  pp_status status = link_all(&linker, options, child);
  pp_model_drop(&linker.child);
  close_group(&linker.working);
  close_group(&linker.constant);
  free(linker.minted);
  return status;
}
