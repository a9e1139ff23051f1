/* poolproof: the footprint, read plainly off FPT-1 with the proved planners.
 * SPDX-License-Identifier: MIT */
#ifndef PP_PLAIN_SCORE_H
#define PP_PLAIN_SCORE_H

#include <poolproof/footprint.h>

/* What pp_score_footprint must answer, failure's uid included. Cubic in the
 * nodes. */
pp_status pp_plain_score(const pp_routine *routine,
                         const pp_score_options *options,
                         pp_footprint *footprint, pp_failure *failure);

/* The same of n nodes, all in context, in any order. exactly: cap and alignment
 * as they are, a 0 is no default. */
pp_status pp_plain_score_nodes(const pp_node *node, size_t n,
                               const pp_score_options *exactly,
                               pp_footprint *footprint, pp_failure *failure);

#endif
