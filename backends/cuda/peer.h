/* poolproof: copies between two of CUDA's devices.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CUDA_PEER_H
#define PP_CUDA_PEER_H

#include "cuda/device.h"

/* How bytes go from one device to another. All but PP_CUDA_PEER go through
 * host memory. */
typedef enum pp_cuda_route {
  PP_CUDA_UNTRIED, /* no copy yet, or it could not be found out */
  PP_CUDA_PEER,    /* a direct copy was right */
  PP_CUDA_APART,   /* the devices cannot reach each other */
  PP_CUDA_REFUSED, /* the driver refused a direct copy */
  PP_CUDA_WRONG    /* a direct copy arrived changed */
} pp_cuda_route;

/* Copies bytes, after all work called for before on both devices and before
 * all that is called for later on both. The caller holds both; neither is
 * entered. The first copy of an ordered pair tries the direct way. */
pp_status pp_cuda_cross(pp_cuda_device *to, CUdeviceptr target,
                        pp_cuda_device *from, CUdeviceptr source,
                        uint64_t bytes);

/* What is known by now. Thread-safe. */
pp_cuda_route pp_cuda_route_known(const pp_cuda *cuda, size_t to, size_t from);

#endif
