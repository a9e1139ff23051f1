/* poolproof: random routines, until something disagrees.
 * SPDX-License-Identifier: MIT */
#include "campaign_routine.h"

#include "crash.h"
#include "number.h"
#include "output.h"
#include "random.h"
#include "routine_shrink.h"
#include "routines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  TESTS = 3000, /* of a shrink */
  MANY = 1000,  /* checks in which everything must have happened */
  LENT = 900,   /* uids of merge nodes */
  APART = 100   /* uids of two routines */
};

typedef struct pp_routine_runner {
  const pp_backend_campaign *options;
  size_t routines;
  pp_routine *routine[PP_CHAIN];
  pp_backends_here found;
  pp_routine_where where;
  pp_routine_checked checked;
  pp_campaign_run run;
} pp_routine_runner;

static void drop_routines(pp_routine_runner *runner) {
  for (size_t k = 0; k < runner->routines; k++)
    pp_routine_free(runner->routine[k]);
  runner->routines = 0;
}

/* What the node is to the next routine: seldom more than before. */
static unsigned draw_intents(pp_random *random, const pp_node *node) {
  unsigned more = 0;
  if (pp_random_one_in(random, 8)) more |= PP_OBSERVABLE;
  if (pp_random_one_in(random, 24)) more |= PP_HOST;
  return node->intents | more;
}

/* All nodes of the routines so far, each once; returns how many. */
static size_t list_known(const pp_routine_runner *runner, pp_random *random,
                         pp_node *known) {
  size_t n = 0;
  for (size_t k = 0; k < runner->routines; k++)
    for (size_t i = 0; i < runner->routine[k]->nodes; i++) {
      const pp_node *node = &runner->routine[k]->node[i];
      bool there = (node->intents & PP_MERGE) != 0;
      for (size_t j = 0; j < n && !there; j++)
        there = known[j].uid == node->uid;
      if (there) continue;
      known[n] = *node;
      known[n++].intents = draw_intents(random, node);
    }
  return n;
}

/* Adds one; huge ones cannot run. */
static pp_status draw_routine(pp_routine_runner *runner, pp_random *random,
                              bool huge, pp_failure *failure) {
  pp_node known[PP_CHAIN * PP_ROUTINE_NODES];
  const pp_node lent = {.uid = LENT + runner->routines,
                        .dtype =
                            (pp_dtype)pp_random_below(random, PP_DTYPE_COUNT),
                        .rank = 2,
                        .dims = {2, 3}};
  size_t k = runner->routines;
  const pp_routine_limits limits = {
      .first_uid = 1 + k * APART,
      .nodes = 3 + (size_t)pp_random_below(random, 10),
      .statements = 2 + (size_t)pp_random_below(random, 18),
      .extent = 1 + pp_random_below(random, 5),
      .source = true,
      .huge = huge,
      .wild = pp_random_one_in(random, 3),
      .known = known,
      .knowns = list_known(runner, random, known),
      .merge = !huge && pp_random_one_in(random, 6) ? &lent : NULL};
  pp_status status =
      pp_random_routine(random, &limits, &runner->routine[k], failure);
  if (status == PP_OK) runner->routines++;
  return status;
}

static pp_verdict run_one(void *state, uint64_t number) {
  pp_routine_runner *runner = state;
  const pp_backend_campaign *options = runner->options;
  pp_random random;
  pp_failure failure;
  pp_random_start(&random, options->seed, number);
  uint64_t way = pp_random_below(&random, 10);
  size_t routines = way < 2 ? 2 : way == 2 ? 3 : 1;
  drop_routines(runner);
  while (runner->routines < routines) {
    pp_status status = draw_routine(runner, &random, way == 3, &failure);
    if (status == PP_NO_MEMORY) return PP_UNDECIDED;
    if (status == PP_OK) continue;
    (void)snprintf(runner->checked.sentence, sizeof runner->checked.sentence,
                   "a random routine is refused: %s", failure.text);
    return PP_DISAGREE;
  }
  return pp_routine_check(runner->routine, runner->routines,
                          pp_random_mix(options->seed, number), &runner->where,
                          &runner->checked);
}

static uint64_t run_all(pp_routine_runner *runner) {
  const pp_backend_campaign *options = runner->options;
  char again[128 + PP_BACKEND_OPTION];
  char backend[PP_BACKEND_OPTION];
  (void)snprintf(again, sizeof again,
                 "poolproof fuzz-routine %s--seed %" PRIu64 " --first ",
                 pp_campaign_backends(options, backend), options->seed);
  return pp_campaign_all(&runner->run, options, "routines", again, 16, run_one,
                         runner);
}

