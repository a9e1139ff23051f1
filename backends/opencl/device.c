/* poolproof: an OpenCL device at work: context, queue, program, events.
 * SPDX-License-Identifier: MIT */
#include "opencl/device.h"

#include "kernels/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Those that the driver does not take are given to it again later. */
static void release_events(pp_cl_device *device) {
  size_t kept = 0;
  for (size_t i = 0; i < device->events; i++)
    if (device->cl->ReleaseEvent(device->event[i]) != CL_SUCCESS)
      device->event[kept++] = device->event[i];
  device->events = kept;
}

static pp_status lose(pp_cl_device *device, const char *call, cl_int error) {
  pp_cl_describe(device->why, sizeof device->why, call, error);
  device->lost = true;
  release_events(device);
  return pp_cl_state(device);
}

pp_status pp_cl_no_memory(void) {
  pp_note("out of memory");
  return PP_NO_MEMORY;
}

pp_status pp_cl_state(const pp_cl_device *device) {
  if (!device->lost) return PP_OK;
  pp_note("%s", device->why);
  return PP_DEVICE_LOST;
}

pp_status pp_cl_refused(pp_cl_device *device, const char *call, cl_int error) {
  char text[PP_NOTE];
  /* Once there is a queue, handles that were good: the driver gave them up
   * after a fault. */
  bool gone = error == CL_INVALID_COMMAND_QUEUE ||
              error == CL_INVALID_CONTEXT || error == CL_DEVICE_NOT_AVAILABLE ||
              error == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  if (gone && device->queue != NULL) return lose(device, call, error);
  pp_cl_describe(text, sizeof text, call, error);
  pp_note("%s", text);
  return error == CL_OUT_OF_HOST_MEMORY ||
                 error == CL_MEM_OBJECT_ALLOCATION_FAILURE
             ? PP_NO_MEMORY
             : PP_BACKEND_FAILED;
}

pp_status pp_cl_open(pp_cl_device *device) {
  const pp_cl *cl = device->cl;
  cl_int error = CL_SUCCESS;
  pp_status status = pp_cl_state(device);
  if (status != PP_OK) return status;
  if (device->context == NULL)
    device->context =
        cl->CreateContext(NULL, 1, &device->id, NULL, NULL, &error);
  if (device->context == NULL)
    return pp_cl_refused(device, "clCreateContext", error);
  if (device->queue == NULL)
    device->queue =
        cl->CreateCommandQueue(device->context, device->id, 0, &error);
  if (device->queue == NULL)
    return pp_cl_refused(device, "clCreateCommandQueue", error);
  return PP_OK;
}

/* The log's first line that is not empty. */
static pp_status note_log(const pp_cl_device *device, cl_program program) {
  const pp_cl *cl = device->cl;
  size_t size = 0;
  cl_int error = cl->GetProgramBuildInfo(program, device->id,
                                         CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = error == CL_SUCCESS ? calloc(1, size + 1) : NULL;
  if (log != NULL)
    error = cl->GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG,
                                    size, log, NULL);
  if (log != NULL && error == CL_SUCCESS) {
    char *line = log + strspn(log, "\r\n\t ");
    line[strcspn(line, "\r\n")] = '\0';
    pp_note("clBuildProgram: CL_BUILD_PROGRAM_FAILURE: %s", line);
  } else {
    pp_note("clBuildProgram: CL_BUILD_PROGRAM_FAILURE, no log");
  }
  free(log);
  return PP_BACKEND_FAILED;
}

static pp_status build(pp_cl_device *device, cl_program program) {
  char options[80];
  (void)snprintf(
      options, sizeof options, "-cl-std=CL1.2 -DPP_TILE=%d%s",
      device->cpu ? (int)PP_CL_CPU_TILE : 1,
      device->limits.f64 ? "" : " -cl-fp32-correctly-rounded-divide-sqrt");
  cl_int error =
      device->cl->BuildProgram(program, 1, &device->id, options, NULL, NULL);
  if (error == CL_SUCCESS) return PP_OK;
  return error == CL_BUILD_PROGRAM_FAILURE
             ? note_log(device, program)
             : pp_cl_refused(device, "clBuildProgram", error);
}

