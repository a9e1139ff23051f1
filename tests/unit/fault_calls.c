#include "support.h"
#include "toy.h"

#include <stdint.h>
#include <string.h>

static uint8_t host[BYTES];

/* One call of each kind, which must not fail by itself and which changes
 * something when it is done once or twice. */
static uint8_t result;
static pp_slab extra[TOYS];
static void *extra_kernel[TOYS];
static size_t extras, extra_kernels;

static pp_status one(pp_backend_call call, size_t d) {
  size_t count = 0;
  pp_limits limits;
  pp_status status = PP_OK;
  switch (call) {
  case PP_CALL_DEVICES:
    return pp_bed.b->call->devices(pp_bed.b, &count);
  case PP_CALL_LIMITS:
    return pp_bed.b->call->limits(pp_bed.b, d, &limits);
  case PP_CALL_ALLOC_POOL:
    status = pp_bed.b->call->alloc_pool(pp_bed.b, d, 5, 1, &extra[extras]);
    extras += status == PP_OK;
    return status;
  case PP_CALL_FREE_POOL:
    status = pp_bed.b->call->free_pool(pp_bed.b, d, extra[extras - 1]);
    extras -= status == PP_OK;
    return status;
  case PP_CALL_MEMSET:
    return pp_bed.b->call->memset(pp_bed.b, d, pp_bed.slab[d], 0, 1,
                                  pp_peek(d) / 2);
  case PP_CALL_FROM_HOST:
    host[0] = pp_peek(d) / 2;
    return pp_bed.b->call->from_host(pp_bed.b, d, pp_bed.slab[d], 0, host, 1);
  case PP_CALL_TO_HOST:
    return pp_bed.b->call->to_host(pp_bed.b, d, &result, pp_bed.slab[d], 0, 1);
  case PP_CALL_DEVICE_TO_DEVICE:
    return pp_bed.b->call->device_to_device(pp_bed.b, d, pp_bed.slab[d], 0,
                                            1 - d, pp_bed.slab[1 - d],
                                            1 + pp_peek(d) % 2, 1);
  case PP_CALL_COMPILE:
    status = pp_bed.b->call->compile(pp_bed.b, d, &pp_toy_code,
                                     &extra_kernel[extra_kernels]);
    extra_kernels += status == PP_OK;
    return status;
  case PP_CALL_LAUNCH:
    return pp_launch();
  default:
    return pp_bed.b->call->await(pp_bed.b, d);
  }
}

static void open_with_extras(bool delay) {
  pp_open_bed(delay, false);
  extras = extra_kernels = 0;
  for (int i = 0; i < 4; i++)
    one(PP_CALL_ALLOC_POOL, 0);
  for (size_t d = 0; d < 2; d++) {
    pp_toy.slab[d].base[65] = 1;
    pp_toy.slab[d].base[66] = 2;
  }
  pp_fault_arm(pp_bed.b, NULL, 0);
}

static void close_with_extras(const char *name) {
  while (extras > 0)
    cr_expect_eq(pp_bed.b->call->free_pool(pp_bed.b, 0, extra[--extras]), PP_OK,
                 "%s", name);
  while (extra_kernels > 0)
    pp_bed.b->call->discard(pp_bed.b, 0, extra_kernel[--extra_kernels]);
  pp_close_bed(name);
}

/* What the inner backend holds, as one number. */
static uint64_t digest(void) {
  uint64_t sum = 961 * pp_toy.slabs + 31 * pp_toy.kernels + result;
  for (size_t i = 0; i < pp_toy.slabs; i++)
    for (uint64_t k = 0; k < pp_toy.slab[i].bytes; k++)
      sum = (sum * 131 + pp_toy.slab[i].base[k]) % 1000000007;
  return sum;
}

static bool is_counted(pp_backend_call call) {
  return call != PP_CALL_DEVICES && call != PP_CALL_LIMITS;
}

