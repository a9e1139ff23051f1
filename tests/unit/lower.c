/* Lowering, text to text. The texts on the right are worked out by hand from
 * RTN-2, 3, 5 and 6. */
#include "routine.h"

#include "support.h"

#include <poolproof/lower.h>

#include <stdio.h>
#include <stdlib.h>

static const pp_lower_options stay = {.policy = PP_POLICY_MATERIALISE};
static const pp_lower_options all_inline = {.policy = PP_POLICY_INLINE};
static const pp_lower_options kernels = {.policy = PP_POLICY_MATERIALISE,
                                         .kernel_statements = 3};
static const pp_lower_options narrow = {.policy = PP_POLICY_MATERIALISE,
                                        .kernel_statements = 9,
                                        .kernel_operands = 3};

static pp_lowered *must_lower(const pp_routine *source,
                              const pp_lower_options *options) {
  pp_lowered *lowered = NULL;
  pp_failure failure = {.text = ""};
  cr_assert_eq(pp_lower(source, options, &lowered, &failure), PP_OK, "%s",
               failure.text);
  return lowered;
}

/* Nodes x (host), a, b (working), y (observable), all f32 [4], in front. */
#define HEAD                                                                   \
  "routine r\nnode 1 x f32 [4] host\nnode 2 a f32 [4]\nnode 3 b f32 [4]\n"     \
  "node 4 y f32 [4] observable\n"

typedef struct pp_text_case {
  const char *what;
  const pp_lower_options *options;
  const char *source; /* statements after HEAD */
  const char *final;  /* the whole, or statements from the first "for" on */
} pp_text_case;

static void expect_final(const pp_text_case *one) {
  char source[2048];
  snprintf(source, sizeof source, HEAD "%send\n", one->source);
  pp_routine *routine = pp_must_parse(source);
  pp_lowered *lowered = must_lower(routine, one->options);
  char *text = pp_routine_print(lowered->routine);
  cr_assert_not_null(text);
  cr_expect_str_eq(text, one->final, "%s: got\n%s", one->what, text);
  free(text);
  pp_lowered_free(lowered);
  pp_routine_free(routine);
}

#define I "for i<4: "
#define ALSO "also for i<4: "
#define X "node 1 x f32 [4] host\n"
#define Y "node 4 y f32 [4] observable\n"

Test(lower, sinking) {
  static const pp_text_case cases[] = {
      {"to just before its first access", &stay,
       I "a[i] = 0\n" I "y[i] = x[i]\n" I "a[i] += x[i]\n" I "y[i] += a[i]\n",
       "routine r\n" X "node 2 a f32 [4] span 1 3\n" Y I "y[i] = x[i]\n" I
       "a[i] = 0\n" I "a[i] += x[i]\n" I "y[i] += a[i]\nend\n"},
      {"never across an access, a second zeroing too; each goes on from where "
       "it is",
       &stay,
       I "a[i] = 0\n" I "b[i] = a[i]\n" I "a[i] = 0\n" I "y[i] = b[i]\n" I
         "y[i] += a[i]\n",
       "routine r\n" X
       "node 2 a f32 [4] span 0 4\nnode 3 b f32 [4] span 1 2\n" Y I
       "a[i] = 0\n" I "b[i] = a[i]\n" I "y[i] = b[i]\n" I "a[i] = 0\n" I
       "y[i] += a[i]\nend\n"},
      {"as far as a barrier", &stay,
       I "a[i] = 0\n" I "y[i] = x[i]\nbarrier\n" I "y[i] += a[i]\n",
       "routine r\n" X "node 2 a f32 [4] span 1 3\n" Y I "y[i] = x[i]\n" I
       "a[i] = 0\nbarrier\n" I "y[i] += a[i]\nend\n"},
      {"as far as an opaque statement, which may read it; no spans", &stay,
       I "a[i] = 0\n" I "y[i] = x[i]\nopaque " I "y[i] = x[i]\n",
       "routine r\n" X "node 2 a f32 [4]\n" Y I "y[i] = x[i]\n" I
       "a[i] = 0\nopaque " I "y[i] = x[i]\nend\n"},
      {"what nothing accesses stays, and so do halves and -0", &stay,
       I "a[i] = 0\n" I "b[i] = -0\nfor i<2: y[i] = 0\n" I "y[i] += b[i]\n",
       "routine r\n" X "node 2 a f32 [4]\nnode 3 b f32 [4] span 1 3\n" Y I
       "a[i] = 0\n" I "b[i] = -0\nfor i<2: y[i] = 0\n" I "y[i] += b[i]\nend\n"},
      {"two before one line keep their order", &stay,
       I "b[i] = 0\n" I "a[i] = 0\n" I "y[i] = x[i]\n" I
         "y[i] += a[i] + b[i]\n",
       "routine r\n" X
       "node 2 a f32 [4] span 2 3\nnode 3 b f32 [4] span 1 3\n" Y I
       "y[i] = x[i]\n" I "b[i] = 0\n" I "a[i] = 0\n" I
       "y[i] += a[i] + b[i]\nend\n"},
  };
  for (size_t k = 0; k < COUNT(cases); k++)
    expect_final(&cases[k]);
  pp_expect_no_leak();
}

