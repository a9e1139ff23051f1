/* poolproof: the runtime: devices, pools, contexts (rules CTX, REL, BKD).
 *
 *   pp_backend *cc;
 *   pp_context *root, *step;
 *   pp_get_backend("cc", &cc, &why);
 *   pp_make_context(cc, 0, &root, &why);
 *   pp_link(root, routine, NULL, &step, &why);
 *   pp_upload(step, uid_of_x, x, sizeof x, &why);
 *   pp_run(step, &why);
 *   pp_download(step, uid_of_y, y, sizeof y, &why);
 *   pp_context_free(step, &why);
 *   pp_context_free(root, &why);
 *
 * Every function may be called by any thread at any time, also on the same
 * context, except that pp_context_free must be a context's last call. Work
 * on one device is one queue, and a lock a device keeps its order. `failure`
 * may be NULL everywhere; otherwise it is written on error only.
 *
 * Backend errors (PP_NO_MEMORY, PP_BACKEND_FAILED, PP_DEVICE_LOST) pass
 * through as they come from the backend's table; the failure's text says
 * which call it was. SPDX-License-Identifier: MIT */
#ifndef PP_RUNTIME_H
#define PP_RUNTIME_H

#include <poolproof/backend.h>
#include <poolproof/failure.h>
#include <poolproof/lower.h>
#include <poolproof/routine.h>
#include <poolproof/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A set of nodes with their locations on one device, and the routine that was
 * linked last on the way to it. */
typedef struct pp_context pp_context;

/* BKD-3: a root context, empty, on the device `ordinal`. PP_NO_DEVICE names
 * what is missing; the process goes on with other backends. Calls `devices`
 * once a backend and `limits` once a device, again after a failure. */
pp_status pp_make_context(pp_backend *backend, size_t ordinal,
                          pp_context **context, pp_failure *failure);

/* no_reuse  FPT-3: every node always live (to look for aliasing faults)
 * cap       bytes of a pool at most; 0: the usual cap. The device's max_pool
 *           bounds it in any case
 * lineage   RTN-1: the child's, which keeps it; NULL: the parent's */
typedef struct pp_link_options {
  bool no_reuse;
  uint64_t cap;
  pp_lineage *lineage;
} pp_link_options;

/* CTX-2: allocates what the sealed routine needs and the parent does not hold,
 * compiles, and makes the child context. Options may be NULL.
 *
 * The delta: the routine's nodes, but merge nodes, that the parent does not
 * hold, in uid order. Working nodes go to one arena pool (ARN) when one has a
 * span, reuse is on and the arena fits the cap, otherwise to segments (SEG);
 * constants go to segments, shared by all contexts of the device under their
 * uid. Offsets are multiples of the device's alignment. Pool ids are taken in
 * the order working, then constant, segments ascending; a failed allocation
 * takes its id with it. Nodes with data are filled with it, nodes without a
 * span are zeroed, nodes with a span are written before they are read.
 *
 * Calls of the backend, in this order: alloc_pool for each new pool by id; for
 * each new node of more than 0 bytes in uid order one from_host (it has data)
 * or one memset (it has neither data nor a span); compile. All of the host's
 * own memory is taken before the first of them.
 *
 * On any error the child is not made and everything minted is given back
 * (CTX-3): cache entries first, then one await, then free_pool in reverse
 * order of the ids; nothing is called when nothing was minted. A pool
 * whose free fails here, and all of them when the await fails, stay in the
 * table as orphans. The next link, or release that has something to do, on
 * the device begins by trying them again when there are any: one await and,
 * if it succeeds, free_pool for each, ascending; their errors are ignored.
 *
 * PP_ITEM_OVER_CAP names the node; PP_BAD_ROUTINE: not sealed, or a node whose
 * dtype, dims or constant intent differ from what the parent, or for a constant
 * the constant cache, holds under its uid; PP_ALIASED: the routine uses a node
 * whose bytes the parent's layout shares (CTX-4); PP_POOL_GONE: it uses one
 * whose pool was freed; backend errors. What is wrong with nodes is looked for
 * first, node by node in uid order, for each in the order BAD_ROUTINE, ALIASED,
 * POOL_GONE; then items over the cap, working ones before constants; then the
 * retry of orphans. The parent may already be released. */
