/* poolproof: what the runtime's long tests share.
 * SPDX-License-Identifier: MIT */
#include "common.h"

#include "here.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char pp_again[256];

void pp_die(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  flockfile(stdout);
  vprintf(format, arguments);
  printf("\n%s%s", pp_again, pp_again[0] != '\0' ? "\n" : "");
  fflush(stdout);
  va_end(arguments);
  _Exit(1);
}

pp_routine *pp_routine_of(const char *text) {
  pp_routine *routine = NULL;
  pp_failure why;
  if (pp_routine_parse(text, strlen(text), &routine, &why) != PP_OK)
    pp_die("routine: %s", why.text);
  return routine;
}

pp_backend *pp_backend_of(const char *name) {
  pp_backend *backend = NULL;
  pp_failure why;
  if (pp_get_backend(name, &backend, &why) != PP_OK) pp_die("%s", why.text);
  return backend;
}

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

pp_context *pp_root_on(pp_backend *backend, size_t ordinal) {
  pp_context *root = NULL;
  pp_failure why;
  if (pp_make_context(backend, ordinal, &root, &why) != PP_OK)
    pp_die("root context: %s", why.text);
  return root;
}

pp_context *pp_child_of(pp_context *parent, pp_routine *routine) {
  pp_context *child = NULL;
  pp_failure why;
  if (pp_link(parent, routine, NULL, &child, &why) != PP_OK)
    pp_die("link: %s", why.text);
  return child;
}

void pp_drop(pp_context *context) {
  pp_failure why;
  if (pp_context_free(context, &why) != PP_OK) pp_die("free: %s", why.text);
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

void pp_close_fault(pp_backend *backend) {
  pp_failure why;
  pp_fault_arm(backend, NULL, 0);
  if (pp_teardown(backend, &why) != PP_OK) pp_die("teardown: %s", why.text);
  const char *breach = pp_fault_breach(backend);
  if (breach != NULL) pp_die("the backend's contract was broken: %s", breach);
  size_t leaked = pp_fault_backend_free(backend);
  if (leaked > 0) pp_die("%zu slabs and kernels were never given back", leaked);
}

double pp_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
