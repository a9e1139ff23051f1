/* poolproof: calls that fail because a test says so.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

enum { FAULTS = 64, ANY = FAKE_CALLS };

/* left: calls until the one that fails; 0: none will */
typedef struct fault {
  int call;
  bool always;
  uint64_t left;
  int result;
} fault;

static fault faults[FAULTS];
static size_t fault_count;
static uint64_t calls[FAKE_CALLS];

static const char *const names[FAKE_CALLS] = {
#define NAME(name, parameters) #name,
    PP_CUDA_CALLS(NAME)
#undef NAME
};

bool fake_is_lasting(int result) {
  enum { USABLE, LOST };
  static const int known[][2] = {
#define RESULT(NAME, number, means) {number, means},
      PP_CUDA_RESULTS(RESULT)
#undef RESULT
  };
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
    if (known[k][0] == result) return known[k][1] == LOST;
  return false;
}

static int call_named(const char *name, size_t length) {
  if (length == 1 && *name == '*') return ANY;
  for (int c = 0; c < FAKE_CALLS; c++)
    if (strlen(names[c]) == length && strncmp(names[c], name, length) == 0)
      return c;
  return -1;
}

static bool add(int call, uint64_t nth, int result) {
  size_t f = 0;
  while (f < fault_count && (faults[f].always || faults[f].left > 0))
    f++;
  if (call < 0 || f == FAULTS) return false;
  faults[f] = (fault){call, nth == 0, nth, result};
  if (f == fault_count) fault_count++;
  return true;
}

/* Those that are not understood are an error of the test's, which must not
 * pass for that. */
void fake_read_faults(const char *text) {
  while (text != NULL && *text != 0) {
    char *end = NULL;
    const size_t length = strcspn(text, ":");
    const int call = call_named(text, length);
    if (text[length] != ':') abort();
    const uint64_t nth = strtoull(text + length + 1, &end, 10);
    if (*end != ':') abort();
    const int result = (int)strtol(end + 1, &end, 10);
    if (!add(call, nth, result) || (*end != 0 && *end != ',')) abort();
    text = *end == ',' ? end + 1 : end;
  }
}

void fake_forget_faults(void) {
  fault_count = 0;
}

int fake_count_call(fake_call_id call) {
  int result = 0;
  const bool tells =
      call == FAKE_cuGetErrorName || call == FAKE_cuGetErrorString;
  calls[call]++;
  for (size_t f = 0; f < fault_count; f++) {
    if (faults[f].call != (int)call && (faults[f].call != ANY || tells))
      continue;
    if (faults[f].always || (faults[f].left > 0 && --faults[f].left == 0))
      result = faults[f].result;
  }
  return result;
}

bool fake_cuda_fail(const char *name, uint64_t nth, int result) {
  (void)pthread_mutex_lock(&fake.lock);
  fake_configure();
  const bool added = add(call_named(name, strlen(name)), nth, result);
  (void)pthread_mutex_unlock(&fake.lock);
  return added;
}

uint64_t fake_cuda_calls(const char *name) {
  const int call = call_named(name, strlen(name));
  if (call < 0 || call == ANY) return UINT64_MAX;
  (void)pthread_mutex_lock(&fake.lock);
  const uint64_t count = calls[call];
  (void)pthread_mutex_unlock(&fake.lock);
  return count;
}
