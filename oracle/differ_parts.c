#include "differ_parts.h"

#include "brute.h"
#include "say.h"

#include "ref/ref.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BOUND_ITEMS = 256 }; /* its definition takes n squared */

/* Ends the run: nothing is known. Returns false, as disagree does. */
bool pp_differ_give_up(pp_differ *differ) {
  differ->failed = PP_NOT_COMPARED;
  return false;
}

bool pp_differ_disagree(pp_differ *differ, const char *format, ...) {
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE: clang-tidy 14 does not see va_start */
  (void)vsnprintf(differ->sentence, sizeof differ->sentence, format, list);
  va_end(list);
  differ->failed = PP_DISAGREED;
  return false;
}

/* Outputs start as rubbish, other rubbish on each side, so that what a side
 * does not write is never equal; entry n must stay as it is. */
void pp_differ_poison(pp_answer *answer, size_t n, int byte) {
  memset(answer->segment, byte, (n + 1) * sizeof *answer->segment);
  memset(answer->offset, byte, (n + 1) * sizeof *answer->offset);
  memset(answer->size, byte, (n + 1) * sizeof *answer->size);
  memset(&answer->segments, byte, sizeof answer->segments);
  answer->index = 0;
}

/* After each call of the fast side: everything given back, memory O(n). */
bool pp_differ_clean(pp_differ *differ, const char *who, size_t n) {
  if (differ->counter.live != 0) {
    long live = differ->counter.live;
    differ->counter.live = 0;
    return pp_differ_disagree(differ, "%s keeps %ld allocations", who, live);
  }
  if (differ->counter.bytes / 1024 > n + 4)
    return pp_differ_disagree(differ, "%s asks for %zu bytes for %zu items",
                              who, differ->counter.bytes, n);
  return true;
}

bool pp_differ_same_status(pp_differ *differ, const char *plan) {
  pp_answer *ref = &differ->ref;
  pp_answer *fast = &differ->fast;
  if (fast->status == ref->status) return true;
  if (fast->status == PP_NO_MEMORY && differ->counter.empty)
    return pp_differ_give_up(differ);
  return pp_differ_disagree(differ, "%s: the reference answers %s, fast %s",
                            plan, pp_say_status(ref->status),
                            pp_say_status(fast->status));
}

/* Where a side puts an item; "nowhere" when it left its outputs as they were.
 */
static const char *say_place(const pp_answer *answer, size_t i, char *text) {
  uint64_t offset = answer->offset[i];
  if (offset == UINT64_C(0x5a5a5a5a5a5a5a5a) ||
      offset == UINT64_C(0xa5a5a5a5a5a5a5a5))
    return "nowhere";
  (void)snprintf(text, PP_SAY_ROOM, "at segment %zu offset %" PRIu64,
                 answer->segment[i], offset);
  return text;
}

bool pp_differ_same_layout(pp_differ *differ, const pp_case *c,
                           const char *plan) {
  const pp_answer *ref = &differ->ref;
  const pp_answer *fast = &differ->fast;
  char item[PP_SAY_ROOM];
  char one[PP_SAY_ROOM];
  char two[PP_SAY_ROOM];
  for (size_t i = 0; i < c->n; i++)
    if (ref->segment[i] != fast->segment[i] ||
        ref->offset[i] != fast->offset[i])
      return pp_differ_disagree(differ, "%s: the reference puts %s %s, fast %s",
                                plan, pp_say_item(c, i, item),
                                say_place(ref, i, one),
                                say_place(fast, i, two));
  if (ref->segments != fast->segments)
    return pp_differ_disagree(differ,
                              "%s: the reference has %zu segments, fast %zu",
                              plan, ref->segments, fast->segments);
  for (size_t k = 0; k < ref->segments; k++)
    if (ref->size[k] != fast->size[k])
      return pp_differ_disagree(differ,
                                "%s: the size of segment %zu is %" PRIu64
                                " by the reference, %" PRIu64 " by fast",
                                plan, k, ref->size[k], fast->size[k]);
  return true;
}

