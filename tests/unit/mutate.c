/* The mutator: pure, within its room, and mostly such as parses; crossover
 * takes from both; a trim asks what its shrinker asks. */
#include "mutations.h"

#include "conform/wire.h"
#include "program_shrink.h"
#include "routine_shrink.h"
#include "shrink.h"
#include "trim.h"

#include <dirent.h>
#include <stdio.h>

/* The file's bytes in `bytes`; how many. */
static size_t load(const char *folder, const char *name, uint8_t *bytes) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/corpus/%s/%s", getenv("PP_SOURCE"), folder,
           name);
  FILE *file = fopen(path, "rb");
  cr_assert(file, "%s", path);
  size_t size = fread(bytes, 1, MOST, file);
  fclose(file);
  return size;
}

size_t pp_test_mutate(const uint8_t *bytes, size_t size, size_t max,
                      uint64_t seed, uint8_t *result) {
  size_t room = max > size ? max : size;
  uint8_t *buf = malloc(room + (room == 0));
  memcpy(buf, bytes, size);
  size_t length = pp_mutate(buf, size, max, seed);
  cr_assert(length <= max, "seed %llu: %zu bytes of %zu",
            (unsigned long long)seed, length, max);
  memcpy(result, buf, length);
  free(buf);
  return length;
}

/* Of a kind, how many mutations must be of it, in percent; requests are those
 * that the protocol takes. */
static const struct {
  const char *folder;
  pp_input_kind kind;
  unsigned least, files;
} shares[] = {{"seeds", PP_INPUT_PROBLEM, 75, 30},
              {"routines", PP_INPUT_ROUTINE, 80, 10},
              {"programs", PP_INPUT_PROGRAM, 80, 10},
              {"requests", PP_INPUT_TEXT, 15, 15}};

static bool is_kind(const uint8_t *bytes, size_t size, pp_input_kind kind) {
  pp_input input;
  pp_ask ask = {0};
  pp_diag diag = {0};
  if (kind == PP_INPUT_TEXT) {
    bool good =
        pp_wire_read_ask("r", (const char *)bytes, size, &ask, &diag) == 0;
    pp_ask_free(&ask);
    return good;
  }
  pp_input_read(bytes, size, &input);
  bool same = input.kind == kind;
  pp_input_free(&input);
  return same;
}

/* Counts the mutations of a file that are of its kind. */
static void share_of(const uint8_t *bytes, size_t size, pp_input_kind kind,
                     size_t *good, size_t *all) {
  enum { SEEDS = 40 };
  static uint8_t one[MOST], other[MOST];
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    size_t max = seed % 4 == 0 ? size : seed % 4 == 1 ? size / 2 : ROOM + size;
    if (max < size) {
      pp_test_mutate(bytes, size, max, seed, one);
      continue;
    }
    size_t length = pp_test_mutate(bytes, size, max, seed, one);
    cr_assert(pp_test_mutate(bytes, size, max, seed, other) == length);
    cr_assert(memcmp(one, other, length) == 0, "seed %d", (int)seed);
    *good += is_kind(one, length, kind);
    *all += 1;
  }
}

Test(mutate, pure_in_its_room_and_parses) {
  static uint8_t bytes[MOST];
  for (size_t k = 0; k < COUNT(shares); k++) {
    char folder[PATH_MAX];
    struct dirent **entry = NULL;
    size_t good = 0, all = 0, files = 0;
    snprintf(folder, sizeof folder, "%s/corpus/%s", getenv("PP_SOURCE"),
             shares[k].folder);
    int n = scandir(folder, &entry, NULL, alphasort);
    cr_assert(n > 0, "%s", folder);
    for (int i = 0; i < n; i++) {
      if (strchr(entry[i]->d_name, '.') > entry[i]->d_name) {
        size_t size = load(shares[k].folder, entry[i]->d_name, bytes);
        bool counts = is_kind(bytes, size, shares[k].kind);
        files += counts;
        if (counts) share_of(bytes, size, shares[k].kind, &good, &all);
      }
      free(entry[i]);
    }
    free(entry);
    cr_log_info("%s: %zu of %zu parse", shares[k].folder, good, all);
    cr_expect(files >= shares[k].files, "%s: %zu files", folder, files);
    cr_expect(100 * good >= shares[k].least * all, "%s: %zu of %zu parse",
              folder, good, all);
  }
}

