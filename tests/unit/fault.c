#include "toy.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* Breaches: each does one thing wrong and answers what that call answered. */
static uint8_t host[BYTES + 1];

static pp_status no_device(void) {
  return pp_bed.b->call->memset(pp_bed.b, 2, pp_bed.slab[0], 0, 1, 0);
}
static pp_status no_device_copy(void) {
  return pp_bed.b->call->device_to_device(pp_bed.b, 0, pp_bed.slab[0], 0,
                                          SIZE_MAX - 1, pp_bed.slab[1], 0, 1);
}
static pp_status no_device_copy_to(void) {
  return pp_bed.b->call->device_to_device(pp_bed.b, 2, pp_bed.slab[0], 0, 1,
                                          pp_bed.slab[1], 0, 1);
}
static pp_status bad_align(void) {
  pp_slab more;
  return pp_bed.b->call->alloc_pool(pp_bed.b, 0, 1, 48, &more);
}
static pp_status unknown_slab(void) {
  return pp_bed.b->call->free_pool(pp_bed.b, 0, (pp_slab){host});
}
static pp_status null_slab(void) {
  return pp_bed.b->call->to_host(pp_bed.b, 0, host, (pp_slab){NULL}, 0, 1);
}
static pp_status kernel_for_slab(void) {
  return pp_bed.b->call->free_pool(pp_bed.b, 0, (pp_slab){pp_bed.kernel});
}
static pp_status freed_slab(void) {
  pp_bed.b->call->free_pool(pp_bed.b, 0, pp_bed.slab[0]);
  return pp_bed.b->call->free_pool(pp_bed.b, 0, pp_bed.slab[0]);
}
static pp_status others_slab(void) {
  return pp_bed.b->call->from_host(pp_bed.b, 0, pp_bed.slab[1], 0, host, 1);
}
static pp_status copy_swapped(void) {
  return pp_bed.b->call->device_to_device(pp_bed.b, 1, pp_bed.slab[0], 0, 0,
                                          pp_bed.slab[1], 0, 1);
}
static pp_status past_end(void) {
  return pp_bed.b->call->memset(pp_bed.b, 0, pp_bed.slab[0], 1, BYTES, 0);
}
static pp_status past_end_wraps(void) {
  return pp_bed.b->call->memset(pp_bed.b, 0, pp_bed.slab[0], UINT64_MAX, 2, 0);
}
static pp_status past_end_from(void) {
  return pp_bed.b->call->from_host(pp_bed.b, 0, pp_bed.slab[0], 0, host,
                                   BYTES + 1);
}
static pp_status past_end_to(void) {
  return pp_bed.b->call->to_host(pp_bed.b, 0, host, pp_bed.slab[0], BYTES + 1,
                                 0);
}
static pp_status past_end_copy(void) {
  return pp_bed.b->call->device_to_device(pp_bed.b, 0, pp_bed.slab[0], 0, 1,
                                          pp_bed.slab[1], 1, BYTES);
}
static pp_status past_end_launch(void) {
  const pp_operand operand[] = {{pp_bed.slab[0], BYTES - 9},
                                {pp_bed.slab[0], 0}};
  return pp_bed.b->call->launch(pp_bed.b, 0, pp_bed.kernel, operand, 2);
}
static pp_status free_in_flight(void) {
  pp_bed.b->call->memset(pp_bed.b, 0, pp_bed.slab[0], 0, 1, 0);
  return pp_bed.b->call->free_pool(pp_bed.b, 0, pp_bed.slab[0]);
}
static pp_status free_under_launch(void) {
  pp_launch();
  return pp_bed.b->call->free_pool(pp_bed.b, 0, pp_bed.slab[0]);
}
static pp_status free_under_copy(void) {
  pp_copy_all(0, 1);
  return pp_bed.b->call->free_pool(pp_bed.b, 1, pp_bed.slab[1]);
}
static pp_status discard_in_flight(void) {
  pp_launch();
  pp_bed.b->call->discard(pp_bed.b, 0, pp_bed.kernel);
  return PP_BACKEND_FAILED;
}
static pp_status discard_twice(void) {
  pp_bed.b->call->discard(pp_bed.b, 0, pp_bed.kernel);
  pp_bed.b->call->discard(pp_bed.b, 0, pp_bed.kernel);
  return PP_BACKEND_FAILED;
}
static pp_status discarded_kernel(void) {
  pp_bed.b->call->discard(pp_bed.b, 0, pp_bed.kernel);
  return pp_launch();
}
static pp_status unknown_kernel(void) {
  return pp_bed.b->call->launch(pp_bed.b, 0, host, NULL, 0);
}
static pp_status others_kernel(void) {
  const pp_operand operand[] = {{pp_bed.slab[1], 0}, {pp_bed.slab[1], 0}};
  return pp_bed.b->call->launch(pp_bed.b, 1, pp_bed.kernel, operand, 2);
}
static pp_status few_operands(void) {
  const pp_operand operand = {pp_bed.slab[0], 0};
  return pp_bed.b->call->launch(pp_bed.b, 0, pp_bed.kernel, &operand, 1);
}
static pp_status wild_launch(int64_t at) {
  pp_toy.wild = true;
  pp_toy.wild_at = at;
  return pp_launch();
}
static pp_status before_slab(void) {
  wild_launch(-65);
  return pp_bed.b->call->await(pp_bed.b, 0);
}
static pp_status before_one_of_two(void) {
  pp_slab more;
  pp_bed.b->call->alloc_pool(pp_bed.b, 0, 1, 64, &more);
  return before_slab();
}
static pp_status after_slab(void) {
  wild_launch(BYTES - 64);
  return pp_bed.b->call->await(pp_bed.b, 0);
}
static pp_status seen_at_free(void) {
  wild_launch(BYTES - 1);
  return pp_bed.b->call->free_pool(pp_bed.b, 0, pp_bed.slab[0]);
}
static pp_status seen_at_the_end(void) {
  wild_launch(BYTES - 1);
  return PP_BACKEND_FAILED;
}

