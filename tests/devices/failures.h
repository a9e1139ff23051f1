/* poolproof: what the parts of the test of failing calls share.
 * SPDX-License-Identifier: MIT */
#ifndef PP_FAILURES_H
#define PP_FAILURES_H

#include "runtime/common.h"

#include "run_truth.h"

/* A routine to be run, and what must come out of it.
 * node, only  a node that is copied to another device, and a routine of it
 *             alone */
typedef struct pp_work {
  const char *name;
  pp_routine *source;
  pp_routine *final;
  pp_routine *only;
  size_t node;
  pp_truth truth;
} pp_work;

/* From the routine's text. small: every extent above 8 becomes less. Dies when
 * it is no routine, has a merge node, or no bytes to look at. */
void pp_work_open(const char *name, const char *text, bool small,
                  pp_work *work);
void pp_work_close(pp_work *work);

/* One use of a backend from make_context to the last free.
 * status, why, stage  the first error, and what answered it
 * wrong               a value is not the interpreter's */
typedef struct pp_attempt {
  pp_context *context[4];
  size_t contexts;
  pp_status status;
  pp_failure why;
  const char *stage;
  bool wrong;
} pp_attempt;

/* Links on device 0, fills, runs, looks, copies a node to the last device and
 * looks there. */
void pp_work_try(const pp_work *work, pp_backend *backend, pp_attempt *attempt);

/* Frees its contexts, each at most twice, and tears the backend down, at most
 * twice. Dies when that fails for good or leaves pools. The first error goes
 * to the attempt when it has none yet. */
void pp_work_end(pp_backend *backend, pp_attempt *attempt);

/* Does all of it; it must succeed with the right values. */
void pp_work_must(const pp_work *work, pp_backend *backend);

/* How to reach below a backend.
 * shared    the library's file name, for messages
 * code      what calls may fail with
 * life      what is counted alive; a name that begins with "*" is of what is
 *           given back on a lost device too
 * load      takes the functions out of the file; dies when it cannot
 * fail      as pp_layer_fail
 * held      the index of the life that a refused call of the function leaves
 *           one more of; lives: none */
enum { PP_LIVES = 8 };
typedef struct pp_driver {
  const char *backend;
  size_t functions;
  const char *const *function;
  size_t codes;
  const int32_t *code;
  size_t lives;
  const char *const *life;
  void (*load)(const char *file);
  bool (*fail)(const char *name, uint64_t nth, int32_t code);
  void (*forget)(void);
  uint64_t (*calls)(const char *name);
  uint64_t (*struck)(void);
  void (*live)(int64_t live[PP_LIVES]);
  size_t (*held)(const char *name);
} pp_driver;

/* Parts of a driver. The two die when it is not there; the last is the index
 * of the name in `release`, lives when it is not in it. */
void *pp_open_library(const char *file);
void *pp_find_symbol(void *library, const char *name);
size_t pp_held_by(const char *name, const char *const *release, size_t lives);

extern const pp_driver pp_opencl_failures;
extern const pp_driver pp_cuda_failures;

enum { PP_FUNCTIONS = 64 };

/* What a child tells its parent. */
typedef struct pp_shared {
  bool here;
  double seconds;
  pp_failure why;
  uint64_t calls[PP_FUNCTIONS];
  int64_t live[PP_LIVES];
} pp_shared;

/* How a sweep goes.
 * points  of each function at most: half of them the first ones, the others
 *         spread over the rest; 0: all
 * codes   of each point: 0: all, else one, in turns
 * fresh   each in a process that did not touch the driver before */
typedef struct pp_sweep {
  const pp_work *work;
  const char *file;
  uint64_t points;
  bool all_codes;
  bool fresh;
} pp_sweep;

/* Fails every call below the backend, each in a child of its own. Returns the
 * points tried. */
uint64_t pp_sweep_driver(const pp_driver *driver, const pp_sweep *sweep);

/* Fails every call of the table, through pp_fault_backend. driver may be
 * NULL. Returns the points tried. */
uint64_t pp_sweep_table(const char *backend, const pp_driver *driver,
                        const pp_sweep *sweep);

/* Is the backend here? Asked in a child; shared->why says why not. */
bool pp_is_here(const char *backend, const pp_driver *driver,
                const pp_sweep *sweep, pp_shared *shared);

/* Runs body in a child; its death by any way is said and ends the program. */
typedef void (*pp_body)(void *state);
void pp_in_child(pp_body body, void *state, const char *what);

/* Memory that children share. */
pp_shared *pp_shared_new(void);

/* The k-th point (from 0) of `calls`, 0: there are no more. */
uint64_t pp_point(uint64_t calls, uint64_t points, uint64_t k);

#endif
