#include "cli.h"
#include "formats/formats.h"
#include "output.h"
#include "source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct pp_convert_arguments {
  const char *file;
  const char *layout_file;
  const char *output;
  const char *layout_output;
  bool has_from, has_to;
  pp_outside from, to;
  pp_import_options read;
  pp_export_options write;
  pp_cli_cap cap;
} pp_convert_arguments;

enum {
  OPTION_FROM = 256,
  OPTION_TO,
  OPTION_SPANS,
  OPTION_WRITE_SPANS,
  OPTION_LAYOUT,
  OPTION_ALLOCATION,
  OPTION_DEVICE,
  OPTION_STRATEGY,
  OPTION_CLASSES,
  OPTION_FLATTEN
};

static const struct argp_option options[] = {
    {"from", OPTION_FROM, "FORMAT", 0,
     "what FILE is (tflm, tflm-text: what LAYOUT is): problem, minimalloc, "
     "tflm, tflm-text, xla, xla-text, pytorch, iopddl, idealloc, plc, armnn, "
     "request",
     0},
    {"to", OPTION_TO, "FORMAT", 0,
     "what is written: problem (default), layout (default from tflm), "
     "minimalloc, tflm, tflm-text, plc, chrome",
     0},
    {"output", 'o', "OUT", 0,
     "write there; \"-\", standard output, if not given", 0},
    {"layout", OPTION_LAYOUT, "OUT", 0,
     "write the layout that was read there as well, as layout/1", 0},
    {"spans", OPTION_SPANS, "ENDS", 0,
     "how lives end in idealloc and plc: exclusive, half-open or inclusive", 0},
    {"write-spans", OPTION_WRITE_SPANS, "ENDS", 0,
     "how they are written: closed (problem's habit), half-open "
     "(minimalloc's); plc has no habit and knows exclusive too",
     0},
    {"allocation", OPTION_ALLOCATION, "INDEX", 0, "xla: which allocation", 0},
    {"device", OPTION_DEVICE, "N", 0, "pytorch: which device", 0},
    {"strategy", OPTION_STRATEGY, "N|min", 0,
     "iopddl: the strategy (default 0), or each node's smallest usage", 0},
    {"classes", OPTION_CLASSES, "stream", 0,
     "pytorch: blocks of two streams never share bytes", 0},
    {"flatten", OPTION_FLATTEN, NULL, 0,
     "where plc cannot say it: drop classes, let what is always live live from "
     "the first step to the last, number the items",
     0},
    {0}};

static pp_outside format_named(const char *option, const char *name,
                               bool written, struct argp_state *state) {
  pp_outside format = PP_OUT_PROBLEM;
  char list[200];
  if (!pp_outside_named(name, written, &format))
    argp_error(state, "%s: \"%s\" is none of %s", option, name,
               pp_outside_list(written, list, sizeof list));
  return format;
}

static pp_ends ends_named(const char *option, const char *name,
                          struct argp_state *state) {
  pp_ends ends = PP_ENDS_SAID;
  if (!pp_ends_named(name, &ends))
    argp_error(state,
               "%s: \"%s\" is none of closed, inclusive, half-open, exclusive",
               option, name);
  return ends;
}

