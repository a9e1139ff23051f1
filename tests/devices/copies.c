/* poolproof-backend: cc multidev_cc opencl cuda
 *
 * Copies between contexts through the runtime (BKD-4, CTX-1, CTX-4): every
 * ordered pair of backends, devices and contexts, every dtype and size; merges;
 * refusals; the way each copy takes, and its failures. A backend that is not
 * here is named. SPDX-License-Identifier: MIT */
#include "copies.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t routes(const pp_asked *asked) {
  uint64_t cases = 0;
  for (pp_backend_id id = 0; id < PP_BACKEND_COUNT; id++) {
    pp_asked quiet = *asked;
    quiet.wanted &= asked->here;
    size_t devices = pp_devices_here(id, &quiet);
    if (devices > 0)
      cases += pp_copies_routes(pp_backend_module(id), devices, asked->seed);
  }
  return cases;
}

static const struct {
  const char *name;
  uint64_t (*run)(const pp_asked *asked);
} parts[] = {{"pairs", pp_copies_pairs},
             {"large", pp_copies_large},
             {"merges", pp_copies_merges},
             {"refusals", pp_copies_refusals},
             {"routes and failures", routes}};
enum { PARTS = sizeof parts / sizeof parts[0] };

int main(int argc, char **argv) {
  pp_asked asked;
  unsigned tried = 0;
  if (!pp_asked_read(argc, argv, &asked)) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (pp_backend_id id = 0; id < PP_BACKEND_COUNT; id++) {
    size_t devices = pp_devices_here(id, &asked);
    if (devices == 0) continue;
    asked.here |= 1U << id;
    printf("%s, %zu device%s\n", pp_backend_id_name(id), devices,
           devices > 1 ? "s" : "");
    tried++;
  }
  for (size_t p = 0; p < PARTS; p++) {
    double start = pp_seconds();
    uint64_t cases = parts[p].run(&asked);
    printf("%s: %" PRIu64 " in %.1f s\n", parts[p].name, cases,
           pp_seconds() - start);
  }
  pp_failure why;
  for (pp_backend_id id = 0; id < PP_BACKEND_COUNT; id++)
    if ((asked.here >> id & 1U) != 0 &&
        pp_teardown(pp_backend_module(id), &why) != PP_OK)
      pp_die("teardown: %s", why.text);
  printf("%u backends\n", tried);
  return tried > 0 ? 0 : 1;
}
