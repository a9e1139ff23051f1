/* ORC-1: the shadow-owner run finds every layout that is wrong, and only
 * those. Versions count the writes: a link fills x first. */
#include "routine.h"

#include <stdio.h>

#include "ref/shadow.h"

enum { NODES = 4, ROOM = 64 };

/* place  of each node
 * ways   1: fails in row-major order, 2: backwards, 3: in both, 0: in neither
 * first  in the last way that fails */
static const struct {
  const char *what;
  const char *text; /* nodes, x first, and statements */
  uint64_t place[NODES];
  unsigned ways;
  pp_ref_trespass first;
} cases[] = {
    {"each on its own",
     "node 1 x i32 [3]\nnode 2 t i32 [3]\nnode 3 y i32 [3]\n"
     "for i<3: t[i] = x[i]\nfor i<3: y[2 - i] = t[i] + x[2]\n"
     "for i<3: y[i] += t[i]\n",
     {0, 12, 24},
     0,
     {0}},
    {"one after the other",
     "node 1 x i32 [3]\nnode 2 t i32 [3]\nnode 3 u i32 [3]\nnode 4 y u8 [3]\n"
     "for i<3: t[i] = x[i]\nfor i<3: u[i] = t[i]\nfor i<3: y[i] = u[i]\n",
     {0, 12, 24, 16},
     0,
     {0}},
    {"at one time: t ends at 19, u is there from 16 on", /* v1 x, v2-4 t */
     "node 1 x u8 [3]\nnode 2 t i32 [3]\nnode 3 u i32 [3]\nnode 4 y i32 [3]\n"
     "for i<3: t[i] = x[i]\nfor i<3: u[i] = 7\n"
     "for i<3: y[i] = t[i] + u[i]\n",
     {0, 8, 16, 28},
     3,
     {2, 1, 8, {2, 7}, 2, false}},
    {"one byte of a double", /* v1 x, v2-3 t, v4 u */
     "node 1 x u8 []\nnode 2 t f64 [2]\nnode 3 u u8 []\nnode 4 y f64 []\n"
     "for i<2: t[i] = x\nu = 1\ny = t[0]\ny += t[0]\ny += t[1]\n",
     {0, 8, 19, 24},
     3,
     {4, 1, 11, {2, 4}, 2, false}},
    {"never written",
     "node 1 x u8 []\nnode 2 t i32 [2]\nnode 3 y i32 []\n"
     "t[0] = 1\ny = t[1]\n",
     {0, 4, 12},
     3,
     {1, 1, 4, {0, 0}, 0, false}},
    {"never written, where somebody else is",
     "node 1 x i32 [2]\nnode 2 t i32 [2]\nnode 3 y i32 []\ny = t[1]\n",
     {0, 0, 12},
     3,
     {0, 1, 4, {0, 1}, 0, false}},
    {"never written, and folded into",
     "node 1 x i32 [2]\nnode 2 y i32 [2]\nfor i<2: y[i] += x[i]\n",
     {0, 8},
     3,
     {0, 1, 4, {0, 0}, 0, true}},
    {"a reduction's own target",
     "node 1 x i32 [2]\nnode 2 y i32 []\ny = 0\nfor i<2: y += x[i]\n",
     {0, 8},
     0,
     {0}},
    {"y over what x still gives, upwards", /* v1 x, v2 y[0] over x[1] */
     "node 1 x i32 [3]\nnode 2 y i32 [3]\nfor i<3: y[i] = x[i]\n",
     {0, 4},
     1,
     {0, 0, 4, {1, 2}, 1, false}},
    {"and downwards", /* v1 x, v2 y[2] over x[1] */
     "node 1 x i32 [3]\nnode 2 y i32 [3]\nfor i<3: y[i] = x[i]\n",
     {4, 0},
     2,
     {0, 0, 4, {1, 2}, 1, false}},
    {"statements apart: y only begins where x has ended",
     "node 1 x i32 [3]\nnode 2 t i32 [3]\nnode 3 y i32 [3]\n"
     "for i<3: t[i] = x[i]\nfor i<3: y[i] = t[i]\n",
     {0, 16, 4},
     0,
     {0}},
    {"and in one kernel, upwards", /* v1 x, v2 t[0], v3 y[0] */
     "node 1 x i32 [3]\nnode 2 t i32 [3]\nnode 3 y i32 [3]\n"
     "for i<3: t[i] = x[i]\nalso for i<3: y[i] = t[i]\n",
     {0, 16, 4},
     1,
     {0, 0, 4, {2, 3}, 1, false}},
    {"and in one kernel, downwards, by its third statement",
     "node 1 x i32 [3]\nnode 2 t i32 [3]\nnode 3 u i32 [3]\nnode 4 y i32 [3]\n"
     "for i<3: t[i] = x[i]\nalso for i<3: u[i] = t[i]\n"
     "also for i<3: y[i] = u[i]\n",
     {4, 16, 28, 0},
     2,
     {0, 0, 4, {3, 4}, 1, false}},
    {"what a loop reads, at its last point", /* v1 x, v2 t */
     "node 1 x i32 [4]\nnode 2 t u8 []\nnode 3 y i32 [2]\nt = 1\n"
     "for i<2: y[i] = x[0] + sum(1 for k<2, l<2: x[2*k + l] * t)\n",
     {0, 14, 16},
     3,
     {1, 0, 14, {1, 2}, 1, false}},
    {"and with a loop inside, whose reads are right", /* v1 x, v2 t */
     "node 1 x i32 [4]\nnode 2 t u8 []\nnode 3 y i32 []\nt = 1\n"
     "y = sum(1 for k<2: sum(0 for l<3: x[l]) + x[2*k + 1])\n",
     {0, 14, 16},
     3,
     {1, 0, 14, {1, 2}, 1, false}},
    {"not what a loop without points would",
     "node 1 x i32 [4]\nnode 2 t u8 []\nnode 3 y i32 [2]\nt = 1\n"
     "for i<2: y[i] = x[0] + sum(1 for k<0: t + sum(x[3] for l<3: x[3]))\n",
     {0, 14, 16},
     0,
     {0}},
    {"nor a statement without points, nor a barrier",
     "node 1 x i32 [2]\nnode 2 t i32 [2]\nnode 3 u u8 [2]\nnode 4 y i32 []\n"
     "for i<0: y += u[i]\nfor i<2: t[i] = x[i]\nfor i<2: u[i] = 1\n"
     "barrier\ny = u[0]\n",
     {0, 8, 0, 16},
     0,
     {0}},
    {"every point of two axes", /* v1 x, v2 t over x[0, 1] */
     "node 1 x i32 [2, 2]\nnode 2 t u8 []\nnode 3 y i32 [2, 2]\n"
     "t = 1\nfor i<2, j<2: y[i, j] = x[i, j]\n",
     {0, 5, 16},
     3,
     {1, 0, 5, {1, 2}, 1, false}},
    {"opaque ones as the others", /* v1 x, v2 t over x[1], v3 y[0] */
     "node 1 x i32 [2]\nnode 2 t u8 []\nnode 3 y i32 [2]\n"
     "opaque t = 1\nopaque for i<2: y[i] = x[i]\n",
     {0, 6, 8},
     3,
     {1, 0, 6, {1, 2}, 1, false}},
};

