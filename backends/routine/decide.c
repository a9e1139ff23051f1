/* poolproof: which nodes are virtual (RTN-3), and what that costs (RTN-4).
 * SPDX-License-Identifier: MIT */
#include "lowering.h"

#include "internal.h"

/* More than any limit, and far from overflow. */
enum { PLENTY = 1 << 20 };

static unsigned add(unsigned a, unsigned b) {
  return a + b < PLENTY ? a + b : PLENTY;
}

static const pp_fact *virtual_fact(const pp_lowering *lowering, size_t node) {
  const pp_fact *fact = &lowering->fact[node];
  return fact->placement == PP_VIRTUAL ? fact : NULL;
}

/* How often the steps load a read. */
static unsigned loads(const pp_statement *statement, unsigned read) {
  unsigned count = 0;
  for (unsigned k = 0; k < statement->steps; k++)
    if (statement->step[k].op == PP_OP_LOAD && statement->step[k].read == read)
      count++;
  return count;
}

static unsigned depth_of(const pp_lowering *lowering,
                         const pp_statement *statement) {
  unsigned depth = 0;
  unsigned height = 0;
  for (unsigned k = 0; k < statement->steps; k++) {
    const pp_step *step = &statement->step[k];
    const pp_fact *fact =
        step->op == PP_OP_LOAD
            ? virtual_fact(lowering, statement->read[step->read].node)
            : NULL;
    unsigned here = fact ? add(height, fact->bulk.depth) : 0;
    height = height + 1 - (unsigned)pp_op_arity(step->op);
    if (here < height) here = height;
    if (here > depth) depth = here;
  }
  return depth;
}

/* Reads of the line's own, and nodes that only virtual ones read. A node that
 * they read at several indices counts once: what that hides shows when the
 * line is written. */
static unsigned reads_of(const pp_lowering *lowering,
                         const pp_statement *statement) {
  size_t seen[PP_READS * PP_READS];
  unsigned nodes = 0;
  unsigned reads = 0;
  for (unsigned r = 0; r < statement->reads; r++) {
    if (virtual_fact(lowering, statement->read[r].node)) continue;
    seen[nodes++] = statement->read[r].node;
    reads++;
  }
  for (unsigned r = 0; r < statement->reads; r++) {
    const pp_fact *fact = virtual_fact(lowering, statement->read[r].node);
    for (unsigned k = 0; fact && k < fact->leaves; k++) {
      unsigned at = 0;
      while (at < nodes && seen[at] != fact->leaf[k])
        at++;
      if (at < nodes) continue;
      seen[nodes++] = fact->leaf[k];
      reads++;
    }
  }
  return reads;
}

/* What the line takes with virtual nodes in their places, at most. */
static pp_bulk bulk_of_line(const pp_lowering *lowering,
                            const pp_statement *statement) {
  pp_bulk bulk = {.steps = statement->steps,
                  .depth = depth_of(lowering, statement),
                  .inner = statement->inner,
                  .reads = reads_of(lowering, statement)};
  for (unsigned k = 0; k < statement->steps; k++)
    if (statement->step[k].op == PP_OP_KEEP) bulk.slots = add(bulk.slots, 1);
  for (unsigned r = 0; r < statement->reads; r++) {
    const pp_fact *fact = virtual_fact(lowering, statement->read[r].node);
    if (!fact) continue;
    unsigned shared = loads(statement, r) > 1 ? 1 : 0;
    bulk.steps = add(bulk.steps, fact->bulk.steps - 1 + shared);
    bulk.slots = add(bulk.slots, fact->bulk.slots + shared);
    bulk.inner = add(bulk.inner, fact->bulk.inner);
    if (fact->bulk.levels >= bulk.levels) bulk.levels = fact->bulk.levels + 1;
  }
  return bulk;
}

static bool bulk_fits(const pp_bulk *bulk, unsigned axes) {
  return bulk->steps <= PP_STEPS && bulk->depth <= PP_DEPTH &&
         bulk->slots <= PP_SLOTS && bulk->reads <= PP_READS &&
         bulk->levels <= PP_STEPS && add(bulk->inner, axes) <= PP_AXES;
}

/* Axes that are loops of the expression once the node is virtual. */
static unsigned reductions(const pp_lowering *lowering,
                           const pp_statement *statement) {
  unsigned rank = lowering->node[statement->target.node].rank;
  unsigned count = 0;
  for (unsigned axis = 0; axis < statement->axes; axis++)
    if (statement->extent[axis] != 1 &&
        !pp_access_moves(&statement->target, rank, axis))
      count++;
  return count;
}

