/* poolproof: lowering: final code of a routine as it is written (rules RTN).
 *
 *   pp_lowered *lowered;
 *   pp_lower(source, NULL, &lowered, &why);
 *   pp_link(root, lowered->routine, NULL, &step, &why);
 *   pp_lowered_free(lowered);
 *
 * Lowering sinks zeroings (RTN-2), computes intermediates where they are read
 * instead of keeping them (RTN-3), cuts the statements into kernels (RTN-5)
 * and works out the spans (RTN-6). Values of the nodes that stay are, bit for
 * bit, what the source computes.
 *
 * What is decided about nodes is kept in a lineage. A lineage is immutable:
 * what would change it answers a fork, so that analysing or lowering any
 * number of siblings in any order changes nothing that a later one sees
 * (RTN-1). Same source, options and lineage: same answer, in every process.
 * All functions are thread-safe. SPDX-License-Identifier: MIT */
#ifndef PP_LOWER_H
#define PP_LOWER_H

#include <poolproof/failure.h>
#include <poolproof/routine.h>
#include <poolproof/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* RTN-3: materialised nodes are in context; virtual ones have no bytes. */
typedef enum pp_placement { PP_MATERIALISED, PP_VIRTUAL } pp_placement;

/* Why a node is where it is: enumerator, text that goes on "materialised, " or
 * "virtual, ". First what the law says, in the order in which it is looked at:
 * those nodes cannot be virtual. Then what was decided. */
#define PP_REASONS(X)                                                          \
  X(INTENT, "it has an intent")                                                \
  X(DATA, "it has data")                                                       \
  X(HELD, "the context holds it")                                              \
  X(OPAQUE, "the routine has opaque statements")                               \
  X(UNFILLED, "its first access is not a set that fills it")                   \
  X(RECURRENCE, "it is computed from its own values, or in parts")             \
  X(NEVER_READ, "no statement reads it")                                       \
  X(INTERRUPTED, "it is read before its last statement")                       \
  X(PRECISION, "a reader computes in another precision")                       \
  X(BARRIER, "a barrier is between it and a reader")                           \
  X(NO_POINTS, "a reader has loops without points")                            \
  X(OPERAND, "an operand is written before a reader")                          \
  X(LIMITS, "the expression would pass the limits of a statement")             \
  X(DECIDED, "as decided")                                                     \
  X(POLICY, "by policy")                                                       \
  X(UNUSED, "nothing accesses it")

typedef enum pp_reason {
#define PP_REASON_ENUM(NAME, text) PP_REASON_##NAME,
  PP_REASONS(PP_REASON_ENUM)
#undef PP_REASON_ENUM
      PP_REASON_COUNT
} pp_reason;

const char *pp_reason_text(pp_reason reason);

/* What is decided where the law leaves a choice and no decision was made.
 * cost         virtual when the cost is at most the cap
 * inline       virtual
 * materialise  materialised */
typedef enum pp_policy {
  PP_POLICY_COST = 0,
  PP_POLICY_INLINE,
  PP_POLICY_MATERIALISE
} pp_policy;

/* The cap of PP_POLICY_COST unless told otherwise: say, computed once from four
 * elements, or twice from two. */
enum { PP_COST_CAP = 4 };

/* A context's decisions, placements and recorded computations. */
typedef struct pp_lineage pp_lineage;

/* An empty one with one holder, or NULL without memory. */
pp_lineage *pp_lineage_new(void);
pp_lineage *pp_lineage_hold(pp_lineage *lineage);

/* One holder less. NULL is nothing. */
void pp_lineage_free(pp_lineage *lineage);

/* RTN-3: *fork = lineage (NULL: an empty one) with the decision that the node
 * is virtual, or materialised, from now on; it overrides policy, never the
 * law. PP_NO_MEMORY. */
pp_status pp_decide_inline(const pp_lineage *lineage, uint64_t uid,
                           pp_lineage **fork, pp_failure *failure);
pp_status pp_decide_materialized(const pp_lineage *lineage, uint64_t uid,
                                 pp_lineage **fork, pp_failure *failure);

/* Where a node was placed, and by which routine. */
typedef struct pp_provenance {
  pp_placement placement;
  pp_reason reason;
  const char *routine; /* its name; the lineage's own */
} pp_provenance;

/* False: no routine of the lineage has the node. NULL is an empty lineage. */
bool pp_lineage_placed(const pp_lineage *lineage, uint64_t uid,
                       pp_provenance *provenance);

/* What lowering needs to know. NULL, or all zero: the defaults.
 * policy, cost_cap  cost_cap 0: PP_COST_CAP
 * no_sinking        zeroings stay where they are
 * kernel_statements RTN-5: 0: a kernel a statement, as for backends that
 *                   synchronise between statements; otherwise neighbours are
 *                   merged, at most so many in a kernel
 * kernel_operands   nodes that a kernel accesses at most; 0: any number
 * stages            also write the stages as text
 * lineage           what to fork; NULL: an empty one
 * held              does the context hold a node already? NULL: none */
typedef struct pp_lower_options {
  pp_policy policy;
  uint64_t cost_cap;
  bool no_sinking;
  size_t kernel_statements;
  size_t kernel_operands;
  bool stages;
  const pp_lineage *lineage;
  bool (*held)(const void *holder, uint64_t uid);
  const void *holder;
} pp_lower_options;

/* One node of the source.
 * cost  RTN-4: a bound on what computing it where it is read costs: reduction
 *       extent x reads of a cell x elements read for each value, saturating;
 *       0 where the law allows no choice */
typedef struct pp_placed {
  uint64_t uid;
  char label[PP_LABEL];
  pp_placement placement;
  pp_reason reason;
  uint64_t cost;
} pp_placed;

/* What lowering answers.
 * routine    the final code, sealed; its name is the source's, or the source's
 *            with _2, _3, ... where the lineage has that name already. NULL in
 *            a surface
 * placed     all nodes of the source, by uid
 * candidate  RTN-4: those that policy decided, by cost, the highest first, then
 *            by uid: the flips
 * lineage    the fork, for the child context. NULL in a surface
 * stages     the text of all stages, when asked for, else NULL */
typedef struct pp_lowered {
  pp_routine *routine;
  size_t nodes;
  pp_placed *placed;
  size_t candidates;
  pp_placed *candidate;
  pp_lineage *lineage;
  char *stages;
} pp_lowered;

/* Lowers a sealed routine; its spans and kernels are not looked at.
 *
 * A node that an earlier routine of the lineage made virtual, and whose value
 * this one needs, is computed anew here, if it is computed from constants
 * alone, is not written here, and has no intent but observable here. Nothing
 * else may be computed again: no lineage knows who wrote the other nodes since.
 * Such a node needs pp_decide_materialized before its own routine is lowered.
 *
 * PP_BAD_ROUTINE: not sealed; a virtual node is needed that may not be computed
 * again, or differs from what the lineage knows under its uid. PP_NO_MEMORY.
 * After an error nothing is left. Time grows with the statements, and memory
 * too; a lineage has all nodes of its routines, and each fork has its own
 * copy. */
pp_status pp_lower(const pp_routine *source, const pp_lower_options *options,
                   pp_lowered **lowered, pp_failure *failure);

/* RTN-7: the same without final code and without a fork. */
pp_status pp_decision_surface(const pp_routine *source,
                              const pp_lower_options *options,
                              pp_lowered **surface, pp_failure *failure);

/* NULL is nothing. */
void pp_lowered_free(pp_lowered *lowered);

#ifdef __cplusplus
}
#endif

#endif
