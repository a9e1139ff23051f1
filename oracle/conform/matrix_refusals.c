/* poolproof: the offset matrix: what each call must refuse, and that it then
 * has done nothing. SPDX-License-Identifier: MIT */
#include "matrix.h"

#include <inttypes.h>
#include <stdio.h>

/* Slabs as those of the copies. */
enum { SLABS = 3, SIZE = 1000, NEAR = 10 };

static const char doubling[] = "routine doubling\n"
                               "node 1 t u8 [10] observable\n"
                               "node 2 a u8 [10] host\n"
                               "for i<10: t[i] = a[i] + a[i]\n"
                               "end\n";

/* Commands that the driver was given: where it is ours, what is refused never
 * comes to it. */
static uint64_t commands(const pp_matrix_on *on) {
  return on->commands ? on->commands() : 0;
}

static void nothing_came(const pp_bed *bed, const pp_matrix_on *on,
                         uint64_t before, const char *what) {
  if (commands(on) != before)
    pp_die("%s: %s that is refused comes to the driver", bed->backend->name,
           what);
}

static uint64_t refused(const pp_bed *bed, pp_status status, pp_status wanted,
                        const char *call, uint64_t at, uint64_t bytes) {
  if (status != wanted)
    pp_die("%s: %s of %" PRIu64 " at %" PRIu64 " answers %d, not %d",
           bed->backend->name, call, bytes, at, (int)status, (int)wanted);
  return 1;
}

/* Every call that takes a range, on one that is not inside slab 0. */
static uint64_t try_range(pp_bed *bed, uint64_t at, uint64_t bytes) {
  const pp_backend_table *call = bed->call;
  const pp_bed_slab *s = bed->slab;
  pp_backend *b = bed->backend;
  const struct {
    const char *name;
    pp_status status;
  } answers[] = {
      {"memset", call->memset(b, 0, s[0].slab, at, bytes, 1)},
      {"from_host", call->from_host(b, 0, s[0].slab, at, bed->host, bytes)},
      {"to_host", call->to_host(b, 0, bed->host, s[0].slab, at, bytes)},
      {"device_to_device, to",
       call->device_to_device(b, 0, s[0].slab, at, 0, s[1].slab, 0, bytes)},
      {"device_to_device, from",
       call->device_to_device(b, 0, s[1].slab, 0, 0, s[0].slab, at, bytes)},
      {"device_to_device, to another device",
       call->device_to_device(b, s[2].device, s[2].slab, 0, 0, s[0].slab, at,
                              bytes)},
      {"device_to_device, from another device",
       call->device_to_device(b, 0, s[0].slab, at, s[2].device, s[2].slab, 0,
                              bytes)}};
  uint64_t cases = 0;
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++)
    cases += refused(bed, answers[k].status, PP_BACKEND_FAILED, answers[k].name,
                     at, bytes);
  return cases;
}

/* Outside by one, by much, beyond 64 bits, and what 32 bits would make good. */
static uint64_t try_ranges(pp_bed *bed, const pp_matrix_on *on) {
  static const uint64_t wide = UINT64_C(1) << 32;
  static const uint64_t ranges[][2] = {
      {SIZE + 1, 0},        {SIZE, 1},       {0, SIZE + 1},
      {SIZE - 1, 2},        {1, SIZE},       {UINT64_MAX, 1},
      {UINT64_MAX, 0},      {1, UINT64_MAX}, {UINT64_MAX, UINT64_MAX},
      {UINT64_MAX - 9, 20}, {wide, 1},       {wide + 8, 8},
      {8, wide + 8},        {0, wide}};
  uint64_t cases = 0;
  uint64_t before = commands(on);
  for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++)
    cases += try_range(bed, ranges[k][0], ranges[k][1]);
  nothing_came(bed, on, before, "a range");
  return cases;
}

/* Two ranges of one slab: refused when they share a byte. */
static uint64_t try_overlaps(pp_bed *bed, const pp_matrix_on *on) {
  pp_bed_slab *slab = &bed->slab[0];
  uint64_t cases = 0;
  uint64_t before = commands(on);
  for (uint64_t apart = 0; apart < NEAR; apart++)
    for (unsigned swap = 0; swap < 2; swap++) {
      uint64_t to = swap ? 5 + apart : 5;
      uint64_t from = swap ? 5 : 5 + apart;
      pp_status status = bed->call->device_to_device(
          bed->backend, 0, slab->slab, to, 0, slab->slab, from, NEAR);
      cases += refused(bed, status, PP_BACKEND_FAILED, "an overlapping copy",
                       from, apart);
    }
  nothing_came(bed, on, before, "an overlapping copy");
  pp_bed_good(bed,
              bed->call->device_to_device(bed->backend, 0, slab->slab, 5, 0,
                                          slab->slab, 5 + NEAR, NEAR),
              "a copy of neighbours");
  for (unsigned i = 0; i < NEAR; i++)
    slab->holds[5 + i] = slab->holds[5 + NEAR + i];
  pp_bed_check(bed, "overlapping copies");
  return cases + 1;
}

