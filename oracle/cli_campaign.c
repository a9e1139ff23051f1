/* poolproof: the options of campaigns that run on backends.
 * SPDX-License-Identifier: MIT */
#include "cli.h"

enum {
  OPTION_SECONDS = 512,
  OPTION_RUNS,
  OPTION_SEED,
  OPTION_FIRST,
  OPTION_BACKEND,
  OPTION_FINDS,
  OPTION_QUIET
};

static const struct argp_option options[] = {
    {"seconds", OPTION_SECONDS, "N", 0, "stop after N seconds (default 10)", 0},
    {"runs", OPTION_RUNS, "N", 0, "stop after N runs", 0},
    {"seed", OPTION_SEED, "S", 0, "repeat the campaign of this seed", 0},
    {"first", OPTION_FIRST, "N", 0, "begin with run number N", 0},
    {"backend", OPTION_BACKEND, "NAME,...|all", 0,
     "the backends to run on; all: those that are here", 0},
    {"finds", OPTION_FINDS, "DIR", 0, "where a find is written (default: here)",
     0},
    {"quiet", OPTION_QUIET, NULL, 0, "no progress", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_cli_campaign *arguments = state->input;
  pp_backend_campaign *campaign = &arguments->options;
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
    pp_cli_choose("--backend", text, &campaign->choice, state);
    return 0;
  case OPTION_FINDS:
    campaign->find_dir = text;
    return 0;
  case OPTION_QUIET:
    campaign->quiet = true;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp pp_cli_campaign_argp = {.options = options, .parser = parse};
