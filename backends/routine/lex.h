/* poolproof: the text form of routines, cut into tokens.
 * SPDX-License-Identifier: MIT */
#ifndef PP_LEX_H
#define PP_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum pp_token_kind {
  PP_TOKEN_LINE_END, /* of a line, or of the text */
  PP_TOKEN_NAME,
  PP_TOKEN_NUMBER, /* without a sign; any letters and digits behind a digit */
  PP_TOKEN_SIGN    /* one character, or two: += *= */
} pp_token_kind;

typedef struct pp_token {
  pp_token_kind kind;
  const char *at;
  size_t length;
} pp_token;

/* The token that comes next, and where the text goes on behind it. A byte
 * that begins no token is a sign. */
typedef struct pp_lexer {
  const char *end;
  const char *rest;
  const char *line_start;
  size_t line; /* from 1 */
  pp_token token;
} pp_lexer;

/* Skips a UTF-8 byte order mark. */
void pp_lexer_start(pp_lexer *lexer, const char *text, size_t size);

/* Moves on by one token; at the end of a line it stays. */
void pp_lexer_next(pp_lexer *lexer);

/* Leaves the rest of the line and moves to the next one's first token. False
 * when there is none. */
bool pp_lexer_line(pp_lexer *lexer);

/* Is the token this sign, or this name? */
bool pp_lexer_at_sign(const pp_lexer *lexer, const char *sign);
bool pp_lexer_at_name(const pp_lexer *lexer, const char *name);

/* The first byte behind the token and blanks; '\0' at the end of the text. */
char pp_lexer_peek(const pp_lexer *lexer);

#endif
