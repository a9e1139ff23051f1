/* poolproof: pp_ref_padding, for Eva.
 *
 * padding: any x with each align of 0..256, of 2^64-256..2^64-1 and of
 * 2^k-1, 2^k, 2^k+1 for each k of 0..63; any align that is at least 2^k with
 * any x below 2^k, for each k of 1..63
 *
 * With both any at once Eva has one false alarm, for align - rest: it keeps
 * no relation between a remainder and its divisor. WP proves that one.
 * SPDX-License-Identifier: MIT */
#include "align.h"
#include "inputs.h"

static uint64_t boxes;

static void box(uint64_t x_hi, uint64_t align_lo, uint64_t align_hi) {
  seen = pp_ref_padding(between(0, x_hi), between(align_lo, align_hi));
  boxes++;
}

void entry(void) {
  for (uint64_t align = 0; align <= 256; align++)
    box(TOP, align, align);
  for (uint64_t less = 0; less < 256; less++)
    box(TOP, TOP - less, TOP - less);
  for (unsigned k = 0; k < 64; k++) {
    uint64_t power = (uint64_t)1 << k;
    for (uint64_t step = 0; step < 3; step++)
      box(TOP, power - 1 + step, power - 1 + step);
    if (k > 0) box(power - 1, power, TOP);
  }
  Frama_C_show_each_boxes(boxes);
}
