/* poolproof: a backend that wraps another, fails calls on demand and holds
 * whoever drives it to the contract. SPDX-License-Identifier: MIT */
#include "fault_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool counted(pp_backend_call call) {
  return call != PP_CALL_DEVICES && call != PP_CALL_LIMITS &&
         call != PP_CALL_DISCARD;
}

/* Learns the inner backend's devices, at the first call of the table. */
static pp_status meet(pp_fault_state *fault) {
  pp_backend *inner = fault->inner;
  size_t devices = 0;
  if (fault->device != NULL) return PP_OK;
  pp_status status = inner->call->devices(inner, &devices);
  if (status != PP_OK) return status;
  pp_fault_device *device = calloc(devices + 1, sizeof *device);
  if (device == NULL) return PP_NO_MEMORY;
  for (size_t i = 0; i < devices && status == PP_OK; i++)
    status = inner->call->limits(inner, i, &device[i].limits);
  if (status != PP_OK) {
    free(device);
    return status;
  }
  fault->device = device;
  fault->devices = devices;
  return PP_OK;
}

/* Counts one call more or less on the device; says how many there were. */
static unsigned busy(pp_fault_state *fault, size_t device, bool enters) {
  if (device >= fault->devices) return 0;
  unsigned before = fault->device[device].busy;
  fault->device[device].busy = enters ? before + 1 : before - 1;
  return before;
}

/* Begins a call on one device or two; leave ends it, whatever this answers.
 * SIZE_MAX: on no device. */
static pp_status enter(pp_fault_state *fault, pp_backend_call call,
                       size_t device, size_t other) {
  pthread_mutex_lock(&fault->gate);
  pp_status status = meet(fault);
  unsigned before = busy(fault, device, true);
  if (other != device) before |= busy(fault, other, true);
  pthread_mutex_unlock(&fault->gate);
  pthread_mutex_lock(&fault->lock);
  fault->calls[call]++;
  if (counted(call)) fault->calls[PP_CALL_COUNT]++;
  if (status != PP_OK || device == SIZE_MAX) return status;
  if (device >= fault->devices || other >= fault->devices)
    return pp_fault_breached(fault, call, "no device %zu among %zu",
                             device >= fault->devices ? device : other,
                             fault->devices);
  if (before > 0)
    return pp_fault_breached(fault, call,
                             "a call while another ran on device %zu", device);
  return PP_OK;
}

static pp_status leave(pp_fault_state *fault, size_t device, size_t other,
                       pp_status status) {
  pthread_mutex_unlock(&fault->lock);
  pthread_mutex_lock(&fault->gate);
  busy(fault, device, false);
  if (other != device) busy(fault, other, false);
  pthread_mutex_unlock(&fault->gate);
  return status;
}

static bool strikes(const pp_fault_state *fault, const pp_fault *armed,
                    pp_backend_call call) {
  if (armed->call != call && (armed->call != PP_CALL_COUNT || !counted(call)))
    return false;
  return armed->nth == fault->calls[armed->call];
}

/* What the call answers without being done: the device is lost, or a fault
 * strikes. */
static pp_status strike(pp_fault_state *fault, pp_backend_call call,
                        size_t device, size_t other) {
  bool on_device = device != SIZE_MAX;
  if (on_device && call != PP_CALL_FREE_POOL &&
      (fault->device[device].lost || fault->device[other].lost))
    return PP_DEVICE_LOST;
  for (size_t i = 0; i < fault->faults; i++) {
    pp_status status = fault->fault[i].status;
    if (fault->struck[i] || !strikes(fault, &fault->fault[i], call)) continue;
    fault->struck[i] = true;
    if (on_device && status == PP_DEVICE_LOST) pp_fault_lose(fault, device);
    return status;
  }
  return PP_OK;
}

