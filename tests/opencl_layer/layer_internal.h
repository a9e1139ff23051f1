/* poolproof: what the OpenCL layer's files share.
 * SPDX-License-Identifier: MIT */
#ifndef PP_OPENCL_LAYER_INTERNAL_H
#define PP_OPENCL_LAYER_INTERNAL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_layer.h>

#include "layer.h"

typedef enum pp_layer_call {
#define PP_LAYER_ENUM(name) PP_LAYER_##name,
  PP_LAYER_CALLS(PP_LAYER_ENUM)
#undef PP_LAYER_ENUM
      PP_LAYER_WORK,
  PP_LAYER_CALL_COUNT
} pp_layer_call;

typedef enum pp_layer_kind {
  PP_LAYER_CONTEXT,
  PP_LAYER_QUEUE,
  PP_LAYER_BUFFER,
  PP_LAYER_PROGRAM,
  PP_LAYER_KERNEL,
  PP_LAYER_EVENT,
  PP_LAYER_KINDS
} pp_layer_kind;

/* The loader's or the next layer's functions. */
extern cl_icd_dispatch pp_layer_below;

/* Counts a call. CL_SUCCESS, or the code that it must answer. */
cl_int pp_layer_strike(pp_layer_call call);

/* The program holds `by` more references of a kind. */
void pp_layer_hold(pp_layer_kind kind, int64_t by);

/* A queue, the event of its command that was not done, and how that ended. */
typedef struct pp_layer_broken {
  cl_command_queue queue;
  cl_event event;
  cl_int code;
} pp_layer_broken;

/* Counts a command. CL_SUCCESS, or how the command must end. */
cl_int pp_layer_work(cl_command_queue queue);

/* Keeps what became of a command; the event may be NULL. */
void pp_layer_break(cl_command_queue queue, cl_event event, cl_int code);

/* How the event's command ended; CL_SUCCESS: as OpenCL says. */
cl_int pp_layer_ended(cl_event event);

/* The event is gone: its address may come again. */
void pp_layer_mend(cl_event event);

/* The layer's own answers about platforms and devices. */
cl_int CL_API_CALL pp_layer_clGetDeviceIDs(cl_platform_id platform,
                                           cl_device_type type, cl_uint room,
                                           cl_device_id *device,
                                           cl_uint *count);
cl_int CL_API_CALL pp_layer_clGetDeviceInfo(cl_device_id device,
                                            cl_device_info which, size_t room,
                                            void *value, size_t *size);
/* CL_SUCCESS, or what a buffer of so many bytes is refused with. */
cl_int pp_layer_too_large(size_t bytes);

/* Is "parts" hidden? "fresh"? */
bool pp_layer_writes_whole(void);
bool pp_layer_fills_fresh(void);

/* Writes the pattern, `size` bytes, to each such part of [offset, offset +
 * bytes) of the buffer, and all other bytes as they are; returns when it is
 * done. Errors of OpenCL. */
cl_int pp_layer_write_whole(cl_command_queue queue, cl_mem buffer,
                            const void *pattern, size_t size, size_t offset,
                            size_t bytes, cl_uint waits, const cl_event *wait,
                            cl_event *event);

/* FAIL_OPENCL and HIDE_OPENCL; a word that is not understood ends the
 * process: a test would pass without its fault. */
void pp_layer_read_environment(void);

#endif
