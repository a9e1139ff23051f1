#include "brute.h"

bool pp_brute_conflict(const pp_item *a, const pp_item *b) {
  bool both = a->has_span && b->has_span;
  bool disjoint = a->hi < b->lo || b->hi < a->lo;
  return !(both && disjoint && a->item_class == b->item_class);
}

static bool is_multiple(uint64_t offset, uint64_t align) {
  return align == 0 || offset % align == 0;
}

/* SEG-1 by walking up. */
static uint64_t walk_up(uint64_t offset, uint64_t align) {
  while (!is_multiple(offset, align))
    offset++;
  return offset;
}

pp_status pp_brute_segments(const pp_item *items, size_t n, uint64_t cap,
                            size_t *segment, uint64_t *offset, uint64_t *size,
                            size_t *segments, size_t *bad) {
  for (size_t i = 0; i < n; i++)
    if (items[i].size > cap) {
      *bad = i;
      return PP_ITEM_OVER_CAP;
    }
  *segments = 0;
  for (size_t i = 0; i < n; i++) {
    bool fits = false;
    if (*segments > 0) {
      offset[i] = walk_up(size[*segments - 1], items[i].align);
      fits = offset[i] + items[i].size <= cap;
    }
    if (!fits) {
      *segments += 1;
      offset[i] = 0;
    }
    segment[i] = *segments - 1;
    size[segment[i]] = offset[i] + items[i].size;
  }
  return PP_OK;
}

/* ARN-2: of the items not yet placed, the greatest, the first of those. */
static size_t next_to_place(const pp_item *items, size_t n,
                            const bool *placed) {
  size_t best = n;
  for (size_t i = 0; i < n; i++) {
    if (placed[i]) continue;
    if (best == n || items[i].size > items[best].size) best = i;
  }
  return best;
}

/* ARN-3: may item i stand at offset o? */
static bool may_stand(const pp_item *items, size_t n, const bool *placed,
                      const uint64_t *offset, size_t i, uint64_t o) {
  if (!is_multiple(o, items[i].align)) return false;
  for (size_t j = 0; j < n; j++) {
    if (!placed[j] || !pp_brute_conflict(&items[i], &items[j])) continue;
    if (!(o + items[i].size <= offset[j] || offset[j] + items[j].size <= o))
      return false;
  }
  return true;
}

pp_status pp_brute_arena(const pp_item *items, size_t n, uint64_t cap,
                         uint64_t *offset, uint64_t *total, size_t *bad) {
  for (size_t i = 0; i < n; i++)
    if (items[i].has_span && items[i].lo > items[i].hi) {
      *bad = i;
      return PP_BAD_SPAN;
    }
  bool placed[PP_BRUTE_ITEMS] = {false};
  *total = 0;
  *bad = n;
  for (size_t count = 0; count < n; count++) {
    size_t i = next_to_place(items, n, placed);
    uint64_t o = 0;
    while (!may_stand(items, n, placed, offset, i, o))
      o++;
    offset[i] = o;
    placed[i] = true;
    uint64_t end = o + items[i].size;
    if (end > *total) *total = end;
    if (end > cap && *bad == n) *bad = i;
  }
  return *total > cap ? PP_OVER_CAP : PP_OK;
}

static bool inside(const pp_item *item, uint64_t offset, uint64_t byte) {
  return offset <= byte && byte < offset + item->size;
}

/* The bytes that items i and j both cover, from lo to before hi. */
static bool share(const pp_item *items, const uint64_t *offset, size_t i,
                  size_t j, uint64_t *lo, uint64_t *hi) {
  bool any = false;
  for (uint64_t b = offset[i]; b < offset[i] + items[i].size; b++) {
    if (!inside(&items[j], offset[j], b)) continue;
    if (!any) *lo = b;
    *hi = b + 1;
    any = true;
  }
  return any;
}

static pp_violation find_alone(const pp_item *items, size_t n, uint64_t cap,
                               const size_t *segment, const uint64_t *offset,
                               const uint64_t *size, size_t segments) {
  for (size_t i = 0; i < n; i++)
    if (segment[i] >= segments)
      return (pp_violation){.kind = PP_NO_SUCH_SEGMENT, .first = i};
  for (size_t i = 0; i < n; i++)
    if (!is_multiple(offset[i], items[i].align))
      return (pp_violation){.kind = PP_MISALIGNED, .first = i};
  for (size_t i = 0; i < n; i++)
    if (offset[i] + items[i].size > size[segment[i]])
      return (pp_violation){.kind = PP_PAST_END, .first = i};
  for (size_t k = 0; k < segments; k++)
    if (size[k] > cap)
      return (pp_violation){.kind = PP_SEGMENT_TOO_BIG, .first = k};
  return (pp_violation){.kind = PP_VALID};
}

