#include "ask_file.h"
#include "cli_peer.h"
#include "conform.h"

#include <stdio.h>

enum { OPTION_SECONDS = 256 };

typedef struct pp_shrink_arguments {
  pp_cli_peer peer;
  const char *file;
  const char *out;
  double seconds;
} pp_shrink_arguments;

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "where the small question goes (default: standard output)", 0},
    {"seconds", OPTION_SECONDS, "N", 0, "stop after N seconds (default 60)", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_shrink_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->peer;
    state->child_inputs[1] = (void *)&arguments->file;
    break;
  case 'o':
    arguments->out = text;
    break;
  case OPTION_SECONDS:
    arguments->seconds =
        (double)pp_cli_number("--seconds", text, 1, 1 << 30, state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp_child children[] = {
    {&pp_cli_peer_argp, 0, NULL, 0}, {&pp_cli_file_argp, 0, NULL, 0}, {0}};

static const struct argp argp = {
    options,
    parse,
    "FILE --impl COMMAND|--plugin LIBRARY",
    "Makes a question that an implementation answers wrongly small."
    "\vFILE is a request of the protocol, as `poolproof conform` writes it, or "
    "a problem. The question stays one that is answered wrongly in the same "
    "way. What is wrong goes to standard error. Exit status 0: the answer "
    "agrees with the rules; 1: it does not.",
    children,
    NULL,
    NULL};

/* Asks; *finding tells what is wrong, if anything is. */
static int ask_once(const pp_cli_peer *peer, pp_compare *compare,
                    const pp_ask *ask, pp_finding *finding, pp_diag *diag) {
  pp_peer *process = NULL;
  pp_misdeed misdeed = PP_BEHAVED;
  const char *sentence = "";
  int status = pp_peer_open(&peer->options, &process, diag);
  if (status != 0) return status;
  const pp_hello *hello = pp_peer_hello(process, &misdeed, &sentence);
  if (hello) {
    *compare = peer->has_compare ? peer->compare : hello->compare;
    status = pp_conform_one(process, ask, hello, *compare, finding, diag);
  } else {
    finding->misdeed = misdeed;
    (void)fprintf(stderr, "poolproof: %s\n", sentence);
  }
  pp_peer_close(process);
  return status;
}

static int shrink(const pp_shrink_arguments *arguments, pp_finding *finding,
                  pp_diag *diag) {
  enum { TESTS = 1000000 };
  pp_compare compare = PP_COMPARE_EXACT;
  pp_ask ask = {0};
  int status = pp_ask_read(arguments->file, &ask, diag);
  if (status == 0)
    status = ask_once(&arguments->peer, &compare, &ask, finding, diag);
  bool asked = finding->id[0] != '\0';
  if (status == 0 && asked && pp_finding_is_wrong(finding)) {
    status = pp_conform_shrink(&arguments->peer.options, compare, finding,
                               TESTS, arguments->seconds, diag);
    if (status == 0) status = pp_ask_write(&finding->ask, arguments->out, diag);
    if (status == 0)
      (void)fprintf(stderr, "poolproof: %s: %s: %s\n", finding->id,
                    finding->misdeed ? pp_misdeed_name(finding->misdeed)
                                     : pp_wrong_name(finding->judgement.wrong),
                    finding->judgement.sentence);
  } else if (status == 0 && asked) {
    puts("agrees with the rules: nothing to make small");
  }
  pp_ask_free(&ask);
  if (status != 0) return status;
  return pp_finding_is_wrong(finding) ? PP_EXIT_FOUND : PP_EXIT_FINE;
}

int pp_command_shrink(int argc, char **argv, pp_diag *diag) {
  enum { USUAL_SECONDS = 60 };
  pp_shrink_arguments arguments = {.out = "-", .seconds = USUAL_SECONDS};
  pp_finding finding = {0};
  int status = pp_cli_parse(&argp, argc, argv, &arguments, diag);
  if (status == 0) status = shrink(&arguments, &finding, diag);
  pp_finding_free(&finding);
  pp_cli_peer_free(&arguments.peer);
  return pp_cli_finish(status, diag);
}
