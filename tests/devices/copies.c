/* poolproof-backend: cc multidev_cc opencl cuda
 *
 * Copies between contexts through the runtime (BKD-4, CTX-1, CTX-4): every
 * ordered pair of backends, devices and contexts, every dtype and size; merges;
 * refusals; the way each copy takes, and its failures. A backend that is not
 * here is named. SPDX-License-Identifier: MIT */
#include "copies.h"

#include "common.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t routes(const pp_copies_on *on) {
  uint64_t cases = 0;
  for (size_t b = 0; b < on->count; b++)
    cases += pp_copies_routes(on->backend[b], on->devices[b], on->seed);
  return cases;
}

static const struct {
  const char *name;
  uint64_t (*run)(const pp_copies_on *on);
} parts[] = {{"pairs", pp_copies_pairs},
             {"large", pp_copies_large},
             {"merges", pp_copies_merges},
             {"refusals", pp_copies_refusals},
             {"routes and failures", routes}};
enum { PARTS = sizeof parts / sizeof parts[0] };

int main(int argc, char **argv) {
  pp_asked asked;
  if (!pp_asked_read(argc, argv, &asked)) return 2;
  pp_copies_on on = {.seed = asked.seed};
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (pp_backend_id id = 0; id < PP_BACKEND_COUNT; id++) {
    size_t devices = pp_devices_here(id, &asked);
    if (devices == 0) continue;
    on.backend[on.count] = pp_backend_module(id);
    on.devices[on.count++] = devices;
    printf("%s, %zu device%s\n", pp_backend_id_name(id), devices,
           devices > 1 ? "s" : "");
  }
  for (size_t p = 0; p < PARTS; p++) {
    double start = pp_seconds();
    uint64_t cases = parts[p].run(&on);
    printf("%s: %" PRIu64 " in %.1f s\n", parts[p].name, cases,
           pp_seconds() - start);
  }
  pp_failure why;
  for (size_t b = 0; b < on.count; b++)
    if (pp_teardown(on.backend[b], &why) != PP_OK)
      pp_die("teardown: %s", why.text);
  printf("%zu backends\n", on.count);
  return on.count > 0 ? 0 : 1;
}
