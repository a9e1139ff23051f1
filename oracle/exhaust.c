#include "exhaust.h"

#include "crash.h"
#include "explore.h"
#include "find.h"
#include "number.h"
#include "progress.h"
#include "workers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STUCK_SECONDS = 30 }; /* a problem that takes longer never ends */

/* One family under work, shared by the threads. */
typedef struct pp_hunt {
  const pp_family *family;
  pp_letter letters[PP_LETTERS];
  size_t count;
  uint64_t chunks;
  _Atomic uint64_t next;
  _Atomic uint64_t until; /* chunks from here on are not wanted */
} pp_hunt;

typedef struct pp_hunter {
  pp_hunt *hunt;
  pp_explorer explorer;
  uint64_t failed_at; /* chunk; UINT64_MAX: none */
} pp_hunter;

/* Everything: the families, and what the main thread watches. */
typedef struct pp_search {
  const pp_exhaust_options *options;
  size_t items;
  unsigned jobs;
  pp_hunt hunt;
  pp_hunter *hunters;
  double words;  /* behind */
  double all;    /* words of all families */
  uint64_t seen; /* comparisons, since `since` */
  double since;
  pp_progress progress;
} pp_search;

/* Chunks are handed out in order, so that the failure reported, the one of
 * the least chunk, does not depend on the threads. */
static void *hunter_main(void *state) {
  pp_hunter *self = state;
  pp_hunt *hunt = self->hunt;
  const pp_crash_note note = {"poolproof exhaust --items ", hunt->family->n,
                              ""};
  self->failed_at = UINT64_MAX;
  pp_crash_note_set(&note);
  for (;;) {
    uint64_t chunk = atomic_fetch_add(&hunt->next, 1);
    if (chunk >= atomic_load(&hunt->until)) break;
    if (pp_explore_chunk(&self->explorer, hunt->family, hunt->letters,
                         hunt->count, chunk))
      continue;
    self->failed_at = chunk;
    uint64_t old = atomic_load(&hunt->until);
    while (chunk < old &&
           !atomic_compare_exchange_weak(&hunt->until, &old, chunk)) {
    }
    break;
  }
  pp_crash_note_set(NULL);
  return NULL;
}

static uint64_t read_count(const _Atomic uint64_t *count) {
  return atomic_load_explicit(count, memory_order_relaxed);
}

static uint64_t problems(const pp_search *search, pp_outcome outcome) {
  uint64_t sum = 0;
  for (unsigned j = 0; j < search->jobs; j++)
    sum += read_count(&search->hunters[j].explorer.count[outcome]);
  return sum;
}

static uint64_t all_problems(const pp_search *search) {
  uint64_t sum = 0;
  for (size_t k = 0; k < PP_OUTCOMES; k++)
    sum += problems(search, (pp_outcome)k);
  return sum;
}

static uint64_t all_layouts(const pp_search *search) {
  uint64_t sum = 0;
  for (unsigned j = 0; j < search->jobs; j++)
    sum += read_count(&search->hunters[j].explorer.layouts);
  return sum;
}

static double words_of(const pp_family *family, size_t letters) {
  double words = 1;
  for (size_t i = 0; i < family->n; i++)
    words *= (double)letters;
  return words;
}

/* A thread that hangs cannot be stopped, so the process ends here. */
static void look_for_stuck(pp_search *search, uint64_t done) {
  double elapsed = pp_progress_elapsed(&search->progress);
  if (done != search->seen) {
    search->seen = done;
    search->since = elapsed;
  }
  if (elapsed - search->since < STUCK_SECONDS) return;
  pp_progress_end(&search->progress);
  printf("found: a problem with %zu items does not end (%d s so far)\n"
         "again: poolproof exhaust --items %zu\n",
         search->hunt.family->n, STUCK_SECONDS, search->hunt.family->n);
  (void)fflush(stdout);
  _Exit(PP_EXIT_FOUND);
}

static void watch(void *state) {
  pp_search *search = state;
  const pp_hunt *hunt = &search->hunt;
  double part = (double)atomic_load(&hunt->next) / (double)hunt->chunks;
  if (part > 1) part = 1;
  double words = search->words + part * words_of(hunt->family, hunt->count);
  uint64_t done = all_problems(search) + all_layouts(search);
  pp_progress_show(&search->progress, done, words / search->all, 0);
  look_for_stuck(search, done);
}

/* False: the domain asks for more letters than there is room for. */
static bool start_hunt(pp_search *search, const pp_family *family) {
  pp_hunt *hunt = &search->hunt;
  hunt->family = family;
  hunt->count = pp_family_letters(family, hunt->letters);
  hunt->chunks = pp_family_chunks(family, hunt->count);
  atomic_store(&hunt->next, 0);
  atomic_store(&hunt->until, hunt->chunks);
  return hunt->count <= PP_LETTERS;
}

