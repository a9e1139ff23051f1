/* poolproof: programs to text.  SPDX-License-Identifier: MIT */
#include "output.h"
#include "program.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

/* A line being written into `size` bytes. */
typedef struct pp_line {
  char *text;
  size_t size, used;
} pp_line;

static void put(pp_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(pp_line *line, const char *format, ...) {
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE: clang-tidy 14 does not see va_start */
  int n =
      vsnprintf(line->text + line->used, line->size - line->used, format, list);
  va_end(list);
  size_t left = line->size - line->used;
  if (n > 0) line->used += (size_t)n < left ? (size_t)n : left - 1;
}

static void put_fault(pp_line *line, const pp_fault *fault) {
  put(line, " %s %" PRIu64 " %s",
      fault->call == PP_CALL_COUNT ? "any" : pp_backend_call_name(fault->call),
      fault->nth, pp_fault_status_name(fault->status));
}

static void put_argument(pp_line *line, const pp_program *program,
                         const pp_operation *operation, char shape) {
  switch (shape) {
  case 'N':
  case 'C':
    put(line, " %s", program->context[operation->context].text);
    break;
  case 'O':
    put(line, " %s", program->context[operation->other].text);
    break;
  case 'R':
    put(line, " %s", program->routine[operation->routine]->name);
    break;
  case 'd':
    put(line, " %" PRIu64, operation->device);
    break;
  case 'u':
    put(line, " %" PRIu64, operation->uid);
    break;
  case 's':
    put(line, " %" PRIu64, operation->seed);
    break;
  case 'b':
    if (operation->has_bytes) put(line, " bytes %" PRIu64, operation->bytes);
    break;
  case 'k':
    if (operation->no_reuse) put(line, " no_reuse");
    if (operation->cap > 0) put(line, " cap %" PRIu64, operation->cap);
    break;
  default:
    put_fault(line, &operation->fault);
  }
}

const char *pp_operation_print(const pp_program *program,
                               const pp_operation *operation, char *text,
                               size_t size) {
  pp_line line = {text, size, 0};
  put(&line, "%s", pp_verb_name(operation->verb));
  for (const char *shape = pp_verb_shape(operation->verb); *shape; shape++)
    put_argument(&line, program, operation, *shape);
  return text;
}

static void write_head(FILE *out, const pp_program *program) {
  if (program->has_marker) {
    fputs("# poolproof-backend:", out);
    for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
      if ((program->backends >> id & 1) != 0)
        fprintf(out, " %s", pp_backend_id_name((pp_backend_id)id));
    fputs(program->backends == 0 ? " none\n" : "\n", out);
  }
  const pp_fault_options *options = &program->options;
  if (options->delay) fputs("option delay\n", out);
  if (options->max_pool > 0)
    fprintf(out, "option max_pool %" PRIu64 "\n", options->max_pool);
  if (options->alignment > 0)
    fprintf(out, "option alignment %" PRIu64 "\n", options->alignment);
}

int pp_program_write(FILE *out, const pp_program *program, pp_diag *diag) {
  write_head(out, program);
  for (size_t i = 0; i < program->routines; i++) {
    char *text = pp_routine_print(program->routine[i]);
    if (!text) return pp_fail_memory(diag);
    fputs(text, out);
    free(text);
  }
  for (size_t i = 0; i < program->operations; i++) {
    char text[256];
    fprintf(
        out, "%s\n",
        pp_operation_print(program, &program->operation[i], text, sizeof text));
  }
  return ferror(out) ? pp_fail_write(out, diag) : 0;
}
