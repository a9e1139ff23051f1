/* poolproof: does a backend work here? Tried, not guessed.
 * SPDX-License-Identifier: MIT */
#ifndef PP_DOCTOR_H
#define PP_DOCTOR_H

#include "here.h"

typedef enum pp_health {
  PP_HEALTH_WORKS,
  PP_HEALTH_MISSING, /* not available here */
  PP_HEALTH_FAILS
} pp_health;

/* sentence  why it fails; empty when it works
 * values    compared */
typedef struct pp_device_report {
  pp_health health;
  pp_limits limits;
  uint64_t values;
  char sentence[PP_FAILURE_TEXT];
} pp_device_report;

/* health    works: every device does
 * sentence  why it has no device; else empty
 * line      what its module says of its needs */
typedef struct pp_backend_report {
  pp_backend *backend;
  pp_health health;
  char sentence[PP_FAILURE_TEXT];
  size_t devices;
  pp_device_report *device;
  size_t lines;
  char **line;
} pp_backend_report;

/* "works", "not available", "fails"; static. */
const char *pp_health_word(pp_health health);

/* Tries every device: a small pool, filled, a routine of one statement, and its
 * values held to the interpreter's. Fills report, which the caller clears; the
 * backend is left torn down. PP_NO_MEMORY: nothing is to be cleared. */
pp_status pp_doctor_try(pp_backend *backend, pp_backend_report *report);
void pp_doctor_clear(pp_backend_report *report);

#endif
