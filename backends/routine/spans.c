#include "internal.h"

#include "planner/internal.h"

/* How the statements access one node. */
typedef struct pp_use {
  size_t first; /* SIZE_MAX: never */
  size_t last;
  bool is_read;
  bool set_first; /* the first access is a set that fills the node */
} pp_use;

bool pp_statement_runs(const pp_statement *statement) {
  for (unsigned axis = 0; axis < statement->axes; axis++)
    if (statement->extent[axis] == 0) return false;
  return true;
}

/* No element is written at two points outside reductions, so that counting is
 * enough. */
bool pp_statement_covers(const pp_statement *statement, const pp_node *node) {
  uint64_t points = 1;
  if (!pp_statement_runs(statement)) return pp_node_elements(node) == 0;
  for (unsigned axis = 0; axis < statement->axes; axis++)
    if (pp_access_moves(&statement->target, node->rank, axis))
      points = pp_product(points, statement->extent[axis]);
  return points == pp_node_elements(node);
}

bool pp_statement_fills(const pp_statement *statement, const pp_node *node) {
  return statement->kind != PP_BARRIER && statement->fold == PP_FOLD_SET &&
         pp_statement_covers(statement, node);
}

static pp_use *touch(pp_use *use, size_t at) {
  if (use->first == SIZE_MAX) use->first = at;
  use->last = at;
  return use;
}

static void follow_statement(const pp_routine *routine, size_t at,
                             pp_use *use) {
  const pp_statement *statement = &routine->statement[at];
  size_t position = routine->position[at];
  for (unsigned r = 0; r < statement->reads; r++)
    touch(&use[statement->read[r].node], position)->is_read = true;
  size_t target = statement->target.node;
  bool fresh = use[target].first == SIZE_MAX;
  touch(&use[target], position)->set_first |=
      fresh && pp_statement_fills(statement, &routine->node[target]);
}

/* *opaque: is there an opaque statement? */
static void follow(const pp_routine *routine, pp_use *use, bool *opaque) {
  for (size_t i = 0; i < routine->nodes; i++)
    use[i] = (pp_use){.first = SIZE_MAX};
  for (size_t k = 0; k < routine->statements; k++) {
    if (routine->statement[k].kind == PP_OPAQUE) *opaque = true;
    if (routine->statement[k].kind != PP_BARRIER)
      follow_statement(routine, k, use);
  }
}

/* Why the node may not have a span, or NULL. */
static const char *not_eligible(const pp_node *node, const pp_use *use,
                                bool opaque) {
  if (opaque) return "the routine has opaque statements";
  if ((node->intents & PP_OBSERVABLE) != 0) return "it is observable";
  if ((node->intents & PP_CONSTANT) != 0) return "it is constant";
  if ((node->intents & PP_HOST) != 0) return "it is host-initialised";
  if ((node->intents & PP_MERGE) != 0) return "it is a merge node";
  if (node->data) return "it has data";
  if (!use->is_read) return "no statement reads it";
  if (!use->set_first) return "its first access is not a set that fills it";
  return NULL;
}

static pp_status check_span(const pp_node *node, const pp_use *use, bool opaque,
                            pp_failure *failure) {
  unsigned long long lo = node->lo;
  unsigned long long hi = node->hi;
  const char *why = not_eligible(node, use, opaque);
  if (lo > hi)
    return pp_fail_node(failure, PP_BAD_SPAN, node->uid,
                        "node %s: span %llu %llu begins after its end (RTN-6)",
                        node->label, lo, hi);
  if (why)
    return pp_fail_node(failure, PP_BAD_SPAN, node->uid,
                        "node %s: may not have a span: %s (RTN-6)", node->label,
                        why);
  if (use->first < node->lo || use->last > node->hi)
    return pp_fail_node(failure, PP_BAD_SPAN, node->uid,
                        "node %s: span %llu %llu does not cover its accesses, "
                        "positions %zu to %zu (RTN-6)",
                        node->label, lo, hi, use->first, use->last);
  return PP_OK;
}

pp_status pp_spans_check(const pp_routine *routine, size_t *node,
                         pp_failure *failure) {
  pp_use *use = pp_scratch_new(NULL, routine->nodes, sizeof *use);
  if (!use)
    return pp_fail(failure, PP_NO_MEMORY, "no memory to seal the routine");
  bool opaque = false;
  follow(routine, use, &opaque);
  pp_status status = PP_OK;
  for (size_t i = 0; status == PP_OK && i < routine->nodes; i++)
    if (routine->node[i].has_span) {
      status = check_span(&routine->node[i], &use[i], opaque, failure);
      *node = status == PP_OK ? SIZE_MAX : i;
    }
  pp_scratch_free(NULL, use);
  return status;
}
