#include "internal.h"

#include <string.h>

/* How a layout is checked without looking at all pairs. Two items with bytes
 * share one against the rules in one of two ways:
 * - they conflict whenever they live (always live, other class, or any two
 *   items of a PP_SEGMENTS problem): one sweep over the bytes finds it, with
 *   the greatest end so far and the party of the last item, whose it is: all
 *   others' ends lie where that party began, or before;
 * - they are of one class and their lives meet: one sweep over time finds it,
 *   counting among the live items those that begin before the newcomer's end
 *   and those that end at or before its start.
 * Both only tell whether there is such a pair among the first m items; the
 * pair itself is found by halving over m. */

typedef struct pp_checker {
  pp_kind kind;
  const pp_item *items;
  const size_t *segment;
  const uint64_t *offset;
  pp_pair *order;    /* n: items by segment and what the sweep needs */
  pp_pair *scratch;  /* n */
  pp_pair *starts;   /* n: one group's items by first step */
  pp_pair *ends;     /* n: by last step */
  pp_pair *lows;     /* n: by offset */
  pp_pair *highs;    /* n: by end */
  size_t *low_live;  /* n: Fenwick tree of live items over lows */
  size_t *high_live; /* n: the same over highs */
} pp_checker;

static uint64_t end_of(const pp_checker *checker, size_t i) {
  return checker->offset[i] + checker->items[i].size;
}

/* Items of one party share bytes where their lives do not meet. */
static uint64_t party_of(const pp_checker *checker, size_t i) {
  const pp_item *item = &checker->items[i];
  if (checker->kind == PP_ARENA && item->has_span) return item->item_class;
  return (UINT64_C(1) << 32) + i;
}

static bool conflict(const pp_checker *checker, size_t i, size_t j) {
  const pp_item *a = &checker->items[i];
  const pp_item *b = &checker->items[j];
  if (checker->segment[i] != checker->segment[j]) return false;
  return party_of(checker, i) != party_of(checker, j) ||
         (a->lo <= b->hi && b->lo <= a->hi);
}

static void sort_by_segment(const pp_checker *checker, size_t count) {
  for (size_t k = 0; k < count; k++)
    checker->order[k].key = checker->segment[checker->order[k].value];
  pp_sort_pairs(checker->order, checker->scratch, count);
}

static bool parties_clash(const pp_checker *checker, size_t m) {
  size_t count = 0;
  for (size_t i = 0; i < m; i++)
    if (checker->items[i].size > 0)
      checker->order[count++] = (pp_pair){checker->offset[i], i};
  pp_sort_pairs(checker->order, checker->scratch, count);
  sort_by_segment(checker, count);

  uint64_t party = 0;
  uint64_t end = 0;
  for (size_t k = 0; k < count; k++) {
    size_t i = checker->order[k].value;
    uint64_t mine = party_of(checker, i);
    if (k > 0 && checker->order[k].key != checker->order[k - 1].key) end = 0;
    if (mine != party && end > checker->offset[i]) return true;
    if (end_of(checker, i) > end) end = end_of(checker, i);
    party = mine;
  }
  return false;
}

static void fenwick_add(size_t *tree, size_t n, size_t at, bool arrives) {
  for (size_t k = at + 1; k <= n; k += k & (~k + 1)) {
    if (arrives)
      tree[k - 1]++;
    else
      tree[k - 1]--;
  }
}

static size_t fenwick_sum(const size_t *tree, size_t count) {
  size_t sum = 0;
  for (size_t k = count; k > 0; k &= k - 1)
    sum += tree[k - 1];
  return sum;
}

static void group_move(const pp_checker *checker, size_t m, size_t i,
                       bool arrives) {
  fenwick_add(checker->low_live, m,
              pp_count_below(checker->lows, m, checker->offset[i]), arrives);
  fenwick_add(checker->high_live, m,
              pp_count_below(checker->highs, m, end_of(checker, i)), arrives);
}

/* Live items that share a byte with item i. */
static size_t group_meets(const pp_checker *checker, size_t m, size_t i) {
  size_t begun = pp_count_below(checker->lows, m, end_of(checker, i));
  size_t done = pp_count_up_to(checker->highs, m, checker->offset[i]);
  return fenwick_sum(checker->low_live, begun) -
         fenwick_sum(checker->high_live, done);
}

/* One class within one segment: the m items that order begins with. */
static bool group_clashes(const pp_checker *checker, const pp_pair *order,
                          size_t m) {
  for (size_t k = 0; k < m; k++) {
    size_t i = order[k].value;
    checker->starts[k] = (pp_pair){checker->items[i].lo, i};
    checker->ends[k] = (pp_pair){checker->items[i].hi, i};
    checker->lows[k] = (pp_pair){checker->offset[i], i};
    checker->highs[k] = (pp_pair){end_of(checker, i), i};
  }
  pp_sort_pairs(checker->starts, checker->scratch, m);
  pp_sort_pairs(checker->ends, checker->scratch, m);
  pp_sort_pairs(checker->lows, checker->scratch, m);
  pp_sort_pairs(checker->highs, checker->scratch, m);
  memset(checker->low_live, 0, m * sizeof *checker->low_live);
  memset(checker->high_live, 0, m * sizeof *checker->high_live);

  size_t gone = 0;
  for (size_t k = 0; k < m; k++) {
    for (; checker->ends[gone].key < checker->starts[k].key; gone++)
      group_move(checker, m, checker->ends[gone].value, false);
    if (group_meets(checker, m, checker->starts[k].value) > 0) return true;
    group_move(checker, m, checker->starts[k].value, true);
  }
  return false;
}

