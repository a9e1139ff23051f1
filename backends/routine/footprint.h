/* poolproof: the bytes that a routine needs, and making it fit (rules FPT).
 *
 *   pp_fitting *fitting;
 *   pp_budget budget = {PP_BUDGET_BYTES, 1 << 20};
 *   pp_fit(source, NULL, NULL, &budget, &fitting, &why);
 *   pp_lower_options fitted = {.lineage = fitting->lineage};
 *   if (fitting->within) pp_compile(root, source, &fitted, NULL, &step, &why);
 *   pp_fitting_free(fitting);
 *
 * SPDX-License-Identifier: MIT */
#ifndef PP_FOOTPRINT_H
#define PP_FOOTPRINT_H

#include <poolproof/failure.h>
#include <poolproof/lower.h>
#include <poolproof/routine.h>
#include <poolproof/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL, or all zero: the defaults.
 * cap        bytes of a pool at most; 0: the usual 4 GiB
 * alignment  bytes, of every node; 0: 64, as on this processor
 * no_reuse   FPT-3: every node always live */
typedef struct pp_score_options {
  uint64_t cap;
  uint64_t alignment;
  bool no_reuse;
} pp_score_options;

/* FPT-1. Bytes, but for the last two.
 * working    the pools of nodes that are no constants: one arena when a node
 *            has a span, reuse is on and it fits the cap; else segments
 * constants  the pools of constants
 * total      both
 * dedicated  what working were in segments: no sharing; stays at 2^64 - 1
 * arena      is working one arena?
 * planned    nodes with a span; 0 without reuse
 * nodes      all in-context nodes, constants too; merge nodes are none */
typedef struct pp_footprint {
  uint64_t working;
  uint64_t constants;
  uint64_t total;
  uint64_t dedicated;
  bool arena;
  size_t planned;
  size_t nodes;
} pp_footprint;

/* The footprint of a sealed routine as it stands: exactly what a link from a
 * root context allocates (FPT-2). PP_ITEM_OVER_CAP names the first node that is
 * larger than the cap, working ones first; PP_OVER_CAP: the sum is above
 * 2^64 - 1; PP_NO_MEMORY. Thread-safe. */
pp_status pp_score_footprint(const pp_routine *routine,
                             const pp_score_options *options,
                             pp_footprint *footprint, pp_failure *failure);

/* FPT-5: what a total may be.
 * bytes  when kind is PP_BUDGET_BYTES */
typedef enum pp_budget_kind {
  PP_BUDGET_OFF,
  PP_BUDGET_MINIMISE,
  PP_BUDGET_BYTES
} pp_budget_kind;

typedef struct pp_budget {
  pp_budget_kind kind;
  uint64_t bytes;
} pp_budget;

/* "0" off, "minimize" (or "minimise"), or a whole number of bytes with K, M or
 * G (times 1024) behind it or not. False, budget as it was: anything else,
 * signs, spaces, more than 2^64 - 1, a number of 0 with a suffix. */
bool pp_budget_parse(const char *text, pp_budget *budget);

/* Bytes saved; negative: bytes more. */
typedef struct pp_relief {
  bool negative; /* never with 0 bytes */
  uint64_t bytes;
} pp_relief;

/* What became of a candidate.
 * untried    the budget was met before
 * taken      committed, alone or, together with it, all held ones
 * joined     held, and committed by a later one
 * held       without relief to the end
 * dropped    it would have cost bytes */
typedef enum pp_flip_outcome {
  PP_FLIP_UNTRIED,
  PP_FLIP_TAKEN,
  PP_FLIP_JOINED,
  PP_FLIP_HELD,
  PP_FLIP_DROPPED
} pp_flip_outcome;

/* One inline flip: a node that policy materialised made virtual.
 * solo      relief of this flip alone, from the baseline
 * marginal  relief when it was tried: alone, or if that was none, together
 *           with all held ones; 0 for untried and joined ones, whose share is
 *           in the one that they were committed with
 * total     the footprint's total after this step */
typedef struct pp_flip {
  uint64_t uid;
  char label[PP_LABEL];
  uint64_t cost;
  pp_relief solo;
  pp_relief marginal;
  uint64_t total;
  pp_flip_outcome outcome;
} pp_flip;

/* What fit answers.
 * flip     all candidates in the order in which they rank
 * within   is final.total within the budget? minimise: true
 * scores   footprints that were computed
 * lineage  options' lineage with decide_inline for what was taken or joined:
 *          lowering with it gives final */
typedef struct pp_fitting {
  pp_footprint baseline;
  pp_footprint final;
  bool within;
  size_t flips;
  pp_flip *flip;
  size_t scores;
  pp_lineage *lineage;
} pp_fitting;

/* FPT-4: which candidates of the source's surface to make virtual, so that the
 * total comes within the budget. Candidates rank by solo relief for each unit
 * of cost, compared as exact rationals, then by relief, then by uid, and are
 * tried in this order until the budget is met:
 *   alone it saves bytes: taken;
 *   else together with all held ones it saves: all of them are taken;
 *   else, together, they cost bytes: dropped; they change nothing: held.
 * The marginal reliefs of those taken sum to baseline.total - final.total.
 * Compiles nothing, touches no context. PP_BUDGET_OFF ranks and takes none.
 * Errors of pp_decision_surface and pp_score_footprint, the baseline's too, so
 * that a node over the cap is refused even if a flip would do without it;
 * PP_BAD_ROUTINE: reuse is off. */
pp_status pp_fit(const pp_routine *source, const pp_lower_options *options,
                 const pp_score_options *score, const pp_budget *budget,
                 pp_fitting **fitting, pp_failure *failure);

/* NULL is nothing. */
void pp_fitting_free(pp_fitting *fitting);

#ifdef __cplusplus
}
#endif

#endif
