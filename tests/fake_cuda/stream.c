/* poolproof: the fake driver's streams: work in order, at once or as late as
 * may be.  SPDX-License-Identifier: MIT */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

CUstream fake_find_stream(CUcontext context,
                          const struct pp_cuda_stream *stream) {
  if (stream == NULL) return &context->legacy;
  for (CUstream s = context->stream; s != NULL; s = s->next)
    if (s == stream) return s;
  return NULL;
}

/* Nothing runs on a context that is lost: its work is dropped. */
void fake_run_stream(CUstream stream, uint64_t ticket) {
  while (stream->done < ticket && stream->done < stream->called) {
    const fake_work work = stream->work[stream->first++];
    stream->done++;
    const int result =
        stream->context->lost != 0 ? 0 : fake_work_run(&work, stream);
    free(work.staged);
    if (result != 0) stream->context->lost = result;
  }
}

/* But those that need not wait for the stream NULL. */
static void run_streams(CUcontext context, bool all) {
  for (CUstream s = context->stream; s != NULL; s = s->next)
    if (all || s->blocking) fake_run_stream(s, UINT64_MAX);
}

void fake_run_context(CUcontext context) {
  run_streams(context, true);
  fake_run_stream(&context->legacy, UINT64_MAX);
}

/* Room for one more; what has run makes room first. */
static bool make_room(CUstream stream) {
  const size_t count = (size_t)(stream->called - stream->done);
  if (stream->first > 0 && stream->first >= count) {
    if (count > 0)
      memmove(stream->work, stream->work + stream->first,
              count * sizeof *stream->work);
    stream->first = 0;
  }
  if (stream->first + count < stream->room) return true;
  const size_t room = stream->room == 0 ? 16 : 2 * stream->room;
  fake_work *work = realloc(stream->work, room * sizeof *work);
  if (work == NULL) return false;
  stream->work = work;
  stream->room = room;
  return true;
}

int fake_enqueue(CUstream stream, fake_work work) {
  const bool legacy = stream == &stream->context->legacy;
  if (!make_room(stream)) {
    free(work.staged);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  if (legacy) run_streams(stream->context, false);
  stream->work[stream->first + (size_t)(stream->called - stream->done)] = work;
  stream->called++;
  if (legacy || !fake.lazy) fake_run_stream(stream, UINT64_MAX);
  return 0;
}

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuStreamCreate, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (stream == NULL || (flags & ~(unsigned)CU_STREAM_NON_BLOCKING) != 0)
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  CUstream made = calloc(1, sizeof *made);
  if (made == NULL) return fake_end(CUDA_ERROR_OUT_OF_MEMORY);
  made->context = context;
  made->number = ++fake.streams;
  made->blocking = flags != CU_STREAM_NON_BLOCKING;
  made->next = context->stream;
  context->stream = made;
  *stream = made;
  return fake_end(0);
}

CUresult cuStreamSynchronize(CUstream stream) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuStreamSynchronize, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  CUstream own = fake_find_stream(context, stream);
  if (own == NULL) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  if (stream == NULL) run_streams(context, false);
  fake_run_stream(own, UINT64_MAX);
  return fake_end(context->lost);
}

static void free_stream(CUstream stream) {
  const size_t count = (size_t)(stream->called - stream->done);
  for (size_t w = 0; w < count; w++)
    free(stream->work[stream->first + w].staged);
  free(stream->work);
  stream->work = NULL;
  stream->done = stream->called;
  stream->room = 0;
  stream->first = 0;
}

/* Its work is done first. */
CUresult cuStreamDestroy_v2(CUstream stream) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuStreamDestroy_v2, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (stream == NULL || fake_find_stream(context, stream) == NULL)
    return fake_end(CUDA_ERROR_INVALID_HANDLE);
  fake_run_stream(stream, UINT64_MAX);
  CUstream *link = &context->stream;
  while (*link != stream)
    link = &(*link)->next;
  *link = stream->next;
  free_stream(stream);
  free(stream);
  return fake_end(0);
}

void fake_free_streams(CUcontext context) {
  while (context->stream != NULL) {
    CUstream stream = context->stream;
    context->stream = stream->next;
    free_stream(stream);
    free(stream);
  }
  free_stream(&context->legacy);
}
