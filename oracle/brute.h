/* poolproof: the rules once more, written down as they are said.
 *
 * The third definition, for tiny numbers only: ARN-3 tries every offset from
 * 0, ARN-2 selects, VAL looks at every byte of every pair, VAL-3 at every
 * step. Shares nothing with ref/ and backends/ but the types. Time grows with
 * the VALUES, so keep sizes, offsets, caps and steps small. Nothing allocates;
 * at most PP_BRUTE_ITEMS items. SPDX-License-Identifier: MIT */
#ifndef PP_BRUTE_H
#define PP_BRUTE_H

#include <poolproof/planner.h>

enum { PP_BRUTE_ITEMS = 16 };

/* ARN-1. */
bool pp_brute_conflict(const pp_item *a, const pp_item *b);

/* SEG-1..6; outputs as pp_segments_plan, *bad the index for SEG-5. */
pp_status pp_brute_segments(const pp_item *items, size_t n, uint64_t cap,
                            size_t *segment, uint64_t *offset, uint64_t *size,
                            size_t *segments, size_t *bad);

/* ARN-1..4; outputs as pp_arena_plan. *bad: the item for PP_BAD_SPAN, for
 * PP_OVER_CAP the first in order of placement that ends after the cap. The
 * offsets and *total are those without a cap, also when it is passed. */
pp_status pp_brute_arena(const pp_item *items, size_t n, uint64_t cap,
                         uint64_t *offset, uint64_t *total, size_t *bad);

/* VAL-1 of a layout; as pp_check. */
pp_status pp_brute_check(pp_kind kind, const pp_item *items, size_t n,
                         uint64_t cap, const size_t *segment,
                         const uint64_t *offset, const uint64_t *size,
                         size_t segments, pp_violation *violation, size_t *bad);

/* VAL-3, the lower bound; peaks as pp_lower_bound. Time grows with n squared
 * only, so any n and any value will do; sums saturate. Spans must be good. */
void pp_brute_bound(const pp_item *items, size_t n, pp_peak *peak,
                    size_t *peaks, uint64_t *bound);

#endif
