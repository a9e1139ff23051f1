/* poolproof: replays: a program's steps, done twice.
 * SPDX-License-Identifier: MIT */
#include "replay_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "here.h"
#include "routines.h"
#include "values.h"

/* What one step answered, of the runtime and the model. */
typedef struct pp_answers {
  pp_status got, wanted;
  pp_failure failure;
  unsigned char *host; /* a transfer's bytes; NULL: none */
  uint64_t bytes;
  const pp_cell *cell; /* a download's */
} pp_answers;

static const char *rule_of(pp_verb verb, bool failed) {
  switch (verb) {
  case PP_DO_ROOT:
    return "BKD-3";
  case PP_DO_LINK:
    return failed ? "CTX-3, CTX-4, REL-6" : "CTX-2";
  case PP_DO_RUN:
    return "CTX-1, REL-6";
  case PP_DO_UPLOAD:
  case PP_DO_DOWNLOAD:
    return "CTX-4, REL-6";
  case PP_DO_COPY:
    return "BKD-4, CTX-4, REL-6";
  case PP_DO_MERGE:
    return "CTX-1, CTX-4, REL-6";
  case PP_DO_RELEASE:
  case PP_DO_FREE:
    return failed ? "REL-4" : "REL-3, REL-4";
  case PP_DO_TEARDOWN:
    return "REL-7";
  default:
    return "BKD-5";
  }
}

static void arm(pp_replayer *replayer, const pp_fault *fault) {
  pp_model *model = replayer->model;
  pp_model_fault(model, fault);
  pp_fault_arm(replayer->backend, model->fault, model->faults);
}

/* The host's bytes of a transfer; what is uploaded follows from the seed. The
 * memory is no longer than the transfer, so that reading past it is seen. */
static bool open_host(pp_replayer *replayer, pp_answers *answers) {
  const pp_operation *operation = replayer->operation;
  const pp_model_context *context =
      &replayer->model->context[operation->context];
  const pp_model_node *node = pp_model_find(context, operation->uid);
  uint64_t bytes = node ? node->bytes : 1;
  if (operation->has_bytes) bytes = operation->bytes;
  size_t size = bytes > PP_MODEL_BYTES ? 1 : (size_t)bytes;
  answers->bytes = bytes;
  answers->host = calloc(1, size > 0 ? size : 1);
  if (!answers->host) return false;
  if (operation->verb != PP_DO_UPLOAD) return true;
  pp_random random;
  pp_random_start(&random, operation->seed, operation->uid);
  if (node && node->bytes == bytes)
    pp_random_values(&random, node->dtype, operation->seed % 4 == 0,
                     answers->host, bytes / pp_dtype_bytes(node->dtype));
  return true;
}

/* What moves values. */
static void runtime_move(pp_replayer *replayer, pp_answers *answers) {
  const pp_operation *it = replayer->operation;
  pp_context *context = replayer->context[it->context];
  pp_context *other = replayer->context[it->other];
  pp_failure *why = &answers->failure;
  if (it->verb == PP_DO_UPLOAD)
    answers->got =
        pp_upload(context, it->uid, answers->host, answers->bytes, why);
  else if (it->verb == PP_DO_DOWNLOAD)
    answers->got =
        pp_download(context, it->uid, answers->host, answers->bytes, why);
  else if (it->verb == PP_DO_COPY)
    answers->got = pp_copy(context, other, it->uid, why);
  else
    answers->got = pp_merge(context, other, it->uid, why);
}

static void runtime_step(pp_replayer *replayer, pp_answers *answers) {
  const pp_operation *it = replayer->operation;
  const pp_link_options options = {.no_reuse = it->no_reuse, .cap = it->cap};
  pp_context **context = &replayer->context[it->context];
  pp_context *other = replayer->context[it->other];
  pp_failure *why = &answers->failure;
  switch (it->verb) {
  case PP_DO_ROOT:
    answers->got = pp_make_context(replayer->backend, it->device, context, why);
    break;
  case PP_DO_LINK:
    answers->got = pp_link(other, replayer->program->routine[it->routine],
                           &options, context, why);
    break;
  case PP_DO_RUN:
    answers->got = pp_run(*context, why);
    break;
  case PP_DO_AWAIT:
    answers->got = pp_await(*context, why);
    break;
  case PP_DO_UPLOAD:
  case PP_DO_DOWNLOAD:
  case PP_DO_COPY:
  case PP_DO_MERGE:
    runtime_move(replayer, answers);
    break;
  case PP_DO_RELEASE:
    answers->got = pp_release(*context, why);
    break;
  case PP_DO_FREE:
    answers->got = pp_context_free(*context, why);
    if (answers->got == PP_OK) *context = NULL;
    break;
  default:
    answers->got = pp_teardown(replayer->backend, why);
  }
}

