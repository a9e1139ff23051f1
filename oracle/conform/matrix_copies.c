/* poolproof: the offset matrix of the calls that move bytes.
 * SPDX-License-Identifier: MIT */
#include "matrix.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Slabs 0 and 1 are device 0's, 2 is the last device's. Little-endian hosts
 * alone, as all backends are. */
enum { SLABS = 3, ROOM = 5000, LARGE = 3 << 20, WHAT = 160 };

static const uint64_t counts[] = {0, 1, 7, 64, 333, 513};
enum { COUNTS = sizeof counts / sizeof counts[0] };

static void open_bed(pp_bed *bed, const pp_matrix_on *on, uint64_t room) {
  pp_bed_open(bed, on);
  for (size_t k = 0; k < SLABS; k++)
    pp_bed_add(bed, k == SLABS - 1 ? on->devices - 1 : 0,
               12 * bed->limits.alignment + room + 13 * k + 3);
}

static void try_memset(pp_bed *bed, size_t k, uint64_t at, uint64_t bytes) {
  pp_bed_slab *slab = &bed->slab[k];
  uint8_t value = (uint8_t)pp_random_below(&bed->random, UINT8_MAX + 1);
  char what[WHAT];
  pp_bed_good(bed,
              bed->call->memset(bed->backend, slab->device, slab->slab, at,
                                bytes, value),
              "memset");
  memset(slab->holds + at, value, (size_t)bytes);
  snprintf(what, sizeof what, "memset of %" PRIu64 " at %" PRIu64, bytes, at);
  pp_bed_check(bed, what);
}

static void try_from_host(pp_bed *bed, size_t k, pp_dtype dtype, uint64_t at,
                          uint64_t count) {
  pp_bed_slab *slab = &bed->slab[k];
  uint64_t bytes = count * pp_dtype_bytes(dtype);
  char what[WHAT];
  pp_bed_pattern(bed, dtype, slab->holds + at, count);
  memcpy(bed->host + 1, slab->holds + at, (size_t)bytes);
  pp_bed_good(bed,
              bed->call->from_host(bed->backend, slab->device, slab->slab, at,
                                   bytes > 0 ? bed->host + 1 : NULL, bytes),
              "from_host");
  memset(bed->host, 0, (size_t)bytes + 2);
  snprintf(what, sizeof what, "from_host of %" PRIu64 " %s at %" PRIu64, count,
           pp_dtype_name(dtype), at);
  pp_bed_check(bed, what);
}

static void try_to_host(pp_bed *bed, size_t k, uint64_t at, uint64_t bytes) {
  const pp_bed_slab *slab = &bed->slab[k];
  unsigned char *host = bed->host;
  memset(host, 0x5e, (size_t)bytes + 2);
  pp_bed_good(bed,
              bed->call->to_host(bed->backend, slab->device, host + 1,
                                 slab->slab, at, bytes),
              "to_host");
  if (memcmp(host + 1, slab->holds + at, (size_t)bytes) != 0)
    pp_die("%s: to_host of %" PRIu64 " at %" PRIu64 ": other bytes",
           bed->backend->name, bytes, at);
  if (host[0] != 0x5e || host[bytes + 1] != 0x5e)
    pp_die("%s: to_host of %" PRIu64 " at %" PRIu64 ": bytes around it",
           bed->backend->name, bytes, at);
}

uint64_t pp_matrix_host(const pp_matrix_on *on) {
  pp_bed bed;
  uint64_t cases = 0;
  open_bed(&bed, on, ROOM);
  for (size_t k = 0; k < SLABS; k += 2)
    for (pp_dtype dtype = 0; dtype < PP_DTYPE_COUNT; dtype++)
      for (size_t n = 0; n < COUNTS; n++)
        for (unsigned place = 0; place < PP_PLACES; place++, cases += 3) {
          uint64_t bytes = counts[n] * pp_dtype_bytes(dtype);
          uint64_t at = pp_place(&bed, place, bed.slab[k].size, bytes);
          try_memset(&bed, k, at, bytes);
          try_from_host(&bed, k, dtype, at, counts[n]);
          try_to_host(&bed, k, at, bytes);
        }
  pp_bed_close(&bed);
  return cases;
}

