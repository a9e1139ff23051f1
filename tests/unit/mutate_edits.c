/* The mutator makes every kind of edit. */
#include "mutations.h"
#include "same_routine.h"

#include <stddef.h>

static size_t without_span(const pp_problem *p) {
  size_t count = 0;
  for (size_t i = 0; i < p->n; i++)
    count += !p->items[i].has_span;
  return count;
}

/* Pairs of items, for which a test holds in this order. */
typedef bool pp_pair(const pp_item *a, const pp_item *b);

static bool any_pair(const pp_problem *p, pp_pair *holds) {
  for (size_t i = 0; i < p->n; i++)
    for (size_t j = 0; j < p->n; j++)
      if (i != j && holds(&p->items[i], &p->items[j])) return true;
  return false;
}

static bool next_to(const pp_item *a, const pp_item *b) {
  return a->has_span && b->has_span && a->hi < UINT64_MAX && a->hi + 1 == b->lo;
}

static bool one_step(const pp_item *a, const pp_item *b) {
  return a->has_span && b->has_span && a->hi == b->lo && a->lo < b->lo;
}

static bool same_size(const pp_item *a, const pp_item *b) {
  return a->size == b->size && a->lo != b->lo;
}

static bool same_item(const pp_item *a, const pp_item *b) {
  return a->size == b->size && a->lo == b->lo && a->hi == b->hi &&
         a->item_class == b->item_class;
}

/* The last item of the base is [50, 57] and of 50 bytes. */
static bool split_life(const pp_item *a, const pp_item *b) {
  return a->size == 50 && b->size == 50 && a->lo == 50 && b->hi == 57 &&
         a->hi < b->lo;
}

static bool split_size(const pp_item *a, const pp_item *b) {
  return a->lo == 50 && b->lo == 50 && a->size > 0 && a->size < 50 &&
         b->size == 50 - a->size;
}

static bool merged(const pp_item *a, const pp_item *b) {
  (void)b;
  return a->size == 8 + 12 && a->lo == 10 && a->hi == 19;
}

static bool swapped(const pp_item *a, const pp_item *b) {
  return a->size == 8 && b->size == 21 && a->item_class != b->item_class;
}

/* The cap less the total, when they are beside one another; 2: they are not. */
static int beside_total(const pp_problem *p) {
  const pp_plan_options options = {.cap = PP_CAP_UNLIMITED};
  uint64_t offset[64], total = 0;
  if (p->n == 0 || p->n > COUNT(offset) ||
      pp_arena_plan(p->items, p->n, &options, offset, &total, NULL) != PP_OK)
    return 2;
  if (p->cap == total) return 0;
  if (p->cap < total) return total - p->cap == 1 ? -1 : 2;
  return p->cap - total == 1 ? 1 : 2;
}

/* An edit, and whether a mutation shows it. */
typedef struct pp_seen {
  const char *what;
  bool happened;
} pp_seen;

enum { WAYS = 32 };

static size_t see_problem(const pp_problem *p, pp_seen *seen) {
  int beside = beside_total(p);
  const pp_seen now[] = {
      {"dropped", p->n == 3},
      {"spliced", p->n > 5},
      {"touching, a step apart", any_pair(p, next_to)},
      {"touching, in one step", any_pair(p, one_step)},
      {"tied", any_pair(p, same_size)},
      {"the cap at the total", beside == 0},
      {"the cap one above the total", beside == 1},
      {"the cap one below the total", beside == -1},
      {"the cap unlimited", p->cap == PP_CAP_UNLIMITED},
      {"classes swapped", any_pair(p, swapped)},
      {"a span dropped", p->n == 4 && without_span(p) == 1},
      {"a life split", any_pair(p, split_life)},
      {"a size split", any_pair(p, split_size)},
      {"merged", any_pair(p, merged)},
      {"doubled", any_pair(p, same_item)},
      {"the other kind", p->kind == PP_SEGMENTS},
      {"an alignment", p->n > 0 && p->items[0].align > 1},
      {"in another order", p->n == 4 && p->items[0].size == 21}};
  memcpy(seen, now, sizeof now);
  return COUNT(now);
}

/* Does a part, at `at` of each, differ between two arrays of n each? */
static bool differs(const void *a, const void *b, size_t n, size_t each,
                    size_t at, size_t part) {
  for (size_t i = 0; i < n; i++)
    if (memcmp((const char *)a + i * each + at, (const char *)b + i * each + at,
               part) != 0)
      return true;
  return false;
}

#define OPERATION(field)                                                       \
  (p->operations == then->operations &&                                        \
   differs(p->operation, then->operation, p->operations, sizeof(pp_operation), \
           offsetof(pp_operation, field), sizeof((pp_operation){0}.field)))

static size_t verbs(const pp_program *p, pp_verb verb) {
  size_t count = 0;
  for (size_t i = 0; i < p->operations; i++)
    count += p->operation[i].verb == verb;
  return count;
}

/* The same with one release more, behind the one that was there. */
static bool released_again(const pp_program *p, const pp_program *then) {
  size_t k = 0;
  if (p->operations != then->operations + 1) return false;
  while (k < then->operations &&
         p->operation[k].verb == then->operation[k].verb)
    k++;
  return k > 0 && p->operation[k].verb == PP_DO_RELEASE &&
         p->operation[k - 1].verb == PP_DO_RELEASE;
}

