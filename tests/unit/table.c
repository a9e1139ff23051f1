/* poolproof-backend: cc multidev_cc opencl cuda
 * Each backend's table, at every kind of offset and after a loss (BKD-5). The
 * tests of each are made off the list; those of one that is not here are
 * skipped. tests/devices/matrix tries more of the same. */
#include "cc/host.h"
#include "kernels/code.h"
#include "random.h"
#include "support.h"

#include <string.h>

/* Three slabs: two of device 0 and one of the backend's last device, each with
 * what it should hold. */
enum { SIZE = 4099, SLABS = 3, BUSY = 1 << 26 };

static struct {
  pp_backend *b;
  const pp_backend_table *call;
  uint64_t alignment;
  size_t device[SLABS];
  pp_slab slab[SLABS];
  unsigned char holds[SLABS][SIZE];
  unsigned seed;
} bed;

/* What is known of a backend beforehand; 0: nothing. */
static size_t known_devices(pp_backend_id id) {
  if (id == PP_BACKEND_CC) return 1;
  return id == PP_BACKEND_MULTIDEV_CC ? 4 : 0;
}

static void check_limits(pp_backend_id id, const pp_limits *limits) {
  uint64_t align = limits->alignment;
  cr_assert(align > 0 && (align & (align - 1)) == 0);
  cr_assert_gt(limits->max_pool, BUSY);
  cr_assert_neq(limits->name[0], '\0');
  cr_assert_eq(limits->asynchronous, id != PP_BACKEND_CC);
  if (known_devices(id) > 0) cr_assert_eq(align, 64);
}

static void open_bed(pp_backend_id id) {
  size_t devices = 0;
  pp_limits limits = {0};
  bed.b = pp_backend_module(id);
  bed.call = bed.b->call;
  pp_status status = bed.call->devices(bed.b, &devices);
  if (status == PP_NO_DEVICE && known_devices(id) == 0)
    cr_skip_test("%s has no device here", bed.b->name);
  cr_assert_eq(status, PP_OK);
  cr_assert_gt(devices, 0);
  if (known_devices(id) > 0) cr_assert_eq(devices, known_devices(id));
  bed.device[SLABS - 1] = devices - 1;
  for (size_t k = 0; k < SLABS; k++) {
    size_t d = bed.device[k];
    cr_assert_eq(bed.call->limits(bed.b, d, &limits), PP_OK);
    check_limits(id, &limits);
    bed.alignment = limits.alignment;
    cr_assert_eq(
        bed.call->alloc_pool(bed.b, d, SIZE, bed.alignment, &bed.slab[k]),
        PP_OK);
  }
}

static void close_bed(void) {
  for (size_t k = 0; k < SLABS; k++) {
    (void)bed.call->await(bed.b, bed.device[k]);
    cr_expect_eq(bed.call->free_pool(bed.b, bed.device[k], bed.slab[k]), PP_OK);
  }
  pp_expect_no_leak();
}

/* Bytes that differ each time, written over all of a slab. The host's go away
 * as soon as the call allows. */
static void refill(size_t k) {
  unsigned char bytes[SIZE];
  for (size_t i = 0; i < SIZE; i++)
    bytes[i] = (unsigned char)((i * 7 + ++bed.seed) & UINT8_MAX);
  memcpy(bed.holds[k], bytes, SIZE);
  cr_assert_eq(
      bed.call->from_host(bed.b, bed.device[k], bed.slab[k], 0, bytes, SIZE),
      PP_OK);
  memset(bytes, 0, SIZE);
}

/* Every byte of every slab is what it should be. */
static void expect_holds(const char *what, uint64_t offset, uint64_t bytes) {
  for (size_t k = 0; k < SLABS; k++) {
    unsigned char now[SIZE];
    cr_assert_eq(
        bed.call->to_host(bed.b, bed.device[k], now, bed.slab[k], 0, SIZE),
        PP_OK);
    cr_assert_arr_eq(now, bed.holds[k], SIZE,
                     "%s, %s at %llu of %llu bytes: slab %zu", bed.b->name,
                     what, (unsigned long long)offset,
                     (unsigned long long)bytes, k);
  }
}