bool pp_differ_same_check(pp_differ *differ, const pp_case *c, pp_kind kind,
                          const pp_claim *claim, pp_status *status,
                          pp_violation *violation) {
  pp_violation fast;
  size_t bad[2] = {0, 0};
  memset(violation, PP_REF_POISON, sizeof *violation);
  memset(&fast, PP_FAST_POISON, sizeof fast);
  pp_counter_start(&differ->counter, 0);
  *status = pp_ref_validate(kind, c->items, c->n, claim->cap, claim->segment,
                            claim->offset, claim->size, claim->segments,
                            violation, &bad[0]);
  pp_status fast_status = pp_check(
      kind, c->items, c->n, claim->cap, claim->segment, claim->offset,
      claim->size, claim->segments, &differ->allocator, &fast, &bad[1]);
  if (fast_status == PP_NO_MEMORY && differ->counter.empty)
    return pp_differ_give_up(differ);
  if (!pp_differ_clean(differ, "the fast checker", c->n + claim->segments))
    return false;
  if (*status != fast_status)
    return pp_differ_disagree(
        differ, "check: the reference answers %s, the fast checker %s",
        pp_say_status(*status), pp_say_status(fast_status));
  if (*status == PP_BAD_SPAN && bad[0] != bad[1])
    return pp_differ_disagree(
        differ,
        "check: BAD_SPAN of item %zu by the reference, item %zu by "
        "the fast checker",
        bad[0], bad[1]);
  char one[PP_SAY_ROOM];
  char two[PP_SAY_ROOM];
  if (*status == PP_OK &&
      (violation->kind != fast.kind || violation->first != fast.first ||
       violation->second != fast.second || violation->lo != fast.lo ||
       violation->hi != fast.hi))
    return pp_differ_disagree(
        differ, "check: the reference finds %s, the fast checker %s",
        pp_say_violation(violation, one), pp_say_violation(&fast, two));
  return true;
}

bool pp_differ_valid(pp_differ *differ, const pp_case *c, pp_kind kind,
                     const char *plan, const pp_answer *answer) {
  const pp_claim claim = {c->cap, answer->segments, answer->segment,
                          answer->offset, answer->size};
  pp_status status = PP_OK;
  pp_violation violation;
  if (!pp_differ_same_check(differ, c, kind, &claim, &status, &violation))
    return false;
  char text[PP_SAY_ROOM];
  if (status == PP_OK && violation.kind == PP_VALID) return true;
  return pp_differ_disagree(
      differ, "%s: the plan is invalid by both checkers: %s", plan,
      status == PP_OK ? pp_say_violation(&violation, text)
                      : pp_say_status(status));
}

/* No-reuse is what SEG makes of the items under no cap, if that is one
 * segment, within the cap (FPT-3). Leaves ref and fast as scratch. */
bool pp_differ_same_no_reuse(pp_differ *differ, const pp_case *c) {
  pp_answer *ref = &differ->ref;
  pp_answer *fast = &differ->fast;
  const pp_plan_options options = {.cap = c->cap};
  pp_error error = {0};
  pp_differ_poison(fast, c->n, PP_FAST_POISON);
  ref->status = pp_ref_plan_pool_segments(c->items, c->n, UINT64_MAX,
                                          ref->segment, ref->offset, ref->size,
                                          &ref->segments, &ref->index);
  if (ref->segments == 0) ref->size[0] = 0;
  if (ref->status == PP_OK && (ref->segments > 1 || ref->size[0] > c->cap))
    ref->status = PP_OVER_CAP;
  fast->status = pp_no_reuse_plan(c->items, c->n, &options, fast->offset,
                                  &fast->size[0], &error);
  if (!pp_differ_same_status(differ, "no-reuse")) return false;
  if (ref->status != PP_OK) return true;
  ref->segments = fast->segments = 1;
  memset(fast->segment, 0, (c->n + 1) * sizeof *fast->segment);
  return pp_differ_same_layout(differ, c, "no-reuse") &&
         pp_differ_valid(differ, c, PP_SEGMENTS, "no-reuse", fast);
}

static bool same_peaks(pp_differ *differ, const size_t *peaks,
                       const uint64_t *bound) {
  if (bound[0] != bound[1] || peaks[0] != peaks[1])
    return pp_differ_disagree(differ,
                              "lower bound: %" PRIu64
                              " in %zu groups by the definition, "
                              "%" PRIu64 " in %zu by fast",
                              bound[0], peaks[0], bound[1], peaks[1]);
  for (size_t k = 0; k < peaks[0]; k++) {
    const pp_peak *a = &differ->peak[0][k];
    const pp_peak *b = &differ->peak[1][k];
    if (a->bytes != b->bytes || a->step != b->step ||
        (k > 0 && a->item_class != b->item_class))
      return pp_differ_disagree(differ,
                                "lower bound: group %zu peaks with %" PRIu64
                                " bytes at step %" PRIu64 ", by fast %" PRIu64
                                " at %" PRIu64,
                                k, a->bytes, a->step, b->bytes, b->step);
  }
  return true;
}