Test(lower, inlining) {
  static const pp_text_case cases[] = {
      {"an index turned around", &all_inline,
       I "a[3 - i] = x[i] * 2\n" I "y[i] = a[i] + 1\n",
       "routine r\n" X Y I "y[i] = x[3 - i] * 2 + 1\nend\n"},
      {"what is read twice is computed once", &all_inline,
       I "a[i] = x[i] + 1\n" I "y[i] = a[i] * a[i]\n",
       "routine r\n" X Y I "y[i] = keep(0, x[i] + 1) * again(0)\nend\n"},
      {"at two indices it is two values", &all_inline,
       I "a[i] = x[i] + 1\n" I "y[i] = a[i] * a[3 - i]\n",
       "routine r\n" X Y I "y[i] = (x[i] + 1) * (x[3 - i] + 1)\nend\n"},
      {"one through another; the shared part too", &all_inline,
       I "a[i] = x[i] + 1\n" I "b[i] = a[i] * 2\n" I "y[i] = a[i] - b[i]\n",
       "routine r\n" X Y I "y[i] = keep(0, x[i] + 1) - again(0) * 2\nend\n"},
      {"a reduction becomes a loop", &all_inline,
       I "a[i] = 0\nfor i<4, k<4: a[i] += x[k] * x[i]\n" I "y[i] = a[i] / 2\n",
       "routine r\n" X Y I "y[i] = sum(0 for j<4: x[j] * x[i]) / 2\nend\n"},
      {"folds without reduction are operations", &all_inline,
       I "a[i] = x[i]\n" I "a[i] max= 0\n" I "a[i] *= 3\n" I "y[i] = a[i]\n",
       "routine r\n" X Y I "y[i] = max(x[i], 0) * 3\nend\n"},
      {"a reader's reduction stays outside", &all_inline,
       I "a[i] = x[i] + 1\n" I "y[i] = 0\nfor i<4, k<4: y[i] += a[k]\n",
       "routine r\n" X Y I "y[i] = 0\nfor i<4, j<4: y[i] += x[j] + 1\nend\n"},
  };
  for (size_t k = 0; k < COUNT(cases); k++)
    expect_final(&cases[k]);
  pp_expect_no_leak();
}

Test(lower, kernels) {
  static const pp_text_case cases[] = {
      {"aligned neighbours are one kernel, at most three", &kernels,
       I "a[i] = x[i]\n" I "b[i] = a[i] + 1\n" I "y[i] = b[i]\n" I
         "y[i] += a[i]\n",
       "routine r\n" X
       "node 2 a f32 [4] span 0 1\nnode 3 b f32 [4] span 0 0\n" Y I
       "a[i] = x[i]\n" ALSO "b[i] = a[i] + 1\n" ALSO "y[i] = b[i]\n" I
       "y[i] += a[i]\nend\n"},
      {"a whole result is waited for, also by who writes what was read",
       &kernels,
       I "a[i] = x[i]\n" I "b[i] = a[3 - i]\n" I "a[i] = 1\n" I
         "y[i] = a[i] + b[i]\n",
       "routine r\n" X
       "node 2 a f32 [4] span 0 2\nnode 3 b f32 [4] span 1 2\n" Y I
       "a[i] = x[i]\n" I "b[i] = a[3 - i]\n" I "a[i] = 1\n" ALSO
       "y[i] = a[i] + b[i]\nend\n"},
      {"not with a reduction, not across a barrier, not with other loops",
       &kernels,
       I "a[i] = 0\nfor i<4, k<4: a[i] += x[k]\n" I "b[i] = a[i]\nbarrier\n" I
         "y[i] = b[i]\nfor i<3: y[i] = 0\n",
       "routine r\n" X
       "node 2 a f32 [4] span 0 2\nnode 3 b f32 [4] span 2 4\n" Y I
       "a[i] = 0\nfor i<4, j<4: a[i] += x[j]\n" I "b[i] = a[i]\nbarrier\n" I
       "y[i] = b[i]\nfor i<3: y[i] = 0\nend\n"},
      {"three operands at most", &narrow,
       I "a[i] = x[i]\n" I "b[i] = a[i]\n" I "y[i] = b[i]\n",
       "routine r\n" X
       "node 2 a f32 [4] span 0 0\nnode 3 b f32 [4] span 0 1\n" Y I
       "a[i] = x[i]\n" ALSO "b[i] = a[i]\n" I "y[i] = b[i]\nend\n"},
  };
  for (size_t k = 0; k < COUNT(cases); k++)
    expect_final(&cases[k]);
  pp_expect_no_leak();
}

