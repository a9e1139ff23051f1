/* poolproof: the machine's PTX on the fake driver against the machine on this
 * processor: a statement of each dtype, then random routines. Links the fake
 * driver itself. test_machine [routines [seed]]
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include "kernels/machine.h"
#include "kernels/tasks.h"
#include "kernels/texts.h"
#include "routines.h"
#include "values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 32, LOG = 512 };

#define MUST(call) must((call), #call)

static void give_up(const char *what, int result) {
  (void)fprintf(stderr, "%s: %d\n", what, result);
  exit(1);
}

static void must(int result, const char *call) {
  if (result != CUDA_SUCCESS) give_up(call, result);
}

static CUmodule module;
static CUfunction pp_run;
static CUstream stream;

static void start(void) {
  CUcontext context = NULL;
  static char text[LOG];
  CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER,
                           CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  const size_t size = LOG;
  void *value[] = {text, NULL};
  memcpy(&value[1], &size, sizeof size);
  MUST(cuInit(0));
  MUST(cuDevicePrimaryCtxRetain(&context, 1));
  MUST(cuCtxPushCurrent_v2(context));
  MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  const int loaded =
      cuModuleLoadDataEx(&module, pp_text_machine_ptx, 2, option, value);
  if (loaded != 0) (void)fprintf(stderr, "%s\n", text);
  MUST(loaded);
  MUST(cuModuleGetFunction(&pp_run, module, "pp_run"));
}

static void stop(void) {
  fake_cuda_counts counts;
  MUST(cuStreamDestroy_v2(stream));
  MUST(cuModuleUnload(module));
  fake_cuda_live(&counts);
  if (counts.allocations + counts.modules + counts.streams == 0) return;
  give_up("something is left", 1);
}

/* Each operand is in an allocation of its own, `lead` bytes from its start. */
static CUdeviceptr to_device(const void *bytes, uint64_t size, uint64_t lead) {
  CUdeviceptr address = 0;
  MUST(cuMemAlloc_v2(&address, size + lead + 1));
  MUST(cuMemcpyHtoDAsync_v2(address + lead, bytes, size, stream));
  return address;
}

static void launch(CUdeviceptr tasks, const pp_task *task, uint64_t which,
                   const CUdeviceptr *operand, uint64_t lead) {
  uint64_t place[PP_ACCESSES] = {0};
  CUdeviceptr buffer[PP_ACCESSES] = {0};
  void *parameter[3 + PP_ACCESSES] = {&tasks, &which, place};
  const uint64_t tiles = (task->points - 1) / PP_PTX_TILE + 1;
  const uint64_t blocks = (tiles - 1) / BLOCK + 1;
  for (unsigned k = 0; k < PP_ACCESSES; k++) {
    parameter[3 + k] = &buffer[k];
    if (k >= task->accesses) continue;
    buffer[k] = operand[task->access[k].operand];
    place[k] = lead;
  }
  MUST(cuLaunchKernel(pp_run, blocks < 4 ? (unsigned)blocks : 4, 1, 1, BLOCK, 1,
                      1, 0, stream, parameter, NULL));
}

/* Runs the code on the device, with the operands from and to host memory. */
static void run(const pp_code *code, unsigned char *const *operand,
                uint64_t lead) {
  pp_tasks tasks;
  CUdeviceptr *device = calloc(code->operands + 1, sizeof *device);
  if (device == NULL || !pp_tasks_make(code, &tasks)) give_up("no memory", 0);
  CUdeviceptr uploaded =
      to_device(tasks.task, tasks.count * sizeof *tasks.task, 0);
  for (size_t k = 0; k < code->operands; k++)
    device[k] = to_device(operand[k], code->operand_bytes[k], lead);
  for (size_t t = 0; t < tasks.count; t++)
    launch(uploaded, &tasks.task[t], t, device, lead);
  for (size_t k = 0; k < code->operands; k++)
    MUST(cuMemcpyDtoHAsync_v2(operand[k], device[k] + lead,
                              code->operand_bytes[k], stream));
  MUST(cuStreamSynchronize(stream));
  for (size_t k = 0; k < code->operands; k++)
    MUST(cuMemFree_v2(device[k]));
  MUST(cuMemFree_v2(uploaded));
  pp_tasks_free(&tasks);
  free(device);
}

