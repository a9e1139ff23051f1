#include "routine.h"

#include "same_routine.h"
#include "support.h"

#include <stdint.h>
#include <stdio.h>

/* Steps end with the first that is a load. */
static const struct {
  unsigned axes;
  unsigned inner;
  pp_step step[PP_STEPS];
  const char *text; /* NULL: legal */
} loops_alone[] = {
    {4, 2, {LIT0, LOOP(4, 2), LIT0, NEXT, LOAD(0)}, NULL},
    {4,
     3,
     {LIT0, LOOP(4, 3), LIT0, NEXT, LOAD(0)},
     "4 axes and 3 inner ones, at most 6 may be"},
    {0, 6, {LIT0, LOOP(0, 6), LIT0, NEXT, LOAD(0)}, NULL},
    {1,
     UINT32_MAX,
     {LIT0, LOOP(0, 6), LIT0, NEXT, LOAD(0)},
     "4294967295 inner axes, at most 6 may be"},
    {1,
     1,
     {LIT0, LOOP(0, 1), LIT0, NEXT, LOAD(0)},
     "step 1: a loop over 1 axes from axis 0, not all are inner"},
    {1,
     1,
     {LIT0, LOOP(1, 2), LIT0, NEXT, LOAD(0)},
     "step 1: a loop over 2 axes from axis 1, not all are inner"},
    {1,
     1,
     {LIT0, LOOP(2, 1), LIT0, NEXT, LOAD(0)},
     "step 1: a loop over 1 axes from axis 2, not all are inner"},
    {1,
     2,
     {LIT0, LOOP(2, UINT32_MAX), LIT0, NEXT, LOAD(0)},
     "step 1: a loop over 4294967295 axes from axis 2, not all are inner"},
    {1,
     1,
     {LIT0, LOOP(UINT32_MAX, 2), LIT0, NEXT, LOAD(0)},
     "step 1: a loop over 2 axes from axis 4294967295, not all are inner"},
    {1,
     1,
     {LIT0, LOOP(1, 0), LIT0, NEXT, LOAD(0)},
     "step 1: a loop over no axes"},
    {1,
     2,
     {LIT0, LOOP(1, 1), LIT0, NEXT, LOAD(0)},
     "no loop has the inner axis 2"},
    {0, 1, {LIT0, LOAD(0)}, "no loop has the inner axis 0"},
    {0,
     2,
     {LIT0, LOOP(0, 1), LIT0, LOOP(1, 1), LIT0, NEXT, NEXT, LOAD(0)},
     NULL},
    {0,
     2,
     {LIT0, LOOP(0, 2), LIT0, LOOP(1, 1), LIT0, NEXT, NEXT, LOAD(0)},
     "step 3: a loop over an axis of a loop that it is in"},
    {0,
     2,
     {LIT0, LOOP(0, 1), LIT0, LOOP(1, 1), LIT0, NEXT, LOOP(1, 1), LIT0, NEXT,
      NEXT, LOOP(0, 1), LIT0, NEXT, LOAD(0)},
     NULL},
    {0,
     2,
     {LIT0, LOOP(0, 1), LIT0, LOOP(1, 1), LIT0, NEXT, LOOP(0, 1), LIT0, NEXT,
      NEXT, LOAD(0)},
     "step 6: a loop over an axis of a loop that it is in"},
    {0, 0, {LIT0, LIT0, NEXT, LOAD(0)}, "step 2: next is in no loop"},
    {0,
     1,
     {LIT0, LOOP(0, 1), LIT0, NEXT, LIT0, NEXT, LOAD(0)},
     "step 5: next is in no loop"},
    {0, 1, {LIT0, LOOP(0, 1), LOAD(0)}, "1 loops have no next"},
    {0,
     1,
     {LIT0, LOOP(0, 1), NEXT, LOAD(0)},
     "step 2: next finds 0 values in its loop, not one"},
    {0,
     1,
     {LIT0, LOOP(0, 1), LIT0, LIT0, NEXT, LOAD(0)},
     "step 4: next finds 2 values in its loop, not one"},
    {0,
     1,
     {LIT0, LOOP(0, 1), LIT0, {.op = PP_OP_NEXT}, LOAD(0)},
     "step 3: no loop has fold 0"},
    {0,
     1,
     {LIT0, LOOP(0, 1), LIT0, {.op = PP_OP_NEXT, .fold = PP_FOLD_MAX}, LOAD(0)},
     NULL},
    {0,
     1,
     {LIT0,
      LOOP(0, 1),
      LIT0,
      {.op = PP_OP_NEXT, .fold = PP_FOLD_COUNT},
      LOAD(0)},
     "step 3: no loop has fold 5"},
    {0,
     1,
     {LOOP(0, 1), LIT0, NEXT, LOAD(0)},
     "step 0: loop finds too few values"},
    {0,
     2,
     {LIT0, LOOP(0, 1), LOOP(1, 1), LIT0, NEXT, NEXT, LOAD(0)},
     "step 2: loop finds too few values"},
    {0,
     1,
     {LIT0, LOOP(0, 1), {.op = PP_OP_NEG}, LOAD(0)},
     "step 2: neg finds too few values"},
    {0,
     1,
     {LIT0, LIT0, LOOP(0, 1), LIT0, ADD, LOAD(0)},
     "step 4: add finds too few values"},
    {0, 1, {LIT0, LIT0, LOOP(0, 1), LIT0, NEXT, ADD, LOAD(0)}, NULL},
    {0,
     2,
     {LIT0, LIT0, LOOP(0, 1), LIT0, LOOP(1, 1), LIT0, NEXT, ADD, LOAD(0)},
     "step 7: add finds too few values"},
    {0,
     1,
     {LIT0, LIT0, LIT0, LIT0, LIT0, LIT0, LIT0, LOOP(0, 1), LIT0, LIT0,
      LOAD(0)},
     "step 9: more than 8 values at one time"},
    {0, 0, {LIT0, KEEP(3), LOAD(0)}, NULL},
    {0, 0, {LIT0, KEEP(4), LOAD(0)}, "step 1: slots are numbered 0 to 3"},
    {0,
     0,
     {LIT0, KEEP(UINT32_MAX), LOAD(0)},
     "step 1: slots are numbered 0 to 3"},
    {0, 0, {AGAIN(4), LOAD(0)}, "step 0: slots are numbered 0 to 3"},
    {0, 0, {KEEP(0), LOAD(0)}, "step 0: keep finds too few values"},
    {0,
     0,
     {LIT0, KEEP(1), AGAIN(1), ADD, KEEP(1), AGAIN(1), ADD, LOAD(0)},
     NULL},
    {0,
     0,
     {LIT0, KEEP(1), AGAIN(0), ADD, LOAD(0)},
     "step 2: slot 0 remembers nothing"},
    {0, 0, {AGAIN(0), KEEP(0), LOAD(0)}, "step 0: slot 0 remembers nothing"},
    {0, 1, {LIT0, KEEP(0), LOOP(0, 1), AGAIN(0), NEXT, LOAD(0)}, NULL},
    {0,
     1,
     {LIT0, LOOP(0, 1), LIT0, KEEP(0), AGAIN(0), ADD, NEXT, LOAD(0)},
     NULL},
    {0,
     1,
     {LIT0, LOOP(0, 1), LIT0, KEEP(0), NEXT, AGAIN(0), ADD, LOAD(0)},
     "step 5: slot 0 remembers nothing"},
    {0,
     1,
     {LIT0, LOOP(0, 1), LIT0, KEEP(0), NEXT, KEEP(0), AGAIN(0), ADD, LOAD(0)},
     NULL},
    {0,
     1,
     {LIT0, KEEP(0), LOOP(0, 1), LIT0, KEEP(1), NEXT, AGAIN(0), ADD, LOAD(0)},
     NULL},
    {0,
     1,
     {LIT0, KEEP(0), LOOP(0, 1), LIT0, KEEP(0), NEXT, LOAD(0)},
     "step 4: slot 0 remembers a value from outside the loop"},
    {0,
     2,
     {LIT0, LOOP(0, 1), LIT0, KEEP(2), LOOP(1, 1), AGAIN(2), NEXT, NEXT,
      LOAD(0)},
     NULL},
    {0,
     2,
     {LIT0, LOOP(0, 1), LIT0, KEEP(2), LOOP(1, 1), LIT0, KEEP(2), NEXT, NEXT,
      LOAD(0)},
     "step 6: slot 2 remembers a value from outside the loop"},
};

