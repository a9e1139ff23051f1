/* poolproof: failing routines made small.  SPDX-License-Identifier: MIT */
#include "routine_shrink.h"

#include <stdlib.h>
#include <string.h>

enum { ROUTINES = 8 };

/* A routine that can be changed; data is borrowed from the sealed one. */
typedef struct pp_sketch {
  size_t nodes, statements;
  pp_node *node;
  pp_statement *statement;
} pp_sketch;

typedef struct pp_routine_reducer {
  pp_routine **routine;
  size_t *routines;
  pp_routine_test *test;
  void *state;
  size_t left, done;
} pp_routine_reducer;

/* What a step of a change did; steps count from 0. */
typedef enum pp_changed { PP_NO_SUCH_STEP, PP_NOTHING, PP_CHANGED } pp_changed;

/* Makes a sketch smaller. */
typedef pp_changed pp_change(pp_sketch *sketch, size_t step);

static bool sketch_of(const pp_routine *routine, pp_sketch *sketch) {
  size_t n = routine->nodes;
  size_t m = routine->statements;
  *sketch = (pp_sketch){n, m, malloc((n + 1) * sizeof *sketch->node),
                        malloc((m + 1) * sizeof *sketch->statement)};
  if (!sketch->node || !sketch->statement) {
    free(sketch->node);
    free(sketch->statement);
    return false;
  }
  if (n > 0) memcpy(sketch->node, routine->node, n * sizeof *routine->node);
  if (m > 0)
    memcpy(sketch->statement, routine->statement,
           m * sizeof *routine->statement);
  return true;
}

pp_routine *pp_routine_from(const char *name, const pp_node *node, size_t nodes,
                            const pp_statement *statement, size_t statements) {
  pp_routine *routine = pp_routine_new(name);
  pp_status status = routine ? PP_OK : PP_NO_MEMORY;
  for (size_t i = 0; status == PP_OK && i < nodes; i++) {
    size_t index = 0;
    status = pp_routine_node(routine, &node[i], &index, NULL);
  }
  for (size_t k = 0; status == PP_OK && k < statements; k++)
    status = pp_routine_statement(routine, &statement[k], NULL);
  if (status == PP_OK) status = pp_routine_seal(routine, NULL);
  if (status == PP_OK) return routine;
  pp_routine_free(routine);
  return NULL;
}

/* Keeps what became of routine r if it still shows the fault. */
static bool keep(pp_routine_reducer *reducer, size_t r,
                 const pp_sketch *sketch) {
  pp_routine *before = reducer->routine[r];
  if (reducer->left == 0) return false;
  pp_routine *after = pp_routine_from(before->name, sketch->node, sketch->nodes,
                                      sketch->statement, sketch->statements);
  if (!after) return false;
  reducer->left--;
  reducer->done++;
  reducer->routine[r] = after;
  bool shows =
      reducer->test(reducer->state, reducer->routine, *reducer->routines);
  if (!shows) reducer->routine[r] = before;
  pp_routine_free(shows ? before : after);
  return shows;
}

/* Every step of a change, each on what came out of those before. A step that
 * is kept is taken again: what follows has moved up. */
static bool every_step(pp_routine_reducer *reducer, size_t r,
                       pp_change *change) {
  bool any = false;
  for (size_t step = 0;;) {
    pp_sketch sketch;
    if (!sketch_of(reducer->routine[r], &sketch)) return any;
    pp_changed changed = change(&sketch, step);
    bool kept = changed == PP_CHANGED && keep(reducer, r, &sketch);
    free(sketch.node);
    free(sketch.statement);
    if (changed == PP_NO_SUCH_STEP || reducer->left == 0) return any;
    any |= kept;
    if (!kept) step++;
  }
}

/* Runs of 8, 4, 2 and 1 statements, the last ones first. */
static pp_changed drop_statements(pp_sketch *sketch, size_t step) {
  size_t n = sketch->statements;
  size_t length = 8;
  while (length > 1 && step >= n) {
    step -= n;
    length /= 2;
  }
  if (step >= n) return PP_NO_SUCH_STEP;
  size_t from = n - 1 - step;
  if (from + length > n) length = n - from;
  memmove(&sketch->statement[from], &sketch->statement[from + length],
          (n - from - length) * sizeof *sketch->statement);
  sketch->statements -= length;
  return PP_CHANGED;
}

static bool uses(const pp_statement *statement, size_t node) {
  for (unsigned r = 0; r < statement->reads; r++)
    if (statement->read[r].node == node) return true;
  return statement->kind != PP_BARRIER && statement->target.node == node;
}

static void step_down(size_t *node, size_t above) {
  if (*node > above) *node -= 1;
}

