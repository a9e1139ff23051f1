#include "internal.h"

static pp_status refuse(pp_failure *failure, size_t at, const char *words,
                        size_t other) {
  if (other == at)
    return pp_fail(failure, PP_BAD_ROUTINE,
                   "statement %zu: joins a kernel and %s (RTN-5)", at, words);
  return pp_fail(failure, PP_BAD_ROUTINE,
                 "statement %zu: joins a kernel, and statement %zu %s (RTN-5)",
                 at, other, words);
}

static bool reduces(const pp_routine *routine, const pp_statement *statement) {
  return pp_statement_reduces(statement,
                              routine->node[statement->target.node].rank);
}

/* May the statement be in a kernel with the one before it? */
static pp_status check_pair(const pp_routine *routine, size_t at,
                            pp_failure *failure) {
  if (at == 0)
    return pp_fail(failure, PP_BAD_ROUTINE,
                   "statement 0: joins a kernel, and there is none before it "
                   "(RTN-5)");
  for (size_t k = at - 1; k <= at; k++)
    if (routine->statement[k].kind != PP_ASSIGN)
      return refuse(failure, at, "is no assignment", k);
  for (size_t k = at - 1; k <= at; k++)
    if (reduces(routine, &routine->statement[k]))
      return refuse(failure, at, "has reduction axes", k);
  if (!pp_same_loops(&routine->statement[at - 1], &routine->statement[at]))
    return refuse(failure, at, "has other loops", at - 1);
  return PP_OK;
}

bool pp_touch_access(pp_touch *touch, size_t kernel, const pp_access *access,
                     unsigned rank, bool writes) {
  bool fresh = touch->kernel != kernel;
  if (fresh) *touch = (pp_touch){.kernel = kernel, .first = access};
  if (!pp_same_access(touch->first, access, rank, PP_AXES)) touch->mixed = true;
  if (writes) touch->writes = true;
  return fresh;
}

/* False: the kernel writes the access's node, and accesses it at two
 * indices. */
static bool touch_node(const pp_routine *routine, size_t kernel,
                       pp_touch *touch, const pp_access *access, bool writes) {
  touch += access->node;
  (void)pp_touch_access(touch, kernel, access, routine->node[access->node].rank,
                        writes);
  return !touch->writes || !touch->mixed;
}

pp_status pp_statement_join(pp_routine *routine, size_t at, pp_touch *touch,
                            pp_failure *failure) {
  const pp_statement *statement = &routine->statement[at];
  pp_status status =
      statement->joins ? check_pair(routine, at, failure) : PP_OK;
  if (status != PP_OK) return status;
  if (!statement->joins) routine->positions++;
  routine->position[at] = routine->positions - 1;
  if (statement->kind == PP_BARRIER) return PP_OK;
  for (unsigned k = 0; k <= statement->reads; k++) {
    bool last = k == statement->reads;
    const pp_access *access = last ? &statement->target : &statement->read[k];
    if (touch_node(routine, routine->positions, touch, access, last)) continue;
    const pp_node *node = &routine->node[access->node];
    return pp_fail_node(failure, PP_BAD_ROUTINE, node->uid,
                        "statement %zu: joins a kernel that writes node %s and "
                        "accesses it at another index (RTN-5)",
                        at, node->label);
  }
  return PP_OK;
}
