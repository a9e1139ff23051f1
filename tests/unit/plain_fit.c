/* The plain fit and the optimised one on sources whose answers are worked out
 * by hand from FPT-4: reliefs are bytes (alignment 1), costs are how often a
 * cell is read. */
#include "routine.h"

#include "support.h"

#include "plain_fit.h"
#include "plain_score.h"

#include <poolproof/planner.h>

#include <stdio.h>
#include <stdlib.h>

static const pp_lower_options stay = {.policy = PP_POLICY_MATERIALISE};
static const pp_score_options whole = {.cap = PP_CAP_UNLIMITED, .alignment = 1};

/* The flips as they rank: label, then U untried, T taken, J joined, H held,
 * D dropped; then the final total. */
static void describe(const pp_fitting *fitting, char *text, size_t size) {
  size_t used = 0;
  for (size_t k = 0; k < fitting->flips; k++)
    used += (size_t)snprintf(text + used, size - used, "%s%c ",
                             fitting->flip[k].label,
                             "UTJHD"[fitting->flip[k].outcome]);
  snprintf(text + used, size - used, "%llu",
           (unsigned long long)fitting->final.total);
}

typedef struct pp_fit_case {
  const char *what;
  const char *source;
  pp_budget budget;
  const char *right;
} pp_fit_case;

typedef pp_status pp_fit_function(const pp_routine *source,
                                  const pp_lower_options *options,
                                  const pp_score_options *score,
                                  const pp_budget *budget, pp_fitting **fitting,
                                  pp_failure *failure);

static void expect_fit(const pp_fit_case *one) {
  static const struct {
    const char *name;
    pp_fit_function *call;
  } fits[] = {{"plain", pp_plain_fit}, {"optimised", pp_fit}};
  pp_routine *routine = pp_must_parse(one->source);
  for (size_t k = 0; k < 2; k++) {
    pp_fitting *fitting = NULL;
    pp_failure failure = {.text = ""};
    char text[200];
    cr_assert_eq(
        fits[k].call(routine, &stay, &whole, &one->budget, &fitting, &failure),
        PP_OK, "%s, %s: %s", one->what, fits[k].name, failure.text);
    describe(fitting, text, sizeof text);
    cr_expect_str_eq(text, one->right, "%s, %s: got %s", one->what,
                     fits[k].name, text);
    pp_fitting_free(fitting);
  }
  pp_routine_free(routine);
}

/* a and b are alive together; flipping one saves all of its bytes. a has A
 * elements of 4 bytes, each is read RA times; so has b. x, s and t take 4
 * bytes each. */
#define TWO(A, RA, B, RB)                                                      \
  "routine r\nnode 1 x f32 [] host\nnode 2 a f32 [" A "]\nnode 3 b f32 [" B    \
  "]\nnode 4 s f32 [] observable\nnode 5 t f32 [] observable\n"                \
  "for i<" A ": a[i] = x[]\nfor i<" B ": b[i] = x[]\n"                         \
  "for i<" A ", j<" RA ": s[] += a[i]\nfor i<" B ", j<" RB ": t[] += b[i]\n"   \
  "end\n"

/* p, of 16 elements, and q, of Q, live one after the other, at the same
 * bytes. */
#define TURNS(Q)                                                               \
  "routine r\nnode 1 x f32 [] host\nnode 2 p f32 [16]\nnode 3 q f32 [" Q       \
  "]\nnode 4 s f32 [] observable\nnode 5 t f32 [] observable\n"                \
  "for i<16: p[i] = x[]\nfor i<16, j<2: s[] += p[i]\n"                         \
  "for i<" Q ": q[i] = x[]\nfor i<" Q ", j<3: t[] += q[i]\nend\n"

#define LEAST                                                                  \
  { PP_BUDGET_MINIMISE, 0 }
#define BYTES(n)                                                               \
  { PP_BUDGET_BYTES, n }

