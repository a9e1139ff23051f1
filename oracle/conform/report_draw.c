/* poolproof: the page of a conformance run, its pictures.
 * SPDX-License-Identifier: MIT */
#include "reports.h"

#include "view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  PICTURES = 40,  /* of layouts, in a page */
  ITEMS = 400,    /* of a picture */
  NODES = 40,     /* of a drawing of lives */
  POSITIONS = 64, /* of it */
  EVENTS = 400,
  LEFT = 150, /* the labels of nodes */
  HEAD = 44,  /* above the first node */
  ROW = 46
};

/* -- layouts, as view draws them -- */

static bool has_bad_span(const pp_case *c) {
  for (size_t i = 0; i < c->n; i++)
    if (c->items[i].has_span && c->items[i].lo > c->items[i].hi) return true;
  return false;
}

/* Borrows the answer's arrays; zeros stands for an arena's segments. */
static bool layout_of(const pp_ask *ask, const pp_reply *reply, size_t *zeros,
                      pp_layout *layout) {
  if (reply->kind != PP_REPLY_RESULT || !reply->offset) return false;
  bool arena = ask->verb == PP_ASK_ARENA;
  *layout = (pp_layout){.status = PP_OK,
                        .index = SIZE_MAX,
                        .n = ask->c.n,
                        .segment = arena ? zeros : reply->segment,
                        .offset = reply->offset,
                        .segments = reply->segments,
                        .size = reply->size};
  return true;
}

static pp_layout layout_claimed(const pp_ask *ask) {
  return (pp_layout){.status = PP_OK,
                     .index = SIZE_MAX,
                     .n = ask->c.n,
                     .segment = ask->claim.segment,
                     .offset = ask->claim.offset,
                     .segments = ask->claim.segments,
                     .size = ask->claim.size};
}

/* Cuts [begin, end] out of text, both included. */
static void cut(char *text, const char *begin, const char *end) {
  char *from = strstr(text, begin);
  const char *to = from ? strstr(from, end) : NULL;
  if (to) memmove(from, to + strlen(end), strlen(to + strlen(end)) + 1);
}

/* A picture as a part of the page: the style, the same in all, once. */
static void put_picture(pp_sheet *sheet, pp_gallery *gallery, char *svg) {
  cut(svg, "<?xml", "?>\n");
  if (gallery->styled) {
    cut(svg, "<style>", "</style>\n");
    cut(svg, "<defs>", "</defs>\n");
  }
  gallery->styled = true;
  gallery->pictures++;
  pp_sheet_put(sheet, "<div class=\"q-wide\">");
  pp_sheet_put(sheet, svg);
  pp_sheet_put(sheet, "</div>\n");
}

static void put_view(pp_sheet *sheet, pp_gallery *gallery, const pp_ask *ask,
                     const pp_panel *panel, size_t panels) {
  pp_problem problem = {0};
  pp_diag why = {0}; /* in memory, whatever fails is for want of memory */
  char *svg = NULL;
  size_t size = 0;
  if (pp_case_to_problem(&ask->c, &problem, sheet->diag) != 0) return;
  FILE *out = open_memstream(&svg, &size);
  bool drawn = out && pp_view_write(out, false, &problem, ask->c.cap, panel,
                                    panels, &why) == 0;
  bool closed = out && fclose(out) == 0;
  if (drawn && closed && svg)
    put_picture(sheet, gallery, svg);
  else
    pp_fail_memory(sheet->diag);
  free(svg);
  pp_problem_free(&problem);
}

