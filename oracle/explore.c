#include "explore.h"

#include "say.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool pp_explorer_open(pp_explorer *explorer) {
  pp_differ_open(&explorer->differ);
  return pp_case_reserve(&explorer->c, PP_BRUTE_ITEMS);
}

void pp_explorer_close(pp_explorer *explorer) {
  pp_differ_close(&explorer->differ);
  pp_case_free(&explorer->c);
}

/* Takes over how the differ's run ended. */
static bool failed(pp_explorer *explorer, pp_outcome outcome) {
  explorer->failed = outcome;
  memcpy(explorer->sentence, explorer->differ.sentence,
         sizeof explorer->sentence);
  return false;
}

__attribute__((format(printf, 2, 3))) static bool
disagree(pp_explorer *explorer, const char *format, ...) {
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE: clang-tidy 14 does not see va_start */
  (void)vsnprintf(explorer->sentence, sizeof explorer->sentence, format, list);
  va_end(list);
  explorer->failed = PP_DISAGREED;
  return false;
}

/* Only this thread writes the counts: no need for an atomic addition. */
static void count_one(_Atomic uint64_t *count) {
  uint64_t old = atomic_load_explicit(count, memory_order_relaxed);
  atomic_store_explicit(count, old + 1, memory_order_relaxed);
}

static bool same_status(pp_explorer *explorer, pp_status brute, size_t bad) {
  const pp_answer *ref = &explorer->differ.ref;
  if (ref->status != brute)
    return disagree(explorer, "both planners answer %s, brute force %s",
                    pp_say_status(ref->status), pp_say_status(brute));
  char text[PP_SAY_ROOM];
  if (brute != PP_OK && ref->index != bad)
    return disagree(explorer, "%s: both planners name item %zu, brute force %s",
                    pp_say_status(brute), ref->index,
                    pp_say_item(&explorer->c, bad, text));
  return true;
}

/* Both planners' layout (they agreed) against brute force's. */
static bool same_layout(pp_explorer *explorer, const pp_family *family,
                        size_t segments) {
  const pp_answer *ref = &explorer->differ.ref;
  char text[PP_SAY_ROOM];
  for (size_t i = 0; i < family->n; i++)
    if (ref->segment[i] != explorer->segment[i] ||
        ref->offset[i] != explorer->offset[i] * family->unit)
      return disagree(explorer,
                      "both planners put %s at segment %zu offset %" PRIu64
                      ", brute force at segment %zu offset %" PRIu64,
                      pp_say_item(&explorer->c, i, text), ref->segment[i],
                      ref->offset[i], explorer->segment[i],
                      explorer->offset[i] * family->unit);
  if (ref->segments != segments)
    return disagree(explorer,
                    "both planners have %zu segments, brute force %zu",
                    ref->segments, segments);
  for (size_t k = 0; k < segments; k++)
    if (ref->size[k] != explorer->size[k] * family->unit)
      return disagree(explorer,
                      "segment %zu has %" PRIu64
                      " bytes by both planners, %" PRIu64 " by brute force",
                      k, ref->size[k], explorer->size[k] * family->unit);
  return true;
}

/* One problem at one cap. In small units the cap is rounded down: sizes are
 * whole units, so nothing fits in the rest. */
static bool one_problem(pp_explorer *explorer, const pp_family *family,
                        uint64_t cap, unsigned flags) {
  pp_case *c = &explorer->c;
  c->cap = cap;
  pp_outcome outcome = pp_differ_run(&explorer->differ, c, flags);
  if (outcome >= PP_DISAGREED) return failed(explorer, outcome);
  size_t segments = 1;
  size_t bad = 0;
  pp_status status = PP_OK;
  if (family->kind == PP_ARENA)
    status = pp_brute_arena(explorer->small, family->n, cap / family->unit,
                            explorer->offset, &explorer->size[0], &bad);
  else
    status = pp_brute_segments(explorer->small, family->n, cap / family->unit,
                               explorer->segment, explorer->offset,
                               explorer->size, &segments, &bad);
  if (!same_status(explorer, status, bad)) return false;
  if (status == PP_OK && !same_layout(explorer, family, segments)) return false;
  count_one(&explorer->count[outcome]);
  return true;
}

static bool scales(uint64_t small, uint64_t unit) {
  return small <= UINT64_MAX / unit;
}

/* Unlimited, the exact total (both checkers look at that plan too), and one
 * byte less. */
static bool arena_word(pp_explorer *explorer, const pp_family *family) {
  memset(explorer->segment, 0, sizeof explorer->segment);
  unsigned bound = family->flags & ~(unsigned)PP_DIFFER_CHECK;
  if (!one_problem(explorer, family, UINT64_MAX, bound)) return false;
  if (explorer->differ.ref.status != PP_OK) return true;
  uint64_t total = explorer->differ.ref.size[0];
  if (!one_problem(explorer, family, total,
                   family->flags & ~(unsigned)PP_DIFFER_BOUND))
    return false;
  return total == 0 || one_problem(explorer, family, total - 1, 0);
}

/* Every cap up to the total of one segment, in units; with a unit above 1
 * also one byte less than each; and unlimited. */
static bool segments_word(pp_explorer *explorer, const pp_family *family) {
  if (!one_problem(explorer, family, UINT64_MAX, family->flags)) return false;
  uint64_t most = 1;
  for (size_t i = 0; i < family->n; i++)
    most += explorer->small[i].size + explorer->small[i].align;
  for (uint64_t cap = 0; cap <= most; cap++) {
    if (!scales(cap, family->unit)) break;
    uint64_t bytes = cap * family->unit;
    if (!one_problem(explorer, family, bytes, family->flags)) return false;
    if (family->unit > 1 && bytes > 0 &&
        !one_problem(explorer, family, bytes - 1, 0))
      return false;
    if (explorer->differ.ref.status == PP_OK &&
        explorer->differ.ref.segments <= 1)
      break; /* a greater cap changes nothing */
  }
  return true;
}

