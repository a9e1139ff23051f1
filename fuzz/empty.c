/* poolproof fuzz target: nothing, so that it is seen what an engine itself
 * costs.  SPDX-License-Identifier: MIT */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  pp_target_begin();
  pp_target_compare();
  return 0;
}
