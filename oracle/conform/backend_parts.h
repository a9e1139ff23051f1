/* poolproof: the parts in which a backend is held to its contract.
 * SPDX-License-Identifier: MIT */
#ifndef PP_BACKEND_PARTS_H
#define PP_BACKEND_PARTS_H

#include "apart.h"

#include <poolproof/backend.h>

/* What a part is run on.
 * devices  of the backend, at least 1
 * late     it is asynchronous: what must be refused may be found out late
 * seconds  of a part of random work
 * apart    where cases are counted */
typedef struct pp_backend_part_on {
  pp_backend *backend;
  size_t devices;
  bool late;
  uint64_t seed;
  double seconds;
  pp_apart *apart;
} pp_backend_part_on;

/* Ends the process by pp_die when it finds something; counts cases. No cases:
 * it cannot be tried here.
 * name   one or two words
 * about  what it holds the backend to
 * timed  random work that takes as long as it may */
typedef struct pp_backend_part {
  const char *name;
  const char *about;
  bool timed;
  void (*run)(const pp_backend_part_on *on);
} pp_backend_part;

enum { PP_BACKEND_PARTS = 13 };
extern const pp_backend_part pp_backend_parts[PP_BACKEND_PARTS];

/* Those of a part that are long. */
void pp_part_faults(const pp_backend_part_on *on);
void pp_part_programs(const pp_backend_part_on *on);
void pp_part_routines(const pp_backend_part_on *on);

#endif
