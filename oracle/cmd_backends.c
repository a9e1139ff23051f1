#include "cli.h"

#include <poolproof/backend.h>

#include <inttypes.h>
#include <stdio.h>

enum { OPTION_NAMES = 256 };

static const struct argp_option options[] = {
    {"names", OPTION_NAMES, NULL, 0, "the names alone, one a line", 0}, {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  bool *names = state->input;
  (void)text;
  switch (key) {
  case OPTION_NAMES:
    *names = true;
    break;
  case ARGP_KEY_ARG:
    argp_usage(state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

static const struct argp argp = {
    options,
    parse,
    "",
    "Lists the backends: is each available here, and what can it do?"
    "\vThe name is what --backend takes and what the marker "
    "\"poolproof-backend:\" of a case says; its deprecated alias works too. "
    "POOLPROOF_BACKEND names the one to use where none is given. --names "
    "touches no driver. Exit status 0 also when a backend is not available; "
    "poolproof doctor says why.",
    NULL,
    NULL,
    NULL};

/* Devices and the first one's limits, or why there are none. */
static void print_row(pp_backend_id id) {
  pp_backend *backend = pp_backend_module(id);
  size_t devices = 0;
  pp_limits limits = {0};
  pp_status status = backend->call->devices(backend, &devices);
  if (status == PP_OK && devices == 0) status = PP_NO_DEVICE;
  if (status == PP_OK) status = backend->call->limits(backend, 0, &limits);
  const char *alias = pp_backend_id_alias(id);
  printf("%-12s %-14s ", pp_backend_id_name(id), alias ? alias : "-");
  if (status == PP_OK)
    printf("%7zu %20" PRIu64 " %9" PRIu64 " %-5s  %-28.28s", devices,
           limits.max_pool, limits.alignment,
           limits.asynchronous ? "async" : "sync", limits.name);
  else
    printf("%-74s", "not available here");
  printf("  %s\n", pp_backend_id_about(id));
}

int pp_command_backends(int argc, char **argv, pp_diag *diag) {
  bool names = false;
  if (pp_cli_parse(&argp, argc, argv, &names, diag) != 0) return diag->code;
  if (!names)
    puts("name         alias          devices      max pool, bytes alignment "
         "work   first device                  what it is");
  for (pp_backend_id id = 0; id < PP_BACKEND_COUNT; id++)
    if (names)
      puts(pp_backend_id_name(id));
    else
      print_row(id);
  return PP_EXIT_FINE;
}
