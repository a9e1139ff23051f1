#include "edit_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edit_routine.h"
#include "program_generate.h"

/* The program, and where its edits come from. */
typedef struct pp_program_draft {
  pp_program *program;
  pp_random *random;
} pp_program_draft;

static size_t any_of(const pp_program_draft *draft, size_t n) {
  return (size_t)pp_random_below(draft->random, n);
}

static pp_operation *any_operation(const pp_program_draft *draft) {
  return &draft->program->operation[any_of(draft, draft->program->operations)];
}

static bool has_shape(const pp_operation *operation, char shape) {
  return strchr(pp_verb_shape(operation->verb), shape) != NULL;
}

/* Inserts it, no operation of the program itself, at `at`; not when there are
 * too many or there is no memory. */
static void insert(const pp_program_draft *draft, size_t at,
                   const pp_operation *operation) {
  pp_program *program = draft->program;
  if (program->operations == PP_PROGRAM_OPERATIONS ||
      !pp_program_add(program, operation))
    return;
  memmove(&program->operation[at + 1], &program->operation[at],
          (program->operations - 1 - at) * sizeof *operation);
  program->operation[at] = *operation;
}

static void drop_operations(const pp_program_draft *draft) {
  pp_program *program = draft->program;
  size_t from = any_of(draft, program->operations);
  size_t left = program->operations - from;
  size_t count = 1 + any_of(draft, 3);
  if (count > left) count = left;
  memmove(&program->operation[from], &program->operation[from + count],
          (left - count) * sizeof *program->operation);
  program->operations -= count;
}

static void double_operation(const pp_program_draft *draft) {
  const pp_operation operation = *any_operation(draft);
  insert(draft, any_of(draft, draft->program->operations + 1), &operation);
}

static void swap_operations(const pp_program_draft *draft) {
  pp_operation *a = any_operation(draft);
  pp_operation *b = any_operation(draft);
  const pp_operation operation = *a;
  *a = *b;
  *b = operation;
}

/* A uid of a node of any routine, or a small number. */
static uint64_t any_uid(const pp_program_draft *draft) {
  const pp_program *program = draft->program;
  uint64_t uid = pp_random_below(draft->random, 12);
  if (program->routines == 0) return uid;
  const pp_routine *routine =
      program->routine[any_of(draft, program->routines)];
  if (routine->nodes == 0 || pp_random_one_in(draft->random, 8)) return uid;
  return routine->node[any_of(draft, routine->nodes)].uid;
}

/* value by one more or less, a small one, or one that matters. */
static uint64_t other_number(const pp_program_draft *draft, uint64_t value) {
  switch (any_of(draft, 5)) {
  case 0:
    return value > 0 ? value - 1 : 1;
  case 1:
    return value < UINT64_MAX ? value + 1 : 0;
  case 2:
    return UINT64_MAX >> any_of(draft, 64);
  default:
    return any_of(draft, 33);
  }
}

static void change_fault(const pp_program_draft *draft, pp_fault *fault) {
  static const pp_status statuses[] = {PP_BACKEND_FAILED, PP_BACKEND_FAILED,
                                       PP_NO_MEMORY, PP_DEVICE_LOST,
                                       PP_NO_DEVICE};
  switch (any_of(draft, 3)) {
  case 0:
    fault->call = (pp_backend_call)any_of(draft, PP_CALL_COUNT + 1);
    break;
  case 1:
    fault->nth = 1 + any_of(draft, 8);
    break;
  default:
    fault->status = statuses[any_of(draft, sizeof statuses / sizeof *statuses)];
  }
}

static void change_argument(const pp_program_draft *draft,
                            pp_operation *operation, char shape) {
  const pp_program *program = draft->program;
  switch (shape) {
  case 'N':
  case 'C':
    operation->context = any_of(draft, program->contexts);
    break;
  case 'O':
    operation->other = any_of(draft, program->contexts);
    break;
  case 'R':
    operation->routine = any_of(draft, program->routines);
    break;
  case 'd':
    operation->device = any_of(draft, 4);
    break;
  case 'u':
    operation->uid = any_uid(draft);
    break;
  case 's':
    operation->seed = other_number(draft, operation->seed);
    break;
  case 'b':
    operation->has_bytes = !pp_random_one_in(draft->random, 3);
    operation->bytes = other_number(draft, operation->bytes);
    break;
  case 'k':
    operation->no_reuse = pp_random_one_in(draft->random, 2);
    operation->cap = other_number(draft, operation->cap);
    break;
  default:
    change_fault(draft, &operation->fault);
  }
}

