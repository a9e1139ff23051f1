/* poolproof: the threads test: what one thread does.
 * SPDX-License-Identifier: MIT */
#include "threads.h"

#include <string.h>

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

void pp_operate(pp_part *part) {
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

void pp_release_together(pp_part *part, uint64_t round) {
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

void pp_free_all(pp_part *part) {
  for (size_t i = 0; i < LIVE; i++)
    if (part->live[i].context != NULL)
      free_context(part, part->live[i].context);
}
