/* poolproof: copies between contexts, as the runtime makes them: the
 * parts of the check. SPDX-License-Identifier: MIT */
#ifndef PP_COPIES_H
#define PP_COPIES_H

#include "must.h"
#include "random.h"

#include <string.h>

enum { PP_ENDS = 24, PP_NODES = 32 };

/* A context with a routine's nodes, and what each should hold. */
typedef struct pp_end_of_copy {
  pp_context *root, *child;
  unsigned char *holds[PP_NODES];
} pp_end_of_copy;

/* Backends that are here, each with its devices, and the values' seed. */
enum { PP_COPIES_BACKENDS = 6 };
typedef struct pp_copies_on {
  size_t count;
  pp_backend *backend[PP_COPIES_BACKENDS];
  size_t devices[PP_COPIES_BACKENDS];
  uint64_t seed;
} pp_copies_on;

typedef struct pp_copy_ends {
  pp_routine *routine;
  size_t count;
  pp_end_of_copy end[PP_ENDS];
  unsigned char *host; /* room for the largest node, and two bytes */
  pp_random random;
} pp_copy_ends;

/* Ends on two devices of each backend that is here, `each` on a device, with
 * the routine of that text; values for all nodes. All given back. */
void pp_copy_ends_open(pp_copy_ends *ends, const pp_copies_on *on, size_t each,
                       const char *text);
void pp_copy_ends_add(pp_copy_ends *ends, pp_backend *backend, size_t device);
void pp_copy_ends_close(pp_copy_ends *ends);

/* New values for a node that may be written; sent. Constants are left. */
void pp_copy_ends_fill(pp_copy_ends *ends, size_t end, size_t node);

/* The node, or all nodes of all ends, have what they should. */
void pp_copy_ends_check(pp_copy_ends *ends, size_t end, size_t node,
                        const char *what);
void pp_copy_ends_check_all(pp_copy_ends *ends, const char *what);

/* The call answered what is wanted, or the program ends. */
void pp_must_answer(pp_status status, pp_status wanted, const pp_failure *why,
                    const char *what);

/* The parts: each answers how many cases it tried, or ends the program.
 * Refusals and routes want one backend that is here. */
uint64_t pp_copies_pairs(const pp_copies_on *on);
uint64_t pp_copies_large(const pp_copies_on *on);
uint64_t pp_copies_merges(const pp_copies_on *on);
uint64_t pp_copies_refusals(const pp_copies_on *on);
uint64_t pp_copies_routes(pp_backend *inner, size_t devices, uint64_t seed);

#endif