static pp_status fault_devices(pp_backend *backend, size_t *count) {
  pp_fault_state *fault = backend->state;
  pp_status status = enter(fault, PP_CALL_DEVICES, SIZE_MAX, SIZE_MAX);
  if (status == PP_OK)
    status = strike(fault, PP_CALL_DEVICES, SIZE_MAX, SIZE_MAX);
  if (status == PP_OK) *count = fault->devices;
  return leave(fault, SIZE_MAX, SIZE_MAX, status);
}

static pp_status fault_limits(pp_backend *backend, size_t device,
                              pp_limits *limits) {
  pp_fault_state *fault = backend->state;
  const pp_fault_options *options = &fault->options;
  pp_status status = enter(fault, PP_CALL_LIMITS, device, device);
  if (status == PP_OK) status = strike(fault, PP_CALL_LIMITS, device, device);
  if (status == PP_OK) {
    *limits = fault->device[device].limits;
    if (options->max_pool > 0) limits->max_pool = options->max_pool;
    if (options->kernel_statements > 0)
      limits->kernel_statements = options->kernel_statements;
    if (options->alignment > 0) limits->alignment = options->alignment;
    limits->asynchronous = limits->asynchronous || options->delay;
  }
  return leave(fault, device, device, status);
}

static pp_status fault_alloc_pool(pp_backend *backend, size_t device,
                                  uint64_t bytes, uint64_t align,
                                  pp_slab *slab) {
  pp_fault_state *fault = backend->state;
  pp_status status = enter(fault, PP_CALL_ALLOC_POOL, device, device);
  if (status == PP_OK && (align == 0 || (align & (align - 1)) != 0))
    status = pp_fault_breached(fault, PP_CALL_ALLOC_POOL,
                               "an alignment that is no power of two");
  if (status == PP_OK)
    status = strike(fault, PP_CALL_ALLOC_POOL, device, device);
  if (status == PP_OK)
    status = pp_fault_alloc(fault, device, bytes, align, slab);
  return leave(fault, device, device, status);
}

static pp_status fault_free_pool(pp_backend *backend, size_t device,
                                 pp_slab slab) {
  pp_fault_state *fault = backend->state;
  const pp_backend_call call = PP_CALL_FREE_POOL;
  pp_fault_held *held = NULL;
  pp_status status = enter(fault, call, device, device);
  if (status == PP_OK) {
    held = pp_fault_find(fault, call, device, false, slab.handle);
    if (held == NULL) status = PP_BACKEND_FAILED;
  }
  if (status == PP_OK && pp_fault_in_flight(fault, slab.handle))
    status = pp_fault_breached(fault, call, "work in flight uses the slab");
  if (status == PP_OK) status = strike(fault, call, device, device);
  if (status == PP_OK) status = pp_fault_free_slab(fault, held);
  return leave(fault, device, device, status);
}

/* Sets operand k: the caller's bytes, as the inner backend knows them. */
static pp_status bind(pp_fault_state *fault, pp_fault_work *work, size_t k,
                      size_t device, const pp_operand *at, uint64_t bytes) {
  const pp_fault_held *held =
      pp_fault_range(fault, work->call, device, at, bytes);
  if (held == NULL) return PP_BACKEND_FAILED;
  work->operand[k] = (pp_operand){held->slab, held->front + at->offset};
  work->operand[work->operands + k] = *at;
  return PP_OK;
}

/* The end of a call that makes work: does it, keeps it or drops it. */
static pp_status finish(pp_fault_state *fault, pp_fault_work *work,
                        pp_status status) {
  if (status == PP_OK)
    status = strike(fault, work->call, work->device, work->other);
  if (status == PP_OK) return pp_fault_submit(fault, work);
  pp_fault_work_free(work);
  return status;
}

