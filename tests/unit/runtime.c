/* poolproof-backend: cc multidev_cc */
#include "contexts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Expected values are worked out by hand from the rules named. All nodes are
 * aligned to 8 bytes; pool ids start at 1 (CTX-1). */

static void at(const pp_context *context, uint64_t uid, uint64_t pool,
               uint64_t offset) {
  pp_location location = {0, 0};
  cr_assert(pp_context_location(context, uid, &location), "uid %" PRIu64, uid);
  cr_assert(location.pool == pool && location.offset == offset,
            "uid %" PRIu64 " at (%" PRIu64 ", %" PRIu64 ")", uid, location.pool,
            location.offset);
}

/* The live pools, as "id:bytes:use ..." */
static void pools(pp_backend *backend, size_t ordinal, const char *expected) {
  pp_pool_info info[16];
  size_t count = 0;
  char text[256] = "";
  size_t used = 0;
  pp_device_pools(backend, ordinal, info, 16, &count);
  for (size_t i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "%s%" PRIu64 ":%" PRIu64 ":%c", i > 0 ? " " : "",
                             info[i].id, info[i].bytes, "wcom"[info[i].use]);
  cr_assert(strcmp(text, expected) == 0, "\"%s\", not \"%s\"", text, expected);
}

static void value(pp_context *context, uint64_t uid, int32_t expected) {
  int32_t got = ~expected;
  OK(pp_download(context, uid, &got, sizeof got, WHY));
  cr_assert(got == expected, "uid %" PRIu64 " is %" PRId32 " not %" PRId32, uid,
            got, expected);
}

/* ARN by size: b 0..24; x and y always live; a, then c, in uid order (16
 * each) at 24, where a and c share; x at 40, y at 48. One pool of 52 bytes.
 */
Test(runtime, arena) {
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  pp_context *step = pp_link_text(base, pp_chain, 0);
  at(step, 3, 1, 0);
  at(step, 2, 1, 24);
  at(step, 4, 1, 24);
  at(step, 1, 1, 40);
  at(step, 5, 1, 48);
  pools(backend, 0, "1:52:w");
  cr_assert(pp_context_shared(step, 2) && pp_context_shared(step, 4));
  cr_assert(!pp_context_shared(step, 3) && !pp_context_shared(step, 1));
  OK(pp_run(step, WHY));
  value(step, 5, 4 * 13); /* x 5, a 6, b 12, c 13 */
  const int32_t x = 7;
  OK(pp_upload(step, 1, &x, sizeof x, WHY));
  OK(pp_run(step, WHY));
  value(step, 5, 4 * 13 + 4 * 17); /* y is kept from run to run */
  pp_drop(step);
  pp_drop(base);
  pools(backend, 0, "");
  pp_finish(backend);
}

/* CTX-4, and what else transfers refuse. */
Test(runtime, guards) {
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  pp_context *step = pp_link_text(base, pp_chain, 0);
  int32_t four[4];
  IS(PP_NO_SUCH_NODE, pp_download(step, 9, four, 16, WHY));
  IS(PP_BAD_SIZE, pp_download(step, 2, four, 12, WHY));
  IS(PP_ALIASED, pp_download(step, 2, four, 16, WHY));
  IS(PP_ALIASED, pp_upload(step, 4, four, 16, WHY));
  IS(PP_ALIASED, pp_copy(step, step, 2, WHY));
  IS(PP_ALIASED, pp_merge(step, step, 2, WHY));
  pp_routine *later = pp_must_parse("routine later\n"
                                    "node 2 a i32 [4]\n"
                                    "node 6 z i32 []\n"
                                    "z[] = a[0]\n"
                                    "end\n");
  pp_context *none = NULL;
  IS(PP_ALIASED, pp_link(step, later, NULL, &none, WHY));
  pp_routine_free(later);
  pp_drop(step);
  pp_drop(base);
  pp_finish(backend);
}

