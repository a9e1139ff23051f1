/* The fault backend around one that fails in a certain place, and the words of
 * what it sees. */
#include "support.h"
#include "toy.h"

#include <stdint.h>
#include <string.h>

/* The toy, but for what these calls answer and which devices work on by
 * themselves; the alignment asked last, and how often each was waited for.
 * hollow  slabs have any number of bytes, which nobody looks at */
static struct {
  pp_status limits, free, to_host, compile;
  bool asynchronous[2], hollow;
  uint64_t align;
  int awaits[3];
} odd;

static pp_status odd_limits(pp_backend *backend, size_t device,
                            pp_limits *limits) {
  (void)backend;
  *limits = (pp_limits){.max_pool = 1 << 20,
                        .alignment = 64,
                        .kernel_statements = 4,
                        .asynchronous = odd.asynchronous[device]};
  return device == 0 ? odd.limits : PP_OK;
}

static pp_status odd_alloc(pp_backend *backend, size_t device, uint64_t bytes,
                           uint64_t align, pp_slab *slab) {
  (void)backend;
  (void)device;
  odd.align = align;
  if (pp_toy.slabs == TOYS) return PP_NO_MEMORY;
  slab->handle = calloc(1, odd.hollow ? 1 : bytes);
  pp_toy.slab[pp_toy.slabs].base = slab->handle;
  pp_toy.slab[pp_toy.slabs++].bytes = bytes;
  return PP_OK;
}

static pp_status odd_free(pp_backend *backend, size_t device, pp_slab slab) {
  (void)backend;
  (void)device;
  size_t i = 0;
  if (odd.free != PP_OK) return odd.free;
  while (pp_toy.slab[i].base != slab.handle)
    i++;
  free(slab.handle);
  pp_toy.slab[i] = pp_toy.slab[--pp_toy.slabs];
  return PP_OK;
}

static pp_status odd_memset(pp_backend *backend, size_t device, pp_slab slab,
                            uint64_t offset, uint64_t bytes, uint8_t value) {
  (void)backend;
  (void)device;
  if (!odd.hollow) memset((uint8_t *)slab.handle + offset, value, bytes);
  return pp_toy.answer[device];
}

static pp_status odd_await(pp_backend *backend, size_t device) {
  (void)backend;
  odd.awaits[device]++;
  return device < 2 ? pp_toy.answer[device] : PP_OK;
}

static pp_status odd_to_host(pp_backend *backend, size_t device, void *to,
                             pp_slab slab, uint64_t offset, uint64_t bytes) {
  (void)backend;
  (void)device;
  if (odd.to_host != PP_OK) return odd.to_host;
  memcpy(to, (const uint8_t *)slab.handle + offset, bytes);
  return PP_OK;
}

static pp_status odd_compile(pp_backend *backend, size_t device,
                             const pp_code *code, void **kernel) {
  (void)backend;
  (void)device;
  (void)code;
  if (odd.compile != PP_OK) return odd.compile;
  pp_toy.kernels++;
  *kernel = &odd;
  return PP_OK;
}

/* The bed of the toy's tests, on this backend. */
static pp_backend *open_with(bool delay, bool asynchronous_0,
                             bool asynchronous_1) {
  static pp_backend_table table;
  table = *pp_toy_backend.call;
  table.limits = odd_limits;
  table.alloc_pool = odd_alloc;
  table.free_pool = odd_free;
  table.memset = odd_memset;
  table.await = odd_await;
  table.to_host = odd_to_host;
  table.compile = odd_compile;
  pp_toy_backend.call = &table;
  memset(&odd, 0, sizeof odd);
  odd.asynchronous[0] = asynchronous_0;
  odd.asynchronous[1] = asynchronous_1;
  pp_open_bed(delay, false);
  return pp_bed.b;
}

static pp_backend *open_odd(void) {
  return open_with(false, false, false);
}

static pp_status set_first(size_t d, uint8_t value) {
  return pp_bed.b->call->memset(pp_bed.b, d, pp_bed.slab[d], 0, 1, value);
}

/* What an option raised is not asked of the device; what the caller wants is.
 */
