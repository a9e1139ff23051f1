#include "routine.h"

#include "same_routine.h"
#include "support.h"

#include <stdint.h>
#include <stdio.h>

#define SELECT                                                                 \
  { .op = PP_OP_SELECT }
#define LIT0                                                                   \
  { .op = PP_OP_LIT }
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static const pp_node good_node = {.uid = 7, .label = "a", .dtype = PP_F32};

static const struct {
  pp_node node;
  const char *text; /* NULL: legal */
} nodes_alone[] = {
    {{.label = "a"}, NULL},
    {{.label = ""},
     "node 7: a label is 1 to 31 letters, digits and _, no digit first"},
    {{.label = "_9aZ"}, NULL},
    {{.label = "9a"},
     "node 7: a label is 1 to 31 letters, digits and _, no digit first"},
    {{.label = "a-b"},
     "node 7: a label is 1 to 31 letters, digits and _, no digit first"},
    {{.label = "a234567890123456789012345678901"}, NULL},
    {{.label = "a2345678901234567890123456789012"},
     "node 7: a label is 1 to 31 letters, digits and _, no digit first"},
    {{.label = "a", .dtype = PP_F64}, NULL},
    {{.label = "a", .dtype = PP_DTYPE_COUNT}, "node a: there is no dtype 5"},
    {{.label = "a", .rank = 4}, NULL},
    {{.label = "a", .rank = 5}, "node a: 5 dimensions, at most 4 may be"},
    {{.label = "a", .rank = 1, .dims = {INT64_MAX}}, NULL},
    {{.label = "a", .rank = 1, .dims = {(uint64_t)INT64_MAX + 1}},
     "node a: its bytes do not fit 63 bits"},
    {{.label = "a", .dtype = PP_F64, .rank = 1, .dims = {INT64_MAX / 8}}, NULL},
    {{.label = "a", .dtype = PP_F64, .rank = 1, .dims = {INT64_MAX / 8 + 1}},
     "node a: its bytes do not fit 63 bits"},
    {{.label = "a", .rank = 3, .dims = {UINT64_MAX, 2, 0}}, NULL},
    {{.label = "a", .rank = 3, .dims = {UINT64_MAX, 2, 1}},
     "node a: its bytes do not fit 63 bits"},
    {{.label = "a", .intents = 7}, NULL},
    {{.label = "a", .intents = PP_MERGE}, NULL},
    {{.label = "a", .intents = PP_MERGE | PP_HOST},
     "node a: a merge node has no other intent"},
    {{.label = "a", .intents = 16}, "node a: there are no intents 16"},
};

Test(routine, node_limits) {
  for (size_t k = 0; k < COUNT(nodes_alone); k++) {
    pp_routine *routine = pp_routine_new("r");
    pp_failure failure = {.text = ""};
    pp_node node = nodes_alone[k].node;
    size_t index = 9;
    node.uid = 7;
    pp_status status = pp_routine_node(routine, &node, &index, &failure);
    cr_expect_eq(status, nodes_alone[k].text ? PP_BAD_ROUTINE : PP_OK,
                 "case %zu", k);
    cr_expect_str_eq(failure.text,
                     nodes_alone[k].text ? nodes_alone[k].text : "");
    cr_expect_eq(failure.uid, nodes_alone[k].text ? 7 : 0);
    cr_expect_eq(routine->nodes, nodes_alone[k].text ? 0 : 1);
    pp_routine_free(routine);
  }
}

