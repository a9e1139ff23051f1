/* poolproof: the edits of a routine's sketch.  SPDX-License-Identifier: MIT */
#include "edit_sketch.h"

#include <string.h>

#include "routines.h"

static size_t any_of(const pp_sketch *sketch, size_t n) {
  return (size_t)pp_random_below(sketch->random, n);
}

static pp_node *any_node(pp_sketch *sketch) {
  return &sketch->node[any_of(sketch, sketch->nodes)];
}

static pp_statement *any_statement(pp_sketch *sketch) {
  return &sketch->statement[any_of(sketch, sketch->statements)];
}

/* NULL: a barrier was drawn. */
static pp_statement *any_assignment(pp_sketch *sketch) {
  pp_statement *statement = any_statement(sketch);
  return statement->kind == PP_BARRIER ? NULL : statement;
}

static bool same_shape(const pp_node *a, const pp_node *b) {
  return a->rank == b->rank && memcmp(a->dims, b->dims, sizeof a->dims) == 0;
}

static void drop_statements(pp_sketch *sketch) {
  size_t from = any_of(sketch, sketch->statements);
  size_t to = from + 1 + any_of(sketch, 2);
  pp_sketch_drop(sketch, from, to < sketch->statements ? to : from + 1);
}

static void double_statement(pp_sketch *sketch) {
  const pp_statement statement = *any_statement(sketch);
  (void)pp_sketch_insert(sketch, any_of(sketch, sketch->statements + 1),
                         &statement);
}

static void swap_statements(pp_sketch *sketch) {
  pp_statement *a = any_statement(sketch);
  pp_statement *b = any_statement(sketch);
  const pp_statement statement = *a;
  *a = *b;
  *b = statement;
}

static void change_fold(pp_sketch *sketch) {
  pp_statement *statement = any_statement(sketch);
  statement->fold = (pp_fold)any_of(sketch, PP_FOLD_COUNT);
}

static uint64_t any_literal(pp_sketch *sketch, pp_dtype dtype) {
  uint64_t bits = 0;
  pp_random_values(sketch->random, dtype, pp_random_one_in(sketch->random, 2),
                   &bits, 1);
  return bits;
}

/* Literals of other bits, as many as there are. */
static void change_literals(pp_sketch *sketch) {
  pp_statement *statement = any_assignment(sketch);
  if (!statement) return;
  pp_dtype dtype = sketch->node[statement->target.node].dtype;
  for (unsigned k = 0; k < statement->steps; k++)
    if (statement->step[k].op == PP_OP_LIT)
      statement->step[k].bits = any_literal(sketch, dtype);
}

static int arity(pp_op op) {
  static const int arities[] = {
#define PP_OP_ARITY(NAME, name, arity) arity,
      PP_OPS(PP_OP_ARITY)
#undef PP_OP_ARITY
  };
  return arities[op];
}

/* One operation becomes another on as many values. */
static void change_operation(pp_sketch *sketch) {
  pp_statement *statement = any_assignment(sketch);
  if (!statement || statement->steps == 0) return;
  pp_step *step = &statement->step[any_of(sketch, statement->steps)];
  pp_op op = (pp_op)any_of(sketch, PP_OP_KEEP);
  pp_dtype dtype = sketch->node[statement->target.node].dtype;
  if (step->op == PP_OP_NEXT)
    step->fold = (pp_fold)(1 + any_of(sketch, PP_FOLD_COUNT - 1));
  if (step->op >= PP_OP_KEEP || arity(op) != arity(step->op)) return;
  *step = (pp_step){.op = op};
  if (op == PP_OP_LIT) step->bits = any_literal(sketch, dtype);
  if (op == PP_OP_LOAD)
    step->read = (unsigned)any_of(sketch, (size_t)statement->reads + 1);
}

static pp_access *access_of(pp_sketch *sketch, pp_statement *statement) {
  size_t k = any_of(sketch, (size_t)statement->reads + 1);
  return k < statement->reads ? &statement->read[k] : &statement->target;
}

/* A read, or the target; NULL: a barrier was drawn. */
static pp_access *any_access(pp_sketch *sketch) {
  pp_statement *statement = any_assignment(sketch);
  return statement ? access_of(sketch, statement) : NULL;
}

/* The index by one up or down; the loops that it has perhaps shorter by one, so
 * that it stays inside its dimension. */
