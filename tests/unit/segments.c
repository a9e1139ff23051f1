/* poolproof-backend: none */
#include "ref/ref.h"
#include "support.h"

enum { MOST = 5 };

/* Expected values are worked out by hand from the rules named. */
static const struct {
  const char *rule;
  uint64_t cap;
  size_t n;
  pp_item items[MOST];
  pp_status status;
  size_t bad;
  size_t segments;
  size_t segment[MOST];
  uint64_t offset[MOST];
  uint64_t size[MOST];
} cases[] = {
    {"SEG-6 nothing", 10, 0, {ALWAYS(0, 0)}, PP_OK, 0, 0, {0}, {0}, {0}},
    {"SEG-2 in order",
     10,
     3,
     {ALWAYS(3, 0), ALWAYS(2, 4), ALWAYS(4, 1)},
     PP_OK,
     0,
     1,
     {0, 0, 0},
     {0, 4, 6},
     {10}},
    {"SEG-3 end == cap fits", 6, 1, {ALWAYS(6, 1)}, PP_OK, 0, 1, {0}, {0}, {6}},
    {"SEG-3 one past the cap",
     6,
     2,
     {ALWAYS(6, 1), ALWAYS(1, 1)},
     PP_OK,
     0,
     2,
     {0, 1},
     {0, 0},
     {6, 1}},
    {"SEG-3 padding crosses the cap",
     6,
     2,
     {ALWAYS(1, 1), ALWAYS(3, 4)},
     PP_OK,
     0,
     2,
     {0, 1},
     {0, 0},
     {1, 3}},
    {"SEG-1 no power of two",
     20,
     3,
     {ALWAYS(1, 1), ALWAYS(1, 3), ALWAYS(1, 6)},
     PP_OK,
     0,
     1,
     {0, 0, 0},
     {0, 3, 6},
     {7}},
    {"SEG-5 the first one",
     6,
     3,
     {ALWAYS(6, 1), ALWAYS(7, 1), ALWAYS(9, 1)},
     PP_ITEM_OVER_CAP,
     1,
     0,
     {0},
     {0},
     {0}},
    {"SEG-5 cap 0",
     0,
     2,
     {ALWAYS(0, 8), ALWAYS(1, 1)},
     PP_ITEM_OVER_CAP,
     1,
     0,
     {0},
     {0},
     {0}},
    {"SEG-6 zero size at the cap",
     6,
     2,
     {ALWAYS(6, 1), ALWAYS(0, 3)},
     PP_OK,
     0,
     1,
     {0, 0},
     {0, 6},
     {6}},
    {"SEG-6 zero size whose padding crosses",
     6,
     2,
     {ALWAYS(6, 1), ALWAYS(0, 4)},
     PP_OK,
     0,
     2,
     {0, 1},
     {0, 0},
     {6, 0}},
    {"no wrap at 2^64",
     UINT64_MAX,
     3,
     {ALWAYS(UINT64_MAX - 1, 1), ALWAYS(0, 16), ALWAYS(5, 1)},
     PP_OK,
     0,
     2,
     {0, 1, 1},
     {0, 0, 0},
     {UINT64_MAX - 1, 5}},
    {"no wrap at 2^32",
     4 * GIB,
     3,
     {ALWAYS(4 * GIB - 1, 1), ALWAYS(1, 1), ALWAYS(1, 1)},
     PP_OK,
     0,
     2,
     {0, 0, 1},
     {0, 4 * GIB - 1, 0},
     {4 * GIB, 1}},
};

static void expect(size_t k, const char *by, pp_status status, size_t bad,
                   size_t segments, const size_t *segment,
                   const uint64_t *offset, const uint64_t *size) {
  cr_expect_eq(status, cases[k].status, "%s, %s", cases[k].rule, by);
  if (status != PP_OK) {
    cr_expect_eq(bad, cases[k].bad, "%s, %s: index", cases[k].rule, by);
    return;
  }
  cr_expect_eq(segments, cases[k].segments, "%s, %s: count", cases[k].rule, by);
  for (size_t i = 0; i < cases[k].n; i++) {
    cr_expect_eq(segment[i], cases[k].segment[i], "%s, %s: segment of %zu",
                 cases[k].rule, by, i);
    cr_expect_eq(offset[i], cases[k].offset[i], "%s, %s: offset of %zu",
                 cases[k].rule, by, i);
  }
  for (size_t s = 0; s < segments; s++)
    cr_expect_eq(size[s], cases[k].size[s], "%s, %s: size of segment %zu",
                 cases[k].rule, by, s);
}

