/* poolproof: a backend's devices, their census and teardown (CTX-1, CTX-5).
 * SPDX-License-Identifier: MIT */
#include "internal.h"
#include "note.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t attaching = PTHREAD_MUTEX_INITIALIZER;

pp_status pp_call_failed(const pp_device *device, pp_backend_call call,
                         pp_status status, pp_failure *failure) {
  char note[PP_NOTE];
  return pp_fail(failure, status, "%s on device %zu of %s: %s%s",
                 pp_backend_call_name(call), device->ordinal,
                 device->backend->name, pp_status_text(status),
                 pp_note_take(note));
}

static pp_devices *devices_of(const pp_backend *backend) {
  return __atomic_load_n(&backend->runtime, __ATOMIC_ACQUIRE);
}

static pp_devices *attach(pp_backend *backend, pp_status *status,
                          pp_failure *failure) {
  pp_devices *devices = devices_of(backend);
  if (devices != NULL) return devices;
  size_t count = 0;
  *status = backend->call->devices(backend, &count);
  if (*status != PP_OK) {
    char note[PP_NOTE];
    pp_fail(failure, *status, "%s has no device to use: %s%s (BKD-3)",
            backend->name, pp_status_text(*status), pp_note_take(note));
    return NULL;
  }
  size_t bytes = 0;
  if (!__builtin_mul_overflow(count, sizeof(pp_device), &bytes) &&
      !__builtin_add_overflow(bytes, sizeof *devices, &bytes))
    devices = calloc(1, bytes);
  if (devices == NULL) {
    *status = pp_fail(failure, PP_NO_MEMORY, "out of memory");
    return NULL;
  }
  devices->count = count;
  for (size_t i = 0; i < count; i++) {
    pp_device *device = &devices->device[i];
    pthread_mutex_init(&device->lock, NULL);
    device->backend = backend;
    device->ordinal = i;
    device->pools.next_id = 1;
  }
  __atomic_store_n(&backend->runtime, devices, __ATOMIC_RELEASE);
  return devices;
}

pp_device *pp_device_open(pp_backend *backend, size_t ordinal,
                          pp_status *status, pp_failure *failure) {
  pthread_mutex_lock(&attaching);
  pp_devices *devices = attach(backend, status, failure);
  pthread_mutex_unlock(&attaching);
  if (devices == NULL) return NULL;
  if (ordinal >= devices->count) {
    *status = pp_fail(failure, PP_NO_DEVICE,
                      "%s has %zu devices, none with ordinal %zu (BKD-3)",
                      backend->name, devices->count, ordinal);
    return NULL;
  }
  pp_device *device = &devices->device[ordinal];
  pthread_mutex_lock(&device->lock);
  *status = PP_OK;
  if (!device->open)
    *status = backend->call->limits(backend, ordinal, &device->limits);
  device->open = *status == PP_OK;
  pthread_mutex_unlock(&device->lock);
  if (*status == PP_OK) return device;
  pp_call_failed(device, PP_CALL_LIMITS, *status, failure);
  return NULL;
}

void pp_lock_both(pp_device *a, pp_device *b) {
  bool swap = (uintptr_t)a > (uintptr_t)b;
  pthread_mutex_lock(swap ? &b->lock : &a->lock);
  if (a != b) pthread_mutex_lock(swap ? &a->lock : &b->lock);
}

void pp_unlock_both(pp_device *a, pp_device *b) {
  pthread_mutex_unlock(&a->lock);
  if (a != b) pthread_mutex_unlock(&b->lock);
}

pp_status pp_device_await(pp_device *device, pp_failure *failure) {
  pp_backend *backend = device->backend;
  pp_status status = backend->call->await(backend, device->ordinal);
  if (status == PP_OK) return PP_OK;
  return pp_call_failed(device, PP_CALL_AWAIT, status, failure);
}

static pp_device *seen(pp_backend *backend, size_t ordinal) {
  pp_devices *devices = devices_of(backend);
  if (devices == NULL || ordinal >= devices->count) return NULL;
  return &devices->device[ordinal];
}

