#include "cli.h"
#include "format.h"
#include "output.h"
#include "planners.h"
#include "report.h"
#include "source.h"

#include <string.h>

typedef struct pp_plan_arguments {
  const char *file;
  const char *output;
  pp_cli_kind kind;
  pp_side side;
  pp_cli_cap cap;
  bool json;
  bool all;
} pp_plan_arguments;

enum { OPTION_PLANNER = 256, OPTION_JSON, OPTION_ALL };

static const struct argp_option options[] = {
    {"planner", OPTION_PLANNER, "ref|fast", 0,
     "the proved reference or the optimised planner (default fast)", 0},
    {"output", 'o', "LAYOUT", 0,
     "write the layout there, in the problem's own format; \"-\" for standard "
     "output",
     0},
    {"json", OPTION_JSON, NULL, 0,
     "the layout as JSON instead of the table; with -o, JSON there", 0},
    {"all", OPTION_ALL, NULL, 0, "list every item in the table", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_plan_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->cap;
    state->child_inputs[1] = &arguments->kind;
    break;
  case OPTION_PLANNER:
    arguments->side = pp_cli_side("--planner", text, state);
    break;
  case 'o':
    arguments->output = text;
    break;
  case OPTION_JSON:
    arguments->json = true;
    break;
  case OPTION_ALL:
    arguments->all = true;
    break;
  case ARGP_KEY_ARG:
    if (arguments->file) argp_error(state, "one FILE is wanted");
    arguments->file = text;
    break;
  case ARGP_KEY_END:
    if (!arguments->file) argp_error(state, "a FILE is wanted");
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
    "FILE",
    "Lays the problem in FILE out exactly as the rules demand."
    "\vPrints the total, the lower bound (VAL-3: the most bytes that conflict "
    "at one moment), the no-reuse total, fragmentation (1 - bound/total), the "
    "segments, and the peak: the step where the bound is reached and the items "
    "live there. Exit status 1 when the problem does not fit under the cap.",
    children,
    NULL,
    NULL};

/* Everything that one run of the command holds. */
typedef struct pp_planned {
  pp_problem problem;
  pp_layout layout;
  pp_facts facts;
  uint64_t cap;
  pp_plan plan;
} pp_planned;

static int find_plan(const pp_plan_arguments *arguments, pp_planned *planned,
                     pp_diag *diag) {
  const pp_problem *problem = &planned->problem;
  planned->plan =
      arguments->kind.given ? arguments->kind.plan : pp_plan_of(problem->kind);
  planned->cap = pp_cli_cap_for(&arguments->cap, problem);
  if (pp_plan_run(problem, planned->plan, arguments->side, planned->cap,
                  &planned->layout, diag) != 0)
    return diag->code;
  if (planned->layout.status == PP_BAD_SPAN) return 0;
  return pp_facts_find(problem,
                       planned->plan == PP_PLAN_ARENA ? PP_ARENA : PP_SEGMENTS,
                       &planned->facts, diag);
}

static bool as_json(const pp_plan_arguments *arguments,
                    const pp_planned *planned) {
  return arguments->json || planned->problem.format == PP_JSON;
}

static int put_layout(const pp_plan_arguments *arguments,
                      const pp_planned *planned, FILE *out, pp_diag *diag) {
  const pp_layout *layout = &planned->layout;
  if (as_json(arguments, planned))
    return pp_layout_write_json(out, &planned->problem, layout, &planned->facts,
                                pp_plan_name(planned->plan),
                                pp_side_name(arguments->side), planned->cap,
                                diag);
  return pp_layout_write_csv(out, &planned->problem, layout, diag);
}

static int put_table(const pp_plan_arguments *arguments,
                     const pp_planned *planned, pp_diag *diag) {
  printf("%s: %s by %s\n", pp_input_name(arguments->file),
         pp_plan_name(planned->plan), pp_side_name(arguments->side));
  return pp_report_plan(&planned->problem, &planned->layout, &planned->facts,
                        planned->cap, arguments->all, diag);
}

/* The answer to the status: a sentence where there is no plan. */
static int conclude(const pp_plan_arguments *arguments,
                    const pp_planned *planned, pp_diag *diag) {
  const pp_layout *layout = &planned->layout;
  const char *name = pp_input_name(arguments->file);
  char text[400];
  if (layout->status == PP_OK) return PP_EXIT_FINE;
  pp_refusal_text(&planned->problem, planned->plan, planned->cap, layout, text,
                  sizeof text);
  if (layout->status == PP_BAD_SPAN)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s", name, text);
  fflush(stdout); /* where both go to one place, in this order */
  fprintf(stderr, "poolproof: %s: %s\n", name, text);
  return PP_EXIT_FOUND;
}

/* The file is opened before and put in its place after everything else, so
 * that nothing is left of it when anything fails. */
static int put_both(const pp_plan_arguments *arguments,
                    const pp_planned *planned, pp_diag *diag) {
  pp_output output;
  if (pp_output_open(&output, arguments->output, diag) != 0) return diag->code;
  int status =
      output.stream == stdout ? 0 : put_table(arguments, planned, diag);
  if (status == 0) status = put_layout(arguments, planned, output.stream, diag);
  if (status == 0) status = pp_cli_finish(0, diag);
  return pp_output_end(&output, status, diag);
}

/* JSON can say that there is no plan, CSV cannot: then no file is written. */
static int answer(const pp_plan_arguments *arguments, const pp_planned *planned,
                  pp_diag *diag) {
  pp_status plan = planned->layout.status;
  bool to_stdout = arguments->output && strcmp(arguments->output, "-") == 0;
  int status = 0;
  if (arguments->output && plan != PP_BAD_SPAN &&
      (plan == PP_OK || as_json(arguments, planned)))
    status = put_both(arguments, planned, diag);
  else if (arguments->json && !arguments->output)
    status = put_layout(arguments, planned, stdout, diag);
  else if (plan != PP_BAD_SPAN && !to_stdout)
    status = put_table(arguments, planned, diag);
  return status == 0 ? conclude(arguments, planned, diag) : status;
}

/* An input whose empty span the parser already refused still gets the answer
 * of the rules where programs read it. */
static void answer_bad_span(const pp_plan_arguments *arguments,
                            const pp_diag *refused) {
  if (!refused->bad_span || !arguments->json || arguments->output) return;
  const pp_layout layout = {.status = PP_BAD_SPAN, .index = refused->index};
  pp_diag ignored = {0};
  pp_layout_write_json(
      stdout, &(pp_problem){0}, &layout, NULL, "arena", "input",
      arguments->cap.given ? arguments->cap.bytes : refused->cap, &ignored);
}

int pp_command_plan(int argc, char **argv, pp_diag *diag) {
  pp_plan_arguments arguments = {0};
  pp_planned planned = {0};
  if (pp_cli_parse(&argp, argc, argv, &arguments, diag) != 0) return diag->code;
  int status = pp_problem_read(arguments.file, &planned.problem, diag);
  if (status != 0) answer_bad_span(&arguments, diag);
  if (status == 0) status = find_plan(&arguments, &planned, diag);
  if (status == 0) status = answer(&arguments, &planned, diag);
  pp_facts_free(&planned.facts);
  pp_layout_free(&planned.layout);
  pp_problem_free(&planned.problem);
  return status;
}
