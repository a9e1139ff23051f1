/* poolproof: random programs, until the runtime and the model disagree.
 * SPDX-License-Identifier: MIT */
#include "campaign_runtime.h"

#include "number.h"
#include "output.h"
#include "program_generate.h"
#include "program_shrink.h"

#include <inttypes.h>
#include <string.h>

enum { TESTS = 4000, STEPS = 12, MORE_STEPS = 36, DEVICES = 4 };

typedef struct pp_test_state {
  pp_backend *backend;
} pp_test_state;

static bool disagrees(void *state, const pp_program *program) {
  const pp_test_state *test = state;
  pp_replay replay = {0};
  return pp_replay_run(program, test->backend, NULL, &replay) == PP_DISAGREE;
}

void pp_replay_shrink(pp_program *program, pp_backend *backend,
                      pp_replay *replay) {
  pp_test_state state = {backend};
  pp_replay again = {0};
  (void)pp_program_shrink(program, disagrees, &state, TESTS);
  if (pp_replay_run(program, backend, NULL, &again) == PP_DISAGREE)
    memcpy(replay->sentence, again.sentence, sizeof replay->sentence);
}

int pp_program_save(const char *path, const pp_program *program,
                    pp_diag *diag) {
  pp_output output;
  if (pp_output_open(&output, path, diag) != 0) return diag->code;
  int code = pp_program_write(output.stream, program, diag);
  return pp_output_end(&output, code, diag);
}

/* What was done and compared. */
static void print_replay(const pp_replay *replay) {
  const struct {
    const char *what;
    uint64_t count;
  } rows[] = {{"steps compared", replay->steps},
              {"calls of the backend", replay->calls},
              {"faults that struck", replay->struck},
              {"values compared", replay->values},
              {"steps skipped", replay->skipped}};
  char text[32];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    printf("  %-24s %12s\n", rows[i].what,
           pp_grouped(rows[i].count, text, sizeof text));
}

typedef struct pp_runner {
  const pp_backend_campaign *options;
  size_t devices;
  pp_program program;
  pp_replay replay;
  pp_campaign_run run;
} pp_runner;

static pp_verdict run_one(void *state, uint64_t number) {
  pp_runner *runner = state;
  pp_choices choices = {.size = 0};
  pp_random_start(&choices.random, runner->options->seed, number);
  const pp_generator_limits limits = {
      .devices = runner->devices,
      .steps = STEPS + (size_t)pp_random_below(&choices.random, MORE_STEPS)};
  if (!pp_program_generate(&choices, &limits, &runner->program))
    return PP_UNDECIDED;
  return pp_replay_run(&runner->program, runner->options->backend, NULL,
                       &runner->replay);
}

static uint64_t run_all(pp_runner *runner) {
  const pp_backend_campaign *options = runner->options;
  char again[128];
  (void)snprintf(again, sizeof again,
                 "poolproof fuzz-runtime --backend %s --seed %" PRIu64
                 " --first ",
                 pp_backend_name(options->backend), options->seed);
  return pp_campaign_all(&runner->run, options, "programs", again, 64, run_one,
                         runner);
}

static int report(pp_runner *runner, uint64_t number, pp_diag *diag) {
  const pp_backend_campaign *options = runner->options;
  pp_program *program = &runner->program;
  const char *name = pp_backend_name(options->backend);
  char path[4096];
  printf("found: %s\nagain: poolproof fuzz-runtime --backend %s --seed %" PRIu64
         " --first %" PRIu64 " --runs 1\n",
         runner->replay.sentence, name, options->seed, number);
  (void)fflush(stdout);
  size_t before = program->operations;
  pp_replay_shrink(program, options->backend, &runner->replay);
  program->has_marker = true;
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    if (pp_backend_module((pp_backend_id)id) == options->backend)
      program->backends = UINT64_C(1) << id;
  if (pp_campaign_path(options, number, ".pprog", path, sizeof path, diag) != 0)
    return diag->code;
  if (pp_program_save(path, program, diag) != 0) return diag->code;
  printf("small: %s\nfile:  %s (%zu operations, %zu before it was shrunk)\n"
         "shown by: poolproof replay %s\n",
         runner->replay.sentence, path, program->operations, before, path);
  return PP_EXIT_FOUND;
}

static void print_verdict(const pp_runner *runner) {
  const pp_campaign_run *run = &runner->run;
  char text[32];
  printf("%s: %s programs compared on %s in %.1f s, ",
         run->verdicts[PP_DISAGREE] > 0 ? "DISAGREED" : "agreed",
         pp_grouped(pp_campaign_compared(run), text, sizeof text),
         pp_backend_name(runner->options->backend),
         pp_progress_elapsed(&run->progress));
  pp_campaign_rate(run);
  print_replay(&runner->replay);
  printf("  %-24s %12s\n", "programs undecided",
         pp_grouped(run->verdicts[PP_UNDECIDED], text, sizeof text));
}

static int count_devices(pp_runner *runner, pp_diag *diag) {
  pp_backend *backend = runner->options->backend;
  size_t devices = 0;
  if (backend->call->devices(backend, &devices) != PP_OK || devices == 0)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s has no device to use",
                        pp_backend_name(backend));
  runner->devices = devices < DEVICES ? devices : (size_t)DEVICES;
  return 0;
}

int pp_runtime_campaign(const pp_backend_campaign *options, pp_diag *diag) {
  pp_runner runner = {.options = options};
  if (count_devices(&runner, diag) != 0) return diag->code;
  const char *name = pp_backend_name(options->backend);
  printf("fuzz-runtime: seed %" PRIu64 ", backend %s, %zu device%s\n",
         options->seed, name, runner.devices, pp_plural(runner.devices));
  (void)fflush(stdout);
  uint64_t done = run_all(&runner);
  int code = PP_EXIT_FINE;
  if (runner.run.verdicts[PP_DISAGREE] > 0)
    code = report(&runner, options->first + done - 1, diag);
  print_verdict(&runner);
  printf("the same once more: poolproof fuzz-runtime --backend %s --seed "
         "%" PRIu64 " --first %" PRIu64 " --runs %" PRIu64 "\n",
         name, options->seed, options->first, done);
  pp_program_free(&runner.program);
  if (code == PP_EXIT_FINE && pp_campaign_compared(&runner.run) == 0)
    return pp_diag_fail(diag, PP_EXIT_RESOURCE,
                        "fuzz-runtime: no program at all was compared");
  return code;
}
