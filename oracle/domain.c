#include "domain.h"

#include "differ.h"
#include "random.h"

/* Three steps are enough for every way in which four lives can meet but one:
 * four that do not meet at all, which all stand at 0. */
#define LIFE(a, b, c)                                                          \
  { .lo = (a), .hi = (b), .item_class = (c), .has_span = true }
static const pp_item lives[PP_LIVES] = {
    {.has_span = false}, LIFE(0, 0, 0), LIFE(1, 1, 0), LIFE(0, 1, 0),
    LIFE(0, 0, 1),       LIFE(1, 1, 1), LIFE(0, 1, 1), LIFE(2, 2, 0),
    LIFE(1, 2, 0),       LIFE(0, 2, 0), LIFE(2, 2, 1), LIFE(1, 2, 1),
    LIFE(0, 2, 1)};
enum { ONE = 1, TWO = 7, ALL = PP_LIVES }; /* how many, from the front */

static const pp_item bad[] = {{.has_span = false},
                              LIFE(0, 0, 0),
                              LIFE(1, 0, 0),
                              LIFE(1, 0, 1),
                              LIFE(2, 1, 0)};
enum { BAD = sizeof bad / sizeof *bad };

/* Sizes and alignments 1 to 3 but for (3, 3). */
static const uint64_t four[][2] = {{1, 1}, {1, 2}, {1, 3}, {2, 1},
                                   {2, 2}, {2, 3}, {3, 1}, {3, 2}};
enum { FOUR = sizeof four / sizeof *four };

enum { PLAN = false, CLAIM = true };
enum { FULL = PP_DIFFER_CHECK | PP_DIFFER_BOUND, QUICK = PP_DIFFER_CHECK };

#define B31 (UINT64_C(1) << 31)
#define B32 (UINT64_C(1) << 32)
#define B62 (UINT64_C(1) << 62)

/* clang-format off */
/* By number of items. Chosen so that a minute or two is enough for all, and
 * that each fault of shared/faults.md that a planner or checker can have shows
 * up with the fewest items that it needs. Columns: kind, task, items, unit,
 * what is compared; lives and how many; sizes to, alignments from and to, or
 * pairs and how many; offsets to, segments to. */
static const pp_family families[] = {
  {PP_ARENA,    PLAN,  0, 1,   FULL,  lives, ONE, 0, 1, 1, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  0, 1,   QUICK, lives, ONE, 0, 1, 1, NULL, 0, 0, 0},
  {PP_ARENA,    CLAIM, 0, 1,   0,     lives, ONE, 0, 1, 1, NULL, 0, 0, 0},
  {PP_SEGMENTS, CLAIM, 0, 1,   0,     lives, ONE, 0, 1, 1, NULL, 0, 0, 2},

  {PP_ARENA,    PLAN,  1, 1,   FULL,  lives, ALL, 4, 0, 4, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  1, B31, FULL,  lives, TWO, 3, 0, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  1, B32, FULL,  lives, TWO, 3, 0, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  1, B62, FULL,  lives, TWO, 3, 0, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  1, 1,   FULL,  bad,   BAD, 2, 1, 2, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  1, 1,   QUICK, lives, ONE, 6, 0, 6, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  1, B31, QUICK, lives, ONE, 3, 0, 3, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  1, B32, QUICK, lives, ONE, 3, 0, 3, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  1, B62, QUICK, lives, ONE, 3, 0, 3, NULL, 0, 0, 0},
  {PP_ARENA,    CLAIM, 1, 1,   0,     lives, 2,   3, 0, 3, NULL, 0, 4, 1},
  {PP_SEGMENTS, CLAIM, 1, 1,   0,     lives, ONE, 3, 0, 3, NULL, 0, 4, 2},

  {PP_ARENA,    PLAN,  2, 1,   FULL,  lives, ALL, 4, 0, 4, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  2, B31, FULL,  lives, TWO, 3, 0, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  2, B32, FULL,  lives, TWO, 3, 0, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  2, B62, FULL,  lives, TWO, 3, 0, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  2, 1,   FULL,  bad,   BAD, 2, 1, 2, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  2, 1,   QUICK, lives, ONE, 6, 0, 6, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  2, B31, QUICK, lives, ONE, 3, 0, 3, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  2, B32, QUICK, lives, ONE, 3, 0, 3, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  2, B62, QUICK, lives, ONE, 3, 0, 3, NULL, 0, 0, 0},
  {PP_ARENA,    CLAIM, 2, 1,   0,     lives, ALL, 2, 1, 2, NULL, 0, 3, 0},
  {PP_ARENA,    CLAIM, 2, B31, 0,     lives, TWO, 2, 1, 2, NULL, 0, 2, 0},
  {PP_ARENA,    CLAIM, 2, B62, 0,     lives, TWO, 2, 1, 2, NULL, 0, 3, 0},
  {PP_ARENA,    CLAIM, 2, 1,   0,     lives, TWO, 1, 1, 1, NULL, 0, 1, 2},
  {PP_SEGMENTS, CLAIM, 2, 1,   0,     lives, ONE, 3, 1, 2, NULL, 0, 3, 2},
  {PP_SEGMENTS, CLAIM, 2, B62, 0,     lives, ONE, 2, 1, 2, NULL, 0, 3, 2},

  {PP_ARENA,    PLAN,  3, 1,   FULL,  lives, ALL, 3, 1, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  3, B31, QUICK, lives, 5,   3, 1, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  3, B32, QUICK, lives, 5,   3, 1, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  3, B62, QUICK, lives, 5,   3, 1, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  3, 1,   FULL,  bad,   BAD, 2, 1, 2, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  3, 1,   QUICK, lives, ONE, 5, 0, 5, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  3, B31, QUICK, lives, ONE, 3, 1, 3, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  3, B32, QUICK, lives, ONE, 3, 1, 3, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  3, B62, QUICK, lives, ONE, 3, 1, 3, NULL, 0, 0, 0},
  {PP_ARENA,    CLAIM, 3, 1,   0,     lives, TWO, 2, 1, 1, NULL, 0, 2, 0},
  {PP_SEGMENTS, CLAIM, 3, 1,   0,     lives, ONE, 2, 1, 1, NULL, 0, 2, 1},

  {PP_SEGMENTS, PLAN,  4, 1,   QUICK, lives, ONE, 3, 0, 4, NULL, 0, 0, 0},
  {PP_SEGMENTS, PLAN,  4, B62, QUICK, lives, ONE, 3, 1, 3, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  4, 1,   QUICK, bad,   BAD, 1, 1, 1, NULL, 0, 0, 0},
  {PP_ARENA,    PLAN,  4, 1,   QUICK, lives, ALL, 0, 0, 0, four, FOUR, 0, 0},
};
/* clang-format on */

