#include "internal.h"

#include <string.h>

/* How the plan is found. The items of one class that were placed so far hang
 * in a tree over their lives: leaves in the order of their first step, each
 * node the greatest rank of a last step below it, so that all items that meet
 * a life are listed without looking at the others. Bytes taken by another
 * class or by an always-live item are taken at every step: since classes
 * never share a byte, one sorted list of ranges with their owner holds all of
 * them. An item walks both lists upwards once. */

#define PP_ALWAYS UINT64_MAX /* owner of bytes that conflict with everyone */

/* Bytes [lo, hi) that items of one class, or always-live items, hold. */
typedef struct pp_owned {
  uint64_t lo;
  uint64_t hi;
  uint64_t owner;
} pp_owned;

/* A life as positions in the order by class and first step. Two lives of a
 * class meet iff each one's leaf or first is below the other's last. */
typedef struct pp_life {
  size_t leaf;  /* own position */
  size_t group; /* position of the first item of the class */
  size_t first; /* past the items that begin at or before its first step */
  size_t last;  /* past the items that begin at or before its last step */
} pp_life;

typedef struct pp_arena {
  const pp_item *items;
  uint64_t cap;
  const uint64_t *offset;
  pp_pair *order;   /* n: the order of placement (ARN-2) */
  pp_pair *near;    /* n: byte ranges that conflict by time */
  pp_pair *scratch; /* n */
  pp_life *life;    /* n */
  pp_owned *owned;  /* n */
  size_t owned_count;
  bool one_owner;    /* one class, nothing always live: owned is not needed */
  size_t *leaf_item; /* n */
  size_t *tree;      /* 2 * leaves: 0 = nothing placed below */
  size_t leaves;     /* a power of two, or 0 */
} pp_arena;

static uint64_t owner_of(const pp_item *item) {
  return item->has_span ? item->item_class : PP_ALWAYS;
}

static size_t leaves_for(size_t n) {
  size_t leaves = n > 0 ? 1 : 0;
  while (leaves < n)
    leaves *= 2;
  return leaves;
}

static void *carve(char **memory, size_t count, size_t bytes) {
  void *piece = *memory;
  *memory += count * bytes;
  return piece;
}

/* Takes all scratch memory at once; NULL when there is none. */
static void *arena_take(pp_arena *arena, size_t n,
                        const pp_allocator *allocator) {
  enum {
    PER_ITEM = 3 * sizeof(pp_pair) + sizeof(pp_life) + sizeof(pp_owned) +
               5 * sizeof(size_t) /* leaf_item, and at most 4n of tree */
  };
  void *memory = pp_scratch_new(allocator, n, PER_ITEM);
  if (!memory) return NULL;
  char *at = memory;
  arena->order = carve(&at, n, sizeof(pp_pair));
  arena->near = carve(&at, n, sizeof(pp_pair));
  arena->scratch = carve(&at, n, sizeof(pp_pair));
  arena->life = carve(&at, n, sizeof(pp_life));
  arena->owned = carve(&at, n, sizeof(pp_owned));
  arena->leaf_item = carve(&at, n, sizeof(size_t));
  arena->tree = (size_t *)at;
  return memory;
}

/* Ranks the m lives of one class, whose positions begin at group. by_lo holds
 * them in the order of their first step. */
static void rank_class(pp_arena *arena, const pp_pair *by_lo, size_t m,
                       size_t group) {
  for (size_t k = 0; k < m; k++) {
    size_t i = by_lo[k].value;
    const pp_item *item = &arena->items[i];
    arena->leaf_item[group + k] = i;
    arena->life[i] =
        (pp_life){.leaf = group + k,
                  .group = group,
                  .first = group + pp_count_up_to(by_lo, m, item->lo),
                  .last = group + pp_count_up_to(by_lo, m, item->hi)};
  }
}

static void rank_lives(pp_arena *arena, size_t n) {
  const pp_item *items = arena->items;
  pp_pair *spans = arena->near;
  size_t m = 0;
  for (size_t i = 0; i < n; i++)
    if (items[i].has_span) spans[m++] = (pp_pair){items[i].lo, i};
  pp_sort_pairs(spans, arena->scratch, m);
  for (size_t k = 0; k < m; k++)
    spans[k].key = items[spans[k].value].item_class;
  pp_sort_pairs(spans, arena->scratch, m);

  arena->one_owner = m == n;
  for (size_t k = 0, end = 0; k < m; k = end) {
    uint64_t owner = spans[k].key;
    for (end = k; end < m && spans[end].key == owner; end++)
      spans[end].key = items[spans[end].value].lo;
    rank_class(arena, spans + k, end - k, k);
    if (end - k < n) arena->one_owner = false;
  }
  arena->leaves = leaves_for(m);
  memset(arena->tree, 0, 2 * arena->leaves * sizeof *arena->tree);
}

static void order_items(pp_arena *arena, size_t n) {
  for (size_t i = 0; i < n; i++)
    arena->order[i] = (pp_pair){UINT64_MAX - arena->items[i].size, i};
  pp_sort_pairs(arena->order, arena->scratch, n);
}

/* The first leaf at or after from whose item was placed and lives on past
 * first; SIZE_MAX when there is none. */
static size_t next_meeting(const pp_arena *arena, size_t from, size_t first) {
  const size_t *tree = arena->tree;
  size_t node = arena->leaves + from;
  while (tree[node] < first) {
    while (node % 2 == 1)
      node /= 2;
    if (node == 0) return SIZE_MAX;
    node++;
  }
  while (node < arena->leaves) {
    node *= 2;
    if (tree[node] < first) node++;
  }
  return node - arena->leaves;
}

