/* poolproof: random routines for tests and fuzzing: chains, diamonds, several
 * results, reductions, matrix products, broadcasts, permuted, reversed,
 * strided and shifted indices, updates in place, all dtypes mixed, nodes of
 * no bytes, nodes never used; and sources for lowering, with zeroed gradients,
 * barriers, opaque statements and loops in expressions.
 * SPDX-License-Identifier: MIT */
#ifndef PP_ROUTINES_H
#define PP_ROUTINES_H

#include <poolproof/routine.h>

#include "random.h"

enum {
  PP_ROUTINE_NODES = 24,     /* of a random routine at most */
  PP_ROUTINE_STATEMENTS = 24 /* the same */
};

/* What a random routine may be. Numbers above the limits count as the limit.
 * first_uid   new nodes have uids in [first_uid, first_uid + nodes)
 * nodes       new ones at most, not 0; half the limit at most
 * statements  at most, not 0
 * extent      of a dimension at most, not 0
 * source      no spans: they are for lowering to find. Zeroings first,
 *             elementwise chains, loops in expressions, barriers; seldom opaque
 * huge        dimensions up to 2^40 and no data: nothing that could run
 * wild        values at the ends of the types, infinities, NaNs; without it
 *             numbers stay small for a while
 * known       nodes that exist already: some are used, with their uid, dtype,
 *             dims and intents, without span and data
 * merge       a node that the routine may read from the merge buffer (uid,
 *             dtype and dims count), or NULL; a known one may have its uid */
typedef struct pp_routine_limits {
  uint64_t first_uid;
  size_t nodes;
  size_t statements;
  uint64_t extent;
  bool source;
  bool huge;
  bool wild;
  const pp_node *known;
  size_t knowns;
  const pp_node *merge;
} pp_routine_limits;

/* A sealed routine drawn from random, for the caller to free. Spans are worked
 * out here, from RTN-6; most eligible nodes declare one, some a wider one than
 * they need. PP_NO_MEMORY; any other error is a fault of this function or of
 * pp_routine_seal, which the failure describes. */
pp_status pp_random_routine(pp_random *random, const pp_routine_limits *limits,
                            pp_routine **routine, pp_failure *failure);

/* Draws `elements` values of a dtype into `to`. */
void pp_random_values(pp_random *random, pp_dtype dtype, bool wild, void *to,
                      uint64_t elements);

#endif
