/* poolproof: CUDA's devices as the backend drives them.
 * SPDX-License-Identifier: MIT */
#include "cuda/device.h"

#include "cuda/library.h"
#include "kernels/texts.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t losing = PTHREAD_MUTEX_INITIALIZER;

bool pp_cuda_is_lost(const pp_cuda_device *device) {
  return __atomic_load_n(&device->lost, __ATOMIC_ACQUIRE);
}

pp_status pp_cuda_state(const pp_cuda_device *device) {
  if (!pp_cuda_is_lost(device)) return PP_OK;
  pp_note("%s", device->reason);
  return PP_DEVICE_LOST;
}

void pp_cuda_lose(pp_cuda_device *device, const char *reason) {
  pthread_mutex_lock(&losing);
  if (!pp_cuda_is_lost(device)) {
    (void)snprintf(device->reason, sizeof device->reason, "%s", reason);
    __atomic_store_n(&device->lost, true, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&losing);
}

static void lose_by(pp_cuda_device *device, const char *call, CUresult result) {
  char reason[PP_NOTE];
  pp_cuda_result_text(&device->cuda->driver, call, result, reason);
  pp_cuda_lose(device, reason);
}

pp_status pp_cuda_answer(pp_cuda_device *device, const char *call,
                         CUresult result) {
  if (result == CUDA_SUCCESS) return PP_OK;
  if (pp_cuda_result_loses(result)) {
    lose_by(device, call, result);
    return pp_cuda_state(device);
  }
  char text[PP_NOTE];
  pp_cuda_result_text(&device->cuda->driver, call, result, text);
  pp_note("%s", text);
  return result == CUDA_ERROR_OUT_OF_MEMORY ? PP_NO_MEMORY : PP_BACKEND_FAILED;
}

static pp_status push(pp_cuda_device *device) {
  return PP_CUDA_TRY(device, cuCtxPushCurrent_v2, device->context);
}

/* A context that stays current by mistake would be the calling program's
 * trouble, so a failure is tried once more. */
void pp_cuda_leave(pp_cuda_device *device) {
  const pp_cuda_driver *driver = &device->cuda->driver;
  CUresult result = CUDA_SUCCESS;
  for (int tries = 0; tries < 2; tries++) {
    CUcontext was = NULL;
    result = driver->cuCtxPopCurrent_v2(&was);
    if (result != CUDA_SUCCESS) continue;
    if (was != device->context) (void)driver->cuCtxPushCurrent_v2(was);
    return;
  }
  lose_by(device, "cuCtxPopCurrent_v2", result);
}

static pp_status make_stream(pp_cuda_device *device) {
  pp_status status = PP_OK;
  if (device->stream == NULL)
    status = PP_CUDA_TRY(device, cuStreamCreate, &device->stream,
                         CU_STREAM_NON_BLOCKING);
  if (status != PP_OK) device->stream = NULL;
  if (status == PP_OK && device->event == NULL) {
    status = PP_CUDA_TRY(device, cuEventCreate, &device->event,
                         CU_EVENT_DISABLE_TIMING);
    if (status != PP_OK) device->event = NULL;
  }
  return status;
}

/* What cannot be given back stays, and is used by the next try. */
static void unmake(pp_cuda_device *device, bool entered) {
  const pp_cuda_driver *driver = &device->cuda->driver;
  if (entered) {
    if (device->stream != NULL &&
        driver->cuStreamDestroy_v2(device->stream) == CUDA_SUCCESS)
      device->stream = NULL;
    pp_cuda_leave(device);
  }
  if (device->context != NULL && device->stream == NULL &&
      driver->cuDevicePrimaryCtxRelease_v2(device->handle) == CUDA_SUCCESS)
    device->context = NULL;
}

static pp_status open_device(pp_cuda_device *device) {
  pp_status status = PP_OK;
  if (device->context == NULL)
    status = PP_CUDA_TRY(device, cuDevicePrimaryCtxRetain, &device->context,
                         device->handle);
  if (status != PP_OK) {
    device->context = NULL;
    return status;
  }
  status = push(device);
  bool entered = status == PP_OK;
  if (entered) status = make_stream(device);
  if (status != PP_OK) unmake(device, entered);
  return status;
}

/* Tries all once. */
static void free_kept(pp_cuda_device *device) {
  pp_cuda_block *block = device->kept;
  device->kept = NULL;
  while (block != NULL) {
    pp_cuda_block *next = block->next;
    pp_cuda_block_drop(device, block);
    block = next;
  }
}

pp_status pp_cuda_enter(pp_cuda_device *device) {
  pp_status status = pp_cuda_state(device);
  if (status == PP_OK)
    status = device->event == NULL ? open_device(device) : push(device);
  if (status == PP_OK) free_kept(device);
  return status;
}

/* The work called for before on a device that was copied from may have failed
 * after the copy was called for. If it was waited for since, it did not. */
static pp_status settle(pp_cuda_device *device, size_t source) {
  pp_cuda_device *from = &device->cuda->device[source];
  if (__atomic_load_n(&from->epoch, __ATOMIC_ACQUIRE) > device->fetched[source])
    return PP_OK;
  pp_status status = pp_cuda_is_lost(from) ? PP_DEVICE_LOST : push(from);
  if (status == PP_OK) {
    CUresult result = device->cuda->driver.cuStreamSynchronize(from->stream);
    if (result != CUDA_SUCCESS) lose_by(from, "cuStreamSynchronize", result);
    pp_cuda_leave(from);
  }
  if (!pp_cuda_is_lost(from)) return status;
  char reason[PP_NOTE];
  (void)snprintf(reason, sizeof reason,
                 "it copied from device %zu, which is lost: %.100s", source,
                 from->reason);
  pp_cuda_lose(device, reason);
  return pp_cuda_state(device);
}

pp_status pp_cuda_sync(pp_cuda_device *device) {
  CUresult result = device->cuda->driver.cuStreamSynchronize(device->stream);
  if (result != CUDA_SUCCESS) {
    lose_by(device, "cuStreamSynchronize", result);
    return pp_cuda_state(device);
  }
  for (size_t i = 0; i < device->cuda->count; i++) {
    if (device->fetched[i] == 0) continue;
    pp_status status = settle(device, i);
    if (status != PP_OK) return status;
    device->fetched[i] = 0;
  }
  __atomic_add_fetch(&device->epoch, 1, __ATOMIC_RELEASE);
  return PP_OK;
}

static pp_status load_text(pp_cuda_device *device) {
  char log[1024] = "";
  CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER,
                           CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  uintptr_t bytes = sizeof log - 1; /* itself a value, by its bits */
  void *value[] = {log, NULL};
  memcpy(&value[1], &bytes, sizeof bytes);
  pp_status status = PP_CUDA_TRY(device, cuModuleLoadDataEx, &device->module,
                                 pp_text_machine_ptx, 2, option, value);
  if (status == PP_OK) return PP_OK;
  device->module = NULL;
  for (char *at = log; *at != '\0'; at++)
    if (*at == '\n') *at = ' ';
  char note[PP_NOTE];
  if (log[0] != '\0' && pp_note_take(note)[0] != '\0')
    pp_note("%s: %s", note + 2, log);
  return status;
}

pp_status pp_cuda_load(pp_cuda_device *device) {
  if (device->run != NULL) return PP_OK;
  pp_status status = PP_OK;
  if (device->module == NULL) status = load_text(device);
  if (status != PP_OK) return status;
  status = PP_CUDA_TRY(device, cuModuleGetFunction, &device->run,
                       device->module, "pp_run");
  if (status == PP_OK) return PP_OK;
  device->run = NULL;
  if (device->cuda->driver.cuModuleUnload(device->module) == CUDA_SUCCESS)
    device->module = NULL;
  return status;
}

pp_status pp_cuda_block_new(pp_cuda_device *device, uint64_t bytes,
                            pp_cuda_block **block) {
  pp_cuda_block *made = malloc(sizeof *made);
  if (made == NULL) {
    pp_note("out of memory");
    return PP_NO_MEMORY;
  }
  *made = (pp_cuda_block){.device = device, .bytes = bytes};
  pp_status status = PP_CUDA_TRY(device, cuMemAlloc_v2, &made->address,
                                 (size_t)(bytes > 0 ? bytes : 1));
  if (status != PP_OK) {
    free(made);
    return status;
  }
  if (made->address % PP_CUDA_ALIGNMENT != 0) {
    pp_note("cuMemAlloc_v2: an address that is no multiple of %d",
            PP_CUDA_ALIGNMENT);
    pp_cuda_block_drop(device, made);
    return PP_BACKEND_FAILED;
  }
  *block = made;
  return PP_OK;
}

pp_status pp_cuda_block_free(pp_cuda_device *device, pp_cuda_block *block) {
  if (pp_cuda_is_lost(device)) {
    free(block);
    return PP_OK;
  }
  pp_status status = pp_cuda_enter(device);
  if (status == PP_OK) {
    status = PP_CUDA_TRY(device, cuMemFree_v2, block->address);
    pp_cuda_leave(device);
  }
  if (status == PP_DEVICE_LOST) {
    char note[PP_NOTE];
    (void)pp_note_take(note);
    status = PP_OK;
  }
  if (status == PP_OK) free(block);
  return status;
}

void pp_cuda_block_drop(pp_cuda_device *device, pp_cuda_block *block) {
  if (block == NULL) return;
  CUresult result = CUDA_SUCCESS;
  if (!pp_cuda_is_lost(device))
    result = device->cuda->driver.cuMemFree_v2(block->address);
  if (pp_cuda_result_loses(result)) lose_by(device, "cuMemFree_v2", result);
  if (result == CUDA_SUCCESS || pp_cuda_is_lost(device)) {
    free(block);
    return;
  }
  block->next = device->kept;
  device->kept = block;
}
