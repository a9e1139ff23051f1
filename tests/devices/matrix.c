/* poolproof-backend: cc multidev_cc opencl cuda
 *
 * The offset matrix (BKD-5, BKD-6): every call of every backend's table that
 * takes bytes, on every dtype, at every kind of offset, with every byte of the
 * slabs compared; launches against loops of this program's own; refusals;
 * order without waiting; a loss. A backend that is not here is named.
 * SPDX-License-Identifier: MIT */
#include "matrix.h"

#include "common.h"
#include "matrix_drivers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The loss is last: the device does not come back. */
static const struct {
  const char *name;
  uint64_t (*run)(const pp_matrix_on *on);
  bool far;
} parts[] = {{"host calls", pp_matrix_host, false},
             {"copies", pp_matrix_copies, false},
             {"large", pp_matrix_large, false},
             {"launches", pp_matrix_launches, false},
             {"refusals", pp_matrix_refusals, false},
             {"order", pp_matrix_order, false},
             {"above 4 GiB", pp_matrix_far, true},
             {"loss", pp_matrix_loss, false}};
enum { PARTS = sizeof parts / sizeof parts[0] };

static void try_backend(pp_backend_id id, size_t devices,
                        const pp_asked *asked) {
  const pp_matrix_on on = {
      .backend = pp_backend_module(id),
      .devices = devices,
      .seed = asked->seed,
      .late = id == PP_BACKEND_MULTIDEV_CC ? PP_LATE_LAUNCHES : PP_LATE_NEVER,
      .commands = pp_driver_commands(id),
      .lose = pp_driver_lose(id)};
  double start = pp_seconds();
  uint64_t all = 0;
  printf("%s, %zu device%s:", pp_backend_id_name(id), devices,
         devices > 1 ? "s" : "");
  fflush(stdout);
  for (size_t p = 0; p < PARTS; p++) {
    if (parts[p].far && !asked->far) continue;
    uint64_t cases = parts[p].run(&on);
    all += cases;
    if (cases > 0)
      printf(" %s %" PRIu64 ",", parts[p].name, cases);
    else
      printf(" %s not tried,", parts[p].name);
    fflush(stdout);
  }
  printf(" %" PRIu64 " cases in %.1f s\n", all, pp_seconds() - start);
}

int main(int argc, char **argv) {
  pp_asked asked;
  unsigned tried = 0;
  unsigned wanted = 0;
  if (!pp_asked_read(argc, argv, &asked)) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  for (pp_backend_id id = 0; id < PP_BACKEND_COUNT; id++) {
    wanted += asked.wanted >> id & 1U;
    size_t devices = pp_devices_here(id, &asked);
    if (devices == 0) continue;
    if (!asked.probe) try_backend(id, devices, &asked);
    tried++;
  }
  printf("%u of %u backends tried\n", tried, wanted);
  return tried > 0 ? 0 : 1;
}
