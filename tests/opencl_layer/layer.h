/* poolproof: a layer of the OpenCL loader that fails calls on demand, counts
 * what is alive and hides what a device has. For tests.
 *
 *   OPENCL_LAYERS=.../libpp_opencl_layer.so  the loader puts it on top
 *   FAIL_OPENCL=clCreateBuffer:3:-4,...      function, which call, code
 *   HIDE_OPENCL=doubles,address_bits=32,...  see pp_layer_hide
 *
 * A test program dlopens the same file and takes the functions below from it;
 * until a call came through the loader they answer 0. Thread-safe.
 * SPDX-License-Identifier: MIT */
#ifndef PP_OPENCL_LAYER_H
#define PP_OPENCL_LAYER_H

#include <stdbool.h>
#include <stdint.h>

/* Every function of OpenCL that the layer stands before: the only ones that
 * a fault may name, besides "work". */
#define PP_LAYER_CALLS(X)                                                      \
  X(clGetPlatformIDs)                                                          \
  X(clGetPlatformInfo)                                                         \
  X(clGetDeviceIDs)                                                            \
  X(clGetDeviceInfo)                                                           \
  X(clRetainDevice)                                                            \
  X(clReleaseDevice)                                                           \
  X(clCreateContext)                                                           \
  X(clRetainContext)                                                           \
  X(clReleaseContext)                                                          \
  X(clGetContextInfo)                                                          \
  X(clCreateCommandQueue)                                                      \
  X(clCreateCommandQueueWithProperties)                                        \
  X(clRetainCommandQueue)                                                      \
  X(clReleaseCommandQueue)                                                     \
  X(clCreateBuffer)                                                            \
  X(clCreateSubBuffer)                                                         \
  X(clRetainMemObject)                                                         \
  X(clReleaseMemObject)                                                        \
  X(clCreateProgramWithSource)                                                 \
  X(clCreateProgramWithBinary)                                                 \
  X(clRetainProgram)                                                           \
  X(clReleaseProgram)                                                          \
  X(clBuildProgram)                                                            \
  X(clGetProgramInfo)                                                          \
  X(clGetProgramBuildInfo)                                                     \
  X(clCreateKernel)                                                            \
  X(clRetainKernel)                                                            \
  X(clReleaseKernel)                                                           \
  X(clSetKernelArg)                                                            \
  X(clGetKernelWorkGroupInfo)                                                  \
  X(clCreateUserEvent)                                                         \
  X(clRetainEvent)                                                             \
  X(clReleaseEvent)                                                            \
  X(clGetEventInfo)                                                            \
  X(clWaitForEvents)                                                           \
  X(clSetEventCallback)                                                        \
  X(clFlush)                                                                   \
  X(clFinish)                                                                  \
  X(clEnqueueReadBuffer)                                                       \
  X(clEnqueueWriteBuffer)                                                      \
  X(clEnqueueCopyBuffer)                                                       \
  X(clEnqueueFillBuffer)                                                       \
  X(clEnqueueMapBuffer)                                                        \
  X(clEnqueueUnmapMemObject)                                                   \
  X(clEnqueueMigrateMemObjects)                                                \
  X(clEnqueueMarkerWithWaitList)                                               \
  X(clEnqueueBarrierWithWaitList)                                              \
  X(clEnqueueNDRangeKernel)

/* The references that a program holds: made and retained, not yet released. */
typedef struct pp_layer_counts {
  int64_t contexts;
  int64_t queues;
  int64_t buffers;
  int64_t programs;
  int64_t kernels;
  int64_t events;
} pp_layer_counts;

enum { PP_LAYER_FAULTS = 16 };

/* The nth call (from 1, counted since pp_layer_forget) of a function answers
 * code, below 0, and does nothing. name "work": the nth command that is
 * enqueued on any queue is accepted, but never done and ends with code; so do,
 * with CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, all later ones of that
 * queue, and its blocking reads and writes answer that. False: no such name,
 * or more than PP_LAYER_FAULTS. */
typedef bool pp_layer_fail_fn(const char *name, uint64_t nth, int32_t code);

/* No fault is armed, queues are whole again and all counters but the live
 * ones are 0. */
typedef void pp_layer_forget_fn(void);

/* Calls of the function since then, failed ones included; "work": commands. */
typedef uint64_t pp_layer_calls_fn(const char *name);

/* How many faults have struck. */
typedef uint64_t pp_layer_struck_fn(void);

typedef void pp_layer_live_fn(pp_layer_counts *counts);

/* What devices say from now on, a list with commas; "" or NULL nothing else
 * than they do. False: a word is unknown.
 * doubles             there are none
 * max_alloc=BYTES     of one buffer at most; larger ones are refused
 * address_bits=BITS   of a device's pointers
 * align_bits=BITS     what a buffer's base is a multiple of, in bits
 * platform            the devices of the first platform cannot be listed
 * busy                devices are there, but not available
 * compiler            devices have no compiler
 * rounding            no correctly rounded division of floats
 * fresh               nothing is hidden, but fresh buffers hold bytes of 0xff
 * parts               nothing is hidden, but what writes a part of a buffer
 *                     reads all of it first and writes all of it: oclgrind
 *                     takes all other bytes for never written otherwise */
typedef bool pp_layer_hide_fn(const char *what);

/* The names to look up in the layer. */
#define PP_LAYER_FUNCTIONS(X)                                                  \
  X(pp_layer_fail)                                                             \
  X(pp_layer_forget)                                                           \
  X(pp_layer_calls)                                                            \
  X(pp_layer_struck)                                                           \
  X(pp_layer_live)                                                             \
  X(pp_layer_hide)

#endif