/* FPT-3: segments in uid order, nothing shared. */
Test(runtime, no_reuse) {
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  pp_routine *again = pp_must_parse(pp_chain);
  pp_context *apart = NULL;
  const pp_link_options options = {.no_reuse = true};
  OK(pp_link(base, again, &options, &apart, WHY));
  pp_routine_free(again);
  at(apart, 1, 1, 0);
  at(apart, 2, 1, 8);
  at(apart, 3, 1, 24);
  at(apart, 4, 1, 48);
  at(apart, 5, 1, 64);
  pools(backend, 0, "1:68:w");
  cr_assert(!pp_context_shared(apart, 2));
  OK(pp_run(apart, WHY));
  value(apart, 5, 4 * 13);
  pp_drop(apart);
  pp_drop(base);
  pp_finish(backend);
}

static const char base_text[] = "routine base\n"
                                "node 2 p i32 [2] observable\n"
                                "node 4 w i32 [3] constant data 1 2 3\n"
                                "p[0] = w[2]\n"
                                "end\n";
static const char step_text[] = "routine step\n"
                                "node 1 q i32 [4]\n"
                                "node 2 p i32 [2]\n"
                                "node 3 r i32 [4]\n"
                                "node 4 w i32 [3] constant data 1 2 3\n"
                                "node 5 v i32 [1] constant data 9\n"
                                "node 6 s i32 [2]\n"
                                "node 7 t i32 [] observable\n"
                                "t[] = p[0] + v[0]\n"
                                "end\n";

/* A cap of 24 bytes: q and r have a segment each, s and t go with r as far as
 * they fit (16 + 8 = 24), t opens a third one. */
Test(runtime, release_frees_a_strict_prefix_and_a_retry_the_rest) {
  pp_backend *backend = pp_start("cc", true);
  pp_context *base = pp_root(backend, 0);
  pp_context *parent = pp_link_text(base, base_text, 0);
  pools(backend, 0, "1:8:w 2:12:c");
  pp_context *child = pp_link_text(parent, step_text, 24);
  at(child, 1, 3, 0);
  at(child, 2, 1, 0);
  at(child, 3, 4, 0);
  at(child, 4, 2, 0);
  at(child, 5, 6, 0);
  at(child, 6, 4, 16);
  at(child, 7, 5, 0);
  pools(backend, 0, "1:8:w 2:12:c 3:16:w 4:24:w 5:4:w 6:4:c");
  OK(pp_run(parent, WHY));
  OK(pp_run(child, WHY));
  value(child, 7, 3 + 9);

  const pp_fault faults[] = {{PP_CALL_AWAIT, 1, PP_NO_MEMORY},
                             {PP_CALL_FREE_POOL, 2, PP_BACKEND_FAILED}};
  pp_fault_arm(backend, faults, 2);
  IS(PP_NO_MEMORY, pp_release(child, WHY));
  cr_assert(pp_fault_calls(backend, PP_CALL_FREE_POOL) == 0);
  IS(PP_BACKEND_FAILED, pp_release(child, WHY));
  cr_assert(!pp_context_released(child));
  pools(backend, 0, "1:8:w 2:12:c 4:24:w 5:4:w 6:4:c");
  OK(pp_release(child, WHY));
  pools(backend, 0, "1:8:w 2:12:c 6:4:c");
  cr_assert(pp_fault_calls(backend, PP_CALL_FREE_POOL) == 4);
  cr_assert(pp_context_released(child));
  OK(pp_release(child, WHY));
  cr_assert(pp_fault_calls(backend, PP_CALL_FREE_POOL) == 4);
  cr_assert(pp_fault_calls(backend, PP_CALL_AWAIT) == 3);
  pp_drop(child);
  pp_drop(parent);
  pp_drop(base);
  pp_finish(backend);
}

/* REL-6: what the released context owned is gone; what it had from its parent
 * stays until the parent is released. */
