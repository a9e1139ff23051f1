#include "routine.h"

#include "support.h"

#include <stdio.h>

#define NODES                                                                  \
  "routine r\n"                                                                \
  "node 1 a f32 [4]\n"                                                         \
  "node 2 m f32 [4, 4]\n"                                                      \
  "node 3 c f32 [4] constant\n"                                                \
  "node 4 g f32 [4] merge\n"                                                   \
  "node 5 n i32 [4]\n"                                                         \
  "node 6 s f32 []\n"                                                          \
  "node 7 z f32 [0]\n"

/* Each rule of pp_statement: the nearest statement that keeps it, and one
 * that breaks it. */
static const struct {
  const char *good;
  const char *bad;
  const char *text;
} rules[] = {
    {"for i<4: a[i] = 1", "for i<5: a[i] = 1",
     "index 0 of node a goes from 0 to 4, its dimension is 4"},
    {"for i<4: a[3 - i] = 1", "for i<4: a[2 - i] = 1",
     "index 0 of node a goes from -1 to 2, its dimension is 4"},
    {"a[0] = 1", "a[-1] = 1", "index 0 of node a is -1, its dimension is 4"},
    {"a[3] = 1", "a[4] = 1", "index 0 of node a is 4, its dimension is 4"},
    {"for i<4: a[i] = m[3, i]", "for i<4: a[i] = m[4, i]",
     "index 0 of node m is 4, its dimension is 4"},
    {"for i<4: a[i] = m[3, 3 - i]", "for i<4: a[i] = m[3, 4 - i]",
     "index 1 of node m goes from 1 to 4, its dimension is 4"},
    {"for i<4, j<2: a[i] += m[i, i - 2*j + 2 - i]",
     "for i<4, j<2: a[i] += m[i, i - 2*j + 2]",
     "index 1 of node m goes from 0 to 5, its dimension is 4"},
    {"for i<2, j<2: a[i] += m[2*i + j, 0]",
     "for i<2, j<2: a[i] += m[3*i + j, 0]",
     "index 0 of node m goes from 0 to 4, its dimension is 4"},
    {"for i<1: a[9223372036854775807*i] = 1",
     "for i<2: a[9223372036854775807*i] = 1",
     "index 0 of node a goes from 0 to 9223372036854775807, its dimension is "
     "4"},
    {"for i<1: a[3 - 9223372036854775808*i] = 1",
     "for i<2: a[3 - 9223372036854775808*i] = 1",
     "index 0 of node a goes from -9223372036854775805 to 3, its dimension is "
     "4"},
    {"for i<18446744073709551615: s += a[3]",
     "for i<18446744073709551615: s += a[9223372036854775807*i]",
     "index 0 of node a passes 64 bits, its dimension is 4"},
    {"for i<1: a[i] = 1", "for i<2: a[i + 9223372036854775807] = 1",
     "index 0 of node a passes 64 bits, its dimension is 4"},
    {"for i<0: a[i + 9] = 1", "for i<1: a[i + 9] = 1",
     "index 0 of node a is 9, its dimension is 4"},
    {"for i<0: z[i] = 1", "z[0] = 1",
     "index 0 of node z is 0, its dimension is 0"},
    {"for i<4, j<4: a[i] += m[i, j]", "for i<4, j<4: a[i] = m[i, j]",
     "axis 1 reduces into node a, which needs a fold other than ="},
    {"for i<4: m[i, 0] = 1", "for i<4: m[i, i] = 1",
     "axis 0 is in 2 indices of the target m, at most one may be"},
    {"for i<2, j<2: m[2*i, j] = 1", "for i<2, j<2: a[2*i + j] = 1",
     "index 0 of the target a has 2 axes, at most one may be"},
    {"for i<4: a[i] = a[i] + 1", "for i<4: a[i] = a[3 - i] + 1",
     "reads its target a at another index"},
    {"for i<4: a[i] += a[i]", "for i<4, j<2: a[i] += a[i]",
     "reads its target a and has reduction axes"},
    {"for i<4: a[i] = c[i]", "for i<4: c[i] = a[i]",
     "writes node c, which is constant"},
    {"for i<4: a[i] = g[i]", "for i<4: g[i] = a[i]",
     "writes node g, which is a merge node"},
    {"for i<4: a[i] = 1 / n[i]", "for i<4: n[i] = 1 / a[i]",
     "div is for floats, and the target n is i32"},
    {"for i<4: a[i] = sqrt(n[i])", "for i<4: n[i] = sqrt(a[i])",
     "sqrt is for floats, and the target n is i32"},
    {"for i<4: a[i] = sum(0 for k<4: m[i, k])",
     "for i<4: a[i] = sum(0 for k<5: m[i, k])",
     "index 1 of node m goes from 0 to 4, its dimension is 4"},
    {"a[0] = sum(0 for k<2, l<2: m[k, k + 2*l])",
     "a[0] = sum(0 for k<2, l<3: m[k, k + 2*l])",
     "index 1 of node m goes from 0 to 5, its dimension is 4"},
    {"a[0] = sum(0 for k<0: m[9, 9])", "a[0] = sum(0 for k<1: m[9, 9])",
     "index 0 of node m is 9, its dimension is 4"},
    {"a[0] = sum(0 for k<0: sum(0 for l<2: m[9, l]))",
     "a[0] = sum(0 for k<2: sum(0 for l<2: m[3 + k, l]))",
     "index 0 of node m goes from 3 to 4, its dimension is 4"},
    {"a[0] = sum(m[3, 3] for k<0: 1)", "a[0] = sum(m[3, 4] for k<0: 1)",
     "index 1 of node m is 4, its dimension is 4"},
    {"a[0] = sum(0 for k<0: m[9, 9]) + m[3, 3]",
     "a[0] = sum(0 for k<0: m[9, 9]) + m[9, 9]",
     "index 0 of node m is 9, its dimension is 4"},
    {"for i<0: a[i] = sum(0 for k<2: m[9, k])",
     "for i<1: a[i] = sum(0 for k<2: m[9, k])",
     "index 0 of node m is 9, its dimension is 4"},
    {"for i<4: a[i] = sum(0 for k<4: a[i])",
     "for i<4: a[i] = sum(0 for k<4: a[k])",
     "reads its target a at another index"},
    {"a[0] = sum(0 for k<0: a[0])", "a[0] = sum(0 for k<0: a[1])",
     "reads its target a at another index"},
    {"a[0] += sum(0 for k<2: a[0])", "for i<2: a[0] += sum(0 for k<2: a[0])",
     "reads its target a and has reduction axes"},
    {"a[0] = sum(0 for k<2: 1 / n[k])", "n[0] = sum(0 for k<2: 1 / n[0])",
     "div is for floats, and the target n is i32"},
    {"also a[0] = 1", "also for i<4: a[i] = 1",
     "joins a kernel, and statement 0 has other loops (RTN-5)"},
    {"also s = s + 1", "opaque s = a[4]",
     "index 0 of node a is 4, its dimension is 4"},
};

