/* poolproof: the fake driver's model of memory, streams and contexts. Links
 * the fake driver itself; each test begins in a process of its own, with the
 * environment that it names.  SPDX-License-Identifier: MIT */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(what)                                                            \
  do {                                                                         \
    if (!(what)) {                                                             \
      (void)fprintf(stderr, "%s:%d: %s\n", __func__, __LINE__, #what);         \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
#define GIVES(call, result) CHECK((call) == (result))
#define GOOD(call) GIVES(call, CUDA_SUCCESS)

enum { BYTES = 1000 };

static CUcontext context;
static CUstream stream;

static void begin(void) {
  GOOD(cuInit(0));
  GOOD(cuDevicePrimaryCtxRetain(&context, 0));
  GOOD(cuCtxPushCurrent_v2(context));
  GOOD(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
}

static CUdeviceptr allocate(size_t bytes) {
  CUdeviceptr address = 0;
  GOOD(cuMemAlloc_v2(&address, bytes));
  CHECK(address % 256 == 0 && address >> 63 == 0);
  return address;
}

static fake_cuda_counts live(void) {
  fake_cuda_counts counts;
  fake_cuda_live(&counts);
  return counts;
}

static CUfunction load(const char *body, CUmodule *module) {
  static char text[2048];
  static char log[256];
  CUfunction function = NULL;
  CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER,
                           CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  const size_t size = sizeof log;
  void *value[] = {log, NULL};
  memcpy(&value[1], &size, sizeof size);
  (void)snprintf(text, sizeof text,
                 ".version 6.0\n.target sm_60\n.address_size 64\n"
                 ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %%w<9>;\n"
                 "ld.param.u64 %%w0, [out];\n%s\nret;\n}\n",
                 body);
  const int loaded = cuModuleLoadDataEx(module, text, 2, option, value);
  if (loaded != 0) (void)fprintf(stderr, "%s\n", log);
  GOOD(loaded);
  GIVES(cuModuleGetFunction(&function, *module, "j"), CUDA_ERROR_NOT_FOUND);
  GOOD(cuModuleGetFunction(&function, *module, "k"));
  return function;
}

static int launch(CUfunction function, CUdeviceptr out) {
  void *parameter[] = {&out};
  return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameter, NULL);
}

static void memory(void) {
  unsigned char bytes[BYTES] = {0};
  begin();
  CUdeviceptr a = allocate(BYTES);
  CUdeviceptr b = 0;
  GIVES(cuMemAlloc_v2(&b, 0), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMemAlloc_v2(&b, 5000), CUDA_ERROR_OUT_OF_MEMORY);
  GIVES(cuMemFree_v2(a + 1), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMemFree_v2(0), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemcpyDtoHAsync_v2(bytes, a, BYTES, stream));
  CHECK(bytes[0] == 0xff && bytes[BYTES - 1] == 0xff);
  GOOD(cuMemsetD8Async(a + 3, 7, BYTES - 3, stream));
  GIVES(cuMemsetD8Async(a + 4, 7, BYTES - 3, stream), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMemsetD8Async(a - 1, 7, 1, stream), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMemcpyHtoDAsync_v2(a + BYTES, bytes, 1, stream),
        CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMemcpyDtoHAsync_v2(bytes, a + 1, BYTES, stream),
        CUDA_ERROR_INVALID_VALUE);
  b = allocate(BYTES);
  CHECK(b != a);
  GOOD(cuMemcpyDtoDAsync_v2(b, a, BYTES, stream));
  GIVES(cuMemcpyDtoDAsync_v2(b, b + 10, 11, stream), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemcpyDtoDAsync_v2(b, b + 10, 10, stream));
  GOOD(cuMemcpyDtoHAsync_v2(bytes, b, BYTES, stream));
  CHECK(bytes[0] == 7 && bytes[BYTES - 1] == 7);
  CHECK(live().allocations == 2 && live().bytes == 2ull * BYTES);
  GOOD(cuMemFree_v2(a));
  GIVES(cuMemFree_v2(a), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMemcpyDtoHAsync_v2(bytes, a, 1, stream), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemFree_v2(b));
  CHECK(live().allocations == 0 && live().bytes == 0);
}

static void contexts(void) {
  CUcontext other = NULL;
  CUcontext popped = NULL;
  CUdeviceptr address = 0;
  unsigned char byte = 0;
  GIVES(cuDevicePrimaryCtxRetain(&other, 0), CUDA_ERROR_NOT_INITIALIZED);
  GOOD(cuInit(0));
  GIVES(cuMemAlloc_v2(&address, 1), CUDA_ERROR_INVALID_CONTEXT);
  GIVES(cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK(live().releases == 1 && fake_cuda_current() == -1);
  begin();
  CHECK(fake_cuda_current() == 0);
  address = allocate(1);
  GIVES(cuDevicePrimaryCtxRetain(&other, 2), CUDA_ERROR_INVALID_DEVICE);
  GIVES(cuCtxPushCurrent_v2(&fake.context[1]), CUDA_ERROR_INVALID_CONTEXT);
  GOOD(cuDevicePrimaryCtxRetain(&other, 1));
  GOOD(cuCtxPushCurrent_v2(other));
  CHECK(fake_cuda_current() == 1 && live().contexts == 2);
  GIVES(cuMemFree_v2(address), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMemcpyHtoDAsync_v2(address, &byte, 1, NULL),
        CUDA_ERROR_INVALID_VALUE);
  GIVES(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  GIVES(cuStreamDestroy_v2(stream), CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuCtxPopCurrent_v2(&popped));
  CHECK(popped == other && fake_cuda_current() == 0);
  GOOD(cuDevicePrimaryCtxRelease_v2(0));
  CHECK(live().allocations == 0 && live().streams == 0);
  GIVES(cuMemAlloc_v2(&address, 1), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  GOOD(cuCtxPopCurrent_v2(NULL));
  GIVES(cuCtxPopCurrent_v2(NULL), CUDA_ERROR_INVALID_CONTEXT);
}

/* Late work sees what came before it, and the host what it waited for. */
static void lazy(void) {
  unsigned char byte = 5;
  CUstream second = NULL;
  CUevent event = NULL;
  begin();
  const CUdeviceptr a = allocate(1);
  GOOD(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
  GOOD(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  GOOD(cuMemcpyHtoDAsync_v2(a, &byte, 1, stream));
  byte = 6; /* the call took 5 */
  CHECK(live().queued == 1);
  /* No event between the two: the second stream is first. */
  GOOD(cuMemcpyDtoHAsync_v2(&byte, a, 1, second));
  CHECK(byte == 6);
  GOOD(cuStreamSynchronize(second));
  CHECK(byte == 0xff && live().queued == 1);
  GOOD(cuEventRecord(event, stream));
  GOOD(cuMemsetD8Async(a, 9, 1, stream));
  GOOD(cuStreamWaitEvent(second, event, 0));
  GOOD(cuEventDestroy_v2(event));
  GIVES(cuEventRecord(event, stream), CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuMemcpyDtoHAsync_v2(&byte, a, 1, second));
  GOOD(cuStreamSynchronize(second));
  CHECK(byte == 5 && live().queued == 1);
  GOOD(cuMemcpyDtoHAsync_v2(&byte, a, 1, stream));
  CHECK(byte == 5);
  GOOD(cuMemFree_v2(a));
  CHECK(byte == 9 && live().queued == 0);
  GOOD(cuStreamDestroy_v2(second));
  GOOD(cuStreamDestroy_v2(stream));
  CHECK(live().streams == 0 && live().events == 0);
}

static void lazy_launch(void) {
  CUmodule module = NULL;
  unsigned char byte = 0;
  begin();
  CUfunction kernel = load("st.global.u8 [%w0], 3;", &module);
  const CUdeviceptr a = allocate(1);
  GOOD(launch(kernel, a));
  GOOD(cuMemcpyDtoHAsync_v2(&byte, a, 1, stream));
  CHECK(byte == 0 && fake_cuda_instructions() == 0);
  GOOD(cuStreamSynchronize(stream));
  CHECK(byte == 3 && fake_cuda_instructions() == 3);
  GOOD(launch(kernel, a));
  GOOD(cuModuleUnload(module)); /* too early */
  GIVES(cuStreamSynchronize(stream), CUDA_ERROR_LAUNCH_FAILED);
}

/* An error of work stays, is told later, and stops what comes behind. */
static void lasting(void) {
  CUmodule module = NULL;
  CUcontext other = NULL;
  unsigned char byte = 1;
  begin();
  CUfunction kernel = load("st.global.u8 [%w0], 3;", &module);
  const CUdeviceptr a = allocate(1);
  GOOD(launch(kernel, a + 1));
  if (getenv("FAKE_CUDA_LAZY") != NULL) {
    GOOD(cuMemcpyDtoHAsync_v2(&byte, a, 1, stream));
    GIVES(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  }
  GIVES(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  GIVES(cuMemcpyDtoHAsync_v2(&byte, a, 1, stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  GIVES(cuMemFree_v2(a), CUDA_ERROR_ILLEGAL_ADDRESS);
  CHECK(byte == 1);
  GOOD(cuDevicePrimaryCtxRetain(&other, 1));
  GOOD(cuCtxPushCurrent_v2(other));
  (void)allocate(1);
  GOOD(cuCtxPopCurrent_v2(NULL));
  fake_cuda_reset();
  GOOD(cuMemFree_v2(a));
}

/* Each kind of memory that a kernel must not touch. */
static void foreign(void) {
  CUmodule module = NULL;
  CUcontext other = NULL;
  begin();
  CUfunction kernel = load("ld.global.u8 %w1, [%w0];", &module);
  const CUdeviceptr a = allocate(1);
  GOOD(launch(kernel, a));
  CHECK(fake_cuda_uninitialised() == 1);
  GOOD(cuMemsetD8Async(a, 1, 1, stream));
  GOOD(launch(kernel, a));
  CHECK(fake_cuda_uninitialised() == 1);
  GOOD(cuMemFree_v2(a));
  GOOD(launch(kernel, a));
  GIVES(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  fake_cuda_reset();
  GOOD(cuDevicePrimaryCtxRetain(&other, 1));
  GOOD(cuCtxPushCurrent_v2(other));
  const CUdeviceptr b = allocate(1);
  GOOD(cuCtxPopCurrent_v2(NULL));
  GOOD(launch(kernel, b));
  GIVES(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  fake_cuda_reset();
  GOOD(launch(kernel, (CUdeviceptr)(uintptr_t)&other));
  GIVES(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* Which bytes were written, one by one. */
static void marks(void) {
  CUmodule module = NULL;
  begin();
  CUfunction write = load("st.global.u16 [%w0], 3;", &module);
  CUfunction read = load("ld.global.u8 %w1, [%w0];", &module);
  CUfunction read_all = load("ld.global.u64 %w1, [%w0];", &module);
  const CUdeviceptr a = allocate(64);
  const CUdeviceptr b = allocate(64);
  GOOD(launch(write, a + 10));
  for (uint64_t at = 8; at < 16; at++) {
    const uint64_t before = fake_cuda_uninitialised();
    GOOD(launch(read, a + at));
    CHECK(fake_cuda_uninitialised() == before + (at < 10 || at > 11));
  }
  GOOD(cuMemcpyDtoDAsync_v2(b + 1, a + 10, 50, stream));
  GOOD(cuMemsetD8Async(b + 3, 0, 21, stream));
  for (uint64_t at = 0; at < 32; at++) {
    const uint64_t before = fake_cuda_uninitialised();
    GOOD(launch(read, b + at));
    CHECK(fake_cuda_uninitialised() == before + (at == 0 || at > 23));
  }
  const uint64_t before = fake_cuda_uninitialised();
  GOOD(launch(read_all, b + 8));
  GOOD(launch(read_all, b + 16));
  CHECK(fake_cuda_uninitialised() == before);
  GOOD(launch(read_all, b));
  GOOD(launch(read_all, b + 24));
  CHECK(fake_cuda_uninitialised() == before + 2);
}

static void strict(void) {
  CUmodule module = NULL;
  begin();
  CUfunction read = load("ld.global.u8 %w1, [%w0];", &module);
  GOOD(launch(read, allocate(1)));
  GIVES(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void faults(void) {
  CUdeviceptr a = 0;
  begin();
  CHECK(fake_cuda_calls("cuMemAlloc_v2") == 0);
  CHECK(fake_cuda_calls("cuMemAlloc") == UINT64_MAX);
  CHECK(!fake_cuda_fail("cuMemAlloc", 1, 2));
  a = allocate(1);
  GIVES(cuMemAlloc_v2(&a, 1), CUDA_ERROR_OUT_OF_MEMORY); /* environment's */
  CHECK(live().allocations == 1 && fake_cuda_calls("cuMemAlloc_v2") == 2);
  CHECK(fake_cuda_fail("*", 2, CUDA_ERROR_INVALID_VALUE));
  GOOD(cuStreamSynchronize(stream));
  GIVES(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_VALUE);
  GOOD(cuStreamSynchronize(stream));
  CHECK(fake_cuda_fail("cuMemFree_v2", 0, CUDA_ERROR_INVALID_VALUE));
  GIVES(cuMemFree_v2(a), CUDA_ERROR_INVALID_VALUE);
  GIVES(cuMemFree_v2(a), CUDA_ERROR_INVALID_VALUE);
  fake_cuda_reset();
  CHECK(fake_cuda_fail("cuStreamSynchronize", 1, CUDA_ERROR_ECC_UNCORRECTABLE));
  GIVES(cuStreamSynchronize(stream), CUDA_ERROR_ECC_UNCORRECTABLE);
  GIVES(cuMemFree_v2(a), CUDA_ERROR_ECC_UNCORRECTABLE);
  fake_cuda_reset();
  GOOD(cuMemFree_v2(a));
}

/* What a peer copy of 200 sevens gives. */
static int peer_copy(unsigned char *bytes, int *can) {
  CUcontext other = NULL;
  begin();
  const CUdeviceptr a = allocate(200);
  GOOD(cuMemsetD8Async(a, 7, 200, stream));
  GOOD(cuStreamSynchronize(stream));
  GOOD(cuDevicePrimaryCtxRetain(&other, 1));
  GOOD(cuCtxPushCurrent_v2(other));
  GOOD(cuStreamCreate(&stream, 0));
  const CUdeviceptr b = allocate(200);
  GOOD(cuDeviceCanAccessPeer(can, 1, 0));
  const int answer = cuMemcpyPeerAsync(b, other, a, context, 200, stream);
  GOOD(cuMemcpyDtoHAsync_v2(bytes, b, 200, stream));
  GOOD(cuStreamSynchronize(stream));
  return answer;
}

static void peer(void) {
  unsigned char bytes[200];
  int can = 0;
  GOOD(peer_copy(bytes, &can));
  CHECK(can == 1 && bytes[0] == 7 && bytes[199] == 7);
}

static void peer_corrupt(void) {
  unsigned char bytes[200];
  int can = 0;
  GOOD(peer_copy(bytes, &can));
  CHECK(can == 1 && bytes[0] == 6 && bytes[1] == 7);
}

static void peer_refuse(void) {
  unsigned char bytes[200];
  int can = 0;
  GIVES(peer_copy(bytes, &can), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  CHECK(can == 1);
}

static void peer_no(void) {
  unsigned char bytes[200];
  int can = 1;
  GOOD(peer_copy(bytes, &can));
  CHECK(can == 0);
}

static void nothing(void) {
  GIVES(cuInit(0), CUDA_ERROR_NO_DEVICE);
}

static void refused(void) {
  GIVES(cuInit(0), CUDA_ERROR_UNKNOWN);
}

static void old(void) {
  CUmodule module = NULL;
  int major = 0;
  begin();
  GOOD(cuDeviceGetAttribute(&major,
                            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  CHECK(major == 5);
  GIVES(cuModuleLoadDataEx(&module, ".version 6.0 .target sm_60 .entry k { }",
                           0, NULL, NULL),
        CUDA_ERROR_NO_BINARY_FOR_GPU);
  GIVES(cuModuleLoadDataEx(&module, ".version 9.0 .target sm_50 .entry k { }",
                           0, NULL, NULL),
        CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
}

static void jit(void) {
  CUmodule module = NULL;
  char log[40];
  CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER,
                           CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  const size_t size = sizeof log;
  void *value[] = {log, NULL};
  memcpy(&value[1], &size, sizeof size);
  begin();
  GIVES(cuModuleLoadDataEx(&module,
                           ".version 6.0\n.target sm_60\n.entry k {\nnop;\n}",
                           2, option, value),
        CUDA_ERROR_INVALID_PTX);
  CHECK(strcmp(log, "line 4: the instruction is not supporte") == 0);
  CHECK(live().modules == 0);
  GOOD(cuModuleLoadDataEx(&module, ".version 6.0 .target sm_60 .entry k { }", 2,
                          option, value));
  CHECK(live().modules == 1 && log[0] == 0);
  GOOD(cuModuleUnload(module));
  GIVES(cuModuleUnload(module), CUDA_ERROR_INVALID_HANDLE);
}

/* Every thread of a launch runs, once. */
static void shapes(void) {
  CUmodule module = NULL;
  unsigned char bytes[24];
  begin();
  CUfunction kernel =
      load(".reg .b32 %r<9>;\nmov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\n"
           "mad.lo.u32 %r0, %r0, %r1, %tid.x;\nmov.u32 %r1, %tid.y;\n"
           "mad.lo.u32 %r0, %r1, 12, %r0;\ncvt.u64.u32 %w1, %r0;\n"
           "add.u64 %w0, %w0, %w1;\nld.global.u8 %r2, [%w0];\n"
           "add.u32 %r2, %r2, %r0;\nst.global.u8 [%w0], %r2;",
           &module);
  CUdeviceptr a = allocate(24);
  void *parameter[] = {&a};
  GOOD(cuMemsetD8Async(a, 1, 24, stream));
  GOOD(cuLaunchKernel(kernel, 4, 1, 1, 3, 2, 1, 0, stream, parameter, NULL));
  GOOD(cuMemcpyDtoHAsync_v2(bytes, a, 24, stream));
  for (int b = 0; b < 24; b++)
    CHECK(bytes[b] == b + 1);
  GIVES(cuLaunchKernel(kernel, 0, 1, 1, 1, 1, 1, 0, stream, parameter, NULL),
        CUDA_ERROR_INVALID_VALUE);
  GIVES(cuLaunchKernel(kernel, 1, 1, 1, 1025, 1, 1, 0, stream, parameter, NULL),
        CUDA_ERROR_INVALID_VALUE);
  GIVES(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL),
        CUDA_ERROR_INVALID_VALUE);
  GIVES(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, stream, parameter, NULL),
        CUDA_ERROR_INVALID_HANDLE);
}

typedef struct test {
  const char *name;
  const char *value; /* of the environment variable; NULL: none */
  void (*run)(void);
} test;

static const test tests[] = {
    {"FAKE_CUDA_MEMORY", "5999", memory},
    {"FAKE_CUDA_DEVICES", "2", contexts},
    {"FAKE_CUDA_LAZY", "1", lazy},
    {"FAKE_CUDA_LAZY", "1", lazy_launch},
    {"FAKE_CUDA_LAZY", "1", lasting},
    {"FAKE_CUDA_DEVICES", "2", lasting},
    {"FAKE_CUDA_DEVICES", "2", foreign},
    {"FAKE_CUDA_DEVICES", "1", marks},
    {"FAKE_CUDA_UNINITIALISED", "error", strict},
    {"FAKE_CUDA_FAIL", "cuInit:9:100,cuMemAlloc_v2:2:2", faults},
    {"FAKE_CUDA_PEER", "yes", peer},
    {"FAKE_CUDA_PEER", "corrupt", peer_corrupt},
    {"FAKE_CUDA_PEER", "refuse", peer_refuse},
    {"FAKE_CUDA_PEER", "no", peer_no},
    {"FAKE_CUDA_DEVICES", "0", nothing},
    {"FAKE_CUDA_INIT", "999", refused},
    {"FAKE_CUDA_CAPABILITY", "5.2", old},
    {"FAKE_CUDA_DEVICES", "1", jit},
    {"FAKE_CUDA_DEVICES", "1", shapes},
};

int main(void) {
  int failed = 0;
  for (size_t t = 0; t < sizeof tests / sizeof tests[0]; t++) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
      (void)setenv(tests[t].name, tests[t].value, 1);
      tests[t].run();
      exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
      (void)fprintf(stderr, "test %zu (%s=%s) failed\n", t, tests[t].name,
                    tests[t].value);
      failed = 1;
    }
  }
  return failed;
}
