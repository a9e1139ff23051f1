/* poolproof: the OpenCL layer's stand-ins for the functions of OpenCL, and
 * its entry points. SPDX-License-Identifier: MIT */
#include "layer_internal.h"

#include <stdlib.h>
#include <string.h>

cl_icd_dispatch pp_layer_below;

/* A call that makes and ends nothing. */
#define PLAIN(name, parameters, arguments)                                     \
  static cl_int CL_API_CALL my_##name parameters {                             \
    cl_int code = pp_layer_strike(PP_LAYER_##name);                            \
    return code != CL_SUCCESS ? code : pp_layer_below.name arguments;          \
  }

/* One that the program holds a reference by, or by one less. */
#define HOLD(name, type, kind, by)                                             \
  static cl_int CL_API_CALL my_##name(type object) {                           \
    cl_int code = pp_layer_strike(PP_LAYER_##name);                            \
    if (code == CL_SUCCESS) code = pp_layer_below.name(object);                \
    if (code == CL_SUCCESS) pp_layer_hold(kind, by);                           \
    return code;                                                               \
  }

/* `call` does it. `refused`: a code, besides faults. */
#define MAKE(name, call, type, kind, refused, parameters, arguments)           \
  static type CL_API_CALL my_##name parameters {                               \
    cl_int code = pp_layer_strike(PP_LAYER_##name);                            \
    if (code == CL_SUCCESS) code = (refused);                                  \
    if (code != CL_SUCCESS) {                                                  \
      if (error != NULL) *error = code;                                        \
      return NULL;                                                             \
    }                                                                          \
    type made = call arguments;                                                \
    if (made != NULL) pp_layer_hold(kind, 1);                                  \
    return made;                                                               \
  }

PLAIN(clGetPlatformIDs, (cl_uint room, cl_platform_id *id, cl_uint *count),
      (room, id, count))
PLAIN(clGetPlatformInfo,
      (cl_platform_id id, cl_platform_info which, size_t room, void *value,
       size_t *size),
      (id, which, room, value, size))
PLAIN(clRetainDevice, (cl_device_id device), (device))
PLAIN(clReleaseDevice, (cl_device_id device), (device))

MAKE(clCreateContext, pp_layer_below.clCreateContext, cl_context,
     PP_LAYER_CONTEXT, CL_SUCCESS,
     (const cl_context_properties *properties, cl_uint count,
      const cl_device_id *device,
      void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
      void *state, cl_int *error),
     (properties, count, device, notify, state, error))
HOLD(clRetainContext, cl_context, PP_LAYER_CONTEXT, 1)
HOLD(clReleaseContext, cl_context, PP_LAYER_CONTEXT, -1)
PLAIN(clGetContextInfo,
      (cl_context context, cl_context_info which, size_t room, void *value,
       size_t *size),
      (context, which, room, value, size))

MAKE(clCreateCommandQueue, pp_layer_below.clCreateCommandQueue,
     cl_command_queue, PP_LAYER_QUEUE, CL_SUCCESS,
     (cl_context context, cl_device_id device,
      cl_command_queue_properties properties, cl_int *error),
     (context, device, properties, error))
MAKE(clCreateCommandQueueWithProperties,
     pp_layer_below.clCreateCommandQueueWithProperties, cl_command_queue,
     PP_LAYER_QUEUE, CL_SUCCESS,
     (cl_context context, cl_device_id device,
      const cl_queue_properties *properties, cl_int *error),
     (context, device, properties, error))
HOLD(clRetainCommandQueue, cl_command_queue, PP_LAYER_QUEUE, 1)
HOLD(clReleaseCommandQueue, cl_command_queue, PP_LAYER_QUEUE, -1)

