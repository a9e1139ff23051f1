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

/* A backend of the campaign.
 * devices   that programs are drawn for
 * programs  compared */
typedef struct pp_place {
  pp_backend *backend;
  size_t devices;
  uint64_t programs;
  pp_replay replay;
} pp_place;

/* found  the place where the last program disagreed
 * names  of the places, as --backend takes them */
typedef struct pp_runner {
  const pp_backend_campaign *options;
  size_t places;
  pp_place place[PP_BACKEND_COUNT];
  const pp_place *found;
  char names[PP_BACKEND_NAMES];
  char missing[PP_BACKEND_NAMES];
  pp_program program;
  pp_campaign_run run;
} pp_runner;

/* On every place: one that is undecided leaves the whole so. */
static pp_verdict run_everywhere(pp_runner *runner) {
  pp_verdict all = PP_AGREE;
  for (size_t k = 0; k < runner->places; k++) {
    pp_place *place = &runner->place[k];
    pp_verdict verdict =
        pp_replay_run(&runner->program, place->backend, NULL, &place->replay);
    if (verdict == PP_AGREE) place->programs++;
    if (verdict == PP_UNDECIDED) all = PP_UNDECIDED;
    if (verdict != PP_DISAGREE) continue;
    runner->found = place;
    return PP_DISAGREE;
  }
  return all;
}

/* Drawn for the devices of one place, by turns; where there are fewer, their
 * roots are refused. */
static pp_verdict run_one(void *state, uint64_t number) {
  pp_runner *runner = state;
  pp_choices choices = {.size = 0};
  pp_random_start(&choices.random, runner->options->seed, number);
  const pp_generator_limits limits = {
      .devices = runner->place[number % runner->places].devices,
      .steps = STEPS + (size_t)pp_random_below(&choices.random, MORE_STEPS)};
  if (!pp_program_generate(&choices, &limits, &runner->program))
    return PP_UNDECIDED;
  return run_everywhere(runner);
}

static uint64_t run_all(pp_runner *runner) {
  const pp_backend_campaign *options = runner->options;
  char again[128 + PP_BACKEND_NAMES];
  (void)snprintf(again, sizeof again,
                 "poolproof fuzz-runtime --backend %s --seed %" PRIu64
                 " --first ",
                 runner->names, options->seed);
  return pp_campaign_all(&runner->run, options, "programs", again, 64, run_one,
                         runner);
}

static int report(pp_runner *runner, uint64_t number, pp_diag *diag) {
  const pp_backend_campaign *options = runner->options;
  pp_program *program = &runner->program;
  pp_backend *backend = runner->found->backend;
  pp_replay replay = runner->found->replay;
  char path[4096];
  printf("found: on %s: %s\n"
         "again: poolproof fuzz-runtime --backend %s --seed %" PRIu64
         " --first %" PRIu64 " --runs 1\n",
         pp_backend_name(backend), replay.sentence, runner->names,
         options->seed, number);
  (void)fflush(stdout);
  size_t before = program->operations;
  pp_replay_shrink(program, backend, &replay);
  program->has_marker = true;
  program->backends = pp_backend_bit(backend);
  if (pp_campaign_path(options, number, ".pprog", path, sizeof path, diag) != 0)
    return diag->code;
  if (pp_program_save(path, program, diag) != 0) return diag->code;
  printf("small: %s\nfile:  %s (%zu operations, %zu before it was shrunk)\n"
         "shown by: poolproof replay %s\n",
         replay.sentence, path, program->operations, before, path);
  return PP_EXIT_FOUND;
}

/* What was done and compared, a column for each place. */
static void print_row(const pp_runner *runner, const char *what,
                      uint64_t (*count)(const pp_place *)) {
  char text[32];
  printf("  %-24s", what);
  for (size_t k = 0; k < runner->places; k++)
    printf(" %12s", pp_grouped(count(&runner->place[k]), text, sizeof text));
  printf("\n");
}

#define PP_COLUMN(name, field)                                                 \
  static uint64_t name(const pp_place *place) {                                \
    return place->field;                                                       \
  }
