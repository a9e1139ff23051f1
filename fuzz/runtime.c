/* poolproof fuzz target: a program, done by the runtime and by its model.
 *
 * An input is a program's text, or, when it is none, the decisions of the
 * generator of programs, so that any bytes give a program. It runs on
 * pp_target_backends, of a text with a marker on those that it names.
 * SPDX-License-Identifier: MIT */
#include "target.h"

#include "here.h"
#include "program_generate.h"
#include "replay.h"

enum { DEVICES = 4, THREADED = 16 };

static bool has_devices(const pp_program *program) {
  bool several = false;
  for (size_t i = 0; i < program->operations && !several; i++)
    several = program->operation[i].device > 0;
  return several;
}

/* Threads take longer than all the rest: beside cc, multidev_cc does what has
 * several devices, and of others one in so many, by what their bytes add up
 * to. */
static unsigned less(unsigned backends, const pp_program *program,
                     const uint8_t *data, size_t size) {
  const unsigned cc = 1U << PP_BACKEND_CC;
  const unsigned multi = 1U << PP_BACKEND_MULTIDEV_CC;
  size_t sum = 0;
  if ((backends & cc) == 0 || has_devices(program)) return backends;
  for (size_t i = 0; i < size; i++)
    sum += data[i];
  return sum % THREADED == 0 ? backends : backends & ~multi;
}

/* All of them are here. */
static void replay_on(const pp_program *program, unsigned backends) {
  bool compared = false;
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++) {
    pp_replay replay = {.programs = 0};
    if ((backends >> id & 1) == 0) continue;
    pp_verdict verdict = pp_replay_run(
        program, pp_backend_module((pp_backend_id)id), NULL, &replay);
    if (verdict == PP_DISAGREE)
      pp_target_fail("%s: %s", pp_backend_id_name((pp_backend_id)id),
                     replay.sentence);
    if (verdict == PP_AGREE && replay.steps > 0) compared = true;
  }
  if (compared) pp_target_compare();
}

/* The first byte says for how many devices. */
static void replay_bytes(const uint8_t *data, size_t size) {
  bool several = size > 0 && data[0] % 4 == 0;
  pp_choices choices = {.bytes = data + (size > 0), .size = size - (size > 0)};
  const pp_generator_limits limits = {.devices = several ? DEVICES : 1};
  pp_program program = {.routines = 0};
  pp_random_start(&choices.random, size, 0);
  if (pp_program_generate(&choices, &limits, &program))
    replay_on(&program, less(pp_target_backends(), &program, data, size));
  pp_program_free(&program);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  (void)pp_target_backends();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_target_begin();
  pp_program program;
  pp_diag diag = {0};
  if (pp_program_parse("input", (const char *)data, size, &program, &diag) !=
      0) {
    if (diag.text[0] == '\0' || program.routines > 0 || program.context)
      pp_target_fail("a parser fails without a sentence, or keeps memory");
    replay_bytes(data, size);
    return 0;
  }
  unsigned backends = pp_target_backends();
  if (program.has_marker) backends &= (unsigned)program.backends;
  replay_on(&program, less(backends, &program, data, size));
  pp_program_free(&program);
  return 0;
}
