/* poolproof: the fake driver's copies: checked, then a stream's work.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

/* What is not inside one live allocation is refused at once. */
static bool inside(CUcontext context, uint64_t address, uint64_t bytes) {
  return bytes == 0 || fake_find(context, address, bytes) != NULL;
}

static int put(CUcontext context, CUstream stream, fake_work work) {
  CUstream own = fake_find_stream(context, stream);
  if (own == NULL) {
    free(work.staged);
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (work.bytes == 0) {
    free(work.staged);
    return 0;
  }
  return fake_enqueue(own, work);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes,
                         CUstream stream) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuMemsetD8Async, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (!inside(context, to, bytes)) return fake_end(CUDA_ERROR_INVALID_VALUE);
  return fake_end(put(
      context, stream,
      (fake_work){
          .kind = FAKE_WORK_SET, .to = to, .bytes = bytes, .value = value}));
}

/* The host's bytes are taken at the call, as from memory that is not pinned. */
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes,
                              CUstream stream) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuMemcpyHtoDAsync_v2, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (!inside(context, to, bytes) || (from == NULL && bytes > 0))
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  fake_work work = {.kind = FAKE_WORK_TO_DEVICE, .to = to, .bytes = bytes};
  if (bytes > 0) {
    work.staged = malloc(bytes);
    if (work.staged == NULL) return fake_end(CUDA_ERROR_OUT_OF_MEMORY);
    memcpy(work.staged, from, bytes);
  }
  return fake_end(put(context, stream, work));
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes,
                              CUstream stream) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuMemcpyDtoHAsync_v2, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (!inside(context, from, bytes) || (to == NULL && bytes > 0))
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  return fake_end(put(context, stream,
                      (fake_work){.kind = FAKE_WORK_TO_HOST,
                                  .host = to,
                                  .from = from,
                                  .bytes = bytes}));
}

static bool overlap(uint64_t a, uint64_t b, uint64_t bytes) {
  return a < b ? b - a < bytes : a - b < bytes;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes,
                              CUstream stream) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuMemcpyDtoDAsync_v2, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (!inside(context, to, bytes) || !inside(context, from, bytes) ||
      overlap(to, from, bytes))
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  return fake_end(put(context, stream,
                      (fake_work){.kind = FAKE_WORK_COPY,
                                  .to = to,
                                  .from = from,
                                  .bytes = bytes,
                                  .to_context = context,
                                  .from_context = context}));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context,
                           CUdeviceptr from, CUcontext from_context,
                           size_t bytes, CUstream stream) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuMemcpyPeerAsync, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (!fake_is_context(to_context) || !fake_is_context(from_context))
    return fake_end(CUDA_ERROR_INVALID_CONTEXT);
  if (!inside(to_context, to, bytes) || !inside(from_context, from, bytes) ||
      overlap(to, from, bytes))
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (fake.peer == FAKE_PEER_REFUSE)
    return fake_end(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  return fake_end(put(context, stream,
                      (fake_work){.kind = FAKE_WORK_COPY,
                                  .to = to,
                                  .from = from,
                                  .bytes = bytes,
                                  .to_context = to_context,
                                  .from_context = from_context,
                                  .corrupt = fake.peer == FAKE_PEER_CORRUPT &&
                                             to_context != from_context}));
}
