/* poolproof: what the files of the random routines share among themselves.
 * SPDX-License-Identifier: MIT */
#ifndef PP_ROUTINES_PARTS_H
#define PP_ROUTINES_PARTS_H

#include "routines.h"

/* A routine in the making; its nodes' data is its own.
 * flow      most statements fill a fresh node from what was just filled, so
 *           that lives are short
 * filled    the first access was a set of every element
 * accessed  some statement so far has it as target or read
 * read      some statement so far has read it
 * zeroed    it was zeroed and not accessed since */
typedef struct pp_draft {
  pp_random *random;
  const pp_routine_limits *limits;
  bool flow;
  size_t nodes;
  pp_node node[PP_ROUTINE_NODES];
  bool filled[PP_ROUTINE_NODES];
  bool accessed[PP_ROUTINE_NODES];
  bool read[PP_ROUTINE_NODES];
  bool zeroed[PP_ROUTINE_NODES];
  size_t statements;
  pp_statement statement[PP_ROUTINE_STATEMENTS];
} pp_draft;

/* Appends a statement and marks its nodes. */
void pp_draft_statement(pp_draft *draft);

/* Appends what makes a source of `count` statements. */
void pp_draft_source(pp_draft *draft, size_t count);

/* Appends the statement that stands behind the last one. */
void pp_draft_append(pp_draft *draft);

/* The target's index: all of its dimensions, or parts. */
void pp_draft_target(pp_draft *draft, pp_statement *statement, bool whole);

/* Axes that the target does not use. */
void pp_draft_reductions(pp_draft *draft, pp_statement *statement);

/* Reads of a statement; reduces: it has reduction axes. */
void pp_draft_reads(pp_draft *draft, pp_statement *statement, bool reduces);

/* target += a b, if there are two nodes of the right dimensions. */
bool pp_draft_product(pp_draft *draft, pp_statement *statement);

/* A literal of a dtype as steps have it. */
uint64_t pp_draft_literal(pp_draft *draft, pp_dtype dtype);

/* The expression over the statement's reads. */
void pp_draft_steps(pp_draft *draft, pp_statement *statement);

#endif