/* The node's expression: its first write's, then each fold of what follows. */
static pp_bulk bulk_of_node(const pp_lowering *lowering, const pp_fact *fact) {
  pp_bulk bulk = {.reads = fact->leaves};
  for (size_t w = 0; w < fact->writes; w++) {
    const pp_statement *statement =
        lowering->line[lowering->write[fact->write + w]];
    pp_bulk one = bulk_of_line(lowering, statement);
    unsigned loops = reductions(lowering, statement);
    unsigned below = w > 0 ? 1 : 0;
    bulk.steps = add(bulk.steps, one.steps + below + (loops > 0 ? 1 : 0));
    bulk.slots = add(bulk.slots, one.slots);
    bulk.inner = add(bulk.inner, add(one.inner, loops));
    if (one.depth + below > bulk.depth) bulk.depth = one.depth + below;
    if (one.levels > bulk.levels) bulk.levels = one.levels;
  }
  return bulk;
}

/* Is the operand written after line `from`, up to line `to`? */
static bool written_between(const pp_lowering *lowering, size_t operand,
                            size_t from, size_t to) {
  const pp_fact *fact = &lowering->fact[operand];
  const size_t *write = lowering->write + fact->write;
  size_t lo = 0;
  size_t hi = fact->writes;
  while (lo < hi) {
    size_t middle = lo + (hi - lo) / 2;
    if (write[middle] <= from)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo < fact->writes && write[lo] <= to;
}

/* One more node that the expression reads; false when there are too many. */
static bool add_leaf(pp_fact *fact, size_t leaf) {
  for (unsigned k = 0; k < fact->leaves; k++)
    if (fact->leaf[k] == leaf) return true;
  if (fact->leaves == PP_READS) return false;
  fact->leaf[fact->leaves++] = leaf;
  return true;
}

/* The leaves that one write adds, each unwritten from there to the last
 * reader. PP_REASON_POLICY: nothing is against it. */
static pp_reason see_operands(const pp_lowering *lowering, pp_fact *fact,
                              size_t at) {
  const pp_statement *statement = lowering->line[at];
  pp_reason reason = PP_REASON_POLICY;
  for (unsigned r = 0; r < statement->reads; r++) {
    size_t node = statement->read[r].node;
    const pp_fact *operand = virtual_fact(lowering, node);
    unsigned leaves = operand ? operand->leaves : 1;
    const size_t *leaf = operand ? operand->leaf : &node;
    uint64_t fan =
        operand ? pp_product(operand->extent, operand->fan) : UINT64_C(1);
    fact->fan = pp_sum(fact->fan, fan);
    for (unsigned k = 0; k < leaves; k++) {
      if (written_between(lowering, leaf[k], at, fact->last_read))
        return PP_REASON_OPERAND;
      if (!add_leaf(fact, leaf[k])) reason = PP_REASON_LIMITS;
    }
  }
  return reason;
}

/* What the law says of the node alone. */
static pp_reason law_of_node(const pp_lowering *lowering, const pp_node *node,
                             const pp_fact *fact) {
  if (node->intents != 0) return PP_REASON_INTENT;
  if (node->data) return PP_REASON_DATA;
  if (pp_lowering_held(lowering, node->uid)) return PP_REASON_HELD;
  if (lowering->opaque) return PP_REASON_OPAQUE;
  if (!fact->filled) return PP_REASON_UNFILLED;
  if (fact->recurrence) return PP_REASON_RECURRENCE;
  if (fact->first_read == SIZE_MAX) return PP_REASON_NEVER_READ;
  size_t first = lowering->write[fact->write];
  if (fact->first_read <= pp_last_write(lowering, fact))
    return PP_REASON_INTERRUPTED;
  if (!fact->precise) return PP_REASON_PRECISION;
  if (lowering->barriers[first] != lowering->barriers[fact->last_read])
    return PP_REASON_BARRIER;
  if (!fact->reached) return PP_REASON_NO_POINTS;
  return PP_REASON_POLICY;
}

static pp_reason law(const pp_lowering *lowering, const pp_node *node,
                     pp_fact *fact) {
  pp_reason reason = law_of_node(lowering, node, fact);
  bool limits = fact->too_big;
  fact->fan = 0;
  fact->leaves = 0;
  if (fact->extent == 0) fact->extent = 1;
  if (fact->reads == 0) fact->reads = 1;
  for (size_t w = 0; reason == PP_REASON_POLICY && w < fact->writes; w++) {
    reason = see_operands(lowering, fact, lowering->write[fact->write + w]);
    if (reason != PP_REASON_LIMITS) continue;
    limits = true;
    reason = PP_REASON_POLICY;
  }
  if (fact->fan == 0) fact->fan = 1;
  return reason == PP_REASON_POLICY && limits ? PP_REASON_LIMITS : reason;
}

static pp_placement policy(const pp_lower_options *options, uint64_t cost) {
  uint64_t cap = options->cost_cap > 0 ? options->cost_cap : PP_COST_CAP;
  if (options->policy == PP_POLICY_COST)
    return cost <= cap ? PP_VIRTUAL : PP_MATERIALISED;
  return options->policy == PP_POLICY_INLINE ? PP_VIRTUAL : PP_MATERIALISED;
}

/* After the node's last write: all that it is computed from is decided. */
static void decide(pp_lowering *lowering, size_t node) {
  pp_fact *fact = &lowering->fact[node];
  uint64_t uid = lowering->node[node].uid;
  fact->reason = law(lowering, &lowering->node[node], fact);
  if (fact->reason != PP_REASON_POLICY) return;
  fact->cost = pp_product(pp_product(fact->extent, fact->reads), fact->fan);
  fact->bulk = bulk_of_node(lowering, fact);
  if (!bulk_fits(&fact->bulk, 0)) {
    fact->reason = PP_REASON_LIMITS;
    fact->cost = 0;
    return;
  }
  fact->placement = policy(&lowering->options, fact->cost);
  bool flips = lowering->flip && lowering->flip[node];
  if (flips) fact->placement = PP_VIRTUAL;
  if (flips ||
      pp_lineage_decision(lowering->options.lineage, uid, &fact->placement))
    fact->reason = PP_REASON_DECIDED;
}

/* Until the line is within a statement's limits, the largest node that was to
 * be virtual in it is not. */
static void make_fit(pp_lowering *lowering, const pp_statement *statement) {
  for (;;) {
    pp_bulk bulk = bulk_of_line(lowering, statement);
    if (bulk_fits(&bulk, statement->axes)) return;
    pp_fact *largest = NULL;
    for (unsigned r = 0; r < statement->reads; r++) {
      pp_fact *fact = &lowering->fact[statement->read[r].node];
      if (fact->placement == PP_VIRTUAL &&
          (!largest || fact->bulk.steps > largest->bulk.steps))
        largest = fact;
    }
    if (!largest) return;
    largest->placement = PP_MATERIALISED;
    largest->reason = PP_REASON_LIMITS;
    largest->cost = 0;
  }
}

/* Before any decision: where nodes that nothing writes stay for good. */
static void reset(pp_lowering *lowering) {
  for (size_t i = 0; i < lowering->nodes; i++) {
    pp_fact *fact = &lowering->fact[i];
    const pp_node *node = &lowering->node[i];
    fact->changed = fact->placement == PP_VIRTUAL;
    fact->placement = PP_MATERIALISED;
    fact->cost = 0;
    if (fact->writes == 0) fact->reason = law_of_node(lowering, node, fact);
  }
}

/* fact.changed was: the node was virtual before. */
static void see_changes(pp_lowering *lowering) {
  for (size_t i = 0; i < lowering->lines; i++) {
    const pp_statement *statement = lowering->line[i];
    if (statement->kind == PP_BARRIER) continue;
    size_t target = statement->target.node;
    pp_fact *fact = &lowering->fact[target];
    bool is_virtual = fact->placement == PP_VIRTUAL;
    lowering->gone[i] = is_virtual;
    if (i != pp_last_write(lowering, fact)) continue;
    fact->changed = fact->changed != is_virtual;
    for (size_t w = 0; is_virtual && w < fact->writes; w++) {
      const pp_statement *write =
          lowering->line[lowering->write[fact->write + w]];
      for (unsigned r = 0; r < write->reads; r++)
        if (lowering->fact[write->read[r].node].changed) fact->changed = true;
    }
  }
}

void pp_decide(pp_lowering *lowering) {
  reset(lowering);
  for (size_t i = 0; i < lowering->lines; i++) {
    const pp_statement *statement = lowering->line[i];
    if (statement->kind == PP_BARRIER) continue;
    make_fit(lowering, statement);
    size_t target = statement->target.node;
    if (i == pp_last_write(lowering, &lowering->fact[target]))
      decide(lowering, target);
  }
  see_changes(lowering);
}