/* Where node a is, why, and at what cost, under a policy. */
typedef struct pp_place_case {
  const char *source;
  pp_policy policy;
  pp_reason reason;
  pp_placement placement;
  uint64_t cost;
} pp_place_case;

static void expect_place(const pp_place_case *one) {
  char source[2048];
  snprintf(source, sizeof source, HEAD "%send\n", one->source);
  const pp_lower_options options = {.policy = one->policy};
  pp_routine *routine = pp_must_parse(source);
  pp_lowered *surface = NULL;
  cr_assert_eq(pp_decision_surface(routine, &options, &surface, NULL), PP_OK);
  cr_assert_null(surface->routine);
  cr_assert_null(surface->lineage);
  const pp_placed *a = &surface->placed[1];
  cr_expect(a->uid == 2 && a->reason == one->reason &&
                a->placement == one->placement && a->cost == one->cost,
            "%s: %s, %s, cost %llu", one->source,
            a->placement == PP_VIRTUAL ? "virtual" : "materialised",
            pp_reason_text(a->reason), (unsigned long long)a->cost);
  pp_lowered_free(surface);
  pp_routine_free(routine);
}

#define AFTER I "y[i] = a[i]\n"

Test(lower, law) {
  static const pp_place_case cases[] = {
      {AFTER, PP_POLICY_INLINE, PP_REASON_UNFILLED, PP_MATERIALISED, 0},
      {"for i<3: a[i] = 1\n" AFTER, PP_POLICY_INLINE, PP_REASON_UNFILLED,
       PP_MATERIALISED, 0},
      {I "a[i] += 1\n" AFTER, PP_POLICY_INLINE, PP_REASON_UNFILLED,
       PP_MATERIALISED, 0},
      {I "a[i] = a[i] + 1\n" AFTER, PP_POLICY_INLINE, PP_REASON_UNFILLED,
       PP_MATERIALISED, 0},
      {I "a[i] = 1\n" I "a[i] = a[i] * a[i]\n" AFTER, PP_POLICY_INLINE,
       PP_REASON_RECURRENCE, PP_MATERIALISED, 0},
      {I "a[i] = 1\nfor i<2: a[i] += 1\n" AFTER, PP_POLICY_INLINE,
       PP_REASON_RECURRENCE, PP_MATERIALISED, 0},
      {I "a[i] = 1\n" AFTER I "a[i] += 1\n" AFTER, PP_POLICY_INLINE,
       PP_REASON_INTERRUPTED, PP_MATERIALISED, 0},
      {I "a[i] = 1\n", PP_POLICY_INLINE, PP_REASON_NEVER_READ, PP_MATERIALISED,
       0},
      {I "a[i] = 1\nbarrier\n" AFTER, PP_POLICY_INLINE, PP_REASON_BARRIER,
       PP_MATERIALISED, 0},
      {I "a[i] = 1\n" AFTER "opaque " I "y[i] += 1\n", PP_POLICY_INLINE,
       PP_REASON_OPAQUE, PP_MATERIALISED, 0},
      {I "a[i] = x[i]\n" I "x[i] = 0\n" AFTER, PP_POLICY_INLINE,
       PP_REASON_OPERAND, PP_MATERIALISED, 0},
      {I "a[i] = x[i]\n" I "x[i] = a[i]\n", PP_POLICY_INLINE, PP_REASON_OPERAND,
       PP_MATERIALISED, 0},
      {I "a[i] = x[i]\n" AFTER I "x[i] = 0\n", PP_POLICY_INLINE,
       PP_REASON_POLICY, PP_VIRTUAL, 1},
      {I "b[i] = x[i]\n" I "a[i] = b[i]\n" I "x[i] = 0\n" AFTER,
       PP_POLICY_INLINE, PP_REASON_OPERAND, PP_MATERIALISED, 0},
      {"for i<4: a[i] = 1\nfor i<0: y[i] = a[i]\n", PP_POLICY_INLINE,
       PP_REASON_NO_POINTS, PP_MATERIALISED, 0},
      {I "a[i] = 1\n", PP_POLICY_COST, PP_REASON_NEVER_READ, PP_MATERIALISED,
       0},
      {I "y[i] = 1\n", PP_POLICY_COST, PP_REASON_UNUSED, PP_MATERIALISED, 0},
  };
  for (size_t k = 0; k < COUNT(cases); k++)
    expect_place(&cases[k]);
  pp_expect_no_leak();
}

