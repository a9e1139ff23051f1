/* poolproof: random structured problems for `poolproof fuzz`.
 *
 * What comes out aims at where planners break (shared/faults.md): spans that
 * touch (hi + 1 == lo and hi == lo), ties in size, alignments that are no
 * power of two, zero sizes, classes, always-live items, caps at and one
 * around the exact total, sizes at 2^31, 2^32, 2^63 and 2^64 and one around.
 * SPDX-License-Identifier: MIT */
#ifndef PP_GENERATE_H
#define PP_GENERATE_H

#include "case.h"

enum { PP_GENERATE_ITEMS = 32 }; /* the usual max_items */

/* Fills c with problem number `run` of the campaign `seed`: at most max_items
 * items (few more often than many), either kind, now and then with a bad span.
 * A pure function of its numbers and of the fast planner, which it asks for
 * totals to put the cap at. False: out of memory. */
bool pp_generate(pp_case *c, uint64_t seed, uint64_t run, size_t max_items);

#endif
