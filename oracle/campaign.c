#include "campaign.h"

#include "crash.h"
#include "differ.h"
#include "find.h"
#include "generate.h"
#include "number.h"
#include "progress.h"
#include "workers.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NO_MEMORY_SHARE = 64, /* one run in so many fails allocations */
  STUCK_SECONDS = 30    /* a run that takes longer never ends */
};

/* One campaign, shared by its threads. */
typedef struct pp_campaign_state {
  const pp_campaign_options *options;
  size_t max_items;
  _Atomic uint64_t next;  /* the next run, counted from 0 */
  _Atomic uint64_t until; /* runs from here on are not wanted */
  atomic_bool stop;       /* time is over */
  char before[64];        /* the command that does run N again: before, N, */
  char after[64];         /* after */
} pp_campaign_state;

/* A thread's own part; counts are read by others while it works. */
typedef struct pp_campaigner {
  pp_campaign_state *campaign;
  pp_differ differ;
  pp_case c;
  pp_crash_note note;
  _Atomic uint64_t at; /* the run under way */
  uint64_t seen;       /* by the watcher, since `since` */
  double since;
  _Atomic uint64_t count[PP_NOT_COMPARED + 1];
  uint64_t found_at; /* run, UINT64_MAX: nothing found */
  pp_case found;
  char sentence[480];
} pp_campaigner;

static volatile sig_atomic_t interrupted;

static void interrupt(int number) {
  (void)number;
  interrupted = 1;
}

/* Lowers *target to value. */
static void lower(_Atomic uint64_t *target, uint64_t value) {
  uint64_t old = atomic_load(target);
  while (value < old && !atomic_compare_exchange_weak(target, &old, value)) {
  }
}

static pp_outcome run_one(pp_campaigner *self, uint64_t run) {
  const pp_campaign_state *campaign = self->campaign;
  if (!pp_generate(&self->c, campaign->options->seed, run, campaign->max_items))
    return PP_NOT_COMPARED;
  unsigned flags = PP_DIFFER_USUAL;
  if (run % NO_MEMORY_SHARE == 0) flags |= PP_DIFFER_NO_MEMORY;
  return pp_differ_run(&self->differ, &self->c, flags);
}

/* Runs are handed out in order, so when the least run that disagrees is known
 * all below it are done or under way: the find reported does not depend on
 * the threads. */
static void *campaigner_main(void *state) {
  pp_campaigner *self = state;
  pp_campaign_state *campaign = self->campaign;
  self->note = (pp_crash_note){campaign->before, 0, campaign->after};
  pp_crash_note_set(&self->note);
  while (!atomic_load_explicit(&campaign->stop, memory_order_relaxed)) {
    uint64_t i = atomic_fetch_add(&campaign->next, 1);
    if (i >= atomic_load(&campaign->until)) break;
    uint64_t run = campaign->options->first + i;
    self->note.number = run;
    atomic_store_explicit(&self->at, run, memory_order_relaxed);
    pp_outcome outcome = run_one(self, run);
    atomic_fetch_add_explicit(&self->count[outcome], 1, memory_order_relaxed);
    if (outcome != PP_DISAGREED) continue;
    lower(&campaign->until, i);
    if (!pp_case_copy(&self->found, &self->c)) self->found.n = 0;
    memcpy(self->sentence, self->differ.sentence, sizeof self->sentence);
    self->found_at = run;
    break;
  }
  atomic_store(&self->at, UINT64_MAX);
  pp_crash_note_set(NULL);
  return NULL;
}

static void sum_counts(const pp_campaigner *all, unsigned jobs,
                       uint64_t *count) {
  for (size_t k = 0; k <= PP_NOT_COMPARED; k++) {
    count[k] = 0;
    for (unsigned j = 0; j < jobs; j++)
      count[k] += atomic_load_explicit(&all[j].count[k], memory_order_relaxed);
  }
}

static uint64_t compared(const uint64_t *count) {
  uint64_t sum = count[PP_DISAGREED];
  for (size_t k = 0; k < PP_OUTCOMES; k++)
    sum += count[k];
  return sum;
}

/* What the main thread does meanwhile: watch time and Ctrl-C, say how it
 * goes. */
