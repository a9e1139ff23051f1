/* poolproof: the multidev_cc backend: this processor as several asynchronous
 * devices. A launch whose operands are not inside their slabs is found out
 * when it runs, and loses the device for good; all else is refused at the
 * call. SPDX-License-Identifier: MIT */
#include "modules.h"
#include "multidev_cc/queue.h"

/* The table is the same for every backend, so some parameters are unused. */
#define PP_UNUSED __attribute__((unused))

/* Host bytes that are copied so that the call need not wait. */
enum { STAGED = 1 << 20 };

static pp_status multi_devices(PP_UNUSED pp_backend *backend, size_t *count) {
  *count = PP_QUEUES;
  return PP_OK;
}

static pp_status multi_limits(PP_UNUSED pp_backend *backend, size_t device,
                              pp_limits *limits) {
  pp_status status = pp_queue_state(device);
  if (status == PP_OK) pp_host_limits(limits, true);
  return status;
}

static pp_status multi_alloc_pool(PP_UNUSED pp_backend *backend, size_t device,
                                  uint64_t bytes, uint64_t align,
                                  pp_slab *slab) {
  pp_status status = pp_queue_state(device);
  return status == PP_OK ? pp_host_slab_new(bytes, align, slab) : status;
}

static pp_status multi_free_pool(PP_UNUSED pp_backend *backend,
                                 PP_UNUSED size_t device, pp_slab slab) {
  pp_host_slab_free(slab);
  return PP_OK;
}

/* Where the range is, on a device that works. */
static pp_status find(size_t device, pp_slab slab, uint64_t offset,
                      uint64_t bytes, unsigned char **range) {
  pp_status status = pp_queue_state(device);
  if (status != PP_OK) return status;
  *range = pp_host_range(slab, offset, bytes);
  return *range != NULL ? PP_OK : PP_BACKEND_FAILED;
}

static pp_status multi_memset(PP_UNUSED pp_backend *backend, size_t device,
                              pp_slab slab, uint64_t offset, uint64_t bytes,
                              uint8_t value) {
  unsigned char *to = NULL;
  pp_status status = find(device, slab, offset, bytes, &to);
  if (status != PP_OK) return status;
  pp_job *job = pp_job_new(PP_JOB_SET, 0);
  if (job == NULL) return PP_NO_MEMORY;
  job->to = to;
  job->bytes = bytes;
  job->value = value;
  return pp_queue_add(device, job);
}

static pp_status multi_from_host(PP_UNUSED pp_backend *backend, size_t device,
                                 pp_slab slab, uint64_t offset,
                                 const void *from, uint64_t bytes) {
  unsigned char *to = NULL;
  pp_status status = find(device, slab, offset, bytes, &to);
  if (status != PP_OK) return status;
  if (bytes > STAGED) {
    status = pp_queue_await(device);
    if (status == PP_OK) pp_host_copy(to, from, bytes);
    return status;
  }
  pp_job *job = pp_job_new(PP_JOB_COPY, (size_t)bytes);
  if (job == NULL) return PP_NO_MEMORY;
  pp_host_copy(job->operand, from, bytes);
  job->to = to;
  job->from = (const unsigned char *)job->operand;
  job->bytes = bytes;
  return pp_queue_add(device, job);
}

static pp_status multi_to_host(PP_UNUSED pp_backend *backend, size_t device,
                               void *to, pp_slab slab, uint64_t offset,
                               uint64_t bytes) {
  unsigned char *from = NULL;
  pp_status status = find(device, slab, offset, bytes, &from);
  if (status == PP_OK) status = pp_queue_await(device);
  if (status == PP_OK) pp_host_copy(to, from, bytes);
  return status;
}

static pp_status multi_device_to_device(PP_UNUSED pp_backend *backend,
                                        size_t to_device, pp_slab to,
                                        uint64_t to_offset, size_t from_device,
                                        pp_slab from, uint64_t from_offset,
                                        uint64_t bytes) {
  unsigned char *target = NULL;
  unsigned char *source = NULL;
  bool crosses = to_device != from_device;
  pp_status status = find(to_device, to, to_offset, bytes, &target);
  if (status == PP_OK)
    status = find(from_device, from, from_offset, bytes, &source);
  if (status == PP_OK &&
      pp_host_overlap(to, to_offset, from, from_offset, bytes))
    status = PP_BACKEND_FAILED;
  if (status != PP_OK) return status;
  pp_job *job = pp_job_new(crosses ? PP_JOB_FETCH : PP_JOB_COPY, 0);
  if (job == NULL) return PP_NO_MEMORY;
  job->to = target;
  job->from = source;
  job->bytes = bytes;
  return crosses ? pp_queue_add_fetch(to_device, from_device, job)
                 : pp_queue_add(to_device, job);
}

static pp_status multi_compile(PP_UNUSED pp_backend *backend, size_t device,
                               const struct pp_code *code, void **kernel) {
  pp_status status = pp_queue_state(device);
  if (status != PP_OK) return status;
  *kernel = pp_host_kernel_new(code);
  return *kernel != NULL ? PP_OK : PP_NO_MEMORY;
}

static void multi_discard(PP_UNUSED pp_backend *backend,
                          PP_UNUSED size_t device, void *kernel) {
  pp_host_kernel_free(kernel);
}

static pp_status multi_launch(PP_UNUSED pp_backend *backend, size_t device,
                              void *kernel, const pp_operand *operand,
                              size_t operands) {
  pp_status status = pp_queue_state(device);
  size_t bytes = 0;
  if (status != PP_OK) return status;
  if (operands != pp_host_kernel_operands(kernel)) return PP_BACKEND_FAILED;
  if (__builtin_mul_overflow(operands, sizeof *operand, &bytes))
    return PP_NO_MEMORY;
  pp_job *job = pp_job_new(PP_JOB_RUN, bytes);
  if (job == NULL) return PP_NO_MEMORY;
  pp_host_copy(job->operand, operand, bytes);
  job->kernel = kernel;
  return pp_queue_add(device, job);
}

static pp_status multi_await(PP_UNUSED pp_backend *backend, size_t device) {
  return device < PP_QUEUES ? pp_queue_await(device) : PP_NO_DEVICE;
}

static const pp_backend_table table = {
    .devices = multi_devices,
    .limits = multi_limits,
    .alloc_pool = multi_alloc_pool,
    .free_pool = multi_free_pool,
    .memset = multi_memset,
    .from_host = multi_from_host,
    .to_host = multi_to_host,
    .device_to_device = multi_device_to_device,
    .compile = multi_compile,
    .discard = multi_discard,
    .launch = multi_launch,
    .await = multi_await,
};

pp_backend pp_backend_multidev_cc = {.name = "multidev_cc", .call = &table};
