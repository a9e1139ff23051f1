#include "routine.h"

#include "routine/internal.h"
#include "routines.h"
#include "same_routine.h"
#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Print, parse, print: the same routine and the same text. */
static void expect_round(const pp_routine *routine) {
  char *text = pp_routine_print(routine);
  cr_assert_not_null(text);
  pp_routine *again = pp_must_parse(text);
  char *twice = pp_routine_print(again);
  cr_assert(pp_same_routine(routine, again), "%s", text);
  cr_assert_str_eq(text, twice);
  free(twice);
  free(text);
  pp_routine_free(again);
}

Test(routine_round, random_routines) {
  const pp_routine_limits limits = {
      .nodes = 12, .statements = 12, .extent = 5, .wild = true};
  pp_random random;
  pp_random_start(&random, 5, 0);
  for (int k = 0; k < 1000; k++) {
    pp_routine *routine = NULL;
    pp_failure failure = {.text = ""};
    cr_assert_eq(pp_random_routine(&random, &limits, &routine, &failure), PP_OK,
                 "%s", failure.text);
    expect_round(routine);
    pp_routine_free(routine);
  }
}

/* Any bits of a dtype, few of them in half of the draws. */
static uint64_t random_bits(pp_random *random, pp_dtype dtype) {
  uint64_t bits = pp_random_next(random);
  if (pp_random_one_in(random, 2))
    bits &= UINT64_MAX << pp_random_below(random, 64);
  return bits >> (64 - 8 * pp_dtype_bytes(dtype));
}

/* Nodes: a scalar of each dtype, one more, and a vector. */
enum { VECTOR = PP_DTYPE_COUNT + 1 };

static pp_step random_step(pp_random *random, pp_statement *statement,
                           pp_dtype dtype) {
  pp_step step = {.op = (pp_op)pp_random_below(random, PP_OP_COUNT)};
  step.read = (unsigned)pp_random_below(random, PP_READS);
  step.slot = (unsigned)pp_random_below(random, PP_SLOTS);
  step.fold = (pp_fold)(1 + pp_random_below(random, PP_FOLD_COUNT - 1));
  step.bits = random_bits(random, dtype);
  if (step.op != PP_OP_LOOP) return step;
  step.axis = (unsigned)pp_random_below(random, statement->inner + 1);
  step.axes = 1 + (unsigned)pp_random_below(random, 2);
  if (step.axis + step.axes <= PP_AXES &&
      statement->inner < step.axis + step.axes)
    statement->inner = step.axis + step.axes;
  return step;
}

/* Any postfix expression that fits, with any literals: reads of the vector at
 * each axis, of the scalar that is one too many and of the target. */
static pp_statement random_expression(pp_random *random, pp_dtype dtype) {
  pp_statement statement = {.target = {.node = dtype}};
  pp_stack stack = {0};
  unsigned least = 1 + (unsigned)pp_random_below(random, PP_STEPS);
  statement.reads = PP_READS;
  statement.read[PP_AXES].node = PP_DTYPE_COUNT;
  for (unsigned axis = 0; axis < PP_AXES; axis++) {
    statement.extent[axis] = pp_random_below(random, 3);
    statement.read[axis].node = VECTOR;
    statement.read[axis].index[0].scale[axis] = 1;
  }
  while (stack.height != 1 || stack.loops > 0 || statement.steps < least) {
    pp_stack next = stack;
    unsigned inner = statement.inner;
    pp_step step = random_step(random, &statement, dtype);
    bool fits = pp_stack_step(&next, &statement, &step);
    int left = next.height + (next.height == next.floor ? 2 : 0);
    if (fits && (int)statement.steps + left <= PP_STEPS &&
        (step.op != PP_OP_LOAD || step.read >= PP_AXES ||
         (stack.open & 1U << step.read) != 0) &&
        (dtype >= PP_F32 || (step.op != PP_OP_DIV && step.op != PP_OP_SQRT))) {
      statement.step[statement.steps++] = step;
      stack = next;
    } else {
      statement.inner = inner;
    }
  }
  return statement;
}

