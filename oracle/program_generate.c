/* poolproof: random programs.
 *
 * A blind model goes along, so that what is drawn mostly makes sense: contexts
 * that are there, nodes that they hold, faults at calls that come.
 * SPDX-License-Identifier: MIT */
#include "program_generate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model_step.h"
#include "routines.h"

enum { CONTEXTS = 10, DEVICES = 8, KNOWN = 16, NEW_NODES = 7 };

/* last  the operation done last, and what it answered
 * uids  below this all may have been used */
typedef struct pp_generator {
  pp_choices *choices;
  pp_program *program;
  pp_model *model;
  size_t devices;
  pp_operation last;
  pp_status answered;
  uint64_t uids;
  bool no_memory;
} pp_generator;

static uint64_t draw(pp_generator *generator, uint64_t bound) {
  pp_choices *choices = generator->choices;
  uint64_t value = 0;
  if (choices->size == 0) return pp_random_below(&choices->random, bound);
  for (uint64_t left = bound - 1; left > 0 && choices->size > 0; left >>= 8) {
    value = value << 8 | *choices->bytes++;
    choices->size--;
  }
  return value % bound;
}

static bool one_in(pp_generator *generator, uint64_t n) {
  return draw(generator, n) == 0;
}

static pp_model_context *context_at(const pp_generator *generator, size_t i) {
  return &generator->model->context[i];
}

/* A context that is there (of the device, unless that is SIZE_MAX), new ones
 * rather than old ones; CONTEXTS: none. */
static size_t draw_context(pp_generator *generator, size_t device) {
  size_t there[CONTEXTS] = {0};
  size_t n = 0;
  for (size_t i = 0; i < CONTEXTS; i++) {
    const pp_model_context *context = context_at(generator, i);
    if (context->made && (device == SIZE_MAX || context->device == device))
      there[n++] = i;
  }
  return n > 0 ? there[draw(generator, n)] : CONTEXTS;
}

static size_t free_context(const pp_generator *generator) {
  size_t i = 0;
  while (i < CONTEXTS && context_at(generator, i)->made)
    i++;
  return i;
}

/* A node that the context holds, mostly one that may be read. */
static uint64_t draw_uid(pp_generator *generator, size_t index) {
  const pp_model_context *context = context_at(generator, index);
  uint64_t uid = draw(generator, generator->uids + 1);
  for (unsigned tries = 0; context->nodes > 0 && tries < 4; tries++) {
    const pp_model_node *node = &context->node[draw(generator, context->nodes)];
    uid = node->uid;
    if (!node->shared && pp_model_is_live(generator->model, context, node))
      break;
  }
  return uid;
}

static void emit(pp_generator *generator, const pp_operation *operation) {
  static const unsigned char nothing[1] = {0};
  if (generator->no_memory) return;
  if (!pp_program_add(generator->program, operation)) {
    generator->no_memory = true;
    return;
  }
  if (operation->verb == PP_DO_FAULT) {
    pp_model_fault(generator->model, &operation->fault);
    return;
  }
  generator->last = *operation;
  generator->answered = PP_OK;
  if (pp_model_skips(generator->model, operation)) return;
  pp_model_host host = {.from = nothing};
  const pp_model_node *node =
      pp_model_find(context_at(generator, operation->context), operation->uid);
  host.bytes = node ? node->bytes : 1;
  if (operation->has_bytes) host.bytes = operation->bytes;
  generator->answered =
      pp_model_step(generator->model, generator->program, operation, &host);
  generator->no_memory = generator->model->beyond;
}

/* The calls that an operation makes, most likely ones first, PP_CALL_DEVICES
 * ends the list; and up to which of them a fault is worth it. */
