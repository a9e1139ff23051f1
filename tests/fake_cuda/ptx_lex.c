/* poolproof: tokens of PTX, and what is wrong with them.
 * SPDX-License-Identifier: MIT */
#include "ptx_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *fake_append(fake_array *array, size_t bytes) {
  if (array->count == array->room) {
    const size_t room = array->room == 0 ? 16 : 2 * array->room;
    void *item = realloc(array->item, room * bytes);
    if (item == NULL) return NULL;
    array->item = item;
    array->room = room;
  }
  return (char *)array->item + array->count++ * bytes;
}

static const char *line_start(const fake_parser *parser, const char *at) {
  while (at > parser->text && at[-1] != '\n')
    at--;
  return at;
}

/* The first error is the one that is told. */
bool fake_refuse_at(fake_parser *parser, fake_token token, const char *what) {
  const char *from = line_start(parser, token.at);
  from += strspn(from, " \t");
  if (parser->log[0] == 0)
    (void)snprintf(parser->log, parser->log_bytes, "line %u: %s: %.*s",
                   token.line, what, (int)strcspn(from, "\n"), from);
  return false;
}

bool fake_refuse(fake_parser *parser, const char *what) {
  return fake_refuse_at(parser, parser->now, what);
}

bool fake_no_memory(fake_parser *parser) {
  parser->log_bytes = 0;
  return false;
}

static bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' || c == '%';
}

static void skip_block(fake_parser *parser) {
  const char *end = strstr(parser->at + 2, "*/");
  end = end == NULL ? parser->at + strlen(parser->at) : end + 2;
  for (; parser->at < end; parser->at++)
    if (*parser->at == '\n') parser->line++;
}

static void skip_space(fake_parser *parser) {
  for (;;) {
    const char c = *parser->at;
    if (c == '/' && parser->at[1] == '/')
      parser->at += strcspn(parser->at, "\n");
    else if (c == '/' && parser->at[1] == '*')
      skip_block(parser);
    else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (c == '\n') parser->line++;
      parser->at++;
    } else
      return;
  }
}

void fake_next(fake_parser *parser) {
  size_t length = 0;
  skip_space(parser);
  if (*parser->at == '"') {
    length = 1 + strcspn(parser->at + 1, "\"\n");
    if (parser->at[length] == '"') length++;
  } else {
    while (in_word(parser->at[length]))
      length++;
    if (length == 0 && *parser->at != 0) length = 1;
  }
  parser->now = (fake_token){parser->at, length, parser->line};
  parser->at += length;
}

bool fake_token_is(fake_token token, const char *text) {
  return strlen(text) == token.length &&
         strncmp(token.at, text, token.length) == 0;
}

bool fake_same(fake_token a, fake_token b) {
  return a.length == b.length && strncmp(a.at, b.at, a.length) == 0;
}

bool fake_is(const fake_parser *parser, const char *text) {
  return fake_token_is(parser->now, text);
}

bool fake_accept(fake_parser *parser, const char *text) {
  if (!fake_is(parser, text)) return false;
  fake_next(parser);
  return true;
}

bool fake_expect(fake_parser *parser, const char *text) {
  char what[FAKE_NAME];
  if (fake_accept(parser, text)) return true;
  (void)snprintf(what, sizeof what, "%s was expected", text);
  return fake_refuse(parser, what);
}

bool fake_is_word(const fake_parser *parser) {
  return parser->now.length > 0 && in_word(*parser->now.at);
}

static unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
  return 16;
}

/* Base 16 after 0x, 2 after 0b, 8 after 0, else 10; perhaps a U behind. */
bool fake_number(fake_parser *parser, uint64_t *number) {
  const char *at = parser->now.at;
  const char *end = at + parser->now.length;
  unsigned base = 10;
  if (parser->now.length == 0 || *at < '0' || *at > '9')
    return fake_refuse(parser, "a number was expected");
  if (end - at > 1 && end[-1] == 'U') end--;
  if (*at == '0' && end - at > 1) {
    base = at[1] == 'x' || at[1] == 'X'   ? 16
           : at[1] == 'b' || at[1] == 'B' ? 2
                                          : 8;
    at += base == 8 ? 1 : 2;
  }
  if (at == end) return fake_refuse(parser, "no digits");
  for (*number = 0; at < end; at++) {
    const unsigned digit = digit_of(*at);
    if (digit >= base) return fake_refuse(parser, "no number that is known");
    if (__builtin_mul_overflow(*number, base, number) ||
        __builtin_add_overflow(*number, digit, number))
      return fake_refuse(parser, "the number is too large");
  }
  fake_next(parser);
  return true;
}
