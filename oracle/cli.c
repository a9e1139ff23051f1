#include "cli.h"

#include "number.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_CAP = 512, OPTION_KIND, OPTION_FINDS, OPTION_QUIET };

static error_t parse_cap(int key, char *text, struct argp_state *state) {
  pp_cli_cap *cap = state->input;
  if (key != OPTION_CAP) return ARGP_ERR_UNKNOWN;
  cap->bytes = pp_cli_bytes("--cap", text, state);
  cap->given = true;
  return 0;
}

static const struct argp_option cap_options[] = {
    {"cap", OPTION_CAP, "BYTES", 0,
     "the most a pool may hold; before the file's own", 0},
    {0}};

const struct argp pp_cli_cap_argp = {.options = cap_options,
                                     .parser = parse_cap};

uint64_t pp_cli_cap_for(const pp_cli_cap *cap, const pp_problem *problem) {
  return cap->given ? cap->bytes : problem->cap;
}

static error_t parse_kind(int key, char *text, struct argp_state *state) {
  pp_cli_kind *kind = state->input;
  if (key != OPTION_KIND) return ARGP_ERR_UNKNOWN;
  if (!pp_plan_named(text, &kind->plan))
    argp_error(state, "--kind: \"%s\" is none of arena, segments, no-reuse",
               text);
  kind->given = true;
  return 0;
}

static const struct argp_option kind_options[] = {
    {"kind", OPTION_KIND, "KIND", 0,
     "arena (ARN), segments (SEG) or no-reuse (every item on its own bytes); "
     "the problem's own kind if not given",
     0},
    {0}};

const struct argp pp_cli_kind_argp = {.options = kind_options,
                                      .parser = parse_kind};

static error_t parse_jobs(int key, char *text, struct argp_state *state) {
  pp_cli_jobs *jobs = state->input;
  switch (key) {
  case 'j':
    jobs->jobs = (unsigned)pp_cli_number("--jobs", text, 1, 256, state);
    return 0;
  case OPTION_FINDS:
    jobs->find_dir = text;
    return 0;
  case OPTION_QUIET:
    jobs->quiet = true;
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "\"%s\": no argument is wanted", text);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option jobs_options[] = {
    {"jobs", 'j', "N", 0, "threads (default: one a core)", 0},
    {"finds", OPTION_FINDS, "DIR", 0, "where a find is written (default: here)",
     0},
    {"quiet", OPTION_QUIET, NULL, 0, "no progress", 0},
    {0}};

const struct argp pp_cli_jobs_argp = {.options = jobs_options,
                                      .parser = parse_jobs};

static error_t parse_file(int key, char *text, struct argp_state *state) {
  const char **file = state->input;
  switch (key) {
  case ARGP_KEY_ARG:
    if (*file) argp_error(state, "one FILE is wanted");
    *file = text;
    return 0;
  case ARGP_KEY_END:
    if (!*file) argp_error(state, "a FILE is wanted");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp pp_cli_file_argp = {.parser = parse_file};

pp_side pp_cli_side(const char *option, const char *text,
                    struct argp_state *state) {
  pp_side side = PP_SIDE_FAST;
  if (!pp_side_named(text, &side))
    argp_error(state, "%s: \"%s\" is neither ref nor fast", option, text);
  return side;
}

uint64_t pp_cli_bytes(const char *option, const char *text,
                      struct argp_state *state) {
  uint64_t bytes = 0;
  const char *wrong = pp_parse_bytes(text, &bytes);
  if (wrong)
    argp_error(state,
               "%s: \"%s\" %s; bytes such as 4294967296, 4G or unlimited are "
               "wanted",
               option, text, wrong);
  return bytes;
}

uint64_t pp_cli_number(const char *option, const char *text, uint64_t least,
                       uint64_t most, struct argp_state *state) {
  uint64_t value = 0;
  const char *wrong = pp_parse_u64(text, &value);
  if (wrong || value < least || value > most)
    argp_error(state, "%s: \"%s\" %s; %" PRIu64 " to %" PRIu64 " is wanted",
               option, text, wrong ? wrong : "is out of range", least, most);
  return value;
}

int pp_cli_parse(const struct argp *argp, int argc, char **argv, void *input,
                 pp_diag *diag) {
  error_t failure = argp_parse(argp, argc, argv, 0, NULL, input);
  if (failure == 0) return 0;
  if (failure == ENOMEM) return pp_fail_memory(diag);
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s", argv[0],
                      strerror(failure));
}

int pp_cli_finish(int status, pp_diag *diag) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  return pp_fail_write(stdout, diag);
}