/* False: the ranges overlap, so that it is no case. */
static bool try_copy(pp_bed *bed, size_t to, size_t from, uint64_t to_at,
                     uint64_t from_at, uint64_t bytes) {
  pp_bed_slab *target = &bed->slab[to];
  const pp_bed_slab *source = &bed->slab[from];
  char what[WHAT];
  if (to == from && to_at < from_at + bytes && from_at < to_at + bytes)
    return false;
  pp_bed_good(bed,
              bed->call->device_to_device(bed->backend, target->device,
                                          target->slab, to_at, source->device,
                                          source->slab, from_at, bytes),
              "device_to_device");
  memcpy(target->holds + to_at, source->holds + from_at, (size_t)bytes);
  snprintf(what, sizeof what,
           "copy of %" PRIu64 " from slab %zu at %" PRIu64
           " to slab %zu at %" PRIu64,
           bytes, from, from_at, to, to_at);
  pp_bed_check(bed, what);
  return true;
}

static const size_t pairs[][2] = {{0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 1}};
enum { PAIRS = sizeof pairs / sizeof pairs[0] };

/* New values where the copy is from: an earlier copy left the old ones. */
static uint64_t try_pair(pp_bed *bed, size_t to, size_t from, pp_dtype dtype,
                         uint64_t count) {
  uint64_t bytes = count * pp_dtype_bytes(dtype);
  uint64_t cases = 0;
  for (unsigned a = 0; a < PP_PLACES; a++)
    for (unsigned b = 0; b < PP_PLACES; b++) {
      uint64_t to_at = pp_place(bed, a, bed->slab[to].size, bytes);
      uint64_t from_at = pp_place(bed, b, bed->slab[from].size, bytes);
      pp_bed_pattern(bed, dtype, bed->slab[from].holds + from_at, count);
      pp_bed_send(bed, from);
      if (try_copy(bed, to, from, to_at, from_at, bytes)) cases++;
    }
  return cases;
}

uint64_t pp_matrix_copies(const pp_matrix_on *on) {
  pp_bed bed;
  uint64_t cases = 0;
  open_bed(&bed, on, ROOM);
  for (size_t p = 0; p < PAIRS; p++)
    for (pp_dtype dtype = 0; dtype < PP_DTYPE_COUNT; dtype++)
      for (size_t n = 0; n < COUNTS; n++)
        cases += try_pair(&bed, pairs[p][0], pairs[p][1], dtype, counts[n]);
  pp_bed_close(&bed);
  return cases;
}

/* About the size up to which a backend may keep a copy of host bytes, to return
 * at once. */
uint64_t pp_matrix_large(const pp_matrix_on *on) {
  static const uint64_t sizes[] = {(1 << 20) - 1, 1 << 20, (1 << 20) + 1};
  pp_bed bed;
  uint64_t cases = 0;
  open_bed(&bed, on, LARGE);
  for (size_t n = 0; n < 3; n++)
    for (unsigned place = 1; place < PP_PLACES; place += 3) {
      uint64_t at = pp_place(&bed, place, bed.slab[0].size, sizes[n]);
      try_memset(&bed, 0, at, sizes[n]);
      try_from_host(&bed, 0, PP_U8, at, sizes[n]);
      try_to_host(&bed, 0, at, sizes[n]);
      cases += 3;
      for (size_t p = 0; p < PAIRS; p++) {
        size_t to = pairs[p][0];
        size_t from = pairs[p][1];
        uint64_t last = bed.slab[to].size - sizes[n] - n;
        pp_bed_draw(&bed, from);
        pp_bed_send(&bed, from);
        if (try_copy(&bed, to, from, last, at, sizes[n])) cases++;
        if (try_copy(&bed, to, from, at, 3, sizes[n])) cases++;
      }
    }
  pp_bed_close(&bed);
  return cases;
}
