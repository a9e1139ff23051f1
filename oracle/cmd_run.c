#include "campaign.h"
#include "cli.h"
#include "exhaust.h"
#include "random.h"

#include <stdio.h>

enum {
  OPTION_SECONDS = 256,
  OPTION_RUNS,
  OPTION_SEED,
  OPTION_FIRST,
  OPTION_ITEMS
};

static const struct argp_child children[] = {{&pp_cli_jobs_argp, 0, NULL, 0},
                                             {0}};

typedef struct pp_fuzz_arguments {
  pp_campaign_options campaign;
  pp_cli_jobs jobs;
  bool has_seed;
} pp_fuzz_arguments;

static const struct argp_option fuzz_options[] = {
    {"seconds", OPTION_SECONDS, "N", 0, "stop after N seconds (default 10)", 0},
    {"runs", OPTION_RUNS, "N", 0, "stop after N runs", 0},
    {"seed", OPTION_SEED, "S", 0, "repeat the campaign of this seed", 0},
    {"first", OPTION_FIRST, "N", 0, "begin with run number N", 0},
    {"items", OPTION_ITEMS, "N", 0, "items of a problem at most (default 32)",
     0},
    {0}};

static error_t parse_fuzz(int key, char *text, struct argp_state *state) {
  pp_fuzz_arguments *arguments = state->input;
  pp_campaign_options *campaign = &arguments->campaign;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->jobs;
    break;
  case OPTION_SECONDS:
    campaign->seconds = pp_cli_number("--seconds", text, 1, 1 << 30, state);
    break;
  case OPTION_RUNS:
    campaign->runs = pp_cli_number("--runs", text, 1, UINT64_MAX, state);
    break;
  case OPTION_SEED:
    campaign->seed = pp_cli_number("--seed", text, 0, UINT64_MAX, state);
    arguments->has_seed = true;
    break;
  case OPTION_FIRST:
    campaign->first = pp_cli_number("--first", text, 0, UINT64_MAX, state);
    break;
  case OPTION_ITEMS:
    campaign->max_items = pp_cli_number("--items", text, 1, 4096, state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp fuzz_argp = {
    fuzz_options,
    parse_fuzz,
    "",
    "Holds both planners and both checkers to each other on random problems."
    "\vNeeds no fuzzer. Problems have touching spans, ties, odd alignments, "
    "zero sizes, classes, always-live items, caps around the exact total and "
    "sizes around 2^31, 2^32, 2^63 and 2^64. A disagreement is shrunk, written "
    "as a problem file, and the command that replays it is printed; exit "
    "status "
    "1. Run i of a seed is the same everywhere.",
    children,
    NULL,
    NULL};

int pp_command_fuzz(int argc, char **argv, pp_diag *diag) {
  pp_fuzz_arguments arguments = {0};
  if (pp_cli_parse(&fuzz_argp, argc, argv, &arguments, diag) != 0)
    return diag->code;
  if (!arguments.has_seed) arguments.campaign.seed = pp_random_fresh_seed();
  arguments.campaign.jobs = arguments.jobs.jobs;
  arguments.campaign.find_dir = arguments.jobs.find_dir;
  arguments.campaign.quiet = arguments.jobs.quiet;
  return pp_campaign(&arguments.campaign, diag);
}

static const struct argp_option exhaust_options[] = {
    {"items", OPTION_ITEMS, "N", 0,
     "items of a problem at most, 1 to 4 (default "
     "4)",
     0},
    {0}};

typedef struct pp_exhaust_arguments {
  pp_cli_jobs jobs;
  size_t items;
} pp_exhaust_arguments;

static error_t parse_exhaust(int key, char *text, struct argp_state *state) {
  pp_exhaust_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->jobs;
    break;
  case OPTION_ITEMS:
    arguments->items =
        pp_cli_number("--items", text, 1, PP_EXHAUST_ITEMS, state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp exhaust_argp = {
    exhaust_options,
    parse_exhaust,
    "",
    "Compares both planners with a brute-force reading of the rules on every "
    "problem of a small domain, and three checkers on every small layout."
    "\vSays how many problems were compared, by outcome. A disagreement is "
    "written and reported as by fuzz; exit status 1.",
    children,
    NULL,
    NULL};

int pp_command_exhaust(int argc, char **argv, pp_diag *diag) {
  pp_exhaust_arguments arguments = {0};
  if (pp_cli_parse(&exhaust_argp, argc, argv, &arguments, diag) != 0)
    return diag->code;
  const pp_exhaust_options options = {.items = arguments.items,
                                      .jobs = arguments.jobs.jobs,
                                      .find_dir = arguments.jobs.find_dir,
                                      .quiet = arguments.jobs.quiet};
  return pp_exhaust(&options, diag);
}