pp_status pp_link(pp_context *parent, pp_routine *routine,
                  const pp_link_options *options, pp_context **child,
                  pp_failure *failure);

/* RTN-1: lowers the source for the parent's device, from the parent's lineage
 * and with the nodes that it holds, and links the final code. `lower` may be
 * NULL; of it policy, cost_cap, no_sinking and, when there is one, the lineage
 * count, which is then what the child's is forked from: a fitting's, say.
 * `options` as for pp_link, but for the lineage: the child gets the fork. The
 * parent's lineage stays as it is. Errors of pp_lower and pp_link; after one
 * nothing is left. */
pp_status pp_compile(pp_context *parent, const pp_routine *source,
                     const pp_lower_options *lower,
                     const pp_link_options *options, pp_context **child,
                     pp_failure *failure);

/* RTN-3: decides for all that is compiled from this context from now on, and
 * from what comes out of that; contexts that exist stay as they are.
 * PP_NO_MEMORY leaves it as it was. */
pp_status pp_context_decide(pp_context *context, uint64_t uid,
                            pp_placement placement, pp_failure *failure);

/* One more holder of the context's lineage, or NULL: it is empty. */
pp_lineage *pp_context_lineage(pp_context *context);

/* Launches the context's routine (one launch); a root has none and nothing
 * happens. On an asynchronous device it may still run when this returns.
 * PP_POOL_GONE (the context was released, or else the first node in uid order
 * whose pool is gone); PP_NOT_MERGED: the routine has
 * a merge node and the merge buffer's tenant is not that uid with that many
 * bytes; backend errors. Gone pools are looked for first. */
pp_status pp_run(pp_context *context, pp_failure *failure);

/* Waits for all work on the context's device. */
pp_status pp_await(pp_context *context, pp_failure *failure);

/* Host to node: PP_NO_SUCH_NODE, PP_BAD_SIZE (bytes is not the node's),
 * PP_READ_ONLY (a constant), PP_ALIASED (CTX-4), PP_POOL_GONE, backend errors;
 * looked for in this order. One from_host; none for 0 bytes. `from` may change
 * once it has returned. */
pp_status pp_upload(pp_context *context, uint64_t uid, const void *from,
                    uint64_t bytes, pp_failure *failure);

/* Node to host: the same errors but PP_READ_ONLY. One to_host; none for 0
 * bytes. */
pp_status pp_download(pp_context *context, uint64_t uid, void *to,
                      uint64_t bytes, pp_failure *failure);

/* BKD-4: `to`'s node uid = `from`'s node uid. The same device and location: a
 * no-op. The same backend: its device to device path; otherwise through the
 * host. PP_NO_SUCH_NODE, PP_BAD_SIZE (they differ in bytes or dtype),
 * PP_READ_ONLY (to's is a constant), PP_ALIASED, PP_POOL_GONE. They are looked
 * for in this order, `from` before `to` in each; the no-op is last, after all
 * checks. One device_to_device, or to_host and from_host; none for 0 bytes. */
pp_status pp_copy(pp_context *to, pp_context *from, uint64_t uid,
                  pp_failure *failure);

/* CTX-1: copies `from`'s node into the merge buffer of to's device, which
 * grows in place when there is none or it is too small: await and free_pool of
 * the old buffer if there is one, then alloc_pool of the node's bytes; if that
 * fails pool 0 is empty. Then the copy, as pp_copy's. The node is the buffer's
 * only tenant until the next call. PP_NO_SUCH_NODE, PP_ALIASED and PP_POOL_GONE
 * of from, in this order, change nothing; PP_OVER_CAP: the node is larger than
 * the device's max_pool, nothing changes; after a backend error the buffer has
 * no tenant, and after one of await or free_pool its bytes stay. */
pp_status pp_merge(pp_context *to, pp_context *from, uint64_t uid,
                   pp_failure *failure);