static void strike_second(pp_backend_call call, bool any, pp_status status) {
  const char *name = pp_backend_call_name(call);
  const pp_fault armed = {any ? PP_CALL_COUNT : call, 2, status};
  open_with_extras(false);
  pp_fault_arm(pp_bed.b, &armed, 1);
  cr_expect_eq(one(call, 0), PP_OK, "%s, first", name);
  cr_expect_eq(pp_fault_struck(pp_bed.b), 0, "%s struck too early", name);
  result = (uint8_t)(pp_peek(0) + 1);
  uint64_t before = digest();
  uint64_t slabs = pp_fault_slabs(pp_bed.b);
  pp_status second_status = one(call, 0);
  if (any && !is_counted(call)) {
    cr_expect_eq(second_status, PP_OK, "%s is not of any kind", name);
  } else {
    cr_expect_eq(second_status, status, "%s, second", name);
    cr_expect_eq(pp_fault_struck(pp_bed.b), 1, "%s struck", name);
    cr_expect_eq(digest(), before, "%s had an effect", name);
    cr_expect_eq(pp_fault_slabs(pp_bed.b), slabs, "%s had an effect", name);
  }
  cr_expect_eq(one(call, 0), PP_OK, "%s, third", name);
  cr_expect_eq(pp_fault_calls(pp_bed.b, call), 3, "%s counted", name);
  cr_expect_eq(pp_fault_calls(pp_bed.b, PP_CALL_COUNT),
               is_counted(call) ? 3 : 0, "%s counted among all", name);
  pp_fault_arm(pp_bed.b, &armed, 1);
  cr_expect_eq(pp_fault_struck(pp_bed.b), 0, "%s: armed again", name);
  pp_fault_arm(pp_bed.b, NULL, 0);
  close_with_extras(name);
}

Test(fault, every_call_fails) {
  for (int call = 0; call < PP_CALL_COUNT; call++) {
    if (call == PP_CALL_DISCARD) continue;
    strike_second((pp_backend_call)call, false, PP_BACKEND_FAILED);
    strike_second((pp_backend_call)call, false, PP_NO_MEMORY);
    strike_second((pp_backend_call)call, true, PP_BACKEND_FAILED);
  }
}

static void lose_by(pp_backend_call call) {
  const char *name = pp_backend_call_name(call);
  const pp_fault armed[] = {{call, 1, PP_DEVICE_LOST},
                            {PP_CALL_TO_HOST, 1, PP_NO_MEMORY},
                            {PP_CALL_FREE_POOL, 1, PP_BACKEND_FAILED}};
  open_with_extras(false);
  pp_fault_arm(pp_bed.b, armed, 3);
  cr_expect_eq(one(call, 0), PP_DEVICE_LOST, "%s", name);
  uint64_t before = digest();
  for (int later = PP_CALL_LIMITS; later < PP_CALL_COUNT; later++)
    if (later != PP_CALL_FREE_POOL && later != PP_CALL_DISCARD)
      cr_expect_eq(one((pp_backend_call)later, 0), PP_DEVICE_LOST,
                   "%s after %s", pp_backend_call_name((pp_backend_call)later),
                   name);
  cr_expect_eq(one(PP_CALL_DEVICE_TO_DEVICE, 1), PP_DEVICE_LOST, "%s", name);
  cr_expect_eq(digest(), before, "%s: an effect after the loss", name);
  cr_expect_eq(pp_fault_struck(pp_bed.b), 1, "%s: struck", name);
  cr_expect_eq(pp_fault_calls(pp_bed.b, PP_CALL_MEMSET),
               call == PP_CALL_MEMSET ? 2 : 1, "%s: counted", name);
  cr_expect_eq(one(PP_CALL_MEMSET, 1), PP_OK, "%s: the other device", name);
  cr_expect_eq(one(PP_CALL_FREE_POOL, 0), PP_BACKEND_FAILED, "%s", name);
  cr_expect_eq(one(PP_CALL_FREE_POOL, 0), PP_OK, "%s: free", name);
  close_with_extras(name);
}

Test(fault, lost_is_sticky) {
  for (int call = PP_CALL_LIMITS; call < PP_CALL_COUNT; call++)
    if (call != PP_CALL_DISCARD && call != PP_CALL_FREE_POOL &&
        call != PP_CALL_TO_HOST)
      lose_by((pp_backend_call)call);
}

/* What is kept when a device is lost: dropped, but for what a copy to the
 * other device needs. */
