/* poolproof: view.h, axes, ticks, free bytes, and the lines of total, lower
 * bound and cap. */
#include "draw_parts.h"

static void byte_ticks(pp_pen *pen, const pp_drawing *drawing) {
  const pp_box *plot = &drawing->plot;
  char text[PP_NUMBER];
  double top = drawing->scene->top;
  double step = 1;
  while (top / step > 8)
    step *= 2;
  unsigned power = 0;
  double unit = 1;
  for (; power < 6 && step * 4 >= unit * 1024; power++)
    unit *= 1024;
  unsigned decimals = 0;
  while (step * (double)(1U << decimals) < unit)
    decimals++;
  for (unsigned k = 0; k <= 8 && step * k <= top; k++) {
    double at = step * k;
    double y = pp_drawing_y(drawing, at);
    pp_pen_line(pen, "grid", plot->x - 4, y, plot->x + plot->w, y);
    pp_pen_label(pen, "dim e", plot->x - 8, y + 4,
                 pp_bytes_in(at, power, decimals, text));
  }
}

static void time_tick(pp_pen *pen, const pp_drawing *drawing, double part,
                      uint64_t step, bool mark) {
  const pp_box *plot = &drawing->plot;
  char text[PP_NUMBER];
  double x = plot->x + plot->w * part;
  double y = plot->y + plot->h;
  if (mark) pp_pen_line(pen, "tick", x, y, x, y + 5);
  (void)pp_count_text(step, text);
  pp_pen_label(pen, "dim c", x, y + 17, text);
}

/* How much of the plot's width the label of the greatest step takes. */
static double label_part(const pp_drawing *drawing) {
  char text[PP_NUMBER];
  (void)pp_count_text(drawing->scene->axis.final, text);
  double wide = 6.4 * (double)pp_text_columns(text, PP_NUMBER) + 16;
  return wide / drawing->plot.w;
}

static void ranked_ticks(pp_pen *pen, const pp_drawing *drawing) {
  const pp_axis *axis = &drawing->scene->axis;
  double room = label_part(drawing);
  size_t every = (size_t)(room * axis->extent) + 1;
  for (size_t k = 0; k < axis->points; k += every)
    time_tick(pen, drawing, (double)k / axis->extent, axis->point[k], true);
}

/* 1, 2 or 5 times a power of ten, not below least. */
static uint64_t round_step(double least) {
  uint64_t step = 1;
  while ((double)step < least && step < UINT64_MAX / 10) {
    if ((double)step * 2 >= least) return step * 2;
    if ((double)step * 5 >= least) return step * 5;
    step *= 10;
  }
  return step;
}

static void plain_ticks(pp_pen *pen, const pp_drawing *drawing) {
  const pp_axis *axis = &drawing->scene->axis;
  uint64_t step = round_step(label_part(drawing) * axis->extent);
  uint64_t at = axis->first;
  double shift = drawing->plot.w / axis->extent >= 20 ? 0.5 : 0;
  if (at % step != 0) {
    if (step - at % step > axis->final - at)
      step = 1;
    else
      at += step - at % step;
  }
  for (;;) {
    double part = ((double)(at - axis->first) + shift) / axis->extent;
    time_tick(pen, drawing, part, at, shift <= 0);
    if (axis->final - at < step) return;
    at += step;
  }
}

/* Every how many columns there is room for a label. */
static size_t label_every(const pp_drawing *drawing) {
  return (size_t)(60 / drawing->pitch) + 1;
}

static void column_names(pp_pen *pen, const pp_drawing *drawing) {
  char text[PP_NUMBER];
  double y = drawing->plot.y + drawing->plot.h + 17;
  size_t every = label_every(drawing);
  for (size_t k = 0; k < drawing->layout->segments; k += every) {
    double x = pp_drawing_column(drawing, k) + drawing->column / 2;
    if (drawing->pitch >= 90)
      (void)snprintf(text, sizeof text, "segment %zu", k);
    else
      (void)snprintf(text, sizeof text, "%zu", k);
    pp_pen_label(pen, "dim c", x, y, text);
  }
}

static void column_sizes(pp_pen *pen, const pp_drawing *drawing) {
  char text[PP_NUMBER];
  const pp_layout *layout = drawing->layout;
  bool narrow = drawing->pitch < 78;
  for (size_t k = 0; k < layout->segments; k++) {
    double x = pp_drawing_column(drawing, k) + drawing->column / 2;
    double y = pp_drawing_y(drawing, (double)layout->size[k]) - 5;
    const char *style = narrow ? "c s o" : "c o";
    if (layout->size[k] > drawing->scene->cap)
      style = narrow ? "c s o rt" : "c o rt";
    pp_pen_label(pen, style, x, y, pp_bytes_text(layout->size[k], text));
  }
}

