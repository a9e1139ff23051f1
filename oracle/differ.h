/* poolproof: the compare point of the reference and the fast planner.
 * SPDX-License-Identifier: MIT */
#ifndef PP_DIFFER_H
#define PP_DIFFER_H

#include "case.h"
#include "counter.h"
#include "spoil.h"

/* What a run came to: how both sides answered, or why that is not known.
 * Those before PP_DISAGREED are really compared runs. */
typedef enum pp_outcome {
  PP_SEGMENTS_OK,
  PP_SEGMENTS_ITEM_OVER_CAP,
  PP_ARENA_OK,
  PP_ARENA_OVER_CAP,
  PP_ARENA_BAD_SPAN,
  PP_DISAGREED,   /* pp_differ.sentence says on what */
  PP_NOT_COMPARED /* the harness had no memory for it; nothing is known */
} pp_outcome;

enum { PP_OUTCOMES = PP_DISAGREED }; /* how many are comparisons */

/* The outcome in words, "arena: over cap". */
const char *pp_outcome_text(pp_outcome outcome);

/* What a run compares beside status, index and layout, which it always does.
 */
enum {
  PP_DIFFER_CHECK = 1,       /* both checkers call each plan valid */
  PP_DIFFER_BOUND = 2,       /* no-reuse and lower bound (arena) */
  PP_DIFFER_PERTURB = 4,     /* both checkers on two spoiled layouts */
  PP_DIFFER_NO_MEMORY = 8,   /* every single allocation made to fail */
  PP_DIFFER_THOROUGH = 16,   /* with PERTURB: on very many, if it is small */
  PP_DIFFER_BOTH_KINDS = 32, /* an arena's items also planned as segments */
  PP_DIFFER_USUAL = 1 | 2 | 4 | 32, /* what a campaign does each run */
  PP_DIFFER_ALL = 63                /* what a replay does */
};

/* One side's answer to a problem. index is what the status names. For an
 * arena, segments is 1 and size[0] the total. */
typedef struct pp_answer {
  pp_status status;
  size_t index;
  size_t segments;
  size_t *segment;  /* n */
  uint64_t *offset; /* n */
  uint64_t *size;   /* segments */
} pp_answer;

/* A differ: scratch, the answers of the last run, what it found. Belongs to
 * one thread. ref and fast are the answers to the problem itself and mean
 * something after a comparison. Not to be moved while open. */
typedef struct pp_differ {
  pp_answer ref;
  pp_answer fast;
  pp_outcome failed;  /* PP_DISAGREED or PP_NOT_COMPARED, once it is so */
  char sentence[480]; /* who said what on which item */
  size_t room;        /* items that the arrays below hold, and one more */
  pp_answer spare;
  size_t *order;
  size_t *pos;
  pp_peak *peak[2];
  pp_counter counter; /* under the fast planner */
  pp_allocator allocator;
} pp_differ;

/* Opens a differ; always succeeds, scratch comes when needed. */
void pp_differ_open(pp_differ *differ);

/* Gives back what the differ owns. */
void pp_differ_close(pp_differ *differ);

/* Runs both sides on a case and compares. flags: PP_DIFFER_. The answer
 * is a pure function of the case and the flags. */
pp_outcome pp_differ_run(pp_differ *differ, const pp_case *c, unsigned flags);

/* Compares both checkers, and them only, on any claimed layout of the case
 * under the claim's cap. PP_DISAGREED, PP_NOT_COMPARED, or the kind's _OK:
 * compared, and *status and *violation are what both said. */
pp_outcome pp_differ_check(pp_differ *differ, const pp_case *c,
                           const pp_claim *claim, pp_status *status,
                           pp_violation *violation);

#endif
