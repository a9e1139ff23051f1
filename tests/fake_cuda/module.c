/* poolproof: the fake driver's modules and launches.
 * SPDX-License-Identifier: MIT */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

enum { NEWEST = 84, LOG = 512, SHARED = 48 * 1024 };

/* Where an error is told: CU_JIT_ERROR_LOG_BUFFER. */
typedef struct error_log {
  char *text;
  size_t bytes;
} error_log;

static int read_options(unsigned options, const CUjit_option *option,
                        void **value, error_log *log) {
  *log = (error_log){NULL, 0};
  if (options > 0 && (option == NULL || value == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned o = 0; o < options; o++)
    if (option[o] == CU_JIT_ERROR_LOG_BUFFER)
      log->text = value[o];
    else if (option[o] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
      log->bytes = (unsigned)(uintptr_t)value[o];
    else
      return CUDA_ERROR_INVALID_VALUE;
  return 0;
}

static void tell(const error_log *log, const char *text) {
  if (log->text == NULL || log->bytes == 0) return;
  const size_t length = strlen(text);
  const size_t kept = length < log->bytes ? length : log->bytes - 1;
  memcpy(log->text, text, kept);
  log->text[kept] = 0;
}

static int load(const char *text, const error_log *log, fake_ptx **ptx) {
  char why[LOG];
  tell(log, "");
  *ptx = fake_ptx_load(text, why, sizeof why);
  if (*ptx == NULL) {
    tell(log, why);
    return why[0] == 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_PTX;
  }
  int result = 0;
  if (fake_ptx_version(*ptx) > NEWEST)
    result = CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
  else if (fake_ptx_target(*ptx) > (unsigned)fake.capability)
    result = CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (result == 0) return 0;
  fake_ptx_free(*ptx);
  *ptx = NULL;
  return result;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                            unsigned options, CUjit_option *option,
                            void **value) {
  CUcontext context = NULL;
  error_log log;
  int result = fake_begin(FAKE_cuModuleLoadDataEx, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (module == NULL || image == NULL)
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  result = read_options(options, option, value, &log);
  if (result != 0) return fake_end(result);
  CUmodule made = calloc(1, sizeof *made);
  if (made == NULL) return fake_end(CUDA_ERROR_OUT_OF_MEMORY);
  result = load(image, &log, &made->ptx);
  if (result != 0) {
    free(made);
    return fake_end(result);
  }
  made->context = context;
  made->next = context->module;
  context->module = made;
  *module = made;
  return fake_end(0);
}

static bool is_module(CUcontext context, const struct pp_cuda_module *module) {
  for (CUmodule m = context->module; m != NULL; m = m->next)
    if (m == module) return true;
  return false;
}

bool fake_is_function(CUcontext context,
                      const struct pp_cuda_function *function) {
  for (CUmodule m = context->module; m != NULL; m = m->next)
    for (CUfunction f = m->function; f != NULL; f = f->next)
      if (f == function) return true;
  return false;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                             const char *name) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuModuleGetFunction, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (function == NULL || name == NULL)
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (!is_module(context, module)) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  const int entry = fake_ptx_entry(module->ptx, name);
  if (entry < 0) return fake_end(CUDA_ERROR_NOT_FOUND);
  CUfunction made = calloc(1, sizeof *made);
  if (made == NULL) return fake_end(CUDA_ERROR_OUT_OF_MEMORY);
  made->module = module;
  made->entry = entry;
  made->next = module->function;
  module->function = made;
  *function = made;
  return fake_end(0);
}

static void free_module(CUmodule module) {
  while (module->function != NULL) {
    CUfunction function = module->function;
    module->function = function->next;
    free(function);
  }
  fake_ptx_free(module->ptx);
  free(module);
}

CUresult cuModuleUnload(CUmodule module) {
  CUcontext context = NULL;
  int result = fake_begin(FAKE_cuModuleUnload, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  if (!is_module(context, module)) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  CUmodule *link = &context->module;
  while (*link != module)
    link = &(*link)->next;
  *link = module->next;
  free_module(module);
  return fake_end(0);
}

void fake_free_modules(CUcontext context) {
  while (context->module != NULL) {
    CUmodule module = context->module;
    context->module = module->next;
    free_module(module);
  }
}

static bool shape_is_good(const fake_shape *shape, unsigned shared) {
  static const uint32_t grid[3] = {INT32_MAX, 65535, 65535};
  static const uint32_t block[3] = {1024, 1024, 64};
  uint64_t threads = 1;
  for (size_t axis = 0; axis < 3; axis++) {
    if (shape->grid[axis] == 0 || shape->grid[axis] > grid[axis] ||
        shape->block[axis] == 0 || shape->block[axis] > block[axis])
      return false;
    threads *= shape->block[axis];
  }
  return threads <= 1024 && shared <= SHARED;
}

/* Copies what the parameters are now. */
static int stage(CUfunction function, void *const *parameter, fake_work *work) {
  const fake_ptx *ptx = function->module->ptx;
  const int entry = function->entry;
  const size_t count = fake_ptx_parameters(ptx, entry);
  if (count > 0 && parameter == NULL) return CUDA_ERROR_INVALID_VALUE;
  work->staged = calloc(fake_ptx_parameters_bytes(ptx, entry) + 1, 1);
  if (work->staged == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  for (size_t p = 0; p < count; p++)
    memcpy(work->staged + fake_ptx_parameter_at(ptx, entry, p), parameter[p],
           fake_ptx_parameter_bytes(ptx, entry, p));
  return 0;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                        unsigned grid_z, unsigned block_x, unsigned block_y,
                        unsigned block_z, unsigned shared, CUstream stream,
                        void **parameter, void **extra) {
  CUcontext context = NULL;
  fake_work work = {
      .kind = FAKE_WORK_LAUNCH,
      .function = function,
      .shape = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}}};
  int result = fake_begin(FAKE_cuLaunchKernel, FAKE_CURRENT, &context);
  if (result != 0) return fake_end(result);
  CUstream own = fake_find_stream(context, stream);
  if (own == NULL || !fake_is_function(context, function))
    return fake_end(CUDA_ERROR_INVALID_HANDLE);
  if (extra != NULL || !shape_is_good(&work.shape, shared))
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  result = stage(function, parameter, &work);
  return fake_end(result != 0 ? result : fake_enqueue(own, work));
}
