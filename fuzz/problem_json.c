/* poolproof fuzz target: any bytes to the parsers, those that parse as JSON
 * printed and parsed again.
 * SPDX-License-Identifier: MIT */
#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_target_begin();
  pp_target_parse(PP_JSON, data, size);
  return 0;
}
