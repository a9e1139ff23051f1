#include "formats/formats.h"

#include "csv_format.h"
#include "formats/parts.h"
#include "json.h"

#include <inttypes.h>
#include <string.h>

static const struct {
  const char *name;
  bool read, written;
} outsides[PP_OUTSIDES] = {
    [PP_OUT_PROBLEM] = {"problem", true, true},
    [PP_OUT_LAYOUT] = {"layout", false, true},
    [PP_OUT_MINIMALLOC] = {"minimalloc", true, true},
    [PP_OUT_TFLM] = {"tflm", true, true},
    [PP_OUT_TFLM_TEXT] = {"tflm-text", true, true},
    [PP_OUT_XLA] = {"xla", true, false},
    [PP_OUT_XLA_TEXT] = {"xla-text", true, false},
    [PP_OUT_PYTORCH] = {"pytorch", true, false},
    [PP_OUT_IOPDDL] = {"iopddl", true, false},
    [PP_OUT_IDEALLOC] = {"idealloc", true, false},
    [PP_OUT_PLC] = {"plc", true, true},
    [PP_OUT_ARMNN] = {"armnn", true, false},
    [PP_OUT_REQUEST] = {"request", true, false},
    [PP_OUT_CHROME] = {"chrome", false, true},
};

static bool offered(pp_outside format, bool written) {
  return written ? outsides[format].written : outsides[format].read;
}

bool pp_outside_named(const char *name, bool written, pp_outside *format) {
  for (pp_outside f = PP_OUT_PROBLEM; f < PP_OUTSIDES; f++) {
    if (!offered(f, written) || strcmp(outsides[f].name, name) != 0) continue;
    *format = f;
    return true;
  }
  return false;
}

const char *pp_outside_name(pp_outside format) {
  return outsides[format].name;
}

const char *pp_outside_list(bool written, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (pp_outside f = PP_OUT_PROBLEM; f < PP_OUTSIDES && used < size; f++) {
    if (!offered(f, written)) continue;
    used += (size_t)snprintf(text + used, size - used, "%s%s",
                             used > 0 ? ", " : "", outsides[f].name);
  }
  return text;
}

bool pp_outside_is_layout(pp_outside format) {
  return format == PP_OUT_TFLM || format == PP_OUT_TFLM_TEXT;
}

bool pp_outside_wants_layout(pp_outside format) {
  return format == PP_OUT_LAYOUT || pp_outside_is_layout(format);
}

int pp_import_add(pp_builder *builder, const char *name, const char *where,
                  uint64_t id, const char *class_name, pp_item item,
                  pp_diag *diag) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, id);
  return pp_builder_add(builder, name, where, text, class_name, item, diag);
}

int pp_item_fail(pp_diag *diag, const char *name, const pp_problem *problem,
                 size_t i, const char *what) {
  char shown[100];
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: item %zu \"%s\": %s", name, i,
                      pp_printable(problem->ids[i], shown, sizeof shown), what);
}

bool pp_has_life(const pp_problem *problem, size_t i) {
  return problem->kind == PP_ARENA && problem->items[i].has_span;
}

void pp_steps_of(const pp_problem *problem, uint64_t *first, uint64_t *last) {
  bool any = false;
  *first = *last = 0;
  for (size_t i = 0; i < problem->n; i++) {
    const pp_item *item = &problem->items[i];
    if (!pp_has_life(problem, i)) continue;
    if (!any || item->lo < *first) *first = item->lo;
    if (!any || item->hi > *last) *last = item->hi;
    any = true;
  }
}

void pp_import_free(pp_import *import) {
  pp_problem_free(&import->problem);
  pp_layout_free(&import->layout);
  *import = (pp_import){0};
}

static int import_csv(const pp_bytes *bytes, pp_ends ends, bool placed,
                      pp_import *import, pp_diag *diag) {
  pp_source source;
  pp_source_memory(&source, bytes->name, bytes->at, bytes->size);
  if (pp_source_peek(&source) == '{')
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: JSON; a CSV is wanted",
                        bytes->name);
  if (pp_csv_problem_ends(&source, ends, &import->problem, diag) != 0)
    return diag->code;
  if (!placed) return 0;
  pp_source_memory(&source, bytes->name, bytes->at, bytes->size);
  import->has_layout = true;
  return pp_csv_layout(&source, &import->problem, &import->layout, diag);
}

