/* poolproof: the options that name an implementation.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CLI_PEER_H
#define PP_CLI_PEER_H

#include "cli.h"
#include "peer.h"

/* options  argv points into this struct: it is not copied
 * given    the command or library as it was given, or NULL
 * plugin   it is a library
 * compare  of --mode */
typedef struct pp_cli_peer {
  pp_peer_options options;
  const char *given;
  bool plugin;
  bool has_compare;
  pp_compare compare;
  char *argv[6];
  char *words; /* owned */
} pp_cli_peer;

/* --impl, --plugin, --mode, --start, --answer, --restarts; input pp_cli_peer.
 * One of the first two must be given. */
extern const struct argp pp_cli_peer_argp;

void pp_cli_peer_free(pp_cli_peer *peer);

#endif
