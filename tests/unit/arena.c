/* poolproof-backend: none */
#include "ref/ref.h"
#include "support.h"

enum { MOST = 5 };

static const struct {
  const char *rule;
  uint64_t cap;
  size_t n;
  pp_item items[MOST];
  pp_status status;
  size_t bad;
  uint64_t total;
  uint64_t offset[MOST];
} cases[] = {
    {"ARN-4 nothing", 0, 0, {ALWAYS(0, 0)}, PP_OK, 0, 0, {0}},
    {"ARN-1 closed spans that touch conflict",
     9,
     2,
     {LIVE(1, 1, 0, 0, 0), LIVE(1, 1, 0, 0, 0)},
     PP_OK,
     0,
     2,
     {0, 1}},
    {"ARN-1 lives apart share",
     9,
     2,
     {LIVE(4, 1, 0, 0, 1), LIVE(3, 1, 0, 2, 3)},
     PP_OK,
     0,
     4,
     {0, 0}},
    {"ARN-1 two classes never share",
     9,
     2,
     {LIVE(2, 1, 0, 0, 1), LIVE(2, 1, 1, 5, 6)},
     PP_OK,
     0,
     4,
     {0, 2}},
    {"ARN-1 always live conflicts with all",
     9,
     3,
     {LIVE(2, 1, 0, 0, 1), ALWAYS(2, 1), LIVE(2, 1, 0, 5, 6)},
     PP_OK,
     0,
     4,
     {0, 2, 0}},
    {"ARN-2 ties by index",
     16,
     2,
     {LIVE(8, 1, 0, 0, 0), LIVE(8, 1, 0, 0, 0)},
     PP_OK,
     0,
     16,
     {0, 8}},
    {"ARN-2 larger first",
     99,
     3,
     {LIVE(1, 1, 0, 0, 9), LIVE(3, 1, 0, 0, 9), LIVE(2, 1, 0, 0, 9)},
     PP_OK,
     0,
     6,
     {5, 0, 3}},
    {"ARN-3 the gap is tested after aligning",
     99,
     3,
     {LIVE(5, 1, 0, 0, 0), LIVE(4, 8, 0, 0, 0), LIVE(3, 2, 0, 0, 0)},
     PP_OK,
     0,
     15,
     {0, 8, 12}},
    {"ARN-3 a leading gap",
     99,
     3,
     {LIVE(4, 1, 0, 0, 0), LIVE(3, 1, 0, 0, 1), LIVE(2, 1, 0, 1, 1)},
     PP_OK,
     0,
     7,
     {0, 4, 0}},
    {"ARN-3 no power of two",
     99,
     2,
     {LIVE(4, 1, 0, 0, 0), LIVE(3, 6, 0, 0, 0)},
     PP_OK,
     0,
     9,
     {0, 6}},
    {"ARN-4 total == cap",
     3,
     2,
     {LIVE(2, 1, 0, 0, 0), LIVE(1, 1, 0, 0, 0)},
     PP_OK,
     0,
     3,
     {0, 2}},
    {"ARN-4 total == cap + 1",
     2,
     2,
     {LIVE(2, 1, 0, 0, 0), LIVE(1, 1, 0, 0, 0)},
     PP_OVER_CAP,
     1,
     0,
     {0}},
    {"ARN-4 past 2^64 - 1",
     UINT64_MAX,
     2,
     {LIVE(UINT64_MAX, 1, 0, 0, 0), LIVE(1, 1, 0, 0, 0)},
     PP_OVER_CAP,
     1,
     0,
     {0}},
    {"ARN-4 aligning past 2^64 - 1",
     UINT64_MAX,
     2,
     {ALWAYS(UINT64_MAX - 3, 1), ALWAYS(1, 16)},
     PP_OVER_CAP,
     1,
     0,
     {0}},
    {"ends above 2^32",
     UINT64_MAX,
     2,
     {LIVE(3 * GIB, 1, 0, 0, 0), LIVE(2 * GIB, 1, 0, 0, 0)},
     PP_OK,
     0,
     5 * GIB,
     {0, 3 * GIB}},
    {"BAD_SPAN, the first",
     0,
     3,
     {LIVE(9, 1, 0, 0, 0), LIVE(1, 1, 0, 5, 4), LIVE(1, 1, 0, 9, 0)},
     PP_BAD_SPAN,
     1,
     0,
     {0}},
    {"ARN-3 zero size stands at the border 0",
     4,
     2,
     {LIVE(4, 1, 0, 0, 0), LIVE(0, 4, 0, 0, 0)},
     PP_OK,
     0,
     4,
     {0, 0}},
    {"steps up to 2^64 - 1",
     4,
     2,
     {LIVE(2, 1, 0, 0, UINT64_MAX), LIVE(2, 1, 0, UINT64_MAX, UINT64_MAX)},
     PP_OK,
     0,
     4,
     {0, 2}},
    /* 4 at 0; 3 meets it: 4; the first 2 meets only the 4, the second only
     * the 3 */
    {"ARN-3 a staircase",
     99,
     4,
     {LIVE(4, 1, 0, 0, 1), LIVE(3, 1, 0, 1, 2), LIVE(2, 1, 0, 0, 0),
      LIVE(2, 1, 0, 2, 3)},
     PP_OK,
     0,
     7,
     {0, 4, 4, 0}},
};

