#include "lex.h"

#include "internal.h"

#include <string.h>

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && is_blank(*at))
    at++;
  return at;
}

static const char *name_end(const char *at, const char *end) {
  while (at < end && (pp_is_letter(*at) || pp_is_digit(*at)))
    at++;
  return at;
}

/* Everything that could belong to the number, signs of an exponent included;
 * what it is worth is for the one who reads it. */
static const char *number_end(const char *at, const char *end) {
  bool hex = end - at > 1 && at[0] == '0' && (at[1] | 0x20) == 'x';
  char exponent = hex ? 'p' : 'e';
  for (; at < end; at++) {
    bool sign = (*at == '+' || *at == '-') && (at[-1] | 0x20) == exponent;
    if (!sign && !pp_is_letter(*at) && !pp_is_digit(*at) && *at != '.') break;
  }
  return at;
}

static bool line_ends(const char *at, const char *end) {
  return at == end || *at == '\n' || *at == '#';
}

void pp_lexer_next(pp_lexer *lexer) {
  const char *at = skip_blanks(lexer->rest, lexer->end);
  const char *end = at;
  pp_token_kind kind = PP_TOKEN_SIGN;
  if (line_ends(at, lexer->end)) {
    kind = PP_TOKEN_LINE_END;
  } else if (pp_is_letter(*at)) {
    kind = PP_TOKEN_NAME;
    end = name_end(at, lexer->end);
  } else if (pp_is_digit(*at) ||
             (*at == '.' && lexer->end - at > 1 && pp_is_digit(at[1]))) {
    kind = PP_TOKEN_NUMBER;
    end = number_end(at, lexer->end);
  } else {
    bool two = (*at == '+' || *at == '*') && lexer->end - at > 1;
    end = at + (two && at[1] == '=' ? 2 : 1);
  }
  lexer->token = (pp_token){kind, at, (size_t)(end - at)};
  lexer->rest = end;
}

void pp_lexer_start(pp_lexer *lexer, const char *text, size_t size) {
  static const char mark[] = {'\xef', '\xbb', '\xbf'};
  bool marked = size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0;
  if (size == 0) text = "";
  const char *first = marked ? text + sizeof mark : text;
  *lexer = (pp_lexer){
      .end = text + size, .rest = first, .line_start = first, .line = 1};
  pp_lexer_next(lexer);
}

bool pp_lexer_line(pp_lexer *lexer) {
  size_t left = (size_t)(lexer->end - lexer->rest);
  const char *feed = left > 0 ? memchr(lexer->rest, '\n', left) : NULL;
  if (!feed) {
    lexer->rest = lexer->end;
    pp_lexer_next(lexer);
    return false;
  }
  lexer->rest = lexer->line_start = feed + 1;
  lexer->line++;
  pp_lexer_next(lexer);
  return true;
}

static bool is_text(const pp_token *token, const char *text) {
  return token->length == strlen(text) &&
         memcmp(token->at, text, token->length) == 0;
}

bool pp_lexer_at_sign(const pp_lexer *lexer, const char *sign) {
  return lexer->token.kind == PP_TOKEN_SIGN && is_text(&lexer->token, sign);
}

bool pp_lexer_at_name(const pp_lexer *lexer, const char *name) {
  return lexer->token.kind == PP_TOKEN_NAME && is_text(&lexer->token, name);
}

char pp_lexer_peek(const pp_lexer *lexer) {
  const char *at = skip_blanks(lexer->rest, lexer->end);
  if (at == lexer->end) return '\0';
  return *at;
}
