/* poolproof: the fake driver's work when its turn comes.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include <string.h>

static int set(const fake_work *work, CUcontext context) {
  const fake_block *to = fake_find(context, work->to, work->bytes);
  if (to == NULL) return CUDA_ERROR_ILLEGAL_ADDRESS;
  memset(fake_bytes(to, work->to), work->value, work->bytes);
  fake_mark(to, work->to, work->bytes);
  return 0;
}

static int to_device(const fake_work *work, CUcontext context) {
  const fake_block *to = fake_find(context, work->to, work->bytes);
  if (to == NULL) return CUDA_ERROR_ILLEGAL_ADDRESS;
  memcpy(fake_bytes(to, work->to), work->staged, work->bytes);
  fake_mark(to, work->to, work->bytes);
  return 0;
}

static int to_host(const fake_work *work, CUcontext context) {
  const fake_block *from = fake_find(context, work->from, work->bytes);
  if (from == NULL) return CUDA_ERROR_ILLEGAL_ADDRESS;
  memcpy(work->host, fake_bytes(from, work->from), work->bytes);
  return 0;
}

static int copy(const fake_work *work) {
  const fake_block *to = fake_find(work->to_context, work->to, work->bytes);
  const fake_block *from =
      fake_find(work->from_context, work->from, work->bytes);
  if (to == NULL || from == NULL) return CUDA_ERROR_ILLEGAL_ADDRESS;
  unsigned char *bytes = fake_bytes(to, work->to);
  memcpy(bytes, fake_bytes(from, work->from), work->bytes);
  fake_copy_marks(to, work->to, from, work->from, work->bytes);
  for (uint64_t b = 0; work->corrupt && b < work->bytes; b += 64)
    bytes[b] ^= 1;
  return 0;
}

/* A module that went before its launch ran is the caller's error. */
static int launch(const fake_work *work, CUcontext context) {
  if (!fake_is_function(context, work->function))
    return CUDA_ERROR_LAUNCH_FAILED;
  return fake_ptx_run(work->function->module->ptx, work->function->entry,
                      work->staged, &work->shape, &context->memory,
                      &fake.tally);
}

/* A stream that is gone has done its work. */
static int wait_for(const fake_work *work) {
  for (int d = 0; d < fake.devices; d++) {
    CUcontext context = &fake.context[d];
    if (context->legacy.number == work->other)
      fake_run_stream(&context->legacy, work->ticket);
    for (CUstream s = context->stream; s != NULL; s = s->next)
      if (s->number == work->other) fake_run_stream(s, work->ticket);
  }
  return 0;
}

int fake_work_run(const fake_work *work, CUstream stream) {
  switch (work->kind) {
  case FAKE_WORK_SET:
    return set(work, stream->context);
  case FAKE_WORK_TO_DEVICE:
    return to_device(work, stream->context);
  case FAKE_WORK_TO_HOST:
    return to_host(work, stream->context);
  case FAKE_WORK_COPY:
    return copy(work);
  case FAKE_WORK_LAUNCH:
    return launch(work, stream->context);
  case FAKE_WORK_WAIT:
    return wait_for(work);
  }
  return CUDA_ERROR_UNKNOWN;
}
