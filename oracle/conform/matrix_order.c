/* poolproof: the offset matrix: work of all calls and devices in the order of
 * its calls, though nobody waits. SPDX-License-Identifier: MIT */
#include "matrix.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  DEVICES = 4,
  SLABS = 2 * DEVICES,
  SIZE = 700,
  VALUES = 50,
  ROUNDS = 80,
  STEPS = 60,
  BUSY = 4 << 20,
  LARGE = (1 << 20) + 1,
  ODD = 333 /* where the large bytes go */
};

static const char adding[] = "routine adding\n"
                             "node 1 t u8 [50] host observable\n"
                             "node 2 a u8 [50] host\n"
                             "for i<50: t[i] += a[i]\n"
                             "end\n";

/* busy   a slab of each device that takes a while to fill
 * large  host bytes, more than a backend keeps a copy of, and room for as many
 */
typedef struct pp_order {
  pp_bed bed;
  size_t devices;
  pp_routine *routine;
  void *kernel[DEVICES];
  pp_slab busy[DEVICES];
  unsigned char *large;
} pp_order;

static void open_order(pp_order *order, const pp_matrix_on *on) {
  pp_bed *bed = &order->bed;
  pp_bed_open(bed, on);
  order->devices = on->devices < DEVICES ? on->devices : DEVICES;
  order->routine = pp_routine_of(adding);
  order->large = malloc((size_t)2 * LARGE);
  if (order->large == NULL) pp_die("out of memory");
  for (size_t d = 0; d < order->devices; d++) {
    pp_bed_add(bed, d, SIZE + d);
    pp_bed_add(bed, d, SIZE - d);
    pp_bed_good(bed,
                bed->call->compile(bed->backend, d, order->routine->code,
                                   &order->kernel[d]),
                "compile");
    pp_bed_good(bed,
                bed->call->alloc_pool(bed->backend, d, BUSY,
                                      bed->limits.alignment, &order->busy[d]),
                "alloc_pool");
  }
}

static void close_order(pp_order *order) {
  pp_bed *bed = &order->bed;
  for (size_t d = 0; d < order->devices; d++) {
    pp_bed_good(bed, bed->call->await(bed->backend, d), "await");
    bed->call->discard(bed->backend, d, order->kernel[d]);
    pp_bed_good(bed, bed->call->free_pool(bed->backend, d, order->busy[d]),
                "free_pool");
  }
  pp_routine_free(order->routine);
  free(order->large);
  pp_bed_close(bed);
}

static uint64_t below(pp_order *order, uint64_t bound) {
  return pp_random_below(&order->bed.random, bound);
}

/* Bytes from host memory that goes at once. */
static void step_from_host(pp_order *order, pp_bed_slab *slab, uint64_t at,
                           uint64_t bytes) {
  pp_bed *bed = &order->bed;
  unsigned char host[VALUES];
  for (uint64_t i = 0; i < bytes; i++)
    host[i] = slab->holds[at + i] = (unsigned char)below(order, UINT8_MAX + 1);
  pp_bed_good(bed,
              bed->call->from_host(bed->backend, slab->device, slab->slab, at,
                                   host, bytes),
              "from_host");
  memset(host, 0xee, sizeof host);
}

static void step_to_host(pp_order *order, const pp_bed_slab *slab, uint64_t at,
                         uint64_t bytes) {
  pp_bed *bed = &order->bed;
  unsigned char host[VALUES] = {0};
  pp_bed_good(bed,
              bed->call->to_host(bed->backend, slab->device, host, slab->slab,
                                 at, bytes),
              "to_host");
  if (memcmp(host, slab->holds + at, (size_t)bytes) != 0)
    pp_die("%s: to_host of %" PRIu64 " at %" PRIu64
           " of device %zu does not have what was called for before",
           bed->backend->name, bytes, at, slab->device);
}

static void step_memset(pp_order *order, const pp_bed_slab *slab, uint64_t at,
                        uint64_t bytes) {
  pp_bed *bed = &order->bed;
  uint8_t value = (uint8_t)below(order, UINT8_MAX + 1);
  memset(slab->holds + at, value, (size_t)bytes);
  pp_bed_good(bed,
              bed->call->memset(bed->backend, slab->device, slab->slab, at,
                                bytes, value),
              "memset");
}