Test(mutate, any_bytes) {
  static uint8_t bytes[64], result[MOST];
  static const size_t maxima[] = {0, 1, 2, 30, 64, 1000};
  for (uint64_t seed = 0; seed < 3000; seed++) {
    size_t size = seed % (sizeof bytes + 1);
    for (size_t i = 0; i < size; i++)
      bytes[i] =
          seed % 3 == 0 ? (uint8_t)(31 * i + seed) : (uint8_t) "[{,\n5a"[i % 6];
    pp_test_mutate(bytes, size, maxima[seed % COUNT(maxima)], seed, result);
  }
  pp_expect_no_leak();
}

/* Two inputs, a word of each that nothing else makes, and how many crossovers
 * of them must be of their kind, in percent. */
static const struct {
  const char *a, *b, *of_a, *of_b;
  pp_input_kind kind;
  unsigned least;
} crossings[] = {
    {PROBLEM, "id,lower,end,size\np,3,5,777\nq,4,9,777\nr,1,2,777\ns,0,0,777\n",
     "\"size\":8,", "777", PP_INPUT_PROBLEM, 80},
    {"id,lower,end,size,offset\np,3,5,777,0\nq,4,9,777,777\n",
     "id,lower,end,size,offset\np,3,5,555,12345\nq,4,9,555,12345\n", ",777,",
     "12345", PP_INPUT_PROBLEM, 80},
    {ROUTINE,
     "routine s\nnode 7 mine i32 [3]\nnode 8 yours i32 [3] observable\n"
     "for i<3: mine[i] = 5\nfor i<3: yours[i] = mine[i]\nend\n",
     "x[i]", "yours[i]", PP_INPUT_ROUTINE, 80},
    {PROGRAM,
     "routine r\nnode 9 x u8 [2] host\nend\nroot q 0\nlink s q r\nrun s\n",
     "run b", "run s", PP_INPUT_PROGRAM, 80},
    {"one\ntwo\nthree\n", "four\nfive\nsix\n", "one\n", "six\n", PP_INPUT_TEXT,
     80},
    {"\x01\x02\x03\x04", "\x05\x06\x07\x08", "\x01", "\x08", PP_INPUT_BYTES,
     80}};

static size_t cross(const char *a, const char *b, size_t max, uint64_t seed,
                    char *result) {
  uint8_t *out = malloc(max + 1);
  size_t size = pp_crossover((const uint8_t *)a, strlen(a), (const uint8_t *)b,
                             strlen(b), out, max, seed);
  cr_assert(size <= max);
  memcpy(result, out, size);
  result[size] = '\0';
  free(out);
  return size;
}

Test(mutate, crossover) {
  enum { SEEDS = 1000 };
  static char one[ROOM + 1], other[ROOM + 1];
  for (size_t k = 0; k < COUNT(crossings); k++) {
    size_t of_a = 0, of_b = 0, both = 0, good = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      const char *a = crossings[k].a, *b = crossings[k].b;
      size_t size = cross(a, b, ROOM, seed, one);
      cr_assert(size == cross(a, b, ROOM, seed, other));
      cr_assert(memcmp(one, other, size) == 0);
      bool has_a = strstr(one, crossings[k].of_a) != NULL;
      bool has_b = strstr(one, crossings[k].of_b) != NULL;
      of_a += has_a;
      of_b += has_b;
      both += has_a && has_b;
      good += is_kind((const uint8_t *)one, size, crossings[k].kind);
      cross(a, b, seed % 64, seed, other);
    }
    cr_log_info("crossing %zu: %zu %zu %zu, %zu parse", k, of_a, of_b, both,
                good);
    cr_expect(both >= SEEDS / 4, "%zu: both in %zu", k, both);
    cr_expect(crossings[k].kind == PP_INPUT_TEXT ||
                  100 * good >= (size_t)crossings[k].least * SEEDS,
              "%zu: %zu parse", k, good);
  }
  pp_expect_no_leak();
}

/* What the trims below hold fast: a candidate has this word and is smaller than
 * what was kept last, of `least` bytes. */
typedef struct pp_wanted_word {
  const char *word;
  size_t least;
  size_t asked;
  uint8_t text[MOST + 1];
} pp_wanted_word;

static bool holds(pp_wanted_word *wanted, size_t size) {
  wanted->asked++;
  wanted->text[size] = '\0';
  bool kept = size > 0 && size < wanted->least &&
              strstr((const char *)wanted->text, wanted->word);
  if (kept) wanted->least = size;
  return kept;
}

