/* poolproof: the parts of pp_view_write (view.h); nobody else includes this.
 *
 * Coordinates are SVG user units, which are pixels at scale 1, y downwards.
 * A drawing is a scene (what all panels share) and a view for each panel.
 * Functions that take a pen never fail by themselves: a failed write is kept
 * in the pen and looked at once, at the end. */
#ifndef PP_DRAW_PARTS_H
#define PP_DRAW_PARTS_H

#include "pen.h"
#include "view.h"

enum {
  PP_HUES = 8,         /* class colours before they repeat */
  PP_TINTS = 3,        /* of one colour, to tell neighbours apart */
  PP_KEEP = 500,       /* violations kept a panel, for drawing */
  PP_LISTED = 20,      /* violations put into words */
  PP_DRAW_ALL = 1500,  /* up to so many items, nothing is merged */
  PP_DRAW_MOST = 5000, /* items drawn one by one, all panels together */
  PP_DRAW_RED = 1500,  /* violating items drawn one by one, a panel */
  PP_DRAW_ZERO = 300   /* zero-size items drawn one by one, a panel */
};

/* -- draw_scale.c: steps and bytes to the picture -------------------------- */

/* Time across. A closed span [lo, hi] covers the picture from the boundary
 * before lo to the boundary after hi. Ranked: boundaries that nobody uses are
 * left out and the others stand evenly. */
typedef struct pp_axis {
  bool any; /* there is an item with a span */
  bool ranked;
  bool ends_last;  /* some span ends with step 2^64 - 1 */
  uint64_t *point; /* distinct boundaries, ascending: lo and hi + 1 */
  size_t points;
  uint64_t first; /* the least lo, the greatest hi */
  uint64_t final;
  double extent; /* steps drawn, or ranks */
} pp_axis;

int pp_axis_make(const pp_problem *problem, pp_axis *axis, pp_diag *diag);
void pp_axis_free(pp_axis *axis);
/* Where a span that begins with lo, ends with hi, does so: 0 to 1. */
double pp_axis_begin(const pp_axis *axis, uint64_t lo);
double pp_axis_end(const pp_axis *axis, uint64_t hi);

/* What a moment of the problem is called: a "step", of final code a
 * "position" (RTN-6). */
const char *pp_moment_name(const pp_problem *problem);

typedef struct pp_scene {
  const pp_problem *problem;
  uint64_t cap;
  bool html;
  size_t panels;
  pp_axis axis;
  double top;            /* bytes at the top of every plot */
  uint64_t bound;        /* VAL-3 */
  uint64_t no_reuse;     /* FPT-3; saturates, as does bound */
  size_t always;         /* items that are always live */
  size_t zeros;          /* items of zero size */
  uint64_t *class_count; /* items a class; PP_ARENA only */
} pp_scene;

/* -- draw_find.c: violations ----------------------------------------------- */

typedef struct pp_findings {
  pp_violation first; /* what pp_check answers */
  pp_violation *list; /* PP_KEEP at most */
  size_t count;       /* of list */
  uint64_t total;     /* how many were found */
  bool more;          /* the search was cut short */
  unsigned char *red; /* an item each: it takes part in a violation */
} pp_findings;

int pp_find(const pp_scene *scene, const pp_layout *layout, pp_findings *found,
            pp_diag *diag);
void pp_find_free(pp_findings *found);
/* One sentence without a full stop, user bytes unescaped. */
void pp_find_text(const pp_scene *scene, const pp_layout *layout,
                  const pp_violation *violation, char *text, size_t size);

/* -- draw_panel.c: one panel ------------------------------------------------
 */

typedef struct pp_box {
  double x;
  double y; /* the top */
  double w;
  double h;
} pp_box;

typedef enum pp_how { PP_ABSENT, PP_MERGED, PP_DRAWN } pp_how;

typedef struct pp_drawing {
  const pp_scene *scene;
  const pp_layout *layout;
  const char *title;
  pp_findings found;
  unsigned char *how; /* pp_how of each item */
  size_t drawn;       /* items drawn one by one */
  size_t merged;      /* items merged into cells */
  size_t absent;      /* items of a segment that is not there */
  size_t beyond;      /* items above the top of the plot */
  uint64_t total;     /* sum of claimed sizes; saturates */
  size_t columns;     /* one for an arena, else one a segment */
  double pitch;       /* from column to column */
  double column;      /* width of one column */
  pp_box plot;
  double left; /* of the whole panel */
  double width;
} pp_drawing;

/* True for an arena in one piece, false for the segments view. */
bool pp_drawing_is_arena(const pp_drawing *drawing);
/* Lays out columns and decides how each item is drawn. */
int pp_drawing_make(pp_drawing *drawing, pp_diag *diag);
void pp_drawing_free(pp_drawing *drawing);
double pp_drawing_y(const pp_drawing *drawing, double bytes);
double pp_drawing_column(const pp_drawing *drawing, size_t segment);
/* Where item i is; false when its segment is not there. */
bool pp_drawing_box(const pp_drawing *drawing, size_t i, pp_box *box);
/* The bytes that the two items of a PP_SHARED_BYTES share, at the steps that
 * they share; at the steps of either when they share none. Returns how many
 * boxes were written. */
size_t pp_drawing_shared(const pp_drawing *drawing,
                         const pp_violation *violation, pp_box box[2]);

/* -- draw_cells.c, draw_items.c, draw_lines.c, draw_head.c, draw_style.c ----
 */

/* The merged items, as coarse cells. */
int pp_draw_cells(pp_pen *pen, const pp_drawing *drawing, pp_diag *diag);
void pp_draw_items(pp_pen *pen, const pp_drawing *drawing);
/* What lies under the items (grid, free bytes, ticks) and over them (total,
 * bound, cap). */
void pp_draw_ground(pp_pen *pen, const pp_drawing *drawing);
void pp_draw_lines(pp_pen *pen, const pp_drawing *drawing);
/* Title, numbers and banner from y on; returns where they end. pen NULL:
 * measures only. */
double pp_draw_head(pp_pen *pen, const pp_drawing *drawing, double y);
/* Sentences under a plot; the legend under all. As pp_draw_head. */
double pp_draw_notes(pp_pen *pen, const pp_drawing *drawing, double y);
double pp_draw_legend(pp_pen *pen, const pp_scene *scene,
                      const pp_drawing *drawings, double width, double y);
void pp_draw_style(pp_pen *pen);
void pp_draw_patterns(pp_pen *pen);
void pp_draw_script(pp_pen *pen);
/* malloc(count * size), NULL when that overflows; never of 0 bytes. */
void *pp_draw_alloc(size_t count, size_t size);

#endif
