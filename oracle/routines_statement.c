/* poolproof: random statements of routines. SPDX-License-Identifier: MIT */
#include "routines_parts.h"

enum {
  MOST_POINTS = 4096, /* of a statement's loops */
  TRIES = 6           /* to find a node that fits */
};

static const uint64_t HUGE_POINTS = UINT64_C(1) << 62;

static size_t any_node(pp_draft *draft) {
  return (size_t)pp_random_below(draft->random, draft->nodes);
}

static bool writable(const pp_node *node) {
  return (node->intents & (PP_CONSTANT | PP_MERGE)) == 0;
}

/* Reading it lengthens no life and spoils no node that could be filled. */
static bool is_input(const pp_draft *draft, size_t node) {
  return draft->node[node].intents != 0 || draft->node[node].data ||
         (draft->accessed[node] && !draft->filled[node]);
}

/* A node that may be written, preferably one that nothing has touched, or at
 * least one whose life gets no longer; there is always one. */
static size_t choose_target(pp_draft *draft) {
  bool fresh = !pp_random_one_in(draft->random, draft->flow ? 6 : 3);
  size_t start = any_node(draft);
  size_t found = draft->nodes;
  for (size_t k = 0; k < draft->nodes; k++) {
    size_t i = (start + k) % draft->nodes;
    if (!writable(&draft->node[i])) continue;
    bool input = draft->flow && is_input(draft, i);
    if (!fresh || (!draft->accessed[i] && !input)) return i;
    if (found == draft->nodes || input) found = i;
  }
  return found;
}

static unsigned new_axis(pp_statement *statement, uint64_t extent) {
  statement->extent[statement->axes] = extent;
  return statement->axes++;
}

static bool has_points(const pp_statement *statement) {
  for (unsigned a = 0; a < statement->axes; a++)
    if (statement->extent[a] == 0) return false;
  return true;
}

/* Elements that the statement's points write, each counted once; only for
 * statements without reduction axes. */
static uint64_t points_of(const pp_statement *statement) {
  uint64_t points = 1;
  for (unsigned a = 0; a < statement->axes; a++)
    points *= statement->extent[a];
  return points;
}

/* base + scale * counter stays in [0, dim) for extent counters; steps at most
 * 3 wide. extent is not 0 and at most dim. */
static void run_along(pp_random *random, pp_index *index, unsigned axis,
                      uint64_t extent, uint64_t dim) {
  uint64_t last = extent - 1;
  uint64_t scale = 1;
  if (pp_random_one_in(random, 4)) scale += pp_random_below(random, 3);
  if (last > 0 && scale > (dim - 1) / last) scale = 1;
  uint64_t low = pp_random_below(random, dim - scale * last);
  bool down = pp_random_one_in(random, 5);
  index->base = (int64_t)(down ? low + scale * last : low);
  index->scale[axis] = down ? -(int64_t)scale : (int64_t)scale;
}

/* All of a dimension by an axis of its own. */
static void run_whole(pp_draft *draft, pp_statement *statement, pp_index *index,
                      uint64_t dim) {
  unsigned axis = new_axis(statement, dim);
  if (dim == 0)
    index->scale[axis] = 1;
  else
    run_along(draft->random, index, axis, dim, dim);
}

/* A part of it, or one place alone. */
static void run_part(pp_draft *draft, pp_statement *statement, pp_index *index,
                     uint64_t dim) {
  if (dim == 0 || pp_random_one_in(draft->random, 2)) {
    run_whole(draft, statement, index, dim);
  } else if (pp_random_one_in(draft->random, 3)) {
    index->base = (int64_t)pp_random_below(draft->random, dim);
  } else {
    uint64_t extent = 1 + pp_random_below(draft->random, dim);
    run_along(draft->random, index, new_axis(statement, extent), extent, dim);
  }
}

static void swap_scales(pp_access *access, unsigned a, unsigned b) {
  for (unsigned d = 0; d < PP_RANK; d++) {
    int64_t *scale = access->index[d].scale;
    int64_t kept = scale[a];
    scale[a] = scale[b];
    scale[b] = kept;
  }
}

static void swap_axes(pp_statement *statement, unsigned a, unsigned b) {
  uint64_t extent = statement->extent[a];
  statement->extent[a] = statement->extent[b];
  statement->extent[b] = extent;
  swap_scales(&statement->target, a, b);
  for (unsigned k = 0; k < statement->reads; k++)
    swap_scales(&statement->read[k], a, b);
}

static void shuffle_axes(pp_draft *draft, pp_statement *statement) {
  for (unsigned a = statement->axes; a > 1; a--)
    swap_axes(statement, a - 1, (unsigned)pp_random_below(draft->random, a));
}

