/* poolproof: view.h, the page around the panels. */
#include "draw_parts.h"
#include "facts.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

enum {
  WIDE = 1360,
  SIDE = 20,
  GAP = 30,
  AXIS = 76,    /* left of a plot: byte labels */
  MARGIN = 132, /* right of it: line labels */
  HIGH = 560,
  STEPS = 1000 /* listed at most */
};

typedef struct pp_page {
  pp_scene scene;
  pp_drawing drawing[2];
  double plot_y;
} pp_page;

/* -- the numbers that all panels share -- */

static int count_items(pp_scene *scene, pp_diag *diag) {
  const pp_problem *problem = scene->problem;
  size_t bytes = problem->classes * sizeof *scene->class_count;
  scene->class_count =
      pp_draw_alloc(problem->classes, sizeof *scene->class_count);
  if (scene->class_count == NULL) return pp_fail_memory(diag);
  memset(scene->class_count, 0, bytes);
  for (size_t i = 0; i < problem->n; i++) {
    const pp_item *item = &problem->items[i];
    scene->zeros += item->size == 0;
    if (problem->kind != PP_ARENA) continue;
    scene->always += !item->has_span;
    if (item->item_class < problem->classes)
      scene->class_count[item->item_class]++;
  }
  return 0;
}

static int find_numbers(pp_scene *scene, pp_diag *diag) {
  pp_facts facts;
  int code = pp_facts_find(scene->problem, scene->problem->kind, &facts, diag);
  if (code != 0) return code;
  scene->bound = facts.bound;
  scene->no_reuse = facts.no_reuse;
  pp_facts_free(&facts);
  return 0;
}

/* The scale: what is claimed and what is used, unless one dwarfs the other;
 * the cap where it is near. */
static void find_top(pp_scene *scene, const pp_panel *panels) {
  double claimed = 0;
  double used = 0;
  double cap = (double)scene->cap;
  for (size_t p = 0; p < scene->panels; p++) {
    const pp_layout *layout = panels[p].layout;
    for (size_t k = 0; k < layout->segments; k++)
      if ((double)layout->size[k] > claimed) claimed = (double)layout->size[k];
    for (size_t i = 0; i < scene->problem->n; i++) {
      double end =
          (double)layout->offset[i] + (double)scene->problem->items[i].size;
      if (layout->segment[i] < layout->segments && end > used) used = end;
    }
  }
  double top = claimed > used ? claimed : used;
  if (claimed > 0 && used > 3 * claimed) top = 1.5 * claimed;
  if (used > 0 && claimed > 3 * used) top = 1.5 * used;
  if (cap > top && cap < 1.5 * top) top = cap;
  scene->top = top > 0 ? top * 1.04 : 1;
}

static int make_scene(pp_page *page, const pp_panel *panels, pp_diag *diag) {
  pp_scene *scene = &page->scene;
  find_top(scene, panels);
  if (count_items(scene, diag) != 0) return diag->code;
  if (find_numbers(scene, diag) != 0) return diag->code;
  if (scene->problem->kind == PP_SEGMENTS) return 0;
  return pp_axis_make(scene->problem, &scene->axis, diag);
}

/* -- where the panels stand -- */

static int make_panels(pp_page *page, const pp_panel *panels, pp_diag *diag) {
  size_t n = page->scene.panels;
  double width = (WIDE - 2.0 * SIDE - GAP * (double)(n - 1)) / (double)n;
  for (size_t p = 0; p < n; p++) {
    pp_drawing *d = &page->drawing[p];
    d->scene = &page->scene;
    d->layout = panels[p].layout;
    d->title = panels[p].title;
    d->width = width;
    d->left = SIDE + (width + GAP) * (double)p;
    d->plot = (pp_box){d->left + AXIS, 0, width - AXIS - MARGIN, HIGH};
    if (pp_find(&page->scene, d->layout, &d->found, diag) != 0)
      return diag->code;
    if (pp_drawing_make(d, diag) != 0) return diag->code;
    double y = pp_draw_head(NULL, d, SIDE - 4);
    if (y > page->plot_y) page->plot_y = y;
  }
  page->plot_y += 22;
  for (size_t p = 0; p < n; p++)
    page->drawing[p].plot.y = page->plot_y;
  return 0;
}

static void free_page(pp_page *page) {
  for (size_t p = 0; p < page->scene.panels; p++)
    pp_drawing_free(&page->drawing[p]);
  pp_axis_free(&page->scene.axis);
  free(page->scene.class_count);
}

/* -- the document -- */

static int put_panel(pp_pen *pen, const pp_drawing *drawing, pp_diag *diag) {
  (void)pp_draw_head(pen, drawing, SIDE - 4);
  pp_draw_ground(pen, drawing);
  if (pp_draw_cells(pen, drawing, diag) != 0) return diag->code;
  pp_draw_items(pen, drawing);
  pp_draw_lines(pen, drawing);
  if (drawing->scene->problem->n == 0)
    pp_pen_label(pen, "h c", drawing->plot.x + drawing->plot.w / 2,
                 drawing->plot.y + drawing->plot.h / 2, "no items");
  (void)pp_draw_notes(pen, drawing, drawing->plot.y + drawing->plot.h + 38);
  return 0;
}

