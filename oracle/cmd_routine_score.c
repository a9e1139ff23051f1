/* poolproof: the commands score and fit. SPDX-License-Identifier: MIT */
#include "cmd_routine.h"
#include "json.h"
#include "number.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

enum { OPTION_JSON = 256, OPTION_BUDGET };

enum { PP_DIGITS = 32 }; /* room for a grouped number and a sign */

typedef struct pp_score_arguments {
  const char *file;
  pp_lower_options lower;
  pp_score_options score;
  bool json;
  const char *budget_text;
  pp_budget budget;
} pp_score_arguments;

static void set_children(pp_score_arguments *arguments,
                         struct argp_state *state) {
  state->child_inputs[0] = (void *)&arguments->file;
  state->child_inputs[1] = &arguments->lower;
  state->child_inputs[2] = &arguments->score;
}

static const struct argp_child children[] = {{&pp_cli_file_argp, 0, NULL, 0},
                                             {&pp_cli_lower_argp, 0, NULL, 0},
                                             {&pp_cli_score_argp, 0, NULL, 0},
                                             {0}};

static error_t parse_score(int key, char *text, struct argp_state *state) {
  pp_score_arguments *arguments = state->input;
  (void)text;
  switch (key) {
  case ARGP_KEY_INIT:
    set_children(arguments, state);
    return 0;
  case OPTION_JSON:
    arguments->json = true;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option score_options[] = {
    {"json", OPTION_JSON, NULL, 0, "the numbers as JSON", 0}, {0}};

static const struct argp score_argp = {
    score_options,
    parse_score,
    "FILE",
    "The bytes that the routine in FILE needs once it is lowered (FPT)."
    "\vWorking nodes share one arena when their lives allow it, otherwise they "
    "are laid out in segments; constants always are. \"dedicated\" is what "
    "working nodes need without sharing. Exit status 1 when a node or the sum "
    "does not fit.",
    children,
    NULL,
    NULL};

static int put_json(const char *name, const pp_footprint *f, pp_diag *diag) {
  bool good =
      pp_json_put_text(stdout,
                       "{\"poolproof\":\"footprint/1\",\"routine\":", name) &&
      pp_json_put_number(stdout, ",\"working\":", f->working) &&
      pp_json_put_number(stdout, ",\"constants\":", f->constants) &&
      pp_json_put_number(stdout, ",\"total\":", f->total) &&
      pp_json_put_number(stdout, ",\"dedicated\":", f->dedicated) &&
      printf(",\"arena\":%s", f->arena ? "true" : "false") > 0 &&
      pp_json_put_number(stdout, ",\"planned\":", f->planned) &&
      pp_json_put_number(stdout, ",\"nodes\":", f->nodes) && puts("}") >= 0;
  return pp_json_written(stdout, good, diag);
}

static void put_footprint(const pp_footprint *footprint) {
  char note[64] = "in segments";
  if (footprint->arena && footprint->dedicated > 0)
    (void)snprintf(note, sizeof note, "one arena, %.4f x dedicated",
                   (double)footprint->working / (double)footprint->dedicated);
  printf("  %-14s %26zu\n", "nodes", footprint->nodes);
  printf("  %-14s %26zu\n", "with a span", footprint->planned);
  pp_report_bytes("working", footprint->working, note);
  pp_report_bytes("dedicated", footprint->dedicated, "");
  pp_report_bytes("constants", footprint->constants, "");
  pp_report_bytes("total", footprint->total, "");
}

static int score(const pp_score_arguments *arguments, const pp_routine *source,
                 pp_diag *diag) {
  pp_lowered *lowered = NULL;
  pp_footprint footprint;
  pp_failure failure;
  pp_status status = pp_lower(source, &arguments->lower, &lowered, &failure);
  if (status == PP_OK)
    status = pp_score_footprint(lowered->routine, &arguments->score, &footprint,
                                &failure);
  pp_lowered_free(lowered);
  if (status != PP_OK) return pp_cli_failed(arguments->file, &failure, diag);
  if (arguments->json) return put_json(source->name, &footprint, diag);
  printf("%s: routine %s\n", pp_input_name(arguments->file), source->name);
  put_footprint(&footprint);
  return PP_EXIT_FINE;
}

static error_t parse_fit(int key, char *text, struct argp_state *state) {
  pp_score_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    set_children(arguments, state);
    return 0;
  case OPTION_BUDGET:
    arguments->budget = pp_cli_budget(text, state);
    arguments->budget_text = text;
    return 0;
  case ARGP_KEY_END:
    if (!arguments->budget_text) argp_error(state, "--budget is wanted");
    return ARGP_ERR_UNKNOWN;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option fit_options[] = {
    {"budget", OPTION_BUDGET, "BYTES", 0,
     "the most that the total may be: bytes, minimize, or 0 for none", 0},
    {0}};

static const struct argp fit_argp = {
    fit_options,
    parse_fit,
    "FILE",
    "Which nodes of the routine in FILE to inline so that it comes within a "
    "budget (FPT-4)."
    "\vEach candidate is a line, in the order in which they are tried: what it "
    "costs to compute it where it is read, what inlining it alone saves, what "
    "it saved when it was tried, what became of it, and the total after that. "
    "taken: it saved bytes. held: nothing yet; joined: a later one paid for "
    "both. dropped: it would have cost bytes. untried: the budget was met. "
    "Exit status 1 when the budget cannot be met.",
    children,
    NULL,
    NULL};

static const char *relief_text(const pp_relief *relief, char *text) {
  text[0] = '-';
  (void)pp_grouped(relief->bytes, text + 1, PP_DIGITS - 1);
  return relief->negative ? text : text + 1;
}

static void put_flip(size_t rank, const pp_flip *flip) {
  static const char *const outcome[] = {"untried", "taken", "joined", "held",
                                        "dropped"};
  char solo[PP_DIGITS];
  char marginal[PP_DIGITS];
  char total[PP_DIGITS];
  printf("  %4zu %-20s %6" PRIu64 " %12" PRIu64 " %16s %16s %-8s %18s\n", rank,
         flip->label, flip->uid, flip->cost, relief_text(&flip->solo, solo),
         relief_text(&flip->marginal, marginal), outcome[flip->outcome],
         pp_grouped(flip->total, total, sizeof total));
}

static void put_fitting(const pp_score_arguments *arguments,
                        const pp_fitting *fitting) {
  if (arguments->budget.kind == PP_BUDGET_OFF)
    puts("  the budget is off: nothing is tried");
  if (fitting->flips > 0)
    printf("  %4s %-20s %6s %12s %16s %16s %-8s %18s\n", "rank", "node", "uid",
           "cost", "solo relief", "marginal relief", "outcome", "total after");
  for (size_t i = 0; i < fitting->flips; i++)
    put_flip(i + 1, &fitting->flip[i]);
  if (fitting->flips == 0 && arguments->budget.kind != PP_BUDGET_OFF)
    puts("  no candidates");
  pp_report_bytes("baseline", fitting->baseline.total, "");
  pp_report_bytes("final", fitting->final.total,
                  fitting->within ? "within the budget"
                                  : "NOT within the budget");
  printf("  %-14s %26zu\n", "scores", fitting->scores);
}

static int fit(const pp_score_arguments *arguments, const pp_routine *source,
               pp_diag *diag) {
  pp_fitting *fitting = NULL;
  pp_failure failure;
  if (pp_fit(source, &arguments->lower, &arguments->score, &arguments->budget,
             &fitting, &failure) != PP_OK)
    return pp_cli_failed(arguments->file, &failure, diag);
  printf("%s: routine %s, budget %s\n", pp_input_name(arguments->file),
         source->name, arguments->budget_text);
  put_fitting(arguments, fitting);
  int status = fitting->within ? PP_EXIT_FINE : PP_EXIT_FOUND;
  pp_fitting_free(fitting);
  return status;
}

static int command(const struct argp *argp, int argc, char **argv,
                   int (*answer)(const pp_score_arguments *, const pp_routine *,
                                 pp_diag *),
                   pp_diag *diag) {
  pp_score_arguments arguments = {0};
  pp_routine *routine = NULL;
  if (pp_cli_parse(argp, argc, argv, &arguments, diag) != 0) return diag->code;
  int status = pp_routine_read(arguments.file, &routine, diag);
  if (status == 0) status = answer(&arguments, routine, diag);
  pp_routine_free(routine);
  return status;
}

int pp_command_score(int argc, char **argv, pp_diag *diag) {
  return command(&score_argp, argc, argv, score, diag);
}

int pp_command_fit(int argc, char **argv, pp_diag *diag) {
  return command(&fit_argp, argc, argv, fit, diag);
}