typedef struct pp_watch {
  pp_campaign_state *campaign;
  pp_campaigner *all;
  unsigned jobs;
  uint64_t seconds;
  double cpu_before;
  pp_progress progress;
} pp_watch;

/* A thread that hangs cannot be stopped, so the process ends here. */
static void look_for_stuck(pp_watch *w, double elapsed) {
  for (unsigned j = 0; j < w->jobs; j++) {
    pp_campaigner *one = &w->all[j];
    uint64_t at = atomic_load_explicit(&one->at, memory_order_relaxed);
    if (at != one->seen) {
      one->seen = at;
      one->since = elapsed;
    }
    if (at == UINT64_MAX || elapsed - one->since < STUCK_SECONDS) continue;
    pp_progress_end(&w->progress);
    printf("found: a run does not end (%d s so far)\nagain: %s%" PRIu64 "%s\n",
           STUCK_SECONDS, w->campaign->before, at, w->campaign->after);
    (void)fflush(stdout);
    _Exit(PP_EXIT_FOUND);
  }
}

static void watch(void *state) {
  pp_watch *w = state;
  uint64_t count[PP_NOT_COMPARED + 1];
  sum_counts(w->all, w->jobs, count);
  double elapsed = pp_progress_elapsed(&w->progress);
  double share = -1;
  if (w->campaign->options->runs > 0)
    share = (double)compared(count) / (double)w->campaign->options->runs;
  else if (w->seconds > 0)
    share = elapsed / (double)w->seconds;
  pp_progress_show(&w->progress, compared(count), share,
                   count[PP_DISAGREED] > 0);
  if (interrupted || (w->seconds > 0 && elapsed >= (double)w->seconds))
    atomic_store(&w->campaign->stop, true);
  look_for_stuck(w, elapsed);
}

/* cpu: seconds of processor time, which is what a core means where others
 * use the machine too. */
static void print_verdict(const uint64_t *count, double elapsed, double cpu,
                          unsigned jobs) {
  char text[32];
  uint64_t all = compared(count);
  double rate = cpu > 0 ? (double)all / cpu : 0;
  printf("%s: %s problems compared in %.1f s on %u %s, ",
         count[PP_DISAGREED] > 0 ? "DISAGREED" : "agreed",
         pp_grouped(all, text, sizeof text), elapsed, jobs,
         jobs == 1 ? "thread" : "threads");
  printf("%s a second of a core\n",
         pp_grouped((uint64_t)rate, text, sizeof text));
  for (size_t k = 0; k <= PP_NOT_COMPARED; k++) {
    if (k >= PP_OUTCOMES && count[k] == 0) continue;
    printf("  %-24s %12s\n", pp_outcome_text((pp_outcome)k),
           pp_grouped(count[k], text, sizeof text));
  }
}

static int report(const pp_campaign_state *campaign, pp_campaigner *all,
                  unsigned jobs, pp_diag *diag) {
  pp_campaigner *least = &all[0];
  for (unsigned j = 1; j < jobs; j++)
    if (all[j].found_at < least->found_at) least = &all[j];
  char again[160];
  char name[96];
  (void)snprintf(again, sizeof again, "%s%" PRIu64 "%s", campaign->before,
                 least->found_at, campaign->after);
  (void)snprintf(name, sizeof name, "find-%" PRIu64 "-%" PRIu64 ".json",
                 campaign->options->seed, least->found_at);
  pp_find find = {.c = least->found,
                  .again = again,
                  .dir = campaign->options->find_dir,
                  .name = name};
  memcpy(find.sentence, least->sentence, sizeof find.sentence);
  int code = pp_find_report(&find, diag);
  least->found = find.c;
  return code;
}