Test(runtime, released_pools_are_gone) {
  pp_backend *backend = pp_start("cc", true);
  pp_context *base = pp_root(backend, 0);
  pp_context *parent = pp_link_text(base, base_text, 0);
  pp_context *child = pp_link_text(parent, step_text, 24);
  OK(pp_run(parent, WHY));
  OK(pp_release(child, WHY));
  int32_t one = 0;
  IS(PP_POOL_GONE, pp_download(child, 7, &one, sizeof one, WHY));
  IS(PP_POOL_GONE, pp_run(child, WHY));
  int32_t two[2];
  OK(pp_download(child, 2, two, sizeof two, WHY)); /* the parent's */
  cr_assert(two[0] == 3 && two[1] == 0);

  pp_drop(parent); /* before the child */
  IS(PP_POOL_GONE, pp_download(child, 2, two, sizeof two, WHY));
  pp_drop(child);
  IS(PP_BUSY, pp_teardown(backend, WHY));
  pp_census census;
  pp_device_census(backend, 0, &census);
  cr_assert(census.constant_pools == 2 && census.constant_bytes == 16);
  cr_assert(census.working_pools == 0 && census.orphan_pools == 0);
  cr_assert(census.contexts == 1 && census.released == 2);
  pp_drop(base);
  pp_finish(backend);
}

/* CTX-3: whichever call of a link fails, all is as before and the next link
 * works. step_text makes 4 pools, 7 - 2 fills, 1 compile: 10 calls; and what
 * is called when it gives back. */
Test(runtime, link_gives_back_what_it_minted) {
  pp_backend *backend = pp_start("cc", true);
  pp_context *base = pp_root(backend, 0);
  pp_context *parent = pp_link_text(base, base_text, 0);
  pp_routine *routine = pp_must_parse(step_text);
  const pp_link_options options = {.cap = 24};
  for (uint64_t k = 1; k <= 10; k++) {
    const pp_fault fault = {PP_CALL_COUNT, k, PP_BACKEND_FAILED};
    pp_context *child = NULL;
    pp_fault_arm(backend, &fault, 1);
    IS(PP_BACKEND_FAILED, pp_link(parent, routine, &options, &child, WHY));
    cr_assert(child == NULL && pp_fault_struck(backend) == 1);
    pools(backend, 0, "1:8:w 2:12:c");
    cr_assert(pp_fault_slabs(backend) == 2 && pp_fault_bytes(backend) == 20);
  }
  /* The second and last free of the way back fail too: its pool is an orphan
   * until the next link; the first error is what is seen. */
  const pp_fault faults[] = {{PP_CALL_COMPILE, 1, PP_NO_MEMORY},
                             {PP_CALL_FREE_POOL, 2, PP_BACKEND_FAILED}};
  pp_context *child = NULL;
  pp_fault_arm(backend, faults, 2);
  IS(PP_NO_MEMORY, pp_link(parent, routine, &options, &child, WHY));
  pp_pool_info info[8];
  size_t count = 0;
  pp_device_pools(backend, 0, info, 8, &count);
  cr_assert(count == 3 && info[2].use == PP_POOL_ORPHAN);
  cr_assert(info[2].bytes == 4);
  OK(pp_link(parent, routine, &options, &child, WHY));
  pp_census census;
  pp_device_census(backend, 0, &census);
  cr_assert(census.orphan_pools == 0 && census.working_pools == 4);
  pp_routine_free(routine);
  OK(pp_run(parent, WHY));
  OK(pp_run(child, WHY));
  value(child, 7, 3 + 9);
  pp_drop(child);
  pp_drop(parent);
  pp_drop(base);
  pp_finish(backend);
}

static const char grads[] = "routine grads\n"
                            "node 8 g i32 [2] host data 3 4\n"
                            "node 9 h i32 [] host\n"
                            "end\n";

static void merge_between(const char *name, size_t other, bool delay) {
  pp_backend *backend = pp_start(name, delay);
  pp_context *here = pp_root(backend, 0);
  pp_context *there = pp_root(backend, other);
  pp_context *x = pp_link_text(here, pp_merging, 0);
  pp_context *g = pp_link_text(there, grads, 0);
  IS(PP_NOT_MERGED, pp_run(x, WHY));
  OK(pp_merge(x, g, 9, WHY));
  IS(PP_NOT_MERGED, pp_run(x, WHY));
  OK(pp_merge(x, g, 8, WHY));
  OK(pp_run(x, WHY));
  OK(pp_run(x, WHY));
  int32_t two[2];
  OK(pp_download(x, 8, two, sizeof two, WHY));
  cr_assert(two[0] == 6 && two[1] == 8);
  pp_census census;
  pp_device_census(backend, 0, &census);
  cr_assert(census.merge_bytes == 8);
  pp_drop(x);
  pp_drop(g);
  pp_drop(here);
  pp_drop(there);
  pp_finish(backend);
}