/* Bytes below a segment's claimed size: free until an item covers them. */
static void free_bytes(pp_pen *pen, const pp_drawing *drawing, bool frames) {
  const pp_layout *layout = drawing->layout;
  double foot = drawing->plot.y + drawing->plot.h;
  if (drawing->column < 0.5) return;
  pp_pen_put(pen, frames ? "<path class=\"frame\" d=\""
                         : "<path class=\"free\" d=\"");
  for (size_t k = 0; k < layout->segments && !pen->failed; k++) {
    double y = pp_drawing_y(drawing, (double)layout->size[k]);
    pp_pen_box(pen, pp_drawing_column(drawing, k), y, drawing->column,
               foot - y);
  }
  pp_pen_put(pen, "\"/>\n");
}

void pp_draw_ground(pp_pen *pen, const pp_drawing *drawing) {
  const pp_box *plot = &drawing->plot;
  pp_pen_rect(pen, "plot", plot->x, plot->y, plot->w, plot->h);
  byte_ticks(pen, drawing);
  free_bytes(pen, drawing, false);
  if (!pp_drawing_is_arena(drawing))
    column_names(pen, drawing);
  else if (drawing->scene->axis.ranked)
    ranked_ticks(pen, drawing);
  else if (drawing->scene->axis.any)
    plain_ticks(pen, drawing);
}

typedef struct level {
  const char *style;
  const char *name;
  uint64_t bytes;
  double y;
  bool above; /* of what is drawn */
} level;

/* Labels in the right margin, the highest first, none over another. */
static void put_levels(pp_pen *pen, const pp_drawing *drawing, level *levels,
                       size_t n) {
  const pp_box *plot = &drawing->plot;
  double right = plot->x + plot->w;
  double last = plot->y - 14;
  char text[PP_NUMBER + 24];
  char number[PP_NUMBER];
  for (size_t k = 0; k < n; k++) {
    const level *l = &levels[k];
    double at = l->y + 4;
    if (at < last + 14) at = last + 14;
    last = at;
    if (!l->above) {
      pp_pen_line(pen, l->style, plot->x, l->y, right, l->y);
      pp_pen_line(pen, "tick", right, l->y, right + 9, at - 4);
    }
    (void)snprintf(text, sizeof text, "%s%s %s",
                   l->above ? "\xE2\x96\xB2 " : "", l->name,
                   pp_bytes_text(l->bytes, number));
    pp_pen_label(pen, l->style, right + 12, at, text);
  }
}

/* The claimed size of an arena is above the cap, or no greatest end. */
static bool total_is_wrong(const pp_findings *found) {
  for (size_t k = 0; k < found->count; k++)
    if (found->list[k].kind == PP_SEGMENT_TOO_BIG ||
        found->list[k].kind == PP_WRONG_SIZE)
      return true;
  return false;
}

void pp_draw_lines(pp_pen *pen, const pp_drawing *drawing) {
  const pp_scene *scene = drawing->scene;
  level levels[3];
  size_t n = 0;
  if (!pp_drawing_is_arena(drawing)) free_bytes(pen, drawing, true);
  if (scene->cap != PP_CAP_UNLIMITED)
    levels[n++] = (level){.style = "cap", .name = "cap", .bytes = scene->cap};
  if (pp_drawing_is_arena(drawing)) {
    levels[n++] =
        (level){.style = total_is_wrong(&drawing->found) ? "tot rt" : "tot",
                .name = "total",
                .bytes = drawing->total};
    levels[n++] =
        (level){.style = "bnd", .name = "bound", .bytes = scene->bound};
  }
  for (size_t k = 0; k < n; k++) {
    levels[k].y = pp_drawing_y(drawing, (double)levels[k].bytes);
    levels[k].above = (double)levels[k].bytes > scene->top;
  }
  for (size_t k = 1; k < n; k++)
    for (size_t j = k; j > 0 && levels[j].bytes > levels[j - 1].bytes; j--) {
      level swap = levels[j];
      levels[j] = levels[j - 1];
      levels[j - 1] = swap;
    }
  put_levels(pen, drawing, levels, n);
  if (!pp_drawing_is_arena(drawing) && label_every(drawing) == 1)
    column_sizes(pen, drawing);
}