static cl_mem create_buffer(cl_context context, cl_mem_flags flags,
                            size_t bytes, void *host, cl_int *error) {
  const cl_mem_flags hosts = CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR;
  void *fresh = NULL;
  if (pp_layer_fills_fresh() && (flags & hosts) == 0) fresh = malloc(bytes);
  if (fresh != NULL) {
    memset(fresh, 0xff, bytes);
    flags |= CL_MEM_COPY_HOST_PTR;
  }
  cl_mem made = pp_layer_below.clCreateBuffer(
      context, flags, bytes, fresh != NULL ? fresh : host, error);
  free(fresh);
  return made;
}

MAKE(clCreateBuffer, create_buffer, cl_mem, PP_LAYER_BUFFER,
     pp_layer_too_large(bytes),
     (cl_context context, cl_mem_flags flags, size_t bytes, void *host,
      cl_int *error),
     (context, flags, bytes, host, error))
MAKE(clCreateSubBuffer, pp_layer_below.clCreateSubBuffer, cl_mem,
     PP_LAYER_BUFFER, CL_SUCCESS,
     (cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
      const void *info, cl_int *error),
     (buffer, flags, type, info, error))
HOLD(clRetainMemObject, cl_mem, PP_LAYER_BUFFER, 1)
HOLD(clReleaseMemObject, cl_mem, PP_LAYER_BUFFER, -1)

MAKE(clCreateProgramWithSource, pp_layer_below.clCreateProgramWithSource,
     cl_program, PP_LAYER_PROGRAM, CL_SUCCESS,
     (cl_context context, cl_uint count, const char **text,
      const size_t *length, cl_int *error),
     (context, count, text, length, error))
MAKE(clCreateProgramWithBinary, pp_layer_below.clCreateProgramWithBinary,
     cl_program, PP_LAYER_PROGRAM, CL_SUCCESS,
     (cl_context context, cl_uint count, const cl_device_id *device,
      const size_t *length, const unsigned char **binary, cl_int *status,
      cl_int *error),
     (context, count, device, length, binary, status, error))
HOLD(clRetainProgram, cl_program, PP_LAYER_PROGRAM, 1)
HOLD(clReleaseProgram, cl_program, PP_LAYER_PROGRAM, -1)
PLAIN(clBuildProgram,
      (cl_program program, cl_uint count, const cl_device_id *device,
       const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
       void *state),
      (program, count, device, options, notify, state))
PLAIN(clGetProgramInfo,
      (cl_program program, cl_program_info which, size_t room, void *value,
       size_t *size),
      (program, which, room, value, size))
PLAIN(clGetProgramBuildInfo,
      (cl_program program, cl_device_id device, cl_program_build_info which,
       size_t room, void *value, size_t *size),
      (program, device, which, room, value, size))

MAKE(clCreateKernel, pp_layer_below.clCreateKernel, cl_kernel, PP_LAYER_KERNEL,
     CL_SUCCESS, (cl_program program, const char *name, cl_int *error),
     (program, name, error))
HOLD(clRetainKernel, cl_kernel, PP_LAYER_KERNEL, 1)
HOLD(clReleaseKernel, cl_kernel, PP_LAYER_KERNEL, -1)
PLAIN(clSetKernelArg,
      (cl_kernel kernel, cl_uint index, size_t size, const void *value),
      (kernel, index, size, value))
PLAIN(clGetKernelWorkGroupInfo,
      (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info which,
       size_t room, void *value, size_t *size),
      (kernel, device, which, room, value, size))

MAKE(clCreateUserEvent, pp_layer_below.clCreateUserEvent, cl_event,
     PP_LAYER_EVENT, CL_SUCCESS, (cl_context context, cl_int *error),
     (context, error))
HOLD(clRetainEvent, cl_event, PP_LAYER_EVENT, 1)
PLAIN(clSetEventCallback,
      (cl_event event, cl_int when,
       void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *state),
      (event, when, notify, state))
PLAIN(clFlush, (cl_command_queue queue), (queue))
PLAIN(clFinish, (cl_command_queue queue), (queue))

