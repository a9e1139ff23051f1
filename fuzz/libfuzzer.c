/* poolproof: pp_mutate as libFuzzer wants it.  SPDX-License-Identifier: MIT */
#include "mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
                               unsigned int seed) {
  return pp_mutate(data, size, max, seed);
}