Test(routine_loops, loop_limits) {
  for (size_t k = 0; k < COUNT(loops_alone); k++) {
    pp_statement statement = {.axes = loops_alone[k].axes,
                              .inner = loops_alone[k].inner};
    char text[200];
    for (const pp_step *step = loops_alone[k].step; step->op != PP_OP_LOAD;
         step++)
      statement.step[statement.steps++] = *step;
    (void)snprintf(text, sizeof text, "statement 0: %s",
                   loops_alone[k].text ? loops_alone[k].text : "");
    pp_expect_alone(k, &statement, loops_alone[k].text ? text : NULL);
  }
}

/* Fields that do not count are full of something. */
static void fill_unused(pp_step *step) {
  const pp_step full = {.read = 7,
                        .slot = 3,
                        .axis = 5,
                        .axes = 4,
                        .fold = PP_FOLD_MAX,
                        .bits = 9};
  pp_step was = *step;
  *step = full;
  step->op = was.op;
  if (was.op == PP_OP_LOAD) step->read = was.read;
  if (was.op == PP_OP_KEEP || was.op == PP_OP_AGAIN) step->slot = was.slot;
  if (was.op == PP_OP_LOOP) {
    step->axis = was.axis;
    step->axes = was.axes;
  }
  if (was.op == PP_OP_NEXT) step->fold = was.fold;
  if (was.op == PP_OP_LIT) step->bits = was.bits;
}

