/* poolproof: programs from text.  SPDX-License-Identifier: MIT */
#include "program.h"

#include <poolproof/backend.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "source.h"

enum { WORD = 64 };

/* at    the next byte; end: one past the last
 * word  the word read last, cut when too long, and where it began */
typedef struct pp_reader {
  const char *name;
  const char *at, *end, *line_start, *word_start;
  size_t line;
  char word[WORD];
  pp_program *program;
  pp_diag *diag;
} pp_reader;

static bool refuse(pp_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(pp_reader *reader, const char *format, ...) {
  char text[400];
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE: clang-tidy 14 does not see va_start */
  (void)vsnprintf(text, sizeof text, format, list);
  va_end(list);
  (void)pp_diag_fail(reader->diag, PP_EXIT_INPUT,
                     "%s: line %zu, column %zu: %s", reader->name, reader->line,
                     (size_t)(reader->word_start - reader->line_start) + 1,
                     text);
  return false;
}

static bool no_memory(pp_reader *reader) {
  (void)pp_fail_memory(reader->diag);
  return false;
}

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Reads the next word of the line; false at its end or at a comment. */
static bool next_word(pp_reader *reader) {
  while (reader->at < reader->end && is_blank(*reader->at))
    reader->at++;
  reader->word_start = reader->at;
  size_t n = 0;
  while (reader->at < reader->end && !is_blank(*reader->at) &&
         *reader->at != '\n' && *reader->at != '#') {
    if (n < WORD - 1) reader->word[n++] = *reader->at;
    reader->at++;
  }
  reader->word[n] = '\0';
  return reader->at > reader->word_start;
}

static void next_line(pp_reader *reader) {
  const char *at = reader->at;
  while (at < reader->end && *at != '\n')
    at++;
  reader->at = at < reader->end ? at + 1 : at;
  reader->line_start = reader->word_start = reader->at;
  reader->line++;
}

static bool want_word(pp_reader *reader, const char *what) {
  return next_word(reader) || refuse(reader, "%s is missing", what);
}

static bool want_number(pp_reader *reader, const char *what, uint64_t *value) {
  if (!want_word(reader, what)) return false;
  const char *wrong = pp_parse_u64(reader->word, value);
  return !wrong || refuse(reader, "%s: \"%s\" %s", what, reader->word, wrong);
}

static bool is_name(const char *text) {
  static const char letters[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
  size_t length = strlen(text);
  return length > 0 && length < PP_LABEL && strspn(text, letters) == length &&
         !strchr("0123456789", text[0]);
}

/* A context that is made above. */
static bool want_context(pp_reader *reader, size_t *index) {
  const pp_program *program = reader->program;
  if (!want_word(reader, "a context's name")) return false;
  for (*index = 0; *index < program->contexts; ++*index)
    if (strcmp(program->context[*index].text, reader->word) == 0) return true;
  return refuse(reader, "no context \"%s\" is made above", reader->word);
}

static bool want_routine(pp_reader *reader, size_t *index) {
  const pp_program *program = reader->program;
  if (!want_word(reader, "a routine's name")) return false;
  for (*index = 0; *index < program->routines; ++*index)
    if (strcmp(program->routine[*index]->name, reader->word) == 0) return true;
  return refuse(reader, "no routine \"%s\" is above", reader->word);
}

static bool want_new(pp_reader *reader, pp_name *name) {
  if (!want_word(reader, "a context's name")) return false;
  if (!is_name(reader->word))
    return refuse(reader, "\"%s\" is no name: letters, digits and _ are",
                  reader->word);
  memcpy(name->text, reader->word, strlen(reader->word) + 1);
  return true;
}

static bool read_link_options(pp_reader *reader, pp_operation *operation) {
  while (next_word(reader)) {
    if (strcmp(reader->word, "no_reuse") == 0) {
      operation->no_reuse = true;
    } else if (strcmp(reader->word, "cap") == 0) {
      if (!want_number(reader, "the cap", &operation->cap)) return false;
      if (operation->cap == 0) return refuse(reader, "a cap of 0 is none");
    } else {
      return refuse(reader, "\"%s\" is neither no_reuse nor cap", reader->word);
    }
  }
  return true;
}

static bool read_bytes(pp_reader *reader, pp_operation *operation) {
  if (!next_word(reader)) return true;
  if (strcmp(reader->word, "bytes") != 0)
    return refuse(reader, "\"%s\" where bytes or nothing is wanted",
                  reader->word);
  operation->has_bytes = true;
  return want_number(reader, "the bytes", &operation->bytes);
}

static bool want_call(pp_reader *reader, pp_backend_call *call) {
  if (!want_word(reader, "a call of the backend")) return false;
  *call = PP_CALL_COUNT;
  if (strcmp(reader->word, "any") == 0) return true;
  for (unsigned k = 0; k < PP_CALL_COUNT; k++) {
    *call = (pp_backend_call)k;
    if (strcmp(reader->word, pp_backend_call_name(*call)) == 0) return true;
  }
  return refuse(reader, "\"%s\" is no call of a backend, nor any",
                reader->word);
}

static bool want_status(pp_reader *reader, pp_status *status) {
  if (!want_word(reader, "a status")) return false;
  for (unsigned k = 0; k <= PP_BUSY; k++) {
    *status = (pp_status)k;
    const char *name = pp_fault_status_name(*status);
    if (name && strcmp(reader->word, name) == 0) return true;
  }
  return refuse(reader,
                "\"%s\" is none of no_memory, backend_failed, device_lost, "
                "no_device",
                reader->word);
}

static bool want_fault(pp_reader *reader, pp_fault *fault) {
  if (!want_call(reader, &fault->call) ||
      !want_number(reader, "which of the calls", &fault->nth))
    return false;
  if (fault->nth == 0) return refuse(reader, "calls are counted from 1");
  return want_status(reader, &fault->status);
}

static bool read_argument(pp_reader *reader, char shape,
                          pp_operation *operation, pp_name *made) {
  switch (shape) {
  case 'N':
    return want_new(reader, made);
  case 'C':
    return want_context(reader, &operation->context);
  case 'O':
    return want_context(reader, &operation->other);
  case 'R':
    return want_routine(reader, &operation->routine);
  case 'd':
    return want_number(reader, "a device's ordinal", &operation->device);
  case 'u':
    return want_number(reader, "a node's uid", &operation->uid);
  case 's':
    return want_number(reader, "a seed", &operation->seed);
  case 'b':
    return read_bytes(reader, operation);
  case 'k':
    return read_link_options(reader, operation);
  default:
    return want_fault(reader, &operation->fault);
  }
}

static bool want_line_end(pp_reader *reader) {
  return !next_word(reader) ||
         refuse(reader, "\"%s\" where the line should end", reader->word);
}

static bool read_operation(pp_reader *reader, pp_verb verb) {
  pp_program *program = reader->program;
  pp_operation operation = {.verb = verb, .line = reader->line};
  pp_name made = {{0}};
  if (program->operations == PP_PROGRAM_OPERATIONS)
    return refuse(reader, "more than %d operations", PP_PROGRAM_OPERATIONS);
  for (const char *shape = pp_verb_shape(verb); *shape; shape++)
    if (!read_argument(reader, *shape, &operation, &made)) return false;
  if (!want_line_end(reader)) return false;
  if (made.text[0] != '\0' &&
      !pp_program_context(program, made.text, &operation.context))
    return no_memory(reader);
  return pp_program_add(program, &operation) || no_memory(reader);
}

static bool read_option(pp_reader *reader) {
  pp_fault_options *options = &reader->program->options;
  if (!want_word(reader, "an option")) return false;
  if (strcmp(reader->word, "delay") == 0) {
    options->delay = true;
    return want_line_end(reader);
  }
  bool alignment = strcmp(reader->word, "alignment") == 0;
  if (!alignment && strcmp(reader->word, "max_pool") != 0)
    return refuse(reader, "\"%s\" is none of delay, max_pool, alignment",
                  reader->word);
  uint64_t value = 0;
  if (!want_number(reader, "bytes", &value)) return false;
  if (alignment && (value == 0 || (value & (value - 1)) != 0 || value > 65536))
    return refuse(reader, "an alignment is a power of two up to 65536");
  if (value == 0) return refuse(reader, "a max_pool of 0 is none");
  *(alignment ? &options->alignment : &options->max_pool) = value;
  return want_line_end(reader);
}

/* `# poolproof-backend:` and names, or any other comment. */
static bool read_comment(pp_reader *reader) {
  static const char marker[] = "# poolproof-backend:";
  size_t length = sizeof marker - 1;
  pp_program *program = reader->program;
  if ((size_t)(reader->end - reader->at) < length ||
      memcmp(reader->at, marker, length) != 0)
    return true;
  reader->at += length;
  program->has_marker = true;
  while (next_word(reader)) {
    unsigned id = 0;
    if (strcmp(reader->word, "none") == 0) continue;
    while (id < PP_BACKEND_COUNT &&
           strcmp(reader->word, pp_backend_id_name((pp_backend_id)id)) != 0)
      id++;
    if (id == PP_BACKEND_COUNT)
      return refuse(reader, "\"%s\" is neither a backend nor none",
                    reader->word);
    program->backends |= UINT64_C(1) << id;
  }
  return true;
}

/* Moves behind the line that is `end`. False: there is none. */
static bool find_end(pp_reader *reader) {
  while (reader->at < reader->end) {
    bool is_end = next_word(reader) && strcmp(reader->word, "end") == 0 &&
                  !next_word(reader);
    next_line(reader);
    if (is_end) return true;
  }
  return false;
}

/* The routine's parser counts lines from its text's first one, so it gets an
 * empty line for each above. */
static bool parse_routine(pp_reader *reader, const char *from, size_t above,
                          pp_routine **routine) {
  size_t size = (size_t)(reader->at - from);
  char *text = malloc(above + size);
  if (!text) return no_memory(reader);
  memset(text, '\n', above);
  memcpy(text + above, from, size);
  pp_failure failure;
  pp_status status = pp_routine_parse(text, above + size, routine, &failure);
  free(text);
  if (status == PP_OK) return true;
  if (status == PP_NO_MEMORY) return no_memory(reader);
  (void)pp_diag_fail(reader->diag, PP_EXIT_INPUT, "%s: %s", reader->name,
                     failure.text);
  return false;
}

static bool read_routine(pp_reader *reader) {
  const char *from = reader->line_start;
  size_t above = reader->line - 1;
  pp_program *program = reader->program;
  pp_routine *routine = NULL;
  size_t index = 0;
  if (!find_end(reader)) return refuse(reader, "the routine has no end");
  if (!parse_routine(reader, from, above, &routine)) return false;
  for (size_t i = 0; i < program->routines; i++) {
    if (strcmp(program->routine[i]->name, routine->name) != 0) continue;
    bool refused = refuse(reader, "routine %s is above already", routine->name);
    pp_routine_free(routine);
    return refused;
  }
  if (pp_program_routine(program, routine, &index)) return true;
  pp_routine_free(routine);
  return no_memory(reader);
}

/* One line, or a whole routine. */
static bool read_line(pp_reader *reader) {
  if (!next_word(reader)) {
    bool good = read_comment(reader);
    next_line(reader);
    return good;
  }
  if (strcmp(reader->word, "routine") == 0) return read_routine(reader);
  bool good = false;
  unsigned verb = 0;
  while (verb < PP_VERB_COUNT &&
         strcmp(reader->word, pp_verb_name((pp_verb)verb)) != 0)
    verb++;
  if (verb < PP_VERB_COUNT)
    good = read_operation(reader, (pp_verb)verb);
  else if (strcmp(reader->word, "option") == 0)
    good = read_option(reader);
  else
    (void)refuse(reader, "\"%s\" is no operation", reader->word);
  next_line(reader);
  return good;
}

int pp_program_parse(const char *name, const char *text, size_t size,
                     pp_program *program, pp_diag *diag) {
  pp_reader reader = {.name = name,
                      .at = text,
                      .end = text + size,
                      .line_start = text,
                      .word_start = text,
                      .line = 1,
                      .program = program,
                      .diag = diag};
  *program = (pp_program){0};
  while (reader.at < reader.end)
    if (!read_line(&reader)) {
      pp_program_free(program);
      return diag->code;
    }
  return 0;
}

int pp_program_read(const char *path, pp_program *program, pp_diag *diag) {
  size_t size = 0;
  *program = (pp_program){0};
  char *text = pp_source_text(path, PP_PROGRAM_BYTES, &size, diag);
  if (!text) return diag->code;
  (void)pp_program_parse(pp_input_name(path), text, size, program, diag);
  free(text);
  return diag->code;
}
