/* poolproof: view.h, what is said around a plot: title, numbers, banner,
 * notes, legend. */
#include "draw_parts.h"

#include <stdlib.h>
#include <string.h>

enum { TILE = 158, TILE_HIGH = 54, LINE = 16 };

typedef struct tiles {
  pp_pen *pen; /* NULL: measures only */
  double left;
  double y;
  size_t row; /* tiles in a row */
  size_t n;
} tiles;

static void put_tile(tiles *t, const char *caption, const char *value,
                     const char *small, bool red) {
  double x = t->left + TILE * (double)(t->n % t->row);
  size_t row = t->n / t->row;
  double y = t->y + TILE_HIGH * (double)row;
  t->n++;
  if (t->pen == NULL) return;
  pp_pen_label(t->pen, "dim", x, y + 11, caption);
  pp_pen_label(t->pen, red ? "num rt" : "num", x, y + 29, value);
  bool wide = strlen(small) > 26;
  pp_pen_label(t->pen, wide ? "dim xs" : "dim s", x, y + 43, small);
}

static void put_bytes_tile(tiles *t, const char *caption, uint64_t bytes,
                           bool red) {
  char value[PP_NUMBER];
  char small[PP_NUMBER];
  (void)snprintf(small, sizeof small, "%s B%s", pp_count_text(bytes, value),
                 bytes == UINT64_MAX ? "+" : "");
  if (bytes < 1024) small[0] = '\0';
  (void)pp_bytes_text(bytes, value);
  put_tile(t, caption, value, small, red);
}

static void put_count_tile(tiles *t, const pp_drawing *drawing) {
  char value[PP_NUMBER];
  char one[PP_NUMBER];
  char two[PP_NUMBER];
  char small[3 * PP_NUMBER] = "all drawn";
  const pp_problem *problem = drawing->scene->problem;
  if (problem->n == 0) small[0] = '\0';
  if (drawing->merged > 0)
    (void)snprintf(small, sizeof small, "%s drawn, %s merged",
                   pp_count_text(drawing->drawn, one),
                   pp_count_text(drawing->merged, two));
  else if (drawing->absent > 0)
    (void)snprintf(small, sizeof small, "%s not drawn",
                   pp_count_text(drawing->absent, one));
  else if (drawing->scene->zeros > 0)
    (void)snprintf(small, sizeof small, "%s of zero size",
                   pp_count_text(drawing->scene->zeros, one));
  put_tile(t, "items", pp_count_text(problem->n, value), small, false);
}

static void put_ratio_tile(tiles *t, const pp_drawing *drawing) {
  char value[PP_NUMBER];
  char small[PP_NUMBER + 20];
  char number[PP_NUMBER];
  double total = (double)drawing->total;
  double bound = (double)drawing->scene->bound;
  (void)pp_real_text(bound > 0 ? total / bound : 1e20, 3, value);
  double part = total > 0 ? 100 * (1 - bound / total) : 0;
  if (part < 0) part = 1e20;
  (void)snprintf(small, sizeof small, "fragmentation %s %%",
                 pp_real_text(part, 1, number));
  put_tile(t, "total / bound", value, small, false);
}

static void put_verdict_tile(tiles *t, const pp_drawing *drawing) {
  const pp_findings *found = &drawing->found;
  char small[PP_NUMBER + 20];
  char number[PP_NUMBER];
  if (found->first.kind == PP_VALID) {
    put_tile(t, "layout (VAL-1)", "valid", "no violation", false);
    return;
  }
  (void)snprintf(
      small, sizeof small, "%s%s violation%s", found->more ? "at least " : "",
      pp_count_text(found->total, number), found->total == 1 ? "" : "s");
  put_tile(t, "layout (VAL-1)", "NOT VALID", small, true);
}

static double put_tiles(pp_pen *pen, const pp_drawing *drawing, double y) {
  const pp_scene *scene = drawing->scene;
  const pp_layout *layout = drawing->layout;
  char number[PP_NUMBER];
  tiles t = {.pen = pen, .left = drawing->left, .y = y};
  t.row = (size_t)(drawing->width / TILE);
  put_count_tile(&t, drawing);
  put_bytes_tile(&t, "total", drawing->total,
                 layout->segments <= 1 && drawing->total > scene->cap);
  put_bytes_tile(&t, "lower bound", scene->bound, false);
  put_ratio_tile(&t, drawing);
  put_bytes_tile(&t, "without reuse", scene->no_reuse, false);
  if (scene->cap == PP_CAP_UNLIMITED)
    put_tile(&t, "cap", "none", "", false);
  else
    put_bytes_tile(&t, "cap", scene->cap, false);
  put_verdict_tile(&t, drawing);
  if (!pp_drawing_is_arena(drawing))
    put_tile(&t, "segments", pp_count_text(layout->segments, number), "",
             false);
  size_t rows = (t.n + t.row - 1) / t.row;
  return y + TILE_HIGH * (double)rows;
}

