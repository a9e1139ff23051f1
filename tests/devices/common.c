/* poolproof: what the device tests share.
 * SPDX-License-Identifier: MIT */
#include "common.h"

#include "here.h"
#include "number.h"

#include <dlfcn.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: [--backend NAME,...] [--require NAME,...] [--devices N]"
    " [--alignment BYTES] [--no-far] [--probe] [--seed S]\n";

/* The backends of a list of names; 0: one of them is none. */
static unsigned read_names(const char *names) {
  char text[128];
  unsigned set = 0;
  char *rest = NULL;
  if (strlen(names) >= sizeof text) return 0;
  memcpy(text, names, strlen(names) + 1);
  for (char *name = strtok_r(text, ",", &rest); name != NULL;
       name = strtok_r(NULL, ",", &rest)) {
    pp_backend_id id = 0;
    while (id < PP_BACKEND_COUNT && strcmp(name, pp_backend_id_name(id)) != 0)
      id++;
    if (id == PP_BACKEND_COUNT) return 0;
    set |= 1U << id;
  }
  return set;
}

static const char *read_option(int option, pp_asked *asked) {
  uint64_t number = 0;
  const char *wrong = NULL;
  if (option == 'b') asked->wanted = read_names(optarg);
  if (option == 'r') asked->required = read_names(optarg);
  if (option == 'd' || option == 's' || option == 'a')
    wrong = pp_parse_u64(optarg, &number);
  if (option == 'd') asked->devices = (size_t)number;
  if (option == 's') asked->seed = number;
  if (option == 'a') asked->alignment = number;
  if (option == 'f') asked->far = false;
  if (option == 'p') asked->probe = true;
  if (option == '?') wrong = "no such option";
  if (option == 'b' && asked->wanted == 0) wrong = "no such backend";
  if (option == 'r' && asked->required == 0) wrong = "no such backend";
  return wrong;
}

bool pp_asked_read(int argc, char **argv, pp_asked *asked) {
  static const struct option options[] = {
      {"backend", required_argument, 0, 'b'},
      {"require", required_argument, 0, 'r'},
      {"devices", required_argument, 0, 'd'},
      {"alignment", required_argument, 0, 'a'},
      {"no-far", no_argument, 0, 'f'},
      {"probe", no_argument, 0, 'p'},
      {"seed", required_argument, 0, 's'},
      {0, 0, 0, 0}};
  const char *wrong = NULL;
  int option = 0;
  *asked = (pp_asked){.wanted = (1U << PP_BACKEND_COUNT) - 1,
                      .devices = 1,
                      .far = true,
                      .seed = 1};
  while (!wrong && (option = getopt_long(argc, argv, "", options, NULL)) >= 0)
    wrong = read_option(option, asked);
  if (!wrong && optind < argc) wrong = "no arguments are taken";
  if (wrong) fprintf(stderr, "%s\n%s", wrong, usage);
  return !wrong;
}

static void check_alignment(pp_backend *backend, uint64_t wanted) {
  pp_limits limits = {0};
  if (wanted == 0) return;
  if (backend->call->limits(backend, 0, &limits) != PP_OK)
    pp_die("%s: no limits", backend->name);
  if (limits.alignment != wanted)
    pp_die("%s: its alignment is %" PRIu64 " bytes, not %" PRIu64,
           backend->name, limits.alignment, wanted);
}

size_t pp_devices_here(pp_backend_id id, const pp_asked *asked) {
  pp_backend *backend = pp_backend_module(id);
  bool required = (asked->required >> id & 1U) != 0;
  size_t count = 0;
  pp_failure why = {.status = PP_OK};
  if ((asked->wanted >> id & 1U) == 0 && !required) return 0;
  pp_status status = pp_backend_look(backend, &count, &why);
  if (status != PP_OK && status != PP_NO_DEVICE) pp_die("%s", why.text);
  if (status == PP_NO_DEVICE) count = 0;
  if (required && count < asked->devices)
    pp_die("%s is required with %zu devices, and has %zu: %s", backend->name,
           asked->devices, count, why.text);
  if (required) check_alignment(backend, asked->alignment);
  if (count == 0) printf("SKIPPED %s: %s\n", backend->name, why.text);
  return count;
}

/* POSIX says that what dlsym answers may be called. */
pp_function pp_driver_function(const char *library, const char *name) {
  union {
    void *object;
    pp_function function;
  } found = {NULL};
  void *handle = dlopen(library, RTLD_NOW | RTLD_NOLOAD);
  if (handle == NULL) return NULL;
  found.object = dlsym(handle, name);
  dlclose(handle);
  return found.function;
}
