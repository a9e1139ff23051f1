#include "backend_conform.h"
#include "cli_peer.h"
#include "conform.h"
#include "output.h"
#include "plugins.h"
#include "random.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum {
  OPTION_VECTORS = 256,
  OPTION_FUZZ,
  OPTION_RUNS,
  OPTION_SEED,
  OPTION_MAX_ITEMS,
  OPTION_WAIVE,
  OPTION_FIRST,
  OPTION_FINDS,
  OPTION_QUIET,
  OPTION_REPORT /* and what follows, as in reports below */
};

enum { USUAL_SECONDS = 10, USUAL_ITEMS = 16, MOST_ITEMS = 1000 };

typedef int pp_report_writer(FILE *out, const pp_conformance *conformance,
                             pp_diag *diag);

static pp_report_writer *const reports[] = {pp_report_json, pp_report_junit,
                                            pp_report_sarif, pp_report_html,
                                            pp_report_badge};

enum { REPORTS = sizeof reports / sizeof *reports };

typedef struct pp_conform_arguments {
  pp_cli_peer peer;
  const char *vectors;
  const char *waive;
  const char *report[REPORTS];
  pp_conform_options options;
  bool has_seed, has_limit, quiet;
} pp_conform_arguments;

static const struct argp_option options[] = {
    {"vectors", OPTION_VECTORS, "PATH|none", 0,
     "a folder or file of vectors (default: those that the program carries)",
     0},
    {"fuzz", OPTION_FUZZ, "SECONDS", 0,
     "how long to ask random questions after them; 0: not at all (default 10)",
     0},
    {"runs", OPTION_RUNS, "N", 0, "how many random questions to ask", 0},
    {"seed", OPTION_SEED, "S", 0, "repeat the questions of this seed", 0},
    {"max-items", OPTION_MAX_ITEMS, "N", 0,
     "the greatest random question (default 16)", 0},
    {"waive", OPTION_WAIVE, "FILE", 0,
     "known disagreements, each with its issue and the day until which it is "
     "let pass (waivers/1)",
     0},
    {"first", OPTION_FIRST, NULL, 0, "stop at the first finding", 0},
    {"finds", OPTION_FINDS, "DIR", 0,
     "where fuzzing writes what it found (default: here)", 0},
    {"quiet", OPTION_QUIET, NULL, 0, "no progress", 0},
    {"json", OPTION_REPORT, "FILE", 0, "write the outcome as conformance/1", 1},
    {"junit", OPTION_REPORT + 1, "FILE", 0, "write it as JUnit XML", 1},
    {"sarif", OPTION_REPORT + 2, "FILE", 0, "write it as SARIF 2.1.0", 1},
    {"html", OPTION_REPORT + 3, "FILE", 0,
     "write it as a page with both layouts drawn", 1},
    {"badge", OPTION_REPORT + 4, "FILE", 0, "write a badge (SVG)", 1},
    {0}};

static void set_limit(pp_conform_arguments *arguments, int key,
                      const char *text, struct argp_state *state) {
  enum { MOST_SECONDS = 1 << 30 };
  arguments->has_limit = true;
  if (key == OPTION_FUZZ)
    arguments->options.seconds =
        (double)pp_cli_number("--fuzz", text, 0, MOST_SECONDS, state);
  else
    arguments->options.runs =
        pp_cli_number("--runs", text, 1, UINT64_MAX, state);
}

/* What says how to ask. */
static error_t parse_how(int key, char *text, struct argp_state *state) {
  pp_conform_arguments *arguments = state->input;
  pp_conform_options *how = &arguments->options;
  switch (key) {
  case OPTION_FUZZ:
  case OPTION_RUNS:
    set_limit(arguments, key, text, state);
    return 0;
  case OPTION_SEED:
    how->seed = pp_cli_number("--seed", text, 0, UINT64_MAX, state);
    arguments->has_seed = true;
    return 0;
  case OPTION_MAX_ITEMS:
    how->max_items =
        (size_t)pp_cli_number("--max-items", text, 1, MOST_ITEMS, state);
    return 0;
  case OPTION_FIRST:
    how->first = true;
    return 0;
  case OPTION_FINDS:
    how->finds = text;
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "\"%s\": no argument is wanted", text);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_conform_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->peer;
    return 0;
  case OPTION_VECTORS:
    arguments->vectors = text;
    return 0;
  case OPTION_WAIVE:
    arguments->waive = text;
    return 0;
  case OPTION_QUIET:
    arguments->quiet = true;
    return 0;
  default:
    if (key < OPTION_REPORT || key >= OPTION_REPORT + REPORTS)
      return parse_how(key, text, state);
    arguments->report[key - OPTION_REPORT] = text;
    return 0;
  }
}

static const struct argp_child children[] = {{&pp_cli_peer_argp, 0, NULL, 0},
                                             {0}};