Test(fault, alignments_asked_inside) {
  static const struct {
    uint64_t option, align, inside;
  } cases[] = {{0, 32, 32},    {0, 64, 64},    {0, 256, 256},
               {32, 256, 256}, {64, 256, 256}, {256, 32, 32},
               {256, 64, 64},  {256, 128, 64}, {256, 256, 64}};
  pp_backend *inner = open_odd();
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const pp_fault_options options = {.alignment = cases[k].option};
    pp_backend *b = NULL;
    pp_slab slab;
    cr_assert_eq(pp_fault_backend_new(&pp_toy_backend, &options, &b), PP_OK);
    cr_expect_eq(b->call->alloc_pool(b, 0, 1, cases[k].align, &slab), PP_OK);
    cr_expect_eq(odd.align, cases[k].inside, "case %zu", k);
    cr_expect_eq(pp_fault_backend_free(b), 1);
  }
  cr_expect_eq(pp_fault_backend_free(inner), 3);
}

Test(fault, allocations_fail_inside) {
  pp_backend *b = open_odd();
  pp_slab slab[TOYS];
  size_t n = 0;
  while (n < TOYS && b->call->alloc_pool(b, 0, 1, 64, &slab[n]) == PP_OK)
    n++;
  cr_expect_eq(n, TOYS - 2);
  cr_expect_eq(b->call->alloc_pool(b, 0, 1, 64, &slab[0]), PP_NO_MEMORY);
  cr_expect_eq(pp_fault_slabs(b), TOYS);
  cr_expect_eq(pp_fault_backend_free(b), TOYS + 1);
}

/* A slab that was not freed is there for another try. */
Test(fault, frees_fail_inside) {
  pp_backend *b = open_odd();
  odd.free = PP_BACKEND_FAILED;
  cr_expect_eq(b->call->free_pool(b, 0, pp_bed.slab[0]), PP_BACKEND_FAILED);
  cr_expect_eq(pp_fault_slabs(b), 2);
  odd.free = PP_OK;
  pp_close_bed("free");
}

Test(fault, compiles_fail_inside) {
  pp_backend *b = open_odd();
  const pp_status statuses[] = {PP_BACKEND_FAILED, PP_NO_MEMORY,
                                PP_DEVICE_LOST};
  void *kernel = NULL;
  for (size_t k = 0; k < 3; k++) {
    odd.compile = statuses[k];
    cr_expect_eq(b->call->compile(b, 0, &pp_toy_code, &kernel), statuses[k]);
    cr_expect_null(kernel);
  }
  odd.compile = PP_OK;
  cr_expect_eq(b->call->compile(b, 0, &pp_toy_code, &kernel), PP_DEVICE_LOST);
  cr_expect_eq(b->call->compile(b, 1, &pp_toy_code, &kernel), PP_OK);
  b->call->discard(b, 1, kernel);
  pp_close_bed("compile");
  pp_expect_no_leak();
}

/* Of no operands, and of more than there can be. */
Test(fault, operands_of_kernels) {
  pp_backend *b = open_odd();
  const pp_code codes[] = {
      {.operands = 0}, {.operands = SIZE_MAX / 16}, {.operands = SIZE_MAX / 4}};
  void *kernel = NULL;
  cr_expect_eq(b->call->compile(b, 1, &codes[0], &kernel), PP_OK);
  b->call->discard(b, 1, kernel);
  for (size_t k = 1; k < 3; k++)
    cr_expect_eq(b->call->compile(b, 1, &codes[k], &kernel), PP_NO_MEMORY);
  pp_close_bed("operands");
}

/* Who meets the devices in vain meets them again. */
Test(fault, limits_fail_inside) {
  pp_backend *b = NULL;
  size_t count = 9;
  pp_slab slab;
  cr_expect_eq(pp_fault_backend_free(open_odd()), 3);
  cr_assert_eq(pp_fault_backend_new(&pp_toy_backend, NULL, &b), PP_OK);
  odd.limits = PP_NO_DEVICE;
  cr_expect_eq(b->call->devices(b, &count), PP_NO_DEVICE);
  cr_expect_eq(count, 9);
  cr_expect_eq(b->call->await(b, 0), PP_NO_DEVICE);
  cr_expect_eq(b->call->alloc_pool(b, 0, 1, 3, &slab), PP_NO_DEVICE);
  cr_expect_null(pp_fault_breach(b));
  odd.limits = PP_OK;
  cr_expect_eq(b->call->devices(b, &count), PP_OK);
  cr_expect_eq(count, 2);
  cr_expect_eq(pp_fault_backend_free(b), 0);
  pp_expect_no_leak();
}

