/* poolproof: what a routine's values must be after each step: the interpreter's
 * (ORC-1). SPDX-License-Identifier: MIT */
#ifndef PP_RUN_TRUTH_H
#define PP_RUN_TRUTH_H

#include "values.h"

#include <poolproof/failure.h>

/* source  the routine as it was written; the caller's
 * start   what its nodes begin with
 * after   of step s and node i: after[s * nodes + i], NULL for nodes that are
 *         not looked at */
typedef struct pp_truth {
  const pp_routine *source;
  size_t steps;
  pp_memory start;
  unsigned char **after;
} pp_truth;

/* Are the node's values drawn: from the host or the merge buffer, no data? */
bool pp_truth_draws(const pp_node *node);

/* Are its values looked at after each step? Observable and host nodes' are. */
bool pp_truth_looks(const pp_node *node);

/* Draws what nodes begin with, small values that depend on seed and uid, and
 * runs the steps. PP_NO_MEMORY: nothing is left to free. */
pp_status pp_truth_make(const pp_routine *source, size_t steps, uint64_t seed,
                        pp_truth *truth);

/* One of all zeros is nothing. */
void pp_truth_free(pp_truth *truth);

/* Element i as text; returns it. */
enum { PP_VALUE_TEXT = 40 };
const char *pp_value_text(pp_dtype dtype, const unsigned char *values,
                          uint64_t i, char text[PP_VALUE_TEXT]);

#endif
