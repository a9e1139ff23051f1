/* poolproof: CUDA's devices as the backend drives them: context, stream,
 * memory, and what loses a device.
 *
 * A device's context is current only inside a call: what the calling thread
 * had before is current again afterwards. Functions answer PP_NO_MEMORY,
 * PP_BACKEND_FAILED or PP_DEVICE_LOST and leave a note, unless they say
 * otherwise. One thread at a time uses a device. SPDX-License-Identifier: MIT
 */
#ifndef PP_CUDA_DEVICE_H
#define PP_CUDA_DEVICE_H

#include "cuda/driver.h"
#include "note.h"

#include <poolproof/backend.h>

enum { PP_CUDA_ALIGNMENT = 256 }; /* bytes; that of all memory it allots */

struct pp_cuda;
struct pp_cuda_device;

/* Memory of a device. */
typedef struct pp_cuda_block {
  const struct pp_cuda_device *device;
  CUdeviceptr address;
  uint64_t bytes;
  struct pp_cuda_block *next; /* in the device's list of kept ones */
} pp_cuda_block;

/* memory         bytes
 * block_threads  threads of a block, at most
 * grid_blocks    blocks of a launch, at most
 * context..run   NULL until they are needed
 * kept           blocks that could not be freed: tried again at each call
 * epoch          raised by each of its synchronisations, from 1 on; any
 *                thread may read it
 * fetched        per device: its epoch when work here last read what it may
 *                have left undone; 0: nothing since the last synchronisation
 * lost, reason   any thread may write (once) and read them */
typedef struct pp_cuda_device {
  struct pp_cuda *cuda;
  int ordinal; /* the driver's */
  CUdevice handle;
  char name[PP_DEVICE_NAME];
  uint64_t memory;
  int major; /* compute capability */
  int minor;
  unsigned block_threads;
  unsigned grid_blocks;
  CUcontext context;
  CUstream stream;
  CUevent event;
  CUmodule module;
  CUfunction run;
  pp_cuda_block *kept;
  uint64_t epoch;
  uint64_t *fetched;
  bool lost;
  char reason[PP_NOTE];
} pp_cuda_device;

/* What discovery found; never changes, but for the devices and the routes.
 * version  of CUDA that the driver knows: 1000 * major + 10 * minor
 * seen     devices of the driver; the usable ones come first
 * route    [to * seen + from]: a pp_cuda_route, read and written atomically */
typedef struct pp_cuda {
  pp_cuda_driver driver;
  int version;
  size_t seen;
  size_t count;
  unsigned char *route;
  uint64_t *fetched;
  pp_cuda_device device[];
} pp_cuda;

/* Calls the driver; PP_OK, or its failure as a status. */
#define PP_CUDA_TRY(device, name, ...)                                         \
  pp_cuda_answer((device), #name, (device)->cuda->driver.name(__VA_ARGS__))

pp_status pp_cuda_answer(pp_cuda_device *device, const char *call,
                         CUresult result);

/* Thread-safe; the second answers PP_OK or PP_DEVICE_LOST, with a note. */
bool pp_cuda_is_lost(const pp_cuda_device *device);
pp_status pp_cuda_state(const pp_cuda_device *device);

/* The device takes no more work; the first reason is kept. Leaves no note.
 * Thread-safe. */
void pp_cuda_lose(pp_cuda_device *device, const char *reason);

/* Makes the device's context current, until pp_cuda_leave; its context, stream
 * and event are there. */
pp_status pp_cuda_enter(pp_cuda_device *device);
void pp_cuda_leave(pp_cuda_device *device);

/* Frees it. On a device that is lost, or is by this, the driver gave the
 * memory up: PP_OK. After an error the block is as before. */
pp_status pp_cuda_block_free(pp_cuda_device *device, pp_cuda_block *block);

/* Those below are called between enter and leave. */

/* Waits for all work of the device's stream. Work that failed, here or on a
 * device that was copied from, loses the device. */
pp_status pp_cuda_sync(pp_cuda_device *device);

/* The machine of kernels/ is there: device->run. */
pp_status pp_cuda_load(pp_cuda_device *device);

pp_status pp_cuda_block_new(pp_cuda_device *device, uint64_t bytes,
                            pp_cuda_block **block);

/* Frees it, later if it cannot be now. Leaves no note; may be called outside
 * too. NULL is nothing. */
void pp_cuda_block_drop(pp_cuda_device *device, pp_cuda_block *block);

#endif
