#include "report.h"

#include "number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PP_FEW = 20 }; /* rows of a table unless all are asked for */

void pp_report_bytes(const char *label, uint64_t bytes, const char *note) {
  char grouped[32];
  char human[24];
  printf("  %-14s %26s B  %12s%s%s\n", label,
         pp_grouped(bytes, grouped, sizeof grouped),
         pp_human_bytes(bytes, human, sizeof human), *note ? "  " : "", note);
}

static int larger_first(const void *a, const void *b, void *items) {
  size_t i = *(const size_t *)a;
  size_t j = *(const size_t *)b;
  uint64_t x = ((const pp_item *)items)[i].size;
  uint64_t y = ((const pp_item *)items)[j].size;
  if (x != y) return x < y ? 1 : -1;
  return (i > j) - (i < j);
}

static void put_item(const pp_problem *problem, const pp_layout *layout,
                     size_t i) {
  const pp_item *item = &problem->items[i];
  char id[48];
  char name[24];
  char life[64] = "always";
  if (item->has_span)
    snprintf(life, sizeof life, "[%" PRIu64 ", %" PRIu64 "]", item->lo,
             item->hi);
  printf(
      "  %20" PRIu64 " %8" PRIu64 "  %-14s %-10s", item->size, item->align,
      life,
      pp_printable(problem->class_names[item->item_class], name, sizeof name));
  if (layout->status == PP_OK)
    printf(" %3zu:%-20" PRIu64, layout->segment[i], layout->offset[i]);
  printf(" %s\n", pp_printable(problem->ids[i], id, sizeof id));
}

static void put_rows(const pp_problem *problem, const pp_layout *layout,
                     const size_t *index, size_t n, bool all) {
  printf("  %20s %8s  %-14s %-10s%s id\n", "size", "align", "span", "class",
         layout->status == PP_OK ? " segment:offset          " : "");
  for (size_t k = 0; k < n; k++) {
    if (k == PP_FEW && !all) {
      printf("  and %zu more (--all)\n", n - k);
      return;
    }
    put_item(problem, layout, index[k]);
  }
}

static void put_peak(const pp_problem *problem, const pp_layout *layout,
                     const pp_facts *facts, size_t k, bool all, size_t *index) {
  const pp_peak *peak = &facts->peak[k];
  char grouped[32];
  char name[40] = "always live";
  size_t n = 0;
  for (size_t m = facts->first[k]; m < facts->first[k + 1]; m++)
    if (pp_live_at(&problem->items[facts->member[m]], peak))
      index[n++] = facts->member[m];
  qsort_r(index, n, sizeof *index, larger_first, problem->items);
  pp_grouped(peak->bytes, grouped, sizeof grouped);
  const char *plural = n == 1 ? "" : "s";
  if (k == 0)
    printf("\nalways live: %s B in %zu item%s\n", grouped, n, plural);
  else
    printf(
        "\npeak of class %s at step %" PRIu64 ": %s B in %zu item%s\n",
        pp_printable(problem->class_names[peak->item_class], name, sizeof name),
        peak->step, grouped, n, plural);
  put_rows(problem, layout, index, n, all);
}

static void put_segments(const pp_layout *layout) {
  printf("  %-14s %zu:", "segments", layout->segments);
  for (size_t k = 0; k < layout->segments && k < PP_FEW; k++)
    printf(" %" PRIu64, layout->size[k]);
  puts(layout->segments > PP_FEW ? " ..." : "");
}

static void put_totals(const pp_layout *layout, const pp_facts *facts) {
  char note[80] = "";
  uint64_t total = pp_layout_total(layout);
  if (layout->status == PP_OK) {
    if (facts->bound > 0)
      snprintf(note, sizeof note, "%.4f x the lower bound",
               (double)total / (double)facts->bound);
    pp_report_bytes("total", total, note);
  }
  pp_report_bytes("lower bound", facts->bound, "");
  pp_report_bytes("no reuse", facts->no_reuse, "");
  if (layout->status == PP_OK && total > 0)
    printf("  %-14s %26.2f %%  %12s  1 - bound/total\n", "fragmentation",
           100 * (1 - (double)facts->bound / (double)total), "");
}

int pp_report_plan(const pp_problem *problem, const pp_layout *layout,
                   const pp_facts *facts, uint64_t cap, bool all,
                   pp_diag *diag) {
  size_t *index = malloc((problem->n + 1) * sizeof *index);
  if (!index) return pp_fail_memory(diag);
  printf("  %-14s %s\n", "status", pp_status_name(layout->status));
  printf("  %-14s %26zu\n", "items", problem->n);
  put_totals(layout, facts);
  if (cap == PP_CAP_UNLIMITED)
    printf("  %-14s %26s\n", "cap", "unlimited");
  else
    pp_report_bytes("cap", cap, "");
  if (layout->status == PP_OK) put_segments(layout);
  for (size_t k = 0; k < facts->peaks; k++)
    if (facts->peak[k].bytes > 0)
      put_peak(problem, layout, facts, k, all, index);
  if (facts->peaks == 0) {
    for (size_t i = 0; i < problem->n; i++)
      index[i] = i;
    puts("");
    put_rows(problem, layout, index, problem->n, all);
  }
  free(index);
  return 0;
}
