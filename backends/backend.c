/* poolproof: backends by name, and the global setting (BKD-1, BKD-2).
 * SPDX-License-Identifier: MIT */
#include "modules.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SHOWN = 60 }; /* of a name that is refused */

static const struct {
  const char *name;
  const char *alias;
  const char *about;
  pp_backend *module;
} list[] = {
#define PP_BACKEND_ENTRY(NAME, name, alias, about)                             \
  {#name, alias, about, &pp_backend_##name},
    PP_BACKENDS(PP_BACKEND_ENTRY)
#undef PP_BACKEND_ENTRY
};

#define PP_BACKEND_LISTED(NAME, name, alias, about) ", " #name
static const char names[] = PP_BACKENDS(PP_BACKEND_LISTED);
#undef PP_BACKEND_LISTED

/* What NULL means. id is PP_BACKEND_COUNT when the environment names no
 * backend; unknown then begins as the name does. */
static struct {
  pthread_mutex_t lock;
  bool known;
  pp_backend_id id;
  char unknown[NAME_SHOWN + 1];
} setting = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int lower(char c) {
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static bool same(const char *a, const char *b) {
  for (; *a != '\0' && lower(*a) == lower(*b); a++)
    b++;
  return lower(*a) == lower(*b);
}

/* PP_BACKEND_COUNT: none has that name. */
static pp_backend_id parse(const char *name) {
  unsigned id = 0;
  while (id < PP_BACKEND_COUNT && !same(name, list[id].name) &&
         (list[id].alias == NULL || !same(name, list[id].alias)))
    id++;
  return (pp_backend_id)id;
}

static pp_status refuse(const char *name, const char *where,
                        pp_failure *failure) {
  return pp_fail(failure, PP_UNKNOWN_BACKEND,
                 "\"%.*s\"%s is no backend; there are %s (BKD-2)", NAME_SHOWN,
                 name, where, names + 2);
}

/* With the setting's lock held. */
static void read_environment(void) {
  if (setting.known) return;
  const char *name = getenv("POOLPROOF_BACKEND");
  setting.known = true;
  setting.id = name != NULL ? parse(name) : PP_BACKEND_CC;
  if (setting.id == PP_BACKEND_COUNT)
    (void)snprintf(setting.unknown, sizeof setting.unknown, "%s", name);
}

static pp_status get_global(pp_backend **backend, pp_failure *failure) {
  pp_status status = PP_OK;
  pthread_mutex_lock(&setting.lock);
  read_environment();
  if (setting.id < PP_BACKEND_COUNT)
    *backend = list[setting.id].module;
  else
    status = refuse(setting.unknown, " in POOLPROOF_BACKEND", failure);
  pthread_mutex_unlock(&setting.lock);
  return status;
}

pp_status pp_get_backend(const char *name, pp_backend **backend,
                         pp_failure *failure) {
  if (name == NULL) return get_global(backend, failure);
  pp_backend_id id = parse(name);
  if (id >= PP_BACKEND_COUNT) return refuse(name, "", failure);
  *backend = list[id].module;
  return PP_OK;
}

pp_status pp_set_global_backend(const char *name, pp_failure *failure) {
  if (name == NULL)
    return pp_fail(failure, PP_UNKNOWN_BACKEND,
                   "a backend's name is wanted; there are %s (BKD-2)",
                   names + 2);
  pp_backend_id id = parse(name);
  if (id == PP_BACKEND_COUNT) return refuse(name, "", failure);
  pthread_mutex_lock(&setting.lock);
  setting.known = true;
  setting.id = id;
  pthread_mutex_unlock(&setting.lock);
  return PP_OK;
}

const char *pp_backend_name(const pp_backend *backend) {
  return backend->name;
}

const char *pp_backend_id_name(pp_backend_id id) {
  return (unsigned)id < PP_BACKEND_COUNT ? list[id].name : NULL;
}

const char *pp_backend_id_alias(pp_backend_id id) {
  return (unsigned)id < PP_BACKEND_COUNT ? list[id].alias : NULL;
}

const char *pp_backend_id_about(pp_backend_id id) {
  return (unsigned)id < PP_BACKEND_COUNT ? list[id].about : NULL;
}

pp_backend *pp_backend_module(pp_backend_id id) {
  return (unsigned)id < PP_BACKEND_COUNT ? list[id].module : NULL;
}

const char *pp_backend_call_name(pp_backend_call call) {
  static const char *const calls[] = {
#define PP_CALL_NAME(NAME, name) #name,
      PP_BACKEND_CALLS(PP_CALL_NAME)
#undef PP_CALL_NAME
  };
  return (unsigned)call < PP_CALL_COUNT ? calls[call] : "?";
}
