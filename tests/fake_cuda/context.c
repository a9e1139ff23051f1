/* poolproof: the fake driver's contexts, and what each call begins with.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include <string.h>

enum { STACK = 32 };

/* The calling thread's; the last one is current. MSan knows no other model's
 * memory in a library that is opened at run time. */
#define PP_EACH_THREAD _Thread_local __attribute__((tls_model("initial-exec")))
static PP_EACH_THREAD CUcontext stack[STACK];
static PP_EACH_THREAD size_t depth;

bool fake_is_context(CUcontext context) {
  for (int d = 0; d < fake.devices; d++)
    if (context == &fake.context[d]) return context->retained > 0;
  return false;
}

CUcontext fake_context_of(CUdevice device) {
  return device < 0 || device >= fake.devices ? NULL : &fake.context[device];
}

static int current(CUcontext *context) {
  if (depth == 0) return CUDA_ERROR_INVALID_CONTEXT;
  *context = stack[depth - 1];
  if (!fake_is_context(*context)) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  return (*context)->lost;
}

/* A failure that a test wants comes before all others. */
int fake_begin(fake_call_id call, fake_need need, CUcontext *context) {
  CUcontext now = NULL;
  (void)pthread_mutex_lock(&fake.lock);
  fake_configure();
  const int wanted = fake_count_call(call);
  const int found = current(&now);
  if (wanted != 0) {
    if (fake_is_lasting(wanted) && found == 0) now->lost = wanted;
    return wanted;
  }
  if (need == FAKE_ANYTIME) return 0;
  if (!fake.ready) return CUDA_ERROR_NOT_INITIALIZED;
  if (need == FAKE_INITIALISED) return 0;
  if (context != NULL) *context = now;
  return found;
}

int fake_end(int result) {
  (void)pthread_mutex_unlock(&fake.lock);
  return result;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  int result =
      fake_begin(FAKE_cuDevicePrimaryCtxRetain, FAKE_INITIALISED, NULL);
  if (result != 0) return fake_end(result);
  CUcontext own = fake_context_of(device);
  if (own == NULL) return fake_end(CUDA_ERROR_INVALID_DEVICE);
  if (context == NULL) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (own->retained++ == 0) {
    own->lost = 0;
    own->peers = 0;
    own->legacy = (struct pp_cuda_stream){
        .context = own, .number = ++fake.streams, .blocking = true};
  }
  *context = own;
  return fake_end(0);
}

/* The last release destroys what the context has. */
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  int result =
      fake_begin(FAKE_cuDevicePrimaryCtxRelease_v2, FAKE_INITIALISED, NULL);
  if (result != 0) return fake_end(result);
  CUcontext own = fake_context_of(device);
  if (own == NULL) return fake_end(CUDA_ERROR_INVALID_DEVICE);
  if (own->retained == 0) {
    fake.releases++;
    return fake_end(CUDA_ERROR_INVALID_CONTEXT);
  }
  if (--own->retained == 0) {
    fake_run_context(own);
    fake_free_streams(own);
    fake_free_events(own);
    fake_free_modules(own);
    fake_free_memory(own);
  }
  return fake_end(0);
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  int result = fake_begin(FAKE_cuCtxPushCurrent_v2, FAKE_INITIALISED, NULL);
  if (result != 0) return fake_end(result);
  if (!fake_is_context(context) || depth == STACK)
    return fake_end(CUDA_ERROR_INVALID_CONTEXT);
  stack[depth++] = context;
  return fake_end(0);
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  int result = fake_begin(FAKE_cuCtxPopCurrent_v2, FAKE_INITIALISED, NULL);
  if (result != 0) return fake_end(result);
  if (depth == 0) return fake_end(CUDA_ERROR_INVALID_CONTEXT);
  depth--;
  if (context != NULL) *context = stack[depth];
  return fake_end(0);
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  CUcontext own = NULL;
  int result = fake_begin(FAKE_cuCtxEnablePeerAccess, FAKE_CURRENT, &own);
  if (result != 0) return fake_end(result);
  if (flags != 0) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (!fake_is_context(peer) || peer == own)
    return fake_end(CUDA_ERROR_INVALID_CONTEXT);
  if (fake.peer == FAKE_PEER_NO)
    return fake_end(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  const uint32_t bit = 1u << peer->device;
  if ((own->peers & bit) != 0)
    return fake_end(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  own->peers |= bit;
  return fake_end(0);
}

int fake_cuda_current(void) {
  (void)pthread_mutex_lock(&fake.lock);
  const int device = depth == 0 ? -1 : stack[depth - 1]->device;
  (void)pthread_mutex_unlock(&fake.lock);
  return device;
}
