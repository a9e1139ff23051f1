/* poolproof: the CUDA backend: NVIDIA's GPUs, through their driver.
 * SPDX-License-Identifier: MIT */
#include "cuda/discover.h"
#include "cuda/kernel.h"
#include "cuda/peer.h"
#include "modules.h"

#include <inttypes.h>
#include <string.h>

/* The table is the same for every backend, so some parameters are unused. */
#define PP_UNUSED __attribute__((unused))

static pp_status cuda_devices(PP_UNUSED pp_backend *backend, size_t *count) {
  pp_cuda *cuda = NULL;
  pp_status status = pp_cuda_discover(&cuda);
  if (status == PP_OK) *count = cuda->count;
  return status;
}

/* A device that takes work. */
static pp_status find(size_t ordinal, pp_cuda_device **device) {
  pp_status status = pp_cuda_find(ordinal, device);
  return status == PP_OK ? pp_cuda_state(*device) : status;
}

static pp_status cuda_limits(PP_UNUSED pp_backend *backend, size_t ordinal,
                             pp_limits *limits) {
  pp_cuda_device *device = NULL;
  pp_status status = find(ordinal, &device);
  if (status != PP_OK) return status;
  *limits = (pp_limits){.max_pool = device->memory,
                        .alignment = PP_CUDA_ALIGNMENT,
                        .f64 = true,
                        .asynchronous = true};
  memcpy(limits->name, device->name, sizeof limits->name);
  return PP_OK;
}

static pp_status cuda_alloc_pool(PP_UNUSED pp_backend *backend, size_t ordinal,
                                 uint64_t bytes, uint64_t align,
                                 pp_slab *slab) {
  pp_cuda_device *device = NULL;
  pp_status status = find(ordinal, &device);
  if (status != PP_OK) return status;
  if (align == 0 || (align & (align - 1)) != 0 || align > PP_CUDA_ALIGNMENT) {
    pp_note("no power of two up to %d: alignment %" PRIu64, PP_CUDA_ALIGNMENT,
            align);
    return PP_BACKEND_FAILED;
  }
  if (bytes > device->memory) {
    pp_note("the device has %" PRIu64 " bytes, not %" PRIu64, device->memory,
            bytes);
    return PP_NO_MEMORY;
  }
  status = pp_cuda_enter(device);
  if (status != PP_OK) return status;
  pp_cuda_block *block = NULL;
  status = pp_cuda_block_new(device, bytes, &block);
  pp_cuda_leave(device);
  if (status == PP_OK) slab->handle = block;
  return status;
}

static pp_status cuda_free_pool(PP_UNUSED pp_backend *backend, size_t ordinal,
                                pp_slab slab) {
  pp_cuda_device *device = NULL;
  pp_status status = pp_cuda_find(ordinal, &device);
  return status == PP_OK ? pp_cuda_block_free(device, slab.handle) : status;
}

/* Enters a device that takes work and finds the range on it. */
static pp_status enter(size_t ordinal, pp_slab slab, uint64_t offset,
                       uint64_t bytes, pp_cuda_device **device,
                       CUdeviceptr *address) {
  pp_status status = find(ordinal, device);
  if (status == PP_OK)
    status = pp_cuda_range(*device, slab, offset, bytes, address);
  return status == PP_OK ? pp_cuda_enter(*device) : status;
}

static pp_status cuda_memset(PP_UNUSED pp_backend *backend, size_t ordinal,
                             pp_slab slab, uint64_t offset, uint64_t bytes,
                             uint8_t value) {
  pp_cuda_device *device = NULL;
  CUdeviceptr to = 0;
  pp_status status = enter(ordinal, slab, offset, bytes, &device, &to);
  if (status != PP_OK) return status;
  if (bytes > 0)
    status = PP_CUDA_TRY(device, cuMemsetD8Async, to, value, (size_t)bytes,
                         device->stream);
  pp_cuda_leave(device);
  return status;
}

/* The host's memory may go when this returns, so the copy must be over. */
static pp_status cuda_from_host(PP_UNUSED pp_backend *backend, size_t ordinal,
                                pp_slab slab, uint64_t offset, const void *from,
                                uint64_t bytes) {
  pp_cuda_device *device = NULL;
  CUdeviceptr to = 0;
  pp_status status = enter(ordinal, slab, offset, bytes, &device, &to);
  if (status != PP_OK) return status;
  if (bytes > 0) {
    status = PP_CUDA_TRY(device, cuMemcpyHtoDAsync_v2, to, from, (size_t)bytes,
                         device->stream);
    if (status == PP_OK) status = pp_cuda_sync(device);
  }
  pp_cuda_leave(device);
  return status;
}