/* extent x reads of a cell x elements read */
Test(lower, costs) {
  static const pp_place_case cases[] = {
      {I "a[i] = 1\n" AFTER, PP_POLICY_COST, PP_REASON_POLICY, PP_VIRTUAL, 1},
      {I "a[i] = x[i] * x[i]\n" AFTER, PP_POLICY_COST, PP_REASON_POLICY,
       PP_VIRTUAL, 1},
      {I "a[i] = x[i] * x[3 - i]\n" AFTER AFTER, PP_POLICY_COST,
       PP_REASON_POLICY, PP_VIRTUAL, 4},
      {I "a[i] = x[i]\nfor i<4, k<5: y[i] += a[i]\n", PP_POLICY_COST,
       PP_REASON_POLICY, PP_MATERIALISED, 5},
      {I "a[i] = 0\nfor i<4, k<3: a[i] += x[k]\n" AFTER, PP_POLICY_COST,
       PP_REASON_POLICY, PP_VIRTUAL, 3},
      {I "a[i] = 0\nfor i<4, k<3: a[i] += x[k] * x[i]\n" AFTER AFTER,
       PP_POLICY_INLINE, PP_REASON_POLICY, PP_VIRTUAL, 12},
      {I "b[i] = x[i] * x[3 - i]\n" I "a[i] = b[i] + x[0]\n" AFTER,
       PP_POLICY_INLINE, PP_REASON_POLICY, PP_VIRTUAL, 3},
      {I "a[i] = 1\nfor i<2, k<3: y[i] += a[i + k]\n", PP_POLICY_COST,
       PP_REASON_POLICY, PP_VIRTUAL, 2},
      {I "a[i] = x[i]\n" AFTER, PP_POLICY_MATERIALISE, PP_REASON_POLICY,
       PP_MATERIALISED, 1},
      {I "a[i] = 0\nfor i<4, k<9: a[i] += 1\n" AFTER, PP_POLICY_COST,
       PP_REASON_POLICY, PP_MATERIALISED, 9},
      {I "a[i] = sum(0 for k<9: 1)\n" AFTER, PP_POLICY_COST, PP_REASON_POLICY,
       PP_MATERIALISED, 9},
  };
  for (size_t k = 0; k < COUNT(cases); k++)
    expect_place(&cases[k]);
  pp_expect_no_leak();
}

/* t[i + j, i + j] reads a cell up to 4 times, t[i, i] once, t[i, i + j] once,
 * in whatever order the dimensions are, t[0, j] as often as i goes. */
