#include "wire_parts.h"

#include "output.h"

#include <nettle/sha2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const pp_wire_intents[PP_INTENTS] = {"observable", "constant",
                                                 "host", "merge"};
const char *const pp_wire_accesses[PP_ACCESSES] = {"read", "write", "fill"};
const char *const pp_wire_violations[PP_WRONG_SIZE + 1] = {
    "valid",           "no_such_segment", "misaligned", "past_end",
    "segment_too_big", "shared_bytes",    "wrong_size"};
const char *const pp_wire_dtypes[PP_DTYPE_COUNT] = {
#define PP_DTYPE_WORD(NAME, name, type, kind) #name,
    PP_DTYPES(PP_DTYPE_WORD)
#undef PP_DTYPE_WORD
};

/* Room for `more` bytes and the terminator. */
static bool reserve(pp_text *text, size_t more) {
  if (text->failed) return false;
  if (more < text->room - text->size) return true;
  size_t room = 0;
  text->failed = true;
  if (more >= SIZE_MAX / 4 || text->size >= SIZE_MAX / 4) return false;
  room = text->size + more + 1;
  room = room < 256 ? 256 : room + room / 2;
  char *at = realloc(text->at, room);
  if (!at) return false;
  text->at = at;
  text->room = room;
  text->failed = false;
  return true;
}

void pp_text_put(pp_text *text, const char *bytes, size_t size) {
  if (!reserve(text, size)) return;
  if (size > 0) memcpy(text->at + text->size, bytes, size);
  text->size += size;
  text->at[text->size] = '\0';
}

void pp_text_print(pp_text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *printed = NULL;
  int size = vasprintf(&printed, format, list);
  va_end(list);
  if (size < 0) {
    text->failed = true;
    return;
  }
  pp_text_put(text, printed, (size_t)size);
  free(printed);
}

void pp_text_free(pp_text *text) {
  free(text->at);
  *text = (pp_text){0};
}

void pp_text_sha256(const pp_text *text, char hex[PP_SHA_HEX]) {
  struct sha256_ctx hash;
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_init(&hash);
  sha256_update(&hash, text->size, (const uint8_t *)text->at);
  sha256_digest(&hash, sizeof digest, digest);
  for (size_t k = 0; k < sizeof digest; k++)
    (void)snprintf(hex + 2 * k, 3, "%02x", digest[k]);
}

int pp_text_save(const pp_text *text, const char *path, pp_diag *diag) {
  pp_output output;
  if (text->failed) return pp_fail_memory(diag);
  int status = pp_output_open(&output, path, diag);
  if (status != 0) return status;
  if (fwrite(text->at, 1, text->size, output.stream) != text->size)
    status = pp_fail_write(output.stream, diag);
  return pp_output_end(&output, status, diag);
}

void pp_text_word(pp_text *text, const char *word) {
  pp_text_put(text, word, strlen(word));
}

void pp_text_number(pp_text *text, uint64_t number) {
  char digits[24];
  bool quoted = number > UINT64_C(1) << 53;
  size_t at = sizeof digits;
  if (quoted) digits[--at] = '"';
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  if (quoted) digits[--at] = '"';
  pp_text_put(text, digits + at, sizeof digits - at);
}

void pp_text_pair(pp_text *text, const char *before, uint64_t number) {
  pp_text_word(text, before);
  pp_text_number(text, number);
}

void pp_text_numbers(pp_text *text, const uint64_t *number, size_t n) {
  pp_text_word(text, "[");
  for (size_t i = 0; i < n; i++)
    pp_text_pair(text, i > 0 ? "," : "", number[i]);
  pp_text_word(text, "]");
}

/* How many bytes follow a character's first byte; 0: it is no first byte of
 * several. */
static size_t trailing(unsigned char first) {
  if (first >= 0xc2 && first <= 0xdf) return 1;
  if (first >= 0xe0 && first <= 0xef) return 2;
  return first >= 0xf0 && first <= 0xf4 ? 3 : 0;
}

/* How many bytes the character at `at` has, as Unicode's table 3-7 has it; 0:
 * it is none. */
static size_t character(const unsigned char *at) {
  size_t more = trailing(at[0]);
  unsigned char least = 0x80;
  unsigned char most = 0xbf;
  if (at[0] < 0x80) return 1;
  if (more == 0) return 0;
  if (at[0] == 0xe0) least = 0xa0;
  if (at[0] == 0xed) most = 0x9f;
  if (at[0] == 0xf0) least = 0x90;
  if (at[0] == 0xf4) most = 0x8f;
  if (at[1] < least || at[1] > most) return 0;
  for (size_t k = 2; k <= more; k++)
    if (at[k] < 0x80 || at[k] > 0xbf) return 0;
  return more + 1;
}

void pp_text_string(pp_text *text, const char *string) {
  const unsigned char *at = (const unsigned char *)string;
  pp_text_word(text, "\"");
  while (*at != '\0') {
    size_t size = character(at);
    if (*at == '"' || *at == '\\') {
      pp_text_word(text, "\\");
      pp_text_put(text, (const char *)at, 1);
    } else if (*at < 0x20) {
      pp_text_print(text, "\\u%04x", (unsigned)*at);
    } else if (size == 0) {
      pp_text_word(text, "\xef\xbf\xbd");
    } else {
      pp_text_put(text, (const char *)at, size);
    }
    at += size > 0 ? size : 1;
  }
  pp_text_word(text, "\"");
}
