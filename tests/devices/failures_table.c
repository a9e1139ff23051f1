/* poolproof: every call of a backend's table fails, through pp_fault_backend.
 * SPDX-License-Identifier: MIT */
#include "failures.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const pp_status statuses[] = {PP_NO_MEMORY, PP_BACKEND_FAILED,
                                     PP_DEVICE_LOST};
enum { STATUSES = sizeof statuses / sizeof *statuses };

/* driver may be NULL; live is what it counts when nothing is wrong. */
typedef struct pp_table {
  const pp_sweep *sweep;
  const pp_driver *driver;
  pp_backend *inner;
  pp_backend *fault;
  uint64_t tried;
  int64_t live[PP_LIVES];
} pp_table;

static void open_fault(pp_table *table, bool delay) {
  const pp_fault_options options = {.delay = delay};
  if (pp_fault_backend_new(table->inner, &options, &table->fault) != PP_OK)
    pp_die("out of memory");
}

static void check_live(const pp_table *table) {
  const pp_driver *driver = table->driver;
  int64_t live[PP_LIVES] = {0};
  if (driver == NULL) return;
  driver->live(live);
  for (size_t k = 0; k < driver->lives; k++)
    if (live[k] != table->live[k])
      pp_die("%" PRId64 " %s below instead of %" PRId64, live[k],
             driver->life[k], table->live[k]);
}

static void check(const pp_table *table, const pp_fault *fault,
                  const pp_attempt *attempt) {
  if (pp_fault_struck(table->fault) != 1) pp_die("it was never reached");
  if (attempt->status == PP_OK) {
    /* What a release does without when the device is lost. */
    bool release =
        fault->call == PP_CALL_AWAIT || fault->call == PP_CALL_FREE_POOL;
    if (attempt->wrong) pp_die("no error, and wrong values");
    if (fault->status != PP_DEVICE_LOST || !release) pp_die("no error");
    return;
  }
  if (attempt->status != fault->status)
    pp_die("%s answers %d: %s", attempt->stage, (int)attempt->status,
           attempt->why.text);
  if (attempt->why.text[0] == '\0') pp_die("%s says nothing", attempt->stage);
}

static void fail_one(pp_table *table, const pp_fault *fault, bool delay) {
  const pp_work *work = table->sweep->work;
  pp_attempt attempt;
  open_fault(table, delay);
  pp_fault_arm(table->fault, fault, 1);
  pp_work_try(work, table->fault, &attempt);
  pp_work_end(table->fault, &attempt);
  check(table, fault, &attempt);
  if (fault->status != PP_DEVICE_LOST) {
    pp_work_must(work, table->fault);
  } else if (fault->call != PP_CALL_DEVICES) {
    pp_work_try(work, table->fault, &attempt);
    pp_work_end(table->fault, &attempt);
    if (attempt.status != PP_DEVICE_LOST || attempt.why.text[0] == '\0')
      pp_die("a lost device answers %d", (int)attempt.status);
  }
  pp_close_fault(table->fault);
  pp_work_must(work, table->inner);
  check_live(table);
  if (table->inner != pp_backend_module(PP_BACKEND_CC))
    pp_work_must(work, pp_backend_module(PP_BACKEND_CC));
  table->tried++;
}

static void sweep_call(pp_table *table, pp_backend_call call, uint64_t calls) {
  const pp_sweep *sweep = table->sweep;
  uint64_t before = table->tried;
  pp_fault fault = {.call = call};
  for (uint64_t k = 0; (fault.nth = pp_point(calls, sweep->points, k)) != 0;
       k++)
    for (size_t s = 0; s < STATUSES; s++) {
      fault.status = statuses[s];
      (void)snprintf(pp_again, sizeof pp_again,
                     "%s, %s: call %" PRIu64 " of %s answers \"%s\"",
                     table->inner->name, sweep->work->name, fault.nth,
                     pp_backend_call_name(call), pp_status_text(fault.status));
      fail_one(table, &fault, (k + s) % 2 == 1);
    }
  pp_again[0] = '\0';
  printf("  %-32s %6" PRIu64 " calls, %6" PRIu64 " failures\n",
         pp_backend_call_name(call), calls, table->tried - before);
}

static void sweep_table(void *state) {
  pp_table *table = state;
  uint64_t calls[PP_CALL_COUNT];
  open_fault(table, false);
  pp_fault_arm(table->fault, NULL, 0);
  pp_work_must(table->sweep->work, table->fault);
  for (unsigned call = 0; call < PP_CALL_COUNT; call++)
    calls[call] = pp_fault_calls(table->fault, (pp_backend_call)call);
  pp_close_fault(table->fault);
  if (table->driver != NULL) table->driver->live(table->live);
  for (unsigned call = 0; call < PP_CALL_COUNT; call++)
    if (call != PP_CALL_DISCARD && calls[call] == 0)
      pp_die("%s is never called", pp_backend_call_name((pp_backend_call)call));
    else if (call != PP_CALL_DISCARD)
      sweep_call(table, (pp_backend_call)call, calls[call]);
}

uint64_t pp_sweep_table(const char *backend, const pp_driver *driver,
                        const pp_sweep *sweep) {
  pp_table table = {
      .sweep = sweep, .driver = driver, .inner = pp_backend_of(backend)};
  printf("%s, %s, calls of the table:\n", backend, sweep->work->name);
  sweep_table(&table);
  return table.tried;
}