static size_t see_program(const pp_program *p, const pp_program *then,
                          pp_seen *seen) {
  const pp_seen now[] = {
      {"dropped", p->operations + 1 == then->operations},
      {"spliced", p->operations > then->operations + 4},
      {"released again", released_again(p, then)},
      {"one more fault", verbs(p, PP_DO_FAULT) == 2},
      {"one more link", verbs(p, PP_DO_LINK) == 3},
      {"the fault's call", OPERATION(fault.call)},
      {"which of the calls", OPERATION(fault.nth)},
      {"the fault's status", OPERATION(fault.status)},
      {"another context", OPERATION(context)},
      {"another parent", OPERATION(other)},
      {"another verb, or place", OPERATION(verb)},
      {"a device", OPERATION(device)},
      {"a uid", OPERATION(uid)},
      {"a seed", OPERATION(seed)},
      {"a size", OPERATION(bytes)},
      {"a cap", OPERATION(cap)},
      {"reuse", OPERATION(no_reuse)},
      {"delay", p->options.delay},
      {"max_pool", p->options.max_pool > 0},
      {"alignment", p->options.alignment != 16},
      {"a routine edited",
       p->routines > 0 && !pp_same_routine(p->routine[0], then->routine[0])},
      {"one more routine", p->routines > 1}};
  memcpy(seen, now, sizeof now);
  return COUNT(now);
}

#define STATEMENT(field)                                                       \
  (p->statements == then->statements &&                                        \
   differs(p->statement, then->statement, p->statements, sizeof(pp_statement), \
           offsetof(pp_statement, field), sizeof(((pp_statement *)0)->field)))
#define NODE(field)                                                            \
  (p->nodes == then->nodes &&                                                  \
   differs(p->node, then->node, p->nodes, sizeof(pp_node),                     \
           offsetof(pp_node, field), sizeof(((pp_node *)0)->field)))

static bool has_barrier(const pp_routine *p) {
  for (size_t k = 0; k < p->statements; k++)
    if (p->statement[k].kind == PP_BARRIER) return true;
  return false;
}

static bool has_data(const pp_routine *p, size_t node) {
  return p->nodes > node && p->node[node].data;
}

static size_t see_routine(const pp_routine *p, const pp_routine *then,
                          pp_seen *seen) {
  const pp_seen now[] = {{"dropped", p->statements + 1 == then->statements},
                         {"doubled", p->statements == then->statements + 1},
                         {"spliced", p->nodes > then->nodes + 1},
                         {"a node of its own", p->nodes == then->nodes + 1},
                         {"a node less", p->nodes + 1 == then->nodes},
                         {"a barrier", has_barrier(p)},
                         {"opaque, or a barrier", STATEMENT(kind)},
                         {"joined", STATEMENT(joins)},
                         {"a fold", STATEMENT(fold)},
                         {"an operation", STATEMENT(step[2].op)},
                         {"a literal", STATEMENT(step[1].bits)},
                         {"an index", STATEMENT(read[0].index[0].base)},
                         {"a scale", STATEMENT(read[0].index[0].scale[0])},
                         {"another node read", STATEMENT(read[0].node)},
                         {"another node written", STATEMENT(target.node)},
                         {"an extent", STATEMENT(extent)},
                         {"a dimension", NODE(dims)},
                         {"a dtype", NODE(dtype)},
                         {"an intent", NODE(intents)},
                         {"a span gone", NODE(has_span)},
                         {"a span wider", NODE(hi)},
                         {"a uid", NODE(uid)},
                         {"data given", has_data(p, 0)},
                         {"data taken", !has_data(p, 1)}};
  memcpy(seen, now, sizeof now);
  return COUNT(now);
}

static size_t see(const pp_input *now, const pp_input *then, pp_seen *seen) {
  if (now->kind != then->kind) return 0;
  if (now->kind == PP_INPUT_PROBLEM) return see_problem(&now->problem, seen);
  if (now->kind == PP_INPUT_PROGRAM)
    return see_program(&now->program, &then->program, seen);
  return see_routine(now->routine, then->routine, seen);
}

/* 10,000 mutations show each kind of edit, which the input itself does not. */
Test(mutate, every_kind_of_edit) {
  enum { SEEDS = 10000, LEAST = 5 };
  static const char *const texts[] = {PROBLEM, PROGRAM, ROUTINE};
  static uint8_t result[MOST];
  for (size_t t = 0; t < COUNT(texts); t++) {
    const uint8_t *bytes = (const uint8_t *)texts[t];
    size_t size = strlen(texts[t]);
    size_t count[WAYS] = {0};
    pp_seen seen[WAYS] = {{NULL, false}};
    pp_input then, now;
    pp_input_read(bytes, size, &then);
    size_t ways = see(&then, &then, seen);
    cr_assert(ways > 10);
    for (size_t k = 0; k < ways; k++)
      cr_assert_not(seen[k].happened, "%s: the input has it", seen[k].what);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      size_t length = pp_test_mutate(bytes, size, ROOM, seed, result);
      pp_input_read(result, length, &now);
      size_t n = see(&now, &then, seen);
      for (size_t k = 0; k < n; k++)
        count[k] += seen[k].happened;
      pp_input_free(&now);
    }
    see(&then, &then, seen);
    for (size_t k = 0; k < ways; k++) {
      cr_log_info("%s: %zu", seen[k].what, count[k]);
      cr_expect(count[k] >= LEAST, "%s: %zu of %d", seen[k].what, count[k],
                SEEDS);
    }
    pp_input_free(&then);
  }
  pp_expect_no_leak();
}