static void shift_index(pp_sketch *sketch, pp_statement *statement,
                        pp_index *index) {
  int64_t base = 0;
  bool up = pp_random_one_in(sketch->random, 2);
  bool shorter = pp_random_one_in(sketch->random, 2);
  if (__builtin_add_overflow(index->base, up ? 1 : -1, &base)) return;
  index->base = base;
  for (unsigned a = 0; shorter && a < statement->axes; a++)
    if (index->scale[a] != 0 && statement->extent[a] > 0)
      statement->extent[a]--;
}

static void change_index(pp_sketch *sketch) {
  pp_statement *statement = any_assignment(sketch);
  const pp_access *other = any_access(sketch);
  if (!statement || !other) return;
  pp_access *access = access_of(sketch, statement);
  unsigned rank = sketch->node[access->node].rank;
  if (rank == 0) return;
  pp_index *index = &access->index[any_of(sketch, rank)];
  int64_t *scale = &index->scale[any_of(sketch, PP_AXES)];
  switch (any_of(sketch, 5)) {
  case 0:
  case 1:
    shift_index(sketch, statement, index);
    break;
  case 2:
    *scale = (int64_t)any_of(sketch, 4) - 1;
    break;
  case 3:
    *index = other->index[any_of(sketch, PP_RANK)];
    break;
  default:
    memcpy(access->index, other->index, sizeof access->index);
  }
}

/* An access goes to another node, mostly one of its shape: a chain, a diamond,
 * an update in place. */
static void change_access(pp_sketch *sketch) {
  enum { TRIES = 8 };
  pp_access *access = any_access(sketch);
  if (!access) return;
  for (unsigned k = 0; k < TRIES; k++) {
    size_t other = any_of(sketch, sketch->nodes);
    if (other == access->node ||
        !same_shape(&sketch->node[other], &sketch->node[access->node]))
      continue;
    access->node = other;
    return;
  }
}

/* Data of the node's own, if values are enough for it; or none. */
static void give_data(pp_sketch *sketch, pp_node *node) {
  uint64_t elements = 1;
  node->data = NULL;
  for (unsigned d = 0; d < node->rank; d++)
    if (__builtin_mul_overflow(elements, node->dims[d], &elements)) return;
  if (elements > PP_SKETCH_VALUES) return;
  for (size_t i = 0; i < sketch->nodes; i++)
    if (sketch->node[i].data == sketch->values) sketch->node[i].data = NULL;
  pp_random_values(sketch->random, node->dtype,
                   pp_random_one_in(sketch->random, 4), sketch->values,
                   elements);
  node->data = sketch->values;
}

static void change_data(pp_sketch *sketch) {
  pp_node *node = any_node(sketch);
  if (node->data)
    node->data = NULL;
  else
    give_data(sketch, node);
}

static uint64_t other_extent(pp_sketch *sketch, uint64_t extent) {
  switch (any_of(sketch, 6)) {
  case 0:
    return extent > 0 ? extent - 1 : 1;
  case 1:
    return extent < UINT64_MAX ? extent + 1 : 0;
  case 2:
    return extent / 2;
  case 3:
    return pp_random_one_in(sketch->random, 8)
               ? UINT64_C(1) << any_of(sketch, 41)
               : extent;
  default:
    return 1 + any_of(sketch, 8);
  }
}

/* All dimensions and extents of one length become another one, wherever they
 * are. */
static void change_extent(pp_sketch *sketch) {
  const pp_node *from = any_node(sketch);
  if (from->rank == 0) return;
  uint64_t old = from->dims[any_of(sketch, from->rank)];
  uint64_t by = other_extent(sketch, old);
  for (size_t j = 0; j < sketch->nodes; j++) {
    pp_node *node = &sketch->node[j];
    bool changed = false;
    for (unsigned d = 0; d < node->rank; d++)
      if (node->dims[d] == old) {
        node->dims[d] = by;
        changed = true;
      }
    if (changed && node->data) give_data(sketch, node);
  }
  for (size_t k = 0; k < sketch->statements; k++) {
    pp_statement *statement = &sketch->statement[k];
    for (unsigned a = 0; a < statement->axes + statement->inner; a++)
      if (statement->extent[a] == old) statement->extent[a] = by;
  }
}

/* One dimension of one node: indices may now reach too far, or not all. */
static void change_dimension(pp_sketch *sketch) {
  pp_node *node = any_node(sketch);
  if (node->rank == 0) return;
  uint64_t *dimension = &node->dims[any_of(sketch, node->rank)];
  *dimension = other_extent(sketch, *dimension);
  if (node->data) give_data(sketch, node);
}