static const struct argp argp = {
    options,
    parse,
    "--impl COMMAND|--plugin LIBRARY",
    "Holds an implementation to the rules: every vector, then random "
    "questions, each answer compared with the reference's."
    "\vWhat fuzzing finds is made small, written as a file and shown; "
    "`poolproof shrink FILE --impl COMMAND` shows it again. A process that "
    "crashes, hangs or breaks the protocol is named, started again and asked "
    "on. Exit status 0: it conforms; 1: it does not, or nothing of what was "
    "asked was answered.",
    children,
    NULL,
    NULL};

static int read_vectors(const pp_conform_arguments *arguments,
                        pp_vectors *vectors, pp_diag *diag) {
  if (!arguments->vectors) return pp_vectors_embedded(vectors, diag);
  if (strcmp(arguments->vectors, "none") == 0) return 0;
  return pp_vectors_read(arguments->vectors, vectors, diag);
}

static int write_report(const char *path, pp_report_writer *write,
                        const pp_conformance *conformance, pp_diag *diag) {
  pp_output output;
  int status = pp_output_open(&output, path, diag);
  if (status != 0) return status;
  return pp_output_end(&output, write(output.stream, conformance, diag), diag);
}

static int tell(const pp_conform_arguments *arguments,
                const pp_conformance *conformance, pp_diag *diag) {
  bool stdout_taken = false;
  int status = 0;
  for (size_t k = 0; k < REPORTS; k++) {
    const char *path = arguments->report[k];
    if (!path) continue;
    if (strcmp(path, "-") == 0) stdout_taken = true;
    int came = write_report(path, reports[k], conformance, diag);
    if (status == 0) status = came;
  }
  if (!stdout_taken && status == 0)
    status = pp_report_text(stdout, conformance, diag);
  if (status != 0) return status;
  return pp_conforms(conformance) ? PP_EXIT_FINE : PP_EXIT_FOUND;
}

/* A folder that is not there is found out before, not after, the work. */
static int finds_are_there(const char *finds, pp_diag *diag) {
  if (!finds || access(finds, W_OK | X_OK) == 0) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: cannot be written to: %s",
                      finds, strerror(errno));
}

static int conform(const pp_conform_arguments *arguments, pp_diag *diag) {
  pp_vectors vectors = {0};
  pp_waivers waivers = {0};
  pp_conformance conformance = {0};
  pp_conform_options how = arguments->options;
  int status = finds_are_there(arguments->options.finds, diag);
  if (status == 0) status = read_vectors(arguments, &vectors, diag);
  if (status == 0 && arguments->waive) {
    status = pp_waivers_read(arguments->waive, &waivers, diag);
    how.waivers = &waivers;
  }
  how.peer = arguments->peer.options;
  how.command = arguments->peer.given;
  how.plugin = arguments->peer.plugin;
  how.vectors = &vectors;
  how.has_compare = arguments->peer.has_compare;
  how.compare = arguments->peer.compare;
  how.progress = arguments->quiet ? NULL : stderr;
  if (!arguments->has_limit) how.seconds = USUAL_SECONDS;
  if (!arguments->has_seed) how.seed = pp_random_fresh_seed();
  if (status == 0) status = pp_conform(&how, &conformance, diag);
  if (status == 0) status = tell(arguments, &conformance, diag);
  pp_conformance_free(&conformance);
  pp_waivers_free(&waivers);
  pp_vectors_free(&vectors);
  return pp_cli_finish(status, diag);
}

/* A backend's plugin: no questions, but calls of its table. */
static int conform_backend(const pp_conform_arguments *arguments,
                           pp_diag *diag) {
  const char *json = arguments->report[0];
  pp_output output;
  pp_backend_conformance conformance;
  const pp_backend_conform_options how = {
      .library = arguments->peer.given,
      .seconds =
          arguments->has_limit ? arguments->options.seconds : USUAL_SECONDS,
      .answer = arguments->peer.options.answer,
      .seed = arguments->has_seed ? arguments->options.seed
                                  : pp_random_fresh_seed(),
      .first = arguments->options.first,
      .progress = arguments->quiet ? NULL : stderr};
  int status = pp_backend_conform(&how, &conformance, diag);
  if (status == 0 && json) {
    status = pp_output_open(&output, json, diag);
    if (status == 0)
      status = pp_output_end(
          &output, pp_backend_report_json(output.stream, &conformance, diag),
          diag);
  }
  if (status == 0 && (!json || strcmp(json, "-") != 0))
    status = pp_backend_report_text(stdout, &conformance, diag);
  if (status == 0 && conformance.found > 0) status = PP_EXIT_FOUND;
  return pp_cli_finish(status, diag);
}

int pp_command_conform(int argc, char **argv, pp_diag *diag) {
  pp_conform_arguments arguments = {.options = {.max_items = USUAL_ITEMS}};
  unsigned kinds = PP_PLUGIN_PLANNER;
  int status = pp_cli_parse(&argp, argc, argv, &arguments, diag);
  if (status == 0 && arguments.peer.plugin)
    status = pp_plugin_kinds(arguments.peer.given, &kinds, diag);
  if (status == 0)
    status = kinds == PP_PLUGIN_BACKEND ? conform_backend(&arguments, diag)
                                        : conform(&arguments, diag);
  pp_cli_peer_free(&arguments.peer);
  return status;
}
