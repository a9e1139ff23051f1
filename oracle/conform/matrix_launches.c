/* poolproof: the offset matrix of launches: each operand at each offset, in
 * slabs of their own or all in one. SPDX-License-Identifier: MIT */
#include "matrix.h"

#include <poolproof/code.h>

#include "matrix_kernels.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPERANDS = PP_READS + 1,
  TEXT = 1024,
  SHARED = 64 << 10, /* slab 0, in which all operands may lie */
  APART = 28 << 10,
  APART_ODD = 2 * PP_PLACES + 1, /* a family: see arrange */
  FAMILIES = 2 * PP_PLACES + 6
};

static const uint64_t counts[] = {0, 1, 7, 64, 333};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* A kernel for one dtype and count, and its operands' values. */
typedef struct pp_launch {
  pp_bed *bed;
  const pp_matrix_kernel *kind;
  pp_dtype dtype;
  uint64_t count;
  size_t device;
  pp_routine *routine;
  void *kernel;
  void *value[OPERANDS];
  size_t slab[OPERANDS];
  uint64_t at[OPERANDS];
  size_t as[OPERANDS]; /* whose values and place it has: mostly its own */
} pp_launch;

static void write_text(const pp_launch *launch, char *text) {
  size_t used = 0;
  for (const char *c = launch->kind->text; *c != '\0' && used < TEXT; c++) {
    if (*c == '@')
      used += (size_t)snprintf(text + used, TEXT - used, "%s",
                               pp_dtype_name(launch->dtype));
    else if (*c == '$')
      used +=
          (size_t)snprintf(text + used, TEXT - used, "%" PRIu64, launch->count);
    else
      text[used++] = *c;
  }
  if (used >= TEXT) pp_die("the text is too long");
  text[used] = '\0';
}

static uint64_t bytes_of(const pp_launch *launch, size_t k) {
  return launch->routine->code->operand_bytes[k];
}

static void make(pp_launch *launch) {
  char text[TEXT];
  pp_bed *bed = launch->bed;
  write_text(launch, text);
  launch->routine = pp_routine_of(text);
  for (size_t k = 0; k < launch->routine->nodes; k++) {
    launch->value[k] = calloc(1, (size_t)bytes_of(launch, k) + 1);
    if (launch->value[k] == NULL) pp_die("out of memory");
  }
  pp_bed_good(bed,
              bed->call->compile(bed->backend, launch->device,
                                 launch->routine->code, &launch->kernel),
              "compile");
}

static void unmake(pp_launch *launch) {
  pp_bed *bed = launch->bed;
  pp_bed_good(bed, bed->call->await(bed->backend, launch->device), "await");
  bed->call->discard(bed->backend, launch->device, launch->kernel);
  for (size_t k = 0; k < launch->routine->nodes; k++)
    free(launch->value[k]);
  pp_routine_free(launch->routine);
}

/* Finite, tiny ones among them, of a size at which no product is infinite. */
static double draw_float(pp_random *random, bool narrow) {
  uint64_t bits = pp_random_next(random);
  int scale = (int)(bits & 31) - 30;
  double x = (double)((int64_t)bits >> (narrow ? 40 : 11));
  if ((bits & 0x1e0) == 0) scale = narrow ? -149 : -1074;
  if ((bits & 0x1e0) == 0x20 && !narrow) scale += 20;
  return ldexp(x, scale);
}

static void draw(pp_launch *launch, size_t k) {
  pp_dtype dtype = launch->routine->node[k].dtype;
  pp_random *random = &launch->bed->random;
  uint64_t elements = bytes_of(launch, k) / pp_dtype_bytes(dtype);
  for (uint64_t i = 0; i < elements; i++) {
    if (dtype == PP_F32)
      ((float *)launch->value[k])[i] = (float)draw_float(random, true);
    else if (dtype == PP_F64)
      ((double *)launch->value[k])[i] = draw_float(random, false);
    else {
      uint64_t bits = pp_random_next(random);
      size_t width = pp_dtype_bytes(dtype);
      memcpy((unsigned char *)launch->value[k] + i * width, &bits, width);
    }
  }
}

/* All operands in slab 0, one behind the other, `gap` bytes between. */
static void pack(pp_launch *launch, uint64_t unit, uint64_t gap) {
  uint64_t end = gap;
  for (size_t left = launch->routine->nodes; left > 0; left--) {
    size_t k = left - 1;
    launch->slab[k] = 0;
    launch->at[k] = (end + unit - 1) / unit * unit;
    end = launch->at[k] + bytes_of(launch, k) + gap;
  }
}

/* Where the operands of one case are. Families: the target moves; the reads
 * move; each at an offset of its own, aligned and odd; one slab for all,
 * aligned and odd; operands that have the place of another. */