typedef struct pp_shrink_state {
  uint64_t seed;
  pp_routine_where where;
} pp_shrink_state;

static bool disagrees(void *state, pp_routine *const *routine,
                      size_t routines) {
  const pp_shrink_state *shrink = state;
  pp_routine_checked checked = {.sentence = ""};
  return pp_routines_follow(routine, routines) &&
         pp_routine_check(routine, routines, shrink->seed, &shrink->where,
                          &checked) == PP_DISAGREE;
}

static int save(const char *path, const pp_routine *routine, pp_diag *diag) {
  pp_output output;
  char *text = pp_routine_print(routine);
  if (!text) return pp_fail_memory(diag);
  int code = pp_output_open(&output, path, diag);
  if (code == 0) {
    (void)fputs(text, output.stream);
    code = pp_output_end(&output, 0, diag);
  }
  free(text);
  return code;
}

/* Where routine k of a find goes; diag's code when that is too long. */
static int find_path(const pp_backend_campaign *options, uint64_t number,
                     size_t k, char *path, size_t size, pp_diag *diag) {
  char end[32] = ".ppr";
  if (k > 0) (void)snprintf(end, sizeof end, "-%zu.ppr", k + 1);
  return pp_campaign_path(options, number, end, path, size, diag);
}

/* Writes the routines and prints the command that checks them. */
static int save_all(const pp_routine_runner *runner, uint64_t number,
                    uint64_t seed, pp_diag *diag) {
  const pp_backend_campaign *options = runner->options;
  char path[4096];
  char backend[PP_BACKEND_OPTION];
  for (size_t k = 0; k < runner->routines; k++) {
    const pp_routine *routine = runner->routine[k];
    if (find_path(options, number, k, path, sizeof path, diag) != 0 ||
        save(path, routine, diag) != 0)
      return diag->code;
    printf("file:  %s (%zu statements)\n", path, routine->statements);
  }
  printf("shown by: poolproof fuzz-routine %s--seed %" PRIu64 " --replay",
         pp_campaign_backends(options, backend), seed);
  for (size_t k = 0; k < runner->routines; k++)
    if (find_path(options, number, k, path, sizeof path, diag) == 0)
      printf(" %s", path);
  printf("\n");
  return 0;
}

static int report(pp_routine_runner *runner, uint64_t number, pp_diag *diag) {
  const pp_backend_campaign *options = runner->options;
  pp_shrink_state state = {pp_random_mix(options->seed, number), runner->where};
  pp_routine_checked checked = {.sentence = ""};
  char backend[PP_BACKEND_OPTION];
  printf("found: %s\nagain: poolproof fuzz-routine %s--seed %" PRIu64
         " --first %" PRIu64 " --runs 1\n",
         runner->checked.sentence, pp_campaign_backends(options, backend),
         options->seed, number);
  (void)fflush(stdout);
  if (runner->routines == 0) return PP_EXIT_FOUND;
  (void)pp_routine_shrink(runner->routine, &runner->routines, disagrees, &state,
                          TESTS);
  if (pp_routine_check(runner->routine, runner->routines, state.seed,
                       &state.where, &checked) == PP_DISAGREE)
    printf("small: %s\n", checked.sentence);
  if (save_all(runner, number, state.seed, diag) != 0) return diag->code;
  return PP_EXIT_FOUND;
}

static const struct {
  const char *text;
  bool wanted;
} counts[] = {
#define PP_COUNT_ROW(NAME, text, wanted) {text, wanted},
    PP_ROUTINE_COUNTS(PP_COUNT_ROW)
#undef PP_COUNT_ROW
};

static void print_count(const char *what, const char *where, uint64_t count) {
  char text[32];
  char name[64];
  (void)snprintf(name, sizeof name, "%s%s", what, where);
  printf("  %-32s %14s\n", name, pp_grouped(count, text, sizeof text));
}

static void print_counts(const pp_routine_checked *checked,
                         const pp_backends_here *found) {
  for (size_t i = 0; i < PP_ROUTINE_COUNT_COUNT; i++)
    print_count(counts[i].text, "", checked->count[i]);
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++) {
    const char *name = pp_backend_id_name((pp_backend_id)id);
    if ((found->here >> id & 1) != 0) {
      print_count("links on ", name, checked->links[id]);
      print_count("nodes' values on ", name, checked->values[id]);
      if (checked->left_out[id] > 0)
        print_count("without doubles not on ", name, checked->left_out[id]);
    } else if ((found->missing >> id & 1) != 0) {
      printf("  not available here: %s\n", name);
    }
  }
}