/* text in lines of at most `most` bytes; returns how many. */
static size_t put_lines(pp_pen *pen, const char *style, double x, double y,
                        const char *text, size_t most) {
  char line[400];
  size_t lines = 0;
  if (most >= sizeof line) most = sizeof line - 1;
  while (*text != '\0') {
    size_t n = strlen(text);
    if (n > most) {
      n = most;
      while (n > most / 2 && text[n] != ' ')
        n--;
      while (n > most / 2 && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--;
    }
    memcpy(line, text, n);
    line[n] = '\0';
    if (pen != NULL)
      pp_pen_label(pen, style, x, y + LINE * (double)lines, line);
    lines++;
    text += n;
    while (*text == ' ')
      text++;
  }
  return lines;
}

/* The first violation in red, and how many more there are. */
static double put_banner(pp_pen *pen, const pp_drawing *drawing, double y) {
  const pp_findings *found = &drawing->found;
  char text[1400] = "VAL-1 violated: ";
  char number[PP_NUMBER];
  if (found->first.kind == PP_VALID) return y;
  size_t n = strlen(text);
  pp_find_text(drawing->scene, drawing->layout, &found->first, text + n, 1200);
  if (found->total > 1) {
    n = strlen(text);
    (void)snprintf(text + n, sizeof text - n, " (and %s more)",
                   pp_count_text(found->total - 1, number));
  }
  size_t most = (size_t)((drawing->width - 24) / 6.9);
  size_t lines = put_lines(NULL, "", 0, 0, text, most);
  double high = LINE * (double)lines + 12;
  if (pen != NULL) {
    pp_pen_rect(pen, "ban", drawing->left, y, drawing->width, high);
    (void)put_lines(pen, "bant", drawing->left + 12, y + 18, text, most);
  }
  return y + high + 8;
}

double pp_draw_head(pp_pen *pen, const pp_drawing *drawing, double y) {
  if (pen != NULL && drawing->title != NULL) {
    pp_pen_put(pen, "<text class=\"h\"");
    pp_pen_attr(pen, "x", drawing->left);
    pp_pen_attr(pen, "y", y + 18);
    pp_pen_put(pen, ">");
    pp_pen_text(pen, drawing->title, (size_t)(drawing->width / 10));
    pp_pen_put(pen, "</text>\n");
  }
  y = put_tiles(pen, drawing, y + 30);
  return put_banner(pen, drawing, y);
}

static void axis_note(const pp_drawing *drawing, char *text, size_t size) {
  const pp_axis *axis = &drawing->scene->axis;
  char number[PP_NUMBER];
  const char *columns = "";
  const char *moment = pp_moment_name(drawing->scene->problem);
  if (drawing->scene->problem->kind == PP_SEGMENTS) {
    (void)snprintf(text, size,
                   "one column a segment; no time: all items are "
                   "live together");
    return;
  }
  if (!pp_drawing_is_arena(drawing))
    columns = "one column a segment, in each of them ";
  if (!axis->any)
    (void)snprintf(text, size, "%stime: no item has a span", columns);
  else if (axis->ranked)
    (void)snprintf(text, size,
                   "%stime in %ss \xE2\x86\x92 only the %s at which a life "
                   "begins or has ended, evenly spaced: widths are no "
                   "durations",
                   columns, moment, pp_count_text(axis->points, number));
  else
    (void)snprintf(text, size, "%stime in %ss \xE2\x86\x92", columns, moment);
}

typedef struct notes {
  pp_pen *pen; /* NULL: measures only */
  const pp_drawing *drawing;
  double y;
} notes;

static void put_note(notes *to, const char *style, const char *text) {
  double width = to->drawing->left + to->drawing->width - to->drawing->plot.x;
  to->y += LINE * (double)put_lines(to->pen, style, to->drawing->plot.x, to->y,
                                    text, (size_t)(width / 6.4));
}

/* "text: count", when it is not 0. */
static void put_count_note(notes *to, const char *style, size_t count,
                           const char *text) {
  char line[200];
  char number[PP_NUMBER];
  if (count == 0) return;
  (void)snprintf(line, sizeof line, "%s: %s", text,
                 pp_count_text(count, number));
  put_note(to, style, line);
}

double pp_draw_notes(pp_pen *pen, const pp_drawing *drawing, double y) {
  char text[400];
  notes to = {pen, drawing, y};
  axis_note(drawing, text, sizeof text);
  put_note(&to, "dim", text);
  if (drawing->scene->problem->step)
    put_note(&to, "dim",
             "final code; constants and merge nodes have pools of their own "
             "and are left out");
  put_count_note(
      &to, "dim", drawing->merged,
      "small items, merged into cells of 2 \xC3\x97 2 pixels, tinted "
      "by how full these are");
  put_count_note(&to, "bold rt", drawing->absent,
                 "items not drawn, as they name a segment that is not there");
  put_count_note(&to, "bold rt", drawing->beyond,
                 "items that begin above the drawn range, at its top edge");
  if (drawing->found.more)
    put_note(&to, "bold rt",
             "the search for violations was cut short: more may exist");
  return to.y;
}

typedef struct legend {
  pp_pen *pen;
  double left;
  double right;
  double x;
  double y;
} legend;

static void put_entry(legend *l, const char *style, const char *over,
                      const char *text, const char *count) {
  double wide = 7.0 * (double)(pp_text_columns(text, 40) + strlen(count)) + 46;
  if (l->x + wide > l->right && l->x > l->left) {
    l->x = l->left;
    l->y += 22;
  }
  double x = l->x;
  l->x += wide;
  if (l->pen == NULL) return;
  pp_pen_rect(l->pen, style, x, l->y - 11, 22, 14);
  if (over != NULL) pp_pen_rect(l->pen, over, x, l->y - 11, 22, 14);
  pp_pen_put(l->pen, "<text class=\"ink\"");
  pp_pen_attr(l->pen, "x", x + 29);
  pp_pen_attr(l->pen, "y", l->y);
  pp_pen_put(l->pen, ">");
  pp_pen_text(l->pen, text, 40);
  pp_pen_put(l->pen, count);
  pp_pen_put(l->pen, "</text>\n");
}

static void put_classes(legend *l, const pp_scene *scene) {
  const pp_problem *problem = scene->problem;
  char style[16];
  char number[PP_NUMBER];
  char count[PP_NUMBER + 8];
  if (problem->kind == PP_SEGMENTS || problem->classes == 0) {
    put_entry(l, "k0", NULL, "item", "");
    return;
  }
  size_t shown = problem->classes < 16 ? problem->classes : 16;
  for (size_t k = 0; k < shown; k++) {
    (void)snprintf(style, sizeof style, "k%u%s", (unsigned)(k % PP_HUES),
                   k / PP_HUES % 2 == 1 ? " r" : "");
    (void)snprintf(count, sizeof count, " (%s)",
                   pp_count_text(scene->class_count[k], number));
    const char *name = problem->class_names[k];
    put_entry(l, style, NULL, *name != '\0' ? name : "no class", count);
  }
  if (problem->classes == shown) return;
  (void)snprintf(count, sizeof count, "%s",
                 pp_count_text(problem->classes - shown, number));
  put_entry(l, "plot", NULL, "more classes, colours repeat: ", count);
}

/* What the colours of violations mean, if there are any to explain. */
static void put_red_entries(legend *l, const pp_scene *scene,
                            const pp_drawing *drawings) {
  bool item = false;
  bool shared = false;
  for (size_t p = 0; p < scene->panels; p++)
    for (size_t k = 0; k < drawings[p].found.count; k++) {
      pp_violation_kind kind = drawings[p].found.list[k].kind;
      shared = shared || kind == PP_SHARED_BYTES;
      item = item || kind == PP_SHARED_BYTES || kind == PP_MISALIGNED ||
             kind == PP_PAST_END;
    }
  if (item) put_entry(l, "k0 x", NULL, "item of a violation", "");
  if (shared) put_entry(l, "bad", NULL, "bytes shared against VAL-1", "");
}

double pp_draw_legend(pp_pen *pen, const pp_scene *scene,
                      const pp_drawing *drawings, double width, double y) {
  char number[PP_NUMBER];
  char count[PP_NUMBER + 8];
  legend l = {pen, drawings[0].left, drawings[0].left + width, drawings[0].left,
              y};
  put_classes(&l, scene);
  if (scene->always > 0) {
    (void)snprintf(count, sizeof count, " (%s)",
                   pp_count_text(scene->always, number));
    put_entry(&l, "k0", "live", "always live", count);
  }
  put_entry(&l, "plot", "free", "free bytes", "");
  put_red_entries(&l, scene, drawings);
  return l.y + 20;
}
