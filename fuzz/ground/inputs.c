/* poolproof: counts the inputs of a fuzz target. The linker puts this in place
 * of the target for whoever calls it (--wrap).
 * SPDX-License-Identifier: MIT */
#include "probe.h"

#include <stddef.h>

/* NOLINTBEGIN: the linker's names */
int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_probe_case();
  return __real_LLVMFuzzerTestOneInput(data, size);
}
/* NOLINTEND */
