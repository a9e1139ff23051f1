/* poolproof: what the files of this folder share.
 * SPDX-License-Identifier: MIT */
#ifndef PP_FORMATS_PARTS_H
#define PP_FORMATS_PARTS_H

#include "builder.h"
#include "formats/formats.h"

/* The bytes that an importer reads. */
typedef struct pp_bytes {
  const char *name;
  const unsigned char *at;
  size_t size;
} pp_bytes;

/* What pp_import_read does, one format each. */
int pp_import_tflm(const pp_bytes *bytes, bool text, pp_import *import,
                   pp_diag *diag);
int pp_import_xla(const pp_bytes *bytes, bool text,
                  const pp_import_options *options, pp_import *import,
                  pp_diag *diag);
int pp_import_pytorch(const pp_bytes *bytes, const pp_import_options *options,
                      pp_import *import, pp_diag *diag);
int pp_import_iopddl(const pp_bytes *bytes, const pp_import_options *options,
                     pp_import *import, pp_diag *diag);
int pp_import_plc(const pp_bytes *bytes, const pp_import_options *options,
                  pp_problem *problem, pp_diag *diag);

int pp_import_request(const pp_bytes *bytes, pp_import *import, pp_diag *diag);

int pp_export_plc(FILE *out, const char *name, const pp_problem *problem,
                  const pp_export_options *options, pp_diag *diag);
int pp_export_tflm(FILE *out, const char *name, bool text,
                   const pp_import *import, pp_diag *diag);
int pp_export_chrome(FILE *out, const char *name, const pp_import *import,
                     pp_diag *diag);

/* Adds an item whose id is a number. */
int pp_import_add(pp_builder *builder, const char *name, const char *where,
                  uint64_t id, const char *class_name, pp_item item,
                  pp_diag *diag);

/* pp_diag_fail for an item of the file called name: "NAME: item 3 "c": ..." */
int pp_item_fail(pp_diag *diag, const char *name, const pp_problem *problem,
                 size_t i, const char *what);

/* The first and the last step that any item's span names; 0 and 0: none. */
void pp_steps_of(const pp_problem *problem, uint64_t *first, uint64_t *last);

/* Does the item have a life of its own, as the problem's kind reads it? */
bool pp_has_life(const pp_problem *problem, size_t i);

#endif
