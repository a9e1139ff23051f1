/* poolproof fuzz target: a routine's text, lowered in every way and run on
 * each of pp_target_backends. What is drawn is drawn from the bytes.
 * SPDX-License-Identifier: MIT */
#include "routine_check.h"
#include "target.h"

#include "random.h"

enum { NODES = 64, STATEMENTS = 64 };

static void check(pp_routine *routine, uint64_t seed) {
  pp_routine_checked checked = {.sentence = ""};
  const pp_routine_where where = {.backends = pp_target_backends(),
                                  .share = true};
  if (pp_routine_check(&routine, 1, seed, &where, &checked) == PP_DISAGREE)
    pp_target_fail("%s", checked.sentence);
  if (checked.count[PP_COUNT_VALUES] > 0) pp_target_compare();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  (void)pp_target_backends();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_target_begin();
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
