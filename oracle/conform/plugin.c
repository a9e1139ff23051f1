#include "plugins.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* POSIX says that what dlsym answers may be called. */
typedef union pp_symbol {
  void *object;
  const pp_planner_plugin *(*planner)(void);
  const pp_backend_plugin *(*backend)(void);
} pp_symbol;

/* What must be so of either struct, up to the last field that we know. */
static int check_head(const char *path, uint32_t abi, uint32_t bytes,
                      size_t wanted, const char *name, pp_diag *diag) {
  if (abi != PP_PLUGIN_ABI)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: its abi is %u, and %d is known here", path,
                        (unsigned)abi, PP_PLUGIN_ABI);
  if (bytes < wanted)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: its struct has %u bytes, and %zu are wanted: it "
                        "was compiled with other headers",
                        path, (unsigned)bytes, wanted);
  if (!name || name[0] == '\0')
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: the plugin has no name",
                        path);
  return 0;
}

static int check_planner(const char *path, const pp_planner_plugin *planner,
                         pp_diag *diag) {
  if (!planner)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s answers NULL", path,
                        PP_PLANNER_PLUGIN);
  int status = check_head(path, planner->abi, planner->bytes, sizeof *planner,
                          planner->name, diag);
  if (status == 0 && !planner->segments && !planner->arena &&
      !planner->validate)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: the planner has none of the three functions",
                        path);
  return status;
}

static int check_backend(const char *path, const pp_backend_plugin *backend,
                         pp_diag *diag) {
  if (!backend)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s answers NULL", path,
                        PP_BACKEND_PLUGIN);
  int status = check_head(path, backend->abi, backend->bytes, sizeof *backend,
                          backend->name, diag);
  if (status == 0 && !backend->open)
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: the backend has no open",
                        path);
  return status;
}

static void *open_library(const char *path, pp_diag *diag) {
  char *here = NULL;
  if (!strchr(path, '/') && asprintf(&here, "./%s", path) < 0) {
    (void)pp_fail_memory(diag);
    return NULL;
  }
  void *library = dlopen(here ? here : path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    (void)pp_diag_fail(diag, PP_EXIT_INPUT, "%s cannot be loaded: %s", path,
                       why ? why : "no reason is given");
  }
  free(here);
  return library;
}

int pp_plugin_load(const char *path, pp_plugin *plugin, pp_diag *diag) {
  *plugin = (pp_plugin){.library = open_library(path, diag)};
  if (!plugin->library) return diag->code;
  pp_symbol planner = {dlsym(plugin->library, PP_PLANNER_PLUGIN)};
  pp_symbol backend = {dlsym(plugin->library, PP_BACKEND_PLUGIN)};
  int status = 0;
  if (!planner.object && !backend.object)
    status = pp_diag_fail(diag, PP_EXIT_INPUT,
                          "%s is no plugin: it exports neither %s nor %s", path,
                          PP_PLANNER_PLUGIN, PP_BACKEND_PLUGIN);
  if (status == 0 && planner.object) {
    plugin->planner = planner.planner();
    status = check_planner(path, plugin->planner, diag);
  }
  if (status == 0 && backend.object) {
    plugin->backend = backend.backend();
    status = check_backend(path, plugin->backend, diag);
  }
  return status;
}

static void set_text(char out[PP_HELLO_TEXT], const char *text) {
  out[0] = '\0';
  if (text) (void)pp_printable(text, out, PP_HELLO_TEXT);
}

/* The features of a list of words. */
static int read_features(const char *words, pp_capabilities *features,
                         pp_diag *diag) {
  char name[32];
  while (*words != '\0') {
    size_t length = strcspn(words, ", ");
    unsigned bit = 0;
    (void)snprintf(name, sizeof name, "%.*s",
                   (int)(length < sizeof name ? length : sizeof name), words);
    if (length > 0 && (!pp_capability_named(name, &bit) || bit < PP_ASK_COUNT))
      return pp_diag_fail(diag, PP_EXIT_INPUT,
                          "the plugin's capabilities: \"%s\" is no feature",
                          name);
    if (length > 0) *features |= (pp_capabilities)1 << bit;
    words += length;
    words += strspn(words, ", ");
  }
  return 0;
}

int pp_plugin_hello(const pp_plugin *plugin, pp_hello *hello, pp_diag *diag) {
  const pp_planner_plugin *planner = plugin->planner;
  pp_capabilities verbs = 0;
  pp_capabilities features = 0;
  if (!planner)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "the plugin has a backend and no planner, and a "
                        "backend answers no questions");
  set_text(hello->name, planner->name);
  set_text(hello->version, planner->version);
  set_text(hello->homepage, planner->homepage);
  hello->compare = PP_COMPARE_EXACT;
  if (planner->compare && !pp_compare_named(planner->compare, &hello->compare))
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "the plugin's compare: \"%s\" is none of exact, valid, "
                        "total",
                        planner->compare);
  if (planner->segments) verbs |= 1U << PP_ASK_SEGMENTS;
  if (planner->arena) verbs |= 1U << PP_ASK_ARENA;
  if (planner->validate) verbs |= 1U << PP_ASK_VALIDATE;
  if (!planner->capabilities)
    features = PP_CAPABILITY_ALL & ~((1U << PP_ASK_COUNT) - 1);
  else if (read_features(planner->capabilities, &features, diag) != 0)
    return diag->code;
  hello->capabilities = verbs | features;
  return 0;
}
