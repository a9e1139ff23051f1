/* poolproof: the footprint of nodes that are no routine yet.
 * SPDX-License-Identifier: MIT */
#ifndef PP_FOOTPRINT_NODES_H
#define PP_FOOTPRINT_NODES_H

#include <poolproof/footprint.h>

/* pp_score_footprint of these nodes, by uid. */
pp_status pp_footprint_of(const pp_node *const *node, size_t n,
                          const pp_score_options *options,
                          pp_footprint *footprint, pp_failure *failure);

#endif
