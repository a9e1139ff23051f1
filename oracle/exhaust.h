/* poolproof: what `poolproof exhaust` does.  SPDX-License-Identifier: MIT */
#ifndef PP_EXHAUST_H
#define PP_EXHAUST_H

#include "diag.h"

#include <stdint.h>

enum { PP_EXHAUST_ITEMS = 4 }; /* the usual and the greatest --items */

/* All plain; zeroed: 4 items, a job a core. */
typedef struct pp_exhaust_options {
  size_t items;         /* --items: 1 to 4; 0: 4 */
  unsigned jobs;        /* --jobs: threads; 0: one a core */
  const char *find_dir; /* --finds: where a find is written; NULL: "." */
  bool quiet;           /* --quiet: no progress line */
} pp_exhaust_options;

/* Compares reference, fast planner and brute force (brute.h) on every problem
 * of a small domain, and the three checkers on every claimed layout of one.
 *
 * The domain (domain.c holds the table), always with the rest of what is below
 * it in items:
 * - arenas: 13 lives (always, or a span within steps 0 to 2 in one of two
 *   classes); 1 and 2 items of sizes 0..4 and alignments 0..4, 3 of sizes 0..3
 *   and alignments 1..3, 4 of sizes and alignments 1..3 but for (3, 3). Each
 *   at no cap, at the exact total, and at one byte less. Plus lives with
 *   lo > hi; plus up to 3 items with all numbers times 2^31, 2^32 and 2^62.
 * - segments: sizes 0..6 and alignments 0..6 (1 and 2 items), 0..5 (3), 0..3
 *   and 0..4 (4). Each at no cap and at every cap up to the first under which
 *   all fits in one segment. Plus sizes 0..3 times 2^31, 2^32 and 2^62.
 * - claimed layouts of up to 3 items: every offset, segment and claimed size
 *   up to 2 or 3, under two caps; also in units of 2^31 and 2^62.
 *
 *   items   problems      layouts     time of one core
 *   2           240,142   1,351,250    0.2 s
 *   3         7,740,939   2,599,298    3 s
 *   4       184,956,629   2,599,298   90 s
 *
 * Left out is what differs by the names of two classes alone (ARN-1 compares
 * them for equality only; which name is which alternates).
 *
 * Stops at the first disagreement (the first of its family, whatever the
 * number of jobs) and reports it as a campaign does. Output and return value
 * as pp_campaign. */
int pp_exhaust(const pp_exhaust_options *options, pp_diag *diag);

#endif
