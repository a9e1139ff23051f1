/* poolproof-backend: cc multidev_cc */
#include "contexts.h"
#include "support.h"

/* The words of what contexts refuse, and what shows only where several of them
 * differ or fail. */

static const char pairs[] = "routine pairs\n"
                            "node 7 w i32 [] constant data 5\n"
                            "node 8 g i32 [2] host data 3 4\n"
                            "node 9 h i32 [] host\n"
                            "end\n";
static const char others[] = "routine others\n"
                             "node 8 g i64 [2] host\n"
                             "node 9 h f32 [] host\n"
                             "end\n";
static void links_are_refused(pp_context *parent) {
  pp_context *none = NULL;
  pp_routine *open = pp_routine_new("r");
  pp_routine *later = pp_must_parse("routine later\n"
                                    "node 2 a i32 [4]\n"
                                    "node 6 z i32 []\n"
                                    "z[] = a[0]\n"
                                    "end\n");
  pp_routine *last = pp_must_parse("routine last\n"
                                   "node 5 y i32 []\n"
                                   "node 6 z i32 []\n"
                                   "z[] = y[]\n"
                                   "end\n");
  SAYS(PP_BAD_ROUTINE, "routine r is not sealed",
       pp_link(parent, open, NULL, &none, WHY));
  SAYS(PP_ALIASED,
       "node a (uid 2) shares its bytes with others in the parent; make it "
       "observable to use it later (CTX-4)",
       pp_link(parent, later, NULL, &none, WHY));
  pp_context *child = NULL;
  OK(pp_link(parent, last, NULL, &child, WHY));
  OK(pp_release(parent, WHY));
  SAYS(PP_POOL_GONE, "node y (uid 5) is in pool 1, which was freed (REL-6)",
       pp_link(parent, last, NULL, &none, WHY));
  SAYS(PP_POOL_GONE, "node y (uid 5) is in pool 1, which was freed (REL-6)",
       pp_run(child, WHY));
  SAYS(PP_POOL_GONE, "the context was released (REL-6)", pp_run(parent, WHY));
  cr_assert_null(none);
  pp_drop(child);
  pp_routine_free(open);
  pp_routine_free(later);
  pp_routine_free(last);
}

Test(runtime, refusals_in_words) {
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  pp_context *step = pp_link_text(base, pp_chain, 0);
  int32_t four[4];
  SAYS(PP_NO_SUCH_NODE, "the context holds no node with uid 9",
       pp_download(step, 9, four, 16, WHY));
  SAYS(PP_BAD_SIZE, "node with uid 2 has 16 bytes, the host gives 12",
       pp_download(step, 2, four, 12, WHY));
  SAYS(PP_ALIASED,
       "node with uid 2 shares its bytes with others; make it observable, or "
       "link without reuse, to keep it (CTX-4)",
       pp_download(step, 2, four, 16, WHY));
  links_are_refused(step);
  pp_drop(step);
  pp_drop(base);
  pp_finish(backend);
}

/* Without options the usual ones: reuse. With them: what they say. A node that
 * the source shares is not copied, whatever the target does. */
Test(runtime, copies_of_shared_nodes) {
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  pp_routine *routine = pp_must_parse(pp_chain);
  pp_context *shared = NULL;
  pp_context *apart = NULL;
  const pp_link_options options = {.no_reuse = true};
  OK(pp_link(base, routine, NULL, &shared, WHY));
  OK(pp_link(base, routine, &options, &apart, WHY));
  pp_routine_free(routine);
  cr_assert(pp_context_shared(shared, 2) && !pp_context_shared(apart, 2));
  IS(PP_ALIASED, pp_copy(apart, shared, 2, WHY));
  IS(PP_ALIASED, pp_copy(shared, apart, 2, WHY));
  OK(pp_copy(apart, shared, 1, WHY));
  pp_drop(shared);
  pp_drop(apart);
  pp_drop(base);
  pp_finish(backend);
}

Test(runtime, pairs_in_words) {
  pp_backend *backend = pp_start("multidev_cc", false);
  pp_context *here = pp_root(backend, 0);
  pp_context *there = pp_root(backend, 1);
  pp_context *a = pp_link_text(here, pairs, 0);
  pp_context *b = pp_link_text(there, others, 0);
  const int32_t one = 1;
  SAYS(PP_READ_ONLY, "node with uid 7 is a constant",
       pp_upload(a, 7, &one, sizeof one, WHY));
  SAYS(PP_READ_ONLY, "node with uid 7 is a constant", pp_copy(a, a, 7, WHY));
  SAYS(PP_NO_SUCH_NODE, "the context holds no node with uid 7",
       pp_copy(b, a, 7, WHY));
  SAYS(PP_BAD_SIZE,
       "node with uid 8 has 8 bytes of i32 here and 16 of i64 there",
       pp_copy(b, a, 8, WHY));
  SAYS(PP_BAD_SIZE,
       "node with uid 9 has 4 bytes of f32 here and 4 of i32 there",
       pp_copy(a, b, 9, WHY));
  pp_context *x = pp_link_text(here, pp_merging, 0);
  SAYS(PP_NOT_MERGED, "the merge buffer does not hold other (uid 8) (CTX-1)",
       pp_run(x, WHY));
  OK(pp_merge(x, b, 8, WHY)); /* another one of that uid */
  IS(PP_NOT_MERGED, pp_run(x, WHY));
  pp_drop(x);
  pp_drop(a);
  pp_drop(b);
  pp_drop(here);
  pp_drop(there);
  pp_finish(backend);
}

