/* poolproof: many threads on shared devices, for ThreadSanitizer and ASan.
 *
 * Every thread links children of shared parents, uploads, runs, downloads,
 * copies between devices, merges, releases and frees, in a random order that
 * the seed gives; once a round all threads release one context together
 * (REL-5). Each thread knows what its own nodes hold, and compares. At the end
 * the census is what it was and the backend's contract was kept.
 * SPDX-License-Identifier: MIT */
#include "threads.h"
#include "cli.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* p is 3.5 everywhere once base has run. */
static const char base_text[] = "routine base\n"
                                "node 1 p f32 [16] observable\n"
                                "node 2 w f32 [16] constant data fill 0.5\n"
                                "for i<16: p[i] = w[i] + 3\n"
                                "end\n";
/* y = 2 x + 8 */
static const char step_text[] = "routine step\n"
                                "node 1 p f32 [16]\n"
                                "node 2 w f32 [16] constant\n"
                                "node 10 x f32 [16] host\n"
                                "node 11 a f32 [16] span 0 1\n"
                                "node 12 b f32 [16] span 1 2\n"
                                "node 13 y f32 [16] observable\n"
                                "node 20 v f32 [4] constant data 1 2 3 4\n"
                                "for i<16: a[i] = x[i] * 2\n"
                                "for i<16: b[i] = a[i] + p[i]\n"
                                "for i<16: y[i] = b[i] + w[0] + v[3]\n"
                                "end\n";
static const char next_text[] = "routine next\n"
                                "node 13 y f32 [16]\n"
                                "node 30 z f32 [16] observable\n"
                                "for i<16: z[i] = y[i] + 1\n"
                                "end\n";
static const char merge_text[] = "routine merged\n"
                                 "node 13 y f32 [16] merge\n"
                                 "node 40 m f32 [16] observable\n"
                                 "for i<16: m[i] = y[i]\n"
                                 "end\n";

static const char *const mode_names[] = {
#define MODE(NAME, name, about) name,
    MODES(MODE)
#undef MODE
};
enum { MODE_COUNT = sizeof mode_names / sizeof mode_names[0] };

/* Faults for the round; everybody else waits. */
static void arm(pp_part *part, uint64_t round) {
  pp_board *board = part->board;
  pp_fault fault[PP_FAULTS];
  if (board->mode < FAULTS) return;
  for (size_t i = 0; i < PP_FAULTS; i++)
    fault[i] = (pp_fault){
        PP_CALL_COUNT, 1 + pp_random_below(&part->random, 300),
        pp_random_one_in(&part->random, 2) ? PP_NO_MEMORY : PP_BACKEND_FAILED};
  if (board->mode == LOST && round == board->settings->rounds / 2)
    fault[0] = (pp_fault){PP_CALL_COUNT, 5, PP_DEVICE_LOST};
  pp_fault_arm(board->backend, fault, PP_FAULTS);
}

static void *work(void *argument) {
  pp_part *part = argument;
  pp_board *board = part->board;
  for (uint64_t round = 0; round < board->settings->rounds; round++) {
    if (part->number == 0) arm(part, round);
    pp_release_together(part, round);
    for (int i = 0; i < OPERATIONS; i++)
      pp_operate(part);
  }
  pp_free_all(part);
  return NULL;
}

static void must(pp_status status, const pp_failure *why) {
  if (status != PP_OK) pp_die("before or after the threads: %s", why->text);
}

static void open_board(pp_board *board, const char *name) {
  pp_backend *inner = pp_backend_of(name);
  const pp_fault_options options = {.delay = board->mode == DELAYED ||
                                             board->mode == DELAYED_FAULTS};
  pp_failure why;
  board->backend = inner;
  if (board->mode != PLAIN &&
      pp_fault_backend_new(inner, &options, &board->backend) != PP_OK)
    pp_die("out of memory");
  if (inner->call->devices(inner, &board->devices) != PP_OK)
    pp_die("%s has no devices", name);
  if (board->devices > DEVICES) board->devices = DEVICES;
  pp_routine *base = pp_routine_of(base_text);
  board->step = pp_routine_of(step_text);
  board->next = pp_routine_of(next_text);
  board->merge = pp_routine_of(merge_text);
  for (size_t d = 0; d < board->devices; d++) {
    board->root[d] = pp_root_on(board->backend, d);
    board->base[d] = pp_child_of(board->root[d], base);
    must(pp_run(board->base[d], &why), &why);
    pp_context *step = pp_child_of(board->base[d], board->step);
    must(pp_merge(board->base[d], step, UID_Y, &why), &why);
    pp_drop(step);
    pp_device_census(board->backend, d, &board->baseline[d]);
  }
  pp_routine_free(base);
  pthread_barrier_init(&board->barrier, NULL,
                       (unsigned)board->settings->threads);
}

static void expect_census(pp_board *board, size_t device) {
  pp_census now;
  char is[PP_CENSUS_TEXT];
  char was[PP_CENSUS_TEXT];
  pp_device_census(board->backend, device, &now);
  if (board->mode >= FAULTS) {
    now.orphan_pools = now.orphan_bytes = 0; /* tried again below */
    now.merge_bytes = board->baseline[device].merge_bytes;
  }
  if (!pp_same_census(&now, &board->baseline[device]))
    pp_die("device %zu at the end: %s; at first: %s", device,
           pp_census_text(&now, is),
           pp_census_text(&board->baseline[device], was));
}

