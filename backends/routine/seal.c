#include "internal.h"

#include "planner/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pp_sealing {
  const pp_routine *routine;
  size_t at; /* the statement's number */
  const pp_statement *statement;
  pp_failure *failure;
} pp_sealing;

static pp_status no_memory(pp_failure *failure) {
  return pp_fail(failure, PP_NO_MEMORY, "no memory to seal the routine");
}

static unsigned rank_of(const pp_sealing *sealing, const pp_access *access) {
  return sealing->routine->node[access->node].rank;
}

/* The dimensions of the access whose index has the axis. */
static unsigned uses(const pp_sealing *sealing, const pp_access *access,
                     unsigned axis) {
  unsigned count = 0;
  for (unsigned d = 0; d < rank_of(sealing, access); d++)
    if (access->index[d].scale[axis] != 0) count++;
  return count;
}

static unsigned all_axes(const pp_statement *statement) {
  return statement->axes + statement->inner;
}

static bool same_access(const pp_sealing *sealing, const pp_access *a,
                        const pp_access *b) {
  return a->node == b->node && pp_same_access(a, b, rank_of(sealing, a),
                                              all_axes(sealing->statement));
}

/* The least and the greatest value that the index has at any point. False:
 * one passes 64 bits, and so the bytes of any node. */
static bool range_of(const pp_statement *statement, const pp_index *index,
                     int64_t *least, int64_t *greatest) {
  *least = *greatest = index->base;
  for (unsigned axis = 0; axis < all_axes(statement); axis++) {
    int64_t scale = index->scale[axis];
    int64_t *end = scale < 0 ? least : greatest;
    int64_t reach = 0;
    if (scale == 0) continue;
    if (__builtin_mul_overflow(scale, statement->extent[axis] - 1, &reach) ||
        __builtin_add_overflow(*end, reach, end))
      return false;
  }
  return true;
}

/* Is it reached in a loop over these inner axes? */
static bool executes(const pp_statement *statement, unsigned open) {
  for (unsigned axis = 0; axis < all_axes(statement); axis++) {
    bool looped = axis < statement->axes || (open & 1U << axis) != 0;
    if (looped && statement->extent[axis] == 0) return false;
  }
  return true;
}

static pp_status check_index(const pp_sealing *sealing, const pp_access *access,
                             unsigned d) {
  const pp_node *node = &sealing->routine->node[access->node];
  char range[64] = "passes 64 bits";
  int64_t least = 0;
  int64_t greatest = 0;
  if (range_of(sealing->statement, &access->index[d], &least, &greatest)) {
    if (least >= 0 && (uint64_t)greatest < node->dims[d]) return PP_OK;
    (void)snprintf(range, sizeof range,
                   least == greatest ? "is %lld" : "goes from %lld to %lld",
                   (long long)least, (long long)greatest);
  }
  return pp_fail_node(sealing->failure, PP_BAD_ROUTINE, node->uid,
                      "statement %zu: index %u of node %s %s, its dimension is "
                      "%llu",
                      sealing->at, d, node->label, range,
                      (unsigned long long)node->dims[d]);
}

static pp_status check_inside(const pp_sealing *sealing,
                              const pp_access *access, unsigned open) {
  unsigned rank = rank_of(sealing, access);
  pp_status status = PP_OK;
  if (!executes(sealing->statement, open)) return PP_OK;
  for (unsigned d = 0; status == PP_OK && d < rank; d++)
    status = check_index(sealing, access, d);
  return status;
}

/* The access uses no inner axis but those of the loops that it is in. */
static pp_status check_scope(const pp_sealing *sealing, const pp_access *access,
                             unsigned open) {
  const pp_statement *statement = sealing->statement;
  const pp_node *node = &sealing->routine->node[access->node];
  for (unsigned axis = statement->axes; axis < all_axes(statement); axis++)
    if ((open & 1U << axis) == 0 && uses(sealing, access, axis) > 0)
      return pp_fail_node(sealing->failure, PP_BAD_ROUTINE, node->uid,
                          "statement %zu: accesses node %s at the inner axis "
                          "%u outside its loop",
                          sealing->at, node->label, axis);
  return PP_OK;
}

/* Every axis of the target once, every other one a reduction; *reduces: is
 * there one? */