static bool holds_case(void *state, const pp_case *c) {
  pp_wanted_word *wanted = state;
  return holds(wanted, pp_print_case(c, NULL, PP_JSON, wanted->text, MOST));
}

static bool holds_routine(void *state, pp_routine *const *routine, size_t n) {
  pp_wanted_word *wanted = state;
  cr_assert(n == 1);
  return holds(wanted, pp_print_routine(*routine, wanted->text, MOST));
}

static bool holds_program(void *state, const pp_program *program) {
  pp_wanted_word *wanted = state;
  return holds(wanted, pp_print_program(program, wanted->text, MOST));
}

/* What the shrinker itself makes of it, in wanted->text. */
static size_t shrink(pp_input *input, pp_wanted_word *wanted) {
  pp_case c = {.n = 0};
  pp_diag diag = {0};
  size_t one = 1, size = 0;
  if (input->kind == PP_INPUT_PROBLEM) {
    cr_assert(pp_case_from_problem(&c, &input->problem, &diag) == 0);
    pp_shrink(&c, holds_case, wanted, PP_TRIM_QUESTIONS);
    size = pp_print_case(&c, NULL, PP_JSON, wanted->text, MOST);
    pp_case_free(&c);
  } else if (input->kind == PP_INPUT_ROUTINE) {
    pp_routine_shrink(&input->routine, &one, holds_routine, wanted,
                      PP_TRIM_QUESTIONS);
    size = pp_print_routine(input->routine, wanted->text, MOST);
  } else {
    pp_program_shrink(&input->program, holds_program, wanted,
                      PP_TRIM_QUESTIONS);
    size = pp_print_program(&input->program, wanted->text, MOST);
  }
  return size;
}

/* An input, and a word that it is to keep. */
static const struct {
  const char *text, *word;
} trimmed[] = {
    {PROBLEM, "\"size\":21"}, {ROUTINE, "z[i] += "}, {PROGRAM, "download"}};

static size_t trim_all(const uint8_t *bytes, size_t size, const char *word,
                       uint8_t *best) {
  const uint8_t *candidate = NULL;
  pp_wanted_word *wanted = calloc(1, sizeof *wanted);
  pp_trim *trim = pp_trim_new(bytes, size);
  size_t length = 0, least = size, steps = 0;
  wanted->word = word;
  wanted->least = size;
  while ((length = pp_trim_next(trim, &candidate)) > 0) {
    cr_assert(length < least && steps < PP_TRIM_QUESTIONS);
    memcpy(wanted->text, candidate, length);
    bool kept = holds(wanted, length);
    if (kept) memcpy(best, candidate, least = length);
    pp_trim_tell(trim, kept);
    steps++;
  }
  cr_assert(steps > 3);
  pp_trim_free(trim);
  free(wanted);
  return least;
}

Test(mutate, trim_is_what_the_shrinker_does) {
  static uint8_t best[MOST];
  for (size_t k = 0; k < COUNT(trimmed); k++) {
    pp_wanted_word *wanted = calloc(1, sizeof *wanted);
    const uint8_t *bytes = (const uint8_t *)trimmed[k].text;
    size_t size = strlen(trimmed[k].text);
    size_t least = trim_all(bytes, size, trimmed[k].word, best);
    pp_input input;
    pp_input_read(bytes, size, &input);
    wanted->word = trimmed[k].word;
    wanted->least = size;
    size_t wants = shrink(&input, wanted);
    cr_expect(wants == least && memcmp(best, wanted->text, least) == 0,
              "%zu: %zu bytes where the shrinker leaves %zu:\n%.*s", k, least,
              wants, (int)least, (const char *)best);
    cr_expect(4 * least < 3 * size, "%zu: %zu of %zu bytes", k, least, size);
    pp_input_free(&input);
    free(wanted);
  }
  pp_expect_no_leak();
}

/* Lines, or bytes where there are none. */
Test(mutate, trim_of_anything) {
  static uint8_t best[MOST];
  static const char lines[] = "a\nb\nc\nd\ne\nwanted\nf\ng\nh\ni\n";
  static const char bytes[] = "aaaaaaaaaaaaaaaaaaaXaaaaaaaaaaaa";
  size_t least =
      trim_all((const uint8_t *)lines, strlen(lines), "wanted", best);
  cr_expect(least == 7, "%zu", least);
  least = trim_all((const uint8_t *)bytes, strlen(bytes), "X", best);
  cr_expect(least < 4, "%zu", least);
  pp_expect_no_leak();
}
