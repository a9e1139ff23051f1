/* poolproof: formats that people have, read and written (README.md here).
 *
 * Importers take the bytes of a whole file; every failure is one sentence in
 * diag that names the file and the place in it. What a format cannot say is
 * refused by name, never guessed or dropped in silence.
 * SPDX-License-Identifier: MIT */
#ifndef PP_FORMATS_H
#define PP_FORMATS_H

#include "format.h"
#include "formats/ends.h"

typedef enum pp_outside {
  PP_OUT_PROBLEM,    /* problem/1 */
  PP_OUT_LAYOUT,     /* layout/1; written only */
  PP_OUT_MINIMALLOC, /* CSV that says its ends */
  PP_OUT_TFLM,       /* the words of an offline plan: a layout */
  PP_OUT_TFLM_TEXT,  /* the same as decimal numbers */
  PP_OUT_XLA,        /* HloProto */
  PP_OUT_XLA_TEXT,   /* HloProto in protobuf's text form */
  PP_OUT_PYTORCH,    /* memory snapshot as JSON */
  PP_OUT_IOPDDL,     /* JSON */
  PP_OUT_IDEALLOC,   /* CSV that does not say its ends */
  PP_OUT_PLC,        /* eight big-endian words an item */
  PP_OUT_ARMNN,      /* MemBlocks as CSV: problem and layout */
  PP_OUT_REQUEST,    /* of the protocol, as conform writes them */
  PP_OUT_CHROME,     /* trace events; written only */
  PP_OUTSIDES
} pp_outside;

/* The format called name that can be read (or written). False: none. */
bool pp_outside_named(const char *name, bool written, pp_outside *format);
const char *pp_outside_name(pp_outside format);

/* All those names with commas between them, in text. Returns text. */
const char *pp_outside_list(bool written, char *text, size_t size);

/* Does the format carry a layout of a problem that is given, not a problem? */
bool pp_outside_is_layout(pp_outside format);

/* Can the format be written of a layout alone? */
bool pp_outside_wants_layout(pp_outside format);

/* What the command line says. ends: of a file that does not say its own.
 * smallest: each IOPDDL node's smallest usage, not that of a strategy. */
typedef struct pp_import_options {
  pp_ends ends;
  bool has_allocation;
  uint64_t allocation;
  bool has_device;
  uint64_t device;
  uint64_t strategy;
  bool smallest;
  bool stream_classes;
} pp_import_options;

/* What was read. strays: frees of blocks that the trace does not allocate.
 * lifeless: nodes that never live and are no items. Freed by the caller. */
typedef struct pp_import {
  pp_problem problem;
  pp_layout layout;
  bool has_layout;
  uint64_t strays;
  uint64_t lifeless;
} pp_import;

/* Reads size bytes in the format; name stands for the file in sentences. For
 * a format that is a layout, import->problem is there before and stays; else
 * *import is zeroed. On failure everything in import is freed. Returns 0 or
 * diag's exit status. Problems come out as JSON with closed spans. */
int pp_import_read(pp_outside format, const char *name, const void *bytes,
                   size_t size, const pp_import_options *options,
                   pp_import *import, pp_diag *diag);

void pp_import_free(pp_import *import);

/* ends: for problem/1 and MiniMalloc's CSV closed or half-open, for .plc any;
 * PP_ENDS_SAID is the format's own habit, which .plc has not. flatten: where
 * the format cannot say it, classes are dropped, an item that is always live
 * lives from the first step to the last, and ids that are no numbers become
 * positions. planner: who made the layout. */
typedef struct pp_export_options {
  pp_ends ends;
  bool flatten;
  const char *planner;
} pp_export_options;

/* Writes import in the format. problem.half_open and columns are set to what
 * is written. Returns 0 or diag's exit status. */
int pp_export_write(FILE *out, pp_outside format, const char *name,
                    pp_import *import, const pp_export_options *options,
                    pp_diag *diag);

#endif
