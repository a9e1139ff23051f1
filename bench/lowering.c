/* poolproof: how the cost of lowering grows with the statements.
 *
 * Layers of a perceptron and what a training step makes of them: a product, a
 * shift, a rectifier and a residual, again and again, each node its own.
 * Lowering, scheduling, spans and scoring are taken together, and as a ratio
 * to a copy of the source's statements, which is what no lowering can do
 * without. SPDX-License-Identifier: MIT */
#include <poolproof/footprint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAYER = 5, ROWS = 32, COLUMNS = 64 };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static size_t add_node(pp_routine *routine, unsigned intents, bool matrix) {
  pp_node node = {.uid = routine->nodes + 1,
                  .dtype = PP_F32,
                  .rank = 2,
                  .dims = {matrix ? COLUMNS : ROWS, COLUMNS},
                  .intents = intents};
  size_t index = 0;
  snprintf(node.label, sizeof node.label, "n%zu", routine->nodes);
  if (pp_routine_node(routine, &node, &index, NULL) != PP_OK) abort();
  return index;
}

static pp_access at(size_t node, unsigned row, unsigned column) {
  pp_access access = {.node = node};
  access.index[0].scale[row] = 1;
  access.index[1].scale[column] = 1;
  return access;
}

static void add(pp_routine *routine, const pp_statement *statement) {
  if (pp_routine_statement(routine, statement, NULL) != PP_OK) abort();
}

/* target = op(a, b); b = a: a unary one. */
static void elementwise(pp_routine *routine, size_t target, pp_op op, size_t a,
                        size_t b) {
  add(routine, &(pp_statement){.axes = 2,
                               .extent = {ROWS, COLUMNS},
                               .target = at(target, 0, 1),
                               .reads = 2,
                               .read = {at(a, 0, 1), at(b, 0, 1)},
                               .steps = 3,
                               .step = {{.op = PP_OP_LOAD},
                                        {.op = PP_OP_LOAD, .read = 1},
                                        {.op = op}}});
}

static size_t add_layer(pp_routine *routine, size_t x, size_t w) {
  size_t product = add_node(routine, 0, false);
  size_t bent = add_node(routine, 0, false);
  size_t square = add_node(routine, 0, false);
  size_t out = add_node(routine, 0, false);
  add(routine, &(pp_statement){.axes = 2,
                               .extent = {ROWS, COLUMNS},
                               .target = at(product, 0, 1),
                               .steps = 1,
                               .step = {{.op = PP_OP_LIT}}});
  add(routine, &(pp_statement){.axes = 3,
                               .extent = {ROWS, COLUMNS, COLUMNS},
                               .target = at(product, 0, 1),
                               .fold = PP_FOLD_ADD,
                               .reads = 2,
                               .read = {at(x, 0, 2), at(w, 2, 1)},
                               .steps = 3,
                               .step = {{.op = PP_OP_LOAD},
                                        {.op = PP_OP_LOAD, .read = 1},
                                        {.op = PP_OP_MUL}}});
  elementwise(routine, bent, PP_OP_MAX, product, x);
  elementwise(routine, square, PP_OP_MUL, bent, bent);
  elementwise(routine, out, PP_OP_ADD, square, x);
  return out;
}

static pp_routine *make(size_t statements) {
  pp_routine *routine = pp_routine_new("deep");
  if (!routine) abort();
  size_t w = add_node(routine, PP_HOST, true);
  size_t x = add_node(routine, PP_HOST, false);
  while (routine->statements + LAYER < statements)
    x = add_layer(routine, x, w);
  size_t out = add_node(routine, PP_OBSERVABLE, false);
  while (routine->statements < statements)
    elementwise(routine, out, PP_OP_ADD, x, x);
  if (pp_routine_seal(routine, NULL) != PP_OK) abort();
  return routine;
}

static double copy_time(const pp_routine *routine) {
  size_t bytes = routine->statements * sizeof *routine->statement;
  pp_statement *copy = malloc(bytes);
  if (!copy) abort();
  double start = seconds();
  memcpy(copy, routine->statement, bytes);
  double time = seconds() - start;
  if (copy[routine->statements / 2].axes > PP_AXES) abort();
  free(copy);
  return time;
}

static void measure(size_t statements, size_t kernel, pp_policy policy,
                    double *last) {
  static const char *const policies[] = {"cost", "inline", "materialise"};
  const pp_lower_options options = {.policy = policy,
                                    .kernel_statements = kernel};
  pp_routine *source = make(statements);
  pp_lowered *lowered = NULL;
  pp_footprint footprint;
  double start = seconds();
  if (pp_lower(source, &options, &lowered, NULL) != PP_OK ||
      pp_score_footprint(lowered->routine, NULL, &footprint, NULL) != PP_OK)
    abort();
  double time = seconds() - start;
  printf("%-12s kernels of %2zu %8zu statements %8.0f/s, %5.1f x a copy",
         policies[policy], kernel, statements, (double)statements / time,
         time / copy_time(source));
  if (*last > 0) printf(", grows as n^%.2f", log10(time / *last));
  printf("; %zu statements, %zu kernels, %.1f %% of the bytes without reuse\n",
         lowered->routine->statements, lowered->routine->positions,
         100 * (double)footprint.working / (double)footprint.dedicated);
  *last = time;
  pp_lowered_free(lowered);
  pp_routine_free(source);
}

int main(int argc, char **argv) {
  size_t most = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
  if (most < 1000) {
    fputs("usage: bench-lowering [MOST STATEMENTS, at least 1000]\n", stderr);
    return 2;
  }
  for (int policy = PP_POLICY_COST; policy <= PP_POLICY_MATERIALISE; policy++)
    for (size_t kernel = 0; kernel <= 16; kernel += 16) {
      double last = 0;
      for (size_t n = 1000; n <= most; n *= 10)
        measure(n, kernel, (pp_policy)policy, &last);
    }
  return 0;
}
