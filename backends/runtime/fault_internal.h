/* poolproof: what the fault backend's files share among themselves.
 * SPDX-License-Identifier: MIT */
#ifndef PP_FAULT_INTERNAL_H
#define PP_FAULT_INTERNAL_H

#include <poolproof/fault.h>

#include <pthread.h>

enum {
  PP_GUARD = 64, /* canary bytes at each end of a slab */
  PP_CANARY = 0xc9,
  PP_KEPT = 1024 /* works remembered; all are done before one more is */
};

/* A slab or a kernel handed out. Its handle is its id, which is never used
 * twice, so that a stale handle is told from a live one without following it.
 * front  bytes in the inner slab before the caller's */
typedef struct pp_fault_held {
  uint64_t id;
  bool is_kernel;
  size_t device;
  pp_slab slab;
  uint64_t bytes, front;
  void *kernel;
  size_t operands;
  uint64_t *operand_bytes;
} pp_fault_held;

/* A call whose work may be done later.
 * other    the second device of device_to_device, otherwise `device` again
 * operand  what the inner backend takes, `operands` of them, followed by the
 *          handles that the caller gave */
typedef struct pp_fault_work {
  pp_backend_call call;
  size_t device, other;
  void *kernel, *inner_kernel;
  uint64_t bytes;
  uint8_t value;
  const void *from;
  void *staged;
  bool due;
  size_t operands;
  pp_operand operand[];
} pp_fault_work;

/* wanted  what is looked for depends on it (see pp_fault_settle) */
typedef struct pp_fault_device {
  pp_limits limits;
  bool lost, wanted;
  unsigned busy;
} pp_fault_device;

/* gate guards `device[].busy` and is held for a moment; lock guards the rest
 * and is held for a whole call, so that calls on two devices do not meet in
 * the inner backend. */
typedef struct pp_fault_state {
  pp_backend backend;
  pp_backend *inner;
  pp_fault_options options;
  pthread_mutex_t gate, lock;
  size_t devices;
  pp_fault_device *device;
  pp_fault_held *held;
  size_t used, room;
  uint64_t next_id;
  pp_fault_work *kept[PP_KEPT];
  size_t works;
  pp_fault fault[PP_FAULTS];
  bool struck[PP_FAULTS];
  size_t faults;
  uint64_t calls[PP_CALL_COUNT + 1];
  bool breached;
  char breach[PP_FAILURE_TEXT];
} pp_fault_state;

/* Records the first breach; answers PP_BACKEND_FAILED. PP_CALL_COUNT: it was
 * not seen by a call. */
pp_status pp_fault_breached(pp_fault_state *fault, pp_backend_call call,
                            const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Passes on what the inner backend answered for the device. */
pp_status pp_fault_answer(pp_fault_state *fault, size_t device,
                          pp_status status);

/* The slab or kernel of that handle on that device; NULL: a breach. */
pp_fault_held *pp_fault_find(pp_fault_state *fault, pp_backend_call call,
                             size_t device, bool is_kernel, const void *handle);

/* The slab, when [offset, offset + bytes) is inside it; NULL: a breach. */
pp_fault_held *pp_fault_range(pp_fault_state *fault, pp_backend_call call,
                              size_t device, const pp_operand *at,
                              uint64_t bytes);

pp_status pp_fault_alloc(pp_fault_state *fault, size_t device, uint64_t bytes,
                         uint64_t align, pp_slab *slab);
pp_status pp_fault_free_slab(pp_fault_state *fault, pp_fault_held *held);
pp_status pp_fault_compile(pp_fault_state *fault, size_t device,
                           const struct pp_code *code, void **kernel);
void pp_fault_discard(pp_fault_state *fault, pp_fault_held *held);

/* Gives back all; answers how many there were. */
size_t pp_fault_free_all(pp_fault_state *fault);

/* Are the canaries of the device's slabs as they were? SIZE_MAX: of all. */
bool pp_fault_intact(pp_fault_state *fault, pp_backend_call call,
                     size_t device);

/* A work with room for operands, or NULL without memory. */
pp_fault_work *pp_fault_work_new(size_t operands, uint64_t bytes);
void pp_fault_work_free(pp_fault_work *work);

/* Sets where the work's bytes come from, or a copy of them. */
bool pp_fault_work_stage(pp_fault_work *work, const void *from, bool copy);

/* Does the work, or keeps it; takes it in any case. */
pp_status pp_fault_submit(pp_fault_state *fault, pp_fault_work *work);

/* Does all work called for on the device, and what that comes after. */
void pp_fault_settle(pp_fault_state *fault, size_t device);

/* Forgets all work. */
void pp_fault_drop_all(pp_fault_state *fault);

/* Loses the device; what other devices' work waits for is done first. */
void pp_fault_lose(pp_fault_state *fault, size_t device);

/* Is work in flight that uses the slab or kernel? */
bool pp_fault_in_flight(const pp_fault_state *fault, const void *handle);

#endif