static pp_status cuda_to_host(PP_UNUSED pp_backend *backend, size_t ordinal,
                              void *to, pp_slab slab, uint64_t offset,
                              uint64_t bytes) {
  pp_cuda_device *device = NULL;
  CUdeviceptr from = 0;
  pp_status status = enter(ordinal, slab, offset, bytes, &device, &from);
  if (status != PP_OK) return status;
  if (bytes > 0)
    status = PP_CUDA_TRY(device, cuMemcpyDtoHAsync_v2, to, from, (size_t)bytes,
                         device->stream);
  if (status == PP_OK) status = pp_cuda_sync(device);
  pp_cuda_leave(device);
  return status;
}

static pp_status copy_inside(pp_cuda_device *device, CUdeviceptr to,
                             CUdeviceptr from, uint64_t bytes) {
  if (to < from ? from - to < bytes : to - from < bytes) {
    pp_note("a copy whose ranges overlap");
    return PP_BACKEND_FAILED;
  }
  pp_status status = pp_cuda_enter(device);
  if (status != PP_OK) return status;
  if (bytes > 0)
    status = PP_CUDA_TRY(device, cuMemcpyDtoDAsync_v2, to, from, (size_t)bytes,
                         device->stream);
  pp_cuda_leave(device);
  return status;
}

static pp_status cuda_device_to_device(PP_UNUSED pp_backend *backend,
                                       size_t to_ordinal, pp_slab to,
                                       uint64_t to_offset, size_t from_ordinal,
                                       pp_slab from, uint64_t from_offset,
                                       uint64_t bytes) {
  pp_cuda_device *to_device = NULL;
  pp_cuda_device *from_device = NULL;
  CUdeviceptr target = 0;
  CUdeviceptr source = 0;
  pp_status status = find(to_ordinal, &to_device);
  if (status == PP_OK) status = find(from_ordinal, &from_device);
  if (status == PP_OK)
    status = pp_cuda_range(to_device, to, to_offset, bytes, &target);
  if (status == PP_OK)
    status = pp_cuda_range(from_device, from, from_offset, bytes, &source);
  if (status != PP_OK) return status;
  if (to_device == from_device)
    return copy_inside(to_device, target, source, bytes);
  if (bytes == 0) return PP_OK;
  return pp_cuda_cross(to_device, target, from_device, source, bytes);
}

static pp_status cuda_compile(PP_UNUSED pp_backend *backend, size_t ordinal,
                              const struct pp_code *code, void **kernel) {
  pp_cuda_device *device = NULL;
  pp_cuda_kernel *made = NULL;
  pp_status status = find(ordinal, &device);
  if (status == PP_OK) status = pp_cuda_kernel_new(device, code, &made);
  if (status == PP_OK) *kernel = made;
  return status;
}

static void cuda_discard(PP_UNUSED pp_backend *backend, size_t ordinal,
                         void *kernel) {
  pp_cuda_device *device = NULL;
  if (pp_cuda_find(ordinal, &device) == PP_OK)
    pp_cuda_kernel_free(device, kernel);
}

static pp_status cuda_launch(PP_UNUSED pp_backend *backend, size_t ordinal,
                             void *kernel, const pp_operand *operand,
                             size_t operands) {
  pp_cuda_device *device = NULL;
  pp_status status = pp_cuda_find(ordinal, &device);
  if (status != PP_OK) return status;
  return pp_cuda_kernel_run(device, kernel, operand, operands);
}

/* A device that was never used stays without a context. */
static pp_status cuda_await(PP_UNUSED pp_backend *backend, size_t ordinal) {
  pp_cuda_device *device = NULL;
  pp_status status = find(ordinal, &device);
  if (status != PP_OK || device->event == NULL) return status;
  status = pp_cuda_enter(device);
  if (status != PP_OK) return status;
  status = pp_cuda_sync(device);
  pp_cuda_leave(device);
  return status;
}

static const pp_backend_table table = {
    .devices = cuda_devices,
    .limits = cuda_limits,
    .alloc_pool = cuda_alloc_pool,
    .free_pool = cuda_free_pool,
    .memset = cuda_memset,
    .from_host = cuda_from_host,
    .to_host = cuda_to_host,
    .device_to_device = cuda_device_to_device,
    .compile = cuda_compile,
    .discard = cuda_discard,
    .launch = cuda_launch,
    .await = cuda_await,
};

pp_backend pp_backend_cuda = {
    .name = "cuda", .call = &table, .examine = pp_cuda_examine};
