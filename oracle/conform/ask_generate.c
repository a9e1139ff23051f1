#include "ask_generate.h"

#include "generate.h"
#include "generate_parts.h"

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Without u64, numbers and their sums stay below 2^53. */
enum { SMALL_BITS = 40 };
static const uint64_t SMALL = (UINT64_C(1) << SMALL_BITS) - 1;

static uint64_t power_below(uint64_t align) {
  uint64_t power = 1;
  while (power <= align / 2)
    power *= 2;
  return power;
}

pp_widening pp_any_widening(pp_generating *it) {
  static const pp_widening some[] = {{0, (UINT64_C(1) << 31) - 3},
                                     {0, (UINT64_C(1) << 32) - 3},
                                     {0, (UINT64_C(1) << 53) - 3},
                                     {0, (UINT64_C(1) << 63) - 3},
                                     {26, 0},
                                     {32, 0},
                                     {31, 0},
                                     {47, 0}};
  enum { SOME = sizeof some / sizeof *some };
  if (!pp_can(it->can, PP_FEATURE_U64) || !pp_random_one_in(&it->random, 4))
    return (pp_widening){0};
  pp_widening chosen = some[pp_random_below(&it->random, SOME)];
  if (chosen.base > 0) chosen.base -= pp_random_below(&it->random, 48);
  return chosen;
}

uint64_t pp_widen(const pp_widening *widening, uint64_t value) {
  return (value << widening->shift) + widening->base;
}

/* Items that need no more than these capabilities. */
static void restrict_items(pp_case *c, pp_capabilities can) {
  for (size_t i = 0; i < c->n; i++) {
    pp_item *item = &c->items[i];
    if (!pp_can(can, PP_FEATURE_U64)) {
      item->size = least(item->size, SMALL);
      item->align = least(item->align, SMALL);
      item->hi = least(item->hi, SMALL);
      item->lo = least(item->lo, item->hi);
    }
    if (!pp_can(can, PP_FEATURE_CLASSES)) item->item_class = 0;
    if (!pp_can(can, PP_FEATURE_ZERO_SIZE) && item->size == 0) item->size = 1;
    if (!pp_can(can, PP_FEATURE_ANY_ALIGN))
      item->align = power_below(item->align);
    if (!pp_can(can, PP_FEATURE_ALWAYS_LIVE) && c->kind == PP_ARENA)
      item->has_span = true;
  }
  if (!pp_can(can, PP_FEATURE_U64)) c->cap = least(c->cap, SMALL);
}

/* A problem of this kind; an arena's come with lives. */
static bool generate_case(pp_generating *it, pp_case *c, pp_kind kind) {
  enum { TRIES = 8 };
  uint64_t seed = pp_random_next(&it->random);
  for (uint64_t k = 0; k < TRIES; k++) {
    if (!pp_generate(c, seed, k, it->most)) return false;
    if (c->kind == kind) break;
  }
  c->kind = kind;
  restrict_items(c, it->can);
  pp_case_strip(c);
  return true;
}

static bool generate_problem(pp_generating *it, pp_ask *ask) {
  return generate_case(it, &ask->c,
                       ask->verb == PP_ASK_ARENA ? PP_ARENA : PP_SEGMENTS);
}

static bool generate_validate(pp_generating *it, pp_ask *ask) {
  pp_kind kind = pp_random_one_in(&it->random, 3) ? PP_SEGMENTS : PP_ARENA;
  if (!generate_case(it, &ask->c, kind)) return false;
  size_t n = ask->c.n;
  if (!pp_claim_new(&ask->claim, n)) return false;
  ask->claim.cap = ask->c.cap;
  if (!pp_claim_plan(&ask->c, ask->c.cap, &ask->claim) &&
      !pp_claim_plan(&ask->c, PP_CAP_UNLIMITED, &ask->claim)) {
    for (size_t i = 0; i < n; i++)
      ask->claim.segment[i] = ask->claim.offset[i] = 0;
    ask->claim.segments = 1;
    ask->claim.size[0] = 0;
  }
  if (!pp_random_one_in(&it->random, 4))
    pp_spoil(&ask->c, &ask->claim, pp_random_next(&it->random));
  if (pp_random_one_in(&it->random, 2)) ask->c.cap = ask->claim.cap;
  if (!pp_can(it->can, PP_FEATURE_U64)) {
    ask->c.cap = least(ask->c.cap, SMALL);
    for (size_t i = 0; i < n; i++) {
      ask->claim.segment[i] = least(ask->claim.segment[i], SMALL);
      ask->claim.offset[i] = least(ask->claim.offset[i], SMALL);
    }
    for (size_t k = 0; k < ask->claim.segments; k++)
      ask->claim.size[k] = least(ask->claim.size[k], SMALL);
  }
  ask->claim.cap = 0;
  return true;
}

/* One of the verbs that are there, those that planners are about more often. */
static pp_ask_verb any_verb(pp_generating *it) {
  static const pp_ask_verb often[] = {
      PP_ASK_ARENA,    PP_ASK_ARENA, PP_ASK_ARENA, PP_ASK_SEGMENTS,
      PP_ASK_VALIDATE, PP_ASK_SPANS, PP_ASK_SCORE, PP_ASK_RELEASE};
  enum { OFTEN = sizeof often / sizeof *often };
  for (;;) {
    pp_ask_verb verb = often[pp_random_below(&it->random, OFTEN)];
    if (it->can >> verb & 1) return verb;
  }
}

static bool generate(pp_generating *it, pp_ask *ask) {
  switch (ask->verb) {
  case PP_ASK_VALIDATE:
    return generate_validate(it, ask);
  case PP_ASK_SPANS:
    return pp_generate_spans(it, ask);
  case PP_ASK_SCORE:
    return pp_generate_score(it, ask);
  case PP_ASK_RELEASE:
    return pp_generate_release(it, ask);
  default:
    return generate_problem(it, ask);
  }
}

/* Small ones show most faults, and show them best. */
static size_t any_most(pp_random *random, size_t most) {
  static const size_t sizes[] = {2, 3, 4, 4, 6, 8, 12};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  size_t wanted = pp_random_one_in(random, 6)
                      ? most
                      : sizes[pp_random_below(random, SIZES)];
  return wanted < most ? wanted : most;
}

bool pp_ask_generate(pp_ask *ask, uint64_t seed, uint64_t run,
                     pp_capabilities capabilities, size_t max_items) {
  enum { TRIES = 20 };
  pp_generating it = {.can = capabilities};
  pp_random_start(&it.random, seed, run);
  pp_ask_verb verb = any_verb(&it);
  for (unsigned k = 0; k < TRIES; k++) {
    it.most = any_most(&it.random, max_items);
    pp_ask_free(ask);
    ask->verb = verb;
    if (!generate(&it, ask)) {
      pp_ask_free(ask);
      return false;
    }
    if (!pp_ask_wrong(ask) && (pp_ask_needs(ask) & ~capabilities) == 0 &&
        pp_ask_size(ask) <= max_items)
      return true;
  }
  pp_ask_free(ask);
  ask->verb = verb;
  ask->c.kind = verb == PP_ASK_ARENA ? PP_ARENA : PP_SEGMENTS;
  ask->alignment = verb == PP_ASK_SCORE ? 1 : 0;
  return true;
}
