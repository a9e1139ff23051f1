/* poolproof: one call below a backend fails, in a process of its own.
 * SPDX-License-Identifier: MIT */
#include "failures.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 300 }; /* after which a child hangs */

/* What one child does.
 * warm  what lives when nothing is wrong */
typedef struct pp_trial {
  const pp_driver *driver;
  const pp_sweep *sweep;
  pp_backend *backend;
  const char *function;
  uint64_t nth;
  int32_t code;
  bool all_others;
  pp_shared *warm;
} pp_trial;

pp_shared *pp_shared_new(void) {
  void *shared = mmap(NULL, sizeof(pp_shared), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) pp_die("out of memory");
  return shared;
}

void pp_in_child(pp_body body, void *state, const char *what) {
  int status = 0;
  fflush(stdout);
  pid_t child = fork();
  if (child < 0) pp_die("no process");
  if (child == 0) {
    alarm(SECONDS);
    body(state);
    exit(0);
  }
  if (waitpid(child, &status, 0) != child) pp_die("no child");
  if (WIFSIGNALED(status)) pp_die("%s: signal %d", what, WTERMSIG(status));
  if (WEXITSTATUS(status) != 0)
    pp_die("%s: status %d", what, WEXITSTATUS(status));
}

uint64_t pp_point(uint64_t calls, uint64_t points, uint64_t k) {
  if (points == 0 || calls <= points) return k < calls ? k + 1 : 0;
  uint64_t first = points / 2;
  if (k < first) return k + 1;
  uint64_t rest = points - first;
  if (k >= points) return 0;
  return first + 1 +
         (k - first) * (calls - first - 1) / (rest > 1 ? rest - 1 : 1);
}

/* -- what a child finds -- */

static bool is_lost(pp_backend *backend) {
  size_t count = 0;
  bool lost = false;
  if (backend->call->devices(backend, &count) != PP_OK) return false;
  for (size_t d = 0; d < count; d++)
    if (backend->call->await(backend, d) == PP_DEVICE_LOST) lost = true;
  return lost;
}

/* What lives is as it was, but for what the failing call itself holds. In a
 * fresh process it may be less: a device that does not answer is left out. */
static void check_live(const pp_trial *trial, const int64_t *base, bool lost,
                       const char *when) {
  const pp_driver *driver = trial->driver;
  int64_t live[PP_LIVES] = {0};
  size_t held = driver->held(trial->function);
  driver->live(live);
  for (size_t k = 0; k < driver->lives; k++) {
    bool certain = driver->life[k][0] == '*';
    if (lost && !certain) continue;
    if (live[k] == base[k] || (k == held && live[k] == base[k] + 1)) continue;
    if (trial->sweep->fresh && live[k] >= 0 && live[k] < base[k]) continue;
    pp_die("%s: %" PRId64 " %s instead of %" PRId64, when, live[k],
           driver->life[k] + certain, base[k]);
  }
}

/* Versions of a symbol are left out. */
static bool is_named(const char *text, const char *function) {
  size_t length = strlen(function);
  if (length > 3 && function[length - 3] == '_') length -= 3;
  return memmem(text, strlen(text), function, length) != NULL;
}

/* Is the sentence one line that names the function? When the device is lost, a
 * later function may be the first to say so. */
static void check_sentence(const pp_trial *trial, const pp_attempt *attempt) {
  const pp_driver *driver = trial->driver;
  const char *text = attempt->why.text;
  if (text[0] == '\0' || strchr(text, '\n') != NULL)
    pp_die("%s is no sentence: \"%s\"", attempt->stage, text);
  bool named = is_named(text, trial->function);
  bool any = attempt->status == PP_DEVICE_LOST;
  for (size_t k = 0; k < driver->functions && any && !named; k++)
    named = is_named(text, driver->function[k]);
  if (!named && strcmp(trial->function, "work") != 0)
    pp_die("%s does not name %s: \"%s\"", attempt->stage, trial->function,
           text);
}

static void check_status(const pp_attempt *attempt) {
  switch (attempt->status) {
  case PP_NO_MEMORY:
  case PP_BACKEND_FAILED:
  case PP_DEVICE_LOST:
    return;
  case PP_NO_DEVICE:
    if (strcmp(attempt->stage, "make_context") == 0) return;
    pp_die("%s: no device", attempt->stage);
  default:
    pp_die("%s: status %d: %s", attempt->stage, (int)attempt->status,
           attempt->why.text);
  }
}

/* A lost device says so each time, and why. */
static void check_lost(const pp_trial *trial) {
  pp_attempt again;
  pp_work_try(trial->sweep->work, trial->backend, &again);
  pp_work_end(trial->backend, &again);
  if (again.status != PP_DEVICE_LOST)
    pp_die("a lost device answers in %s: \"%s\"", again.stage, again.why.text);
  check_sentence(trial, &again);
}

static void use_others(const pp_trial *trial) {
  const pp_work *work = trial->sweep->work;
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++) {
    pp_backend *other = pp_backend_module((pp_backend_id)id);
    bool always = id == PP_BACKEND_CC || id == PP_BACKEND_MULTIDEV_CC;
    size_t count = 0;
    if (other == trial->backend || (!always && !trial->all_others)) continue;
    if (other->call->devices(other, &count) == PP_OK)
      pp_work_must(work, other);
    else if (always)
      pp_die("%s is gone", other->name);
  }
}