static bool arrange(pp_launch *launch, unsigned family) {
  const pp_bed *bed = launch->bed;
  uint64_t align = bed->limits.alignment;
  unsigned rest = family < 2 * PP_PLACES ? 0 : family - 2 * PP_PLACES;
  for (size_t k = 0; k < launch->routine->nodes; k++) {
    uint64_t size = bed->slab[k].size;
    unsigned place = (k == 0) == (family < PP_PLACES) ? family % PP_PLACES : 0;
    launch->slab[k] = launch->as[k] = k;
    launch->at[k] = pp_place(bed, place, size, bytes_of(launch, k));
    if (family < 2 * PP_PLACES) continue;
    launch->at[k] = (2 * k + 1) * align;
    if (rest == 1) launch->at[k] += k * k + 1;
  }
  if (rest == 2) pack(launch, align, align);
  if (rest == 3) pack(launch, 1, 3);
  if (rest == 4) launch->as[2] = 1;
  if (rest == 5) launch->as[1] = 0;
  return family < 2 * PP_PLACES || rest < 4 || launch->kind->same;
}

/* Puts values where operands are: to the mirror, or also to the device. */
static void place_values(pp_launch *launch, bool send) {
  bool touched[PP_BED_SLABS] = {false};
  for (size_t k = 0; k < launch->routine->nodes; k++) {
    size_t slab = launch->slab[k];
    if (launch->as[k] != k) continue;
    memcpy(launch->bed->slab[slab].holds + launch->at[k], launch->value[k],
           (size_t)bytes_of(launch, k));
    touched[slab] = true;
  }
  for (size_t k = 0; k < launch->bed->slabs && send; k++)
    if (touched[k]) pp_bed_send(launch->bed, k);
}

static void run(pp_launch *launch) {
  pp_bed *bed = launch->bed;
  size_t operands = launch->routine->nodes;
  pp_operand operand[OPERANDS];
  for (size_t k = 0; k < operands; k++)
    operand[k] = (pp_operand){bed->slab[launch->slab[k]].slab, launch->at[k]};
  pp_bed_good(bed,
              bed->call->launch(bed->backend, launch->device, launch->kernel,
                                operand, operands),
              "launch");
  memset(operand, 0, sizeof operand);
}

static void try_family(pp_launch *launch, unsigned family) {
  char what[160];
  void *value[OPERANDS];
  size_t operands = launch->routine->nodes;
  for (size_t k = 0; k < operands; k++) {
    size_t as = launch->as[k];
    launch->slab[k] = launch->slab[as];
    launch->at[k] = launch->at[as];
    value[k] = launch->value[as];
    if (as == k) draw(launch, k);
  }
  place_values(launch, true);
  run(launch);
  launch->kind->expect[launch->dtype](value, (size_t)launch->count);
  place_values(launch, false);
  snprintf(what, sizeof what,
           "launch of %s, %s, count %" PRIu64 ", family %u, target at %" PRIu64
           " of slab %zu",
           launch->kind->name, pp_dtype_name(launch->dtype), launch->count,
           family, launch->at[0], launch->slab[0]);
  pp_bed_check(launch->bed, what);
}

static uint64_t try_kernel(pp_bed *bed, size_t device, size_t kind,
                           uint64_t count, unsigned first, unsigned step) {
  uint64_t cases = 0;
  for (pp_dtype dtype = 0; dtype < PP_DTYPE_COUNT; dtype++) {
    pp_launch launch = {.bed = bed,
                        .kind = &pp_matrix_kernels[kind],
                        .dtype = dtype,
                        .count = count,
                        .device = device};
    if (launch.kind->expect[dtype] == NULL) continue;
    make(&launch);
    for (unsigned family = first; family < FAMILIES; family += step)
      if (arrange(&launch, family)) {
        try_family(&launch, family);
        cases++;
      }
    unmake(&launch);
  }
  return cases;
}

static void open_bed(pp_bed *bed, const pp_matrix_on *on, size_t device) {
  pp_bed_open(bed, on);
  uint64_t more = 20 * bed->limits.alignment + 13;
  for (size_t k = 0; k < PP_BED_SLABS; k++)
    pp_bed_add(bed, device, (k == 0 ? SHARED : APART) + more + k);
}

/* More elements than a device has work items at one time. */
static uint64_t try_many(const pp_matrix_on *on) {
  enum { MANY = 20011 };
  pp_bed bed;
  uint64_t cases = 0;
  pp_bed_open(&bed, on);
  for (size_t k = 0; k < 3; k++)
    pp_bed_add(&bed, 0, UINT64_C(8) * MANY + 9 * bed.limits.alignment);
  for (size_t kind = 0; kind < PP_MATRIX_KERNELS; kind++)
    if (kind % 8 == 0)
      cases += try_kernel(&bed, 0, kind, MANY, APART_ODD, FAMILIES);
  pp_bed_close(&bed);
  return cases;
}

uint64_t pp_matrix_launches(const pp_matrix_on *on) {
  pp_bed bed;
  uint64_t cases = 0;
  open_bed(&bed, on, 0);
  for (size_t kind = 0; kind < PP_MATRIX_KERNELS; kind++)
    for (size_t n = 0; n < COUNTS; n++)
      cases += try_kernel(&bed, 0, kind, counts[n], 0, n + 1 < COUNTS ? 1 : 5);
  pp_bed_close(&bed);
  if (on->devices > 1) {
    open_bed(&bed, on, on->devices - 1);
    for (size_t kind = 0; kind < PP_MATRIX_KERNELS; kind++)
      cases += try_kernel(&bed, on->devices - 1, kind, 7, 0, 3);
    pp_bed_close(&bed);
  }
  return cases + try_many(on);
}
