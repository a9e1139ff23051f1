/* poolproof: the small deterministic generator behind fuzz and mutate.
 *
 * SplitMix64: the same (seed, stream) gives the same numbers on every machine.
 * Not for secrets. No function allocates or fails; a generator belongs to one
 * thread. SPDX-License-Identifier: MIT */
#ifndef PP_RANDOM_H
#define PP_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

/* Arithmetic modulo 2^64 is meant in what follows this mark. */
#if defined(__clang__)
#define PP_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow")))
#else
#define PP_WRAPS
#endif

typedef struct pp_random {
  uint64_t state;
} pp_random;

/* Starts stream number `stream` of `seed`; streams are unrelated. */
void pp_random_start(pp_random *random, uint64_t seed, uint64_t stream);

/* The next number, any of 2^64. */
uint64_t pp_random_next(pp_random *random);

/* A number below bound; bound 0 answers 0. (Bias below bound / 2^64.) */
uint64_t pp_random_below(pp_random *random, uint64_t bound);

/* True once in n on average; n 0 and 1: always. */
bool pp_random_one_in(pp_random *random, uint64_t n);

/* Mixes value into hash; every bit of both counts. */
uint64_t pp_random_mix(uint64_t hash, uint64_t value);

/* A seed nobody chose, from the system (its clock where it has no better),
 * below 2^32 so that it is easy to copy. */
uint64_t pp_random_fresh_seed(void);

#endif