/* memset (from is NULL) and from_host. */
static pp_status write_slab(pp_fault_state *fault, pp_backend_call call,
                            size_t device, const pp_operand *at,
                            const void *from, uint64_t bytes, uint8_t value) {
  pp_status status = enter(fault, call, device, device);
  if (status != PP_OK) return leave(fault, device, device, status);
  pp_fault_work *work = pp_fault_work_new(1, bytes);
  if (work == NULL) return leave(fault, device, device, PP_NO_MEMORY);
  work->call = call;
  work->device = work->other = device;
  work->value = value;
  status = bind(fault, work, 0, device, at, bytes);
  if (status == PP_OK && !pp_fault_work_stage(work, from, fault->options.delay))
    status = PP_NO_MEMORY;
  return leave(fault, device, device, finish(fault, work, status));
}

static pp_status fault_memset(pp_backend *backend, size_t device, pp_slab slab,
                              uint64_t offset, uint64_t bytes, uint8_t value) {
  const pp_operand at = {slab, offset};
  return write_slab(backend->state, PP_CALL_MEMSET, device, &at, NULL, bytes,
                    value);
}

static pp_status fault_from_host(pp_backend *backend, size_t device,
                                 pp_slab slab, uint64_t offset,
                                 const void *from, uint64_t bytes) {
  const pp_operand at = {slab, offset};
  return write_slab(backend->state, PP_CALL_FROM_HOST, device, &at, from, bytes,
                    0);
}

/* Waits for the device: then its kept work is done, or it is lost. */
static pp_status settle(pp_fault_state *fault, size_t device) {
  pp_fault_settle(fault, device);
  return fault->device[device].lost ? PP_DEVICE_LOST : PP_OK;
}

static pp_status fault_to_host(pp_backend *backend, size_t device, void *to,
                               pp_slab slab, uint64_t offset, uint64_t bytes) {
  pp_fault_state *fault = backend->state;
  pp_backend *inner = fault->inner;
  const pp_operand at = {slab, offset};
  const pp_fault_held *held = NULL;
  pp_status status = enter(fault, PP_CALL_TO_HOST, device, device);
  if (status == PP_OK) {
    held = pp_fault_range(fault, PP_CALL_TO_HOST, device, &at, bytes);
    if (held == NULL) status = PP_BACKEND_FAILED;
  }
  if (status == PP_OK) status = strike(fault, PP_CALL_TO_HOST, device, device);
  if (status == PP_OK) status = settle(fault, device);
  if (status == PP_OK)
    status = pp_fault_answer(fault, device,
                             inner->call->to_host(inner, device, to, held->slab,
                                                  held->front + offset, bytes));
  return leave(fault, device, device, status);
}

static bool overlap(const pp_operand *a, const pp_operand *b, uint64_t bytes) {
  if (a->slab.handle != b->slab.handle) return false;
  return a->offset <= b->offset ? b->offset - a->offset < bytes
                                : a->offset - b->offset < bytes;
}

static pp_status fault_device_to_device(pp_backend *backend, size_t to_device,
                                        pp_slab to, uint64_t to_offset,
                                        size_t from_device, pp_slab from,
                                        uint64_t from_offset, uint64_t bytes) {
  pp_fault_state *fault = backend->state;
  const pp_operand at[] = {{to, to_offset}, {from, from_offset}};
  pp_status status =
      enter(fault, PP_CALL_DEVICE_TO_DEVICE, to_device, from_device);
  if (status != PP_OK) return leave(fault, to_device, from_device, status);
  pp_fault_work *work = pp_fault_work_new(2, bytes);
  if (work == NULL) return leave(fault, to_device, from_device, PP_NO_MEMORY);
  work->call = PP_CALL_DEVICE_TO_DEVICE;
  work->device = to_device;
  work->other = from_device;
  status = bind(fault, work, 0, to_device, &at[0], bytes);
  if (status == PP_OK)
    status = bind(fault, work, 1, from_device, &at[1], bytes);
  if (status == PP_OK && overlap(&at[0], &at[1], bytes))
    status = PP_BACKEND_FAILED;
  return leave(fault, to_device, from_device, finish(fault, work, status));
}

