#include "backend_parts.h"

#include "copies.h"
#include "matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pp_matrix_on matrix_on(const pp_backend_part_on *on) {
  return (pp_matrix_on){.backend = on->backend,
                        .devices = on->devices,
                        .seed = on->seed,
                        .late = on->late ? PP_LATE_ALL : PP_LATE_NEVER};
}

#define MATRIX(part)                                                           \
  static void part(const pp_backend_part_on *on) {                             \
    const pp_matrix_on matrix = matrix_on(on);                                 \
    on->apart->cases += pp_matrix_##part(&matrix);                             \
  }
MATRIX(host)
MATRIX(copies)
MATRIX(large)
MATRIX(launches)
MATRIX(refusals)
MATRIX(order)
MATRIX(far)
MATRIX(loss)

/* Contexts on it and on cc, and copies between all of them. */
static void contexts(const pp_backend_part_on *on) {
  const pp_copies_on both = {.count = 2,
                             .backend = {pp_backend_of("cc"), on->backend},
                             .devices = {1, on->devices},
                             .seed = on->seed};
  pp_failure why;
  on->apart->cases += pp_copies_pairs(&both);
  on->apart->cases += pp_copies_large(&both);
  on->apart->cases += pp_copies_merges(&both);
  on->apart->cases += pp_copies_refusals(&both);
  if (pp_teardown(on->backend, &why) != PP_OK) pp_die("teardown: %s", why.text);
  on->apart->cases += pp_copies_routes(on->backend, on->devices, on->seed);
}

/* Bytes of this process in memory. */
static uint64_t resident(void) {
  char text[256] = "";
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  size_t got = fread(text, 1, sizeof text - 1, file);
  (void)fclose(file);
  text[got] = '\0';
  const char *second = strchr(text, ' ');
  return second ? strtoull(second, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE)
                : 0;
}

/* Pools and kernels that were given back leave nothing behind: in host memory,
 * or of what the device has. */
static void memory(const pp_backend_part_on *on) {
  enum { ROUNDS = 256, POOL = 2 << 20, MOST = 320 << 20 };
  const pp_backend_table *call = on->backend->call;
  uint64_t before = resident();
  pp_slab slab = {NULL};
  for (unsigned round = 0; round < ROUNDS; round++, on->apart->cases++) {
    pp_status status = call->alloc_pool(on->backend, 0, POOL, 1, &slab);
    if (status == PP_OK)
      status = call->memset(on->backend, 0, slab, 0, POOL, 1);
    if (status == PP_OK) status = call->await(on->backend, 0);
    if (status == PP_OK) status = call->free_pool(on->backend, 0, slab);
    if (status != PP_OK)
      pp_die("pool %u of 2 MiB, taken when the ones before it were given back: "
             "%s",
             round + 1, pp_status_text(status));
  }
  uint64_t now = resident();
  if (now > before + MOST)
    pp_die("free_pool keeps the memory: %d pools of 2 MiB were taken and given "
           "back one after the other, and the process grew by %llu MiB",
           ROUNDS, (unsigned long long)((now - before) >> 20));
}

const pp_backend_part pp_backend_parts[PP_BACKEND_PARTS] = {
    {"host calls", "memset, from_host and to_host at every kind of offset",
     false, host},
    {"copies", "device_to_device at every kind of offset", false, copies},
    {"large", "the same about 1 MiB", false, large},
    {"launches", "kernels with operands at every kind of offset", false,
     launches},
    {"refusals", "ranges outside, wrong alignments, too much memory", false,
     refusals},
    {"order", "the work of a device in the order of its calls", false, order},
    {"loss", "work that fails late loses the device, and await says so", false,
     loss},
    {"above 4 GiB", "offsets that 32 bits do not hold", false, far},
    {"memory", "pools that were given back are given back", false, memory},
    {"contexts", "copies and merges between contexts, on cc too", false,
     contexts},
    {"faults", "each call of a routine's life failing at its n-th use", false,
     pp_part_faults},
    {"programs", "random programs of runtime calls, with faults", true,
     pp_part_programs},
    {"routines", "random routines against the interpreter", true,
     pp_part_routines}};
