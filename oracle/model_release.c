/* poolproof: the model: releases, by the reference state machine.
 * SPDX-License-Identifier: MIT */
#include "model_parts.h"
#include "release_hooks.h"

static _Thread_local pp_release_hooks hooked;

void pp_release_hook(pp_release_hooks hooks) {
  hooked = hooks;
}

pp_status pp_ref_await(void) {
  return hooked.await(hooked.state);
}

pp_status pp_ref_free_pool(uint64_t pool) {
  return hooked.free_pool(hooked.state, pool);
}

/* What the model's hooks work on. */
typedef struct pp_under_way {
  pp_model *model;
  size_t device;
} pp_under_way;

static pp_status model_await(void *state) {
  const pp_under_way *it = state;
  return pp_model_call(it->model, PP_CALL_AWAIT, it->device, it->device);
}

static pp_status model_free_pool(void *state, uint64_t pool) {
  const pp_under_way *it = state;
  return pp_model_free_pool(it->model, it->device, pool);
}

pp_status pp_model_release(pp_model *model, size_t context) {
  pp_model_context *it = &model->context[context];
  pp_model_device *device = &model->device[it->device];
  if (!it->released) pp_model_retry(model, it->device);
  pp_under_way under_way = {model, it->device};
  pp_release_hook((pp_release_hooks){model_await, model_free_pool, &under_way});
  pp_status status =
      pp_ref_release(it->at, it->parent_at, it->in_parent, it->nodes,
                     device->constant_at, device->constants, &it->progress);
  if (status != PP_OK || it->released) return status;
  if (it->routine)
    (void)pp_model_call(model, PP_CALL_DISCARD, it->device, it->device);
  it->released = true;
  device->contexts--;
  device->released++;
  return PP_OK;
}

/* REL-1, for a context whose device is lost: its own pools that are left. */
static void abandon(pp_model *model, pp_model_context *context) {
  pp_model_device *device = &model->device[context->device];
  for (size_t i = 0; i < context->nodes; i++) {
    uint64_t pool = context->at[i].pool;
    size_t k = pp_model_pool(device, pool);
    if (context->in_parent[i] || k == device->pools) continue;
    if (device->pool[k].use == PP_POOL_WORKING) pp_model_orphan(device, pool);
  }
  if (context->routine)
    (void)pp_model_call(model, PP_CALL_DISCARD, context->device,
                        context->device);
  device->contexts--;
}

pp_status pp_model_context_free(pp_model *model, size_t context) {
  pp_status status = pp_model_release(model, context);
  if (status != PP_OK && status != PP_DEVICE_LOST) return status;
  if (status == PP_DEVICE_LOST) abandon(model, &model->context[context]);
  pp_model_drop(&model->context[context]);
  return PP_OK;
}
