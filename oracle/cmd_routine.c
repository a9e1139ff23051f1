/* poolproof: what the commands that take a routine share.
 * SPDX-License-Identifier: MIT */
#include "cmd_routine.h"

#include "output.h"
#include "report.h"
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPTION_POLICY = 768,
  OPTION_SINKING,
  OPTION_KERNELS,
  OPTION_CAP,
  OPTION_ALIGN,
  OPTION_BUDGET,
  OPTION_AS_IS
};

enum { PP_ROUTINE_BYTES = 1 << 28, PP_KERNELS = 1 << 20 };

static pp_policy policy_named(const char *text, struct argp_state *state) {
  static const char *const names[] = {[PP_POLICY_COST] = "cost",
                                      [PP_POLICY_INLINE] = "inline",
                                      [PP_POLICY_MATERIALISE] = "materialise"};
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    if (strcmp(text, names[k]) == 0) return (pp_policy)k;
  argp_error(state, "--policy: \"%s\" is none of cost, inline, materialise",
             text);
  return PP_POLICY_COST;
}

static error_t parse_lower(int key, char *text, struct argp_state *state) {
  pp_cli_lower *lower = state->input;
  switch (key) {
  case OPTION_POLICY:
    lower->options.policy = policy_named(text, state);
    break;
  case OPTION_SINKING:
    lower->options.no_sinking = true;
    break;
  case OPTION_KERNELS:
    lower->options.kernel_statements =
        pp_cli_number("--kernels", text, 1, PP_KERNELS, state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  lower->given = true;
  return 0;
}

static const struct argp_option lower_options[] = {
    {"policy", OPTION_POLICY, "cost|inline|materialise", 0,
     "what becomes of intermediates where the rules leave a choice: inlined "
     "when that is cheap, always, never (default cost)",
     0},
    {"no-sinking", OPTION_SINKING, NULL, 0,
     "leave zeroings where they stand (RTN-2)", 0},
    {"kernels", OPTION_KERNELS, "N", 0,
     "merge neighbours into kernels of N statements at most (RTN-5; default: "
     "a kernel a statement)",
     0},
    {0}};

const struct argp pp_cli_lower_argp = {.options = lower_options,
                                       .parser = parse_lower};

static error_t parse_final(int key, char *text, struct argp_state *state) {
  pp_cli_lower *lower = state->input;
  (void)text;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = lower;
    return 0;
  case OPTION_AS_IS:
    lower->as_is = true;
    return 0;
  case ARGP_KEY_END:
    if (lower->as_is && lower->given)
      argp_error(state, "--as-is: nothing is lowered then, so --policy, "
                        "--no-sinking and --kernels do not go with it");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child final_children[] = {
    {&pp_cli_lower_argp, 0, NULL, 0}, {0}};

static const struct argp_option final_options[] = {
    {"as-is", OPTION_AS_IS, NULL, 0,
     "take FILE as final code: its spans and kernels count, nothing is lowered "
     "(RTN-6; otherwise spans and kernels are worked out anew)",
     0},
    {0}};

const struct argp pp_cli_final_argp = {.options = final_options,
                                       .parser = parse_final,
                                       .children = final_children};

static error_t parse_align(int key, char *text, struct argp_state *state) {
  pp_score_options *options = state->input;
  if (key != OPTION_ALIGN) return ARGP_ERR_UNKNOWN;
  options->alignment =
      pp_cli_number("--align", text, 1, UINT64_C(1) << 32, state);
  return 0;
}

static const struct argp_option align_options[] = {
    {"align", OPTION_ALIGN, "BYTES", 0,
     "what every node's offset is a multiple of (default 64)", 0},
    {0}};

const struct argp pp_cli_align_argp = {.options = align_options,
                                       .parser = parse_align};

static error_t parse_score(int key, char *text, struct argp_state *state) {
  pp_score_options *options = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = options;
    return 0;
  case OPTION_CAP:
    options->cap = pp_cli_bytes("--cap", text, state);
    if (options->cap == 0) argp_error(state, "--cap: 0 bytes hold nothing");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child score_children[] = {
    {&pp_cli_align_argp, 0, NULL, 0}, {0}};

static const struct argp_option score_options[] = {
    {"cap", OPTION_CAP, "BYTES", 0, "the most a pool may hold (default 4G)", 0},
    {0}};

const struct argp pp_cli_score_argp = {.options = score_options,
                                       .parser = parse_score,
                                       .children = score_children};

static error_t parse_budget(int key, char *text, struct argp_state *state) {
  pp_cli_budget *budget = state->input;
  if (key != OPTION_BUDGET) return ARGP_ERR_UNKNOWN;
  budget->text = text;
  if (!pp_budget_parse(text, &budget->budget))
    argp_error(state,
               "--budget: \"%s\" is no budget; bytes such as 1048576 or 64M "
               "(K, M and G are capitals), minimize, or 0 for none are wanted "
               "(FPT-5)",
               text);
  return 0;
}

static const struct argp_option budget_options[] = {
    {"budget", OPTION_BUDGET, "BYTES", 0,
     "inline nodes until the total is at most so many bytes (K, M, G: times "
     "1024), or minimize, or 0 for none (FPT-4)",
     0},
    {0}};

const struct argp pp_cli_budget_argp = {.options = budget_options,
                                        .parser = parse_budget};

pp_status pp_routine_final(const pp_routine *source, const pp_cli_lower *how,
                           pp_routine **final, pp_failure *failure) {
  pp_lowered *lowered = NULL;
  if (how->as_is) {
    *final = pp_routine_hold((pp_routine *)source);
    return PP_OK;
  }
  pp_status status = pp_lower(source, &how->options, &lowered, failure);
  if (status == PP_OK) *final = pp_routine_hold(lowered->routine);
  pp_lowered_free(lowered);
  return status;
}

int pp_routine_write(const char *path, const pp_routine *routine,
                     pp_diag *diag) {
  pp_output output;
  char *text = pp_routine_print(routine);
  if (!text) return pp_fail_memory(diag);
  int status = pp_output_open(&output, path, diag);
  if (status == 0) {
    (void)fputs(text, output.stream);
    status = pp_output_end(&output, 0, diag);
  }
  free(text);
  return status;
}

void pp_report_fitting(const pp_fitting *fitting) {
  pp_report_bytes("baseline", fitting->baseline.total, "");
  pp_report_bytes("final", fitting->final.total,
                  fitting->within ? "within the budget"
                                  : "NOT within the budget");
}

int pp_cli_failed(const char *path, const pp_failure *failure, pp_diag *diag) {
  const char *name = pp_input_name(path);
  switch (failure->status) {
  case PP_ITEM_OVER_CAP:
  case PP_OVER_CAP:
    (void)fprintf(stderr, "poolproof: %s: %s\n", name, failure->text);
    return PP_EXIT_FOUND;
  case PP_NO_MEMORY: /* the process's own, or a device's, which is named */
    if (strcmp(failure->text, "out of memory") == 0)
      return pp_fail_memory(diag);
    return pp_diag_fail(diag, PP_EXIT_RESOURCE, "out of memory: %s: %s", name,
                        failure->text);
  case PP_BACKEND_FAILED:
  case PP_DEVICE_LOST:
    return pp_diag_fail(diag, PP_EXIT_RESOURCE, "%s: %s", name, failure->text);
  default:
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s", name, failure->text);
  }
}

int pp_routine_read(const char *path, pp_routine **routine, pp_diag *diag) {
  size_t size = 0;
  pp_failure failure;
  char *text = pp_source_text(path, PP_ROUTINE_BYTES, &size, diag);
  if (!text) return diag->code;
  pp_status status = pp_routine_parse(text, size, routine, &failure);
  free(text);
  return status == PP_OK ? 0 : pp_cli_failed(path, &failure, diag);
}
