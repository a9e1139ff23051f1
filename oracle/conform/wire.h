/* poolproof: questions and answers as lines of JSON (oracle/PROTOCOL.md).
 *
 * Every function is reentrant. Numbers above 2^53 are written as strings of
 * digits; both forms are read anywhere. SPDX-License-Identifier: MIT */
#ifndef PP_WIRE_H
#define PP_WIRE_H

#include "ask.h"

#include <stdio.h>

/* Text that grows. A zeroed struct is empty; at is terminated once anything
 * was put. failed: memory was short, and everything after it was dropped. */
typedef struct pp_text {
  char *at;
  size_t size;
  size_t room;
  bool failed;
} pp_text;

void pp_text_put(pp_text *text, const char *bytes, size_t size);
void pp_text_print(pp_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void pp_text_free(pp_text *text);

/* SHA-256 of the text, in hex and terminated; the text has not failed. */
enum { PP_SHA_HEX = 64 + 1 };
void pp_text_sha256(const pp_text *text, char hex[PP_SHA_HEX]);

/* Writes the text to a file, whole or not at all; "-" is standard output. A
 * failed text is out of memory. Returns 0 or diag's. */
int pp_text_save(const pp_text *text, const char *path, pp_diag *diag);

/* Appends the request line, with id and line end. */
void pp_wire_ask(pp_text *text, const pp_ask *ask, uint64_t id);

/* Appends the request's own object in CANONICAL form: no id, one line without
 * blanks or line end, keys in the order that PROTOCOL.md gives, every number
 * above 2^53 a string, every smaller one a number, what has its default left
 * out. Equal questions give equal text. */
void pp_wire_canonical(pp_text *text, const pp_ask *ask);

enum { PP_ASK_ID = 2 + 16 + 1 + 12 }; /* verb-hex, terminated */

/* The stable id of a question: its verb, "-", and the first 16 hex digits of
 * the SHA-256 of its canonical text. False: out of memory. */
bool pp_wire_id(const pp_ask *ask, char id[PP_ASK_ID]);

/* Appends the answer line to request `id`, with line end. verb: of the ask. */
void pp_wire_reply(pp_text *text, const pp_ask *ask, const pp_reply *reply,
                   uint64_t id);

/* Appends the answer's own object without id and line end: what a vector's
 * "expect" holds. */
void pp_wire_expect(pp_text *text, const pp_ask *ask, const pp_reply *reply);

/* Reads a request's own object: its verb and what the verb wants; `id` is
 * passed over. Strict: unknown and missing keys, wrong types, numbers that are
 * no u64 are refused with one sentence that starts with name. On failure ask
 * is empty. Returns 0 or diag's status. */
int pp_wire_read_ask(const char *name, const char *json, size_t size,
                     pp_ask *ask, pp_diag *diag);

/* Reads an answer's own object (with or without `id`) to ask. Strict as above;
 * lengths must be the question's. Returns 0, or diag's: PP_EXIT_INPUT is the
 * other side's mistake. */
int pp_wire_read_reply(const char *name, const char *json, size_t size,
                       const pp_ask *ask, pp_reply *reply, pp_diag *diag);

/* Whether a line is a JSON object with a whole number "id" (*id), and, if so,
 * is it one of hello or bye's answers is not asked. False: it is not; why, in
 * a few words, in *what (static). */
bool pp_wire_line_id(const char *line, size_t size, uint64_t *id,
                     const char **what);

/* The words of intents, bit by bit, and of kinds of violation ("valid" for
 * none). */
enum { PP_INTENTS = 4 };
extern const char *const pp_wire_intents[PP_INTENTS];
extern const char *const pp_wire_violations[PP_WRONG_SIZE + 1];

/* Is text an http or https URL, of printable ASCII without blanks, quotes and
 * angle brackets? */
bool pp_wire_is_url(const char *text);

enum { PP_HELLO_TEXT = 128 };

/* How answers are compared: enumerator, word, what it means. */
#define PP_COMPARES(X)                                                         \
  X(EXACT, exact, "the specified answer, byte for byte")                       \
  X(VALID, valid, "any valid layout")                                          \
  X(TOTAL, total, "a valid layout, its total no larger than the specified one")

typedef enum pp_compare {
#define PP_COMPARE_ENUM(NAME, name, about) PP_COMPARE_##NAME,
  PP_COMPARES(PP_COMPARE_ENUM)
#undef PP_COMPARE_ENUM
      PP_COMPARE_COUNT
} pp_compare;

const char *pp_compare_name(pp_compare compare);
bool pp_compare_named(const char *name, pp_compare *compare);

/* The answer to hello.
 * items   the most items (nodes) of a request; SIZE_MAX: any number
 * batch   how many requests may be under way, at least 1 */
typedef struct pp_hello {
  unsigned protocol;
  char name[PP_HELLO_TEXT];
  char version[PP_HELLO_TEXT];
  char homepage[PP_HELLO_TEXT];
  pp_capabilities capabilities;
  size_t items;
  size_t batch;
  pp_compare compare;
} pp_hello;

enum { PP_PROTOCOL_LEAST = 1, PP_PROTOCOL_MOST = 1 };

/* Append the request and answer lines of hello and bye. */
void pp_wire_hello(pp_text *text, uint64_t id);
void pp_wire_hello_reply(pp_text *text, const pp_hello *hello, uint64_t id);
void pp_wire_bye(pp_text *text, uint64_t id);
void pp_wire_bye_reply(pp_text *text, uint64_t id);

/* Read the answers to them, strictly. */
int pp_wire_read_hello_reply(const char *name, const char *json, size_t size,
                             pp_hello *hello, pp_diag *diag);
int pp_wire_read_bye_reply(const char *name, const char *json, size_t size,
                           pp_diag *diag);

/* For the side that serves: what a line asks. */
typedef enum pp_line_kind {
  PP_LINE_ASK,
  PP_LINE_HELLO, /* *most is the greatest protocol in its range that we know,
                    0 when there is none */
  PP_LINE_BYE,
  PP_LINE_BAD /* diag says why */
} pp_line_kind;

/* *id is 0 when the line has none. ask is filled for PP_LINE_ASK. */
pp_line_kind pp_wire_read_line(const char *line, size_t size, uint64_t *id,
                               unsigned *most, pp_ask *ask, pp_diag *diag);

#endif