/* A routine on a layout. */
typedef struct bed {
  pp_routine *routine;
  pp_ref_tag tag[ROOM];
  uint64_t versions[NODES][ROOM];
  uint64_t *latest[NODES];
  pp_ref_shadow shadow;
} bed;

static void open_bed(bed *b, const char *text, const uint64_t *place) {
  char whole[640];
  memset(b, 0, sizeof *b);
  snprintf(whole, sizeof whole, "routine r\n%send\n", text);
  b->routine = pp_must_parse(whole);
  for (size_t i = 0; i < b->routine->nodes; i++)
    b->latest[i] = b->versions[i];
  b->shadow = (pp_ref_shadow){.node = b->routine->node,
                              .nodes = b->routine->nodes,
                              .statement = b->routine->statement,
                              .statements = b->routine->statements,
                              .place = place,
                              .tag = b->tag,
                              .latest = b->latest};
  pp_ref_shadow_fill(&b->shadow, 0);
}

static void expect_trespass(const char *what, const pp_ref_trespass *is,
                            const pp_ref_trespass *wants) {
  cr_expect_eq(is->statement, wants->statement, "%s: statement %zu", what,
               is->statement);
  cr_expect_eq(is->node, wants->node, "%s: node %zu", what, is->node);
  cr_expect_eq(is->byte, wants->byte, "%s: byte %llu", what,
               (unsigned long long)is->byte);
  cr_expect_eq(is->found.node, wants->found.node, "%s: found node %zu", what,
               is->found.node);
  cr_expect_eq(is->found.version, wants->found.version,
               "%s: found version %llu", what,
               (unsigned long long)is->found.version);
  cr_expect_eq(is->wanted, wants->wanted, "%s: wanted %llu", what,
               (unsigned long long)is->wanted);
  cr_expect_eq(is->writes, wants->writes, "%s: writes", what);
}

