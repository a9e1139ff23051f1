#include "cli.h"

#include "number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t pp_cli_bytes(const char *option, const char *text,
                      struct argp_state *state) {
  uint64_t value = 0;
  const char *wrong = pp_parse_bytes(text, &value);
  if (wrong)
    argp_error(state,
               "%s: \"%s\" %s; bytes such as 4294967296, 4G or unlimited are "
               "wanted",
               option, text, wrong);
  return value;
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
  return pp_fail(diag, PP_EXIT_INPUT, "%s: %s", argv[0], strerror(failure));
}

int pp_cli_finish(int status, pp_diag *diag) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  return pp_fail(diag, PP_EXIT_RESOURCE,
                 "standard output cannot be written: %s", strerror(errno));
}
