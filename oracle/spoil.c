#include "spoil.h"

#include "random.h"

#include <stdlib.h>

bool pp_claim_new(pp_claim *claim, size_t n) {
  *claim = (pp_claim){.segment = calloc(n + 1, sizeof *claim->segment),
                      .offset = calloc(n + 1, sizeof *claim->offset),
                      .size = calloc(n + 1, sizeof *claim->size)};
  return claim->segment && claim->offset && claim->size;
}

void pp_claim_free(pp_claim *claim) {
  free(claim->segment);
  free(claim->offset);
  free(claim->size);
  *claim = (pp_claim){0};
}

bool pp_claim_plan(const pp_case *c, uint64_t cap, pp_claim *claim) {
  const pp_plan_options options = {.cap = cap};
  if (c->kind == PP_SEGMENTS)
    return pp_segments_plan(c->items, c->n, &options, claim->segment,
                            claim->offset, claim->size, &claim->segments,
                            NULL) == PP_OK;
  for (size_t i = 0; i < c->n; i++)
    claim->segment[i] = 0;
  claim->segments = 1;
  return pp_arena_plan(c->items, c->n, &options, claim->offset, claim->size,
                       NULL) == PP_OK;
}

static uint64_t end_of(const pp_case *c, const pp_claim *claim, size_t i) {
  uint64_t end = 0;
  if (__builtin_add_overflow(claim->offset[i], c->items[i].size, &end))
    return UINT64_MAX;
  return end;
}

/* value one less, the same or one more, within 64 bits. */
static uint64_t nudge(pp_random *random, uint64_t value) {
  uint64_t by = pp_random_below(random, 3);
  if (by == 0 && value > 0) return value - 1;
  if (by == 2 && value < UINT64_MAX) return value + 1;
  return value;
}

static uint64_t aligned_down(uint64_t offset, uint64_t align) {
  return align > 1 ? offset - offset % align : offset;
}

static uint64_t new_offset(const pp_case *c, const pp_claim *claim,
                           pp_random *random, size_t i) {
  size_t j = (size_t)pp_random_below(random, c->n);
  uint64_t to = 0;
  switch (pp_random_below(random, 8)) {
  case 0:
    return 0;
  case 1:
    to = claim->offset[j];
    break;
  case 2:
    to = end_of(c, claim, j);
    break;
  case 3:
    to = nudge(random, claim->offset[j]);
    break;
  case 4:
    to = nudge(random, end_of(c, claim, j));
    break;
  case 5:
    to = claim->offset[j] + (end_of(c, claim, j) - claim->offset[j]) / 2;
    break;
  case 6:
    to = claim->offset[j] > c->items[i].size
             ? nudge(random, claim->offset[j] - c->items[i].size)
             : 0;
    break;
  default:
    to = nudge(random, UINT64_MAX - c->items[i].size);
    break;
  }
  if (!pp_random_one_in(random, 4)) to = aligned_down(to, c->items[i].align);
  return to;
}

static void swap_offsets(const pp_case *c, pp_claim *claim, pp_random *random,
                         size_t i) {
  size_t j = (size_t)pp_random_below(random, c->n);
  uint64_t offset = claim->offset[i];
  claim->offset[i] = claim->offset[j];
  claim->offset[j] = offset;
}

static void send_away(const pp_case *c, pp_claim *claim, pp_random *random,
                      size_t i) {
  if (pp_random_one_in(random, 3) && claim->segments <= c->n) {
    claim->size[claim->segments] = pp_random_below(random, 3);
    claim->segments++;
  }
  claim->segment[i] =
      (size_t)pp_random_below(random, (uint64_t)claim->segments + 1);
  if (pp_random_one_in(random, 16)) claim->segment[i] = SIZE_MAX;
}

static void spoil_size(pp_claim *claim, pp_random *random) {
  size_t k = (size_t)pp_random_below(random, claim->segments);
  if (claim->segments == 0) return;
  claim->size[k] = nudge(random, claim->size[k]);
  if (pp_random_one_in(random, 4)) claim->cap = nudge(random, claim->size[k]);
}

static void make_sizes_exact(const pp_case *c, pp_claim *claim) {
  for (size_t k = 0; k < claim->segments; k++)
    claim->size[k] = 0;
  for (size_t i = 0; i < c->n; i++) {
    size_t k = claim->segment[i];
    if (k >= claim->segments) continue;
    uint64_t end = end_of(c, claim, i);
    if (end > claim->size[k]) claim->size[k] = end;
  }
}

void pp_spoil(const pp_case *c, pp_claim *claim, uint64_t number) {
  pp_random random;
  pp_random_start(&random, pp_case_hash(c), number);
  bool exact = !pp_random_one_in(&random, 4);
  if (exact) claim->cap = UINT64_MAX;
  uint64_t edits = 1 + pp_random_below(&random, 3);
  for (; c->n > 0 && edits > 0; edits--) {
    size_t i = (size_t)pp_random_below(&random, c->n);
    uint64_t way = pp_random_below(&random, 8);
    if (way < 5)
      claim->offset[i] = new_offset(c, claim, &random, i);
    else if (way < 7)
      swap_offsets(c, claim, &random, i);
    else
      send_away(c, claim, &random, i);
  }
  if (exact) make_sizes_exact(c, claim);
  if (!exact || pp_random_one_in(&random, 8)) spoil_size(claim, &random);
}