Test(routine_round, random_expressions) {
  pp_random random;
  int sealed = 0;
  pp_random_start(&random, 6, 0);
  for (int k = 0; k < 1000; k++) {
    pp_routine *routine = pp_routine_new("r");
    pp_failure failure = {.text = ""};
    for (unsigned n = 0; n <= VECTOR; n++) {
      pp_node node = {.uid = n, .dtype = n % PP_DTYPE_COUNT, .dims = {2}};
      node.rank = n == VECTOR;
      size_t index = 0;
      (void)snprintf(node.label, sizeof node.label, "n%u", n);
      cr_assert_eq(pp_routine_node(routine, &node, &index, NULL), PP_OK);
    }
    for (unsigned dtype = 0; dtype < PP_DTYPE_COUNT; dtype++) {
      pp_statement statement = random_expression(&random, dtype);
      statement.read[PP_READS - 1].node = dtype;
      cr_assert_eq(pp_routine_statement(routine, &statement, &failure), PP_OK,
                   "%s", failure.text);
    }
    pp_status status = pp_routine_seal(routine, &failure);
    if (status == PP_OK)
      expect_round(routine);
    else
      cr_expect_not_null(strstr(failure.text, "once loops share"), "%s",
                         failure.text);
    sealed += status == PP_OK;
    pp_routine_free(routine);
  }
  cr_expect_gt(sealed, 900);
}

static void random_words(pp_random *random, uint64_t *to, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = pp_random_next(random);
}

/* Data: any bits of any dtype, listed or filled, and 16 MiB of fills. */
Test(routine_round, data) {
  enum { ELEMENTS = 40 };
  pp_random random;
  pp_random_start(&random, 7, 0);
  for (unsigned k = 0; k < 200; k++) {
    uint64_t data[ELEMENTS] = {0};
    pp_routine *routine = pp_routine_new("r");
    pp_node node = {.label = "a", .dtype = k % PP_DTYPE_COUNT, .rank = 1};
    size_t index = 0;
    node.dims[0] = pp_random_below(&random, ELEMENTS);
    node.data = data;
    if (k % 3 != 0) random_words(&random, data, ELEMENTS);
    cr_assert_eq(pp_routine_node(routine, &node, &index, NULL), PP_OK);
    cr_assert_eq(pp_routine_seal(routine, NULL), PP_OK);
    expect_round(routine);
    pp_routine_free(routine);
  }
  pp_routine *routine = pp_must_parse(
      "routine r\nnode 1 a u8 [16777215] data fill 7\nnode 2 b u8 [2] data 3 "
      "3\nnode 3 c u8 [1] data fill 255\nnode 4 d f64 [0] data\nend\n");
  char *text = pp_routine_print(routine);
  cr_expect_str_eq(
      text, "routine r\nnode 1 a u8 [16777215] data fill 7\nnode 2 b u8 [2] "
            "data 3 3\nnode 3 c u8 [1] data 255\nnode 4 d f64 [0] data\nend\n");
  free(text);
  expect_round(routine);
  cr_expect_eq(((const uint8_t *)routine->node[0].data)[16777214], 7);
  pp_routine_free(routine);
}

Test(routine_round, only_sealed_ones_print) {
  pp_routine *routine = pp_routine_new("r");
  cr_expect_null(pp_routine_print(routine));
  pp_routine_free(routine);
}

static pp_routine *parse_file(const char *path) {
  static char text[1 << 16];
  FILE *in = fopen(path, "rb");
  cr_assert_not_null(in, "%s", path);
  size_t size = fread(text, 1, sizeof text - 1, in);
  text[size] = '\0';
  (void)fclose(in);
  cr_expect_not_null(strstr(text, "# poolproof-backend: "), "%s", path);
  return pp_must_parse(text);
}

Test(routine_round, corpus) {
  const char *source = getenv("PP_SOURCE");
  char folder[1000];
  char path[2000];
  size_t files = 0;
  cr_assert_not_null(source);
  (void)snprintf(folder, sizeof folder, "%s/corpus/routines", source);
  DIR *open = opendir(folder);
  cr_assert_not_null(open);
  for (const struct dirent *entry = readdir(open); entry;
       entry = readdir(open)) {
    if (!strstr(entry->d_name, ".ppr")) continue;
    (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    pp_routine *routine = parse_file(path);
    expect_round(routine);
    pp_routine_free(routine);
    files++;
  }
  (void)closedir(open);
  cr_expect_gt(files, 5);
  pp_expect_no_leak();
}