static pp_violation find_shared(pp_kind kind, const pp_item *items, size_t n,
                                const size_t *segment, const uint64_t *offset) {
  pp_violation found = {.kind = PP_SHARED_BYTES};
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < j; i++) {
      if (segment[i] != segment[j]) continue;
      if (kind == PP_ARENA && !pp_brute_conflict(&items[i], &items[j]))
        continue;
      if (!share(items, offset, i, j, &found.lo, &found.hi)) continue;
      found.first = i;
      found.second = j;
      return found;
    }
  return (pp_violation){.kind = PP_VALID};
}

static pp_violation find_wrong_size(const pp_item *items, size_t n,
                                    const size_t *segment,
                                    const uint64_t *offset,
                                    const uint64_t *size, size_t segments) {
  for (size_t k = 0; k < segments; k++) {
    uint64_t end = 0;
    for (size_t i = 0; i < n; i++)
      while (segment[i] == k && end < offset[i] + items[i].size)
        end++;
    if (end != size[k])
      return (pp_violation){
          .kind = PP_WRONG_SIZE, .first = k, .lo = size[k], .hi = end};
  }
  return (pp_violation){.kind = PP_VALID};
}

pp_status pp_brute_check(pp_kind kind, const pp_item *items, size_t n,
                         uint64_t cap, const size_t *segment,
                         const uint64_t *offset, const uint64_t *size,
                         size_t segments, pp_violation *violation,
                         size_t *bad) {
  for (size_t i = 0; kind == PP_ARENA && i < n; i++)
    if (items[i].has_span && items[i].lo > items[i].hi) {
      *bad = i;
      return PP_BAD_SPAN;
    }
  *violation = find_alone(items, n, cap, segment, offset, size, segments);
  if (violation->kind == PP_VALID)
    *violation = find_shared(kind, items, n, segment, offset);
  if (violation->kind == PP_VALID)
    *violation = find_wrong_size(items, n, segment, offset, size, segments);
  return PP_OK;
}

__extension__ typedef unsigned __int128 pp_wide;

static uint64_t saturate(pp_wide sum) {
  return sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
}

static pp_wide live_at(const pp_item *items, size_t n, uint32_t item_class,
                       uint64_t step) {
  pp_wide sum = 0;
  for (size_t i = 0; i < n; i++)
    if (items[i].has_span && items[i].item_class == item_class &&
        items[i].lo <= step && step <= items[i].hi)
      sum += items[i].size;
  return sum;
}

/* The sum only grows where a life begins, so the peak is at such a step. */
static pp_peak peak_of(const pp_item *items, size_t n, uint32_t item_class) {
  pp_peak peak = {.item_class = item_class};
  pp_wide most = 0;
  bool any = false;
  for (size_t i = 0; i < n; i++) {
    if (!items[i].has_span || items[i].item_class != item_class) continue;
    pp_wide sum = live_at(items, n, item_class, items[i].lo);
    if (any && (sum < most || (sum == most && items[i].lo >= peak.step)))
      continue;
    any = true;
    most = sum;
    peak.step = items[i].lo;
  }
  peak.bytes = saturate(most);
  return peak;
}

/* The least class above `above` (below 0: any) with a span, or false. */
static bool next_class(const pp_item *items, size_t n, int64_t above,
                       uint32_t *next) {
  bool any = false;
  for (size_t i = 0; i < n; i++) {
    if (!items[i].has_span || (int64_t)items[i].item_class <= above) continue;
    if (!any || items[i].item_class < *next) *next = items[i].item_class;
    any = true;
  }
  return any;
}

void pp_brute_bound(const pp_item *items, size_t n, pp_peak *peak,
                    size_t *peaks, uint64_t *bound) {
  pp_wide always = 0;
  for (size_t i = 0; i < n; i++)
    if (!items[i].has_span) always += items[i].size;
  peak[0] = (pp_peak){.bytes = saturate(always)};
  pp_wide sum = peak[0].bytes;
  *peaks = 1;
  int64_t above = -1;
  for (uint32_t next = 0; next_class(items, n, above, &next); above = next) {
    peak[*peaks] = peak_of(items, n, next);
    sum += peak[*peaks].bytes;
    *peaks += 1;
  }
  *bound = saturate(sum);
}
