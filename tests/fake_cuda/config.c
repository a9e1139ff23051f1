/* poolproof: the fake driver's settings, and what it tells of itself.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fake_state fake = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t number_of(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text == NULL ? otherwise : strtoull(text, NULL, 0);
}

static bool is_set(const char *name, const char *value) {
  const char *text = getenv(name);
  return text != NULL && strcmp(text, value) == 0;
}

static int capability(void) {
  const char *text = getenv("FAKE_CUDA_CAPABILITY");
  char *end = NULL;
  if (text == NULL) return 90;
  const long major = strtol(text, &end, 10);
  return (int)(10 * major + (*end == '.' ? strtol(end + 1, NULL, 10) : 0));
}

static fake_peer peer(void) {
  if (is_set("FAKE_CUDA_PEER", "no")) return FAKE_PEER_NO;
  if (is_set("FAKE_CUDA_PEER", "refuse")) return FAKE_PEER_REFUSE;
  if (is_set("FAKE_CUDA_PEER", "corrupt")) return FAKE_PEER_CORRUPT;
  return FAKE_PEER_YES;
}

void fake_configure(void) {
  if (fake.configured) return;
  fake.configured = true;
  const uint64_t devices = number_of("FAKE_CUDA_DEVICES", 2);
  fake.devices = devices < FAKE_DEVICES ? (int)devices : FAKE_DEVICES;
  fake.memory = number_of("FAKE_CUDA_MEMORY", 1ull << 30);
  fake.version = (int)number_of("FAKE_CUDA_VERSION", 12040);
  fake.capability = capability();
  fake.init = (int)number_of("FAKE_CUDA_INIT", 0);
  fake.peer = peer();
  fake.lazy = is_set("FAKE_CUDA_LAZY", "1");
  fake.report = is_set("FAKE_CUDA_REPORT", "1");
  fake.tally.limit = number_of("FAKE_CUDA_LIMIT", 4000000000);
  fake.tally.strict = is_set("FAKE_CUDA_UNINITIALISED", "error");
  for (int d = 0; d < FAKE_DEVICES; d++) {
    fake.context[d].device = d;
    fake.context[d].memory.tag = FAKE_TAG + (uint64_t)d;
  }
  fake_read_faults(getenv("FAKE_CUDA_FAIL"));
}

static void count(const struct pp_cuda_context *context,
                  fake_cuda_counts *counts) {
  for (size_t e = 0; context->block != NULL && e < FAKE_ENTRIES; e++)
    if (context->block[e] != NULL && context->block[e]->first == e) {
      counts->allocations++;
      counts->bytes += context->block[e]->range.size;
    }
  for (CUmodule m = context->module; m != NULL; m = m->next)
    counts->modules++;
  for (CUevent e = context->event; e != NULL; e = e->next)
    counts->events++;
  for (CUstream s = context->stream; s != NULL; s = s->next) {
    counts->streams++;
    counts->queued += s->called - s->done;
  }
  counts->queued += context->legacy.called - context->legacy.done;
  counts->contexts += context->retained;
}

void fake_cuda_live(fake_cuda_counts *counts) {
  (void)pthread_mutex_lock(&fake.lock);
  *counts = (fake_cuda_counts){.releases = fake.releases};
  for (int d = 0; d < FAKE_DEVICES; d++)
    count(&fake.context[d], counts);
  (void)pthread_mutex_unlock(&fake.lock);
}

static uint64_t read_count(const uint64_t *at) {
  (void)pthread_mutex_lock(&fake.lock);
  const uint64_t value = *at;
  (void)pthread_mutex_unlock(&fake.lock);
  return value;
}

uint64_t fake_cuda_uninitialised(void) {
  return read_count(&fake.tally.uninitialised);
}

uint64_t fake_cuda_instructions(void) {
  return read_count(&fake.tally.instructions);
}

void fake_cuda_reset(void) {
  (void)pthread_mutex_lock(&fake.lock);
  fake_configure();
  fake_forget_faults();
  for (int d = 0; d < FAKE_DEVICES; d++)
    fake.context[d].lost = 0;
  (void)pthread_mutex_unlock(&fake.lock);
}

static void report(void) {
  fake_cuda_counts counts;
  fake_cuda_live(&counts);
  (void)fprintf(stderr,
                "fake_cuda: %" PRIu64 " instructions, %" PRIu64
                " uninitialised loads; alive: %" PRIu64 " allocations of "
                "%" PRIu64 " bytes, %" PRIu64 " modules, %" PRIu64
                " streams, %" PRIu64 " events, %" PRIu64 " contexts; %" PRIu64
                " queued; %" PRIu64 " releases too many\n",
                fake_cuda_instructions(), fake_cuda_uninitialised(),
                counts.allocations, counts.bytes, counts.modules,
                counts.streams, counts.events, counts.contexts, counts.queued,
                counts.releases);
}

/* A program ends, or closes the library: nothing is to be a leak of ours. */
__attribute__((destructor)) static void at_end(void) {
  if (fake.report) report();
  for (int d = 0; d < FAKE_DEVICES; d++) {
    struct pp_cuda_context *context = &fake.context[d];
    fake_free_streams(context);
    fake_free_events(context);
    fake_free_modules(context);
    fake_free_memory(context);
    free(context->memory.range);
    free(context->block);
    context->memory.range = NULL;
    context->block = NULL;
  }
}
