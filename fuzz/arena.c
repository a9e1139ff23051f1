/* poolproof fuzz target: a problem file, planned as an arena (ARN) by both
 * planners. SPDX-License-Identifier: MIT */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_target_begin();
  pp_target_plan(PP_ARENA, data, size);
  return 0;
}
