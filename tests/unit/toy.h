/* poolproof: what the tests of the fault backend start from.
 * SPDX-License-Identifier: MIT */
#ifndef PP_TOY_H
#define PP_TOY_H

#include "kernels/code.h"
#include <poolproof/fault.h>

#include <criterion/criterion.h>

/* The backend inside: two devices in host memory, done at once whatever it
 * says of itself, with an eye on every slab. launch adds 1 to the first byte
 * of each operand, or writes where `wild` says. */
enum { TOYS = 32, BYTES = 100 };

extern struct pp_toy {
  struct {
    uint8_t *base;
    uint64_t bytes;
  } slab[TOYS];
  size_t slabs, kernels;
  bool asynchronous;
  pp_status answer[2]; /* what memset and copies answer on each device */
  bool wild;
  int64_t wild_at;   /* from the first operand */
  uint64_t offset;   /* the first operand's, of the last launch */
  uint64_t poisoned; /* bytes of the slab freed last */
  void (*during_memset)(void);
} pp_toy;

extern pp_backend pp_toy_backend;
extern const pp_code pp_toy_code;

/* One slab a device and a kernel of two operands on device 0. */
extern struct pp_bed {
  pp_backend *b;
  pp_slab slab[2];
  void *kernel;
} pp_bed;

void pp_open_bed(bool delay, bool asynchronous);
void pp_close_bed(const char *name);

/* The kernel on two parts of device 0's slab; all of one slab to the other. */
pp_status pp_launch(void);
pp_status pp_copy_all(size_t to, size_t from);

/* A byte that device d's slab has in truth, whatever work is kept. */
uint8_t pp_peek(size_t d);

#endif
