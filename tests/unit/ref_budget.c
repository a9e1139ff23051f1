/* poolproof-backend: none */
#include "ref/budget.h"

#include <criterion/criterion.h>

#define TOP UINT64_MAX
#define SAVES(bytes)                                                           \
  { false, (bytes) }
#define LOSES(bytes)                                                           \
  { true, (bytes) }

/* Expected values are worked out by hand from FPT-4. */
static const struct {
  const char *why;
  pp_ref_relief a;
  uint64_t a_cost;
  pp_ref_relief b;
  uint64_t b_cost;
  int order;
} ratios[] = {
    {"equal, in other terms", SAVES(6), 4, SAVES(9), 6, 0},
    {"two zeros", SAVES(0), 7, LOSES(0), 1, 0},
    {"a zero above a loss", LOSES(0), TOP, LOSES(1), TOP, 1},
    {"a gain above a zero", SAVES(1), TOP, SAVES(0), 1, 1},
    {"a gain above a loss", SAVES(1), TOP, LOSES(TOP), 1, 1},
    {"by the whole part", SAVES(7), 3, SAVES(10), 3, -1},
    {"by the rest", SAVES(7), 3, SAVES(5), 2, -1},
    {"the lesser loss above the greater", LOSES(1), 3, LOSES(1), 2, 1},
    {"x/(x-1) falls", SAVES(TOP), TOP - 1, SAVES(TOP - 1), TOP - 2, -1},
    {"(x-1)/x rises", SAVES(TOP - 1), TOP, SAVES(TOP - 2), TOP - 1, 1},
    {"a product of 2^64 on both sides", SAVES(1ULL << 63), 1ULL << 62, SAVES(2),
     1, 0},
    {"fractions of Fibonacci: F93/F92 and F92/F91 differ by 1 in the cross "
     "product, and Euclid takes all of the steps there can be",
     SAVES(12200160415121876738U), 7540113804746346429U,
     SAVES(7540113804746346429U), 4660046610375530309U, 1},
};

Test(ref_budget, ratios) {
  for (size_t c = 0; c < sizeof ratios / sizeof ratios[0]; c++) {
    int there = pp_ref_compare_ratio(ratios[c].a, ratios[c].a_cost, ratios[c].b,
                                     ratios[c].b_cost);
    int back = pp_ref_compare_ratio(ratios[c].b, ratios[c].b_cost, ratios[c].a,
                                    ratios[c].a_cost);
    cr_expect_eq(there, ratios[c].order, "%s: %d", ratios[c].why, there);
    cr_expect_eq(back, -ratios[c].order, "%s, exchanged: %d", ratios[c].why,
                 back);
  }
}

/* Against the cross products themselves, which fit 128 bits without a sign. */
Test(ref_budget, all_fractions_of_a_list) {
  static const uint64_t list[] = {0,       1,       2,   3,       5,
                                  1 << 16, TOP / 3, TOP, TOP - 1, TOP / 2 + 1};
  enum { MANY = sizeof list / sizeof list[0], ALL = MANY * MANY * MANY * MANY };
  for (size_t k = 0; k < ALL; k++) {
    uint64_t a = list[k % MANY], p = list[k / MANY % MANY];
    uint64_t b = list[k / MANY / MANY % MANY], q = list[k / MANY / MANY / MANY];
    if (p == 0 || q == 0) continue;
    unsigned __int128 left = (unsigned __int128)a * q;
    unsigned __int128 right = (unsigned __int128)b * p;
    int order = (left > right) - (left < right);
    cr_expect_eq(pp_ref_compare_ratio((pp_ref_relief)SAVES(a), p,
                                      (pp_ref_relief)SAVES(b), q),
                 order, "fractions %zu", k);
    cr_expect_eq(pp_ref_compare_ratio((pp_ref_relief)LOSES(a), p,
                                      (pp_ref_relief)LOSES(b), q),
                 -order, "fractions %zu, negative", k);
  }
}

/* Each before all that stand behind it. */
Test(ref_budget, ranks) {
  static const pp_ref_rank ranked[] = {
      {SAVES(TOP), 1, 9},       {SAVES(8), 2, 3},     {SAVES(4), 1, 2},
      {SAVES(4), 1, 5},         {SAVES(TOP), TOP, 7}, {SAVES(1), 1, 1},
      {SAVES(TOP - 1), TOP, 0}, {SAVES(0), 5, 4},     {LOSES(0), 1, 6},
      {LOSES(1), TOP, 8},       {LOSES(1), 2, 12},    {LOSES(2), 4, 10},
      {LOSES(2), 4, 11},        {LOSES(TOP), 1, 0},
  };
  enum { MANY = sizeof ranked / sizeof ranked[0] };
  for (size_t i = 0; i < MANY; i++)
    for (size_t j = 0; j < MANY; j++)
      cr_expect_eq(pp_ref_ranks_before(&ranked[i], &ranked[j]), i < j,
                   "%zu and %zu", i, j);
}
