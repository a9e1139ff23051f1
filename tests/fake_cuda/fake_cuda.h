/* poolproof: what tests ask of the fake driver beyond the Driver API. Found by
 * dlsym in a libcuda.so.1 that is the fake one; thread-safe.
 *
 * Environment, read once:
 *   FAKE_CUDA_DEVICES     how many (2), at most 16; 0: cuInit answers NO_DEVICE
 *   FAKE_CUDA_MEMORY      bytes of each (1 GiB)
 *   FAKE_CUDA_VERSION     of CUDA that the driver is for (12040: 12.4)
 *   FAKE_CUDA_CAPABILITY  major.minor (9.0)
 *   FAKE_CUDA_INIT        a result that cuInit answers
 *   FAKE_CUDA_PEER        yes, no (devices say that they cannot), refuse (they
 *                         say they can, copies fail), corrupt (copies succeed
 *                         with wrong bytes); yes without it
 *   FAKE_CUDA_LAZY        1: work runs when something waits for it
 *   FAKE_CUDA_FAIL        name:n-th:result, ... as fake_cuda_fail
 *   FAKE_CUDA_LIMIT       instructions of a thread at most (4000000000)
 *   FAKE_CUDA_UNINITIALISED  error: a kernel's load of a byte that nobody
 *                         wrote is an illegal address
 *   FAKE_CUDA_REPORT      1: what is alive and what was done, to stderr, at
 *                         the end
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stddef.h>
#include <stdint.h>

#define FAKE_EXPORT __attribute__((visibility("default")))

/* contexts    retained ones; releases: those without a retain
 * queued      work that has not run
 * allocations, bytes  of all devices */
typedef struct fake_cuda_counts {
  uint64_t allocations;
  uint64_t bytes;
  uint64_t modules;
  uint64_t streams;
  uint64_t events;
  uint64_t contexts;
  uint64_t queued;
  uint64_t releases;
} fake_cuda_counts;

/* The n-th call from now on (1: the next; 0: every one) of that name ("*": of
 * any but the names and texts of results) does nothing and answers `result`;
 * one that makes a device lost is then its context's for good. False: no call
 * has that name, or too many are to fail. */
FAKE_EXPORT _Bool fake_cuda_fail(const char *name, uint64_t nth, int result);

/* How often it was called; UINT64_MAX: there is none of that name. */
FAKE_EXPORT uint64_t fake_cuda_calls(const char *name);

FAKE_EXPORT void fake_cuda_live(fake_cuda_counts *counts);

/* Of all kernels: loads of bytes never written; instructions. */
FAKE_EXPORT uint64_t fake_cuda_uninitialised(void);
FAKE_EXPORT uint64_t fake_cuda_instructions(void);

/* The calling thread's current context's device, or -1. */
FAKE_EXPORT int fake_cuda_current(void);

/* Forgets failures to come and contexts' errors. */
FAKE_EXPORT void fake_cuda_reset(void);

#endif
