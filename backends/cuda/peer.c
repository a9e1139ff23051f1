/* poolproof: copies between two of CUDA's devices.
 * SPDX-License-Identifier: MIT */
#include "cuda/peer.h"

#include <stdlib.h>
#include <string.h>

enum { STAGED = 4 << 20, TRIED = 8 << 10 }; /* bytes */

static size_t place(const pp_cuda_device *device) {
  return (size_t)(device - device->cuda->device);
}

static unsigned char *route_of(const pp_cuda *cuda, size_t to, size_t from) {
  return &cuda->route[to * cuda->seen + from];
}

pp_cuda_route pp_cuda_route_known(const pp_cuda *cuda, size_t to, size_t from) {
  return __atomic_load_n(route_of(cuda, to, from), __ATOMIC_RELAXED);
}

/* Later work of `waits` comes after what `first` has been called for. */
static pp_status order(pp_cuda_device *first, pp_cuda_device *waits) {
  pp_status status = pp_cuda_enter(first);
  if (status != PP_OK) return status;
  status = PP_CUDA_TRY(first, cuEventRecord, first->event, first->stream);
  pp_cuda_leave(first);
  if (status == PP_OK) status = pp_cuda_enter(waits);
  if (status != PP_OK) return status;
  status =
      PP_CUDA_TRY(waits, cuStreamWaitEvent, waits->stream, first->event, 0);
  pp_cuda_leave(waits);
  return status;
}

/* If work of `from`, or of those it copied from, fails, so did the copy. */
static void note_fetch(pp_cuda_device *to, const pp_cuda_device *from) {
  for (size_t i = 0; i < to->cuda->count; i++)
    if (from->fetched[i] > to->fetched[i] && i != place(to))
      to->fetched[i] = from->fetched[i];
  to->fetched[place(from)] = from->epoch;
}

/* On an error nothing of it is in flight. */
static pp_status copy_direct(pp_cuda_device *to, CUdeviceptr target,
                             pp_cuda_device *from, CUdeviceptr source,
                             uint64_t bytes) {
  pp_status status = order(from, to);
  if (status == PP_OK) status = pp_cuda_enter(to);
  if (status != PP_OK) return status;
  status = PP_CUDA_TRY(to, cuMemcpyPeerAsync, target, to->context, source,
                       from->context, (size_t)bytes, to->stream);
  pp_cuda_leave(to);
  if (status != PP_OK) return status;
  note_fetch(to, from);
  status = order(to, from);
  if (status == PP_OK) return PP_OK;
  char note[PP_NOTE];
  (void)pp_note_take(note);
  if (pp_cuda_enter(to) == PP_OK) {
    (void)pp_cuda_sync(to);
    pp_cuda_leave(to);
  } else {
    pp_cuda_lose(to, "a copy in flight cannot be waited for");
  }
  if (pp_cuda_is_lost(to)) return pp_cuda_state(to);
  pp_note("%s", note + 2);
  return status;
}

/* Through host memory; done when it returns. */
static pp_status send(pp_cuda_device *device, CUdeviceptr target,
                      const void *bytes, size_t count) {
  pp_status status = pp_cuda_enter(device);
  if (status != PP_OK) return status;
  status = PP_CUDA_TRY(device, cuMemcpyHtoDAsync_v2, target, bytes, count,
                       device->stream);
  if (status == PP_OK) status = pp_cuda_sync(device);
  pp_cuda_leave(device);
  return status;
}

static pp_status receive(pp_cuda_device *device, void *bytes,
                         CUdeviceptr source, size_t count) {
  pp_status status = pp_cuda_enter(device);
  if (status != PP_OK) return status;
  status = PP_CUDA_TRY(device, cuMemcpyDtoHAsync_v2, bytes, source, count,
                       device->stream);
  if (status == PP_OK) status = pp_cuda_sync(device);
  pp_cuda_leave(device);
  return status;
}

static pp_status copy_staged(pp_cuda_device *to, CUdeviceptr target,
                             pp_cuda_device *from, CUdeviceptr source,
                             uint64_t bytes) {
  size_t most = bytes < STAGED ? (size_t)bytes : STAGED;
  void *stage = malloc(most);
  if (stage == NULL) {
    pp_note("out of memory");
    return PP_NO_MEMORY;
  }
  pp_status status = PP_OK;
  for (uint64_t done = 0; status == PP_OK && done < bytes;) {
    size_t part = bytes - done < most ? (size_t)(bytes - done) : most;
    status = receive(from, stage, source + done, part);
    if (status == PP_OK) status = send(to, target + done, stage, part);
    done += part;
  }
  free(stage);
  return status;
}

