/* poolproof: the slabs and kernels that the fault backend handed out.
 * SPDX-License-Identifier: MIT */
#include "fault_internal.h"
#include "kernels/code.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(uintptr_t) == sizeof(void *), "ids pass for pointers");

static void *handle_of(uint64_t id) {
  uintptr_t number = (uintptr_t)id;
  void *handle = NULL;
  memcpy(&handle, &number, sizeof handle);
  return handle;
}

pp_status pp_fault_breached(pp_fault_state *fault, pp_backend_call call,
                            const char *format, ...) {
  if (fault->breached) return PP_BACKEND_FAILED;
  fault->breached = true;
  bool named = call < PP_CALL_COUNT;
  int n = snprintf(fault->breach, sizeof fault->breach, "%s%s",
                   named ? pp_backend_call_name(call) : "", named ? ": " : "");
  size_t used = n > 0 ? (size_t)n : 0;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(fault->breach + used, sizeof fault->breach - used, format,
            arguments);
  va_end(arguments);
  return PP_BACKEND_FAILED;
}

/* Ids ascend in the table, since they are never used twice. */
static pp_fault_held *look_up(const pp_fault_state *fault, uint64_t id) {
  size_t low = 0;
  size_t high = fault->used;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (fault->held[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == fault->used || fault->held[low].id != id) return NULL;
  return &fault->held[low];
}

pp_fault_held *pp_fault_find(pp_fault_state *fault, pp_backend_call call,
                             size_t device, bool is_kernel,
                             const void *handle) {
  const char *what = is_kernel ? "kernel" : "slab";
  uint64_t id = (uintptr_t)handle;
  pp_fault_held *held = look_up(fault, id);
  if (held == NULL && id != 0 && id < fault->next_id)
    pp_fault_breached(fault, call, "%s %" PRIu64 " was given back before", what,
                      id);
  else if (held == NULL)
    pp_fault_breached(fault, call, "%s %" PRIu64 " is unknown", what, id);
  else if (held->is_kernel != is_kernel)
    pp_fault_breached(fault, call, "handle %" PRIu64 " is not a %s", id, what);
  else if (held->device != device)
    pp_fault_breached(fault, call,
                      "%s %" PRIu64 " is of device %zu, not of device %zu",
                      what, id, held->device, device);
  else
    return held;
  return NULL;
}

pp_fault_held *pp_fault_range(pp_fault_state *fault, pp_backend_call call,
                              size_t device, const pp_operand *at,
                              uint64_t bytes) {
  pp_fault_held *held =
      pp_fault_find(fault, call, device, false, at->slab.handle);
  if (held == NULL) return NULL;
  if (at->offset <= held->bytes && bytes <= held->bytes - at->offset)
    return held;
  pp_fault_breached(fault, call,
                    "%" PRIu64 " bytes at %" PRIu64
                    " are not inside slab %" PRIu64 " of %" PRIu64 " bytes",
                    bytes, at->offset, held->id, held->bytes);
  return NULL;
}

static bool reserve(pp_fault_state *fault) {
  if (fault->used < fault->room) return true;
  if (fault->room > SIZE_MAX / sizeof *fault->held / 2 - 16) return false;
  size_t room = 2 * fault->room + 16;
  pp_fault_held *held = realloc(fault->held, room * sizeof *held);
  if (held == NULL) return false;
  fault->held = held;
  fault->room = room;
  return true;
}

static void *insert(pp_fault_state *fault, pp_fault_held held) {
  held.id = fault->next_id++;
  fault->held[fault->used++] = held;
  return handle_of(held.id);
}

static void forget(pp_fault_state *fault, pp_fault_held *held) {
  size_t at = (size_t)(held - fault->held);
  free(held->operand_bytes);
  fault->used--;
  memmove(held, held + 1, (fault->used - at) * sizeof *held);
}

static pp_status fill(pp_fault_state *fault, const pp_fault_held *held,
                      uint64_t offset, uint64_t bytes, uint8_t value) {
  pp_backend *inner = fault->inner;
  return inner->call->memset(inner, held->device, held->slab, offset, bytes,
                             value);
}

static void free_inner(pp_fault_state *fault, const pp_fault_held *held) {
  pp_backend *inner = fault->inner;
  (void)inner->call->await(inner, held->device);
  (void)inner->call->free_pool(inner, held->device, held->slab);
}

pp_status pp_fault_alloc(pp_fault_state *fault, size_t device, uint64_t bytes,
                         uint64_t align, pp_slab *slab) {
  pp_backend *inner = fault->inner;
  pp_fault_held held = {.device = device, .bytes = bytes};
  held.front = align > PP_GUARD ? align : PP_GUARD;
  uint64_t all = 0;
  if (__builtin_add_overflow(bytes, held.front, &all) ||
      __builtin_add_overflow(all, PP_GUARD, &all) || !reserve(fault))
    return PP_NO_MEMORY;
  /* More than the inner device gives was only asked for because of an option.
   */
  uint64_t most = fault->device[device].limits.alignment;
  bool raised = fault->options.alignment > most && align > most;
  pp_status status = inner->call->alloc_pool(inner, device, all,
                                             raised ? most : align, &held.slab);
  if (status != PP_OK) return pp_fault_answer(fault, device, status);
  status = fill(fault, &held, held.front - PP_GUARD, PP_GUARD, PP_CANARY);
  if (status == PP_OK)
    status = fill(fault, &held, held.front, bytes, PP_FAULT_POISON);
  if (status == PP_OK)
    status = fill(fault, &held, held.front + bytes, PP_GUARD, PP_CANARY);
  if (status != PP_OK) {
    free_inner(fault, &held);
    return pp_fault_answer(fault, device, status);
  }
  slab->handle = insert(fault, held);
  return PP_OK;
}

/* Bytes that cannot be read tell nothing. */
static bool guard_intact(pp_fault_state *fault, const pp_fault_held *held,
                         uint64_t offset) {
  uint8_t guard[PP_GUARD];
  pp_backend *inner = fault->inner;
  if (inner->call->to_host(inner, held->device, guard, held->slab, offset,
                           PP_GUARD) != PP_OK)
    return true;
  return guard[0] == PP_CANARY && memcmp(guard, guard + 1, PP_GUARD - 1) == 0;
}

static bool intact(pp_fault_state *fault, pp_backend_call call,
                   const pp_fault_held *held) {
  bool before = guard_intact(fault, held, held->front - PP_GUARD);
  bool after = guard_intact(fault, held, held->front + held->bytes);
  if (before && after) return true;
  pp_fault_breached(fault, call, "bytes %s slab %" PRIu64 " changed",
                    before ? "after" : "before", held->id);
  return false;
}

bool pp_fault_intact(pp_fault_state *fault, pp_backend_call call,
                     size_t device) {
  bool good = true;
  for (size_t i = 0; i < fault->used && good; i++) {
    const pp_fault_held *held = &fault->held[i];
    if (held->is_kernel) continue;
    if (device != SIZE_MAX && held->device != device) continue;
    good = intact(fault, call, held);
  }
  return good;
}

pp_status pp_fault_free_slab(pp_fault_state *fault, pp_fault_held *held) {
  pp_backend *inner = fault->inner;
  if (!intact(fault, PP_CALL_FREE_POOL, held)) return PP_BACKEND_FAILED;
  (void)fill(fault, held, held->front, held->bytes, PP_FAULT_POISON);
  (void)inner->call->await(inner, held->device);
  pp_status status = inner->call->free_pool(inner, held->device, held->slab);
  if (status == PP_OK) forget(fault, held);
  return status;
}

static bool copy_sizes(pp_fault_held *held, const pp_code *code) {
  held->operands = code->operands;
  if (code->operands == 0) return true;
  size_t size = 0;
  if (__builtin_mul_overflow(code->operands, sizeof *code->operand_bytes,
                             &size))
    return false;
  held->operand_bytes = malloc(size);
  if (held->operand_bytes == NULL) return false;
  memcpy(held->operand_bytes, code->operand_bytes, size);
  return true;
}

pp_status pp_fault_compile(pp_fault_state *fault, size_t device,
                           const pp_code *code, void **kernel) {
  pp_backend *inner = fault->inner;
  pp_fault_held held = {.is_kernel = true, .device = device};
  if (!reserve(fault) || !copy_sizes(&held, code)) return PP_NO_MEMORY;
  pp_status status = inner->call->compile(inner, device, code, &held.kernel);
  if (status != PP_OK) {
    free(held.operand_bytes);
    return pp_fault_answer(fault, device, status);
  }
  *kernel = insert(fault, held);
  return PP_OK;
}

void pp_fault_discard(pp_fault_state *fault, pp_fault_held *held) {
  pp_backend *inner = fault->inner;
  inner->call->discard(inner, held->device, held->kernel);
  forget(fault, held);
}

size_t pp_fault_free_all(pp_fault_state *fault) {
  size_t leaked = fault->used;
  while (fault->used > 0) {
    pp_fault_held *held = &fault->held[fault->used - 1];
    if (held->is_kernel) {
      (void)fault->inner->call->await(fault->inner, held->device);
      pp_fault_discard(fault, held);
    } else {
      free_inner(fault, held);
      forget(fault, held);
    }
  }
  free(fault->held);
  return leaked;
}
