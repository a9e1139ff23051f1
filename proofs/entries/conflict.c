/* poolproof: conflict.h, for Eva.
 *
 * conflict: 4 items, every field any value; any two indices below 4
 *
 * first-bad-span: 0..8 items, every field any value
 *
 * SPDX-License-Identifier: MIT */
#include "conflict.h"
#include "inputs.h"

#define MOST 8

static uint64_t boxes;

#ifdef CONFLICT
void entry(void) {
  pp_item items[4];
  for (size_t k = 0; k < 4; k++)
    items[k] = any_item();
  seen = pp_ref_conflict(items, any64 % 4, any64 % 4);
  boxes++;
  Frama_C_show_each_boxes(boxes);
}
#else
static void box(size_t n) {
  pp_item all[MOST];
  pp_item *items = all + (MOST - n);
  for (size_t k = 0; k < n; k++)
    items[k] = any_item();
  seen = pp_ref_first_bad_span(n > 0 ? items : NULL, n);
  boxes++;
}

void entry(void) {
  for (size_t n = 0; n <= MOST; n++)
    box(n);
  Frama_C_show_each_boxes(boxes);
}
#endif
