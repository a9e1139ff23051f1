/* poolproof: which backends are here.  SPDX-License-Identifier: MIT */
#ifndef PP_HERE_H
#define PP_HERE_H

#include "diag.h"

#include <poolproof/runtime.h>

/* A set of backends is a bit each, by pp_backend_id. */
enum { PP_EVERY_BACKEND = (1 << PP_BACKEND_COUNT) - 1 };

/* What a command was told to run on.
 * backends  0: nothing was said
 * named     one by one, so that each of them must be here */
typedef struct pp_backend_choice {
  unsigned backends;
  bool named;
} pp_backend_choice;

/* What became of a choice.
 * devices  of those that are here, by pp_backend_id */
typedef struct pp_backends_here {
  unsigned here, missing;
  size_t devices[PP_BACKEND_COUNT];
} pp_backends_here;

/* The backend's bit. It must be one of the list. */
unsigned pp_backend_bit(const pp_backend *backend);

/* Has it a device to use? Makes a context on the first one and gives it back,
 * so the failure is the runtime's. PP_NO_DEVICE: not available here; else the
 * status of what failed. The runtime's devices are left as they were. */
pp_status pp_backend_look(pp_backend *backend, size_t *devices,
                          pp_failure *failure);

/* pp_context_free and pp_teardown, tried once more after an error, so that what
 * failed once leaves nothing; they answer the first error. */
pp_status pp_backend_drop(pp_context *context, pp_failure *failure);
pp_status pp_backend_end(pp_backend *backend, pp_failure *failure);

/* Looks at all of the choice. Returns 0, or diag's code: PP_EXIT_INPUT when
 * one that was named is not here, PP_EXIT_RESOURCE when one that is here
 * fails. */
int pp_backends_look(const pp_backend_choice *choice, pp_backends_here *found,
                     pp_diag *diag);

/* Does a driver stand behind it? Such a one may be slow, have memory of its own
 * that grows, and refuse what host memory gives. */
bool pp_backend_driven(const pp_backend *backend);

/* Can a device compute all nodes? Not without doubles when one is f64. */
bool pp_device_computes(const pp_limits *limits, const pp_node *node,
                        size_t nodes);

/* Of the backends that are here, takes those whose first device cannot compute
 * the routine to the missing ones. Returns 0, or diag's code: PP_EXIT_INPUT
 * when one of them was named, or none is left. */
int pp_backends_compute(const pp_backend_choice *choice,
                        const pp_routine *routine, pp_backends_here *found,
                        pp_diag *diag);

/* The alignment, or less where a device that a driver drives would refuse it:
 * more than its own is more than it must give. Host memory aligns to any. */
uint64_t pp_backend_align(const pp_backend *backend, const pp_limits *limits,
                          uint64_t wanted);

/* "cc, multidev_cc", with that separator; of none "". Returns text. */
#define PP_BACKEND_NAME_ROOM(NAME, name, alias, about) ", " #name
enum { PP_BACKEND_NAMES = sizeof PP_BACKENDS(PP_BACKEND_NAME_ROOM) };
#undef PP_BACKEND_NAME_ROOM
const char *pp_backend_names(unsigned backends, const char *separator,
                             char text[PP_BACKEND_NAMES]);

#endif
