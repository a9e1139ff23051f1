#include "mutate_input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool pp_input_is_text(const uint8_t *bytes, size_t size) {
  size_t strange = 0;
  for (size_t i = 0; i < size; i++) {
    bool blank = bytes[i] == '\n' || bytes[i] == '\t' || bytes[i] == '\r';
    strange += !blank && (bytes[i] < ' ' || bytes[i] > '~');
  }
  return size > 0 && strange <= size / 10;
}

static bool read_problem(const uint8_t *bytes, size_t size, pp_input *input) {
  pp_diag diag = {0};
  if (pp_problem_parse("input", bytes, size, &input->problem, &diag) != 0)
    return false;
  input->placed = input->problem.format == PP_CSV &&
                  pp_layout_parse("input", bytes, size, &input->problem,
                                  &input->layout, &diag) == 0;
  input->kind = PP_INPUT_PROBLEM;
  return true;
}

/* Blank text is a program too, and nothing to edit. */
static bool read_program(const uint8_t *bytes, size_t size, pp_input *input) {
  pp_diag diag = {0};
  pp_program *program = &input->program;
  if (pp_program_parse("input", (const char *)bytes, size, program, &diag) != 0)
    return false;
  if (program->operations + program->routines > 0) {
    input->kind = PP_INPUT_PROGRAM;
    return true;
  }
  pp_program_free(program);
  return false;
}

static bool read_routine(const uint8_t *bytes, size_t size, pp_input *input) {
  if (pp_routine_parse((const char *)bytes, size, &input->routine, NULL) !=
      PP_OK)
    return false;
  input->kind = PP_INPUT_ROUTINE;
  return true;
}

/* No routine or program begins with a brace. */
void pp_input_read(const uint8_t *bytes, size_t size, pp_input *input) {
  *input = (pp_input){.kind = PP_INPUT_BYTES};
  if (!pp_input_is_text(bytes, size)) return;
  size_t first = 0;
  while (first < size && bytes[first] <= ' ')
    first++;
  bool braced = first < size && bytes[first] == '{';
  if (!braced &&
      (read_routine(bytes, size, input) || read_program(bytes, size, input)))
    return;
  if (!read_problem(bytes, size, input)) input->kind = PP_INPUT_TEXT;
}

void pp_input_free(pp_input *input) {
  pp_layout_free(&input->layout);
  pp_problem_free(&input->problem);
  pp_routine_free(input->routine);
  pp_program_free(&input->program);
}

static bool print_json(FILE *out, const pp_case *c) {
  pp_problem problem = {0};
  pp_diag diag = {0};
  bool good = pp_case_to_problem(c, &problem, &diag) == 0 &&
              pp_problem_write(out, &problem, &diag) == 0;
  pp_problem_free(&problem);
  return good;
}

/* Inclusive ends: [lo, 2^64 - 1] has no exclusive one. */
static bool print_csv(FILE *out, const pp_case *c, const pp_claim *claim) {
  bool good = fputs("id,lower,end,size,alignment,class", out) >= 0 &&
              fputs(claim ? ",segment,offset\n" : "\n", out) >= 0;
  for (size_t i = 0; good && i < c->n; i++) {
    const pp_item *item = &c->items[i];
    good = fprintf(out, "i%zu,", i) > 0;
    if (good && item->has_span)
      good = fprintf(out, "%" PRIu64 ",%" PRIu64 ",", item->lo, item->hi) > 0;
    else if (good)
      good = fputs(",,", out) >= 0;
    if (good)
      good = fprintf(out, "%" PRIu64 ",%" PRIu64 ",c%" PRIu32, item->size,
                     item->align, item->item_class) > 0;
    if (good && claim)
      good = fprintf(out, ",%zu,%" PRIu64, claim->segment[i],
                     claim->offset[i]) > 0;
    if (good) good = fputc('\n', out) != EOF;
  }
  return good;
}

/* Takes the text, from malloc or NULL. */
static size_t keep(char *text, size_t size, uint8_t *out, size_t max) {
  bool good = text && size <= max;
  if (good && size > 0) memcpy(out, text, size);
  free(text);
  return good ? size : 0;
}

size_t pp_print_case(const pp_case *c, const pp_claim *claim, pp_format format,
                     uint8_t *out, size_t max) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  if (!file) return 0;
  bool good =
      format == PP_JSON ? print_json(file, c) : print_csv(file, c, claim);
  if (fclose(file) != 0) good = false;
  return keep(text, good ? size : SIZE_MAX, out, max);
}

size_t pp_print_routine(const pp_routine *routine, uint8_t *out, size_t max) {
  char *text = pp_routine_print(routine);
  return keep(text, text ? strlen(text) : 0, out, max);
}

size_t pp_print_program(const pp_program *program, uint8_t *out, size_t max) {
  char *text = NULL;
  size_t size = 0;
  pp_diag diag = {0};
  FILE *file = open_memstream(&text, &size);
  if (!file) return 0;
  bool good = pp_program_write(file, program, &diag) == 0;
  if (fclose(file) != 0) good = false;
  return keep(text, good ? size : SIZE_MAX, out, max);
}
