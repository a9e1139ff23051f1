/* poolproof: the parts of the compare point.  SPDX-License-Identifier: MIT */
#ifndef PP_DIFFER_PARTS_H
#define PP_DIFFER_PARTS_H

#include "differ.h"
#include "spoil.h"

/* Outputs start as rubbish, other rubbish on each side, so that what a side
 * does not write is never equal. */
enum { PP_REF_POISON = 0xa5, PP_FAST_POISON = 0x5a };

void pp_differ_poison(pp_answer *answer, size_t n, int byte);

/* Every step answers whether the run goes on; if not, differ->failed says how
 * it ended. These two end it: nothing is known; the sides disagree. */
bool pp_differ_give_up(pp_differ *differ);
bool pp_differ_disagree(pp_differ *differ, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* After each call of the fast side: everything given back, memory O(n). */
bool pp_differ_clean(pp_differ *differ, const char *who, size_t n);

/* EXACT, of differ->ref and differ->fast. */
bool pp_differ_same_status(pp_differ *differ, const char *plan);
bool pp_differ_same_layout(pp_differ *differ, const pp_case *c,
                           const char *plan);

/* Both checkers on one claim: same status, same index, same record. */
bool pp_differ_same_check(pp_differ *differ, const pp_case *c, pp_kind kind,
                          const pp_claim *claim, pp_status *status,
                          pp_violation *violation);

/* Both checkers find the plan valid. */
bool pp_differ_valid(pp_differ *differ, const pp_case *c, pp_kind kind,
                     const char *plan, const pp_answer *answer);

/* The plans without a proof, against their definition (FPT-3, VAL-3). The
 * first leaves ref and fast as scratch; total is of a valid plan. */
bool pp_differ_same_no_reuse(pp_differ *differ, const pp_case *c);
bool pp_differ_same_bound(pp_differ *differ, const pp_case *c, uint64_t total);

/* Both checkers on `count` layouts spoiled on purpose. */
bool pp_differ_same_spoiled(pp_differ *differ, const pp_case *c,
                            uint64_t count);

/* Each allocation of the fast side made to fail: NO_MEMORY, nothing kept. */
bool pp_differ_starved(pp_differ *differ, const pp_case *c);

#endif
