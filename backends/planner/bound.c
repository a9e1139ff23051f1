#include "internal.h"

__extension__ typedef unsigned __int128 pp_sum; /* n sizes never overflow it */

static uint64_t saturate(pp_sum sum) {
  return sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
}

/* The indices of the items with a span, by class and then by the step that
 * last tells (their first or their last). Returns how many. */
static size_t order_by_class(const pp_item *items, size_t n, bool last,
                             pp_pair *order, pp_pair *scratch) {
  size_t m = 0;
  for (size_t i = 0; i < n; i++)
    if (items[i].has_span)
      order[m++] = (pp_pair){last ? items[i].hi : items[i].lo, i};
  pp_sort_pairs(order, scratch, m);
  for (size_t k = 0; k < m; k++)
    order[k].key = items[order[k].value].item_class;
  pp_sort_pairs(order, scratch, m);
  return m;
}

/* The peak of the class that both orders begin with; *m = its items. */
static pp_peak class_peak(const pp_item *items, const pp_pair *starts,
                          const pp_pair *ends, size_t left, size_t *m) {
  pp_peak peak = {.item_class = items[starts[0].value].item_class};
  pp_sum live = 0;
  pp_sum most = 0;
  size_t gone = 0;
  size_t k = 0;
  for (; k < left && starts[k].key == peak.item_class; k++) {
    const pp_item *item = &items[starts[k].value];
    for (; items[ends[gone].value].hi < item->lo; gone++)
      live -= items[ends[gone].value].size;
    live += item->size;
    if (k == 0 || live > most) {
      most = live;
      peak.step = item->lo;
    }
  }
  peak.bytes = saturate(most);
  *m = k;
  return peak;
}

static uint64_t always_live(const pp_item *items, size_t n) {
  pp_sum sum = 0;
  for (size_t i = 0; i < n; i++)
    if (!items[i].has_span) sum += items[i].size;
  return saturate(sum);
}

pp_status pp_lower_bound(const pp_item *items, size_t n,
                         const pp_allocator *allocator, pp_peak *peak,
                         size_t *peaks, uint64_t *bound, size_t *bad) {
  *bad = pp_first_bad_span(items, n);
  if (*bad < n) return PP_BAD_SPAN;
  pp_pair *starts = pp_scratch_new(allocator, 3 * n, sizeof *starts);
  if (!starts) return PP_NO_MEMORY;
  pp_pair *ends = starts + n;

  size_t m = order_by_class(items, n, false, starts, starts + 2 * n);
  order_by_class(items, n, true, ends, starts + 2 * n);
  size_t count = 0;
  peak[count++] = (pp_peak){.bytes = always_live(items, n)};
  pp_sum sum = peak[0].bytes;
  for (size_t k = 0, group = 0; k < m; k += group) {
    peak[count] = class_peak(items, starts + k, ends + k, m - k, &group);
    sum += peak[count++].bytes;
  }
  *peaks = count;
  *bound = saturate(sum);
  pp_scratch_free(allocator, starts);
  return PP_OK;
}

size_t pp_first_bad_span(const pp_item *items, size_t n) {
  size_t i = 0;
  while (i < n && !(items[i].has_span && items[i].lo > items[i].hi))
    i++;
  return i;
}
