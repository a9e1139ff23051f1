#include "cli.h"
#include "format.h"
#include "number.h"
#include "planners.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct pp_check_arguments {
  const char *file;
  const char *layout;
  pp_cli_cap cap;
  pp_side side;
  bool has_side;
  bool exact;
} pp_check_arguments;

enum { OPTION_CHECKER = 256, OPTION_EXACT };

static const struct argp_option options[] = {
    {"exact", OPTION_EXACT, NULL, 0,
     "demand the plan that the rules determine, not just a valid one", 0},
    {"checker", OPTION_CHECKER, "ref|fast", 0,
     "the proved checker, which looks at every pair, or the sweeping one "
     "(default ref up to 20000 items)",
     0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_check_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->cap;
    break;
  case OPTION_CHECKER:
    arguments->side = pp_cli_side("--checker", text, state);
    arguments->has_side = true;
    break;
  case OPTION_EXACT:
    arguments->exact = true;
    break;
  case ARGP_KEY_ARG:
    if (!arguments->file)
      arguments->file = text;
    else if (!arguments->layout)
      arguments->layout = text;
    else
      argp_error(state, "one FILE and one LAYOUT are wanted");
    break;
  case ARGP_KEY_END:
    if (!arguments->layout) argp_error(state, "a FILE and a LAYOUT are wanted");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {{&pp_cli_cap_argp, 0, NULL, 0},
                                             {0}};

static const struct argp argp = {
    options,
    parse,
    "FILE LAYOUT",
    "Tells whether LAYOUT is a valid plan of the problem in FILE (VAL-1)."
    "\vThe layout is never trusted: alignment, ends, caps, sizes, totals and "
    "every conflicting pair are looked at. Items conflict as the problem's "
    "kind "
    "says. A violation is one sentence that names the items, their spans and "
    "classes and the bytes they share; exit status 1. For a valid layout, "
    "tells "
    "too whether it is exactly the specified plan, and how its total compares "
    "(VAL-3). A layout that says it does not fit is held to the specified "
    "plan.",
    children,
    NULL,
    NULL};

static void put_ratio(const char *label, uint64_t of, uint64_t total) {
  char grouped[32];
  printf("  %-14s %26s B", label, pp_grouped(of, grouped, sizeof grouped));
  if (of > 0) printf("  total is %.4f x", (double)total / (double)of);
  puts("");
}

/* The plan that the layout says it is, or looks like. */
static pp_plan plan_claimed(const pp_problem *problem,
                            const pp_layout *layout) {
  if (layout->has_plan) return layout->plan;
  bool segments = problem->kind == PP_SEGMENTS || layout->segments != 1 ||
                  layout->status == PP_ITEM_OVER_CAP;
  return segments ? PP_PLAN_SEGMENTS : PP_PLAN_ARENA;
}

/* VAL-3: beside the specified plan, no-reuse and the bound. */
static int put_standing(const pp_problem *problem, const pp_layout *layout,
                        const pp_layout *specified, pp_diag *diag) {
  pp_facts facts;
  if (pp_facts_find(problem, problem->kind, &facts, diag) != 0)
    return diag->code;
  uint64_t total = pp_layout_total(layout);
  char grouped[32];
  printf("  %-14s %26s B in %zu segment%s\n", "total",
         pp_grouped(total, grouped, sizeof grouped), layout->segments,
         layout->segments == 1 ? "" : "s");
  if (specified->status == PP_OK)
    put_ratio("specified", pp_layout_total(specified), total);
  put_ratio("no reuse", facts.no_reuse, total);
  put_ratio("lower bound", facts.bound, total);
  pp_facts_free(&facts);
  return 0;
}

static int judge_valid(const pp_problem *problem, const pp_layout *layout,
                       uint64_t cap, bool demand, pp_diag *diag) {
  pp_layout specified;
  if (pp_plan_run(problem, plan_claimed(problem, layout), PP_SIDE_FAST, cap,
                  &specified, diag) != 0)
    return diag->code;
  bool exact = pp_layout_equal(layout, &specified);
  printf("VALID, %s\n",
         exact ? "and EXACT: the specified plan" : "not the specified plan");
  int status = put_standing(problem, layout, &specified, diag);
  pp_layout_free(&specified);
  if (status != 0) return status;
  return exact || !demand ? PP_EXIT_FINE : PP_EXIT_FOUND;
}

/* A layout that answers with a refusal: is it the one the rules give? */
static int judge_refusal(const pp_problem *problem, const pp_layout *layout,
                         uint64_t cap, pp_diag *diag) {
  pp_layout specified;
  if (pp_plan_run(problem, plan_claimed(problem, layout), PP_SIDE_FAST, cap,
                  &specified, diag) != 0)
    return diag->code;
  bool exact = pp_layout_equal(layout, &specified);
  if (exact)
    printf("EXACT: the rules answer %s too\n", pp_status_name(layout->status));
  else
    printf("VIOLATION: the layout answers %s, the rules answer %s (ARN-4, "
           "SEG-5)\n",
           pp_status_name(layout->status), pp_status_name(specified.status));
  pp_layout_free(&specified);
  return exact ? PP_EXIT_FINE : PP_EXIT_FOUND;
}

static int judge(const pp_check_arguments *arguments, const pp_problem *problem,
                 const pp_layout *layout, pp_diag *diag) {
  uint64_t cap = pp_cli_cap_for(&arguments->cap, problem);
  pp_side side = problem->n <= PP_REF_CHECK_ITEMS ? PP_SIDE_REF : PP_SIDE_FAST;
  pp_violation violation;
  if (layout->status != PP_OK) return judge_refusal(problem, layout, cap, diag);
  if (arguments->has_side) side = arguments->side;
  if (pp_verify(arguments->file, problem, problem->kind, cap, layout, side,
                &violation, diag) != 0)
    return diag->code;
  if (violation.kind != PP_VALID) {
    char text[900];
    printf("VIOLATION: %s\n", pp_violation_text(problem, problem->kind, layout,
                                                &violation, text, sizeof text));
    return PP_EXIT_FOUND;
  }
  if (layout->has_total && layout->total != pp_layout_total(layout)) {
    printf("VIOLATION: the layout claims a total of %" PRIu64
           " bytes, its segments sum to %" PRIu64 " (VAL-1)\n",
           layout->total, pp_layout_total(layout));
    return PP_EXIT_FOUND;
  }
  return judge_valid(problem, layout, cap, arguments->exact, diag);
}

int pp_command_check(int argc, char **argv, pp_diag *diag) {
  pp_check_arguments arguments = {0};
  pp_problem problem = {0};
  pp_layout layout = {0};
  if (pp_cli_parse(&argp, argc, argv, &arguments, diag) != 0) return diag->code;
  int status = pp_problem_read(arguments.file, &problem, diag);
  if (status == 0)
    status = pp_layout_read(arguments.layout, &problem, &layout, diag);
  if (status == 0) status = judge(&arguments, &problem, &layout, diag);
  pp_layout_free(&layout);
  pp_problem_free(&problem);
  return status;
}
