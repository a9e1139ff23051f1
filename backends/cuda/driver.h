/* poolproof: the part of CUDA's Driver API that the backend calls, said again
 * from its documentation, and the library it is taken from at run time.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CUDA_DRIVER_H
#define PP_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef int CUjit_option;
typedef uint64_t CUdeviceptr;
typedef struct pp_cuda_context *CUcontext;
typedef struct pp_cuda_module *CUmodule;
typedef struct pp_cuda_function *CUfunction;
typedef struct pp_cuda_stream *CUstream;
typedef struct pp_cuda_event *CUevent;

/* The results that a call may answer: name, number, and what it means for the
 * device: USABLE: the call failed, the device did not; LOST: its context takes
 * no more work. */
#define PP_CUDA_RESULTS(X)                                                     \
  X(CUDA_SUCCESS, 0, USABLE)                                                   \
  X(CUDA_ERROR_INVALID_VALUE, 1, USABLE)                                       \
  X(CUDA_ERROR_OUT_OF_MEMORY, 2, USABLE)                                       \
  X(CUDA_ERROR_NOT_INITIALIZED, 3, USABLE)                                     \
  X(CUDA_ERROR_DEINITIALIZED, 4, LOST)                                         \
  X(CUDA_ERROR_STUB_LIBRARY, 34, USABLE)                                       \
  X(CUDA_ERROR_DEVICE_UNAVAILABLE, 46, USABLE)                                 \
  X(CUDA_ERROR_NO_DEVICE, 100, USABLE)                                         \
  X(CUDA_ERROR_INVALID_DEVICE, 101, USABLE)                                    \
  X(CUDA_ERROR_INVALID_IMAGE, 200, USABLE)                                     \
  X(CUDA_ERROR_INVALID_CONTEXT, 201, USABLE)                                   \
  X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209, USABLE)                                 \
  X(CUDA_ERROR_ECC_UNCORRECTABLE, 214, LOST)                                   \
  X(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217, USABLE)                           \
  X(CUDA_ERROR_INVALID_PTX, 218, USABLE)                                       \
  X(CUDA_ERROR_NVLINK_UNCORRECTABLE, 220, LOST)                                \
  X(CUDA_ERROR_JIT_COMPILER_NOT_FOUND, 221, USABLE)                            \
  X(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, 222, USABLE)                           \
  X(CUDA_ERROR_JIT_COMPILATION_DISABLED, 223, USABLE)                          \
  X(CUDA_ERROR_CONTAINED, 226, LOST)                                           \
  X(CUDA_ERROR_OPERATING_SYSTEM, 304, USABLE)                                  \
  X(CUDA_ERROR_INVALID_HANDLE, 400, USABLE)                                    \
  X(CUDA_ERROR_ILLEGAL_STATE, 401, USABLE)                                     \
  X(CUDA_ERROR_NOT_FOUND, 500, USABLE)                                         \
  X(CUDA_ERROR_NOT_READY, 600, USABLE)                                         \
  X(CUDA_ERROR_ILLEGAL_ADDRESS, 700, LOST)                                     \
  X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701, USABLE)                           \
  X(CUDA_ERROR_LAUNCH_TIMEOUT, 702, LOST)                                      \
  X(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704, USABLE)                       \
  X(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705, USABLE)                           \
  X(CUDA_ERROR_CONTEXT_IS_DESTROYED, 709, LOST)                                \
  X(CUDA_ERROR_ASSERT, 710, LOST)                                              \
  X(CUDA_ERROR_TOO_MANY_PEERS, 711, USABLE)                                    \
  X(CUDA_ERROR_HARDWARE_STACK_ERROR, 714, LOST)                                \
  X(CUDA_ERROR_ILLEGAL_INSTRUCTION, 715, LOST)                                 \
  X(CUDA_ERROR_MISALIGNED_ADDRESS, 716, LOST)                                  \
  X(CUDA_ERROR_INVALID_ADDRESS_SPACE, 717, LOST)                               \
  X(CUDA_ERROR_INVALID_PC, 718, LOST)                                          \
  X(CUDA_ERROR_LAUNCH_FAILED, 719, LOST)                                       \
  X(CUDA_ERROR_TENSOR_MEMORY_LEAK, 721, LOST)                                  \
  X(CUDA_ERROR_NOT_PERMITTED, 800, USABLE)                                     \
  X(CUDA_ERROR_NOT_SUPPORTED, 801, USABLE)                                     \
  X(CUDA_ERROR_SYSTEM_NOT_READY, 802, USABLE)                                  \
  X(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, 803, USABLE)                            \
  X(CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, 804, USABLE)                    \
  X(CUDA_ERROR_MPS_CLIENT_TERMINATED, 809, LOST)                               \
  X(CUDA_ERROR_EXTERNAL_DEVICE, 911, LOST)                                     \
  X(CUDA_ERROR_UNKNOWN, 999, LOST)

