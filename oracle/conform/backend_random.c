#include "backend_parts.h"

#include "must.h"
#include "program_generate.h"
#include "replay.h"
#include "routine_check.h"
#include "routines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LEAST = 20 }; /* random cases of a part, however little time there is */

/* A routine's life, twice, with copies to a second context. */
static const char life[] =
    "option alignment 16\n"
    "routine r\n"
    "node 1 x f32 [5] host\n"
    "node 2 k f32 [5] constant data 1 2 3 4 5\n"
    "node 3 y f32 [5]\n"
    "node 4 z f32 [5] observable\n"
    "for i<5: y[i] = x[i] * k[i]\n"
    "for i<5: z[i] = y[i] + x[i]\n"
    "end\n"
    "fault %s %" PRIu64 " %s\n"
    "root a 0\nlink b a r\nupload b 1 7\nrun b\nroot c %zu\nlink d c r\n"
    "copy d b 1\nrun d\ndownload d 4\nawait d\nrelease d\nrelease b\n"
    "free d\nfree c\nfree b\nfree a\n"
    "root e 0\nlink f e r\nupload f 1 8\nrun f\ndownload f 4\n";

/* False: the fault did not strike, as there are fewer calls. */
static bool fail_at(const pp_backend_part_on *on, const char *call,
                    uint64_t nth, const char *status) {
  char text[sizeof life + 200];
  pp_program program = {0};
  pp_replay replay = {0};
  pp_diag diag = {0};
  (void)snprintf(text, sizeof text, life, call, nth, status, on->devices - 1);
  if (pp_program_parse("faults", text, strlen(text), &program, &diag) != 0)
    pp_die("%s", diag.text);
  pp_verdict verdict = pp_replay_run(&program, on->backend, NULL, &replay);
  pp_program_free(&program);
  if (verdict == PP_DISAGREE)
    pp_die("%s fails at its use %" PRIu64 ": %s", call, nth, replay.sentence);
  on->apart->cases++;
  return verdict == PP_AGREE && replay.struck > 0;
}

void pp_part_faults(const pp_backend_part_on *on) {
  static const char *const statuses[] = {"backend_failed", "no_memory"};
  enum { MOST = 100 };
  (void)fail_at(on, "free_pool", MOST, statuses[0]);
  for (pp_backend_call c = PP_CALL_ALLOC_POOL; c < PP_CALL_COUNT; c++)
    for (unsigned s = 0; s < 2 && c != PP_CALL_DISCARD; s++)
      for (uint64_t nth = 1; nth < MOST; nth++)
        if (!fail_at(on, pp_backend_call_name(c), nth, statuses[s])) break;
}

static bool goes_on(const pp_backend_part_on *on, double start, uint64_t done) {
  return done < LEAST || pp_seconds() - start < on->seconds;
}

void pp_part_programs(const pp_backend_part_on *on) {
  double start = pp_seconds();
  pp_program program = {0};
  pp_replay replay = {0};
  for (uint64_t k = 0; goes_on(on, start, k); k++) {
    pp_choices choices = {.size = 0};
    pp_random_start(&choices.random, on->seed, k);
    const pp_generator_limits limits = {
        .devices = on->devices,
        .steps = 12 + (size_t)pp_random_below(&choices.random, 36)};
    if (!pp_program_generate(&choices, &limits, &program)) continue;
    pp_verdict verdict = pp_replay_run(&program, on->backend, NULL, &replay);
    if (verdict == PP_DISAGREE)
      pp_die("program %" PRIu64 ": %s", k, replay.sentence);
    if (verdict == PP_AGREE) on->apart->cases++;
  }
  pp_program_free(&program);
}

static pp_routine *draw(pp_random *random) {
  pp_routine *routine = NULL;
  pp_failure failure;
  const pp_routine_limits limits = {
      .first_uid = 1,
      .nodes = 3 + (size_t)pp_random_below(random, 10),
      .statements = 2 + (size_t)pp_random_below(random, 18),
      .extent = 1 + pp_random_below(random, 5),
      .source = true,
      .wild = pp_random_one_in(random, 3)};
  pp_status status = pp_random_routine(random, &limits, &routine, &failure);
  if (status != PP_OK && status != PP_NO_MEMORY)
    pp_die("a random routine is refused: %s", failure.text);
  return routine;
}

void pp_part_routines(const pp_backend_part_on *on) {
  double start = pp_seconds();
  const pp_routine_where where = {.other = on->backend};
  pp_routine_checked checked = {.sentence = ""};
  for (uint64_t k = 0; goes_on(on, start, k); k++) {
    pp_random random;
    pp_random_start(&random, on->seed, k);
    pp_routine *routine = draw(&random);
    if (!routine) continue;
    pp_verdict verdict = pp_routine_check(
        &routine, 1, pp_random_mix(on->seed, k), &where, &checked);
    if (verdict == PP_DISAGREE)
      pp_die("routine %" PRIu64 ": %s", k, checked.sentence);
    pp_routine_free(routine);
    on->apart->cases = checked.values[PP_BACKEND_COUNT];
  }
}
