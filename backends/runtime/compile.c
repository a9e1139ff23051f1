/* poolproof: compiling: lowering and linking (RTN-1).
 * SPDX-License-Identifier: MIT */
#include "internal.h"

static bool holds(const void *context, uint64_t uid) {
  const pp_context *held = context;
  return pp_entry_find(&held->nodes, uid) != NULL;
}

pp_lineage *pp_context_lineage(pp_context *context) {
  pthread_mutex_lock(&context->device->lock);
  pp_lineage *lineage = context->lineage;
  if (lineage != NULL) pp_lineage_hold(lineage);
  pthread_mutex_unlock(&context->device->lock);
  return lineage;
}

pp_status pp_context_decide(pp_context *context, uint64_t uid,
                            pp_placement placement, pp_failure *failure) {
  pp_lineage *fork = NULL;
  pthread_mutex_lock(&context->device->lock);
  pp_status status =
      placement == PP_VIRTUAL
          ? pp_decide_inline(context->lineage, uid, &fork, failure)
          : pp_decide_materialized(context->lineage, uid, &fork, failure);
  if (status == PP_OK) {
    pp_lineage_free(context->lineage);
    context->lineage = fork;
  }
  pthread_mutex_unlock(&context->device->lock);
  return status;
}

pp_status pp_compile(pp_context *parent, const pp_routine *source,
                     const pp_lower_options *lower,
                     const pp_link_options *options, pp_context **child,
                     pp_failure *failure) {
  const pp_limits *limits = &parent->device->limits;
  pp_lineage *lineage = pp_context_lineage(parent);
  pp_lower_options how = {.kernel_statements = limits->kernel_statements,
                          .kernel_operands = limits->kernel_operands,
                          .lineage = lineage,
                          .held = holds,
                          .holder = parent};
  if (lower != NULL) {
    how.policy = lower->policy;
    how.cost_cap = lower->cost_cap;
    how.no_sinking = lower->no_sinking;
    if (lower->lineage != NULL) how.lineage = lower->lineage;
  }
  pp_lowered *lowered = NULL;
  pp_status status = pp_lower(source, &how, &lowered, failure);
  pp_lineage_free(lineage);
  if (status != PP_OK) return status;
  pp_link_options link = {0};
  if (options != NULL) link = *options;
  link.lineage = lowered->lineage;
  status = pp_link(parent, lowered->routine, &link, child, failure);
  pp_lowered_free(lowered);
  return status;
}
