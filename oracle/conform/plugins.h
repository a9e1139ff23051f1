/* poolproof: plugins (<poolproof/plugin.h>), loaded and asked.
 * SPDX-License-Identifier: MIT */
#ifndef PP_PLUGINS_H
#define PP_PLUGINS_H

#include "wire.h"

#include <poolproof/plugin.h>

/* A library that was loaded. planner or backend, or both, are not NULL. */
typedef struct pp_plugin {
  void *library;
  const pp_planner_plugin *planner;
  const pp_backend_plugin *backend;
} pp_plugin;

/* Loads a library into this process, for good, and checks what it says of
 * itself. A path without "/" is a file of this folder. What may crash here is
 * the plugin's. Returns 0, or diag's: PP_EXIT_INPUT when it is no plugin, or
 * one of another ABI. */
int pp_plugin_load(const char *path, pp_plugin *plugin, pp_diag *diag);

/* What a planner says of itself, as its answer to hello: *hello, but for
 * protocol, items and batch, which stay. Returns 0 or diag's. */
int pp_plugin_hello(const pp_plugin *plugin, pp_hello *hello, pp_diag *diag);

/* Answers by the planner (a pp_serve_answer; state is a pp_plugin). What the
 * plugin must not do (write around its arrays or into the items, name an item
 * that is not there, answer what is no status) becomes an ERROR that says so.
 * False: out of memory. */
bool pp_plugin_answer(void *state, const pp_ask *ask, pp_reply *reply);

/* What a plugin has, a bit each. */
enum { PP_PLUGIN_PLANNER = 1, PP_PLUGIN_BACKEND = 2 };

/* Loads it in a process of its own to see which. Returns 0, or diag's, also
 * when it crashes or hangs there. */
int pp_plugin_kinds(const char *path, unsigned *kinds, pp_diag *diag);

#endif