static void try_host_calls(size_t k, uint64_t offset, uint64_t bytes) {
  unsigned char host[SIZE + 2];
  size_t d = bed.device[k];
  refill(k);
  cr_assert_eq(bed.call->memset(bed.b, d, bed.slab[k], offset, bytes, 0xab),
               PP_OK);
  memset(bed.holds[k] + offset, 0xab, bytes);
  expect_holds("memset", offset, bytes);
  memset(host, 0x5e, sizeof host);
  cr_assert_eq(bed.call->from_host(bed.b, d, bed.slab[k], offset, host, bytes),
               PP_OK);
  memset(bed.holds[k] + offset, 0x5e, bytes);
  expect_holds("from_host", offset, bytes);
  refill(k);
  cr_assert_eq(
      bed.call->to_host(bed.b, d, host + 1, bed.slab[k], offset, bytes), PP_OK);
  cr_assert_arr_eq(host + 1, bed.holds[k] + offset, bytes, "to_host");
  cr_assert(host[0] == 0x5e && host[bytes + 1] == 0x5e, "around to_host");
  cr_assert_eq(bed.call->memset(bed.b, d, bed.slab[k], offset, 0, 1), PP_OK);
  cr_assert_eq(bed.call->from_host(bed.b, d, bed.slab[k], offset, NULL, 0),
               PP_OK);
  expect_holds("nothing", offset, 0);
}

static void try_copy(size_t to, size_t from, uint64_t to_offset,
                     uint64_t from_offset, uint64_t bytes) {
  refill(to);
  refill(from);
  cr_assert_eq(bed.call->device_to_device(bed.b, bed.device[to], bed.slab[to],
                                          to_offset, bed.device[from],
                                          bed.slab[from], from_offset, bytes),
               PP_OK);
  memmove(bed.holds[to] + to_offset, bed.holds[from] + from_offset, bytes);
  expect_holds("device_to_device", to_offset, bytes);
}

/* One statement: operand 0 = operand 1 + operand 1, `elements` of them. */
static void twice(pp_code *code, pp_flat_statement *s, uint64_t *operand_bytes,
                  pp_dtype dtype, uint64_t elements) {
  *s = (pp_flat_statement){
      .dtype = dtype,
      .parallel = 1,
      .axes = 1,
      .extent = {elements},
      .target = {0, dtype, 0, {1}},
      .reads = 1,
      .read = {{1, dtype, 0, {1}}},
      .steps = 3,
      .step = {{.op = PP_OP_LOAD}, {.op = PP_OP_LOAD}, {.op = PP_OP_ADD}}};
  operand_bytes[0] = operand_bytes[1] = elements * pp_dtype_bytes(dtype);
  *code = (pp_code){2, operand_bytes, 1, s};
}

static void double_values(pp_dtype dtype, unsigned char *to,
                          const unsigned char *from, uint64_t elements) {
  for (uint64_t i = 0; i < elements; i++) {
#define PP_DOUBLE(NAME, name, type, kind)                                      \
  if (dtype == PP_##NAME) {                                                    \
    type x;                                                                    \
    memcpy(&x, from + i * sizeof x, sizeof x);                                 \
    x = (type)(x + x);                                                         \
    memcpy(to + i * sizeof x, &x, sizeof x);                                   \
  }
    PP_DTYPES(PP_DOUBLE)
#undef PP_DOUBLE
  }
}

/* Small values of any dtype, all bytes of a float's set. */
static void refill_numbers(size_t k, pp_dtype dtype, uint64_t offset,
                           uint64_t elements) {
  for (uint64_t i = 0; i < elements; i++) {
#define PP_NUMBER(NAME, name, type, kind)                                      \
  if (dtype == PP_##NAME) {                                                    \
    type x = (type)((type)(i % 41) / (type)3);                                 \
    memcpy(bed.holds[k] + offset + i * sizeof x, &x, sizeof x);                \
  }
    PP_DTYPES(PP_NUMBER)
#undef PP_NUMBER
  }
  cr_assert_eq(bed.call->from_host(bed.b, bed.device[k], bed.slab[k], 0,
                                   bed.holds[k], SIZE),
               PP_OK);
}

