/* poolproof: the types that every part of the project shares: layouts first,
 * then routines.
 *
 * The only header that ref/ and backends/ both include (ORC-2). Declarations
 * only: no function, no constant whose value a planner could depend on.
 * All sizes, offsets, ends and caps are unsigned 64-bit byte counts; times
 * are unsigned 64-bit steps. SPDX-License-Identifier: MIT */
#ifndef PP_TYPES_H
#define PP_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a call answers. Everything but PP_OK leaves the outputs unspecified
 * (never half-trusted, always memory-safe) unless the function says more. */
typedef enum pp_status {
  PP_OK = 0,
  PP_ITEM_OVER_CAP,   /* SEG-5: one item alone is larger than the cap */
  PP_OVER_CAP,        /* ARN-4: the whole plan does not fit under the cap */
  PP_BAD_SPAN,        /* ARN: an item's span has lo > hi */
  PP_NO_MEMORY,       /* an allocation answered NULL; never from ref/ */
  PP_UNKNOWN_BACKEND, /* BKD-2: no backend has that name */
  PP_NO_DEVICE,       /* BKD-3: library, hardware or ordinal is not there */
  PP_BACKEND_FAILED,  /* BKD-5: a call of the backend failed */
  PP_DEVICE_LOST,     /* BKD-5: the device failed and takes no more work */
  PP_BAD_ROUTINE,     /* the routine's nodes or statements are ill-formed */
  PP_NO_SUCH_NODE,    /* the context holds no such node */
  PP_BAD_SIZE,        /* a transfer of another size than the node's */
  PP_READ_ONLY,       /* a host write to a constant */
  PP_ALIASED,         /* CTX-4: the node's bytes are shared */
  PP_POOL_GONE,       /* REL-6: the location is in a freed pool */
  PP_NOT_MERGED,      /* CTX-1: the merge buffer holds another node */
  PP_WRONG_BACKEND,   /* BKD-4: a context of another backend came back */
  PP_BUSY             /* contexts are alive that were never released */
} pp_status;

/* CTX-1: where a node's bytes are: a device's pool and a byte offset in it,
 * never a pointer. */
typedef struct pp_location {
  uint64_t pool;
  uint64_t offset;
} pp_location;

/* How the items of one problem share memory. */
typedef enum pp_kind {
  PP_SEGMENTS = 0, /* SEG: all items live together, bytes are never shared */
  PP_ARENA         /* ARN: items whose lives do not meet may share bytes */
} pp_kind;

/* One item: an allocation to be placed.
 * size       bytes, any value, 0 included
 * align      SEG-1: 0 or 1 none; any other value is legal, powers of two or
 *            not; an offset must be a multiple of it
 * lo, hi     ARN: first and last step of its life, both inclusive (closed);
 *            read only when has_span
 * item_class ARN-1: its storage class; items of two classes never share bytes
 * has_span   false: always live
 * SEG reads size and align alone. */
typedef struct pp_item {
  uint64_t size;
  uint64_t align;
  uint64_t lo;
  uint64_t hi;
  uint32_t item_class;
  bool has_span;
} pp_item;

/* VAL-1: the kinds of violation, in the order in which they are looked for. */
typedef enum pp_violation_kind {
  PP_VALID = 0,
  PP_NO_SUCH_SEGMENT, /* an item names a segment that the layout has not */
  PP_MISALIGNED,      /* an item's offset is no multiple of its alignment */
  PP_PAST_END,        /* an item ends after its segment's claimed size */
  PP_SEGMENT_TOO_BIG, /* a segment's claimed size is above the cap */
  PP_SHARED_BYTES,    /* two conflicting items of a segment share a byte */
  PP_WRONG_SIZE       /* a claimed size is not the greatest end inside */
} pp_violation_kind;

