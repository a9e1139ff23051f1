/* poolproof: the parser of the text form of routines, line by line.
 * SPDX-License-Identifier: MIT */
#ifndef PP_PARSE_H
#define PP_PARSE_H

#include "internal.h"
#include "lex.h"

typedef struct pp_spot {
  size_t line;
  size_t column;
} pp_spot;

/* status is PP_OK until something is wrong, which ends the parsing.
 * by_label   the nodes by label, from the first statement on
 * fill_left  bytes that `data fill` may still ask for
 * spots      where nodes and statements begin
 * The rest is of the statement that is read: the names of its axes, empty
 * behind their loop, the dtype of its target, the expression's stack, how deep
 * it is nested. */
typedef struct pp_parser {
  pp_lexer lexer;
  pp_routine *routine;
  pp_failure *failure;
  pp_status status;
  const pp_node **by_label;
  uint64_t fill_left;
  pp_spot *node_spot;
  pp_spot *statement_spot;
  pp_statement statement;
  pp_token axis[PP_AXES];
  pp_dtype dtype;
  pp_stack stack;
  unsigned nesting;
} pp_parser;

/* All of these answer false once something is wrong. */

bool pp_refuse_at(pp_parser *parser, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* How many bytes of a token a sentence shows. */
int pp_shown(const pp_token *token);

/* Refuses the token that is there. */
bool pp_wanted(pp_parser *parser, const char *what);

bool pp_parse_no_memory(pp_parser *parser);

/* Takes the sign, or refuses what is there. */
bool pp_take_sign(pp_parser *parser, const char *sign);

/* Takes the sign if it is there. */
bool pp_took_sign(pp_parser *parser, const char *sign);

/* Is the token this word, and not a label with indices? */
bool pp_at_word(const pp_parser *parser, const char *word);

/* Takes the word if it is there. */
bool pp_took_word(pp_parser *parser, const char *word);

/* Takes a number of decimal digits alone. */
bool pp_take_u64(pp_parser *parser, const char *what, uint64_t *value);

/* Takes a name. */
bool pp_take_name(pp_parser *parser, const char *what, pp_token *name);

bool pp_take_line_end(pp_parser *parser);

/* Does a literal begin here, perhaps with a minus? */
bool pp_at_literal(const pp_parser *parser);
bool pp_take_literal(pp_parser *parser, pp_dtype dtype, uint64_t *bits);

/* The line's own lines: behind `node`, and a whole statement. */
bool pp_parse_node(pp_parser *parser);
bool pp_parse_statement(pp_parser *parser);

/* NAME[index, ...], or a scalar's NAME. */
bool pp_parse_access(pp_parser *parser, pp_access *access);

/* Loops as they are written. */
typedef struct pp_loops {
  unsigned count;
  pp_token name[PP_AXES];
  uint64_t extent[PP_AXES];
} pp_loops;

/* Loops and a ':', behind `for`. */
bool pp_parse_loops(pp_parser *parser, pp_loops *loops);

/* From here on the loops' names are those of the axes from `axis` on. */
void pp_name_axes(pp_parser *parser, const pp_loops *loops, unsigned axis);

/* The expression of parser->statement. */
bool pp_parse_expression(pp_parser *parser);

#endif