static int put_svg(pp_pen *pen, pp_page *page, pp_diag *diag) {
  const pp_scene *scene = &page->scene;
  double width = WIDE - 2.0 * SIDE;
  double legend = 0;
  for (size_t p = 0; p < scene->panels; p++) {
    const pp_drawing *d = &page->drawing[p];
    double y = pp_draw_notes(NULL, d, d->plot.y + HIGH + 38);
    if (y > legend) legend = y;
  }
  legend += 18;
  double high = pp_draw_legend(NULL, scene, page->drawing, width, legend);
  pp_pen_put(pen, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
  pp_pen_count(pen, WIDE);
  pp_pen_put(pen, " ");
  pp_pen_real(pen, high);
  pp_pen_put(pen, "\"");
  pp_pen_attr(pen, "width", WIDE);
  pp_pen_attr(pen, "height", high);
  pp_pen_put(pen, ">\n");
  pp_draw_style(pen);
  pp_draw_patterns(pen);
  pp_pen_put(pen, "<rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n");
  for (size_t p = 0; p < scene->panels; p++)
    if (put_panel(pen, &page->drawing[p], diag) != 0) return diag->code;
  (void)pp_draw_legend(pen, scene, page->drawing, width, legend);
  pp_pen_put(pen, "</svg>\n");
  return 0;
}

static void put_list(pp_pen *pen, const pp_drawing *drawing) {
  const pp_findings *found = &drawing->found;
  char text[1300];
  if (found->first.kind == PP_VALID) return;
  pp_pen_put(pen, "<section><h2>Violations of VAL-1: ");
  pp_pen_text(pen, drawing->title, 100);
  pp_pen_put(pen, "</h2>\n<ol>\n");
  for (size_t k = 0; k < found->count && k < PP_LISTED; k++) {
    pp_find_text(drawing->scene, drawing->layout, &found->list[k], text,
                 sizeof text);
    pp_pen_put(pen, "<li>");
    pp_pen_text(pen, text, 1200);
    pp_pen_put(pen, "</li>\n");
  }
  pp_pen_put(pen, "</ol>\n");
  if (found->total > PP_LISTED) {
    pp_pen_put(pen, "<p>and ");
    pp_pen_put(pen, pp_count_text(found->total - PP_LISTED, text));
    pp_pen_put(pen, found->more ? " more at least</p>\n" : " more</p>\n");
  }
  pp_pen_put(pen, "</section>\n");
}

static void put_steps(pp_pen *pen, const pp_problem *problem) {
  char number[PP_NUMBER];
  size_t k = 0;
  if (problem->steps == 0) return;
  pp_pen_put(pen, "<section><h2>Positions</h2>\n<ol start=\"0\">\n");
  for (; k < problem->steps && k < STEPS; k++) {
    pp_pen_put(pen, "<li><code>");
    pp_pen_text(pen, problem->step[k], 1200);
    pp_pen_put(pen, "</code></li>\n");
  }
  pp_pen_put(pen, "</ol>\n");
  if (k < problem->steps) {
    pp_pen_put(pen, "<p>and ");
    pp_pen_put(pen, pp_count_text(problem->steps - k, number));
    pp_pen_put(pen, " more</p>\n");
  }
  pp_pen_put(pen, "</section>\n");
}

static void open_html(pp_pen *pen, const pp_page *page) {
  pp_pen_put(pen,
             "<!DOCTYPE html>\n<html lang=\"en\"><head>"
             "<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\""
             "default-src 'none'; style-src 'unsafe-inline'; "
             "script-src 'unsafe-inline'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width\">\n"
             "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
  for (size_t p = 0; p < page->scene.panels; p++) {
    if (p > 0) pp_pen_put(pen, " | ");
    pp_pen_text(pen, page->drawing[p].title, 100);
  }
  pp_pen_put(pen,
             "</title>\n<style>\n"
             "body{margin:0;background:#fff;color:#1b2027;font:14px/1.5 "
             "system-ui,'DejaVu Sans',sans-serif}\n"
             "svg{display:block;width:100%;height:auto;max-width:1800px;"
             "margin:auto}\n"
             "section{max-width:1320px;margin:0 auto 24px;padding:0 20px}\n"
             "h2{font-size:16px}li{overflow-wrap:anywhere}\n"
             "#tip{display:none;position:fixed;pointer-events:none;"
             "white-space:pre-wrap;max-width:520px;overflow-wrap:anywhere;"
             "background:#1b2027;color:#fff;padding:7px 10px;"
             "border-radius:5px;font-size:12px;box-shadow:0 2px 10px #0006}\n"
             "@media (prefers-color-scheme:dark){body{background:#14181d;"
             "color:#e8ecf1}#tip{background:#e8ecf1;color:#10151b}}\n"
             "</style></head>\n<body>\n");
}

static int put_document(pp_pen *pen, pp_page *page, pp_diag *diag) {
  if (!page->scene.html) {
    pp_pen_put(pen, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    return put_svg(pen, page, diag);
  }
  open_html(pen, page);
  if (put_svg(pen, page, diag) != 0) return diag->code;
  for (size_t p = 0; p < page->scene.panels; p++)
    put_list(pen, &page->drawing[p]);
  put_steps(pen, page->scene.problem);
  pp_pen_put(pen, "<div id=\"tip\"></div>\n");
  pp_draw_script(pen);
  pp_pen_put(pen, "</body></html>\n");
  return 0;
}

int pp_view_write(FILE *out, bool html, const pp_problem *problem, uint64_t cap,
                  const pp_panel *panels, size_t count, pp_diag *diag) {
  pp_page page = {.scene = {.problem = problem,
                            .cap = cap,
                            .html = html,
                            .panels = count < 2 ? count : 2}};
  pp_pen pen = {.out = out};
  int code = make_scene(&page, panels, diag);
  if (code == 0) code = make_panels(&page, panels, diag);
  if (code == 0) code = put_document(&pen, &page, diag);
  free_page(&page);
  if (code != 0) return code;
  if (pen.failed || fflush(out) != 0 || ferror(out) != 0)
    return pp_fail_write(out, diag);
  return 0;
}
