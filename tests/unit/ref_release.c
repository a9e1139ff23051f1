/* poolproof-backend: none */
#include "ref/ref.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 6, ROOM = 128 };

/* What the release called and answered: "w" a wait, "7" a free of pool 7, "!"
 * behind one that failed; then what each release answered. */
static struct {
  char text[ROOM];
  size_t used;
  unsigned calls;
  unsigned failing; /* bit k: call k of the backend fails */
} heard;

static void note(const char *word) {
  int more = snprintf(heard.text + heard.used, ROOM - heard.used, "%s%s",
                      heard.used ? " " : "", word);
  heard.used += (size_t)more;
}

static pp_status called(const char *word, pp_status failure) {
  char text[24];
  bool fails = heard.failing >> heard.calls++ & 1;
  (void)snprintf(text, sizeof text, "%s%s", word, fails ? "!" : "");
  note(text);
  return fails ? failure : PP_OK;
}

pp_status pp_ref_await(void) {
  return called("w", PP_DEVICE_LOST);
}

pp_status pp_ref_free_pool(uint64_t pool) {
  char text[22];
  (void)snprintf(text, sizeof text, "%llu", (unsigned long long)pool);
  return called(text, PP_BACKEND_FAILED);
}

/* Expected values are worked out by hand from the rules named. */
static const struct {
  const char *rule;
  size_t n;
  pp_location at[MOST];
  pp_location parent_at[MOST];
  bool in_parent[MOST];
  size_t m;
  pp_location constant[2];
  unsigned failing;
  unsigned releases;
  const char *heard;
  const char *gone; /* for each node, afterwards */
} cases[] = {
    {"REL-2 no node: the wait alone",
     0,
     {{0}},
     {{0}},
     {false},
     0,
     {{0}},
     0,
     1,
     "w ok",
     ""},
    {"REL-1 own pools, each once, REL-2 by first node",
     5,
     {{9, 0}, {4, 0}, {9, 64}, {7, 0}, {4, 8}},
     {{0}},
     {false},
     0,
     {{0}},
     0,
     1,
     "w 9 4 7 ok",
     "yyyyy"},
    {"REL-1 what the parent holds at the same place stays",
     3,
     {{1, 0}, {2, 16}, {3, 0}},
     {{0}, {2, 16}, {0}},
     {false, true, false},
     0,
     {{0}},
     0,
     1,
     "w 1 3 ok",
     "yny"},
    {"REL-1 the parent's place is another: own",
     2,
     {{1, 8}, {2, 0}},
     {{1, 0}, {5, 0}},
     {true, true},
     0,
     {{0}},
     0,
     1,
     "w 1 2 ok",
     "yy"},
    {"REL-1 an equal place that the parent has no node at",
     1,
     {{6, 0}},
     {{6, 0}},
     {false},
     0,
     {{0}},
     0,
     1,
     "w 6 ok",
     "y"},
    {"REL-1 a pool that the parent is in, by a later node",
     3,
     {{1, 0}, {2, 0}, {1, 64}},
     {{0}, {0}, {1, 64}},
     {false, false, true},
     0,
     {{0}},
     0,
     1,
     "w 2 ok",
     "nyn"},
    {"REL-1 a constant's pool, at its place or another",
     3,
     {{1, 0}, {2, 64}, {3, 0}},
     {{0}},
     {false},
     2,
     {{1, 0}, {2, 0}},
     0,
     1,
     "w 3 ok",
     "nny"},
    {"REL-3 a second release calls nothing",
     1,
     {{8, 0}},
     {{0}},
     {false},
     0,
     {{0}},
     0,
     3,
     "w 8 ok ok ok",
     "y"},
    {"REL-4 a wait fails, nothing is freed",
     2,
     {{1, 0}, {2, 0}},
     {{0}},
     {false},
     0,
     {{0}},
     1,
     1,
     "w! lost",
     "nn"},
    {"REL-4 a retry waits again",
     2,
     {{1, 0}, {2, 0}},
     {{0}},
     {false},
     0,
     {{0}},
     1,
     2,
     "w! lost w 1 2 ok",
     "yy"},
    {"REL-4 a free fails: a strict prefix, the first error",
     4,
     {{1, 0}, {2, 0}, {1, 8}, {3, 0}},
     {{0}},
     {false},
     0,
     {{0}},
     1U << 2,
     1,
     "w 1 2! failed",
     "ynyn"},
    {"REL-4 a retry frees the rest alone",
     4,
     {{1, 0}, {2, 0}, {1, 8}, {3, 0}},
     {{0}},
     {false},
     0,
     {{0}},
     1U << 2 | 1U << 3 | 1U << 6,
     4,
     "w 1 2! failed w! lost w 2 3! failed w 3 ok",
     "yyyy"},
    {"REL-4 a node of the parent before the one that failed",
     3,
     {{5, 0}, {1, 0}, {2, 0}},
     {{5, 0}, {0}, {0}},
     {true, false, false},
     0,
     {{0}},
     1U << 1,
     1,
     "w 1! failed",
     "nnn"},
};

static const char *name_of(pp_status status) {
  if (status == PP_OK) return "ok";
  return status == PP_DEVICE_LOST ? "lost" : "failed";
}

Test(ref_release, cases) {
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    pp_ref_progress progress = {0, false};
    memset(&heard, 0, sizeof heard);
    heard.failing = cases[c].failing;
    pp_status status = PP_BUSY;
    for (unsigned k = 0; k < cases[c].releases; k++) {
      status =
          pp_ref_release(cases[c].at, cases[c].parent_at, cases[c].in_parent,
                         cases[c].n, cases[c].constant, cases[c].m, &progress);
      note(name_of(status));
    }
    cr_expect_str_eq(heard.text, cases[c].heard, "%s: %s", cases[c].rule,
                     heard.text);
    cr_expect_eq(progress.released, status == PP_OK, "%s", cases[c].rule);
    for (size_t i = 0; i < cases[c].n; i++)
      cr_expect_eq(pp_ref_gone(cases[c].at, cases[c].parent_at,
                               cases[c].in_parent, cases[c].n,
                               cases[c].constant, cases[c].m, &progress, i),
                   cases[c].gone[i] == 'y', "%s: node %zu", cases[c].rule, i);
  }
}
