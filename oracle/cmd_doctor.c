/* poolproof: the command doctor.  SPDX-License-Identifier: MIT */
#include "cli.h"
#include "doctor.h"
#include "json.h"
#include "number.h"

#include <inttypes.h>
#include <stdio.h>

enum { OPTION_REQUIRE = 256, OPTION_JSON };

typedef struct pp_doctor_arguments {
  unsigned required;
  bool json;
} pp_doctor_arguments;

static const struct argp_option options[] = {
    {"require", OPTION_REQUIRE, "NAME,...|all", 0,
     "status 1 unless these work, beside cc", 0},
    {"json", OPTION_JSON, NULL, 0, "the same as JSON (doctor/1)", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state) {
  pp_doctor_arguments *arguments = state->input;
  pp_backend_choice choice = {.backends = 0};
  switch (key) {
  case OPTION_REQUIRE:
    pp_cli_choose("--require", text, &choice, state);
    arguments->required |= choice.backends;
    return 0;
  case OPTION_JSON:
    arguments->json = true;
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "\"%s\": no argument is wanted", text);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp argp = {
    options,
    parse,
    "",
    "Tries every backend: what is installed, what it needs, how to get it."
    "\vOn each device a small pool is allocated and filled, a routine of one "
    "statement runs, and its values are held to the interpreter's, bit for "
    "bit. Exit status 0 when cc works and, with --require, those that are "
    "named; else 1. That others are not here is no failure.",
    NULL,
    NULL,
    NULL};

static void put_table(const pp_backend_report *report) {
  puts("backend      here           devices  what it is");
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    printf("%-12s %-13s %8zu  %s\n", pp_backend_name(report[id].backend),
           pp_health_word(report[id].health), report[id].devices,
           pp_backend_id_about((pp_backend_id)id));
}

static void put_device(const pp_device_report *device, size_t ordinal) {
  char most[32];
  printf("  device %zu: %s, pools of %s at most, alignment %" PRIu64 "\n",
         ordinal, device->limits.name[0] ? device->limits.name : "no name",
         pp_human_bytes(device->limits.max_pool, most, sizeof most),
         device->limits.alignment);
  if (device->health == PP_HEALTH_WORKS)
    printf("    works: %" PRIu64 " values agree\n", device->values);
  else
    printf("    FAILS: %s\n", device->sentence);
}

static void put_backend(const pp_backend_report *report) {
  printf("\n%s\n", pp_backend_name(report->backend));
  if (report->sentence[0]) printf("  %s\n", report->sentence);
  for (size_t i = 0; i < report->devices; i++)
    put_device(&report->device[i], i);
  for (size_t i = 0; i < report->lines; i++)
    printf("  %s\n", report->line[i]);
  if (!report->backend->examine && report->health == PP_HEALTH_WORKS)
    printf("  needs nothing that is not here\n");
}

static bool put_json_device(const pp_device_report *device, size_t ordinal) {
  const pp_limits *limits = &device->limits;
  return printf("%s{\"ordinal\":%zu", ordinal > 0 ? ",\n " : "\n ", ordinal) >
             0 &&
         pp_json_put_text(stdout, ",\"name\":", limits->name) &&
         pp_json_put_number(stdout, ",\"max_pool\":", limits->max_pool) &&
         pp_json_put_number(stdout, ",\"alignment\":", limits->alignment) &&
         printf(",\"asynchronous\":%s",
                limits->asynchronous ? "true" : "false") > 0 &&
         pp_json_put_text(stdout,
                          ",\"health\":", pp_health_word(device->health)) &&
         pp_json_put_number(stdout, ",\"values\":", device->values) &&
         pp_json_put_text(stdout, ",\"sentence\":", device->sentence) &&
         fputs("}", stdout) >= 0;
}

static bool put_json_backend(const pp_backend_report *report, unsigned id) {
  bool good =
      pp_json_put_text(stdout, id > 0 ? ",{\"name\":" : "{\"name\":",
                       pp_backend_name(report->backend)) &&
      pp_json_put_text(stdout,
                       ",\"about\":", pp_backend_id_about((pp_backend_id)id)) &&
      pp_json_put_text(stdout,
                       ",\"health\":", pp_health_word(report->health)) &&
      pp_json_put_text(stdout, ",\"sentence\":", report->sentence) &&
      fputs(",\"devices\":[", stdout) >= 0;
  for (size_t i = 0; good && i < report->devices; i++)
    good = put_json_device(&report->device[i], i);
  good = good && fputs("],\n \"needs\":[", stdout) >= 0;
  for (size_t i = 0; good && i < report->lines; i++)
    good = pp_json_put_text(stdout, i > 0 ? ",\n " : "\n ", report->line[i]);
  return good && puts("]}") >= 0;
}

static int put_json(const pp_backend_report *report, pp_diag *diag) {
  bool good =
      fputs("{\"poolproof\":\"doctor/1\",\"backends\":[\n", stdout) >= 0;
  for (unsigned id = 0; good && id < PP_BACKEND_COUNT; id++)
    good = put_json_backend(&report[id], id);
  return pp_json_written(stdout, good && puts("]}") >= 0, diag);
}

static void put_all(const pp_backend_report *report, unsigned works,
                    unsigned required) {
  char names[PP_BACKEND_NAMES];
  put_table(report);
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    put_backend(&report[id]);
  printf("\nworks here: %s\n", pp_backend_names(works, ", ", names));
  if ((required & ~works) != 0)
    printf("required, but does not work here: %s\n",
           pp_backend_names(required & ~works, ", ", names));
}

static int answer(const pp_doctor_arguments *arguments,
                  const pp_backend_report *report, pp_diag *diag) {
  unsigned works = 0;
  unsigned required = arguments->required | 1U << PP_BACKEND_CC;
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    if (report[id].health == PP_HEALTH_WORKS) works |= 1U << id;
  if (!arguments->json)
    put_all(report, works, required);
  else if (put_json(report, diag) != 0)
    return diag->code;
  return (required & ~works) == 0 ? PP_EXIT_FINE : PP_EXIT_FOUND;
}

int pp_command_doctor(int argc, char **argv, pp_diag *diag) {
  pp_doctor_arguments arguments = {.required = 0};
  pp_backend_report report[PP_BACKEND_COUNT];
  unsigned tried = 0;
  if (pp_cli_parse(&argp, argc, argv, &arguments, diag) != 0) return diag->code;
  while (tried < PP_BACKEND_COUNT &&
         pp_doctor_try(pp_backend_module((pp_backend_id)tried),
                       &report[tried]) == PP_OK)
    tried++;
  int code = tried < PP_BACKEND_COUNT ? pp_fail_memory(diag)
                                      : answer(&arguments, report, diag);
  while (tried > 0)
    pp_doctor_clear(&report[--tried]);
  return code;
}
