/* poolproof: the model and the operations of programs.
 * SPDX-License-Identifier: MIT */
#include "model_step.h"

bool pp_model_skips(const pp_model *model, const pp_operation *operation) {
  const pp_model_context *context = model->context;
  const char *shape = pp_verb_shape(operation->verb);
  for (; *shape; shape++) {
    if (*shape == 'N' && context[operation->context].made) return true;
    if (*shape == 'C' && !context[operation->context].made) return true;
    if (*shape == 'O' && !context[operation->other].made) return true;
  }
  return false;
}

pp_status pp_model_step(pp_model *model, const pp_program *program,
                        const pp_operation *operation, pp_model_host *host) {
  const pp_operation *it = operation;
  const pp_link_options options = {.no_reuse = it->no_reuse, .cap = it->cap};
  switch (it->verb) {
  case PP_DO_ROOT:
    return pp_model_root(model, it->context, it->device);
  case PP_DO_LINK:
    return pp_model_link(model, it->context, it->other,
                         program->routine[it->routine], &options);
  case PP_DO_RUN:
    return pp_model_run(model, it->context);
  case PP_DO_AWAIT:
    return pp_model_await(model, it->context);
  case PP_DO_UPLOAD:
    return pp_model_upload(model, it->context, it->uid, host->from,
                           host->bytes);
  case PP_DO_DOWNLOAD:
    return pp_model_download(model, it->context, it->uid, host->bytes,
                             &host->cell);
  case PP_DO_COPY:
    return pp_model_copy(model, it->context, it->other, it->uid);
  case PP_DO_MERGE:
    return pp_model_merge(model, it->context, it->other, it->uid);
  case PP_DO_RELEASE:
    return pp_model_release(model, it->context);
  case PP_DO_FREE:
    return pp_model_context_free(model, it->context);
  default:
    return pp_model_teardown(model);
  }
}

void pp_model_fault(pp_model *model, const pp_fault *fault) {
  pp_fault pending[PP_FAULTS];
  size_t n = 0;
  for (size_t i = 0; fault && i < model->faults; i++) {
    pp_fault old = model->fault[i];
    uint64_t calls = model->calls[old.call];
    if (model->struck[i] || old.nth <= calls) continue;
    old.nth -= calls;
    pending[n++] = old;
  }
  if (fault && n < PP_FAULTS) pending[n++] = *fault;
  pp_model_arm(model, pending, n);
}
