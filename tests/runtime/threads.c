/* poolproof: many threads on shared devices, for ThreadSanitizer and ASan.
 *
 * Every thread links children of shared parents, uploads, runs, downloads,
 * copies between devices, merges, releases and frees, in a random order that
 * the seed gives; once a round all threads release one context together
 * (REL-5). Each thread knows what its own nodes hold, and compares. At the end
 * the census is what it was and the backend's contract was kept.
 * SPDX-License-Identifier: MIT */
#include "common.h"
#include "random.h"

#include <argp.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIVE = 4, N = 16, DEVICES = 8, OPERATIONS = 12, UID_X = 10, UID_Y = 13 };

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

#define MODES(X)                                                               \
  X(PLAIN, "plain", "the backend as it is")                                    \
  X(WRAPPED, "wrapped", "in a fault backend, which watches")                   \
  X(DELAYED, "delayed", "with its delay on")                                   \
  X(FAULTS, "faults", "random calls fail")                                     \
  X(DELAYED_FAULTS, "delayed-faults", "both")                                  \
  X(LOST, "lost", "a device is lost half-way")

typedef enum pp_mode {
#define MODE(NAME, name, about) NAME,
  MODES(MODE)
#undef MODE
} pp_mode;

static const char *const mode_names[] = {
#define MODE(NAME, name, about) name,
    MODES(MODE)
#undef MODE
};
enum { MODE_COUNT = sizeof mode_names / sizeof mode_names[0] };

#define COUNTS(X)                                                              \
  X(links)                                                                     \
  X(runs)                                                                      \
  X(uploads)                                                                   \
  X(downloads) X(copies) X(merges) X(releases) X(frees) X(refusals)            \
      X(failures) X(values)

typedef struct pp_counts {
#define COUNT(name) uint64_t name;
  COUNTS(COUNT)
#undef COUNT
} pp_counts;

typedef struct pp_settings {
  uint64_t seed, rounds, threads;
  const char *backend, *mode; /* NULL: all */
} pp_settings;

/* What all threads share. */
typedef struct pp_board {
  const pp_settings *settings;
  pp_mode mode;
  pp_backend *backend;
  size_t devices;
  pp_routine *step, *next, *merge;
  pp_context *root[DEVICES], *base[DEVICES];
  pp_census baseline[DEVICES];
  pp_context *together; /* released by all */
  pthread_barrier_t barrier;
} pp_board;

/* A context of one thread, and what it knows of its nodes. */
typedef struct pp_live {
  pp_context *context;
  float x[N], y[N];
  bool knows_x, knows_y, released;
} pp_live;

typedef struct pp_part {
  pp_board *board;
  uint64_t number;
  pp_random random;
  pp_live live[LIVE];
  pp_counts counts;
} pp_part;

/* Did the call succeed? Only faults that were asked for may stop it. */
static bool done(pp_part *part, pp_status status, const pp_failure *why,
                 const char *what) {
  pp_mode mode = part->board->mode;
  bool faults = mode == FAULTS || mode == DELAYED_FAULTS || mode == LOST;
  if (status == PP_OK) return true;
  part->counts.failures++;
  if (faults && (status == PP_NO_MEMORY || status == PP_BACKEND_FAILED))
    return false;
  if (mode == LOST && status == PP_DEVICE_LOST) return false;
  pp_die("%s: %s", what, why->text);
}

/* The same, when a release may have been before. */
static bool done_or_gone(pp_part *part, pp_status status, const pp_failure *why,
                         const char *what) {
  if (status != PP_POOL_GONE) return done(part, status, why, what);
  part->counts.refusals++;
  return false;
}

static void expect(pp_part *part, const float *got, const float *expected,
                   float more, const char *what) {
  for (size_t i = 0; i < N; i++)
    if (got[i] != expected[i] + more)
      pp_die("%s: element %zu is %g, not %g", what, i, (double)got[i],
             (double)(expected[i] + more));
  part->counts.values += N;
}

static pp_live *any_live(pp_part *part) {
  return &part->live[pp_random_below(&part->random, LIVE)];
}

static void free_context(pp_part *part, pp_context *context) {
  pp_failure why;
  int tries = 0;
  while (!done(part, pp_context_free(context, &why), &why, "free"))
    if (++tries > 1000) pp_die("free fails for ever: %s", why.text);
  part->counts.frees++;
}

static pp_context *link_one(pp_part *part, pp_context *parent,
                            pp_routine *routine) {
  pp_context *child = NULL;
  pp_failure why;
  pp_status status = pp_link(parent, routine, NULL, &child, &why);
  part->counts.links++;
  return done_or_gone(part, status, &why, "link") ? child : NULL;
}

