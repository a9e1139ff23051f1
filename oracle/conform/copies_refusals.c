/* poolproof: copies between contexts: what is refused (CTX-4), routes (BKD-4)
 * and failures. SPDX-License-Identifier: MIT */
#include "copies.h"

#include <stdio.h>

/* a and c share bytes: one's life ends before the other's begins. */
static const char sharing[] = "routine sharing\n"
                              "node 1 x f32 [50] host\n"
                              "node 2 a f32 [50] span 0 1\n"
                              "node 3 b f32 [50] span 1 2\n"
                              "node 4 c f32 [50] span 2 3\n"
                              "node 5 y f32 [50] observable\n"
                              "node 6 k f32 [3] constant data 1 2 3\n"
                              "for i<50: a[i] = x[i] + 1\n"
                              "for i<50: b[i] = a[i] + 1\n"
                              "for i<50: c[i] = b[i] + 1\n"
                              "for i<50: y[i] = c[i] + 1\n"
                              "end\n";

/* The same uids: 1 is longer, 5 is of another dtype and as many bytes. */
static const char other[] = "routine other\n"
                            "node 1 x f32 [51] host\n"
                            "node 5 y i32 [50] observable\n"
                            "node 9 z f32 [2] host\n"
                            "end\n";

static void refuse(pp_context *to, pp_context *from, uint64_t uid,
                   pp_status wanted, const char *what) {
  pp_failure why = {.status = PP_OK};
  pp_must_answer(pp_copy(to, from, uid, &why), wanted, &why, what);
  if (why.status != wanted || why.text[0] == '\0')
    pp_die("%s: the failure says nothing", what);
}

static uint64_t refuse_pair(const pp_copy_ends *ends, size_t to, size_t from) {
  pp_context *a = ends->end[to].child;
  pp_context *b = ends->end[from].child;
  pp_failure why;
  unsigned shared = 0;
  for (uint64_t uid = 2; uid <= 4; uid++) {
    if (!pp_context_shared(a, uid)) continue;
    shared++;
    refuse(a, b, uid, PP_ALIASED, "copy of an aliased node");
    pp_must_answer(pp_merge(a, b, uid, &why), PP_ALIASED, &why,
                   "merge of an aliased node");
  }
  if (shared < 2) pp_die("no nodes share bytes, so nothing was shown");
  refuse(a, b, 6, PP_READ_ONLY, "copy to a constant");
  refuse(a, b, 99, PP_NO_SUCH_NODE, "copy of no node");
  return 2U * shared + 2;
}

static uint64_t refuse_sizes(pp_copy_ends *ends, size_t to, pp_context *odd) {
  pp_context *a = ends->end[to].child;
  pp_failure why;
  unsigned char host[208] = {0};
  refuse(a, odd, 1, PP_BAD_SIZE, "copy of a longer node");
  refuse(odd, a, 1, PP_BAD_SIZE, "copy of a shorter node");
  refuse(a, odd, 5, PP_BAD_SIZE, "copy of another dtype");
  refuse(a, odd, 9, PP_NO_SUCH_NODE, "copy to no node");
  refuse(odd, a, 6, PP_NO_SUCH_NODE, "copy to no constant");
  for (uint64_t bytes = 199; bytes < 202; bytes += 2) {
    pp_must_answer(pp_upload(a, 1, host, bytes, &why), PP_BAD_SIZE, &why,
                   "upload");
    pp_must_answer(pp_download(a, 1, host, bytes, &why), PP_BAD_SIZE, &why,
                   "download");
  }
  return 9;
}

/* A child holds its parent's nodes where they are: nothing is copied. */
static void inherit(pp_copy_ends *ends, size_t e) {
  pp_routine *routine = pp_routine_of("routine more\nnode 1 x f32 [50] host\n"
                                      "node 70 m f32 [1] host\nend\n");
  pp_context *child = pp_child_of(ends->end[e].child, routine);
  pp_failure why;
  pp_must_answer(pp_copy(child, ends->end[e].child, 1, &why), PP_OK, &why,
                 "copy to an heir");
  pp_must_answer(pp_copy(ends->end[e].child, child, 1, &why), PP_OK, &why,
                 "copy from an heir");
  pp_copy_ends_check(ends, e, 0, "copy to an heir");
  pp_must_answer(pp_release(child, &why), PP_OK, &why, "release");
  refuse(child, child, 70, PP_POOL_GONE, "copy of a freed node");
  pp_drop(child);
  pp_routine_free(routine);
}

uint64_t pp_copies_refusals(const pp_copies_on *on) {
  pp_copy_ends ends;
  uint64_t cases = 0;
  pp_copy_ends_open(&ends, on, 1, sharing);
  pp_routine *routine = pp_routine_of(other);
  for (size_t from = 0; from < ends.count; from++) {
    pp_context *odd = pp_child_of(ends.end[from].root, routine);
    for (size_t to = 0; to < ends.count; to++) {
      cases += refuse_pair(&ends, to, from);
      cases += refuse_sizes(&ends, to, odd);
    }
    inherit(&ends, from);
    cases += 3;
    pp_drop(odd);
  }
  pp_copy_ends_check_all(&ends, "refused copies");
  pp_copy_ends_close(&ends);
  pp_routine_free(routine);
  return cases;
}