static void try_launch(pp_dtype dtype, uint64_t to, uint64_t from,
                       uint64_t elements) {
  pp_code code;
  pp_flat_statement statement;
  uint64_t operand_bytes[2];
  void *kernel = NULL;
  pp_operand operand[] = {{bed.slab[0], to}, {bed.slab[1], from}};
  twice(&code, &statement, operand_bytes, dtype, elements);
  refill(0);
  refill(1);
  refill_numbers(1, dtype, from, elements);
  cr_assert_eq(bed.call->compile(bed.b, 0, &code, &kernel), PP_OK);
  cr_assert_eq(bed.call->launch(bed.b, 0, kernel, operand, 2), PP_OK);
  memset(operand, 0, sizeof operand);
  double_values(dtype, bed.holds[0] + to, bed.holds[1] + from, elements);
  expect_holds("launch", to, operand_bytes[0]);
  bed.call->discard(bed.b, 0, kernel);
}

/* 0, the alignment, odd ones, and the last that fits. */
static uint64_t offset_of(unsigned k, uint64_t bytes) {
  const uint64_t offsets[] = {0, bed.alignment, bed.alignment - 1,
                              3 * bed.alignment + 129, SIZE - bytes};
  return offsets[k];
}

static void try_offsets(pp_backend_id id) {
  static const uint64_t sizes[] = {0, 1, 7, 64, 333};
  open_bed(id);
  for (size_t k = 0; k < SLABS; k++)
    refill(k);
  for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
    for (unsigned a = 0; a < 5; a++) {
      uint64_t at = offset_of(a, sizes[n]);
      for (size_t k = 0; k < SLABS; k++)
        try_host_calls(k, at, sizes[n]);
      for (unsigned b = 0; b < 5; b++) {
        uint64_t from = offset_of(b, sizes[n]);
        try_copy(0, 1, at, from, sizes[n]);
        try_copy(0, 2, at, from, sizes[n]);
        try_copy(2, 0, at, from, sizes[n]);
        if (at + sizes[n] <= from || from + sizes[n] <= at)
          try_copy(1, 1, at, from, sizes[n]);
        for (unsigned d = 0; d < PP_DTYPE_COUNT; d++)
          try_launch((pp_dtype)d, at, from,
                     sizes[n] / pp_dtype_bytes((pp_dtype)d));
      }
    }
  close_bed();
}

#define PP_OFFSETS_ON(NAME, name, alias, about)                                \
  Test(table, offsets_on_##name) {                                             \
    try_offsets(PP_BACKEND_##NAME);                                            \
  }
PP_BACKENDS(PP_OFFSETS_ON)

/* Every call that takes a range, on one that is not inside slab 0. */
static void expect_refused(uint64_t offset, uint64_t bytes) {
  unsigned char host[SIZE] = {0};
  const pp_backend_table *call = bed.call;
  const pp_slab *slab = bed.slab;
  const pp_status answers[] = {
      call->memset(bed.b, 0, slab[0], offset, bytes, 1),
      call->from_host(bed.b, 0, slab[0], offset, host, bytes),
      call->to_host(bed.b, 0, host, slab[0], offset, bytes),
      call->device_to_device(bed.b, 0, slab[0], offset, 0, slab[1], 0, bytes),
      call->device_to_device(bed.b, 0, slab[1], 0, 0, slab[0], offset, bytes),
      call->device_to_device(bed.b, bed.device[2], slab[2], 0, 0, slab[0],
                             offset, bytes)};
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++)
    cr_expect_eq(answers[k], PP_BACKEND_FAILED, "%s: call %zu at %llu of %llu",
                 bed.b->name, k, (unsigned long long)offset,
                 (unsigned long long)bytes);
}

/* Where a slab in this process's memory is. */
static void expect_host_slab(pp_slab slab, uint64_t bytes, uint64_t align) {
  cr_expect_eq((uintptr_t)pp_host_range(slab, 0, bytes) % align, 0);
  cr_expect_null(pp_host_range(slab, 0, bytes + 1));
}

static void expect_bad_slabs(pp_backend_id id) {
  pp_slab slab = {NULL};
  bool host = known_devices(id) > 0;
  static const uint64_t aligns[] = {1, 2, 64, 128, 4096};
  for (size_t k = 0; k < 5; k++) {
    if (!host && aligns[k] > bed.alignment) continue;
    cr_assert_eq(bed.call->alloc_pool(bed.b, 0, k, aligns[k], &slab), PP_OK);
    if (host) expect_host_slab(slab, k, aligns[k]);
    cr_expect_eq(bed.call->free_pool(bed.b, 0, slab), PP_OK);
  }
  cr_expect_eq(bed.call->alloc_pool(bed.b, 0, 8, 0, &slab), PP_BACKEND_FAILED);
  cr_expect_eq(bed.call->alloc_pool(bed.b, 0, 8, 24, &slab), PP_BACKEND_FAILED);
  static const uint64_t sizes[] = {PTRDIFF_MAX, UINT64_MAX - 64, UINT64_MAX};
  for (size_t k = 0; k < 3; k++)
    cr_expect_eq(bed.call->alloc_pool(bed.b, 0, sizes[k], bed.alignment, &slab),
                 PP_NO_MEMORY);
}