Test(fault, lost_work) {
  const pp_fault armed = {PP_CALL_ALLOC_POOL, 1, PP_DEVICE_LOST};
  open_with_extras(true);
  pp_fault_arm(pp_bed.b, &armed, 1);
  pp_bed.b->call->memset(pp_bed.b, 0, pp_bed.slab[0], 0, BYTES, 1);
  cr_expect_eq(pp_copy_all(1, 0), PP_OK);
  pp_bed.b->call->memset(pp_bed.b, 0, pp_bed.slab[0], 0, BYTES, 2);
  pp_bed.b->call->memset(pp_bed.b, 1, pp_bed.slab[1], 1, 1, 3);
  cr_expect_eq(one(PP_CALL_ALLOC_POOL, 0), PP_DEVICE_LOST);
  cr_expect_eq(pp_bed.b->call->to_host(pp_bed.b, 1, host, pp_bed.slab[1], 0, 2),
               PP_OK);
  cr_expect_eq(host[0], 1, "the copy's work was dropped");
  cr_expect_eq(host[1], 3, "another device's work was dropped");
  cr_expect_eq(pp_peek(0), 1, "the lost device's work was done");
  close_with_extras("lost work");
}

static void delayed(pp_backend_call call) {
  const char *name = pp_backend_call_name(call);
  open_with_extras(true);
  uint64_t before = digest();
  cr_expect_eq(one(call, 0), PP_OK, "%s", name);
  memset(host, 99, sizeof host);
  cr_expect_eq(digest(), before, "%s was not delayed", name);
  pp_limits limits = {0};
  pp_bed.b->call->limits(pp_bed.b, 0, &limits);
  cr_expect(limits.asynchronous, "%s: not asynchronous", name);
  cr_expect_eq(pp_bed.b->call->await(pp_bed.b, 1), PP_OK, "%s", name);
  cr_expect_eq(digest() == before, call != PP_CALL_DEVICE_TO_DEVICE,
               "%s: await of the other device", name);
  cr_expect_eq(pp_bed.b->call->await(pp_bed.b, 0), PP_OK, "%s", name);
  cr_expect_neq(digest(), before, "%s was never done", name);
  cr_expect_neq(pp_peek(0), 99, "%s reads the host too late", name);
  close_with_extras(name);
}

Test(fault, delay) {
  delayed(PP_CALL_MEMSET);
  delayed(PP_CALL_FROM_HOST);
  delayed(PP_CALL_DEVICE_TO_DEVICE);
  delayed(PP_CALL_LAUNCH);
}

Test(fault, delayed_in_order) {
  pp_open_bed(true, false);
  pp_bed.b->call->memset(pp_bed.b, 0, pp_bed.slab[0], 0, BYTES, 1);
  pp_copy_all(1, 0);
  pp_bed.b->call->memset(pp_bed.b, 0, pp_bed.slab[0], 0, BYTES, 5);
  pp_launch();
  pp_bed.b->call->memset(pp_bed.b, 1, pp_bed.slab[1], 1, 1, 9);
  cr_expect_eq(pp_bed.b->call->to_host(pp_bed.b, 1, host, pp_bed.slab[1], 0, 2),
               PP_OK);
  cr_expect_eq(host[0], 1, "what was called for before the copy");
  cr_expect_eq(host[1], 9, "what was called for after it");
  cr_expect_eq(pp_peek(0), 1, "device 0 ran what nobody waits for");
  cr_expect_eq(pp_bed.b->call->await(pp_bed.b, 0), PP_OK);
  cr_expect_eq(pp_peek(0), 6, "device 0's own order");
  for (int i = 0; i < 2000; i++)
    cr_expect_eq(pp_launch(), PP_OK);
  cr_expect_eq(pp_bed.b->call->await(pp_bed.b, 0), PP_OK);
  cr_expect_eq(pp_peek(0), (6 + 2000) % 256, "more work than is kept");
  pp_close_bed("order");
}

static pp_status set_first(size_t d) {
  return pp_bed.b->call->memset(pp_bed.b, d, pp_bed.slab[d], 0, 1, 1);
}

