/* poolproof: kernels on CUDA's devices.  SPDX-License-Identifier: MIT */
#ifndef PP_CUDA_KERNEL_H
#define PP_CUDA_KERNEL_H

#include "cuda/device.h"
#include "kernels/code.h"

typedef struct pp_cuda_kernel pp_cuda_kernel;

/* As pp_backend_table has them; the device is not entered. */
pp_status pp_cuda_kernel_new(pp_cuda_device *device, const pp_code *code,
                             pp_cuda_kernel **kernel);
void pp_cuda_kernel_free(pp_cuda_device *device, pp_cuda_kernel *kernel);
pp_status pp_cuda_kernel_run(pp_cuda_device *device,
                             const pp_cuda_kernel *kernel,
                             const pp_operand *operand, size_t operands);

/* Where the range is; PP_BACKEND_FAILED: not inside a slab of the device. */
pp_status pp_cuda_range(const pp_cuda_device *device, pp_slab slab,
                        uint64_t offset, uint64_t bytes, CUdeviceptr *address);

#endif
