#include "formats/parts.h"
#include "output.h"

#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PP_TFLM_VERSION, PP_TFLM_SUBGRAPHS, PP_TFLM_COUNT, PP_TFLM_HEAD };

/* The words one after the other. */
typedef struct pp_words {
  int32_t *word; /* owned */
  size_t n;
} pp_words;

static int read_binary(const pp_bytes *bytes, pp_words *words, pp_diag *diag) {
  words->n = bytes->size / 4;
  words->word = calloc(words->n + 1, sizeof *words->word);
  if (!words->word) return pp_fail_memory(diag);
  if (bytes->size % 4 != 0)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %zu bytes are no whole number of 32-bit words",
                        bytes->name, bytes->size);
  for (size_t k = 0; k < words->n; k++) {
    uint32_t little = 0;
    memcpy(&little, bytes->at + 4 * k, sizeof little);
    little = le32toh(little);
    memcpy(&words->word[k], &little, sizeof little);
  }
  return 0;
}

/* Decimal digits up to end, perhaps with a minus before them, as 32 bits. */
static bool parse_word(const unsigned char *at, const unsigned char *end,
                       int32_t *word) {
  bool minus = at < end && *at == '-';
  int64_t value = 0;
  if (minus) at++;
  if (at == end) return false;
  for (; at < end; at++) {
    if (*at < '0' || *at > '9') return false;
    value = 10 * value + (*at - '0');
    if (value > INT64_C(1) + INT32_MAX) return false;
  }
  if (minus) value = -value;
  if (value > INT32_MAX) return false;
  *word = (int32_t)value;
  return true;
}

static bool between(unsigned char byte) {
  return byte == ' ' || byte == ',' || (byte >= '\t' && byte <= '\r');
}

static int read_text(const pp_bytes *bytes, pp_words *words, pp_diag *diag) {
  const unsigned char *at = bytes->at;
  const unsigned char *last = at + bytes->size;
  size_t line = 1;
  words->word = calloc(bytes->size / 2 + 1, sizeof *words->word);
  if (!words->word) return pp_fail_memory(diag);
  while (at < last) {
    const unsigned char *end = at;
    while (end < last && !between(*end))
      end++;
    if (end == at) {
      if (*at++ == '\n') line++;
      continue;
    }
    if (!parse_word(at, end, &words->word[words->n++]))
      return pp_diag_fail(diag, PP_EXIT_INPUT,
                          "%s: line %zu: \"%.*s\" is no whole number from "
                          "-2^31 to 2^31 - 1",
                          bytes->name, line,
                          (int)(end - at > 40 ? 40 : end - at),
                          (const char *)at);
    at = end;
  }
  return 0;
}

/* Writers differ on the first two words, and nobody reads them; what is none
 * of what is written is no offline plan. */
static int check_head(const char *name, const pp_words *words, size_t items,
                      pp_diag *diag) {
  if (words->n < PP_TFLM_HEAD)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %zu words; version, subgraphs, the number of "
                        "offsets and those are wanted",
                        name, words->n);
  for (size_t k = PP_TFLM_VERSION; k <= PP_TFLM_SUBGRAPHS; k++)
    if (words->word[k] != 0 && words->word[k] != 1)
      return pp_diag_fail(
          diag, PP_EXIT_INPUT,
          "%s: word %zu, the %s, is %" PRId32 "; 0 or 1 is wanted", name, k,
          k == 0 ? "version" : "subgraphs", words->word[k]);
  int32_t count = words->word[PP_TFLM_COUNT];
  if (count < 0 || (size_t)count != items)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %" PRId32
                        " offsets, but the problem has %zu items",
                        name, count, items);
  if (words->n - PP_TFLM_HEAD < items)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %zu words behind the first three where %zu "
                        "offsets are announced",
                        name, words->n - PP_TFLM_HEAD, items);
  for (size_t k = PP_TFLM_HEAD + items; k < words->n; k++)
    if (words->word[k] != 0)
      return pp_diag_fail(diag, PP_EXIT_INPUT,
                          "%s: word %zu, behind the last offset, is %" PRId32
                          "; padding is 0",
                          name, k, words->word[k]);
  return 0;
}

static int check_offsets(const char *name, const pp_words *words,
                         const pp_problem *problem, pp_diag *diag) {
  size_t left = 0;
  size_t first = 0;
  char text[160];
  for (size_t i = problem->n; i > 0; i--) {
    int32_t offset = words->word[PP_TFLM_HEAD + i - 1];
    if (offset >= 0) continue;
    if (offset == -1) left++;
    first = i - 1;
    if (offset == -1) continue;
    snprintf(text, sizeof text,
             "offset %" PRId32 " is neither -1 nor a place in the arena",
             offset);
    return pp_item_fail(diag, name, problem, first, text);
  }
  if (left == 0) return 0;
  snprintf(text, sizeof text,
           "offset -1 leaves its place to the runtime, as for %zu of the %zu "
           "items; a whole layout is wanted",
           left, problem->n);
  return pp_item_fail(diag, name, problem, first, text);
}

static int place(const char *name, const pp_words *words, pp_import *import,
                 pp_diag *diag) {
  pp_placer placer = {0};
  const pp_problem *problem = &import->problem;
  int status = pp_placer_begin(&placer, problem, &import->layout, diag);
  for (size_t i = 0; status == 0 && i < problem->n; i++)
    status = pp_placer_add(&placer, name, "offsets", problem->ids[i], 0,
                           (uint64_t)words->word[PP_TFLM_HEAD + i], diag);
  import->has_layout = true;
  return pp_placer_end(&placer, status, diag);
}

int pp_import_tflm(const pp_bytes *bytes, bool text, pp_import *import,
                   pp_diag *diag) {
  pp_words words = {0};
  const pp_problem *problem = &import->problem;
  int status =
      text ? read_text(bytes, &words, diag) : read_binary(bytes, &words, diag);
  if (status == 0) status = check_head(bytes->name, &words, problem->n, diag);
  if (status == 0) status = check_offsets(bytes->name, &words, problem, diag);
  if (status == 0) status = place(bytes->name, &words, import, diag);
  free(words.word);
  return status;
}

static bool put_word(FILE *out, bool text, uint32_t word) {
  if (text) return fprintf(out, "%" PRIu32 "\n", word) > 0;
  word = htole32(word);
  return fwrite(&word, sizeof word, 1, out) == 1;
}

static const char *no_offset(const pp_layout *layout, size_t i) {
  if (layout->segment[i] == SIZE_MAX) return "it has no place in the layout";
  if (layout->segment[i] != 0)
    return "it is in another segment than the first; an offline plan has one "
           "arena";
  if (layout->offset[i] > INT32_MAX)
    return "its offset is above 2^31 - 1, what a word of an offline plan "
           "holds";
  return NULL;
}

int pp_export_tflm(FILE *out, const char *name, bool text,
                   const pp_import *import, pp_diag *diag) {
  const pp_problem *problem = &import->problem;
  const pp_layout *layout = &import->layout;
  if (problem->n > INT32_MAX)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: %zu items; an offline plan has at most 2^31 - 1",
                        name, problem->n);
  for (size_t i = 0; i < problem->n; i++) {
    const char *wrong = no_offset(layout, i);
    if (wrong) return pp_item_fail(diag, name, problem, i, wrong);
  }
  bool good = put_word(out, text, 0) && put_word(out, text, 1) &&
              put_word(out, text, (uint32_t)problem->n);
  for (size_t i = 0; good && i < problem->n; i++)
    good = put_word(out, text, (uint32_t)layout->offset[i]);
  return good ? 0 : pp_fail_write(out, diag);
}
