/* poolproof: the offset matrix: slabs, each with what it should hold.
 * SPDX-License-Identifier: MIT */
#include "matrix.h"

#include "backends/note.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void pp_bed_good(const pp_bed *bed, pp_status status, const char *call) {
  char note[PP_NOTE];
  if (status == PP_OK) return;
  pp_die("%s: %s answers %d%s", bed->backend->name, call, (int)status,
         pp_note_take(note));
}

void pp_bed_open(pp_bed *bed, const pp_matrix_on *on) {
  *bed = (pp_bed){.backend = on->backend, .devices = on->devices};
  bed->call = bed->backend->call;
  pp_random_start(&bed->random, on->seed, 1);
  pp_bed_good(bed, bed->call->limits(bed->backend, 0, &bed->limits), "limits");
  uint64_t align = bed->limits.alignment;
  if (align == 0 || (align & (align - 1)) != 0)
    pp_die("%s: its alignment is %" PRIu64, bed->backend->name, align);
}

static void *allocate(uint64_t bytes) {
  void *made = calloc(1, (size_t)bytes);
  if (made == NULL) pp_die("out of memory");
  return made;
}

void pp_bed_add(pp_bed *bed, size_t device, uint64_t size) {
  pp_bed_slab *slab = &bed->slab[bed->slabs++];
  *slab = (pp_bed_slab){.device = device, .size = size};
  pp_bed_good(bed,
              bed->call->alloc_pool(bed->backend, device, size,
                                    bed->limits.alignment, &slab->slab),
              "alloc_pool");
  slab->holds = allocate(size + 1);
  uint64_t most = 0;
  for (size_t k = 0; k < bed->slabs; k++)
    if (bed->slab[k].size > most) most = bed->slab[k].size;
  free(bed->host);
  bed->host = allocate(most + 2);
  pp_bed_draw(bed, bed->slabs - 1);
  pp_bed_send(bed, bed->slabs - 1);
}

void pp_bed_close(pp_bed *bed) {
  for (size_t k = 0; k < bed->slabs; k++)
    (void)bed->call->await(bed->backend, bed->slab[k].device);
  for (size_t k = 0; k < bed->slabs; k++) {
    pp_bed_slab *slab = &bed->slab[k];
    pp_bed_good(bed,
                bed->call->free_pool(bed->backend, slab->device, slab->slab),
                "free_pool");
    free(slab->holds);
  }
  free(bed->host);
}

void pp_bed_draw(pp_bed *bed, size_t k) {
  pp_bed_slab *slab = &bed->slab[k];
  for (uint64_t i = 0; i < slab->size; i += 8) {
    uint64_t bits = pp_random_next(&bed->random);
    uint64_t left = slab->size - i;
    memcpy(slab->holds + i, &bits, left < 8 ? (size_t)left : 8);
  }
}

void pp_bed_send(pp_bed *bed, size_t k) {
  const pp_bed_slab *slab = &bed->slab[k];
  memcpy(bed->host, slab->holds, (size_t)slab->size);
  pp_bed_good(bed,
              bed->call->from_host(bed->backend, slab->device, slab->slab, 0,
                                   bed->host, slab->size),
              "from_host");
  memset(bed->host, 0, (size_t)slab->size);
}

void pp_bed_check(pp_bed *bed, const char *what) {
  for (size_t k = 0; k < bed->slabs; k++) {
    const pp_bed_slab *slab = &bed->slab[k];
    unsigned char *now = bed->host;
    memset(now, 0, (size_t)slab->size);
    pp_bed_good(bed,
                bed->call->to_host(bed->backend, slab->device, now, slab->slab,
                                   0, slab->size),
                "to_host");
    if (memcmp(now, slab->holds, (size_t)slab->size) == 0) continue;
    uint64_t i = 0;
    while (now[i] == slab->holds[i])
      i++;
    pp_die("%s: %s: byte %" PRIu64 " of slab %zu is %02x, not %02x",
           bed->backend->name, what, i, k, now[i], slab->holds[i]);
  }
}

void pp_bed_pattern(pp_bed *bed, pp_dtype dtype, unsigned char *to,
                    uint64_t elements) {
  size_t width = pp_dtype_bytes(dtype);
  bool narrow = dtype == PP_F32;
  const uint64_t special[] = {0, 1, UINT64_MAX, UINT64_C(1) << (8 * width - 1),
                              narrow ? 0x7f800001 : 0x7ff0000000000001};
  for (uint64_t i = 0; i < elements; i++) {
    uint64_t bits = pp_random_next(&bed->random);
    if (bits % 4 == 0) bits = special[bits / 4 % 5];
    memcpy(to + i * width, &bits, width);
  }
}

uint64_t pp_place(const pp_bed *bed, unsigned place, uint64_t size,
                  uint64_t bytes) {
  uint64_t align = bed->limits.alignment;
  uint64_t last = size - bytes;
  const uint64_t places[PP_PLACES] = {0,         align,     3 * align,
                                      7 * align, last,      last & ~(align - 1),
                                      1,         align - 1, 3 * align + 7};
  return places[place];
}