static void change_operation(const pp_program_draft *draft) {
  pp_operation *operation = any_operation(draft);
  const char *shape = pp_verb_shape(operation->verb);
  size_t n = strlen(shape);
  if (n > 0) change_argument(draft, operation, shape[any_of(draft, n)]);
}

/* A copy becomes a download, a run an await ...: the arguments stay. */
static void change_verb(const pp_program_draft *draft) {
  pp_operation *operation = any_operation(draft);
  pp_verb verb = (pp_verb)any_of(draft, PP_VERB_COUNT);
  pp_operation changed = *operation;
  changed.verb = verb;
  if (has_shape(&changed, 'N') || has_shape(operation, 'N') ||
      verb == PP_DO_FAULT)
    return;
  *operation = changed;
}

static void insert_fault(const pp_program_draft *draft) {
  pp_operation fault = {.verb = PP_DO_FAULT};
  fault.fault.call = (pp_backend_call)any_of(draft, PP_CALL_COUNT + 1);
  fault.fault.nth = 1 + any_of(draft, 4);
  fault.fault.status = PP_BACKEND_FAILED;
  change_fault(draft, &fault.fault);
  insert(draft, any_of(draft, draft->program->operations + 1), &fault);
}

/* A release that is there, or of any context, once more behind it. */
static void release_again(const pp_program_draft *draft) {
  const pp_program *program = draft->program;
  if (program->contexts == 0) return;
  pp_operation release = {.verb = PP_DO_RELEASE,
                          .context = any_of(draft, program->contexts)};
  size_t at = any_of(draft, program->operations);
  for (size_t i = at; i < program->operations; i++)
    if (program->operation[i].verb == PP_DO_RELEASE) {
      release = program->operation[i];
      at = i;
      break;
    }
  insert(draft, at + 1, &release);
}

/* A context of a name of its own, linked to one that is there. */
static void insert_link(const pp_program_draft *draft) {
  pp_program *program = draft->program;
  char name[PP_LABEL];
  pp_operation link = {.verb = PP_DO_LINK};
  if (program->routines == 0 || program->contexts == 0) return;
  (void)snprintf(name, sizeof name, "c%zu", program->contexts);
  link.other = any_of(draft, program->contexts);
  link.routine = any_of(draft, program->routines);
  if (pp_program_context(program, name, &link.context))
    insert(draft, any_of(draft, program->operations + 1), &link);
}

static void change_options(const pp_program_draft *draft) {
  pp_fault_options *options = &draft->program->options;
  switch (any_of(draft, 3)) {
  case 0:
    options->delay = !options->delay;
    break;
  case 1:
    options->max_pool = other_number(draft, options->max_pool);
    break;
  default:
    options->alignment = UINT64_C(1) << any_of(draft, 17);
  }
}

static void edit_one_routine(const pp_program_draft *draft) {
  pp_program *program = draft->program;
  if (program->routines == 0) return;
  pp_routine **old = &program->routine[any_of(draft, program->routines)];
  pp_routine *routine = pp_edit_routine(*old, draft->random);
  if (!routine) return;
  pp_routine_free(*old);
  *old = routine;
}

/* The program's routine of that name, or SIZE_MAX. */
static size_t find_routine(const pp_program *program, const char *name) {
  for (size_t i = 0; i < program->routines; i++)
    if (strcmp(program->routine[i]->name, name) == 0) return i;
  return SIZE_MAX;
}

/* Where the routine is in the program from now on, under another name if its
 * own is taken; same: then the one that has it is meant. False: no memory. */
static bool adopt_routine(pp_program *program, pp_routine *routine, bool same,
                          size_t *index) {
  char name[PP_LABEL];
  pp_routine *own = NULL;
  *index = find_routine(program, routine->name);
  if (*index != SIZE_MAX && same) return true;
  if (*index == SIZE_MAX) {
    own = pp_routine_hold(routine);
  } else {
    size_t k = program->routines;
    do
      (void)snprintf(name, sizeof name, "routine_%zu", k++);
    while (find_routine(program, name) != SIZE_MAX);
    own = pp_rename_routine(routine, name);
  }
  if (own && pp_program_routine(program, own, index)) return true;
  pp_routine_free(own);
  return false;
}

