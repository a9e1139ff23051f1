/* poolproof: the fake driver's devices, and names of results.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include <stdio.h>

enum { THREADS = 1024, PROCESSORS = 4 };

CUresult cuInit(unsigned flags) {
  int result = fake_begin(FAKE_cuInit, FAKE_ANYTIME, NULL);
  if (result != 0) return fake_end(result);
  if (flags != 0) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (fake.init != 0) return fake_end(fake.init);
  if (fake.devices == 0) return fake_end(CUDA_ERROR_NO_DEVICE);
  fake.ready = true;
  return fake_end(0);
}

CUresult cuDriverGetVersion(int *version) {
  int result = fake_begin(FAKE_cuDriverGetVersion, FAKE_ANYTIME, NULL);
  if (result == 0 && version == NULL) result = CUDA_ERROR_INVALID_VALUE;
  if (result == 0) *version = fake.version;
  return fake_end(result);
}

static int result_text(int result, const char **text) {
  if (text == NULL) return CUDA_ERROR_INVALID_VALUE;
  *text = NULL;
#define CASE(NAME, number, means)                                              \
  if (result == (number)) *text = #NAME;
  PP_CUDA_RESULTS(CASE)
#undef CASE
  return *text == NULL ? CUDA_ERROR_INVALID_VALUE : 0;
}

CUresult cuGetErrorName(CUresult result, const char **name) {
  int own = fake_begin(FAKE_cuGetErrorName, FAKE_ANYTIME, NULL);
  return fake_end(own != 0 ? own : result_text(result, name));
}

CUresult cuGetErrorString(CUresult result, const char **text) {
  int own = fake_begin(FAKE_cuGetErrorString, FAKE_ANYTIME, NULL);
  return fake_end(own != 0 ? own : result_text(result, text));
}

CUresult cuDeviceGetCount(int *count) {
  int result = fake_begin(FAKE_cuDeviceGetCount, FAKE_INITIALISED, NULL);
  if (result == 0 && count == NULL) result = CUDA_ERROR_INVALID_VALUE;
  if (result == 0) *count = fake.devices;
  return fake_end(result);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  int result = fake_begin(FAKE_cuDeviceGet, FAKE_INITIALISED, NULL);
  if (result != 0) return fake_end(result);
  if (device == NULL) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (fake_context_of(ordinal) == NULL)
    return fake_end(CUDA_ERROR_INVALID_DEVICE);
  *device = ordinal;
  return fake_end(0);
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device) {
  int result = fake_begin(FAKE_cuDeviceGetName, FAKE_INITIALISED, NULL);
  if (result != 0) return fake_end(result);
  if (name == NULL || bytes <= 0) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (fake_context_of(device) == NULL)
    return fake_end(CUDA_ERROR_INVALID_DEVICE);
  (void)snprintf(name, (size_t)bytes, "Fake device %d", device);
  return fake_end(0);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  int result = fake_begin(FAKE_cuDeviceTotalMem_v2, FAKE_INITIALISED, NULL);
  if (result != 0) return fake_end(result);
  if (bytes == NULL) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (fake_context_of(device) == NULL)
    return fake_end(CUDA_ERROR_INVALID_DEVICE);
  *bytes = fake.memory;
  return fake_end(0);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device) {
  int result = fake_begin(FAKE_cuDeviceGetAttribute, FAKE_INITIALISED, NULL);
  if (result != 0) return fake_end(result);
  if (value == NULL) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (fake_context_of(device) == NULL)
    return fake_end(CUDA_ERROR_INVALID_DEVICE);
  if (attribute == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
    *value = THREADS;
  else if (attribute == CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)
    *value = INT32_MAX;
  else if (attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
    *value = PROCESSORS;
  else if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
    *value = fake.capability / 10;
  else if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
    *value = fake.capability % 10;
  else
    result = CUDA_ERROR_INVALID_VALUE;
  return fake_end(result);
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  int result = fake_begin(FAKE_cuDeviceCanAccessPeer, FAKE_INITIALISED, NULL);
  if (result != 0) return fake_end(result);
  if (can == NULL) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (fake_context_of(device) == NULL || fake_context_of(peer) == NULL)
    return fake_end(CUDA_ERROR_INVALID_DEVICE);
  *can = device != peer && fake.peer != FAKE_PEER_NO;
  return fake_end(0);
}
