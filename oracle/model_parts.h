/* poolproof: what the model's files share among themselves.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MODEL_PARTS_H
#define PP_MODEL_PARTS_H

#include "model.h"

/* Counts a call on the device (and, device_to_device, the other one) and
 * answers what it answers: PP_OK, what an armed fault says, PP_DEVICE_LOST. */
pp_status pp_model_call(pp_model *model, pp_backend_call call, size_t device,
                        size_t other);

/* A cell of unspecified bytes with one holder. NULL: the model is beyond. */
pp_cell *pp_cell_new(pp_model *model, uint64_t bytes);
pp_cell *pp_cell_hold(pp_cell *cell);
void pp_cell_free(pp_cell *cell);

/* The pool's place in device->pool, or device->pools. */
size_t pp_model_pool(const pp_model_device *device, uint64_t id);

/* Room for more pools, so that adding them needs no memory. */
bool pp_model_reserve(pp_model *model, size_t device, size_t more);

/* alloc_pool; a pool that came is in the table. */
pp_status pp_model_mint(pp_model *model, size_t device, uint64_t id,
                        uint64_t bytes, pp_pool_use use);

/* free_pool; the pool leaves the table when that succeeded. */
pp_status pp_model_free_pool(pp_model *model, size_t device, uint64_t id);

/* Marks a live pool as an orphan. */
void pp_model_orphan(pp_model_device *device, uint64_t id);

/* One await and, if it succeeds, free_pool for each orphan; nothing when there
 * is none. */
void pp_model_retry(pp_model *model, size_t device);

/* Gives back what the model keeps of a context. */
void pp_model_drop(pp_model_context *context);

#endif
