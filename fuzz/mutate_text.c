#include "mutate_plain.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum pp_piece_kind {
  PP_PIECE_BLANK,
  PP_PIECE_NUMBER,
  PP_PIECE_WORD,
  PP_PIECE_SIGN
} pp_piece_kind;

/* Bytes [at, at + length) of the text. */
typedef struct pp_piece {
  size_t at, length;
} pp_piece;

/* The text, and where its edits come from. */
typedef struct pp_draft_text {
  uint8_t *buf;
  size_t size, max;
  pp_random *random;
} pp_draft_text;

static bool is_digit(uint8_t byte) {
  return byte >= '0' && byte <= '9';
}

static bool is_word(uint8_t byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || byte == '_' || byte == '.';
}

static pp_piece_kind kind_of(const pp_draft_text *text, pp_piece piece) {
  uint8_t first = text->buf[piece.at];
  if (is_digit(first)) return PP_PIECE_NUMBER;
  if (is_word(first)) return PP_PIECE_WORD;
  return first <= ' ' ? PP_PIECE_BLANK : PP_PIECE_SIGN;
}

/* The token around a byte: a word or number, or one sign or blank. */
static pp_piece token_at(const pp_draft_text *text, size_t at) {
  size_t end = at + 1;
  if (!is_word(text->buf[at])) return (pp_piece){at, 1};
  while (at > 0 && is_word(text->buf[at - 1]))
    at--;
  while (end < text->size && is_word(text->buf[end]))
    end++;
  return (pp_piece){at, end - at};
}

static size_t any_place(const pp_draft_text *text) {
  return (size_t)pp_random_below(text->random, text->size);
}

/* A token of the kind, if some tries find one, or the first that was tried. */
static pp_piece token_of(const pp_draft_text *text, pp_piece_kind kind) {
  enum { TRIES = 16 };
  pp_piece first = token_at(text, any_place(text));
  pp_piece piece = first;
  for (unsigned k = 0; k < TRIES && kind_of(text, piece) != kind; k++)
    piece = token_at(text, any_place(text));
  return kind_of(text, piece) == kind ? piece : first;
}

static pp_piece line_at(const pp_draft_text *text, size_t at) {
  size_t end = at;
  while (at > 0 && text->buf[at - 1] != '\n')
    at--;
  while (end < text->size && text->buf[end] != '\n')
    end++;
  if (end < text->size) end++;
  return (pp_piece){at, end - at};
}

static uint8_t closing(uint8_t opening) {
  switch (opening) {
  case '{':
    return '}';
  case '[':
    return ']';
  case '(':
    return ')';
  default:
    return 0;
  }
}

/* From an opening bracket behind `at` to its closing one; strings are not
 * looked at. Length 0: there is none. */
static pp_piece group_at(const pp_draft_text *text, size_t at) {
  while (at < text->size && closing(text->buf[at]) == 0)
    at++;
  size_t depth = 0;
  for (size_t end = at; end < text->size; end++) {
    if (text->buf[end] == text->buf[at]) depth++;
    if (text->buf[end] == closing(text->buf[at]) && --depth == 0)
      return (pp_piece){at, end + 1 - at};
  }
  return (pp_piece){at, 0};
}

static void put(pp_draft_text *text, pp_piece old, const void *with, size_t n) {
  text->size = pp_replace_bytes(text->buf, text->size, text->max, old.at,
                                old.length, with, n);
}

static void put_piece(pp_draft_text *text, pp_piece old, pp_piece with) {
  put(text, old, text->buf + with.at, with.length);
}

static void like_another(pp_draft_text *text) {
  pp_piece old = token_of(text, PP_PIECE_WORD);
  if (pp_random_one_in(text->random, 2)) old = token_at(text, any_place(text));
  put_piece(text, old, token_of(text, kind_of(text, old)));
}

static void drop_token(pp_draft_text *text) {
  put(text, token_at(text, any_place(text)), NULL, 0);
}

