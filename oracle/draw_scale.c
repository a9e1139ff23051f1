/* poolproof: view.h, the time axis. */
#include "draw_parts.h"

#include <stdlib.h>

/* So few steps have room for themselves. */
enum { PLAIN = 200 };

static int by_value(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a;
  uint64_t y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The boundaries of all spans into axis->point, sorted, each once. */
static void gather(const pp_problem *problem, pp_axis *axis) {
  size_t n = 0;
  for (size_t i = 0; i < problem->n; i++) {
    const pp_item *item = &problem->items[i];
    if (!item->has_span) continue;
    if (!axis->any || item->lo < axis->first) axis->first = item->lo;
    if (!axis->any || item->hi > axis->final) axis->final = item->hi;
    axis->any = true;
    axis->point[n++] = item->lo;
    if (item->hi == UINT64_MAX)
      axis->ends_last = true;
    else
      axis->point[n++] = item->hi + 1;
  }
  if (n == 0) return;
  qsort(axis->point, n, sizeof *axis->point, by_value);
  axis->points = 1;
  for (size_t i = 1; i < n; i++)
    if (axis->point[i] != axis->point[axis->points - 1])
      axis->point[axis->points++] = axis->point[i];
}

int pp_axis_make(const pp_problem *problem, pp_axis *axis, pp_diag *diag) {
  *axis = (pp_axis){0};
  if (problem->kind == PP_SEGMENTS) return 0;
  axis->point = pp_draw_alloc(problem->n, 2 * sizeof *axis->point);
  if (axis->point == NULL) return pp_fail_memory(diag);
  gather(problem, axis);
  if (!axis->any) return 0;
  double ranks = (double)axis->points - (axis->ends_last ? 0 : 1);
  axis->extent = (double)(axis->final - axis->first) + 1;
  axis->ranked = axis->extent > 4 * (ranks + 1) && axis->extent > PLAIN;
  if (axis->ranked) axis->extent = ranks;
  return 0;
}

void pp_axis_free(pp_axis *axis) {
  free(axis->point);
  *axis = (pp_axis){0};
}

const char *pp_moment_name(const pp_problem *problem) {
  return problem->step ? "position" : "step";
}

static double rank_of(const pp_axis *axis, uint64_t point) {
  size_t low = 0;
  size_t high = axis->points;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (axis->point[middle] < point)
      low = middle + 1;
    else
      high = middle;
  }
  return (double)low;
}

double pp_axis_begin(const pp_axis *axis, uint64_t lo) {
  if (axis->ranked) return rank_of(axis, lo) / axis->extent;
  return (double)(lo - axis->first) / axis->extent;
}

double pp_axis_end(const pp_axis *axis, uint64_t hi) {
  if (!axis->ranked) return ((double)(hi - axis->first) + 1) / axis->extent;
  if (hi == UINT64_MAX) return 1;
  return rank_of(axis, hi + 1) / axis->extent;
}
