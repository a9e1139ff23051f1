/* poolproof fuzz target: a problem file, planned as segments (SEG) by both
 * planners. SPDX-License-Identifier: MIT */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_target_begin();
  pp_target_plan(PP_SEGMENTS, data, size);
  return 0;
}
