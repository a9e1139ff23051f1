#include "must.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char pp_again[256];
void (*pp_die_told)(const char *sentence);

void pp_die(const char *format, ...) {
  char sentence[1200];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  if (pp_die_told) {
    pp_die_told(sentence);
  } else {
    flockfile(stdout);
    printf("%s\n%s%s", sentence, pp_again, pp_again[0] != '\0' ? "\n" : "");
    (void)fflush(stdout);
  }
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
