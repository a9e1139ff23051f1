/* poolproof fuzz target: items straight from bytes, no parser between, to both
 * planners (SEG, ARN) and now and then to both checkers (VAL).
 *
 * Any bytes are a problem: two of head, then four an item, at most 32 items.
 *
 *   head[0]  bit 0 arena or segments; bits 1, 2 what the cap is measured from;
 *            bits 4 to 7 what is compared beside the plans
 *   head[1]  the cap
 *   item[0]  size, a number as below
 *   item[1]  bits 0 to 3 alignment; 4, 5 class; 6, 7 kind of span
 *   item[2], item[3]  the span
 *
 * A number is a byte: below 64 itself, then 2^k, 2^k - 1 and 2^k + 1, so that
 * a bit that flips crosses a boundary.  SPDX-License-Identifier: MIT */
#include "target.h"

#include "differ.h"

#include <stdlib.h>

enum { ITEMS = 32, HEAD = 2, ITEM = 4 };

enum { CAP_NUMBER, CAP_USUAL, CAP_SIZE, CAP_TOTAL };

enum { SPAN_NONE, SPAN_LENGTH, SPAN_ENDS, SPAN_TOUCHING };

static uint64_t add(uint64_t a, uint64_t b) {
  return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static uint64_t number(uint8_t code) {
  uint64_t power = UINT64_C(1) << (code % 64);
  switch (code / 64) {
  case 0:
    return code;
  case 1:
    return power;
  case 2:
    return power > 1 ? power - 1 : UINT64_MAX;
  default:
    return power + 1;
  }
}

/* from, and up to 3 beside it. */
static uint64_t beside(uint64_t from, uint8_t code) {
  uint64_t by = code % 4;
  if (code % 8 < 4) return add(from, by);
  return from > by ? from - by : 0;
}

static pp_item decode(const uint8_t *code, const pp_item *before) {
  static const uint64_t aligns[] = {0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    6,
                                    8,
                                    12,
                                    16,
                                    64,
                                    256,
                                    4096,
                                    UINT64_C(1) << 31,
                                    (UINT64_C(1) << 32) + 1,
                                    UINT64_C(1) << 63,
                                    UINT64_MAX};
  pp_item item = {.size = number(code[0]),
                  .align = aligns[code[1] % 16],
                  .item_class = code[1] / 16 % 4};
  unsigned span = code[1] / 64;
  item.has_span = span != SPAN_NONE;
  if (span == SPAN_LENGTH || span == SPAN_ENDS) item.lo = number(code[2]);
  if (span == SPAN_TOUCHING) item.lo = beside(before->hi, code[2]);
  if (span == SPAN_LENGTH || span == SPAN_TOUCHING)
    item.hi = add(item.lo, number(code[3]));
  if (span == SPAN_ENDS) item.hi = number(code[3]);
  return item;
}

/* What a plan without a cap takes; segments all behind one another. */
static uint64_t total(pp_differ *differ, const pp_case *c) {
  pp_case free = *c;
  free.cap = PP_CAP_UNLIMITED;
  pp_outcome outcome = pp_differ_run(differ, &free, 0);
  if (outcome == PP_DISAGREED) pp_target_fail("%s", differ->sentence);
  if (outcome == PP_ARENA_OK || outcome == PP_SEGMENTS_OK)
    return differ->ref.segments > 0 ? differ->ref.size[0] : 0;
  return UINT64_MAX;
}

static uint64_t cap(pp_differ *differ, const pp_case *c, const uint8_t *head) {
  switch (head[0] / 2 % 4) {
  case CAP_USUAL:
    return beside(PP_CAP_USUAL, head[1]);
  case CAP_SIZE:
    return beside(c->n > 0 ? c->items[head[1] / 8 % c->n].size : 0, head[1]);
  case CAP_TOTAL:
    return beside(total(differ, c), head[1]);
  default:
    return number(head[1]);
  }
}

static unsigned flags(uint8_t code) {
  switch (code / 16) {
  case 13:
    return PP_DIFFER_CHECK | PP_DIFFER_BOUND;
  case 14:
    return PP_DIFFER_PERTURB;
  case 15:
    return PP_DIFFER_USUAL | PP_DIFFER_NO_MEMORY;
  default:
    return 0;
  }
}

static void run(pp_case *c, const uint8_t *head) {
  pp_differ differ;
  pp_differ_open(&differ);
  c->cap = cap(&differ, c, head);
  pp_outcome outcome = pp_differ_run(&differ, c, flags(head[0]));
  if (outcome == PP_DISAGREED) pp_target_fail("%s", differ.sentence);
  if (outcome != PP_NOT_COMPARED) pp_target_compare();
  pp_differ_close(&differ);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const pp_item none = {.size = 0};
  uint8_t head[HEAD] = {0};
  pp_target_begin();
  for (size_t i = 0; i < HEAD && i < size; i++)
    head[i] = data[i];
  pp_case c = {.kind = head[0] % 2 == 0 ? PP_ARENA : PP_SEGMENTS};
  if (size > HEAD) c.n = (size - HEAD) / ITEM;
  if (c.n > ITEMS) c.n = ITEMS;
  c.items = malloc((c.n + (c.n == 0)) * sizeof *c.items);
  if (!c.items) return 0;
  for (size_t i = 0; i < c.n; i++)
    c.items[i] =
        decode(data + HEAD + ITEM * i, i > 0 ? &c.items[i - 1] : &none);
  run(&c, head);
  pp_case_free(&c);
  return 0;
}
