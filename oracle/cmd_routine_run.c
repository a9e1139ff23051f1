/* poolproof: the command run. SPDX-License-Identifier: MIT */
#include "cmd_routine.h"
#include "number.h"
#include "run_routine.h"
#include "source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  OPTION_BACKEND = 256,
  OPTION_PLAN,
  OPTION_REUSE,
  OPTION_AS_IS,
  OPTION_STEPS,
  OPTION_SEED
};

enum { PP_SHOWN = 4, PP_STEPS_MOST = 1000000 };

typedef struct pp_run_arguments {
  const char *file;
  pp_backend_choice choice;
  pp_run_options run;
  pp_cli_budget budget;
  bool chosen; /* --plan was given */
  size_t steps;
  uint64_t seed;
} pp_run_arguments;

static unsigned plan_bit(const char *option, const char *name,
                         struct argp_state *state) {
  for (unsigned k = 0; k < PP_RUN_PLANS; k++)
    if (strcmp(name, pp_run_plan_words[k]) == 0) return 1U << k;
  argp_error(state,
             "%s: \"%s\" is none of default, no-reuse, inline, materialise",
             option, name);
  return 0;
}

/* What does not go together; then what is asked for. */
static void settle(pp_run_arguments *arguments, struct argp_state *state) {
  pp_run_options *how = &arguments->run;
  bool fits =
      arguments->budget.text && arguments->budget.budget.kind != PP_BUDGET_OFF;
  if (how->as_is && (arguments->chosen || arguments->budget.text))
    argp_error(state, "--as-is: nothing is planned then, so --plan and "
                      "--budget do not go with it");
  if (arguments->budget.text && (how->plans & 1) == 0)
    argp_error(state, "--budget is for the plan default, which --plan leaves "
                      "out");
  if (fits && how->no_reuse)
    argp_error(state, "--budget needs reuse: without it nothing shares bytes "
                      "(FPT-4)");
  if (fits) how->budget = &arguments->budget.budget;
}

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_run_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = (void *)&arguments->file;
    state->child_inputs[1] = &arguments->budget;
    return 0;
  case OPTION_BACKEND:
    pp_cli_choose("--backend", text, &arguments->choice, state);
    return 0;
  case OPTION_PLAN:
    arguments->run.plans =
        pp_cli_bits("--plan", text, PP_RUN_PLANS, plan_bit, state);
    arguments->chosen = true;
    return 0;
  case OPTION_REUSE:
    arguments->run.no_reuse = true;
    return 0;
  case OPTION_AS_IS:
    arguments->run.as_is = true;
    return 0;
  case ARGP_KEY_END:
    settle(arguments, state);
    return 0;
  case OPTION_STEPS:
    arguments->steps = pp_cli_number("--steps", text, 1, PP_STEPS_MOST, state);
    return 0;
  case OPTION_SEED:
    arguments->seed = pp_cli_number("--seed", text, 0, UINT64_MAX, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child children[] = {
    {&pp_cli_file_argp, 0, NULL, 0}, {&pp_cli_budget_argp, 0, NULL, 0}, {0}};

static const struct argp_option options[] = {
    {"backend", OPTION_BACKEND, "NAME,...|all", 0,
     "the backends to run on (default all: those that are here)", 0},
    {"plan", OPTION_PLAN, "NAME,...|all", 0,
     "the plans to run: default (which --budget fits), no-reuse, inline, "
     "materialise (default all)",
     0},
    {"no-reuse", OPTION_REUSE, NULL, 0, "only plans without reuse (FPT-3)", 0},
    {"as-is", OPTION_AS_IS, NULL, 0,
     "take FILE as final code: its spans and kernels count, nothing is lowered "
     "(RTN-6); it runs with and without reuse",
     0},
    {"steps", OPTION_STEPS, "N", 0,
     "run N times, each beginning with what the last one left (default 1)", 0},
    {"seed", OPTION_SEED, "S", 0,
     "what host and merge nodes without data are drawn from (default 1)", 0},
    {0}};

static const struct argp argp = {
    options,
    parse,
    "FILE",
    "Runs the routine in FILE and holds it to the interpreter (ORC-1)."
    "\vIt is lowered in several ways: by default with and without reuse, all "
    "inline, all materialised. Each plan runs on each backend, twice from "
    "fresh contexts, and every observable and host node after every step must "
    "be what the interpreter makes of the source, bit for bit. \"owners\" says "
    "whether a byte is read that is not the reader's own latest, even where "
    "values agree, and \"too long\" where that would take minutes. Drawn are "
    "small values: floats from -4 to 4 in steps of 1/8, one in four in steps "
    "of 1/10 from -3.2 to 3.2; whole numbers from -4 to 8 (in u8 modulo 256). "
    "Exit status 1 when anything differs, a plan does not fit, or the budget "
    "is not met. A backend that is not here is told and skipped, but status 2 "
    "when it was named.",
    children,
    NULL,
    NULL};

static void put_inputs(const pp_run_arguments *arguments,
                       const pp_routine *source) {
  bool any = false;
  for (size_t i = 0; i < source->nodes; i++) {
    if (!pp_truth_draws(&source->node[i])) continue;
    printf("%s %s", any ? "" : "  drawn:", source->node[i].label);
    any = true;
  }
  if (any) printf(" (seed %" PRIu64 ")\n", arguments->seed);
}

static const char *owners_text(const pp_run_row *row) {
  if (row->long_owners) return "too long";
  return row->owners[0] ? "TRESPASS" : "fine";
}

/* kept: the budget, with the usual alignment. */
static void put_row(const pp_run_row *row, bool kept) {
  char total[32];
  char working[32];
  printf("  %-12s %-16s %20s %20s  %-8s %s\n", row->backend, row->plan,
         pp_grouped(row->working + row->constants, total, sizeof total),
         pp_grouped(row->working, working, sizeof working), owners_text(row),
         row->values[0] ? "DIFFER" : "agree");
  if (row->owners[0]) printf("    owners: %s\n", row->owners);
  if (row->values[0]) printf("    values: %s\n", row->values);
  if (row->missed && kept)
    printf("    NOT within the budget, offsets being multiples of %" PRIu64
           "\n",
           row->alignment);
}

/* Each once. */
static void put_missing(const pp_backends_here *found) {
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    if ((found->missing >> id & 1) != 0)
      printf("  %-12s not available here\n",
             pp_backend_id_name((pp_backend_id)id));
}

/* Of one element: its value after each step; otherwise the first few ones
 * after the last step. */
static void put_values(const pp_truth *truth, size_t i) {
  const pp_routine *source = truth->source;
  const pp_node *node = &source->node[i];
  const uint64_t elements = pp_node_elements(node);
  char text[PP_VALUE_TEXT];
  size_t step = elements == 1 ? 0 : truth->steps - 1;
  printf("  %s %s", node->label,
         elements == 1 ? "after each step:" : "ends as:");
  for (; step < truth->steps; step++)
    for (uint64_t k = 0; k < elements && k < PP_SHOWN; k++)
      printf(" %s",
             pp_value_text(node->dtype, truth->after[step * source->nodes + i],
                           k, text));
  puts(elements > PP_SHOWN ? " ..." : "");
}

static void put_head(const pp_run_arguments *arguments,
                     const pp_routine *source) {
  printf("%s: routine %s, %zu node%s, %zu statement%s, %zu step%s\n",
         pp_input_name(arguments->file), source->name, source->nodes,
         pp_plural(source->nodes), source->statements,
         pp_plural(source->statements), arguments->steps,
         pp_plural(arguments->steps));
  put_inputs(arguments, source);
}

/* With the backends that were compared, and those that are not here. */
static void put_verdict(const pp_run_report *report,
                        const pp_backends_here *found, size_t faults) {
  char names[PP_BACKEND_NAMES];
  if (faults > 0)
    printf("DISAGREED: %zu of %zu row%s", faults, report->rows,
           pp_plural(report->rows));
  else
    printf("agreed: %" PRIu64 " value%s compared", report->compared,
           pp_plural(report->compared));
  if (faults == 0 && report->nans > 0)
    printf(", %" PRIu64 " of them NaN,", report->nans);
  printf(" on %s", pp_backend_names(found->here, ", ", names));
  if (found->missing != 0)
    printf("; not available here: %s",
           pp_backend_names(found->missing, ", ", names));
  puts("");
}

static int put_report(const pp_run_arguments *arguments,
                      const pp_backends_here *found, const pp_truth *truth,
                      const pp_fitting *fitting, const pp_run_report *report) {
  const pp_routine *source = truth->source;
  size_t faults = 0;
  size_t missed = fitting && !fitting->within ? 1 : 0;
  put_head(arguments, source);
  if (fitting) pp_report_fitting(fitting);
  printf("  %-12s %-16s %20s %20s  %-8s %s\n", "backend", "plan",
         "pools, bytes", "of it working", "owners", "values");
  for (size_t k = 0; k < report->rows; k++) {
    const pp_run_row *row = &report->row[k];
    faults += row->owners[0] || row->values[0];
    missed += row->missed;
    put_row(row, fitting && fitting->within);
  }
  put_missing(found);
  for (size_t i = 0; i < source->nodes; i++)
    if ((source->node[i].intents & PP_OBSERVABLE) != 0) put_values(truth, i);
  put_verdict(report, found, faults);
  bool good = faults == 0 && missed == 0;
  return good ? PP_EXIT_FINE : PP_EXIT_FOUND;
}

static int run(const pp_run_arguments *arguments, const pp_backends_here *found,
               const pp_routine *source, const pp_fitting *fitting,
               pp_diag *diag) {
  pp_truth truth;
  pp_run_report report;
  pp_failure failure;
  int status = 0;
  if (pp_truth_make(source, arguments->steps, arguments->seed, &truth) != PP_OK)
    return pp_fail_memory(diag);
  if (pp_run_routine(&truth, &arguments->run, &report, &failure) != PP_OK)
    status = pp_cli_failed(arguments->file, &failure, diag);
  else
    status = put_report(arguments, found, &truth, fitting, &report);
  pp_truth_free(&truth);
  return status;
}

static int score_and_run(pp_run_arguments *arguments, const pp_routine *source,
                         pp_diag *diag) {
  pp_fitting *fitting = NULL;
  pp_backends_here found;
  pp_failure failure;
  if (pp_backends_look(&arguments->choice, &found, diag) != 0 ||
      pp_backends_compute(&arguments->choice, source, &found, diag) != 0)
    return diag->code;
  arguments->run.backends = found.here;
  if (pp_run_score(source, arguments->steps, &arguments->run, &fitting,
                   &failure) != PP_OK)
    return pp_cli_failed(arguments->file, &failure, diag);
  int status = run(arguments, &found, source, fitting, diag);
  pp_fitting_free(fitting);
  return status;
}

int pp_command_run(int argc, char **argv, pp_diag *diag) {
  pp_run_arguments arguments = {.choice = {.backends = PP_EVERY_BACKEND},
                                .run = {.plans = (1U << PP_RUN_PLANS) - 1},
                                .steps = 1,
                                .seed = 1};
  pp_routine *routine = NULL;
  if (pp_cli_parse(&argp, argc, argv, &arguments, diag) != 0) return diag->code;
  int status = pp_routine_read(arguments.file, &routine, diag);
  if (status == 0) status = score_and_run(&arguments, routine, diag);
  pp_routine_free(routine);
  return status;
}