/* VAL-1: the first violation. Which fields mean something, by kind:
 * PP_NO_SUCH_SEGMENT  first = item
 * PP_MISALIGNED       first = item
 * PP_PAST_END         first = item
 * PP_SEGMENT_TOO_BIG  first = segment
 * PP_SHARED_BYTES     first < second = items, [lo, hi) = the bytes they
 *                     share; the least second, then the least first
 * PP_WRONG_SIZE       first = segment, lo = the size claimed, hi = the
 *                     greatest end inside it (0 when it has no item)
 * Other fields are 0. Within one kind the least item or segment is named. */
typedef struct pp_violation {
  pp_violation_kind kind;
  size_t first;
  size_t second;
  uint64_t lo;
  uint64_t hi;
} pp_violation;

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
 *   keep    leaves its value, and remembers it in a slot
 *   again   the value that its slot remembers
 *   loop    begins a loop over inner axes; the value that it takes and leaves
 *           is the accumulator
 *   next    ends the innermost loop: accumulator = fold(accumulator, value);
 *           the loop's points run in row-major order, and none at all when an
 *           extent is 0: then the accumulator stays what it was
 * A value is remembered until the end of the loop in which it was: a slot is
 * read after its keep, in the same loop or in one inside it, and a keep inside
 * a loop takes no slot that remembers a value from outside it. No operation is
 * contracted with another (BKD-6). Which NaN comes out of a NaN is not said:
 * NaNs are compared as one class. */
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
  X(SELECT, select, 3)                                                         \
  X(KEEP, keep, 1)                                                             \
  X(AGAIN, again, 0)                                                           \
  X(LOOP, loop, 1)                                                             \
  X(NEXT, next, 2)

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
  PP_AXES = 6,   /* loops of a statement, inner ones included */
  PP_READS = 8,  /* reads of a statement */
  PP_STEPS = 24, /* operations of a statement's expression */
  PP_DEPTH = 8,  /* values on the stack at one time */
  PP_SLOTS = 4,  /* values remembered at one time */
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

/* read  load: which read
 * slot  keep, again: below PP_SLOTS
 * axis, axes  loop: over inner axes [axis, axis + axes), axes not 0
 * fold  next: any but set
 * bits  lit: the value in the statement's dtype, its bit pattern,
 *       zero-extended */
typedef struct pp_step {
  pp_op op;
  unsigned read;
  unsigned slot;
  unsigned axis, axes;
  pp_fold fold;
  uint64_t bits;
} pp_step;

/* assign   computes what it says
 * opaque   the same, but whoever plans must not look inside: it may access
 *          anything (RTN-6)
 * barrier  computes nothing; nothing moves across it (RTN-2) */
typedef enum pp_statement_kind {
  PP_ASSIGN = 0,
  PP_OPAQUE,
  PP_BARRIER
} pp_statement_kind;

/* For every point of the loops, in row-major order (the first axis slowest):
 * target = fold(target, expression). The dtype is the target node's. An axis
 * that the target's indices do not use is a REDUCTION axis and needs a fold
 * other than set; each other axis is the only one, and scaled by +1 or -1 or
 * more, in exactly one dimension of the target, so that no two points
 * outside reductions write the same element. A read of the target's own node
 * is legal only at the target's own index and without reduction axes. Every
 * index stays inside its dimension at every point.
 *
 * Axes [axes, axes + inner) belong to the expression's loops, each to one or to
 * several that are not inside one another; the target does not use them, a
 * read uses them inside such a loop alone. A loop over several axes has the
 * first of them slowest.
 *
 * joins  RTN-5: runs in the kernel of the statement before it: at each point
 *        all statements of a kernel run one after the other, but points run
 *        in any order. All of a kernel are assignments with the same axes and
 *        extents and without reduction axes, and a node that one of them
 *        writes the others access, if at all, at that same index
 * Of a barrier only the kind counts. */
typedef struct pp_statement {
  pp_statement_kind kind;
  bool joins;
  unsigned axes;
  unsigned inner;
  uint64_t extent[PP_AXES];
  pp_access target;
  pp_fold fold;
  unsigned reads;
  pp_access read[PP_READS];
  unsigned steps;
  pp_step step[PP_STEPS]; /* postfix; leaves exactly one value */
} pp_statement;

#endif