static pp_status fault_compile(pp_backend *backend, size_t device,
                               const struct pp_code *code, void **kernel) {
  pp_fault_state *fault = backend->state;
  pp_status status = enter(fault, PP_CALL_COMPILE, device, device);
  if (status == PP_OK) status = strike(fault, PP_CALL_COMPILE, device, device);
  if (status == PP_OK) status = pp_fault_compile(fault, device, code, kernel);
  return leave(fault, device, device, status);
}

static void fault_discard(pp_backend *backend, size_t device, void *kernel) {
  pp_fault_state *fault = backend->state;
  pp_status status = enter(fault, PP_CALL_DISCARD, device, device);
  pp_fault_held *held = NULL;
  if (status == PP_OK)
    held = pp_fault_find(fault, PP_CALL_DISCARD, device, true, kernel);
  if (held != NULL && pp_fault_in_flight(fault, kernel))
    status = pp_fault_breached(fault, PP_CALL_DISCARD,
                               "work in flight uses the kernel");
  if (held != NULL && status == PP_OK) pp_fault_discard(fault, held);
  leave(fault, device, device, status);
}

static pp_status bind_all(pp_fault_state *fault, pp_fault_work *work,
                          const pp_fault_held *held,
                          const pp_operand *operand) {
  pp_status status = PP_OK;
  work->inner_kernel = held->kernel;
  for (size_t k = 0; k < work->operands && status == PP_OK; k++)
    status =
        bind(fault, work, k, work->device, &operand[k], held->operand_bytes[k]);
  return status;
}

static pp_status fault_launch(pp_backend *backend, size_t device, void *kernel,
                              const pp_operand *operand, size_t operands) {
  pp_fault_state *fault = backend->state;
  const pp_backend_call call = PP_CALL_LAUNCH;
  const pp_fault_held *held = NULL;
  pp_status status = enter(fault, call, device, device);
  if (status == PP_OK) {
    held = pp_fault_find(fault, call, device, true, kernel);
    if (held == NULL) status = PP_BACKEND_FAILED;
  }
  if (status == PP_OK && operands != held->operands)
    status = pp_fault_breached(fault, call, "%zu operands instead of %zu",
                               operands, held->operands);
  if (status != PP_OK) return leave(fault, device, device, status);
  pp_fault_work *work = pp_fault_work_new(operands, 0);
  if (work == NULL) return leave(fault, device, device, PP_NO_MEMORY);
  work->call = call;
  work->device = work->other = device;
  work->kernel = kernel;
  status = bind_all(fault, work, held, operand);
  return leave(fault, device, device, finish(fault, work, status));
}

static pp_status fault_await(pp_backend *backend, size_t device) {
  pp_fault_state *fault = backend->state;
  pp_backend *inner = fault->inner;
  pp_status status = enter(fault, PP_CALL_AWAIT, device, device);
  if (status == PP_OK) status = strike(fault, PP_CALL_AWAIT, device, device);
  if (status == PP_OK) status = settle(fault, device);
  if (status == PP_OK)
    status = pp_fault_answer(fault, device, inner->call->await(inner, device));
  if (status == PP_OK && !pp_fault_intact(fault, PP_CALL_AWAIT, device))
    status = PP_BACKEND_FAILED;
  return leave(fault, device, device, status);
}

static const pp_backend_table table = {
    .devices = fault_devices,
    .limits = fault_limits,
    .alloc_pool = fault_alloc_pool,
    .free_pool = fault_free_pool,
    .memset = fault_memset,
    .from_host = fault_from_host,
    .to_host = fault_to_host,
    .device_to_device = fault_device_to_device,
    .compile = fault_compile,
    .discard = fault_discard,
    .launch = fault_launch,
    .await = fault_await,
};