/* REL: waits for the device (one await) and frees exactly the pools that this
 * context owns, each once, in the uid order of their first node. On error the
 * context is not released, and a later call goes on where this one stopped
 * (REL-4). The last step is the kernel's discard. After success it does
 * nothing. Concurrent calls: one does the work.
 * Afterwards its own nodes answer PP_POOL_GONE; the parent's go on. */
pp_status pp_release(pp_context *context, pp_failure *failure);

/* Releases if that was not done, and then gives the handle back. On error
 * nothing is given back and the handle stays good; but when the error is
 * PP_DEVICE_LOST the pools not freed yet become orphans, for pp_teardown, the
 * handle is given back, and the answer is PP_OK. NULL is nothing. */
pp_status pp_context_free(pp_context *context, pp_failure *failure);

pp_backend *pp_context_backend(const pp_context *context);
size_t pp_context_ordinal(const pp_context *context);
bool pp_context_released(const pp_context *context);

/* CTX-1: the node's location. False when the context holds no such node. */
bool pp_context_location(const pp_context *context, uint64_t uid,
                         pp_location *location);

/* CTX-4: do other nodes share the node's bytes? False for unknown ones. */
bool pp_context_shared(const pp_context *context, uint64_t uid);

/* BKD-4: do two contexts have the same backend? */
typedef enum pp_pairing { PP_SAME_BACKEND, PP_CROSS_BACKEND } pp_pairing;

/* backend is the common one for PP_SAME_BACKEND, otherwise NULL. */
typedef struct pp_context_pair {
  pp_pairing pairing;
  pp_backend *backend;
} pp_context_pair;

pp_context_pair pp_pair_contexts(const pp_context *a, const pp_context *b);

/* BKD-4: *result = what transform makes of context, on its own backend.
 * PP_WRONG_BACKEND when that is of another backend (it is then still given in
 * *result, for the caller to free). Errors of transform pass through. */
typedef pp_status (*pp_transform)(pp_backend *backend, pp_context *context,
                                  void *argument, pp_context **result,
                                  pp_failure *failure);
pp_status pp_with_backend(pp_context *context, pp_transform transform,
                          void *argument, pp_context **result,
                          pp_failure *failure);

/* BKD-4: calls query with the context untouched. */
typedef pp_status (*pp_context_query)(pp_backend *backend,
                                      const pp_context *context,
                                      void *argument);
pp_status pp_query(const pp_context *context, pp_context_query query,
                   void *argument);

/* CTX-5: what a device holds. Pool 0 counts as no pool here.
 * contexts  alive: made, and neither released nor freed
 * released  released since the device's first context */
typedef struct pp_census {
  uint64_t working_pools, working_bytes;
  uint64_t constant_pools, constant_bytes;
  uint64_t orphan_pools, orphan_bytes;
  uint64_t merge_bytes;
  uint64_t contexts, released;
} pp_census;

/* All zero for a device that no context was made on. */
void pp_device_census(pp_backend *backend, size_t ordinal, pp_census *census);

/* One pool of the table (CTX-1). */
typedef enum pp_pool_use {
  PP_POOL_WORKING,
  PP_POOL_CONSTANT,
  PP_POOL_ORPHAN,
  PP_POOL_MERGE
} pp_pool_use;

typedef struct pp_pool_info {
  uint64_t id;
  uint64_t bytes;
  pp_pool_use use;
} pp_pool_info;

/* Writes the live pools, ascending by id, `room` at most; *count is how many
 * there are. Pool 0 is among them once it is allocated. */
void pp_device_pools(pp_backend *backend, size_t ordinal, pp_pool_info *pool,
                     size_t room, size_t *count);

/* Gives back what outlives contexts: for each device that had a context one
 * await (whose
 * PP_DEVICE_LOST is ignored), orphans, constants, the merge buffer, each
 * ascending by id; and the devices' tables. PP_BUSY when a context was not
 * freed. The first backend error stops it; what was not freed stays, and a
 * later call goes on; the constant cache is empty from the first free of a
 * constant on. The backend is then as
 * if never used: pool ids start again at 1. No other call on the backend may
 * run at the same time. */
pp_status pp_teardown(pp_backend *backend, pp_failure *failure);

#ifdef __cplusplus
}
#endif

#endif
