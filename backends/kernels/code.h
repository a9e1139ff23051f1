/* poolproof: a sealed routine's statements as backends take them: flat
 * accesses (element strides), parallel axes first. SPDX-License-Identifier: MIT
 */
#ifndef PP_CODE_H
#define PP_CODE_H

#include <poolproof/routine.h>

/* base + sum of stride[a] * counter[a] elements from the operand's start. */
typedef struct pp_flat_access {
  size_t operand; /* the node's index in the routine */
  pp_dtype dtype; /* the node's */
  int64_t base;
  int64_t stride[PP_AXES];
} pp_flat_access;

/* Axes [0, parallel) are the target's, in the statement's order; axes
 * [parallel, axes) are reductions, in the statement's order. For each element
 * of the target the reduction's points run in row-major order (BKD-6). Axes
 * [axes, axes + inner) are the expression's loops', as in the statement. A loop
 * without points is left out of the steps, with all that is in it.
 * position  the statement's in its routine (RTN-6) */
typedef struct pp_flat_statement {
  size_t position;
  pp_dtype dtype;
  unsigned parallel;
  unsigned axes;
  unsigned inner;
  uint64_t extent[PP_AXES];
  pp_fold fold;
  pp_flat_access target;
  unsigned reads;
  pp_flat_access read[PP_READS];
  unsigned steps;
  pp_step step[PP_STEPS];
} pp_flat_statement;

/* operand_bytes[i]  bytes of node i: what a launch must bind at least
 * statement         all but barriers, which are nothing to run */
typedef struct pp_code {
  size_t operands;
  uint64_t *operand_bytes;
  size_t statements;
  pp_flat_statement *statement;
} pp_code;

/* Flattens the statements of a checked routine. NULL without memory. */
pp_code *pp_code_make(const pp_routine *routine);

/* NULL is nothing. */
void pp_code_free(pp_code *code);

#endif