static void draw_layouts(pp_sheet *sheet, pp_gallery *gallery,
                         const pp_finding *finding) {
  const pp_ask *ask = &finding->ask;
  pp_panel panel[2];
  pp_layout layout[2];
  size_t n = 0;
  if (ask->c.n > ITEMS || gallery->pictures >= PICTURES ||
      has_bad_span(&ask->c))
    return;
  size_t *zeros = calloc(ask->c.n + 1, sizeof *zeros);
  if (!zeros) {
    pp_fail_memory(sheet->diag);
    return;
  }
  if (ask->verb == PP_ASK_VALIDATE) {
    layout[n] = layout_claimed(ask);
    panel[n] = (pp_panel){"the claimed layout", &layout[n]};
    n++;
  } else if (finding->misdeed == PP_BEHAVED) {
    if (layout_of(ask, &finding->said, zeros, &layout[n])) {
      panel[n] = (pp_panel){"said", &layout[n]};
      n++;
    }
    if (layout_of(ask, &finding->expected, zeros, &layout[n])) {
      panel[n] = (pp_panel){"specified", &layout[n]};
      n++;
    }
  }
  if (n > 0) put_view(sheet, gallery, ask, panel, n);
  free(zeros);
}

/* -- lives -- */

/* The positions that are drawn, ascending; they stand evenly. */
typedef struct pp_ranks {
  size_t n;
  uint64_t at[POSITIONS];
  bool full;
} pp_ranks;

static void add_rank(pp_ranks *ranks, uint64_t position) {
  size_t k = ranks->n;
  for (size_t i = 0; i < ranks->n; i++)
    if (ranks->at[i] == position) return;
  if (ranks->n == POSITIONS) {
    ranks->full = true;
    return;
  }
  for (; k > 0 && ranks->at[k - 1] > position; k--)
    ranks->at[k] = ranks->at[k - 1];
  ranks->at[k] = position;
  ranks->n++;
}

static void add_lives(pp_ranks *ranks, const pp_reply *reply, size_t nodes) {
  if (reply->kind != PP_REPLY_RESULT || !reply->life) return;
  for (size_t i = 0; i < nodes; i++) {
    if (!reply->life[i].has_span) continue;
    add_rank(ranks, reply->life[i].lo);
    add_rank(ranks, reply->life[i].hi);
  }
}

static size_t rank_of(const pp_ranks *ranks, uint64_t position) {
  size_t k = 0;
  while (k < ranks->n && ranks->at[k] < position)
    k++;
  return k;
}

/* A drawing of lives: where column k begins, how wide one is. */
typedef struct pp_chart {
  pp_sheet *sheet;
  const pp_finding *finding;
  pp_ranks ranks;
  double column;
} pp_chart;

static double x_of(const pp_chart *chart, size_t rank) {
  return LEFT + chart->column * (double)rank;
}

static void put_label(const pp_chart *chart, const char *style, double x,
                      double y, const char *text) {
  pp_pen_label(&chart->sheet->pen, style, x, y, text);
}

static void put_bar(const pp_chart *chart, const char *style,
                    const pp_reply *reply, size_t node, double y) {
  if (reply->kind != PP_REPLY_RESULT || !reply->life) return;
  const pp_ref_life *life = &reply->life[node];
  if (!life->has_span || life->lo > life->hi) {
    put_label(chart, "q-none", x_of(chart, chart->ranks.n) + 4, y + 7,
              life->has_span ? "empty" : "none");
    return;
  }
  double from = x_of(chart, rank_of(&chart->ranks, life->lo)) + 2;
  double to = x_of(chart, rank_of(&chart->ranks, life->hi) + 1) - 2;
  pp_pen_rect(&chart->sheet->pen, style, from, y, to - from, 7);
}

static void put_accesses(const pp_chart *chart, size_t node, double y) {
  static const char *const letters[] = {"r", "w", "f"};
  const pp_ask *ask = &chart->finding->ask;
  for (size_t k = 0; k < ask->events; k++) {
    const pp_ref_event *event = &ask->event[k];
    size_t before = 0;
    if (event->node != node) continue;
    for (size_t j = 0; j < k; j++)
      before += ask->event[j].node == node &&
                ask->event[j].position == event->position;
    if (before > 2) continue;
    double x = x_of(chart, rank_of(&chart->ranks, event->position));
    put_label(chart, "q-access", x + 5 + 8 * (double)before, y,
              letters[event->access]);
  }
}

