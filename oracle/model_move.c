/* poolproof: the model: runs, transfers, merges: CTX-1, CTX-4, BKD-4.
 * SPDX-License-Identifier: MIT */
#include "model_parts.h"

#include <stdlib.h>
#include <string.h>

#include "ref/interp.h"

/* The value of the routine's node: in the context, or the merge buffer's. */
static pp_cell *cell_of(const pp_model *model, const pp_model_context *context,
                        const pp_node *node) {
  if ((node->intents & PP_MERGE) != 0)
    return model->device[context->device].merge;
  return pp_model_find(context, node->uid)->cell;
}

/* Of the loops, or of the expression's too. */
static uint64_t points_of(const pp_statement *statement, unsigned axes) {
  uint64_t points = 1;
  for (unsigned a = 0; a < axes; a++)
    if (__builtin_mul_overflow(points, statement->extent[a], &points))
      return UINT64_MAX;
  return points;
}

static bool is_too_much(const pp_routine *routine) {
  uint64_t points = 0;
  for (size_t k = 0; k < routine->statements; k++) {
    const pp_statement *statement = &routine->statement[k];
    uint64_t more = points_of(statement, statement->axes + statement->inner);
    if (more > PP_MODEL_POINTS || points > PP_MODEL_POINTS - more) return true;
    points += more;
  }
  return false;
}

/* Which written nodes have a specified value after the statement: all that it
 * reads has one, and so has its target, or it is filled. */
static void follow(const pp_routine *routine, const pp_statement *statement,
                   pp_cell *const *cell) {
  pp_cell *target = cell[statement->target.node];
  const pp_node *node = &routine->node[statement->target.node];
  bool known = true;
  if (statement->kind == PP_BARRIER) return;
  for (unsigned r = 0; r < statement->reads; r++)
    known = known && cell[statement->read[r].node]->known;
  bool fills = statement->fold == PP_FOLD_SET &&
               points_of(statement, statement->axes) == pp_node_elements(node);
  if (target->bytes > 0) target->known = known && (fills || target->known);
}

static pp_status check_nodes(const pp_model *model,
                             const pp_model_context *context) {
  const pp_routine *routine = context->routine;
  const pp_model_device *device = &model->device[context->device];
  for (size_t i = 0; i < routine->nodes; i++) {
    const pp_node *node = &routine->node[i];
    if ((node->intents & PP_MERGE) == 0 &&
        !pp_model_is_live(model, context, pp_model_find(context, node->uid)))
      return PP_POOL_GONE;
  }
  for (size_t i = 0; i < routine->nodes; i++) {
    const pp_node *node = &routine->node[i];
    if ((node->intents & PP_MERGE) == 0) continue;
    if (!device->merge || device->tenant != node->uid ||
        device->merge->bytes != pp_node_bytes(node))
      return PP_NOT_MERGED;
  }
  return PP_OK;
}

/* The launch. What a failed one was to write is not known afterwards. */
static pp_status launch(pp_model *model, pp_model_context *context,
                        pp_cell **cell, unsigned char **bytes) {
  const pp_routine *routine = context->routine;
  for (size_t i = 0; i < routine->nodes; i++) {
    cell[i] = cell_of(model, context, &routine->node[i]);
    bytes[i] = cell[i]->at;
  }
  pp_status status =
      pp_model_call(model, PP_CALL_LAUNCH, context->device, context->device);
  for (size_t k = 0; k < routine->statements; k++) {
    pp_cell *target = cell[routine->statement[k].target.node];
    if (status != PP_OK) target->known = target->bytes == 0;
  }
  if (status != PP_OK) return status;
  for (size_t k = 0; k < routine->statements; k++)
    follow(routine, &routine->statement[k], cell);
  if (!model->blind)
    pp_ref_interp(routine->node, routine->statement, routine->statements,
                  bytes);
  return PP_OK;
}

pp_status pp_model_run(pp_model *model, size_t context) {
  pp_model_context *it = &model->context[context];
  if (it->released) return PP_POOL_GONE;
  if (!it->routine) return PP_OK;
  pp_status status = check_nodes(model, it);
  if (status != PP_OK) return status;
  pp_cell **cell = calloc(it->routine->nodes + 1, sizeof(pp_cell *));
  unsigned char **bytes = calloc(it->routine->nodes + 1, sizeof *bytes);
  if (!cell || !bytes || is_too_much(it->routine))
    model->beyond = true;
  else
    status = launch(model, it, cell, bytes);
  free((void *)cell);
  free((void *)bytes);
  return status;
}

static pp_status check_host(const pp_model *model,
                            const pp_model_context *context,
                            const pp_model_node *node, uint64_t bytes,
                            bool write) {
  if (!node) return PP_NO_SUCH_NODE;
  if (node->bytes != bytes) return PP_BAD_SIZE;
  if (write && node->constant) return PP_READ_ONLY;
  if (node->shared) return PP_ALIASED;
  return pp_model_is_live(model, context, node) ? PP_OK : PP_POOL_GONE;
}