/* Appends the other's operations from `from` on. False: no memory; they are
 * cut short. */
static bool append(const pp_program_draft *draft, const pp_program *other,
                   size_t from) {
  pp_program *program = draft->program;
  bool same = pp_random_one_in(draft->random, 2);
  size_t *context = calloc(other->contexts + 1, sizeof *context);
  size_t *routine = calloc(other->routines + 1, sizeof *routine);
  bool good = context && routine;
  for (size_t i = 0; good && i < other->contexts; i++)
    good = pp_program_context(program, other->context[i].text, &context[i]);
  for (size_t i = 0; good && i < other->routines; i++)
    good = adopt_routine(program, other->routine[i], same, &routine[i]);
  for (size_t i = from; good && i < other->operations; i++) {
    pp_operation operation = other->operation[i];
    operation.context = context[operation.context];
    operation.other = context[operation.other];
    operation.routine = routine[operation.routine];
    insert(draft, program->operations, &operation);
  }
  free(context);
  free(routine);
  return good;
}

bool pp_small_program(pp_program *program, pp_random *random) {
  pp_generator_limits limits = {.devices = 1 + pp_random_below(random, 2)};
  limits.steps = 4 + pp_random_below(random, 12);
  pp_choices choices = {.size = 0};
  pp_random_start(&choices.random, pp_random_next(random), 0);
  return pp_program_generate(&choices, &limits, program);
}

static void splice(const pp_program_draft *draft) {
  pp_program other = {.routines = 0};
  if (pp_small_program(&other, draft->random)) (void)append(draft, &other, 0);
  pp_program_free(&other);
}

/* A context that is made, if there is one. */
static bool remake(const pp_program_draft *draft, const bool *made,
                   size_t *context) {
  size_t n = draft->program->contexts;
  size_t first = any_of(draft, n);
  for (size_t k = 0; k < n && !made[*context]; k++)
    *context = (first + k) % n;
  return n > 0 && made[*context];
}

/* Operations become such as can be read again: on contexts that are made
 * above, if any is, with routines that are there. */
static bool mend(const pp_program_draft *draft) {
  pp_program *program = draft->program;
  bool *made = calloc(program->contexts + 1, sizeof *made);
  size_t kept = 0;
  if (!made) return false;
  for (size_t i = 0; i < program->operations; i++) {
    pp_operation it = program->operation[i];
    if ((has_shape(&it, 'C') && !remake(draft, made, &it.context)) ||
        (has_shape(&it, 'O') && !remake(draft, made, &it.other)) ||
        (has_shape(&it, 'R') && it.routine >= program->routines))
      continue;
    if (has_shape(&it, 'N')) made[it.context] = true;
    program->operation[kept++] = it;
  }
  program->operations = kept;
  free(made);
  return true;
}

static void edit(const pp_program_draft *draft) {
  typedef void pp_program_change(const pp_program_draft *);
  static pp_program_change *const changes[] = {
      drop_operations,  double_operation, swap_operations, change_operation,
      change_operation, change_operation, change_verb,     insert_fault,
      insert_fault,     release_again,    insert_link,     change_options,
      edit_one_routine, edit_one_routine, splice};
  if (draft->program->operations == 0)
    splice(draft);
  else
    changes[any_of(draft, sizeof changes / sizeof *changes)](draft);
}

bool pp_edit_program(pp_program *program, pp_random *random) {
  enum { EDITS = 4 };
  const pp_program_draft draft = {program, random};
  for (size_t k = 1 + any_of(&draft, EDITS); k > 0; k--)
    edit(&draft);
  return mend(&draft);
}

bool pp_cross_programs(pp_program *program, const pp_program *other,
                       pp_random *random) {
  const pp_program_draft draft = {program, random};
  program->operations -= any_of(&draft, program->operations / 2 + 1);
  return append(&draft, other, any_of(&draft, other->operations / 2 + 1)) &&
         mend(&draft);
}