/* The hunter that failed at the least chunk; NULL: none did. */
static pp_hunter *least_failure(const pp_search *search) {
  pp_hunter *least = NULL;
  for (unsigned j = 0; j < search->jobs; j++) {
    pp_hunter *hunter = &search->hunters[j];
    if (hunter->failed_at == UINT64_MAX) continue;
    if (!least || hunter->failed_at < least->failed_at) least = hunter;
  }
  return least;
}

static int report(const pp_search *search, pp_hunter *hunter, pp_diag *diag) {
  pp_explorer *explorer = &hunter->explorer;
  const pp_family *family = search->hunt.family;
  if (explorer->failed != PP_DISAGREED)
    return pp_diag_fail(
        diag, PP_EXIT_RESOURCE,
        "exhaust: a problem was not compared, for want of memory");
  char again[64];
  char name[64];
  (void)snprintf(again, sizeof again, "poolproof exhaust --items %zu",
                 family->n > 0 ? family->n : 1);
  (void)snprintf(name, sizeof name, "find-exhaust-%zu-%" PRIu64 ".json",
                 family->n, hunter->failed_at);
  pp_find find = {.c = explorer->c,
                  .again = again,
                  .dir = search->options->find_dir,
                  .name = name};
  memcpy(find.sentence, explorer->sentence, sizeof find.sentence);
  int code = pp_find_report(&find, diag);
  explorer->c = find.c;
  return code;
}

static void print_verdict(const pp_search *search, bool found) {
  char one[32];
  char two[32];
  printf("%s: %s problems with up to %zu items and %s claimed layouts compared "
         "by three in %.1f s on %u %s\n",
         found ? "DISAGREED" : "agreed",
         pp_grouped(all_problems(search), one, sizeof one), search->items,
         pp_grouped(all_layouts(search), two, sizeof two),
         pp_progress_elapsed(&search->progress), search->jobs,
         search->jobs == 1 ? "thread" : "threads");
  for (size_t k = 0; k < PP_OUTCOMES; k++)
    printf("  %-24s %12s\n", pp_outcome_text((pp_outcome)k),
           pp_grouped(problems(search, (pp_outcome)k), one, sizeof one));
  printf("  %-24s %12s\n", "layouts: checked",
         pp_grouped(all_layouts(search), one, sizeof one));
}

static int hunt_all(pp_search *search, pp_diag *diag) {
  size_t count = 0;
  const pp_family *families = pp_domain(&count);
  for (size_t f = 0; f < count; f++) {
    if (families[f].n > search->items) continue;
    if (!start_hunt(search, &families[f]))
      return pp_diag_fail(diag, PP_EXIT_RESOURCE,
                          "exhaust: family %zu has too many letters", f);
    int code =
        pp_workers_run(hunter_main, search->hunters, sizeof *search->hunters,
                       search->jobs, watch, search, diag);
    if (code != 0) return code;
    pp_hunter *hunter = least_failure(search);
    if (hunter) {
      pp_progress_end(&search->progress);
      return report(search, hunter, diag);
    }
    search->words += words_of(&families[f], search->hunt.count);
  }
  pp_progress_end(&search->progress);
  return PP_EXIT_FINE;
}

static double all_words(pp_search *search) {
  size_t count = 0;
  const pp_family *families = pp_domain(&count);
  double words = 0;
  for (size_t f = 0; f < count; f++)
    if (families[f].n <= search->items)
      words += words_of(&families[f],
                        pp_family_letters(&families[f], search->hunt.letters));
  return words;
}

static bool open_all(pp_search *search) {
  bool ok = true;
  for (unsigned j = 0; j < search->jobs; j++) {
    search->hunters[j].hunt = &search->hunt;
    search->hunters[j].failed_at = UINT64_MAX;
    if (!pp_explorer_open(&search->hunters[j].explorer)) ok = false;
  }
  return ok;
}

int pp_exhaust(const pp_exhaust_options *options, pp_diag *diag) {
  pp_search search = {.options = options, .jobs = pp_jobs(options->jobs)};
  search.items = options->items > 0 ? options->items : PP_EXHAUST_ITEMS;
  if (search.items > PP_EXHAUST_ITEMS)
    return pp_diag_fail(
        diag, PP_EXIT_INPUT,
        "exhaust: at most %d items, %zu are too many to try all",
        PP_EXHAUST_ITEMS, search.items);
  search.hunters = pp_workers_new(search.jobs, sizeof *search.hunters);
  if (!search.hunters) return pp_fail_memory(diag);
  pp_crash_watch();
  search.all = all_words(&search);
  pp_progress_start(&search.progress, stderr, "comparisons", options->quiet);
  int code = open_all(&search) ? hunt_all(&search, diag) : pp_fail_memory(diag);
  if (code == PP_EXIT_FINE || code == PP_EXIT_FOUND)
    print_verdict(&search, code == PP_EXIT_FOUND);
  for (unsigned j = 0; j < search.jobs; j++)
    pp_explorer_close(&search.hunters[j].explorer);
  pp_workers_free(search.hunters);
  return code;
}
