/* poolproof-backend: none
 *
 * The OpenCL layer itself: what it fails, counts and hides, seen through the
 * loader with PoCL below. Argument: the layer's file. Status 77 without OpenCL.
 * SPDX-License-Identifier: MIT */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"

#define CHECK(good)                                                            \
  do {                                                                         \
    if (!(good)) {                                                             \
      printf("FAILED line %d: %s\n", __LINE__, #good);                         \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#define USED(X)                                                                \
  X(clGetPlatformIDs)                                                          \
  X(clGetDeviceIDs)                                                            \
  X(clGetDeviceInfo)                                                           \
  X(clCreateContext)                                                           \
  X(clReleaseContext)                                                          \
  X(clCreateCommandQueue)                                                      \
  X(clReleaseCommandQueue)                                                     \
  X(clCreateBuffer)                                                            \
  X(clRetainMemObject)                                                         \
  X(clReleaseMemObject)                                                        \
  X(clEnqueueFillBuffer)                                                       \
  X(clEnqueueReadBuffer)                                                       \
  X(clWaitForEvents)                                                           \
  X(clGetEventInfo)                                                            \
  X(clReleaseEvent)                                                            \
  X(clFinish)

static struct {
#define POINTER(name)                                                          \
  __typeof__(&(name)) name; /* NOLINT(bugprone-macro-parentheses) */
  USED(POINTER)
#undef POINTER
} cl;

static struct {
#define POINTER(name)                                                          \
  __typeof__((name##_fn *)NULL) name; /* NOLINT(bugprone-macro-parentheses) */
  PP_LAYER_FUNCTIONS(POINTER)
#undef POINTER
} layer;

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void take(void *library, const char *name, void *to) {
  void *symbol = dlsym(library, name);
  CHECK(symbol != NULL);
  memcpy(to, (void *)&symbol, sizeof symbol);
}

static bool open_all(const char *file) {
  setenv("OPENCL_LAYERS", file, 1);
  setenv("POCL_DEVICES", "basic", 1);
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  CHECK(library != NULL);
#define TAKE(name) take(library, #name, (void *)&layer.name);
  PP_LAYER_FUNCTIONS(TAKE)
#undef TAKE
  library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return false;
#define TAKE(name) take(library, #name, (void *)&cl.name);
  USED(TAKE)
#undef TAKE
  return cl.clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
         cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
             CL_SUCCESS;
}

static pp_layer_counts live(void) {
  pp_layer_counts counts;
  layer.pp_layer_live(&counts);
  return counts;
}

static void check_faults(void) {
  cl_int code = 0;
  layer.pp_layer_forget();
  CHECK(!layer.pp_layer_fail("clNoSuchCall", 1, -5));
  CHECK(!layer.pp_layer_fail("clCreateBuffer", 1, 0));
  CHECK(!layer.pp_layer_fail("clCreateBuffer", 0, -5));
  CHECK(layer.pp_layer_fail("clCreateBuffer", 2, CL_OUT_OF_RESOURCES));
  cl_mem one = cl.clCreateBuffer(context, 0, 64, NULL, &code);
  CHECK(one != NULL && code == CL_SUCCESS && live().buffers == 1);
  CHECK(layer.pp_layer_struck() == 0);
  CHECK(cl.clCreateBuffer(context, 0, 64, NULL, &code) == NULL);
  CHECK(code == CL_OUT_OF_RESOURCES && live().buffers == 1);
  CHECK(layer.pp_layer_struck() == 1);
  CHECK(layer.pp_layer_calls("clCreateBuffer") == 2);
  cl_mem two = cl.clCreateBuffer(context, 0, 64, NULL, &code);
  CHECK(two != NULL && cl.clRetainMemObject(two) == CL_SUCCESS);
  CHECK(live().buffers == 3);
  CHECK(layer.pp_layer_fail("clReleaseMemObject", 1, CL_OUT_OF_HOST_MEMORY));
  CHECK(cl.clReleaseMemObject(two) == CL_OUT_OF_HOST_MEMORY);
  CHECK(live().buffers == 3);
  CHECK(cl.clReleaseMemObject(two) == CL_SUCCESS);
  CHECK(cl.clReleaseMemObject(two) == CL_SUCCESS);
  CHECK(cl.clReleaseMemObject(one) == CL_SUCCESS && live().buffers == 0);
}

static cl_int status_of(cl_event event) {
  cl_int status = 1;
  CHECK(cl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                          sizeof status, &status, NULL) == CL_SUCCESS);
  return status;
}

static void check_work(void) {
  unsigned char byte = 7;
  unsigned char found = 0;
  cl_event event[2];
  cl_mem buffer = cl.clCreateBuffer(context, 0, 1, NULL, NULL);
  layer.pp_layer_forget();
  CHECK(cl.clEnqueueFillBuffer(queue, buffer, &byte, 1, 0, 1, 0, NULL, NULL) ==
        CL_SUCCESS);
  CHECK(layer.pp_layer_fail("work", 2, -9999));
  byte = 8;
  for (int k = 0; k < 2; k++)
    CHECK(cl.clEnqueueFillBuffer(queue, buffer, &byte, 1, 0, 1, 0, NULL,
                                 &event[k]) == CL_SUCCESS);
  CHECK(live().events == 2 && layer.pp_layer_struck() == 1);
  CHECK(cl.clFinish(queue) == CL_SUCCESS);
  CHECK(status_of(event[0]) == -9999);
  CHECK(status_of(event[1]) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(cl.clWaitForEvents(2, event) ==
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(cl.clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1, &found, 0, NULL,
                               NULL) ==
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(layer.pp_layer_calls("work") == 4);
  layer.pp_layer_forget();
  CHECK(cl.clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1, &found, 0, NULL,
                               NULL) == CL_SUCCESS);
  CHECK(found == 7);
  for (int k = 0; k < 2; k++)
    CHECK(cl.clReleaseEvent(event[k]) == CL_SUCCESS);
  CHECK(cl.clReleaseMemObject(buffer) == CL_SUCCESS && live().events == 0);
}

static uint64_t number(cl_device_info which, size_t bytes) {
  uint64_t value = 0;
  CHECK(cl.clGetDeviceInfo(device, which, bytes, &value, NULL) == CL_SUCCESS);
  return value;
}

static bool has_doubles(void) {
  char text[4096] = "";
  CHECK(cl.clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text,
                           NULL) == CL_SUCCESS);
  bool named = strstr(text, "cl_khr_fp64") != NULL;
  CHECK((number(CL_DEVICE_DOUBLE_FP_CONFIG, 8) != 0) == named);
  return named;
}

static void check_hidden(void) {
  cl_int code = 0;
  CHECK(!layer.pp_layer_hide("triples"));
  CHECK(!layer.pp_layer_hide("max_alloc=much"));
  CHECK(has_doubles() && number(CL_DEVICE_AVAILABLE, 4) == 1);
  CHECK(layer.pp_layer_hide("doubles,busy,max_alloc=100,address_bits=32,"
                            "align_bits=8192"));
  CHECK(!has_doubles() && number(CL_DEVICE_AVAILABLE, 4) == 0);
  CHECK(number(CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8) == 100);
  CHECK(number(CL_DEVICE_ADDRESS_BITS, 4) == 32);
  CHECK(number(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4) == 8192);
  CHECK(cl.clCreateBuffer(context, 0, 101, NULL, &code) == NULL);
  CHECK(code == CL_INVALID_BUFFER_SIZE);
  CHECK(layer.pp_layer_hide("platform"));
  CHECK(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
        CL_OUT_OF_HOST_MEMORY);
  CHECK(layer.pp_layer_hide(NULL) && has_doubles());
  CHECK(cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
        CL_SUCCESS);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  if (!open_all(argv[1])) {
    puts("SKIPPED: no OpenCL device below the layer");
    return 77;
  }
  CHECK(live().contexts == 0);
  context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = cl.clCreateCommandQueue(context, device, 0, NULL);
  CHECK(context != NULL && queue != NULL);
  CHECK(live().contexts == 1 && live().queues == 1);
  check_faults();
  check_work();
  check_hidden();
  CHECK(cl.clReleaseCommandQueue(queue) == CL_SUCCESS);
  CHECK(cl.clReleaseContext(context) == CL_SUCCESS);
  CHECK(live().contexts == 0 && live().queues == 0);
  puts("the layer fails, counts and hides");
  return 0;
}
