#include "cmd_routine.h"
#include "format.h"
#include "output.h"
#include "routine_problem.h"
#include "source.h"
#include "view.h"

#include <stdio.h>
#include <string.h>

enum { PP_VIEWED = 2, PP_TITLE = 400 };

typedef struct pp_view_arguments {
  const char *file;
  const char *layout[PP_VIEWED];
  size_t layouts;
  const char *output;
  pp_cli_kind kind;
  pp_cli_cap cap;
  pp_cli_lower lower;
  pp_score_options score;
  pp_cli_budget budget;
} pp_view_arguments;

/* final  the routine's final code; NULL: the file is a problem
 * panel, panels  what is drawn, once it is known */
typedef struct pp_viewed {
  pp_problem problem;
  pp_routine *final;
  uint64_t cap;
  pp_layout layout[PP_VIEWED];
  char title[PP_VIEWED][PP_TITLE];
  pp_panel panel[PP_VIEWED];
  size_t panels;
} pp_viewed;

static const struct argp_option options[] = {
    {"output", 'o', "OUT", 0,
     "write the picture there: .svg for a bare picture, else an HTML page", 0},
    {0}};

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text);
  return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static void settle(const pp_view_arguments *arguments,
                   struct argp_state *state) {
  const pp_cli_lower *lower = &arguments->lower;
  bool planned = lower->given || arguments->budget.text;
  if (!arguments->file) argp_error(state, "a FILE is wanted");
  if (!arguments->output) argp_error(state, "-o OUT is wanted");
  if (arguments->file && !ends_with(arguments->file, ".ppr") &&
      (planned || lower->as_is || arguments->score.alignment > 0))
    argp_error(state, "--budget, --policy, --no-sinking, --kernels, --as-is "
                      "and --align are for a routine, FILE.ppr");
  if (lower->as_is && arguments->budget.text)
    argp_error(state, "--as-is: nothing is lowered then, so --budget does not "
                      "go with it");
}

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_view_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->cap;
    state->child_inputs[1] = &arguments->kind;
    state->child_inputs[2] = &arguments->budget;
    state->child_inputs[3] = &arguments->lower;
    state->child_inputs[4] = &arguments->score;
    break;
  case 'o':
    arguments->output = text;
    break;
  case ARGP_KEY_ARG:
    if (!arguments->file)
      arguments->file = text;
    else if (arguments->layouts < PP_VIEWED)
      arguments->layout[arguments->layouts++] = text;
    else
      argp_error(state, "one FILE and at most two LAYOUTs are wanted");
    break;
  case ARGP_KEY_END:
    settle(arguments, state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {
    {&pp_cli_cap_argp, 0, NULL, 0},
    {&pp_cli_kind_argp, 0, NULL, 0},
    {&pp_cli_budget_argp, 0, "Of a routine:", 1},
    {&pp_cli_final_argp, 0, NULL, 1},
    {&pp_cli_align_argp, 0, NULL, 1},
    {0}};

static const struct argp argp = {
    options,
    parse,
    "FILE [LAYOUT [LAYOUT]]",
    "Draws a plan: time across, bytes up, one rectangle an item."
    "\vWithout a LAYOUT the specified plan is drawn; with two, both are, side "
    "by side on one scale. Items are coloured by class, names and numbers show "
    "on hover, lines mark total, lower bound and cap, violations are red. The "
    "file is self-contained. Of a routine (FILE.ppr) the arena of its working "
    "nodes is drawn beside the same nodes without reuse, over the positions of "
    "its final code; only the segments where the arena does not fit or no node "
    "has a span (FPT-1). Exit status 1 when a drawn layout is invalid or the "
    "budget is not met.",
    children,
    NULL,
    NULL};

static int read_final(const pp_view_arguments *arguments, pp_viewed *viewed,
                      pp_diag *diag) {
  const char *path = arguments->file;
  pp_routine *source = NULL;
  pp_fitting *fitting = NULL;
  pp_cli_lower how = arguments->lower;
  pp_score_options score = arguments->score;
  pp_failure failure;
  pp_status status = PP_OK;
  bool met = true;
  if (pp_routine_read(path, &source, diag) != 0) return diag->code;
  score.cap = arguments->cap.given ? arguments->cap.bytes : 0;
  if (arguments->budget.text)
    status = pp_fit(source, &how.options, &score, &arguments->budget.budget,
                    &fitting, &failure);
  if (status == PP_OK && fitting) how.options.lineage = fitting->lineage;
  if (status == PP_OK)
    status = pp_routine_final(source, &how, &viewed->final, &failure);
  if (fitting) met = fitting->within;
  pp_fitting_free(fitting);
  pp_routine_free(source);
  if (status != PP_OK) return pp_cli_failed(path, &failure, diag);
  if (met) return PP_EXIT_FINE;
  (void)fprintf(stderr, "poolproof: %s: NOT within the budget\n", path);
  return PP_EXIT_FOUND;
}

/* FPT-1: one arena when a node has a span and it fits; else segments, which
 * are what there is without reuse. */
static int plan_final(pp_viewed *viewed, size_t k, pp_plan *plan,
                      pp_diag *diag) {
  const pp_problem *problem = &viewed->problem;
  pp_layout *layout = &viewed->layout[k];
  *plan = PP_PLAN_SEGMENTS;
  for (size_t i = 0; k == 0 && i < problem->n; i++)
    if (problem->items[i].has_span) *plan = PP_PLAN_ARENA;
  int status =
      pp_plan_run(problem, *plan, PP_SIDE_FAST, viewed->cap, layout, diag);
  if (status != 0 || *plan != PP_PLAN_ARENA || layout->status != PP_OVER_CAP)
    return status;
  pp_layout_free(layout);
  *plan = PP_PLAN_SEGMENTS;
  return pp_plan_run(problem, *plan, PP_SIDE_FAST, viewed->cap, layout, diag);
}

static int make_layout(const pp_view_arguments *arguments, pp_viewed *viewed,
                       size_t k, pp_plan *plan, pp_diag *diag) {
  pp_layout *layout = &viewed->layout[k];
  if (k < arguments->layouts)
    return pp_layout_read(arguments->layout[k], &viewed->problem, layout, diag);
  if (viewed->final && !arguments->kind.given)
    return plan_final(viewed, k, plan, diag);
  *plan = arguments->kind.given ? arguments->kind.plan
                                : pp_plan_of(viewed->problem.kind);
  return pp_plan_run(&viewed->problem, *plan, PP_SIDE_FAST, viewed->cap, layout,
                     diag);
}

static int refuse(const pp_view_arguments *arguments, const pp_viewed *viewed,
                  size_t k, pp_plan plan, pp_diag *diag) {
  char text[400];
  const pp_layout *layout = &viewed->layout[k];
  const char *file = pp_input_name(arguments->file);
  if (k < arguments->layouts) {
    fprintf(stderr, "poolproof: %s: answers %s: nothing to draw\n",
            pp_input_name(arguments->layout[k]),
            pp_status_name(layout->status));
    return PP_EXIT_FOUND;
  }
  pp_refusal_text(&viewed->problem, plan, viewed->cap, layout, text,
                  sizeof text);
  if (layout->status == PP_BAD_SPAN)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s", file, text);
  fprintf(stderr, "poolproof: %s: nothing to draw: %s\n", file, text);
  return PP_EXIT_FOUND;
}

static void set_title(const pp_view_arguments *arguments, pp_viewed *viewed,
                      size_t k, pp_plan plan) {
  const char *name = pp_plan_name(plan);
  char *title = viewed->title[k];
  if (k < arguments->layouts)
    (void)snprintf(title, PP_TITLE, "%s", arguments->layout[k]);
  else if (viewed->final)
    (void)snprintf(title, PP_TITLE, "%s: routine %s, final code of %s",
                   k > 0 ? "no-reuse" : name, viewed->final->name,
                   arguments->file);
  else
    (void)snprintf(title, PP_TITLE, "%s", name);
}

static int make_panels(const pp_view_arguments *arguments, pp_viewed *viewed,
                       pp_diag *diag) {
  bool both = viewed->final && !arguments->kind.given;
  size_t wanted = arguments->layouts > 0 ? arguments->layouts : both ? 2 : 1;
  for (size_t k = 0; k < wanted; k++) {
    pp_plan plan = PP_PLAN_ARENA;
    int status = make_layout(arguments, viewed, k, &plan, diag);
    if (status != 0) return status;
    if (viewed->layout[k].status != PP_OK)
      return refuse(arguments, viewed, k, plan, diag);
    set_title(arguments, viewed, k, plan);
    viewed->panel[k] =
        (pp_panel){.title = viewed->title[k], .layout = &viewed->layout[k]};
    viewed->panels++;
    if (arguments->layouts == 0 && plan == PP_PLAN_SEGMENTS) break;
  }
  return 0;
}

static int draw(const pp_view_arguments *arguments, const pp_viewed *viewed,
                pp_diag *diag) {
  pp_output output;
  bool svg = ends_with(arguments->output, ".svg");
  if (pp_output_open(&output, arguments->output, diag) != 0) return diag->code;
  int status = pp_view_write(output.stream, !svg, &viewed->problem, viewed->cap,
                             viewed->panel, viewed->panels, diag);
  return pp_output_end(&output, status, diag);
}

/* Tells of the violations that are drawn. */
static int tell(const char *file, const pp_viewed *viewed, pp_diag *diag) {
  const pp_problem *problem = &viewed->problem;
  int status = PP_EXIT_FINE;
  for (size_t k = 0; k < viewed->panels; k++) {
    const pp_panel *panel = &viewed->panel[k];
    pp_violation violation;
    char text[900];
    if (pp_verify(file, problem, problem->kind, viewed->cap, panel->layout,
                  PP_SIDE_FAST, &violation, diag) != 0)
      return diag->code;
    if (violation.kind == PP_VALID) continue;
    status = PP_EXIT_FOUND;
    fprintf(stderr, "poolproof: %s: VIOLATION: %s\n", panel->title,
            pp_violation_text(problem, problem->kind, panel->layout, &violation,
                              text, sizeof text));
  }
  return status;
}

/* 0, PP_EXIT_FOUND when a budget is not met, or diag's. */
static int read_both(const pp_view_arguments *arguments, pp_viewed *viewed,
                     pp_diag *diag) {
  int found = PP_EXIT_FINE;
  if (!ends_with(arguments->file, ".ppr"))
    return pp_problem_read(arguments->file, &viewed->problem, diag);
  found = read_final(arguments, viewed, diag);
  if (!viewed->final) return found;
  int status = pp_routine_problem(viewed->final, arguments->score.alignment,
                                  &viewed->problem, diag);
  return status == 0 ? found : status;
}

/* Is nothing that is read written over? */
static int keep_apart(const pp_view_arguments *arguments, pp_diag *diag) {
  int status = pp_output_apart(arguments->output, arguments->file, diag);
  for (size_t k = 0; k < arguments->layouts && status == 0; k++)
    status = pp_output_apart(arguments->output, arguments->layout[k], diag);
  return status;
}

static int view(const pp_view_arguments *arguments, pp_viewed *viewed,
                pp_diag *diag) {
  int found = read_both(arguments, viewed, diag);
  if (diag->code != 0 || (found != 0 && !viewed->final)) return found;
  viewed->cap = pp_cli_cap_for(&arguments->cap, &viewed->problem);
  int status = make_panels(arguments, viewed, diag);
  if (status != 0) return status;
  int told = tell(arguments->file, viewed, diag);
  if (diag->code != 0) return told;
  status = draw(arguments, viewed, diag);
  if (status != 0) return status;
  return found != 0 ? found : told;
}

int pp_command_view(int argc, char **argv, pp_diag *diag) {
  pp_view_arguments arguments = {0};
  pp_viewed viewed = {.panels = 0};
  if (pp_cli_parse(&argp, argc, argv, &arguments, diag) != 0) return diag->code;
  int status = keep_apart(&arguments, diag);
  if (status == 0) status = view(&arguments, &viewed, diag);
  for (size_t k = 0; k < PP_VIEWED; k++)
    pp_layout_free(&viewed.layout[k]);
  pp_problem_free(&viewed.problem);
  pp_routine_free(viewed.final);
  return status;
}
