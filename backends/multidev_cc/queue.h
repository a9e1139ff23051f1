/* poolproof: the queues of the multidev_cc backend, a worker thread each.
 *
 * A worker starts with its device's first work and is joined when the process
 * exits; a queue that was started on one side of a fork is not to be used on
 * the other. SPDX-License-Identifier: MIT */
#ifndef PP_QUEUE_H
#define PP_QUEUE_H

#include "cc/host.h"

enum {
  PP_QUEUES = 4,
  PP_QUEUED = 256 /* jobs that a queue holds; whoever adds one more waits */
};

typedef enum pp_job_kind {
  PP_JOB_SET,
  PP_JOB_COPY,  /* also from host memory, which the job then holds */
  PP_JOB_FETCH, /* a copy from another device, once that waits */
  PP_JOB_WAIT,  /* waits for the fetch */
  PP_JOB_RUN
} pp_job_kind;

/* What a fetch and its wait know of each other, under the queues' lock.
 * left  which of the two still refer to it */
typedef struct pp_meeting {
  size_t to, from;
  bool ready, done, failed;
  unsigned left;
} pp_meeting;

/* One piece of work. operand: the kernel's, or host bytes to copy. */
typedef struct pp_job {
  struct pp_job *next;
  pp_job_kind kind;
  uint8_t value;
  unsigned char *to;
  const unsigned char *from;
  uint64_t bytes;
  pp_meeting *meeting;
  pp_host_kernel *kernel;
  pp_operand operand[];
} pp_job;

/* PP_NO_DEVICE: there is no such queue; PP_DEVICE_LOST. */
pp_status pp_queue_state(size_t device);

/* A job with `extra` bytes at operand, or NULL without memory. */
pp_job *pp_job_new(pp_job_kind kind, size_t extra);

/* Adds the job and takes it in any case. PP_DEVICE_LOST, or PP_NO_MEMORY when
 * the worker cannot be started. A job that fails when it runs loses the
 * device: what is queued is dropped. */
pp_status pp_queue_add(size_t device, pp_job *job);

/* Adds a fetch to the queue of one device and its wait to another's, both at
 * one moment, so that no two devices ever wait for each other. Takes the
 * job. The meeting is made here. A device that fetches from one that was lost
 * before is lost. */
pp_status pp_queue_add_fetch(size_t to, size_t from, pp_job *fetch);

/* Waits until all jobs of the queue are done, and does those itself that the
 * worker has not begun: small sets and copies do not wake it.
 * PP_DEVICE_LOST. */
pp_status pp_queue_await(size_t device);

#endif
