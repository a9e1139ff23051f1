/* poolproof: kernels on CUDA's devices.  SPDX-License-Identifier: MIT */
#include "cuda/kernel.h"

#include "kernels/tasks.h"
#include "kernels/texts.h"

#include <inttypes.h>
#include <stdlib.h>

/* What a launch needs of a task. */
typedef struct pp_cuda_task {
  uint64_t tiles;
  size_t accesses;
  size_t operand[PP_ACCESSES];
} pp_cuda_task;

/* uploaded  the tasks; NULL when there are none */
struct pp_cuda_kernel {
  const pp_code *code;
  pp_cuda_block *uploaded;
  size_t count;
  pp_cuda_task task[];
};

pp_status pp_cuda_range(const pp_cuda_device *device, pp_slab slab,
                        uint64_t offset, uint64_t bytes, CUdeviceptr *address) {
  const pp_cuda_block *block = slab.handle;
  if (block->device != device) {
    pp_note("a slab of another device");
    return PP_BACKEND_FAILED;
  }
  if (offset > block->bytes || bytes > block->bytes - offset) {
    pp_note("%" PRIu64 " bytes at %" PRIu64
            " are not inside a slab of %" PRIu64,
            bytes, offset, block->bytes);
    return PP_BACKEND_FAILED;
  }
  *address = block->address + offset;
  return PP_OK;
}

static pp_cuda_kernel *make(const pp_code *code, const pp_tasks *tasks) {
  pp_cuda_kernel *kernel = NULL;
  size_t bytes = 0;
  if (__builtin_mul_overflow(tasks->count, sizeof kernel->task[0], &bytes) ||
      __builtin_add_overflow(bytes, sizeof *kernel, &bytes))
    return NULL;
  kernel = malloc(bytes);
  if (kernel == NULL) return NULL;
  kernel->code = code;
  kernel->uploaded = NULL;
  kernel->count = tasks->count;
  for (size_t t = 0; t < tasks->count; t++) {
    const pp_task *from = &tasks->task[t];
    pp_cuda_task *to = &kernel->task[t];
    *to = (pp_cuda_task){.tiles = (from->points - 1) / PP_PTX_TILE + 1,
                         .accesses = from->accesses};
    for (size_t k = 0; k < to->accesses; k++)
      to->operand[k] = (size_t)from->access[k].operand;
  }
  return kernel;
}

static pp_status upload(pp_cuda_device *device, const pp_tasks *tasks,
                        pp_cuda_block **block) {
  size_t bytes = tasks->count * sizeof tasks->task[0];
  pp_status status = pp_cuda_enter(device);
  if (status != PP_OK) return status;
  status = pp_cuda_load(device);
  if (status == PP_OK) status = pp_cuda_block_new(device, bytes, block);
  if (status == PP_OK) {
    status = PP_CUDA_TRY(device, cuMemcpyHtoDAsync_v2, (*block)->address,
                         tasks->task, bytes, device->stream);
    if (status == PP_OK) status = pp_cuda_sync(device);
    if (status != PP_OK) pp_cuda_block_drop(device, *block);
  }
  pp_cuda_leave(device);
  return status;
}

pp_status pp_cuda_kernel_new(pp_cuda_device *device, const pp_code *code,
                             pp_cuda_kernel **kernel) {
  pp_tasks tasks;
  pp_cuda_kernel *made = NULL;
  if (pp_tasks_make(code, &tasks)) made = make(code, &tasks);
  pp_status status = made != NULL ? PP_OK : PP_NO_MEMORY;
  if (made == NULL) pp_note("out of memory");
  if (status == PP_OK && tasks.count > 0)
    status = upload(device, &tasks, &made->uploaded);
  pp_tasks_free(&tasks);
  if (status == PP_OK)
    *kernel = made;
  else
    free(made);
  return status;
}

void pp_cuda_kernel_free(pp_cuda_device *device, pp_cuda_kernel *kernel) {
  if (kernel == NULL) return;
  char note[PP_NOTE];
  pp_status status = PP_NO_DEVICE;
  if (kernel->uploaded != NULL && !pp_cuda_is_lost(device)) {
    status = pp_cuda_enter(device);
    if (status != PP_OK) (void)pp_note_take(note);
  }
  pp_cuda_block_drop(device, kernel->uploaded);
  if (status == PP_OK) pp_cuda_leave(device);
  free(kernel);
}

static pp_status check(const pp_cuda_device *device,
                       const pp_cuda_kernel *kernel, const pp_operand *operand,
                       size_t operands) {
  if (operands != kernel->code->operands) {
    pp_note("%zu operands for a kernel that takes %zu", operands,
            kernel->code->operands);
    return PP_BACKEND_FAILED;
  }
  for (size_t i = 0; i < operands; i++) {
    CUdeviceptr address = 0;
    pp_status status = pp_cuda_range(device, operand[i].slab, operand[i].offset,
                                     kernel->code->operand_bytes[i], &address);
    if (status != PP_OK) return status;
  }
  return PP_OK;
}

/* The parameters of pp_run in machine.cl, in its order. */
static pp_status run(pp_cuda_device *device, const pp_cuda_kernel *kernel,
                     size_t which, const pp_operand *operand) {
  enum { FIXED = 3 };
  const pp_cuda_task *task = &kernel->task[which];
  CUdeviceptr tasks = kernel->uploaded->address;
  uint64_t index = which;
  uint64_t place[PP_ACCESSES] = {0};
  CUdeviceptr buffer[PP_ACCESSES];
  void *parameter[FIXED + PP_ACCESSES] = {&tasks, &index, &place};
  for (size_t k = 0; k < PP_ACCESSES; k++) {
    size_t used = k < task->accesses ? k : PP_TARGET;
    const pp_operand *bound = &operand[task->operand[used]];
    const pp_cuda_block *block = bound->slab.handle;
    buffer[k] = block->address;
    place[k] = bound->offset;
    parameter[FIXED + k] = &buffer[k];
  }
  uint64_t blocks = (task->tiles - 1) / device->block_threads + 1;
  if (blocks > device->grid_blocks) blocks = device->grid_blocks;
  return PP_CUDA_TRY(device, cuLaunchKernel, device->run, (unsigned)blocks, 1,
                     1, device->block_threads, 1, 1, 0, device->stream,
                     parameter, NULL);
}

pp_status pp_cuda_kernel_run(pp_cuda_device *device,
                             const pp_cuda_kernel *kernel,
                             const pp_operand *operand, size_t operands) {
  pp_status status = pp_cuda_state(device);
  if (status == PP_OK) status = check(device, kernel, operand, operands);
  if (status != PP_OK || kernel->count == 0) return status;
  status = pp_cuda_enter(device);
  if (status != PP_OK) return status;
  for (size_t t = 0; status == PP_OK && t < kernel->count; t++)
    status = run(device, kernel, t, operand);
  pp_cuda_leave(device);
  return status;
}
