/* poolproof: a sealed routine's statements as backends take them: flat
 * accesses (element strides), parallel axes first. This is what the table's
 * compile gets; a backend reads it and keeps to these rules:
 *
 * - Statements run one after the other, each whole. What a statement is, and
 *   what its steps and folds mean to the bit, is in types.h at pp_statement,
 *   PP_OPS and PP_FOLDS (BKD-6).
 * - A statement runs its expression at each point of axes [0, axes) and folds
 *   the value into the target's element there. No two points that differ in a
 *   parallel axis write the same element, and none reads what another one of
 *   the statement writes, so parallel axes may run in any order, or at once.
 * - Extents may be 0: the statement, or the expression's loop, has no points.
 * - Accesses stay inside operand_bytes when a launch binds that many, but
 *   operands may share bytes with each other, and need not be aligned to their
 *   dtype.
 * - The code and all that it points to stays as it is until discard.
 * SPDX-License-Identifier: MIT */
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
