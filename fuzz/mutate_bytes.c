#include "mutate_plain.h"

#include <stdlib.h>
#include <string.h>

size_t pp_replace_bytes(uint8_t *buf, size_t size, size_t max, size_t at,
                        size_t length, const uint8_t *with, size_t n) {
  if (n > max - (size - length)) return size;
  uint8_t *copy = malloc(n + 1);
  if (!copy) return size;
  if (n > 0) memcpy(copy, with, n);
  memmove(buf + at + n, buf + at + length, size - at - length);
  if (n > 0) memcpy(buf + at, copy, n);
  free(copy);
  return size - length + n;
}

static size_t insert_word(uint8_t *buf, size_t size, size_t max,
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
  size_t at = (size_t)pp_random_below(random, (uint64_t)size + 1);
  return pp_replace_bytes(buf, size, max, at, 0, (const uint8_t *)word,
                          strlen(word));
}

/* Some bytes from `at` on, at most `most` of them. */
static size_t run_length(size_t size, size_t at, uint64_t most,
                         pp_random *random) {
  size_t length = 1 + (size_t)pp_random_below(random, most);
  return length < size - at ? length : size - at;
}

size_t pp_edit_bytes(uint8_t *buf, size_t size, size_t max, pp_random *random) {
  enum { REMOVED = 8, REPEATED = 32 };
  if (size == 0) return insert_word(buf, size, max, random);
  size_t at = (size_t)pp_random_below(random, size);
  switch (pp_random_below(random, 6)) {
  case 0:
    return insert_word(buf, size, max, random);
  case 1:
    return pp_replace_bytes(buf, size, max, at,
                            run_length(size, at, REMOVED, random), NULL, 0);
  case 2:
    return pp_replace_bytes(buf, size, max, at, 0, buf + at,
                            run_length(size, at, REPEATED, random));
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