static void count_pool(pp_census *census, const pp_pool *pool) {
  switch (pool->use) {
  case PP_POOL_CONSTANT:
    census->constant_pools++;
    census->constant_bytes += pool->bytes;
    break;
  case PP_POOL_ORPHAN:
    census->orphan_pools++;
    census->orphan_bytes += pool->bytes;
    break;
  default:
    census->working_pools++;
    census->working_bytes += pool->bytes;
  }
}

void pp_device_census(pp_backend *backend, size_t ordinal, pp_census *census) {
  memset(census, 0, sizeof *census);
  pp_device *device = seen(backend, ordinal);
  if (device == NULL) return;
  pthread_mutex_lock(&device->lock);
  pp_pool *pool;
  for (size_t i = 0; (pool = pp_pool_next(&device->pools, &i)) != NULL; i++)
    count_pool(census, pool);
  census->merge_bytes = device->merge_bytes;
  census->contexts = device->contexts;
  census->released = device->released;
  pthread_mutex_unlock(&device->lock);
}

void pp_device_pools(pp_backend *backend, size_t ordinal, pp_pool_info *pool,
                     size_t room, size_t *count) {
  *count = 0;
  pp_device *device = seen(backend, ordinal);
  if (device == NULL) return;
  pthread_mutex_lock(&device->lock);
  if (device->has_merge) {
    if (room > 0)
      pool[0] = (pp_pool_info){0, device->merge_bytes, PP_POOL_MERGE};
    *count = 1;
  }
  const pp_pool *live;
  for (size_t i = 0; (live = pp_pool_next(&device->pools, &i)) != NULL; i++) {
    if (*count < room)
      pool[*count] = (pp_pool_info){live->id, live->bytes, live->use};
    *count += 1;
  }
  pthread_mutex_unlock(&device->lock);
}

static pp_status empty_pools(pp_device *device, pp_pool_use use,
                             pp_failure *failure) {
  pp_status status = PP_OK;
  pp_pool *pool;
  for (size_t i = 0; (pool = pp_pool_next(&device->pools, &i)) != NULL; i++) {
    if (pool->use != use) continue;
    status = pp_pool_free(device, pool->id, failure);
    if (status != PP_OK) break;
  }
  return status;
}

pp_status pp_merge_free(pp_device *device, pp_failure *failure) {
  pp_backend *backend = device->backend;
  if (!device->has_merge) return PP_OK;
  pp_status status =
      backend->call->free_pool(backend, device->ordinal, device->merge);
  if (status != PP_OK)
    return pp_call_failed(device, PP_CALL_FREE_POOL, status, failure);
  device->has_merge = false;
  device->has_tenant = false;
  device->merge_bytes = 0;
  return PP_OK;
}

static pp_status empty(pp_device *device, pp_failure *failure) {
  pp_backend *backend = device->backend;
  pp_status status = backend->call->await(backend, device->ordinal);
  if (status != PP_OK && status != PP_DEVICE_LOST)
    return pp_call_failed(device, PP_CALL_AWAIT, status, failure);
  status = empty_pools(device, PP_POOL_ORPHAN, failure);
  if (status != PP_OK) return status;
  device->constants.used = 0;
  status = empty_pools(device, PP_POOL_CONSTANT, failure);
  if (status != PP_OK) return status;
  return pp_merge_free(device, failure);
}

pp_status pp_teardown(pp_backend *backend, pp_failure *failure) {
  pp_devices *devices = devices_of(backend);
  if (devices == NULL) return PP_OK;
  for (size_t i = 0; i < devices->count; i++)
    if (devices->device[i].handles > 0)
      return pp_fail(failure, PP_BUSY, "%zu contexts of %s were never freed",
                     (size_t)devices->device[i].handles, backend->name);
  for (size_t i = 0; i < devices->count; i++) {
    if (!devices->device[i].open) continue;
    pp_status status = empty(&devices->device[i], failure);
    if (status != PP_OK) return status;
  }
  for (size_t i = 0; i < devices->count; i++) {
    free(devices->device[i].pools.pool);
    free(devices->device[i].constants.entry);
    pthread_mutex_destroy(&devices->device[i].lock);
  }
  __atomic_store_n(&backend->runtime, NULL, __ATOMIC_RELEASE);
  free(devices);
  return PP_OK;
}
