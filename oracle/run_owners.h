/* poolproof: the shadow-owner run of a layout that was linked (ORC-1).
 * SPDX-License-Identifier: MIT */
#ifndef PP_RUN_OWNERS_H
#define PP_RUN_OWNERS_H

#include <poolproof/runtime.h>

/* Where a routine's nodes are: node i from place[i] on, of `bytes` in which
 * all pools stand one after the other. */
typedef struct pp_places {
  size_t nodes;
  uint64_t *place;
  uint64_t bytes;
} pp_places;

/* The places of the routine that the context was linked with; a merge node's
 * are its own. PP_NO_MEMORY: nothing is left to free. */
pp_status pp_places_find(const pp_context *context, const pp_routine *routine,
                         pp_places *places);

/* One of all zeros is nothing. */
void pp_places_free(pp_places *places);

bool pp_places_same(const pp_places *a, const pp_places *b);

/* Reads of elements above which the owners are not looked at: half a minute. */
#define PP_OWNERS_MOST 4e8

/* Reads of elements that the routine does each time, about. */
double pp_owners_reads(const pp_routine *routine);

/* Runs the routine twice in a row, the second time with each kernel's points
 * backwards. text becomes empty, or the first trespass in one sentence.
 * PP_NO_MEMORY. */
pp_status pp_owners_run(const pp_routine *routine, const pp_places *places,
                        char text[PP_FAILURE_TEXT]);

#endif
