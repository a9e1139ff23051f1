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
  size_t *member; /* owned; the items by peak, in input order within one */
  size_t *first;  /* owned; peak k's are member[first[k]] to first[k + 1] - 1 */
} pp_facts;

/* Computes the facts, reading every item as always live when kind is
 * PP_SEGMENTS. Needs spans with lo <= hi. Returns 0 or diag's status. */
int pp_facts_find(const pp_problem *problem, pp_kind kind, pp_facts *facts,
                  pp_diag *diag);

void pp_facts_free(pp_facts *facts);

/* Is the item, one of the peak's class, live at the peak's step? */
bool pp_live_at(const pp_item *item, const pp_peak *peak);

/* The sum of the segments' sizes, saturating. */
uint64_t pp_layout_total(const pp_layout *layout);

#endif