static const struct {
  pp_backend_call call[6];
  uint64_t nth;
} struck[] = {
    [PP_DO_ROOT] = {{PP_CALL_LIMITS, PP_CALL_DEVICES}, 1},
    [PP_DO_LINK] = {{PP_CALL_ALLOC_POOL, PP_CALL_FROM_HOST, PP_CALL_COMPILE,
                     PP_CALL_MEMSET, PP_CALL_COUNT, PP_CALL_DEVICES},
                    5},
    [PP_DO_RUN] = {{PP_CALL_LAUNCH, PP_CALL_DEVICES}, 1},
    [PP_DO_AWAIT] = {{PP_CALL_AWAIT, PP_CALL_DEVICES}, 1},
    [PP_DO_UPLOAD] = {{PP_CALL_FROM_HOST, PP_CALL_DEVICES}, 1},
    [PP_DO_DOWNLOAD] = {{PP_CALL_TO_HOST, PP_CALL_DEVICES}, 1},
    [PP_DO_COPY] = {{PP_CALL_DEVICE_TO_DEVICE, PP_CALL_DEVICES}, 1},
    [PP_DO_MERGE] = {{PP_CALL_ALLOC_POOL, PP_CALL_COUNT, PP_CALL_FREE_POOL,
                      PP_CALL_DEVICE_TO_DEVICE, PP_CALL_AWAIT, PP_CALL_DEVICES},
                     2},
    [PP_DO_RELEASE] = {{PP_CALL_FREE_POOL, PP_CALL_AWAIT, PP_CALL_COUNT,
                        PP_CALL_DEVICES},
                       4},
    [PP_DO_FREE] = {{PP_CALL_FREE_POOL, PP_CALL_AWAIT, PP_CALL_COUNT,
                     PP_CALL_DEVICES},
                    4},
    [PP_DO_TEARDOWN] = {{PP_CALL_FREE_POOL, PP_CALL_AWAIT, PP_CALL_COUNT,
                         PP_CALL_DEVICES},
                        4},
};

static pp_status draw_status(pp_generator *generator) {
  if (one_in(generator, 12)) return PP_DEVICE_LOST;
  return one_in(generator, 4) ? PP_NO_MEMORY : PP_BACKEND_FAILED;
}

static void emit_fault(pp_generator *generator, pp_backend_call call,
                       uint64_t most) {
  const pp_operation operation = {.verb = PP_DO_FAULT,
                                  .fault = {.call = call,
                                            .nth = 1 + draw(generator, most),
                                            .status = draw_status(generator)}};
  emit(generator, &operation);
}

/* A fault for the operation to come, and for links now and then one for the
 * way back. */
static void emit_faults(pp_generator *generator, pp_verb verb) {
  size_t n = 0;
  while (struck[verb].call[n] != PP_CALL_DEVICES)
    n++;
  if (verb == PP_DO_ROOT) n++; /* that one too */
  emit_fault(generator, struck[verb].call[draw(generator, n)],
             struck[verb].nth);
  if (verb != PP_DO_LINK || !one_in(generator, 2)) return;
  bool waits = one_in(generator, 2);
  emit_fault(generator, waits ? PP_CALL_AWAIT : PP_CALL_FREE_POOL,
             waits ? 1 : 2);
}

static void do_root(pp_generator *generator) {
  size_t context = free_context(generator);
  if (context == CONTEXTS) return;
  size_t bound = generator->devices;
  if (one_in(generator, 40)) bound++;
  const pp_operation operation = {
      .verb = PP_DO_ROOT, .context = context, .device = draw(generator, bound)};
  emit(generator, &operation);
}

static pp_node as_known(const pp_model_node *node) {
  pp_node known = {.uid = node->uid, .dtype = node->dtype, .rank = node->rank};
  memcpy(known.dims, node->dims, sizeof known.dims);
  if (node->constant) known.intents = PP_CONSTANT;
  return known;
}

/* Nodes of the parent that a routine may use; now and then one that it may
 * not: a shared one, or one that is gone. */
static size_t draw_known(pp_generator *generator, size_t parent,
                         pp_node *known) {
  const pp_model_context *context = context_at(generator, parent);
  bool any = one_in(generator, 12);
  size_t n = 0;
  for (size_t i = 0; i < context->nodes && n < KNOWN; i++) {
    const pp_model_node *node = &context->node[i];
    bool good =
        !node->shared && pp_model_is_live(generator->model, context, node);
    if (!good && !any) continue;
    if (!one_in(generator, 4)) known[n++] = as_known(node);
  }
  return n;
}

