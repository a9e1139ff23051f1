/* poolproof: what the device tests share.
 * SPDX-License-Identifier: MIT */
#ifndef PP_DEVICE_TESTS_H
#define PP_DEVICE_TESTS_H

#include "../runtime/common.h"

/* What a device test is asked for; sets of backends are a bit for each id.
 * wanted    backends to try, those that are not here are named and left out
 * required  backends whose absence is a failure
 * devices   what a required backend has at least
 * alignment what the limits of a required backend say; 0: any
 * far       offsets above 4 GiB too: real memory is taken only where a backend
 *           fills what it allocates
 * probe     only look what is here
 * seed      of the values */
typedef struct pp_asked {
  unsigned wanted, required;
  size_t devices;
  uint64_t alignment;
  bool far, probe;
  uint64_t seed;
} pp_asked;

/* Reads [--backend NAME,...] [--require NAME,...] [--devices N]
 * [--alignment BYTES] [--no-far] [--probe]
 * [--seed S]. False: it said on stderr what is
 * wrong. */
bool pp_asked_read(int argc, char **argv, pp_asked *asked);

/* How many devices the backend has. 0: it is not wanted, or not here, which is
 * said on stdout with the reason. Ends the program when it is required and has
 * too few, or another alignment. */
size_t pp_devices_here(pp_backend_id id, const pp_asked *asked);

/* The function of that name in a driver of ours that stands in for the vendor's
 * in this process: NULL when that driver is not ours, or not loaded. */
typedef void (*pp_function)(void);
pp_function pp_driver_function(const char *library, const char *name);

#endif
