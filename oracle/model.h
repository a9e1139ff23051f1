/* poolproof: the model of the runtime: what poolproof/runtime.h says of every
 * operation, with nothing but arrays.
 *
 * It predicts statuses, the calls that the backend sees (and so which armed
 * fault strikes what), pools, locations, the census and values. Layouts come
 * from the reference planners, releases from the reference state machine,
 * values from the interpreter, every node on its own memory. It shares no code
 * with the runtime. One thread at a time uses a model.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MODEL_H
#define PP_MODEL_H

#include <poolproof/fault.h>
#include <poolproof/runtime.h>

#include "ref/release.h"

/* The memory of one node, shared by all contexts that hold the node at the
 * same place. known: the bytes are specified; otherwise nobody compares them */
typedef struct pp_cell {
  size_t holders;
  uint64_t bytes;
  bool known;
  unsigned char *at;
} pp_cell;

typedef struct pp_model_node {
  uint64_t uid;
  uint64_t bytes;
  uint64_t dims[PP_RANK];
  unsigned rank;
  pp_dtype dtype;
  bool constant;
  bool shared; /* CTX-4 */
  pp_cell *cell;
} pp_model_node;

/* Nodes in uid order; at, parent_at and in_parent run beside them. */
typedef struct pp_model_context {
  bool made; /* and not freed */
  bool released;
  size_t device;
  size_t nodes;
  pp_model_node *node;
  pp_location *at, *parent_at;
  bool *in_parent;
  pp_routine *routine; /* NULL: a root */
  pp_ref_progress progress;
} pp_model_context;

/* Pools ascend by id, pool 0 among them once it was allocated. Constants are
 * in uid order, constant_at beside them. */
typedef struct pp_model_device {
  bool open, lost;
  pp_limits limits;
  pp_pool_info *pool;
  size_t pools, pool_room;
  uint64_t next_id;
  pp_model_node *constant;
  pp_location *constant_at;
  size_t constants, constant_room;
  pp_cell *merge; /* the tenant's value; NULL: no tenant */
  uint64_t tenant;
  uint64_t contexts, released;
} pp_model_device;

/* beyond  no memory, or too much work: nothing holds from here on
 * blind   values are not followed: for those who want the rest alone
 * used    the runtime knows the backend's devices
 * failed  the call whose failure the last operation answered, if it did */
typedef struct pp_model {
  bool beyond, blind, used;
  size_t devices, contexts;
  pp_model_device *device;
  pp_model_context *context;
  pp_fault fault[PP_FAULTS];
  bool struck[PP_FAULTS];
  size_t faults;
  uint64_t calls[PP_CALL_COUNT + 1];
  pp_backend_call failed;
} pp_model;

/* The cost of one step at most: bytes of a link, points of a run. */
enum { PP_MODEL_BYTES = 1 << 22, PP_MODEL_POINTS = 1 << 20 };

/* A model of a backend that was never used, with room for contexts 0 to
 * contexts - 1, or NULL without memory. limits: of each device. */
pp_model *pp_model_new(size_t devices, const pp_limits *limits,
                       size_t contexts);
void pp_model_free(pp_model *model);

/* As pp_fault_arm. */
void pp_model_arm(pp_model *model, const pp_fault *fault, size_t faults);

/* One operation each, on contexts that are made (of root and link: not made
 * yet). They answer what the runtime must answer. */
pp_status pp_model_root(pp_model *model, size_t context, uint64_t device);
pp_status pp_model_link(pp_model *model, size_t child, size_t parent,
                        pp_routine *routine, const pp_link_options *options);
pp_status pp_model_run(pp_model *model, size_t context);
pp_status pp_model_await(pp_model *model, size_t context);
pp_status pp_model_upload(pp_model *model, size_t context, uint64_t uid,
                          const void *from, uint64_t bytes);
/* *cell: the value, on success; of no bytes and not known otherwise. */
pp_status pp_model_download(pp_model *model, size_t context, uint64_t uid,
                            uint64_t bytes, const pp_cell **cell);
pp_status pp_model_copy(pp_model *model, size_t to, size_t from, uint64_t uid);
pp_status pp_model_merge(pp_model *model, size_t to, size_t from, uint64_t uid);
pp_status pp_model_release(pp_model *model, size_t context);
pp_status pp_model_context_free(pp_model *model, size_t context);
pp_status pp_model_teardown(pp_model *model);

/* The node, or NULL. */
const pp_model_node *pp_model_find(const pp_model_context *context,
                                   uint64_t uid);

/* Is the node's pool live? (REL-6) */
bool pp_model_is_live(const pp_model *model, const pp_model_context *context,
                      const pp_model_node *node);

void pp_model_census(const pp_model *model, size_t device, pp_census *census);

#endif
