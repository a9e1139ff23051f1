/* poolproof: random questions, the parts.  SPDX-License-Identifier: MIT */
#ifndef PP_GENERATE_PARTS_H
#define PP_GENERATE_PARTS_H

#include "ask_generate.h"
#include "random.h"

#include <stdlib.h>

/* most  items, nodes, events, acts together */
typedef struct pp_generating {
  pp_random random;
  pp_capabilities can;
  size_t most;
} pp_generating;

static inline bool pp_can(pp_capabilities can, pp_feature feature) {
  return (can >> (PP_ASK_COUNT + feature) & 1) != 0;
}

/* A map that keeps the order of small numbers and takes them to and across
 * where fewer bits or a sign end: value << shift, plus base. */
typedef struct pp_widening {
  unsigned shift;
  uint64_t base;
} pp_widening;

/* Most often the numbers stay as they are; always without u64. */
pp_widening pp_any_widening(pp_generating *it);

/* value is below 2^16. */
uint64_t pp_widen(const pp_widening *widening, uint64_t value);

/* Fill an empty question of their verb. False: out of memory. */
bool pp_generate_spans(pp_generating *it, pp_ask *ask);
bool pp_generate_score(pp_generating *it, pp_ask *ask);
bool pp_generate_release(pp_generating *it, pp_ask *ask);

#endif