/* The options that only one format knows. */
static error_t parse_own(int key, char *text, struct argp_state *state) {
  pp_import_options *read = &((pp_convert_arguments *)state->input)->read;
  switch (key) {
  case OPTION_ALLOCATION:
    read->has_allocation = true;
    read->allocation = pp_cli_number("--allocation", text, 0, INT64_MAX, state);
    return 0;
  case OPTION_DEVICE:
    read->has_device = true;
    read->device = pp_cli_number("--device", text, 0, INT64_MAX, state);
    return 0;
  case OPTION_STRATEGY:
    read->smallest = strcmp(text, "min") == 0;
    if (!read->smallest)
      read->strategy = pp_cli_number("--strategy", text, 0, INT64_MAX, state);
    return 0;
  case OPTION_CLASSES:
    read->stream_classes = strcmp(text, "stream") == 0;
    if (!read->stream_classes)
      argp_error(state, "--classes: \"%s\" is not stream", text);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void add_file(pp_convert_arguments *arguments, const char *text,
                     struct argp_state *state) {
  if (arguments->layout_file)
    argp_error(state, "one FILE and one LAYOUT are wanted");
  if (arguments->file)
    arguments->layout_file = text;
  else
    arguments->file = text;
}

static void only_for(bool given, bool format, const char *option,
                     const char *formats, struct argp_state *state) {
  if (given && !format) argp_error(state, "%s is for %s", option, formats);
}

/* An option that is passed over would change nothing in silence. */
static void check_own(const pp_convert_arguments *arguments,
                      struct argp_state *state) {
  const pp_import_options *read = &arguments->read;
  bool pytorch = arguments->from == PP_OUT_PYTORCH;
  bool with_ends = arguments->to == PP_OUT_PROBLEM ||
                   arguments->to == PP_OUT_MINIMALLOC ||
                   arguments->to == PP_OUT_PLC;
  only_for(read->has_allocation,
           arguments->from == PP_OUT_XLA || arguments->from == PP_OUT_XLA_TEXT,
           "--allocation", "xla and xla-text", state);
  only_for(read->has_device, pytorch, "--device", "pytorch", state);
  only_for(read->stream_classes, pytorch, "--classes", "pytorch", state);
  only_for(read->smallest || read->strategy > 0,
           arguments->from == PP_OUT_IOPDDL, "--strategy", "iopddl", state);
  only_for(arguments->write.flatten, arguments->to == PP_OUT_PLC, "--flatten",
           "plc", state);
  only_for(arguments->write.ends != PP_ENDS_SAID, with_ends, "--write-spans",
           "problem, minimalloc and plc", state);
}

static void check(pp_convert_arguments *arguments, struct argp_state *state) {
  bool is_layout = pp_outside_is_layout(arguments->from);
  if (!arguments->file) argp_error(state, "a FILE is wanted");
  if (!arguments->has_from)
    argp_error(state, "--from is wanted; a format is never guessed");
  if (is_layout && !arguments->layout_file)
    argp_error(state,
               "--from %s is a layout: FILE, its problem, and LAYOUT "
               "are wanted",
               pp_outside_name(arguments->from));
  if (!arguments->has_to && is_layout) arguments->to = PP_OUT_LAYOUT;
  if (!arguments->output) arguments->output = "-";
  check_own(arguments, state);
  if (arguments->layout_output &&
      strcmp(arguments->output, arguments->layout_output) == 0)
    argp_error(state, "-o and --layout: both are %s", arguments->output);
  if (arguments->layout_file && strcmp(arguments->file, "-") == 0 &&
      strcmp(arguments->layout_file, "-") == 0)
    argp_error(state, "FILE and LAYOUT are both standard input");
}

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_convert_arguments *arguments = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &arguments->cap;
    break;
  case OPTION_FROM:
    arguments->from = format_named("--from", text, false, state);
    arguments->has_from = true;
    break;
  case OPTION_TO:
    arguments->to = format_named("--to", text, true, state);
    arguments->has_to = true;
    break;
  case 'o':
    arguments->output = text;
    break;
  case OPTION_LAYOUT:
    arguments->layout_output = text;
    break;
  case OPTION_SPANS:
    arguments->read.ends = ends_named("--spans", text, state);
    break;
  case OPTION_WRITE_SPANS:
    arguments->write.ends = ends_named("--write-spans", text, state);
    break;
  case OPTION_FLATTEN:
    arguments->write.flatten = true;
    break;
  case ARGP_KEY_ARG:
    add_file(arguments, text, state);
    break;
  case ARGP_KEY_END:
    check(arguments, state);
    break;
  default:
    return parse_own(key, text, state);
  }
  return 0;
}

static const struct argp_child children[] = {{&pp_cli_cap_argp, 0, NULL, 0},
                                             {0}};

static const struct argp argp = {
    options,
    parse,
    "--from FORMAT FILE [LAYOUT]",
    "Turns a file of a format that people have into a problem or a layout, and "
    "problems and layouts into such files."
    "\vWhat a format cannot say is refused, never dropped or guessed; "
    "oracle/formats/README.md says what becomes of each. LAYOUT is a layout/1 "
    "or a CSV with columns id and offset; with --from tflm or tflm-text it is "
    "the offline plan, and FILE its problem.",
    children,
    NULL,
    NULL};

enum { PP_MOST = INT32_MAX }; /* bytes of a file */

