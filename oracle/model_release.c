/* poolproof: the model: releases, by the reference state machine.
 * SPDX-License-Identifier: MIT */
#include "model_parts.h"

/* What the machine's hooks work on. */
typedef struct pp_under_way {
  pp_model *model; // cppcheck-suppress unusedStructMember
  size_t device;   // cppcheck-suppress unusedStructMember
} pp_under_way;

static _Thread_local pp_under_way under_way;

pp_status pp_ref_await(void) {
  size_t device = under_way.device;
  return pp_model_call(under_way.model, PP_CALL_AWAIT, device, device);
}

pp_status pp_ref_free_pool(uint64_t pool) {
  return pp_model_free_pool(under_way.model, under_way.device, pool);
}

pp_status pp_model_release(pp_model *model, size_t context) {
  pp_model_context *it = &model->context[context];
  pp_model_device *device = &model->device[it->device];
  if (!it->released) pp_model_retry(model, it->device);
  under_way.model = model;
  under_way.device = it->device;
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
