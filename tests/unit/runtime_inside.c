/* poolproof-backend: cc */
#include "contexts.h"
#include "note.h"
#include "runtime/internal.h"
#include "support.h"
#include "toy.h"

#include <pthread.h>
#include <sys/resource.h>

/* Contexts on a backend that fails in a certain place, without memory, and
 * used by several threads. */

/* The toy's table with other calls in it: what these answer, and room without
 * end for bytes that nobody looks at. */
static struct {
  pp_status devices, limits, alloc;
  size_t count;
} answers;

static pp_status noted(pp_status status) {
  if (status != PP_OK) pp_note("as told");
  return status;
}

static pp_status hollow_devices(pp_backend *backend, size_t *count) {
  (void)backend;
  *count = answers.count;
  return noted(answers.devices);
}

static pp_status hollow_limits(pp_backend *backend, size_t device,
                               pp_limits *limits) {
  (void)backend;
  (void)device;
  *limits = (pp_limits){.max_pool = UINT64_MAX, .alignment = 64};
  return noted(answers.limits);
}

static pp_status hollow_alloc(pp_backend *backend, size_t device,
                              uint64_t bytes, uint64_t align, pp_slab *slab) {
  (void)backend;
  (void)device;
  (void)bytes;
  (void)align;
  slab->handle = &answers;
  return noted(answers.alloc);
}

static pp_status hollow_free(pp_backend *backend, size_t device, pp_slab slab) {
  (void)backend;
  (void)device;
  (void)slab;
  return PP_OK;
}

static pp_status hollow_memset(pp_backend *backend, size_t device, pp_slab slab,
                               uint64_t offset, uint64_t bytes, uint8_t value) {
  (void)offset;
  (void)bytes;
  (void)value;
  return hollow_free(backend, device, slab);
}

static pp_backend_table hollow(void) {
  pp_backend_table table = *pp_toy_backend.call;
  answers.devices = answers.limits = answers.alloc = PP_OK;
  answers.count = 2;
  memset(&pp_toy, 0, sizeof pp_toy);
  table.devices = hollow_devices;
  table.limits = hollow_limits;
  table.alloc_pool = hollow_alloc;
  table.free_pool = hollow_free;
  table.memset = hollow_memset;
  return table;
}

static const char host[] = "routine host\nnode 1 x i32 [] host\nend\n";

/* Each is asked again after a failure. */
Test(runtime, devices_in_words) {
  const pp_backend_table table = hollow();
  pp_backend backend = {.name = "hollow", .call = &table};
  pp_context *a = NULL;
  answers.devices = PP_NO_DEVICE;
  SAYS(PP_NO_DEVICE,
       "hollow has no device to use: no such device: as told (BKD-3)",
       pp_make_context(&backend, 0, &a, WHY));
  answers.devices = PP_OK;
  answers.count = SIZE_MAX;
  SAYS(PP_NO_MEMORY, "out of memory", pp_make_context(&backend, 0, &a, WHY));
  answers.count = 2;
  SAYS(PP_NO_DEVICE, "hollow has 2 devices, none with ordinal 3 (BKD-3)",
       pp_make_context(&backend, 3, &a, WHY));
  answers.limits = PP_BACKEND_FAILED;
  SAYS(PP_BACKEND_FAILED,
       "limits on device 1 of hollow: the backend failed: as told",
       pp_make_context(&backend, 1, &a, WHY));
  OK(pp_teardown(&backend, WHY));
  answers.limits = PP_OK;
  OK(pp_make_context(&backend, 1, &a, WHY));
  answers.limits = PP_BACKEND_FAILED; /* nobody asks any more */
  pp_context *b = pp_root(&backend, 1);
  answers.alloc = PP_NO_MEMORY;
  pp_context *none = NULL;
  pp_routine *routine = pp_must_parse(host);
  SAYS(PP_NO_MEMORY, "alloc_pool on device 1 of hollow: out of memory: as told",
       pp_link(b, routine, NULL, &none, WHY));
  pp_routine_free(routine);
  pp_drop(a);
  pp_drop(b);
  OK(pp_teardown(&backend, WHY));
}

/* No host has room for what is copied across backends here. */
Test(runtime, copies_without_memory) {
  static const char large[] = "routine large\n"
                              "node 1 x u8 [1152921504606846976] host\n"
                              "end\n";
  const pp_backend_table table = hollow();
  pp_backend one = {.name = "one", .call = &table};
  pp_backend other = {.name = "other", .call = &table};
  pp_context *on_one = pp_root(&one, 0);
  pp_context *on_other = pp_root(&other, 0);
  pp_context *a = pp_link_text(on_one, large, UINT64_MAX);
  pp_context *b = pp_link_text(on_other, large, UINT64_MAX);
  SAYS(PP_NO_MEMORY, "out of memory", pp_copy(a, b, 1, WHY));
  pp_drop(a);
  pp_drop(b);
  pp_drop(on_one);
  pp_drop(on_other);
  OK(pp_teardown(&one, WHY));
  OK(pp_teardown(&other, WHY));
}

