/* poolproof: pp_ref_release and pp_ref_gone, for Eva.
 *
 * release: 0..3 nodes in pools each of 0, 1, 2^64-1, at any offset; the parent
 * holds any of them, each in any pool at any offset; 0..2 constants, each in
 * any pool at any offset; any progress of a release that has not succeeded, and
 * that of one that has; each call of the backend succeeds or fails with any
 * status; afterwards each node is asked after
 *
 * The nodes' pools are exact: that a pool equals itself, where the search for
 * the first node of one ends, Eva would not know of an interval.
 * SPDX-License-Identifier: MIT */
#include "release.h"
#include "inputs.h"

#define MOST 3
#define CONSTANTS 2

static uint64_t boxes;

static pp_status any_status(void) {
  uint64_t status = any64;
  return status <= PP_BUSY ? (pp_status)status : PP_OK;
}

pp_status pp_ref_await(void) {
  return any_status();
}

pp_status pp_ref_free_pool(uint64_t pool) {
  seen = pool;
  return any_status();
}

static const uint64_t pools[] = {0, 1, TOP};

static void box(const pp_location *at, size_t n, size_t m,
                pp_ref_progress progress) {
  pp_location parent_at[MOST];
  bool in_parent[MOST];
  pp_location constant[CONSTANTS];
  size_t skip = MOST - n;
  for (size_t k = skip; k < MOST; k++) {
    parent_at[k] = (pp_location){any64, any64};
    in_parent[k] = any64 != 0;
  }
  for (size_t k = CONSTANTS - m; k < CONSTANTS; k++)
    constant[k] = (pp_location){any64, any64};
  seen = pp_ref_release(at + skip, parent_at + skip, in_parent + skip, n,
                        constant + CONSTANTS - m, m, &progress);
  seen = progress.next;
  seen = progress.released;
  for (size_t i = 0; i < n; i++)
    seen = pp_ref_gone(at + skip, parent_at + skip, in_parent + skip, n,
                       constant + CONSTANTS - m, m, &progress, i);
  boxes++;
}

static void boxes_of(size_t n, size_t m) {
  for (size_t way = 0; way < ways(COUNT(pools), n); way++) {
    pp_location at[MOST];
    for (size_t k = 0; k < n; k++)
      at[MOST - 1 - k] =
          (pp_location){pools[choice(way, COUNT(pools), k)], any64};
    for (size_t next = 0; next <= n; next++)
      box(at, n, m, (pp_ref_progress){next, false});
    box(at, n, m, (pp_ref_progress){n, true});
  }
}

void entry(void) {
  for (size_t n = 0; n <= MOST; n++)
    for (size_t m = 0; m <= CONSTANTS; m++)
      boxes_of(n, m);
  Frama_C_show_each_boxes(boxes);
}
