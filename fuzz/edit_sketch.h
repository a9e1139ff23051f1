/* poolproof: a routine that can be changed.  SPDX-License-Identifier: MIT */
#ifndef PP_EDIT_SKETCH_H
#define PP_EDIT_SKETCH_H

#include "edit_routine.h"

enum {
  PP_SKETCH_NEW = 8,     /* nodes and statements that edits may add, each */
  PP_SKETCH_VALUES = 512 /* of 64 bits, for data of its own */
};

/* Nodes and statements as edits leave them. Data of nodes is the routines' from
 * which they come, which must live as long, or lies in values, which one node
 * has at a time. spliced: a routine that the sketch owns. */
typedef struct pp_sketch {
  pp_random *random;
  size_t nodes, node_room;
  pp_node *node;
  size_t statements, statement_room;
  pp_statement *statement;
  pp_routine *spliced;
  uint64_t values[PP_SKETCH_VALUES];
} pp_sketch;

/* A sketch of the routine, with room for more of them, and of as much as
 * another one (NULL: none) has. False: no memory; close it all the same. */
bool pp_sketch_open(pp_sketch *sketch, const pp_routine *routine,
                    const pp_routine *other, pp_random *random);
void pp_sketch_close(pp_sketch *sketch);

/* One edit, once; a sketch without statements gets some. */
void pp_sketch_edit(pp_sketch *sketch);

/* Appends the routine's nodes and statements, if there is room. share: nodes
 * of a label, dtype and shape that the sketch has are the sketch's. */
void pp_sketch_append(pp_sketch *sketch, const pp_routine *routine, bool share);

/* Adds a copy of the node with a uid and label of its own; its index, or
 * SIZE_MAX: no room. */
size_t pp_sketch_node(pp_sketch *sketch, const pp_node *node);

/* Inserts a copy of the statement; false: no room. */
bool pp_sketch_insert(pp_sketch *sketch, size_t at,
                      const pp_statement *statement);

/* Drops the statements [from, to), or a node that no statement uses. */
void pp_sketch_drop(pp_sketch *sketch, size_t from, size_t to);
void pp_sketch_drop_node(pp_sketch *sketch, size_t node);
bool pp_sketch_uses(const pp_statement *statement, size_t node);

/* The sealed routine, for the caller to free, each declared span as wide as its
 * node's accesses want it, or without spans when that is none either. NULL: it
 * is no routine, or no memory. */
pp_routine *pp_sketch_seal(pp_sketch *sketch, const char *name);

#endif
