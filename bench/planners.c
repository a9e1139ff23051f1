/* poolproof: how the fast planner's cost grows, beside a plain greedy one.
 *
 * Ratios within one run: the plain planner gathers the placed items that
 * conflict, sorts their byte ranges and walks them, as one would write it
 * first; both must give the same bytes. Families after how many others an
 * item's life meets: about 20 (short), 1 in 100 (medium), every second (long),
 * and short with 4 classes and 30 in 100 always live (mix).
 * SPDX-License-Identifier: MIT */
#include <poolproof/planner.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct range {
  uint64_t lo;
  uint64_t hi;
} range;

static uint64_t state = 1;

static uint64_t next(uint64_t bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (state >> 33) % bound;
}

static const char *const families[] = {"short", "medium", "long", "mix"};

static void make(pp_item *items, size_t n, size_t family) {
  const uint64_t steps = 4 * n;
  const uint64_t life[] = {steps * 20 / n, steps / 100, steps, steps * 20 / n};
  state = n + family;
  for (size_t i = 0; i < n; i++) {
    uint64_t lo = next(steps);
    items[i] = (pp_item){.size = 1 + next(1 << 20),
                         .lo = lo,
                         .hi = lo + next(life[family] + 1),
                         .has_span = true};
    if (family != 3) continue;
    items[i].item_class = (uint32_t)next(4);
    items[i].has_span = next(100) >= 30;
  }
}

static bool conflict(const pp_item *a, const pp_item *b) {
  return !a->has_span || !b->has_span || a->item_class != b->item_class ||
         (a->lo <= b->hi && b->lo <= a->hi);
}

static const pp_item *sorted_items;

static int by_size(const void *a, const void *b) {
  size_t i = *(const size_t *)a;
  size_t j = *(const size_t *)b;
  if (sorted_items[i].size != sorted_items[j].size)
    return sorted_items[i].size < sorted_items[j].size ? 1 : -1;
  return (i > j) - (i < j);
}

static int by_lo(const void *a, const void *b) {
  uint64_t x = ((const range *)a)->lo;
  uint64_t y = ((const range *)b)->lo;
  return (x > y) - (x < y);
}

static uint64_t plain(const pp_item *items, size_t n, size_t *order,
                      range *ranges, uint64_t *offset) {
  uint64_t total = 0;
  for (size_t i = 0; i < n; i++)
    order[i] = i;
  sorted_items = items;
  qsort(order, n, sizeof *order, by_size);
  for (size_t k = 0; k < n; k++) {
    const pp_item *item = &items[order[k]];
    size_t m = 0;
    for (size_t p = 0; p < k; p++) {
      size_t j = order[p];
      if (conflict(item, &items[j]))
        ranges[m++] = (range){offset[j], offset[j] + items[j].size};
    }
    qsort(ranges, m, sizeof *ranges, by_lo);
    uint64_t at = 0;
    for (size_t p = 0; p < m && ranges[p].lo < at + item->size; p++)
      if (ranges[p].hi > at) at = ranges[p].hi;
    offset[order[k]] = at;
    if (at + item->size > total) total = at + item->size;
  }
  return total;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Plans one instance by both (the plain one up to plain_limit items). False
 * when they differ or memory is short. */
static bool measure(size_t family, size_t n, size_t plain_limit, double *last) {
  pp_item *items = malloc(n * sizeof *items);
  uint64_t *offset = malloc(2 * n * sizeof *offset);
  size_t *order = malloc(n * sizeof *order);
  range *ranges = malloc(n * sizeof *ranges);
  bool good = items && offset && order && ranges;
  if (good) {
    const pp_plan_options options = {.cap = PP_CAP_UNLIMITED};
    uint64_t total = 0;
    make(items, n, family);
    double start = seconds();
    good = pp_arena_plan(items, n, &options, offset, &total, NULL) == PP_OK;
    double fast = seconds() - start;
    printf("%-7s %8zu %10.2f us/item", families[family], n,
           1e6 * fast / (double)n);
    if (*last > 0) printf("  grows as n^%.2f", log10(fast / *last));
    *last = fast;
    if (good && n <= plain_limit) {
      start = seconds();
      good = plain(items, n, order, ranges, offset + n) == total &&
             memcmp(offset, offset + n, n * sizeof *offset) == 0;
      printf("  %8.1f x the plain planner's speed", (seconds() - start) / fast);
    }
    puts(good ? "" : "  DIFFERENT PLANS");
  }
  free(items);
  free(offset);
  free(order);
  free(ranges);
  return good;
}

int main(int argc, char **argv) {
  size_t most = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
  bool good = true;
  if (most < 100) {
    fputs("usage: bench-planners [MOST ITEMS, at least 100]\n", stderr);
    return 2;
  }
  for (size_t family = 0; family < 4; family++) {
    double last = 0;
    for (size_t n = 100; n <= most; n *= 10)
      good = measure(family, n, 10000, &last) && good;
  }
  return good ? 0 : 1;
}
