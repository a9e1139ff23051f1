/* poolproof reference: which flip comes first when planning for a budget
 * (FPT-4). SPDX-License-Identifier: MIT */
#ifndef PP_REF_BUDGET_H
#define PP_REF_BUDGET_H

#include "types.h"

/* How many bytes a flip saves: any from -(2^64-1) to 2^64-1. Both signs of 0
 * are 0. */
typedef struct pp_ref_relief {
  bool negative;
  uint64_t bytes;
} pp_ref_relief;

/* A flip: what it saves on its own, what recomputing costs (not 0), and its
 * node's uid. */
typedef struct pp_ref_rank {
  pp_ref_relief relief;
  uint64_t cost;
  uint64_t uid;
} pp_ref_rank;

/*@ logic integer Bytes(pp_ref_relief r) = r.negative ? -r.bytes : r.bytes;
  @
  @ // How x stands to y.
  @ logic integer Order(integer x, integer y) = x < y ? -1 : x > y ? 1 : 0;
  @
  @ // FPT-4: of two costs above 0, how the reliefs per cost stand to each
  @ // other.
  @ logic integer RatioOrder(integer a, integer a_cost, integer b,
  @                          integer b_cost) =
  @   Order(a * b_cost, b * a_cost);
  @
  @ // FPT-4: the greater relief per cost, then the greater relief, then the
  @ // lesser uid.
  @ predicate RanksBefore(pp_ref_rank *a, pp_ref_rank *b) =
  @   \let ratio = RatioOrder(Bytes(a->relief), a->cost, Bytes(b->relief),
  @                           b->cost);
  @   \let bytes = Order(Bytes(a->relief), Bytes(b->relief));
  @   ratio > 0 || (ratio == 0 &&
  @     (bytes > 0 || (bytes == 0 && a->uid < b->uid)));
  @*/

/* Compares two reliefs per cost as the rational numbers that they are, by
 * Euclid's algorithm: nothing overflows, nothing is rounded (FPT-4). -1, 0, 1:
 * a / a_cost is less than, equal to, greater than b / b_cost. Costs are not
 * 0. Thread-safe: touches nothing. */
/*@ requires 0 < a_cost && 0 < b_cost;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures fpt_4_exact:
  @   \result == RatioOrder(Bytes(a), a_cost, Bytes(b), b_cost);
  @*/
int pp_ref_compare_ratio(pp_ref_relief a, uint64_t a_cost, pp_ref_relief b,
                         uint64_t b_cost);

/* Is flip a tried before flip b (FPT-4)? Of flips of different nodes one
 * always is. Their costs are not 0. Thread-safe: touches nothing. */
/*@ requires \valid_read(a) && \valid_read(b);
  @ requires 0 < a->cost && 0 < b->cost;
  @ terminates \true;
  @ assigns \nothing;
  @ ensures fpt_4_before: \result <==> RanksBefore(a, b);
  @*/
bool pp_ref_ranks_before(const pp_ref_rank *a, const pp_ref_rank *b);

#endif
