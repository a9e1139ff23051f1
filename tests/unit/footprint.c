/* Footprints, budgets and fits, worked out by hand from FPT. */
#include "routine.h"

#include "support.h"

#include <poolproof/footprint.h>

#include <stdlib.h>

/* a, b and c live at 0-1, 1-2, 2-3: 64, 128 and 64 bytes; u8 is another
 * class; constants and observables are on their own. */
static const char text[] =
    "routine r\nnode 1 a f32 [16] span 0 1\nnode 2 b f32 [32] span 1 2\n"
    "node 3 c f32 [16] span 2 3\nnode 4 d u8 [1] span 0 3\n"
    "node 5 k f32 [3] constant\nnode 6 l f32 [1] constant\n"
    "node 7 y f32 [16] observable\nnode 8 theirs f32 [16] merge\n"
    "for i<16: a[i] = k[0] + l[0] + theirs[i]\nfor i<32: b[i] = a[0]\n"
    "for i<16: c[i] = b[i]\nfor i<16: y[i] = c[i]\nend\n";

static void expect_score(const pp_routine *routine,
                         const pp_score_options *options,
                         const pp_footprint *right) {
  pp_footprint got;
  pp_failure failure = {.text = ""};
  cr_assert_eq(pp_score_footprint(routine, options, &got, &failure), PP_OK,
               "%s", failure.text);
  cr_expect(
      got.working == right->working && got.constants == right->constants &&
          got.total == right->total && got.dedicated == right->dedicated &&
          got.arena == right->arena && got.planned == right->planned &&
          got.nodes == right->nodes,
      "%llu + %llu = %llu, %llu, %d, %zu of %zu",
      (unsigned long long)got.working, (unsigned long long)got.constants,
      (unsigned long long)got.total, (unsigned long long)got.dedicated,
      got.arena, got.planned, got.nodes);
}

static pp_routine *spanned(void) {
  static char with[sizeof text];
  memcpy(with, text, sizeof text);
  /* d is written and read nowhere: it may have no span. */
  memmove(strstr(with, " span 0 3"), strstr(with, " span 0 3") + 9,
          strlen(strstr(with, " span 0 3") + 9) + 1);
  return pp_must_parse(with);
}

Test(footprint, scores) {
  /* Aligned to 64, in the order 128, 64, 64, 64: b at 0, a at 128, c beside a
   * (their lives do not meet), y at 192 (always live), d at 256: 257 bytes.
   * In segments, by uid: a 0, b 64, c 192, d 256, y 320: 384. */
  pp_routine *routine = spanned();
  expect_score(routine, NULL,
               &(pp_footprint){.working = 257,
                               .constants = 68,
                               .total = 325,
                               .dedicated = 384,
                               .arena = true,
                               .planned = 3,
                               .nodes = 7});
  expect_score(routine, &(pp_score_options){.no_reuse = true},
               &(pp_footprint){.working = 384,
                               .constants = 68,
                               .total = 452,
                               .dedicated = 384,
                               .nodes = 7});
  pp_routine_free(routine);
  pp_expect_no_leak();
}

Test(footprint, scores_by_alignment_and_cap) {
  pp_routine *routine = spanned();
  /* Aligned to 1: b 0, a and c 128, y 192, d 256; segments 64 + 128 + 64 + 1 +
   * 64; constants 12 + 4. */
  expect_score(routine, &(pp_score_options){.alignment = 1},
               &(pp_footprint){.working = 257,
                               .constants = 16,
                               .total = 273,
                               .dedicated = 321,
                               .arena = true,
                               .planned = 3,
                               .nodes = 7});
  /* 256 bytes a pool: the arena is over it. a, b, c: 256; d at 0, y at 64. */
  expect_score(routine, &(pp_score_options){.cap = 256},
               &(pp_footprint){.working = 384,
                               .constants = 68,
                               .total = 452,
                               .dedicated = 384,
                               .planned = 3,
                               .nodes = 7});
  pp_routine_free(routine);
  pp_expect_no_leak();
}

Test(footprint, over_the_cap) {
  pp_routine *routine = spanned();
  pp_footprint footprint = {.nodes = 77};
  pp_failure failure = {.text = ""};
  cr_expect_eq(pp_score_footprint(routine, &(pp_score_options){.cap = 127},
                                  &footprint, &failure),
               PP_ITEM_OVER_CAP);
  cr_expect_str_eq(failure.text, "node b (uid 2) has 128 bytes, a pool holds "
                                 "127 at most (SEG-5)");
  cr_expect_eq(footprint.nodes, 77);
  cr_expect_eq(pp_score_footprint(routine, &(pp_score_options){.cap = 11},
                                  &footprint, &failure),
               PP_ITEM_OVER_CAP);
  cr_expect_eq(failure.uid, 1, "working ones first");
  pp_routine_free(routine);
  routine = pp_must_parse("routine r\nnode 1 a u8 [9223372036854775807] host\n"
                          "node 2 b u8 [9223372036854775807] host\n"
                          "node 3 c u8 [9223372036854775807] host\nend\n");
  cr_expect_eq(pp_score_footprint(routine,
                                  &(pp_score_options){.cap = UINT64_MAX},
                                  &footprint, &failure),
               PP_OVER_CAP);
  pp_routine_free(routine);
  pp_expect_no_leak();
}

