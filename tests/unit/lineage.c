/* Lineages (RTN-1, RTN-3): what a routine decides is seen by those that are
 * compiled after it, and by no others. */
#include "routine.h"

#include "support.h"

#include <poolproof/lower.h>

#include <stdio.h>
#include <stdlib.h>

/* a is virtual where policy says inline. */
static const char parent[] =
    "routine p\nnode 1 x f32 [4] constant data fill 2\nnode 2 a f32 [4]\n"
    "node 3 w f32 [4] constant data 1 2 3 4\nnode 4 y f32 [4] observable\n"
    "for i<4: a[i] = x[i] + w[3 - i]\nfor i<4: y[i] = a[i]\nend\n";
static const char child[] = "routine c\nnode 2 a f32 [4]\n"
                            "node 9 z f32 [4] observable\n"
                            "for i<4: z[i] = a[i] * 3\nend\n";
#define RECALLED                                                               \
  "node 1 recalled_1 f32 [4] constant data fill 2\n"                           \
  "node 3 recalled_3 f32 [4] constant data 1 2 3 4\n"

static pp_status lower(const char *text, pp_policy policy,
                       const pp_lineage *lineage, pp_lowered **lowered,
                       pp_failure *failure) {
  const pp_lower_options options = {.policy = policy, .lineage = lineage};
  pp_routine *routine = pp_must_parse(text);
  *lowered = NULL;
  pp_status status = pp_lower(routine, &options, lowered, failure);
  pp_routine_free(routine);
  return status;
}

/* The fork of a routine that must lower. */
static pp_lineage *after(const char *text, pp_policy policy,
                         const pp_lineage *lineage) {
  pp_lowered *lowered = NULL;
  pp_failure failure = {.text = ""};
  cr_assert_eq(lower(text, policy, lineage, &lowered, &failure), PP_OK, "%s",
               failure.text);
  pp_lineage *fork = pp_lineage_hold(lowered->lineage);
  pp_lowered_free(lowered);
  return fork;
}

static void expect_text(const char *source, pp_policy policy,
                        const pp_lineage *lineage, const char *final) {
  pp_lowered *lowered = NULL;
  pp_failure failure = {.text = ""};
  cr_assert_eq(lower(source, policy, lineage, &lowered, &failure), PP_OK, "%s",
               failure.text);
  char *text = pp_routine_print(lowered->routine);
  cr_expect_str_eq(text, final);
  free(text);
  pp_lowered_free(lowered);
}

static void expect_refused(const char *source, const pp_lineage *lineage,
                           const char *sentence) {
  pp_lowered *lowered = NULL;
  pp_failure failure = {.text = ""};
  cr_expect_eq(lower(source, PP_POLICY_INLINE, lineage, &lowered, &failure),
               PP_BAD_ROUTINE);
  cr_expect_str_eq(failure.text, sentence);
  cr_expect_null(lowered);
}

Test(lineage, virtual_nodes_are_recalled) {
  static const char final[] =
      "node 9 z f32 [4] observable\n" RECALLED
      "for i<4: z[i] = (recalled_1[i] + recalled_3[3 - i]) * 3\nend\n";
  char text[512];
  pp_lineage *lineage = after(parent, PP_POLICY_INLINE, NULL);
  snprintf(text, sizeof text, "routine c\n%s", final);
  expect_text(child, PP_POLICY_INLINE, lineage, text);
  expect_text(child, PP_POLICY_MATERIALISE, lineage,
              "routine c\nnode 2 a f32 [4] span 0 1\n"
              "node 9 z f32 [4] observable\n" RECALLED
              "for i<4: a[i] = recalled_1[i] + recalled_3[3 - i]\n"
              "for i<4: z[i] = a[i] * 3\nend\n");
  /* Out of the child it goes on: it is virtual there too. */
  pp_lineage *next = after(child, PP_POLICY_INLINE, lineage);
  snprintf(text, sizeof text, "routine c_2\n%s", final);
  expect_text(child, PP_POLICY_INLINE, next, text);
  pp_lineage_free(next);
  pp_lineage_free(lineage);
  pp_expect_no_leak();
}