static void expect_no_orphans(pp_board *board, size_t device) {
  pp_census now;
  pp_failure why;
  if (pp_await(board->base[device], &why) == PP_DEVICE_LOST) return;
  pp_drop(pp_child_of(board->base[device], board->step));
  pp_device_census(board->backend, device, &now);
  if (now.orphan_pools > 0)
    pp_die("%" PRIu64 " orphans stay", now.orphan_pools);
}

static void close_board(pp_board *board) {
  pp_failure why;
  if (board->mode != PLAIN) pp_fault_arm(board->backend, NULL, 0);
  for (size_t d = 0; d < board->devices; d++) {
    expect_census(board, d);
    expect_no_orphans(board, d);
    pp_drop(board->base[d]);
    pp_drop(board->root[d]);
  }
  pthread_barrier_destroy(&board->barrier);
  pp_routine_free(board->step);
  pp_routine_free(board->next);
  pp_routine_free(board->merge);
  if (board->mode != PLAIN)
    pp_close_fault(board->backend);
  else
    must(pp_teardown(board->backend, &why), &why);
}

static void report(const char *name, const pp_board *board,
                   const pp_part *parts) {
  pp_counts sum = {0};
  for (size_t t = 0; t < board->settings->threads; t++) {
#define COUNT(name) sum.name += parts[t].counts.name;
    COUNTS(COUNT)
#undef COUNT
  }
  printf("%s, %s:", name, mode_names[board->mode]);
#define COUNT(name) printf(" %" PRIu64 " " #name, sum.name);
  COUNTS(COUNT)
#undef COUNT
  puts("");
  if (board->mode >= FAULTS && sum.failures == 0) pp_die("no fault has struck");
}

static void run_threads(const char *name, pp_mode mode,
                        const pp_settings *settings) {
  pp_board board = {.settings = settings, .mode = mode};
  size_t threads = (size_t)settings->threads;
  pp_part *parts = calloc(threads, sizeof *parts);
  pthread_t *thread = calloc(threads, sizeof *thread);
  if (parts == NULL || thread == NULL) pp_die("out of memory");
  snprintf(pp_again, sizeof pp_again,
           "again: threads --seed %" PRIu64 " --rounds %" PRIu64
           " --threads %" PRIu64 " --backend %s --mode %s",
           settings->seed, settings->rounds, settings->threads, name,
           mode_names[mode]);
  open_board(&board, name);
  for (size_t t = 0; t < threads; t++) {
    parts[t].board = &board;
    parts[t].number = t;
    pp_random_start(&parts[t].random, settings->seed, t);
  }
  for (size_t t = 0; t < threads; t++)
    if (pthread_create(&thread[t], NULL, work, &parts[t]) != 0)
      pp_die("no thread");
  for (size_t t = 0; t < threads; t++)
    pthread_join(thread[t], NULL);
  close_board(&board);
  report(name, &board, parts);
  free(thread);
  free(parts);
}

enum {
  OPTION_SEED = 256,
  OPTION_ROUNDS,
  OPTION_THREADS,
  OPTION_BACKEND,
  OPTION_MODE
};

static const struct argp_option accepted[] = {
    {"seed", OPTION_SEED, "S", 0, "repeat that seed (default: a fresh one)", 0},
    {"rounds", OPTION_ROUNDS, "N", 0, "rounds of each thread (default 200)", 0},
    {"threads", OPTION_THREADS, "N", 0, "how many (default 8)", 0},
    {"backend", OPTION_BACKEND, "NAME", 0,
     "on this one (default: all that are here)", 0},
    {"mode", OPTION_MODE, "MODE", 0, "in this one (default: all):", 0},
#define MODE(NAME, name, about) {NULL, 0, NULL, 0, name ": " about, 0},
    MODES(MODE)
#undef MODE
        {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_settings *settings = state->input;
  switch (key) {
  case OPTION_SEED:
    settings->seed = pp_cli_number("--seed", text, 0, UINT64_MAX, state);
    return 0;
  case OPTION_ROUNDS:
    settings->rounds = pp_cli_number("--rounds", text, 1, 1 << 30, state);
    return 0;
  case OPTION_THREADS:
    settings->threads = pp_cli_number("--threads", text, 1, 256, state);
    return 0;
  case OPTION_BACKEND:
    settings->backend = text;
    return 0;
  case OPTION_MODE:
    settings->mode = text;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv) {
  pp_settings settings = {
      .seed = pp_random_fresh_seed(), .rounds = 200, .threads = 8};
  const struct argp argp = {.options = accepted, .parser = parse};
  if (argp_parse(&argp, argc, argv, 0, NULL, &settings) != 0) return 2;
  unsigned here = pp_backends_for(settings.backend);
  printf("seed %" PRIu64 "\n", settings.seed);
  size_t runs = 0;
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++) {
    const char *name = pp_backend_id_name((pp_backend_id)id);
    if ((here >> id & 1) == 0) continue;
    for (size_t m = 0; m < MODE_COUNT; m++) {
      if (settings.mode != NULL && strcmp(settings.mode, mode_names[m]) != 0)
        continue;
      run_threads(name, (pp_mode)m, &settings);
      runs++;
    }
  }
  if (runs == 0) pp_die("no such mode");
  return 0;
}