PP_COLUMN(programs_of, programs)
PP_COLUMN(steps_of, replay.steps)
PP_COLUMN(calls_of, replay.calls)
PP_COLUMN(struck_of, replay.struck)
PP_COLUMN(values_of, replay.values)
PP_COLUMN(skipped_of, replay.skipped)
#undef PP_COLUMN

static void print_replays(const pp_runner *runner) {
  if (runner->places > 1) {
    printf("  %-24s", "");
    for (size_t k = 0; k < runner->places; k++)
      printf(" %12s", pp_backend_name(runner->place[k].backend));
    printf("\n");
  }
  print_row(runner, "programs compared", programs_of);
  print_row(runner, "steps compared", steps_of);
  print_row(runner, "calls of the backend", calls_of);
  print_row(runner, "faults that struck", struck_of);
  print_row(runner, "values compared", values_of);
  print_row(runner, "steps skipped", skipped_of);
}

static void print_verdict(const pp_runner *runner) {
  const pp_campaign_run *run = &runner->run;
  char text[32];
  printf("%s: %s programs compared on %s in %.1f s, ",
         run->verdicts[PP_DISAGREE] > 0 ? "DISAGREED" : "agreed",
         pp_grouped(pp_campaign_compared(run), text, sizeof text),
         runner->names, pp_progress_elapsed(&run->progress));
  pp_campaign_rate(run);
  print_replays(runner);
  printf("  %-24s %12s\n", "programs undecided",
         pp_grouped(run->verdicts[PP_UNDECIDED], text, sizeof text));
  if (runner->missing[0] != '\0')
    printf("  not available here: %s\n", runner->missing);
}

static int find_places(pp_runner *runner, pp_diag *diag) {
  pp_backends_here found;
  if (pp_backends_look(&runner->options->choice, &found, diag) != 0)
    return diag->code;
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++) {
    if ((found.here >> id & 1) == 0) continue;
    runner->place[runner->places++] = (pp_place){
        .backend = pp_backend_module((pp_backend_id)id),
        .devices = found.devices[id] < DEVICES ? found.devices[id] : DEVICES};
  }
  (void)pp_backend_names(found.here, ",", runner->names);
  (void)pp_backend_names(found.missing, ", ", runner->missing);
  return 0;
}

static void print_head(const pp_runner *runner) {
  printf("fuzz-runtime: seed %" PRIu64 ", on", runner->options->seed);
  for (size_t k = 0; k < runner->places; k++) {
    const pp_place *place = &runner->place[k];
    printf("%s %s (%zu device%s)", k > 0 ? "," : "",
           pp_backend_name(place->backend), place->devices,
           pp_plural(place->devices));
  }
  printf("\n");
  (void)fflush(stdout);
}

/* Nowhere may nothing have been compared. */
static int check_places(const pp_runner *runner, pp_diag *diag) {
  for (size_t k = 0; k < runner->places; k++)
    if (runner->place[k].programs == 0)
      return pp_diag_fail(diag, PP_EXIT_RESOURCE,
                          "fuzz-runtime: no program at all was compared on %s",
                          pp_backend_name(runner->place[k].backend));
  return PP_EXIT_FINE;
}

int pp_runtime_campaign(const pp_backend_campaign *options, pp_diag *diag) {
  pp_runner runner = {.options = options};
  if (find_places(&runner, diag) != 0) return diag->code;
  print_head(&runner);
  uint64_t done = run_all(&runner);
  int code = PP_EXIT_FINE;
  if (runner.run.verdicts[PP_DISAGREE] > 0)
    code = report(&runner, options->first + done - 1, diag);
  print_verdict(&runner);
  printf("the same once more: poolproof fuzz-runtime --backend %s --seed "
         "%" PRIu64 " --first %" PRIu64 " --runs %" PRIu64 "\n",
         runner.names, options->seed, options->first, done);
  pp_program_free(&runner.program);
  return code == PP_EXIT_FINE ? check_places(&runner, diag) : code;
}
