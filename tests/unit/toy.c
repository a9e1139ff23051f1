/* poolproof: what the tests of the fault backend start from.
 * SPDX-License-Identifier: MIT */
#include "toy.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct pp_toy pp_toy;

static pp_status toy_devices(pp_backend *backend, size_t *count) {
  (void)backend;
  *count = 2;
  return PP_OK;
}

static pp_status toy_limits(pp_backend *backend, size_t device,
                            pp_limits *limits) {
  (void)backend;
  (void)device;
  *limits = (pp_limits){.max_pool = 1 << 20,
                        .alignment = 64,
                        .asynchronous = pp_toy.asynchronous};
  return PP_OK;
}

static pp_status toy_alloc(pp_backend *backend, size_t device, uint64_t bytes,
                           uint64_t align, pp_slab *slab) {
  (void)backend;
  (void)device;
  (void)align;
  if (pp_toy.slabs == TOYS) return PP_NO_MEMORY;
  uint8_t *base = malloc(bytes);
  memset(base, 0, bytes);
  pp_toy.slab[pp_toy.slabs].base = base;
  pp_toy.slab[pp_toy.slabs++].bytes = bytes;
  slab->handle = base;
  return PP_OK;
}

static pp_status toy_free(pp_backend *backend, size_t device, pp_slab slab) {
  (void)backend;
  (void)device;
  size_t i = 0;
  while (pp_toy.slab[i].base != slab.handle)
    i++;
  pp_toy.poisoned = 0;
  for (uint64_t k = 0; k < pp_toy.slab[i].bytes; k++)
    pp_toy.poisoned += pp_toy.slab[i].base[k] == PP_FAULT_POISON;
  free(slab.handle);
  pp_toy.slab[i] = pp_toy.slab[--pp_toy.slabs];
  return PP_OK;
}

static pp_status toy_memset(pp_backend *backend, size_t device, pp_slab slab,
                            uint64_t offset, uint64_t bytes, uint8_t value) {
  (void)backend;
  if (pp_toy.answer[device] != PP_OK) return pp_toy.answer[device];
  if (pp_toy.during_memset != NULL) pp_toy.during_memset();
  memset((uint8_t *)slab.handle + offset, value, bytes);
  return PP_OK;
}

static pp_status toy_from(pp_backend *backend, size_t device, pp_slab slab,
                          uint64_t offset, const void *from, uint64_t bytes) {
  (void)backend;
  (void)device;
  memcpy((uint8_t *)slab.handle + offset, from, bytes);
  return PP_OK;
}

static pp_status toy_to(pp_backend *backend, size_t device, void *to,
                        pp_slab slab, uint64_t offset, uint64_t bytes) {
  (void)backend;
  (void)device;
  memcpy(to, (const uint8_t *)slab.handle + offset, bytes);
  return PP_OK;
}

static pp_status toy_copy(pp_backend *backend, size_t to_device, pp_slab to,
                          uint64_t to_offset, size_t from_device, pp_slab from,
                          uint64_t from_offset, uint64_t bytes) {
  (void)backend;
  if (pp_toy.answer[to_device] != PP_OK) return pp_toy.answer[to_device];
  if (pp_toy.answer[from_device] != PP_OK) return pp_toy.answer[from_device];
  memcpy((uint8_t *)to.handle + to_offset,
         (const uint8_t *)from.handle + from_offset, bytes);
  return PP_OK;
}

static pp_status toy_compile(pp_backend *backend, size_t device,
                             const pp_code *code, void **kernel) {
  (void)backend;
  (void)device;
  (void)code;
  pp_toy.kernels++;
  *kernel = &pp_toy;
  return PP_OK;
}

static void toy_discard(pp_backend *backend, size_t device, void *kernel) {
  (void)backend;
  (void)device;
  (void)kernel;
  pp_toy.kernels--;
}

static pp_status toy_launch(pp_backend *backend, size_t device, void *kernel,
                            const pp_operand *operand, size_t operands) {
  (void)backend;
  (void)device;
  (void)kernel;
  for (size_t k = 0; k < operands; k++)
    ((uint8_t *)operand[k].slab.handle)[operand[k].offset]++;
  pp_toy.offset = operand[0].offset;
  uint8_t *first = (uint8_t *)operand[0].slab.handle + operand[0].offset;
  if (pp_toy.wild) first[pp_toy.wild_at] = 1;
  return PP_OK;
}

static pp_status toy_await(pp_backend *backend, size_t device) {
  (void)backend;
  return pp_toy.answer[device];
}

static const pp_backend_table toy_table = {
    toy_devices, toy_limits, toy_alloc,   toy_free,    toy_memset, toy_from,
    toy_to,      toy_copy,   toy_compile, toy_discard, toy_launch, toy_await};

pp_backend pp_toy_backend = {.name = "toy", .call = &toy_table};

static uint64_t operand_bytes[] = {10, BYTES};
const pp_code pp_toy_code = {.operands = 2, .operand_bytes = operand_bytes};

struct pp_bed pp_bed;

void pp_open_bed(bool delay, bool asynchronous) {
  memset(&pp_toy, 0, sizeof pp_toy);
  pp_toy.asynchronous = asynchronous;
  const pp_fault_options options = {.delay = delay};
  cr_assert_eq(pp_fault_backend_new(&pp_toy_backend, &options, &pp_bed.b),
               PP_OK);
  for (size_t d = 0; d < 2; d++)
    cr_assert_eq(
        pp_bed.b->call->alloc_pool(pp_bed.b, d, BYTES, 64, &pp_bed.slab[d]),
        PP_OK);
  cr_assert_eq(
      pp_bed.b->call->compile(pp_bed.b, 0, &pp_toy_code, &pp_bed.kernel),
      PP_OK);
  pp_fault_arm(pp_bed.b, NULL, 0);
}

void pp_close_bed(const char *name) {
  pp_bed.b->call->discard(pp_bed.b, 0, pp_bed.kernel);
  for (size_t d = 0; d < 2; d++)
    cr_expect_eq(pp_bed.b->call->free_pool(pp_bed.b, d, pp_bed.slab[d]), PP_OK,
                 "%s: free", name);
  const char *breach = pp_fault_breach(pp_bed.b);
  cr_expect_null(breach, "%s: %s", name, breach ? breach : "");
  cr_expect_eq(pp_fault_backend_free(pp_bed.b), 0, "%s: leak", name);
  cr_expect_eq(pp_toy.slabs, 0, "%s: inner slabs", name);
  cr_expect_eq(pp_toy.kernels, 0, "%s: inner kernels", name);
}

pp_status pp_launch(void) {
  const pp_operand operand[] = {{pp_bed.slab[0], 64}, {pp_bed.slab[0], 0}};
  return pp_bed.b->call->launch(pp_bed.b, 0, pp_bed.kernel, operand, 2);
}

pp_status pp_copy_all(size_t to, size_t from) {
  return pp_bed.b->call->device_to_device(pp_bed.b, to, pp_bed.slab[to], 0,
                                          from, pp_bed.slab[from], 0, BYTES);
}

uint8_t pp_peek(size_t d) {
  return pp_toy.slab[d].base[64];
}
