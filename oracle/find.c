#include "find.h"

#include "differ.h"
#include "format.h"
#include "shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  TESTS = 20000,
  TESTS_THOROUGH = 1000,
  REPLAY_ITEMS = 1000 /* beyond, the dearer comparisons would take minutes */
};

typedef struct pp_judge {
  pp_differ differ;
  unsigned flags;
} pp_judge;

static bool disagrees(void *state, const pp_case *c) {
  pp_judge *judge = state;
  return pp_differ_run(&judge->differ, c, judge->flags) == PP_DISAGREED;
}

/* The cheapest flags that show it; false when the differ alone does not. */
static bool choose_flags(pp_judge *judge, const pp_case *c) {
  static const unsigned choices[] = {
      0, PP_DIFFER_USUAL, PP_DIFFER_USUAL | PP_DIFFER_NO_MEMORY, PP_DIFFER_ALL};
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
    judge->flags = choices[i];
    if (disagrees(judge, c)) return true;
  }
  return false;
}

/* Makes the find small. Prefers what a problem file can say. */
static void make_small(pp_find *find, pp_judge *judge) {
  pp_case plain = {0};
  bool can_say = pp_case_copy(&plain, &find->c);
  if (can_say) {
    (void)pp_case_normalise(&plain);
    can_say = choose_flags(judge, &plain);
  }
  if (can_say) {
    pp_case raw = find->c;
    find->c = plain;
    plain = raw;
  }
  pp_case_free(&plain);
  if (!can_say && !choose_flags(judge, &find->c)) return;
  bool thorough = (judge->flags & PP_DIFFER_THOROUGH) != 0;
  (void)pp_shrink(&find->c, disagrees, judge,
                  thorough ? TESTS_THOROUGH : TESTS);
  if (disagrees(judge, &find->c))
    memcpy(find->sentence, judge->differ.sentence, sizeof find->sentence);
}

int pp_find_replay(const pp_problem *problem, char *sentence, size_t size,
                   pp_diag *diag) {
  pp_case c = {0};
  sentence[0] = '\0';
  if (pp_case_from_problem(&c, problem, diag) != 0) return diag->code;
  pp_differ differ;
  pp_differ_open(&differ);
  bool small = c.n <= REPLAY_ITEMS;
  pp_outcome outcome = pp_differ_run(
      &differ, &c, small ? PP_DIFFER_ALL : (unsigned)PP_DIFFER_CHECK);
  int code = PP_EXIT_FINE;
  if (outcome == PP_NOT_COMPARED) code = pp_fail_memory(diag);
  if (outcome == PP_DISAGREED) {
    code = PP_EXIT_FOUND;
    (void)snprintf(sentence, size, "%s", differ.sentence);
  }
  pp_differ_close(&differ);
  pp_case_free(&c);
  return code;
}

/* Does the file alone show it? It is read back as `poolproof compare` does. */
static bool file_shows(const char *path) {
  pp_problem problem;
  pp_diag diag = {0};
  char sentence[480];
  if (pp_problem_read(path, &problem, &diag) != 0) return false;
  int code = pp_find_replay(&problem, sentence, sizeof sentence, &diag);
  pp_problem_free(&problem);
  return code == PP_EXIT_FOUND;
}

/* The find is told before anything else is tried with it: what disagrees may
 * crash as well. */
int pp_find_report(pp_find *find, pp_diag *diag) {
  printf("found: %s\nagain: %s\n", find->sentence, find->again);
  (void)fflush(stdout);
  pp_judge judge = {.flags = 0};
  pp_differ_open(&judge.differ);
  size_t before = find->c.n;
  make_small(find, &judge);
  char path[4096];
  int code =
      pp_case_save(&find->c, find->dir, find->name, path, sizeof path, diag);
  bool shows = code == 0 && file_shows(path);
  pp_differ_close(&judge.differ);
  if (code != 0) return code;
  printf("small: %s\n", find->sentence);
  printf("file:  %s (%zu items, %zu before it was shrunk)\n", path, find->c.n,
         before);
  if (shows)
    printf("shown by: poolproof compare %s\n", path);
  else
    printf("note:  the file alone does not show it; the command above does\n");
  return PP_EXIT_FOUND;
}