static void try_refusals(pp_backend_id id) {
  static const uint64_t ranges[][2] = {
      {SIZE + 1, 0},       {SIZE, 1},
      {0, SIZE + 1},       {SIZE - 1, 2},
      {UINT64_MAX, 1},     {UINT64_MAX, 0},
      {1, UINT64_MAX},     {UINT64_MAX, UINT64_MAX},
      {UINT64_MAX - 9, 20}};
  pp_code code;
  pp_flat_statement statement;
  uint64_t operand_bytes[2];
  void *kernel = NULL;
  open_bed(id);
  for (size_t k = 0; k < SLABS; k++)
    refill(k);
  for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++)
    expect_refused(ranges[k][0], ranges[k][1]);
  for (uint64_t apart = 0; apart < 3; apart++)
    for (unsigned swap = 0; swap < 2; swap++)
      cr_expect_eq(bed.call->device_to_device(bed.b, 0, bed.slab[0],
                                              swap ? apart : 0, 0, bed.slab[0],
                                              swap ? 0 : apart, 2),
                   apart < 2 ? PP_BACKEND_FAILED : PP_OK, "%s, %llu apart",
                   bed.b->name, (unsigned long long)apart);
  memcpy(bed.holds[0], bed.holds[0] + 2, 2); /* the two that were not refused */
  expect_bad_slabs(id);
  twice(&code, &statement, operand_bytes, PP_U8, 1);
  cr_assert_eq(bed.call->compile(bed.b, 0, &code, &kernel), PP_OK);
  const pp_operand operand[3] = {{bed.slab[0], 0}, {bed.slab[0], 0}};
  cr_expect_eq(bed.call->launch(bed.b, 0, kernel, operand, 1),
               PP_BACKEND_FAILED);
  cr_expect_eq(bed.call->launch(bed.b, 0, kernel, operand, 3),
               PP_BACKEND_FAILED);
  bed.call->discard(bed.b, 0, kernel);
  cr_expect_eq(bed.call->await(bed.b, 0), PP_OK);
  expect_holds("a refused call", 0, 0);
  close_bed();
}

