#include "mutate.h"

#include "edit.h"
#include "edit_program.h"
#include "edit_routine.h"
#include "mutate_input.h"
#include "mutate_plain.h"

#include <string.h>

/* Where a mutation goes, and what draws it. */
typedef struct pp_output {
  uint8_t *buf;
  size_t max;
  pp_random *random;
} pp_output;

/* All of these answer the size of what they printed, or 0: there is no room,
 * no memory, or nothing that could be made. */

static size_t print_editing(const pp_editing *editing, pp_format format,
                            const pp_output *out) {
  return pp_print_case(&editing->c, editing->has_claim ? &editing->claim : NULL,
                       format, out->buf, out->max);
}

static size_t edit_problem(const pp_problem *problem, const pp_layout *layout,
                           const pp_output *out) {
  pp_editing editing = {.random = out->random};
  size_t size = 0;
  if (pp_editing_open(&editing, problem, layout)) {
    for (uint64_t k = 1 + pp_random_below(out->random, 4); k > 0; k--)
      pp_edit(&editing);
    size = print_editing(&editing, problem->format, out);
  }
  pp_editing_close(&editing);
  return size;
}

/* Takes the routine; NULL is none. */
static size_t print_routine(pp_routine *routine, const pp_output *out) {
  size_t size = routine ? pp_print_routine(routine, out->buf, out->max) : 0;
  pp_routine_free(routine);
  return size;
}

static size_t edit_input(pp_input *input, const pp_output *out) {
  switch (input->kind) {
  case PP_INPUT_PROBLEM:
    return edit_problem(&input->problem, input->placed ? &input->layout : NULL,
                        out);
  case PP_INPUT_ROUTINE:
    return print_routine(pp_edit_routine(input->routine, out->random), out);
  case PP_INPUT_PROGRAM:
    return pp_edit_program(&input->program, out->random)
               ? pp_print_program(&input->program, out->buf, out->max)
               : 0;
  default:
    return 0;
  }
}

static size_t new_problem(const pp_output *out) {
  pp_problem empty = {.kind = PP_ARENA, .cap = PP_CAP_USUAL};
  uint64_t size = 0;
  const pp_layout none = {.segments = 1, .size = &size};
  bool csv = pp_random_one_in(out->random, 2);
  empty.format = csv ? PP_CSV : PP_JSON;
  return edit_problem(&empty, csv ? &none : NULL, out);
}

static size_t new_program(const pp_output *out) {
  pp_program program = {.routines = 0};
  size_t size = 0;
  if (pp_small_program(&program, out->random))
    size = pp_print_program(&program, out->buf, out->max);
  pp_program_free(&program);
  return size;
}

static size_t new_input(const pp_output *out) {
  switch (pp_random_below(out->random, 4)) {
  case 0:
    return print_routine(pp_small_routine(out->random), out);
  case 1:
    return new_program(out);
  default:
    return new_problem(out);
  }
}

/* What is read, edited and printed, or new. */
static size_t edit_structure(size_t size, const pp_output *out) {
  enum { NEW = 32 };
  pp_input input;
  pp_input_read(out->buf, size, &input);
  size_t edited = edit_input(&input, out);
  if (edited == 0 && (size == 0 || (input.kind == PP_INPUT_TEXT &&
                                    pp_random_one_in(out->random, NEW))))
    edited = new_input(out);
  pp_input_free(&input);
  return edited;
}

size_t pp_mutate(uint8_t *buf, size_t size, size_t max, uint64_t seed) {
  enum { PLAIN = 12, EDITS = 4 };
  pp_random random;
  pp_random_start(&random, seed, size);
  const pp_output out = {buf, max, &random};
  if (max == 0 || size > max) return size < max ? size : max;
  if (!pp_random_one_in(&random, PLAIN)) {
    size_t edited = edit_structure(size, &out);
    if (edited > 0) return edited;
  }
  bool text = pp_input_is_text(buf, size) && !pp_random_one_in(&random, EDITS);
  for (uint64_t k = 1 + pp_random_below(&random, EDITS); k > 0; k--)
    size = text ? pp_edit_text(buf, size, max, &random)
                : pp_edit_bytes(buf, size, max, &random);
  return size;
}

/* The first items of a, and the last ones of b where it has them. */
static size_t cross_problems(const pp_input *a, const pp_input *b,
                             const pp_output *out) {
  pp_random *random = out->random;
  pp_editing first = {.random = random};
  pp_editing last = {.random = random};
  size_t size = 0;
  if (pp_editing_open(&first, &a->problem, a->placed ? &a->layout : NULL) &&
      pp_editing_open(&last, &b->problem, b->placed ? &b->layout : NULL)) {
    size_t n = first.c.n;
    size_t kept = n - (size_t)pp_random_below(random, n / 2 + 1);
    if (kept >= PP_EDIT_ITEMS) kept = PP_EDIT_ITEMS / 2;
    size_t from = (size_t)pp_random_below(random, last.c.n / 2 + 1);
    pp_editing_drop(&first, kept, n);
    pp_editing_append(&first, &last, from, last.c.n);
    if (pp_random_one_in(random, 2)) first.c.cap = last.c.cap;
    size = print_editing(&first, a->problem.format, out);
  }
  pp_editing_close(&first);
  pp_editing_close(&last);
  return size;
}

static size_t cross_inputs(pp_input *a, const pp_input *b,
                           const pp_output *out) {
  if (a->kind != b->kind) return 0;
  switch (a->kind) {
  case PP_INPUT_PROBLEM:
    return cross_problems(a, b, out);
  case PP_INPUT_ROUTINE:
    return print_routine(pp_cross_routines(a->routine, b->routine, out->random),
                         out);
  case PP_INPUT_PROGRAM:
    return pp_cross_programs(&a->program, &b->program, out->random)
               ? pp_print_program(&a->program, out->buf, out->max)
               : 0;
  default:
    return 0;
  }
}

/* A place in the bytes to cut them at, behind a line's end if lines. */
static size_t cut(const uint8_t *bytes, size_t size, bool lines,
                  pp_random *random) {
  size_t at = (size_t)pp_random_below(random, (uint64_t)size + 1);
  while (lines && at > 0 && at < size && bytes[at - 1] != '\n')
    at++;
  return at;
}

size_t pp_crossover(const uint8_t *a, size_t na, const uint8_t *b, size_t nb,
                    uint8_t *out, size_t max, uint64_t seed) {
  enum { PLAIN = 12, BYTES = 8 };
  pp_random random;
  pp_random_start(&random, seed, na);
  const pp_output output = {out, max, &random};
  if (!pp_random_one_in(&random, PLAIN)) {
    pp_input first;
    pp_input second;
    pp_input_read(a, na, &first);
    pp_input_read(b, nb, &second);
    size_t size = cross_inputs(&first, &second, &output);
    pp_input_free(&first);
    pp_input_free(&second);
    if (size > 0) return size;
  }
  bool lines = pp_input_is_text(a, na) && pp_input_is_text(b, nb) &&
               !pp_random_one_in(&random, BYTES);
  size_t head = cut(a, na, lines, &random);
  size_t from = cut(b, nb, lines, &random);
  if (head > max) head = max;
  size_t tail = nb - from;
  if (tail > max - head) tail = max - head;
  if (head > 0) memcpy(out, a, head);
  if (tail > 0) memcpy(out + head, b + from, tail);
  return head + tail;
}
