/* poolproof: random sources for lowering. SPDX-License-Identifier: MIT */
#include "routines_parts.h"

#include <string.h>

static bool fresh(const pp_draft *draft, size_t i) {
  const pp_node *node = &draft->node[i];
  return node->intents == 0 && !node->data && !draft->accessed[i];
}

static bool same_shape(const pp_node *a, const pp_node *b) {
  return a->rank == b->rank && memcmp(a->dims, b->dims, sizeof a->dims) == 0;
}

/* A node that `fits`, or draft->nodes. */
static size_t find(pp_draft *draft, const pp_node *like,
                   bool (*fits)(const pp_draft *draft, size_t i)) {
  size_t start = (size_t)pp_random_below(draft->random, draft->nodes);
  for (size_t k = 0; k < draft->nodes; k++) {
    size_t i = (start + k) % draft->nodes;
    if (fits(draft, i) && (!like || same_shape(like, &draft->node[i])))
      return i;
  }
  return draft->nodes;
}

static pp_access all_of(const pp_draft *draft, size_t node) {
  pp_access access = {.node = node};
  for (unsigned d = 0; d < draft->node[node].rank; d++)
    access.index[d].scale[d] = 1;
  return access;
}

/* A set of every element of the node, point by point in its own order. */
static pp_statement *begin_set(pp_draft *draft, size_t node) {
  pp_statement *statement = &draft->statement[draft->statements];
  *statement = (pp_statement){.axes = draft->node[node].rank,
                              .target = all_of(draft, node)};
  memcpy(statement->extent, draft->node[node].dims,
         sizeof draft->node[node].dims);
  return statement;
}

/* All of a node; seldom a part of it. */
static void zero(pp_draft *draft) {
  size_t node = find(draft, NULL, fresh);
  if (node == draft->nodes) return;
  pp_statement *statement = begin_set(draft, node);
  if (pp_random_one_in(draft->random, 4)) {
    *statement = (pp_statement){.target.node = node};
    pp_draft_target(draft, statement, false);
  }
  statement->steps = 1;
  statement->step[0].op = PP_OP_LIT;
  pp_draft_append(draft);
  draft->zeroed[node] = true;
}

static bool is_zeroed(const pp_draft *draft, size_t i) {
  return draft->zeroed[i];
}

/* A gradient: folded into a node that was zeroed. */
static bool gather(pp_draft *draft) {
  size_t node = find(draft, NULL, is_zeroed);
  if (node == draft->nodes) return false;
  pp_statement *statement = &draft->statement[draft->statements];
  *statement = (pp_statement){.target.node = node};
  if (pp_random_one_in(draft->random, 2) ||
      !pp_draft_product(draft, statement)) {
    pp_draft_target(draft, statement, true);
    statement->fold = PP_FOLD_ADD;
    unsigned own = statement->axes;
    if (pp_random_one_in(draft->random, 2))
      pp_draft_reductions(draft, statement);
    pp_draft_reads(draft, statement, statement->axes > own);
    pp_draft_steps(draft, statement);
  }
  pp_draft_append(draft);
  return true;
}

static bool is_written(const pp_draft *draft, size_t i) {
  return draft->filled[i];
}

static bool is_any(const pp_draft *draft, size_t i) {
  return i < draft->nodes;
}

/* Its value is used again later: a literal becomes what was kept before it. */
static void keep_a_value(pp_draft *draft, pp_statement *statement) {
  unsigned at = (unsigned)pp_random_below(draft->random, statement->steps);
  unsigned later = at + 1;
  while (later < statement->steps && statement->step[later].op != PP_OP_LIT)
    later++;
  if (later >= statement->steps || statement->steps == PP_STEPS) return;
  statement->step[later] = (pp_step){.op = PP_OP_AGAIN};
  memmove(&statement->step[at + 2], &statement->step[at + 1],
          (statement->steps - at - 1) * sizeof *statement->step);
  statement->step[at + 1] = (pp_step){.op = PP_OP_KEEP};
  statement->steps++;
}

/* Reads nodes of the target's shape at the target's own index: what was
 * written last, residuals, inputs. */
