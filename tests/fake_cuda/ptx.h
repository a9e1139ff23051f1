/* poolproof: an interpreter of PTX for the fake driver. Reads what a compiler
 * makes of integer code and correctly rounded float code, and refuses all else
 * as it loads it. SPDX-License-Identifier: MIT */
#ifndef FAKE_PTX_H
#define FAKE_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A live range of device memory.
 * base     its device address
 * size     bytes; 0: there is none
 * written  a bit for each byte: was it ever written? */
typedef struct fake_range {
  uint64_t base;
  uint64_t size;
  unsigned char *bytes;
  unsigned char *written;
} fake_range;

/* Bits 63..48 of a device address are the device's tag, bits 47..32 say which
 * entry of the device's table covers it. A range above 4 GiB has several. */
enum { FAKE_ENTRIES = 1 << 16 };

typedef struct fake_memory {
  uint64_t tag;
  fake_range *range;
} fake_memory;

/* A launch's shape: x, y, z. */
typedef struct fake_shape {
  uint32_t grid[3];
  uint32_t block[3];
} fake_shape;

/* What running did, added up, and what it may do.
 * uninitialised  loads of bytes that nobody wrote
 * strict         such a load is an illegal address
 * limit          instructions of one thread at most */
typedef struct fake_tally {
  uint64_t instructions;
  uint64_t uninitialised;
  bool strict;
  uint64_t limit;
} fake_tally;

typedef struct fake_ptx fake_ptx;

/* Loads a text. NULL: `log`, of `bytes` (more than 0), says the line and what
 * is wrong with it; it is empty when memory is missing. */
fake_ptx *fake_ptx_load(const char *text, char *log, size_t bytes);
void fake_ptx_free(fake_ptx *ptx);

/* What the text asks for: 6.0 is 60, as in .version and .target. */
unsigned fake_ptx_version(const fake_ptx *ptx);
unsigned fake_ptx_target(const fake_ptx *ptx);

/* The entry of that name, or -1. */
int fake_ptx_entry(const fake_ptx *ptx, const char *name);

/* How many parameters it has, and where each one's bytes are among those of
 * all of them. */
size_t fake_ptx_parameters(const fake_ptx *ptx, int entry);
size_t fake_ptx_parameter_at(const fake_ptx *ptx, int entry, size_t parameter);
size_t fake_ptx_parameter_bytes(const fake_ptx *ptx, int entry,
                                size_t parameter);
/* Bytes of all of them. */
size_t fake_ptx_parameters_bytes(const fake_ptx *ptx, int entry);

/* Runs an entry's threads one after the other. Answers 0, or the result code
 * of the first thing that went wrong; memory is then as it was left. Not two
 * at a time of one program. */
int fake_ptx_run(fake_ptx *ptx, int entry, const unsigned char *parameters,
                 const fake_shape *shape, const fake_memory *memory,
                 fake_tally *tally);

#endif
