/* poolproof: the optimised planners and checker (rules SEG, ARN, VAL).
 *
 * Every function is reentrant and thread-safe as long as two calls do not
 * write the same output. None keeps state, none looks at addresses, hashes
 * or the environment: same input, same bytes out (ARN-2).
 * SPDX-License-Identifier: MIT */
#ifndef PP_PLANNER_H
#define PP_PLANNER_H

#include <poolproof/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The cap that limits nothing: every plan whose ends fit 64 bits is under
 * it ("large_models" of the rules). */
#define PP_CAP_UNLIMITED UINT64_MAX

/* The usual cap, 4 GiB: what 32-bit offsets can address. */
#define PP_CAP_USUAL (UINT64_C(1) << 32)

/* Where scratch memory comes from. alloc may answer NULL at any call; what it
 * gives is aligned for any object. release takes what alloc gave, never NULL.
 * Neither may unwind the stack. */
typedef struct pp_allocator {
  void *(*alloc)(void *state, size_t bytes);
  void (*release)(void *state, void *memory);
  void *state;
} pp_allocator;

/* What the planners take beside the items. The options and what they point to
 * are read during the call only. */
typedef struct pp_plan_options {
  uint64_t cap;                  /* bytes; PP_CAP_UNLIMITED for none */
  const char *what;              /* the caller's word for the pool, or NULL */
  const char *const *names;      /* an item's debug name each, or NULL */
  const pp_allocator *allocator; /* NULL: malloc and free */
} pp_plan_options;

/* Why a plan was refused: SEG-5, ARN-4, ARN (BAD_SPAN). what and name are the
 * caller's pointers out of the options ("" when there were none); item is
 * meaningful for PP_ITEM_OVER_CAP and PP_BAD_SPAN, and for PP_OVER_CAP names
 * the first item, in the order of placement, whose end passes the cap
 * (SIZE_MAX where no item is to be named). */
typedef struct pp_error {
  pp_status status;
  size_t index;
  const char *what;
  const char *name;
  pp_item item;
  uint64_t cap;
} pp_error;

/* Writes the one sentence that explains error into text (size bytes, always
 * terminated when size > 0, cut when too short). Returns its full length. */
size_t pp_error_text(const pp_error *error, char *text, size_t size);

/* SEG-1..7: lays n items out in input order in segments of at most cap bytes.
 *
 * segment[i], offset[i]  where item i goes (n entries each)
 * size[k]                bytes of segment k (n entries; n segments at most)
 * *segments              how many segments there are
 * error                  filled when the answer is not PP_OK; may be NULL
 *
 * Returns PP_OK, or PP_ITEM_OVER_CAP for the first item larger than the cap.
 * Allocates nothing. O(n) time. With n == 0 the arrays may be NULL. */
pp_status pp_segments_plan(const pp_item *items, size_t n,
                           const pp_plan_options *options, size_t *segment,
                           uint64_t *offset, uint64_t *size, size_t *segments,
                           pp_error *error);

/* ARN-1..6: colours one arena; the specified plan, exactly.
 *
 * offset[i]  where item i goes (n entries)
 * *total     the greatest end; 0 without items
 * error      filled when the answer is not PP_OK; may be NULL
 *
 * Returns PP_OK; PP_BAD_SPAN for the first item with lo > hi; PP_OVER_CAP
 * when the total would pass the cap or 2^64 - 1; PP_NO_MEMORY. Scratch memory
 * is O(n). With n == 0 the arrays may be NULL. */
pp_status pp_arena_plan(const pp_item *items, size_t n,
                        const pp_plan_options *options, uint64_t *offset,
                        uint64_t *total, pp_error *error);

/* The named plan "no-reuse": every item on its own bytes, in input order, in
 * one pool, each at the end so far aligned up (FPT-3).
 *
 * offset, total and error as for pp_arena_plan. Returns PP_OK, or PP_OVER_CAP
 * when the total would pass the cap or 2^64 - 1. Allocates nothing. */
pp_status pp_no_reuse_plan(const pp_item *items, size_t n,
                           const pp_plan_options *options, uint64_t *offset,
                           uint64_t *total, pp_error *error);

/* VAL-3, for one group of items that may share bytes by time (a class, or
 * the always-live items of all classes): the most bytes live at one step. */
typedef struct pp_peak {
  uint64_t bytes;      /* greatest sum of sizes live at one step; saturates */
  uint64_t step;       /* the first step where it is reached; 0 if no span */
  uint32_t item_class; /* the class; meaningless for the always-live group */
} pp_peak;

/* VAL-3: the lower bound on the total of any valid arena layout.
 *
 * peak[0]      the always-live items of all classes
 * peak[1..]    one entry for each class that has an item with a span, in
 *              increasing order of class (at most n + 1 entries in all)
 * *peaks       how many entries were written, at least 1
 * *bound       the sum of peak[].bytes, saturating at 2^64 - 1
 *
 * Sums saturate: a bound of 2^64 - 1 means "at least". Returns PP_OK,
 * PP_BAD_SPAN (*bad = the first item with lo > hi) or PP_NO_MEMORY. O(n log n)
 * time, O(n) scratch. */
pp_status pp_lower_bound(const pp_item *items, size_t n,
                         const pp_allocator *allocator, pp_peak *peak,
                         size_t *peaks, uint64_t *bound, size_t *bad);

/* VAL-1, VAL-2: is this layout of n items valid?
 *
 * kind        PP_SEGMENTS: any two items conflict; PP_ARENA: ARN-1
 * segment[i]  item i's segment, offset[i] its byte offset inside
 * size[k]     claimed bytes of segment k, for k < segments
 *             (an arena layout claims one segment: its total)
 * violation   the first violation in the order that pp_violation_kind and
 *             pp_violation state, or kind PP_VALID
 *
 * Returns PP_OK when violation was written; PP_BAD_SPAN (*bad = the first item
 * with lo > hi; PP_ARENA only) or PP_NO_MEMORY. O(n log n) time for a valid
 * layout, O(n log^2 n) for an invalid one, O(n) scratch. */
pp_status pp_check(pp_kind kind, const pp_item *items, size_t n, uint64_t cap,
                   const size_t *segment, const uint64_t *offset,
                   const uint64_t *size, size_t segments,
                   const pp_allocator *allocator, pp_violation *violation,
                   size_t *bad);

#ifdef __cplusplus
}
#endif

#endif