Test(routine_rules, statement_rules) {
  for (size_t k = 0; k < COUNT(rules); k++) {
    char text[500];
    char sentence[300];
    (void)snprintf(text, sizeof text, NODES "s = 0\n%s\nend\n", rules[k].good);
    pp_routine_free(pp_must_parse(text));
    (void)snprintf(text, sizeof text, NODES "s = 0\n %s\nend\n", rules[k].bad);
    (void)snprintf(sentence, sizeof sentence,
                   "line 10, column 2: statement 1: %s", rules[k].text);
    pp_must_refuse(text, strlen(text), PP_BAD_ROUTINE, sentence);
  }
}

/* Whole kernels, from statement 0 on, and what is wrong with the last
 * statement; NULL: nothing. */
static const struct {
  const char *lines;
  const char *text;
} kernels[] = {
    {"also s = 1",
     "statement 0: joins a kernel, and there is none before it (RTN-5)"},
    {"for i<4: a[i] = c[i]\nalso for i<4: m[i, 0] = a[i]\n"
     "also for i<4: a[i] += m[i, 0]",
     NULL},
    {"barrier\nalso s = 1",
     "statement 1: joins a kernel, and statement 0 is no assignment (RTN-5)"},
    {"opaque s = 1\nalso s = 1",
     "statement 1: joins a kernel, and statement 0 is no assignment (RTN-5)"},
    {"for i<4: a[i] = 1\nalso for i<4: s += c[i]",
     "statement 1: joins a kernel and has reduction axes (RTN-5)"},
    {"for i<4: s += c[i]\nalso for i<4: a[i] = 1",
     "statement 1: joins a kernel, and statement 0 has reduction axes (RTN-5)"},
    {"for i<4: a[i] = 1\nalso for i<4: m[i, 0] = sum(0 for k<4: c[k])", NULL},
    {"for i<4: a[i] = 1\nalso for i<2: m[i, 0] = 1",
     "statement 1: joins a kernel, and statement 0 has other loops (RTN-5)"},
    {"for i<4: a[i] = 1\nalso for i<4, j<4: m[i, j] = 1",
     "statement 1: joins a kernel, and statement 0 has other loops (RTN-5)"},
    {"for i<2, j<4: m[i, j] = 1\nalso for i<4, j<2: m[j, i] = 1",
     "statement 1: joins a kernel, and statement 0 has other loops (RTN-5)"},
    {"for i<4: a[i] = 1\nalso for i<4: m[i, 0] = a[3 - i]",
     "statement 1: joins a kernel that writes node a and accesses it at "
     "another index (RTN-5)"},
    {"for i<4: a[i] = 1\nalso for i<4: m[i, 0] = sum(0 for k<4: a[k])",
     "statement 1: joins a kernel that writes node a and accesses it at "
     "another index (RTN-5)"},
    {"for i<4: m[i, 0] = a[3 - i]\nalso for i<4: a[i] = 1",
     "statement 1: joins a kernel that writes node a and accesses it at "
     "another index (RTN-5)"},
    {"for i<4: a[i] = 1\nalso for i<4: a[3 - i] = 1",
     "statement 1: joins a kernel that writes node a and accesses it at "
     "another index (RTN-5)"},
    {"for i<4: m[i, 0] = a[i]\nalso for i<4: m[i, 1] = 2",
     "statement 1: joins a kernel that writes node m and accesses it at "
     "another index (RTN-5)"},
    {"for i<4: a[i] = c[i] + c[3 - i]\nalso for i<4: m[i, 0] = c[0]", NULL},
    {"for i<4: m[i, 0] = a[i] + a[3 - i]\nalso for i<4: a[i] = 1",
     "statement 1: joins a kernel that writes node a and accesses it at "
     "another index (RTN-5)"},
    {"for i<4: a[i] = 1\nalso for i<4: m[i, 0] = 1\n"
     "also for i<4: m[i, 0] += a[0]",
     "statement 2: joins a kernel that writes node a and accesses it at "
     "another index (RTN-5)"},
    {"for i<4: a[i] = 1\nfor i<4: m[i, 0] = a[3 - i]\n"
     "also for i<4: m[i, 0] += a[3 - i]",
     NULL},
    {"for i<4: m[i, 0] = a[3 - i]\nfor i<4: a[i] = 1\n"
     "also for i<4: a[i] += 1",
     NULL},
};

