/* poolproof: the fake driver's events: order across streams.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include <stdlib.h>

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuEventCreate, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (event == NULL || (flags & ~(unsigned)CU_EVENT_DISABLE_TIMING) != 0)
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  CUevent made = calloc(1, sizeof *made);
  if (made == NULL) return fake_end(CUDA_ERROR_OUT_OF_MEMORY);
  made->context = context;
  made->next = context->event;
  context->event = made;
  *event = made;
  return fake_end(0);
}

static bool is_event(CUcontext context, const struct pp_cuda_event *event) {
  for (CUevent e = context->event; e != NULL; e = e->next)
    if (e == event) return true;
  return false;
}

/* Event and stream are of one context. */
CUresult cuEventRecord(CUevent event, CUstream stream) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuEventRecord, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  CUstream own = fake_find_stream(context, stream);
  if (own == NULL || !is_event(context, event))
    return fake_end(CUDA_ERROR_INVALID_HANDLE);
  event->stream = own->number;
  event->ticket = own->called;
  return fake_end(0);
}

/* The event may be another context's; one never recorded is waited for in no
 * time. */
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  CUcontext context = NULL;
  bool known = false;
  int result = fake_begin(FAKE_cuStreamWaitEvent, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  CUstream own = fake_find_stream(context, stream);
  for (int d = 0; d < fake.devices; d++)
    known = known || is_event(&fake.context[d], event);
  if (own == NULL || !known) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  if (flags != 0) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (event->stream == 0) return fake_end(0);
  return fake_end(fake_enqueue(own, (fake_work){.kind = FAKE_WORK_WAIT,
                                                .other = event->stream,
                                                .ticket = event->ticket}));
}

CUresult cuEventDestroy_v2(CUevent event) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuEventDestroy_v2, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (!is_event(context, event)) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  CUevent *link = &context->event;
  while (*link != event)
    link = &(*link)->next;
  *link = event->next;
  free(event);
  return fake_end(0);
}

void fake_free_events(CUcontext context) {
  while (context->event != NULL) {
    CUevent event = context->event;
    context->event = event->next;
    free(event);
  }
}