static bool is_of_backend(pp_status status) {
  return status == PP_NO_MEMORY || status == PP_BACKEND_FAILED ||
         status == PP_DEVICE_LOST;
}

/* What a failure says of the call that failed: its name, but where devices are
 * asked for, before there is any to name (BKD-3). */
static const char *word_of(pp_backend_call call) {
  if (call == PP_CALL_DEVICES) return "has no device to use";
  return pp_backend_call_name(call);
}

/* A failure says what the status says, and which call it was. */
static pp_verdict check_failure(pp_replayer *replayer,
                                const pp_answers *answers) {
  const pp_failure *why = &answers->failure;
  const char *call = "";
  if (is_of_backend(answers->got)) call = word_of(replayer->model->failed);
  if (answers->got == PP_OK ||
      (why->status == answers->got && why->text[0] != '\0' &&
       strstr(why->text, call)))
    return PP_AGREE;
  return pp_replay_differs(
      replayer,
      "answers \"%s\" and a failure that says \"%s: %s\"; the first error is "
      "to be told, which is that of \"%s\" (%s)",
      pp_status_text(answers->got), pp_status_text(why->status), why->text,
      call, rule_of(replayer->operation->verb, true));
}

static pp_verdict check_status(pp_replayer *replayer,
                               const pp_answers *answers) {
  const char *why = answers->got == PP_OK ? "" : answers->failure.text;
  if (answers->got == answers->wanted) return check_failure(replayer, answers);
  return pp_replay_differs(
      replayer, "answers \"%s\" (%s), \"%s\" expected (%s)",
      pp_status_text(answers->got), why, pp_status_text(answers->wanted),
      rule_of(replayer->operation->verb, answers->wanted != PP_OK));
}

static pp_verdict check_value(pp_replayer *replayer,
                              const pp_answers *answers) {
  const pp_operation *it = replayer->operation;
  if (it->verb != PP_DO_DOWNLOAD || answers->got != PP_OK ||
      !answers->cell->known)
    return PP_AGREE;
  const pp_model_node *node =
      pp_model_find(&replayer->model->context[it->context], it->uid);
  size_t width = pp_dtype_bytes(node->dtype);
  uint64_t first = 0;
  replayer->replay->values++;
  if (pp_same_values(node->dtype, answers->host, answers->cell->at,
                     answers->bytes / width, &first))
    return PP_AGREE;
  char text[2][24] = {{0}};
  for (size_t i = 0; i < width; i++) {
    size_t at = (size_t)first * width + i;
    (void)snprintf(text[0] + 2 * i, 3, "%02x", answers->host[at]);
    (void)snprintf(text[1] + 2 * i, 3, "%02x", answers->cell->at[at]);
  }
  return pp_replay_differs(replayer,
                           "element %" PRIu64 " of node %" PRIu64
                           " (%s) has the bytes %s, %s expected (ORC-1)",
                           first, it->uid, pp_dtype_name(node->dtype), text[0],
                           text[1]);
}

static void log_step(const pp_replayer *replayer, const uint64_t *before,
                     const char *answer) {
  char text[200];
  const pp_model *model = replayer->model;
  if (!replayer->log) return;
  (void)pp_operation_print(replayer->program, replayer->operation, text,
                           sizeof text);
  fprintf(replayer->log, "%4zu  %-32s  %s", replayer->step, text, answer);
  for (unsigned k = 0; k < PP_CALL_COUNT && before; k++)
    if (model->calls[k] > before[k])
      fprintf(replayer->log, "  %s %" PRIu64,
              pp_backend_call_name((pp_backend_call)k),
              model->calls[k] - before[k]);
  fputc('\n', replayer->log);
}

