/* poolproof: contexts: making, running, asking.  SPDX-License-Identifier: MIT
 */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>

pp_status pp_make_context(pp_backend *backend, size_t ordinal,
                          pp_context **context, pp_failure *failure) {
  pp_status status = PP_OK;
  pp_device *device = pp_device_open(backend, ordinal, &status, failure);
  if (device == NULL) return status;
  pp_context *made = calloc(1, sizeof *made);
  if (made == NULL) return pp_fail(failure, PP_NO_MEMORY, "out of memory");
  made->device = device;
  pthread_mutex_lock(&device->lock);
  device->handles++;
  device->contexts++;
  pthread_mutex_unlock(&device->lock);
  *context = made;
  return PP_OK;
}

/* Where a merge node is, if it is the merge buffer's tenant. */
static pp_status bind_merge(const pp_device *device, const pp_node *node,
                            pp_operand *operand, pp_failure *failure) {
  if (!device->has_tenant || device->tenant != node->uid ||
      device->tenant_bytes != pp_node_bytes(node))
    return pp_fail_node(failure, PP_NOT_MERGED, node->uid,
                        "the merge buffer does not hold %s (uid %" PRIu64
                        ") (CTX-1)",
                        node->label, node->uid);
  *operand = (pp_operand){device->merge, 0};
  return PP_OK;
}

static pp_status bind_held(pp_context *context, const pp_node *node,
                           pp_operand *operand, pp_failure *failure) {
  const pp_entry *entry = pp_entry_find(&context->nodes, node->uid);
  const pp_pool *pool = pp_pool_find(&context->device->pools, entry->at.pool);
  if (pool == NULL)
    return pp_fail_node(failure, PP_POOL_GONE, node->uid,
                        "node %s (uid %" PRIu64 ") is in pool %" PRIu64
                        ", which was freed (REL-6)",
                        node->label, node->uid, entry->at.pool);
  *operand = (pp_operand){pool->slab, entry->at.offset};
  return PP_OK;
}

/* Merge nodes after all others. */
static pp_status bind(pp_context *context, bool merge, pp_failure *failure) {
  const pp_routine *routine = context->routine;
  for (size_t i = 0; i < routine->nodes; i++) {
    size_t at = routine->order[i];
    const pp_node *node = &routine->node[at];
    pp_operand *operand = &context->operand[at];
    if (((node->intents & PP_MERGE) != 0) != merge) continue;
    pp_status status = merge
                           ? bind_merge(context->device, node, operand, failure)
                           : bind_held(context, node, operand, failure);
    if (status != PP_OK) return status;
  }
  return PP_OK;
}

static pp_status run(pp_context *context, pp_failure *failure) {
  pp_device *device = context->device;
  pp_backend *backend = device->backend;
  if (context->released)
    return pp_fail(failure, PP_POOL_GONE, "the context was released (REL-6)");
  if (context->routine == NULL) return PP_OK;
  pp_status status = bind(context, false, failure);
  if (status == PP_OK) status = bind(context, true, failure);
  if (status != PP_OK) return status;
  status = backend->call->launch(backend, device->ordinal, context->kernel,
                                 context->operand, context->routine->nodes);
  if (status == PP_OK) return PP_OK;
  return pp_call_failed(device, PP_CALL_LAUNCH, status, failure);
}

pp_status pp_run(pp_context *context, pp_failure *failure) {
  pthread_mutex_lock(&context->device->lock);
  pp_status status = run(context, failure);
  pthread_mutex_unlock(&context->device->lock);
  return status;
}

pp_status pp_await(pp_context *context, pp_failure *failure) {
  pthread_mutex_lock(&context->device->lock);
  pp_status status = pp_device_await(context->device, failure);
  pthread_mutex_unlock(&context->device->lock);
  return status;
}

pp_backend *pp_context_backend(const pp_context *context) {
  return context->device->backend;
}

size_t pp_context_ordinal(const pp_context *context) {
  return context->device->ordinal;
}

bool pp_context_released(const pp_context *context) {
  pthread_mutex_lock(&context->device->lock);
  bool released = context->released;
  pthread_mutex_unlock(&context->device->lock);
  return released;
}

bool pp_context_location(const pp_context *context, uint64_t uid,
                         pp_location *location) {
  const pp_entry *entry = pp_entry_find(&context->nodes, uid);
  if (entry != NULL) *location = entry->at;
  return entry != NULL;
}

bool pp_context_shared(const pp_context *context, uint64_t uid) {
  const pp_entry *entry = pp_entry_find(&context->nodes, uid);
  return entry != NULL && entry->shared;
}

pp_context_pair pp_pair_contexts(const pp_context *a, const pp_context *b) {
  if (a->device->backend != b->device->backend)
    return (pp_context_pair){PP_CROSS_BACKEND, NULL};
  return (pp_context_pair){PP_SAME_BACKEND, a->device->backend};
}

pp_status pp_with_backend(pp_context *context, pp_transform transform,
                          void *argument, pp_context **result,
                          pp_failure *failure) {
  pp_backend *backend = context->device->backend;
  pp_status status = transform(backend, context, argument, result, failure);
  if (status != PP_OK || (*result)->device->backend == backend) return status;
  return pp_fail(failure, PP_WRONG_BACKEND,
                 "a context of %s came back for one of %s (BKD-4)",
                 (*result)->device->backend->name, backend->name);
}

pp_status pp_query(const pp_context *context, pp_context_query query,
                   void *argument) {
  return query(context->device->backend, context, argument);
}
