/* poolproof: what the commands that take a routine share.
 * SPDX-License-Identifier: MIT */
#include "cmd_routine.h"

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
  OPTION_REUSE
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
  pp_lower_options *options = state->input;
  switch (key) {
  case OPTION_POLICY:
    options->policy = policy_named(text, state);
    return 0;
  case OPTION_SINKING:
    options->no_sinking = true;
    return 0;
  case OPTION_KERNELS:
    options->kernel_statements =
        pp_cli_number("--kernels", text, 1, PP_KERNELS, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
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

static error_t parse_score(int key, char *text, struct argp_state *state) {
  pp_score_options *options = state->input;
  switch (key) {
  case OPTION_CAP:
    options->cap = pp_cli_bytes("--cap", text, state);
    if (options->cap == 0) argp_error(state, "--cap: 0 bytes hold nothing");
    return 0;
  case OPTION_ALIGN:
    options->alignment =
        pp_cli_number("--align", text, 1, UINT64_C(1) << 32, state);
    return 0;
  case OPTION_REUSE:
    options->no_reuse = true;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option score_options[] = {
    {"cap", OPTION_CAP, "BYTES", 0, "the most a pool may hold (default 4G)", 0},
    {"align", OPTION_ALIGN, "BYTES", 0,
     "what every node's offset is a multiple of (default 64)", 0},
    {"no-reuse", OPTION_REUSE, NULL, 0, "every node on its own bytes (FPT-3)",
     0},
    {0}};

const struct argp pp_cli_score_argp = {.options = score_options,
                                       .parser = parse_score};

pp_budget pp_cli_budget(const char *text, struct argp_state *state) {
  pp_budget budget = {0};
  if (!pp_budget_parse(text, &budget))
    argp_error(state,
               "--budget: \"%s\" is no budget; bytes such as 1048576 or 64M, "
               "minimize, or 0 for none are wanted (FPT-5)",
               text);
  return budget;
}

int pp_cli_failed(const char *path, const pp_failure *failure, pp_diag *diag) {
  const char *name = pp_input_name(path);
  switch (failure->status) {
  case PP_ITEM_OVER_CAP:
  case PP_OVER_CAP:
    (void)fprintf(stderr, "poolproof: %s: %s\n", name, failure->text);
    return PP_EXIT_FOUND;
  case PP_NO_MEMORY:
    return pp_fail_memory(diag);
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
