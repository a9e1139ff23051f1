/* poolproof: the command fuzz-routine.  SPDX-License-Identifier: MIT */
#include "campaign_routine.h"
#include "cmd_routine.h"
#include "random.h"

#include <string.h>

enum {
  OPTION_SECONDS = 256,
  OPTION_RUNS,
  OPTION_SEED,
  OPTION_FIRST,
  OPTION_BACKEND,
  OPTION_FINDS,
  OPTION_QUIET,
  OPTION_REPLAY
};

typedef struct pp_fuzz_routine_arguments {
  pp_routine_options campaign;
  bool has_seed;
  bool replays;
  char **files;
  size_t count;
} pp_fuzz_routine_arguments;

static const struct argp_option options[] = {
    {"seconds", OPTION_SECONDS, "N", 0, "stop after N seconds (default 10)", 0},
    {"runs", OPTION_RUNS, "N", 0, "stop after N checks", 0},
    {"seed", OPTION_SEED, "S", 0,
     "repeat the campaign of this seed; of --replay: what is drawn (default 1)",
     0},
    {"first", OPTION_FIRST, "N", 0, "begin with check number N", 0},
    {"backend", OPTION_BACKEND, "NAME", 0,
     "the backend to run on (default: all)", 0},
    {"finds", OPTION_FINDS, "DIR", 0, "where a find is written (default: here)",
     0},
    {"quiet", OPTION_QUIET, NULL, 0, "no progress", 0},
    {"replay", OPTION_REPLAY, NULL, 0,
     "check the FILEs instead, which follow each other", 0},
    {0}};

static void find_backend(const char *name, pp_backend **backend,
                         struct argp_state *state) {
  pp_failure failure;
  if (pp_get_backend(name, backend, &failure) != PP_OK)
    argp_error(state, "--backend: %s", failure.text);
}

static void check_files(pp_fuzz_routine_arguments *arguments,
                        struct argp_state *state) {
  arguments->files = state->argv + state->next;
  arguments->count = (size_t)(state->argc - state->next);
  if (!arguments->replays && arguments->count > 0)
    argp_error(state, "\"%s\": a file is for --replay", arguments->files[0]);
  if (arguments->replays &&
      (arguments->count < 1 || arguments->count > PP_CHAIN))
    argp_error(state, "--replay: 1 to %d routine FILEs are wanted", PP_CHAIN);
}

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_fuzz_routine_arguments *arguments = state->input;
  pp_routine_options *campaign = &arguments->campaign;
  switch (key) {
  case OPTION_SECONDS:
    campaign->seconds = pp_cli_number("--seconds", text, 1, 1 << 30, state);
    return 0;
  case OPTION_RUNS:
    campaign->runs = pp_cli_number("--runs", text, 1, UINT64_MAX, state);
    return 0;
  case OPTION_SEED:
    campaign->seed = pp_cli_number("--seed", text, 0, UINT64_MAX, state);
    arguments->has_seed = true;
    return 0;
  case OPTION_FIRST:
    campaign->first = pp_cli_number("--first", text, 0, UINT32_MAX, state);
    return 0;
  case OPTION_BACKEND:
    find_backend(text, &campaign->backend, state);
    return 0;
  case OPTION_FINDS:
    campaign->find_dir = text;
    return 0;
  case OPTION_QUIET:
    campaign->quiet = true;
    return 0;
  case OPTION_REPLAY:
    arguments->replays = true;
    return 0;
  case ARGP_KEY_ARGS:
    check_files(arguments, state);
    return 0;
  case ARGP_KEY_NO_ARGS:
    if (arguments->replays) check_files(arguments, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp fuzz_argp = {
    options,
    parse,
    "[--replay FILE...]",
    "Lowers random routines in every way, runs them on every backend, and "
    "holds all of it to what they mean."
    "\vValues are held to the reference interpreter's of the routine as it was "
    "written, spans and footprints to the proved reference, layouts to a run "
    "in which every byte knows its owner, fits to a plain one. What disagrees "
    "is shrunk and written to files, and the command that checks them is "
    "printed; exit status 1. Check i of a seed is the same everywhere.",
    NULL,
    NULL,
    NULL};

static int replay(const pp_fuzz_routine_arguments *arguments, pp_diag *diag) {
  pp_routine *routine[PP_CHAIN] = {NULL};
  size_t n = 0;
  while (n < arguments->count &&
         pp_routine_read(arguments->files[n], &routine[n], diag) == 0)
    n++;
  int code = n == arguments->count
                 ? pp_routine_replay(routine, n, &arguments->campaign, diag)
                 : diag->code;
  for (size_t k = 0; k < n; k++)
    pp_routine_free(routine[k]);
  return code;
}

int pp_command_fuzz_routine(int argc, char **argv, pp_diag *diag) {
  pp_fuzz_routine_arguments arguments = {.has_seed = false};
  if (pp_cli_parse(&fuzz_argp, argc, argv, &arguments, diag) != 0)
    return diag->code;
  if (!arguments.has_seed)
    arguments.campaign.seed = arguments.replays ? 1 : pp_random_fresh_seed();
  return arguments.replays ? replay(&arguments, diag)
                           : pp_routine_campaign(&arguments.campaign, diag);
}
