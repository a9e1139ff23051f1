/* poolproof: the fake CUDA driver, as the test of failing calls uses it.
 * SPDX-License-Identifier: MIT */
#include "failures.h"

#include <string.h>

#include "cuda/driver.h"
#include "fake_cuda/fake_cuda.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *const cuda_function[] = {
#define NAME(name, parameters) #name,
    PP_CUDA_CALLS(NAME)
#undef NAME
};

static const int32_t cuda_code[] = {
    CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_OUT_OF_MEMORY,
    CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_DEVICE_UNAVAILABLE,
    CUDA_ERROR_UNKNOWN};
static const char *const cuda_life[] = {"allocations", "bytes",  "modules",
                                        "streams",     "events", "contexts"};
static const char *const cuda_release[] = {NULL,
                                           NULL,
                                           "cuModuleUnload",
                                           "cuStreamDestroy_v2",
                                           "cuEventDestroy_v2",
                                           "cuDevicePrimaryCtxRelease_v2"};

/* The fake counts calls for good; nth is that of the fault. */
static struct {
  bool (*fail)(const char *name, uint64_t nth, int result);
  uint64_t (*calls)(const char *name);
  void (*live)(fake_cuda_counts *counts);
  void (*reset)(void);
  uint64_t before[COUNT(cuda_function)];
  const char *failed;
  uint64_t nth;
  uint64_t at;
} fake;

static void find(void *library, const char *name, void *to) {
  void *symbol = pp_find_symbol(library, name);
  memcpy(to, (void *)&symbol, sizeof symbol);
}

static void cuda_load(const char *file) {
  void *library = pp_open_library(file);
  find(library, "fake_cuda_fail", (void *)&fake.fail);
  find(library, "fake_cuda_calls", (void *)&fake.calls);
  find(library, "fake_cuda_live", (void *)&fake.live);
  find(library, "fake_cuda_reset", (void *)&fake.reset);
}

static bool cuda_fail(const char *name, uint64_t nth, int32_t code) {
  fake.failed = name;
  fake.nth = nth;
  fake.at = fake.calls(name);
  return fake.fail(name, nth, code);
}

static void cuda_forget(void) {
  fake.reset();
  fake.failed = NULL;
  for (size_t k = 0; k < COUNT(cuda_function); k++)
    fake.before[k] = fake.calls(cuda_function[k]);
}

static uint64_t cuda_calls(const char *name) {
  size_t k = 0;
  while (strcmp(cuda_function[k], name) != 0)
    k++;
  return fake.calls(name) - fake.before[k];
}

static uint64_t cuda_struck(void) {
  return fake.failed != NULL && fake.calls(fake.failed) - fake.at >= fake.nth;
}

static void cuda_live(int64_t live[PP_LIVES]) {
  fake_cuda_counts counts;
  fake.live(&counts);
  live[0] = (int64_t)counts.allocations;
  live[1] = (int64_t)counts.bytes;
  live[2] = (int64_t)counts.modules;
  live[3] = (int64_t)counts.streams;
  live[4] = (int64_t)counts.events;
  live[5] = (int64_t)counts.contexts;
  if (counts.releases > 0) pp_die("contexts released that were not retained");
}

static size_t cuda_held(const char *name) {
  return pp_held_by(name, cuda_release, COUNT(cuda_release));
}

const pp_driver pp_cuda_failures = {"cuda",        COUNT(cuda_function),
                                    cuda_function, COUNT(cuda_code),
                                    cuda_code,     COUNT(cuda_life),
                                    cuda_life,     cuda_load,
                                    cuda_fail,     cuda_forget,
                                    cuda_calls,    cuda_struck,
                                    cuda_live,     cuda_held};
