/* poolproof: the offset matrix above 4 GiB, where 32 bits do not reach.
 * SPDX-License-Identifier: MIT */
#include "matrix.h"

#include <inttypes.h>
#include <string.h>

/* Slab 0 of the bed is small; the far slab is not compared whole. */
enum { SIZE = 900, WINDOW = 2000 };
static const uint64_t wide = UINT64_C(1) << 32;

static const char doubling[] = "routine doubling\n"
                               "node 1 t i64 [40] observable\n"
                               "node 2 a i64 [40] host\n"
                               "for i<40: t[i] = a[i] + a[i]\n"
                               "end\n";

/* The far slab's bytes that are looked at: from 0, and from 4 GiB - 500. A
 * 32-bit offset has the first where it should have the second. */
typedef struct pp_far {
  pp_bed bed;
  pp_slab slab;
  unsigned char holds[2][WINDOW];
} pp_far;

static const uint64_t starts[2] = {0, (UINT64_C(1) << 32) - 500};

static void send(pp_far *far) {
  pp_bed *bed = &far->bed;
  for (size_t w = 0; w < 2; w++) {
    for (size_t i = 0; i < WINDOW; i++)
      far->holds[w][i] = (unsigned char)(pp_random_next(&bed->random) & 0xff);
    pp_bed_good(bed,
                bed->call->from_host(bed->backend, 0, far->slab, starts[w],
                                     far->holds[w], WINDOW),
                "from_host");
  }
}

static void check(pp_far *far, const char *what) {
  pp_bed *bed = &far->bed;
  unsigned char now[WINDOW];
  for (size_t w = 0; w < 2; w++) {
    pp_bed_good(
        bed,
        bed->call->to_host(bed->backend, 0, now, far->slab, starts[w], WINDOW),
        "to_host");
    if (memcmp(now, far->holds[w], WINDOW) != 0)
      pp_die("%s: %s beyond 4 GiB: wrong bytes from %" PRIu64 " on",
             bed->backend->name, what, starts[w]);
  }
  pp_bed_check(bed, what);
}

static void try_moves(pp_far *far, uint64_t at) {
  pp_bed *bed = &far->bed;
  pp_bed_slab *near = &bed->slab[0];
  unsigned char *there = far->holds[1] + (at - starts[1]);
  pp_bed_good(bed, bed->call->memset(bed->backend, 0, far->slab, at, 320, 0x77),
              "memset");
  memset(there, 0x77, 320);
  check(far, "memset");
  pp_bed_draw(bed, 0);
  pp_bed_send(bed, 0);
  pp_bed_good(bed,
              bed->call->device_to_device(bed->backend, 0, far->slab, at, 0,
                                          near->slab, 11, 320),
              "device_to_device");
  memcpy(there, near->holds + 11, 320);
  check(far, "a copy to");
  send(far);
  pp_bed_good(bed,
              bed->call->device_to_device(bed->backend, 0, near->slab, 9, 0,
                                          far->slab, at, 320),
              "device_to_device");
  memcpy(near->holds + 9, there, 320);
  check(far, "a copy from");
}

static void run(pp_far *far, void *kernel, pp_operand to, pp_operand from) {
  const pp_operand operand[] = {to, from};
  pp_bed *bed = &far->bed;
  pp_bed_good(bed, bed->call->launch(bed->backend, 0, kernel, operand, 2),
              "launch");
}

static void twice(unsigned char *to, const unsigned char *from) {
  for (size_t i = 0; i < 40; i++) {
    uint64_t x = 0;
    memcpy(&x, from + 8 * i, 8);
    x <<= 1;
    memcpy(to + 8 * i, &x, 8);
  }
}

static void try_launch(pp_far *far, uint64_t at) {
  pp_bed *bed = &far->bed;
  pp_bed_slab *near = &bed->slab[0];
  pp_routine *routine = pp_routine_of(doubling);
  void *kernel = NULL;
  unsigned char *there = far->holds[1] + (at - starts[1]);
  pp_bed_good(bed, bed->call->compile(bed->backend, 0, routine->code, &kernel),
              "compile");
  send(far);
  run(far, kernel, (pp_operand){near->slab, 16}, (pp_operand){far->slab, at});
  twice(near->holds + 16, there);
  check(far, "a launch that reads");
  pp_bed_draw(bed, 0);
  pp_bed_send(bed, 0);
  run(far, kernel, (pp_operand){far->slab, at}, (pp_operand){near->slab, 24});
  twice(there, near->holds + 24);
  check(far, "a launch that writes");
  bed->call->discard(bed->backend, 0, kernel);
  pp_routine_free(routine);
}

uint64_t pp_matrix_far(const pp_matrix_on *on) {
  pp_far far;
  pp_bed *bed = &far.bed;
  uint64_t cases = 0;
  pp_bed_open(bed, on);
  if (bed->limits.max_pool < wide + (1 << 16)) return 0;
  pp_status status = bed->call->alloc_pool(bed->backend, 0, wide + (1 << 16),
                                           bed->limits.alignment, &far.slab);
  if (status == PP_NO_MEMORY) return 0;
  pp_bed_good(bed, status, "alloc_pool");
  pp_bed_add(bed, 0, SIZE);
  send(&far);
  static const uint64_t steps[] = {0, 17, 64, 320, 500, 507, 564};
  for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++, cases += 5) {
    try_moves(&far, starts[1] + steps[k]);
    try_launch(&far, starts[1] + steps[k]);
  }
  pp_bed_good(bed, bed->call->await(bed->backend, 0), "await");
  pp_bed_good(bed, bed->call->free_pool(bed->backend, 0, far.slab),
              "free_pool");
  pp_bed_close(bed);
  return cases;
}