/* Guards that cannot be read tell nothing, others all that happened. */
Test(fault, guards) {
  const pp_fault fault = {PP_CALL_AWAIT, 1, PP_NO_MEMORY};
  pp_backend *b = open_odd();
  uint8_t *base = pp_toy.slab[1].base;
  memset(base, 0, 64);
  odd.to_host = PP_BACKEND_FAILED;
  cr_expect_eq(b->call->await(b, 1), PP_OK);
  cr_expect_null(pp_fault_breach(b));
  odd.to_host = PP_OK;
  cr_expect_eq(b->call->await(b, 0), PP_OK, "another device's guard");
  pp_fault_arm(b, &fault, 1);
  cr_expect_eq(b->call->await(b, 1), PP_NO_MEMORY, "the call was not done");
  cr_expect_eq(b->call->await(b, 1), PP_BACKEND_FAILED);
  cr_expect_str_eq(pp_fault_breach(b), "await: bytes before slab 2 changed");
  cr_expect_eq(pp_fault_backend_free(b), 3);

  b = open_odd();
  memset(pp_toy.slab[1].base + 64 + BYTES, 0, 64);
  cr_expect_str_eq(pp_fault_breach(b), "bytes after slab 2 changed");
  cr_expect_eq(pp_fault_backend_free(b), 3);
}

/* The first breach is kept; later ones are refused all the same. */
Test(fault, breaches_after_the_first) {
  pp_backend *b = open_odd();
  const uintptr_t next = 4;
  pp_slab slab;
  memcpy(&slab.handle, &next, sizeof next);
  cr_expect_eq(b->call->free_pool(b, 0, slab), PP_BACKEND_FAILED);
  cr_expect_str_eq(pp_fault_breach(b), "free_pool: slab 4 is unknown");
  cr_expect_eq(b->call->memset(b, 0, pp_bed.slab[0], 1, BYTES, 0),
               PP_BACKEND_FAILED);
  cr_expect_str_eq(pp_fault_breach(b), "free_pool: slab 4 is unknown");
  cr_expect_eq(pp_fault_backend_free(b), 3);

  b = open_odd();
  cr_expect_eq(b->call->memset(b, 0, pp_bed.slab[0], 1, BYTES, 0),
               PP_BACKEND_FAILED);
  cr_expect_str_eq(pp_fault_breach(b),
                   "memset: 100 bytes at 1 are not inside slab 1 of 100 bytes");
  cr_expect_eq(pp_fault_backend_free(b), 3);
}

/* Slabs are given back as slabs. */
Test(fault, leaks_of_slabs) {
  pp_backend *b = open_odd();
  b->call->discard(b, 0, pp_bed.kernel);
  cr_expect_eq(pp_fault_backend_free(b), 2);
  cr_expect_eq(pp_toy.slabs, 0);
  cr_expect_eq(pp_toy.kernels, 0);
}

/* More bytes than the host can keep until they are written. */
Test(fault, kept_bytes_without_memory) {
  const uint64_t bytes = UINT64_C(1) << 60;
  pp_backend *b = open_with(true, false, false);
  pp_slab slab;
  odd.hollow = true;
  odd.to_host = PP_BACKEND_FAILED;
  cr_expect_eq(b->call->alloc_pool(b, 0, bytes, 64, &slab), PP_OK);
  cr_expect_eq(b->call->from_host(b, 0, slab, 0, &slab, bytes), PP_NO_MEMORY);
  cr_expect_eq(b->call->from_host(b, 0, slab, 0, &slab, 0), PP_OK);
  cr_expect_eq(pp_fault_backend_free(b), 4);
}

/* A copy is in flight when either end's device works on by itself, and it is
 * looked for among all work. */