static void operate_link(pp_part *part, pp_live *live) {
  pp_board *board = part->board;
  size_t device = pp_random_below(&part->random, board->devices);
  if (live->context != NULL) free_context(part, live->context);
  memset(live, 0, sizeof *live);
  live->context = link_one(part, board->base[device], board->step);
  live->knows_x = live->context != NULL;
}

static void operate_upload(pp_part *part, pp_live *live) {
  pp_failure why;
  float first = (float)pp_random_below(&part->random, 1000);
  for (size_t i = 0; i < N; i++)
    live->x[i] = first + (float)i;
  pp_status status =
      pp_upload(live->context, UID_X, live->x, sizeof live->x, &why);
  part->counts.uploads++;
  live->knows_x = done_or_gone(part, status, &why, "upload");
  if (live->knows_x && live->released) pp_die("upload after the release");
}

static void operate_run(pp_part *part, pp_live *live) {
  pp_failure why;
  pp_status status = pp_run(live->context, &why);
  part->counts.runs++;
  live->knows_y = done_or_gone(part, status, &why, "run") && live->knows_x;
  if (status == PP_OK && live->released) pp_die("run after the release");
  for (size_t i = 0; i < N; i++)
    live->y[i] = 2 * live->x[i] + 8;
}

static void operate_download(pp_part *part, pp_live *live) {
  pp_failure why;
  float y[N];
  pp_status status = pp_download(live->context, UID_Y, y, sizeof y, &why);
  part->counts.downloads++;
  if (!done_or_gone(part, status, &why, "download")) return;
  if (live->released) pp_die("download after the release");
  if (live->knows_y) expect(part, y, live->y, 0, "y");
}

static void operate_copy(pp_part *part, pp_live *to) {
  pp_failure why;
  pp_live *from = any_live(part);
  if (from->context == NULL) return;
  pp_status status = pp_copy(to->context, from->context, UID_Y, &why);
  part->counts.copies++;
  bool good = done_or_gone(part, status, &why, "copy");
  if (good && (from->released || to->released)) pp_die("copy after a release");
  if (from == to) return;
  to->knows_y = good && from->knows_y;
  memcpy(to->y, from->y, sizeof to->y);
}

static void operate_release(pp_part *part, pp_live *live) {
  pp_failure why;
  pp_status status = pp_release(live->context, &why);
  part->counts.releases++;
  if (done(part, status, &why, "release")) live->released = true;
  /* A release that failed has freed some pools or none. */
  if (status != PP_OK) live->knows_x = live->knows_y = false;
}

/* A child of a child, which may outlive its parent's pools. */
static void operate_next(pp_part *part, pp_live *live) {
  pp_failure why;
  float z[N];
  pp_context *next = link_one(part, live->context, part->board->next);
  if (next == NULL) return;
  if (pp_random_one_in(&part->random, 4)) operate_release(part, live);
  pp_status status = pp_run(next, &why);
  part->counts.runs++;
  if (done_or_gone(part, status, &why, "run of a grandchild")) {
    if (live->released) pp_die("run over a released parent");
    status = pp_download(next, 30, z, sizeof z, &why);
    part->counts.downloads++;
    if (done(part, status, &why, "download of z") && live->knows_y)
      expect(part, z, live->y, 1, "z");
  }
  free_context(part, next);
}

/* Somebody else's y may be there instead, but a whole one: a ramp. */
static void expect_ramp(pp_part *part, const float *m) {
  for (size_t i = 1; i < N; i++)
    if (m[i] - m[i - 1] != m[1] - m[0])
      pp_die("the merge buffer is of two nodes: element %zu is %g", i,
             (double)m[i]);
  part->counts.values += N;
}

static void run_merged(pp_part *part, pp_context *merged) {
  pp_failure why;
  float m[N];
  pp_status status = pp_run(merged, &why);
  part->counts.runs++;
  if (status == PP_NOT_MERGED) {
    part->counts.refusals++;
    if (part->board->mode < FAULTS) pp_die("merge: %s", why.text);
    return;
  }
  if (!done(part, status, &why, "run of the merge")) return;
  status = pp_download(merged, 40, m, sizeof m, &why);
  part->counts.downloads++;
  if (done(part, status, &why, "download of m") && part->board->mode < FAULTS)
    expect_ramp(part, m);
}

static void operate_merge(pp_part *part, pp_live *live) {
  pp_board *board = part->board;
  pp_failure why;
  size_t device = pp_random_below(&part->random, board->devices);
  if (!live->knows_y || live->released) return;
  pp_status status = pp_merge(board->base[device], live->context, UID_Y, &why);
  part->counts.merges++;
  if (!done(part, status, &why, "merge")) return;
  pp_context *merged = link_one(part, board->base[device], board->merge);
  if (merged == NULL) return;
  run_merged(part, merged);
  free_context(part, merged);
}