/* Statements by themselves; every second one is the nearest legal one. */
static const struct {
  pp_statement statement;
  const char *text;
} statements_alone[] = {
    {{.steps = 1, .step = {LIT0}, .axes = 6}, NULL},
    {{.steps = 1, .step = {LIT0}, .axes = 7},
     "statement 0: 7 axes, at most 6 may be"},
    {{.steps = 1, .step = {LIT0}, .reads = 8}, NULL},
    {{.steps = 1, .step = {LIT0}, .reads = 9},
     "statement 0: 9 reads, at most 8 may be"},
    {{.steps = 25, .step = {LIT0}}, "statement 0: 25 steps, at most 24 may be"},
    {{.steps = 0}, "statement 0: the expression leaves 0 values, not one"},
    {{.steps = 1, .step = {LIT0}, .fold = PP_FOLD_MAX}, NULL},
    {{.steps = 1, .step = {LIT0}, .fold = PP_FOLD_COUNT},
     "statement 0: there is no fold 5"},
    {{.steps = 1, .step = {{.op = PP_OP_COUNT}}},
     "statement 0: step 0: there is no operation 14"},
    {{.steps = 1, .reads = 1, .step = {{.op = PP_OP_LOAD}}}, NULL},
    {{.steps = 1, .step = {{.op = PP_OP_LOAD}}},
     "statement 0: step 0: there is no read 0"},
    {{.steps = 2, .step = {LIT0, {.op = PP_OP_NEG}}}, NULL},
    {{.steps = 2, .step = {LIT0, {.op = PP_OP_ADD}}},
     "statement 0: step 1: add finds too few values"},
    {{.steps = 2, .step = {LIT0, LIT0}},
     "statement 0: the expression leaves 2 values, not one"},
    {{.steps = 4, .step = {LIT0, LIT0, LIT0, SELECT}}, NULL},
    {{.steps = 12,
      .step = {LIT0,
               LIT0,
               LIT0,
               LIT0,
               LIT0,
               LIT0,
               LIT0,
               LIT0,
               SELECT,
               SELECT,
               SELECT,
               {.op = PP_OP_MUL}}},
     NULL},
    {{.steps = 9,
      .step = {LIT0, LIT0, LIT0, LIT0, LIT0, LIT0, LIT0, LIT0, LIT0}},
     "statement 0: step 8: more than 8 values at one time"},
};

Test(routine, statement_limits) {
  for (size_t k = 0; k < COUNT(statements_alone); k++) {
    pp_routine *routine = pp_routine_new("r");
    pp_failure failure = {.text = ""};
    pp_status status =
        pp_routine_statement(routine, &statements_alone[k].statement, &failure);
    cr_expect_eq(status, statements_alone[k].text ? PP_BAD_ROUTINE : PP_OK,
                 "case %zu", k);
    cr_expect_str_eq(failure.text,
                     statements_alone[k].text ? statements_alone[k].text : "");
    cr_expect_eq(routine->statements, statements_alone[k].text ? 0 : 1);
    pp_routine_free(routine);
  }
}

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
     "index 0 of node a leaves its dimension of 4"},
    {"for i<4: a[3 - i] = 1", "for i<4: a[2 - i] = 1",
     "index 0 of node a leaves its dimension of 4"},
    {"a[0] = 1", "a[-1] = 1", "index 0 of node a leaves its dimension of 4"},
    {"a[3] = 1", "a[4] = 1", "index 0 of node a leaves its dimension of 4"},
    {"for i<4: a[i] = m[3, i]", "for i<4: a[i] = m[4, i]",
     "index 0 of node m leaves its dimension of 4"},
    {"for i<4: a[i] = m[3, 3 - i]", "for i<4: a[i] = m[3, 4 - i]",
     "index 1 of node m leaves its dimension of 4"},
    {"for i<4, j<2: a[i] += m[i, i - 2*j + 2 - i]",
     "for i<4, j<2: a[i] += m[i, i - 2*j + 2]",
     "index 1 of node m leaves its dimension of 4"},
    {"for i<2, j<2: a[i] += m[2*i + j, 0]",
     "for i<2, j<2: a[i] += m[3*i + j, 0]",
     "index 0 of node m leaves its dimension of 4"},
    {"for i<1: a[9223372036854775807*i] = 1",
     "for i<2: a[9223372036854775807*i] = 1",
     "index 0 of node a leaves its dimension of 4"},
    {"for i<1: a[3 - 9223372036854775808*i] = 1",
     "for i<2: a[3 - 9223372036854775808*i] = 1",
     "index 0 of node a leaves its dimension of 4"},
    {"for i<18446744073709551615: s += a[3]",
     "for i<18446744073709551615: s += a[9223372036854775807*i]",
     "index 0 of node a leaves its dimension of 4"},
    {"for i<0: a[i + 9] = 1", "for i<1: a[i + 9] = 1",
     "index 0 of node a leaves its dimension of 4"},
    {"for i<0: z[i] = 1", "z[0] = 1",
     "index 0 of node z leaves its dimension of 0"},
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
};

