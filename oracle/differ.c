#include "differ_parts.h"

#include "say.h"

#include "ref/ref.h"

#include <stdlib.h>
#include <string.h>

/* The compare point.
 *
 *   A  the fast planner's answer,  B  the reference's answer,  C  the rules.
 *
 * Proof: B => C. ref/ is proved against contracts that state SEG, ARN and VAL
 * (ref/README.md), for every input. Test: A = B, byte for byte, for the inputs
 * that came by here. The rules determine the answer uniquely (SEG-7, ARN-5),
 * so that EXACT comparison is fair: there is no second right answer. Hence,
 * for those inputs, A => C; and one disagreement refutes A or the proof's
 * assumptions, never "a matter of taste".
 *
 * Equality alone would let a fault in both pass (a compiler's, a shared
 * header's), so each plan is also called valid by both checkers, the plans
 * without a proof yet (no-reuse, lower bound) are compared with the
 * definition, and `poolproof exhaust` adds a third party that tries every
 * offset. A valid plan says little of a checker: both are made to name the
 * first violation of layouts spoiled on purpose, the same record each.
 *
 * What counts as compared: both sides answered. Memory that the harness did
 * not get is PP_NOT_COMPARED, and never counted as agreement. */

enum { SPOILS = 2, SPOILS_THOROUGH = 600, THOROUGH_ITEMS = 256 };

static const char pool[] = "differ";

const char *pp_outcome_text(pp_outcome outcome) {
  switch (outcome) {
  case PP_SEGMENTS_OK:
    return "segments: planned";
  case PP_SEGMENTS_ITEM_OVER_CAP:
    return "segments: item over cap";
  case PP_ARENA_OK:
    return "arena: planned";
  case PP_ARENA_OVER_CAP:
    return "arena: over cap";
  case PP_ARENA_BAD_SPAN:
    return "arena: bad span";
  case PP_DISAGREED:
    return "disagreed";
  case PP_NOT_COMPARED:
    return "not compared";
  }
  return "unknown";
}

void pp_differ_open(pp_differ *differ) {
  *differ = (pp_differ){0};
  differ->allocator = pp_counter_allocator(&differ->counter);
}

static void answer_free(pp_answer *answer) {
  free(answer->segment);
  free(answer->offset);
  free(answer->size);
  *answer = (pp_answer){0};
}

static void free_arrays(pp_differ *differ) {
  answer_free(&differ->ref);
  answer_free(&differ->fast);
  answer_free(&differ->spare);
  free(differ->order);
  free(differ->pos);
  free(differ->peak[0]);
  free(differ->peak[1]);
  differ->order = differ->pos = NULL;
  differ->peak[0] = differ->peak[1] = NULL;
  differ->room = 0;
}

void pp_differ_close(pp_differ *differ) {
  free_arrays(differ);
  pp_counter_close(&differ->counter);
}

static bool answer_new(pp_answer *answer, size_t room) {
  answer->segment = calloc(room, sizeof *answer->segment);
  answer->offset = calloc(room, sizeof *answer->offset);
  answer->size = calloc(room, sizeof *answer->size);
  return answer->segment && answer->offset && answer->size;
}

/* Room for n items and one more in every array. */
static bool reserve(pp_differ *differ, size_t n) {
  if (n < differ->room) return true;
  if (n > SIZE_MAX / 64) return false;
  free_arrays(differ);
  size_t room = n + n / 2 + 8;
  differ->order = calloc(room, sizeof *differ->order);
  differ->pos = calloc(room, sizeof *differ->pos);
  differ->peak[0] = calloc(room, sizeof *differ->peak[0]);
  differ->peak[1] = calloc(room, sizeof *differ->peak[1]);
  bool ok = answer_new(&differ->ref, room) && answer_new(&differ->fast, room) &&
            answer_new(&differ->spare, room) && differ->order && differ->pos &&
            differ->peak[0] && differ->peak[1];
  if (!ok)
    free_arrays(differ);
  else
    differ->room = room;
  return ok;
}

