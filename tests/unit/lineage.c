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
    "node 3 w f32 [4] observable\nnode 4 y f32 [4] observable\n"
    "for i<4: w[i] = x[i]\nfor i<4: a[i] = x[i] + w[3 - i]\n"
    "for i<4: y[i] = a[i]\nend\n";
static const char child[] = "routine c\nnode 2 a f32 [4]\n"
                            "node 9 z f32 [4] observable\n"
                            "for i<4: z[i] = a[i] * 3\nend\n";
static const char writer[] = "routine o\nnode 3 w f32 [4] observable\n"
                             "for i<4: w[i] = 1\nend\n";

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
  pp_lineage *lineage = after(parent, PP_POLICY_INLINE, NULL);
  expect_text(child, PP_POLICY_INLINE, lineage,
              "routine c\nnode 9 z f32 [4] observable\n"
              "node 1 x f32 [4] constant data fill 2\n"
              "node 3 w f32 [4] observable\n"
              "for i<4: z[i] = (x[i] + w[3 - i]) * 3\nend\n");
  expect_text(child, PP_POLICY_MATERIALISE, lineage,
              "routine c\nnode 2 a f32 [4] span 0 1\n"
              "node 9 z f32 [4] observable\n"
              "node 1 x f32 [4] constant data fill 2\n"
              "node 3 w f32 [4] observable\n"
              "for i<4: a[i] = x[i] + w[3 - i]\nfor i<4: z[i] = a[i] * 3\n"
              "end\n");
  /* Out of the child it goes on: it is virtual there too. */
  pp_lineage *next = after(child, PP_POLICY_INLINE, lineage);
  expect_text(child, PP_POLICY_INLINE, next,
              "routine c_2\nnode 9 z f32 [4] observable\n"
              "node 1 x f32 [4] constant data fill 2\n"
              "node 3 w f32 [4] observable\n"
              "for i<4: z[i] = (x[i] + w[3 - i]) * 3\nend\n");
  pp_lineage_free(next);
  pp_lineage_free(lineage);
  pp_expect_no_leak();
}

Test(lineage, what_was_written_since_is_not_recalled) {
  pp_lineage *lineage = after(parent, PP_POLICY_INLINE, NULL);
  pp_lineage *next = after(writer, PP_POLICY_INLINE, lineage);
  expect_refused(child, next,
                 "node a: virtual in routine p, and uid 3, which it is "
                 "computed from, was written since or may have been; "
                 "decide_materialized keeps it (RTN-3)");
  /* The writer's sibling still can: nothing leaked into the parent's. */
  pp_lineage *sibling = after(child, PP_POLICY_INLINE, lineage);
  pp_lineage_free(sibling);
  pp_lineage_free(next);
  pp_lineage_free(lineage);
  pp_expect_no_leak();
}

Test(lineage, what_uploads_may_change_is_not_recalled) {
  static const char host[] =
      "routine p\nnode 1 x f32 [4] host\nnode 2 a f32 [4]\n"
      "node 4 y f32 [4] observable\nfor i<4: a[i] = x[i] + 1\n"
      "for i<4: y[i] = a[i]\nend\n";
  pp_lineage *lineage = after(host, PP_POLICY_INLINE, NULL);
  expect_refused(child, lineage,
                 "node a: virtual in routine p, and uid 1, which it is "
                 "computed from, was written since or may have been; "
                 "decide_materialized keeps it (RTN-3)");
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
  pp_lineage *lineage = after(parent, PP_POLICY_INLINE, NULL);
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