/* Failures of the backend inside, when kept work is done. */
Test(fault, kept_work_fails) {
  pp_backend *b;
  pp_open_bed(true, false);
  b = pp_bed.b;
  cr_expect_eq(set_first(0), PP_OK);
  cr_expect_eq(pp_launch(), PP_OK);
  cr_expect_eq(pp_copy_all(1, 0), PP_OK);
  cr_expect_eq(set_first(0), PP_OK);
  pp_toy.answer[0] = PP_BACKEND_FAILED;
  uint64_t before = digest();
  cr_expect_eq(b->call->await(b, 1), PP_DEVICE_LOST, "its copy never came");
  cr_expect_eq(digest(), before, "work after what failed");
  pp_toy.answer[0] = PP_OK;
  cr_expect_eq(b->call->await(b, 0), PP_DEVICE_LOST, "kept work failed");
  pp_close_bed("kept work fails");

  pp_open_bed(true, false);
  pp_toy.answer[0] = PP_BACKEND_FAILED;
  pp_status status = PP_OK;
  for (int i = 0; i < 3000 && status == PP_OK; i++)
    status = set_first(0);
  pp_toy.answer[0] = PP_OK;
  cr_expect_eq(status, PP_DEVICE_LOST, "more work than is kept");
  pp_close_bed("much kept work fails");
}

/* The same, at the call. */
Test(fault, calls_fail) {
  pp_backend *b;
  pp_slab none;
  pp_open_bed(false, true);
  b = pp_bed.b;
  pp_toy.answer[1] = PP_DEVICE_LOST;
  cr_expect_eq(pp_copy_all(0, 1), PP_DEVICE_LOST);
  pp_toy.answer[1] = PP_OK;
  cr_expect_eq(b->call->await(b, 0), PP_OK, "the copy's good end");
  cr_expect_eq(b->call->await(b, 1), PP_DEVICE_LOST, "the copy's lost end");
  pp_close_bed("lost inside");

  for (size_t to = 0; to < 2; to++) {
    pp_open_bed(true, false);
    b = pp_bed.b;
    cr_expect_eq(pp_copy_all(to, 1 - to), PP_OK);
    pp_toy.answer[0] = PP_DEVICE_LOST;
    cr_expect_eq(b->call->alloc_pool(b, 0, 1, 1, &none), PP_DEVICE_LOST);
    pp_toy.answer[0] = PP_OK;
    cr_expect_eq(b->call->await(b, 1), PP_DEVICE_LOST, "its copy never came");
    pp_close_bed("lost inside, with a copy kept");
  }

  pp_open_bed(false, false);
  b = pp_bed.b;
  pp_toy.answer[0] = PP_BACKEND_FAILED;
  cr_expect_eq(set_first(0), PP_BACKEND_FAILED);
  cr_expect_eq(b->call->alloc_pool(b, 0, 1, 1, &none), PP_BACKEND_FAILED);
  pp_toy.answer[0] = PP_OK;
  cr_expect_eq(pp_fault_slabs(b), 2, "half a slab");
  cr_expect_eq(pp_toy.slabs, 2, "half a slab inside");
  cr_expect_eq(b->call->alloc_pool(b, 0, UINT64_MAX, 1, &none), PP_NO_MEMORY);
  pp_close_bed("failed inside");
}

Test(fault, poison_and_bounds) {
  const uint64_t aligns[] = {1, 2, 64, 128, 4096};
  for (size_t k = 0; k < sizeof aligns / sizeof aligns[0]; k++) {
    pp_slab s;
    uint8_t bytes[BYTES] = {0};
    pp_open_bed(false, false);
    cr_expect_eq(pp_bed.b->call->alloc_pool(pp_bed.b, 0, BYTES, aligns[k], &s),
                 PP_OK);
    pp_bed.b->call->to_host(pp_bed.b, 0, bytes, s, 0, BYTES);
    for (size_t i = 0; i < BYTES; i++)
      cr_expect_eq(bytes[i], PP_FAULT_POISON, "fresh byte %zu", i);
    cr_expect_eq(pp_fault_slabs(pp_bed.b), 3);
    cr_expect_eq(pp_fault_bytes(pp_bed.b), UINT64_C(3) * BYTES);
    const pp_operand operand[] = {{s, 0}, {s, 0}};
    cr_expect_eq(pp_bed.b->call->launch(pp_bed.b, 0, pp_bed.kernel, operand, 2),
                 PP_OK);
    cr_expect_eq(pp_toy.offset % aligns[k], 0, "base of align %zu",
                 (size_t)aligns[k]);
    pp_bed.b->call->memset(pp_bed.b, 0, s, 0, BYTES, 1);
    cr_expect_eq(pp_bed.b->call->free_pool(pp_bed.b, 0, s), PP_OK);
    cr_expect_eq(pp_toy.poisoned, BYTES, "freed bytes");
    pp_close_bed("poison");
  }
}