Test(routine_rules, kernel_rules) {
  for (size_t k = 0; k < COUNT(kernels); k++) {
    char text[500];
    char sentence[300];
    size_t line = 9;
    (void)snprintf(text, sizeof text, NODES "%s\nend\n", kernels[k].lines);
    for (const char *at = kernels[k].lines; at; line++)
      at = strchr(*at == '\n' ? at + 1 : at, '\n');
    (void)snprintf(sentence, sizeof sentence, "line %zu, column 1: %s",
                   line - 1, kernels[k].text ? kernels[k].text : "");
    if (kernels[k].text)
      pp_must_refuse(text, strlen(text), PP_BAD_ROUTINE, sentence);
    else
      pp_routine_free(pp_must_parse(text));
  }
}

Test(routine_rules, positions_count_kernels) {
  pp_routine *routine =
      pp_must_parse(NODES "s = 0\nalso a[0] = 1\nbarrier\nopaque s = 1\ns = 2\n"
                          "also s = 3\nalso s = 4\ns = 5\nend\n");
  static const size_t position[] = {0, 0, 1, 2, 3, 3, 3, 4};
  cr_assert_eq(routine->statements, COUNT(position));
  cr_expect_arr_eq(routine->position, position, sizeof position);
  cr_expect_eq(routine->positions, 5);
  pp_routine_free(routine);
}