static pp_status check_axes(const pp_sealing *sealing, bool *reduces) {
  const pp_statement *statement = sealing->statement;
  const pp_access *target = &statement->target;
  const pp_node *node = &sealing->routine->node[target->node];
  for (unsigned axis = 0; axis < statement->axes; axis++) {
    unsigned count = uses(sealing, target, axis);
    if (count == 0) *reduces = true;
    if (count == 0 && statement->fold == PP_FOLD_SET)
      return pp_fail_node(sealing->failure, PP_BAD_ROUTINE, node->uid,
                          "statement %zu: axis %u reduces into node %s, which "
                          "needs a fold other than =",
                          sealing->at, axis, node->label);
    if (count > 1)
      return pp_fail_node(sealing->failure, PP_BAD_ROUTINE, node->uid,
                          "statement %zu: axis %u is in %u indices of the "
                          "target %s, at most one may be",
                          sealing->at, axis, count, node->label);
  }
  for (unsigned d = 0; d < node->rank; d++) {
    unsigned count = 0;
    for (unsigned axis = 0; axis < statement->axes; axis++)
      if (target->index[d].scale[axis] != 0) count++;
    if (count > 1)
      return pp_fail_node(sealing->failure, PP_BAD_ROUTINE, node->uid,
                          "statement %zu: index %u of the target %s has %u "
                          "axes, at most one may be",
                          sealing->at, d, node->label, count);
  }
  return PP_OK;
}

static pp_status check_target(const pp_sealing *sealing, bool *reduces) {
  const pp_node *node =
      &sealing->routine->node[sealing->statement->target.node];
  if ((node->intents & (PP_CONSTANT | PP_MERGE)) != 0)
    return pp_fail_node(
        sealing->failure, PP_BAD_ROUTINE, node->uid,
        "statement %zu: writes node %s, which is %s", sealing->at, node->label,
        node->intents == PP_MERGE ? "a merge node" : "constant");
  pp_status status = check_scope(sealing, &sealing->statement->target, 0);
  if (status == PP_OK) status = check_axes(sealing, reduces);
  if (status != PP_OK) return status;
  return check_inside(sealing, &sealing->statement->target, 0);
}

/* A read, in loops over these inner axes. */
static pp_status check_read(const pp_sealing *sealing, const pp_access *read,
                            bool reduces, unsigned open) {
  const pp_access *target = &sealing->statement->target;
  pp_status status = check_scope(sealing, read, open);
  if (status != PP_OK) return status;
  if (read->node == target->node &&
      (reduces || !same_access(sealing, read, target))) {
    const pp_node *node = &sealing->routine->node[read->node];
    return pp_fail_node(
        sealing->failure, PP_BAD_ROUTINE, node->uid,
        reduces ? "statement %zu: reads its target %s and has reduction axes"
                : "statement %zu: reads its target %s at another index",
        sealing->at, node->label);
  }
  return check_inside(sealing, read, open);
}

static pp_status check_reads(const pp_sealing *sealing, bool reduces) {
  const pp_statement *statement = sealing->statement;
  pp_stack stack = {0};
  pp_status status = PP_OK;
  for (unsigned k = 0; status == PP_OK && k < statement->steps; k++) {
    const pp_step *step = &statement->step[k];
    (void)pp_stack_step(&stack, statement, step);
    if (step->op == PP_OP_LOAD)
      status = check_read(sealing, &statement->read[step->read], reduces,
                          stack.open);
  }
  return status;
}

static pp_status check_operations(const pp_sealing *sealing) {
  const pp_statement *statement = sealing->statement;
  const pp_node *node = &sealing->routine->node[statement->target.node];
  const pp_dtype_info *info = pp_dtype_look(node->dtype);
  for (unsigned k = 0; k < statement->steps; k++) {
    const pp_step *step = &statement->step[k];
    if (!info->is_float && (step->op == PP_OP_DIV || step->op == PP_OP_SQRT))
      return pp_fail_node(sealing->failure, PP_BAD_ROUTINE, node->uid,
                          "statement %zu: %s is for floats, and the target "
                          "%s is %s",
                          sealing->at, pp_op_name(step->op), node->label,
                          info->name);
    if (step->op == PP_OP_LIT && info->bytes < sizeof step->bits &&
        step->bits >> (8 * info->bytes) != 0)
      return pp_fail_node(sealing->failure, PP_BAD_ROUTINE, node->uid,
                          "statement %zu: step %u: the literal has more bits "
                          "than the target %s, which is %s",
                          sealing->at, k, node->label, info->name);
  }
  return PP_OK;
}

static pp_status check_nodes_are_there(const pp_sealing *sealing) {
  const pp_statement *statement = sealing->statement;
  size_t nodes = sealing->routine->nodes;
  if (statement->target.node >= nodes)
    return pp_fail(sealing->failure, PP_BAD_ROUTINE,
                   "statement %zu: the target is node number %zu of %zu",
                   sealing->at, statement->target.node, nodes);
  for (unsigned k = 0; k < statement->reads; k++)
    if (statement->read[k].node >= nodes)
      return pp_fail(sealing->failure, PP_BAD_ROUTINE,
                     "statement %zu: read %u is of node number %zu of %zu",
                     sealing->at, k, statement->read[k].node, nodes);
  return PP_OK;
}

