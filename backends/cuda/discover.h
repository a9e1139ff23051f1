/* poolproof: what CUDA's driver and devices are here.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CUDA_DISCOVER_H
#define PP_CUDA_DISCOVER_H

#include "cuda/device.h"

enum {
  PP_CUDA_LEAST_DRIVER = 11000, /* the first that has all calls */
  PP_CUDA_LEAST_MAJOR = 6       /* compute capability that the PTX wants */
};

/* The devices; finds them when no call has done so yet. PP_NO_DEVICE: there
 * are none to use, and the note says why; any failure leaves nothing behind
 * and may go away. Thread-safe. */
pp_status pp_cuda_discover(pp_cuda **cuda);

/* A usable device of those that were found, or PP_NO_DEVICE. Thread-safe. */
pp_status pp_cuda_find(size_t ordinal, pp_cuda_device **device);

/* Says all that is known. Thread-safe. */
void pp_cuda_examine(pp_backend *backend, pp_say say, void *state);

#endif
