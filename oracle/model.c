/* poolproof: the model: devices, pools, calls, contexts.
 * SPDX-License-Identifier: MIT */
#include "model_parts.h"

#include <stdlib.h>
#include <string.h>

pp_model *pp_model_new(size_t devices, const pp_limits *limits,
                       size_t contexts) {
  pp_model *model = calloc(1, sizeof *model);
  if (!model) return NULL;
  model->device = calloc(devices + 1, sizeof *model->device);
  model->context = calloc(contexts + 1, sizeof *model->context);
  if (!model->device || !model->context) {
    free(model->device);
    free(model->context);
    free(model);
    return NULL;
  }
  model->devices = devices;
  model->contexts = contexts;
  for (size_t i = 0; i < devices; i++) {
    model->device[i].limits = limits[i];
    model->device[i].next_id = 1;
  }
  return model;
}

static void drop_constants(pp_model_device *device) {
  for (size_t i = 0; i < device->constants; i++)
    pp_cell_free(device->constant[i].cell);
  device->constants = 0;
}

static void drop_merge(pp_model_device *device) {
  pp_cell_free(device->merge);
  device->merge = NULL;
}

void pp_model_free(pp_model *model) {
  if (!model) return;
  for (size_t i = 0; i < model->contexts; i++)
    pp_model_drop(&model->context[i]);
  for (size_t i = 0; i < model->devices; i++) {
    pp_model_device *device = &model->device[i];
    drop_constants(device);
    drop_merge(device);
    free(device->pool);
    free(device->constant);
    free(device->constant_at);
  }
  free(model->device);
  free(model->context);
  free(model);
}

void pp_model_arm(pp_model *model, const pp_fault *fault, size_t faults) {
  model->faults = faults < PP_FAULTS ? faults : PP_FAULTS;
  for (size_t i = 0; i < model->faults; i++) {
    model->fault[i] = fault[i];
    model->struck[i] = false;
  }
  memset(model->calls, 0, sizeof model->calls);
}

static bool is_counted(pp_backend_call call) {
  return call != PP_CALL_DEVICES && call != PP_CALL_LIMITS &&
         call != PP_CALL_DISCARD;
}

/* Every call but these two is refused on a lost device. */
static bool is_refused(const pp_model *model, pp_backend_call call,
                       size_t device, size_t other) {
  if (call == PP_CALL_FREE_POOL || call == PP_CALL_DISCARD) return false;
  return model->device[device].lost || model->device[other].lost;
}

static bool strikes(const pp_model *model, size_t i, pp_backend_call call) {
  const pp_fault *fault = &model->fault[i];
  if (model->struck[i] || model->calls[fault->call] != fault->nth) return false;
  return fault->call == call ||
         (fault->call == PP_CALL_COUNT && is_counted(call));
}

/* What a fault or the loss of a device answers for a call. */
static pp_status struck_by(pp_model *model, pp_backend_call call, size_t device,
                           size_t other) {
  bool on_device = call != PP_CALL_DEVICES;
  if (on_device && is_refused(model, call, device, other))
    return PP_DEVICE_LOST;
  for (size_t i = 0; i < model->faults; i++) {
    if (!strikes(model, i, call)) continue;
    model->struck[i] = true;
    if (on_device && model->fault[i].status == PP_DEVICE_LOST)
      model->device[device].lost = true;
    return model->fault[i].status;
  }
  return PP_OK;
}

pp_status pp_model_call(pp_model *model, pp_backend_call call, size_t device,
                        size_t other) {
  model->calls[call]++;
  if (is_counted(call)) model->calls[PP_CALL_COUNT]++;
  if (call == PP_CALL_DISCARD) return PP_OK;
  pp_status status = struck_by(model, call, device, other);
  if (status != PP_OK) model->failed = call;
  return status;
}

