/* poolproof: routines: nodes, statements, a builder and a text form.
 *
 * A routine is a list of statements over nodes, in the order in which they
 * run. This is the FINAL code (RTN-6): positions are statement indices, and
 * spans are what the nodes declare; pp_routine_seal refuses a span that does
 * not cover its node's accesses or that an ineligible node declares.
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

/* The storage precisions: enumerator, name, C type, kind (INT or FLOAT). The
 * storage class of a node (ARN-1) is its dtype. */
#define PP_DTYPES(X)                                                           \
  X(U8, u8, uint8_t, INT)                                                      \
  X(I32, i32, int32_t, INT)                                                    \
  X(I64, i64, int64_t, INT)                                                    \
  X(F32, f32, float, FLOAT)                                                    \
  X(F64, f64, double, FLOAT)

typedef enum pp_dtype {
#define PP_DTYPE_ENUM(NAME, name, type, kind) PP_##NAME,
  PP_DTYPES(PP_DTYPE_ENUM)
#undef PP_DTYPE_ENUM
      PP_DTYPE_COUNT
} pp_dtype;

/* The operations of expressions: enumerator, name in the text form, how many
 * values each takes off the stack. Each leaves one. Integers wrap modulo 2^w.
 *   load    the element that a read addresses, converted to the statement's
 *           dtype: integer to integer wraps, to a float rounds to nearest
 *           even; float to integer truncates towards zero, saturates at the
 *           ends of the type, and NaN gives 0
 *   lit     a literal
 *   div sqrt   floats alone, correctly rounded
 *   min     a < b ? a : b          max     a > b ? a : b
 *   neg     -a (floats: the sign flips; integers: 0 - a)
 *   abs     a < 0 ? neg a : a      lt, eq  1 or 0
 *   select  c != 0 ? a : b
 * No operation is contracted with another (BKD-6). Which NaN comes out of a
 * NaN is not said: NaNs are compared as one class. */
#define PP_OPS(X)                                                              \
  X(LOAD, load, 0)                                                             \
  X(LIT, lit, 0)                                                               \
  X(ADD, add, 2)                                                               \
  X(SUB, sub, 2)                                                               \
  X(MUL, mul, 2)                                                               \
  X(DIV, div, 2)                                                               \
  X(MIN, min, 2)                                                               \
  X(MAX, max, 2)                                                               \
  X(LT, lt, 2)                                                                 \
  X(EQ, eq, 2)                                                                 \
  X(NEG, neg, 1)                                                               \
  X(ABS, abs, 1)                                                               \
  X(SQRT, sqrt, 1)                                                             \
  X(SELECT, select, 3)

typedef enum pp_op {
#define PP_OP_ENUM(NAME, name, arity) PP_OP_##NAME,
  PP_OPS(PP_OP_ENUM)
#undef PP_OP_ENUM
      PP_OP_COUNT
} pp_op;

/* How a statement's value v meets the target's element d:
 *   set v    add d + v    mul d * v    min min(d, v)    max max(d, v) */
#define PP_FOLDS(X)                                                            \
  X(SET, set, "=")                                                             \
  X(ADD, add, "+=")                                                            \
  X(MUL, mul, "*=")                                                            \
  X(MIN, min, "min=")                                                          \
  X(MAX, max, "max=")

typedef enum pp_fold {
#define PP_FOLD_ENUM(NAME, name, sign) PP_FOLD_##NAME,
  PP_FOLDS(PP_FOLD_ENUM)
#undef PP_FOLD_ENUM
      PP_FOLD_COUNT
} pp_fold;

enum {
  PP_RANK = 4,   /* dimensions of a node */
  PP_AXES = 6,   /* loops of a statement */
  PP_READS = 8,  /* reads of a statement */
  PP_STEPS = 24, /* operations of a statement's expression */
  PP_DEPTH = 8,  /* values on the stack at one time */
  PP_LABEL = 32  /* bytes of a label, the terminator included */
};

/* What a node is for; any combination but PP_MERGE with others.
 *   observable  its value is wanted after the routine: never shares bytes
 *   constant    read only; lives in the device's constant cache (CTX-2)
 *   host        host-initialised: uploads may change it between runs
 *   merge       its bytes are the device's merge buffer, pool 0 (CTX-1) */
enum { PP_OBSERVABLE = 1, PP_CONSTANT = 2, PP_HOST = 4, PP_MERGE = 8 };

/* One node: a row-major array.
 * uid      never reused; canonical order is uid order
 * label    for people; letters, digits and _, not empty, not a digit first
 * dims     rank of them, 0 allowed; the product times the size of the dtype
 *          fits 63 bits
 * lo, hi   the declared span, both inclusive, when has_span
 * data     bytes that fill it when it is first allocated, or NULL: zeros */
typedef struct pp_node {
  uint64_t uid;
  char label[PP_LABEL];
  pp_dtype dtype;
  unsigned rank;
  uint64_t dims[PP_RANK];
  unsigned intents;
  bool has_span;
  uint64_t lo, hi;
  const void *data;
} pp_node;

/* One dimension's index as a function of the loops' counters:
 * base + sum of scale[a] * counter[a]. */
typedef struct pp_index {
  int64_t base;
  int64_t scale[PP_AXES];
} pp_index;

typedef struct pp_access {
  size_t node; /* as pp_routine_node answered */
  pp_index index[PP_RANK];
} pp_access;

typedef struct pp_step {
  pp_op op;
  unsigned read; /* PP_OP_LOAD: which read */
  uint64_t bits; /* PP_OP_LIT: the value in the statement's dtype, its bit
                    pattern, zero-extended */
} pp_step;

/* For every point of the loops, in row-major order (the first axis slowest):
 * target = fold(target, expression). The dtype is the target node's. An axis
 * that the target's indices do not use is a REDUCTION axis and needs a fold
 * other than set; each other axis is the only one, and scaled by +1 or -1 or
 * more, in exactly one dimension of the target, so that no two points
 * outside reductions write the same element. A read of the target's own node
 * is legal only at the target's own index and without reduction axes. Every
 * index stays inside its dimension at every point. */
typedef struct pp_statement {
  unsigned axes;
  uint64_t extent[PP_AXES];
  pp_access target;
  pp_fold fold;
  unsigned reads;
  pp_access read[PP_READS];
  unsigned steps;
  pp_step step[PP_STEPS]; /* postfix; leaves exactly one value */
} pp_statement;

struct pp_code;

/* A routine. The fields may be read; the functions below write them.
 * order  node indices by increasing uid, once sealed
 * code   the statements as backends take them, once sealed */
typedef struct pp_routine {
  char *name;
  size_t nodes;
  pp_node *node;
  size_t statements;
  pp_statement *statement;
  size_t *order;
  struct pp_code *code;
  size_t holders; /* how many keep it alive; changed atomically */
} pp_routine;

/* A new, empty routine with one holder, or NULL without memory. The name is
 * copied. */
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
 * use, none twice, none unused; 0 in all that does not count) and makes their
 * code; the routine is immutable from here on.
 * PP_BAD_ROUTINE with the first fault, nodes before statements: two nodes of
 * one label, or of one uid (a merge node may have the uid of another node,
 * which it is a second value of); a statement that breaks what pp_statement
 * says; a constant or merge node that is written; PP_BAD_SPAN: a span declared
 * by a node that is observable, constant, host-initialised, merge, has data, is
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