static pp_verdict undecided(pp_replayer *replayer, const char *why) {
  (void)snprintf(replayer->replay->sentence, sizeof replayer->replay->sentence,
                 "step %zu: %s", replayer->step, why);
  return PP_UNDECIDED;
}

/* Did the machine run out of memory, rather than a fault strike that says so?
 * struck is how many had struck before the step. */
static bool is_really_out(const pp_replayer *replayer,
                          const pp_answers *answers, size_t struck) {
  const pp_program *program = replayer->program;
  if (answers->got != PP_NO_MEMORY || answers->wanted == PP_NO_MEMORY)
    return false;
  if (pp_fault_struck(replayer->backend) == struck) return true;
  for (size_t i = 0; i < program->operations; i++)
    if (program->operation[i].verb == PP_DO_FAULT &&
        program->operation[i].fault.status == PP_NO_MEMORY)
      return false;
  return true;
}

/* The model goes first: what it cannot follow is not done. */
static pp_verdict do_step(pp_replayer *replayer, pp_answers *answers) {
  uint64_t before[PP_CALL_COUNT + 1];
  const pp_operation *it = replayer->operation;
  bool transfers = it->verb == PP_DO_UPLOAD || it->verb == PP_DO_DOWNLOAD;
  memcpy(before, replayer->model->calls, sizeof before);
  if (transfers && !open_host(replayer, answers))
    return undecided(replayer, "out of memory");
  pp_model_host host = {.from = answers->host, .bytes = answers->bytes};
  answers->wanted =
      pp_model_step(replayer->model, replayer->program, it, &host);
  answers->cell = host.cell;
  if (replayer->model->beyond)
    return undecided(replayer, "out of memory, or more work than is compared");
  size_t struck = pp_fault_struck(replayer->backend);
  runtime_step(replayer, answers);
  log_step(replayer, before, pp_status_text(answers->got));
  if (is_really_out(replayer, answers, struck))
    return undecided(replayer, "out of memory");
  pp_replay *replay = replayer->replay;
  replay->steps++;
  replay->calls +=
      replayer->model->calls[PP_CALL_COUNT] - before[PP_CALL_COUNT];
  pp_verdict verdict = pp_replay_check_breach(replayer);
  if (verdict == PP_AGREE) verdict = check_status(replayer, answers);
  if (verdict == PP_AGREE) verdict = pp_replay_check(replayer);
  if (verdict == PP_AGREE) verdict = check_value(replayer, answers);
  if (verdict == PP_AGREE && it->verb == PP_DO_LINK && answers->got == PP_OK)
    verdict = pp_replay_check_nodes(replayer, it->context);
  return verdict;
}

static pp_verdict step(pp_replayer *replayer, const pp_operation *operation) {
  replayer->operation = operation;
  if (operation->verb == PP_DO_FAULT) {
    log_step(replayer, NULL, "");
    arm(replayer, &operation->fault);
    return PP_AGREE;
  }
  if (pp_model_skips(replayer->model, operation)) {
    log_step(replayer, NULL, "skipped");
    replayer->replay->skipped++;
    return PP_AGREE;
  }
  pp_answers answers = {.got = PP_OK};
  size_t struck = pp_fault_struck(replayer->backend);
  pp_verdict verdict = do_step(replayer, &answers);
  replayer->replay->struck += pp_fault_struck(replayer->backend) - struck;
  free(answers.host);
  return verdict;
}

/* Reads every node of a context. */
static pp_verdict read_context(pp_replayer *replayer, size_t context) {
  const pp_model_context *it = &replayer->model->context[context];
  replayer->own = (pp_operation){.verb = PP_DO_DOWNLOAD, .context = context};
  replayer->operation = &replayer->own;
  pp_verdict verdict = pp_replay_check_nodes(replayer, context);
  for (size_t i = 0; i < it->nodes && verdict == PP_AGREE; i++) {
    replayer->own.uid = it->node[i].uid;
    verdict = step(replayer, &replayer->own);
  }
  return verdict;
}