static void expect(size_t k, const char *by, pp_status status,
                   const uint64_t *offset, uint64_t total) {
  cr_expect_eq(status, cases[k].status, "%s, %s", cases[k].rule, by);
  if (status != PP_OK || cases[k].status != PP_OK) return;
  cr_expect_eq(total, cases[k].total, "%s, %s: total", cases[k].rule, by);
  for (size_t i = 0; i < cases[k].n; i++)
    cr_expect_eq(offset[i], cases[k].offset[i], "%s, %s: offset of %zu",
                 cases[k].rule, by, i);
}

Test(arena, by_hand) {
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    uint64_t offset[MOST];
    uint64_t total = 0;
    size_t order[MOST];
    size_t pos[MOST];
    size_t bad = 0;
    pp_error error = {0};
    const pp_plan_options options = {.cap = cases[k].cap};
    pp_status status = pp_arena_plan(cases[k].items, cases[k].n, &options,
                                     offset, &total, &error);
    expect(k, "fast", status, offset, total);
    if (status != PP_OK)
      cr_expect_eq(error.index, cases[k].bad, "%s: index", cases[k].rule);
    status = pp_ref_plan_arena_offsets(cases[k].items, cases[k].n, cases[k].cap,
                                       order, pos, offset, &total, &bad);
    expect(k, "ref", status, offset, total);
    if (status == PP_BAD_SPAN) cr_expect_eq(bad, cases[k].bad);
  }
  pp_expect_no_leak();
}

static void *refuse(void *state, size_t bytes) {
  cr_expect_gt(bytes, 0);
  ++*(size_t *)state;
  return NULL;
}

static void forget(void *state, void *memory) {
  (void)state;
  (void)memory;
  cr_assert_fail("nothing was given, nothing can come back");
}

Test(arena, no_memory_is_said) {
  size_t asked = 0;
  const pp_allocator allocator = {refuse, forget, &asked};
  const pp_plan_options options = {
      .cap = 9, .what = "pool", .allocator = &allocator};
  const pp_item items[] = {LIVE(1, 1, 0, 0, 0)};
  uint64_t offset[1];
  uint64_t total = 0;
  pp_error error;
  char text[40];
  cr_expect_eq(pp_arena_plan(items, 1, &options, offset, &total, &error),
               PP_NO_MEMORY);
  pp_error_text(&error, text, sizeof text);
  cr_expect_str_eq(text, "pool: out of memory");
  cr_expect_eq(pp_arena_plan(NULL, 0, &options, NULL, &total, &error),
               PP_NO_MEMORY);
  pp_violation violation;
  size_t bad = 0;
  const uint64_t size[] = {1};
  const size_t segment[] = {0};
  offset[0] = 0;
  cr_expect_eq(pp_check(PP_ARENA, items, 1, 9, segment, offset, size, 1,
                        &allocator, &violation, &bad),
               PP_NO_MEMORY);
  pp_peak peak[2];
  size_t peaks = 0;
  uint64_t bound = 0;
  cr_expect_eq(pp_lower_bound(items, 1, &allocator, peak, &peaks, &bound, &bad),
               PP_NO_MEMORY);
  cr_expect_geq(asked, 3);
}

Test(arena, lower_bound) {
  /* class 0: 4 + 3 at step 1, 3 + 6 at step 2; class 7: 5 at 0, 4 at 1 */
  const pp_item items[] = {LIVE(4, 1, 0, 0, 1), LIVE(3, 1, 0, 1, 2),
                           LIVE(6, 1, 0, 2, 2), ALWAYS(2, 1),
                           LIVE(5, 1, 7, 0, 0), LIVE(4, 1, 7, 1, 1)};
  pp_peak peak[7];
  size_t peaks = 0;
  size_t bad = 0;
  uint64_t bound = 0;
  cr_assert_eq(pp_lower_bound(items, 6, NULL, peak, &peaks, &bound, &bad),
               PP_OK);
  cr_assert_eq(peaks, 3);
  cr_expect_eq(peak[0].bytes, 2);
  cr_expect_eq(peak[1].item_class, 0);
  cr_expect_eq(peak[1].bytes, 9, "3 + 6 at step 2");
  cr_expect_eq(peak[1].step, 2);
  cr_expect_eq(peak[2].item_class, 7);
  cr_expect_eq(peak[2].bytes, 5);
  cr_expect_eq(peak[2].step, 0);
  cr_expect_eq(bound, 16);

  const pp_item huge[] = {ALWAYS(UINT64_MAX, 1), LIVE(1, 1, 0, 0, 0)};
  cr_assert_eq(pp_lower_bound(huge, 2, NULL, peak, &peaks, &bound, &bad),
               PP_OK);
  cr_expect_eq(bound, UINT64_MAX, "saturates");
  const pp_item wrong[] = {ALWAYS(1, 1), LIVE(1, 1, 0, 3, 2)};
  cr_expect_eq(pp_lower_bound(wrong, 2, NULL, peak, &peaks, &bound, &bad),
               PP_BAD_SPAN);
  cr_expect_eq(bad, 1);
  pp_expect_no_leak();
}

/* ARN-6 */
Test(arena, may_exceed_the_segment_layout) {
  const pp_item items[] = {ALWAYS(1, 2), ALWAYS(2, 1), ALWAYS(3, 1)};
  const pp_plan_options options = {.cap = 99};
  uint64_t offset[3];
  uint64_t arena = 0;
  uint64_t bump = 0;
  cr_assert_eq(pp_arena_plan(items, 3, &options, offset, &arena, NULL), PP_OK);
  cr_assert_eq(pp_no_reuse_plan(items, 3, &options, offset, &bump, NULL),
               PP_OK);
  cr_expect_eq(arena, 7, "3 at 0, 2 at 3, 1 aligned to 6");
  cr_expect_eq(bump, 6, "1 at 0, 2 at 1, 3 at 3");
}
