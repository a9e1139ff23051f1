/* poolproof: what the runtime's long tests share.
 * SPDX-License-Identifier: MIT */
#include "common.h"

#include "here.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

unsigned pp_backends_for(const char *name) {
  pp_backend_choice choice = {.backends = PP_EVERY_BACKEND};
  pp_backends_here found;
  char names[PP_BACKEND_NAMES];
  pp_diag diag = {0};
  if (name != NULL)
    choice = (pp_backend_choice){pp_backend_bit(pp_backend_of(name)), true};
  if (pp_backends_look(&choice, &found, &diag) != 0) {
    printf("%s\n", diag.text);
    exit(diag.code);
  }
  if (found.missing != 0)
    printf("not available here: %s\n",
           pp_backend_names(found.missing, ", ", names));
  return found.here;
}

bool pp_same_census(const pp_census *a, const pp_census *b) {
  return a->working_pools == b->working_pools &&
         a->working_bytes == b->working_bytes &&
         a->constant_pools == b->constant_pools &&
         a->constant_bytes == b->constant_bytes &&
         a->orphan_pools == b->orphan_pools &&
         a->orphan_bytes == b->orphan_bytes &&
         a->merge_bytes == b->merge_bytes && a->contexts == b->contexts;
}

const char *pp_census_text(const pp_census *census, char *text) {
  snprintf(text, PP_CENSUS_TEXT,
           "%" PRIu64 " working pools (%" PRIu64 " B), %" PRIu64
           " constant (%" PRIu64 " B), %" PRIu64 " orphans (%" PRIu64
           " B), merge buffer %" PRIu64 " B, %" PRIu64 " contexts, %" PRIu64
           " released",
           census->working_pools, census->working_bytes, census->constant_pools,
           census->constant_bytes, census->orphan_pools, census->orphan_bytes,
           census->merge_bytes, census->contexts, census->released);
  return text;
}
