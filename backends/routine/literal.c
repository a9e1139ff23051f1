#include "internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t pp_element_bits(const void *data, pp_dtype dtype, uint64_t i) {
  const char *at = (const char *)data + i * pp_dtype_bytes(dtype);
  uint8_t narrow = 0;
  uint32_t middle = 0;
  uint64_t wide = 0;
  switch (pp_dtype_bytes(dtype)) {
  case sizeof narrow:
    memcpy(&narrow, at, sizeof narrow);
    return narrow;
  case sizeof middle:
    memcpy(&middle, at, sizeof middle);
    return middle;
  default:
    memcpy(&wide, at, sizeof wide);
    return wide;
  }
}

void pp_element_set(void *data, pp_dtype dtype, uint64_t i, uint64_t bits) {
  char *at = (char *)data + i * pp_dtype_bytes(dtype);
  uint8_t narrow = (uint8_t)bits;
  uint32_t middle = (uint32_t)bits;
  switch (pp_dtype_bytes(dtype)) {
  case sizeof narrow:
    memcpy(at, &narrow, sizeof narrow);
    return;
  case sizeof middle:
    memcpy(at, &middle, sizeof middle);
    return;
  default:
    memcpy(at, &bits, sizeof bits);
    return;
  }
}

/* The lowest `bytes` bytes of value. */
static uint64_t low_bytes(uint64_t value, size_t bytes) {
  return bytes < sizeof value ? value & ((UINT64_C(1) << (8 * bytes)) - 1)
                              : value;
}

static uint64_t sign_bit(const pp_dtype_info *info) {
  return UINT64_C(1) << (8 * info->bytes - 1);
}

/* 0 - value modulo 2^64, without a wrap. */
static uint64_t negated(uint64_t value) {
  return value == 0 ? 0 : UINT64_MAX - value + 1;
}

static const char *read_whole(const pp_dtype_info *info, bool negative,
                              const char *text, size_t length, uint64_t *bits) {
  uint64_t most = low_bytes(UINT64_MAX, info->bytes);
  if (info->is_signed) most = sign_bit(info) - 1;
  if (negative) most = info->is_signed ? most + 1 : 0;
  uint64_t value = 0;
  for (size_t k = 0; k < length; k++) {
    if (text[k] < '0' || text[k] > '9')
      return "is not a whole number, which an integer dtype needs";
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, (unsigned)(text[k] - '0'), &value) ||
        value > most)
      return "is out of the range of its dtype";
  }
  *bits = low_bytes(negative ? negated(value) : value, info->bytes);
  return NULL;
}

static uint64_t float_bits(double value, const pp_dtype_info *info) {
  float narrow = (float)value;
  uint32_t middle = 0;
  uint64_t wide = 0;
  memcpy(&middle, &narrow, sizeof middle);
  memcpy(&wide, &value, sizeof wide);
  return info->bytes == sizeof middle ? middle : wide;
}

static double float_value(uint64_t bits, const pp_dtype_info *info) {
  uint32_t middle = (uint32_t)bits;
  float narrow = 0;
  double wide = 0;
  memcpy(&narrow, &middle, sizeof narrow);
  memcpy(&wide, &bits, sizeof wide);
  return info->bytes == sizeof narrow ? (double)narrow : wide;
}

/* The value that is nearest to the text in the dtype. */
static double nearest(const char *text, char **end, const pp_dtype_info *info) {
  if (info->bytes == sizeof(float)) return (double)strtof(text, end);
  return strtod(text, end);
}

static const char *read_float(const pp_dtype_info *info, bool negative,
                              const char *text, size_t length, uint64_t *bits) {
  enum { MOST = 128 };
  char copy[MOST];
  if (length >= sizeof copy) return "is longer than 127 characters";
  memcpy(copy, text, length);
  copy[length] = '\0';
  char *end = NULL;
  double value = nearest(copy, &end, info);
  if (end != copy + length) return "is not a number";
  if (isinf(value)) return "is out of the range of its dtype";
  *bits = float_bits(value, info) | (negative ? sign_bit(info) : 0);
  return NULL;
}

static uint64_t usual_nan(const pp_dtype_info *info) {
  return info->bytes == sizeof(float) ? UINT64_C(0x7fc00000)
                                      : UINT64_C(0x7ff8000000000000);
}

static bool same_text(const char *text, size_t length, const char *word) {
  return length == strlen(word) && memcmp(text, word, length) == 0;
}

const char *pp_literal_read(pp_dtype dtype, bool negative, const char *text,
                            size_t length, uint64_t *bits) {
  const pp_dtype_info *info = pp_dtype_look(dtype);
  uint64_t sign = negative && info->is_float ? sign_bit(info) : 0;
  if (!info->is_float) return read_whole(info, negative, text, length, bits);
  if (same_text(text, length, "inf"))
    *bits = float_bits((double)INFINITY, info) | sign;
  else if (same_text(text, length, "nan"))
    *bits = usual_nan(info) | sign;
  else
    return read_float(info, negative, text, length, bits);
  return NULL;
}

const char *pp_nan_read(pp_dtype dtype, bool negative, const char *text,
                        size_t length, uint64_t *bits) {
  const pp_dtype_info *info = pp_dtype_look(dtype);
  uint64_t value = 0;
  if (!info->is_float) return "is for floats";
  if (length < 3 || text[0] != '0' || (text[1] | 0x20) != 'x' ||
      length > 2 + 2 * info->bytes)
    return "is not 0x and a bit pattern of the dtype";
  for (size_t k = 2; k < length; k++) {
    unsigned char lower = (unsigned char)(text[k] | 0x20);
    bool digit = text[k] >= '0' && text[k] <= '9';
    if (!digit && (lower < 'a' || lower > 'f'))
      return "is not 0x and a bit pattern of the dtype";
    unsigned nibble = digit ? (unsigned)(text[k] - '0') : lower - 'a' + 10U;
    value = value << 4 | nibble;
  }
  if (!isnan(float_value(value, info))) return "is not a NaN's bit pattern";
  *bits = value ^ (negative ? sign_bit(info) : 0);
  return NULL;
}

static void write_whole(const pp_dtype_info *info, uint64_t bits, char *text) {
  bool negative = info->is_signed && (bits & sign_bit(info)) != 0;
  uint64_t size = negative ? low_bytes(negated(bits), info->bytes) : bits;
  (void)snprintf(text, PP_LITERAL, "%s%" PRIu64, negative ? "-" : "", size);
}

/* Six digits where they say it all, otherwise the exact value. */
static void write_float(const pp_dtype_info *info, uint64_t bits, char *text) {
  double value = float_value(bits, info);
  (void)snprintf(text, PP_LITERAL, "%.6g", value);
  if (!isinf(value) && float_bits(nearest(text, NULL, info), info) != bits)
    (void)snprintf(text, PP_LITERAL, "%a", value);
}

void pp_literal_write(pp_dtype dtype, uint64_t bits, char *text) {
  const pp_dtype_info *info = pp_dtype_look(dtype);
  if (!info->is_float)
    write_whole(info, bits, text);
  else if (!isnan(float_value(bits, info)))
    write_float(info, bits, text);
  else if (bits == usual_nan(info))
    (void)snprintf(text, PP_LITERAL, "nan");
  else
    (void)snprintf(text, PP_LITERAL, "nan(0x%" PRIx64 ")", bits);
}