Test(fault, overlapping_copies) {
  pp_open_bed(true, false);
  const struct {
    uint64_t to, from, bytes;
    pp_status status;
  } copies[] = {{0, 50, 50, PP_OK},
                {50, 0, 50, PP_OK},
                {0, 49, 50, PP_BACKEND_FAILED},
                {49, 0, 50, PP_BACKEND_FAILED},
                {30, 10, 40, PP_BACKEND_FAILED},
                {10, 30, 40, PP_BACKEND_FAILED},
                {7, 7, 1, PP_BACKEND_FAILED},
                {7, 7, 0, PP_OK}};
  for (size_t k = 0; k < sizeof copies / sizeof copies[0]; k++)
    cr_expect_eq(pp_bed.b->call->device_to_device(
                     pp_bed.b, 0, pp_bed.slab[0], copies[k].to, 0,
                     pp_bed.slab[0], copies[k].from, copies[k].bytes),
                 copies[k].status, "copy %zu", k);
  cr_expect_eq(pp_bed.b->call->await(pp_bed.b, 0), PP_OK);
  pp_close_bed("copies");
}

Test(fault, limits_and_leaks) {
  const pp_fault_options options = {.max_pool = 1000, .alignment = 256};
  pp_limits limits;
  pp_slab none;
  pp_open_bed(false, false);
  void *never = NULL;
  cr_expect_eq(pp_bed.b->call->compile(pp_bed.b, 1, &pp_toy_code, &never),
               PP_OK);
  cr_expect_eq(pp_fault_backend_free(pp_bed.b), 4, "two slabs and two kernels");
  cr_expect_eq(pp_toy.slabs + pp_toy.kernels, 0, "freed all the same");

  cr_assert_eq(pp_fault_backend_new(&pp_toy_backend, &options, &pp_bed.b),
               PP_OK);
  cr_expect_eq(pp_bed.b->call->limits(pp_bed.b, 0, &limits), PP_OK);
  cr_expect_eq(limits.max_pool, 1000);
  cr_expect_eq(limits.alignment, 256);
  cr_expect_not(limits.asynchronous);
  cr_expect_eq(pp_bed.b->call->alloc_pool(pp_bed.b, 1, 0, 256, &none), PP_OK);
  pp_bed.b->runtime = (struct pp_devices *)&pp_toy;
  cr_expect_eq(pp_fault_backend_free(pp_bed.b), 2, "a slab and the runtime");
}

Test(fault, none_strikes_a_lost_device) {
  const pp_fault faults[] = {{PP_CALL_MEMSET, 1, PP_DEVICE_LOST},
                             {PP_CALL_DEVICE_TO_DEVICE, 1, PP_NO_MEMORY},
                             {PP_CALL_DEVICE_TO_DEVICE, 2, PP_NO_MEMORY}};
  pp_open_bed(false, false);
  pp_fault_arm(pp_bed.b, faults, 3);
  cr_expect_eq(pp_bed.b->call->memset(pp_bed.b, 0, pp_bed.slab[0], 0, 1, 0),
               PP_DEVICE_LOST);
  cr_expect_eq(pp_copy_all(0, 1), PP_DEVICE_LOST);
  cr_expect_eq(pp_copy_all(1, 0), PP_DEVICE_LOST);
  cr_expect_eq(pp_fault_struck(pp_bed.b), 1);
  cr_expect_eq(pp_fault_backend_free(pp_bed.b), 3);
  cr_expect_eq(pp_fault_backend_free(NULL), 0);
}

