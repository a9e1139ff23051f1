#include "routine.h"

#include "same_routine.h"
#include "support.h"

#include <stdint.h>
#include <stdio.h>

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
     "statement 0: step 0: there is no operation 18"},
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
    {{.kind = PP_OPAQUE, .steps = 1, .step = {LIT0}}, NULL},
    {{.kind = PP_OPAQUE},
     "statement 0: the expression leaves 0 values, not one"},
    {{.kind = PP_BARRIER, .axes = 99, .steps = 99, .fold = PP_FOLD_COUNT},
     NULL},
    {{.kind = PP_BARRIER + 1, .steps = 1, .step = {LIT0}},
     "statement 0: there is no kind 3"},
};

Test(routine, statement_limits) {
  for (size_t k = 0; k < COUNT(statements_alone); k++)
    pp_expect_alone(k, &statements_alone[k].statement,
                    statements_alone[k].text);
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
      {"r", 5, "b", "node 5 b: node a has the same uid"},
      {"r", 6, "a", "node 6 a: node 5 has the same label"},
      {"r", 5, "a", "node 5 a: node a has the same uid"},
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
      {{0, PP_MERGE, PP_MERGE}, "node 5 c: node b has the same uid"},
      {{PP_MERGE, 0, 0}, "node 5 c: node b has the same uid"},
      {{PP_MERGE, PP_MERGE, 0}, "node 5 b: node a has the same uid"},
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

#define V_BY(axis, first, by)                                                  \
  {                                                                            \
    .node = 2, .index = { {.base = (first), .scale = {[axis] = (by)}} }        \
  }

/* What the text form cannot say. */
static const struct {
  pp_statement statement;
  const char *text;
} by_hand[] = {
    {{.target = {.node = 3}, .steps = 1, .step = {LIT0}},
     "statement 0: the target is node number 3 of 3"},
    {{.reads = 1, .read = {{.node = SIZE_MAX}}, .steps = 1, .step = {LIT0}},
     "statement 0: read 0 is of node number 18446744073709551615 of 3"},
    {{.steps = 1, .step = {{.op = PP_OP_LIT, .bits = UINT64_C(1) << 32}}},
     "statement 0: step 0: the literal has more bits than the target a, "
     "which is f32"},
    {{.inner = 1,
      .extent = {4},
      .target = V_BY(0, 0, 1),
      .steps = 4,
      .step = {LIT0, LOOP(0, 1), LIT0, NEXT}},
     "statement 0: accesses node v at the inner axis 0 outside its loop"},
    {{.inner = 1,
      .extent = {4},
      .reads = 1,
      .read = {V_BY(0, 0, 1)},
      .steps = 4,
      .step = {LOAD(0), LOOP(0, 1), LIT0, NEXT}},
     "statement 0: accesses node v at the inner axis 0 outside its loop"},
    {{.inner = 1,
      .extent = {4},
      .reads = 1,
      .read = {V_BY(0, 0, 1)},
      .steps = 6,
      .step = {LIT0, LOOP(0, 1), LOAD(0), NEXT, LOAD(0), ADD}},
     "statement 0: accesses node v at the inner axis 0 outside its loop"},
    {{.inner = 2,
      .extent = {4, 4},
      .reads = 1,
      .read = {V_BY(1, 0, 1)},
      .steps = 7,
      .step = {LIT0, LOOP(1, 1), LOAD(0), NEXT, LOOP(0, 1), LOAD(0), NEXT}},
     "statement 0: accesses node v at the inner axis 1 outside its loop"},
    {{.inner = 6,
      .extent = {2, 3, 4, 5, 6, 7},
      .steps = 7,
      .step = {LIT0, LOOP(3, 3), LIT0, NEXT, LOOP(0, 4), LIT0, NEXT}},
     "statement 0: step 4: too many axes or reads once loops share the axes "
     "of one extent"},
    {{.inner = 3,
      .extent = {5, 2, 7},
      .reads = 5,
      .read = {V_BY(1, 0, 1), V_BY(1, 1, 1), V_BY(1, 2, 1), V_BY(1, 1, -1),
               V_BY(1, 2, -1)},
      .steps = 23,
      .step = {LIT0,       LOOP(1, 2), LOAD(0), LOAD(1), LOAD(2), LOAD(3),
               LOAD(4),    ADD,        ADD,     ADD,     ADD,     NEXT,
               LOOP(0, 2), LOAD(0),    LOAD(1), LOAD(2), LOAD(3), LOAD(4),
               ADD,        ADD,        ADD,     ADD,     NEXT}},
     "statement 0: step 16: too many axes or reads once loops share the axes "
     "of one extent"},
};

Test(routine, statements_by_hand) {
  for (size_t k = 0; k < COUNT(by_hand); k++) {
    pp_routine *routine = pp_routine_new("r");
    pp_node node = {.uid = 3, .label = "v", .dtype = PP_F32, .rank = 1};
    size_t index = 0;
    node.dims[0] = 4;
    add(routine, 1, "a");
    add(routine, 2, "b");
    cr_assert_eq(pp_routine_node(routine, &node, &index, NULL), PP_OK);
    cr_assert_eq(pp_routine_statement(routine, &by_hand[k].statement, NULL),
                 PP_OK);
    refused(routine, by_hand[k].text);
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
               LOAD(3),
               {.op = PP_OP_ADD, .read = 7, .bits = 6},
               LOAD(1),
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
