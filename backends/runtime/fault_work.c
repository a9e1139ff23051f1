/* poolproof: the fault backend's work in flight: kept, done late, or lost.
 *
 * One list for all devices, in the order of the calls. With the delay on the
 * work is still to be done; around an asynchronous backend it is known to be
 * going on until somebody waits. SPDX-License-Identifier: MIT */
#include "fault_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

pp_fault_work *pp_fault_work_new(size_t operands, uint64_t bytes) {
  size_t size = 0;
  if (__builtin_mul_overflow(operands, 2 * sizeof(pp_operand), &size) ||
      __builtin_add_overflow(size, sizeof(pp_fault_work), &size))
    return NULL;
  pp_fault_work *work = calloc(1, size);
  if (work == NULL) return NULL;
  work->operands = operands;
  work->bytes = bytes;
  return work;
}

bool pp_fault_work_stage(pp_fault_work *work, const void *from, bool copy) {
  work->from = from;
  if (!copy || from == NULL || work->bytes == 0) return true;
  if (work->bytes > SIZE_MAX) return false;
  work->staged = malloc((size_t)work->bytes);
  if (work->staged == NULL) return false;
  memcpy(work->staged, from, (size_t)work->bytes);
  work->from = work->staged;
  return true;
}

void pp_fault_work_free(pp_fault_work *work) {
  if (work == NULL) return;
  free(work->staged);
  free(work);
}

static pp_status perform(pp_fault_state *fault, const pp_fault_work *work) {
  pp_backend *inner = fault->inner;
  const pp_operand *at = work->operand;
  switch (work->call) {
  case PP_CALL_MEMSET:
    return inner->call->memset(inner, work->device, at->slab, at->offset,
                               work->bytes, work->value);
  case PP_CALL_FROM_HOST:
    return inner->call->from_host(inner, work->device, at->slab, at->offset,
                                  work->from, work->bytes);
  case PP_CALL_DEVICE_TO_DEVICE:
    return inner->call->device_to_device(inner, work->device, at[0].slab,
                                         at[0].offset, work->other, at[1].slab,
                                         at[1].offset, work->bytes);
  default:
    return inner->call->launch(inner, work->device, work->inner_kernel, at,
                               work->operands);
  }
}

static bool of_lost(const pp_fault_state *fault, const pp_fault_work *work) {
  return fault->device[work->device].lost || fault->device[work->other].lost;
}

/* Drops the work of lost devices. A device whose kept copy to or from a lost
 * one is never done is lost too. */
static void bury(pp_fault_state *fault) {
  bool more = true;
  while (more) {
    size_t left = 0;
    more = false;
    for (size_t i = 0; i < fault->works; i++) {
      pp_fault_work *work = fault->kept[i];
      if (!of_lost(fault, work)) {
        fault->kept[left++] = work;
        continue;
      }
      if (fault->options.delay && work->device != work->other) {
        fault->device[work->device].lost = true;
        fault->device[work->other].lost = true;
        more = true;
      }
      pp_fault_work_free(work);
    }
    fault->works = left;
  }
}

pp_status pp_fault_answer(pp_fault_state *fault, size_t device,
                          pp_status status) {
  if (status != PP_DEVICE_LOST) return status;
  fault->device[device].lost = true;
  bury(fault);
  return status;
}

/* Does what is due and forgets it. Work that fails loses its devices. */
static void do_due(pp_fault_state *fault) {
  bool failed = false;
  size_t left = 0;
  for (size_t i = 0; i < fault->works; i++) {
    pp_fault_work *work = fault->kept[i];
    if (!work->due) {
      fault->kept[left++] = work;
      continue;
    }
    if (fault->options.delay &&
        (of_lost(fault, work) || perform(fault, work) != PP_OK)) {
      fault->device[work->device].lost = true;
      fault->device[work->other].lost = true;
      failed = true;
    }
    pp_fault_work_free(work);
  }
  fault->works = left;
  if (failed) bury(fault);
}

/* Marks what must be done before the wanted devices' work is: their own, and
 * what copies between devices bring in. */
static void mark_due(pp_fault_state *fault) {
  for (size_t i = fault->works; i > 0; i--) {
    pp_fault_work *work = fault->kept[i - 1];
    if (!fault->device[work->device].wanted &&
        !fault->device[work->other].wanted)
      continue;
    work->due = true;
    fault->device[work->device].wanted = true;
    fault->device[work->other].wanted = true;
  }
}

static void want(pp_fault_state *fault, bool wanted) {
  for (size_t i = 0; i < fault->devices; i++)
    fault->device[i].wanted = wanted;
}

void pp_fault_settle(pp_fault_state *fault, size_t device) {
  want(fault, false);
  fault->device[device].wanted = true;
  mark_due(fault);
  do_due(fault);
}

static void settle_all(pp_fault_state *fault) {
  want(fault, true);
  mark_due(fault);
  do_due(fault);
  for (size_t i = 0; i < fault->devices; i++)
    pp_fault_answer(fault, i, fault->inner->call->await(fault->inner, i));
}

/* Devices whose kept copies have the device at one end. */
static void want_its_copies(pp_fault_state *fault, size_t device) {
  want(fault, false);
  for (size_t i = 0; i < fault->works; i++) {
    const pp_fault_work *work = fault->kept[i];
    if (work->device == work->other) continue;
    if (work->device == device) fault->device[work->other].wanted = true;
    if (work->other == device) fault->device[work->device].wanted = true;
  }
}

void pp_fault_lose(pp_fault_state *fault, size_t device) {
  if (fault->options.delay) {
    want_its_copies(fault, device);
    mark_due(fault);
    do_due(fault);
  }
  (void)fault->inner->call->await(fault->inner, device);
  fault->device[device].lost = true;
  bury(fault);
}

void pp_fault_drop_all(pp_fault_state *fault) {
  while (fault->works > 0)
    pp_fault_work_free(fault->kept[--fault->works]);
}

bool pp_fault_in_flight(const pp_fault_state *fault, const void *handle) {
  for (size_t i = 0; i < fault->works; i++) {
    const pp_fault_work *work = fault->kept[i];
    if (work->kernel == handle) return true;
    for (size_t k = 0; k < work->operands; k++)
      if (work->operand[work->operands + k].slab.handle == handle) return true;
  }
  return false;
}

/* A copy tells only that one of two devices is lost. */
static pp_status answer_copy(pp_fault_state *fault, size_t device, size_t other,
                             pp_status status) {
  pp_backend *inner = fault->inner;
  if (status != PP_DEVICE_LOST) return status;
  pp_fault_answer(fault, device, inner->call->await(inner, device));
  pp_fault_answer(fault, other, inner->call->await(inner, other));
  return status;
}

static pp_status do_now(pp_fault_state *fault, const pp_fault_work *work) {
  pp_status status = perform(fault, work);
  if (work->device != work->other)
    return answer_copy(fault, work->device, work->other, status);
  return pp_fault_answer(fault, work->device, status);
}

pp_status pp_fault_submit(pp_fault_state *fault, pp_fault_work *work) {
  bool delay = fault->options.delay;
  pp_status status = PP_OK;
  if (fault->works == PP_KEPT) settle_all(fault);
  if (of_lost(fault, work))
    status = PP_DEVICE_LOST;
  else if (!delay)
    status = do_now(fault, work);
  bool flying = delay || fault->device[work->device].limits.asynchronous ||
                fault->device[work->other].limits.asynchronous;
  if (status == PP_OK && flying)
    fault->kept[fault->works++] = work;
  else
    pp_fault_work_free(work);
  return status;
}
