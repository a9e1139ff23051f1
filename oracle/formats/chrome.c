#include "formats/parts.h"
#include "json.h"

#include <inttypes.h>
#include <stdlib.h>

/* Trace viewers keep times as doubles. */
#define PP_LAST_STEP ((UINT64_C(1) << 53) - 2)

/* One item as it is drawn. */
typedef struct pp_bar {
  size_t item;
  size_t segment;
  uint64_t offset;
  uint64_t lo, hi;
  size_t lane;
} pp_bar;

typedef struct pp_chart {
  const pp_import *import;
  size_t n;
  pp_bar *bar;   /* owned */
  size_t *queue; /* owned; a heap of bars, the last of their lanes, by end */
  size_t lanes;
  FILE *out;
} pp_chart;

static int by_start(const void *a, const void *b) {
  const pp_bar *x = a;
  const pp_bar *y = b;
  if (x->lo != y->lo) return x->lo > y->lo ? 1 : -1;
  return (x->item > y->item) - (x->item < y->item);
}

static int by_place(const void *a, const void *b) {
  const pp_bar *x = a;
  const pp_bar *y = b;
  if (x->segment != y->segment) return x->segment > y->segment ? 1 : -1;
  if (x->offset != y->offset) return x->offset > y->offset ? 1 : -1;
  return by_start(a, b);
}

/* Moves the heap's first down to where it belongs. */
static void sink(const pp_chart *chart, size_t count) {
  size_t *queue = chart->queue;
  for (size_t at = 0, child = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count &&
        chart->bar[queue[child + 1]].hi < chart->bar[queue[child]].hi)
      child++;
    if (chart->bar[queue[at]].hi <= chart->bar[queue[child]].hi) return;
    size_t moved = queue[at];
    queue[at] = queue[child];
    queue[child] = moved;
    at = child;
  }
}

static void rise(const pp_chart *chart, size_t at) {
  size_t *queue = chart->queue;
  for (; at > 0; at = (at - 1) / 2) {
    size_t parent = (at - 1) / 2;
    if (chart->bar[queue[parent]].hi <= chart->bar[queue[at]].hi) return;
    size_t moved = queue[at];
    queue[at] = queue[parent];
    queue[parent] = moved;
  }
}

/* Without a layout: as few lanes as can be, the lane that is free longest
 * first. */
static void lanes_by_life(pp_chart *chart) {
  qsort(chart->bar, chart->n, sizeof *chart->bar, by_start);
  for (size_t k = 0; k < chart->n; k++) {
    pp_bar *bar = &chart->bar[k];
    if (chart->lanes > 0 && chart->bar[chart->queue[0]].hi < bar->lo) {
      bar->lane = chart->bar[chart->queue[0]].lane;
      chart->queue[0] = k;
      sink(chart, chart->lanes);
    } else {
      bar->lane = chart->lanes;
      chart->queue[chart->lanes] = k;
      rise(chart, chart->lanes++);
    }
  }
}

/* With one: a lane for each offset, more where items at it overlap. */
static void lanes_by_place(pp_chart *chart) {
  qsort(chart->bar, chart->n, sizeof *chart->bar, by_place);
  for (size_t k = 0; k < chart->n; k++) {
    pp_bar *bar = &chart->bar[k];
    const pp_bar *last = k > 0 ? &chart->bar[k - 1] : NULL;
    bool same = last && last->segment == bar->segment &&
                last->offset == bar->offset && last->hi < bar->lo;
    bar->lane = same ? chart->lanes - 1 : chart->lanes++;
  }
}

static int collect(pp_chart *chart, const char *name, pp_diag *diag) {
  const pp_problem *problem = &chart->import->problem;
  uint64_t first = 0;
  uint64_t last = 0;
  chart->n = problem->n;
  chart->bar = calloc(problem->n + 1, sizeof *chart->bar);
  chart->queue = calloc(problem->n + 1, sizeof *chart->queue);
  if (!chart->bar || !chart->queue) return pp_fail_memory(diag);
  pp_steps_of(problem, &first, &last);
  for (size_t i = 0; i < problem->n; i++) {
    pp_bar *bar = &chart->bar[i];
    *bar = (pp_bar){.item = i, .lo = first, .hi = last};
    if (pp_has_life(problem, i)) {
      bar->lo = problem->items[i].lo;
      bar->hi = problem->items[i].hi;
    }
    if (bar->hi > PP_LAST_STEP)
      return pp_item_fail(diag, name, problem, i,
                          "it lives after step 2^53 - 2; trace viewers keep "
                          "times as doubles");
    if (!chart->import->has_layout) continue;
    bar->segment = chart->import->layout.segment[i];
    bar->offset = chart->import->layout.offset[i];
    if (bar->segment == SIZE_MAX)
      return pp_item_fail(diag, name, problem, i,
                          "it has no place in the layout");
  }
  return 0;
}

