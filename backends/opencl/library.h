/* poolproof: libOpenCL.so.1, found at run time, and its errors' names.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CL_LIBRARY_H
#define PP_CL_LIBRARY_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>

/* The functions in use, without the prefix that all names have. */
#define PP_CL_FUNCTIONS(X)                                                     \
  X(GetPlatformIDs)                                                            \
  X(GetPlatformInfo)                                                           \
  X(GetDeviceIDs)                                                              \
  X(GetDeviceInfo)                                                             \
  X(CreateContext)                                                             \
  X(CreateCommandQueue)                                                        \
  X(CreateBuffer)                                                              \
  X(ReleaseMemObject)                                                          \
  X(CreateProgramWithSource)                                                   \
  X(BuildProgram)                                                              \
  X(GetProgramBuildInfo)                                                       \
  X(ReleaseProgram)                                                            \
  X(CreateKernel)                                                              \
  X(ReleaseKernel)                                                             \
  X(GetKernelWorkGroupInfo)                                                    \
  X(SetKernelArg)                                                              \
  X(EnqueueFillBuffer)                                                         \
  X(EnqueueWriteBuffer)                                                        \
  X(EnqueueReadBuffer)                                                         \
  X(EnqueueCopyBuffer)                                                         \
  X(EnqueueNDRangeKernel)                                                      \
  X(Flush)                                                                     \
  X(Finish)                                                                    \
  X(GetEventInfo)                                                              \
  X(ReleaseEvent)

typedef struct pp_cl {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): declares the name */
#define PP_CL_MEMBER(Name) __typeof__(cl##Name) *Name;
  PP_CL_FUNCTIONS(PP_CL_MEMBER)
#undef PP_CL_MEMBER
} pp_cl;

/* The ICD loader's answer when no platform is registered. */
enum { PP_CL_NO_PLATFORM = -1001 };

/* The library, opened once and then left open; what failed is tried again.
 * NULL: `why`, of `room` bytes, says what is missing. Not thread-safe. */
const pp_cl *pp_cl_load(char *why, size_t room);

/* Writes "clFinish: CL_OUT_OF_RESOURCES", cut to `room` bytes. */
void pp_cl_describe(char *text, size_t room, const char *call, cl_int error);

#endif