/* VAL-3. total: of a valid plan, which the bound must not pass. */
bool pp_differ_same_bound(pp_differ *differ, const pp_case *c, uint64_t total) {
  size_t peaks[2] = {0, 0};
  uint64_t bound[2] = {0, 0};
  size_t bad = 0;
  pp_counter_start(&differ->counter, 0);
  pp_status status =
      pp_lower_bound(c->items, c->n, &differ->allocator, differ->peak[1],
                     &peaks[1], &bound[1], &bad);
  if (status == PP_NO_MEMORY && differ->counter.empty)
    return pp_differ_give_up(differ);
  if (status != PP_OK)
    return pp_differ_disagree(differ, "lower bound: %s for good spans",
                              pp_say_status(status));
  if (!pp_differ_clean(differ, "fast lower bound", c->n)) return false;
  if (bound[1] > total)
    return pp_differ_disagree(differ,
                              "lower bound %" PRIu64
                              " is above the total %" PRIu64 " of a valid plan",
                              bound[1], total);
  if (c->n > BOUND_ITEMS) return true;
  pp_brute_bound(c->items, c->n, differ->peak[0], &peaks[0], &bound[0]);
  return same_peaks(differ, peaks, bound);
}

/* The claim to be spoiled: the plan if there is one, else all at offset 0. */
static pp_claim spare_claim(pp_differ *differ, const pp_case *c) {
  const pp_answer *from = &differ->ref;
  pp_answer *to = &differ->spare;
  size_t n = c->n;
  size_t segments = from->status == PP_OK ? from->segments : 1;
  memset(to->segment, 0, (n + 1) * sizeof *to->segment);
  memset(to->offset, 0, (n + 1) * sizeof *to->offset);
  memset(to->size, 0, (n + 1) * sizeof *to->size);
  if (from->status == PP_OK) {
    memcpy(to->segment, from->segment, n * sizeof *to->segment);
    memcpy(to->offset, from->offset, n * sizeof *to->offset);
    memcpy(to->size, from->size, segments * sizeof *to->size);
  }
  return (pp_claim){c->cap, segments, to->segment, to->offset, to->size};
}

bool pp_differ_same_spoiled(pp_differ *differ, const pp_case *c,
                            uint64_t count) {
  for (uint64_t number = 0; number < count; number++) {
    pp_claim claim = spare_claim(differ, c);
    pp_spoil(c, &claim, number);
    pp_status status = PP_OK;
    pp_violation violation;
    if (!pp_differ_same_check(differ, c, c->kind, &claim, &status, &violation))
      return false;
  }
  return true;
}

typedef pp_status pp_starving(pp_differ *differ, const pp_case *c);

static pp_status starve_arena(pp_differ *differ, const pp_case *c) {
  const pp_plan_options options = {.cap = c->cap,
                                   .allocator = &differ->allocator};
  return pp_arena_plan(c->items, c->n, &options, differ->spare.offset,
                       &differ->spare.size[0], NULL);
}

static pp_status starve_bound(pp_differ *differ, const pp_case *c) {
  size_t peaks = 0;
  uint64_t bound = 0;
  size_t bad = 0;
  return pp_lower_bound(c->items, c->n, &differ->allocator, differ->peak[1],
                        &peaks, &bound, &bad);
}

static pp_status starve_check(pp_differ *differ, const pp_case *c) {
  pp_claim claim = spare_claim(differ, c);
  pp_violation violation;
  size_t bad = 0;
  return pp_check(c->kind, c->items, c->n, claim.cap, claim.segment,
                  claim.offset, claim.size, claim.segments, &differ->allocator,
                  &violation, &bad);
}

bool pp_differ_starved(pp_differ *differ, const pp_case *c) {
  static const struct {
    const char *name;
    pp_starving *call;
  } calls[] = {{"fast arena", starve_arena},
               {"fast lower bound", starve_bound},
               {"the fast checker", starve_check}};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    for (size_t fail_at = 1;; fail_at++) {
      pp_counter_start(&differ->counter, fail_at);
      pp_status status = calls[i].call(differ, c);
      if (!pp_differ_clean(differ, calls[i].name, c->n + 1)) return false;
      if (!pp_counter_failed(&differ->counter)) break;
      if (status != PP_NO_MEMORY)
        return pp_differ_disagree(
            differ, "%s answers %s though allocation %zu failed", calls[i].name,
            pp_say_status(status), fail_at);
    }
  pp_counter_start(&differ->counter, 0);
  return true;
}
