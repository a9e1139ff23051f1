/* poolproof: view.h, items drawn one by one, and what violates VAL-1. */
#include "draw_parts.h"

enum { RED_NAMES = 60 };

/* "name 1.37 MiB = 1,433,600 B" */
static void put_bytes(pp_pen *pen, const char *name, uint64_t bytes) {
  char text[PP_NUMBER];
  pp_pen_put(pen, name);
  if (bytes >= 1024) {
    pp_pen_put(pen, pp_bytes_text(bytes, text));
    pp_pen_put(pen, " = ");
  }
  pp_pen_put(pen, pp_count_text(bytes, text));
  pp_pen_put(pen, " B");
}

static void put_step(pp_pen *pen, const pp_problem *problem, uint64_t step) {
  if (step >= problem->steps) return;
  pp_pen_put(pen, "\n");
  pp_pen_count(pen, step);
  pp_pen_put(pen, ": ");
  pp_pen_text(pen, problem->step[step], 100);
}

static void put_life(pp_pen *pen, const pp_problem *problem,
                     const pp_item *item) {
  if (item->item_class < problem->classes) {
    pp_pen_put(pen, "\nclass ");
    pp_pen_text(pen, problem->class_names[item->item_class], 40);
  }
  pp_pen_put(pen, item->has_span ? ", " : ", always live");
  if (!item->has_span) return;
  pp_pen_put(pen, pp_moment_name(problem));
  pp_pen_put(pen, "s [");
  pp_pen_count(pen, item->lo);
  pp_pen_put(pen, ", ");
  pp_pen_count(pen, item->hi);
  pp_pen_put(pen, "]");
  put_step(pen, problem, item->lo);
  if (item->hi > item->lo) put_step(pen, problem, item->hi);
}

static void put_title(pp_pen *pen, const pp_drawing *drawing, size_t i) {
  const pp_problem *problem = drawing->scene->problem;
  const pp_item *item = &problem->items[i];
  uint64_t offset = drawing->layout->offset[i];
  pp_pen_put(pen, "<title>");
  pp_pen_text(pen, problem->ids[i], 80);
  put_bytes(pen, "\nsize ", item->size);
  put_bytes(pen, "\noffset ", offset);
  if (item->size <= UINT64_MAX - offset)
    put_bytes(pen, "\nend ", offset + item->size);
  else
    pp_pen_put(pen, "\nend past 2^64");
  pp_pen_put(pen, item->align > 1 ? "\nalign " : "\nno alignment");
  if (item->align > 1) pp_pen_count(pen, item->align);
  if (!pp_drawing_is_arena(drawing)) {
    pp_pen_put(pen, ", segment ");
    pp_pen_count(pen, drawing->layout->segment[i]);
  }
  if (problem->kind == PP_ARENA) put_life(pen, problem, item);
  pp_pen_put(pen, "</title>");
}

/* One line of text in the middle of a box, rotated if it stands. */
static void put_inside(pp_pen *pen, const char *text, size_t most, double x,
                       double y, bool small, bool upright) {
  pp_pen_put(pen, small ? "<text class=\"t s\"" : "<text class=\"t\"");
  double drop = small ? 3.2 : 4;
  pp_pen_attr(pen, "x", upright ? x + drop : x);
  pp_pen_attr(pen, "y", upright ? y : y + drop);
  if (upright) {
    pp_pen_put(pen, " transform=\"rotate(-90 ");
    pp_pen_real(pen, x + drop);
    pp_pen_put(pen, " ");
    pp_pen_real(pen, y);
    pp_pen_put(pen, ")\"");
  }
  pp_pen_put(pen, ">");
  pp_pen_text(pen, text, most);
  pp_pen_put(pen, "</text>\n");
}

/* The id, and the size below it, as far as there is room. */
static void put_name(pp_pen *pen, const pp_problem *problem, size_t i,
                     const pp_box *box) {
  char size[PP_NUMBER];
  const char *id = problem->ids[i];
  double along = box->w >= box->h ? box->w : box->h;
  double across = box->w >= box->h ? box->h : box->w;
  if (across < 11 || along < 14) return;
  double x = box->x + box->w / 2;
  double y = box->y + box->h / 2;
  size_t columns = pp_text_columns(id, 200);
  if (columns == 0) return;
  bool small = across < 14 || box->w < 7.4 * (double)columns + 6;
  double letter = small ? 6.2 : 7.4;
  double need = letter * (double)columns + 5;
  if (box->w >= need) {
    (void)pp_bytes_text(problem->items[i].size, size);
    double wide = 5.7 * (double)pp_text_columns(size, 40) + 5;
    bool two = box->h >= 30 && box->w >= wide;
    put_inside(pen, id, 200, x, two ? y - 6 : y, small, false);
    if (two) put_inside(pen, size, 40, x, y + 8, true, false);
  } else if (box->h >= need) {
    put_inside(pen, id, 200, x, y, small, true);
  } else if (along >= 8 * letter) {
    size_t most = (size_t)((along - 5) / letter) - 1;
    bool wide = columns != pp_text_prefix(id, 200);
    put_inside(pen, id, wide ? most / 2 : most, x, y, small, box->h > box->w);
  }
}