void pp_draft_target(pp_draft *draft, pp_statement *statement, bool whole) {
  const pp_node *node = &draft->node[statement->target.node];
  for (unsigned d = 0; d < node->rank; d++) {
    pp_index *index = &statement->target.index[d];
    if (whole)
      run_whole(draft, statement, index, node->dims[d]);
    else
      run_part(draft, statement, index, node->dims[d]);
  }
}

/* Axes that the target does not use, as long as a dimension of some node, so
 * that reads find them. */
void pp_draft_reductions(pp_draft *draft, pp_statement *statement) {
  uint64_t count = 1 + pp_random_below(draft->random, 2);
  for (; count > 0 && statement->axes < PP_AXES; count--) {
    const pp_node *like = &draft->node[any_node(draft)];
    uint64_t extent = 1 + pp_random_below(draft->random, draft->limits->extent);
    if (like->rank > 0 && !pp_random_one_in(draft->random, 5))
      extent = like->dims[pp_random_below(draft->random, like->rank)];
    uint64_t points = points_of(statement);
    uint64_t most = draft->limits->huge ? HUGE_POINTS : MOST_POINTS;
    if (extent <= most && points <= most &&
        (points == 0 || extent <= most / points))
      (void)new_axis(statement, extent);
  }
}

/* Adds the axis to an index if there is room for it on top of what the index
 * already spans, `reach` of dim. */
static uint64_t also_along(const pp_statement *statement, pp_index *index,
                           unsigned axis, uint64_t reach, uint64_t dim) {
  uint64_t last = statement->extent[axis] - 1;
  if (index->scale[axis] != 0 || last > dim - 1 - reach) return reach;
  index->scale[axis] = 1;
  return reach + last;
}

/* One dimension of a read: preferably an axis as long as the dimension that
 * `used` has not yet, otherwise a part, the sum of two axes, or one place. */
static void draw_index(pp_draft *draft, const pp_statement *statement,
                       pp_index *index, uint64_t dim, bool *used) {
  pp_random *random = draft->random;
  bool loose = pp_random_one_in(random, 6);
  unsigned start = (unsigned)pp_random_below(random, statement->axes);
  for (unsigned k = 0; k < statement->axes; k++) {
    unsigned a = (start + k) % statement->axes;
    uint64_t extent = statement->extent[a];
    if (loose ? extent > dim : extent != dim || used[a]) continue;
    used[a] = true;
    run_along(random, index, a, extent, dim);
    return;
  }
  if (statement->axes > 0 && pp_random_one_in(random, 2)) {
    uint64_t reach = also_along(statement, index, start, 0, dim);
    unsigned other = (unsigned)pp_random_below(random, statement->axes);
    reach = also_along(statement, index, other, reach, dim);
    index->base = (int64_t)pp_random_below(random, dim - reach);
  } else {
    index->base = (int64_t)pp_random_below(random, dim);
  }
}

/* Loops without points may read what they like, but a place in no dimension
 * is still not asked for. */
static bool draw_read(pp_draft *draft, pp_statement *statement, size_t node) {
  const pp_node *from = &draft->node[node];
  pp_access *access = &statement->read[statement->reads];
  bool points = has_points(statement);
  bool used[PP_AXES] = {false};
  *access = (pp_access){.node = node};
  for (unsigned d = 0; d < from->rank; d++) {
    if (from->dims[d] == 0 && points) return false;
    if (points)
      draw_index(draft, statement, &access->index[d], from->dims[d], used);
  }
  statement->reads++;
  return true;
}

static bool just_filled(const pp_draft *draft, size_t node) {
  return draft->filled[node] && !draft->read[node];
}

/* What was written last, what was filled and is not read yet, an input, or
 * anything; each where there is none of those before. */
static size_t choose_read(pp_draft *draft) {
  uint64_t way = pp_random_below(draft->random, draft->flow ? 8 : 10);
  size_t node = any_node(draft);
  if (way < 2 && draft->statements > 0 &&
      draft->statement[draft->statements - 1].kind == PP_ASSIGN)
    return draft->statement[draft->statements - 1].target.node;
  for (size_t k = 0; way < 5 && k < draft->nodes; k++) {
    size_t i = (node + k) % draft->nodes;
    if (just_filled(draft, i)) return i;
  }
  for (size_t k = 0; way < 7 && k < draft->nodes; k++) {
    size_t i = (node + k) % draft->nodes;
    if (is_input(draft, i)) return i;
  }
  return node;
}