Test(fault, copies_in_flight) {
  for (int k = 0; k < 4; k++) {
    pp_backend *b = open_with(false, k % 2 != 0, k / 2 != 0);
    cr_expect_eq(set_first(0, 7), PP_OK);
    cr_expect_eq(pp_copy_all(0, 1), PP_OK);
    cr_expect_eq(odd.awaits[0] + odd.awaits[1], 0, "case %d", k);
    cr_expect_eq(b->call->free_pool(b, 1, pp_bed.slab[1]),
                 k == 0 ? PP_OK : PP_BACKEND_FAILED, "case %d", k);
    cr_expect_eq(pp_fault_backend_free(b), k == 0 ? 2 : 3);
  }
}

/* Before more work is remembered than there is room for all is waited for. */
Test(fault, much_work_in_flight) {
  enum { KEPT = 1024 };
  pp_backend *b = open_with(false, true, true);
  memset(&odd.awaits, 0, sizeof odd.awaits);
  for (int i = 0; i < KEPT; i++)
    cr_assert_eq(set_first(0, 7), PP_OK);
  cr_expect_eq(odd.awaits[0] + odd.awaits[1], 0);
  cr_expect_eq(set_first(0, 7), PP_OK);
  cr_expect_eq(odd.awaits[0], 1);
  cr_expect_eq(odd.awaits[1], 1);
  cr_expect_eq(odd.awaits[2], 0);
  cr_expect_eq(b->call->free_pool(b, 0, pp_bed.slab[0]), PP_BACKEND_FAILED);
  cr_expect_eq(pp_fault_backend_free(b), 3);
}

/* A copy that fails loses both of its devices when it was kept; one that goes
 * on by itself, when a device is lost, none. The lost one is found out. */
Test(fault, copies_that_fail) {
  pp_backend *b = open_with(true, false, false);
  cr_expect_eq(pp_copy_all(0, 1), PP_OK);
  pp_toy.answer[0] = PP_BACKEND_FAILED;
  cr_expect_eq(b->call->await(b, 0), PP_DEVICE_LOST);
  pp_toy.answer[0] = PP_OK;
  cr_expect_eq(b->call->await(b, 1), PP_DEVICE_LOST);
  cr_expect_eq(pp_fault_backend_free(b), 3);

  b = open_with(false, true, true);
  cr_expect_eq(pp_copy_all(0, 1), PP_OK);
  pp_toy.answer[0] = PP_DEVICE_LOST;
  cr_expect_eq(set_first(0, 7), PP_DEVICE_LOST);
  cr_expect_eq(set_first(1, 7), PP_OK);
  cr_expect_eq(pp_fault_backend_free(b), 3);

  b = open_with(false, true, true);
  pp_toy.answer[0] = PP_DEVICE_LOST;
  cr_expect_eq(pp_copy_all(0, 1), PP_DEVICE_LOST);
  pp_toy.answer[0] = PP_OK;
  cr_expect_eq(set_first(0, 7), PP_DEVICE_LOST);
  cr_expect_eq(set_first(1, 7), PP_OK);
  cr_expect_eq(pp_fault_backend_free(b), 3);
}

/* The first byte of device d's slab, whatever work is kept. */
static uint8_t first(size_t d) {
  return pp_toy.slab[d].base[64];
}

/* Kept work is done when it must be, in order, and not before. */
Test(fault, order_of_kept_work) {
  pp_backend *b = open_with(true, false, false);
  cr_expect_eq(set_first(1, 3), PP_OK);
  cr_expect_eq(b->call->await(b, 1), PP_OK);
  cr_expect_eq(set_first(0, 7), PP_OK);
  cr_expect_eq(pp_copy_all(0, 1), PP_OK);
  cr_expect_eq(b->call->await(b, 1), PP_OK);
  cr_expect_eq(first(0), 3);
  cr_expect_eq(b->call->await(b, 0), PP_OK);
  cr_expect_eq(first(0), 3);
  cr_expect_eq(set_first(0, 9), PP_OK);
  cr_expect_eq(b->call->await(b, 1), PP_OK);
  cr_expect_neq(first(0), 9);
  cr_expect_eq(b->call->await(b, 0), PP_OK);
  cr_expect_eq(first(0), 9);
  pp_close_bed("order of kept work");
}

