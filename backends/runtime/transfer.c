/* poolproof: transfers: host to node, node to host, node to node, merges
 * (CTX-1, CTX-4, BKD-4).  SPDX-License-Identifier: MIT */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>

/* One end of a transfer. */
typedef struct pp_end {
  pp_context *context;
  uint64_t uid;
  const pp_entry *entry;
  pp_slab slab;
} pp_end;

static pp_status find(pp_end *end, pp_failure *failure) {
  end->entry = pp_entry_find(&end->context->nodes, end->uid);
  if (end->entry != NULL) return PP_OK;
  return pp_fail_node(failure, PP_NO_SUCH_NODE, end->uid,
                      "the context holds no node with uid %" PRIu64, end->uid);
}

static pp_status check_shared(const pp_end *end, pp_failure *failure) {
  if (!end->entry->shared) return PP_OK;
  return pp_fail_node(failure, PP_ALIASED, end->uid,
                      "node with uid %" PRIu64
                      " shares its bytes with others; make it observable, or "
                      "link without reuse, to keep it (CTX-4)",
                      end->uid);
}

static pp_status check_gone(pp_end *end, pp_failure *failure) {
  const pp_pool *pool =
      pp_pool_find(&end->context->device->pools, end->entry->at.pool);
  if (pool == NULL)
    return pp_fail_node(failure, PP_POOL_GONE, end->uid,
                        "node with uid %" PRIu64 " is in pool %" PRIu64
                        ", which was freed (REL-6)",
                        end->uid, end->entry->at.pool);
  end->slab = pool->slab;
  return PP_OK;
}

static pp_status check_writable(const pp_end *end, pp_failure *failure) {
  if (!end->entry->constant) return PP_OK;
  return pp_fail_node(failure, PP_READ_ONLY, end->uid,
                      "node with uid %" PRIu64 " is a constant", end->uid);
}

static pp_status open_host(pp_end *end, uint64_t bytes, bool write,
                           pp_failure *failure) {
  pp_status status = find(end, failure);
  if (status != PP_OK) return status;
  if (end->entry->bytes != bytes)
    return pp_fail_node(failure, PP_BAD_SIZE, end->uid,
                        "node with uid %" PRIu64 " has %" PRIu64
                        " bytes, the host gives %" PRIu64,
                        end->uid, end->entry->bytes, bytes);
  if (write) status = check_writable(end, failure);
  if (status == PP_OK) status = check_shared(end, failure);
  if (status == PP_OK) status = check_gone(end, failure);
  return status;
}

static pp_status from_host(const pp_end *end, const void *from,
                           pp_failure *failure) {
  pp_device *device = end->context->device;
  pp_backend *backend = device->backend;
  pp_status status =
      backend->call->from_host(backend, device->ordinal, end->slab,
                               end->entry->at.offset, from, end->entry->bytes);
  if (status == PP_OK) return PP_OK;
  return pp_call_failed(device, PP_CALL_FROM_HOST, status, failure);
}

static pp_status to_host(const pp_end *end, void *to, pp_failure *failure) {
  pp_device *device = end->context->device;
  pp_backend *backend = device->backend;
  pp_status status =
      backend->call->to_host(backend, device->ordinal, to, end->slab,
                             end->entry->at.offset, end->entry->bytes);
  if (status == PP_OK) return PP_OK;
  return pp_call_failed(device, PP_CALL_TO_HOST, status, failure);
}

pp_status pp_upload(pp_context *context, uint64_t uid, const void *from,
                    uint64_t bytes, pp_failure *failure) {
  pp_end end = {.context = context, .uid = uid};
  pthread_mutex_lock(&context->device->lock);
  pp_status status = open_host(&end, bytes, true, failure);
  if (status == PP_OK && bytes > 0) status = from_host(&end, from, failure);
  pthread_mutex_unlock(&context->device->lock);
  return status;
}

pp_status pp_download(pp_context *context, uint64_t uid, void *to,
                      uint64_t bytes, pp_failure *failure) {
  pp_end end = {.context = context, .uid = uid};
  pthread_mutex_lock(&context->device->lock);
  pp_status status = open_host(&end, bytes, false, failure);
  if (status == PP_OK && bytes > 0) status = to_host(&end, to, failure);
  pthread_mutex_unlock(&context->device->lock);
  return status;
}

static pp_status across_backends(const pp_end *to, const pp_end *from,
                                 pp_failure *failure) {
  void *host = NULL;
  if (from->entry->bytes <= SIZE_MAX) host = malloc(from->entry->bytes);
  if (host == NULL) return pp_fail(failure, PP_NO_MEMORY, "out of memory");
  pp_status status = to_host(from, host, failure);
  if (status == PP_OK) status = from_host(to, host, failure);
  free(host);
  return status;
}

