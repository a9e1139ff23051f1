/* poolproof: the opencl backend: every usable device of every OpenCL platform,
 * an in-order queue and a context each. SPDX-License-Identifier: MIT */
#include "modules.h"
#include "opencl/device.h"

#include <stdlib.h>

/* The table is the same for every backend, so some parameters are unused. */
#define PP_UNUSED __attribute__((unused))

/* Host bytes that a copy between two devices takes at a time. */
enum { BOUNCE = 4 << 20 };

/* A device that is not lost. */
static pp_status find(size_t ordinal, pp_cl_device **device) {
  *device = pp_cl_device_at(ordinal);
  if (*device != NULL) return pp_cl_state(*device);
  pp_note("no device has ordinal %zu", ordinal);
  return PP_NO_DEVICE;
}

/* A range of a slab of a device that is not lost. */
static pp_status find_range(size_t ordinal, pp_slab slab, uint64_t offset,
                            uint64_t bytes, pp_cl_device **device,
                            const pp_cl_slab **range) {
  pp_status status = find(ordinal, device);
  if (status != PP_OK) return status;
  *range = pp_cl_range(*device, slab, offset, bytes);
  return *range != NULL ? PP_OK : PP_BACKEND_FAILED;
}

static pp_status cl_devices(PP_UNUSED pp_backend *backend, size_t *count) {
  return pp_cl_devices(count);
}

static pp_status cl_limits(PP_UNUSED pp_backend *backend, size_t ordinal,
                           pp_limits *limits) {
  pp_cl_device *device = NULL;
  pp_status status = find(ordinal, &device);
  if (status == PP_OK) *limits = device->limits;
  return status;
}

static pp_status check_pool(const pp_cl_device *device, uint64_t bytes,
                            uint64_t align) {
  const pp_limits *limits = &device->limits;
  if (align == 0 || (align & (align - 1)) != 0) {
    pp_note("an alignment of %llu bytes is no power of two",
            (unsigned long long)align);
    return PP_BACKEND_FAILED;
  }
  if (align > limits->alignment) {
    pp_note("buffers are aligned to %llu bytes, not to %llu",
            (unsigned long long)limits->alignment, (unsigned long long)align);
    return PP_BACKEND_FAILED;
  }
  if (bytes <= limits->max_pool) return PP_OK;
  pp_note("a buffer holds %llu bytes at most",
          (unsigned long long)limits->max_pool);
  return PP_NO_MEMORY;
}

static pp_status cl_alloc_pool(PP_UNUSED pp_backend *backend, size_t ordinal,
                               uint64_t bytes, uint64_t align, pp_slab *slab) {
  pp_cl_device *device = NULL;
  cl_int error = CL_SUCCESS;
  pp_status status = find(ordinal, &device);
  if (status == PP_OK) status = check_pool(device, bytes, align);
  if (status == PP_OK) status = pp_cl_open(device);
  if (status != PP_OK) return status;
  pp_cl_slab *made = malloc(sizeof *made);
  if (made == NULL) return pp_cl_no_memory();
  cl_mem buffer =
      device->cl->CreateBuffer(device->context, CL_MEM_READ_WRITE,
                               bytes > 0 ? (size_t)bytes : 1, NULL, &error);
  if (buffer == NULL) {
    free(made);
    status = pp_cl_refused(device, "clCreateBuffer", error);
    return error == CL_OUT_OF_RESOURCES ? PP_NO_MEMORY : status;
  }
  *made = (pp_cl_slab){device, buffer, bytes};
  slab->handle = made;
  return PP_OK;
}

/* From a lost device nothing but the slab's own memory is sure to come back.
 */
static pp_status cl_free_pool(PP_UNUSED pp_backend *backend, size_t ordinal,
                              pp_slab slab) {
  pp_cl_device *device = pp_cl_device_at(ordinal);
  pp_cl_slab *freed = slab.handle;
  if (device == NULL) return PP_NO_DEVICE;
  pp_cl_sweep(device);
  cl_int error = device->cl->ReleaseMemObject(freed->buffer);
  if (error != CL_SUCCESS && !device->lost)
    return pp_cl_refused(device, "clReleaseMemObject", error);
  free(freed);
  return PP_OK;
}