/* Two loops of one extent and a third inside one of them, backwards. */
static const pp_statement backwards = {
    .kind = PP_OPAQUE,
    .inner = 4,
    .extent = {4, 3, 9, 3, 7, 7},
    .target = {.node = 1, .index = {{5, {6}}}},
    .reads = 3,
    .read = {{.index = {{0, {0, 0, 0, 1}}, {0, {0, 0, 0, 0, 3, 3}}}},
             {.index = {{0, {0, 1}}}},
             {.index = {{0, {0, 0, 0, 1}}, {0, {1}}}}},
    .steps = 18,
    .step = {LIT0,
             LOOP(3, 1),
             LOAD(0),
             LIT0,
             KEEP(1),
             LOOP(0, 1),
             LOAD(2),
             AGAIN(1),
             ADD,
             NEXT,
             ADD,
             NEXT,
             LOOP(1, 2),
             LOAD(1),
             NEXT,
             LIT0,
             {.op = PP_OP_MUL},
             {.op = PP_OP_NEG}}};

Test(routine_loops, loops_become_canonical) {
  pp_routine *routine = pp_routine_new("r");
  pp_node node = {.uid = 1, .label = "m", .dtype = PP_F32, .rank = 2};
  const pp_node scalar = {.uid = 2, .label = "s", .dtype = PP_F32};
  size_t index = 0;
  node.dims[0] = node.dims[1] = 4;
  cr_assert_eq(pp_routine_node(routine, &node, &index, NULL), PP_OK);
  cr_assert_eq(pp_routine_node(routine, &scalar, &index, NULL), PP_OK);
  pp_statement statement = backwards;
  for (unsigned k = 0; k < statement.steps; k++)
    fill_unused(&statement.step[k]);
  cr_assert_eq(pp_routine_statement(routine, &statement, NULL), PP_OK);
  statement.kind = PP_BARRIER;
  statement.joins = true;
  cr_assert_eq(pp_routine_statement(routine, &statement, NULL), PP_OK);
  cr_assert_eq(pp_routine_seal(routine, NULL), PP_OK);
  pp_routine *plain = pp_must_parse(
      "routine r\nnode 1 m f32 [4, 4]\nnode 2 s f32 []\n"
      "opaque s = -(sum(sum(0 for k<3: m[k, 0] + sum(keep(1, 0) for l<4: "
      "m[k, l] + again(1))) for x<3, y<9: m[x, 0]) * 0)\nbarrier\nend\n");
  cr_expect(pp_same_routine(routine, plain));
  cr_expect_eq(plain->statement[0].inner, 4);
  cr_expect_eq(plain->statement[0].reads, 3);
  pp_routine_free(plain);
  pp_routine_free(routine);
  pp_expect_no_leak();
}
