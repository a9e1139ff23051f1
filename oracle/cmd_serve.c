#include "answer.h"
#include "cli.h"
#include "plugins.h"
#include "serve.h"

#include <stdio.h>

enum { OPTION_PLANNER = 256, OPTION_PLUGIN };

typedef struct pp_serve_arguments {
  pp_answerer answerer;
  const char *plugin;
} pp_serve_arguments;

static const struct argp_option options[] = {
    {"planner", OPTION_PLANNER, "ref|fast|plain", 0,
     "who answers: the proved reference, the fast planner, or brute force, "
     "which takes tiny questions alone (default ref)",
     0},
    {"plugin", OPTION_PLUGIN, "LIBRARY", 0,
     "the planner of a shared library answers (<poolproof/plugin.h>)", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_serve_arguments *arguments = state->input;
  switch (key) {
  case OPTION_PLANNER:
    if (!pp_answerer_named(text, &arguments->answerer))
      argp_error(state, "--planner: \"%s\" is none of ref, fast and plain",
                 text);
    break;
  case OPTION_PLUGIN:
    arguments->plugin = text;
    break;
  case ARGP_KEY_ARG:
    argp_error(state, "no argument is wanted, here is \"%s\"", text);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Answers questions of the protocol poolproof/1 (oracle/PROTOCOL.md) as an "
    "implementation does: requests on standard input, answers on standard "
    "output, a line each, until bye or the end of the input."
    "\vA line that is no request is answered with an error, and serving goes "
    "on. PROTOCOL.md shows each request with its answer.",
    NULL,
    NULL,
    NULL};

static bool answer(void *state, const pp_ask *ask, pp_reply *reply) {
  const pp_answerer *answerer = state;
  return pp_answer(*answerer, ask, reply);
}

static int serve_plugin(const char *path, pp_diag *diag) {
  pp_plugin plugin;
  pp_hello hello = {
      .protocol = PP_PROTOCOL_MOST, .items = SIZE_MAX, .batch = 64};
  if (pp_plugin_load(path, &plugin, diag) != 0 ||
      pp_plugin_hello(&plugin, &hello, diag) != 0)
    return diag->code;
  return pp_serve(stdin, stdout, &hello, pp_plugin_answer, &plugin, diag);
}

int pp_command_serve(int argc, char **argv, pp_diag *diag) {
  pp_serve_arguments arguments = {.answerer = PP_ANSWERER_REF};
  if (pp_cli_parse(&argp, argc, argv, &arguments, diag) != 0) return diag->code;
  if (arguments.plugin) return serve_plugin(arguments.plugin, diag);
  pp_answerer answerer = arguments.answerer;
  pp_hello hello = {.protocol = PP_PROTOCOL_MOST,
                    .version = PP_VERSION,
                    .capabilities = pp_answerer_can(answerer),
                    .items = pp_answerer_most(answerer),
                    .batch = 64,
                    .compare = PP_COMPARE_EXACT};
  (void)snprintf(hello.name, sizeof hello.name, "poolproof %s",
                 pp_answerer_name(answerer));
  return pp_serve(stdin, stdout, &hello, answer, &answerer, diag);
}
