#include "number.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Reads digits; *text is moved past them. */
static const char *digits(const char **text, uint64_t *value) {
  const char *at = *text;
  uint64_t sum = 0;
  if (*at == '-') return "is negative";
  if (!isdigit((unsigned char)*at))
    return *at == '\0' ? "is empty" : "is not a whole number";
  for (; isdigit((unsigned char)*at); at++) {
    unsigned digit = (unsigned)(*at - '0');
    if (__builtin_mul_overflow(sum, 10, &sum) ||
        __builtin_add_overflow(sum, digit, &sum))
      return "is above 2^64 - 1";
  }
  *text = at;
  *value = sum;
  return NULL;
}

static const char *not_whole(const char *rest) {
  return *rest == '.' ? "is a fraction" : "is not a whole number";
}

const char *pp_parse_u64(const char *text, uint64_t *value) {
  uint64_t number = 0;
  const char *wrong = digits(&text, &number);
  if (wrong) return wrong;
  if (*text != '\0') return not_whole(text);
  *value = number;
  return NULL;
}

const char *pp_parse_bytes(const char *text, uint64_t *value) {
  static const char suffixes[] = "KMG";
  if (strcasecmp(text, "unlimited") == 0) {
    *value = UINT64_MAX;
    return NULL;
  }
  uint64_t number = 0;
  const char *wrong = digits(&text, &number);
  if (wrong) return wrong;
  if (*text != '\0') {
    const char *suffix = strchr(suffixes, toupper((unsigned char)*text));
    if (!suffix || text[1] != '\0') return not_whole(text);
    uint64_t unit = UINT64_C(1) << (10 * (suffix - suffixes + 1));
    if (__builtin_mul_overflow(number, unit, &number))
      return "is above 2^64 - 1";
  }
  *value = number;
  return NULL;
}

const char *pp_human_bytes(uint64_t bytes, char *out, size_t size) {
  static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) {
    snprintf(out, size, "%" PRIu64 " B", bytes);
    return out;
  }
  double value = (double)bytes / 1024;
  size_t unit = 0;
  for (; value >= 1024 && unit < 5; unit++)
    value /= 1024;
  snprintf(out, size, "%.2f %s", value, units[unit]);
  return out;
}

const char *pp_plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

const char *pp_grouped(uint64_t value, char *text, size_t size) {
  char plain[24];
  int length = snprintf(plain, sizeof plain, "%" PRIu64, value);
  size_t at = 0;
  for (int i = 0; i < length && at + 2 < size; i++) {
    if (i > 0 && (length - i) % 3 == 0) text[at++] = ',';
    text[at++] = plain[i];
  }
  text[at] = '\0';
  return text;
}