static cl_int CL_API_CALL my_clReleaseEvent(cl_event event) {
  cl_int code = pp_layer_strike(PP_LAYER_clReleaseEvent);
  if (code != CL_SUCCESS) return code;
  cl_uint references = 0;
  if (pp_layer_below.clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT,
                                    sizeof references, &references,
                                    NULL) == CL_SUCCESS &&
      references == 1)
    pp_layer_mend(event);
  code = pp_layer_below.clReleaseEvent(event);
  if (code == CL_SUCCESS) pp_layer_hold(PP_LAYER_EVENT, -1);
  return code;
}

static cl_int CL_API_CALL my_clGetEventInfo(cl_event event, cl_event_info which,
                                            size_t room, void *value,
                                            size_t *size) {
  cl_int code = pp_layer_strike(PP_LAYER_clGetEventInfo);
  if (code != CL_SUCCESS) return code;
  code = pp_layer_below.clGetEventInfo(event, which, room, value, size);
  cl_int ended = pp_layer_ended(event);
  if (code == CL_SUCCESS && ended != CL_SUCCESS && value != NULL &&
      which == CL_EVENT_COMMAND_EXECUTION_STATUS)
    *(cl_int *)value = ended;
  return code;
}

static cl_int CL_API_CALL my_clWaitForEvents(cl_uint count,
                                             const cl_event *event) {
  cl_int code = pp_layer_strike(PP_LAYER_clWaitForEvents);
  if (code != CL_SUCCESS) return code;
  code = pp_layer_below.clWaitForEvents(count, event);
  for (cl_uint k = 0; k < count && code == CL_SUCCESS; k++)
    if (pp_layer_ended(event[k]) != CL_SUCCESS)
      code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return code;
}

/* The command is accepted and not done: a marker stands for it. */
static cl_int broken(cl_command_queue queue, bool blocking, cl_uint waits,
                     const cl_event *wait, cl_event *event, cl_int ended) {
  cl_event mine = NULL;
  cl_int code =
      pp_layer_below.clEnqueueMarkerWithWaitList(queue, waits, wait, &mine);
  if (code != CL_SUCCESS) return code;
  pp_layer_break(queue, event != NULL && !blocking ? mine : NULL, ended);
  if (event == NULL || blocking) {
    pp_layer_below.clReleaseEvent(mine);
  } else {
    *event = mine;
    pp_layer_hold(PP_LAYER_EVENT, 1);
  }
  return blocking ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

static bool is_whole(cl_mem buffer, size_t bytes) {
  size_t all = 0;
  return pp_layer_below.clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof all,
                                           &all, NULL) == CL_SUCCESS &&
         all == bytes;
}

cl_int pp_layer_write_whole(cl_command_queue queue, cl_mem buffer,
                            const void *pattern, size_t size, size_t offset,
                            size_t bytes, cl_uint waits, const cl_event *wait,
                            cl_event *event) {
  size_t all = 0;
  cl_int code = pp_layer_below.clGetMemObjectInfo(buffer, CL_MEM_SIZE,
                                                  sizeof all, &all, NULL);
  if (code != CL_SUCCESS) return code;
  if (offset > all || bytes > all - offset) return CL_INVALID_VALUE;
  unsigned char *host = malloc(all);
  if (host == NULL) return CL_OUT_OF_HOST_MEMORY;
  code = pp_layer_below.clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, all,
                                            host, waits, wait, NULL);
  for (size_t at = 0; at < bytes; at += size)
    memcpy(host + offset + at, pattern, size);
  if (code == CL_SUCCESS)
    code = pp_layer_below.clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, all,
                                               host, 0, NULL, event);
  free(host);
  return code;
}