static bool lives_clash(const pp_checker *checker, size_t m) {
  if (checker->kind != PP_ARENA) return false;
  size_t count = 0;
  for (size_t i = 0; i < m; i++)
    if (checker->items[i].size > 0 && checker->items[i].has_span)
      checker->order[count++] = (pp_pair){checker->items[i].item_class, i};
  pp_sort_pairs(checker->order, checker->scratch, count);
  sort_by_segment(checker, count);

  const pp_item *items = checker->items;
  for (size_t k = 0, end = 0; k < count; k = end) {
    const pp_pair *group = checker->order + k;
    uint32_t item_class = items[group->value].item_class;
    for (end = k + 1; end < count; end++)
      if (checker->order[end].key != group->key ||
          items[checker->order[end].value].item_class != item_class)
        break;
    if (group_clashes(checker, group, end - k)) return true;
  }
  return false;
}

static bool clash(const pp_checker *checker, size_t m) {
  return parties_clash(checker, m) || lives_clash(checker, m);
}

static pp_violation shared_bytes(const pp_checker *checker, size_t n) {
  pp_violation none = {.kind = PP_VALID};
  if (!clash(checker, n)) return none;
  size_t clean = 0; /* the first `clean` items do not clash, the first n do */
  while (n - clean > 1) {
    size_t middle = clean + (n - clean) / 2;
    if (clash(checker, middle))
      n = middle;
    else
      clean = middle;
  }
  size_t j = clean;
  for (size_t i = 0; i < j; i++) {
    uint64_t lo = checker->offset[i] > checker->offset[j] ? checker->offset[i]
                                                          : checker->offset[j];
    uint64_t hi = end_of(checker, i) < end_of(checker, j) ? end_of(checker, i)
                                                          : end_of(checker, j);
    if (lo < hi && conflict(checker, i, j))
      return (pp_violation){PP_SHARED_BYTES, i, j, lo, hi};
  }
  return none;
}

/* What each item shows by itself, kind by kind. */
static pp_violation item_alone(const pp_checker *checker, size_t n,
                               const uint64_t *size, size_t segments) {
  const pp_item *items = checker->items;
  const size_t *segment = checker->segment;
  const uint64_t *offset = checker->offset;
  for (size_t i = 0; i < n; i++)
    if (segment[i] >= segments)
      return (pp_violation){.kind = PP_NO_SUCH_SEGMENT, .first = i};
  for (size_t i = 0; i < n; i++)
    if (items[i].align > 1 && offset[i] % items[i].align != 0)
      return (pp_violation){.kind = PP_MISALIGNED, .first = i};
  for (size_t i = 0; i < n; i++)
    if (!pp_fits(offset[i], items[i].size, size[segment[i]]))
      return (pp_violation){.kind = PP_PAST_END, .first = i};
  return (pp_violation){.kind = PP_VALID};
}

static pp_violation wrong_size(const pp_checker *checker, size_t n,
                               const uint64_t *size, size_t segments,
                               uint64_t *exact) {
  for (size_t k = 0; k < segments; k++)
    exact[k] = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t *end = &exact[checker->segment[i]];
    if (end_of(checker, i) > *end) *end = end_of(checker, i);
  }
  for (size_t k = 0; k < segments; k++)
    if (size[k] != exact[k])
      return (pp_violation){
          .kind = PP_WRONG_SIZE, .first = k, .lo = size[k], .hi = exact[k]};
  return (pp_violation){.kind = PP_VALID};
}

static pp_violation segment_too_big(const uint64_t *size, size_t segments,
                                    uint64_t cap) {
  for (size_t k = 0; k < segments; k++)
    if (size[k] > cap)
      return (pp_violation){.kind = PP_SEGMENT_TOO_BIG, .first = k};
  return (pp_violation){.kind = PP_VALID};
}

static void checker_carve(pp_checker *checker, pp_pair *pairs, size_t n) {
  checker->order = pairs;
  checker->scratch = pairs + n;
  checker->starts = pairs + 2 * n;
  checker->ends = pairs + 3 * n;
  checker->lows = pairs + 4 * n;
  checker->highs = pairs + 5 * n;
  checker->low_live = (size_t *)(pairs + 6 * n);
  checker->high_live = checker->low_live + n;
}

pp_status pp_check(pp_kind kind, const pp_item *items, size_t n, uint64_t cap,
                   const size_t *segment, const uint64_t *offset,
                   const uint64_t *size, size_t segments,
                   const pp_allocator *allocator, pp_violation *violation,
                   size_t *bad) {
  *bad = kind == PP_ARENA ? pp_first_bad_span(items, n) : n;
  if (*bad < n) return PP_BAD_SPAN;
  pp_checker checker = {
      .kind = kind, .items = items, .segment = segment, .offset = offset};
  enum { PER_ITEM = 6 * sizeof(pp_pair) + 2 * sizeof(size_t) };
  void *pairs = pp_scratch_new(allocator, n, PER_ITEM);
  uint64_t *exact = pp_scratch_new(allocator, segments, sizeof *exact);
  pp_status status = pairs && exact ? PP_OK : PP_NO_MEMORY;
  if (status == PP_OK) {
    checker_carve(&checker, pairs, n);
    *violation = item_alone(&checker, n, size, segments);
    if (violation->kind == PP_VALID)
      *violation = segment_too_big(size, segments, cap);
    if (violation->kind == PP_VALID) *violation = shared_bytes(&checker, n);
    if (violation->kind == PP_VALID)
      *violation = wrong_size(&checker, n, size, segments, exact);
  }
  pp_scratch_free(allocator, exact);
  pp_scratch_free(allocator, pairs);
  return status;
}