/* A node that may be in the merge buffer when the routine runs. */
static bool draw_merge(pp_generator *generator, pp_node *merge) {
  size_t index = draw_context(generator, SIZE_MAX);
  const pp_model_context *context = context_at(generator, index);
  if (!one_in(generator, 4) || context->nodes == 0) return false;
  *merge = as_known(&context->node[draw(generator, context->nodes)]);
  merge->intents = PP_MERGE;
  return true;
}

/* New uids, but now and then old ones: what is constant in one lineage may be
 * working in another. */
static uint64_t draw_first(pp_generator *generator) {
  uint64_t first = generator->uids + 1;
  if (one_in(generator, 6)) return 1 + draw(generator, first);
  generator->uids += NEW_NODES;
  return first;
}

/* Nodes of the limits' own range have no second use: theirs are new. */
static void drop_own(pp_routine_limits *limits, pp_node *known) {
  size_t kept = 0;
  for (size_t k = 0; k < limits->knowns; k++)
    if (known[k].uid < limits->first_uid ||
        known[k].uid - limits->first_uid >= limits->nodes)
      known[kept++] = known[k];
  limits->knowns = kept;
  if (limits->merge && limits->merge->uid >= limits->first_uid &&
      limits->merge->uid - limits->first_uid < limits->nodes)
    limits->merge = NULL;
}

static bool rename_routine(pp_routine *routine, size_t number) {
  char name[32];
  (void)snprintf(name, sizeof name, "r%zu", number);
  char *copy = strdup(name);
  if (!copy) return false;
  free(routine->name);
  routine->name = copy;
  return true;
}

static size_t add_routine(pp_generator *generator, size_t parent) {
  pp_program *program = generator->program;
  pp_node known[KNOWN];
  pp_node merge;
  size_t knowns = draw_known(generator, parent, known);
  pp_routine_limits limits = {.first_uid = draw_first(generator),
                              .nodes = 2 + draw(generator, NEW_NODES - 1),
                              .statements = 1 + draw(generator, 8),
                              .extent = 1 + draw(generator, 6),
                              .wild = one_in(generator, 8),
                              .known = known,
                              .knowns = knowns};
  if (draw_merge(generator, &merge)) limits.merge = &merge;
  drop_own(&limits, known);
  pp_random random;
  pp_random_start(&random, draw(generator, UINT64_C(1) << 24), 0);
  pp_routine *routine = NULL;
  size_t index = 0;
  if (pp_random_routine(&random, &limits, &routine, NULL) != PP_OK) {
    generator->no_memory = true;
    return 0;
  }
  if (!rename_routine(routine, program->routines) ||
      !pp_program_routine(program, routine, &index)) {
    pp_routine_free(routine);
    generator->no_memory = true;
  }
  return index;
}

static void do_link(pp_generator *generator) {
  size_t child = free_context(generator);
  size_t parent = draw_context(generator, SIZE_MAX);
  size_t routines = generator->program->routines;
  if (child == CONTEXTS || parent == CONTEXTS) return;
  pp_operation operation = {
      .verb = PP_DO_LINK, .context = child, .other = parent};
  bool again = context_at(generator, parent)->nodes == 0;
  if (routines > 0 && one_in(generator, again ? 2 : 3))
    operation.routine = draw(generator, routines);
  else
    operation.routine = add_routine(generator, parent);
  operation.no_reuse = one_in(generator, 8);
  if (one_in(generator, 6)) operation.cap = 8 + 8 * draw(generator, 32);
  if (one_in(generator, 3)) emit_faults(generator, PP_DO_LINK);
  emit(generator, &operation);
}

static void do_simple(pp_generator *generator, pp_verb verb) {
  pp_operation operation = {.verb = verb};
  size_t context = draw_context(generator, SIZE_MAX);
  if (context == CONTEXTS) return;
  if (verb != PP_DO_TEARDOWN) operation.context = context;
  bool often = verb == PP_DO_RELEASE || verb == PP_DO_FREE;
  if (one_in(generator, often ? 2 : 10)) emit_faults(generator, verb);
  emit(generator, &operation);
}

