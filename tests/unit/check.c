/* poolproof-backend: none */
#include "ref/ref.h"
#include "support.h"

enum { MOST = 3 };

static const struct {
  const char *rule;
  pp_kind kind;
  uint64_t cap;
  size_t n;
  pp_item items[MOST];
  size_t segments;
  size_t segment[MOST];
  uint64_t offset[MOST];
  uint64_t size[MOST];
  pp_violation violation;
} cases[] = {
    {"valid",
     PP_ARENA,
     9,
     2,
     {LIVE(4, 1, 0, 0, 1), LIVE(3, 1, 0, 2, 2)},
     1,
     {0, 0},
     {0, 0},
     {4},
     {PP_VALID, 0, 0, 0, 0}},
    {"nothing",
     PP_ARENA,
     0,
     0,
     {ALWAYS(0, 0)},
     1,
     {0},
     {0},
     {0},
     {PP_VALID, 0, 0, 0, 0}},
    {"lives that touch",
     PP_ARENA,
     9,
     2,
     {LIVE(4, 1, 0, 0, 1), LIVE(3, 1, 0, 1, 2)},
     1,
     {0, 0},
     {0, 2},
     {5},
     {PP_SHARED_BYTES, 0, 1, 2, 4}},
    {"classes",
     PP_ARENA,
     9,
     2,
     {LIVE(4, 1, 0, 0, 0), LIVE(4, 1, 1, 9, 9)},
     1,
     {0, 0},
     {0, 3},
     {7},
     {PP_SHARED_BYTES, 0, 1, 3, 4}},
    {"always live",
     PP_ARENA,
     9,
     2,
     {ALWAYS(4, 1), LIVE(4, 1, 1, 9, 9)},
     1,
     {0, 0},
     {0, 3},
     {7},
     {PP_SHARED_BYTES, 0, 1, 3, 4}},
    {"two segments do not share",
     PP_ARENA,
     9,
     2,
     {ALWAYS(4, 1), ALWAYS(4, 1)},
     2,
     {0, 1},
     {0, 0},
     {4, 4},
     {PP_VALID, 0, 0, 0, 0}},
    {"SEG knows no lives",
     PP_SEGMENTS,
     9,
     2,
     {LIVE(4, 1, 0, 0, 0), LIVE(4, 1, 0, 5, 5)},
     1,
     {0, 0},
     {0, 0},
     {4},
     {PP_SHARED_BYTES, 0, 1, 0, 4}},
    {"the least second, then the least first",
     PP_ARENA,
     99,
     3,
     {ALWAYS(2, 1), ALWAYS(2, 1), ALWAYS(9, 1)},
     1,
     {0, 0, 0},
     {0, 2, 0},
     {9},
     {PP_SHARED_BYTES, 0, 2, 0, 2}},
    {"zero size shares no byte",
     PP_ARENA,
     9,
     2,
     {ALWAYS(4, 1), ALWAYS(0, 1)},
     1,
     {0, 0},
     {0, 2},
     {4},
     {PP_VALID, 0, 0, 0, 0}},
    {"no such segment",
     PP_ARENA,
     9,
     2,
     {ALWAYS(4, 8), ALWAYS(1, 1)},
     1,
     {0, 1},
     {1, 0},
     {4},
     {PP_NO_SUCH_SEGMENT, 1, 0, 0, 0}},
    {"misaligned",
     PP_ARENA,
     9,
     1,
     {ALWAYS(1, 6)},
     1,
     {0},
     {4},
     {5},
     {PP_MISALIGNED, 0, 0, 0, 0}},
    {"past the end",
     PP_ARENA,
     9,
     2,
     {ALWAYS(4, 1), ALWAYS(4, 1)},
     1,
     {0, 0},
     {0, 4},
     {7},
     {PP_PAST_END, 1, 0, 0, 0}},
    {"past 2^64",
     PP_ARENA,
     UINT64_MAX,
     1,
     {ALWAYS(2, 1)},
     1,
     {0},
     {UINT64_MAX},
     {UINT64_MAX},
     {PP_PAST_END, 0, 0, 0, 0}},
    {"over the cap",
     PP_ARENA,
     3,
     1,
     {ALWAYS(4, 1)},
     1,
     {0},
     {0},
     {4},
     {PP_SEGMENT_TOO_BIG, 0, 0, 0, 0}},
    {"at the cap",
     PP_ARENA,
     4,
     1,
     {ALWAYS(4, 1)},
     1,
     {0},
     {0},
     {4},
     {PP_VALID, 0, 0, 0, 0}},
    {"size too large",
     PP_SEGMENTS,
     9,
     1,
     {ALWAYS(4, 1)},
     2,
     {0},
     {0},
     {4, 1},
     {PP_WRONG_SIZE, 1, 0, 1, 0}},
    {"always live beside a great class",
     PP_ARENA,
     9,
     2,
     {ALWAYS(4, 1), LIVE(4, 1, UINT32_C(1) << 31, 0, 0)},
     1,
     {0, 0},
     {0, 0},
     {4},
     {PP_SHARED_BYTES, 0, 1, 0, 4}},
    {"ends above 2^32",
     PP_ARENA,
     UINT64_MAX,
     2,
     {ALWAYS(4 * GIB, 1), ALWAYS(1, 1)},
     1,
     {0, 0},
     {0, 4 * GIB - 1},
     {4 * GIB},
     {PP_SHARED_BYTES, 0, 1, 4 * GIB - 1, 4 * GIB}},
};

