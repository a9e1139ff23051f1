/* poolproof: what the files of routines share among themselves.
 * SPDX-License-Identifier: MIT */
#ifndef PP_ROUTINE_INTERNAL_H
#define PP_ROUTINE_INTERNAL_H

#include <poolproof/routine.h>

#include "kernels/code.h"

/* What is known of a dtype. */
typedef struct pp_dtype_info {
  const char *name;
  size_t bytes;
  bool is_float;
  bool is_signed;
} pp_dtype_info;

/* NULL for what is no dtype. */
const pp_dtype_info *pp_dtype_look(pp_dtype dtype);

/* What names are made of, whatever the locale. */
static inline bool pp_is_digit(char c) {
  return c >= '0' && c <= '9';
}

static inline bool pp_is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Letters, digits and _, not empty, not a digit first. */
bool pp_is_name(const char *text);

/* What pp_routine_node checks. */
pp_status pp_node_check(const pp_node *node, pp_failure *failure);

/* Adds a checked node whose data is from malloc, and takes the data; after an
 * error too. */
pp_status pp_node_take(pp_routine *routine, const pp_node *node, void *data,
                       size_t *index, pp_failure *failure);

/* Memory from malloc for the node's data; NULL: there is none. */
void *pp_data_new(const pp_node *node);

/* memory with room for one more than `count` elements of `bytes`, perhaps
 * moved, or NULL. Rooms are powers of two, so that count says what there
 * is. */
void *pp_grown(void *memory, size_t count, size_t bytes);

/* NULL for what is no operation. */
const char *pp_op_name(pp_op op);
int pp_op_arity(pp_op op);

/* What a loop hides until it ends: see pp_stack. */
typedef struct pp_open_loop {
  int floor;
  unsigned kept;
  unsigned open;
} pp_open_loop;

/* An expression's stack, from all zero, step by step.
 * height  values on it
 * floor   values that the innermost loop may not take
 * kept    slots that remember a value, one bit each
 * open    axes of the loops that are open, one bit each
 * looped  axes of all loops so far
 * loops   open ones
 * wrong   what is wrong with the last step, in a few words */
typedef struct pp_stack {
  int height;
  int floor;
  unsigned kept;
  unsigned open;
  unsigned looped;
  unsigned loops;
  pp_open_loop loop[PP_AXES];
  char wrong[64];
} pp_stack;

/* Takes off and leaves what the step says. False: it may not stand here. */
bool pp_stack_step(pp_stack *stack, const pp_statement *statement,
                   const pp_step *step);

/* The step that begins a loop with these extents, over the first inner axes
 * that have them and are not open, the last ones perhaps new ones of the
 * statement. Its op is PP_OP_COUNT when the statement has not so many left. */
pp_step pp_loop_begin(pp_statement *statement, unsigned open,
                      const uint64_t *extent, unsigned axes);

/* The part that a fault is in; SIZE_MAX: it is in none of the kind. */
typedef struct pp_place {
  size_t node;
  size_t statement;
} pp_place;

/* The routine's name, and that no two nodes have one label or one uid; writes
 * routine->order. After PP_BAD_ROUTINE *node is the later one of two, unless it
 * is about the name. */
pp_status pp_nodes_check(pp_routine *routine, size_t *node,
                         pp_failure *failure);

/* pp_routine_seal: checks, and puts statements in canonical form: fields that
 * do not count are 0, reads are in the order of first use, none twice, none
 * unused, loops have the axes that pp_loop_begin gives them. After
 * PP_BAD_ROUTINE and PP_BAD_SPAN *place says where. */
pp_status pp_routine_seal_at(pp_routine *routine, pp_place *place,
                             pp_failure *failure);

/* Do two accesses name the same element at every point? Looks at what counts
 * for a node of that rank in a statement of so many axes. */
bool pp_same_access(const pp_access *a, const pp_access *b, unsigned rank,
                    unsigned axes);

/* Sums and products that stay at 2^64 - 1. */
static inline uint64_t pp_sum(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t pp_product(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Have its loops points? */
bool pp_statement_runs(const pp_statement *statement);

/* Does a sealed one write every element of its node? */
bool pp_statement_covers(const pp_statement *statement, const pp_node *node);

/* Does the axis move the access of a node of that rank? */
static inline bool pp_access_moves(const pp_access *access, unsigned rank,
                                   unsigned axis) {
  for (unsigned d = 0; d < rank; d++)
    if (access->index[d].scale[axis] != 0) return true;
  return false;
}

/* Has it an axis that its target, of that rank, does not move with? */
bool pp_statement_reduces(const pp_statement *statement, unsigned rank);

/* Have both the same axes with the same extents, but for inner ones? */
bool pp_same_loops(const pp_statement *a, const pp_statement *b);

/* The nodes by label, equal ones by index; from malloc. NULL: no memory. */
const pp_node **pp_nodes_by_label(const pp_routine *routine);

/* How a kernel accesses a node.
 * kernel  the last one that does, from 1; 0: none does
 * first   its first access
 * mixed   it has another one, at another index
 * writes  it has one that writes */
typedef struct pp_touch {
  size_t kernel;
  const pp_access *first;
  bool mixed;
  bool writes;
} pp_touch;

/* Notes an access by a kernel, to a node of that rank. False: the kernel knew
 * the node. */
bool pp_touch_access(pp_touch *touch, size_t kernel, const pp_access *access,
                     unsigned rank, bool writes);

/* RTN-5: gives a statement its position, after all before it, and checks that
 * it may join. The statement is canonical; touch has an element for each node,
 * all zero at first. */
pp_status pp_statement_join(pp_routine *routine, size_t at, pp_touch *touch,
                            pp_failure *failure);

/* RTN-6: checks the declared spans of a routine whose statements are sealed.
 * *node is the first that breaks a rule. */
pp_status pp_spans_check(const pp_routine *routine, size_t *node,
                         pp_failure *failure);

/* A literal's text: what is written of any value, terminated. */
enum { PP_LITERAL = 48 };

/* Reads a number without a sign (see README.md), `length` bytes. NULL, or
 * what is wrong in a few words. */
const char *pp_literal_read(pp_dtype dtype, bool negative, const char *text,
                            size_t length, uint64_t *bits);

/* The value of a NaN's bit pattern, given as a hexadecimal number. */
const char *pp_nan_read(pp_dtype dtype, bool negative, const char *text,
                        size_t length, uint64_t *bits);

void pp_literal_write(pp_dtype dtype, uint64_t bits, char *text);

/* Element i of an array, its bits zero-extended; and the other way. */
uint64_t pp_element_bits(const void *data, pp_dtype dtype, uint64_t i);
void pp_element_set(void *data, pp_dtype dtype, uint64_t i, uint64_t bits);

/* The intents' names, from bit 0 on. */
#define PP_INTENT_NAMES                                                        \
  { "observable", "constant", "host", "merge" }

/* The functions of the text form that are loops, by their fold. */
#define PP_LOOP_NAMES                                                          \
  { "", "sum", "product", "least", "greatest" }

/* Bytes that `data fill` may stand for in one routine: a few bytes of text
 * must not ask for more. */
enum { PP_FILL = 1 << 24 };

#endif
