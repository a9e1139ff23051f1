#include "formats/xla.h"

#include "number.h"

#include <ctype.h>
#include <string.h>

enum { PP_NESTING = 1000 }; /* brackets inside what is not kept */

typedef struct pp_text_reader {
  const pp_bytes *bytes;
  size_t at;
  size_t line;
  pp_xla *xla;
  pp_diag *diag;
} pp_text_reader;

static int wrong(const pp_text_reader *reader, const char *what) {
  return pp_diag_fail(reader->diag, PP_EXIT_INPUT,
                      "%s: line %zu: %s; an HloProto as text is wanted",
                      reader->bytes->name, reader->line, what);
}

/* The byte at hand, or -1 at the end. */
static int here(const pp_text_reader *reader) {
  return reader->at < reader->bytes->size ? reader->bytes->at[reader->at] : -1;
}

/* The next byte that is no blank and in no comment, or -1. */
static int peek(pp_text_reader *reader) {
  bool comment = false;
  for (int byte = here(reader); byte >= 0; byte = here(reader)) {
    if (byte == '#') comment = true;
    if (byte == '\n') {
      comment = false;
      reader->line++;
    } else if (!comment && (byte == '\0' || !strchr(" \t\r\f\v", byte))) {
      return byte;
    }
    reader->at++;
  }
  return -1;
}

static bool take(pp_text_reader *reader, int byte) {
  if (peek(reader) != byte) return false;
  reader->at++;
  return true;
}

static bool in_word(int byte) {
  return byte >= 0 && (isalnum(byte) || byte == '_' || byte == '.');
}

/* A word, empty when there is none. */
static size_t word(pp_text_reader *reader, const char **text) {
  peek(reader);
  size_t start = reader->at;
  while (in_word(here(reader)) ||
         (reader->at > start && (here(reader) == '+' || here(reader) == '-')))
    reader->at++;
  *text = (const char *)reader->bytes->at + start;
  return reader->at - start;
}

static int skip_string(pp_text_reader *reader) {
  int quote = here(reader);
  for (reader->at++; here(reader) != quote; reader->at++) {
    if (here(reader) == '\\') reader->at++;
    if (here(reader) < 0 || here(reader) == '\n')
      return wrong(reader, "a string is never closed");
  }
  reader->at++;
  return 0;
}

/* One scalar, or strings side by side, which are one. */
static int skip_scalar(pp_text_reader *reader) {
  const char *text = NULL;
  int byte = peek(reader);
  if (byte != '"' && byte != '\'') {
    take(reader, '-');
    if (word(reader, &text) == 0) return wrong(reader, "no value");
    return 0;
  }
  while (byte == '"' || byte == '\'') {
    if (skip_string(reader) != 0) return reader->diag->code;
    byte = peek(reader);
  }
  return 0;
}

static char closer_of(int byte) {
  return (char)(byte == '{' ? '}' : byte == '<' ? '>' : ']');
}

/* The bracket at hand, whatever is in it, and what closes it. */
static int skip_brackets(pp_text_reader *reader) {
  char closers[PP_NESTING] = {closer_of(here(reader))};
  size_t depth = 1;
  reader->at++;
  while (depth > 0) {
    int byte = peek(reader);
    if (byte < 0) return wrong(reader, "a bracket is never closed");
    if (byte == '"' || byte == '\'') {
      if (skip_string(reader) != 0) return reader->diag->code;
      continue;
    }
    reader->at++;
    if (byte == '{' || byte == '<' || byte == '[') {
      if (depth == PP_NESTING) return wrong(reader, "too many brackets inside");
      closers[depth++] = closer_of(byte);
    } else if (byte == '}' || byte == '>' || byte == ']') {
      if (closers[--depth] != byte) return wrong(reader, "the wrong bracket");
    }
  }
  return 0;
}

static int skip_value(pp_text_reader *reader) {
  int byte = peek(reader);
  return byte == '{' || byte == '<' || byte == '[' ? skip_brackets(reader)
                                                   : skip_scalar(reader);
}

static bool hexadecimal(const char *text, uint64_t *value) {
  uint64_t sum = 0;
  if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X')) return false;
  if (text[2] == '\0' || strlen(text) > 18) return false;
  for (text += 2; isxdigit((unsigned char)*text); text++) {
    int digit = tolower((unsigned char)*text);
    sum =
        sum << 4 | (uint64_t)(isdigit(digit) ? digit - '0' : digit - 'a' + 10);
  }
  *value = sum;
  return *text == '\0';
}