static cl_int write_part(cl_command_queue queue, cl_mem buffer, cl_bool block,
                         size_t offset, size_t bytes, const void *from,
                         cl_uint waits, const cl_event *wait, cl_event *event) {
  if (pp_layer_writes_whole() && !is_whole(buffer, bytes))
    return pp_layer_write_whole(queue, buffer, from, bytes, offset, bytes,
                                waits, wait, event);
  return pp_layer_below.clEnqueueWriteBuffer(queue, buffer, block, offset,
                                             bytes, from, waits, wait, event);
}

static cl_int fill_part(cl_command_queue queue, cl_mem buffer,
                        const void *pattern, size_t size, size_t offset,
                        size_t bytes, cl_uint waits, const cl_event *wait,
                        cl_event *event) {
  if (pp_layer_writes_whole())
    return pp_layer_write_whole(queue, buffer, pattern, size, offset, bytes,
                                waits, wait, event);
  return pp_layer_below.clEnqueueFillBuffer(queue, buffer, pattern, size,
                                            offset, bytes, waits, wait, event);
}

static cl_int copy_part(cl_command_queue queue, cl_mem from, cl_mem to,
                        size_t from_offset, size_t to_offset, size_t bytes,
                        cl_uint waits, const cl_event *wait, cl_event *event) {
  if (!pp_layer_writes_whole())
    return pp_layer_below.clEnqueueCopyBuffer(
        queue, from, to, from_offset, to_offset, bytes, waits, wait, event);
  void *host = malloc(bytes);
  if (host == NULL) return CL_OUT_OF_HOST_MEMORY;
  cl_int code = pp_layer_below.clEnqueueReadBuffer(
      queue, from, CL_TRUE, from_offset, bytes, host, waits, wait, NULL);
  if (code == CL_SUCCESS)
    code = pp_layer_write_whole(queue, to, host, bytes, to_offset, bytes, 0,
                                NULL, event);
  free(host);
  return code;
}

/* `call` does it. */
#define ENQUEUE(name, call, blocking, parameters, arguments)                   \
  static cl_int CL_API_CALL my_##name parameters {                             \
    cl_int code = pp_layer_strike(PP_LAYER_##name);                            \
    if (code != CL_SUCCESS) return code;                                       \
    code = pp_layer_work(queue);                                               \
    if (code != CL_SUCCESS)                                                    \
      return broken(queue, (blocking) == CL_TRUE, waits, wait, event, code);   \
    code = call arguments;                                                     \
    if (code == CL_SUCCESS && event != NULL) pp_layer_hold(PP_LAYER_EVENT, 1); \
    return code;                                                               \
  }

ENQUEUE(clEnqueueReadBuffer, pp_layer_below.clEnqueueReadBuffer, block,
        (cl_command_queue queue, cl_mem buffer, cl_bool block, size_t offset,
         size_t bytes, void *to, cl_uint waits, const cl_event *wait,
         cl_event *event),
        (queue, buffer, block, offset, bytes, to, waits, wait, event))
ENQUEUE(clEnqueueWriteBuffer, write_part, block,
        (cl_command_queue queue, cl_mem buffer, cl_bool block, size_t offset,
         size_t bytes, const void *from, cl_uint waits, const cl_event *wait,
         cl_event *event),
        (queue, buffer, block, offset, bytes, from, waits, wait, event))
ENQUEUE(clEnqueueCopyBuffer, copy_part, CL_FALSE,
        (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
         size_t to_offset, size_t bytes, cl_uint waits, const cl_event *wait,
         cl_event *event),
        (queue, from, to, from_offset, to_offset, bytes, waits, wait, event))
ENQUEUE(clEnqueueFillBuffer, fill_part, CL_FALSE,
        (cl_command_queue queue, cl_mem buffer, const void *pattern,
         size_t size, size_t offset, size_t bytes, cl_uint waits,
         const cl_event *wait, cl_event *event),
        (queue, buffer, pattern, size, offset, bytes, waits, wait, event))
ENQUEUE(clEnqueueUnmapMemObject, pp_layer_below.clEnqueueUnmapMemObject,
        CL_FALSE,
        (cl_command_queue queue, cl_mem object, void *at, cl_uint waits,
         const cl_event *wait, cl_event *event),
        (queue, object, at, waits, wait, event))
