/* poolproof: OpenCL devices: what was found, and one at work.
 *
 * Functions on a device are for one thread at a time; two devices share
 * nothing that changes. SPDX-License-Identifier: MIT */
#ifndef PP_CL_DEVICE_H
#define PP_CL_DEVICE_H

#include "note.h"
#include "opencl/library.h"

#include <poolproof/backend.h>

enum {
  PP_CL_EVENTS = 64,   /* pieces of work in flight; one more waits for them */
  PP_CL_CPU_TILE = 64, /* lanes; at most PP_LONG_ROW */
  PP_CL_CPU_LOCAL = 1, /* work items of a group */
  PP_CL_LOCAL = 64,
  PP_CL_CPU_GROUPS = 4, /* groups for each compute unit, at most */
  PP_CL_GROUPS = 32
};

struct pp_cl_kernel;

/* platform   its index in the survey
 * why        empty; or why it is left out or, later, lost
 * cpu        its work items are a processor's
 * context .. kernel
 *            made when first needed, kept for the process; NULL until then
 * local      work items of a group, always the same
 * event      of the work called for since the device was last idle
 * discarded  kernels whose buffers the driver did not take back yet */
typedef struct pp_cl_device {
  const pp_cl *cl;
  size_t platform;
  cl_device_id id;
  char why[PP_NOTE];
  pp_limits limits;
  bool cpu, lost;
  cl_uint units;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  cl_kernel kernel;
  size_t local;
  cl_event event[PP_CL_EVENTS];
  size_t events;
  struct pp_cl_kernel *discarded;
} pp_cl_device;

/* A pool's buffer; a pp_slab's handle is one. */
typedef struct pp_cl_slab {
  const pp_cl_device *device;
  cl_mem buffer;
  uint64_t size;
} pp_cl_slab;

/* How many devices are usable, the same ones for the process once there is
 * one. PP_NO_DEVICE with a note; PP_NO_MEMORY; nothing is kept of either.
 * Thread-safe. */
pp_status pp_cl_devices(size_t *count);

/* The device of that ordinal, or NULL. Thread-safe. */
pp_cl_device *pp_cl_device_at(size_t ordinal);

/* The backend's examine. */
void pp_cl_examine(pp_backend *backend, pp_say say, void *state);

/* The answer for a call of the driver that failed, noted. What says that the
 * queue or its earlier work is broken loses the device. */
pp_status pp_cl_refused(pp_cl_device *device, const char *call, cl_int error);

/* PP_NO_MEMORY, noted: the process's own. */
pp_status pp_cl_no_memory(void);

/* PP_DEVICE_LOST, with the first reason noted. */
pp_status pp_cl_state(const pp_cl_device *device);

/* Makes context and queue, or all that kernels need. PP_DEVICE_LOST,
 * PP_NO_MEMORY, PP_BACKEND_FAILED; what was made before the failure is used
 * by the next try. */
pp_status pp_cl_open(pp_cl_device *device);
pp_status pp_cl_build(pp_cl_device *device);

/* Waits until the device is idle. Work that failed loses it. */
pp_status pp_cl_settle(pp_cl_device *device);

/* Opens the device and finds a place for the event of one more piece of work,
 * which counts once pp_cl_enqueued was called. */
pp_status pp_cl_event(pp_cl_device *device, cl_event **event);
pp_status pp_cl_enqueued(pp_cl_device *device, const char *call, cl_int error);

/* The slab, if it is the device's and has that range inside; else NULL, with
 * a note. */
const pp_cl_slab *pp_cl_range(const pp_cl_device *device, pp_slab slab,
                              uint64_t offset, uint64_t bytes);

/* Gives buffers of discarded kernels to the driver again. */
void pp_cl_sweep(pp_cl_device *device);

/* compile, discard and launch of the table. */
pp_status pp_cl_compile(pp_cl_device *device, const struct pp_code *code,
                        void **kernel);
void pp_cl_discard(pp_cl_device *device, struct pp_cl_kernel *kernel);
pp_status pp_cl_launch(pp_cl_device *device, const struct pp_cl_kernel *kernel,
                       const pp_operand *operand, size_t operands);

#endif
