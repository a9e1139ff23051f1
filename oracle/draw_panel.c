/* poolproof: view.h, where things of one panel go, and which are merged. */
#include "draw_parts.h"
#include "facts.h"

#include <stdlib.h>
#include <string.h>

bool pp_drawing_is_arena(const pp_drawing *drawing) {
  return drawing->scene->problem->kind == PP_ARENA &&
         drawing->layout->segments <= 1;
}

double pp_drawing_y(const pp_drawing *drawing, double bytes) {
  double part = bytes / drawing->scene->top;
  if (part > 1) part = 1;
  return drawing->plot.y + drawing->plot.h * (1 - part);
}

double pp_drawing_column(const pp_drawing *drawing, size_t segment) {
  return drawing->plot.x + drawing->pitch * (double)segment +
         (drawing->pitch - drawing->column) / 2;
}

/* The box of bytes [from, to) in a column at the times of one or two items. */
static pp_box box_of(const pp_drawing *drawing, size_t segment, double from,
                     double to, double begin, double end) {
  pp_box box;
  box.x = pp_drawing_column(drawing, segment) + drawing->column * begin;
  box.w = drawing->column * (end - begin);
  box.y = pp_drawing_y(drawing, to);
  box.h = pp_drawing_y(drawing, from) - box.y;
  return box;
}

static void times(const pp_scene *scene, const pp_item *item, double *begin,
                  double *end) {
  *begin = 0;
  *end = 1;
  if (!item->has_span || !scene->axis.any) return;
  *begin = pp_axis_begin(&scene->axis, item->lo);
  *end = pp_axis_end(&scene->axis, item->hi);
}

bool pp_drawing_box(const pp_drawing *drawing, size_t i, pp_box *box) {
  const pp_item *item = &drawing->scene->problem->items[i];
  size_t segment = drawing->layout->segment[i];
  if (segment >= drawing->layout->segments) return false;
  double from = (double)drawing->layout->offset[i];
  double begin;
  double end;
  times(drawing->scene, item, &begin, &end);
  *box = box_of(drawing, segment, from, from + (double)item->size, begin, end);
  if (from >= drawing->scene->top && item->size > 0) box->h = 3;
  return true;
}

size_t pp_drawing_shared(const pp_drawing *drawing,
                         const pp_violation *violation, pp_box box[2]) {
  const pp_scene *scene = drawing->scene;
  const pp_item *items = scene->problem->items;
  size_t segment = drawing->layout->segment[violation->first];
  double begin[2];
  double end[2];
  times(scene, &items[violation->first], &begin[0], &end[0]);
  times(scene, &items[violation->second], &begin[1], &end[1]);
  double from = (double)violation->lo;
  double to = (double)violation->hi;
  double last = begin[0] > begin[1] ? begin[0] : begin[1];
  double soon = end[0] < end[1] ? end[0] : end[1];
  box[0] = box_of(drawing, segment, from, to, last, soon);
  if (last < soon) return 1;
  for (int k = 0; k < 2; k++)
    box[k] = box_of(drawing, segment, from, to, begin[k], end[k]);
  return 2;
}

static int larger_first(const void *a, const void *b) {
  float x = *(const float *)a;
  float y = *(const float *)b;
  return (x < y) - (x > y);
}

/* What may still be drawn by itself. */
typedef struct room {
  float area;   /* items with a larger area, */
  size_t ties;  /* so many of this area, */
  size_t red;   /* so many that take part in a violation, */
  size_t zeros; /* and every few of zero size */
  size_t every;
} room;

/* Sets left->area and left->ties so that `most` items are let in, the largest
 * first. */
static int find_threshold(const pp_drawing *drawing, size_t most, room *left,
                          pp_diag *diag) {
  size_t n = drawing->scene->problem->n;
  float *areas = pp_draw_alloc(n, sizeof *areas);
  if (areas == NULL) return pp_fail_memory(diag);
  size_t count = 0;
  pp_box box;
  for (size_t i = 0; i < n; i++)
    if (pp_drawing_box(drawing, i, &box) && box.w >= 1 && box.h >= 1)
      areas[count++] = (float)(box.w * box.h);
  if (count > most) {
    qsort(areas, count, sizeof *areas, larger_first);
    left->area = areas[most];
    left->ties = most;
    for (size_t k = 0; k < most && areas[k] > left->area; k++)
      left->ties--;
  }
  free(areas);
  return 0;
}

static pp_how choose(const pp_drawing *drawing, size_t i, const pp_box *box,
                     room *left) {
  const pp_problem *problem = drawing->scene->problem;
  if (problem->n <= PP_DRAW_ALL) return PP_DRAWN;
  if (drawing->found.red[i] && left->red > 0) {
    left->red--;
    return PP_DRAWN;
  }
  if (problem->items[i].size == 0 && box->w >= 1)
    return left->zeros++ % left->every == 0 ? PP_DRAWN : PP_MERGED;
  if (box->w < 1 || box->h < 1) return PP_MERGED;
  float area = (float)(box->w * box->h);
  if (area > left->area) return PP_DRAWN;
  if (area < left->area || left->ties == 0) return PP_MERGED;
  left->ties--;
  return PP_DRAWN;
}

static int classify(pp_drawing *drawing, pp_diag *diag) {
  const pp_scene *scene = drawing->scene;
  room left = {.red = PP_DRAW_RED, .every = scene->zeros / PP_DRAW_ZERO + 1};
  drawing->how = pp_draw_alloc(scene->problem->n, 1);
  if (drawing->how == NULL) return pp_fail_memory(diag);
  if (scene->problem->n > PP_DRAW_ALL &&
      find_threshold(drawing, PP_DRAW_MOST / scene->panels, &left, diag) != 0)
    return diag->code;
  for (size_t i = 0; i < scene->problem->n; i++) {
    pp_box box;
    pp_how how = PP_ABSENT;
    if (pp_drawing_box(drawing, i, &box)) {
      how = choose(drawing, i, &box, &left);
      if ((double)drawing->layout->offset[i] >= scene->top) drawing->beyond++;
    }
    drawing->how[i] = (unsigned char)how;
    drawing->drawn += how == PP_DRAWN;
    drawing->merged += how == PP_MERGED;
    drawing->absent += how == PP_ABSENT;
  }
  return 0;
}

int pp_drawing_make(pp_drawing *drawing, pp_diag *diag) {
  const pp_layout *layout = drawing->layout;
  drawing->columns = layout->segments > 0 ? layout->segments : 1;
  drawing->pitch = drawing->plot.w / (double)drawing->columns;
  drawing->column = drawing->pitch;
  if (!pp_drawing_is_arena(drawing)) {
    double gap = drawing->pitch * 0.12;
    if (drawing->pitch > 400) drawing->pitch = 400;
    drawing->column = drawing->pitch - (gap < 24 ? gap : 24);
  }
  drawing->total = pp_layout_total(layout);
  return classify(drawing, diag);
}

void pp_drawing_free(pp_drawing *drawing) {
  pp_find_free(&drawing->found);
  free(drawing->how);
  drawing->how = NULL;
}