/* BKD-4: the bytes of from to to, the locks being held. */
static pp_status move(const pp_end *to, const pp_end *from,
                      pp_failure *failure) {
  pp_device *device = to->context->device;
  pp_backend *backend = device->backend;
  if (from->entry->bytes == 0) return PP_OK;
  if (from->context->device->backend != backend)
    return across_backends(to, from, failure);
  pp_status status = backend->call->device_to_device(
      backend, device->ordinal, to->slab, to->entry->at.offset,
      from->context->device->ordinal, from->slab, from->entry->at.offset,
      from->entry->bytes);
  if (status == PP_OK) return PP_OK;
  return pp_call_failed(device, PP_CALL_DEVICE_TO_DEVICE, status, failure);
}

static pp_status check_pair(pp_end *to, pp_end *from, pp_failure *failure) {
  pp_status status = find(from, failure);
  if (status == PP_OK) status = find(to, failure);
  if (status != PP_OK) return status;
  if (from->entry->bytes != to->entry->bytes ||
      from->entry->dtype != to->entry->dtype)
    return pp_fail_node(failure, PP_BAD_SIZE, from->uid,
                        "node with uid %" PRIu64 " has %" PRIu64
                        " bytes of %s here and %" PRIu64 " of %s there",
                        from->uid, from->entry->bytes,
                        pp_dtype_name(from->entry->dtype), to->entry->bytes,
                        pp_dtype_name(to->entry->dtype));
  status = check_writable(to, failure);
  if (status == PP_OK) status = check_shared(from, failure);
  if (status == PP_OK) status = check_shared(to, failure);
  if (status == PP_OK) status = check_gone(from, failure);
  if (status == PP_OK) status = check_gone(to, failure);
  return status;
}

static bool same_place(const pp_end *a, const pp_end *b) {
  return a->context->device == b->context->device &&
         a->entry->at.pool == b->entry->at.pool &&
         a->entry->at.offset == b->entry->at.offset;
}

pp_status pp_copy(pp_context *to, pp_context *from, uint64_t uid,
                  pp_failure *failure) {
  pp_end target = {.context = to, .uid = uid};
  pp_end source = {.context = from, .uid = uid};
  pp_lock_both(to->device, from->device);
  pp_status status = check_pair(&target, &source, failure);
  if (status == PP_OK && !same_place(&target, &source))
    status = move(&target, &source, failure);
  pp_unlock_both(to->device, from->device);
  return status;
}

/* Pool 0 with room for bytes (CTX-1). */
static pp_status grow_merge(pp_device *device, uint64_t bytes,
                            pp_failure *failure) {
  pp_backend *backend = device->backend;
  if (device->has_merge && device->merge_bytes >= bytes) return PP_OK;
  if (device->has_merge) {
    pp_status status = pp_device_await(device, failure);
    if (status == PP_OK) status = pp_merge_free(device, failure);
    if (status != PP_OK) return status;
  }
  pp_status status =
      backend->call->alloc_pool(backend, device->ordinal, bytes,
                                device->limits.alignment, &device->merge);
  if (status != PP_OK)
    return pp_call_failed(device, PP_CALL_ALLOC_POOL, status, failure);
  device->has_merge = true;
  device->merge_bytes = bytes;
  return PP_OK;
}

static pp_status merge(pp_context *to, pp_end *from, pp_failure *failure) {
  pp_device *device = to->device;
  pp_status status = find(from, failure);
  if (status == PP_OK) status = check_shared(from, failure);
  if (status == PP_OK) status = check_gone(from, failure);
  if (status != PP_OK) return status;
  uint64_t bytes = from->entry->bytes;
  if (bytes > device->limits.max_pool)
    return pp_fail_node(failure, PP_OVER_CAP, from->uid,
                        "node with uid %" PRIu64 " has %" PRIu64
                        " bytes, a pool holds %" PRIu64 " at most",
                        from->uid, bytes, device->limits.max_pool);
  device->has_tenant = false;
  status = grow_merge(device, bytes, failure);
  if (status != PP_OK) return status;
  const pp_entry pool_0 = {.uid = from->uid, .bytes = bytes};
  const pp_end target = {to, from->uid, &pool_0, device->merge};
  status = move(&target, from, failure);
  if (status != PP_OK) return status;
  device->has_tenant = true;
  device->tenant = from->uid;
  device->tenant_bytes = bytes;
  return PP_OK;
}

pp_status pp_merge(pp_context *to, pp_context *from, uint64_t uid,
                   pp_failure *failure) {
  pp_end source = {.context = from, .uid = uid};
  pp_lock_both(to->device, from->device);
  pp_status status = merge(to, &source, failure);
  pp_unlock_both(to->device, from->device);
  return status;
}