static bool kind_named(const char *text, uint64_t *value) {
  static const char *const kinds[] = {"ALLOC", "FREE", "SHARE_WITH"};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    if (strcmp(kinds[k], text) != 0) continue;
    *value = k;
    return true;
  }
  return false;
}

static int read_number(pp_text_reader *reader, const pp_xla_field *field,
                       uint64_t *value) {
  bool minus = take(reader, '-');
  const char *at = NULL;
  size_t length = word(reader, &at);
  char text[24] = "";
  char what[120];
  if (length < sizeof text) memcpy(text, at, length);
  bool kind = field->in == PP_XLA_EVENT && field->number == 1;
  bool octal = text[0] == '0' && isdigit((unsigned char)text[1]);
  bool good = (!octal && !pp_parse_u64(text, value)) ||
              hexadecimal(text, value) ||
              (kind && !minus && kind_named(text, value));
  if (good && minus && *value > 0) *value = UINT64_MAX - (*value - 1);
  if (good) return 0;
  snprintf(what, sizeof what, "%s is %s\"%.*s\", no whole number", field->name,
           minus ? "-" : "", (int)(length < 40 ? length : 40), at);
  return wrong(reader, what);
}

static int read_message(pp_text_reader *reader, int closer,
                        pp_xla_message message, size_t parent);

/* A message in brackets. */
static int read_inner(pp_text_reader *reader, pp_xla_message in,
                      const pp_xla_field *field) {
  char what[80];
  int byte = peek(reader);
  if (take(reader, '{') || take(reader, '<'))
    return read_message(reader, closer_of(byte), field->holds,
                        reader->xla->list[in].n);
  snprintf(what, sizeof what, "%s is no message in brackets", field->name);
  return wrong(reader, what);
}

/* [a, b] is short for a field that comes twice. */
static int read_list(pp_text_reader *reader, pp_xla_message in,
                     const pp_xla_field *field) {
  if (take(reader, ']')) return 0;
  do {
    if (read_inner(reader, in, field) != 0) return reader->diag->code;
  } while (take(reader, ','));
  return take(reader, ']') ? 0 : wrong(reader, "a list is never closed");
}

static int read_field(pp_text_reader *reader, pp_xla_message in,
                      pp_xla_record *record) {
  const char *name = NULL;
  const pp_xla_field *field = NULL;
  int status = 0;
  if (peek(reader) == '[') {
    status = skip_brackets(reader);
  } else {
    size_t length = word(reader, &name);
    if (length == 0) return wrong(reader, "no name of a field");
    field = pp_xla_named(in, name, length);
  }
  bool colon = take(reader, ':');
  int byte = peek(reader);
  if (status == 0 && !colon && byte != '{' && byte != '<')
    return wrong(reader, "no \":\" behind a name");
  if (status == 0 && !field)
    status = skip_value(reader);
  else if (status == 0 && field->holds == PP_XLA_NUMBER)
    status = read_number(reader, field, &record->value[field->slot]);
  else if (status == 0 && take(reader, '['))
    status = read_list(reader, in, field);
  else if (status == 0)
    status = read_inner(reader, in, field);
  if (status == 0 && !take(reader, ',')) take(reader, ';');
  return status;
}

/* Fields up to closer, or to the end of the text when that is -1. */
static int read_message(pp_text_reader *reader, int closer,
                        pp_xla_message message, size_t parent) {
  pp_xla_record record = {.parent = parent};
  for (int byte = peek(reader); byte != closer; byte = peek(reader)) {
    if (byte < 0) return wrong(reader, "a message is never closed");
    if (read_field(reader, message, &record) != 0) return reader->diag->code;
  }
  if (closer >= 0) reader->at++;
  return pp_xla_add(reader->xla, message, &record, reader->diag);
}

int pp_xla_text(const pp_bytes *bytes, pp_xla *xla, pp_diag *diag) {
  pp_text_reader reader = {.bytes = bytes, .line = 1, .xla = xla, .diag = diag};
  return read_message(&reader, -1, PP_XLA_HLO, 0);
}
