/* poolproof: the OpenCL layer's faults and counters.
 * SPDX-License-Identifier: MIT */
#include "layer_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BROKEN = 4096 };

typedef struct fault {
  pp_layer_call call;
  uint64_t nth;
  cl_int code;
} fault;

static struct {
  pthread_mutex_t lock;
  uint64_t calls[PP_LAYER_CALL_COUNT];
  int64_t live[PP_LAYER_KINDS];
  uint64_t struck;
  size_t faults;
  fault fault[PP_LAYER_FAULTS];
  size_t broken;
  pp_layer_broken broke[BROKEN];
} layer = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *const names[PP_LAYER_CALL_COUNT] = {
#define PP_LAYER_NAME(name) #name,
    PP_LAYER_CALLS(PP_LAYER_NAME)
#undef PP_LAYER_NAME
        "work"};

/* The functions that the test takes out of this file. */
#define PP_LAYER_DECLARE(name)                                                 \
  __attribute__((visibility("default"))) name##_fn name;
PP_LAYER_FUNCTIONS(PP_LAYER_DECLARE)
#undef PP_LAYER_DECLARE

static unsigned parse(const char *name) {
  unsigned call = 0;
  while (call < PP_LAYER_CALL_COUNT && strcmp(names[call], name) != 0)
    call++;
  return call;
}

bool pp_layer_fail(const char *name, uint64_t nth, int32_t code) {
  unsigned call = parse(name);
  bool good = call < PP_LAYER_CALL_COUNT && code < 0 && nth > 0;
  pthread_mutex_lock(&layer.lock);
  good = good && layer.faults < PP_LAYER_FAULTS;
  if (good)
    layer.fault[layer.faults++] = (fault){(pp_layer_call)call, nth, code};
  pthread_mutex_unlock(&layer.lock);
  return good;
}

void pp_layer_forget(void) {
  pthread_mutex_lock(&layer.lock);
  memset(layer.calls, 0, sizeof layer.calls);
  layer.struck = 0;
  layer.faults = 0;
  layer.broken = 0;
  pthread_mutex_unlock(&layer.lock);
}

uint64_t pp_layer_calls(const char *name) {
  unsigned call = parse(name);
  if (call == PP_LAYER_CALL_COUNT) return 0;
  pthread_mutex_lock(&layer.lock);
  uint64_t calls = layer.calls[call];
  pthread_mutex_unlock(&layer.lock);
  return calls;
}

uint64_t pp_layer_struck(void) {
  pthread_mutex_lock(&layer.lock);
  uint64_t struck = layer.struck;
  pthread_mutex_unlock(&layer.lock);
  return struck;
}

void pp_layer_live(pp_layer_counts *counts) {
  pthread_mutex_lock(&layer.lock);
  counts->contexts = layer.live[PP_LAYER_CONTEXT];
  counts->queues = layer.live[PP_LAYER_QUEUE];
  counts->buffers = layer.live[PP_LAYER_BUFFER];
  counts->programs = layer.live[PP_LAYER_PROGRAM];
  counts->kernels = layer.live[PP_LAYER_KERNEL];
  counts->events = layer.live[PP_LAYER_EVENT];
  pthread_mutex_unlock(&layer.lock);
}

void pp_layer_hold(pp_layer_kind kind, int64_t by) {
  pthread_mutex_lock(&layer.lock);
  layer.live[kind] += by;
  pthread_mutex_unlock(&layer.lock);
}

static cl_int strike_locked(pp_layer_call call) {
  layer.calls[call]++;
  for (size_t k = 0; k < layer.faults; k++) {
    if (layer.fault[k].call != call) continue;
    if (layer.fault[k].nth != layer.calls[call]) continue;
    layer.struck++;
    return layer.fault[k].code;
  }
  return CL_SUCCESS;
}

cl_int pp_layer_strike(pp_layer_call call) {
  pthread_mutex_lock(&layer.lock);
  cl_int code = strike_locked(call);
  pthread_mutex_unlock(&layer.lock);
  return code;
}

cl_int pp_layer_work(cl_command_queue queue) {
  pthread_mutex_lock(&layer.lock);
  cl_int code = strike_locked(PP_LAYER_WORK);
  for (size_t k = 0; k < layer.broken && code == CL_SUCCESS; k++)
    if (layer.broke[k].queue == queue)
      code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  pthread_mutex_unlock(&layer.lock);
  return code;
}

void pp_layer_break(cl_command_queue queue, cl_event event, cl_int code) {
  pthread_mutex_lock(&layer.lock);
  if (layer.broken == BROKEN) {
    fputs("opencl layer: too many broken commands\n", stderr);
    abort();
  }
  layer.broke[layer.broken++] = (pp_layer_broken){queue, event, code};
  pthread_mutex_unlock(&layer.lock);
}

cl_int pp_layer_ended(cl_event event) {
  cl_int code = CL_SUCCESS;
  pthread_mutex_lock(&layer.lock);
  for (size_t k = 0; k < layer.broken; k++)
    if (event != NULL && layer.broke[k].event == event)
      code = layer.broke[k].code;
  pthread_mutex_unlock(&layer.lock);
  return code;
}

void pp_layer_mend(cl_event event) {
  pthread_mutex_lock(&layer.lock);
  for (size_t k = 0; k < layer.broken; k++)
    if (layer.broke[k].event == event) layer.broke[k].event = NULL;
  pthread_mutex_unlock(&layer.lock);
}

static void refuse(const char *variable, const char *word) {
  fprintf(stderr, "opencl layer: %s: \"%s\" is not understood\n", variable,
          word);
  abort();
}

/* NAME:NTH:CODE */
static bool arm(char *word) {
  char *nth = strchr(word, ':');
  char *code = nth != NULL ? strchr(nth + 1, ':') : NULL;
  if (code == NULL) return false;
  *nth = *code = '\0';
  return pp_layer_fail(word, strtoull(nth + 1, NULL, 10),
                       (int32_t)strtol(code + 1, NULL, 10));
}

void pp_layer_read_environment(void) {
  const char *faults = getenv("FAIL_OPENCL");
  const char *hidden = getenv("HIDE_OPENCL");
  char text[1024];
  char *rest = text;
  char *word;
  if (!pp_layer_hide(hidden)) refuse("HIDE_OPENCL", hidden);
  if (faults == NULL) return;
  if (strlen(faults) >= sizeof text) refuse("FAIL_OPENCL", "too long");
  (void)snprintf(text, sizeof text, "%s", faults);
  while ((word = strsep(&rest, ",")) != NULL)
    if (word[0] != '\0' && !arm(word)) refuse("FAIL_OPENCL", word);
}
