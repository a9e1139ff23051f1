/* poolproof: the commands replay and fuzz-runtime.
 * SPDX-License-Identifier: MIT */
#include "campaign_runtime.h"
#include "cli.h"
#include "number.h"
#include "random.h"
#include "source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_BACKEND = 256, OPTION_SHRINK };

/* choice   nothing said: those of each file's marker
 * found    of the backends that were looked at
 * skipped  programs that were for a backend which is not here */
typedef struct pp_replay_arguments {
  pp_backend_choice choice;
  pp_backends_here found;
  uint64_t skipped[PP_BACKEND_COUNT];
  const char *shrink;
  bool verbose;
  char **files;
  size_t count;
} pp_replay_arguments;

static const struct argp_option replay_options[] = {
    {"backend", OPTION_BACKEND, "NAME,...|all", 0,
     "run on these (default: those that the file's marker names, else the "
     "global setting); all: those that are here",
     0},
    {"shrink", OPTION_SHRINK, "OUT", 0,
     "write a minimal program that still shows the find to OUT", 0},
    {"verbose", 'v', NULL, 0, "a line for each step", 0},
    {0}};

static error_t parse_replay(int key, char *text, struct argp_state *state) {
  pp_replay_arguments *arguments = state->input;
  switch (key) {
  case OPTION_BACKEND:
    pp_cli_choose("--backend", text, &arguments->choice, state);
    return 0;
  case OPTION_SHRINK:
    arguments->shrink = text;
    return 0;
  case 'v':
    arguments->verbose = true;
    return 0;
  case ARGP_KEY_ARGS:
    arguments->files = state->argv + state->next;
    arguments->count = (size_t)(state->argc - state->next);
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "a program FILE is wanted");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp replay_argp = {
    replay_options,
    parse_replay,
    "FILE...",
    "Does the steps of programs with the runtime and with its model, and says "
    "where they disagree."
    "\vA program is text: routines, contexts, links, runs, transfers, "
    "releases, and faults of the backend's calls. After every step status, "
    "calls, pools, census and values are compared; exit status 1 when they "
    "differ. A line \"# poolproof-backend: NAME...\" names the backends that "
    "a program is for; those that are not here are skipped, and told. One that "
    "--backend or POOLPROOF_BACKEND names must be here: status 2.",
    NULL,
    NULL,
    NULL};

static int shrink(const pp_replay_arguments *arguments, pp_program *program,
                  pp_backend *backend, pp_replay *replay, pp_diag *diag) {
  pp_replay_shrink(program, backend, replay);
  printf("small: %s\n", replay->sentence);
  return pp_program_save(arguments->shrink, program, diag);
}

static int refuse_idle(const char *path, const pp_program *program,
                       pp_diag *diag) {
  return pp_diag_fail(
      diag, PP_EXIT_INPUT, "%s: no operation to replay%s", pp_input_name(path),
      program->routines > 0 ? "; poolproof run FILE.ppr takes a routine" : "");
}

static int replay_on(const pp_replay_arguments *arguments, const char *path,
                     pp_program *program, pp_backend *backend, pp_diag *diag) {
  pp_replay replay = {0};
  const char *name = pp_backend_name(backend);
  if (arguments->verbose) printf("%s on %s\n", path, name);
  pp_verdict verdict = pp_replay_run(
      program, backend, arguments->verbose ? stdout : NULL, &replay);
  if (verdict == PP_UNDECIDED)
    return pp_diag_fail(diag, PP_EXIT_RESOURCE, "%s on %s: %s", path, name,
                        replay.sentence);
  if (verdict == PP_AGREE) {
    printf("%s on %s: agreed, %" PRIu64 " step%s and %" PRIu64
           " value%s compared\n",
           path, name, replay.steps, pp_plural(replay.steps), replay.values,
           pp_plural(replay.values));
    return PP_EXIT_FINE;
  }
  printf("%s on %s: DISAGREED: %s\n", path, name, replay.sentence);
  if (arguments->shrink &&
      shrink(arguments, program, backend, &replay, diag) != 0)
    return diag->code;
  return PP_EXIT_FOUND;
}

/* Looks at what was not looked at yet; for the sentence, again at what is
 * named and missing. */
static int look(pp_replay_arguments *arguments, const pp_backend_choice *choice,
                pp_diag *diag) {
  pp_backends_here more;
  unsigned known = arguments->found.here;
  if (!choice->named) known |= arguments->found.missing;
  const pp_backend_choice rest = {choice->backends & ~known, choice->named};
  int code = pp_backends_look(&rest, &more, diag);
  arguments->found.here |= more.here;
  arguments->found.missing |= more.missing;
  return code;
}

/* What the program is to run on. */
static int choose(const pp_replay_arguments *arguments,
                  const pp_program *program, pp_backend_choice *choice,
                  pp_diag *diag) {
  pp_failure failure;
  pp_backend *backend = NULL;
  *choice = arguments->choice;
  if (choice->backends != 0) return 0;
  choice->backends = (unsigned)program->backends;
  if (program->has_marker) return 0;
  if (pp_get_backend(NULL, &backend, &failure) != PP_OK)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s", failure.text);
  *choice = (pp_backend_choice){pp_backend_bit(backend), true};
  return 0;
}

static int replay_program(pp_replay_arguments *arguments, const char *path,
                          pp_program *program, pp_diag *diag) {
  pp_backend_choice choice;
  if (choose(arguments, program, &choice, diag) != 0 ||
      look(arguments, &choice, diag) != 0)
    return diag->code;
  int worst = PP_EXIT_FINE;
  for (unsigned id = 0; id < PP_BACKEND_COUNT && worst == 0; id++) {
    if ((choice.backends >> id & 1) == 0) continue;
    if ((arguments->found.here >> id & 1) == 0)
      arguments->skipped[id]++;
    else
      worst = replay_on(arguments, path, program,
                        pp_backend_module((pp_backend_id)id), diag);
  }
  return worst;
}

static int replay_file(pp_replay_arguments *arguments, const char *path,
                       pp_diag *diag) {
  pp_program program;
  if (pp_program_read(path, &program, diag) != 0) return diag->code;
  int code = program.operations == 0
                 ? refuse_idle(path, &program, diag)
                 : replay_program(arguments, path, &program, diag);
  pp_program_free(&program);
  return code;
}

/* Each backend that is not here, once. */
static void print_skipped(const pp_replay_arguments *arguments) {
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    if (arguments->skipped[id] > 0)
      printf("skipped: %" PRIu64 " program%s on %s, which is not available "
             "here\n",
             arguments->skipped[id], pp_plural(arguments->skipped[id]),
             pp_backend_id_name((pp_backend_id)id));
}

int pp_command_replay(int argc, char **argv, pp_diag *diag) {
  pp_replay_arguments arguments = {0};
  int worst = PP_EXIT_FINE;
  if (pp_cli_parse(&replay_argp, argc, argv, &arguments, diag) != 0)
    return diag->code;
  for (size_t i = 0; i < arguments.count; i++) {
    int code = replay_file(&arguments, arguments.files[i], diag);
    if (diag->code != PP_EXIT_FINE) return diag->code;
    if (code != PP_EXIT_FINE) worst = code;
  }
  print_skipped(&arguments);
  return worst;
}

static error_t parse_fuzz(int key, char *text, struct argp_state *state) {
  pp_cli_campaign *campaign = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = campaign;
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "\"%s\": no argument is wanted", text);
    return 0;
  case ARGP_KEY_END:
    pp_cli_choose_global(&campaign->options.choice, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child fuzz_children[] = {
    {&pp_cli_campaign_argp, 0, NULL, 0}, {0}};

static const struct argp fuzz_argp = {
    NULL,
    parse_fuzz,
    "",
    "Holds the runtime to its model on random programs full of faults."
    "\vNeeds no fuzzer. A program that shows a disagreement is shrunk and "
    "written to a file, and the command that replays it is printed; exit "
    "status 1. Without a backend it runs on that of the global setting."
    "\n\nOf several backends (--backend all: those that are here) each program "
    "runs on every one. It is drawn for as many devices as one of them has, up "
    "to 4, by turns; where there are fewer, making their roots is refused, as "
    "the model says, and what needs them is skipped. Run i of a seed is the "
    "same wherever the backends have as many devices.",
    fuzz_children,
    NULL,
    NULL};

int pp_command_fuzz_runtime(int argc, char **argv, pp_diag *diag) {
  pp_cli_campaign campaign = {.has_seed = false};
  if (pp_cli_parse(&fuzz_argp, argc, argv, &campaign, diag) != 0)
    return diag->code;
  if (!campaign.has_seed) campaign.options.seed = pp_random_fresh_seed();
  return pp_runtime_campaign(&campaign.options, diag);
}