static void expect(size_t k, const char *by, const pp_violation *found) {
  const pp_violation *wanted = &cases[k].violation;
  cr_expect_eq(found->kind, wanted->kind, "%s, %s: kind %d", cases[k].rule, by,
               (int)found->kind);
  cr_expect(found->first == wanted->first && found->second == wanted->second &&
                found->lo == wanted->lo && found->hi == wanted->hi,
            "%s, %s: %zu %zu %llu %llu", cases[k].rule, by, found->first,
            found->second, (unsigned long long)found->lo,
            (unsigned long long)found->hi);
}

Test(check, by_hand) {
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    pp_violation violation;
    size_t bad = 0;
    cr_expect_eq(pp_check(cases[k].kind, cases[k].items, cases[k].n,
                          cases[k].cap, cases[k].segment, cases[k].offset,
                          cases[k].size, cases[k].segments, NULL, &violation,
                          &bad),
                 PP_OK);
    expect(k, "fast", &violation);
    cr_expect_eq(pp_ref_validate(cases[k].kind, cases[k].items, cases[k].n,
                                 cases[k].cap, cases[k].segment,
                                 cases[k].offset, cases[k].size,
                                 cases[k].segments, &violation, &bad),
                 PP_OK);
    expect(k, "ref", &violation);
  }
  pp_expect_no_leak();
}

/* More segments than there is memory for, though no item is in them. */
Test(check, segments_without_end) {
  pp_violation violation;
  size_t bad = 0;
  cr_expect_eq(pp_check(PP_ARENA, NULL, 0, 9, NULL, NULL, NULL, SIZE_MAX, NULL,
                        &violation, &bad),
               PP_NO_MEMORY);
}

Test(check, bad_span_is_refused_in_an_arena_only) {
  const pp_item items[] = {LIVE(1, 1, 0, 0, 0), LIVE(1, 1, 0, 2, 1)};
  const size_t segment[] = {0, 0};
  const uint64_t offset[] = {0, 1};
  const uint64_t size[] = {2};
  pp_violation violation;
  size_t bad = 0;
  cr_expect_eq(pp_check(PP_ARENA, items, 2, 9, segment, offset, size, 1, NULL,
                        &violation, &bad),
               PP_BAD_SPAN);
  cr_expect_eq(bad, 1);
  bad = 0;
  cr_expect_eq(pp_ref_validate(PP_ARENA, items, 2, 9, segment, offset, size, 1,
                               &violation, &bad),
               PP_BAD_SPAN);
  cr_expect_eq(bad, 1);
  cr_expect_eq(pp_check(PP_SEGMENTS, items, 2, 9, segment, offset, size, 1,
                        NULL, &violation, &bad),
               PP_OK);
  cr_expect_eq(violation.kind, PP_VALID);
}