static void read_alike(pp_draft *draft, pp_statement *statement) {
  const pp_node *like = &draft->node[statement->target.node];
  uint64_t wanted = 1 + pp_random_below(draft->random, 3);
  for (; wanted > 0; wanted--) {
    size_t node =
        draft->statements > 0 && pp_random_one_in(draft->random, 2)
            ? statement[-1].target.node
            : find(draft, like,
                   pp_random_one_in(draft->random, 4) ? is_any : is_written);
    if (node != draft->nodes && node != statement->target.node &&
        same_shape(like, &draft->node[node]))
      statement->read[statement->reads++] = all_of(draft, node);
  }
}

/* A fresh node, as long as there are some shaped like the last target. */
static bool elementwise(pp_draft *draft) {
  pp_statement *last = &draft->statement[draft->statements] - 1;
  size_t node = draft->statements > 0
                    ? find(draft, &draft->node[last->target.node], fresh)
                    : draft->nodes;
  if (node == draft->nodes) node = find(draft, NULL, fresh);
  if (node == draft->nodes) return false;
  pp_statement *statement = begin_set(draft, node);
  read_alike(draft, statement);
  if (statement->reads == 0) pp_draft_reads(draft, statement, false);
  pp_draft_steps(draft, statement);
  if (pp_random_one_in(draft->random, 4)) keep_a_value(draft, statement);
  pp_draft_append(draft);
  return true;
}

static void add_step(pp_statement *statement, pp_step step) {
  statement->step[statement->steps++] = step;
}

/* target = c * (fold of a b over an inner axis). */
static void draw_sum(pp_draft *draft, pp_statement *statement) {
  pp_dtype dtype = draft->node[statement->target.node].dtype;
  pp_fold fold =
      (pp_fold)(1 + pp_random_below(draft->random, PP_FOLD_COUNT - 1));
  add_step(statement,
           (pp_step){.op = PP_OP_LIT, .bits = pp_draft_literal(draft, dtype)});
  add_step(statement,
           (pp_step){.op = PP_OP_LOOP, .axis = statement->axes, .axes = 1});
  for (unsigned r = 0; r < statement->reads; r++) {
    add_step(statement, (pp_step){.op = PP_OP_LOAD, .read = r});
    if (r > 0) add_step(statement, (pp_step){.op = PP_OP_MUL});
  }
  if (statement->reads == 0)
    add_step(statement, (pp_step){.op = PP_OP_LIT,
                                  .bits = pp_draft_literal(draft, dtype)});
  add_step(statement, (pp_step){.op = PP_OP_NEXT, .fold = fold});
  if (!pp_random_one_in(draft->random, 2)) return;
  add_step(statement,
           (pp_step){.op = PP_OP_LIT, .bits = pp_draft_literal(draft, dtype)});
  add_step(statement, (pp_step){.op = PP_OP_SUB});
}

/* Its expression loops over an axis that reads find like any other one. */
static bool contraction(pp_draft *draft) {
  size_t node = find(draft, NULL, fresh);
  if (node == draft->nodes) return false;
  pp_statement *statement = begin_set(draft, node);
  unsigned own = statement->axes;
  pp_draft_reductions(draft, statement);
  if (statement->axes == own) return false;
  statement->axes = own + 1;
  pp_draft_reads(draft, statement, true);
  if (statement->reads > 3) statement->reads = 3;
  statement->axes = own;
  statement->inner = 1;
  draw_sum(draft, statement);
  pp_draft_append(draft);
  return true;
}

static void next(pp_draft *draft) {
  pp_random *random = draft->random;
  uint64_t way = pp_random_below(random, 24);
  if (way == 0 && draft->statements > 0) {
    draft->statement[draft->statements++] = (pp_statement){.kind = PP_BARRIER};
    return;
  }
  if (way < 6 && gather(draft)) return;
  if (way < 9 && contraction(draft)) return;
  if (way < 19 && elementwise(draft)) return;
  pp_draft_statement(draft);
}

void pp_draft_source(pp_draft *draft, size_t count) {
  pp_random *random = draft->random;
  for (uint64_t k = pp_random_below(random, 4); k > 0; k--)
    if (draft->statements < count) zero(draft);
  while (draft->statements < count)
    next(draft);
  if (!pp_random_one_in(random, 16)) return;
  pp_statement *one =
      &draft->statement[pp_random_below(random, draft->statements)];
  if (one->kind == PP_ASSIGN) one->kind = PP_OPAQUE;
}