Test(lower, reads_of_a_cell) {
  static const struct {
    const char *read;
    uint64_t reads;
  } cases[] = {{"t[i + j, i + j]", 4}, {"t[i, i]", 4}, {"t[i, i + j]", 1},
               {"t[i + j, i]", 1},     {"t[0, j]", 4}, {"t[2, 3]", 16},
               {"t[i + j, j]", 1},     {"t[i, j]", 1}, {"t[j, i]", 1},
               {"t[i + j, 0]", 4}};
  for (size_t k = 0; k < COUNT(cases); k++) {
    char source[512];
    snprintf(source, sizeof source,
             "routine r\nnode 1 t f32 [7, 7]\nnode 2 y f32 [4, 4] observable\n"
             "for i<7, j<7: t[i, j] = 1\nfor i<4, j<4: y[i, j] = %s\nend\n",
             cases[k].read);
    pp_routine *routine = pp_must_parse(source);
    pp_lowered *lowered = must_lower(routine, NULL);
    cr_expect_eq(lowered->placed[0].cost, cases[k].reads, "%s: %llu",
                 cases[k].read, (unsigned long long)lowered->placed[0].cost);
    pp_lowered_free(lowered);
    pp_routine_free(routine);
  }
  pp_expect_no_leak();
}

/* A chain of copies adds no steps, and ends all the same. */
Test(lower, copies_of_copies) {
  enum { CHAIN = 5000 };
  char *text = malloc((size_t)CHAIN * 64);
  size_t at = 0;
  at += (size_t)sprintf(text, "routine r\nnode 0 n0 f32 [] host\n");
  for (int k = 1; k <= CHAIN; k++)
    at += (size_t)sprintf(text + at, "node %d n%d f32 []%s\n", k, k,
                          k == CHAIN ? " observable" : "");
  for (int k = 1; k <= CHAIN; k++)
    at += (size_t)sprintf(text + at, "n%d = n%d\n", k, k - 1);
  sprintf(text + at, "end\n");
  pp_routine *routine = pp_must_parse(text);
  pp_lowered *lowered = must_lower(routine, &all_inline);
  /* PP_STEPS levels and the statement itself are one. */
  cr_expect_eq(lowered->routine->statements,
               (CHAIN + PP_STEPS) / (PP_STEPS + 1));
  pp_lowered_free(lowered);
  pp_routine_free(routine);
  free(text);
  pp_expect_no_leak();
}

/* The ninth read does not fit: sooner or later that is seen. */
Test(lower, reads_at_several_indices) {
  pp_routine *routine = pp_must_parse(
      "routine r\nnode 1 a f32 [4] host\nnode 2 b f32 [4] host\n"
      "node 3 c f32 [4] host\nnode 4 d f32 [4] host\nnode 5 e f32 [4] host\n"
      "node 6 t f32 [4]\nnode 7 y f32 [4] observable\n" I
      "t[i] = a[i] + b[i] + c[i] + d[i] + e[i]\n" I
      "y[i] = t[i] + t[3 - i]\nend\n");
  pp_lowered *lowered = must_lower(routine, &all_inline);
  cr_expect_eq(lowered->placed[5].placement, PP_MATERIALISED);
  cr_expect_eq(lowered->placed[5].reason, PP_REASON_LIMITS);
  pp_lowered_free(lowered);
  pp_routine_free(routine);
  pp_expect_no_leak();
}

Test(lower, other_reasons) {
  static const char text[] =
      "routine r\nnode 1 i i32 [2] host\nnode 2 narrow i32 [2]\n"
      "node 3 wide f32 [2] observable\nnode 4 given f32 [2] data 1 2\n"
      "node 5 theirs f32 [2] merge\nnode 6 seen f32 [2] constant\n"
      "for i<2: narrow[i] = i[i]\nfor i<2: wide[i] = narrow[i] + given[i]\n"
      "for i<2: wide[i] += theirs[i] + seen[i]\nend\n";
  static const pp_reason reasons[] = {PP_REASON_INTENT, PP_REASON_PRECISION,
                                      PP_REASON_INTENT, PP_REASON_DATA,
                                      PP_REASON_INTENT, PP_REASON_INTENT};
  pp_routine *routine = pp_must_parse(text);
  pp_lowered *lowered = must_lower(routine, &all_inline);
  for (size_t k = 0; k < COUNT(reasons); k++)
    cr_expect_eq(lowered->placed[k].reason, reasons[k], "%s: %s",
                 lowered->placed[k].label,
                 pp_reason_text(lowered->placed[k].reason));
  pp_lowered_free(lowered);
  pp_routine_free(routine);
  pp_expect_no_leak();
}

/* A chain of 40 sums of two never passes a statement's 24 steps; what is in
 * its way stays, the same at each try. */