static pp_status exchange(pp_backend *backend, pp_context *context,
                          void *argument, pp_context **result,
                          pp_failure *failure) {
  (void)backend;
  (void)context;
  *result = argument;
  if (argument != NULL) return PP_OK;
  return pp_fail(failure, PP_NO_SUCH_NODE, "exchanged for nothing");
}

/* Through the host; what fails on either side is told. */
Test(runtime, across_backends) {
  pp_backend *cc = pp_start("cc", false);
  pp_backend *multi = pp_start("multidev_cc", false);
  pp_context *here = pp_root(cc, 0);
  pp_context *there = pp_root(multi, 0);
  pp_context *x = pp_link_text(here, pp_merging, 0);
  pp_context *a = pp_link_text(here, pairs, 0);
  pp_context *b = pp_link_text(there, pairs, 0);
  OK(pp_merge(x, b, 8, WHY));
  OK(pp_run(x, WHY));
  int32_t two[2] = {0, 0};
  OK(pp_download(x, 8, two, sizeof two, WHY));
  cr_assert(two[0] == 3 && two[1] == 4);
  const pp_fault faults[] = {{PP_CALL_TO_HOST, 1, PP_BACKEND_FAILED},
                             {PP_CALL_FROM_HOST, 1, PP_NO_MEMORY}};
  pp_fault_arm(multi, faults, 2);
  SAYS(PP_BACKEND_FAILED,
       "to_host on device 0 of multidev_cc: the backend failed",
       pp_copy(a, b, 8, WHY));
  SAYS(PP_NO_MEMORY, "from_host on device 0 of multidev_cc: out of memory",
       pp_copy(b, a, 8, WHY));
  pp_context *got = NULL;
  SAYS(PP_WRONG_BACKEND,
       "a context of cc came back for one of multidev_cc (BKD-4)",
       pp_with_backend(b, exchange, a, &got, WHY));
  SAYS(PP_NO_SUCH_NODE, "exchanged for nothing",
       pp_with_backend(b, exchange, NULL, &got, WHY));
  pp_drop(x);
  pp_drop(a);
  pp_drop(b);
  pp_drop(here);
  pp_drop(there);
  pp_finish(multi);
  pp_finish(cc);
  pp_expect_no_leak();
}

/* As many as there is room for are written, and all are counted. */
Test(runtime, pools_into_little_room) {
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  pp_context *a = pp_link_text(base, pairs, 0);
  OK(pp_merge(a, a, 8, WHY));
  const pp_pool_info expected[] = {{0, 8, PP_POOL_MERGE},
                                   {1, 12, PP_POOL_WORKING},
                                   {2, 4, PP_POOL_CONSTANT}};
  for (size_t room = 0; room <= 4; room++) {
    pp_pool_info info[4];
    size_t count = 99;
    for (size_t i = 0; i < 4; i++)
      info[i] = (pp_pool_info){77, 77, PP_POOL_ORPHAN};
    pp_device_pools(backend, 0, info, room, &count);
    cr_expect_eq(count, 3);
    for (size_t i = 0; i < 4; i++) {
      bool written = i < room && i < 3;
      cr_expect_eq(info[i].id, written ? expected[i].id : 77);
      cr_expect_eq(info[i].bytes, written ? expected[i].bytes : 77);
      cr_expect_eq(info[i].use, written ? expected[i].use : PP_POOL_ORPHAN);
    }
  }
  pp_drop(a);
  pp_drop(base);
  pp_finish(backend);
}

/* Of a device that no context was made on, or that is none, and of a backend
 * that was never used. */
static void count_nothing(const char *name) {
  const pp_census zero = {0};
  pp_backend *backend = pp_start(name, false);
  for (int used = 0; used < 2; used++) {
    pp_context *base = used ? pp_root(backend, 0) : NULL;
    for (size_t device = 1; device < 4; device++) {
      pp_census census = {.contexts = 9};
      size_t count = 9;
      pp_pool_info info;
      pp_device_census(backend, device, &census);
      cr_expect(memcmp(&census, &zero, sizeof zero) == 0);
      pp_device_pools(backend, device, &info, 1, &count);
      cr_expect_eq(count, 0);
    }
    pp_drop(base);
  }
  pp_finish(backend);
}