/* Three that follow one another share what two of them cannot have apart. */
Test(footprint, an_arena_where_segments_are_too_large) {
  pp_routine *routine =
      pp_must_parse("routine r\nnode 1 a u8 [9223372036854775807] span 0 1\n"
                    "node 2 b u8 [9223372036854775807] span 2 3\n"
                    "node 3 c u8 [9223372036854775807] span 4 5\n"
                    "node 4 y u8 [] observable\n"
                    "for i<9223372036854775807: a[i] = 1\ny = a[0]\n"
                    "for i<9223372036854775807: b[i] = 1\ny = b[0]\n"
                    "for i<9223372036854775807: c[i] = 1\ny = c[0]\nend\n");
  expect_score(routine, &(pp_score_options){.cap = UINT64_MAX, .alignment = 1},
               &(pp_footprint){.working = UINT64_C(1) << 63,
                               .total = UINT64_C(1) << 63,
                               .dedicated = UINT64_MAX,
                               .arena = true,
                               .planned = 3,
                               .nodes = 4});
  pp_routine_free(routine);
  pp_expect_no_leak();
}

Test(footprint, budget_text) {
  static const struct {
    const char *text;
    pp_budget_kind kind;
    uint64_t bytes;
  } good[] = {{"0", PP_BUDGET_OFF, 0},
              {"00", PP_BUDGET_OFF, 0},
              {"minimize", PP_BUDGET_MINIMISE, 0},
              {"minimise", PP_BUDGET_MINIMISE, 0},
              {"1", PP_BUDGET_BYTES, 1},
              {"010", PP_BUDGET_BYTES, 10},
              {"3K", PP_BUDGET_BYTES, 3072},
              {"5M", PP_BUDGET_BYTES, 5242880},
              {"1G", PP_BUDGET_BYTES, 1073741824},
              {"18446744073709551615", PP_BUDGET_BYTES, UINT64_MAX},
              {"17179869183G", PP_BUDGET_BYTES, UINT64_C(0xffffffffc0000000)}};
  for (size_t k = 0; k < COUNT(good); k++) {
    pp_budget budget = {.bytes = 77};
    cr_assert(pp_budget_parse(good[k].text, &budget), "%s", good[k].text);
    cr_expect(budget.kind == good[k].kind && budget.bytes == good[k].bytes,
              "%s", good[k].text);
  }
  pp_expect_no_leak();
}

Test(footprint, what_is_no_budget) {
  static const char *const bad[] = {"",
                                    "-1",
                                    "+1",
                                    " 1",
                                    "1 ",
                                    "0x1",
                                    "1k",
                                    "1KB",
                                    "1T",
                                    "K",
                                    "0K",
                                    "1.5",
                                    "1e3",
                                    "minimal",
                                    "off",
                                    "18446744073709551616",
                                    "18446744073709551615K",
                                    "17179869184G"};
  for (size_t k = 0; k < COUNT(bad); k++) {
    pp_budget budget = {PP_BUDGET_MINIMISE, 77};
    cr_expect_not(pp_budget_parse(bad[k], &budget), "%s", bad[k]);
    cr_expect(budget.kind == PP_BUDGET_MINIMISE && budget.bytes == 77);
  }
  pp_expect_no_leak();
}

/* p (256 bytes) and q (256) live together with r (128); s (64) is apart.
 * Everything costs what is said behind it. */
static const char choices[] =
    "routine r\nnode 1 x f32 [64] host\nnode 2 p f32 [64]\n"
    "node 3 q f32 [64]\nnode 4 s f32 [64]\nnode 5 y f32 [64] observable\n"
    "for i<64: p[i] = x[i]\n"             /* read twice: 2 */
    "for i<64: q[i] = x[63 - i] + x[i]\n" /* read once, 2 elements: 2 */
    "for i<64: y[i] = p[i] + q[i]\n"
    "for i<64: s[i] = p[i] * x[63 - i]\n" /* 2 */
    "for i<64: y[i] += s[i]\nend\n";

static pp_fitting *fit(const char *source, const char *budget) {
  const pp_lower_options options = {.policy = PP_POLICY_MATERIALISE};
  const pp_score_options score = {.alignment = 1};
  pp_routine *routine = pp_must_parse(source);
  pp_budget limit;
  pp_fitting *fitting = NULL;
  pp_failure failure = {.text = ""};
  cr_assert(pp_budget_parse(budget, &limit));
  cr_assert_eq(pp_fit(routine, &options, &score, &limit, &fitting, &failure),
               PP_OK, "%s", failure.text);
  pp_routine_free(routine);
  return fitting;
}

typedef struct pp_flip_case {
  const char *label;
  uint64_t cost;
  int64_t solo, marginal;
  uint64_t total;
  pp_flip_outcome outcome;
} pp_flip_case;

