/* poolproof: backends: the one list of them, and the table each implements.
 * SPDX-License-Identifier: MIT */
#ifndef PP_BACKEND_H
#define PP_BACKEND_H

#include <poolproof/failure.h>
#include <poolproof/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* BKD-1: the only list of backends: enumerator, name (also of the module and
 * of its folder), deprecated alias or NULL, what it is. Names, parsing,
 * dispatch, help texts and test markers are read off it. */
#define PP_BACKENDS(X)                                                         \
  X(CC, cc, "sync_cc", "this processor, one synchronous device")               \
  X(MULTIDEV_CC, multidev_cc, "multicore_cc",                                  \
    "this processor as several devices, a worker thread each")                 \
  X(OPENCL, opencl, NULL, "every device of every OpenCL platform")             \
  X(CUDA, cuda, NULL, "NVIDIA's GPUs, through their driver")

typedef enum pp_backend_id {
#define PP_BACKEND_ENUM(NAME, name, alias, about) PP_BACKEND_##NAME,
  PP_BACKENDS(PP_BACKEND_ENUM)
#undef PP_BACKEND_ENUM
      PP_BACKEND_COUNT
} pp_backend_id;

/* BKD-5: the calls of the table, in its order. */
#define PP_BACKEND_CALLS(X)                                                    \
  X(DEVICES, devices)                                                          \
  X(LIMITS, limits)                                                            \
  X(ALLOC_POOL, alloc_pool)                                                    \
  X(FREE_POOL, free_pool)                                                      \
  X(MEMSET, memset)                                                            \
  X(FROM_HOST, from_host)                                                      \
  X(TO_HOST, to_host)                                                          \
  X(DEVICE_TO_DEVICE, device_to_device)                                        \
  X(COMPILE, compile)                                                          \
  X(DISCARD, discard)                                                          \
  X(LAUNCH, launch)                                                            \
  X(AWAIT, await)

typedef enum pp_backend_call {
#define PP_CALL_ENUM(NAME, name) PP_CALL_##NAME,
  PP_BACKEND_CALLS(PP_CALL_ENUM)
#undef PP_CALL_ENUM
      PP_CALL_COUNT
} pp_backend_call;

enum { PP_DEVICE_NAME = 80 };

/* What a device can do. */
typedef struct pp_limits {
  char name[PP_DEVICE_NAME]; /* what it calls itself, always terminated */
  uint64_t max_pool;         /* bytes of one pool at most */
  uint64_t alignment; /* bytes: what every node's offset must be a multiple
                         of; a power of two */
  bool f64;           /* kernels may use doubles */
  bool asynchronous;  /* calls may return before their work is done */
  size_t kernel_statements; /* RTN-5: 0: it synchronises between statements;
                               otherwise what one kernel may hold */
  size_t kernel_operands;   /* nodes that a kernel may access; 0: any number */
} pp_limits;

/* A pool's buffer as its backend knows it. */
typedef struct pp_slab {
  void *handle;
} pp_slab;

/* One operand of a launch: bytes from `offset` on in a slab of the device. */
typedef struct pp_operand {
  pp_slab slab;
  uint64_t offset;
} pp_operand;

struct pp_code;
struct pp_devices;
typedef struct pp_backend pp_backend;

/* The table (BKD-5). `device` is an ordinal below what devices answered. The
 * work of one device runs in the order of its calls; a call may return before
 * its work is done (asynchronous devices) and `await` then waits for all of
 * it. Offsets and sizes are bytes and may be any, odd ones included; a range
 * that is not inside its slab is refused (PP_BACKEND_FAILED), at the call or,
 * on an asynchronous device, when the work runs.
 *
 * Any call may fail with PP_NO_MEMORY, PP_BACKEND_FAILED or PP_DEVICE_LOST;
 * it then has done nothing, except that bytes it was to write are unspecified.
 * Work that fails after its call returned makes the device LOST: every later
 * call on it but free_pool and discard answers PP_DEVICE_LOST.
 *
 * Each call may come from any thread; the caller makes sure that no two calls
 * run on one device at one time (the runtime holds a lock).
 *
 * devices     how many devices; touches the driver for the first time (BKD-2);
 *             PP_NO_DEVICE when library or hardware is missing
 * alloc_pool  a slab of `bytes` (0 too) based at a multiple of `align` (a
 *             power of two, else PP_BACKEND_FAILED; so may be one above the
 *             device's alignment); its bytes are unspecified
 * free_pool   takes the slab back; no work in flight may touch it. After an
 *             error the slab is as before and may be freed again
 * memset      sets `bytes` bytes at `offset` to `value`
 * from_host   copies from host memory, which may change or go once the call
 *             has returned
 * to_host     waits for the device's work, copies to host memory; the bytes
 *             are there when it returns
 * device_to_device
 *             copies between two slabs of any two devices of this backend,
 *             after all work called for before on both, and before all that
 *             is called for later on both; the caller holds both devices.
 *             Ranges that overlap are refused (PP_BACKEND_FAILED)
 * compile     makes a kernel of code, which stays alive until discard;
 *             PP_BACKEND_FAILED, too, when the device lacks a dtype of it
 * discard     gives the kernel back; no work in flight may use it; never
 *             fails
 * launch      runs the kernel on `operands` operands, one for each of the
 *             code's; each must have its bytes inside its slab. Operands may
 *             share bytes. The array may go once the call has returned
 * await       all work called for on the device is done; reports what failed
 */