static bool within_outputs(pp_differ *differ, const pp_case *c) {
  static const uint64_t poisons[] = {UINT64_C(0xa5a5a5a5a5a5a5a5),
                                     UINT64_C(0x5a5a5a5a5a5a5a5a)};
  for (size_t side = 0; side < 2; side++) {
    const pp_answer *answer = side == 0 ? &differ->ref : &differ->fast;
    if (answer->offset[c->n] == poisons[side] &&
        (c->kind == PP_ARENA || (answer->segment[c->n] == poisons[side] &&
                                 answer->size[c->n] == poisons[side])))
      continue;
    return pp_differ_disagree(differ,
                              "the %s planner writes past its %zu outputs",
                              side == 0 ? "reference" : "fast", c->n);
  }
  return true;
}

static bool same_refusal(pp_differ *differ, const pp_case *c,
                         const pp_error *error) {
  char text[PP_SAY_ROOM];
  const char *says = pp_say_status(differ->ref.status);
  if (error->index != differ->ref.index)
    return pp_differ_disagree(
        differ, "%s: the reference names %s, fast item %zu", says,
        pp_say_item(c, differ->ref.index, text), error->index);
  const pp_item *item = &c->items[error->index];
  if (error->status != differ->ref.status || error->cap != c->cap ||
      error->what != pool || error->item.size != item->size ||
      error->item.align != item->align || error->item.lo != item->lo ||
      error->item.hi != item->hi)
    return pp_differ_disagree(differ, "%s: fast's error does not describe %s",
                              says, pp_say_item(c, error->index, text));
  return true;
}

static bool same_segments(pp_differ *differ, const pp_case *c) {
  pp_answer *ref = &differ->ref;
  pp_answer *fast = &differ->fast;
  const pp_plan_options options = {
      .cap = c->cap, .what = pool, .allocator = &differ->allocator};
  pp_error error = {0};
  pp_differ_poison(ref, c->n, PP_REF_POISON);
  pp_differ_poison(fast, c->n, PP_FAST_POISON);
  pp_counter_start(&differ->counter, 0);
  ref->status = pp_ref_plan_pool_segments(c->items, c->n, c->cap, ref->segment,
                                          ref->offset, ref->size,
                                          &ref->segments, &ref->index);
  bool none = c->n == 0;
  fast->status =
      pp_segments_plan(none ? NULL : c->items, c->n, &options,
                       none ? NULL : fast->segment, none ? NULL : fast->offset,
                       none ? NULL : fast->size, &fast->segments, &error);
  fast->index = error.index;
  if (!pp_differ_clean(differ, "fast segments", c->n) ||
      !pp_differ_same_status(differ, "segments"))
    return false;
  if (ref->status != PP_OK) return same_refusal(differ, c, &error);
  return pp_differ_same_layout(differ, c, "segments");
}

/* ARN-4: the first item in order of placement that ends past the cap, from
 * the reference's plan without one; unknown when that does not fit 64 bits. */
static bool name_over_cap(pp_differ *differ, const pp_case *c, size_t *index) {
  uint64_t total = 0;
  uint64_t *offset = differ->spare.offset;
  size_t bad = 0;
  if (pp_ref_plan_arena_offsets(c->items, c->n, UINT64_MAX, differ->order,
                                differ->pos, offset, &total, &bad) != PP_OK)
    return false;
  for (size_t q = 0; q < c->n; q++) {
    size_t i = differ->order[q];
    if (offset[i] + c->items[i].size <= c->cap) continue;
    *index = i;
    return true;
  }
  return false;
}

static bool same_arena(pp_differ *differ, const pp_case *c) {
  pp_answer *ref = &differ->ref;
  pp_answer *fast = &differ->fast;
  const pp_plan_options options = {
      .cap = c->cap, .what = pool, .allocator = &differ->allocator};
  pp_error error = {0};
  pp_differ_poison(ref, c->n, PP_REF_POISON);
  pp_differ_poison(fast, c->n, PP_FAST_POISON);
  pp_counter_start(&differ->counter, 0);
  ref->status = pp_ref_plan_arena_offsets(c->items, c->n, c->cap, differ->order,
                                          differ->pos, ref->offset,
                                          &ref->size[0], &ref->index);
  fast->status =
      pp_arena_plan(c->n == 0 ? NULL : c->items, c->n, &options,
                    c->n == 0 ? NULL : fast->offset, &fast->size[0], &error);
  fast->index = error.index;
  if (!pp_differ_clean(differ, "fast arena", c->n) ||
      !pp_differ_same_status(differ, "arena"))
    return false;
  if (ref->status == PP_OVER_CAP && !name_over_cap(differ, c, &ref->index))
    ref->index = error.index < c->n ? error.index : c->n;
  if (ref->status != PP_OK) return same_refusal(differ, c, &error);
  ref->segments = fast->segments = 1;
  memset(ref->segment, 0, c->n * sizeof *ref->segment);
  memset(fast->segment, 0, c->n * sizeof *fast->segment);
  return pp_differ_same_layout(differ, c, "arena");
}