static void do_transfer(pp_generator *generator, pp_verb verb) {
  size_t context = draw_context(generator, SIZE_MAX);
  if (context == CONTEXTS) return;
  pp_operation operation = {
      .verb = verb, .context = context, .uid = draw_uid(generator, context)};
  if (verb == PP_DO_UPLOAD) operation.seed = draw(generator, 256);
  operation.has_bytes = one_in(generator, 24);
  if (operation.has_bytes) operation.bytes = draw(generator, 64);
  if (one_in(generator, 12)) emit_faults(generator, verb);
  emit(generator, &operation);
}

/* A context that holds the node, other than index if there is one. */
static size_t other_holder(pp_generator *generator, size_t index,
                           uint64_t uid) {
  size_t from = (size_t)draw(generator, CONTEXTS);
  for (size_t k = 0; k < CONTEXTS; k++) {
    size_t i = (from + k) % CONTEXTS;
    const pp_model_context *context = context_at(generator, i);
    if (i != index && context->made && pp_model_find(context, uid)) return i;
  }
  return index;
}

/* A node that a routine wants merged; NULL: none was drawn. */
static const pp_node *draw_wanted(pp_generator *generator, size_t *routine) {
  const pp_program *program = generator->program;
  if (program->routines == 0) return NULL;
  size_t from = (size_t)draw(generator, program->routines);
  for (size_t k = 0; k < program->routines; k++) {
    *routine = (from + k) % program->routines;
    const pp_routine *it = program->routine[*routine];
    for (size_t i = 0; i < it->nodes; i++)
      if ((it->node[i].intents & PP_MERGE) != 0) return &it->node[i];
  }
  return NULL;
}

static void do_pair(pp_generator *generator, pp_verb verb) {
  size_t from = draw_context(generator, SIZE_MAX);
  size_t routine = 0;
  if (from == CONTEXTS) return;
  uint64_t uid = draw_uid(generator, from);
  const pp_node *wanted = NULL;
  if (verb == PP_DO_MERGE && one_in(generator, 2))
    wanted = draw_wanted(generator, &routine);
  if (wanted) {
    uid = wanted->uid;
    from = other_holder(generator, from, uid);
  }
  size_t to = verb == PP_DO_COPY ? other_holder(generator, from, uid)
                                 : draw_context(generator, SIZE_MAX);
  const pp_operation operation = {
      .verb = verb, .context = to, .other = from, .uid = uid};
  if (one_in(generator, verb == PP_DO_MERGE ? 4 : 12))
    emit_faults(generator, verb);
  emit(generator, &operation);
}

/* Whoever wants something merged, on a device as half a teardown left it:
 * mostly the first one, which is torn down first. */
static void use_again(pp_generator *generator) {
  pp_operation link = {.verb = PP_DO_LINK, .context = 1};
  pp_operation root = {.verb = PP_DO_ROOT};
  const pp_operation run = {.verb = PP_DO_RUN, .context = 1};
  if (one_in(generator, 2)) root.device = draw(generator, generator->devices);
  emit(generator, &root);
  if (!draw_wanted(generator, &link.routine)) return;
  emit(generator, &link);
  emit(generator, &run);
}

/* All contexts go, and the backend is torn down: it starts again. */
static void do_end(pp_generator *generator) {
  for (size_t i = 0; i < CONTEXTS; i++) {
    const pp_operation operation = {.verb = PP_DO_FREE, .context = i};
    if (context_at(generator, i)->made) emit(generator, &operation);
  }
  const pp_operation teardown = {.verb = PP_DO_TEARDOWN};
  if (one_in(generator, 2)) emit_faults(generator, PP_DO_TEARDOWN);
  emit(generator, &teardown);
  if (generator->answered == PP_OK) return;
  if (one_in(generator, 3)) {
    emit(generator, &teardown);
    return;
  }
  use_again(generator);
}

