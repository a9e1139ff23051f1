/* poolproof: what CUDA's driver and devices are here.
 * SPDX-License-Identifier: MIT */
#include "cuda/discover.h"

#include "cuda/library.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t discovering = PTHREAD_MUTEX_INITIALIZER;
static pp_cuda *found;

/* As PP_CUDA_TRY, before there are devices that could be lost. */
#define ASK(driver, name, ...)                                                 \
  answer((driver), #name, (driver)->name(__VA_ARGS__))

static pp_status answer(const pp_cuda_driver *driver, const char *call,
                        CUresult result) {
  if (result == CUDA_SUCCESS) return PP_OK;
  char text[PP_NOTE];
  pp_cuda_result_text(driver, call, result, text);
  pp_note("%s", text);
  return result == CUDA_ERROR_OUT_OF_MEMORY ? PP_NO_MEMORY : PP_BACKEND_FAILED;
}

static pp_status start(const pp_cuda_driver *driver, int *version, int *seen) {
  pp_status status = ASK(driver, cuInit, 0);
  if (status != PP_OK) return PP_NO_DEVICE;
  status = ASK(driver, cuDriverGetVersion, version);
  if (status != PP_OK) return status;
  if (*version < PP_CUDA_LEAST_DRIVER) {
    pp_note("the driver is for CUDA %d.%d, CUDA %d.0 is needed",
            *version / 1000, *version % 1000 / 10, PP_CUDA_LEAST_DRIVER / 1000);
    return PP_NO_DEVICE;
  }
  status = ASK(driver, cuDeviceGetCount, seen);
  if (status != PP_OK || *seen > 0) return status;
  pp_note("cuDeviceGetCount: no device");
  return PP_NO_DEVICE;
}

static pp_status ask_numbers(const pp_cuda_driver *driver,
                             pp_cuda_device *device) {
  int threads = 0;
  int blocks = 0;
  int processors = 0;
  const struct {
    int *value;
    CUdevice_attribute attribute;
  } ask[] = {
      {&device->major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
      {&device->minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
      {&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
      {&blocks, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X},
      {&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
  };
  for (size_t i = 0; i < sizeof ask / sizeof ask[0]; i++) {
    pp_status status = ASK(driver, cuDeviceGetAttribute, ask[i].value,
                           ask[i].attribute, device->handle);
    if (status != PP_OK) return status;
  }
  if (threads < 1 || blocks < 1 || processors < 1) {
    pp_note("cuDeviceGetAttribute: a device that runs no thread");
    return PP_BACKEND_FAILED;
  }
  enum { THREADS = 128, BLOCKS_EACH = 32 };
  unsigned wanted = (unsigned)processors * BLOCKS_EACH;
  device->block_threads = threads < THREADS ? (unsigned)threads : THREADS;
  device->grid_blocks = (unsigned)blocks < wanted ? (unsigned)blocks : wanted;
  return PP_OK;
}

static pp_status ask_device(const pp_cuda_driver *driver,
                            pp_cuda_device *device) {
  size_t memory = 0;
  pp_status status = ASK(driver, cuDeviceGet, &device->handle, device->ordinal);
  if (status == PP_OK)
    status = ASK(driver, cuDeviceGetName, device->name, PP_DEVICE_NAME - 1,
                 device->handle);
  device->name[PP_DEVICE_NAME - 1] = '\0';
  if (status == PP_OK)
    status = ASK(driver, cuDeviceTotalMem_v2, &memory, device->handle);
  device->memory = memory;
  return status == PP_OK ? ask_numbers(driver, device) : status;
}

static pp_cuda *cuda_new(size_t seen) {
  size_t bytes = 0;
  size_t pairs = 0;
  if (__builtin_mul_overflow(seen, sizeof(pp_cuda_device), &bytes) ||
      __builtin_add_overflow(bytes, sizeof(pp_cuda), &bytes) ||
      __builtin_mul_overflow(seen, seen, &pairs))
    return NULL;
  pp_cuda *cuda = calloc(1, bytes);
  if (cuda == NULL) return NULL;
  cuda->seen = seen;
  cuda->route = calloc(pairs, sizeof *cuda->route);
  cuda->fetched = calloc(pairs, sizeof *cuda->fetched);
  return cuda;
}

static void cuda_free(pp_cuda *cuda) {
  free(cuda->route);
  free(cuda->fetched);
  free(cuda);
}

/* Whether a device is usable; if it is not, its reason says why. */
static bool is_usable(pp_cuda_device *device, pp_status asked) {
  char note[PP_NOTE];
  if (asked != PP_OK)
    (void)snprintf(device->reason, PP_NOTE, "%s", pp_note_take(note) + 2);
  else if (device->major < PP_CUDA_LEAST_MAJOR)
    (void)snprintf(device->reason, PP_NOTE,
                   "it has compute capability %d.%d, %d.0 is needed",
                   device->major, device->minor, PP_CUDA_LEAST_MAJOR);
  return device->reason[0] == '\0';
}

/* The usable devices first; the others, turned round, behind them. */
static pp_status ask_devices(pp_cuda *cuda) {
  size_t left_out = 0;
  for (size_t i = 0; i < cuda->seen; i++) {
    pp_cuda_device device = {.cuda = cuda, .ordinal = (int)i, .epoch = 1};
    pp_status status = ask_device(&cuda->driver, &device);
    if (status == PP_NO_MEMORY) return status;
    size_t place =
        is_usable(&device, status) ? cuda->count++ : cuda->seen - ++left_out;
    device.fetched = &cuda->fetched[place * cuda->seen];
    cuda->device[place] = device;
  }
  if (cuda->count > 0) return PP_OK;
  const pp_cuda_device *first = &cuda->device[cuda->seen - 1];
  pp_note("%s: %s", first->name[0] != '\0' ? first->name : "device 0",
          first->reason);
  return PP_NO_DEVICE;
}

static pp_status look(pp_cuda **cuda) {
  pp_cuda_driver driver = {0};
  int version = 0;
  int seen = 0;
  pp_status status = pp_cuda_driver_open(&driver);
  if (status != PP_OK) return status;
  status = start(&driver, &version, &seen);
  pp_cuda *made = status == PP_OK ? cuda_new((size_t)seen) : NULL;
  if (made != NULL) {
    made->driver = driver;
    made->version = version;
  }
  if (status == PP_OK &&
      (made == NULL || made->route == NULL || made->fetched == NULL)) {
    pp_note("out of memory");
    status = PP_NO_MEMORY;
  }
  if (status == PP_OK) status = ask_devices(made);
  if (status == PP_OK) {
    *cuda = made;
    return PP_OK;
  }
  if (made != NULL) cuda_free(made);
  return status; /* what was initialised stays loaded */
}

pp_status pp_cuda_discover(pp_cuda **cuda) {
  pp_status status = PP_OK;
  pthread_mutex_lock(&discovering);
  pp_cuda *made = found;
  if (made == NULL) status = look(&made);
  __atomic_store_n(&found, made, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&discovering);
  *cuda = made;
  return status;
}

pp_status pp_cuda_find(size_t ordinal, pp_cuda_device **device) {
  pp_cuda *cuda = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
  if (cuda != NULL && ordinal < cuda->count) {
    *device = &cuda->device[ordinal];
    return PP_OK;
  }
  pp_note("no device has ordinal %zu", ordinal);
  return PP_NO_DEVICE;
}