/* Lists in near, by address, the bytes of placed items of item i's class
 * whose lives meet its own. */
static size_t list_near(const pp_arena *arena, size_t i) {
  if (!arena->items[i].has_span) return 0;
  const pp_life life = arena->life[i];
  size_t count = 0;
  for (size_t leaf = life.group; leaf < life.last; leaf++) {
    leaf = next_meeting(arena, leaf, life.first);
    if (leaf >= life.last) break;
    size_t j = arena->leaf_item[leaf];
    uint64_t lo = arena->offset[j];
    arena->near[count++] = (pp_pair){lo, lo + arena->items[j].size};
  }
  pp_sort_pairs(arena->near, arena->scratch, count);
  return count;
}

/* ARN-3: moves *at up past a range that covers it; false when the item then
 * ends past the cap. */
static bool step_over(const pp_arena *arena, const pp_item *item, uint64_t hi,
                      uint64_t *at) {
  if (hi <= *at) return true;
  return pp_align_up(hi, item->align, at) &&
         pp_fits(*at, item->size, arena->cap);
}

/* ARN-3: the least aligned offset of item i, which has bytes. False when that
 * passes the cap. Both lists are walked once: a range that lies below *at
 * never matters again. */
static bool lowest_fit(const pp_arena *arena, size_t i, uint64_t *at) {
  const pp_item *item = &arena->items[i];
  const uint64_t owner = owner_of(item);
  size_t near_count = list_near(arena, i);
  size_t near = 0;
  size_t owned = 0;
  *at = 0;
  if (item->size > arena->cap) return false;
  for (;;) {
    if (near < near_count && arena->near[near].key < *at + item->size) {
      if (!step_over(arena, item, arena->near[near].value, at)) return false;
      near++;
    } else if (owned < arena->owned_count &&
               arena->owned[owned].lo < *at + item->size) {
      const pp_owned *range = &arena->owned[owned++];
      if (range->owner == owner && owner != PP_ALWAYS) continue;
      if (!step_over(arena, item, range->hi, at)) return false;
    } else {
      return true;
    }
  }
}

/* Adds [lo, hi) to the owner's bytes, joined with what it meets of them. */
static void own(pp_arena *arena, uint64_t lo, uint64_t hi, uint64_t owner) {
  pp_owned *owned = arena->owned;
  size_t from = 0;
  for (size_t end = arena->owned_count; from < end;) {
    size_t middle = from + (end - from) / 2;
    if (owned[middle].hi < lo)
      from = middle + 1;
    else
      end = middle;
  }
  if (from < arena->owned_count && owned[from].hi == lo &&
      owned[from].owner != owner)
    from++;
  pp_owned joined = {lo, hi, owner};
  size_t to = from;
  for (; to < arena->owned_count && owned[to].lo <= hi &&
         owned[to].owner == owner;
       to++) {
    if (owned[to].lo < joined.lo) joined.lo = owned[to].lo;
    if (owned[to].hi > joined.hi) joined.hi = owned[to].hi;
  }
  if (to != from + 1)
    memmove(owned + from + 1, owned + to,
            (arena->owned_count - to) * sizeof *owned);
  arena->owned_count = arena->owned_count - (to - from) + 1;
  owned[from] = joined;
}

static void settle(pp_arena *arena, size_t i, uint64_t at) {
  const pp_item *item = &arena->items[i];
  if (!arena->one_owner) own(arena, at, at + item->size, owner_of(item));
  if (!item->has_span) return;
  const pp_life *life = &arena->life[i];
  for (size_t node = arena->leaves + life->leaf;
       node > 0 && arena->tree[node] < life->last; node /= 2)
    arena->tree[node] = life->last;
}

/* Zero-size items come last and can stand at offset 0 whatever is there: they
 * block nobody and nobody blocks them (ARN-3), so they are only written. */
static pp_status place_all(pp_arena *arena, size_t n, uint64_t *offset,
                           uint64_t *total, size_t *over) {
  *total = 0;
  for (size_t k = 0; k < n; k++) {
    size_t i = arena->order[k].value;
    uint64_t at = 0;
    if (arena->items[i].size > 0) {
      if (!lowest_fit(arena, i, &at)) {
        *over = i;
        return PP_OVER_CAP;
      }
      settle(arena, i, at);
    }
    offset[i] = at;
    if (at + arena->items[i].size > *total) *total = at + arena->items[i].size;
  }
  return PP_OK;
}

pp_status pp_arena_plan(const pp_item *items, size_t n,
                        const pp_plan_options *options, uint64_t *offset,
                        uint64_t *total, pp_error *error) {
  size_t at = pp_first_bad_span(items, n);
  if (at < n) return pp_refuse(error, PP_BAD_SPAN, options, items, at);

  pp_arena arena = {.items = items, .cap = options->cap, .offset = offset};
  void *memory = arena_take(&arena, n, options->allocator);
  if (!memory) return pp_refuse(error, PP_NO_MEMORY, options, items, 0);
  order_items(&arena, n);
  rank_lives(&arena, n);
  pp_status status = place_all(&arena, n, offset, total, &at);
  pp_scratch_free(options->allocator, memory);
  if (status != PP_OK) return pp_refuse(error, status, options, items, at);
  return PP_OK;
}