/* Copies to and from a device that is lost are done first. */
Test(fault, lost_at_the_end_of_a_copy) {
  const pp_fault lost = {PP_CALL_COMPILE, 1, PP_DEVICE_LOST};
  for (size_t to = 0; to < 2; to++) {
    void *none = NULL;
    pp_backend *b = open_with(true, false, false);
    pp_toy.slab[1 - to].base[64] = 5;
    pp_fault_arm(b, &lost, 1);
    cr_expect_eq(pp_copy_all(to, 1 - to), PP_OK);
    cr_expect_eq(b->call->compile(b, 0, &pp_toy_code, &none), PP_DEVICE_LOST);
    cr_expect_eq(first(to), 5, "to %zu", to);
    cr_expect_eq(b->call->await(b, 1), PP_OK, "to %zu", to);
    cr_expect_eq(pp_fault_backend_free(b), 3);
  }
}

/* Options that are not 0 replace the limits inside. */
Test(fault, limits_replaced) {
  pp_backend *inner = open_with(false, true, false);
  for (unsigned k = 0; k < 2; k++) {
    const pp_fault_options options = {
        .max_pool = k, .alignment = k, .kernel_statements = k};
    pp_limits limits;
    pp_backend *b = NULL;
    cr_assert_eq(pp_fault_backend_new(&pp_toy_backend, &options, &b), PP_OK);
    cr_expect_eq(b->call->limits(b, 0, &limits), PP_OK);
    cr_expect_eq(limits.max_pool, k == 0 ? 1 << 20 : 1);
    cr_expect_eq(limits.alignment, k == 0 ? 64 : 1);
    cr_expect_eq(limits.kernel_statements, k == 0 ? 4 : 1);
    cr_expect(limits.asynchronous);
    cr_expect_eq(b->call->limits(b, 1, &limits), PP_OK);
    cr_expect_not(limits.asynchronous);
    cr_expect_eq(pp_fault_backend_free(b), 0);
  }
  cr_expect_eq(pp_fault_backend_free(inner), 3);
}

Test(fault, edges_of_the_contract) {
  const pp_fault lost = {PP_CALL_DEVICES, 1, PP_DEVICE_LOST};
  size_t count = 0;
  pp_slab slab;
  pp_backend *b = open_odd();
  pp_fault_arm(b, &lost, 1);
  cr_expect_eq(b->call->devices(b, &count), PP_DEVICE_LOST);
  cr_expect_eq(b->call->devices(b, &count), PP_OK);
  cr_expect_eq(b->call->await(b, 0), PP_OK);
  cr_expect_null(pp_fault_breach(b));
  cr_expect_eq(b->call->device_to_device(b, 0, pp_bed.slab[0], 0, 2,
                                         pp_bed.slab[1], 0, 1),
               PP_BACKEND_FAILED);
  cr_expect_str_eq(pp_fault_breach(b), "device_to_device: no device 2 among 2");
  cr_expect_eq(pp_fault_backend_free(b), 3);

  b = open_odd();
  cr_expect_eq(b->call->alloc_pool(b, 0, 1, 0, &slab), PP_BACKEND_FAILED);
  cr_expect_str_eq(pp_fault_breach(b),
                   "alloc_pool: an alignment that is no power of two");
  cr_expect_eq(pp_fault_backend_free(b), 3);
}

/* A call that breaks the contract, or that a fault strikes, does nothing. */
Test(fault, nothing_is_done) {
  const pp_fault fault = {PP_CALL_MEMSET, 1, PP_NO_MEMORY};
  pp_backend *b = open_with(true, false, false);
  pp_fault_arm(b, &fault, 1);
  cr_expect_eq(set_first(0, 7), PP_NO_MEMORY);
  cr_expect_eq(
      b->call->from_host(b, 0, pp_bed.slab[0], 0, &odd, UINT64_C(1) << 60),
      PP_BACKEND_FAILED);
  cr_expect_eq(pp_launch(), PP_OK);
  b->call->discard(b, 0, pp_bed.kernel);
  cr_expect_eq(pp_fault_backend_free(b), 3);
  pp_expect_no_leak();
}