pp_status pp_fault_backend_new(pp_backend *inner,
                               const pp_fault_options *options,
                               pp_backend **backend) {
  pp_fault_state *fault = calloc(1, sizeof *fault);
  if (fault == NULL) return PP_NO_MEMORY;
  if (pthread_mutex_init(&fault->gate, NULL) != 0) {
    free(fault);
    return PP_NO_MEMORY;
  }
  if (pthread_mutex_init(&fault->lock, NULL) != 0) {
    pthread_mutex_destroy(&fault->gate);
    free(fault);
    return PP_NO_MEMORY;
  }
  fault->inner = inner;
  if (options != NULL) fault->options = *options;
  fault->next_id = 1;
  fault->backend.name = inner->name;
  fault->backend.call = &table;
  fault->backend.state = fault;
  *backend = &fault->backend;
  return PP_OK;
}

size_t pp_fault_backend_free(pp_backend *backend) {
  if (backend == NULL) return 0;
  pp_fault_state *fault = backend->state;
  size_t leaked = backend->runtime != NULL ? 1 : 0;
  pp_fault_drop_all(fault);
  leaked += pp_fault_free_all(fault);
  pthread_mutex_destroy(&fault->lock);
  pthread_mutex_destroy(&fault->gate);
  free(fault->device);
  free(fault);
  return leaked;
}

void pp_fault_arm(pp_backend *backend, const pp_fault *fault, size_t faults) {
  pp_fault_state *state = backend->state;
  pthread_mutex_lock(&state->lock);
  state->faults = faults < PP_FAULTS ? faults : PP_FAULTS;
  for (size_t i = 0; i < state->faults; i++) {
    state->fault[i] = fault[i];
    state->struck[i] = false;
  }
  for (size_t i = 0; i <= PP_CALL_COUNT; i++)
    state->calls[i] = 0;
  pthread_mutex_unlock(&state->lock);
}

void pp_fault_all_calls(pp_backend *backend,
                        uint64_t calls[PP_CALL_COUNT + 1]) {
  pp_fault_state *fault = backend->state;
  pthread_mutex_lock(&fault->lock);
  memcpy(calls, fault->calls, sizeof fault->calls);
  pthread_mutex_unlock(&fault->lock);
}

uint64_t pp_fault_calls(pp_backend *backend, pp_backend_call call) {
  uint64_t calls[PP_CALL_COUNT + 1];
  pp_fault_all_calls(backend, calls);
  return calls[call];
}

size_t pp_fault_struck(pp_backend *backend) {
  pp_fault_state *fault = backend->state;
  size_t struck = 0;
  pthread_mutex_lock(&fault->lock);
  for (size_t i = 0; i < fault->faults; i++)
    struck += fault->struck[i];
  pthread_mutex_unlock(&fault->lock);
  return struck;
}

/* Counts the slabs alive and adds up their bytes. */
static uint64_t slabs(pp_backend *backend, uint64_t *bytes) {
  pp_fault_state *fault = backend->state;
  uint64_t count = 0;
  *bytes = 0;
  pthread_mutex_lock(&fault->lock);
  for (size_t i = 0; i < fault->used; i++) {
    if (fault->held[i].is_kernel) continue;
    count++;
    *bytes += fault->held[i].bytes;
  }
  pthread_mutex_unlock(&fault->lock);
  return count;
}

uint64_t pp_fault_slabs(pp_backend *backend) {
  uint64_t bytes = 0;
  return slabs(backend, &bytes);
}

uint64_t pp_fault_bytes(pp_backend *backend) {
  uint64_t bytes = 0;
  (void)slabs(backend, &bytes);
  return bytes;
}

const char *pp_fault_breach(pp_backend *backend) {
  pp_fault_state *fault = backend->state;
  pthread_mutex_lock(&fault->lock);
  if (!fault->breached) pp_fault_intact(fault, PP_CALL_COUNT, SIZE_MAX);
  const char *breach = fault->breached ? fault->breach : NULL;
  pthread_mutex_unlock(&fault->lock);
  return breach;
}