Test(lower, limits) {
  char text[4096] = "routine r\nnode 0 x f32 [4] host\n";
  size_t at = strlen(text);
  enum { CHAIN = 40 };
  for (int k = 1; k <= CHAIN; k++)
    at +=
        (size_t)snprintf(text + at, sizeof text - at, "node %d n%d f32 [4]%s\n",
                         k, k, k == CHAIN ? " observable" : "");
  for (int k = 1; k <= CHAIN; k++) {
    if (k == 1)
      at += (size_t)snprintf(text + at, sizeof text - at, I "n1[i] = x[i]\n");
    else
      at += (size_t)snprintf(text + at, sizeof text - at,
                             I "n%d[i] = n%d[i] + x[i]\n", k, k - 1);
  }
  snprintf(text + at, sizeof text - at, "end\n");
  pp_routine *routine = pp_must_parse(text);
  pp_lowered *lowered = must_lower(routine, &all_inline);
  size_t limited = 0;
  for (size_t k = 0; k < lowered->nodes; k++)
    if (lowered->placed[k].reason == PP_REASON_LIMITS) limited++;
  /* n1 + x + ... : 1 + 2 (k - 1) steps, 23 for n12; then n12 + x + ..., 3 for
   * n13, 23 for n23; 3 for n24, 23 for n34. */
  cr_expect_eq(limited, 3);
  cr_expect_eq(lowered->routine->statements, 4);
  for (size_t k = 0; k < lowered->routine->statements; k++)
    cr_expect_leq(lowered->routine->statement[k].steps, PP_STEPS);
  pp_lowered_free(lowered);
  pp_routine_free(routine);
  pp_expect_no_leak();
}

Test(lower, candidates_by_cost) {
  pp_routine *routine = pp_must_parse(
      HEAD I "a[i] = x[i]\n" I "b[i] = x[3 - i]\n" I
             "y[i] = a[i] + b[i]\nfor i<4, k<9: y[i] += b[i]\nend\n");
  pp_lowered *lowered = must_lower(routine, NULL);
  cr_assert_eq(lowered->candidates, 2);
  cr_expect_str_eq(lowered->candidate[0].label, "b");
  cr_expect_eq(lowered->candidate[0].cost, 10);
  cr_expect_eq(lowered->candidate[0].placement, PP_MATERIALISED);
  cr_expect_str_eq(lowered->candidate[1].label, "a");
  cr_expect_eq(lowered->candidate[1].cost, 1);
  cr_expect_eq(lowered->candidate[1].placement, PP_VIRTUAL);
  pp_lowered_free(lowered);
  pp_routine_free(routine);
  pp_expect_no_leak();
}

Test(lower, stages) {
  const pp_lower_options options = {.policy = PP_POLICY_INLINE, .stages = true};
  pp_routine *routine =
      pp_must_parse(HEAD I "a[i] = 0\n" I "b[i] = x[i]\n" I "a[i] += b[i]\n" I
                           "a[i] = a[i]\n" I "y[i] = a[i]\nend\n");
  pp_lowered *lowered = must_lower(routine, &options);
  cr_expect_str_eq(
      lowered->stages,
      "# source\nroutine r\n" X "node 2 a f32 [4]\nnode 3 b f32 [4]\n" Y I
      "a[i] = 0\n" I "b[i] = x[i]\n" I "a[i] += b[i]\n" I "a[i] = a[i]\n" I
      "y[i] = a[i]\nend\n"
      "# zeroings sunk (RTN-2)\nroutine r\n" X
      "node 2 a f32 [4]\nnode 3 b f32 [4]\n" Y I "b[i] = x[i]\n" I
      "a[i] = 0\n" I "a[i] += b[i]\n" I "a[i] = a[i]\n" I "y[i] = a[i]\nend\n"
      "# virtual nodes inlined (RTN-3)\nroutine r\n" X "node 2 a f32 [4]\n" Y I
      "a[i] = 0\n" I "a[i] += x[i]\n" I "a[i] = a[i]\n" I "y[i] = a[i]\nend\n"
      "# kernels and spans: final code (RTN-5, RTN-6)\nroutine r\n" X
      "node 2 a f32 [4] span 0 3\n" Y I "a[i] = 0\n" I "a[i] += x[i]\n" I
      "a[i] = a[i]\n" I "y[i] = a[i]\nend\n");
  pp_lowered_free(lowered);
  pp_routine_free(routine);
  pp_expect_no_leak();
}
