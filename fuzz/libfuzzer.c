/* poolproof: pp_mutate and pp_crossover as libFuzzer wants them; now and then
 * libFuzzer's own mutations, which know dictionaries and what was compared.
 * SPDX-License-Identifier: MIT */
#include "mutate.h"

#include "random.h"

/* libFuzzer's, and what it calls. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b,
                                 size_t nb, uint8_t *out, size_t max,
                                 unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned int seed) {
  enum { OWN = 4 };
  pp_random random;
  pp_random_start(&random, seed, 0);
  if (pp_random_one_in(&random, OWN)) return LLVMFuzzerMutate(data, size, max);
  return pp_mutate(data, size, max, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t na, const uint8_t *b,
                                 size_t nb, uint8_t *out, size_t max,
                                 unsigned int seed) {
  return pp_crossover(a, na, b, nb, out, max, seed);
}