static pp_status cl_memset(PP_UNUSED pp_backend *backend, size_t ordinal,
                           pp_slab slab, uint64_t offset, uint64_t bytes,
                           uint8_t value) {
  pp_cl_device *device = NULL;
  const pp_cl_slab *to = NULL;
  cl_event *event = NULL;
  pp_status status = find_range(ordinal, slab, offset, bytes, &device, &to);
  if (status != PP_OK || bytes == 0) return status;
  status = pp_cl_event(device, &event);
  if (status != PP_OK) return status;
  cl_int error = device->cl->EnqueueFillBuffer(
      device->queue, to->buffer, &value, sizeof value, (size_t)offset,
      (size_t)bytes, 0, NULL, event);
  return pp_cl_enqueued(device, "clEnqueueFillBuffer", error);
}

/* Both ways the device is idle first: then a failure is the call's own. A
 * write that blocks may still be under way when it returns. */
static pp_status write(pp_cl_device *device, const pp_cl_slab *to,
                       uint64_t offset, const void *from, uint64_t bytes) {
  cl_event *event = NULL;
  pp_status status = pp_cl_open(device);
  if (status == PP_OK) status = pp_cl_settle(device);
  if (status == PP_OK) status = pp_cl_event(device, &event);
  if (status != PP_OK) return status;
  cl_int error = device->cl->EnqueueWriteBuffer(
      device->queue, to->buffer, CL_TRUE, (size_t)offset, (size_t)bytes, from,
      0, NULL, event);
  return pp_cl_enqueued(device, "clEnqueueWriteBuffer", error);
}

static pp_status read(pp_cl_device *device, void *to, const pp_cl_slab *from,
                      uint64_t offset, uint64_t bytes) {
  pp_status status = pp_cl_open(device);
  if (status == PP_OK) status = pp_cl_settle(device);
  if (status != PP_OK) return status;
  cl_int error = device->cl->EnqueueReadBuffer(
      device->queue, from->buffer, CL_TRUE, (size_t)offset, (size_t)bytes, to,
      0, NULL, NULL);
  if (error == CL_SUCCESS) return PP_OK;
  return pp_cl_refused(device, "clEnqueueReadBuffer", error);
}

static pp_status cl_from_host(PP_UNUSED pp_backend *backend, size_t ordinal,
                              pp_slab slab, uint64_t offset, const void *from,
                              uint64_t bytes) {
  pp_cl_device *device = NULL;
  const pp_cl_slab *to = NULL;
  pp_status status = find_range(ordinal, slab, offset, bytes, &device, &to);
  if (status != PP_OK || bytes == 0) return status;
  return write(device, to, offset, from, bytes);
}

static pp_status cl_to_host(PP_UNUSED pp_backend *backend, size_t ordinal,
                            void *to, pp_slab slab, uint64_t offset,
                            uint64_t bytes) {
  pp_cl_device *device = NULL;
  const pp_cl_slab *from = NULL;
  pp_status status = find_range(ordinal, slab, offset, bytes, &device, &from);
  if (status != PP_OK) return status;
  return bytes > 0 ? read(device, to, from, offset, bytes)
                   : pp_cl_settle(device);
}

/* One end of a copy. */
typedef struct pp_cl_end {
  pp_cl_device *device;
  const pp_cl_slab *slab;
  uint64_t offset;
} pp_cl_end;

static bool overlap(const pp_cl_end *a, const pp_cl_end *b, uint64_t bytes) {
  if (a->slab != b->slab) return false;
  return a->offset < b->offset ? b->offset - a->offset < bytes
                               : a->offset - b->offset < bytes;
}