/* Work that is kept to the end is dropped, and leaves nothing. */
Test(fault, kept_to_the_end) {
  pp_open_bed(true, false);
  cr_expect_eq(pp_bed.b->call->memset(pp_bed.b, 0, pp_bed.slab[0], 0, 1, 0),
               PP_OK);
  cr_expect_eq(pp_copy_all(0, 1), PP_OK);
  cr_expect_eq(pp_fault_backend_free(pp_bed.b), 3);
  pp_expect_no_leak();
}

static pp_status set_byte(size_t d, uint8_t value) {
  return pp_bed.b->call->memset(pp_bed.b, d, pp_bed.slab[d], 0, 1, value);
}

/* Work of a device that the backend inside lost is in flight no more: not
 * what is known to be going on, */
Test(fault, lost_inside_while_working) {
  pp_open_bed(false, true);
  cr_expect_eq(set_byte(0, 7), PP_OK);
  pp_toy.answer[0] = PP_DEVICE_LOST;
  cr_expect_eq(set_byte(0, 8), PP_DEVICE_LOST);
  cr_expect_eq(pp_bed.b->call->free_pool(pp_bed.b, 0, pp_bed.slab[0]), PP_OK);
  cr_expect_null(pp_fault_breach(pp_bed.b));
  cr_expect_eq(pp_fault_backend_free(pp_bed.b), 2);
}

/* nor what is kept on a device that is lost with it, for a copy's sake. */
Test(fault, lost_inside_with_another) {
  pp_slab more;
  pp_open_bed(true, false);
  cr_expect_eq(set_byte(1, 7), PP_OK);
  cr_expect_eq(pp_copy_all(0, 1), PP_OK);
  pp_toy.answer[0] = PP_DEVICE_LOST;
  cr_expect_eq(pp_bed.b->call->alloc_pool(pp_bed.b, 0, 1, 64, &more),
               PP_DEVICE_LOST);
  cr_expect_eq(set_byte(1, 8), PP_DEVICE_LOST);
  cr_expect_eq(pp_bed.b->call->free_pool(pp_bed.b, 1, pp_bed.slab[1]), PP_OK);
  cr_expect_null(pp_fault_breach(pp_bed.b));
  cr_expect_eq(pp_fault_backend_free(pp_bed.b), 2);
}

/* Work that waits for nobody is kept when another device is lost. */
Test(fault, lost_beside_kept_work) {
  const pp_fault lost = {PP_CALL_MEMSET, 2, PP_DEVICE_LOST};
  pp_open_bed(true, false);
  pp_fault_arm(pp_bed.b, &lost, 1);
  cr_expect_eq(pp_bed.b->call->await(pp_bed.b, 1), PP_OK);
  cr_expect_eq(set_byte(1, 7), PP_OK);
  cr_expect_eq(set_byte(0, 7), PP_DEVICE_LOST);
  cr_expect_neq(pp_peek(1), 7);
  cr_expect_eq(pp_bed.b->call->await(pp_bed.b, 1), PP_OK);
  cr_expect_eq(pp_peek(1), 7);
  cr_expect_eq(pp_fault_backend_free(pp_bed.b), 3);
}

/* What the backend inside answers is passed on. */
Test(fault, of_the_backend_inside) {
  const pp_fault faults[] = {{PP_CALL_DEVICES, 1, PP_NO_DEVICE},
                             {PP_CALL_AWAIT, 1, PP_BACKEND_FAILED}};
  pp_backend *outer = NULL;
  size_t devices = 0;
  pp_open_bed(false, false);
  cr_assert_eq(pp_fault_backend_new(pp_bed.b, NULL, &outer), PP_OK);
  pp_fault_arm(pp_bed.b, faults, 2);
  cr_expect_eq(outer->call->devices(outer, &devices), PP_NO_DEVICE);
  cr_expect_eq(outer->call->devices(outer, &devices), PP_OK);
  cr_expect_eq(devices, 2);
  cr_expect_eq(outer->call->await(outer, 0), PP_BACKEND_FAILED);
  cr_expect_eq(outer->call->await(outer, 0), PP_OK);
  cr_expect_eq(pp_fault_backend_free(outer), 0);
  pp_toy.answer[0] = PP_BACKEND_FAILED;
  cr_expect_eq(pp_copy_all(0, 1), PP_BACKEND_FAILED);
  cr_expect_eq(pp_fault_backend_free(pp_bed.b), 3);
}
