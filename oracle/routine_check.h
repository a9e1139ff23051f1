/* poolproof: routines, lowered in every way and run everywhere, held to what
 * they mean.
 *
 * Why it holds: values are the interpreter's of the source, spans and
 * footprints come from the proved reference, the shadow-owner run sees bytes
 * that are not the reader's own, and fits are held to a plain one that lowers
 * everything anew. SPDX-License-Identifier: MIT */
#ifndef PP_ROUTINE_CHECK_H
#define PP_ROUTINE_CHECK_H

#include <poolproof/routine.h>

#include "here.h"
#include "replay.h"

/* What is counted: enumerator, text, is a long run that never sees it one that
 * shows too little? */
#define PP_ROUTINE_COUNTS(X)                                                   \
  X(LOWERED, "lowerings", true)                                                \
  X(SPANS, "nodes' spans compared", true)                                      \
  X(SCORES, "footprints compared", true)                                       \
  X(FITS, "fits compared", true)                                               \
  X(LINKS, "links", true)                                                      \
  X(VALUES, "nodes' values compared", true)                                    \
  X(OWNERS, "shadow-owner runs", true)                                         \
  X(VIRTUAL, "virtual nodes", true)                                            \
  X(MERGED, "statements in another's kernel", true)                            \
  X(SUNK, "routines with zeroings sunk", true)                                 \
  X(SHARING, "nodes that share bytes", true)                                   \
  X(FALLBACKS, "arenas over the cap", true)                                    \
  X(OVER_CAP, "nodes over the cap", true)                                      \
  X(FLIPS, "flips taken", true)                                                \
  X(JOINED, "flips held, then joined", true)                                   \
  X(DROPPED, "flips dropped", true)                                            \
  X(RECALLS, "nodes recalled", true)                                           \
  X(REFUSALS, "recalls refused", true)                                         \
  X(ALIASED, "aliased inputs refused", true)                                   \
  X(HEAVY, "codes too long to run", false)

typedef enum pp_routine_count {
#define PP_COUNT_ENUM(NAME, text, wanted) PP_COUNT_##NAME,
  PP_ROUTINE_COUNTS(PP_COUNT_ENUM)
#undef PP_COUNT_ENUM
      PP_ROUTINE_COUNT_COUNT
} pp_routine_count;

/* A check adds to the counts. sentence is written by PP_DISAGREE and
 * PP_UNDECIDED.
 * links, values  of the counts of that name, each backend's; the last one is
 *                that of `other` below */
typedef struct pp_routine_checked {
  uint64_t count[PP_ROUTINE_COUNT_COUNT];
  uint64_t left_out[PP_BACKEND_COUNT + 1]; /* checks: it has no doubles */
  uint64_t links[PP_BACKEND_COUNT + 1];
  uint64_t values[PP_BACKEND_COUNT + 1];
  char sentence[600];
} pp_routine_checked;

enum { PP_CHAIN = 3 }; /* routines that follow each other, at most */

/* May the routines follow each other? A node that several have has the same
 * dtype and dimensions in all, is constant or merge in all or none, and has
 * data in the first alone. */
bool pp_routines_follow(pp_routine *const *routine, size_t routines);

/* Where a check runs.
 * backends  all of them here
 * other     one more, which is not in the list, or NULL
 * share     those that need a driver run one way of lowering alone, with reuse
 *           and without, by turns; else every backend runs every way */
typedef struct pp_routine_where {
  unsigned backends;
  pp_backend *other;
  bool share;
} pp_routine_where;

/* Checks sealed sources, 1 to PP_CHAIN that may follow each other, in one
 * lineage. What is drawn is drawn from the seed, wherever it runs: options,
 * decisions, budgets, values. PP_UNDECIDED: no memory. */
pp_verdict pp_routine_check(pp_routine *const *source, size_t sources,
                            uint64_t seed, const pp_routine_where *where,
                            pp_routine_checked *checked);

#endif
