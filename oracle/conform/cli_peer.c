#include "cli_peer.h"

#include <stdlib.h>
#include <string.h>

enum {
  OPTION_IMPL = 640,
  OPTION_PLUGIN,
  OPTION_MODE,
  OPTION_START,
  OPTION_ANSWER,
  OPTION_RESTARTS
};

static const struct argp_option options[] = {
    {"impl", OPTION_IMPL, "COMMAND", 0,
     "the implementation: a command, run by sh, that speaks poolproof/1 "
     "(oracle/PROTOCOL.md) on its standard input and output",
     0},
    {"plugin", OPTION_PLUGIN, "LIBRARY", 0,
     "or a shared library that is a plugin (<poolproof/plugin.h>)", 0},
    {"mode", OPTION_MODE, "exact|valid|total", 0,
     "how plans are compared (default: as the implementation says of itself): "
     "the specified bytes, any valid plan, or a valid plan whose total is no "
     "larger than the specified one's",
     0},
    {"start", OPTION_START, "SECONDS", 0,
     "how long it may take to start (default 10)", 0},
    {"answer", OPTION_ANSWER, "SECONDS", 0,
     "how long one answer may take (default 5)", 0},
    {"restarts", OPTION_RESTARTS, "N", 0,
     "how often it is started again after a misdeed (default 20)", 0},
    {0}};

/* A simple command takes the shell's place, so that its end is seen as it is;
 * env knows what stands before a command. */
static bool is_simple(const char *text) {
  return strpbrk(text, ";&|(){}`\n") == NULL && strncmp(text, "exec ", 5) != 0;
}

static error_t set_command(pp_cli_peer *peer, const char *text) {
  peer->argv[0] = "/bin/sh";
  peer->argv[1] = "-c";
  free(peer->words);
  const char *before = is_simple(text) ? "exec env " : "";
  if (asprintf(&peer->words, "%s%s", before, text) < 0) {
    peer->words = NULL;
    return ENOMEM;
  }
  peer->argv[2] = peer->words;
  return 0;
}

/* This very program serves a plugin. */
static error_t set_plugin(pp_cli_peer *peer, const char *text) {
  static char *const self[] = {"/proc/self/exe", "serve", "--plugin"};
  memcpy(peer->argv, self, sizeof self);
  free(peer->words);
  peer->words = strdup(text);
  peer->argv[3] = peer->words;
  return peer->words ? 0 : ENOMEM;
}

static error_t name_it(pp_cli_peer *peer, bool plugin, char *text,
                       struct argp_state *state) {
  if (peer->given) argp_error(state, "one --impl or one --plugin is wanted");
  if (text[0] == '\0') argp_error(state, "--impl: the command is empty");
  peer->given = text;
  peer->plugin = plugin;
  return plugin ? set_plugin(peer, text) : set_command(peer, text);
}

static error_t parse(int key, char *text, struct argp_state *state) {
  enum { DAY = 86400 };
  pp_cli_peer *peer = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    peer->options = pp_peer_usual;
    peer->options.argv = peer->argv;
    return 0;
  case OPTION_IMPL:
  case OPTION_PLUGIN:
    return name_it(peer, key == OPTION_PLUGIN, text, state);
  case OPTION_MODE:
    if (!pp_compare_named(text, &peer->compare))
      argp_error(state, "--mode: \"%s\" is none of exact, valid, total", text);
    peer->has_compare = true;
    return 0;
  case OPTION_START:
    peer->options.start = (double)pp_cli_number("--start", text, 1, DAY, state);
    return 0;
  case OPTION_ANSWER:
    peer->options.answer =
        (double)pp_cli_number("--answer", text, 1, DAY, state);
    return 0;
  case OPTION_RESTARTS:
    peer->options.restarts =
        (unsigned)pp_cli_number("--restarts", text, 0, 100000, state);
    return 0;
  case ARGP_KEY_END:
    if (!peer->given) argp_error(state, "--impl or --plugin is wanted");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp pp_cli_peer_argp = {.options = options, .parser = parse};

void pp_cli_peer_free(pp_cli_peer *peer) {
  free(peer->words);
  peer->words = NULL;
}