/* A second thread comes in while a call is still running. */
static pp_status second;

static void *copies;

static void *intrude(void *unused) {
  (void)unused;
  second = copies
               ? pp_copy_all(0, 1)
               : pp_bed.b->call->memset(pp_bed.b, 0, pp_bed.slab[0], 0, 1, 0);
  return NULL;
}

static pthread_t intruder;

static void invite(void) {
  const struct timespec pause = {0, 20000000};
  pp_toy.during_memset = NULL;
  pthread_create(&intruder, NULL, intrude, NULL);
  nanosleep(&pause, NULL);
}

static pp_status while_set(size_t device) {
  for (int i = 0; i < 100 && second == PP_OK; i++) {
    pp_toy.during_memset = invite;
    pp_bed.b->call->memset(pp_bed.b, device, pp_bed.slab[device], 0, 1, 0);
    pthread_join(intruder, NULL);
  }
  return second;
}

static pp_status two_calls(void) {
  copies = NULL;
  return while_set(0);
}

/* The copy's other device is at work. */
static pp_status call_and_copy(void) {
  copies = host;
  return while_set(1);
}

enum { NOW = 1, LATER = 2, FLYING = 4, ALL = 7 };

/* modes  in which ways of working it is to be found: at once, with the delay,
 *        around a backend that is asynchronous by itself */
static const struct {
  const char *name;
  pp_status (*drive)(void);
  unsigned modes;
  const char *says;
} breaches[] = {
    {"no device", no_device, ALL, "memset: no device 2"},
    {"no device to copy from", no_device_copy, ALL,
     "no device 18446744073709551614 among 2"},
    {"no device to copy to", no_device_copy_to, ALL, "no device 2 among 2"},
    {"alignment", bad_align, ALL, "no power of two"},
    {"unknown slab", unknown_slab, ALL, "free_pool: slab"},
    {"no slab", null_slab, ALL, "to_host: slab 0 is unknown"},
    {"a kernel for a slab", kernel_for_slab, ALL, "is not a slab"},
    {"freed slab", freed_slab, ALL, "slab 1 was given back before"},
    {"another device's slab", others_slab, ALL, "slab 2 is of device 1"},
    {"copy the wrong way", copy_swapped, ALL, "slab 1 is of device 0"},
    {"past the end", past_end, ALL, "100 bytes at 1 are not inside slab 1"},
    {"past 2^64", past_end_wraps, ALL, "not inside"},
    {"past the end, from", past_end_from, ALL, "from_host: 101 bytes"},
    {"past the end, to", past_end_to, ALL, "to_host: 0 bytes at 101"},
    {"past the end, copy", past_end_copy, ALL, "device_to_device: 100 bytes"},
    {"past the end, operand", past_end_launch, ALL, "launch: 10 bytes at 91"},
    {"free under memset", free_in_flight, LATER | FLYING, "in flight"},
    {"free under launch", free_under_launch, LATER | FLYING, "in flight"},
    {"free under copy", free_under_copy, LATER | FLYING, "in flight"},
    {"discard under launch", discard_in_flight, LATER | FLYING, "in flight"},
    {"discarded twice", discard_twice, ALL, "kernel 3 was given back before"},
    {"discarded kernel", discarded_kernel, ALL, "kernel 3 was given back"},
    {"unknown kernel", unknown_kernel, ALL, "launch: kernel"},
    {"another device's kernel", others_kernel, ALL, "kernel 3 is of device 0"},
    {"few operands", few_operands, ALL, "1 operands instead of 2"},
    {"bytes before", before_slab, ALL, "await: bytes before slab 1 changed"},
    {"bytes before one of two", before_one_of_two, ALL,
     "before slab 1 changed"},
    {"bytes after", after_slab, ALL, "await: bytes after slab 1 changed"},
    {"seen at free", seen_at_free, NOW, "free_pool: bytes after slab 1"},
    {"seen at the end", seen_at_the_end, NOW | FLYING, "bytes after slab 1"},
    {"two calls", two_calls, NOW | FLYING, "another ran on device 0"},
    {"call and copy", call_and_copy, NOW | FLYING, "another ran on device 0"},
};

Test(fault, breaches) {
  for (unsigned mode = NOW; mode <= FLYING; mode *= 2)
    for (size_t k = 0; k < sizeof breaches / sizeof breaches[0]; k++) {
      const char *name = breaches[k].name;
      pp_open_bed(mode == LATER, mode == FLYING);
      second = PP_OK;
      pp_status status = breaches[k].drive();
      const char *says = pp_fault_breach(pp_bed.b);
      if ((breaches[k].modes & mode) != 0) {
        cr_expect_eq(status, PP_BACKEND_FAILED, "%s, mode %u", name, mode);
        cr_expect_not_null(says, "%s, mode %u", name, mode);
        cr_expect_not_null(says ? strstr(says, breaches[k].says) : NULL,
                           "%s, mode %u: %s", name, mode, says ? says : "");
      } else if (mode == NOW) {
        cr_expect_eq(status == PP_OK, breaches[k].drive != discard_in_flight,
                     "%s is no breach at once", name);
        cr_expect_null(says, "%s: %s", name, says ? says : "");
      }
      pp_fault_backend_free(pp_bed.b);
    }
}
