/* poolproof: holding a plugin's backend to the contract of backends.
 * SPDX-License-Identifier: MIT */
#ifndef PP_BACKEND_CONFORM_H
#define PP_BACKEND_CONFORM_H

#include "backend_parts.h"

#include <stdio.h>

/* library   as it was given
 * seconds   of each part of random work
 * answer    how long one call may take
 * first     stop at the first finding
 * progress  where parts are named as they begin; NULL: nowhere */
typedef struct pp_backend_conform_options {
  const char *library;
  double seconds;
  double answer;
  uint64_t seed;
  bool first;
  FILE *progress;
} pp_backend_conform_options;

/* What became of a part. sentence: what was found; empty: nothing. No cases and
 * nothing found: it could not be tried here. */
typedef struct pp_backend_outcome {
  const char *name, *about;
  uint64_t cases;
  double seconds;
  char sentence[PP_APART_TEXT];
} pp_backend_outcome;

/* The outcome. name, version, device: what it says of itself, printable. Of the
 * outcomes the first is whether it opens. */
typedef struct pp_backend_conformance {
  const char *library;
  uint64_t seed;
  char name[128], version[128], device[128];
  size_t devices;
  uint64_t alignment;
  bool asynchronous;
  size_t found;
  size_t outcomes;
  pp_backend_outcome outcome[PP_BACKEND_PARTS + 1];
} pp_backend_conformance;

/* Runs every part, each in a process of its own (apart.h). Returns 0 or diag's:
 * the library is no backend plugin, its device is not here, no process. */
int pp_backend_conform(const pp_backend_conform_options *options,
                       pp_backend_conformance *conformance, pp_diag *diag);

/* As text; as backend-conformance/1 (oracle/schema). Return 0 or diag's. */
int pp_backend_report_text(FILE *out, const pp_backend_conformance *conformance,
                           pp_diag *diag);
int pp_backend_report_json(FILE *out, const pp_backend_conformance *conformance,
                           pp_diag *diag);

#endif
