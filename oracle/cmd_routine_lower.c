/* poolproof: the commands surface and lower. SPDX-License-Identifier: MIT */
#include "cmd_routine.h"
#include "json.h"
#include "output.h"

#include <inttypes.h>
#include <stdio.h>

enum { OPTION_JSON = 256 };

typedef struct pp_lower_arguments {
  const char *file;
  pp_cli_lower lower;
  bool json;
  const char *output;
} pp_lower_arguments;

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_lower_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = (void *)&arguments->file;
    state->child_inputs[1] = &arguments->lower;
    return 0;
  case OPTION_JSON:
    arguments->json = true;
    return 0;
  case 'o':
    arguments->output = text;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child children[] = {
    {&pp_cli_file_argp, 0, NULL, 0}, {&pp_cli_lower_argp, 0, NULL, 0}, {0}};

static const struct argp_option surface_options[] = {
    {"json", OPTION_JSON, NULL, 0, "the same as JSON", 0}, {0}};

static const struct argp surface_argp = {
    surface_options,
    parse,
    "FILE",
    "Where each node of the routine in FILE is placed, why, and which of that "
    "could be flipped (RTN-7)."
    "\vA node is materialised, which takes bytes, or virtual: it is computed "
    "where it is read, or dropped: nothing accesses it. The flips are what "
    "policy decided, the most expensive "
    "first; their cost bounds what computing a node where it is read costs: "
    "reduction extent x reads of a cell x elements read (RTN-4).",
    children,
    NULL,
    NULL};

static const char *placement_text(const pp_placed *placed) {
  if (placed->reason == PP_REASON_UNUSED) return "dropped";
  return placed->placement == PP_VIRTUAL ? "virtual" : "materialised";
}

/* RTN-4: the direction of a flip: to what policy did not choose. */
static const char *flip_text(pp_placement placement) {
  return placement == PP_VIRTUAL ? "materialise" : "inline";
}

static void put_surface(const pp_lowered *surface) {
  printf("  %20s %-20s %-12s %s\n", "uid", "node", "placement", "reason");
  for (size_t i = 0; i < surface->nodes; i++) {
    const pp_placed *placed = &surface->placed[i];
    printf("  %20" PRIu64 " %-20s %-12s %s\n", placed->uid, placed->label,
           placement_text(placed), pp_reason_text(placed->reason));
  }
  puts(surface->candidates > 0 ? "\nflips:" : "\nno flips");
  for (size_t i = 0; i < surface->candidates; i++) {
    const pp_placed *placed = &surface->candidate[i];
    printf("  %20" PRIu64 " %-20s %-12s cost %" PRIu64 "\n", placed->uid,
           placed->label, flip_text(placed->placement), placed->cost);
  }
}

static bool put_placed_json(const pp_placed *placed, const char *before) {
  return pp_json_put_number(stdout, before, placed->uid) &&
         pp_json_put_text(stdout, ",\"label\":", placed->label) &&
         pp_json_put_text(stdout, ",\"placement\":", placement_text(placed)) &&
         pp_json_put_text(stdout,
                          ",\"reason\":", pp_reason_text(placed->reason)) &&
         puts("}") >= 0;
}

static bool put_flip_json(const pp_placed *placed, const char *before) {
  return pp_json_put_number(stdout, before, placed->uid) &&
         pp_json_put_text(stdout, ",\"label\":", placed->label) &&
         pp_json_put_text(stdout, ",\"to\":", flip_text(placed->placement)) &&
         pp_json_put_number(stdout, ",\"cost\":", placed->cost) &&
         puts("}") >= 0;
}

static int put_json(const char *name, const pp_lowered *surface,
                    pp_diag *diag) {
  bool good = pp_json_put_text(
                  stdout, "{\"poolproof\":\"surface/1\",\"routine\":", name) &&
              puts(",\"nodes\":[") >= 0;
  for (size_t i = 0; good && i < surface->nodes; i++)
    good = put_placed_json(&surface->placed[i], i ? ",{\"uid\":" : "{\"uid\":");
  good = good && puts("],\"flips\":[") >= 0;
  for (size_t i = 0; good && i < surface->candidates; i++)
    good =
        put_flip_json(&surface->candidate[i], i ? ",{\"uid\":" : "{\"uid\":");
  return pp_json_written(stdout, good && puts("]}") >= 0, diag);
}

static int show_surface(const pp_lower_arguments *arguments,
                        const pp_routine *source, pp_diag *diag) {
  pp_lowered *surface = NULL;
  pp_failure failure;
  int status = PP_EXIT_FINE;
  if (pp_decision_surface(source, &arguments->lower.options, &surface,
                          &failure) != PP_OK)
    return pp_cli_failed(arguments->file, &failure, diag);
  if (arguments->json) {
    status = put_json(source->name, surface, diag);
  } else {
    printf("%s: routine %s\n", pp_input_name(arguments->file), source->name);
    put_surface(surface);
  }
  pp_lowered_free(surface);
  return status;
}

static const struct argp_option lower_options[] = {
    {"output", 'o', "OUT", 0,
     "write the final code alone there; \"-\" for standard output", 0},
    {0}};

static const struct argp lower_argp = {
    lower_options,
    parse,
    "FILE",
    "Lowers the routine in FILE (RTN) and shows it after each stage."
    "\vZeroings sink to their first use, intermediates are computed where they "
    "are read, statements are cut into kernels, nodes get their spans. Spans "
    "and "
    "kernels that FILE declares are not looked at: they are worked out anew.",
    children,
    NULL,
    NULL};

static int lower(const pp_lower_arguments *arguments, const pp_routine *source,
                 pp_diag *diag) {
  pp_lowered *lowered = NULL;
  pp_failure failure;
  int status = PP_EXIT_FINE;
  pp_lower_options options = arguments->lower.options;
  options.stages = !arguments->output;
  if (arguments->output &&
      pp_output_apart(arguments->output, arguments->file, diag) != 0)
    return diag->code;
  if (pp_lower(source, &options, &lowered, &failure) != PP_OK)
    return pp_cli_failed(arguments->file, &failure, diag);
  if (arguments->output)
    status = pp_routine_write(arguments->output, lowered->routine, diag);
  else
    (void)fputs(lowered->stages, stdout);
  pp_lowered_free(lowered);
  return status;
}

static int command(const struct argp *argp, int argc, char **argv,
                   int (*answer)(const pp_lower_arguments *, const pp_routine *,
                                 pp_diag *),
                   pp_diag *diag) {
  pp_lower_arguments arguments = {0};
  pp_routine *routine = NULL;
  if (pp_cli_parse(argp, argc, argv, &arguments, diag) != 0) return diag->code;
  int status = pp_routine_read(arguments.file, &routine, diag);
  if (status == 0) status = answer(&arguments, routine, diag);
  pp_routine_free(routine);
  return status;
}

int pp_command_surface(int argc, char **argv, pp_diag *diag) {
  return command(&surface_argp, argc, argv, show_surface, diag);
}

int pp_command_lower(int argc, char **argv, pp_diag *diag) {
  return command(&lower_argp, argc, argv, lower, diag);
}
