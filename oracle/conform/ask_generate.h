/* poolproof: random questions.  SPDX-License-Identifier: MIT */
#ifndef PP_ASK_GENERATE_H
#define PP_ASK_GENERATE_H

#include "ask.h"

/* Question number `run` of the campaign `seed` that needs no more than these
 * capabilities (at least one verb) and is at most max_items large
 * (pp_ask_size; at least 1). A pure function of its numbers. There is nothing
 * wrong with it (pp_ask_wrong). Aims at what faults.md lists. False: out of
 * memory. */
bool pp_ask_generate(pp_ask *ask, uint64_t seed, uint64_t run,
                     pp_capabilities capabilities, size_t max_items);

#endif
