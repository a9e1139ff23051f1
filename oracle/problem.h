/* poolproof: problems and layouts as the formats carry them. */
#ifndef PP_PROBLEM_H
#define PP_PROBLEM_H

#include "diag.h"

#include <poolproof/planner.h>

_Static_assert(SIZE_MAX == UINT64_MAX, "the oracle wants a 64-bit machine");

typedef enum pp_format { PP_JSON, PP_CSV } pp_format;

/* Columns of MiniMalloc's CSV, and our own `class` and `segment`. */
typedef enum pp_column {
  PP_COL_ID,
  PP_COL_LOWER,
  PP_COL_UPPER, /* half-open */
  PP_COL_END,   /* inclusive */
  PP_COL_SIZE,
  PP_COL_ALIGN,
  PP_COL_CLASS,
  PP_COL_HINT,
  PP_COL_GAPS,
  PP_COL_SEGMENT,
  PP_COL_OFFSET,
  PP_COLUMNS
} pp_column;

/* A problem. Spans in items are always closed; half_open and the columns say
 * how they were written, so that output goes out as input came in. steps and
 * step: what is done at steps 0, 1, ..., where that is known. Owned by
 * whoever called pp_problem_read; freed with pp_problem_free. */
typedef struct pp_problem {
  pp_kind kind;
  pp_format format;
  bool half_open;
  bool has_cap; /* the file names one; else cap is PP_CAP_USUAL */
  uint64_t cap;
  size_t n;
  pp_item *items;
  char **ids;         /* n, distinct, each owned */
  size_t classes;     /* item_class is an index into class_names */
  char **class_names; /* in order of first appearance, each owned */
  size_t columns;     /* CSV: the header, in its order */
  pp_column column[PP_COLUMNS];
  const char *column_name[PP_COLUMNS]; /* static spellings */
  size_t steps;
  char **step; /* each owned */
} pp_problem;

/* The named plans. */
typedef enum pp_plan {
  PP_PLAN_ARENA,
  PP_PLAN_SEGMENTS,
  PP_PLAN_NO_REUSE
} pp_plan;

/* A layout claimed for a problem, items in the problem's order. */
typedef struct pp_layout {
  pp_status status; /* the answer; arrays mean something for PP_OK only */
  size_t index;     /* item that a refusal names, or SIZE_MAX */
  size_t n;         /* items */
  size_t *segment;  /* n */
  uint64_t *offset; /* n */
  size_t segments;
  uint64_t *size; /* segments; claimed, or greatest ends if none claimed */
  bool has_plan;  /* the input says which plan it is */
  pp_plan plan;   /* that word */
  bool has_total; /* the input claims a total */
  uint64_t total; /* that claim */
} pp_layout;

/* "ok", "item_over_cap", "over_cap", "bad_span", "no_memory". */
const char *pp_status_name(pp_status status);

/* Frees what the struct owns and clears it. A zeroed struct is fine. */
void pp_problem_free(pp_problem *problem);
void pp_layout_free(pp_layout *layout);

#endif