static void *decide(void *context) {
  for (int i = 0; i < 1000; i++) {
    pp_placement placement = i % 2 == 0 ? PP_VIRTUAL : PP_MATERIALISED;
    if (pp_context_decide(context, 2, placement, NULL) != PP_OK) return context;
    for (int k = 0; k < 20; k++)
      pp_lineage_free(pp_context_lineage(context));
  }
  return NULL;
}

/* Several decide for one context, each after the other, and ask. */
Test(runtime, decisions_at_one_time) {
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  pthread_t thread[4];
  for (size_t k = 0; k < 4; k++)
    cr_assert_eq(pthread_create(&thread[k], NULL, decide, base), 0);
  for (size_t k = 0; k < 4; k++) {
    void *failed = NULL;
    pthread_join(thread[k], &failed);
    cr_expect_null(failed);
  }
  pp_drop(base);
  pp_finish(backend);
  pp_expect_no_leak();
}

/* A pool that is not in the table is gone, whoever asks. */
Test(runtime, pools_that_are_gone) {
  pp_device device = {.ordinal = 0};
  SAYS(PP_POOL_GONE, "pool 7 was freed (REL-6)", pp_pool_free(&device, 7, WHY));
  pp_pool_orphan(&device, 7);
  cr_expect_eq(device.orphans, 0);
}

/* A node as large as a pool may be fits the merge buffer. */
Test(runtime, merge_as_large_as_a_pool) {
  const pp_fault_options options = {.max_pool = 4};
  pp_backend *inner = NULL;
  pp_backend *backend = NULL;
  OK(pp_get_backend("cc", &inner, WHY));
  cr_assert_eq(pp_fault_backend_new(inner, &options, &backend), PP_OK);
  pp_context *base = pp_root(backend, 0);
  pp_context *a = pp_link_text(base, host, 0);
  OK(pp_merge(base, a, 1, WHY));
  pp_drop(a);
  pp_drop(base);
  pp_finish(backend);
}

/* Room for more than there can be is refused; for what there can be it is made.
 */
Test(runtime, tables_without_end) {
  const size_t pools = SIZE_MAX / sizeof(pp_pool) / 2;
  const size_t entries = SIZE_MAX / sizeof(pp_entry) / 2;
  for (size_t used = 0; used < 3; used++) {
    pp_pool_table table = {.used = used, .room = used};
    pp_entries nodes = {.used = used, .room = used};
    cr_expect_not(pp_pools_reserve(&table, pools - used + 1));
    cr_expect_not(pp_entries_reserve(&nodes, entries - used + 1));
    cr_expect_eq(table.room, used);
    cr_expect_eq(nodes.room, used);
    cr_expect(pp_pools_reserve(&table, 100) && table.room >= used + 100);
    cr_expect(pp_entries_reserve(&nodes, 100) && nodes.room >= used + 100);
    free(table.pool);
    free(nodes.entry);
  }
}

/* Places of pools that are gone are used again once more than half are. */
Test(runtime, places_are_used_again) {
  for (size_t gone = 0; gone <= 4; gone++) {
    pp_pool pool[8];
    pp_pool_table table = {.pool = pool, .used = 4, .room = 8, .gone = gone};
    for (size_t i = 0; i < 4; i++)
      table.pool[i] = (pp_pool){.id = i + 1, .gone = i < gone};
    cr_expect(pp_pools_reserve(&table, 1));
    cr_expect_eq(table.used, gone > 2 ? 4 - gone : 4, "%zu gone", gone);
    cr_expect_eq(table.gone, gone > 2 ? 0 : gone, "%zu gone", gone);
    for (uint64_t id = 1; id <= 4; id++)
      cr_expect_eq(pp_pool_find(&table, id) != NULL, id > gone);
  }
}

/* The sanitizer's own memory is without end. */
#ifndef PP_ASAN
/* Takes all that malloc gives, but for a few bytes; a list. */
static void *take_all(void) {
  void *taken = NULL;
  const struct rlimit limit = {1, 1};
  cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
  for (size_t bytes = 1 << 16; bytes >= 16; bytes /= 2) {
    void **more;
    while ((more = malloc(bytes)) != NULL) {
      *more = taken;
      taken = more;
    }
  }
  return taken;
}

static void give_back(void *taken) {
  while (taken != NULL) {
    void *next = *(void **)taken;
    free(taken);
    taken = next;
  }
}

Test(runtime, without_memory) {
  pp_backend *backend = pp_start("cc", false);
  pp_context *base = pp_root(backend, 0);
  pp_context *none = NULL;
  void *taken = take_all();
  pp_status made = pp_make_context(backend, 0, &none, NULL);
  pp_status decided = pp_context_decide(base, 2, PP_VIRTUAL, NULL);
  give_back(taken);
  cr_assert_eq(made, PP_NO_MEMORY);
  cr_assert_eq(decided, PP_NO_MEMORY);
  cr_assert_null(none);
  cr_assert_null(pp_context_lineage(base));
  pp_drop(base);
  pp_finish(backend);
}
#endif