#define PP_REFUSALS_ON(NAME, name, alias, about)                               \
  Test(table, refusals_on_##name) {                                            \
    try_refusals(PP_BACKEND_##NAME);                                           \
  }
PP_BACKENDS(PP_REFUSALS_ON)

/* A kernel over `elements` bytes on device 0. */
static struct {
  pp_code code;
  pp_flat_statement statement;
  uint64_t operand_bytes[2];
  void *kernel;
} doubling;

static void open_doubling(size_t device, uint64_t elements) {
  twice(&doubling.code, &doubling.statement, doubling.operand_bytes, PP_U8,
        elements);
  cr_assert_eq(
      bed.call->compile(bed.b, device, &doubling.code, &doubling.kernel),
      PP_OK);
}

static pp_status launch_doubling(size_t device, pp_slab slab, uint64_t to,
                                 uint64_t from) {
  const pp_operand operand[] = {{slab, to}, {slab, from}};
  return bed.call->launch(bed.b, device, doubling.kernel, operand, 2);
}

static void try_operands_outside(pp_backend_id id) {
  if (id == PP_BACKEND_MULTIDEV_CC)
    cr_skip_test("multidev_cc loses its device by it, which is tested below");
  open_bed(id);
  for (size_t k = 0; k < SLABS; k++)
    refill(k);
  open_doubling(0, 10);
  cr_expect_eq(launch_doubling(0, bed.slab[0], 0, SIZE - 9), PP_BACKEND_FAILED);
  cr_expect_eq(launch_doubling(0, bed.slab[0], SIZE - 9, 0), PP_BACKEND_FAILED);
  cr_expect_eq(launch_doubling(0, bed.slab[0], UINT64_MAX - 4, 0),
               PP_BACKEND_FAILED);
  expect_holds("a refused launch", 0, 0);
  cr_expect_eq(launch_doubling(0, bed.slab[0], 0, SIZE - 10), PP_OK);
  cr_expect_eq(bed.call->await(bed.b, 0), PP_OK);
  bed.call->discard(bed.b, 0, doubling.kernel);
  close_bed();
}

#define PP_OPERANDS_OUTSIDE_ON(NAME, name, alias, about)                       \
  Test(table, operand_outside_its_slab_on_##name) {                            \
    try_operands_outside(PP_BACKEND_##NAME);                                   \
  }
PP_BACKENDS(PP_OPERANDS_OUTSIDE_ON)

/* Device 0 is lost by a launch and stays so; the others go on. */
Test(table, lost_device_on_multidev_cc) {
  unsigned char host[SIZE];
  pp_limits limits;
  pp_slab slab;
  void *kernel = NULL;
  open_bed(PP_BACKEND_MULTIDEV_CC);
  const pp_backend_table *call = bed.call;
  open_doubling(0, 10);
  refill(2);
  cr_expect_eq(launch_doubling(0, bed.slab[0], 0, SIZE - 9), PP_OK);
  cr_expect_eq(call->await(bed.b, 0), PP_DEVICE_LOST);
  const pp_status answers[] = {
      call->limits(bed.b, 0, &limits),
      call->alloc_pool(bed.b, 0, 8, 8, &slab),
      call->memset(bed.b, 0, bed.slab[0], 0, 8, 0),
      call->from_host(bed.b, 0, bed.slab[0], 0, host, 8),
      call->to_host(bed.b, 0, host, bed.slab[0], 0, 8),
      call->device_to_device(bed.b, 3, bed.slab[2], 0, 0, bed.slab[0], 0, 8),
      call->device_to_device(bed.b, 0, bed.slab[0], 0, 3, bed.slab[2], 0, 8),
      call->device_to_device(bed.b, 0, bed.slab[0], 0, 0, bed.slab[1], 0, 8),
      call->compile(bed.b, 0, &doubling.code, &kernel),
      launch_doubling(0, bed.slab[0], 0, 0),
      call->memset(bed.b, 0, bed.slab[0], SIZE, 8, 0),
      call->await(bed.b, 0)};
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++)
    cr_expect_eq(answers[k], PP_DEVICE_LOST, "call %zu", k);
  call->discard(bed.b, 0, doubling.kernel);
  cr_expect_eq(call->await(bed.b, 3), PP_OK);
  cr_expect_eq(call->to_host(bed.b, 3, host, bed.slab[2], 0, SIZE), PP_OK);
  cr_expect_arr_eq(host, bed.holds[2], SIZE);
  cr_expect_eq(call->memset(bed.b, 4, bed.slab[2], 0, 8, 0), PP_NO_DEVICE);
  close_bed();
}

/* Work that waits for a device which is then lost. */
Test(table, loss_with_work_queued_on_multidev_cc) {
  pp_slab busy;
  open_bed(PP_BACKEND_MULTIDEV_CC);
  const pp_backend_table *call = bed.call;
  pp_slab other[2];
  cr_assert_eq(call->alloc_pool(bed.b, 0, BUSY, 64, &busy), PP_OK);
  for (size_t k = 0; k < 2; k++)
    cr_assert_eq(call->alloc_pool(bed.b, k + 1, SIZE, 64, &other[k]), PP_OK);
  open_doubling(0, 10);
  for (unsigned k = 0; k < 4; k++)
    cr_assert_eq(call->memset(bed.b, 0, busy, 0, BUSY, 1), PP_OK);
  cr_assert_eq(launch_doubling(0, bed.slab[0], 0, SIZE - 9), PP_OK);
  pp_status fetch =
      call->device_to_device(bed.b, 1, other[0], 0, 0, bed.slab[0], 0, SIZE);
  pp_status give =
      call->device_to_device(bed.b, 0, bed.slab[0], 0, 2, other[1], 0, SIZE);
  cr_expect_eq(call->await(bed.b, 0), PP_DEVICE_LOST);
  cr_expect_eq(call->await(bed.b, 1), fetch == PP_OK ? PP_DEVICE_LOST : PP_OK,
               "what cannot come from a lost device is lost too");
  cr_expect_eq(call->await(bed.b, 2), PP_OK, "what it gave to it is not");
  cr_expect(give == PP_OK || give == PP_DEVICE_LOST);
  cr_expect_eq(call->await(bed.b, 3), PP_OK);
  call->discard(bed.b, 0, doubling.kernel);
  cr_expect_eq(call->free_pool(bed.b, 0, busy), PP_OK);
  for (size_t k = 0; k < 2; k++)
    cr_expect_eq(call->free_pool(bed.b, k + 1, other[k]), PP_OK);
  close_bed();
}

PP_WRAPS static uint64_t plus_twice(uint64_t x, uint64_t y) {
  return x + y + y;
}

/* A value that goes round all devices, many more times than a queue is long,
 * while nobody waits: each hop adds what the device before it had. */
Test(table, order_across_devices_of_multidev_cc) {
  enum { DEVICES = 4, HOPS = 3000 };
  pp_slab slab[DEVICES];
  pp_code code;
  pp_flat_statement statement;
  uint64_t operand_bytes[2];
  void *kernel[DEVICES];
  uint64_t value = 1;
  pp_backend *b = pp_backend_module(PP_BACKEND_MULTIDEV_CC);
  twice(&code, &statement, operand_bytes, PP_I64, 1);
  statement.fold = PP_FOLD_ADD; /* d += v + v */
  for (size_t d = 0; d < DEVICES; d++) {
    uint64_t first = d + 1;
    cr_assert_eq(b->call->alloc_pool(b, d, 24, 8, &slab[d]), PP_OK);
    cr_assert_eq(b->call->compile(b, d, &code, &kernel[d]), PP_OK);
    cr_assert_eq(b->call->from_host(b, d, slab[d], 0, &first, 8), PP_OK);
  }
  uint64_t holds[DEVICES] = {1, 2, 3, 4};
  for (size_t hop = 0; hop < HOPS; hop++) {
    size_t from = hop % DEVICES;
    size_t to = (from + 1 + hop / DEVICES % (DEVICES - 1)) % DEVICES;
    const pp_operand operand[] = {{slab[to], 0}, {slab[to], 16}};
    cr_assert_eq(
        b->call->device_to_device(b, to, slab[to], 16, from, slab[from], 0, 8),
        PP_OK);
    cr_assert_eq(b->call->launch(b, to, kernel[to], operand, 2), PP_OK);
    holds[to] = plus_twice(holds[to], holds[from]);
  }
  for (size_t d = 0; d < DEVICES; d++) {
    cr_assert_eq(b->call->to_host(b, d, &value, slab[d], 0, 8), PP_OK);
    cr_expect_eq(value, holds[d], "device %zu", d);
    b->call->discard(b, d, kernel[d]);
    cr_expect_eq(b->call->free_pool(b, d, slab[d]), PP_OK);
  }
  pp_expect_no_leak();
}

/* More host bytes than are ever copied to let a call return at once. */
Test(table, large_transfers) {
  enum { LARGE = (3 << 20) + 1 };
  static unsigned char host[LARGE];
  static unsigned char back[LARGE];
  for (pp_backend_id id = 0; id < PP_BACKEND_COUNT; id++) {
    pp_backend *b = pp_backend_module(id);
    pp_slab slab;
    size_t devices = 0;
    if (b->call->devices(b, &devices) == PP_NO_DEVICE) continue;
    memset(host, 3 + (int)id, LARGE);
    cr_assert_eq(b->call->alloc_pool(b, 0, LARGE, 64, &slab), PP_OK);
    cr_assert_eq(b->call->memset(b, 0, slab, 0, LARGE, 1), PP_OK);
    cr_assert_eq(b->call->from_host(b, 0, slab, 0, host, LARGE), PP_OK);
    memset(host, 0, LARGE);
    cr_assert_eq(b->call->to_host(b, 0, back, slab, 0, LARGE), PP_OK);
    for (size_t i = 0; i < LARGE; i += 4096)
      cr_assert_eq(back[i], 3 + (int)id, "%s: byte %zu", b->name, i);
    cr_assert_eq(back[LARGE - 1], 3 + (int)id);
    cr_expect_eq(b->call->free_pool(b, 0, slab), PP_OK);
  }
  pp_expect_no_leak();
}