static int64_t bytes_of(pp_relief relief) {
  return relief.negative ? -(int64_t)relief.bytes : (int64_t)relief.bytes;
}

static void expect_flips(const pp_fitting *fitting, const pp_flip_case *right,
                         size_t flips) {
  cr_assert_eq(fitting->flips, flips);
  for (size_t k = 0; k < flips; k++) {
    const pp_flip *got = &fitting->flip[k];
    cr_expect(
        strcmp(got->label, right[k].label) == 0 && got->cost == right[k].cost &&
            bytes_of(got->solo) == right[k].solo &&
            bytes_of(got->marginal) == right[k].marginal &&
            got->total == right[k].total && got->outcome == right[k].outcome,
        "%zu: %s cost %llu solo %lld marginal %lld total %llu, %d", k,
        got->label, (unsigned long long)got->cost,
        (long long)bytes_of(got->solo), (long long)bytes_of(got->marginal),
        (unsigned long long)got->total, got->outcome);
  }
}

/* x and y always: 512. p 0-3, q 1-2, s 3-4 (q and s share): 512 more. Without
 * p: q and s, 256 more. Without q, p and s: 512; without s, p and q: 512. */
Test(footprint, fit_takes_and_holds) {
  static const pp_flip_case all[] = {{"p", 2, 256, 256, 768, PP_FLIP_TAKEN},
                                     {"q", 2, 0, 0, 768, PP_FLIP_HELD},
                                     {"s", 2, 0, 256, 512, PP_FLIP_TAKEN}};
  static const pp_flip_case middle[] = {{"p", 2, 256, 256, 768, PP_FLIP_TAKEN},
                                        {"q", 2, 0, 0, 768, PP_FLIP_UNTRIED},
                                        {"s", 2, 0, 0, 768, PP_FLIP_UNTRIED}};
  static const pp_flip_case none[] = {{"p", 2, 256, 0, 1024, PP_FLIP_UNTRIED},
                                      {"q", 2, 0, 0, 1024, PP_FLIP_UNTRIED},
                                      {"s", 2, 0, 0, 1024, PP_FLIP_UNTRIED}};
  pp_flip_case joined[COUNT(all)];
  memcpy(joined, all, sizeof all);
  joined[1].outcome = PP_FLIP_JOINED;
  const struct {
    const char *budget;
    const pp_flip_case *flips;
    uint64_t final;
    bool within;
  } cases[] = {{"minimize", joined, 512, true}, {"1", joined, 512, false},
               {"511", joined, 512, false},     {"512", joined, 512, true},
               {"767", joined, 512, true},      {"768", middle, 768, true},
               {"1023", middle, 768, true},     {"1K", none, 1024, true},
               {"1G", none, 1024, true}};
  for (size_t k = 0; k < COUNT(cases); k++) {
    pp_fitting *fitting = fit(choices, cases[k].budget);
    cr_expect_eq(fitting->baseline.total, 1024);
    cr_expect_eq(fitting->final.total, cases[k].final, "%s", cases[k].budget);
    cr_expect_eq(fitting->within, cases[k].within, "%s", cases[k].budget);
    expect_flips(fitting, cases[k].flips, COUNT(all));
    pp_fitting_free(fitting);
  }
  pp_expect_no_leak();
}

Test(footprint, fit_off_or_without_reuse) {
  pp_fitting *fitting = fit(choices, "0");
  cr_expect_eq(fitting->flips, 0);
  cr_expect_eq(fitting->final.total, 1024);
  cr_expect_eq(fitting->scores, 1);
  cr_expect(fitting->within);
  pp_fitting_free(fitting);
  pp_routine *routine = pp_must_parse(choices);
  pp_failure failure = {.text = ""};
  fitting = NULL;
  cr_expect_eq(pp_fit(routine, NULL, &(pp_score_options){.no_reuse = true},
                      &(pp_budget){PP_BUDGET_MINIMISE, 0}, &fitting, &failure),
               PP_BAD_ROUTINE);
  cr_expect_str_eq(failure.text, "a budget needs reuse: without it nothing "
                                 "shares bytes (FPT-4)");
  cr_expect_null(fitting);
  pp_routine_free(routine);
  pp_expect_no_leak();
}

/* The lineage of a fit lowers to what it promised. */
Test(footprint, fit_is_kept) {
  pp_fitting *fitting = fit(choices, "768");
  pp_routine *routine = pp_must_parse(choices);
  const pp_lower_options options = {.policy = PP_POLICY_MATERIALISE,
                                    .lineage = fitting->lineage};
  const pp_score_options score = {.alignment = 1};
  pp_lowered *lowered = NULL;
  pp_footprint footprint;
  cr_assert_eq(pp_lower(routine, &options, &lowered, NULL), PP_OK);
  cr_assert_eq(pp_score_footprint(lowered->routine, &score, &footprint, NULL),
               PP_OK);
  cr_expect_eq(footprint.total, fitting->final.total);
  pp_lowered_free(lowered);
  pp_routine_free(routine);
  pp_fitting_free(fitting);
  pp_expect_no_leak();
}