Test(routine_rules, barriers_access_nothing) {
  static const char *const texts[] = {
      "routine r\nbarrier\nbarrier\nend\n",
      "routine r\nnode 1 c f32 [4] constant\nbarrier\nend\n",
      "routine r\nnode 1 t f32 [] span 1 2\nnode 2 s f32 []\nbarrier\n"
      "t = 1\ns = t\nend\n",
      "routine r\nnode 1 t f32 [] span 0 1\nnode 2 s f32 []\nt = 1\ns = t\n"
      "barrier\nend\n"};
  for (size_t k = 0; k < COUNT(texts); k++)
    pp_routine_free(pp_must_parse(texts[k]));
}

/* What declares a span, and what is wrong with it; NULL: nothing. */
static const struct {
  const char *lines;
  const char *text;
} spans[] = {
    {"node 1 t f32 [4] span 1 2\ns = 0\nfor i<4: t[i] = 1\ns = t[0]", NULL},
    {"node 1 t f32 [4] span 0 9\ns = 0\nfor i<4: t[i] = 1\ns = t[0]", NULL},
    {"node 1 t f32 [4] span 2 1\ns = 0\nfor i<4: t[i] = 1\ns = t[0]",
     "span 2 1 begins after its end (RTN-6)"},
    {"node 1 t f32 [4] span 2 2\ns = 0\nfor i<4: t[i] = 1\ns = t[0]",
     "span 2 2 does not cover its accesses, positions 1 to 2 (RTN-6)"},
    {"node 1 t f32 [4] span 1 1\ns = 0\nfor i<4: t[i] = 1\ns = t[0]",
     "span 1 1 does not cover its accesses, positions 1 to 2 (RTN-6)"},
    {"node 1 t f32 [4] observable span 1 2\ns = 0\nfor i<4: t[i] = 1\ns = t[0]",
     "may not have a span: it is observable (RTN-6)"},
    {"node 1 t f32 [4] constant span 0 2\ns = 0\ns = t[0]",
     "may not have a span: it is constant (RTN-6)"},
    {"node 1 t f32 [4] host span 1 2\ns = 0\nfor i<4: t[i] = 1\ns = t[0]",
     "may not have a span: it is host-initialised (RTN-6)"},
    {"node 1 t f32 [4] merge span 0 2\ns = 0\ns = t[0]",
     "may not have a span: it is a merge node (RTN-6)"},
    {"node 1 t f32 [4] span 1 2 data fill 0\ns = 0\nfor i<4: t[i] = 1\ns = "
     "t[0]",
     "may not have a span: it has data (RTN-6)"},
    {"node 1 t f32 [4] span 1 2\ns = 0\nfor i<4: t[i] = 1\nt[0] += 1",
     "may not have a span: no statement reads it (RTN-6)"},
    {"node 1 t f32 [4] span 1 2",
     "may not have a span: no statement reads it (RTN-6)"},
    {"node 1 t f32 [4] span 1 2\ns = 0\nfor i<4: t[3 - i] = 1\ns = t[0]", NULL},
    {"node 1 t f32 [4] span 1 2\ns = 0\nfor i<2: t[2*i] = 1\ns = t[0]",
     "may not have a span: its first access is not a set that fills it "
     "(RTN-6)"},
    {"node 1 t f32 [4] span 1 2\ns = 0\nfor i<3: t[i] = 1\ns = t[0]",
     "may not have a span: its first access is not a set that fills it "
     "(RTN-6)"},
    {"node 1 t f32 [4] span 1 2\ns = 0\nfor i<4: t[i] += 1\ns = t[0]",
     "may not have a span: its first access is not a set that fills it "
     "(RTN-6)"},
    {"node 1 t f32 [4] span 1 2\ns = 0\ns = t[0]\nfor i<4: t[i] = 1",
     "may not have a span: its first access is not a set that fills it "
     "(RTN-6)"},
    {"node 1 t f32 [4] span 1 2\ns = 0\nfor i<4: t[i] = t[i]\ns = t[0]",
     "may not have a span: its first access is not a set that fills it "
     "(RTN-6)"},
    {"node 1 t f32 [1, 4] span 1 2\ns = 0\nfor j<4: t[0, j] = 1\ns = t[0, 0]",
     NULL},
    {"node 1 t f32 [2, 4] span 1 2\ns = 0\nfor j<4: t[0, j] = 1\ns = t[0, 0]",
     "may not have a span: its first access is not a set that fills it "
     "(RTN-6)"},
    {"node 1 t f32 [] span 1 2\ns = 0\nt = 1\ns = t", NULL},
    {"node 1 t f32 [1] span 1 2\ns = 0\nfor i<0: t[i] = 1\ns = t[0]",
     "may not have a span: its first access is not a set that fills it "
     "(RTN-6)"},
    {"node 1 t f32 [0, 4] span 1 2\ns = 0\nfor i<0: t[i, 0] = 1\nfor i<0: s "
     "+= t[i, 0]",
     NULL},
    {"node 1 t f32 [0] span 1 2\ns = 0\nfor i<0: t[i] = 1\nfor i<0: s += t[i]",
     NULL},
    {"node 1 t f32 [4] span 1 2\ns = 0\nfor i<4: t[i] = 1\n"
     "s = sum(0 for k<4: t[k])",
     NULL},
    {"node 1 t f32 [] span 1 1\ns = 0\nt = 1\nalso s = t", NULL},
    {"node 1 t f32 [] span 1 1\ns = 0\nt = 1\nalso s = 2\ns = t",
     "span 1 1 does not cover its accesses, positions 1 to 2 (RTN-6)"},
    {"node 1 t f32 [] span 2 3\ns = 0\nbarrier\nt = 1\ns = t", NULL},
    {"node 1 t f32 [] span 1 2\ns = 0\nbarrier\nt = 1\ns = t",
     "span 1 2 does not cover its accesses, positions 2 to 3 (RTN-6)"},
    {"node 1 t f32 [] span 0 1\nt = 1\ns = t\nbarrier", NULL},
    {"node 1 t f32 [] span 1 2\ns = 0\nt = 1\ns = t\nopaque s = 1",
     "may not have a span: the routine has opaque statements (RTN-6)"},
    {"node 1 t f32 [] span 1 2\nopaque s = 0\nt = 1\ns = t",
     "may not have a span: the routine has opaque statements (RTN-6)"},
};

Test(routine_rules, statements_that_fill) {
  pp_routine *routine =
      pp_must_parse("routine r\nnode 1 s f32 []\ns = 1\nopaque s = 1\n"
                    "s += 1\nbarrier\nend\n");
  static const bool fills[] = {true, true, false, false};
  for (size_t k = 0; k < COUNT(fills); k++)
    cr_expect_eq(pp_statement_fills(&routine->statement[k], &routine->node[0]),
                 fills[k], "statement %zu", k);
  pp_routine_free(routine);
}

Test(routine_rules, span_rules) {
  for (size_t k = 0; k < COUNT(spans); k++) {
    char text[400];
    char sentence[300];
    (void)snprintf(text, sizeof text, "routine r\nnode 9 s f32 []\n%s\nend\n",
                   spans[k].lines);
    (void)snprintf(sentence, sizeof sentence, "line 3, column 1: node t: %s",
                   spans[k].text ? spans[k].text : "");
    if (spans[k].text)
      pp_must_refuse(text, strlen(text), PP_BAD_SPAN, sentence);
    else
      pp_routine_free(pp_must_parse(text));
  }
  pp_expect_no_leak();
}
