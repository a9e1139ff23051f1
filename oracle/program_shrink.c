/* poolproof: a failing program made small.  SPDX-License-Identifier: MIT */
#include "program_shrink.h"

#include <stdlib.h>
#include <string.h>

typedef struct pp_reducer {
  pp_program *best;
  pp_program trial;
  pp_program_test *test;
  void *state;
  size_t left, done; /* tests */
  bool stop;         /* out of memory */
} pp_reducer;

static bool begin(pp_reducer *reducer) {
  if (reducer->left == 0 || reducer->stop) return false;
  reducer->stop = !pp_program_copy(&reducer->trial, reducer->best);
  return !reducer->stop;
}

static bool uses(char shape, const char *shapes) {
  return strchr(shapes, shape) != NULL;
}

/* Drops operations on contexts that nothing above makes: they cannot be
 * written down. */
static bool drop_orphans(pp_program *program) {
  bool *made = calloc(program->contexts + 1, sizeof *made);
  size_t kept = 0;
  if (!made) return false;
  for (size_t i = 0; i < program->operations; i++) {
    const pp_operation it = program->operation[i];
    bool good = true;
    for (const char *shape = pp_verb_shape(it.verb); *shape; shape++) {
      if (*shape == 'C') good = good && made[it.context];
      if (*shape == 'O') good = good && made[it.other];
    }
    if (!good) continue;
    if (uses('N', pp_verb_shape(it.verb))) made[it.context] = true;
    program->operation[kept++] = it;
  }
  program->operations = kept;
  free(made);
  return true;
}

/* Drops routines that no link uses. */
static void drop_routines(pp_program *program) {
  size_t kept = 0;
  for (size_t r = 0; r < program->routines; r++) {
    bool used = false;
    for (size_t i = 0; i < program->operations; i++) {
      pp_operation *it = &program->operation[i];
      if (it->verb != PP_DO_LINK || it->routine != r) continue;
      it->routine = kept;
      used = true;
    }
    if (used)
      program->routine[kept++] = program->routine[r];
    else
      pp_routine_free(program->routine[r]);
  }
  program->routines = kept;
}

/* Keeps the trial if it still shows the fault. */
static bool keep(pp_reducer *reducer) {
  reducer->left--;
  reducer->done++;
  reducer->stop = !drop_orphans(&reducer->trial);
  if (reducer->stop) return false;
  drop_routines(&reducer->trial);
  if (!reducer->test(reducer->state, &reducer->trial)) return false;
  pp_program worse = *reducer->best;
  *reducer->best = reducer->trial;
  reducer->trial = worse;
  return true;
}

static bool drop_operations(pp_reducer *reducer, size_t from, size_t count) {
  if (!begin(reducer)) return false;
  pp_program *trial = &reducer->trial;
  memmove(trial->operation + from, trial->operation + from + count,
          (trial->operations - from - count) * sizeof *trial->operation);
  trial->operations -= count;
  return keep(reducer);
}

static bool fewer_operations(pp_reducer *reducer) {
  bool any = false;
  size_t count = reducer->best->operations / 2;
  for (count = count > 0 ? count : 1; count > 0; count /= 2)
    for (size_t from = reducer->best->operations; from > 0; from--)
      if (from - 1 + count <= reducer->best->operations &&
          drop_operations(reducer, from - 1, count))
        any = true;
  return any;
}

/* The numbers of an operation that may be lowered to `least`. */
enum { NTH, SEED, DEVICE, CAP, NO_REUSE, BYTES, FIELDS };

/* Makes the field simpler in the trial; false when it is simple. */
static bool simplify(pp_operation *it, unsigned field, uint64_t to) {
  const pp_operation before = *it;
  switch (field) {
  case NTH:
    if (it->fault.nth > to + 1) it->fault.nth = to + 1;
    return it->fault.nth != before.fault.nth;
  case SEED:
    if (it->seed > to) it->seed = to;
    return it->seed != before.seed;
  case DEVICE:
    if (it->device > to) it->device = to;
    return it->device != before.device;
  case CAP:
    it->cap = 0;
    return before.cap != 0;
  case NO_REUSE:
    it->no_reuse = false;
    return before.no_reuse;
  default:
    it->has_bytes = false;
    it->bytes = 0;
    return before.has_bytes;
  }
}

static bool simpler_operations(pp_reducer *reducer) {
  bool any = false;
  for (size_t i = 0; i < reducer->best->operations; i++)
    for (unsigned field = 0; field < FIELDS; field++)
      for (uint64_t to = 0; to < 3; to++) {
        pp_operation changed = reducer->best->operation[i];
        if (!simplify(&changed, field, to) || !begin(reducer)) continue;
        reducer->trial.operation[i] = changed;
        if (!keep(reducer)) continue;
        any = true;
        break;
      }
  return any;
}

static bool fewer_options(pp_reducer *reducer) {
  const pp_fault_options *now = &reducer->best->options;
  bool any = false;
  if (now->delay && begin(reducer)) {
    reducer->trial.options.delay = false;
    any = keep(reducer);
  }
  if (now->max_pool > 0 && begin(reducer)) {
    reducer->trial.options.max_pool = 0;
    any = keep(reducer) || any;
  }
  for (uint64_t to = 0; to <= 16; to = to == 0 ? 1 : 4 * to) {
    if (now->alignment <= to || !begin(reducer)) continue;
    reducer->trial.options.alignment = to;
    any = keep(reducer) || any;
  }
  return any;
}

/* A routine's copy to be: without statement and node (SIZE_MAX: none).
 * data   the node's data goes, not the node
 * plain  no node has a span */
typedef struct pp_cut {
  size_t statement, node;
  bool data, plain;
} pp_cut;

