/* poolproof: kernels of the OpenCL backend: a launch of the machine for each
 * statement. SPDX-License-Identifier: MIT */
#include "kernels/tasks.h"
#include "opencl/device.h"

#include <stdlib.h>

/* buffer  the tasks; NULL: there is none */
typedef struct pp_cl_kernel {
  struct pp_cl_kernel *next; /* discarded */
  const pp_code *code;
  pp_tasks tasks;
  cl_mem buffer;
} pp_cl_kernel;

void pp_cl_sweep(pp_cl_device *device) {
  pp_cl_kernel **link = &device->discarded;
  while (*link != NULL) {
    pp_cl_kernel *kernel = *link;
    if (device->cl->ReleaseMemObject(kernel->buffer) != CL_SUCCESS) {
      link = &kernel->next;
      continue;
    }
    *link = kernel->next;
    free(kernel);
  }
}

static pp_status upload(pp_cl_device *device, pp_cl_kernel *kernel) {
  cl_int error = CL_SUCCESS;
  if (kernel->tasks.count == 0) return PP_OK;
  kernel->buffer = device->cl->CreateBuffer(
      device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
      kernel->tasks.count * sizeof(pp_task), kernel->tasks.task, &error);
  if (kernel->buffer != NULL) return PP_OK;
  pp_status status = pp_cl_refused(device, "clCreateBuffer", error);
  return error == CL_OUT_OF_RESOURCES ? PP_NO_MEMORY : status;
}

pp_status pp_cl_compile(pp_cl_device *device, const struct pp_code *code,
                        void **kernel) {
  pp_status status = pp_cl_build(device);
  if (status != PP_OK) return status;
  if (!device->limits.f64 && pp_code_uses(code, PP_F64)) {
    pp_note("device %s has no doubles (cl_khr_fp64)", device->limits.name);
    return PP_BACKEND_FAILED;
  }
  pp_cl_sweep(device);
  pp_cl_kernel *made = calloc(1, sizeof *made);
  if (made == NULL) return pp_cl_no_memory();
  made->code = code;
  status = pp_tasks_make(code, &made->tasks) ? upload(device, made)
                                             : pp_cl_no_memory();
  if (status == PP_OK) {
    *kernel = made;
    return PP_OK;
  }
  pp_tasks_free(&made->tasks);
  free(made);
  return status;
}

void pp_cl_discard(pp_cl_device *device, pp_cl_kernel *kernel) {
  pp_tasks_free(&kernel->tasks);
  if (kernel->buffer == NULL) {
    free(kernel);
    return;
  }
  kernel->next = device->discarded;
  device->discarded = kernel;
  pp_cl_sweep(device);
}

static cl_int set_arguments(const pp_cl_device *device,
                            const pp_cl_kernel *kernel, size_t which,
                            const pp_operand *operand) {
  const pp_task *task = &kernel->tasks.task[which];
  const cl_ulong number = which;
  pp_places place = {{0}};
  cl_mem buffer[PP_ACCESSES];
  for (uint32_t k = 0; k < PP_ACCESSES; k++) {
    uint32_t used = k < task->accesses ? k : PP_TARGET;
    const pp_operand *bound = &operand[task->access[used].operand];
    const pp_cl_slab *slab = bound->slab.handle;
    buffer[k] = slab->buffer;
    place.offset[k] = bound->offset;
  }
  __typeof__(clSetKernelArg) *set = device->cl->SetKernelArg;
  cl_int error = set(device->kernel, 0, sizeof(cl_mem), &kernel->buffer);
  if (error == CL_SUCCESS) error = set(device->kernel, 1, 8, &number);
  if (error == CL_SUCCESS) error = set(device->kernel, 2, sizeof place, &place);
  for (uint32_t k = 0; k < PP_ACCESSES && error == CL_SUCCESS; k++)
    error = set(device->kernel, 3 + k, sizeof(cl_mem), &buffer[k]);
  return error;
}

static pp_status run(pp_cl_device *device, const pp_cl_kernel *kernel,
                     size_t which, const pp_operand *operand) {
  cl_event *event = NULL;
  pp_status status = pp_cl_event(device, &event);
  if (status != PP_OK) return status;
  cl_int error = set_arguments(device, kernel, which, operand);
  if (error != CL_SUCCESS)
    return pp_cl_refused(device, "clSetKernelArg", error);
  const size_t tile = device->cpu ? PP_CL_CPU_TILE : 1;
  uint64_t tiles = (kernel->tasks.task[which].points - 1) / tile + 1;
  uint64_t groups = (tiles - 1) / device->local + 1;
  uint64_t most =
      (uint64_t)device->units * (device->cpu ? PP_CL_CPU_GROUPS : PP_CL_GROUPS);
  if (groups > most) groups = most;
  const size_t global = (size_t)groups * device->local;
  error =
      device->cl->EnqueueNDRangeKernel(device->queue, device->kernel, 1, NULL,
                                       &global, &device->local, 0, NULL, event);
  return pp_cl_enqueued(device, "clEnqueueNDRangeKernel", error);
}

static pp_status check(const pp_cl_device *device, const pp_code *code,
                       const pp_operand *operand, size_t operands) {
  pp_status status = pp_cl_state(device);
  if (status != PP_OK) return status;
  if (operands != code->operands) {
    pp_note("%zu operands, the kernel takes %zu", operands, code->operands);
    return PP_BACKEND_FAILED;
  }
  for (size_t i = 0; i < operands; i++)
    if (pp_cl_range(device, operand[i].slab, operand[i].offset,
                    code->operand_bytes[i]) == NULL)
      return PP_BACKEND_FAILED;
  return PP_OK;
}

pp_status pp_cl_launch(pp_cl_device *device, const pp_cl_kernel *kernel,
                       const pp_operand *operand, size_t operands) {
  pp_status status = check(device, kernel->code, operand, operands);
  for (size_t k = 0; k < kernel->tasks.count && status == PP_OK; k++)
    status = run(device, kernel, k, operand);
  if (status != PP_OK || kernel->tasks.count == 0) return status;
  cl_int error = device->cl->Flush(device->queue);
  return error == CL_SUCCESS ? PP_OK : pp_cl_refused(device, "clFlush", error);
}