/* A number of at most 18 digits becomes one more or less. */
static void count_number(pp_draft_text *text, pp_piece old) {
  enum { DIGITS = 18 };
  char digits[DIGITS + 2];
  if (old.length > DIGITS) return;
  memcpy(digits, text->buf + old.at, old.length);
  digits[old.length] = '\0';
  uint64_t value = strtoull(digits, NULL, 10);
  bool more = value == 0 || pp_random_one_in(text->random, 2);
  int n =
      snprintf(digits, sizeof digits, "%" PRIu64, more ? value + 1 : value - 1);
  put(text, old, digits, (size_t)n);
}

static void change_number(pp_draft_text *text) {
  static const char *const numbers[] = {"0",
                                        "1",
                                        "2",
                                        "3",
                                        "7",
                                        "8",
                                        "255",
                                        "256",
                                        "4095",
                                        "4096",
                                        "2147483647",
                                        "2147483648",
                                        "4294967295",
                                        "4294967296",
                                        "9007199254740992",
                                        "9007199254740993",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "-1",
                                        "1.5",
                                        "1e400"};
  pp_piece old = token_of(text, PP_PIECE_NUMBER);
  if (kind_of(text, old) != PP_PIECE_NUMBER) return;
  size_t count = sizeof numbers / sizeof *numbers;
  const char *with = numbers[pp_random_below(text->random, count)];
  if (pp_random_one_in(text->random, 2))
    count_number(text, old);
  else
    put(text, old, with, strlen(with));
}

/* Not the only one. */
static void drop_line(pp_draft_text *text) {
  pp_piece line = line_at(text, any_place(text));
  if (line.length < text->size)
    put(text, line, NULL, 0);
  else
    drop_token(text);
}

static void double_line(pp_draft_text *text) {
  pp_piece line = line_at(text, any_place(text));
  pp_piece before = line_at(text, any_place(text));
  before.length = 0;
  put_piece(text, before, line);
}

/* The later one first: what is before it stays where it is. */
static void swap_lines(pp_draft_text *text) {
  pp_piece a = line_at(text, any_place(text));
  pp_piece b = line_at(text, any_place(text));
  pp_piece first = a.at < b.at ? a : b;
  pp_piece last = a.at < b.at ? b : a;
  uint8_t *copy = malloc(last.length + 1);
  if (!copy) return;
  memcpy(copy, text->buf + last.at, last.length);
  size_t room = text->max - text->size;
  if (first.at < last.at &&
      (first.length <= last.length || first.length - last.length <= room)) {
    put_piece(text, last, first);
    put(text, first, copy, last.length);
  }
  free(copy);
}

/* With the comma that stands behind it, or before it. */
static void drop_group(pp_draft_text *text) {
  pp_piece group = group_at(text, any_place(text));
  size_t end = group.at + group.length;
  if (group.length == 0) return;
  if (end < text->size && text->buf[end] == ',') {
    group.length++;
  } else if (group.at > 0 && text->buf[group.at - 1] == ',') {
    group.at--;
    group.length++;
  }
  put(text, group, NULL, 0);
}

/* Behind itself, after a comma where one stands before or behind it. */
static void double_group(pp_draft_text *text) {
  pp_piece group = group_at(text, any_place(text));
  size_t end = group.at + group.length;
  if (group.length == 0) return;
  bool listed = (group.at > 0 && (text->buf[group.at - 1] == ',' ||
                                  text->buf[group.at - 1] == '[')) ||
                (end < text->size && text->buf[end] == ',');
  size_t before = text->size;
  put_piece(text, (pp_piece){end, 0}, group);
  if (listed && text->size > before) put(text, (pp_piece){end, 0}, ",", 1);
}

static void change_group(pp_draft_text *text) {
  pp_piece group = group_at(text, any_place(text));
  pp_piece other = group_at(text, any_place(text));
  if (group.length > 0 && other.length > 0) put_piece(text, group, other);
}

size_t pp_edit_text(uint8_t *buf, size_t size, size_t max, pp_random *random) {
  typedef void pp_text_edit(pp_draft_text *);
  static pp_text_edit *const edits[] = {
      like_another,  like_another, like_another, change_number, change_number,
      change_number, drop_token,   drop_line,    double_line,   swap_lines,
      drop_group,    double_group, change_group};
  pp_draft_text text = {buf, size, max, random};
  if (size == 0) return pp_edit_bytes(buf, size, max, random);
  edits[pp_random_below(random, sizeof edits / sizeof *edits)](&text);
  return text.size;
}