static pp_verdict conclude(pp_replayer *replayer) {
  const pp_model *model = replayer->model;
  pp_verdict verdict = PP_AGREE;
  replayer->ending = true;
  arm(replayer, NULL);
  for (size_t i = 0; i < model->contexts && verdict == PP_AGREE; i++)
    if (model->context[i].made) verdict = read_context(replayer, i);
  for (size_t i = 0; i < model->contexts && verdict == PP_AGREE; i++) {
    replayer->own = (pp_operation){.verb = PP_DO_FREE, .context = i};
    if (model->context[i].made) verdict = step(replayer, &replayer->own);
  }
  replayer->own = (pp_operation){.verb = PP_DO_TEARDOWN};
  if (verdict == PP_AGREE) verdict = step(replayer, &replayer->own);
  return verdict;
}

static pp_verdict run(pp_replayer *replayer) {
  const pp_program *program = replayer->program;
  pp_verdict verdict = PP_AGREE;
  for (size_t i = 0; i < program->operations && verdict == PP_AGREE; i++) {
    replayer->step = i + 1;
    verdict = step(replayer, &program->operation[i]);
  }
  return verdict == PP_AGREE ? conclude(replayer) : verdict;
}

/* The limits of the wrapped devices, as the fault backend tells them. Slabs are
 * based at no more than what each of the devices aligns to. */
static pp_limits *ask_limits(pp_backend *inner, pp_fault_options *options,
                             size_t *devices) {
  if (inner->call->devices(inner, devices) != PP_OK) return NULL;
  pp_limits *limits = calloc(*devices + 1, sizeof *limits);
  for (size_t i = 0; limits && i < *devices; i++) {
    if (inner->call->limits(inner, i, &limits[i]) != PP_OK) {
      free(limits);
      return NULL;
    }
    options->alignment =
        pp_backend_align(inner, &limits[i], options->alignment);
  }
  for (size_t i = 0; limits && i < *devices; i++) {
    if (options->max_pool > 0) limits[i].max_pool = options->max_pool;
    if (options->alignment > 0) limits[i].alignment = options->alignment;
  }
  return limits;
}

static bool computes(const pp_program *program, const pp_limits *limits,
                     size_t devices) {
  bool can = true;
  for (size_t i = 0; i < devices && can; i++)
    for (size_t r = 0; r < program->routines && can; r++)
      can = pp_device_computes(&limits[i], program->routine[r]->node,
                               program->routine[r]->nodes);
  return can;
}

static bool open_replayer(pp_replayer *replayer, pp_backend *inner) {
  const pp_program *program = replayer->program;
  pp_fault_options options = program->options;
  size_t devices = 0;
  pp_limits *limits = ask_limits(inner, &options, &devices);
  if (!limits) return false;
  if (computes(program, limits, devices))
    replayer->model = pp_model_new(devices, limits, program->contexts);
  free(limits);
  replayer->context = calloc(program->contexts + 1, sizeof(pp_context *));
  return replayer->model && replayer->context &&
         pp_fault_backend_new(inner, &options, &replayer->backend) == PP_OK;
}

/* Gives back what a replay that ended early has left, as far as it can. */
static void clean_up(pp_replayer *replayer) {
  if (!replayer->backend) return;
  pp_fault_arm(replayer->backend, NULL, 0);
  for (size_t i = 0; i < replayer->program->contexts; i++)
    (void)pp_context_free(replayer->context[i], NULL);
  (void)pp_teardown(replayer->backend, NULL);
}

pp_verdict pp_replay_run(const pp_program *program, pp_backend *inner,
                         FILE *log, pp_replay *replay) {
  static const pp_operation last = {.verb = PP_DO_TEARDOWN};
  pp_replayer replayer = {.program = program, .log = log, .replay = replay};
  pp_verdict verdict = PP_UNDECIDED;
  replay->programs++;
  if (open_replayer(&replayer, inner))
    verdict = run(&replayer);
  else
    (void)undecided(&replayer, "out of memory, or no device that computes all");
  if (verdict != PP_AGREE) clean_up(&replayer);
  replayer.operation = &last;
  size_t leaked = pp_fault_backend_free(replayer.backend);
  if (verdict == PP_AGREE && leaked > 0)
    verdict = pp_replay_differs(&replayer, "%zu leaks (REL-7)", leaked);
  pp_model_free(replayer.model);
  free((void *)replayer.context);
  return verdict;
}