static bool put_bar(const pp_chart *chart, const pp_bar *bar) {
  const pp_problem *problem = &chart->import->problem;
  const pp_item *item = &problem->items[bar->item];
  bool good =
      pp_json_put_text(chart->out, ",\n{\"name\":", problem->ids[bar->item]) &&
      pp_json_put_text(chart->out,
                       ",\"cat\":", problem->class_names[item->item_class]) &&
      fprintf(chart->out,
              ",\"ph\":\"X\",\"ts\":%" PRIu64 ",\"dur\":%" PRIu64
              ",\"pid\":%zu,\"tid\":%zu",
              bar->lo, bar->hi - bar->lo + 1, bar->segment, bar->lane) > 0 &&
      pp_json_put_number(chart->out, ",\"args\":{\"size\":", item->size) &&
      pp_json_put_text(chart->out,
                       ",\"class\":", problem->class_names[item->item_class]);
  if (good && chart->import->has_layout)
    good = pp_json_put_number(chart->out, ",\"offset\":", bar->offset);
  return good && fputs("}}", chart->out) >= 0;
}

/* A lane's name is the offset in it. */
static bool put_lanes(const pp_chart *chart) {
  bool good = true;
  for (size_t k = 0; good && k < chart->n; k++) {
    const pp_bar *bar = &chart->bar[k];
    if (k > 0 && chart->bar[k - 1].lane == bar->lane) continue;
    good = fprintf(chart->out,
                   ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%zu,"
                   "\"tid\":%zu,\"args\":{\"name\":\"offset %" PRIu64 "\"}}"
                   ",\n{\"name\":\"thread_sort_index\",\"ph\":\"M\","
                   "\"pid\":%zu,\"tid\":%zu,\"args\":{\"sort_index\":%zu}}",
                   bar->segment, bar->lane, bar->offset, bar->segment,
                   bar->lane, bar->lane) > 0;
  }
  return good;
}

/* Bytes that begin (or end) at a step. */
typedef struct pp_change {
  uint64_t step;
  uint64_t size;
} pp_change;

static int by_step(const void *a, const void *b) {
  const pp_change *x = a;
  const pp_change *y = b;
  return (x->step > y->step) - (x->step < y->step);
}

static int put_changes(const pp_chart *chart, const char *name,
                       const pp_change *begin, const pp_change *end,
                       pp_diag *diag) {
  uint64_t live = 0;
  bool good = true;
  for (size_t b = 0, e = 0; good && e < chart->n;) {
    uint64_t step = end[e].step;
    if (b < chart->n && begin[b].step < step) step = begin[b].step;
    for (; e < chart->n && end[e].step == step; e++)
      live -= end[e].size;
    for (; b < chart->n && begin[b].step == step; b++)
      if (__builtin_add_overflow(live, begin[b].size, &live))
        return pp_diag_fail(diag, PP_EXIT_INPUT,
                            "%s: the bytes live at step %" PRIu64
                            " are more than 2^64 - 1",
                            name, step);
    good = fprintf(chart->out,
                   ",\n{\"name\":\"live bytes\",\"ph\":\"C\",\"ts\":%" PRIu64
                   ",\"pid\":0",
                   step) > 0 &&
           pp_json_put_number(chart->out, ",\"args\":{\"bytes\":", live) &&
           fputs("}}", chart->out) >= 0;
  }
  return pp_json_written(chart->out, good, diag);
}

/* The bytes live at each step where they change. */
static int put_counter(const pp_chart *chart, const char *name, pp_diag *diag) {
  const pp_problem *problem = &chart->import->problem;
  pp_change *begin = calloc(chart->n + 1, sizeof *begin);
  pp_change *end = calloc(chart->n + 1, sizeof *end);
  int status = 0;
  if (begin && end) {
    for (size_t k = 0; k < chart->n; k++) {
      uint64_t size = problem->items[chart->bar[k].item].size;
      begin[k] = (pp_change){chart->bar[k].lo, size};
      end[k] = (pp_change){chart->bar[k].hi + 1, size};
    }
    qsort(begin, chart->n, sizeof *begin, by_step);
    qsort(end, chart->n, sizeof *end, by_step);
    status = put_changes(chart, name, begin, end, diag);
  } else {
    status = pp_fail_memory(diag);
  }
  free(begin);
  free(end);
  return status;
}

static int put_chart(const pp_chart *chart, const char *name, pp_diag *diag) {
  bool good =
      fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
            "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":"
            "{\"name\":\"one microsecond is one step\"}}",
            chart->out) >= 0 &&
      (!chart->import->has_layout || put_lanes(chart));
  for (size_t k = 0; good && k < chart->n; k++)
    good = put_bar(chart, &chart->bar[k]);
  if (pp_json_written(chart->out, good, diag) != 0 ||
      put_counter(chart, name, diag) != 0)
    return diag->code;
  return pp_json_written(chart->out, fputs("\n]}\n", chart->out) >= 0, diag);
}

int pp_export_chrome(FILE *out, const char *name, const pp_import *import,
                     pp_diag *diag) {
  pp_chart chart = {.import = import, .out = out};
  int status = collect(&chart, name, diag);
  if (status == 0) {
    if (import->has_layout)
      lanes_by_place(&chart);
    else
      lanes_by_life(&chart);
    status = put_chart(&chart, name, diag);
  }
  free(chart.bar);
  free(chart.queue);
  return status;
}
