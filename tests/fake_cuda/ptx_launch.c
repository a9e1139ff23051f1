/* poolproof: PTX run: a launch, and what entries want of one.
 * SPDX-License-Identifier: MIT */
#include "ptx_internal.h"

#include <string.h>

unsigned fake_ptx_version(const fake_ptx *ptx) {
  return ptx->version;
}

unsigned fake_ptx_target(const fake_ptx *ptx) {
  return ptx->target;
}

int fake_ptx_entry(const fake_ptx *ptx, const char *name) {
  const fake_function *function = (const fake_function *)ptx->function.item;
  for (size_t f = 0; f < ptx->function.count; f++)
    if (function[f].entry && function[f].defined &&
        strcmp(function[f].name, name) == 0)
      return (int)f;
  return -1;
}

static const fake_function *entry_of(const fake_ptx *ptx, int entry) {
  return (const fake_function *)ptx->function.item + entry;
}

static const fake_place *places(const fake_ptx *ptx, int entry) {
  return (const fake_place *)ptx->place.item + entry_of(ptx, entry)->first;
}

size_t fake_ptx_parameters(const fake_ptx *ptx, int entry) {
  return entry_of(ptx, entry)->parameters;
}

size_t fake_ptx_parameter_bytes(const fake_ptx *ptx, int entry,
                                size_t parameter) {
  return places(ptx, entry)[parameter].bytes;
}

size_t fake_ptx_parameter_at(const fake_ptx *ptx, int entry, size_t parameter) {
  size_t at = 0;
  for (size_t p = 0; p < parameter; p++)
    at += fake_ptx_parameter_bytes(ptx, entry, p);
  return at;
}

size_t fake_ptx_parameters_bytes(const fake_ptx *ptx, int entry) {
  return fake_ptx_parameter_at(ptx, entry, fake_ptx_parameters(ptx, entry));
}

/* Of an entry they are written before it starts. */
static void set_parameters(const fake_ptx *ptx, int entry,
                           const unsigned char *parameters) {
  const fake_place *place = places(ptx, entry);
  for (size_t p = 0; p < fake_ptx_parameters(ptx, entry); p++) {
    memcpy(ptx->bytes + place[p].at,
           parameters + fake_ptx_parameter_at(ptx, entry, p), place[p].bytes);
    memset(ptx->state + place[p].at, FAKE_PARAM | FAKE_WRITTEN, place[p].bytes);
  }
}

typedef struct position {
  uint32_t block[3];
  uint32_t thread[3];
} position;

static void set_special(const fake_ptx *ptx, const fake_shape *shape,
                        const position *at) {
  uint64_t *slot = (uint64_t *)ptx->slot.item;
  for (size_t axis = 0; axis < 3; axis++) {
    slot[ptx->special[0][axis]] = at->thread[axis];
    slot[ptx->special[1][axis]] = shape->block[axis];
    slot[ptx->special[2][axis]] = at->block[axis];
    slot[ptx->special[3][axis]] = shape->grid[axis];
  }
}

/* The next one, x first; false after the last. */
static bool step(uint32_t *at, const uint32_t *extent) {
  for (size_t axis = 0; axis < 3; axis++) {
    if (++at[axis] < extent[axis]) return true;
    at[axis] = 0;
  }
  return false;
}

int fake_ptx_run(fake_ptx *ptx, int entry, const unsigned char *parameters,
                 const fake_shape *shape, const fake_memory *memory,
                 fake_tally *tally) {
  position at = {{0}, {0}};
  fake_thread thread = {.ptx = ptx,
                        .memory = memory,
                        .tally = tally,
                        .start = entry_of(ptx, entry)->start};
  do {
    memcpy(ptx->state, ptx->shadow.item, ptx->shadow.count);
    set_parameters(ptx, entry, parameters);
    set_special(ptx, shape, &at);
    fake_run_thread(&thread);
  } while (thread.result == 0 &&
           (step(at.thread, shape->block) || step(at.block, shape->grid)));
  return thread.result;
}
