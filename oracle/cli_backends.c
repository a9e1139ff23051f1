/* poolproof: the option --backend.  SPDX-License-Identifier: MIT */
#include "cli.h"

#include <string.h>

unsigned pp_cli_bits(const char *option, char *text, unsigned all,
                     pp_cli_bit bit, struct argp_state *state) {
  unsigned bits = 0;
  char *rest = NULL;
  if (strcmp(text, "all") == 0) return (1U << all) - 1;
  for (const char *name = strtok_r(text, ",", &rest); name;
       name = strtok_r(NULL, ",", &rest)) {
    unsigned one = bit(option, name, state);
    if ((bits & one) != 0) argp_error(state, "%s: %s twice", option, name);
    bits |= one;
  }
  if (bits == 0) argp_error(state, "%s: a name or \"all\" is wanted", option);
  return bits;
}

static unsigned backend_bit(const char *option, const char *name,
                            struct argp_state *state) {
  pp_backend *backend = NULL;
  pp_failure failure;
  if (pp_get_backend(name, &backend, &failure) != PP_OK)
    argp_error(state, "%s: %s", option, failure.text);
  return backend ? pp_backend_bit(backend) : 0;
}

void pp_cli_choose(const char *option, char *text, pp_backend_choice *choice,
                   struct argp_state *state) {
  choice->named = strcmp(text, "all") != 0;
  choice->backends =
      pp_cli_bits(option, text, PP_BACKEND_COUNT, backend_bit, state);
}

void pp_cli_choose_global(pp_backend_choice *choice, struct argp_state *state) {
  if (choice->backends != 0) return;
  choice->named = true;
  choice->backends = backend_bit("--backend", NULL, state);
}
