/* poolproof: routines: nodes, statements, a builder and a text form.
 *
 * A routine is a list of statements over nodes, in the order in which they
 * run; what those are says poolproof/types.h. It is run as it stands: as FINAL
 * code (RTN-6), in which positions count kernels (a statement that does not
 * join begins one) and spans are what the nodes declare; pp_routine_seal
 * refuses a span that does not cover its node's accesses or that an ineligible
 * node declares. poolproof/lower.h makes final code of any routine.
 *
 * Building is single-threaded; a sealed routine is immutable and may be used
 * by any number of threads. SPDX-License-Identifier: MIT */
#ifndef PP_ROUTINE_H
#define PP_ROUTINE_H

#include <poolproof/failure.h>
#include <poolproof/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pp_code;

/* A routine. The fields may be read; the functions below write them.
 * order     node indices by increasing uid, once sealed
 * position  each statement's (RTN-6), once sealed; positions: how many
 * code   the statements as backends take them, once sealed */
typedef struct pp_routine {
  char *name;
  size_t nodes;
  pp_node *node;
  size_t statements;
  pp_statement *statement;
  size_t *order;
  size_t *position;
  size_t positions;
  struct pp_code *code;
  size_t holders; /* how many keep it alive; changed atomically */
} pp_routine;

/* A new, empty routine with one holder, or NULL without memory. The name is
 * copied: letters, digits and _, not empty, not a digit first, of any length;
 * pp_routine_seal checks that. */
pp_routine *pp_routine_new(const char *name);

/* Adds a node (its data is copied) and writes its index. PP_BAD_ROUTINE: rank,
 * dims, dtype, label or intents out of range, or sealed; PP_NO_MEMORY. */
pp_status pp_routine_node(pp_routine *routine, const pp_node *node,
                          size_t *index, pp_failure *failure);

/* Appends a statement. PP_BAD_ROUTINE when one of its own limits is broken
 * (what it says of nodes is looked at by seal), or sealed; PP_NO_MEMORY. */
pp_status pp_routine_statement(pp_routine *routine,
                               const pp_statement *statement,
                               pp_failure *failure);

/* Checks the whole, puts statements in one form (reads in the order of first
 * use, none twice, none unused; each loop over the first inner axes that have
 * its extents and no loop around it has; 0 in all that does not count) and
 * makes their code; the routine is immutable from here on.
 * PP_BAD_ROUTINE with the first fault, nodes before statements: a routine's
 * name that is none; two nodes of one label, or of one uid (a merge node may
 * have the uid of another node, which it is a second value of); a statement
 * that breaks what pp_statement says; a constant or merge node that is written;
 * PP_BAD_SPAN: a span declared in a routine with opaque statements, or by a
 * node that is observable, constant, host-initialised, merge, has data, is
 * never read, or whose first access is not a set that fills it; one with lo >
 * hi; one that does not cover all its accesses (RTN-6); PP_NO_MEMORY. After an
 * error the routine may only be freed. */
pp_status pp_routine_seal(pp_routine *routine, pp_failure *failure);

/* One more holder; the routine itself. */
pp_routine *pp_routine_hold(pp_routine *routine);

/* One holder less; the last one's call frees all. NULL is nothing. */
void pp_routine_free(pp_routine *routine);

/* Bytes and elements of a node; and of one element. */
uint64_t pp_node_bytes(const pp_node *node);
uint64_t pp_node_elements(const pp_node *node);

/* Is it a set that gives every element of its node a value? */
bool pp_statement_fills(const pp_statement *statement, const pp_node *node);

size_t pp_dtype_bytes(pp_dtype dtype);
const char *pp_dtype_name(pp_dtype dtype);

/* Reads the text form of one routine (backends/routine/README.md) from text,
 * `size` bytes. On success *routine is sealed and has one holder.
 * PP_BAD_ROUTINE and PP_BAD_SPAN name line and column; PP_NO_MEMORY. */
pp_status pp_routine_parse(const char *text, size_t size, pp_routine **routine,
                           pp_failure *failure);

/* The text form of a sealed routine, from malloc; NULL without memory, and for
 * one that is not sealed. Parsing it gives the same routine again. */
char *pp_routine_print(const pp_routine *routine);

#ifdef __cplusplus
}
#endif

#endif
