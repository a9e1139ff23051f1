/* poolproof: OpenCL C's integers under C's names, as far as kernels need them.
 * SPDX-License-Identifier: MIT */
#ifndef PP_OPENCL_STDINT_H
#define PP_OPENCL_STDINT_H

typedef unsigned char uint8_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;

#endif