/* A statement as far as it is in canonical form.
 * to     of each axis that is open: its axis there
 * stack  behind the last step */
typedef struct pp_canonical {
  unsigned to[PP_AXES];
  pp_stack stack;
  pp_statement plain;
} pp_canonical;

static pp_access plain_access(const pp_sealing *sealing,
                              const pp_canonical *canonical,
                              const pp_access *access) {
  pp_access plain = {.node = access->node};
  for (unsigned d = 0; d < rank_of(sealing, access); d++) {
    plain.index[d].base = access->index[d].base;
    for (unsigned axis = 0; axis < all_axes(sealing->statement); axis++) {
      int64_t scale = access->index[d].scale[axis];
      if (scale != 0) plain.index[d].scale[canonical->to[axis]] = scale;
    }
  }
  return plain;
}

/* The read's number among those that are there; PP_READS: one too many. */
static unsigned plain_read(const pp_sealing *sealing, pp_canonical *canonical,
                           unsigned read) {
  pp_statement *plain = &canonical->plain;
  const pp_access access =
      plain_access(sealing, canonical, &sealing->statement->read[read]);
  unsigned rank = rank_of(sealing, &access);
  for (unsigned k = 0; k < plain->reads; k++)
    if (pp_same_access(&plain->read[k], &access, rank, PP_AXES)) return k;
  if (plain->reads == PP_READS) return PP_READS;
  plain->read[plain->reads] = access;
  plain->reads++;
  return plain->reads - 1;
}

static pp_step plain_loop(const pp_sealing *sealing, pp_canonical *canonical,
                          const pp_step *loop) {
  pp_step step =
      pp_loop_begin(&canonical->plain, canonical->stack.open,
                    &sealing->statement->extent[loop->axis], loop->axes);
  for (unsigned k = 0; k < loop->axes; k++)
    canonical->to[loop->axis + k] = step.axis + k;
  return step;
}

static pp_step plain_step(const pp_sealing *sealing, pp_canonical *canonical,
                          const pp_step *step) {
  pp_step plain = {.op = step->op};
  switch (step->op) {
  case PP_OP_LIT:
    plain.bits = step->bits;
    break;
  case PP_OP_LOAD:
    plain.read = plain_read(sealing, canonical, step->read);
    break;
  case PP_OP_KEEP:
  case PP_OP_AGAIN:
    plain.slot = step->slot;
    break;
  case PP_OP_LOOP:
    return plain_loop(sealing, canonical, step);
  case PP_OP_NEXT:
    plain.fold = step->fold;
    break;
  default:
    break;
  }
  return plain;
}

static pp_status make_canonical(const pp_sealing *sealing, pp_statement *to) {
  const pp_statement *from = sealing->statement;
  pp_canonical canonical = {.plain = {.kind = from->kind,
                                      .joins = from->joins,
                                      .axes = from->axes,
                                      .fold = from->fold,
                                      .steps = from->steps}};
  pp_statement *plain = &canonical.plain;
  for (unsigned axis = 0; axis < from->axes; axis++) {
    plain->extent[axis] = from->extent[axis];
    canonical.to[axis] = axis;
  }
  plain->target = plain_access(sealing, &canonical, &from->target);
  for (unsigned k = 0; k < from->steps; k++) {
    plain->step[k] = plain_step(sealing, &canonical, &from->step[k]);
    if (!pp_stack_step(&canonical.stack, plain, &plain->step[k]))
      return pp_fail(
          sealing->failure, PP_BAD_ROUTINE,
          "statement %zu: step %u: too many axes or reads once loops "
          "share the axes of one extent",
          sealing->at, k);
  }
  *to = *plain;
  return PP_OK;
}

static pp_status seal_statement(pp_routine *routine, size_t at,
                                pp_failure *failure) {
  pp_statement *statement = &routine->statement[at];
  const pp_sealing sealing = {routine, at, statement, failure};
  bool reduces = false;
  if (statement->kind == PP_BARRIER) return PP_OK;
  pp_status status = check_nodes_are_there(&sealing);
  if (status == PP_OK) status = check_target(&sealing, &reduces);
  if (status == PP_OK) status = check_reads(&sealing, reduces);
  if (status == PP_OK) status = check_operations(&sealing);
  if (status == PP_OK) status = make_canonical(&sealing, statement);
  return status;
}

static pp_status seal_statements(pp_routine *routine, size_t *at,
                                 pp_failure *failure) {
  pp_touch *touch = calloc(routine->nodes + 1, sizeof *touch);
  if (!touch) return no_memory(failure);
  pp_status status = PP_OK;
  for (size_t k = 0; status == PP_OK && k < routine->statements; k++) {
    status = seal_statement(routine, k, failure);
    if (status == PP_OK) status = pp_statement_join(routine, k, touch, failure);
    if (status != PP_OK) *at = k;
  }
  free(touch);
  return status;
}

