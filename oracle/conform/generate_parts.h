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

/* Fill an empty question of their verb. False: out of memory. */
bool pp_generate_spans(pp_generating *it, pp_ask *ask);
bool pp_generate_score(pp_generating *it, pp_ask *ask);
bool pp_generate_release(pp_generating *it, pp_ask *ask);

#endif