static pp_outcome outcome_of(pp_differ *differ, const pp_case *c) {
  pp_status status = differ->ref.status;
  if (c->kind == PP_SEGMENTS && status == PP_OK) return PP_SEGMENTS_OK;
  if (c->kind == PP_SEGMENTS && status == PP_ITEM_OVER_CAP)
    return PP_SEGMENTS_ITEM_OVER_CAP;
  if (c->kind == PP_ARENA && status == PP_OK) return PP_ARENA_OK;
  if (c->kind == PP_ARENA && status == PP_OVER_CAP) return PP_ARENA_OVER_CAP;
  if (c->kind == PP_ARENA && status == PP_BAD_SPAN) return PP_ARENA_BAD_SPAN;
  (void)pp_differ_disagree(differ,
                           "both planners answer %s, which no rule has here",
                           pp_say_status(status));
  return PP_DISAGREED;
}

static bool run_segments(pp_differ *differ, const pp_case *c, unsigned flags) {
  if (!same_segments(differ, c) || !within_outputs(differ, c)) return false;
  return differ->ref.status != PP_OK || !(flags & PP_DIFFER_CHECK) ||
         pp_differ_valid(differ, c, PP_SEGMENTS, "segments", &differ->ref);
}

static bool run_arena(pp_differ *differ, const pp_case *c, unsigned flags) {
  pp_case as_segments = *c;
  as_segments.kind = PP_SEGMENTS;
  if ((flags & PP_DIFFER_BOTH_KINDS) &&
      !run_segments(differ, &as_segments, flags))
    return false;
  if ((flags & PP_DIFFER_BOUND) && !pp_differ_same_no_reuse(differ, c))
    return false;
  if (!same_arena(differ, c) || !within_outputs(differ, c)) return false;
  const pp_answer *ref = &differ->ref;
  if ((flags & PP_DIFFER_CHECK) && ref->status == PP_OK &&
      !pp_differ_valid(differ, c, PP_ARENA, "arena", ref))
    return false;
  return !(flags & PP_DIFFER_BOUND) || ref->status == PP_BAD_SPAN ||
         pp_differ_same_bound(differ, c,
                              ref->status == PP_OK ? ref->size[0] : UINT64_MAX);
}

pp_outcome pp_differ_run(pp_differ *differ, const pp_case *c, unsigned flags) {
  differ->sentence[0] = '\0';
  if (!reserve(differ, c->n)) return PP_NOT_COMPARED;
  bool thorough = (flags & PP_DIFFER_THOROUGH) && c->n <= THOROUGH_ITEMS;
  uint64_t spoils = thorough ? SPOILS_THOROUGH : SPOILS;
  bool same = c->kind == PP_ARENA ? run_arena(differ, c, flags)
                                  : run_segments(differ, c, flags);
  if (same && (flags & PP_DIFFER_PERTURB))
    same = pp_differ_same_spoiled(differ, c, spoils);
  if (same && (flags & PP_DIFFER_NO_MEMORY))
    same = pp_differ_starved(differ, c);
  return same ? outcome_of(differ, c) : differ->failed;
}

pp_outcome pp_differ_check(pp_differ *differ, const pp_case *c,
                           const pp_claim *claim, pp_status *status,
                           pp_violation *violation) {
  differ->sentence[0] = '\0';
  if (!reserve(differ, c->n)) return PP_NOT_COMPARED;
  if (!pp_differ_same_check(differ, c, c->kind, claim, status, violation))
    return differ->failed;
  return c->kind == PP_ARENA ? PP_ARENA_OK : PP_SEGMENTS_OK;
}