Test(segments, by_hand) {
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    size_t segment[MOST];
    size_t segments = 0;
    size_t bad = 0;
    uint64_t offset[MOST];
    uint64_t size[MOST];
    pp_error error = {0};
    const pp_plan_options options = {.cap = cases[k].cap};
    pp_status status =
        pp_segments_plan(cases[k].items, cases[k].n, &options, segment, offset,
                         size, &segments, &error);
    expect(k, "fast", status, error.index, segments, segment, offset, size);
    status = pp_ref_plan_pool_segments(cases[k].items, cases[k].n, cases[k].cap,
                                       segment, offset, size, &segments, &bad);
    expect(k, "ref", status, bad, segments, segment, offset, size);
  }
}

Test(segments, refusal_says_all_that_seg_5_wants) {
  const pp_item items[] = {ALWAYS(4, 1), ALWAYS(9, 1)};
  const char *const names[] = {"w", "bias"};
  const pp_plan_options options = {
      .cap = 8, .what = "constants", .names = names};
  size_t segment[2];
  uint64_t offset[2];
  uint64_t size[2];
  size_t segments = 0;
  pp_error error;
  char text[200];
  cr_assert_eq(pp_segments_plan(items, 2, &options, segment, offset, size,
                                &segments, &error),
               PP_ITEM_OVER_CAP);
  size_t length = pp_error_text(&error, text, sizeof text);
  cr_expect_str_eq(text, "constants: item 1 \"bias\": size 9 is over the cap "
                         "of 8 bytes (SEG-5)");
  cr_expect_eq(length, strlen(text));
  cr_expect_eq(pp_error_text(&error, text, 10), length);
  cr_expect_str_eq(text, "constants");
}

Test(segments, what_is_not_given_is_empty) {
  const pp_item items[] = {ALWAYS(4, 1), ALWAYS(9, 1)};
  const char *const names[] = {"w", NULL};
  const pp_plan_options options[] = {{.cap = 8}, {.cap = 8, .names = names}};
  for (size_t k = 0; k < 2; k++) {
    size_t segment[2];
    uint64_t offset[2];
    uint64_t size[2];
    size_t segments = 0;
    pp_error error;
    char text[200];
    cr_assert_eq(pp_segments_plan(items, 2, &options[k], segment, offset, size,
                                  &segments, &error),
                 PP_ITEM_OVER_CAP);
    cr_expect_str_eq(error.what, "");
    cr_expect_str_eq(error.name, "");
    pp_error_text(&error, text, sizeof text);
    cr_expect_str_eq(text,
                     "item 1 \"\": size 9 is over the cap of 8 bytes (SEG-5)");
  }
}

Test(segments, every_refusal_has_its_sentence) {
  const pp_item item = {.size = 9, .lo = 5, .hi = 4, .has_span = true};
  static const struct {
    pp_status status;
    size_t index;
    const char *text;
  } refusals[] = {
      {PP_OK, 0, "p: ok"},
      {PP_OVER_CAP, 3,
       "p: the plan passes the cap of 8 bytes, first with item 3 \"x\" of "
       "size 9 (ARN-4)"},
      {PP_OVER_CAP, SIZE_MAX, "p: the plan passes the cap of 8 bytes (ARN-4)"},
      {PP_BAD_SPAN, 3,
       "p: item 3 \"x\": span [5, 4] begins after its end (ARN, BAD_SPAN)"},
      {PP_NO_MEMORY, 0, "p: out of memory"},
  };
  for (size_t k = 0; k < sizeof refusals / sizeof refusals[0]; k++) {
    const pp_error error = {
        refusals[k].status, refusals[k].index, "p", "x", item, 8};
    char text[200];
    pp_error_text(&error, text, sizeof text);
    cr_expect_str_eq(text, refusals[k].text);
  }
}

Test(segments, no_reuse) {
  const pp_item items[] = {LIVE(3, 0, 0, 0, 0), LIVE(2, 4, 1, 5, 5),
                           ALWAYS(0, 8), ALWAYS(1, 0)};
  uint64_t offset[4];
  uint64_t total = 0;
  pp_error error;
  pp_plan_options options = {.cap = 9};
  cr_assert_eq(pp_no_reuse_plan(items, 4, &options, offset, &total, &error),
               PP_OK);
  const uint64_t expected[] = {0, 4, 8, 8};
  cr_expect_arr_eq(offset, expected, sizeof expected);
  cr_expect_eq(total, 9);
  options.cap = 8;
  cr_expect_eq(pp_no_reuse_plan(items, 4, &options, offset, &total, &error),
               PP_OVER_CAP);
  cr_expect_eq(error.index, 3);
  const pp_item huge[] = {ALWAYS(UINT64_MAX, 1), ALWAYS(1, 1)};
  options.cap = PP_CAP_UNLIMITED;
  cr_expect_eq(pp_no_reuse_plan(huge, 2, &options, offset, &total, NULL),
               PP_OVER_CAP);
  cr_expect_eq(pp_no_reuse_plan(NULL, 0, &options, NULL, &total, NULL), PP_OK);
  cr_expect_eq(total, 0);
}
