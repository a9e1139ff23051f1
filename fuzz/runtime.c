/* poolproof fuzz target: a program, done by the runtime and by its model.
 *
 * An input is a program's text, or, when it is none, the decisions of the
 * generator of programs, so that any bytes give a program. It runs on every
 * backend that is here, of a text with a marker on those that it names.
 * SPDX-License-Identifier: MIT */
#include "target.h"

#include "here.h"
#include "program_generate.h"
#include "replay.h"

enum { DEVICES = 4 };

/* On all of these backends that are here. */
static void replay_on(const pp_program *program, unsigned backends) {
  const pp_backend_choice choice = {.backends = backends};
  pp_backends_here found;
  pp_diag diag = {0};
  bool compared = false;
  if (pp_backends_look(&choice, &found, &diag) != 0)
    pp_target_fail("%s", diag.text);
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++) {
    pp_replay replay = {.programs = 0};
    if ((found.here >> id & 1) == 0) continue;
    pp_verdict verdict = pp_replay_run(
        program, pp_backend_module((pp_backend_id)id), NULL, &replay);
    if (verdict == PP_DISAGREE)
      pp_target_fail("%s: %s", pp_backend_id_name((pp_backend_id)id),
                     replay.sentence);
    if (verdict == PP_AGREE && replay.steps > 0) compared = true;
  }
  if (compared) pp_target_compared++;
}

/* The first byte says for how many devices. */
static void replay_bytes(const uint8_t *data, size_t size) {
  bool several = size > 0 && data[0] % 4 == 0;
  pp_choices choices = {.bytes = data + (size > 0), .size = size - (size > 0)};
  const pp_generator_limits limits = {.devices = several ? DEVICES : 1};
  pp_program program = {.routines = 0};
  pp_random_start(&choices.random, size, 0);
  if (pp_program_generate(&choices, &limits, &program))
    replay_on(&program, PP_EVERY_BACKEND);
  pp_program_free(&program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_program program;
  pp_diag diag = {0};
  if (pp_program_parse("input", (const char *)data, size, &program, &diag) !=
      0) {
    if (diag.text[0] == '\0' || program.routines > 0 || program.context)
      pp_target_fail("a parser fails without a sentence, or keeps memory");
    replay_bytes(data, size);
    return 0;
  }
  replay_on(&program, program.has_marker ? (unsigned)program.backends
                                         : (unsigned)PP_EVERY_BACKEND);
  pp_program_free(&program);
  return 0;
}