static pp_status new_block(pp_cuda_device *device, pp_cuda_block **block) {
  pp_status status = pp_cuda_enter(device);
  if (status != PP_OK) return status;
  status = pp_cuda_block_new(device, TRIED, block);
  pp_cuda_leave(device);
  return status;
}

static void drop_block(pp_cuda_device *device, pp_cuda_block *block) {
  if (block == NULL) return;
  pp_status status = pp_cuda_enter(device);
  pp_cuda_block_drop(device, block);
  if (status == PP_OK) pp_cuda_leave(device);
}

/* A pattern goes to a block that holds its complement. */
static pp_status try_blocks(pp_cuda_device *to, const pp_cuda_block *target,
                            pp_cuda_device *from, const pp_cuda_block *source,
                            bool *right) {
  unsigned char sent[TRIED];
  unsigned char got[TRIED];
  uint32_t state = 1;
  for (size_t i = 0; i < TRIED; i++) {
    state = (uint32_t)((uint64_t)state * 48271 % 0x7fffffff);
    sent[i] = (unsigned char)(state >> 8);
    got[i] = (unsigned char)~sent[i];
  }
  pp_status status = send(to, target->address, got, TRIED);
  if (status == PP_OK) status = send(from, source->address, sent, TRIED);
  if (status == PP_OK)
    status = copy_direct(to, target->address, from, source->address, TRIED);
  if (status == PP_OK) status = receive(to, got, target->address, TRIED);
  *right = status == PP_OK && memcmp(sent, got, TRIED) == 0;
  return status;
}

static pp_status enable(pp_cuda_device *to, const pp_cuda_device *from,
                        bool *reaches) {
  int can = 0;
  pp_status status =
      PP_CUDA_TRY(to, cuDeviceCanAccessPeer, &can, to->handle, from->handle);
  *reaches = can != 0;
  if (status != PP_OK || can == 0) return status;
  status = pp_cuda_enter(to);
  if (status != PP_OK) return status;
  CUresult result = to->cuda->driver.cuCtxEnablePeerAccess(from->context, 0);
  if (result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) result = CUDA_SUCCESS;
  status = pp_cuda_answer(to, "cuCtxEnablePeerAccess", result);
  pp_cuda_leave(to);
  return status;
}

/* Both devices are open once they have a block. */
static pp_status find_route(pp_cuda_device *to, pp_cuda_device *from,
                            pp_cuda_route *route) {
  pp_cuda_block *target = NULL;
  pp_cuda_block *source = NULL;
  bool reaches = false;
  bool right = false;
  pp_status status = new_block(to, &target);
  if (status == PP_OK) status = new_block(from, &source);
  if (status == PP_OK) status = enable(to, from, &reaches);
  if (status == PP_OK && reaches)
    status = try_blocks(to, target, from, source, &right);
  drop_block(to, target);
  drop_block(from, source);
  *route = right ? PP_CUDA_PEER : reaches ? PP_CUDA_WRONG : PP_CUDA_APART;
  if (status != PP_OK) *route = PP_CUDA_REFUSED;
  if (status == PP_NO_MEMORY) *route = PP_CUDA_UNTRIED;
  return status;
}

pp_status pp_cuda_cross(pp_cuda_device *to, CUdeviceptr target,
                        pp_cuda_device *from, CUdeviceptr source,
                        uint64_t bytes) {
  char note[PP_NOTE];
  pp_cuda_route route = pp_cuda_route_known(to->cuda, place(to), place(from));
  if (route == PP_CUDA_UNTRIED) {
    pp_status tried = find_route(to, from, &route);
    if (tried == PP_DEVICE_LOST) return tried;
    (void)pp_note_take(note); /* of the trial */
    __atomic_store_n(route_of(to->cuda, place(to), place(from)),
                     (unsigned char)route, __ATOMIC_RELAXED);
  }
  if (route == PP_CUDA_PEER) {
    pp_status status = copy_direct(to, target, from, source, bytes);
    if (status == PP_OK || status == PP_DEVICE_LOST) return status;
  }
  (void)pp_note_take(note);
  return copy_staged(to, target, from, source, bytes);
}
