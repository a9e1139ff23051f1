/* poolproof: which lines run in one kernel (RTN-5).
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

#include "planner/internal.h"

#include <stdlib.h>

/* The kernel that the next line might join.
 * number      from 1; 0: there is none
 * statements  in it
 * operands    nodes that it accesses
 * last        its last statement */
typedef struct pp_kernel {
  size_t number;
  size_t statements;
  size_t operands;
  const pp_statement *last;
} pp_kernel;

static bool elementwise(const pp_lowering *lowering,
                        const pp_statement *statement) {
  unsigned rank = lowering->node[statement->target.node].rank;
  return statement->kind == PP_ASSIGN && !pp_statement_reduces(statement, rank);
}

/* Access k of a statement; the last one is its target. */
static const pp_access *access_of(const pp_statement *statement, unsigned k) {
  return k == statement->reads ? &statement->target : &statement->read[k];
}

/* Would the access still be at the one index of a node that the kernel
 * writes? */
static bool aligned(const pp_lowering *lowering, const pp_touch *touch,
                    const pp_access *access, bool writes) {
  if (!writes && !touch->writes) return true;
  return !touch->mixed &&
         pp_same_access(touch->first, access, lowering->node[access->node].rank,
                        PP_AXES);
}

/* Nodes of the statement that the kernel does not access yet; SIZE_MAX: the
 * statement needs the whole result of one in it, or the other way around. A
 * node that it reads and writes itself is at one index: it is sealed. */
static size_t new_operands(const pp_lowering *lowering, const pp_touch *touch,
                           const pp_kernel *kernel,
                           const pp_statement *statement) {
  size_t fresh = 0;
  for (unsigned k = 0; k <= statement->reads; k++) {
    const pp_access *access = access_of(statement, k);
    bool writes = access->node == statement->target.node;
    bool known = touch[access->node].kernel == kernel->number;
    if (known && !aligned(lowering, &touch[access->node], access, writes))
      return SIZE_MAX;
    bool seen = known;
    for (unsigned j = 0; j < k && !seen; j++)
      seen = access_of(statement, j)->node == access->node;
    if (!seen) fresh++;
  }
  return fresh;
}

static bool may_join(const pp_lowering *lowering, const pp_touch *touch,
                     const pp_kernel *kernel, const pp_statement *statement) {
  const pp_lower_options *options = &lowering->options;
  if (kernel->number == 0 || !kernel->last ||
      kernel->statements >= options->kernel_statements ||
      !elementwise(lowering, statement) ||
      !pp_same_loops(kernel->last, statement))
    return false;
  size_t fresh = new_operands(lowering, touch, kernel, statement);
  return fresh != SIZE_MAX &&
         (options->kernel_operands == 0 ||
          kernel->operands + fresh <= options->kernel_operands);
}

static void enter(const pp_lowering *lowering, pp_touch *touch,
                  pp_kernel *kernel, const pp_statement *statement) {
  kernel->statements++;
  kernel->last = elementwise(lowering, statement) ? statement : NULL;
  for (unsigned k = 0; k <= statement->reads; k++) {
    const pp_access *access = access_of(statement, k);
    if (pp_touch_access(&touch[access->node], kernel->number, access,
                        lowering->node[access->node].rank,
                        k == statement->reads))
      kernel->operands++;
  }
}

pp_status pp_schedule(pp_lowering *lowering) {
  pp_kernel kernel = {0};
  if (lowering->options.kernel_statements < 2) return PP_OK;
  pp_touch *touch = calloc(lowering->nodes + 1, sizeof *touch);
  if (!touch) return pp_lowering_no_memory(lowering);
  for (size_t i = 0; i < lowering->lines; i++) {
    if (lowering->gone[i]) continue;
    const pp_statement *statement = pp_lowering_line(lowering, i);
    lowering->joins[i] = may_join(lowering, touch, &kernel, statement);
    if (!lowering->joins[i]) kernel = (pp_kernel){.number = kernel.number + 1};
    if (statement->kind != PP_BARRIER)
      enter(lowering, touch, &kernel, statement);
  }
  free(touch);
  return PP_OK;
}