Test(routine, statement_rules) {
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
     "span 2 2 does not cover its accesses, statements 1 to 2 (RTN-6)"},
    {"node 1 t f32 [4] span 1 1\ns = 0\nfor i<4: t[i] = 1\ns = t[0]",
     "span 1 1 does not cover its accesses, statements 1 to 2 (RTN-6)"},
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
};

Test(routine, span_rules) {
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
}

/* Adds a node with this uid and label, and nothing else of its own. */
static void add(pp_routine *routine, uint64_t uid, const char *label) {
  pp_node node = good_node;
  size_t index = 0;
  node.uid = uid;
  (void)snprintf(node.label, sizeof node.label, "%s", label);
  cr_assert_eq(pp_routine_node(routine, &node, &index, NULL), PP_OK);
  cr_expect_eq(index, routine->nodes - 1);
}

static void refused(pp_routine *routine, const char *text) {
  pp_failure failure = {.text = ""};
  cr_expect_eq(pp_routine_seal(routine, &failure), PP_BAD_ROUTINE, "%s", text);
  cr_expect_str_eq(failure.text, text);
  pp_routine_free(routine);
}

Test(routine, names_and_uids) {
  static const struct {
    const char *name;
    uint64_t uid;
    const char *label;
    const char *text;
  } cases[] = {
      {"r", 5, "b", "node b: an earlier node has the same uid 5"},
      {"r", 6, "a", "node a: an earlier node has the same label, uid 6"},
      {"r", 5, "a", "node a: an earlier node has the same uid 5"},
      {"", 6, "b", "a routine's name is letters, digits and _, no digit first"},
      {"r s", 6, "b",
       "a routine's name is letters, digits and _, no digit first"},
  };
  for (size_t k = 0; k < COUNT(cases); k++) {
    pp_routine *routine = pp_routine_new(cases[k].name);
    add(routine, 9, "z");
    add(routine, 5, "a");
    add(routine, cases[k].uid, cases[k].label);
    refused(routine, cases[k].text);
  }
}

/* A merge node is a second value of the node whose uid it has; a third node of
 * that uid, or a second merge node, is one too many. */
Test(routine, merge_nodes_have_uids_of_others) {
  static const struct {
    unsigned intents[3];
    const char *text;
  } cases[] = {
      {{0, PP_MERGE, PP_MERGE}, "node c: an earlier node has the same uid 5"},
      {{PP_MERGE, 0, 0}, "node c: an earlier node has the same uid 5"},
      {{PP_MERGE, PP_MERGE, 0}, "node b: an earlier node has the same uid 5"},
  };
  for (size_t k = 0; k <= COUNT(cases); k++) {
    pp_routine *routine = pp_routine_new("r");
    size_t n = k < COUNT(cases) ? 3 : 2;
    for (size_t i = 0; i < n; i++) {
      pp_node node = {.uid = 5, .dtype = PP_F32};
      size_t index = 0;
      node.label[0] = "abc"[i];
      node.intents = k < COUNT(cases) ? cases[k].intents[i]
                     : i == 0         ? PP_MERGE
                                      : 0;
      cr_assert_eq(pp_routine_node(routine, &node, &index, NULL), PP_OK);
    }
    if (k < COUNT(cases)) {
      refused(routine, cases[k].text);
      continue;
    }
    cr_expect_eq(pp_routine_seal(routine, NULL), PP_OK);
    pp_routine_free(routine);
  }
}

