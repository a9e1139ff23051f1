/* poolproof: the CUDA backend.  SPDX-License-Identifier: MIT */
#include "modules.h"
#define PP_UNUSED __attribute__((unused))
static pp_status no_devices(PP_UNUSED pp_backend *backend, PP_UNUSED size_t *count) {
  return PP_NO_DEVICE;
}
static const pp_backend_table table = {.devices = no_devices};
pp_backend pp_backend_cuda = {.name = "cuda", .call = &table};