/* Literals of statements that write the node are of its dtype. */
static void change_dtype(pp_sketch *sketch) {
  size_t index = any_of(sketch, sketch->nodes);
  pp_node *node = &sketch->node[index];
  node->dtype = (pp_dtype)any_of(sketch, PP_DTYPE_COUNT);
  if (node->data) give_data(sketch, node);
  for (size_t k = 0; k < sketch->statements; k++) {
    pp_statement *statement = &sketch->statement[k];
    if (statement->kind == PP_BARRIER || statement->target.node != index)
      continue;
    for (unsigned s = 0; s < statement->steps; s++)
      if (statement->step[s].op == PP_OP_LIT)
        statement->step[s].bits = any_literal(sketch, node->dtype);
  }
}

static void change_intents(pp_sketch *sketch) {
  pp_node *node = any_node(sketch);
  unsigned intent = 1U << any_of(sketch, 4);
  if (intent == PP_MERGE)
    node->intents ^= PP_MERGE;
  else
    node->intents = (node->intents ^ intent) & ~(unsigned)PP_MERGE;
}

/* One as narrow as may be is made wider by a step, or goes. */
static void change_span(pp_sketch *sketch) {
  pp_node *node = any_node(sketch);
  if (!node->has_span) {
    node->lo = UINT64_MAX;
    node->hi = 0;
    node->has_span = true;
  } else if (pp_random_one_in(sketch->random, 3)) {
    node->has_span = false;
  } else if (node->lo > 0 && pp_random_one_in(sketch->random, 2)) {
    node->lo--;
  } else if (node->hi < UINT64_MAX) {
    node->hi++;
  }
}

static void change_kind(pp_sketch *sketch) {
  static const pp_statement barrier = {.kind = PP_BARRIER};
  pp_statement *statement = any_statement(sketch);
  if (pp_random_one_in(sketch->random, 4))
    (void)pp_sketch_insert(sketch, any_of(sketch, sketch->statements + 1),
                           &barrier);
  else if (statement->kind == PP_BARRIER || pp_random_one_in(sketch->random, 2))
    statement->joins = !statement->joins;
  else
    statement->kind = statement->kind == PP_ASSIGN ? PP_OPAQUE : PP_ASSIGN;
}

/* Statement k writes a new node, and what stands behind reads that, or half of
 * it does. */
static void double_node(pp_sketch *sketch) {
  size_t k = any_of(sketch, sketch->statements);
  if (sketch->statement[k].kind == PP_BARRIER) return;
  size_t old = sketch->statement[k].target.node;
  pp_statement copy = sketch->statement[k];
  copy.target.node = pp_sketch_node(sketch, &sketch->node[old]);
  if (copy.target.node == SIZE_MAX) return;
  if (!pp_sketch_insert(sketch, k + 1, &copy)) return;
  for (size_t j = k + 2; j < sketch->statements; j++) {
    pp_statement *statement = &sketch->statement[j];
    for (unsigned r = 0; r < statement->reads; r++)
      if (statement->read[r].node == old && pp_random_one_in(sketch->random, 2))
        statement->read[r].node = copy.target.node;
  }
}

static void drop_node(pp_sketch *sketch) {
  pp_sketch_drop_node(sketch, any_of(sketch, sketch->nodes));
}

static void swap_uids(pp_sketch *sketch) {
  pp_node *a = any_node(sketch);
  pp_node *b = any_node(sketch);
  uint64_t uid = a->uid;
  a->uid = b->uid;
  b->uid = uid;
  if (a != b) return;
  a->uid = pp_random_next(sketch->random);
  a->uid >>= any_of(sketch, 64);
}

static void splice(pp_sketch *sketch) {
  sketch->spliced = pp_small_routine(sketch->random);
  if (sketch->spliced) pp_sketch_append(sketch, sketch->spliced, true);
}

void pp_sketch_edit(pp_sketch *sketch) {
  typedef void pp_sketch_change(pp_sketch *);
  static pp_sketch_change *const changes[] = {
      drop_statements, double_statement, swap_statements,  change_fold,
      change_literals, change_operation, change_operation, change_index,
      change_index,    change_access,    change_access,    change_data,
      change_extent,   change_extent,    change_dimension, change_dtype,
      change_intents,  change_intents,   change_span,      change_kind,
      double_node,     drop_node,        swap_uids,        splice};
  if (sketch->nodes == 0 || sketch->statements == 0)
    splice(sketch);
  else
    changes[any_of(sketch, sizeof changes / sizeof *changes)](sketch);
}