static bool is_merge(const pp_routine *routine, uint64_t node) {
  return (routine->node[node].intents & PP_MERGE) != 0;
}

/* Two nodes of which only one may be; later is SIZE_MAX: there are none. */
typedef struct pp_twice {
  size_t earlier;
  size_t later;
} pp_twice;

/* order = node indices by increasing uid; *twice: the first two of one uid; a
 * merge node and another one may have the same. False: no memory. */
static bool sort_by_uid(const pp_routine *routine, size_t *order,
                        pp_twice *twice) {
  size_t n = routine->nodes;
  pp_pair *pairs = pp_scratch_new(NULL, n, 2 * sizeof *pairs);
  if (!pairs) return false;
  for (size_t i = 0; i < n; i++)
    pairs[i] = (pp_pair){routine->node[i].uid, i};
  pp_sort_pairs(pairs, pairs + n, n);
  for (size_t i = 0; i < n; i++) {
    order[i] = (size_t)pairs[i].value;
    if (i == 0 || pairs[i].key != pairs[i - 1].key) continue;
    bool third = i > 1 && pairs[i].key == pairs[i - 2].key;
    bool alike = is_merge(routine, pairs[i].value) ==
                 is_merge(routine, pairs[i - 1].value);
    if ((alike || third) && order[i] < twice->later)
      *twice = (pp_twice){order[i - 1], order[i]};
  }
  pp_scratch_free(NULL, pairs);
  return true;
}

/* *twice: the first two of one label. False: no memory. */
static bool label_twice(const pp_routine *routine, pp_twice *twice) {
  const pp_node **nodes = pp_nodes_by_label(routine);
  if (!nodes) return false;
  for (size_t i = 1; i < routine->nodes; i++) {
    size_t at = (size_t)(nodes[i] - routine->node);
    if (strcmp(nodes[i - 1]->label, nodes[i]->label) == 0 && at < twice->later)
      *twice = (pp_twice){(size_t)(nodes[i - 1] - routine->node), at};
  }
  free(nodes);
  return true;
}

pp_status pp_nodes_check(pp_routine *routine, size_t *node,
                         pp_failure *failure) {
  pp_twice uid = {.later = SIZE_MAX};
  pp_twice label = {.later = SIZE_MAX};
  if (!pp_is_name(routine->name))
    return pp_fail(failure, PP_BAD_ROUTINE,
                   "a routine's name is letters, digits and _, no digit first");
  free(routine->order);
  routine->order = pp_scratch_new(NULL, routine->nodes, sizeof(size_t));
  if (!routine->order || !sort_by_uid(routine, routine->order, &uid) ||
      !label_twice(routine, &label))
    return no_memory(failure);
  bool by_uid = uid.later <= label.later;
  const pp_twice *twice = by_uid ? &uid : &label;
  if (twice->later == SIZE_MAX) return PP_OK;
  *node = twice->later;
  const pp_node *earlier = &routine->node[twice->earlier];
  const pp_node *later = &routine->node[twice->later];
  unsigned long long number = later->uid;
  if (by_uid)
    return pp_fail_node(failure, PP_BAD_ROUTINE, later->uid,
                        "node %llu %s: node %s has the same uid", number,
                        later->label, earlier->label);
  return pp_fail_node(failure, PP_BAD_ROUTINE, later->uid,
                      "node %llu %s: node %llu has the same label", number,
                      later->label, (unsigned long long)earlier->uid);
}

pp_status pp_routine_seal_at(pp_routine *routine, pp_place *place,
                             pp_failure *failure) {
  *place = (pp_place){SIZE_MAX, SIZE_MAX};
  if (routine->code)
    return pp_fail(failure, PP_BAD_ROUTINE, "the routine is sealed already");
  free(routine->position);
  routine->position = pp_scratch_new(NULL, routine->statements, sizeof(size_t));
  if (!routine->position) return no_memory(failure);
  pp_status status = pp_nodes_check(routine, &place->node, failure);
  if (status == PP_OK)
    status = seal_statements(routine, &place->statement, failure);
  if (status == PP_OK) status = pp_spans_check(routine, &place->node, failure);
  if (status != PP_OK) return status;
  routine->code = pp_code_make(routine);
  if (!routine->code) return no_memory(failure);
  return PP_OK;
}

pp_status pp_routine_seal(pp_routine *routine, pp_failure *failure) {
  pp_place place;
  return pp_routine_seal_at(routine, &place, failure);
}