static pp_status make_program(pp_cl_device *device) {
  const char *text =
      device->limits.f64 ? pp_text_machine_cl : pp_text_machine_no_f64_cl;
  cl_int error = CL_SUCCESS;
  cl_program program = device->cl->CreateProgramWithSource(device->context, 1,
                                                           &text, NULL, &error);
  if (program == NULL)
    return pp_cl_refused(device, "clCreateProgramWithSource", error);
  pp_status status = build(device, program);
  if (status == PP_OK)
    device->program = program;
  else
    (void)device->cl->ReleaseProgram(program);
  return status;
}

static pp_status make_kernel(pp_cl_device *device) {
  const pp_cl *cl = device->cl;
  cl_int error = CL_SUCCESS;
  size_t most = 0;
  cl_kernel kernel = cl->CreateKernel(device->program, "pp_run", &error);
  if (kernel == NULL) return pp_cl_refused(device, "clCreateKernel", error);
  error = cl->GetKernelWorkGroupInfo(
      kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
  if (error != CL_SUCCESS) {
    (void)cl->ReleaseKernel(kernel);
    return pp_cl_refused(device, "clGetKernelWorkGroupInfo", error);
  }
  device->local = device->cpu ? PP_CL_CPU_LOCAL : PP_CL_LOCAL;
  if (device->local > most) device->local = most > 0 ? most : 1;
  device->kernel = kernel;
  return PP_OK;
}

pp_status pp_cl_build(pp_cl_device *device) {
  pp_status status = pp_cl_open(device);
  if (status == PP_OK && device->program == NULL) status = make_program(device);
  if (status == PP_OK && device->kernel == NULL) status = make_kernel(device);
  return status;
}

/* Did all work end well? All of it has ended. */
static pp_status check_events(pp_cl_device *device) {
  for (size_t i = 0; i < device->events; i++) {
    cl_int ended = CL_COMPLETE;
    cl_int error = device->cl->GetEventInfo(device->event[i],
                                            CL_EVENT_COMMAND_EXECUTION_STATUS,
                                            sizeof ended, &ended, NULL);
    if (error == CL_OUT_OF_HOST_MEMORY)
      return pp_cl_refused(device, "clGetEventInfo", error);
    if (error != CL_SUCCESS) return lose(device, "clGetEventInfo", error);
    if (ended < 0) return lose(device, "work failed", ended);
  }
  return PP_OK;
}

pp_status pp_cl_settle(pp_cl_device *device) {
  pp_status status = pp_cl_state(device);
  if (status != PP_OK || device->events == 0) return status;
  cl_int error = device->cl->Finish(device->queue);
  if (error == CL_OUT_OF_HOST_MEMORY)
    return pp_cl_refused(device, "clFinish", error);
  status = error == CL_SUCCESS ? check_events(device)
                               : lose(device, "clFinish", error);
  if (status == PP_OK) release_events(device);
  return status;
}

pp_status pp_cl_event(pp_cl_device *device, cl_event **event) {
  pp_status status = pp_cl_open(device);
  if (status == PP_OK && device->events == PP_CL_EVENTS)
    status = pp_cl_settle(device);
  if (status != PP_OK) return status;
  if (device->events == PP_CL_EVENTS) {
    pp_note("clReleaseEvent fails always");
    return PP_BACKEND_FAILED;
  }
  *event = &device->event[device->events];
  return PP_OK;
}

pp_status pp_cl_enqueued(pp_cl_device *device, const char *call, cl_int error) {
  if (error != CL_SUCCESS) return pp_cl_refused(device, call, error);
  device->events++;
  return PP_OK;
}

const pp_cl_slab *pp_cl_range(const pp_cl_device *device, pp_slab slab,
                              uint64_t offset, uint64_t bytes) {
  const pp_cl_slab *found = slab.handle;
  if (found->device == device && offset <= found->size &&
      bytes <= found->size - offset)
    return found;
  pp_note("%llu bytes at %llu are not inside a slab of %llu of the device",
          (unsigned long long)bytes, (unsigned long long)offset,
          (unsigned long long)found->size);
  return NULL;
}
