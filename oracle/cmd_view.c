#include "cmd_routine.h"
#include "format.h"
#include "output.h"
#include "routine_problem.h"
#include "source.h"
#include "view.h"

#include <string.h>

enum { PP_VIEWED = 2 };

typedef struct pp_view_arguments {
  const char *file;
  const char *layout[PP_VIEWED];
  size_t layouts;
  const char *output;
  pp_cli_kind kind;
  pp_cli_cap cap;
} pp_view_arguments;

static const struct argp_option options[] = {
    {"output", 'o', "OUT", 0,
     "write the picture there: .svg for a bare picture, else an HTML page", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_view_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->cap;
    state->child_inputs[1] = &arguments->kind;
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
    if (!arguments->file) argp_error(state, "a FILE is wanted");
    if (!arguments->output) argp_error(state, "-o OUT is wanted");
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {
    {&pp_cli_cap_argp, 0, NULL, 0}, {&pp_cli_kind_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    options,
    parse,
    "FILE [LAYOUT [LAYOUT]]",
    "Draws a plan: time across, bytes up, one rectangle an item."
    "\vWithout a LAYOUT the specified plan is drawn; with two, both are, side "
    "by side on one scale. Items are coloured by class, names and numbers show "
    "on hover, lines mark total, lower bound and cap, violations are red. The "
    "file is self-contained. Of a routine (FILE.ppr), lowered by default, the "
    "arena of its working nodes is drawn beside the same nodes without reuse, "
    "over its statements. Exit status 1 when a drawn layout is invalid.",
    children,
    NULL,
    NULL};

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text);
  return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static int read_routine(const char *path, pp_problem *problem, pp_diag *diag) {
  pp_routine *source = NULL;
  pp_lowered *lowered = NULL;
  pp_failure failure;
  if (pp_routine_read(path, &source, diag) != 0) return diag->code;
  int status = 0;
  if (pp_lower(source, NULL, &lowered, &failure) != PP_OK)
    status = pp_cli_failed(path, &failure, diag);
  else
    status = pp_routine_problem(lowered->routine, problem, diag);
  pp_lowered_free(lowered);
  pp_routine_free(source);
  return status;
}

/* Panel k's plan where it is not given. */
static pp_plan plan_for(const pp_view_arguments *arguments,
                        const pp_problem *problem, size_t k) {
  if (arguments->kind.given) return arguments->kind.plan;
  return k > 0 ? PP_PLAN_NO_REUSE : pp_plan_of(problem->kind);
}

static int get_layout(const pp_view_arguments *arguments,
                      const pp_problem *problem, uint64_t cap, size_t k,
                      pp_layout *layout, pp_panel *panel, pp_diag *diag) {
  pp_plan plan = plan_for(arguments, problem, k);
  bool given = k < arguments->layouts;
  int status =
      given ? pp_layout_read(arguments->layout[k], problem, layout, diag)
            : pp_plan_run(problem, plan, PP_SIDE_FAST, cap, layout, diag);
  if (status != 0) return status;
  *panel =
      (pp_panel){.title = given ? arguments->layout[k] : pp_plan_name(plan),
                 .layout = layout};
  if (layout->status == PP_OK) return 0;
  char text[400];
  if (given) {
    fprintf(stderr, "poolproof: %s: answers %s: nothing to draw\n",
            pp_input_name(panel->title), pp_status_name(layout->status));
    return PP_EXIT_FOUND;
  }
  pp_refusal_text(problem, plan, cap, layout, text, sizeof text);
  const char *file = pp_input_name(arguments->file);
  if (layout->status == PP_BAD_SPAN)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s", file, text);
  fprintf(stderr, "poolproof: %s: nothing to draw: %s\n", file, text);
  return PP_EXIT_FOUND;
}

static int draw(const pp_view_arguments *arguments, const pp_problem *problem,
                uint64_t cap, const pp_panel *panels, size_t count,
                pp_diag *diag) {
  pp_output output;
  bool svg = ends_with(arguments->output, ".svg");
  if (pp_output_open(&output, arguments->output, diag) != 0) return diag->code;
  int status =
      pp_view_write(output.stream, !svg, problem, cap, panels, count, diag);
  return pp_output_end(&output, status, diag);
}

/* Tells of the violations that are drawn. */
static int tell(const char *file, const pp_problem *problem, uint64_t cap,
                const pp_panel *panels, size_t count, pp_diag *diag) {
  int status = PP_EXIT_FINE;
  for (size_t k = 0; k < count; k++) {
    pp_violation violation;
    char text[900];
    if (pp_verify(file, problem, problem->kind, cap, panels[k].layout,
                  PP_SIDE_FAST, &violation, diag) != 0)
      return diag->code;
    if (violation.kind == PP_VALID) continue;
    status = PP_EXIT_FOUND;
    fprintf(stderr, "poolproof: %s: VIOLATION: %s\n", panels[k].title,
            pp_violation_text(problem, problem->kind, panels[k].layout,
                              &violation, text, sizeof text));
  }
  return status;
}

static int tell_and_draw(const pp_view_arguments *arguments,
                         const pp_problem *problem, uint64_t cap,
                         const pp_panel *panels, size_t count, pp_diag *diag) {
  int told = tell(arguments->file, problem, cap, panels, count, diag);
  if (told != PP_EXIT_FINE && told != PP_EXIT_FOUND) return told;
  int drawn = draw(arguments, problem, cap, panels, count, diag);
  return drawn == 0 ? told : drawn;
}

int pp_command_view(int argc, char **argv, pp_diag *diag) {
  pp_view_arguments arguments = {0};
  pp_problem problem = {0};
  pp_layout layout[PP_VIEWED] = {0};
  pp_panel panel[PP_VIEWED];
  if (pp_cli_parse(&argp, argc, argv, &arguments, diag) != 0) return diag->code;
  bool routine = ends_with(arguments.file, ".ppr");
  size_t count = arguments.layouts > 0 ? arguments.layouts : 1;
  if (routine && arguments.layouts == 0 && !arguments.kind.given) count = 2;
  int status = routine ? read_routine(arguments.file, &problem, diag)
                       : pp_problem_read(arguments.file, &problem, diag);
  uint64_t cap = pp_cli_cap_for(&arguments.cap, &problem);
  for (size_t k = 0; status == 0 && k < count; k++)
    status =
        get_layout(&arguments, &problem, cap, k, &layout[k], &panel[k], diag);
  if (status == 0)
    status = tell_and_draw(&arguments, &problem, cap, panel, count, diag);
  for (size_t k = 0; k < PP_VIEWED; k++)
    pp_layout_free(&layout[k]);
  pp_problem_free(&problem);
  return status;
}
