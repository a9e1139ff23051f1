/* poolproof: what the runtime's files share among themselves.
 * SPDX-License-Identifier: MIT */
#ifndef PP_RUNTIME_INTERNAL_H
#define PP_RUNTIME_INTERNAL_H

#include <poolproof/runtime.h>

#include "routine/layout.h"

#include <pthread.h>

typedef struct pp_pool {
  uint64_t id;
  uint64_t bytes;
  pp_slab slab;
  pp_pool_use use;
  bool gone; /* freed; the place is reused when many are */
} pp_pool;

/* CTX-1: the only table from pool ids to buffers: ascending by id, since ids
 * are never used twice. */
typedef struct pp_pool_table {
  pp_pool *pool;
  size_t used, room, gone;
  uint64_t next_id;
} pp_pool_table;

/* A node that a context holds. */
typedef struct pp_entry {
  uint64_t uid;
  pp_location at;
  uint64_t bytes;
  uint64_t dims[PP_RANK];
  unsigned rank;
  pp_dtype dtype;
  bool constant;
  bool shared;    /* CTX-4: other nodes have some of its bytes */
  bool inherited; /* as the parent holds it */
} pp_entry;

/* Entries ascending by uid. */
typedef struct pp_entries {
  pp_entry *entry;
  size_t used, room;
} pp_entries;

typedef struct pp_device {
  pthread_mutex_t lock; /* guards all below, and the work's order */
  pp_backend *backend;
  size_t ordinal;
  bool open; /* limits are known */
  pp_limits limits;
  pp_pool_table pools;
  size_t orphans;
  pp_entries constants; /* CTX-2: outlives contexts */
  bool has_merge;
  pp_slab merge;
  uint64_t merge_bytes;
  bool has_tenant;
  uint64_t tenant, tenant_bytes;
  uint64_t handles; /* contexts that were not freed */
  uint64_t contexts, released;
} pp_device;

typedef struct pp_devices {
  size_t count;
  pp_device device[];
} pp_devices;

/* The owned pools are known from the link on: own[0..owns), in the uid order
 * of their first node (REL-2); own[0..freed) are freed (REL-4). */
struct pp_context {
  pp_device *device;
  pp_entries nodes;
  pp_routine *routine; /* NULL in a root */
  pp_lineage *lineage; /* NULL: empty; changed under the device's lock */
  void *kernel;
  pp_operand *operand; /* one for each of the routine's nodes */
  uint64_t *own;
  size_t owns, freed;
  bool released;
};

/* The device, or NULL with the failure filled: BKD-3. */
pp_device *pp_device_open(pp_backend *backend, size_t ordinal,
                          pp_status *status, pp_failure *failure);

/* Locks one device, or two without deadlock. */
void pp_lock_both(pp_device *a, pp_device *b);
void pp_unlock_both(pp_device *a, pp_device *b);

/* Fills failure for a call of the backend that answered status. */
pp_status pp_call_failed(const pp_device *device, pp_backend_call call,
                         pp_status status, pp_failure *failure);

pp_status pp_device_await(pp_device *device, pp_failure *failure);

/* Pool 0 goes, if it is there, and its tenant with it (CTX-1). */
pp_status pp_merge_free(pp_device *device, pp_failure *failure);

/* Makes room for `more` pools, so that pp_pool_mint needs no memory. */
bool pp_pools_reserve(pp_pool_table *table, size_t more);

/* The live pool, or NULL (REL-6). Good until the next mint or free. */
pp_pool *pp_pool_find(pp_pool_table *table, uint64_t id);

/* The first live pool at or after place *i, or NULL at the end. */
pp_pool *pp_pool_next(pp_pool_table *table, size_t *i);

/* Takes the next id and a slab for it. */
pp_status pp_pool_mint(pp_device *device, uint64_t bytes, pp_pool_use use,
                       uint64_t *id, pp_failure *failure);

/* REL-4: the entry goes only when the backend's free succeeded. */
pp_status pp_pool_free(pp_device *device, uint64_t id, pp_failure *failure);

/* The pool stays, owned by nobody, for the next retry. */
void pp_pool_orphan(pp_device *device, uint64_t id);

/* Tries orphans again if there are any; errors are not looked at. */
void pp_orphans_retry(pp_device *device);

pp_entry *pp_entry_find(const pp_entries *entries, uint64_t uid);
bool pp_entries_reserve(pp_entries *entries, size_t more);

/* Inserts in uid order into reserved room. */
void pp_entry_insert(pp_entries *entries, const pp_entry *entry);

/* Does the node fit what is held under its uid? */
bool pp_entry_matches(const pp_entry *entry, const pp_node *node);

/* The offsets of a link's new nodes, before they have pools. */
typedef struct pp_delta {
  pp_entry *entry; /* uid order; at.pool is an index into layout.bytes */
  pp_layout layout;
} pp_delta;

/* Room for n nodes. False: no memory; close it all the same. */
bool pp_delta_open(pp_delta *delta, size_t n);
void pp_delta_close(pp_delta *delta);
void pp_delta_add(pp_delta *delta, const pp_node *node, uint64_t align,
                  bool reuse);

/* CTX-2: one arena or segments under cap; says which bytes are shared. */
pp_status pp_delta_plan(pp_delta *delta, uint64_t cap, pp_failure *failure);

#endif