/* What the text form cannot say. */
Test(routine, statements_by_hand) {
  static const struct {
    pp_statement statement;
    const char *text;
  } cases[] = {
      {{.target = {.node = 2}, .steps = 1, .step = {LIT0}},
       "statement 0: the target is node number 2 of 2"},
      {{.reads = 1, .read = {{.node = SIZE_MAX}}, .steps = 1, .step = {LIT0}},
       "statement 0: read 0 is of node number 18446744073709551615 of 2"},
      {{.steps = 1, .step = {{.op = PP_OP_LIT, .bits = UINT64_C(1) << 32}}},
       "statement 0: step 0: the literal has more bits than the target a, "
       "which is f32"},
  };
  for (size_t k = 0; k < COUNT(cases); k++) {
    pp_routine *routine = pp_routine_new("r");
    add(routine, 1, "a");
    add(routine, 2, "b");
    cr_assert_eq(pp_routine_statement(routine, &cases[k].statement, NULL),
                 PP_OK);
    refused(routine, cases[k].text);
  }
}

Test(routine, seal_sorts_and_makes_canonical) {
  pp_routine *routine = pp_routine_new("r");
  add(routine, 9, "x");
  add(routine, 2, "y");
  add(routine, 5, "z");
  const pp_statement statement = {
      .axes = 0,
      .extent = {3, 3},
      .target = {.node = 0, .index = {{.base = 4}}},
      .reads = 4,
      .read = {{.node = 1},
               {.node = 2, .index = {{.base = 7, .scale = {1, 2}}}},
               {.node = 2},
               {.node = 1, .index = {{.scale = {0, 3}}}}},
      .steps = 5,
      .step = {{.op = PP_OP_LOAD, .read = 2, .bits = 5},
               {.op = PP_OP_LOAD, .read = 3},
               {.op = PP_OP_ADD, .read = 7, .bits = 6},
               {.op = PP_OP_LOAD, .read = 1},
               {.op = PP_OP_MUL}}};
  cr_assert_eq(pp_routine_statement(routine, &statement, NULL), PP_OK);
  cr_assert_eq(pp_routine_seal(routine, NULL), PP_OK);
  const size_t order[] = {1, 2, 0};
  cr_expect_arr_eq(routine->order, order, sizeof order);
  pp_routine *plain =
      pp_must_parse("routine r\nnode 9 x f32 []\nnode 2 y f32 []\n"
                    "node 5 z f32 []\nx = (z + y) * z\nend\n");
  cr_expect(pp_same_routine(routine, plain));
  cr_expect_eq(plain->statement[0].reads, 2);
  pp_routine_free(plain);
  pp_routine_free(routine);
}

Test(routine, sealed_ones_take_no_more) {
  pp_routine *routine =
      pp_must_parse("routine r\nnode 9 x f32 []\nx = 1\nend\n");
  const pp_statement statement = {.steps = 1, .step = {LIT0}};
  pp_failure failure = {.text = ""};
  size_t index = 0;
  cr_expect_eq(pp_routine_seal(routine, &failure), PP_BAD_ROUTINE);
  cr_expect_str_eq(failure.text, "the routine is sealed already");
  cr_expect_eq(pp_routine_statement(routine, &statement, &failure),
               PP_BAD_ROUTINE);
  cr_expect_str_eq(failure.text, "the routine is sealed and takes no more");
  cr_expect_eq(pp_routine_node(routine, &good_node, &index, &failure),
               PP_BAD_ROUTINE);
  pp_routine *held = pp_routine_hold(routine);
  pp_routine_free(routine);
  cr_expect_eq(held->nodes, 1);
  pp_routine_free(held);
  pp_routine_free(NULL);
}

Test(routine, data_is_copied) {
  pp_routine *routine = pp_routine_new("r");
  float data[] = {1, 2, 3};
  pp_node node = {.label = "a",
                  .dtype = PP_F32,
                  .rank = 1,
                  .dims = {3, 9},
                  .lo = 4,
                  .data = data};
  size_t index = 0;
  cr_assert_eq(pp_routine_node(routine, &node, &index, NULL), PP_OK);
  memset(data, 0, sizeof data);
  const pp_node *copy = &routine->node[index];
  cr_expect_eq(((const float *)copy->data)[1], 2);
  cr_expect_eq(copy->dims[1], 0);
  cr_expect_eq(copy->lo, 0);
  cr_expect_eq(pp_node_bytes(copy), 12);
  cr_expect_eq(pp_node_elements(copy), 3);
  pp_routine_free(routine);
  pp_expect_no_leak();
}
