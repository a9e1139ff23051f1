/* poolproof: what the files of the fake driver share. Everything is under one
 * lock. SPDX-License-Identifier: MIT */
#ifndef FAKE_H
#define FAKE_H

#include "driver.h"
#include "fake_cuda.h"
#include "ptx.h"

#include <pthread.h>

#define FAKE_PROTOTYPE(name, parameters) FAKE_EXPORT CUresult name parameters;
/* clang-format off */
PP_CUDA_CALLS(FAKE_PROTOTYPE)
/* clang-format on */
#undef FAKE_PROTOTYPE

typedef enum fake_call_id {
#define FAKE_CALL_ENUM(name, parameters) FAKE_##name,
  PP_CUDA_CALLS(FAKE_CALL_ENUM)
#undef FAKE_CALL_ENUM
      FAKE_CALLS
} fake_call_id;

enum { FAKE_DEVICES = 16, FAKE_TAG = 0x7d00 };

/* An allocation. first, entries: of the device's table. */
typedef struct fake_block {
  fake_range range;
  size_t first;
  size_t entries;
} fake_block;

/* What a stream does in order. */
typedef enum fake_work_kind {
  FAKE_WORK_SET,
  FAKE_WORK_TO_DEVICE,
  FAKE_WORK_TO_HOST,
  FAKE_WORK_COPY, /* peer ones too */
  FAKE_WORK_LAUNCH,
  FAKE_WORK_WAIT
} fake_work_kind;

/* staged      owned: bytes for the device, or a launch's parameters
 * other       WAIT: the stream's number, and up to where (ticket)
 * to_context  COPY: of either end */
typedef struct fake_work {
  fake_work_kind kind;
  uint64_t to;
  uint64_t from;
  uint64_t bytes;
  unsigned char value;
  void *host;
  unsigned char *staged;
  CUcontext to_context;
  CUcontext from_context;
  bool corrupt;
  CUfunction function;
  fake_shape shape;
  uint64_t other;
  uint64_t ticket;
} fake_work;

/* number  of all streams ever, from 1
 * done    how many of its works have run: the first one left is work[first] */
struct pp_cuda_stream {
  struct pp_cuda_stream *next;
  CUcontext context;
  uint64_t number;
  bool blocking;
  uint64_t done;
  uint64_t called;
  fake_work *work;
  size_t first;
  size_t room;
};

/* stream: its number; 0: not recorded */
struct pp_cuda_event {
  struct pp_cuda_event *next;
  CUcontext context;
  uint64_t stream;
  uint64_t ticket;
};

struct pp_cuda_function {
  struct pp_cuda_function *next;
  CUmodule module;
  int entry;
};

struct pp_cuda_module {
  struct pp_cuda_module *next;
  CUcontext context;
  fake_ptx *ptx;
  CUfunction function;
};

/* A device's primary context.
 * lost     the result that it answers for good; 0: none
 * legacy   the stream that NULL means; its number is 0 before the first retain
 * peers    a bit for each device: access was enabled */
struct pp_cuda_context {
  int device;
  uint64_t retained;
  int lost;
  uint32_t peers;
  CUstream stream;
  struct pp_cuda_stream legacy;
  CUevent event;
  CUmodule module;
  fake_memory memory;
  fake_block **block; /* FAKE_ENTRIES */
  size_t next_entry;
  uint64_t used;
};

typedef enum fake_peer {
  FAKE_PEER_YES,
  FAKE_PEER_NO,
  FAKE_PEER_REFUSE,
  FAKE_PEER_CORRUPT
} fake_peer;

typedef struct fake_state {
  pthread_mutex_t lock;
  bool configured;
  bool ready; /* cuInit */
  int devices;
  uint64_t memory;
  int version;    /* of CUDA, that the driver is for: 12.4 is 12040 */
  int capability; /* 9.0 is 90 */
  int init;
  fake_peer peer;
  bool lazy;
  bool report;
  fake_tally tally;
  struct pp_cuda_context context[FAKE_DEVICES];
  uint64_t streams;
  uint64_t releases;
} fake_state;

extern fake_state fake;

/* fail.c: counts a call; the result that it shall answer instead, or 0. */
int fake_count_call(fake_call_id call);
void fake_read_faults(const char *text);
void fake_forget_faults(void);
/* Does that result make its context lost? */
bool fake_is_lasting(int result);

/* context.c: what a call needs. */
typedef enum fake_need {
  FAKE_ANYTIME,
  FAKE_INITIALISED,
  FAKE_CURRENT /* a context that is current, alive and not lost */
} fake_need;
/* Takes the lock, which fake_end gives back; answers what is to be answered
 * when it is not 0. context may be NULL. */
int fake_begin(fake_call_id call, fake_need need, CUcontext *context);
int fake_end(int result);
/* Is it one, and retained? */
bool fake_is_context(CUcontext context);
/* The device's, which cuInit has made known; NULL: no such device. */
CUcontext fake_context_of(CUdevice device);

/* config.c */
void fake_configure(void);

/* memory.c */
fake_block *fake_find(CUcontext context, uint64_t address, uint64_t bytes);
/* The bytes at an address of a block, and marks about them. */
unsigned char *fake_bytes(const fake_block *block, uint64_t address);
void fake_mark(const fake_block *block, uint64_t address, uint64_t bytes);
void fake_copy_marks(const fake_block *to, uint64_t to_address,
                     const fake_block *from, uint64_t from_address,
                     uint64_t bytes);
void fake_free_memory(CUcontext context);

/* stream.c */
/* NULL is the context's own; NULL when it has none such. */
CUstream fake_find_stream(CUcontext context,
                          const struct pp_cuda_stream *stream);
/* Takes the work over; runs it unless that is put off. */
int fake_enqueue(CUstream stream, fake_work work);
/* Runs what was called for before `ticket`. */
void fake_run_stream(CUstream stream, uint64_t ticket);
void fake_run_context(CUcontext context);
void fake_free_streams(CUcontext context);

/* work.c: 0, or the result that makes the stream's context lost. */
int fake_work_run(const fake_work *work, CUstream stream);

/* event.c */
void fake_free_events(CUcontext context);

/* module.c */
bool fake_is_function(CUcontext context,
                      const struct pp_cuda_function *function);
void fake_free_modules(CUcontext context);

#endif