pp_cell *pp_cell_new(pp_model *model, uint64_t bytes) {
  pp_cell *cell = NULL;
  if (bytes <= PP_MODEL_BYTES) cell = calloc(1, sizeof *cell);
  if (cell) cell->at = calloc(1, bytes > 0 ? (size_t)bytes : 1);
  if (!cell || !cell->at) {
    free(cell);
    model->beyond = true;
    return NULL;
  }
  cell->holders = 1;
  cell->bytes = bytes;
  cell->known = bytes == 0;
  return cell;
}

pp_cell *pp_cell_hold(pp_cell *cell) {
  cell->holders++;
  return cell;
}

void pp_cell_free(pp_cell *cell) {
  if (!cell || --cell->holders > 0) return;
  free(cell->at);
  free(cell);
}

size_t pp_model_pool(const pp_model_device *device, uint64_t id) {
  size_t i = 0;
  while (i < device->pools && device->pool[i].id != id)
    i++;
  return i;
}

bool pp_model_reserve(pp_model *model, size_t device, size_t more) {
  pp_model_device *at = &model->device[device];
  if (more <= at->pool_room - at->pools) return true;
  size_t room = 2 * (at->pools + more);
  pp_pool_info *pool = realloc(at->pool, room * sizeof *pool);
  if (!pool) {
    model->beyond = true;
    return false;
  }
  at->pool = pool;
  at->pool_room = room;
  return true;
}

pp_status pp_model_mint(pp_model *model, size_t device, uint64_t id,
                        uint64_t bytes, pp_pool_use use) {
  pp_model_device *at = &model->device[device];
  pp_status status = pp_model_call(model, PP_CALL_ALLOC_POOL, device, device);
  if (status != PP_OK) return status;
  size_t i = at->pools++;
  for (; i > 0 && at->pool[i - 1].id > id; i--)
    at->pool[i] = at->pool[i - 1];
  at->pool[i] = (pp_pool_info){id, bytes, use};
  return PP_OK;
}

pp_status pp_model_free_pool(pp_model *model, size_t device, uint64_t id) {
  pp_model_device *at = &model->device[device];
  pp_status status = pp_model_call(model, PP_CALL_FREE_POOL, device, device);
  if (status != PP_OK) return status;
  size_t i = pp_model_pool(at, id);
  if (i == at->pools) return PP_POOL_GONE; /* REL-4 forbids it */
  at->pools--;
  for (; i < at->pools; i++)
    at->pool[i] = at->pool[i + 1];
  return PP_OK;
}

void pp_model_orphan(pp_model_device *device, uint64_t id) {
  size_t i = pp_model_pool(device, id);
  if (i < device->pools) device->pool[i].use = PP_POOL_ORPHAN;
}

/* The first pool of that use from place i on, or device->pools. */
static size_t next_of(const pp_model_device *device, size_t i,
                      pp_pool_use use) {
  while (i < device->pools && device->pool[i].use != use)
    i++;
  return i;
}

void pp_model_retry(pp_model *model, size_t device) {
  const pp_model_device *at = &model->device[device];
  size_t i = next_of(at, 0, PP_POOL_ORPHAN);
  if (i == at->pools ||
      pp_model_call(model, PP_CALL_AWAIT, device, device) != PP_OK)
    return;
  while (i < at->pools) {
    if (pp_model_free_pool(model, device, at->pool[i].id) != PP_OK) i++;
    i = next_of(at, i, PP_POOL_ORPHAN);
  }
}

void pp_model_drop(pp_model_context *context) {
  for (size_t i = 0; i < context->nodes; i++)
    pp_cell_free(context->node[i].cell);
  free(context->node);
  free(context->at);
  free(context->parent_at);
  free(context->in_parent);
  pp_routine_free(context->routine);
  *context = (pp_model_context){0};
}

/* BKD-2, BKD-3: the devices are counted at the backend's first use, the limits
 * asked for at the device's. What failed is tried again by the next one. */