enum {
#define PP_CUDA_RESULT_ENUM(NAME, number, means) NAME = (number),
  PP_CUDA_RESULTS(PP_CUDA_RESULT_ENUM)
#undef PP_CUDA_RESULT_ENUM
};

/* What else is a number. */
enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_STREAM_NON_BLOCKING = 1,
  CU_EVENT_DISABLE_TIMING = 2,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
};

/* Every call: the symbol as the library exports it, and its parameters. All
 * answer a CUresult. Of a JIT option's value, void *, a buffer is the pointer
 * and a size the number itself. */
/* clang-format off */
#define PP_CUDA_CALLS(X)                                                       \
  X(cuInit, (unsigned flags))                                                  \
  X(cuDriverGetVersion, (int *version))                                        \
  X(cuGetErrorName, (CUresult result, const char **name))                      \
  X(cuGetErrorString, (CUresult result, const char **text))                    \
  X(cuDeviceGetCount, (int *count))                                            \
  X(cuDeviceGet, (CUdevice *device, int ordinal))                              \
  X(cuDeviceGetName, (char *name, int bytes, CUdevice device))                 \
  X(cuDeviceTotalMem_v2, (size_t *bytes, CUdevice device))                     \
  X(cuDeviceGetAttribute,                                                      \
    (int *value, CUdevice_attribute attribute, CUdevice device))               \
  X(cuDeviceCanAccessPeer, (int *can, CUdevice device, CUdevice peer))         \
  X(cuDevicePrimaryCtxRetain, (CUcontext *context, CUdevice device))           \
  X(cuDevicePrimaryCtxRelease_v2, (CUdevice device))                           \
  X(cuCtxPushCurrent_v2, (CUcontext context))                                  \
  X(cuCtxPopCurrent_v2, (CUcontext *context))                                  \
  X(cuCtxEnablePeerAccess, (CUcontext peer, unsigned flags))                   \
  X(cuMemAlloc_v2, (CUdeviceptr *address, size_t bytes))                       \
  X(cuMemFree_v2, (CUdeviceptr address))                                       \
  X(cuMemsetD8Async,                                                           \
    (CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream))      \
  X(cuMemcpyHtoDAsync_v2,                                                      \
    (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))         \
  X(cuMemcpyDtoHAsync_v2,                                                      \
    (void *to, CUdeviceptr from, size_t bytes, CUstream stream))               \
  X(cuMemcpyDtoDAsync_v2,                                                      \
    (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))         \
  X(cuMemcpyPeerAsync,                                                         \
    (CUdeviceptr to, CUcontext to_context, CUdeviceptr from,                   \
     CUcontext from_context, size_t bytes, CUstream stream))                   \
  X(cuStreamCreate, (CUstream *stream, unsigned flags))                        \
  X(cuStreamSynchronize, (CUstream stream))                                    \
  X(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))       \
  X(cuStreamDestroy_v2, (CUstream stream))                                     \
  X(cuEventCreate, (CUevent *event, unsigned flags))                           \
  X(cuEventRecord, (CUevent event, CUstream stream))                           \
  X(cuEventDestroy_v2, (CUevent event))                                        \
  X(cuModuleLoadDataEx,                                                        \
    (CUmodule *module, const void *image, unsigned options,                    \
     CUjit_option *option, void **value))                                      \
  X(cuModuleGetFunction,                                                       \
    (CUfunction *function, CUmodule module, const char *name))                 \
  X(cuModuleUnload, (CUmodule module))                                         \
  X(cuLaunchKernel,                                                            \
    (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,   \
     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,    \
     CUstream stream, void **parameter, void **extra))
/* clang-format on */

/* The library, open, and where each call is in it. */
typedef struct pp_cuda_driver {
  void *library;
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a list of parameters */
#define PP_CUDA_POINTER(name, parameters) CUresult(*(name)) parameters;
  PP_CUDA_CALLS(PP_CUDA_POINTER)
#undef PP_CUDA_POINTER
} pp_cuda_driver;

#endif
