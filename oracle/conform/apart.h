/* poolproof: work in a process of its own, watched from outside: a crash, an
 * end and a hang are told apart. SPDX-License-Identifier: MIT */
#ifndef PP_APART_H
#define PP_APART_H

#include "diag.h"

#include <stdatomic.h>
#include <stddef.h>

enum { PP_APART_TEXT = 1200 };

/* What both processes see.
 * calls     how many calls of foreign code began
 * within    the call that is under way, and on which device; NULL: none. A
 *           string of the program's own, so that both have it at one place
 * device    of that call
 * cases     what the work counts
 * finished  the work came to its end
 * sentence  what the work found; empty: nothing
 * diag      why the work could not be done
 * extra     the work's own */
typedef struct pp_apart {
  atomic_ullong calls;
  const char *_Atomic within;
  atomic_size_t device;
  atomic_ullong cases;
  atomic_bool finished;
  char sentence[PP_APART_TEXT];
  pp_diag diag;
  union {
    unsigned kinds;
    struct {
      size_t devices;
      char name[128], version[128], device[128];
      uint64_t alignment;
      bool asynchronous;
    } about;
  } extra;
} pp_apart;

/* Memory that is shared with later children; NULL: none. */
pp_apart *pp_apart_new(void);
void pp_apart_free(pp_apart *apart);

/* Runs the work in a child, after clearing *apart but for extra. What the child
 * writes on standard output goes to standard error; pp_die's sentence becomes
 * apart's. A crash, a call that takes longer than `call` seconds, work that
 * takes longer than `all` and an end too soon become sentences. Returns 0, or
 * diag's, also that of the work. */
typedef struct pp_apart_limits {
  double call;
  double all;
} pp_apart_limits;
typedef void pp_apart_work(pp_apart *apart, void *state);
int pp_apart_run(pp_apart *apart, pp_apart_work *work, void *state,
                 const pp_apart_limits *limits, pp_diag *diag);

#endif