Test(runtime, merge_buffer) {
  merge_between("cc", 0, false);
  merge_between("cc", 0, true);
  merge_between("multidev_cc", 1, false);
}

static pp_status borrow(pp_backend *backend, pp_context *context,
                        void *argument, pp_context **result,
                        pp_failure *failure) {
  (void)backend;
  (void)failure;
  *result = argument != NULL ? argument : context;
  return PP_OK;
}

// cppcheck-suppress constParameter
static pp_status ask(pp_backend *backend, const pp_context *context,
                     void *argument) {
  *(const pp_context **)argument = context;
  return pp_context_backend(context) == backend ? PP_OK : PP_WRONG_BACKEND;
}

Test(runtime, pairs_and_copies) {
  pp_backend *cc = pp_start("cc", true);
  pp_backend *multi = pp_start("multidev_cc", false);
  pp_context *none = NULL;
  IS(PP_NO_DEVICE, pp_make_context(cc, 9, &none, WHY));
  pp_context *a = pp_root(cc, 0);
  pp_context *b = pp_root(multi, 0);
  pp_context *c = pp_root(multi, 1);
  pp_context *on_a = pp_link_text(a, grads, 0);
  pp_context *on_b = pp_link_text(b, grads, 0);
  pp_context *on_c = pp_link_text(c, grads, 0);
  cr_assert(pp_pair_contexts(b, c).pairing == PP_SAME_BACKEND);
  cr_assert(pp_pair_contexts(b, c).backend == multi);
  cr_assert(pp_pair_contexts(a, c).pairing == PP_CROSS_BACKEND);
  cr_assert(pp_pair_contexts(a, c).backend == NULL);
  cr_assert(pp_context_ordinal(c) == 1 && pp_context_backend(c) == multi);
  const int32_t seven = 7;
  OK(pp_upload(on_a, 9, &seven, sizeof seven, WHY));
  OK(pp_copy(on_b, on_a, 9, WHY));
  OK(pp_copy(on_c, on_b, 9, WHY));
  value(on_c, 9, 7);
  uint64_t calls = pp_fault_calls(multi, PP_CALL_COUNT);
  OK(pp_copy(on_c, on_c, 9, WHY));
  cr_assert(pp_fault_calls(multi, PP_CALL_COUNT) == calls);

  pp_context *got = NULL;
  OK(pp_with_backend(on_b, borrow, NULL, &got, WHY));
  cr_assert(got == on_b);
  IS(PP_WRONG_BACKEND, pp_with_backend(on_b, borrow, on_a, &got, WHY));
  const pp_context *seen = NULL;
  cr_assert(pp_query(on_c, ask, &seen) == PP_OK && seen == on_c);
  pp_drop(on_a);
  pp_drop(on_b);
  pp_drop(on_c);
  pp_drop(a);
  pp_drop(b);
  pp_drop(c);
  pp_finish(multi);
  pp_finish(cc);
}

/* Nothing works on a lost device but giving back; others go on. */
Test(runtime, lost_device) {
  pp_backend *multi = pp_start("multidev_cc", false);
  pp_context *b = pp_root(multi, 0);
  pp_context *c = pp_root(multi, 1);
  pp_context *on_b = pp_link_text(b, grads, 0);
  pp_context *on_c = pp_link_text(c, grads, 0);
  const int32_t seven = 7;
  const pp_fault lost = {PP_CALL_FROM_HOST, 1, PP_DEVICE_LOST};
  pp_fault_arm(multi, &lost, 1);
  IS(PP_DEVICE_LOST, pp_upload(on_b, 9, &seven, sizeof seven, WHY));
  IS(PP_DEVICE_LOST, pp_run(on_b, WHY));
  IS(PP_DEVICE_LOST, pp_release(on_b, WHY));
  cr_assert(!pp_context_released(on_b));
  value(on_c, 9, 0);
  pp_drop(on_b);
  pools(multi, 0, "1:12:o");
  pp_drop(on_c);
  pp_drop(b);
  pp_drop(c);
  pp_finish(multi);
}

