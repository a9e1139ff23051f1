/* poolproof: what the parts of the wire share.  SPDX-License-Identifier: MIT */
#ifndef PP_WIRE_PARTS_H
#define PP_WIRE_PARTS_H

#include "wire.h"

#include <jansson.h>

/* -- writing --------------------------------------------------------------- */

/* Appends a word as it is; a whole number, above 2^53 as a string; and text as
 * a JSON string, in which what is no UTF-8 becomes U+FFFD. */
void pp_text_word(pp_text *text, const char *word);
void pp_text_number(pp_text *text, uint64_t number);
void pp_text_string(pp_text *text, const char *string);

/* `before`, then the number. */
void pp_text_pair(pp_text *text, const char *before, uint64_t number);

/* "[1,2]". */
void pp_text_numbers(pp_text *text, const uint64_t *number, size_t n);

/* The names of dtypes and accesses, for both ways. */
enum { PP_ACCESSES = 3 };
extern const char *const pp_wire_dtypes[PP_DTYPE_COUNT];
extern const char *const pp_wire_accesses[PP_ACCESSES];

/* -- reading --------------------------------------------------------------- */

/* Where a reader is, for sentences: name, then part[k][at[k]] as deep as parts
 * are not NULL. */
enum { PP_READER_DEPTH = 2 };
typedef struct pp_reader {
  const char *name;
  pp_diag *diag;
  const char *part[PP_READER_DEPTH];
  size_t at[PP_READER_DEPTH];
} pp_reader;

/* A key that an object has, and its value when it is there. */
typedef struct pp_field {
  const char *key;
  bool optional;
  json_t *value;
} pp_field;

/* Fails with "NAME: PART[AT]: "KEY" WHAT", and returns the status. */
int pp_reader_fail(const pp_reader *reader, const char *key, const char *what);

/* The document, an object; NULL: why is in diag. */
json_t *pp_reader_load(const pp_reader *reader, const char *json, size_t size);

/* Finds the fields of an object, which must have no others; `what` says what it
 * is ("an item"). Returns 0 or diag's status, as those below do. */
int pp_reader_fields(const pp_reader *reader, const json_t *object,
                     const char *what, pp_field *fields, size_t n);

/* The value of a field as a whole number, text (the document's), true or
 * false, an array of *n. One that is optional and not there leaves *out as it
 * was (an array: *n is 0). */
int pp_reader_u64(const pp_reader *reader, const pp_field *field,
                  uint64_t *out);
int pp_reader_text(const pp_reader *reader, const pp_field *field,
                   const char **out);
int pp_reader_flag(const pp_reader *reader, const pp_field *field, bool *out);
int pp_reader_array(const pp_reader *reader, const pp_field *field, size_t *n);

/* [first, last]. */
int pp_reader_span(const pp_reader *reader, const pp_field *field,
                   uint64_t *first, uint64_t *last);

/* An array of whole numbers in *out, from calloc with room for at least `room`;
 * how many in *n. */
int pp_reader_numbers(const pp_reader *reader, const pp_field *field,
                      size_t room, uint64_t **out, size_t *n);

/* An array of n zeroed things in *out, or of one when n is 0. */
int pp_reader_room(const pp_reader *reader, size_t n, size_t size, void **out);

/* The question that a request asks, and that of the verb `release`. On failure
 * the caller frees ask, which was zeroed. */
int pp_wire_take_ask(pp_reader *reader, const json_t *root, pp_ask *ask);
/* The answer of an object; on failure the caller frees reply, which was
 * zeroed. */
int pp_wire_take_reply(pp_reader *reader, const json_t *root, const pp_ask *ask,
                       pp_reply *reply);
int pp_wire_take_release(pp_reader *reader, const json_t *root, pp_ask *ask);

#endif