static pp_status copy(const pp_cl_end *to, const pp_cl_end *from,
                      uint64_t bytes) {
  pp_cl_device *device = to->device;
  cl_event *event = NULL;
  pp_status status = pp_cl_event(device, &event);
  if (status != PP_OK) return status;
  cl_int error = device->cl->EnqueueCopyBuffer(
      device->queue, from->slab->buffer, to->slab->buffer, (size_t)from->offset,
      (size_t)to->offset, (size_t)bytes, 0, NULL, event);
  return pp_cl_enqueued(device, "clEnqueueCopyBuffer", error);
}

/* Contexts share no buffer, so the bytes go through the host. */
static pp_status bounce(const pp_cl_end *to, const pp_cl_end *from,
                        uint64_t bytes) {
  void *host = malloc((size_t)(bytes < BOUNCE ? bytes : BOUNCE));
  if (host == NULL) return pp_cl_no_memory();
  pp_status status = PP_OK;
  uint64_t done = 0;
  while (done < bytes && status == PP_OK) {
    uint64_t part = bytes - done;
    if (part > BOUNCE) part = BOUNCE;
    status = read(from->device, host, from->slab, from->offset + done, part);
    if (status == PP_OK)
      status = write(to->device, to->slab, to->offset + done, host, part);
    done += part;
  }
  free(host);
  return status;
}

static pp_status cl_device_to_device(PP_UNUSED pp_backend *backend,
                                     size_t to_device, pp_slab to,
                                     uint64_t to_offset, size_t from_device,
                                     pp_slab from, uint64_t from_offset,
                                     uint64_t bytes) {
  pp_cl_end target = {.offset = to_offset};
  pp_cl_end source = {.offset = from_offset};
  pp_status status = find(from_device, &source.device);
  if (status == PP_OK)
    status = find_range(to_device, to, to_offset, bytes, &target.device,
                        &target.slab);
  if (status == PP_OK)
    status = find_range(from_device, from, from_offset, bytes, &source.device,
                        &source.slab);
  if (status != PP_OK) return status;
  if (overlap(&target, &source, bytes)) {
    pp_note("the ranges of a copy overlap");
    return PP_BACKEND_FAILED;
  }
  if (bytes == 0) return PP_OK;
  return target.device == source.device ? copy(&target, &source, bytes)
                                        : bounce(&target, &source, bytes);
}

static pp_status cl_compile(PP_UNUSED pp_backend *backend, size_t ordinal,
                            const struct pp_code *code, void **kernel) {
  pp_cl_device *device = NULL;
  pp_status status = find(ordinal, &device);
  return status == PP_OK ? pp_cl_compile(device, code, kernel) : status;
}

static void cl_discard(PP_UNUSED pp_backend *backend, size_t ordinal,
                       void *kernel) {
  pp_cl_device *device = pp_cl_device_at(ordinal);
  if (device != NULL) pp_cl_discard(device, kernel);
}

static pp_status cl_launch(PP_UNUSED pp_backend *backend, size_t ordinal,
                           void *kernel, const pp_operand *operand,
                           size_t operands) {
  pp_cl_device *device = NULL;
  pp_status status = find(ordinal, &device);
  if (status != PP_OK) return status;
  return pp_cl_launch(device, kernel, operand, operands);
}

static pp_status cl_await(PP_UNUSED pp_backend *backend, size_t ordinal) {
  pp_cl_device *device = NULL;
  pp_status status = find(ordinal, &device);
  if (status == PP_OK) status = pp_cl_settle(device);
  if (status == PP_OK) pp_cl_sweep(device);
  return status;
}

static const pp_backend_table table = {
    .devices = cl_devices,
    .limits = cl_limits,
    .alloc_pool = cl_alloc_pool,
    .free_pool = cl_free_pool,
    .memset = cl_memset,
    .from_host = cl_from_host,
    .to_host = cl_to_host,
    .device_to_device = cl_device_to_device,
    .compile = cl_compile,
    .discard = cl_discard,
    .launch = cl_launch,
    .await = cl_await,
};

pp_backend pp_backend_opencl = {
    .name = "opencl", .call = &table, .examine = pp_cl_examine};