/* -- children -- */

static void reference(void *state) {
  const pp_trial *trial = state;
  const pp_driver *driver = trial->driver;
  pp_attempt attempt;
  if (trial->sweep->fresh) driver->load(trial->sweep->file);
  driver->forget();
  double start = pp_seconds();
  pp_work_try(trial->sweep->work, trial->backend, &attempt);
  pp_work_end(trial->backend, &attempt);
  trial->warm->seconds = pp_seconds() - start;
  trial->warm->why = attempt.why;
  trial->warm->here = attempt.status == PP_OK;
  if (attempt.status == PP_NO_DEVICE) return;
  if (attempt.status != PP_OK)
    pp_die("%s: %s", attempt.stage, attempt.why.text);
  if (attempt.wrong) pp_die("values differ from the interpreter's");
  for (size_t k = 0; k < driver->functions; k++)
    trial->warm->calls[k] = driver->calls(driver->function[k]);
  driver->live(trial->warm->live);
}

static void fail_one(void *state) {
  const pp_trial *trial = state;
  const pp_driver *driver = trial->driver;
  const pp_work *work = trial->sweep->work;
  const int64_t none[PP_LIVES] = {0};
  pp_attempt attempt;
  if (trial->sweep->fresh) driver->load(trial->sweep->file);
  driver->forget();
  if (!driver->fail(trial->function, trial->nth, trial->code))
    pp_die("it cannot be failed");
  pp_work_try(work, trial->backend, &attempt);
  bool nothing = attempt.contexts == 0;
  pp_work_end(trial->backend, &attempt);
  if (driver->struck() != 1)
    pp_die("%" PRIu64 " faults struck", driver->struck());
  if (nothing && trial->sweep->fresh)
    check_live(trial, none, false, "after no context was made");
  bool lost = is_lost(trial->backend);
  if (attempt.status == PP_OK && attempt.wrong)
    pp_die("no error, and wrong values");
  if (attempt.status != PP_OK) check_status(&attempt);
  if (attempt.status != PP_OK) check_sentence(trial, &attempt);
  if ((attempt.status == PP_DEVICE_LOST) && !lost)
    pp_die("%s: lost, and then not: %s", attempt.stage, attempt.why.text);
  if (!trial->sweep->fresh)
    check_live(trial, trial->warm->live, lost, "after the failure");
  use_others(trial);
  if (lost) {
    check_lost(trial);
  } else {
    pp_work_must(work, trial->backend);
    check_live(trial, trial->warm->live, false, "after the retry");
  }
}

/* -- a sweep -- */

static uint64_t sweep_function(pp_trial *trial, uint64_t calls) {
  const pp_driver *driver = trial->driver;
  const pp_sweep *sweep = trial->sweep;
  char what[160];
  uint64_t tried = 0;
  uint64_t nth = 0;
  for (uint64_t k = 0; (nth = pp_point(calls, sweep->points, k)) != 0; k++) {
    size_t codes = sweep->all_codes ? driver->codes : 1;
    for (size_t c = 0; c < codes; c++, tried++) {
      trial->nth = nth;
      trial->code = driver->code[(k + c) % driver->codes];
      trial->all_others = k == 0 && c == 0 && sweep->fresh;
      (void)snprintf(what, sizeof what,
                     "%s, %s: call %" PRIu64 " of %s answers %d",
                     driver->backend, sweep->work->name, nth, trial->function,
                     trial->code);
      pp_in_child(fail_one, trial, what);
    }
  }
  return tried;
}

bool pp_is_here(const char *backend, const pp_driver *driver,
                const pp_sweep *sweep, pp_shared *shared) {
  pp_trial trial = {.driver = driver,
                    .sweep = sweep,
                    .backend = pp_backend_of(backend),
                    .warm = shared};
  pp_in_child(reference, &trial, backend);
  return shared->here;
}

uint64_t pp_sweep_driver(const pp_driver *driver, const pp_sweep *sweep) {
  pp_shared *warm = pp_shared_new();
  uint64_t tried = 0;
  pp_trial trial = {.driver = driver,
                    .sweep = sweep,
                    .backend = pp_backend_of(driver->backend),
                    .warm = warm};
  if (!sweep->fresh) pp_work_must(sweep->work, trial.backend);
  pp_in_child(reference, &trial, driver->backend);
  printf("%s, %s, %s process (%.3f s a run):\n", driver->backend,
         sweep->work->name, sweep->fresh ? "a fresh" : "a warm", warm->seconds);
  for (size_t k = 0; k < driver->functions; k++) {
    trial.function = driver->function[k];
    if (warm->calls[k] == 0) continue;
    uint64_t here = sweep_function(&trial, warm->calls[k]);
    printf("  %-32s %6" PRIu64 " calls, %6" PRIu64 " failures\n",
           trial.function, warm->calls[k], here);
    tried += here;
  }
  munmap(warm, sizeof *warm);
  if (tried == 0) pp_die("%s: nothing was tried", driver->backend);
  return tried;
}
