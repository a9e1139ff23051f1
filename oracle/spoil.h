/* poolproof: layouts spoiled on purpose, to see what the checkers say.
 * SPDX-License-Identifier: MIT */
#ifndef PP_SPOIL_H
#define PP_SPOIL_H

#include "case.h"

/* A claimed layout with room for one segment more than c has items. */
typedef struct pp_claim {
  uint64_t cap;
  size_t segments;
  size_t *segment;  /* n */
  uint64_t *offset; /* n */
  uint64_t *size;   /* n + 1 */
} pp_claim;

/* Room for the claimed layout of n items; zeroed. False: out of memory; free
 * it all the same. */
bool pp_claim_new(pp_claim *claim, size_t n);
void pp_claim_free(pp_claim *claim);

/* Makes the claim the plan of the case, by its kind, under this cap. False: it
 * has none, or no memory; the claim is then unspecified. */
bool pp_claim_plan(const pp_case *c, uint64_t cap, pp_claim *claim);

/* Spoils the claim in the way that `number` says: an offset moved to another
 * item's start or end or by one, two offsets swapped, a size or the cap off by
 * one, an item sent to another or no segment, an end past 2^64; often with
 * sizes made exact again, so that later kinds of violation come up. A pure
 * function of case, claim and number. */
void pp_spoil(const pp_case *c, pp_claim *claim, uint64_t number);

#endif
