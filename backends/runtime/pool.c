/* poolproof: a device's table of pools (CTX-1).  SPDX-License-Identifier: MIT
 */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>

static void compact(pp_pool_table *table) {
  size_t kept = 0;
  for (size_t i = 0; i < table->used; i++)
    if (!table->pool[i].gone) table->pool[kept++] = table->pool[i];
  table->used = kept;
  table->gone = 0;
}

bool pp_pools_reserve(pp_pool_table *table, size_t more) {
  if (table->gone > table->used / 2) compact(table);
  if (more <= table->room - table->used) return true;
  if (more > SIZE_MAX / sizeof *table->pool / 2 - table->used) return false;
  size_t room = 2 * (table->used + more);
  pp_pool *pool = realloc(table->pool, room * sizeof *pool);
  if (pool == NULL) return false;
  table->pool = pool;
  table->room = room;
  return true;
}

pp_pool *pp_pool_find(pp_pool_table *table, uint64_t id) {
  size_t low = 0;
  size_t high = table->used;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table->pool[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == table->used) return NULL;
  pp_pool *pool = &table->pool[low];
  return pool->id == id && !pool->gone ? pool : NULL;
}

pp_pool *pp_pool_next(pp_pool_table *table, size_t *i) {
  while (*i < table->used && table->pool[*i].gone)
    *i += 1;
  return *i < table->used ? &table->pool[*i] : NULL;
}

pp_status pp_pool_mint(pp_device *device, uint64_t bytes, pp_pool_use use,
                       uint64_t *id, pp_failure *failure) {
  pp_pool_table *table = &device->pools;
  pp_pool pool = {.id = table->next_id++, .bytes = bytes, .use = use};
  pp_backend *backend = device->backend;
  pp_status status = backend->call->alloc_pool(
      backend, device->ordinal, bytes, device->limits.alignment, &pool.slab);
  if (status != PP_OK)
    return pp_call_failed(device, PP_CALL_ALLOC_POOL, status, failure);
  table->pool[table->used++] = pool;
  *id = pool.id;
  return PP_OK;
}

pp_status pp_pool_free(pp_device *device, uint64_t id, pp_failure *failure) {
  pp_pool *pool = pp_pool_find(&device->pools, id);
  if (pool == NULL)
    return pp_fail(failure, PP_POOL_GONE, "pool %" PRIu64 " was freed (REL-6)",
                   id);
  pp_backend *backend = device->backend;
  pp_status status =
      backend->call->free_pool(backend, device->ordinal, pool->slab);
  if (status != PP_OK)
    return pp_call_failed(device, PP_CALL_FREE_POOL, status, failure);
  if (pool->use == PP_POOL_ORPHAN) device->orphans--;
  pool->gone = true;
  device->pools.gone++;
  return PP_OK;
}

void pp_pool_orphan(pp_device *device, uint64_t id) {
  pp_pool *pool = pp_pool_find(&device->pools, id);
  if (pool == NULL) return;
  pool->use = PP_POOL_ORPHAN;
  device->orphans++;
}

void pp_orphans_retry(pp_device *device) {
  if (device->orphans == 0 || pp_device_await(device, NULL) != PP_OK) return;
  pp_pool *pool;
  for (size_t i = 0; (pool = pp_pool_next(&device->pools, &i)) != NULL; i++)
    if (pool->use == PP_POOL_ORPHAN) pp_pool_free(device, pool->id, NULL);
}
