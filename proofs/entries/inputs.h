/* poolproof: symbolic inputs for Eva.
 *
 * An entry file calls a function of ref/ in "boxes". In a box each argument
 * is an interval, and all its values are analysed at once; what the analysis
 * must know exactly comes from a list, one box for each combination. Lists
 * take values next to 0, to 2^63 and to 2^64-1, where sums begin to wrap; the
 * top of each entry file says which. Nothing is assumed about an input beyond
 * the bounds that stand there. Arrays are as long as the contract says, their
 * last entry being the last of its memory; outputs begin uninitialised, and
 * what the contract promises of them is read afterwards.
 * For Frama-C alone: no build compiles this. SPDX-License-Identifier: MIT */
#ifndef PP_EVA_INPUTS_H
#define PP_EVA_INPUTS_H

#include "types.h"

#define TOP UINT64_MAX
#define HALF ((uint64_t)1 << 63)
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* A read of a volatile answers every value of its type. */
extern volatile uint64_t any64;
extern volatile uint32_t any32;

/* Where outputs go when they have been read. */
static volatile uint64_t seen;

/* Eva prints the argument where it gets to this call: how many boxes there
 * were, if all of them came back. */
void Frama_C_show_each_boxes(uint64_t count);

static inline uint64_t between(uint64_t lo, uint64_t hi) {
  uint64_t x = any64;
  if (x < lo) return lo;
  return x > hi ? hi : x;
}

/* How many ways there are to choose one of so many, this many times; and what
 * the k-th choice is in one such way. */
static inline size_t ways(size_t many, size_t times) {
  size_t all = 1;
  for (size_t k = 0; k < times; k++)
    all *= many;
  return all;
}

static inline size_t choice(size_t way, size_t many, size_t k) {
  for (; k > 0; k--)
    way /= many;
  return way % many;
}

static inline pp_item any_item(void) {
  pp_item item;
  item.size = any64;
  item.align = any64;
  item.lo = any64;
  item.hi = any64;
  item.item_class = any32;
  item.has_span = any64 != 0;
  return item;
}

#ifdef ANY_PADDING
/* Stands in for align.c. It answers any value whatever, so that what is shown
 * does not hang on what the padding is. Answers up to the spread of the lists
 * are told apart: a bound that leaves one value possible would otherwise
 * lose, for Eva, its relation to the others. */
uint64_t pp_ref_padding(uint64_t x, uint64_t align) {
  (void)x;
  (void)align;
  uint64_t pad = any64;
  for (uint64_t small = 0; small <= ANY_PADDING; small++)
    if (pad == small) return small;
  return pad;
}
#endif

#endif
