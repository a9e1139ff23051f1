/* poolproof: the threads test: what its threads share and do.
 * SPDX-License-Identifier: MIT */
#ifndef PP_THREADS_H
#define PP_THREADS_H

#include "common.h"
#include "random.h"

#include <pthread.h>

enum { LIVE = 4, N = 16, DEVICES = 8, OPERATIONS = 12, UID_X = 10, UID_Y = 13 };

#define MODES(X)                                                               \
  X(PLAIN, "plain", "the backend as it is")                                    \
  X(WRAPPED, "wrapped", "in a fault backend, which watches")                   \
  X(DELAYED, "delayed", "with its delay on")                                   \
  X(FAULTS, "faults", "random calls fail")                                     \
  X(DELAYED_FAULTS, "delayed-faults", "both")                                  \
  X(LOST, "lost", "a device is lost half-way")

typedef enum pp_mode {
#define MODE(NAME, name, about) NAME,
  MODES(MODE)
#undef MODE
} pp_mode;

#define COUNTS(X)                                                              \
  X(links)                                                                     \
  X(runs)                                                                      \
  X(uploads)                                                                   \
  X(downloads)                                                                 \
  X(copies) X(merges) X(releases) X(frees) X(refusals) X(failures) X(values)

typedef struct pp_counts {
#define COUNT(name) uint64_t name;
  COUNTS(COUNT)
#undef COUNT
} pp_counts;

typedef struct pp_settings {
  uint64_t seed, rounds, threads;
  const char *backend, *mode; /* NULL: all */
} pp_settings;

/* What all threads share. */
typedef struct pp_board {
  const pp_settings *settings;
  pp_mode mode;
  pp_backend *backend;
  size_t devices;
  pp_routine *step, *next, *merge;
  pp_context *root[DEVICES], *base[DEVICES];
  pp_census baseline[DEVICES];
  pp_context *together; /* released by all */
  pthread_barrier_t barrier;
} pp_board;

/* A context of one thread, and what it knows of its nodes. */
typedef struct pp_live {
  pp_context *context;
  float x[N], y[N];
  bool knows_x, knows_y, released;
} pp_live;

typedef struct pp_part {
  pp_board *board;
  uint64_t number;
  pp_random random;
  pp_live live[LIVE];
  pp_counts counts;
} pp_part;

/* One operation of a thread, by chance. */
void pp_operate(pp_part *part);

/* REL-5: all threads release one context, and some still use it. */
void pp_release_together(pp_part *part, uint64_t round);

/* Frees what the thread still holds. */
void pp_free_all(pp_part *part);

#endif
