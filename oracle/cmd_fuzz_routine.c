/* poolproof: the command fuzz-routine.  SPDX-License-Identifier: MIT */
#include "campaign_routine.h"
#include "cmd_routine.h"
#include "random.h"

enum { OPTION_REPLAY = 256 };

typedef struct pp_fuzz_routine_arguments {
  pp_cli_campaign campaign;
  bool replays;
  char **files;
  size_t count;
} pp_fuzz_routine_arguments;

static const struct argp_child children[] = {
    {&pp_cli_campaign_argp, 0, NULL, 0}, {0}};

static const struct argp_option options[] = {
    {"replay", OPTION_REPLAY, NULL, 0,
     "check the FILEs instead, which follow each other", 0},
    {0}};

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
  (void)text;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->campaign;
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
    "printed; exit status 1. Run i of a seed is the same everywhere. Of "
    "--replay the seed is 1 unless one is given."
    "\n\nEach routine is lowered in five ways, and each way is linked and run "
    "with reuse and without: all of it on each backend that is named. By "
    "default it runs on all that are here: every way on those of this "
    "processor; those that need a driver (opencl, cuda) take turns and run one "
    "way of each routine, with reuse and without.",
    children,
    NULL,
    NULL};

static int replay(const pp_fuzz_routine_arguments *arguments, pp_diag *diag) {
  pp_routine *routine[PP_CHAIN] = {NULL};
  size_t n = 0;
  while (n < arguments->count &&
         pp_routine_read(arguments->files[n], &routine[n], diag) == 0)
    n++;
  int code =
      n == arguments->count
          ? pp_routine_replay(routine, n, &arguments->campaign.options, diag)
          : diag->code;
  for (size_t k = 0; k < n; k++)
    pp_routine_free(routine[k]);
  return code;
}

int pp_command_fuzz_routine(int argc, char **argv, pp_diag *diag) {
  pp_fuzz_routine_arguments arguments = {.replays = false};
  pp_backend_campaign *campaign = &arguments.campaign.options;
  if (pp_cli_parse(&fuzz_argp, argc, argv, &arguments, diag) != 0)
    return diag->code;
  if (!arguments.campaign.has_seed)
    campaign->seed = arguments.replays ? 1 : pp_random_fresh_seed();
  return arguments.replays ? replay(&arguments, diag)
                           : pp_routine_campaign(campaign, diag);
}
