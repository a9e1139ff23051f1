/* poolproof: a request of the protocol, as problem (and layout).
 * SPDX-License-Identifier: MIT */
#include "formats/parts.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

static bool take_claim(const pp_ask *ask, pp_layout *layout) {
  size_t n = ask->c.n;
  *layout =
      (pp_layout){.n = n,
                  .segment = calloc(n + 1, sizeof *layout->segment),
                  .offset = calloc(n + 1, sizeof *layout->offset),
                  .segments = ask->claim.segments,
                  .size = calloc(ask->claim.segments + 1, sizeof *layout->size),
                  .index = SIZE_MAX};
  if (!layout->segment || !layout->offset || !layout->size) return false;
  for (size_t i = 0; i < n; i++) {
    layout->segment[i] = ask->claim.segment[i];
    layout->offset[i] = ask->claim.offset[i];
  }
  for (size_t k = 0; k < ask->claim.segments; k++)
    layout->size[k] = ask->claim.size[k];
  return true;
}

int pp_import_request(const pp_bytes *bytes, pp_import *import, pp_diag *diag) {
  pp_ask ask;
  int status = pp_wire_read_ask(bytes->name, (const char *)bytes->at,
                                bytes->size, &ask, diag);
  if (status != 0) return status;
  if (ask.verb != PP_ASK_SEGMENTS && ask.verb != PP_ASK_ARENA &&
      ask.verb != PP_ASK_VALIDATE)
    status = pp_diag_fail(diag, PP_EXIT_INPUT,
                          "%s: \"verb\": a request for %s has no items",
                          bytes->name, pp_ask_verb_name(ask.verb));
  if (status == 0) status = pp_case_to_problem(&ask.c, &import->problem, diag);
  if (status == 0 && ask.verb == PP_ASK_VALIDATE) {
    import->has_layout = true;
    if (!take_claim(&ask, &import->layout)) status = pp_fail_memory(diag);
  }
  pp_ask_free(&ask);
  return status;
}
