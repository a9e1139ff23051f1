/* poolproof: view.h, items too small to be seen, merged into cells. */
#include "draw_parts.h"

#include <stdlib.h>
#include <string.h>

enum { EDGE = 2, LEVELS = 4, RED = PP_HUES };

typedef struct cell {
  float cover;  /* area of items in it, in pixels */
  float weight; /* how sure hue is */
  uint8_t hue;
} cell;

typedef struct grid {
  cell *cells;
  size_t wide;
  size_t high;
} grid;

static size_t index_of(double at, size_t count) {
  if (!(at > 0)) return 0;
  double k = at / EDGE;
  return k < (double)count ? (size_t)k : count - 1;
}

/* How much of cell k lies in [from, to). */
static double part_of(size_t k, double from, double to) {
  double low = (double)k * EDGE;
  double high = low + EDGE;
  if (from > low) low = from;
  if (to < high) high = to;
  return high > low ? high - low : 0;
}

static void cover_cell(cell *c, uint8_t hue, float area) {
  c->cover += area;
  if (c->hue == hue)
    c->weight += area;
  else if (c->hue == RED)
    return;
  else if (hue == RED || area > c->weight) {
    c->hue = hue;
    c->weight = area;
  } else
    c->weight -= area;
}

/* box is relative to the grid. Whatever is thinner than a twentieth of a
 * pixel counts as that thick, so that it leaves a trace. */
static void cover(grid *g, const pp_box *box, uint8_t hue) {
  double w = box->w > 0.05 ? box->w : 0.05;
  double h = box->h > 0.05 ? box->h : 0.05;
  size_t left = index_of(box->x, g->wide);
  size_t right = index_of(box->x + w, g->wide);
  size_t top = index_of(box->y, g->high);
  size_t bottom = index_of(box->y + h, g->high);
  for (size_t row = top; row <= bottom; row++) {
    double tall = part_of(row, box->y, box->y + h);
    for (size_t k = left; k <= right; k++) {
      double area = tall * part_of(k, box->x, box->x + w);
      if (area > 0) cover_cell(&g->cells[row * g->wide + k], hue, (float)area);
    }
  }
}

static unsigned level_of(const cell *c) {
  if (!(c->cover > 0)) return 0;
  float part = c->cover / (EDGE * EDGE) * LEVELS + 0.02F;
  if (c->hue == RED || part >= LEVELS) return LEVELS;
  return part < 1 ? 1 : (unsigned)part;
}

/* The runs of one row, hue and level, as path data. */
static void put_row(pp_pen *pen, const grid *g, size_t row, unsigned hue,
                    unsigned level) {
  const cell *c = &g->cells[row * g->wide];
  for (size_t k = 0; k < g->wide;) {
    size_t from = k;
    while (k < g->wide && c[k].hue == hue && level_of(&c[k]) == level)
      k++;
    if (k == from) {
      k++;
      continue;
    }
    pp_pen_put(pen, "M");
    pp_pen_count(pen, from);
    pp_pen_put(pen, " ");
    pp_pen_count(pen, row);
    pp_pen_put(pen, "h");
    pp_pen_count(pen, k - from);
  }
}

static bool has_level(const grid *g, unsigned hue, unsigned level) {
  for (size_t k = 0; k < g->wide * g->high; k++)
    if (g->cells[k].hue == hue && level_of(&g->cells[k]) == level) return true;
  return false;
}

static void put_cells(pp_pen *pen, const grid *g) {
  for (unsigned hue = 0; hue <= RED; hue++)
    for (unsigned level = 1; level <= LEVELS; level++) {
      if (!has_level(g, hue, level)) continue;
      pp_pen_put(pen, "<path class=\"m m");
      pp_pen_count(pen, hue);
      pp_pen_put(pen, "\"");
      pp_pen_attr(pen, "stroke-opacity", 0.25 + 0.75 * level / LEVELS);
      pp_pen_put(pen, " d=\"");
      for (size_t row = 0; row < g->high && !pen->failed; row++)
        put_row(pen, g, row, hue, level);
      pp_pen_put(pen, "\"/>\n");
    }
}

static void open_group(pp_pen *pen, const pp_drawing *drawing) {
  char number[PP_NUMBER];
  pp_pen_put(pen, "<g transform=\"translate(");
  pp_pen_real(pen, drawing->plot.x);
  pp_pen_put(pen, ",");
  pp_pen_real(pen, drawing->plot.y + EDGE / 2.0);
  pp_pen_put(pen, ") scale(");
  pp_pen_count(pen, EDGE);
  pp_pen_put(pen, ")\"><title>");
  pp_pen_put(pen, pp_count_text(drawing->merged, number));
  pp_pen_put(pen, " small items, merged into cells</title>\n");
}

int pp_draw_cells(pp_pen *pen, const pp_drawing *drawing, pp_diag *diag) {
  const pp_problem *problem = drawing->scene->problem;
  grid g = {.wide = (size_t)(drawing->plot.w / EDGE) + 1,
            .high = (size_t)(drawing->plot.h / EDGE) + 1};
  if (drawing->merged == 0) return 0;
  g.cells = pp_draw_alloc(g.wide * g.high, sizeof *g.cells);
  if (g.cells == NULL) return pp_fail_memory(diag);
  memset(g.cells, 0, g.wide * g.high * sizeof *g.cells);
  for (size_t i = 0; i < problem->n; i++) {
    pp_box box;
    if (drawing->how[i] != PP_MERGED) continue;
    if (!pp_drawing_box(drawing, i, &box)) continue;
    box.x -= drawing->plot.x;
    box.y -= drawing->plot.y;
    uint8_t hue = (uint8_t)(problem->items[i].item_class % PP_HUES);
    cover(&g, &box, drawing->found.red[i] ? (uint8_t)RED : hue);
  }
  open_group(pen, drawing);
  put_cells(pen, &g);
  pp_pen_put(pen, "</g>\n");
  free(g.cells);
  return 0;
}