static bool has_access(const pp_statement *statement, size_t node) {
  bool has = statement->target.node == node;
  for (unsigned r = 0; r < statement->reads; r++)
    has = has || statement->read[r].node == node;
  return has;
}

/* The span that the node needs in what is left. */
static void span_of(const pp_routine *routine, const pp_cut *cut, size_t index,
                    pp_node *node) {
  size_t at = 0;
  bool wanted = node->has_span && !cut->plain;
  node->has_span = false;
  for (size_t k = 0; k < routine->statements; k++) {
    if (k == cut->statement) continue;
    if (wanted && has_access(&routine->statement[k], index)) {
      if (!node->has_span) node->lo = at;
      node->has_span = true;
      node->hi = at;
    }
    at++;
  }
}

static size_t moved(const pp_cut *cut, size_t node) {
  return !cut->data && node > cut->node ? node - 1 : node;
}

static pp_status cut_statements(const pp_routine *from, const pp_cut *cut,
                                pp_routine *to) {
  pp_status status = PP_OK;
  for (size_t k = 0; k < from->statements && status == PP_OK; k++) {
    pp_statement statement = from->statement[k];
    if (k == cut->statement) continue;
    statement.target.node = moved(cut, statement.target.node);
    for (unsigned r = 0; r < statement.reads; r++)
      statement.read[r].node = moved(cut, statement.read[r].node);
    status = pp_routine_statement(to, &statement, NULL);
  }
  return status;
}

static pp_status cut_nodes(const pp_routine *from, const pp_cut *cut,
                           pp_routine *to) {
  pp_status status = PP_OK;
  size_t index = 0;
  for (size_t i = 0; i < from->nodes && status == PP_OK; i++) {
    pp_node node = from->node[i];
    if (i == cut->node && !cut->data) continue;
    if (i == cut->node) node.data = NULL;
    span_of(from, cut, i, &node);
    status = pp_routine_node(to, &node, &index, NULL);
  }
  return status;
}

/* The routine without what is cut, sealed; NULL when it is none. */
static pp_routine *cut_routine(const pp_routine *from, const pp_cut *cut) {
  pp_routine *to = pp_routine_new(from->name);
  if (to && cut_nodes(from, cut, to) == PP_OK &&
      cut_statements(from, cut, to) == PP_OK &&
      pp_routine_seal(to, NULL) == PP_OK)
    return to;
  pp_routine_free(to);
  return NULL;
}

static bool try_cut(pp_reducer *reducer, size_t routine, const pp_cut *cut) {
  const pp_routine *from = reducer->best->routine[routine];
  for (size_t k = 0;
       cut->node < from->nodes && !cut->data && k < from->statements; k++)
    if (k != cut->statement && has_access(&from->statement[k], cut->node))
      return false;
  if (!begin(reducer)) return false;
  pp_routine *to = cut_routine(from, cut);
  pp_cut plain = *cut;
  plain.plain = true;
  if (!to) to = cut_routine(from, &plain);
  if (!to) return false;
  pp_routine_free(reducer->trial.routine[routine]);
  reducer->trial.routine[routine] = to;
  return keep(reducer);
}

static bool smaller_routine(pp_reducer *reducer, size_t routine) {
  const pp_program *program = reducer->best;
  bool any = false;
  for (size_t k = program->routine[routine]->statements; k > 0; k--) {
    const pp_cut cut = {.statement = k - 1, .node = SIZE_MAX};
    any = try_cut(reducer, routine, &cut) || any;
    if (routine >= program->routines) return true;
  }
  for (size_t i = program->routine[routine]->nodes; i > 0; i--) {
    pp_cut cut = {.statement = SIZE_MAX, .node = i - 1};
    bool gone = try_cut(reducer, routine, &cut);
    cut.data = true;
    if (!gone && program->routine[routine]->node[i - 1].data)
      gone = try_cut(reducer, routine, &cut);
    any = any || gone;
  }
  return any;
}

static bool smaller_routines(pp_reducer *reducer) {
  bool any = false;
  for (size_t r = 0; r < reducer->best->routines; r++)
    any = smaller_routine(reducer, r) || any;
  return any;
}

/* Contexts that no operation names. */
static bool fewer_contexts(pp_program *program) {
  pp_program plain = {0};
  size_t *index = calloc(program->contexts + 1, sizeof *index);
  bool good = index != NULL;
  for (size_t i = 0; good && i < program->contexts; i++) {
    bool used = false;
    for (size_t k = 0; k < program->operations; k++) {
      const pp_operation *it = &program->operation[k];
      const char *shape = pp_verb_shape(it->verb);
      used =
          used || ((uses('N', shape) || uses('C', shape)) && it->context == i);
      used = used || (uses('O', shape) && it->other == i);
    }
    if (used)
      good = pp_program_context(&plain, program->context[i].text, &index[i]);
  }
  for (size_t k = 0; good && k < program->operations; k++) {
    program->operation[k].context = index[program->operation[k].context];
    program->operation[k].other = index[program->operation[k].other];
  }
  if (good) {
    pp_name *names = program->context;
    program->context = plain.context;
    program->contexts = plain.contexts;
    program->context_room = plain.context_room;
    plain.context = names;
  }
  pp_program_free(&plain);
  free(index);
  return good;
}

size_t pp_program_shrink(pp_program *program, pp_program_test *test,
                         void *state, size_t tests) {
  pp_reducer reducer = {
      .best = program, .test = test, .state = state, .left = tests};
  bool any = true;
  while (any && reducer.left > 0 && !reducer.stop) {
    any = fewer_operations(&reducer);
    any = fewer_options(&reducer) || any;
    any = simpler_operations(&reducer) || any;
    any = smaller_routines(&reducer) || any;
  }
  (void)fewer_contexts(program);
  pp_program_free(&reducer.trial);
  return reducer.done;
}