static int conclude(const pp_watch *w, pp_campaigner *all, pp_diag *diag) {
  uint64_t count[PP_NOT_COMPARED + 1];
  double elapsed = pp_progress_elapsed(&w->progress);
  double cpu = pp_cpu_seconds() - w->cpu_before;
  sum_counts(all, w->jobs, count);
  int code = PP_EXIT_FINE;
  if (count[PP_DISAGREED] > 0) code = report(w->campaign, all, w->jobs, diag);
  if (interrupted) printf("interrupted\n");
  print_verdict(count, elapsed, cpu, w->jobs);
  printf("the same once more: %s%" PRIu64 " --runs %" PRIu64 " --items %zu\n",
         w->campaign->before, w->campaign->options->first,
         compared(count) + count[PP_NOT_COMPARED], w->campaign->max_items);
  if (code == PP_EXIT_FINE && compared(count) == 0)
    return pp_diag_fail(diag, PP_EXIT_RESOURCE,
                        "fuzz: no problem at all was compared");
  if (code == PP_EXIT_FINE && count[PP_NOT_COMPARED] > 0)
    return pp_diag_fail(diag, PP_EXIT_RESOURCE,
                        "fuzz: %" PRIu64
                        " problems were not compared, for want of "
                        "memory",
                        count[PP_NOT_COMPARED]);
  return code;
}

static void open_all(pp_campaigner *all, unsigned jobs,
                     pp_campaign_state *campaign) {
  for (unsigned j = 0; j < jobs; j++) {
    all[j].campaign = campaign;
    all[j].found_at = UINT64_MAX;
    all[j].at = UINT64_MAX;
    pp_differ_open(&all[j].differ);
  }
}

static void close_all(pp_campaigner *all, unsigned jobs) {
  for (unsigned j = 0; j < jobs; j++) {
    pp_differ_close(&all[j].differ);
    pp_case_free(&all[j].c);
    pp_case_free(&all[j].found);
  }
  pp_workers_free(all);
}

static void set_up(pp_campaign_state *campaign,
                   const pp_campaign_options *options) {
  campaign->options = options;
  campaign->max_items =
      options->max_items > 0 ? options->max_items : (size_t)PP_GENERATE_ITEMS;
  campaign->until = UINT64_MAX - options->first;
  if (options->runs > 0 && options->runs < campaign->until)
    campaign->until = options->runs;
  (void)snprintf(campaign->before, sizeof campaign->before,
                 "poolproof fuzz --seed %" PRIu64 " --first ", options->seed);
  (void)snprintf(campaign->after, sizeof campaign->after,
                 " --runs 1 --items %zu", campaign->max_items);
}

static void say_start(const pp_campaign_state *campaign, unsigned jobs) {
  uint64_t seed = campaign->options->seed;
  printf("fuzz: seed %" PRIu64 ", at most %zu items, %u %s; again: poolproof "
         "fuzz --seed %" PRIu64 " --items %zu\n",
         seed, campaign->max_items, jobs, jobs == 1 ? "thread" : "threads",
         seed, campaign->max_items);
  (void)fflush(stdout);
}

/* Runs the threads, with Ctrl-C as a way to end early. */
static int run_all(pp_watch *w, pp_diag *diag) {
  struct sigaction action = {.sa_handler = interrupt};
  struct sigaction old;
  action.sa_flags = (int)SA_RESETHAND;
  interrupted = 0;
  bool handled = sigaction(SIGINT, &action, &old) == 0;
  pp_crash_watch();
  w->cpu_before = pp_cpu_seconds();
  pp_progress_start(&w->progress, stderr, "problems",
                    w->campaign->options->quiet);
  int code = pp_workers_run(campaigner_main, w->all, sizeof *w->all, w->jobs,
                            watch, w, diag);
  pp_progress_end(&w->progress);
  if (handled) (void)sigaction(SIGINT, &old, NULL);
  return code;
}

int pp_campaign(const pp_campaign_options *options, pp_diag *diag) {
  pp_campaign_state campaign = {.options = options};
  set_up(&campaign, options);
  pp_watch w = {.campaign = &campaign, .jobs = pp_jobs(options->jobs)};
  w.seconds = options->seconds;
  if (options->seconds == 0 && options->runs == 0) w.seconds = 10;
  w.all = pp_workers_new(w.jobs, sizeof *w.all);
  if (!w.all) return pp_fail_memory(diag);
  open_all(w.all, w.jobs, &campaign);
  say_start(&campaign, w.jobs);
  int code = run_all(&w, diag);
  if (code == 0) code = conclude(&w, w.all, diag);
  close_all(w.all, w.jobs);
  return code;
}