ENQUEUE(clEnqueueMigrateMemObjects, pp_layer_below.clEnqueueMigrateMemObjects,
        CL_FALSE,
        (cl_command_queue queue, cl_uint count, const cl_mem *object,
         cl_mem_migration_flags flags, cl_uint waits, const cl_event *wait,
         cl_event *event),
        (queue, count, object, flags, waits, wait, event))
ENQUEUE(clEnqueueMarkerWithWaitList, pp_layer_below.clEnqueueMarkerWithWaitList,
        CL_FALSE,
        (cl_command_queue queue, cl_uint waits, const cl_event *wait,
         cl_event *event),
        (queue, waits, wait, event))
ENQUEUE(clEnqueueBarrierWithWaitList,
        pp_layer_below.clEnqueueBarrierWithWaitList, CL_FALSE,
        (cl_command_queue queue, cl_uint waits, const cl_event *wait,
         cl_event *event),
        (queue, waits, wait, event))
ENQUEUE(clEnqueueNDRangeKernel, pp_layer_below.clEnqueueNDRangeKernel, CL_FALSE,
        (cl_command_queue queue, cl_kernel kernel, cl_uint axes,
         const size_t *offset, const size_t *global, const size_t *local,
         cl_uint waits, const cl_event *wait, cl_event *event),
        (queue, kernel, axes, offset, global, local, waits, wait, event))

static void *CL_API_CALL my_clEnqueueMapBuffer(
    cl_command_queue queue, cl_mem buffer, cl_bool block, cl_map_flags flags,
    size_t offset, size_t bytes, cl_uint waits, const cl_event *wait,
    cl_event *event, cl_int *error) {
  cl_int code = pp_layer_strike(PP_LAYER_clEnqueueMapBuffer);
  if (code != CL_SUCCESS) {
    if (error != NULL) *error = code;
    return NULL;
  }
  void *at = pp_layer_below.clEnqueueMapBuffer(
      queue, buffer, block, flags, offset, bytes, waits, wait, event, error);
  if (at != NULL && event != NULL) pp_layer_hold(PP_LAYER_EVENT, 1);
  return at;
}

#define my_clGetDeviceIDs pp_layer_clGetDeviceIDs
#define my_clGetDeviceInfo pp_layer_clGetDeviceInfo

/* The loader's entry points. */
__attribute__((visibility("default"))) cl_int CL_API_CALL
clGetLayerInfo(cl_layer_info which, size_t room, void *value, size_t *size) {
  static const char name[] = "poolproof's faults";
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const void *from = which == CL_LAYER_API_VERSION ? &version : (void *)name;
  size_t bytes = which == CL_LAYER_API_VERSION ? sizeof version : sizeof name;
  if (which != CL_LAYER_API_VERSION && which != CL_LAYER_NAME)
    return CL_INVALID_VALUE;
  if (value != NULL && room < bytes) return CL_INVALID_VALUE;
  if (value != NULL) memcpy(value, from, bytes);
  if (size != NULL) *size = bytes;
  return CL_SUCCESS;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL
clInitLayer(cl_uint entries, const cl_icd_dispatch *target, cl_uint *mine,
            const cl_icd_dispatch **answer) {
  static cl_icd_dispatch top;
  const cl_uint all = sizeof top / sizeof top.clGetPlatformIDs;
  if (target == NULL || mine == NULL || answer == NULL) return CL_INVALID_VALUE;
  if (entries < all) return CL_INVALID_VALUE;
  pp_layer_below = top = *target;
#define PP_LAYER_STAND(name) top.name = my_##name;
  PP_LAYER_CALLS(PP_LAYER_STAND)
#undef PP_LAYER_STAND
  pp_layer_read_environment();
  *mine = all;
  *answer = &top;
  return CL_SUCCESS;
}
