/* poolproof: the offset matrix of one backend: slabs, each with what it should
 * hold, and the parts. SPDX-License-Identifier: MIT */
#ifndef PP_MATRIX_H
#define PP_MATRIX_H

#include "must.h"
#include "random.h"

enum { PP_BED_SLABS = 9, PP_PLACES = 9 };

/* BKD-5: which calls an asynchronous device may answer PP_OK although they must
 * be refused, and then lose itself. */
typedef enum pp_late { PP_LATE_NEVER, PP_LATE_LAUNCHES, PP_LATE_ALL } pp_late;

/* What the matrix is run on.
 * devices   of the backend, at least 1
 * commands  how many commands its driver was given so far; NULL: not known
 * lose      makes device 0's next work fail after its call returned; false:
 *           there is no way. NULL: the same */
typedef struct pp_matrix_on {
  pp_backend *backend;
  size_t devices;
  uint64_t seed;
  pp_late late;
  uint64_t (*commands)(void);
  bool (*lose)(void);
} pp_matrix_on;

/* holds  what every byte of the slab should be */
typedef struct pp_bed_slab {
  size_t device;
  pp_slab slab;
  uint64_t size;
  unsigned char *holds;
} pp_bed_slab;

/* All slabs of a bed are compared whole, so each is the others' canary. */
typedef struct pp_bed {
  pp_backend *backend;
  const pp_backend_table *call;
  size_t devices;
  pp_limits limits; /* of device 0 */
  size_t slabs;
  pp_bed_slab slab[PP_BED_SLABS];
  unsigned char *host; /* as large as the largest slab, and two bytes */
  pp_random random;
} pp_bed;

/* A bed without slabs; then its slabs; all given back. */
void pp_bed_open(pp_bed *bed, const pp_matrix_on *on);
void pp_bed_add(pp_bed *bed, size_t device, uint64_t size);
void pp_bed_close(pp_bed *bed);

/* Ends the program unless the call answered PP_OK. */
void pp_bed_good(const pp_bed *bed, pp_status status, const char *call);

/* New bytes for a slab; those that holds has, sent to the device. The host's
 * copy changes as soon as the call allows. */
void pp_bed_draw(pp_bed *bed, size_t k);
void pp_bed_send(pp_bed *bed, size_t k);

/* Compares every byte of every slab; `what` is for people. */
void pp_bed_check(pp_bed *bed, const char *what);

/* Bit patterns of a dtype, special ones among them, NaNs too. */
void pp_bed_pattern(pp_bed *bed, pp_dtype dtype, unsigned char *to,
                    uint64_t elements);

/* The offsets that are tried for `bytes` bytes of a slab of that size: 0, the
 * alignment, odd multiples of it, the last that fits, odd ones. */
uint64_t pp_place(const pp_bed *bed, unsigned place, uint64_t size,
                  uint64_t bytes);

/* The parts: each answers how many cases it tried, or ends the program. */
uint64_t pp_matrix_host(const pp_matrix_on *on);
uint64_t pp_matrix_copies(const pp_matrix_on *on);
uint64_t pp_matrix_large(const pp_matrix_on *on);
uint64_t pp_matrix_launches(const pp_matrix_on *on);
uint64_t pp_matrix_refusals(const pp_matrix_on *on);
uint64_t pp_matrix_order(const pp_matrix_on *on);
uint64_t pp_matrix_far(const pp_matrix_on *on);

/* Loses device 0 for good. 0: there is no way to lose one here. */
uint64_t pp_matrix_loss(const pp_matrix_on *on);

#endif