pp_status pp_model_upload(pp_model *model, size_t context, uint64_t uid,
                          const void *from, uint64_t bytes) {
  const pp_model_context *it = &model->context[context];
  const pp_model_node *node = pp_model_find(it, uid);
  pp_status status = check_host(model, it, node, bytes, true);
  if (status != PP_OK || bytes == 0) return status;
  status = pp_model_call(model, PP_CALL_FROM_HOST, it->device, it->device);
  node->cell->known = status == PP_OK;
  if (status == PP_OK && !model->blind) memcpy(node->cell->at, from, bytes);
  return status;
}

pp_status pp_model_download(pp_model *model, size_t context, uint64_t uid,
                            uint64_t bytes, const pp_cell **cell) {
  static const pp_cell nothing = {0};
  const pp_model_context *it = &model->context[context];
  const pp_model_node *node = pp_model_find(it, uid);
  *cell = &nothing;
  pp_status status = check_host(model, it, node, bytes, false);
  if (status == PP_OK && bytes > 0)
    status = pp_model_call(model, PP_CALL_TO_HOST, it->device, it->device);
  if (status == PP_OK) *cell = node->cell;
  return status;
}

/* The bytes of a node, device to device. */
static pp_status move(pp_model *model, pp_cell *to, size_t to_device,
                      const pp_cell *from, size_t from_device) {
  if (from->bytes == 0) return PP_OK;
  pp_status status =
      pp_model_call(model, PP_CALL_DEVICE_TO_DEVICE, to_device, from_device);
  to->known = status == PP_OK && from->known;
  if (status == PP_OK) memcpy(to->at, from->at, from->bytes);
  return status;
}

static bool is_same_place(const pp_model_context *a, const pp_model_node *x,
                          const pp_model_context *b, const pp_model_node *y) {
  pp_location at = a->at[x - a->node];
  pp_location other = b->at[y - b->node];
  return a->device == b->device && at.pool == other.pool &&
         at.offset == other.offset;
}

pp_status pp_model_copy(pp_model *model, size_t to, size_t from, uint64_t uid) {
  const pp_model_context *target = &model->context[to];
  const pp_model_context *source = &model->context[from];
  const pp_model_node *x = pp_model_find(target, uid);
  const pp_model_node *y = pp_model_find(source, uid);
  if (!x || !y) return PP_NO_SUCH_NODE;
  if (x->bytes != y->bytes || x->dtype != y->dtype) return PP_BAD_SIZE;
  if (x->constant) return PP_READ_ONLY;
  if (x->shared || y->shared) return PP_ALIASED;
  if (!pp_model_is_live(model, source, y) ||
      !pp_model_is_live(model, target, x))
    return PP_POOL_GONE;
  if (is_same_place(target, x, source, y)) return PP_OK;
  return move(model, x->cell, target->device, y->cell, source->device);
}

/* CTX-1: pool 0 with room for that many bytes. */
static pp_status grow(pp_model *model, size_t device, uint64_t bytes) {
  const pp_model_device *at = &model->device[device];
  bool there = pp_model_pool(at, 0) < at->pools;
  if (there && at->pool[0].bytes >= bytes) return PP_OK;
  pp_status status = PP_OK;
  if (there) status = pp_model_call(model, PP_CALL_AWAIT, device, device);
  if (there && status == PP_OK) status = pp_model_free_pool(model, device, 0);
  if (status != PP_OK) return status;
  return pp_model_mint(model, device, 0, bytes, PP_POOL_MERGE);
}

/* The buffer's new tenant's cell, on all success. */
static pp_status merge(pp_model *model, size_t device, const pp_cell *from,
                       size_t from_device, pp_cell *cell) {
  pp_status status = grow(model, device, from->bytes);
  if (status == PP_OK) status = move(model, cell, device, from, from_device);
  return status;
}

pp_status pp_model_merge(pp_model *model, size_t to, size_t from,
                         uint64_t uid) {
  const pp_model_context *source = &model->context[from];
  size_t ordinal = model->context[to].device;
  pp_model_device *device = &model->device[ordinal];
  const pp_model_node *node = pp_model_find(source, uid);
  if (!node) return PP_NO_SUCH_NODE;
  if (node->shared) return PP_ALIASED;
  if (!pp_model_is_live(model, source, node)) return PP_POOL_GONE;
  if (node->bytes > device->limits.max_pool) return PP_OVER_CAP;
  pp_cell *cell = pp_cell_new(model, node->bytes);
  if (!cell || !pp_model_reserve(model, ordinal, 1)) {
    pp_cell_free(cell);
    return PP_OK;
  }
  pp_cell_free(device->merge);
  device->merge = NULL;
  pp_status status = merge(model, ordinal, node->cell, source->device, cell);
  if (status == PP_OK) {
    device->merge = cell;
    device->tenant = uid;
  } else {
    pp_cell_free(cell);
  }
  return status;
}
