#include "backend_watch.h"

#include "must.h"

static pp_backend_watch *begin(pp_backend *backend, size_t device,
                               pp_backend_call call) {
  pp_backend_watch *watch = backend->state;
  watch->apart->device = device;
  watch->apart->within = pp_backend_call_name(call);
  watch->apart->calls++;
  return watch;
}

static pp_status end(const pp_backend_watch *watch, pp_status status) {
  watch->apart->within = NULL;
  return status;
}

#define INNER(name) (watch->inner->call->name)

static pp_status devices(pp_backend *backend, size_t *count) {
  const pp_backend_watch *watch = begin(backend, 0, PP_CALL_DEVICES);
  return end(watch, INNER(devices)(watch->inner, count));
}

static pp_status limits(pp_backend *backend, size_t device, pp_limits *answer) {
  const pp_backend_watch *watch = begin(backend, device, PP_CALL_LIMITS);
  return end(watch, INNER(limits)(watch->inner, device, answer));
}

static pp_status alloc_pool(pp_backend *backend, size_t device, uint64_t bytes,
                            uint64_t align, pp_slab *slab) {
  const pp_backend_watch *watch = begin(backend, device, PP_CALL_ALLOC_POOL);
  return end(watch,
             INNER(alloc_pool)(watch->inner, device, bytes, align, slab));
}

static pp_status free_pool(pp_backend *backend, size_t device, pp_slab slab) {
  const pp_backend_watch *watch = begin(backend, device, PP_CALL_FREE_POOL);
  return end(watch, INNER(free_pool)(watch->inner, device, slab));
}

static pp_status set(pp_backend *backend, size_t device, pp_slab slab,
                     uint64_t offset, uint64_t bytes, uint8_t value) {
  const pp_backend_watch *watch = begin(backend, device, PP_CALL_MEMSET);
  return end(watch,
             INNER(memset)(watch->inner, device, slab, offset, bytes, value));
}

static pp_status from_host(pp_backend *backend, size_t device, pp_slab slab,
                           uint64_t offset, const void *from, uint64_t bytes) {
  const pp_backend_watch *watch = begin(backend, device, PP_CALL_FROM_HOST);
  return end(watch,
             INNER(from_host)(watch->inner, device, slab, offset, from, bytes));
}

static pp_status to_host(pp_backend *backend, size_t device, void *to,
                         pp_slab slab, uint64_t offset, uint64_t bytes) {
  const pp_backend_watch *watch = begin(backend, device, PP_CALL_TO_HOST);
  return end(watch,
             INNER(to_host)(watch->inner, device, to, slab, offset, bytes));
}

static pp_status device_to_device(pp_backend *backend, size_t to_device,
                                  pp_slab to, uint64_t to_offset,
                                  size_t from_device, pp_slab from,
                                  uint64_t from_offset, uint64_t bytes) {
  const pp_backend_watch *watch =
      begin(backend, to_device, PP_CALL_DEVICE_TO_DEVICE);
  return end(watch,
             INNER(device_to_device)(watch->inner, to_device, to, to_offset,
                                     from_device, from, from_offset, bytes));
}

static pp_status compile(pp_backend *backend, size_t device,
                         const struct pp_code *code, void **kernel) {
  const pp_backend_watch *watch = begin(backend, device, PP_CALL_COMPILE);
  return end(watch, INNER(compile)(watch->inner, device, code, kernel));
}

static void discard(pp_backend *backend, size_t device, void *kernel) {
  const pp_backend_watch *watch = begin(backend, device, PP_CALL_DISCARD);
  INNER(discard)(watch->inner, device, kernel);
  (void)end(watch, PP_OK);
}

static pp_status launch(pp_backend *backend, size_t device, void *kernel,
                        const pp_operand *operand, size_t operands) {
  const pp_backend_watch *watch = begin(backend, device, PP_CALL_LAUNCH);
  return end(watch,
             INNER(launch)(watch->inner, device, kernel, operand, operands));
}

static pp_status await(pp_backend *backend, size_t device) {
  const pp_backend_watch *watch = begin(backend, device, PP_CALL_AWAIT);
  return end(watch, INNER(await)(watch->inner, device));
}

static void examine(pp_backend *backend, pp_say say, void *state) {
  const pp_backend_watch *watch = backend->state;
  if (watch->inner->examine) watch->inner->examine(watch->inner, say, state);
}

void pp_backend_watch_open(pp_backend_watch *watch, pp_backend *inner,
                           pp_apart *apart) {
  static const pp_backend_table table = {
      .devices = devices,
      .limits = limits,
      .alloc_pool = alloc_pool,
      .free_pool = free_pool,
      .memset = set,
      .from_host = from_host,
      .to_host = to_host,
      .device_to_device = device_to_device,
      .compile = compile,
      .discard = discard,
      .launch = launch,
      .await = await,
  };
  *watch = (pp_backend_watch){.backend = {.name = inner->name,
                                          .call = &table,
                                          .examine = examine,
                                          .state = watch},
                              .inner = inner,
                              .apart = apart};
  const pp_backend_table *its = inner->call;
  if (!inner->name || !its)
    pp_die("open hands out a backend without %s", its ? "name" : "table");
#define PP_NEED(NAME, name)                                                    \
  if (!its->name) pp_die("its table has no " #name);
  PP_BACKEND_CALLS(PP_NEED)
#undef PP_NEED
}