static bool armnn_header(const pp_problem *problem) {
  unsigned seen = 0;
  for (size_t k = 0; k < problem->columns; k++) {
    if (problem->column[k] == PP_COL_END) seen |= 1;
    if (strcmp(problem->column_name[k], "start") == 0) seen |= 2;
    if (strcmp(problem->column_name[k], "index") == 0) seen |= 4;
  }
  return seen == 7;
}

static int import_armnn(const pp_bytes *bytes, pp_import *import,
                        pp_diag *diag) {
  if (import_csv(bytes, PP_ENDS_CLOSED, true, import, diag) != 0)
    return diag->code;
  if (armnn_header(&import->problem)) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT,
                      "%s: a header with start,end,size,offset,index (end "
                      "inclusive) is wanted",
                      bytes->name);
}

static int import_json(const pp_bytes *bytes, pp_import *import,
                       pp_diag *diag) {
  pp_source source;
  pp_source_memory(&source, bytes->name, bytes->at, bytes->size);
  if (pp_source_peek(&source) == '{')
    return pp_json_problem(&source, &import->problem, diag);
  return pp_diag_fail(diag, PP_EXIT_INPUT,
                      "%s: not a JSON object; a problem/1 is wanted",
                      bytes->name);
}

static int need_ends(const pp_bytes *bytes, pp_outside format, pp_ends ends,
                     pp_diag *diag) {
  bool silent = format == PP_OUT_IDEALLOC || format == PP_OUT_PLC;
  if (silent == (ends != PP_ENDS_SAID)) return 0;
  if (!silent)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %s says its own ends of lives; --spans is for "
                        "idealloc and plc",
                        bytes->name, outsides[format].name);
  return pp_diag_fail(diag, PP_EXIT_INPUT,
                      "%s: %s does not say how lives end; --spans exclusive, "
                      "half-open or inclusive does, it is never guessed",
                      bytes->name, outsides[format].name);
}

static int read_format(pp_outside format, const pp_bytes *bytes,
                       const pp_import_options *options, pp_import *import,
                       pp_diag *diag) {
  switch (format) {
  case PP_OUT_PROBLEM:
    return import_json(bytes, import, diag);
  case PP_OUT_MINIMALLOC:
  case PP_OUT_IDEALLOC:
    return import_csv(bytes, options->ends, false, import, diag);
  case PP_OUT_ARMNN:
    return import_armnn(bytes, import, diag);
  case PP_OUT_TFLM:
  case PP_OUT_TFLM_TEXT:
    return pp_import_tflm(bytes, format == PP_OUT_TFLM_TEXT, import, diag);
  case PP_OUT_XLA:
  case PP_OUT_XLA_TEXT:
    return pp_import_xla(bytes, format == PP_OUT_XLA_TEXT, options, import,
                         diag);
  case PP_OUT_PYTORCH:
    return pp_import_pytorch(bytes, options, import, diag);
  case PP_OUT_IOPDDL:
    return pp_import_iopddl(bytes, options, import, diag);
  case PP_OUT_PLC:
    return pp_import_plc(bytes, options, &import->problem, diag);
  case PP_OUT_REQUEST:
    return pp_import_request(bytes, import, diag);
  case PP_OUT_LAYOUT:
  case PP_OUT_CHROME:
  case PP_OUTSIDES:
    break;
  }
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: %s is only written",
                      bytes->name, outsides[format].name);
}

static int check_spans(const char *name, const pp_problem *problem,
                       pp_diag *diag) {
  for (size_t i = 0; i < problem->n; i++)
    if (pp_has_life(problem, i) && problem->items[i].lo > problem->items[i].hi)
      return pp_item_fail(diag, name, problem, i,
                          "its span ends before it begins (ARN, BAD_SPAN)");
  return 0;
}

int pp_import_read(pp_outside format, const char *name, const void *bytes,
                   size_t size, const pp_import_options *options,
                   pp_import *import, pp_diag *diag) {
  const pp_bytes input = {name, bytes, size};
  bool is_layout = pp_outside_is_layout(format);
  if (!is_layout) *import = (pp_import){0};
  int status = need_ends(&input, format, options->ends, diag);
  if (status == 0) status = read_format(format, &input, options, import, diag);
  if (status == 0) status = check_spans(name, &import->problem, diag);
  if (status != 0) {
    pp_import_free(import);
    return status;
  }
  if (is_layout) return 0;
  import->problem.format = PP_JSON;
  import->problem.half_open = false;
  return 0;
}
