/* poolproof: the offset matrix: a device that is lost stays so, and the others
 * go on. SPDX-License-Identifier: MIT */
#include "matrix.h"

#include <string.h>

/* Slabs 0 and 1 are device 0's, 2 is the last device's. */
enum { SLABS = 3, SIZE = 500 };

static const char doubling[] = "routine doubling\n"
                               "node 1 t u8 [10] observable\n"
                               "node 2 a u8 [10] host\n"
                               "for i<10: t[i] = a[i] + a[i]\n"
                               "end\n";

static pp_status launch(const pp_bed *bed, void *kernel, uint64_t from) {
  pp_slab slab = bed->slab[0].slab;
  const pp_operand operand[] = {{slab, 0}, {slab, from}};
  return bed->call->launch(bed->backend, 0, kernel, operand, 2);
}

/* The last device copies from device 0, which is waited for: what device 0
 * suffers later is nothing to it. */
static void copy_before(pp_bed *bed) {
  pp_bed_slab *to = &bed->slab[2];
  if (to->device == 0) return;
  pp_bed_good(bed,
              bed->call->device_to_device(bed->backend, to->device, to->slab, 0,
                                          0, bed->slab[0].slab, 0, SIZE),
              "device_to_device");
  pp_bed_good(bed, bed->call->await(bed->backend, 0), "await");
  memcpy(to->holds, bed->slab[0].holds, SIZE);
}

/* Makes device 0's next work fail after its call returned. False: there is no
 * way here. */
static bool lose(const pp_bed *bed, const pp_matrix_on *on, void *kernel) {
  if (on->late != PP_LATE_NEVER) return launch(bed, kernel, SIZE - 9) == PP_OK;
  if (!on->lose || !on->lose()) return false;
  pp_bed_good(bed,
              bed->call->memset(bed->backend, 0, bed->slab[0].slab, 0, 8, 0),
              "memset");
  return true;
}

static void expect(const pp_bed *bed, pp_status status, const char *call) {
  if (status != PP_DEVICE_LOST)
    pp_die("%s: %s on a lost device answers %d", bed->backend->name, call,
           (int)status);
}

static uint64_t try_calls(pp_bed *bed, pp_routine *routine, void *kernel) {
  const pp_backend_table *call = bed->call;
  pp_backend *b = bed->backend;
  const pp_bed_slab *s = bed->slab;
  unsigned char host[8] = {0};
  pp_limits limits;
  pp_slab slab;
  void *another = NULL;
  expect(bed, call->await(b, 0), "await");
  expect(bed, call->limits(b, 0, &limits), "limits");
  expect(bed, call->alloc_pool(b, 0, 8, 8, &slab), "alloc_pool");
  expect(bed, call->memset(b, 0, s[0].slab, 0, 8, 0), "memset");
  expect(bed, call->from_host(b, 0, s[0].slab, 0, host, 8), "from_host");
  expect(bed, call->to_host(b, 0, host, s[0].slab, 0, 8), "to_host");
  expect(bed, call->device_to_device(b, 0, s[0].slab, 0, 0, s[1].slab, 0, 8),
         "device_to_device");
  expect(bed, call->compile(b, 0, routine->code, &another), "compile");
  expect(bed, launch(bed, kernel, 20), "launch");
  expect(bed, call->await(b, 0), "await");
  if (s[2].device == 0) return 10;
  expect(
      bed,
      call->device_to_device(b, s[2].device, s[2].slab, 0, 0, s[0].slab, 0, 8),
      "device_to_device, from it");
  expect(
      bed,
      call->device_to_device(b, 0, s[0].slab, 0, s[2].device, s[2].slab, 0, 8),
      "device_to_device, to it");
  return 12;
}

static uint64_t try_other(pp_bed *bed) {
  const pp_bed_slab *slab = &bed->slab[2];
  unsigned char now[SIZE] = {0};
  if (slab->device == 0) return 0;
  pp_bed_good(bed, bed->call->await(bed->backend, slab->device),
              "await of another device");
  pp_bed_good(
      bed,
      bed->call->to_host(bed->backend, slab->device, now, slab->slab, 0, SIZE),
      "to_host of another device");
  if (memcmp(now, slab->holds, SIZE) != 0)
    pp_die("%s: another device has other bytes", bed->backend->name);
  return 2;
}

uint64_t pp_matrix_loss(const pp_matrix_on *on) {
  pp_bed bed;
  void *kernel = NULL;
  uint64_t cases = 0;
  pp_bed_open(&bed, on);
  for (size_t k = 0; k < SLABS; k++)
    pp_bed_add(&bed, k == SLABS - 1 ? on->devices - 1 : 0, SIZE);
  pp_routine *routine = pp_routine_of(doubling);
  pp_bed_good(&bed, bed.call->compile(bed.backend, 0, routine->code, &kernel),
              "compile");
  copy_before(&bed);
  if (lose(&bed, on, kernel)) {
    expect(&bed, bed.call->await(bed.backend, 0), "await");
    cases = 1 + try_calls(&bed, routine, kernel) + try_other(&bed);
  }
  bed.call->discard(bed.backend, 0, kernel);
  pp_routine_free(routine);
  pp_bed_close(&bed);
  return cases;
}