Test(runtime, nothing_to_count) {
  count_nothing("cc");
  count_nothing("multidev_cc");
}

/* A context that could not be freed is good for another try, also of who does
 * not ask why. */
Test(runtime, free_that_fails) {
  const pp_fault faults[] = {{PP_CALL_FREE_POOL, 1, PP_BACKEND_FAILED},
                             {PP_CALL_FREE_POOL, 2, PP_NO_MEMORY}};
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  pp_context *a = pp_link_text(base, pairs, 0);
  pp_fault_arm(backend, faults, 2);
  cr_assert_eq(pp_context_free(a, NULL), PP_BACKEND_FAILED);
  SAYS(PP_NO_MEMORY, "free_pool on device 0 of cc: out of memory",
       pp_context_free(a, WHY));
  SAYS(PP_BUSY, "2 contexts of cc were never freed", pp_teardown(backend, WHY));
  pp_drop(a);
  pp_drop(base);
  pp_finish(backend);
}

/* The lineage is the parent's where the options name none. */
Test(runtime, lineages_are_linked) {
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  OK(pp_context_decide(base, 2, PP_MATERIALISED, WHY));
  pp_context *a = pp_link_text(base, pairs, 0);
  pp_lineage *of_base = pp_context_lineage(base);
  pp_lineage *of_a = pp_context_lineage(a);
  cr_assert(of_base != NULL && of_a == of_base);
  pp_lineage_free(of_base);
  pp_lineage_free(of_a);
  pp_drop(a);
  pp_drop(base);
  pp_finish(backend);
}

/* A merge buffer that a teardown freed has no tenant, though it failed then. */
Test(runtime, teardown_that_fails_later) {
  pp_backend *backend = pp_start("multidev_cc", false);
  pp_context *here = pp_root(backend, 0);
  pp_context *there = pp_root(backend, 1);
  pp_context *a = pp_link_text(here, pairs, 0);
  OK(pp_merge(here, a, 8, WHY));
  OK(pp_merge(there, a, 8, WHY));
  pp_drop(a);
  pp_drop(here);
  pp_drop(there);
  /* Freed: device 0's constants and buffer, and then device 1's buffer. */
  const pp_fault fault = {PP_CALL_FREE_POOL, 3, PP_BACKEND_FAILED};
  pp_fault_arm(backend, &fault, 1);
  IS(PP_BACKEND_FAILED, pp_teardown(backend, WHY));
  pp_census census;
  pp_device_census(backend, 0, &census);
  cr_assert_eq(census.merge_bytes, 0);
  here = pp_root(backend, 0);
  pp_context *x = pp_link_text(here, pp_merging, 0);
  IS(PP_NOT_MERGED, pp_run(x, WHY));
  pp_drop(x);
  pp_drop(here);
  pp_finish(backend);
}

static pp_context *compiled(pp_context *parent, const char *text,
                            const pp_lower_options *lower,
                            const pp_link_options *options) {
  pp_routine *routine = pp_must_parse(text);
  pp_context *child = NULL;
  OK(pp_compile(parent, routine, lower, options, &child, WHY));
  pp_routine_free(routine);
  return child;
}

/* The cap on costs is the caller's, and so are the options of the link. */
Test(runtime, options_of_compiles) {
  static const char costs[] =
      "routine costs\nnode 1 x i32 [4] host\nnode 2 a i32 [4]\n"
      "node 3 y i32 [4] observable\nfor i<4: a[i] = x[i] + x[0]\n"
      "for i<4: y[i] = a[i]\nend\n";
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  const pp_lower_options small = {.cost_cap = 1};
  const pp_lower_options large = {.cost_cap = 2};
  pp_context *a = compiled(base, costs, &small, NULL);
  pp_context *b = compiled(base, costs, &large, NULL);
  pp_location place;
  cr_expect(pp_context_location(a, 2, &place));
  cr_expect_not(pp_context_location(b, 2, &place));
  const pp_lower_options stay = {.policy = PP_POLICY_MATERIALISE};
  const pp_link_options apart = {.no_reuse = true};
  pp_context *c = compiled(base, pp_chain, &stay, NULL);
  pp_context *d = compiled(base, pp_chain, &stay, &apart);
  cr_expect(pp_context_shared(c, 2));
  cr_expect_not(pp_context_shared(d, 2));
  pp_drop(a);
  pp_drop(b);
  pp_drop(c);
  pp_drop(d);
  pp_drop(base);
  pp_finish(backend);
}
