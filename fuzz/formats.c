/* poolproof fuzz target: any bytes to the importers of other people's formats;
 * what one of them takes is written in every format that is written, and .plc
 * and MiniMalloc's CSV read back as the same.
 * SPDX-License-Identifier: MIT */
#include "formats/formats.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

/* The problem that layouts are read for. */
static const char small[] =
    "id,lower,upper,size,alignment,class\na,0,2,8,4,x\nb,1,3,4,,\nc,,,1,,x\n";

static void check_failure(const pp_import *import, const pp_diag *diag) {
  if (diag->code != PP_EXIT_INPUT && diag->code != PP_EXIT_RESOURCE)
    pp_target_fail("an importer fails with status %d", diag->code);
  if (diag->text[0] == '\0')
    pp_target_fail("an importer fails without a sentence");
  if (import->problem.items || import->problem.ids || import->layout.offset)
    pp_target_fail("an importer fails and keeps memory");
}

static bool import(pp_outside format, const void *data, size_t size,
                   pp_ends ends, pp_import *to) {
  const pp_import_options options = {.ends = ends, .stream_classes = size & 1};
  pp_diag diag = {0};
  *to = (pp_import){0};
  if (pp_outside_is_layout(format) &&
      pp_problem_parse("small", small, sizeof small - 1, &to->problem, &diag) !=
          0)
    return false;
  if (pp_import_read(format, "input", data, size, &options, to, &diag) == 0)
    return true;
  check_failure(to, &diag);
  return false;
}

/* What the export makes of it; NULL: nothing, as the format cannot say it. */
static char *export(pp_outside format, pp_import *from, size_t *size) {
  const pp_export_options options = {.ends = format == PP_OUT_PROBLEM ||
                                                     format == PP_OUT_PLC ||
                                                     format == PP_OUT_MINIMALLOC
                                                 ? PP_ENDS_CLOSED
                                                 : PP_ENDS_SAID,
                                     .flatten = true,
                                     .planner = "input"};
  char *text = NULL;
  FILE *out = open_memstream(&text, size);
  if (!out) return NULL;
  pp_diag diag = {0};
  int code = pp_export_write(out, format, "input", from, &options, &diag);
  if (code != 0 && diag.text[0] == '\0')
    pp_target_fail("an export fails without a sentence");
  if (fclose(out) == 0 && code == 0) return text;
  free(text);
  return NULL;
}

/* .plc has no classes and no item that is always live. */
static void check_same(const pp_problem *a, const pp_problem *b, bool flat) {
  if (a->n != b->n) pp_target_fail("%zu items read back as %zu", a->n, b->n);
  for (size_t i = 0; i < a->n; i++) {
    const pp_item *x = &a->items[i];
    const pp_item *y = &b->items[i];
    bool same = x->size == y->size && x->align == y->align;
    if (x->has_span || !flat)
      same = same && x->has_span == y->has_span && x->lo == y->lo &&
             x->hi == y->hi;
    if (!flat)
      same = same && x->item_class == y->item_class &&
             strcmp(a->ids[i], b->ids[i]) == 0;
    if (!same) pp_target_fail("item %zu reads back as another", i);
  }
  pp_target_compare();
}

static void check_round(pp_import *from, pp_outside format) {
  pp_import again;
  size_t size = 0;
  bool plc = format == PP_OUT_PLC;
  char *text = export(format, from, &size);
  if (!text) return;
  if (plc || format == PP_OUT_MINIMALLOC) {
    if (!import(format, text, size, plc ? PP_ENDS_CLOSED : PP_ENDS_SAID,
                &again))
      pp_target_fail("what was written is refused");
    check_same(&from->problem, &again.problem, plc);
    pp_import_free(&again);
  }
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_target_begin();
  static const pp_ends ends[] = {PP_ENDS_CLOSED, PP_ENDS_HALF_OPEN,
                                 PP_ENDS_EXCLUSIVE};
  for (pp_outside format = PP_OUT_PROBLEM; format < PP_OUTSIDES; format++) {
    bool silent = format == PP_OUT_IDEALLOC || format == PP_OUT_PLC;
    pp_import read;
    if (!import(format, data, size, silent ? ends[size % 3] : PP_ENDS_SAID,
                &read))
      continue;
    for (pp_outside to = PP_OUT_PROBLEM; to < PP_OUTSIDES; to++)
      check_round(&read, to);
    pp_import_free(&read);
  }
  return 0;
}