/* What failed is mostly tried again, as it was. True: it was. */
static bool try_again(pp_generator *generator) {
  const pp_operation last = generator->last;
  pp_status why = generator->answered;
  if (why != PP_NO_MEMORY && why != PP_BACKEND_FAILED) return false;
  if (one_in(generator, 3)) return false;
  if (one_in(generator, 4)) emit_faults(generator, last.verb);
  emit(generator, &last);
  return true;
}

static void do_something(pp_generator *generator) {
  static const struct {
    unsigned share;
    pp_verb verb;
  } shares[] = {
      {6, PP_DO_ROOT},    {24, PP_DO_LINK},     {22, PP_DO_RUN},
      {14, PP_DO_UPLOAD}, {10, PP_DO_DOWNLOAD}, {12, PP_DO_COPY},
      {10, PP_DO_MERGE},  {12, PP_DO_RELEASE},  {10, PP_DO_FREE},
      {4, PP_DO_AWAIT},   {5, PP_DO_TEARDOWN},
  };
  uint64_t at = draw(generator, 129);
  size_t k = 0;
  for (; at >= shares[k].share; k++)
    at -= shares[k].share;
  switch (shares[k].verb) {
  case PP_DO_ROOT:
    do_root(generator);
    break;
  case PP_DO_LINK:
    do_link(generator);
    break;
  case PP_DO_UPLOAD:
  case PP_DO_DOWNLOAD:
    do_transfer(generator, shares[k].verb);
    break;
  case PP_DO_COPY:
  case PP_DO_MERGE:
    do_pair(generator, shares[k].verb);
    break;
  case PP_DO_TEARDOWN:
    if (one_in(generator, 4))
      do_simple(generator, PP_DO_TEARDOWN);
    else
      do_end(generator);
    break;
  default:
    do_simple(generator, shares[k].verb);
  }
}

static void draw_options(pp_generator *generator) {
  pp_fault_options *options = &generator->program->options;
  options->delay = one_in(generator, 2);
  if (one_in(generator, 6)) options->max_pool = 16 + 8 * draw(generator, 64);
  if (!one_in(generator, 3))
    options->alignment = UINT64_C(1) << draw(generator, 8);
}

static bool open_generator(pp_generator *generator) {
  const pp_fault_options *options = &generator->program->options;
  pp_limits limits[DEVICES];
  for (size_t i = 0; i < DEVICES; i++) {
    limits[i] = (pp_limits){.max_pool = UINT64_C(1) << 32, .alignment = 64};
    if (options->max_pool > 0) limits[i].max_pool = options->max_pool;
    if (options->alignment > 0) limits[i].alignment = options->alignment;
  }
  generator->model = pp_model_new(generator->devices, limits, CONTEXTS);
  if (!generator->model) return false;
  generator->model->blind = true;
  for (size_t i = 0; i < CONTEXTS; i++) {
    char name[16];
    size_t index = 0;
    (void)snprintf(name, sizeof name, "c%zu", i);
    if (!pp_program_context(generator->program, name, &index)) return false;
  }
  return true;
}

static void generate(pp_generator *generator, size_t steps) {
  const pp_choices *choices = generator->choices;
  const pp_program *program = generator->program;
  bool fed = choices->size > 0;
  do_root(generator);
  do_root(generator);
  do_link(generator);
  while (!generator->no_memory && program->operations < PP_PROGRAM_OPERATIONS &&
         (fed ? choices->size > 0 : program->operations < steps))
    if (!try_again(generator)) do_something(generator);
}

bool pp_program_generate(pp_choices *choices, const pp_generator_limits *limits,
                         pp_program *program) {
  pp_generator generator = {
      .choices = choices, .program = program, .devices = limits->devices};
  if (generator.devices > DEVICES) generator.devices = DEVICES;
  pp_program_free(program);
  draw_options(&generator);
  if (open_generator(&generator))
    generate(&generator, limits->steps);
  else
    generator.no_memory = true;
  pp_model_free(generator.model);
  if (generator.no_memory) pp_program_free(program);
  return !generator.no_memory;
}
