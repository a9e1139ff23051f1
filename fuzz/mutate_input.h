/* poolproof: what the bytes of an input are, and bytes of what they became.
 * SPDX-License-Identifier: MIT */
#ifndef PP_MUTATE_INPUT_H
#define PP_MUTATE_INPUT_H

#include "format.h"
#include "program.h"
#include "spoil.h"

typedef enum pp_input_kind {
  PP_INPUT_BYTES,
  PP_INPUT_TEXT, /* letters, blanks and signs that no parser below takes */
  PP_INPUT_PROBLEM,
  PP_INPUT_ROUTINE,
  PP_INPUT_PROGRAM
} pp_input_kind;

/* Only what the kind says is filled. placed: layout is a layout that the CSV
 * of the problem holds beside it. */
typedef struct pp_input {
  pp_input_kind kind;
  pp_problem problem;
  bool placed;
  pp_layout layout;
  pp_routine *routine;
  pp_program program;
} pp_input;

/* Reads the input; any bytes are one. Without memory they are text or bytes.
 * The caller frees it. */
void pp_input_read(const uint8_t *bytes, size_t size, pp_input *input);
void pp_input_free(pp_input *input);

/* Are they text? Nine in ten of the bytes, at least, are printable. */
bool pp_input_is_text(const uint8_t *bytes, size_t size);

/* The text form in out, which has room for max bytes; its size, or 0: there is
 * no room, no memory, or nothing to print. claim, or NULL: a layout of the
 * case, which CSV alone can carry. */
size_t pp_print_case(const pp_case *c, const pp_claim *claim, pp_format format,
                     uint8_t *out, size_t max);
size_t pp_print_routine(const pp_routine *routine, uint8_t *out, size_t max);
size_t pp_print_program(const pp_program *program, uint8_t *out, size_t max);

#endif
