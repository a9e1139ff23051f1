/* poolproof: a backend that wraps another, fails calls on demand and holds
 * whoever drives it to the contract of pp_backend_table.
 *
 * It counts every call, poisons fresh and freed bytes, guards both ends of
 * every slab with canaries, delays asynchronous work if told to, and records
 * the first breach of the contract by its caller. Fault counters and reports
 * may be read by any thread. SPDX-License-Identifier: MIT */
#ifndef PP_FAULT_H
#define PP_FAULT_H

#include <poolproof/backend.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What fresh and freed bytes hold: NaN to floats, -1 to signed integers. */
enum { PP_FAULT_POISON = 0xff };

/* The nth call (from 1, counted since pp_fault_arm) of a kind fails with
 * status (not PP_OK) instead of being done. PP_DEVICE_LOST is sticky, for
 * good: work kept for the device is dropped (what a copy to or from another
 * device waits for is done first), and every later call on it but free_pool
 * and discard answers PP_DEVICE_LOST; device_to_device loses the device that
 * it copies to. Calls on a lost device are counted, but no fault strikes them
 * except in free_pool. call PP_CALL_COUNT: the nth call of any kind but
 * devices, limits and discard. PP_CALL_DISCARD cannot fail: never. Of faults
 * that name the same call the first strikes; the others never do. */
typedef struct pp_fault {
  pp_backend_call call;
  uint64_t nth;
  pp_status status;
} pp_fault;

/* delay   memset, from_host, device_to_device and launch are kept, and done at
 *         the latest moment that the contract allows: at await, at to_host,
 *         or before work of another device that must come after. The wrapped
 *         device then counts as asynchronous
 * max_pool, alignment, kernel_statements
 *         replace the wrapped device's limits; 0: leave */
typedef struct pp_fault_options {
  bool delay;
  uint64_t max_pool;
  uint64_t alignment;
  size_t kernel_statements;
} pp_fault_options;

/* A new backend around `inner`, which must outlive it and bears the same name.
 * Options may be NULL. Its calls on inner are not counted; each call on it
 * holds one lock, so that inner is never called twice at one time.
 * PP_NO_MEMORY. */
pp_status pp_fault_backend_new(pp_backend *inner,
                               const pp_fault_options *options,
                               pp_backend **backend);

/* Frees it. The runtime must have been torn down (pp_teardown). Returns the
 * number of slabs and kernels that were never given back (freed now), and one
 * more when the runtime was not torn down: 0, or a leak. NULL is nothing. */
size_t pp_fault_backend_free(pp_backend *backend);

/* Sets the faults to come (copied; at most PP_FAULTS) and starts all counters
 * at 0 again. */
enum { PP_FAULTS = 8 };
void pp_fault_arm(pp_backend *backend, const pp_fault *fault, size_t faults);

/* Calls of a kind since pp_fault_arm, failed ones included; PP_CALL_COUNT: of
 * all kinds that faults of any kind count. */
uint64_t pp_fault_calls(pp_backend *backend, pp_backend_call call);

/* All of these at one moment, by kind, the last of all kinds. */
void pp_fault_all_calls(pp_backend *backend, uint64_t calls[PP_CALL_COUNT + 1]);

/* How many armed faults have struck. */
size_t pp_fault_struck(pp_backend *backend);

/* Slabs alive, and their bytes as they were asked for. */
uint64_t pp_fault_slabs(pp_backend *backend);
uint64_t pp_fault_bytes(pp_backend *backend);

/* The first breach of the contract, one sentence, good until the backend is
 * freed; NULL: none so far. A call that breaks it does nothing and answers
 * PP_BACKEND_FAILED, whatever is armed. What is looked for: a call on an
 * ordinal that is not there; an alignment that is no power of two; a slab
 * that is unknown, freed, or of another device; a range outside its slab; a
 * free or discard under work in flight; a kernel that is unknown, discarded
 * or of another device; a launch with another number of operands; two calls
 * on one device at one time; bytes around a slab that changed (seen at its
 * free, at await, and here). */
const char *pp_fault_breach(pp_backend *backend);

#ifdef __cplusplus
}
#endif

#endif
