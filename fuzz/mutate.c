#include "mutate.h"

#include "case.h"
#include "edit.h"
#include "format.h"
#include "random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t insert_bytes(uint8_t *buf, size_t size, size_t max,
                           pp_random *random) {
  static const char *const words[] = {"0",
                                      "1",
                                      "-1",
                                      "18446744073709551615",
                                      "4294967296",
                                      "\"\"",
                                      "null",
                                      "{}",
                                      "[]",
                                      ",",
                                      "\n",
                                      "\r\n",
                                      "1e9",
                                      "\xef\xbb\xbf",
                                      "\"span\":[0,0]",
                                      "\"\\u0000\"",
                                      "\"cap\":0",
                                      "class,",
                                      "gaps"};
  const char *word =
      words[pp_random_below(random, sizeof words / sizeof *words)];
  size_t length = strlen(word);
  if (length > max - size) return size;
  size_t at = (size_t)pp_random_below(random, (uint64_t)size + 1);
  memmove(buf + at + length, buf + at, size - at);
  memcpy(buf + at, word, length); /* NOLINT: no text, no NUL wanted */
  return size + length;
}

static size_t remove_bytes(uint8_t *buf, size_t size, pp_random *random) {
  size_t at = (size_t)pp_random_below(random, size);
  size_t length = 1 + (size_t)pp_random_below(random, 8);
  if (length > size - at) length = size - at;
  memmove(buf + at, buf + at + length, size - at - length);
  return size - length;
}

static size_t repeat_bytes(uint8_t *buf, size_t size, size_t max,
                           pp_random *random) {
  size_t at = (size_t)pp_random_below(random, size);
  size_t length = 1 + (size_t)pp_random_below(random, 32);
  if (length > size - at) length = size - at;
  if (length > max - size) return size;
  memmove(buf + at + length, buf + at, size - at);
  return size + length;
}

static size_t edit_bytes(uint8_t *buf, size_t size, size_t max,
                         pp_random *random) {
  if (size == 0) return insert_bytes(buf, size, max, random);
  size_t at = (size_t)pp_random_below(random, size);
  switch (pp_random_below(random, 6)) {
  case 0:
    return insert_bytes(buf, size, max, random);
  case 1:
    return remove_bytes(buf, size, random);
  case 2:
    return repeat_bytes(buf, size, max, random);
  case 3:
    buf[at] = (uint8_t)pp_random_below(random, 256);
    return size;
  case 4:
    buf[at] = (uint8_t)('0' + pp_random_below(random, 10));
    return size;
  default:
    buf[at] = buf[at] ^ (uint8_t)(1U << pp_random_below(random, 8));
    return size;
  }
}

static bool print_json(FILE *out, const pp_case *c) {
  pp_problem problem = {0};
  pp_diag diag = {0};
  bool good = pp_case_to_problem(c, &problem, &diag) == 0 &&
              pp_problem_write(out, &problem, &diag) == 0;
  pp_problem_free(&problem);
  return good;
}

/* Inclusive ends: [lo, 2^64 - 1] has no exclusive one. */
static bool print_csv(FILE *out, const pp_case *c, const pp_claim *claim) {
  bool good = fputs("id,lower,end,size,alignment,class", out) >= 0 &&
              fputs(claim ? ",segment,offset\n" : "\n", out) >= 0;
  for (size_t i = 0; good && i < c->n; i++) {
    const pp_item *item = &c->items[i];
    good = fprintf(out, "i%zu,", i) > 0;
    if (good && item->has_span)
      good = fprintf(out, "%" PRIu64 ",%" PRIu64 ",", item->lo, item->hi) > 0;
    else if (good)
      good = fputs(",,", out) >= 0;
    if (good)
      good = fprintf(out, "%" PRIu64 ",%" PRIu64 ",c%" PRIu32, item->size,
                     item->align, item->item_class) > 0;
    if (good && claim)
      good = fprintf(out, ",%zu,%" PRIu64, claim->segment[i],
                     claim->offset[i]) > 0;
    if (good) good = fputc('\n', out) != EOF;
  }
  return good;
}

/* Prints the edited problem into buf if it fits; 0: it does not. */
static size_t print(const pp_editing *editing, pp_format format, uint8_t *buf,
                    size_t max) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return 0;
  bool good = format == PP_JSON
                  ? print_json(out, &editing->c)
                  : print_csv(out, &editing->c,
                              editing->has_claim ? &editing->claim : NULL);
  if (fclose(out) != 0) good = false;
  if (good && size <= max) memcpy(buf, text, size);
  free(text);
  return good && size <= max ? size : 0;
}

/* Reads, edits, prints. 0: the bytes are no problem, or the new one has no
 * room. */
static size_t edit_problem(uint8_t *buf, size_t size, size_t max,
                           pp_random *random) {
  pp_problem problem;
  pp_layout layout = {0};
  pp_diag diag = {0};
  pp_editing editing = {.random = random};
  size_t result = 0;
  if (pp_problem_parse("input", buf, size, &problem, &diag) != 0) return 0;
  bool placed =
      problem.format == PP_CSV &&
      pp_layout_parse("input", buf, size, &problem, &layout, &diag) == 0;
  if (pp_editing_open(&editing, &problem, placed ? &layout : NULL)) {
    for (uint64_t k = 1 + pp_random_below(random, 4); k > 0; k--)
      pp_edit(&editing);
    result = print(&editing, problem.format, buf, max);
  }
  pp_editing_close(&editing);
  pp_layout_free(&layout);
  pp_problem_free(&problem);
  return result;
}

/* A problem out of nothing, JSON or CSV with offsets. 0: it has no room. */
static size_t new_problem(uint8_t *buf, size_t max, pp_random *random) {
  pp_editing editing = {.random = random};
  const pp_problem empty = {.kind = PP_ARENA, .cap = PP_CAP_USUAL};
  uint64_t size = 0;
  const pp_layout none = {.segments = 1, .size = &size};
  bool csv = pp_random_one_in(random, 2);
  size_t result = 0;
  if (pp_editing_open(&editing, &empty, csv ? &none : NULL)) {
    for (uint64_t k = 1 + pp_random_below(random, 4); k > 0; k--)
      pp_edit(&editing);
    result = print(&editing, csv ? PP_CSV : PP_JSON, buf, max);
  }
  pp_editing_close(&editing);
  return result;
}

size_t pp_mutate(uint8_t *buf, size_t size, size_t max, uint64_t seed) {
  pp_random random;
  pp_random_start(&random, seed, size);
  if (max == 0 || size > max) return size < max ? size : max;
  if (!pp_random_one_in(&random, 16)) {
    size_t edited = edit_problem(buf, size, max, &random);
    if (edited == 0 && pp_random_one_in(&random, 4))
      edited = new_problem(buf, max, &random);
    if (edited > 0) return edited;
  }
  for (uint64_t k = 1 + pp_random_below(&random, 4); k > 0; k--)
    size = edit_bytes(buf, size, max, &random);
  return size;
}