static uint64_t try_alloc(pp_bed *bed, const pp_matrix_on *on) {
  const pp_backend_table *call = bed->call;
  pp_backend *b = bed->backend;
  uint64_t most = bed->limits.max_pool;
  pp_slab slab = {NULL};
  uint64_t cases = 0;
  for (uint64_t align = 1; align <= bed->limits.alignment; align *= 2)
    for (uint64_t bytes = 0; bytes < 3; bytes++, cases++) {
      pp_bed_good(bed, call->alloc_pool(b, 0, bytes, align, &slab),
                  "alloc_pool");
      pp_bed_good(bed, call->memset(b, 0, slab, 0, bytes, 1), "memset");
      if (on->late != PP_LATE_ALL)
        (void)refused(bed, call->memset(b, 0, slab, 0, bytes + 1, 1),
                      PP_BACKEND_FAILED, "memset", 0, bytes + 1);
      pp_bed_good(bed, call->await(b, 0), "await");
      pp_bed_good(bed, call->free_pool(b, 0, slab), "free_pool");
    }
  static const uint64_t aligns[] = {0, 3, 24, UINT64_MAX};
  for (size_t k = 0; k < 4; k++)
    cases += refused(bed, call->alloc_pool(b, 0, 8, aligns[k], &slab),
                     PP_BACKEND_FAILED, "alloc_pool, aligned", aligns[k], 8);
  const uint64_t sizes[] = {most, most + 1, UINT64_MAX - 64, UINT64_MAX};
  for (size_t k = most < PTRDIFF_MAX ? 1 : 0; k < 4; k++)
    if (k > 0 || most == PTRDIFF_MAX)
      cases += refused(
          bed, call->alloc_pool(b, 0, sizes[k], bed->limits.alignment, &slab),
          PP_NO_MEMORY, "alloc_pool", 0, sizes[k]);
  return cases;
}

/* A launch outside is refused at the call, or found out when it runs, which
 * loses a device: that is the loss's part. */
static uint64_t try_launch(pp_bed *bed, const pp_matrix_on *on) {
  pp_routine *routine = pp_routine_of(doubling);
  pp_slab slab = bed->slab[0].slab;
  void *kernel = NULL;
  const pp_operand operand[3] = {{slab, 0}, {slab, 0}, {slab, 0}};
  uint64_t cases = 0;
  pp_bed_good(bed, bed->call->compile(bed->backend, 0, routine->code, &kernel),
              "compile");
  uint64_t before = commands(on);
  for (size_t operands = 0; operands < 4; operands++)
    if (operands != 2)
      cases += refused(
          bed, bed->call->launch(bed->backend, 0, kernel, operand, operands),
          PP_BACKEND_FAILED, "launch with operands", 0, operands);
  static const uint64_t places[] = {SIZE - 9, SIZE, UINT64_MAX - 4, UINT64_MAX,
                                    (UINT64_C(1) << 32) + 16};
  for (size_t k = 0; k < 10 && on->late == PP_LATE_NEVER; k++) {
    pp_operand outside[] = {{slab, 0}, {slab, 20}};
    outside[k % 2].offset = places[k / 2];
    cases +=
        refused(bed, bed->call->launch(bed->backend, 0, kernel, outside, 2),
                PP_BACKEND_FAILED, "launch outside", places[k / 2], k % 2);
  }
  nothing_came(bed, on, before, "a launch");
  pp_bed_good(bed, bed->call->await(bed->backend, 0), "await");
  bed->call->discard(bed->backend, 0, kernel);
  pp_routine_free(routine);
  return cases;
}

uint64_t pp_matrix_refusals(const pp_matrix_on *on) {
  pp_bed bed;
  pp_limits limits;
  uint64_t cases = 0;
  pp_bed_open(&bed, on);
  for (size_t k = 0; k < SLABS; k++)
    pp_bed_add(&bed, k == SLABS - 1 ? on->devices - 1 : 0, SIZE);
  if (on->late != PP_LATE_ALL) cases += try_ranges(&bed, on);
  cases += try_alloc(&bed, on);
  cases += try_launch(&bed, on);
  pp_bed_check(&bed, "refused calls");
  if (on->late != PP_LATE_ALL) cases += try_overlaps(&bed, on);
  for (size_t k = 0; k < on->devices; k++)
    pp_bed_good(&bed, bed.call->limits(bed.backend, k, &limits), "limits");
  pp_bed_close(&bed);
  return cases;
}