static int read_outside(const pp_convert_arguments *arguments, const char *path,
                        pp_import *import, pp_diag *diag) {
  size_t size = 0;
  char *bytes = pp_source_text(path, PP_MOST, &size, diag);
  if (!bytes) return diag->code;
  int status = pp_import_read(arguments->from, pp_input_name(path), bytes, size,
                              &arguments->read, import, diag);
  free(bytes);
  return status;
}

static int read_layout(const pp_convert_arguments *arguments, pp_import *import,
                       pp_diag *diag) {
  if (!arguments->layout_file) return 0;
  if (import->has_layout)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: holds a layout; no second one is wanted",
                        pp_input_name(arguments->file));
  import->has_layout = true;
  return pp_layout_read(arguments->layout_file, &import->problem,
                        &import->layout, diag);
}

static int read_all(pp_convert_arguments *arguments, pp_import *import,
                    pp_diag *diag) {
  arguments->write.planner = pp_outside_name(arguments->from);
  if (pp_outside_is_layout(arguments->from)) {
    if (pp_problem_read(arguments->file, &import->problem, diag) != 0)
      return diag->code;
    return read_outside(arguments, arguments->layout_file, import, diag);
  }
  if (arguments->layout_file) arguments->write.planner = "input";
  if (read_outside(arguments, arguments->file, import, diag) != 0)
    return diag->code;
  return read_layout(arguments, import, diag);
}

static int keep_apart(const pp_convert_arguments *arguments, pp_diag *diag) {
  const char *const outputs[] = {arguments->output, arguments->layout_output};
  const char *const inputs[] = {arguments->file, arguments->layout_file};
  for (size_t k = 0; k < 4; k++)
    if (outputs[k / 2] && inputs[k % 2] &&
        pp_output_apart(outputs[k / 2], inputs[k % 2], diag) != 0)
      return diag->code;
  return 0;
}

static int put(const pp_convert_arguments *arguments, pp_outside format,
               FILE *out, pp_import *import, pp_diag *diag) {
  return pp_export_write(out, format, pp_input_name(arguments->file), import,
                         &arguments->write, diag);
}

/* Both files are written before either is put in its place. */
static int put_both(const pp_convert_arguments *arguments, pp_import *import,
                    pp_diag *diag) {
  pp_output first;
  pp_output second;
  if (pp_output_open(&first, arguments->output, diag) != 0) return diag->code;
  int status = put(arguments, arguments->to, first.stream, import, diag);
  if (arguments->layout_output && status == 0) {
    status = pp_output_open(&second, arguments->layout_output, diag);
    if (status == 0) {
      status = put(arguments, PP_OUT_LAYOUT, second.stream, import, diag);
      status = pp_output_end(&second, status, diag);
    }
  }
  return pp_output_end(&first, status, diag);
}

static void tell(const pp_convert_arguments *arguments,
                 const pp_import *import) {
  const char *name = pp_input_name(arguments->file);
  if (import->strays > 0)
    fprintf(stderr,
            "poolproof: %s: %" PRIu64 " frees of blocks that the trace does "
            "not allocate were passed over\n",
            name, import->strays);
  if (import->lifeless > 0)
    fprintf(stderr,
            "poolproof: %s: %" PRIu64 " nodes never live and are no items\n",
            name, import->lifeless);
  if (import->problem.has_cap && import->problem.cap != PP_CAP_USUAL &&
      (arguments->to == PP_OUT_MINIMALLOC || arguments->to == PP_OUT_PLC))
    fprintf(stderr,
            "poolproof: %s: the cap, %" PRIu64 ", is not in what is written; "
            "--cap says it when that is read\n",
            name, import->problem.cap);
}

int pp_command_convert(int argc, char **argv, pp_diag *diag) {
  pp_convert_arguments arguments = {0};
  pp_import import = {0};
  if (pp_cli_parse(&argp, argc, argv, &arguments, diag) != 0) return diag->code;
  int status = keep_apart(&arguments, diag);
  if (status == 0) status = read_all(&arguments, &import, diag);
  if (status == 0 && arguments.cap.given) {
    import.problem.cap = arguments.cap.bytes;
    import.problem.has_cap = true;
  }
  if (status == 0) status = put_both(&arguments, &import, diag);
  if (status == 0) tell(&arguments, &import);
  pp_import_free(&import);
  return status;
}