Test(shadow, layouts) {
  static bed b;
  for (size_t k = 0; k < COUNT(cases); k++)
    for (unsigned way = 0; way < 2; way++) {
      pp_ref_trespass first = {0};
      open_bed(&b, cases[k].text, cases[k].place);
      bool fails = (cases[k].ways >> way & 1U) != 0;
      cr_expect_eq(pp_ref_shadow_run(&b.shadow, way == 1, &first), !fails,
                   "%s, way %u", cases[k].what, way);
      if (fails && cases[k].ways >> (way + 1) == 0)
        expect_trespass(cases[k].what, &first, &cases[k].first);
      pp_routine_free(b.routine);
    }
}

/* What the host reads after the routine is its last access. */
Test(shadow, host) {
  static const uint64_t place[] = {0, 4, 7};
  static bed b;
  pp_ref_trespass first = {0};
  open_bed(&b,
           "node 1 x i32 []\nnode 2 y i32 []\nnode 3 u u8 []\n"
           "y = x\nu = 2\n",
           place);
  cr_expect(pp_ref_shadow_run(&b.shadow, false, &first));
  cr_expect(pp_ref_shadow_read(&b.shadow, 0, &first));
  cr_expect_not(pp_ref_shadow_read(&b.shadow, 1, &first));
  const pp_ref_trespass wants = {2, 1, 3, {2, 3}, 2, false};
  expect_trespass("y", &first, &wants);
  pp_ref_shadow_fill(&b.shadow, 1);
  cr_expect(pp_ref_shadow_read(&b.shadow, 1, &first));
  cr_expect_not(pp_ref_shadow_read(&b.shadow, 2, &first));
  pp_routine_free(b.routine);
}

/* A second run finds what the first one left. */
Test(shadow, twice) {
  static const uint64_t place[] = {0, 4, 4};
  static bed b;
  pp_ref_trespass first = {0};
  open_bed(&b,
           "node 1 x i32 []\nnode 2 s i32 []\nnode 3 u i32 []\n"
           "s += x\nu = 2\n",
           place);
  pp_ref_shadow_fill(&b.shadow, 1);
  cr_expect(pp_ref_shadow_run(&b.shadow, false, &first));
  cr_expect_not(pp_ref_shadow_run(&b.shadow, false, &first));
  const pp_ref_trespass wants = {0, 1, 0, {2, 4}, 3, true};
  expect_trespass("s", &first, &wants);
  pp_routine_free(b.routine);
}