/* The constants may be in the source, and so may their labels. */
Test(lineage, recalled_constants_are_found_in_the_source) {
  pp_lineage *lineage = after(parent, PP_POLICY_INLINE, NULL);
  expect_text("routine c\nnode 3 own f32 [4] constant\nnode 2 a f32 [4]\n"
              "node 7 recalled_1 f32 [4] observable\n"
              "for i<4: recalled_1[i] = a[i] + own[i]\nend\n",
              PP_POLICY_INLINE, lineage,
              "routine c\nnode 3 own f32 [4] constant\n"
              "node 7 recalled_1 f32 [4] observable\n"
              "node 1 r2_1 f32 [4] constant data fill 2\n"
              "for i<4: recalled_1[i] = r2_1[i] + own[3 - i] + own[i]\nend\n");
  expect_refused("routine c\nnode 3 own f32 [4] host\nnode 2 a f32 [4]\n"
                 "node 7 z f32 [4] observable\n"
                 "for i<4: z[i] = a[i] + own[i]\nend\n",
                 lineage,
                 "node own (uid 3) differs from what the lineage has under "
                 "its uid");
  pp_lineage_free(lineage);
  pp_expect_no_leak();
}

/* One that is only observed is computed too, and then it is in context. */
Test(lineage, what_is_observed_is_recalled) {
  static const char observer[] =
      "routine o\nnode 2 a f32 [4] observable\nend\n";
  pp_lineage *lineage = after(parent, PP_POLICY_INLINE, NULL);
  expect_text(observer, PP_POLICY_INLINE, lineage,
              "routine o\nnode 2 a f32 [4] observable\n" RECALLED
              "for i<4: a[i] = recalled_1[i] + recalled_3[3 - i]\nend\n");
  pp_lineage *next = after(observer, PP_POLICY_INLINE, lineage);
  expect_text(child, PP_POLICY_INLINE, next,
              "routine c\nnode 2 a f32 [4]\nnode 9 z f32 [4] observable\n"
              "for i<4: z[i] = a[i] * 3\nend\n");
  pp_lineage_free(next);
  pp_lineage_free(lineage);
  pp_expect_no_leak();
}

/* Each would compute another value when it is run again. */
Test(lineage, what_may_change_is_not_recalled) {
  static const char head[] = "node a: virtual in routine p";
  static const char tail[] = "; decide_materialized keeps it (RTN-3)";
  static const struct {
    const char *intents; /* of x, which a is computed from */
    const char *child;
    const char *why;
  } cases[] = {
      {"host", child, ", computed from uid 1, which is no constant"},
      {"observable", child, ", computed from uid 1, which is no constant"},
      {"constant",
       "routine c\nnode 2 a f32 [4]\nnode 9 z f32 [4] observable\n"
       "for i<4: a[i] += 1\nfor i<4: z[i] = a[i]\nend\n",
       ", and changed here"},
      {"constant",
       "routine c\nnode 2 a f32 [4] host\nnode 9 z f32 [4] observable\n"
       "for i<4: z[i] = a[i]\nend\n",
       ", and given from outside here"},
      {"constant", "routine c\nnode 2 a f32 [4] data fill 1\nend\n",
       ", and given from outside here"},
  };
  for (size_t k = 0; k < COUNT(cases); k++) {
    char source[512];
    char sentence[512];
    snprintf(source, sizeof source,
             "routine p\nnode 1 x f32 [4] %s\nnode 2 a f32 [4]\n"
             "node 4 y f32 [4] observable\nfor i<4: a[i] = x[i] + 1\n"
             "for i<4: y[i] = a[i]\nend\n",
             cases[k].intents);
    snprintf(sentence, sizeof sentence, "%s%s%s", head, cases[k].why, tail);
    pp_lineage *lineage = after(source, PP_POLICY_INLINE, NULL);
    expect_refused(cases[k].child, lineage, sentence);
    pp_lineage_free(lineage);
  }
  pp_expect_no_leak();
}

/* What is written anew needs nothing of the past. */
Test(lineage, what_is_filled_is_not_recalled) {
  static const char anew[] =
      "routine c\nnode 2 a f32 [4] observable\nfor i<4: a[i] = 5\nend\n";
  pp_lineage *lineage = after(parent, PP_POLICY_INLINE, NULL);
  expect_text(anew, PP_POLICY_INLINE, lineage, anew);
  pp_lineage_free(lineage);
  pp_expect_no_leak();
}