/* A node that is held is what it was in every respect, or refused. */
Test(runtime, another_node_under_a_uid) {
  static const struct {
    const char *x, *type, *at;
  } others[] = {{"i32 [3, 3]", "i32", "0, 0"},
                {"i32 [2, 4]", "i32", "0, 0"},
                {"i32 [6]", "i32", "0"},
                {"f32 [2, 3]", "f32", "0, 0"},
                {"i32 [2, 3] constant data fill 1", "i32", "0, 0"}};
  pp_backend *backend = pp_start("cc", false);
  pp_context *a = pp_root(backend, 0);
  pp_context *b = pp_link_text(a,
                               "routine r\nnode 1 x i32 [2, 3] observable\n"
                               "for i<2, j<3: x[i, j] = 3\nend\n",
                               0);
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    char text[200];
    (void)snprintf(text, sizeof text,
                   "routine other\nnode 1 x %s\nnode 2 y %s [] observable\n"
                   "y[] = x[%s]\nend\n",
                   others[k].x, others[k].type, others[k].at);
    pp_routine *routine = pp_must_parse(text);
    pp_context *child = NULL;
    pp_failure why = {0};
    cr_assert(pp_link(b, routine, NULL, &child, &why) == PP_BAD_ROUTINE);
    cr_assert(strstr(why.text, "node x (uid 1) differs") != NULL, "%s",
              why.text);
    pp_routine_free(routine);
  }
  pp_drop(b);
  pp_drop(a);
  pp_finish(backend);
}

/* Which call failed, where, and how; what is gone, and where it was. */
Test(runtime, failures_are_told) {
  pp_backend *multi = pp_start("multidev_cc", false);
  pp_context *b = pp_root(multi, 1);
  pp_context *on_b = pp_link_text(b, grads, 0);
  const int32_t seven = 7;
  const pp_fault fault = {PP_CALL_FROM_HOST, 1, PP_BACKEND_FAILED};
  pp_failure why = {0};
  pp_fault_arm(multi, &fault, 1);
  pp_upload(on_b, 9, &seven, sizeof seven, &why);
  cr_assert_str_eq(why.text,
                   "from_host on device 1 of multidev_cc: the backend failed");
  OK(pp_release(on_b, WHY));
  pp_upload(on_b, 9, &seven, sizeof seven, &why);
  cr_assert_str_eq(why.text,
                   "node with uid 9 is in pool 1, which was freed (REL-6)");
  pp_drop(on_b);
  pp_drop(b);
  pp_finish(multi);
}

/* What a teardown could not free is no constant to be found any more. */
Test(runtime, teardown_that_fails) {
  static const char text[] = "routine r\nnode 1 w i32 [] constant data 4\n"
                             "node 2 y i32 [] observable\ny[] = w[]\nend\n";
  const pp_fault fault = {PP_CALL_FREE_POOL, 1, PP_BACKEND_FAILED};
  pp_backend *backend = pp_start("cc", false);
  pp_context *a = pp_root(backend, 0);
  pp_drop(pp_link_text(a, text, 0));
  pp_drop(a);
  pp_fault_arm(backend, &fault, 1);
  IS(PP_BACKEND_FAILED, pp_teardown(backend, WHY));
  a = pp_root(backend, 0);
  pp_context *b = pp_link_text(a, text, 0);
  pools(backend, 0, "2:4:c 3:4:w 4:4:c");
  OK(pp_run(b, WHY));
  value(b, 2, 4);
  pp_drop(b);
  pp_drop(a);
  pp_finish(backend);
}