/* One that no statement uses. */
static pp_changed drop_nodes(pp_sketch *sketch, size_t step) {
  if (step >= sketch->nodes) return PP_NO_SUCH_STEP;
  for (size_t k = 0; k < sketch->statements; k++)
    if (uses(&sketch->statement[k], step)) return PP_NOTHING;
  memmove(&sketch->node[step], &sketch->node[step + 1],
          (sketch->nodes - step - 1) * sizeof *sketch->node);
  sketch->nodes--;
  for (size_t k = 0; k < sketch->statements; k++) {
    pp_statement *statement = &sketch->statement[k];
    step_down(&statement->target.node, step);
    for (unsigned r = 0; r < statement->reads; r++)
      step_down(&statement->read[r].node, step);
  }
  return PP_CHANGED;
}

/* An expression becomes one of its reads, or 1 for integers and the least
 * float that is not 0. */
static pp_changed plain_expressions(pp_sketch *sketch, size_t step) {
  size_t k = step / (PP_READS + 1);
  unsigned read = (unsigned)(step % (PP_READS + 1));
  if (k >= sketch->statements) return PP_NO_SUCH_STEP;
  pp_statement *statement = &sketch->statement[k];
  if (statement->steps <= 1) return PP_NOTHING;
  statement->steps = 1;
  statement->inner = 0;
  statement->step[0] = read < statement->reads
                           ? (pp_step){.op = PP_OP_LOAD, .read = read}
                           : (pp_step){.op = PP_OP_LIT, .bits = 1};
  return PP_CHANGED;
}

static pp_changed fewer_intents(pp_sketch *sketch, size_t step) {
  static const unsigned intents[] = {PP_OBSERVABLE, PP_HOST, PP_CONSTANT,
                                     PP_MERGE};
  enum { WAYS = sizeof intents / sizeof *intents + 1 };
  if (step / WAYS >= sketch->nodes) return PP_NO_SUCH_STEP;
  pp_node *node = &sketch->node[step / WAYS];
  if (step % WAYS == WAYS - 1) {
    if (!node->data) return PP_NOTHING;
    node->data = NULL;
    return PP_CHANGED;
  }
  if ((node->intents & intents[step % WAYS]) == 0) return PP_NOTHING;
  node->intents &= ~intents[step % WAYS];
  return PP_CHANGED;
}

static void replace(uint64_t *value, uint64_t old, uint64_t by) {
  if (*value == old) *value = by;
}

/* All dimensions and extents of one length become another one, wherever they
 * are: 1, half, or one less. */
static pp_changed shorter(pp_sketch *sketch, size_t step) {
  enum { WAYS = 3, STEPS = WAYS * PP_RANK };
  size_t i = step / STEPS;
  size_t d = step / WAYS % PP_RANK;
  if (i >= sketch->nodes) return PP_NO_SUCH_STEP;
  uint64_t old = sketch->node[i].dims[d];
  if (d >= sketch->node[i].rank || old < 2) return PP_NOTHING;
  uint64_t by = step % WAYS == 0 ? 1 : step % WAYS == 1 ? old / 2 : old - 1;
  for (size_t j = 0; j < sketch->nodes; j++)
    for (unsigned e = 0; e < sketch->node[j].rank; e++)
      replace(&sketch->node[j].dims[e], old, by);
  for (size_t k = 0; k < sketch->statements; k++)
    for (unsigned a = 0; a < PP_AXES; a++)
      replace(&sketch->statement[k].extent[a], old, by);
  return PP_CHANGED;
}

static bool fewer_routines(pp_routine_reducer *reducer) {
  pp_routine *all[ROUTINES];
  size_t n = *reducer->routines;
  memcpy((void *)all, (const void *)reducer->routine, n * sizeof(pp_routine *));
  for (size_t r = n; r > 0 && n > 1 && reducer->left > 0; r--) {
    memmove((void *)&reducer->routine[r - 1],
            (const void *)&reducer->routine[r], (n - r) * sizeof(pp_routine *));
    reducer->left--;
    reducer->done++;
    if (reducer->test(reducer->state, reducer->routine, n - 1)) {
      pp_routine_free(all[r - 1]);
      *reducer->routines = n - 1;
      return true;
    }
    memcpy((void *)reducer->routine, (const void *)all,
           n * sizeof(pp_routine *));
  }
  return false;
}

size_t pp_routine_shrink(pp_routine **routine, size_t *routines,
                         pp_routine_test *test, void *state, size_t tests) {
  static pp_change *const changes[] = {drop_statements, plain_expressions,
                                       drop_nodes, shorter, fewer_intents};
  pp_routine_reducer reducer = {routine, routines, test, state, tests, 0};
  bool any = true;
  while (any && reducer.left > 0) {
    any = fewer_routines(&reducer);
    for (size_t r = 0; r < *routines; r++)
      for (size_t c = 0; c < sizeof changes / sizeof *changes; c++)
        any |= every_step(&reducer, r, changes[c]);
  }
  return reducer.done;
}
