/* poolproof: random programs, with faults where they are likely to strike.
 * SPDX-License-Identifier: MIT */
#ifndef PP_PROGRAM_GENERATE_H
#define PP_PROGRAM_GENERATE_H

#include "program.h"
#include "random.h"

/* Where the generator's decisions come from: `size` bytes, one or more for
 * each decision, so that a change to few bytes changes few steps; then, and
 * for what routines hold, from random. */
typedef struct pp_choices {
  const uint8_t *bytes;
  size_t size;
  pp_random random;
} pp_choices;

/* How many devices a program may name, and how many operations it has: about
 * `steps`, or as many as there are bytes for when there are some. */
typedef struct pp_generator_limits {
  size_t devices;
  size_t steps;
} pp_generator_limits;

/* Replaces *program, a zeroed or valid one. The same choices give the same
 * program everywhere. False without memory: *program is then empty. */
bool pp_program_generate(pp_choices *choices, const pp_generator_limits *limits,
                         pp_program *program);

#endif
