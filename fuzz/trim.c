#include "trim.h"

#include "mutate_input.h"
#include "program_shrink.h"
#include "routine_shrink.h"
#include "shrink.h"

#include <stdlib.h>
#include <string.h>

/* bytes      the input, of size bytes; least: the size of what was kept last
 * candidate  what question number told + 1 was about, printed bytes of it; 0:
 *            it is not smaller
 * answer     to the first `told` questions
 * asked      in the run of the shrinker that goes on now
 * format     of a problem */
struct pp_trim {
  uint8_t *bytes;
  size_t size, least;
  uint8_t *candidate;
  size_t printed;
  bool answer[PP_TRIM_QUESTIONS];
  size_t told, asked;
  pp_format format;
};

pp_trim *pp_trim_new(const uint8_t *bytes, size_t size) {
  pp_trim *trim = calloc(1, sizeof *trim);
  if (!trim) return NULL;
  trim->size = trim->least = size;
  trim->bytes = malloc(size + 1);
  trim->candidate = malloc(size + 1);
  if (trim->bytes && trim->candidate) {
    if (size > 0) memcpy(trim->bytes, bytes, size);
    return trim;
  }
  pp_trim_free(trim);
  return NULL;
}

void pp_trim_free(pp_trim *trim) {
  if (!trim) return;
  free(trim->bytes);
  free(trim->candidate);
  free(trim);
}

/* Is the question that is asked now the one without an answer? */
static bool is_new(pp_trim *trim) {
  trim->asked++;
  return trim->asked == trim->told + 1;
}

static bool answer(const pp_trim *trim) {
  return trim->asked <= trim->told && trim->answer[trim->asked - 1];
}

/* Where a new candidate is printed to: it must be smaller. */
static size_t room(const pp_trim *trim) {
  return trim->least > 0 ? trim->least - 1 : 0;
}

static bool ask_case(void *state, const pp_case *c) {
  pp_trim *trim = state;
  if (is_new(trim))
    trim->printed =
        pp_print_case(c, NULL, trim->format, trim->candidate, room(trim));
  return answer(trim);
}

static bool ask_routine(void *state, pp_routine *const *routine,
                        size_t routines) {
  pp_trim *trim = state;
  if (is_new(trim) && routines == 1)
    trim->printed = pp_print_routine(*routine, trim->candidate, room(trim));
  return answer(trim);
}

static bool ask_program(void *state, const pp_program *program) {
  pp_trim *trim = state;
  if (is_new(trim))
    trim->printed = pp_print_program(program, trim->candidate, room(trim));
  return answer(trim);
}

/* Bytes [from, to) dropped; true: they are gone. */
static bool drop_bytes(pp_trim *trim, uint8_t *bytes, size_t *size, size_t from,
                       size_t to) {
  size_t after = *size - to;
  if (is_new(trim)) {
    memcpy(trim->candidate, bytes, from);
    memcpy(trim->candidate + from, bytes + to, after);
    trim->printed = from + after;
  }
  if (!answer(trim)) return false;
  memmove(bytes + from, bytes + to, after);
  *size = from + after;
  return true;
}

/* Where the line begins that holds the byte before `end`; or one byte less. */
static size_t unit_before(const uint8_t *bytes, size_t end, bool lines) {
  size_t at = end - 1;
  while (lines && at > 0 && bytes[at - 1] != '\n')
    at--;
  return at;
}

static size_t count_units(const uint8_t *bytes, size_t size, bool lines) {
  size_t units = 0;
  for (size_t end = size; end > 0; end = unit_before(bytes, end, lines))
    units++;
  return units;
}

/* Runs of lines, or of bytes where lines are few: halves, quarters ..., the
 * last ones first. */
static void shrink_bytes(pp_trim *trim, uint8_t *bytes, size_t size) {
  enum { FEW = 4 };
  bool lines = count_units(bytes, size, true) >= FEW;
  for (size_t run = count_units(bytes, size, lines) / 2; run > 0; run /= 2)
    for (size_t end = size; end > 0;) {
      size_t from = end;
      for (size_t k = 0; k < run && from > 0; k++)
        from = unit_before(bytes, from, lines);
      if (trim->asked > trim->told) return;
      (void)drop_bytes(trim, bytes, &size, from, end);
      end = from;
    }
}

static void shrink_plain(pp_trim *trim) {
  uint8_t *copy = malloc(trim->size + 1);
  if (!copy) return;
  memcpy(copy, trim->bytes, trim->size);
  shrink_bytes(trim, copy, trim->size);
  free(copy);
}

static void shrink_problem(pp_trim *trim, const pp_problem *problem) {
  pp_case c = {.n = 0};
  pp_diag diag = {0};
  trim->format = problem->format;
  if (pp_case_from_problem(&c, problem, &diag) == 0)
    (void)pp_shrink(&c, ask_case, trim, trim->told + 1);
  pp_case_free(&c);
}

/* Asks the questions so far, and the next one. */
static void ask(pp_trim *trim) {
  pp_input input;
  size_t one = 1;
  trim->asked = 0;
  trim->printed = 0;
  pp_input_read(trim->bytes, trim->size, &input);
  if (input.kind == PP_INPUT_PROBLEM && !input.placed)
    shrink_problem(trim, &input.problem);
  else if (input.kind == PP_INPUT_ROUTINE)
    (void)pp_routine_shrink(&input.routine, &one, ask_routine, trim,
                            trim->told + 1);
  else if (input.kind == PP_INPUT_PROGRAM)
    (void)pp_program_shrink(&input.program, ask_program, trim, trim->told + 1);
  else
    shrink_plain(trim);
  pp_input_free(&input);
}

size_t pp_trim_next(pp_trim *trim, const uint8_t **bytes) {
  while (trim->told < PP_TRIM_QUESTIONS) {
    ask(trim);
    if (trim->asked <= trim->told) return 0;
    *bytes = trim->candidate;
    if (trim->printed > 0) return trim->printed;
    trim->answer[trim->told++] = false;
  }
  return 0;
}

void pp_trim_tell(pp_trim *trim, bool kept) {
  trim->answer[trim->told++] = kept;
  if (kept) trim->least = trim->printed;
}
