/* poolproof: numbers as text. */
#ifndef PP_NUMBER_H
#define PP_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal digits and nothing else, up to 2^64 - 1. NULL, or what is wrong
 * with text in a few words ("is negative"); *value is then unchanged. */
const char *pp_parse_u64(const char *text, uint64_t *value);

/* The same with an optional K, M or G (times 1024, 1024^2, 1024^3; either
 * case) behind the digits, or the word "unlimited" (2^64 - 1). */
const char *pp_parse_bytes(const char *text, uint64_t *value);

/* "1.37 MiB": bytes for people, in out (at least 16 bytes). Returns out. */
const char *pp_human_bytes(uint64_t bytes, char *out, size_t size);

/* What follows a count's noun: "" for 1, else "s". */
const char *pp_plural(uint64_t count);

/* value as "12,345,678" in text (at least 28 bytes). Returns text. */
const char *pp_grouped(uint64_t value, char *text, size_t size);

#endif
