/* poolproof: what is known of a problem before and beside any plan. */
#ifndef PP_FACTS_H
#define PP_FACTS_H

#include "problem.h"

/* VAL-3 and the no-reuse total. Byte counts saturate at 2^64 - 1. */
typedef struct pp_facts {
  pp_peak *peak; /* owned; peak[0] = the always-live items */
  size_t peaks;  /* 0 when all items are always live by kind */
  uint64_t bound;
  uint64_t no_reuse;
} pp_facts;

/* Computes the facts, reading every item as always live when kind is
 * PP_SEGMENTS. Needs spans with lo <= hi. Returns 0 or diag's status. */
int pp_facts_find(const pp_problem *problem, pp_kind kind, pp_facts *facts,
                  pp_diag *diag);

void pp_facts_free(pp_facts *facts);

/* Does the item take part in this peak (always: in peak[0])? */
bool pp_live_at(const pp_item *item, const pp_peak *peak, bool always);

/* The sum of the segments' sizes, saturating. */
uint64_t pp_layout_total(const pp_layout *layout);

#endif
