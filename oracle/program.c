/* poolproof: programs as data.  SPDX-License-Identifier: MIT */
#include "program.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more of `size` bytes each; NULL without memory. */
static void *grow(void *array, size_t used, size_t *room, size_t size) {
  if (used < *room) return array;
  size_t more = *room < 8 ? 8 : *room + *room / 2;
  if (more > SIZE_MAX / 2 / size) return NULL;
  void *grown = realloc(array, more * size);
  if (grown) *room = more;
  return grown;
}

bool pp_program_context(pp_program *program, const char *name, size_t *index) {
  for (size_t i = 0; i < program->contexts; i++) {
    if (strcmp(program->context[i].text, name) != 0) continue;
    *index = i;
    return true;
  }
  pp_name *context = grow(program->context, program->contexts,
                          &program->context_room, sizeof *context);
  if (!context) return false;
  program->context = context;
  *index = program->contexts++;
  pp_name *made = &context[*index];
  memset(made, 0, sizeof *made);
  memcpy(made->text, name, strnlen(name, sizeof made->text - 1));
  return true;
}

bool pp_program_routine(pp_program *program, pp_routine *routine,
                        size_t *index) {
  pp_routine **all = grow((void *)program->routine, program->routines,
                          &program->routine_room, sizeof(pp_routine *));
  if (!all) return false;
  program->routine = all;
  *index = program->routines;
  all[program->routines++] = routine;
  return true;
}

bool pp_program_add(pp_program *program, const pp_operation *operation) {
  pp_operation *all = grow(program->operation, program->operations,
                           &program->operation_room, sizeof *all);
  if (!all) return false;
  program->operation = all;
  all[program->operations++] = *operation;
  return true;
}

static bool copy_parts(pp_program *to, const pp_program *from) {
  size_t index = 0;
  for (size_t i = 0; i < from->contexts; i++)
    if (!pp_program_context(to, from->context[i].text, &index)) return false;
  for (size_t i = 0; i < from->routines; i++) {
    if (!pp_program_routine(to, from->routine[i], &index)) return false;
    (void)pp_routine_hold(from->routine[i]);
  }
  for (size_t i = 0; i < from->operations; i++)
    if (!pp_program_add(to, &from->operation[i])) return false;
  return true;
}

bool pp_program_copy(pp_program *to, const pp_program *from) {
  pp_program copy = {.has_marker = from->has_marker,
                     .backends = from->backends,
                     .options = from->options};
  if (!copy_parts(&copy, from)) {
    pp_program_free(&copy);
    return false;
  }
  pp_program_free(to);
  *to = copy;
  return true;
}

void pp_program_free(pp_program *program) {
  for (size_t i = 0; i < program->routines; i++)
    pp_routine_free(program->routine[i]);
  free((void *)program->routine);
  free(program->context);
  free(program->operation);
  *program = (pp_program){0};
}

static const struct {
  const char *name;
  const char *shape;
} verbs[] = {
#define PP_VERB_ROW(NAME, name, shape) {#name, shape},
    PP_VERBS(PP_VERB_ROW)
#undef PP_VERB_ROW
};

const char *pp_verb_name(pp_verb verb) {
  return verbs[verb].name;
}

const char *pp_verb_shape(pp_verb verb) {
  return verbs[verb].shape;
}

const char *pp_fault_status_name(pp_status status) {
  switch (status) {
  case PP_NO_MEMORY:
    return "no_memory";
  case PP_BACKEND_FAILED:
    return "backend_failed";
  case PP_DEVICE_LOST:
    return "device_lost";
  case PP_NO_DEVICE:
    return "no_device";
  default:
    return NULL;
  }
}
