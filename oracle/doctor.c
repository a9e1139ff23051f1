/* poolproof: does a backend work here?  SPDX-License-Identifier: MIT */
#include "doctor.h"

#include "run_truth.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 256, UID_X = 1, UID_Y = 2, BYTES = VALUES * 4 };

static const char text[] = "routine doctor\n"
                           "node 1 x f32 [256] host\n"
                           "node 2 y f32 [256] observable\n"
                           "for i<256: y[i] = x[i] * x[255 - i] - 0.625\n"
                           "end\n";

const char *pp_health_word(pp_health health) {
  static const char *const words[] = {"works", "not available", "fails"};
  return words[health];
}

/* Fills x, runs, and reads y. */
static pp_status run(pp_context *step, const pp_truth *truth, void *found,
                     pp_failure *why) {
  pp_status status = pp_upload(step, UID_X, truth->start.bytes[0], BYTES, why);
  if (status == PP_OK) status = pp_run(step, why);
  if (status == PP_OK) status = pp_download(step, UID_Y, found, BYTES, why);
  return status;
}

static pp_status compare(const pp_truth *truth, const unsigned char *found,
                         pp_failure *why) {
  char a[PP_VALUE_TEXT];
  char b[PP_VALUE_TEXT];
  uint64_t first = 0;
  if (pp_same_values(PP_F32, found, truth->after[1], VALUES, &first))
    return PP_OK;
  return pp_fail(why, PP_BACKEND_FAILED,
                 "element %" PRIu64 " of y is %s, the interpreter has %s "
                 "(BKD-6)",
                 first, pp_value_text(PP_F32, found, first, a),
                 pp_value_text(PP_F32, truth->after[1], first, b));
}

static pp_status first_error(pp_status status, pp_context *context,
                             pp_failure *why) {
  pp_failure later;
  pp_status freed = pp_backend_drop(context, status == PP_OK ? why : &later);
  return status == PP_OK ? freed : status;
}

static pp_status try_device(pp_backend *backend, size_t ordinal,
                            const pp_truth *truth, pp_failure *why) {
  unsigned char found[BYTES] = {0};
  pp_context *root = NULL;
  pp_context *step = NULL;
  pp_status status = pp_make_context(backend, ordinal, &root, why);
  if (status == PP_OK)
    status = pp_link(root, (pp_routine *)truth->source, NULL, &step, why);
  if (status == PP_OK) status = run(step, truth, found, why);
  if (status == PP_OK) status = compare(truth, found, why);
  status = first_error(status, step, why);
  return first_error(status, root, why);
}

static void report_device(pp_backend *backend, size_t ordinal,
                          const pp_truth *truth, pp_device_report *device) {
  pp_failure why;
  pp_status status = try_device(backend, ordinal, truth, &why);
  device->health = status == PP_OK ? PP_HEALTH_WORKS : PP_HEALTH_FAILS;
  device->values = status == PP_OK ? VALUES : 0;
  if (status != PP_OK) memcpy(device->sentence, why.text, sizeof why.text);
  if (backend->call->limits(backend, ordinal, &device->limits) != PP_OK)
    device->limits = (pp_limits){.name = ""};
}

static pp_status report_devices(pp_backend_report *report,
                                const pp_truth *truth) {
  report->device = calloc(report->devices + 1, sizeof *report->device);
  if (!report->device) return PP_NO_MEMORY;
  for (size_t i = 0; i < report->devices; i++) {
    report_device(report->backend, i, truth, &report->device[i]);
    if (report->device[i].health != PP_HEALTH_WORKS)
      report->health = PP_HEALTH_FAILS;
  }
  return PP_OK;
}

static void set_sentence(pp_backend_report *report, pp_health health,
                         const char *sentence) {
  report->health = health;
  (void)snprintf(report->sentence, sizeof report->sentence, "%s", sentence);
}

/* With what is needed to compare. */
static pp_status try_all(pp_backend_report *report, const pp_truth *truth) {
  pp_failure why;
  pp_backend *backend = report->backend;
  pp_status status = pp_backend_look(backend, &report->devices, &why);
  if (status != PP_OK) {
    report->devices = 0;
    set_sentence(report,
                 status == PP_NO_DEVICE ? PP_HEALTH_MISSING : PP_HEALTH_FAILS,
                 why.text);
    return PP_OK;
  }
  status = report_devices(report, truth);
  pp_status ended = pp_backend_end(backend, &why);
  if (status == PP_OK && ended != PP_OK)
    set_sentence(report, PP_HEALTH_FAILS, why.text);
  return status;
}

/* lost  a line for which there was no memory */
typedef struct pp_lines {
  pp_backend_report *report;
  bool lost;
} pp_lines;

static void keep_line(void *state, const char *line) {
  pp_lines *lines = state;
  pp_backend_report *report = lines->report;
  char *copy = strdup(line);
  char **more =
      realloc((void *)report->line, (report->lines + 1) * sizeof *report->line);
  if (more) report->line = more;
  if (copy && more) {
    report->line[report->lines++] = copy;
    return;
  }
  free(copy);
  lines->lost = true;
}

pp_status pp_doctor_try(pp_backend *backend, pp_backend_report *report) {
  pp_routine *routine = NULL;
  pp_truth truth = {0};
  pp_lines lines = {.report = report};
  *report = (pp_backend_report){.backend = backend};
  pp_status status = pp_routine_parse(text, sizeof text - 1, &routine, NULL);
  if (status == PP_OK) status = pp_truth_make(routine, 1, 1, &truth);
  if (status == PP_OK) status = try_all(report, &truth);
  if (status == PP_OK && backend->examine)
    backend->examine(backend, keep_line, &lines);
  if (lines.lost) status = PP_NO_MEMORY;
  pp_truth_free(&truth);
  pp_routine_free(routine);
  if (status != PP_OK) pp_doctor_clear(report);
  return status;
}

void pp_doctor_clear(pp_backend_report *report) {
  for (size_t i = 0; i < report->lines; i++)
    free(report->line[i]);
  free((void *)report->line);
  free(report->device);
  *report = (pp_backend_report){.backend = report->backend};
}