static void step_copy(pp_order *order, const pp_bed_slab *to, uint64_t to_at,
                      const pp_bed_slab *from, uint64_t from_at,
                      uint64_t bytes) {
  pp_bed *bed = &order->bed;
  if (to == from && to_at < from_at + bytes && from_at < to_at + bytes) return;
  memcpy(to->holds + to_at, from->holds + from_at, (size_t)bytes);
  pp_bed_good(bed,
              bed->call->device_to_device(bed->backend, to->device, to->slab,
                                          to_at, from->device, from->slab,
                                          from_at, bytes),
              "device_to_device");
}

/* From a slab of the device to the other one. */
static void step_launch(pp_order *order, size_t k, uint64_t to_at,
                        uint64_t from_at) {
  pp_bed *bed = &order->bed;
  const pp_bed_slab *to = &bed->slab[k];
  const pp_bed_slab *from = &bed->slab[k ^ 1U];
  const pp_operand operand[] = {{to->slab, to_at}, {from->slab, from_at}};
  for (size_t i = 0; i < VALUES; i++)
    to->holds[to_at + i] =
        (unsigned char)((to->holds[to_at + i] + from->holds[from_at + i]) &
                        UINT8_MAX);
  pp_bed_good(bed,
              bed->call->launch(bed->backend, to->device,
                                order->kernel[to->device], operand, 2),
              "launch");
}

static void step(pp_order *order) {
  pp_bed *bed = &order->bed;
  size_t k = (size_t)below(order, bed->slabs);
  pp_bed_slab *slab = &bed->slab[k];
  const pp_bed_slab *other = &bed->slab[below(order, bed->slabs)];
  uint64_t bytes = 1 + below(order, VALUES);
  uint64_t at = below(order, SIZE - DEVICES - VALUES);
  uint64_t from = below(order, SIZE - DEVICES - VALUES);
  switch (below(order, 16)) {
  case 0:
    step_to_host(order, slab, at, bytes);
    break;
  case 1:
  case 2:
    step_from_host(order, slab, at, bytes);
    break;
  case 3:
  case 4:
    step_memset(order, slab, at, bytes);
    break;
  case 5:
  case 6:
  case 7:
    step_launch(order, k, at, from);
    break;
  case 8:
    pp_bed_good(bed,
                bed->call->memset(bed->backend, slab->device,
                                  order->busy[slab->device], 0, BUSY / 8, 1),
                "memset");
    break;
  default:
    step_copy(order, slab, at, other, from, bytes);
    break;
  }
}

/* Large host bytes come after what was called for before, too. */
static void make_busy(pp_order *order, size_t round) {
  pp_bed *bed = &order->bed;
  size_t d = round % order->devices;
  unsigned char value = (unsigned char)round;
  unsigned char *back = order->large + LARGE;
  for (unsigned times = 0; times < 2; times++)
    pp_bed_good(
        bed, bed->call->memset(bed->backend, d, order->busy[d], 0, BUSY, value),
        "memset");
  if (round % 8 >= 2) return;
  memset(order->large, value + 1, LARGE);
  pp_bed_good(bed,
              bed->call->from_host(bed->backend, d, order->busy[d], ODD,
                                   order->large, LARGE),
              "from_host");
  pp_bed_good(
      bed,
      bed->call->to_host(bed->backend, d, back, order->busy[d], ODD, LARGE),
      "to_host");
  if (memcmp(order->large, back, LARGE) != 0)
    pp_die("%s: a large from_host is not in its order", bed->backend->name);
}

uint64_t pp_matrix_order(const pp_matrix_on *on) {
  pp_order order;
  open_order(&order, on);
  pp_bed *bed = &order.bed;
  for (size_t round = 0; round < ROUNDS; round++) {
    make_busy(&order, round);
    for (size_t k = 0; k < STEPS; k++)
      step(&order);
    pp_bed_check(bed, "work that nobody waited for");
  }
  close_order(&order);
  return (uint64_t)ROUNDS * STEPS;
}