static void put_style(pp_pen *pen, const pp_drawing *drawing, size_t i) {
  const pp_item *item = &drawing->scene->problem->items[i];
  uint32_t hue = item->item_class % PP_HUES;
  pp_pen_put(pen, " class=\"i k");
  pp_pen_count(pen, hue + PP_HUES * (i % PP_TINTS));
  if (item->item_class / PP_HUES % 2 == 1) pp_pen_put(pen, " r");
}

/* An item without bytes: a line with an end mark where it begins. */
static void draw_zero(pp_pen *pen, const pp_drawing *drawing, size_t i,
                      const pp_box *box) {
  put_style(pen, drawing, i);
  pp_pen_put(pen, drawing->found.red[i] ? " z x\" d=\"M" : " z\" d=\"M");
  pp_pen_real(pen, box->x);
  pp_pen_put(pen, " ");
  pp_pen_real(pen, box->y - 3);
  pp_pen_put(pen, "v6m0-3h");
  pp_pen_real(pen, box->w > 1 ? box->w : 1);
  pp_pen_put(pen, "\">");
}

static void draw_item(pp_pen *pen, const pp_drawing *drawing, size_t i) {
  const pp_problem *problem = drawing->scene->problem;
  pp_box box;
  if (!pp_drawing_box(drawing, i, &box)) return;
  bool live = problem->kind == PP_ARENA && !problem->items[i].has_span;
  bool red = drawing->found.red[i] != 0;
  pp_pen_put(pen, "<path");
  if (problem->items[i].size == 0) {
    draw_zero(pen, drawing, i, &box);
  } else {
    double least = red ? 2 : 0.8;
    if (box.w < least) box.w = least;
    if (box.h < least) {
      box.y -= least - box.h;
      box.h = least;
    }
    put_style(pen, drawing, i);
    if (red)
      pp_pen_put(pen, " x");
    else if (box.w < 3 || box.h < 3)
      pp_pen_put(pen, " n");
    pp_pen_put(pen, "\" d=\"");
    pp_pen_box(pen, box.x, box.y, box.w, box.h);
    pp_pen_put(pen, "\">");
  }
  put_title(pen, drawing, i);
  pp_pen_put(pen, "</path>\n");
  if (live && box.h >= 1) {
    pp_pen_put(pen, "<path class=\"live\" d=\"");
    pp_pen_box(pen, box.x, box.y, box.w, box.h);
    pp_pen_put(pen, "\"/>\n");
  }
  if (!red) put_name(pen, problem, i, &box);
}

static void draw_shared(pp_pen *pen, const pp_drawing *drawing,
                        const pp_violation *violation) {
  char text[1300];
  pp_box box[2];
  if (drawing->layout->segment[violation->first] >= drawing->layout->segments)
    return;
  size_t n = pp_drawing_shared(drawing, violation, box);
  pp_find_text(drawing->scene, drawing->layout, violation, text, sizeof text);
  for (size_t k = 0; k < n; k++) {
    double w = box[k].w > 2 ? box[k].w : 2;
    double h = box[k].h > 2 ? box[k].h : 2;
    bool thin = w < 4 || h < 4;
    pp_pen_put(pen, thin ? "<path class=\"i bad n\" d=\""
                         : "<path class=\"i bad\" d=\"");
    pp_pen_box(pen, box[k].x, box[k].y, w, h);
    pp_pen_put(pen, "\"><title>");
    pp_pen_text(pen, text, 1000);
    pp_pen_put(pen, "</title></path>\n");
  }
}

/* The names of the first items that violate VAL-1, over everything. */
static void draw_red_names(pp_pen *pen, const pp_drawing *drawing) {
  const pp_problem *problem = drawing->scene->problem;
  size_t left = RED_NAMES;
  pp_pen_put(pen, "<g class=\"w\">\n");
  for (size_t i = 0; i < problem->n && left > 0; i++) {
    pp_box box;
    if (drawing->found.red[i] == 0 || !pp_drawing_box(drawing, i, &box))
      continue;
    put_name(pen, problem, i, &box);
    left--;
  }
  pp_pen_put(pen, "</g>\n");
}

void pp_draw_items(pp_pen *pen, const pp_drawing *drawing) {
  size_t n = drawing->scene->problem->n;
  for (int red = 0; red < 2; red++)
    for (size_t i = 0; i < n && !pen->failed; i++)
      if (drawing->how[i] == PP_DRAWN && (drawing->found.red[i] != 0) == red)
        draw_item(pen, drawing, i);
  for (size_t k = 0; k < drawing->found.count; k++)
    if (drawing->found.list[k].kind == PP_SHARED_BYTES)
      draw_shared(pen, drawing, &drawing->found.list[k]);
  if (drawing->found.first.kind != PP_VALID) draw_red_names(pen, drawing);
}
