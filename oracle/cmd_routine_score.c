/* poolproof: the commands score and fit. SPDX-License-Identifier: MIT */
#include "cmd_routine.h"
#include "json.h"
#include "number.h"
#include "output.h"
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_JSON = 256, OPTION_REUSE };

enum { PP_DIGITS = 32 }; /* room for a grouped number and a sign */

typedef struct pp_score_arguments {
  const char *file;
  pp_cli_lower lower;
  pp_score_options score;
  pp_cli_budget budget;
  bool json;
  const char *output;
} pp_score_arguments;

static const struct argp_child score_children[] = {
    {&pp_cli_file_argp, 0, NULL, 0},
    {&pp_cli_final_argp, 0, NULL, 0},
    {&pp_cli_score_argp, 0, NULL, 0},
    {0}};

static void set_children(pp_score_arguments *arguments,
                         struct argp_state *state) {
  state->child_inputs[0] = (void *)&arguments->file;
  state->child_inputs[1] = &arguments->lower;
  state->child_inputs[2] = &arguments->score;
}

static error_t parse_score(int key, char *text, struct argp_state *state) {
  pp_score_arguments *arguments = state->input;
  (void)text;
  switch (key) {
  case ARGP_KEY_INIT:
    set_children(arguments, state);
    return 0;
  case OPTION_REUSE:
    arguments->score.no_reuse = true;
    return 0;
  case OPTION_JSON:
    arguments->json = true;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option score_options[] = {
    {"no-reuse", OPTION_REUSE, NULL, 0, "every node on its own bytes (FPT-3)",
     0},
    {"json", OPTION_JSON, NULL, 0, "the numbers as JSON", 0},
    {0}};

static const struct argp score_argp = {
    score_options,
    parse_score,
    "FILE",
    "The bytes that the routine in FILE needs once it is lowered (FPT)."
    "\vWorking nodes share one arena when their lives allow it, otherwise they "
    "are laid out in segments; constants always are. \"dedicated\" is what "
    "working nodes need without sharing. Exit status 1 when a node or the sum "
    "does not fit.",
    score_children,
    NULL,
    NULL};

/* The members of a footprint's object, the first behind what `before` ends
 * with. */
static bool put_members(const char *before, const pp_footprint *f) {
  return fputs(before, stdout) >= 0 &&
         pp_json_put_number(stdout, "\"working\":", f->working) &&
         pp_json_put_number(stdout, ",\"constants\":", f->constants) &&
         pp_json_put_number(stdout, ",\"total\":", f->total) &&
         pp_json_put_number(stdout, ",\"dedicated\":", f->dedicated) &&
         printf(",\"arena\":%s", f->arena ? "true" : "false") > 0 &&
         pp_json_put_number(stdout, ",\"planned\":", f->planned) &&
         pp_json_put_number(stdout, ",\"nodes\":", f->nodes);
}

static int put_json(const char *name, const pp_footprint *f, pp_diag *diag) {
  bool good =
      pp_json_put_text(stdout,
                       "{\"poolproof\":\"footprint/1\",\"routine\":", name) &&
      put_members(",", f) && puts("}") >= 0;
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
  pp_routine *final = NULL;
  pp_footprint footprint;
  pp_failure failure;
  pp_status status =
      pp_routine_final(source, &arguments->lower, &final, &failure);
  if (status == PP_OK)
    status = pp_score_footprint(final, &arguments->score, &footprint, &failure);
  pp_routine_free(final);
  if (status != PP_OK) return pp_cli_failed(arguments->file, &failure, diag);
  if (arguments->json) return put_json(source->name, &footprint, diag);
  printf("%s: routine %s\n", pp_input_name(arguments->file), source->name);
  put_footprint(&footprint);
  return PP_EXIT_FINE;
}

static const struct argp_child fit_children[] = {
    {&pp_cli_file_argp, 0, NULL, 0},
    {&pp_cli_lower_argp, 0, NULL, 0},
    {&pp_cli_score_argp, 0, NULL, 0},
    {&pp_cli_budget_argp, 0, NULL, 0},
    {0}};

static bool to_stdout(const pp_score_arguments *arguments) {
  return arguments->output && strcmp(arguments->output, "-") == 0;
}

static error_t parse_fit(int key, char *text, struct argp_state *state) {
  pp_score_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    set_children(arguments, state);
    state->child_inputs[3] = &arguments->budget;
    return 0;
  case OPTION_JSON:
    arguments->json = true;
    return 0;
  case 'o':
    arguments->output = text;
    return 0;
  case ARGP_KEY_END:
    if (!arguments->budget.text) argp_error(state, "--budget is wanted");
    if (arguments->json && to_stdout(arguments))
      argp_error(state, "--json and -o -: one thing on standard output");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option fit_options[] = {
    {"json", OPTION_JSON, NULL, 0, "the numbers as JSON", 0},
    {"output", 'o', "OUT", 0,
     "write the fitted final code there, in budget or not; \"-\" for standard "
     "output, without the numbers",
     0},
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
    fit_children,
    NULL,
    NULL};

static const char *relief_text(const pp_relief *relief, char *text) {
  text[0] = '-';
  (void)pp_grouped(relief->bytes, text + 1, PP_DIGITS - 1);
  return relief->negative ? text : text + 1;
}

static const char *const outcomes[] = {"untried", "taken", "joined", "held",
                                       "dropped"};

static void put_flip(size_t rank, const pp_flip *flip) {
  char solo[PP_DIGITS];
  char marginal[PP_DIGITS];
  char total[PP_DIGITS];
  printf("  %4zu %-20s %6" PRIu64 " %12" PRIu64 " %16s %16s %-8s %18s\n", rank,
         flip->label, flip->uid, flip->cost, relief_text(&flip->solo, solo),
         relief_text(&flip->marginal, marginal), outcomes[flip->outcome],
         pp_grouped(flip->total, total, sizeof total));
}

static void put_fitting(const pp_score_arguments *arguments,
                        const pp_fitting *fitting) {
  if (arguments->budget.budget.kind == PP_BUDGET_OFF)
    puts("  the budget is off: nothing is tried");
  if (fitting->flips > 0)
    printf("  %4s %-20s %6s %12s %16s %16s %-8s %18s\n", "rank", "node", "uid",
           "cost", "solo relief", "marginal relief", "outcome", "total after");
  for (size_t i = 0; i < fitting->flips; i++)
    put_flip(i + 1, &fitting->flip[i]);
  if (fitting->flips == 0 && arguments->budget.budget.kind != PP_BUDGET_OFF)
    puts("  no candidates");
  pp_report_fitting(fitting);
  printf("  %-14s %26zu\n", "scores", fitting->scores);
}

/* A string above 2^53, as pp_json_put_number writes one. */
static bool put_relief_json(const char *before, const pp_relief *relief) {
  if (!relief->negative)
    return pp_json_put_number(stdout, before, relief->bytes);
  const char *quote = relief->bytes > UINT64_C(1) << 53 ? "\"" : "";
  return printf("%s%s-%" PRIu64 "%s", before, quote, relief->bytes, quote) > 0;
}

static bool put_flip_json(const pp_flip *flip, const char *before) {
  return pp_json_put_number(stdout, before, flip->uid) &&
         pp_json_put_text(stdout, ",\"label\":", flip->label) &&
         pp_json_put_number(stdout, ",\"cost\":", flip->cost) &&
         put_relief_json(",\"solo\":", &flip->solo) &&
         put_relief_json(",\"marginal\":", &flip->marginal) &&
         pp_json_put_number(stdout, ",\"total\":", flip->total) &&
         pp_json_put_text(stdout, ",\"outcome\":", outcomes[flip->outcome]) &&
         puts("}") >= 0;
}

static int put_fitting_json(const pp_score_arguments *arguments,
                            const char *name, const pp_fitting *fitting,
                            pp_diag *diag) {
  bool good =
      pp_json_put_text(stdout, "{\"poolproof\":\"fit/1\",\"routine\":", name) &&
      pp_json_put_text(stdout, ",\"budget\":", arguments->budget.text) &&
      put_members(",\n\"baseline\":{", &fitting->baseline) &&
      put_members("},\n\"final\":{", &fitting->final) &&
      printf("},\n\"within\":%s", fitting->within ? "true" : "false") > 0 &&
      pp_json_put_number(stdout, ",\"scores\":", fitting->scores) &&
      puts(",\"flips\":[") >= 0;
  for (size_t i = 0; good && i < fitting->flips; i++)
    good = put_flip_json(&fitting->flip[i], i ? ",{\"uid\":" : "{\"uid\":");
  return pp_json_written(stdout, good && puts("]}") >= 0, diag);
}

static int put_fitted(const pp_score_arguments *arguments,
                      const pp_routine *source, const pp_fitting *fitting,
                      pp_diag *diag) {
  pp_routine *final = NULL;
  pp_failure failure;
  pp_cli_lower how = arguments->lower;
  how.options.lineage = fitting->lineage;
  int status = 0;
  if (pp_routine_final(source, &how, &final, &failure) != PP_OK)
    status = pp_cli_failed(arguments->file, &failure, diag);
  else
    status = pp_routine_write(arguments->output, final, diag);
  pp_routine_free(final);
  return status;
}

static int answer_fit(const pp_score_arguments *arguments,
                      const pp_routine *source, const pp_fitting *fitting,
                      pp_diag *diag) {
  int status = 0;
  if (arguments->json) {
    status = put_fitting_json(arguments, source->name, fitting, diag);
  } else if (!to_stdout(arguments)) {
    printf("%s: routine %s, budget %s\n", pp_input_name(arguments->file),
           source->name, arguments->budget.text);
    put_fitting(arguments, fitting);
  }
  if (status == 0) status = pp_cli_finish(0, diag);
  if (status == 0 && arguments->output)
    status = put_fitted(arguments, source, fitting, diag);
  if (status != 0) return status;
  return fitting->within ? PP_EXIT_FINE : PP_EXIT_FOUND;
}

static int fit(const pp_score_arguments *arguments, const pp_routine *source,
               pp_diag *diag) {
  pp_fitting *fitting = NULL;
  pp_failure failure;
  if (arguments->output &&
      pp_output_apart(arguments->output, arguments->file, diag) != 0)
    return diag->code;
  if (pp_fit(source, &arguments->lower.options, &arguments->score,
             &arguments->budget.budget, &fitting, &failure) != PP_OK)
    return pp_cli_failed(arguments->file, &failure, diag);
  int status = answer_fit(arguments, source, fitting, diag);
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