void pp_draft_reads(pp_draft *draft, pp_statement *statement, bool reduces) {
  uint64_t wanted = pp_random_below(draft->random, 4);
  if (draft->flow && wanted == 0) wanted = 2;
  if (pp_random_one_in(draft->random, 8))
    wanted = pp_random_below(draft->random, PP_READS + 1);
  for (uint64_t tries = TRIES + wanted; tries > 0 && statement->reads < wanted;
       tries--) {
    bool filling = draft->flow && !draft->accessed[statement->target.node];
    if (!reduces && !filling && pp_random_one_in(draft->random, 12)) {
      statement->read[statement->reads++] = statement->target;
      continue;
    }
    size_t node = choose_read(draft);
    if (node != statement->target.node) (void)draw_read(draft, statement, node);
  }
}

static void mark(pp_draft *draft, const pp_statement *statement) {
  size_t target = statement->target.node;
  for (unsigned k = 0; k < statement->reads; k++) {
    draft->accessed[statement->read[k].node] = true;
    draft->read[statement->read[k].node] = true;
    draft->zeroed[statement->read[k].node] = false;
  }
  if (!draft->accessed[target] && statement->fold == PP_FOLD_SET &&
      points_of(statement) == pp_node_elements(&draft->node[target]))
    draft->filled[target] = true;
  draft->accessed[target] = true;
  draft->zeroed[target] = false;
}

/* A node of two dimensions, these where they are not 0, or draft->nodes. */
static size_t find_matrix(pp_draft *draft, uint64_t rows, uint64_t columns,
                          size_t target) {
  size_t start = any_node(draft);
  for (size_t k = 0; k < draft->nodes; k++) {
    size_t i = (start + k) % draft->nodes;
    const pp_node *node = &draft->node[i];
    if (i != target && node->rank == 2 && node->dims[1] > 0 &&
        node->dims[0] == rows && (columns == 0 || node->dims[1] == columns))
      return i;
  }
  return draft->nodes;
}

bool pp_draft_product(pp_draft *draft, pp_statement *statement) {
  size_t target = statement->target.node;
  const pp_node *node = &draft->node[target];
  if (node->rank != 2 || node->dims[0] == 0 || node->dims[1] == 0) return false;
  size_t a = find_matrix(draft, node->dims[0], 0, target);
  if (a == draft->nodes) return false;
  uint64_t inner = draft->node[a].dims[1];
  size_t b = find_matrix(draft, inner, node->dims[1], target);
  if (b == draft->nodes) return false;
  *statement =
      (pp_statement){.axes = 3,
                     .extent = {node->dims[0], node->dims[1], inner},
                     .target = {target, {{0, {1, 0, 0}}, {0, {0, 1, 0}}}},
                     .fold = PP_FOLD_ADD,
                     .reads = 2,
                     .read = {{a, {{0, {1, 0, 0}}, {0, {0, 0, 1}}}},
                              {b, {{0, {0, 0, 1}}, {0, {0, 1, 0}}}}},
                     .steps = 3,
                     .step = {{.op = PP_OP_LOAD},
                              {.op = PP_OP_LOAD, .read = 1},
                              {.op = PP_OP_MUL}}};
  return true;
}

/* Any statement but a matrix product; goes_on: adds to what its target was
 * just filled with. */
static void draw_statement(pp_draft *draft, pp_statement *statement,
                           bool goes_on) {
  pp_random *random = draft->random;
  bool fresh = !draft->accessed[statement->target.node];
  uint64_t oddity = !fresh ? 2 : draft->flow ? 24 : 8;
  pp_draft_target(draft, statement, !pp_random_one_in(random, oddity));
  if (goes_on || pp_random_one_in(random, oddity))
    statement->fold = (pp_fold)(1 + pp_random_below(random, PP_FOLD_COUNT - 1));
  unsigned own = statement->axes;
  if (statement->fold != PP_FOLD_SET && !pp_random_one_in(random, 4))
    pp_draft_reductions(draft, statement);
  pp_draft_reads(draft, statement, statement->axes > own);
  pp_draft_steps(draft, statement);
}

void pp_draft_statement(pp_draft *draft) {
  pp_random *random = draft->random;
  pp_statement *statement = &draft->statement[draft->statements];
  size_t last = draft->statements > 0 && statement[-1].kind == PP_ASSIGN
                    ? statement[-1].target.node
                    : draft->nodes;
  bool goes_on = last < draft->nodes && just_filled(draft, last) &&
                 pp_random_one_in(random, draft->flow ? 6 : 3);
  *statement = (pp_statement){.fold = PP_FOLD_SET};
  statement->target.node = goes_on ? last : choose_target(draft);
  if (!pp_random_one_in(random, goes_on ? 2 : 12) ||
      !pp_draft_product(draft, statement))
    draw_statement(draft, statement, goes_on);
  if (pp_random_one_in(random, 3)) shuffle_axes(draft, statement);
  pp_draft_append(draft);
}

void pp_draft_append(pp_draft *draft) {
  mark(draft, &draft->statement[draft->statements]);
  draft->statements++;
}
