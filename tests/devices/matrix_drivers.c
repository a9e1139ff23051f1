#include "matrix_drivers.h"

#include <stdlib.h>

enum { ILLEGAL_ADDRESS = 700, OUT_OF_RESOURCES = -5 };

typedef union pp_entry {
  pp_function any;
  bool (*fail)(const char *name, uint64_t nth, int32_t code);
  uint64_t (*calls)(const char *name);
} pp_entry;

static uint64_t cuda_commands(void) {
  static const char *const calls[] = {
      "cuMemsetD8Async",      "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
      "cuMemcpyDtoDAsync_v2", "cuMemcpyPeerAsync",    "cuLaunchKernel"};
  pp_entry count = {pp_driver_function("libcuda.so.1", "fake_cuda_calls")};
  uint64_t sum = 0;
  for (size_t k = 0; count.any && k < sizeof calls / sizeof calls[0]; k++)
    sum += count.calls(calls[k]);
  return sum;
}

static pp_entry of_layer(const char *name) {
  const char *layer = getenv("OPENCL_LAYERS");
  pp_entry entry = {NULL};
  if (layer) entry.any = pp_driver_function(layer, name);
  return entry;
}

static uint64_t opencl_commands(void) {
  pp_entry count = of_layer("pp_layer_calls");
  return count.any ? count.calls("work") : 0;
}

/* The drivers' own way to a failure of work whose call has returned. */
static bool lose_cuda(void) {
  pp_entry fail = {pp_driver_function("libcuda.so.1", "fake_cuda_fail")};
  return fail.any && fail.fail("cuStreamSynchronize", 1, ILLEGAL_ADDRESS);
}

static bool lose_opencl(void) {
  pp_entry fail = of_layer("pp_layer_fail");
  pp_entry count = of_layer("pp_layer_calls");
  return fail.any && count.any &&
         fail.fail("work", count.calls("work") + 1, OUT_OF_RESOURCES);
}

uint64_t (*pp_driver_commands(pp_backend_id id))(void) {
  if (id == PP_BACKEND_CUDA) return cuda_commands;
  return id == PP_BACKEND_OPENCL ? opencl_commands : NULL;
}

bool (*pp_driver_lose(pp_backend_id id))(void) {
  if (id == PP_BACKEND_CUDA) return lose_cuda;
  return id == PP_BACKEND_OPENCL ? lose_opencl : NULL;
}