const pp_family *pp_domain(size_t *count) {
  *count = sizeof families / sizeof *families;
  return families;
}

static size_t places(const pp_family *family, const pp_item *item,
                     pp_letter *letters, size_t count) {
  for (uint64_t offset = 0; offset <= family->offsets; offset++)
    for (size_t segment = 0; segment <= family->segments; segment++) {
      if (count < PP_LETTERS)
        letters[count] = (pp_letter){*item, offset, segment};
      count++;
    }
  return count;
}

static size_t with_lives(const pp_family *family, uint64_t size, uint64_t align,
                         pp_letter *letters, size_t count) {
  for (size_t i = 0; i < family->life_count; i++) {
    pp_item item = family->lives[i];
    item.size = size;
    item.align = align;
    count = places(family, &item, letters, count);
  }
  return count;
}

size_t pp_family_letters(const pp_family *family, pp_letter *letters) {
  size_t count = 0;
  for (size_t i = 0; i < family->pair_count; i++)
    count = with_lives(family, family->pairs[i][0], family->pairs[i][1],
                       letters, count);
  if (family->pairs) return count;
  for (uint64_t size = 0; size <= family->sizes; size++)
    for (uint64_t align = family->first_align; align <= family->aligns; align++)
      count = with_lives(family, size, align, letters, count);
  return count;
}

/* What nobody may look at: the life and class of an always-live item, and of
 * any item where segments are planned. */
static void set_rubbish(pp_item *item, uint64_t bits) {
  item->lo = bits & 3;
  item->hi = bits >> 2 & 3;
  item->item_class = (uint32_t)(bits >> 4 & 1);
}

bool pp_family_word(const pp_family *family, const pp_letter *const *word,
                    uint64_t number, pp_case *c, pp_item *small) {
  bool first = true;
  for (size_t i = 0; i < family->n; i++) {
    small[i] = word[i]->item;
    uint64_t bits = pp_random_mix(number, i);
    if (family->kind == PP_SEGMENTS) {
      set_rubbish(&small[i], bits);
      small[i].has_span = (bits >> 5 & 1) != 0;
    } else if (small[i].has_span) {
      if (first && small[i].item_class != 0) return false;
      first = false;
      small[i].item_class ^= (uint32_t)(number & 1);
    } else {
      set_rubbish(&small[i], bits);
    }
    c->items[i] = small[i];
    c->items[i].size *= family->unit;
    if (small[i].align > 1) c->items[i].align *= family->unit;
  }
  c->kind = family->kind;
  c->n = family->n;
  return true;
}