Test(plain_fit, ranks_and_takes) {
  static const pp_fit_case cases[] = {
      {"the greater ratio first", TWO("8", "4", "4", "1"), LEAST, "bT aT 12"},
      {"stops when it is met", TWO("8", "4", "4", "1"), BYTES(44), "bT aU 44"},
      {"goes on when it is not", TWO("8", "4", "4", "1"), BYTES(43),
       "bT aT 12"},
      {"takes none when it is met", TWO("8", "4", "4", "1"), BYTES(60),
       "bU aU 60"},
      {"best effort", TWO("8", "4", "4", "1"), BYTES(1), "bT aT 12"},
      {"no budget", TWO("8", "4", "4", "1"), {PP_BUDGET_OFF, 0}, "60"},
      {"a tie: the greater relief", TWO("4", "2", "8", "4"), LEAST, "bT aT 12"},
      {"a tie: the lesser uid", TWO("4", "2", "4", "2"), LEAST, "aT bT 12"},
      {"held, then joined", TURNS("16"), LEAST, "pJ qT 12"},
      {"alone, then alone", TURNS("20"), LEAST, "qT pT 12"},
      {"met after one", TURNS("20"), BYTES(76), "qT pU 76"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_fit(&cases[i]);
  pp_expect_no_leak();
}

/* 4 (2^30 + 1) / 2^30 is less than 4 2^30 / (2^30 - 1) by one part in 2^60.
 * 2^40 / 2^23 is more than 2^40 / 2^24, though 2^40 2^24 is 0 in 64 bits, and
 * equals 2^41 / 2^24. */
Test(plain_fit, ranks_exactly) {
  static const pp_fit_case cases[] = {
      {"closer than floats see",
       TWO("1073741825", "1073741824", "1073741824", "1073741823"), BYTES(1),
       "bT aT 12"},
      {"the other way around",
       TWO("1073741824", "1073741823", "1073741825", "1073741824"), BYTES(1),
       "aT bT 12"},
      {"products past 64 bits",
       TWO("274877906944", "8388608", "274877906944", "16777216"), BYTES(1),
       "aT bT 12"},
      {"products past 64 bits, a tie",
       TWO("274877906944", "8388608", "549755813888", "16777216"), BYTES(1),
       "bT aT 12"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_fit(&cases[i]);
  pp_expect_no_leak();
}

/* Aligned to 16: a 0, b 16 (u8, another class: beside a, not on it), y 32; k
 * and l are constants. Two classes never share. */
Test(plain_fit, scores_plainly) {
  pp_routine *routine = pp_must_parse(
      "routine r\nnode 1 a f32 [4] span 0 1\nnode 2 b u8 [4] span 1 2\n"
      "node 3 y u8 [1] observable\nnode 4 k f32 [5] constant\n"
      "node 5 l f32 [1] constant\nnode 6 c f32 [3] span 2 3\n"
      "for i<4: a[i] = k[i] + l[0]\nfor i<4: b[i] = a[i]\n"
      "for i<3: c[i] = b[i]\nfor i<3: y[0] += c[i]\nend\n");
  const pp_score_options options = {.alignment = 16};
  const pp_score_options low = {.alignment = 16, .cap = 20};
  pp_footprint got;
  pp_failure failure;
  cr_assert_eq(pp_plain_score(routine, &options, &got, &failure), PP_OK);
  cr_expect(got.working == 33 && got.constants == 36 && got.total == 69 &&
                got.dedicated == 60 && got.arena && got.planned == 3 &&
                got.nodes == 6,
            "%llu + %llu, %llu, %d, %zu of %zu",
            (unsigned long long)got.working, (unsigned long long)got.constants,
            (unsigned long long)got.dedicated, got.arena, got.planned,
            got.nodes);
  /* 33 is over the cap: segments a 16 b 4 (16 + 4 = 20 fits), y 1 c: 17, 12. */
  cr_assert_eq(pp_plain_score(routine, &low, &got, &failure), PP_OK);
  cr_expect(got.working == got.dedicated && !got.arena && got.planned == 3);
  const pp_score_options tiny = {.cap = 15};
  cr_expect_eq(pp_plain_score(routine, &tiny, &got, &failure),
               PP_ITEM_OVER_CAP);
  cr_expect(failure.has_uid && failure.uid == 1);
  pp_routine_free(routine);
  pp_expect_no_leak();
}