/* Appends a blank and a word. */
static void put_word(char *text, size_t size, const char *word) {
  size_t at = strlen(text);
  (void)snprintf(text + at, size - at, " %s", word);
}

static void put_node(const pp_chart *chart, size_t node) {
  const pp_ask *ask = &chart->finding->ask;
  double y = HEAD + ROW * (double)node;
  char text[100];
  char about[80] = "";
  (void)snprintf(text, sizeof text, "%zu: uid %" PRIu64, node,
                 ask->node[node].uid);
  put_label(chart, "q-node", 4, y + 14, text);
  for (size_t b = 0; b < PP_INTENTS; b++)
    if (ask->node[node].intents >> b & 1)
      put_word(about, sizeof about, pp_wire_intents[b]);
  if (ask->in_context && !ask->in_context[node])
    put_word(about, sizeof about, "virtual");
  put_label(chart, "q-dim", 4, y + 28, about[0] ? about + 1 : "");
  pp_pen_line(&chart->sheet->pen, "q-rule", 0, y - 2,
              x_of(chart, chart->ranks.n) + 40, y - 2);
  put_accesses(chart, node, y + 12);
  put_bar(chart, "q-said", &chart->finding->said, node, y + 19);
  put_bar(chart, "q-want", &chart->finding->expected, node, y + 31);
}

static void put_key(const pp_chart *chart) {
  pp_pen *pen = &chart->sheet->pen;
  pp_pen_rect(pen, "q-said", 4, 4, 18, 7);
  put_label(chart, "q-dim", 27, 12, "said");
  pp_pen_rect(pen, "q-want", 64, 4, 18, 7);
  put_label(chart, "q-dim", 87, 12, "specified");
  put_label(chart, "q-dim", LEFT + 4, 12, "r read, w write, f fill");
  for (size_t k = 0; k < chart->ranks.n; k++) {
    char text[PP_NUMBER];
    (void)snprintf(text, sizeof text, "%" PRIu64, chart->ranks.at[k]);
    put_label(chart, "q-position", x_of(chart, k) + 5, HEAD - 8, text);
  }
}

static void draw_lives(pp_sheet *sheet, const pp_finding *finding) {
  const pp_ask *ask = &finding->ask;
  pp_chart chart = {.sheet = sheet, .finding = finding};
  char longest[PP_NUMBER];
  if (finding->misdeed != PP_BEHAVED || ask->nodes > NODES ||
      ask->events > EVENTS)
    return;
  for (size_t k = 0; k < ask->events; k++)
    add_rank(&chart.ranks, ask->event[k].position);
  add_lives(&chart.ranks, &finding->said, ask->nodes);
  add_lives(&chart.ranks, &finding->expected, ask->nodes);
  if (chart.ranks.full || chart.ranks.n == 0) return;
  int digits = snprintf(longest, sizeof longest, "%" PRIu64,
                        chart.ranks.at[chart.ranks.n - 1]);
  chart.column = 12 + 8.0 * (digits > 2 ? digits : 2);
  double width = x_of(&chart, chart.ranks.n) + 50;
  double height = HEAD + ROW * (double)ask->nodes;
  pp_sheet_put(sheet, "<div class=\"q-wide\"><svg class=\"q-lives\" "
                      "xmlns=\"http://www.w3.org/2000/svg\"");
  pp_pen_attr(&sheet->pen, "width", width);
  pp_pen_attr(&sheet->pen, "height", height);
  pp_sheet_put(sheet, " role=\"img\" aria-label=\"lives, said and "
                      "specified\">\n");
  put_key(&chart);
  for (size_t node = 0; node < ask->nodes; node++)
    put_node(&chart, node);
  pp_sheet_put(sheet, "</svg></div>\n");
}

void pp_draw_finding(pp_sheet *sheet, pp_gallery *gallery,
                     const pp_finding *finding) {
  if (finding->id[0] == '\0') return;
  if (pp_ask_has_items(&finding->ask))
    draw_layouts(sheet, gallery, finding);
  else if (finding->ask.verb == PP_ASK_SPANS)
    draw_lives(sheet, finding);
}
