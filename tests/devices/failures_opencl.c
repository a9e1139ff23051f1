/* poolproof: the OpenCL layer, as the test of failing calls uses it.
 * SPDX-License-Identifier: MIT */
#include "failures.h"

#include <dlfcn.h>
#include <string.h>

#include "opencl_layer/layer.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

void *pp_open_library(const char *file) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) pp_die("%s", dlerror());
  return library;
}

void *pp_find_symbol(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (symbol == NULL) pp_die("no %s: %s", name, dlerror());
  return symbol;
}

size_t pp_held_by(const char *name, const char *const *release, size_t lives) {
  size_t k = 0;
  while (k < lives && (release[k] == NULL || strcmp(release[k], name) != 0))
    k++;
  return k;
}

static const char *const opencl_function[] = {
#define NAME(name) #name,
    PP_LAYER_CALLS(NAME)
#undef NAME
        "work"};

/* CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY,
 * CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_INVALID_OPERATION,
 * CL_INVALID_COMMAND_QUEUE. Not CL_INVALID_VALUE: to a question it says that
 * the device does not know it, which is an answer. */
static const int32_t opencl_code[] = {-5, -6, -4, -59, -36};
static const char *const opencl_life[] = {"contexts", "queues",  "*buffers",
                                          "programs", "kernels", "events"};
static const char *const opencl_release[] = {
    "clReleaseContext", "clReleaseCommandQueue", NULL,
    "clReleaseProgram", "clReleaseKernel",       "clReleaseEvent"};

static struct {
#define POINTER(name)                                                          \
  __typeof__((name##_fn *)NULL) name; /* NOLINT(bugprone-macro-parentheses) */
  PP_LAYER_FUNCTIONS(POINTER)
#undef POINTER
} layer;

static void opencl_load(const char *file) {
  void *library = pp_open_library(file);
#define FIND(name)                                                             \
  void *found_##name = pp_find_symbol(library, #name);                         \
  memcpy((void *)&layer.name, (void *)&found_##name, sizeof found_##name);
  PP_LAYER_FUNCTIONS(FIND)
#undef FIND
}

static bool opencl_fail(const char *name, uint64_t nth, int32_t code) {
  return layer.pp_layer_fail(name, nth, code);
}

static void opencl_forget(void) {
  layer.pp_layer_forget();
}

static uint64_t opencl_calls(const char *name) {
  return layer.pp_layer_calls(name);
}

static uint64_t opencl_struck(void) {
  return layer.pp_layer_struck();
}

static void opencl_live(int64_t live[PP_LIVES]) {
  pp_layer_counts counts;
  layer.pp_layer_live(&counts);
  live[0] = counts.contexts;
  live[1] = counts.queues;
  live[2] = counts.buffers;
  live[3] = counts.programs;
  live[4] = counts.kernels;
  live[5] = counts.events;
}

static size_t opencl_held(const char *name) {
  return pp_held_by(name, opencl_release, COUNT(opencl_release));
}

const pp_driver pp_opencl_failures = {"opencl",        COUNT(opencl_function),
                                      opencl_function, COUNT(opencl_code),
                                      opencl_code,     COUNT(opencl_life),
                                      opencl_life,     opencl_load,
                                      opencl_fail,     opencl_forget,
                                      opencl_calls,    opencl_struck,
                                      opencl_live,     opencl_held};