typedef struct pp_backend_table {
  pp_status (*devices)(pp_backend *backend, size_t *count);
  pp_status (*limits)(pp_backend *backend, size_t device, pp_limits *limits);
  pp_status (*alloc_pool)(pp_backend *backend, size_t device, uint64_t bytes,
                          uint64_t align, pp_slab *slab);
  pp_status (*free_pool)(pp_backend *backend, size_t device, pp_slab slab);
  pp_status (*memset)(pp_backend *backend, size_t device, pp_slab slab,
                      uint64_t offset, uint64_t bytes, uint8_t value);
  pp_status (*from_host)(pp_backend *backend, size_t device, pp_slab slab,
                         uint64_t offset, const void *from, uint64_t bytes);
  pp_status (*to_host)(pp_backend *backend, size_t device, void *to,
                       pp_slab slab, uint64_t offset, uint64_t bytes);
  pp_status (*device_to_device)(pp_backend *backend, size_t to_device,
                                pp_slab to, uint64_t to_offset,
                                size_t from_device, pp_slab from,
                                uint64_t from_offset, uint64_t bytes);
  pp_status (*compile)(pp_backend *backend, size_t device,
                       const struct pp_code *code, void **kernel);
  void (*discard)(pp_backend *backend, size_t device, void *kernel);
  pp_status (*launch)(pp_backend *backend, size_t device, void *kernel,
                      const pp_operand *operand, size_t operands);
  pp_status (*await)(pp_backend *backend, size_t device);
} pp_backend_table;

/* Takes one line about a backend. */
typedef void (*pp_say)(void *state, const char *line);

/* A backend: a table with what it needs.
 * examine  says line by line what the backend needs, what of it is here, and
 *          how to get the rest; NULL: it needs nothing. Thread-safe
 * state    the implementation's own
 * runtime  the runtime's devices, read and written atomically; NULL until
 *          the first context */
struct pp_backend {
  const char *name;
  const pp_backend_table *call;
  void (*examine)(pp_backend *backend, pp_say say, void *state);
  void *state;
  struct pp_devices *runtime;
};

/* BKD-2: the backend of that name, always the same one. Case does not matter;
 * deprecated aliases work; NULL takes the global setting. Touches no driver.
 * PP_UNKNOWN_BACKEND: the failure lists the names. Thread-safe. */
pp_status pp_get_backend(const char *name, pp_backend **backend,
                         pp_failure *failure);

/* BKD-2: the inverse; static. */
const char *pp_backend_name(const pp_backend *backend);

/* Name, deprecated alias (NULL: it has none) and description of an entry of
 * the list; static. */
const char *pp_backend_id_name(pp_backend_id id);
const char *pp_backend_id_alias(pp_backend_id id);
const char *pp_backend_id_about(pp_backend_id id);

/* The entry's singleton: what pp_get_backend answers for its name. */
pp_backend *pp_backend_module(pp_backend_id id);

/* The global setting: what NULL means. Starts as the environment variable
 * POOLPROOF_BACKEND, or "cc" without it. PP_UNKNOWN_BACKEND leaves it as it
 * was. Thread-safe. */
pp_status pp_set_global_backend(const char *name, pp_failure *failure);

/* Each call's name, as in the table; static. */
const char *pp_backend_call_name(pp_backend_call call);

#ifdef __cplusplus
}
#endif

#endif
