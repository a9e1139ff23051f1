/* poolproof: expressions as graphs, in which nothing is computed twice that
 * can be remembered. SPDX-License-Identifier: MIT */
#ifndef PP_EXPRESSION_H
#define PP_EXPRESSION_H

#include <poolproof/types.h>

enum { PP_TERMS = 128, PP_NO_TERM = PP_TERMS };

/* One value. The same value twice is one term.
 * op       PP_OP_LOOP stands for the whole loop: argument 0 is where it begins,
 *          argument 1 what each point adds; never KEEP, AGAIN, NEXT
 * uses     by other terms
 * steps    of its tree, at most PP_STEPS + 1
 * wanted   worth remembering before all others
 * slot     where it is remembered while it is written, or PP_SLOTS */
typedef struct pp_term {
  pp_op op;
  unsigned argument[3];
  unsigned axis, axes;
  pp_fold fold;
  uint64_t bits;
  pp_access access;
  unsigned rank;
  unsigned uses;
  unsigned steps;
  bool wanted;
  unsigned slot;
} pp_term;

/* axes counts all of the statement's, inner ones too; extent is theirs. */
typedef struct pp_expression {
  unsigned terms;
  pp_term term[PP_TERMS];
  unsigned outer, axes;
  uint64_t extent[PP_AXES];
} pp_expression;

/* An empty one for a statement with these axes. */
void pp_expression_begin(pp_expression *expression, unsigned axes,
                         const uint64_t *extent);

/* The term with these fields (uses, steps, wanted, slot are not looked at);
 * PP_NO_TERM: too many, or an argument is none. */
unsigned pp_expression_term(pp_expression *expression, const pp_term *term);

/* The same for one operation on up to three others. */
unsigned pp_expression_op(pp_expression *expression, pp_op op, unsigned a,
                          unsigned b, unsigned c);

/* More inner axes, the first one's number; PP_AXES: too many. */
unsigned pp_expression_axes(pp_expression *expression, unsigned axes,
                            const uint64_t *extent);

/* The operation of a fold. */
pp_op pp_fold_op(pp_fold fold);

/* Writes root's reads, steps and inner axes into the statement, whose other
 * fields stay. False: past a limit. */
bool pp_expression_write(pp_expression *expression, unsigned root,
                         pp_statement *statement);

#endif
