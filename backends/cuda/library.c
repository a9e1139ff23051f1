/* poolproof: CUDA's library, opened at run time.
 * SPDX-License-Identifier: MIT */
#include "cuda/library.h"

#include "note.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char library[] = "libcuda.so.1";

/* ISO C knows no conversion from an object's pointer to a function's. */
static bool find(void *from, const char *name, void *pointer) {
  void *symbol = dlsym(from, name);
  if (symbol == NULL) {
    pp_note("%s has no %s: NVIDIA's driver is too old", library, name);
    return false;
  }
  memcpy(pointer, &symbol, sizeof symbol);
  return true;
}

static void close_driver(pp_cuda_driver *driver) {
  (void)dlclose(driver->library);
  driver->library = NULL;
}

pp_status pp_cuda_driver_open(pp_cuda_driver *driver) {
  void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (opened == NULL) {
    const char *why = dlerror();
    pp_note("%s", why != NULL ? why : library);
    return PP_NO_DEVICE;
  }
  driver->library = opened;
#define PP_CUDA_FIND(name, parameters)                                         \
  if (driver->library != NULL && !find(opened, #name, &driver->name)) {        \
    close_driver(driver);                                                      \
  }
  PP_CUDA_CALLS(PP_CUDA_FIND)
#undef PP_CUDA_FIND
  return driver->library != NULL ? PP_OK : PP_NO_DEVICE;
}

enum { USABLE = false, LOST = true };

static const struct {
  CUresult result;
  bool loses;
  const char *name;
} results[] = {
#define PP_CUDA_ROW(NAME, number, means) {NAME, means, #NAME},
    PP_CUDA_RESULTS(PP_CUDA_ROW)
#undef PP_CUDA_ROW
};

enum { RESULTS = sizeof results / sizeof results[0] };

void pp_cuda_result_text(const pp_cuda_driver *driver, const char *call,
                         CUresult result, char *text) {
  const char *name = NULL;
  for (size_t i = 0; i < RESULTS; i++)
    if (results[i].result == result) name = results[i].name;
  if (name == NULL && driver->cuGetErrorName(result, &name) != CUDA_SUCCESS)
    name = NULL;
  (void)snprintf(text, PP_NOTE, "%s: %s (%d)", call,
                 name != NULL ? name : "an error without a name", result);
}

bool pp_cuda_result_loses(CUresult result) {
  for (size_t i = 0; i < RESULTS; i++)
    if (results[i].result == result) return results[i].loses;
  return false;
}
