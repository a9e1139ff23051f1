/* poolproof: the cc backend: this processor as one synchronous device.
 * SPDX-License-Identifier: MIT */
#include "cc/host.h"
#include "modules.h"

/* The table is the same for every backend, so some parameters are unused. */
#define PP_UNUSED __attribute__((unused))

static pp_status cc_devices(PP_UNUSED pp_backend *backend, size_t *count) {
  *count = 1;
  return PP_OK;
}

static pp_status cc_limits(PP_UNUSED pp_backend *backend,
                           PP_UNUSED size_t device, pp_limits *limits) {
  pp_host_limits(limits, false);
  return PP_OK;
}

static pp_status cc_alloc_pool(PP_UNUSED pp_backend *backend,
                               PP_UNUSED size_t device, uint64_t bytes,
                               uint64_t align, pp_slab *slab) {
  return pp_host_slab_new(bytes, align, slab);
}

static pp_status cc_free_pool(PP_UNUSED pp_backend *backend,
                              PP_UNUSED size_t device, pp_slab slab) {
  pp_host_slab_free(slab);
  return PP_OK;
}

static pp_status cc_memset(PP_UNUSED pp_backend *backend,
                           PP_UNUSED size_t device, pp_slab slab,
                           uint64_t offset, uint64_t bytes, uint8_t value) {
  unsigned char *to = pp_host_range(slab, offset, bytes);
  if (to == NULL) return PP_BACKEND_FAILED;
  pp_host_set(to, value, bytes);
  return PP_OK;
}

static pp_status cc_from_host(PP_UNUSED pp_backend *backend,
                              PP_UNUSED size_t device, pp_slab slab,
                              uint64_t offset, const void *from,
                              uint64_t bytes) {
  unsigned char *to = pp_host_range(slab, offset, bytes);
  if (to == NULL) return PP_BACKEND_FAILED;
  pp_host_copy(to, from, bytes);
  return PP_OK;
}

static pp_status cc_to_host(PP_UNUSED pp_backend *backend,
                            PP_UNUSED size_t device, void *to, pp_slab slab,
                            uint64_t offset, uint64_t bytes) {
  const unsigned char *from = pp_host_range(slab, offset, bytes);
  if (from == NULL) return PP_BACKEND_FAILED;
  pp_host_copy(to, from, bytes);
  return PP_OK;
}

static pp_status cc_device_to_device(PP_UNUSED pp_backend *backend,
                                     PP_UNUSED size_t to_device, pp_slab to,
                                     uint64_t to_offset,
                                     PP_UNUSED size_t from_device, pp_slab from,
                                     uint64_t from_offset, uint64_t bytes) {
  unsigned char *target = pp_host_range(to, to_offset, bytes);
  const unsigned char *source = pp_host_range(from, from_offset, bytes);
  if (target == NULL || source == NULL ||
      pp_host_overlap(to, to_offset, from, from_offset, bytes))
    return PP_BACKEND_FAILED;
  pp_host_copy(target, source, bytes);
  return PP_OK;
}

static pp_status cc_compile(PP_UNUSED pp_backend *backend,
                            PP_UNUSED size_t device, const struct pp_code *code,
                            void **kernel) {
  *kernel = pp_host_kernel_new(code);
  return *kernel != NULL ? PP_OK : PP_NO_MEMORY;
}

static void cc_discard(PP_UNUSED pp_backend *backend, PP_UNUSED size_t device,
                       void *kernel) {
  pp_host_kernel_free(kernel);
}

static pp_status cc_launch(PP_UNUSED pp_backend *backend,
                           PP_UNUSED size_t device, void *kernel,
                           const pp_operand *operand, size_t operands) {
  if (operands != pp_host_kernel_operands(kernel)) return PP_BACKEND_FAILED;
  return pp_host_run(kernel, operand);
}

static pp_status cc_await(PP_UNUSED pp_backend *backend,
                          PP_UNUSED size_t device) {
  return PP_OK;
}

static const pp_backend_table table = {
    .devices = cc_devices,
    .limits = cc_limits,
    .alloc_pool = cc_alloc_pool,
    .free_pool = cc_free_pool,
    .memset = cc_memset,
    .from_host = cc_from_host,
    .to_host = cc_to_host,
    .device_to_device = cc_device_to_device,
    .compile = cc_compile,
    .discard = cc_discard,
    .launch = cc_launch,
    .await = cc_await,
};

pp_backend pp_backend_cc = {.name = "cc", .call = &table};