static void operate_look(pp_part *part) {
  pp_board *board = part->board;
  size_t device = pp_random_below(&part->random, board->devices);
  pp_census census;
  pp_pool_info pool[4];
  size_t count = 0;
  pp_failure why;
  pp_device_census(board->backend, device, &census);
  pp_device_pools(board->backend, device, pool, 4, &count);
  if (census.contexts < 2 || count < 2) pp_die("shared contexts are missing");
  done(part, pp_await(board->base[device], &why), &why, "await");
}

static void operate(pp_part *part) {
  pp_live *live = any_live(part);
  uint64_t way = pp_random_below(&part->random, 12);
  bool again = live->released && pp_random_one_in(&part->random, 2);
  if (live->context == NULL || again || way == 0) {
    operate_link(part, live);
    return;
  }
  switch (way) {
  case 1:
  case 2:
    operate_upload(part, live);
    break;
  case 3:
  case 4:
    operate_run(part, live);
    break;
  case 5:
  case 6:
    operate_download(part, live);
    break;
  case 7:
    operate_copy(part, live);
    break;
  case 8:
    operate_next(part, live);
    break;
  case 9:
    operate_merge(part, live);
    break;
  case 10:
    operate_look(part);
    break;
  default:
    operate_release(part, live);
  }
}

/* REL-5: all threads release it, and some still use it. */
static void release_together(pp_part *part, uint64_t round) {
  pp_board *board = part->board;
  bool mine = round % board->settings->threads == part->number;
  pp_failure why;
  float y[N];
  pthread_barrier_wait(&board->barrier);
  if (mine)
    board->together =
        link_one(part, board->base[round % board->devices], board->step);
  pthread_barrier_wait(&board->barrier);
  pp_context *together = board->together;
  if (together != NULL) {
    if (pp_random_one_in(&part->random, 2))
      done_or_gone(part, pp_run(together, &why), &why, "run, shared");
    if (pp_random_one_in(&part->random, 2))
      done_or_gone(part, pp_download(together, UID_Y, y, sizeof y, &why), &why,
                   "download, shared");
    part->counts.releases++;
    if (done(part, pp_release(together, &why), &why, "release, shared") &&
        !pp_context_released(together))
      pp_die("released, but it does not say so");
  }
  pthread_barrier_wait(&board->barrier);
  if (mine && together != NULL) free_context(part, together);
}

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
    release_together(part, round);
    for (int i = 0; i < OPERATIONS; i++)
      operate(part);
  }
  for (size_t i = 0; i < LIVE; i++)
    if (part->live[i].context != NULL)
      free_context(part, part->live[i].context);
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

static const struct argp_option options[] = {
    {"seed", OPTION_SEED, "S", 0, "repeat that seed (default: a fresh one)", 0},
    {"rounds", OPTION_ROUNDS, "N", 0, "rounds of each thread (default 200)", 0},
    {"threads", OPTION_THREADS, "N", 0, "how many (default 8)", 0},
    {"backend", OPTION_BACKEND, "NAME", 0, "on this one (default: all)", 0},
    {"mode", OPTION_MODE, "MODE", 0, "in this one (default: all):", 0},
#define MODE(NAME, name, about) {NULL, 0, NULL, 0, name ": " about, 0},
    MODES(MODE)
#undef MODE
        {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_settings *settings = state->input;
  switch (key) {
  case OPTION_SEED:
    settings->seed = pp_number("--seed", text, 0, UINT64_MAX, state);
    return 0;
  case OPTION_ROUNDS:
    settings->rounds = pp_number("--rounds", text, 1, 1 << 30, state);
    return 0;
  case OPTION_THREADS:
    settings->threads = pp_number("--threads", text, 1, 256, state);
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
  const struct argp argp = {.options = options, .parser = parse};
  if (argp_parse(&argp, argc, argv, 0, NULL, &settings) != 0) return 2;
  if (settings.backend != NULL) pp_backend_of(settings.backend);
  printf("seed %" PRIu64 "\n", settings.seed);
  size_t runs = 0;
  for (int id = 0; id < PP_BACKEND_COUNT; id++) {
    const char *name = pp_backend_id_name((pp_backend_id)id);
    if (settings.backend != NULL && strcmp(settings.backend, name) != 0)
      continue;
    for (size_t m = 0; m < MODE_COUNT; m++) {
      if (settings.mode != NULL && strcmp(settings.mode, mode_names[m]) != 0)
        continue;
      run_threads(name, (pp_mode)m, &settings);
      runs++;
    }
  }
  if (runs == 0) pp_die("no such backend or mode");
  return 0;
}
