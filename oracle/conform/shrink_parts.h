/* poolproof: a question made small, the parts of questions.
 * SPDX-License-Identifier: MIT */
#ifndef PP_SHRINK_PARTS_H
#define PP_SHRINK_PARTS_H

#include "ask_shrink.h"

/* needs  what the question may need at most */
typedef struct pp_ask_shrinker {
  pp_ask *best;
  pp_ask trial;
  pp_capabilities needs;
  pp_ask_test *test;
  void *state;
  size_t left; /* tests */
  size_t done;
  bool stop; /* out of memory */
} pp_ask_shrinker;

/* Makes the trial the same as the best. False: it is time to stop. */
bool pp_shrink_begin(pp_ask_shrinker *shrinker);
/* Keeps the trial if it is still a question that shows the fault. */
bool pp_shrink_keep(pp_ask_shrinker *shrinker);

enum {
  PP_PART_ACTS,
  PP_PART_HOLDERS,
  PP_PART_EVENTS,
  PP_PART_NODES,
  PP_PART_ITEMS,
  PP_PART_SEGMENTS,
  PP_PART_HELD,
  PP_PART_CONSTANTS,
  PP_PART_DIMS,
  PP_PARTS
};

/* How many there are of a part; takes one away, with what refers to it. False:
 * it can not go alone. */
size_t pp_part_count(const pp_ask *ask, unsigned part);
bool pp_part_drop(pp_ask *ask, unsigned part, size_t i);

/* Number i of the question, which may be made smaller; NULL past the last. */
uint64_t *pp_number_at(pp_ask *ask, size_t i);

/* Yes or no, or one of a few, and what is simplest. False: it is so. */
size_t pp_switch_count(const pp_ask *ask);
bool pp_switch_off(pp_ask *ask, size_t i);

#endif