static bool same_violation(pp_explorer *explorer, const pp_family *family,
                           const pp_violation *both, pp_violation brute) {
  brute.lo *= family->unit;
  brute.hi *= family->unit;
  if (both->kind == brute.kind && both->first == brute.first &&
      both->second == brute.second && both->lo == brute.lo &&
      both->hi == brute.hi)
    return true;
  char one[PP_SAY_ROOM];
  char two[PP_SAY_ROOM];
  return disagree(explorer, "both checkers find %s, brute force %s",
                  pp_say_violation(both, one), pp_say_violation(&brute, two));
}

/* The layout that the sentence is about, after it. */
static bool add_layout(pp_explorer *explorer, const pp_claim *claim) {
  char *text = explorer->sentence;
  size_t size = sizeof explorer->sentence;
  size_t used = strlen(text);
  for (size_t i = 0; i < explorer->c.n && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%zu:%" PRIu64,
                             i == 0 ? "; segment:offset of each item " : " ",
                             claim->segment[i], claim->offset[i]);
  for (size_t k = 0; k < claim->segments && used < size; k++)
    used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64,
                             k == 0 ? "; sizes " : " ", claim->size[k]);
  if (used < size)
    (void)snprintf(text + used, size - used, "; cap %" PRIu64, claim->cap);
  return false;
}

/* One claimed layout; explorer->size holds the claimed sizes in units. */
static bool one_layout(pp_explorer *explorer, const pp_family *family,
                       size_t segments, uint64_t cap) {
  pp_case *c = &explorer->c;
  c->cap = cap * family->unit;
  for (size_t k = 0; k < segments; k++)
    explorer->claim_size[k] = explorer->size[k] * family->unit;
  const pp_claim claim = {c->cap, segments, explorer->segment,
                          explorer->claim_offset, explorer->claim_size};
  pp_status status = PP_OK;
  pp_violation violation;
  pp_outcome outcome =
      pp_differ_check(&explorer->differ, c, &claim, &status, &violation);
  if (outcome >= PP_DISAGREED) {
    (void)failed(explorer, outcome);
    return add_layout(explorer, &claim);
  }
  pp_violation brute = {.kind = PP_VALID};
  size_t bad = 0;
  pp_status brute_status = pp_brute_check(
      family->kind, explorer->small, family->n, cap, explorer->segment,
      explorer->offset, explorer->size, segments, &brute, &bad);
  if (status != brute_status) {
    (void)disagree(explorer, "both checkers answer %s, brute force %s",
                   pp_say_status(status), pp_say_status(brute_status));
    return add_layout(explorer, &claim);
  }
  if (status == PP_OK && !same_violation(explorer, family, &violation, brute))
    return add_layout(explorer, &claim);
  count_one(&explorer->layouts);
  return true;
}

/* All claimed sizes of all numbers of segments, under a cap that is too small
 * for some of them and one that is not. */
static bool claims_word(pp_explorer *explorer, const pp_family *family) {
  enum { MOST_SIZE = 3, SIZES = MOST_SIZE + 1 };
  for (size_t i = 0; i < family->n; i++) {
    explorer->segment[i] = explorer->word[i]->segment;
    explorer->offset[i] = explorer->word[i]->offset;
    explorer->claim_offset[i] = explorer->offset[i] * family->unit;
  }
  size_t from = family->segments == 0 ? 1 : 0;
  size_t to = family->segments == 0 ? 1 : 2;
  for (size_t segments = from; segments <= to; segments++) {
    unsigned words = segments == 0 ? 1 : segments == 1 ? SIZES : SIZES * SIZES;
    for (unsigned w = 0; w < words; w++) {
      explorer->size[0] = w % SIZES;
      explorer->size[1] = w / SIZES;
      if (!one_layout(explorer, family, segments, MOST_SIZE) ||
          !one_layout(explorer, family, segments, 1))
        return false;
    }
  }
  return true;
}

static bool one_word(pp_explorer *explorer, const pp_family *family) {
  if (!pp_family_word(family, explorer->word, explorer->number, &explorer->c,
                      explorer->small))
    return true;
  if (family->claims) return claims_word(explorer, family);
  return family->kind == PP_ARENA ? arena_word(explorer, family)
                                  : segments_word(explorer, family);
}

/* How many letters of a word its chunk fixes. */
static size_t fixed(const pp_family *family) {
  return family->n < 3 ? 0 : family->n - 2;
}

uint64_t pp_family_chunks(const pp_family *family, size_t letters) {
  uint64_t chunks = 1;
  for (size_t i = 0; i < fixed(family); i++)
    chunks *= letters;
  return chunks;
}

bool pp_explore_chunk(pp_explorer *explorer, const pp_family *family,
                      const pp_letter *letters, size_t count, uint64_t chunk) {
  size_t at[PP_BRUTE_ITEMS] = {0};
  size_t first = fixed(family);
  explorer->number = chunk;
  for (size_t i = first; i > 0; i--, chunk /= count)
    at[i - 1] = (size_t)(chunk % count);
  for (;;) {
    for (size_t i = 0; i < family->n; i++)
      explorer->word[i] = &letters[at[i]];
    explorer->number++;
    if (!one_word(explorer, family)) return false;
    size_t i = family->n;
    while (i > first && at[i - 1] + 1 == count)
      at[--i] = 0;
    if (i == first) return true;
    at[i - 1]++;
  }
}
