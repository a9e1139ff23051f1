/* poolproof fuzz target: a routine's text, lowered in every way and run on
 * every backend that is here. What is drawn is drawn from the bytes.
 * SPDX-License-Identifier: MIT */
#include "routine_check.h"
#include "target.h"

#include "random.h"

enum { NODES = 64, STATEMENTS = 64 };

static void check(pp_routine *routine, uint64_t seed) {
  static const pp_backend_choice all = {.backends = PP_EVERY_BACKEND};
  pp_routine_checked checked = {.sentence = ""};
  pp_backends_here found;
  pp_diag diag = {0};
  if (pp_backends_look(&all, &found, &diag) != 0)
    pp_target_fail("%s", diag.text);
  const pp_routine_where where = {.backends = found.here, .share = true};
  if (pp_routine_check(&routine, 1, seed, &where, &checked) == PP_DISAGREE)
    pp_target_fail("%s", checked.sentence);
  if (checked.count[PP_COUNT_VALUES] > 0) pp_target_compared++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_routine *routine = NULL;
  uint64_t seed = size;
  if (pp_routine_parse((const char *)data, size, &routine, NULL) != PP_OK)
    return 0;
  for (size_t i = 0; i < size; i++)
    seed = pp_random_mix(seed, data[i]);
  if (routine->nodes <= NODES && routine->statements <= STATEMENTS)
    check(routine, seed);
  pp_routine_free(routine);
  return 0;
}
