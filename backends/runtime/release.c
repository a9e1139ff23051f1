/* poolproof: release with retry: rules REL.  SPDX-License-Identifier: MIT */
#include "internal.h"

#include <stdlib.h>

static void discard(pp_context *context) {
  pp_backend *backend = context->device->backend;
  if (context->kernel != NULL)
    backend->call->discard(backend, context->device->ordinal, context->kernel);
  context->kernel = NULL;
}

static pp_status release(pp_context *context, pp_failure *failure) {
  pp_device *device = context->device;
  if (context->released) return PP_OK;
  pp_orphans_retry(device);
  pp_status status = pp_device_await(device, failure);
  while (status == PP_OK && context->freed < context->owns) {
    status = pp_pool_free(device, context->own[context->freed], failure);
    if (status == PP_OK) context->freed++;
  }
  if (status != PP_OK) return status;
  discard(context);
  context->released = true;
  device->contexts--;
  device->released++;
  return PP_OK;
}

pp_status pp_release(pp_context *context, pp_failure *failure) {
  pthread_mutex_lock(&context->device->lock);
  pp_status status = release(context, failure);
  pthread_mutex_unlock(&context->device->lock);
  return status;
}

/* The device is lost: no work is in flight, and none will be. */
static void abandon(pp_context *context) {
  while (context->freed < context->owns)
    pp_pool_orphan(context->device, context->own[context->freed++]);
  discard(context);
  context->device->contexts--;
}

pp_status pp_context_free(pp_context *context, pp_failure *failure) {
  if (context == NULL) return PP_OK;
  pp_device *device = context->device;
  pp_failure why;
  pthread_mutex_lock(&device->lock);
  pp_status status = release(context, &why);
  if (status == PP_DEVICE_LOST) {
    abandon(context);
    status = PP_OK;
  }
  if (status == PP_OK) device->handles--;
  pthread_mutex_unlock(&device->lock);
  if (status != PP_OK) {
    if (failure != NULL) *failure = why;
    return status;
  }
  pp_routine_free(context->routine);
  pp_lineage_free(context->lineage);
  free(context->nodes.entry);
  free(context->own);
  free(context->operand);
  free(context);
  return PP_OK;
}
