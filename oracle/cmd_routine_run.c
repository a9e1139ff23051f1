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
  OPTION_BUDGET,
  OPTION_STEPS,
  OPTION_SEED
};

enum { PP_SHOWN = 4, PP_STEPS_MOST = 1000000 };

typedef struct pp_run_arguments {
  const char *file;
  pp_run_options run;
  pp_budget budget;
  size_t steps;
  uint64_t seed;
} pp_run_arguments;

static unsigned backend_bit(const char *name, struct argp_state *state) {
  pp_backend *backend = NULL;
  pp_failure failure;
  unsigned id = 0;
  if (pp_get_backend(name, &backend, &failure) != PP_OK)
    argp_error(state, "--backend: %s", failure.text);
  while (pp_backend_module((pp_backend_id)id) != backend)
    id++;
  return 1U << id;
}

static unsigned plan_bit(const char *name, struct argp_state *state) {
  for (unsigned k = 0; k < PP_RUN_PLANS; k++)
    if (strcmp(name, pp_run_plan_words[k]) == 0) return 1U << k;
  argp_error(state,
             "--plan: \"%s\" is none of default, no-reuse, inline, "
             "materialise",
             name);
  return 0;
}

/* Names with commas between them, or "all", which is `all` bits. */
static unsigned bits_of(const char *option, char *text, unsigned all,
                        unsigned (*bit)(const char *, struct argp_state *),
                        struct argp_state *state) {
  unsigned bits = 0;
  char *rest = NULL;
  if (strcmp(text, "all") == 0) return (1U << all) - 1;
  for (const char *name = strtok_r(text, ",", &rest); name;
       name = strtok_r(NULL, ",", &rest))
    bits |= bit(name, state);
  if (bits == 0) argp_error(state, "%s: a name or \"all\" is wanted", option);
  return bits;
}

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_run_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = (void *)&arguments->file;
    return 0;
  case OPTION_BACKEND:
    arguments->run.backends =
        bits_of("--backend", text, PP_BACKEND_COUNT, backend_bit, state);
    return 0;
  case OPTION_PLAN:
    arguments->run.plans =
        bits_of("--plan", text, PP_RUN_PLANS, plan_bit, state);
    return 0;
  case OPTION_REUSE:
    arguments->run.no_reuse = true;
    return 0;
  case OPTION_BUDGET:
    arguments->budget = pp_cli_budget(text, state);
    arguments->run.budget = &arguments->budget;
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

static const struct argp_child children[] = {{&pp_cli_file_argp, 0, NULL, 0},
                                             {0}};

static const struct argp_option options[] = {
    {"backend", OPTION_BACKEND, "NAME,...|all", 0,
     "the backends to run on (default all)", 0},
    {"plan", OPTION_PLAN, "NAME,...|all", 0,
     "the plans to run: default (or fitted, with --budget), no-reuse, inline, "
     "materialise (default all)",
     0},
    {"no-reuse", OPTION_REUSE, NULL, 0, "only plans without reuse (FPT-3)", 0},
    {"budget", OPTION_BUDGET, "BYTES", 0,
     "fit the first plan to bytes, or minimize (FPT-4)", 0},
    {"steps", OPTION_STEPS, "N", 0,
     "run N times, each beginning with what the last one left (default 1)", 0},
    {"seed", OPTION_SEED, "S", 0,
     "what host nodes without data are drawn from (default 1)", 0},
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
    "values agree, and \"too long\" where that would take minutes. Exit status "
    "1 when anything differs.",
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

static void put_row(const pp_run_row *row) {
  char total[32];
  char working[32];
  if (row->missing) {
    printf("  %-12s %-16s not available here\n", row->backend, row->plan);
    return;
  }
  printf("  %-12s %-16s %20s %20s  %-8s %s\n", row->backend, row->plan,
         pp_grouped(row->working + row->constants, total, sizeof total),
         pp_grouped(row->working, working, sizeof working), owners_text(row),
         row->values[0] ? "DIFFER" : "agree");
  if (row->owners[0]) printf("    owners: %s\n", row->owners);
  if (row->values[0]) printf("    values: %s\n", row->values);
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

static int put_report(const pp_run_arguments *arguments, const pp_truth *truth,
                      const pp_run_report *report) {
  const pp_routine *source = truth->source;
  size_t faults = 0;
  printf("%s: routine %s, %zu nodes, %zu statements, %zu step%s\n",
         pp_input_name(arguments->file), source->name, source->nodes,
         source->statements, truth->steps, truth->steps == 1 ? "" : "s");
  put_inputs(arguments, source);
  printf("  %-12s %-16s %20s %20s  %-8s %s\n", "backend", "plan",
         "pools, bytes", "of it working", "owners", "values");
  for (size_t k = 0; k < report->rows; k++) {
    const pp_run_row *row = &report->row[k];
    faults += row->owners[0] || row->values[0];
    put_row(row);
  }
  for (size_t i = 0; i < source->nodes; i++)
    if ((source->node[i].intents & PP_OBSERVABLE) != 0) put_values(truth, i);
  if (faults > 0)
    printf("DISAGREED: %zu of %zu rows\n", faults, report->rows);
  else
    printf("agreed: %" PRIu64 " values compared\n", report->compared);
  return faults > 0 ? PP_EXIT_FOUND : PP_EXIT_FINE;
}

static int run(const pp_run_arguments *arguments, const pp_routine *source,
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
    status = put_report(arguments, &truth, &report);
  pp_truth_free(&truth);
  return status;
}

int pp_command_run(int argc, char **argv, pp_diag *diag) {
  pp_run_arguments arguments = {
      .run = {.backends = (1U << PP_BACKEND_COUNT) - 1,
              .plans = (1U << PP_RUN_PLANS) - 1},
      .steps = 1,
      .seed = 1};
  pp_routine *routine = NULL;
  if (pp_cli_parse(&argp, argc, argv, &arguments, diag) != 0) return diag->code;
  int status = pp_routine_read(arguments.file, &routine, diag);
  if (status == 0) status = run(&arguments, routine, diag);
  pp_routine_free(routine);
  return status;
}
