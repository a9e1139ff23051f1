#include "backend_conform.h"

#include "backend_parts.h"
#include "backend_watch.h"
#include "must.h"
#include "plugins.h"

#include <string.h>
#include <unistd.h>

enum { PART_SECONDS = 600, START_SECONDS = 60 };

/* What a child is told. */
typedef struct pp_task {
  const pp_backend_conform_options *options;
  const pp_backend_part *part;
} pp_task;

static void must_load(const char *path, pp_apart *apart, pp_plugin *plugin) {
  if (pp_plugin_load(path, plugin, &apart->diag) != 0) _exit(0);
}

static void look_kinds(pp_apart *apart, void *state) {
  const pp_backend_conform_options *options = state;
  pp_plugin plugin;
  apart->within = "loading";
  must_load(options->library, apart, &plugin);
  apart->extra.kinds = (plugin.planner ? PP_PLUGIN_PLANNER : 0U) |
                       (plugin.backend ? PP_PLUGIN_BACKEND : 0U);
  apart->within = NULL;
}

int pp_plugin_kinds(const char *path, unsigned *kinds, pp_diag *diag) {
  static const pp_apart_limits limits = {START_SECONDS, START_SECONDS};
  pp_apart *apart = pp_apart_new();
  if (!apart) return pp_fail_memory(diag);
  pp_backend_conform_options options = {.library = path};
  int status = pp_apart_run(apart, look_kinds, &options, &limits, diag);
  if (status == 0 && apart->sentence[0])
    status = pp_diag_fail(diag, PP_EXIT_INPUT, "%s cannot be loaded: %s", path,
                          apart->sentence);
  *kinds = apart->extra.kinds;
  pp_apart_free(apart);
  return status;
}

/* Loads and opens it; one that is not here is no finding. */
static void open_backend(const char *path, pp_apart *apart, pp_plugin *plugin,
                         pp_backend **backend) {
  *backend = NULL;
  apart->within = "loading";
  must_load(path, apart, plugin);
  apart->within = "open";
  pp_status status = plugin->backend->open(backend);
  apart->within = NULL;
  if (status == PP_NO_DEVICE) {
    (void)pp_diag_fail(&apart->diag, PP_EXIT_INPUT,
                       "%s: open answers that there is no device here", path);
    _exit(0);
  }
  if (status != PP_OK) pp_die("open: %s", pp_status_text(status));
  if (!*backend) pp_die("open hands out no backend");
}

static void close_backend(pp_apart *apart, const pp_plugin *plugin,
                          pp_backend *backend) {
  apart->within = "close";
  if (plugin->backend->close) plugin->backend->close(backend);
  apart->within = NULL;
}

static size_t ask_devices(pp_backend *backend) {
  size_t devices = 0;
  pp_status status = backend->call->devices(backend, &devices);
  if (status != PP_OK) pp_die("devices: %s", pp_status_text(status));
  if (devices == 0)
    pp_die("devices: there are none, and that is PP_NO_DEVICE (BKD-3)");
  return devices;
}

static void ask_limits(pp_backend *backend, pp_limits *limits) {
  pp_status status = backend->call->limits(backend, 0, limits);
  if (status != PP_OK) pp_die("limits: %s", pp_status_text(status));
  uint64_t align = limits->alignment;
  if (align == 0 || (align & (align - 1)) != 0)
    pp_die("limits: the alignment %llu is no power of two",
           (unsigned long long)align);
  if (!memchr(limits->name, '\0', sizeof limits->name))
    pp_die("limits: the name has no end");
}

static void set_text(char out[128], const char *text) {
  out[0] = '\0';
  if (text) (void)pp_printable(text, out, 128);
}

/* The first child: what is it? */
static void look(pp_apart *apart, void *state) {
  const pp_task *task = state;
  pp_plugin plugin;
  pp_backend *inner = NULL;
  pp_backend_watch watch;
  pp_limits limits = {.alignment = 0};
  open_backend(task->options->library, apart, &plugin, &inner);
  set_text(apart->extra.about.name, plugin.backend->name);
  set_text(apart->extra.about.version, plugin.backend->version);
  pp_backend_watch_open(&watch, inner, apart);
  apart->extra.about.devices = ask_devices(&watch.backend);
  ask_limits(&watch.backend, &limits);
  set_text(apart->extra.about.device, limits.name);
  apart->extra.about.alignment = limits.alignment;
  apart->extra.about.asynchronous = limits.asynchronous;
  apart->cases = 1;
  close_backend(apart, &plugin, inner);
}

static void run_part(pp_apart *apart, void *state) {
  const pp_task *task = state;
  pp_plugin plugin;
  pp_backend *inner = NULL;
  pp_backend_watch watch;
  open_backend(task->options->library, apart, &plugin, &inner);
  pp_backend_watch_open(&watch, inner, apart);
  const pp_backend_part_on on = {.backend = &watch.backend,
                                 .devices = ask_devices(&watch.backend),
                                 .late = apart->extra.about.asynchronous,
                                 .seed = task->options->seed,
                                 .seconds = task->options->seconds,
                                 .apart = apart};
  task->part->run(&on);
  close_backend(apart, &plugin, inner);
}

/* One part; the first one, which has no `part`, finds out what it is. */
static int try_part(pp_backend_conformance *all, pp_apart *apart, pp_task *task,
                    pp_diag *diag) {
  const pp_backend_conform_options *options = task->options;
  const pp_apart_limits limits = {options->answer,
                                  PART_SECONDS + options->seconds};
  pp_backend_outcome *outcome = &all->outcome[all->outcomes];
  double start = pp_seconds();
  *outcome = (pp_backend_outcome){.name = "opening",
                                  .about = "it opens, and says what it is"};
  if (task->part) {
    outcome->name = task->part->name;
    outcome->about = task->part->about;
  }
  if (pp_apart_run(apart, task->part ? run_part : look, task, &limits, diag) !=
      0)
    return diag->code;
  outcome->cases = apart->cases;
  outcome->seconds = pp_seconds() - start;
  (void)pp_printable(apart->sentence, outcome->sentence,
                     sizeof outcome->sentence);
  if (outcome->sentence[0]) all->found++;
  all->outcomes++;
  return 0;
}

static int try_all(const pp_backend_conform_options *options,
                   pp_backend_conformance *all, pp_apart *apart,
                   pp_diag *diag) {
  pp_task task = {.options = options};
  if (try_part(all, apart, &task, diag) != 0) return diag->code;
  memcpy(all->name, apart->extra.about.name, sizeof all->name);
  memcpy(all->version, apart->extra.about.version, sizeof all->version);
  memcpy(all->device, apart->extra.about.device, sizeof all->device);
  all->devices = apart->extra.about.devices;
  all->alignment = apart->extra.about.alignment;
  all->asynchronous = apart->extra.about.asynchronous;
  for (size_t k = 0; k < PP_BACKEND_PARTS; k++) {
    if (all->found > 0 && (options->first || all->devices == 0)) break;
    task.part = &pp_backend_parts[k];
    if (options->progress)
      (void)fprintf(options->progress, "%s\n", task.part->name);
    if (try_part(all, apart, &task, diag) != 0) return diag->code;
  }
  return 0;
}

int pp_backend_conform(const pp_backend_conform_options *options,
                       pp_backend_conformance *conformance, pp_diag *diag) {
  pp_apart *apart = pp_apart_new();
  if (!apart) return pp_fail_memory(diag);
  *conformance = (pp_backend_conformance){.library = options->library,
                                          .seed = options->seed};
  int status = try_all(options, conformance, apart, diag);
  pp_apart_free(apart);
  return status;
}
