#include "csv_format.h"
#include "facts.h"
#include "formats/parts.h"
#include "json.h"

#include <string.h>

/* Lives that touch 2^64 - 1 have no exclusive end. */
static int check_ends(const char *name, const pp_problem *problem,
                      pp_diag *diag) {
  for (size_t i = 0; problem->half_open && i < problem->n; i++)
    if (problem->items[i].has_span && problem->items[i].hi == UINT64_MAX)
      return pp_item_fail(diag, name, problem, i,
                          "its life ends at step 2^64 - 1, which no exclusive "
                          "end says; --write-spans closed does");
  return 0;
}

static int set_ends(const char *name, pp_problem *problem, pp_ends ends,
                    bool habit, pp_diag *diag) {
  if (ends == PP_ENDS_EXCLUSIVE)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "--write-spans exclusive is for plc; closed or "
                        "half-open is wanted here");
  problem->half_open = ends == PP_ENDS_SAID ? habit : ends == PP_ENDS_HALF_OPEN;
  return check_ends(name, problem, diag);
}

static void add_column(pp_problem *problem, pp_column column,
                       const char *name) {
  problem->column[problem->columns] = column;
  problem->column_name[problem->columns++] = name;
}

/* The columns that say all there is, and no more. */
static void set_columns(pp_problem *problem) {
  bool aligned = false;
  bool classed = false;
  problem->columns = 0;
  for (size_t i = 0; i < problem->n; i++) {
    const char *name = problem->class_names[problem->items[i].item_class];
    if (problem->items[i].align != 0) aligned = true;
    if (strcmp(name, PP_DEFAULT_CLASS) != 0) classed = true;
  }
  add_column(problem, PP_COL_ID, "id");
  add_column(problem, PP_COL_LOWER, "lower");
  if (problem->half_open)
    add_column(problem, PP_COL_UPPER, "upper");
  else
    add_column(problem, PP_COL_END, "end");
  add_column(problem, PP_COL_SIZE, "size");
  if (aligned) add_column(problem, PP_COL_ALIGN, "alignment");
  if (classed) add_column(problem, PP_COL_CLASS, "class");
}

static int need_arena(const char *name, const pp_problem *problem,
                      const char *format, pp_diag *diag) {
  if (problem->kind == PP_ARENA) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT,
                      "%s: a problem of segments (SEG); %s knows one arena",
                      name, format);
}

/* CSV has no word for "nowhere". */
static int need_places(const char *name, const pp_import *import,
                       pp_diag *diag) {
  for (size_t i = 0; import->has_layout && i < import->problem.n; i++)
    if (import->layout.segment[i] == SIZE_MAX)
      return pp_item_fail(diag, name, &import->problem, i,
                          "it has no place in the layout");
  return 0;
}

static int export_minimalloc(FILE *out, const char *name, pp_import *import,
                             const pp_export_options *options, pp_diag *diag) {
  pp_problem *problem = &import->problem;
  if (need_arena(name, problem, "MiniMalloc's CSV", diag) != 0 ||
      need_places(name, import, diag) != 0 ||
      set_ends(name, problem, options->ends, true, diag) != 0)
    return diag->code;
  set_columns(problem);
  if (import->has_layout)
    return pp_layout_write_csv(out, problem, &import->layout, diag);
  return pp_csv_problem_write(out, problem, diag);
}

static int export_layout(FILE *out, const pp_import *import,
                         const pp_export_options *options, pp_diag *diag) {
  pp_facts facts = {0};
  const pp_problem *problem = &import->problem;
  bool arena = problem->kind == PP_ARENA;
  int status = pp_facts_find(problem, problem->kind, &facts, diag);
  if (status == 0)
    status = pp_layout_write_json(out, problem, &import->layout, &facts,
                                  arena ? "arena" : "segments",
                                  options->planner, problem->cap, diag);
  pp_facts_free(&facts);
  return status;
}

static int export_problem(FILE *out, const char *name, pp_problem *problem,
                          const pp_export_options *options, pp_diag *diag) {
  if (set_ends(name, problem, options->ends, false, diag) != 0)
    return diag->code;
  return pp_json_problem_write(out, problem, diag);
}

static int need_layout(const char *name, pp_outside format,
                       const pp_import *import, pp_diag *diag) {
  if (pp_outside_wants_layout(format) && !import->has_layout)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: holds no layout, and %s is one; poolproof plan "
                        "makes one, give it as LAYOUT",
                        name, pp_outside_name(format));
  if (!import->has_layout || import->layout.status == PP_OK) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT,
                      "%s: the layout's status is %s; there are no offsets",
                      name, pp_status_name(import->layout.status));
}

int pp_export_write(FILE *out, pp_outside format, const char *name,
                    pp_import *import, const pp_export_options *options,
                    pp_diag *diag) {
  if (need_layout(name, format, import, diag) != 0) return diag->code;
  switch (format) {
  case PP_OUT_PROBLEM:
    return export_problem(out, name, &import->problem, options, diag);
  case PP_OUT_LAYOUT:
    return export_layout(out, import, options, diag);
  case PP_OUT_MINIMALLOC:
    return export_minimalloc(out, name, import, options, diag);
  case PP_OUT_TFLM:
  case PP_OUT_TFLM_TEXT:
    return pp_export_tflm(out, name, format == PP_OUT_TFLM_TEXT, import, diag);
  case PP_OUT_PLC:
    if (need_arena(name, &import->problem, ".plc", diag) != 0)
      return diag->code;
    return pp_export_plc(out, name, &import->problem, options, diag);
  case PP_OUT_CHROME:
    return pp_export_chrome(out, name, import, diag);
  case PP_OUT_REQUEST:
  case PP_OUT_XLA:
  case PP_OUT_XLA_TEXT:
  case PP_OUT_PYTORCH:
  case PP_OUT_IOPDDL:
  case PP_OUT_IDEALLOC:
  case PP_OUT_ARMNN:
  case PP_OUTSIDES:
    break;
  }
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s is only read", name,
                      pp_outside_name(format));
}