static unsigned char **copy_of(const pp_code *code, unsigned char **operand) {
  unsigned char **copy = calloc(code->operands + 1, sizeof *copy);
  for (size_t k = 0; copy != NULL && k < code->operands; k++) {
    copy[k] = malloc(code->operand_bytes[k] + 1);
    if (copy[k] == NULL) give_up("no memory", 0);
    memcpy(copy[k], operand[k], code->operand_bytes[k]);
  }
  if (copy == NULL) give_up("no memory", 0);
  return copy;
}

static void free_copy(const pp_code *code, unsigned char **copy) {
  for (size_t k = 0; k < code->operands; k++)
    free(copy[k]);
  free(copy);
}

/* Both machines from the same operands; dtype: of each operand. */
static void compare(const pp_code *code, const pp_dtype *dtype,
                    unsigned char **operand, uint64_t lead, uint64_t number) {
  unsigned char **host = copy_of(code, operand);
  pp_machine_run(code, host);
  run(code, operand, lead);
  for (size_t k = 0; k < code->operands; k++) {
    const uint64_t elements = code->operand_bytes[k] / pp_dtype_bytes(dtype[k]);
    uint64_t first = 0;
    if (pp_same_values(dtype[k], host[k], operand[k], elements, &first))
      continue;
    (void)fprintf(
        stderr, "routine %" PRIu64 ", node %zu: element %" PRIu64 " differs\n",
        number, k, first);
    exit(1);
  }
  free_copy(code, host);
}

/* y = x + x */
static void twice(pp_dtype dtype) {
  enum { ELEMENTS = 100 };
  pp_flat_statement statement = {
      .dtype = dtype,
      .parallel = 1,
      .axes = 1,
      .extent = {ELEMENTS},
      .target = {.operand = 0, .dtype = dtype, .stride = {1}},
      .reads = 1,
      .read = {{.operand = 1, .dtype = dtype, .stride = {1}}},
      .steps = 3,
      .step = {{.op = PP_OP_LOAD}, {.op = PP_OP_LOAD}, {.op = PP_OP_ADD}}};
  const uint64_t bytes = ELEMENTS * pp_dtype_bytes(dtype);
  uint64_t size[2] = {bytes, bytes};
  const pp_code code = {2, size, 1, &statement};
  unsigned char values[2][ELEMENTS * 8] = {{0}};
  unsigned char *operand[2] = {values[0], values[1]};
  const pp_dtype dtypes[2] = {dtype, dtype};
  pp_random random;
  pp_random_start(&random, 1, dtype);
  for (uint64_t lead = 0; lead < 9; lead++) {
    pp_random_values(&random, dtype, true, values[1], ELEMENTS);
    compare(&code, dtypes, operand, lead, lead);
  }
}

static void random_routine(uint64_t seed, uint64_t number) {
  const pp_routine_limits limits = {.nodes = 4 + number % 9,
                                    .statements = 1 + number % 24,
                                    .extent = 1 + number % 9,
                                    .source = number % 3 == 0,
                                    .wild = number % 2 == 0};
  pp_dtype dtype[2 * PP_ROUTINE_NODES];
  pp_routine *routine = NULL;
  pp_memory memory;
  pp_random random;
  pp_failure failure = {.text = ""};
  pp_random_start(&random, seed, number);
  const pp_status drawn =
      pp_random_routine(&random, &limits, &routine, &failure);
  if (drawn != PP_OK) give_up(failure.text, (int)drawn);
  pp_code *code = pp_code_make(routine);
  if (code == NULL || pp_memory_new(routine, &memory) != PP_OK)
    give_up("no memory", 0);
  for (size_t k = 0; k < code->operands; k++) {
    dtype[k] = routine->node[k].dtype;
    pp_random_values(&random, dtype[k], limits.wild, memory.bytes[k],
                     code->operand_bytes[k] / pp_dtype_bytes(dtype[k]));
  }
  compare(code, dtype, memory.bytes, number % 8, number);
  pp_memory_free(&memory);
  pp_code_free(code);
  pp_routine_free(routine);
}

int main(int count, char **argument) {
  const uint64_t routines = count > 1 ? strtoull(argument[1], NULL, 10) : 300;
  const uint64_t seed = count > 2 ? strtoull(argument[2], NULL, 10) : 1;
  start();
  for (int dtype = 0; dtype < PP_DTYPE_COUNT; dtype++)
    twice((pp_dtype)dtype);
  for (uint64_t n = 0; n < routines; n++)
    random_routine(seed, n);
  stop();
  printf("%" PRIu64 " routines, %" PRIu64 " instructions, %" PRIu64
         " uninitialised loads\n",
         routines, fake_cuda_instructions(), fake_cuda_uninitialised());
  return 0;
}
