#include "internal.h"

static size_t first_over_cap(const pp_item *items, size_t n, uint64_t cap) {
  size_t i = 0;
  while (i < n && items[i].size <= cap)
    i++;
  return i;
}

pp_status pp_segments_plan(const pp_item *items, size_t n,
                           const pp_plan_options *options, size_t *segment,
                           uint64_t *offset, uint64_t *size, size_t *segments,
                           pp_error *error) {
  const uint64_t cap = options->cap;
  size_t over = first_over_cap(items, n, cap);
  if (over < n) return pp_refuse(error, PP_ITEM_OVER_CAP, options, items, over);

  size_t open = 0;
  uint64_t end = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t at = 0;
    bool stays = pp_align_up(end, items[i].align, &at) &&
                 pp_fits(at, items[i].size, cap);
    if (!stays) {
      size[open++] = end;
      at = 0;
    }
    segment[i] = open;
    offset[i] = at;
    end = at + items[i].size;
  }
  if (n > 0) size[open++] = end;
  *segments = open;
  return PP_OK;
}

pp_status pp_no_reuse_plan(const pp_item *items, size_t n,
                           const pp_plan_options *options, uint64_t *offset,
                           uint64_t *total, pp_error *error) {
  uint64_t end = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t at = 0;
    if (!pp_align_up(end, items[i].align, &at) ||
        !pp_fits(at, items[i].size, options->cap))
      return pp_refuse(error, PP_OVER_CAP, options, items, i);
    offset[i] = at;
    end = at + items[i].size;
  }
  *total = end;
  return PP_OK;
}