Test(lineage, names_count_up) {
  static const char *const names[] = {"r", "r_2", "r", "r", "r_2", "r_x", "r"};
  static const char *const given[] = {"r",     "r_2", "r_3", "r_4",
                                      "r_2_2", "r_x", "r_5"};
  pp_lineage *lineage = NULL;
  for (size_t k = 0; k < COUNT(names); k++) {
    char source[32];
    char final[32];
    snprintf(source, sizeof source, "routine %s\nend\n", names[k]);
    snprintf(final, sizeof final, "routine %s\nend\n", given[k]);
    expect_text(source, PP_POLICY_INLINE, lineage, final);
    pp_lineage *next = after(source, PP_POLICY_INLINE, lineage);
    pp_lineage_free(lineage);
    lineage = next;
  }
  pp_lineage_free(lineage);
  pp_expect_no_leak();
}

Test(lineage, another_shape_is_refused) {
  static const char other[] = "routine c\nnode 2 a f32 [5]\n"
                              "node 9 z f32 [5] observable\n"
                              "for i<5: z[i] = a[i] * 3\nend\n";
  pp_lineage *lineage = after(parent, PP_POLICY_INLINE, NULL);
  expect_refused(other, lineage,
                 "node a (uid 2) differs from what the lineage has under its "
                 "uid");
  pp_lineage_free(lineage);
  pp_expect_no_leak();
}

Test(lineage, decisions_override_policy_and_not_the_law) {
  pp_lineage *first = NULL;
  pp_lineage *second = NULL;
  pp_lineage *third = NULL;
  cr_assert_eq(pp_decide_materialized(NULL, 2, &first, NULL), PP_OK);
  cr_assert_eq(pp_decide_inline(first, 2, &second, NULL), PP_OK);
  cr_assert_eq(pp_decide_inline(first, 4, &third, NULL), PP_OK);
  const pp_lineage *const lineages[] = {NULL, first, second, third};
  static const pp_placement a[] = {PP_VIRTUAL, PP_MATERIALISED, PP_VIRTUAL,
                                   PP_MATERIALISED};
  for (size_t k = 0; k < COUNT(a); k++) {
    pp_lowered *lowered = NULL;
    cr_assert_eq(lower(parent, PP_POLICY_INLINE, lineages[k], &lowered, NULL),
                 PP_OK);
    cr_expect_eq(lowered->placed[1].placement, a[k], "%zu", k);
    cr_expect_eq(lowered->placed[1].reason,
                 k > 0 ? PP_REASON_DECIDED : PP_REASON_POLICY);
    cr_expect_eq(lowered->candidates, k > 0 ? 0 : 1);
    cr_expect_eq(lowered->placed[3].placement, PP_MATERIALISED);
    cr_expect_eq(lowered->placed[3].reason, PP_REASON_INTENT);
    pp_lowered_free(lowered);
  }
  pp_lineage_free(first);
  pp_lineage_free(second);
  pp_lineage_free(third);
  pp_expect_no_leak();
}

Test(lineage, provenance) {
  static const char namer[] = "routine n\nnode 2 a f32 [4]\nend\n";
  pp_lineage *first = after(parent, PP_POLICY_INLINE, NULL);
  pp_lineage *lineage = after(namer, PP_POLICY_INLINE, first);
  pp_lineage_free(first);
  pp_lineage *next = after(child, PP_POLICY_MATERIALISE, lineage);
  pp_provenance from;
  cr_expect_not(pp_lineage_placed(NULL, 2, &from));
  cr_expect_not(pp_lineage_placed(lineage, 9, &from));
  cr_assert(pp_lineage_placed(lineage, 2, &from));
  cr_expect_eq(from.placement, PP_VIRTUAL);
  cr_expect_str_eq(from.routine, "p");
  cr_assert(pp_lineage_placed(next, 2, &from));
  cr_expect_eq(from.placement, PP_MATERIALISED);
  cr_expect_eq(from.reason, PP_REASON_POLICY);
  cr_expect_str_eq(from.routine, "c");
  cr_assert(pp_lineage_placed(next, 3, &from));
  cr_expect_str_eq(from.routine, "p");
  pp_lineage_free(next);
  pp_lineage_free(lineage);
  pp_expect_no_leak();
}
