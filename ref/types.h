/* poolproof: the types that every part of the project shares.
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

#endif