pp_status pp_model_root(pp_model *model, size_t context, uint64_t device) {
  pp_status status = PP_OK;
  if (!model->used) status = pp_model_call(model, PP_CALL_DEVICES, 0, 0);
  if (status != PP_OK) return status;
  model->used = true;
  if (device >= model->devices) return PP_NO_DEVICE;
  size_t ordinal = (size_t)device;
  pp_model_device *at = &model->device[ordinal];
  if (!at->open)
    status = pp_model_call(model, PP_CALL_LIMITS, ordinal, ordinal);
  if (status != PP_OK) return status;
  at->open = true;
  at->contexts++;
  model->context[context] = (pp_model_context){.made = true, .device = ordinal};
  return PP_OK;
}

pp_status pp_model_await(pp_model *model, size_t context) {
  size_t device = model->context[context].device;
  return pp_model_call(model, PP_CALL_AWAIT, device, device);
}

const pp_model_node *pp_model_find(const pp_model_context *context,
                                   uint64_t uid) {
  for (size_t i = 0; i < context->nodes; i++)
    if (context->node[i].uid == uid) return &context->node[i];
  return NULL;
}

bool pp_model_is_live(const pp_model *model, const pp_model_context *context,
                      const pp_model_node *node) {
  const pp_model_device *device = &model->device[context->device];
  uint64_t pool = context->at[node - context->node].pool;
  return pp_model_pool(device, pool) < device->pools;
}

void pp_model_census(const pp_model *model, size_t device, pp_census *census) {
  const pp_model_device *at = &model->device[device];
  *census = (pp_census){.contexts = at->contexts, .released = at->released};
  for (size_t i = 0; i < at->pools; i++) {
    const pp_pool_info *pool = &at->pool[i];
    switch (pool->use) {
    case PP_POOL_WORKING:
      census->working_pools++;
      census->working_bytes += pool->bytes;
      break;
    case PP_POOL_CONSTANT:
      census->constant_pools++;
      census->constant_bytes += pool->bytes;
      break;
    case PP_POOL_ORPHAN:
      census->orphan_pools++;
      census->orphan_bytes += pool->bytes;
      break;
    case PP_POOL_MERGE:
      census->merge_bytes = pool->bytes;
      break;
    }
  }
}

static pp_status free_all(pp_model *model, size_t device, pp_pool_use use) {
  const pp_model_device *at = &model->device[device];
  size_t i = 0;
  while ((i = next_of(at, i, use)) < at->pools) {
    pp_status status = pp_model_free_pool(model, device, at->pool[i].id);
    if (status != PP_OK) return status;
  }
  return PP_OK;
}

/* Constants are cached no more once they are being freed: what is left of them
 * after an error is only there to be freed. */
static pp_status empty(pp_model *model, size_t device) {
  pp_model_device *at = &model->device[device];
  pp_status status = pp_model_call(model, PP_CALL_AWAIT, device, device);
  if (status != PP_OK && status != PP_DEVICE_LOST) return status;
  status = free_all(model, device, PP_POOL_ORPHAN);
  if (status != PP_OK) return status;
  drop_constants(at);
  status = free_all(model, device, PP_POOL_CONSTANT);
  if (status != PP_OK) return status;
  status = free_all(model, device, PP_POOL_MERGE);
  if (status == PP_OK) drop_merge(at);
  return status;
}

pp_status pp_model_teardown(pp_model *model) {
  if (!model->used) return PP_OK;
  for (size_t i = 0; i < model->contexts; i++)
    if (model->context[i].made) return PP_BUSY;
  for (size_t i = 0; i < model->devices; i++) {
    pp_status status = model->device[i].open ? empty(model, i) : PP_OK;
    if (status != PP_OK) return status;
  }
  for (size_t i = 0; i < model->devices; i++) {
    pp_model_device *at = &model->device[i];
    at->open = false;
    at->next_id = 1;
    at->contexts = at->released = 0;
  }
  model->used = false;
  return PP_OK;
}
