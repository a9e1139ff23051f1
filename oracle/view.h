/* poolproof: layouts drawn. */
#ifndef PP_VIEW_H
#define PP_VIEW_H

#include "problem.h"

#include <stdio.h>

/* One drawing: a layout (status PP_OK) under a title. */
typedef struct pp_panel {
  const char *title;
  const pp_layout *layout;
} pp_panel;

/* Draws one or two panels of one problem side by side as one self-contained
 * HTML page (html) or SVG picture: time across, bytes up, one rectangle an
 * item coloured by class. cap is the cap in force. Sharing bytes against
 * VAL-1 is drawn red. Returns 0, or the exit status diag then holds; what was
 * written to out before a failure is worthless. */
int pp_view_write(FILE *out, bool html, const pp_problem *problem, uint64_t cap,
                  const pp_panel *panels, size_t count, pp_diag *diag);

#endif