static void print_verdict(const pp_routine_runner *runner) {
  const pp_campaign_run *run = &runner->run;
  char text[32];
  printf("%s: %s checks in %.1f s, ",
         run->verdicts[PP_DISAGREE] > 0 ? "DISAGREED" : "agreed",
         pp_grouped(pp_campaign_compared(run), text, sizeof text),
         pp_progress_elapsed(&run->progress));
  pp_campaign_rate(run);
  print_counts(&runner->checked, &runner->found);
  printf("  %-32s %14s\n", "checks undecided",
         pp_grouped(run->verdicts[PP_UNDECIDED], text, sizeof text));
}

/* On each of the backends. */
static int check_places(const pp_routine_runner *runner, pp_diag *diag) {
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    if ((runner->found.here >> id & 1) != 0 && runner->checked.values[id] == 0)
      return pp_diag_fail(diag, PP_EXIT_RESOURCE,
                          "fuzz-routine: no value was compared on %s in a long "
                          "run",
                          pp_backend_id_name((pp_backend_id)id));
  return PP_EXIT_FINE;
}

/* A long run must have seen everything. */
static int check_counts(const pp_routine_runner *runner, pp_diag *diag) {
  if (pp_campaign_compared(&runner->run) == 0)
    return pp_diag_fail(diag, PP_EXIT_RESOURCE,
                        "fuzz-routine: nothing at all was compared");
  for (size_t i = 0; i < PP_ROUTINE_COUNT_COUNT; i++)
    if (pp_campaign_compared(&runner->run) >= MANY && counts[i].wanted &&
        runner->checked.count[i] == 0)
      return pp_diag_fail(diag, PP_EXIT_RESOURCE,
                          "fuzz-routine: no %s in a long run: it shows too "
                          "little",
                          counts[i].text);
  if (pp_campaign_compared(&runner->run) < MANY) return PP_EXIT_FINE;
  return check_places(runner, diag);
}

/* What the options choose; all by default. */
static int find_places(pp_routine_runner *runner, pp_diag *diag) {
  pp_backend_choice choice = runner->options->choice;
  if (choice.backends == 0) choice.backends = PP_EVERY_BACKEND;
  int code = pp_backends_look(&choice, &runner->found, diag);
  runner->where = (pp_routine_where){.backends = runner->found.here,
                                     .share = !choice.named};
  return code;
}

int pp_routine_campaign(const pp_backend_campaign *options, pp_diag *diag) {
  pp_routine_runner runner = {.options = options};
  char backend[PP_BACKEND_OPTION];
  if (find_places(&runner, diag) != 0) return diag->code;
  printf("fuzz-routine: seed %" PRIu64 "\n", options->seed);
  (void)fflush(stdout);
  uint64_t done = run_all(&runner);
  int code = PP_EXIT_FINE;
  if (runner.run.verdicts[PP_DISAGREE] > 0)
    code = report(&runner, options->first + done - 1, diag);
  print_verdict(&runner);
  printf("the same once more: poolproof fuzz-routine %s--seed %" PRIu64
         " --first %" PRIu64 " --runs %" PRIu64 "\n",
         pp_campaign_backends(options, backend), options->seed, options->first,
         done);
  drop_routines(&runner);
  return code == PP_EXIT_FINE ? check_counts(&runner, diag) : code;
}

int pp_routine_replay(pp_routine *const *routine, size_t routines,
                      const pp_backend_campaign *options, pp_diag *diag) {
  pp_routine_runner runner = {.options = options};
  pp_routine_checked *checked = &runner.checked;
  if (!pp_routines_follow(routine, routines))
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "the routines cannot follow each other: a node differs "
                        "in dtype, dimensions or being constant, or has data "
                        "twice");
  if (find_places(&runner, diag) != 0) return diag->code;
  pp_crash_watch();
  pp_verdict verdict = pp_routine_check(routine, routines, options->seed,
                                        &runner.where, checked);
  if (verdict == PP_UNDECIDED)
    return pp_diag_fail(diag, PP_EXIT_RESOURCE, "%s", checked->sentence);
  if (verdict == PP_AGREE)
    printf("agreed\n");
  else
    printf("DISAGREED: %s\n", checked->sentence);
  print_counts(checked, &runner.found);
  return verdict == PP_AGREE ? PP_EXIT_FINE : PP_EXIT_FOUND;
}