/* Ends 0 and 1: the fault backend's device 0, 2: its last device, 3: cc. */
enum { FAULTY = 3, NODES = 3 };
static const char plain[] = "routine plain\nnode 1 a u8 [5] host\n"
                            "node 2 b f64 [40] host\n"
                            "node 3 c i32 [0] host\nend\n";

/* How the copy of node n must go, in calls of the fault backend. */
static void count(pp_copy_ends *ends, pp_backend *backend, size_t to,
                  size_t from, size_t n) {
  const pp_node *node = &ends->routine->node[n];
  uint64_t calls[3] = {0};
  pp_failure why;
  bool none = to == from || pp_node_bytes(node) == 0;
  if (!none && to < FAULTY && from < FAULTY) calls[0] = 1;
  if (!none && to == FAULTY) calls[1] = 1;
  if (!none && from == FAULTY) calls[2] = 1;
  pp_copy_ends_fill(ends, from, n);
  pp_fault_arm(backend, NULL, 0);
  pp_must_answer(
      pp_copy(ends->end[to].child, ends->end[from].child, node->uid, &why),
      PP_OK, &why, "copy");
  memcpy(ends->end[to].holds[n], ends->end[from].holds[n],
         (size_t)pp_node_bytes(node));
  if (pp_fault_calls(backend, PP_CALL_DEVICE_TO_DEVICE) != calls[0] ||
      pp_fault_calls(backend, PP_CALL_TO_HOST) != calls[1] ||
      pp_fault_calls(backend, PP_CALL_FROM_HOST) != calls[2] ||
      pp_fault_calls(backend, PP_CALL_COUNT) != calls[0] + calls[1] + calls[2])
    pp_die("%s: a copy from end %zu to %zu goes another way", backend->name,
           from, to);
  pp_copy_ends_check(ends, to, n, "counted copy");
}

/* The one call of the copy fails: an error, and only the target's bytes are
 * unknown. Then it is done again. */
static void fail(pp_copy_ends *ends, pp_backend *backend, size_t to,
                 size_t from) {
  const pp_fault fault = {PP_CALL_COUNT, 1, PP_BACKEND_FAILED};
  pp_context *a = ends->end[to].child;
  pp_context *b = ends->end[from].child;
  pp_failure why;
  pp_copy_ends_fill(ends, from, 1);
  pp_fault_arm(backend, &fault, 1);
  pp_must_answer(pp_copy(a, b, 2, &why), PP_BACKEND_FAILED, &why,
                 "failing copy");
  pp_fault_arm(backend, NULL, 0);
  for (size_t e = 0; e < ends->count; e++)
    for (size_t n = 0; n < NODES; n++)
      if (e != to || n != 1) pp_copy_ends_check(ends, e, n, "a failed copy");
  pp_must_answer(pp_copy(a, b, 2, &why), PP_OK, &why,
                 "copy after a failed one");
  memcpy(ends->end[to].holds[1], ends->end[from].holds[1],
         (size_t)pp_node_bytes(&ends->routine->node[1]));
  pp_copy_ends_check_all(ends, "copy after a failed one");
}

static void check_pairing(const pp_copy_ends *ends, pp_backend *backend) {
  for (size_t a = 0; a < ends->count; a++)
    for (size_t b = 0; b < ends->count; b++) {
      pp_context_pair pair =
          pp_pair_contexts(ends->end[a].child, ends->end[b].child);
      bool same = (a < FAULTY) == (b < FAULTY);
      pp_backend *common = a < FAULTY ? backend : pp_backend_of("cc");
      if (pair.pairing != (same ? PP_SAME_BACKEND : PP_CROSS_BACKEND) ||
          pair.backend != (same ? common : NULL))
        pp_die("%s: ends %zu and %zu are paired wrongly", backend->name, a, b);
    }
}

uint64_t pp_copies_routes(pp_backend *inner, size_t devices, uint64_t seed) {
  pp_backend *backend = NULL;
  pp_copy_ends ends;
  uint64_t cases = 0;
  const pp_copies_on nobody = {.seed = seed};
  if (pp_fault_backend_new(inner, NULL, &backend) != PP_OK)
    pp_die("out of memory");
  pp_copy_ends_open(&ends, &nobody, 0, plain);
  pp_copy_ends_add(&ends, backend, 0);
  pp_copy_ends_add(&ends, backend, 0);
  pp_copy_ends_add(&ends, backend, devices - 1);
  pp_copy_ends_add(&ends, pp_backend_of("cc"), 0);
  check_pairing(&ends, backend);
  for (size_t to = 0; to <= FAULTY; to++)
    for (size_t from = 0; from <= FAULTY; from++) {
      for (size_t n = 0; n < NODES && (to < FAULTY || from < FAULTY); n++)
        count(&ends, backend, to, from, n);
      if (to != from) fail(&ends, backend, to, from);
      cases += NODES + 1;
    }
  pp_copy_ends_check_all(&ends, "counted and failed copies");
  pp_copy_ends_close(&ends);
  pp_close_fault(backend);
  return cases;
}
