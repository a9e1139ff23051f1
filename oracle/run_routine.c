/* poolproof: a routine run by backends under several plans.
 * SPDX-License-Identifier: MIT */
#include "run_routine.h"

#include "run_owners.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_CAP (UINT64_C(1) << 32)

static const struct {
  const char *name;
  pp_policy policy;
  bool no_reuse;
} plans[PP_RUN_PLANS] = {{"default", PP_POLICY_COST, false},
                         {"no reuse", PP_POLICY_COST, true},
                         {"all inline", PP_POLICY_INLINE, false},
                         {"all materialised", PP_POLICY_MATERIALISE, false}};

const char *const pp_run_plan_words[PP_RUN_PLANS] = {"default", "no-reuse",
                                                     "inline", "materialise"};

/* One plan for devices of one kind: the final code, what the scorer says of it,
 * and the last layout whose owners were looked at, with what was found.
 * score   what these devices align to, and hold in a pool
 * missed  it is fitted, and not within the budget */
typedef struct pp_run_plan {
  const char *name;
  pp_score_options score;
  bool missed;
  pp_routine *final;
  pp_footprint footprint;
  pp_places places;
  char owners[PP_FAILURE_TEXT];
} pp_run_plan;

/* One run of a plan on a backend, from fresh contexts. */
typedef struct pp_trial {
  const pp_truth *truth;
  pp_run_plan *plan;
  pp_backend *backend;
  pp_context *root;
  pp_context *context;
  int time;
  pp_run_row *row;
  pp_run_report *report;
  pp_failure *failure;
} pp_trial;

/* -- plans -- */

static bool is_fitted(const pp_run_options *options, size_t number) {
  return number == 0 && options->budget && !options->no_reuse;
}

static pp_status lower(const pp_routine *source, const pp_lower_options *how,
                       pp_run_plan *plan, pp_failure *failure) {
  pp_lowered *lowered = NULL;
  pp_status status = pp_lower(source, how, &lowered, failure);
  if (status == PP_OK) plan->final = pp_routine_hold(lowered->routine);
  pp_lowered_free(lowered);
  return status;
}

static pp_status fit(const pp_routine *source, const pp_budget *budget,
                     pp_run_plan *plan, pp_failure *failure) {
  pp_fitting *fitting = NULL;
  pp_status status =
      pp_fit(source, NULL, &plan->score, budget, &fitting, failure);
  if (status == PP_OK)
    status = lower(source, &(pp_lower_options){.lineage = fitting->lineage},
                   plan, failure);
  plan->missed = status == PP_OK && !fitting->within;
  pp_fitting_free(fitting);
  return status;
}

static const char *name_of(const pp_run_options *options, size_t number) {
  if (is_fitted(options, number)) return "fitted";
  return options->as_is && number == 0 ? "as it is" : plans[number].name;
}

/* NULL: the scorer's own limits. */
static pp_status open_plan(const pp_routine *source, size_t number,
                           const pp_run_options *options,
                           const pp_limits *limits, pp_run_plan *plan,
                           pp_failure *failure) {
  pp_status status = PP_OK;
  plan->name = name_of(options, number);
  if (limits) {
    plan->score.alignment = limits->alignment;
    plan->score.cap = limits->max_pool < USUAL_CAP ? limits->max_pool : 0;
  }
  plan->score.no_reuse = options->no_reuse || plans[number].no_reuse;
  if (is_fitted(options, number))
    status = fit(source, options->budget, plan, failure);
  else if (options->as_is)
    plan->final = pp_routine_hold((pp_routine *)source);
  else
    status = lower(source, &(pp_lower_options){.policy = plans[number].policy},
                   plan, failure);
  if (status != PP_OK) return status;
  return pp_score_footprint(plan->final, &plan->score, &plan->footprint,
                            failure);
}

static void close_plan(pp_run_plan *plan) {
  pp_places_free(&plan->places);
  pp_routine_free(plan->final);
  *plan = (pp_run_plan){.final = NULL};
}

/* -- one run -- */

static pp_status no_memory(const pp_trial *trial) {
  return pp_fail(trial->failure, PP_NO_MEMORY, "out of memory");
}

static bool fine(const pp_trial *trial) {
  return trial->row->values[0] == '\0';
}

/* A refusal by the runtime is a fault of the row, but for what no routine can
 * help, and for what cannot be run: two merge nodes. */
static pp_status settle(const pp_trial *trial, pp_status status) {
  switch (status) {
  case PP_OK:
  case PP_NO_MEMORY:
  case PP_BACKEND_FAILED:
  case PP_DEVICE_LOST:
  case PP_NOT_MERGED:
    return status;
  default:
    if (fine(trial))
      (void)snprintf(trial->row->values, PP_RUN_TEXT, "%s",
                     trial->failure->text);
    return PP_OK;
  }
}

/* The census is the scorer's footprint (FPT-2). */
static void count(const pp_trial *trial) {
  pp_run_row *row = trial->row;
  const pp_footprint *score = &trial->plan->footprint;
  pp_census census;
  pp_device_census(trial->backend, 0, &census);
  row->working = census.working_bytes;
  row->constants = census.constant_bytes;
  if (row->working == score->working && row->constants == score->constants)
    return;
  (void)snprintf(
      row->values, PP_RUN_TEXT,
      "the census counts %" PRIu64 " working and %" PRIu64
      " constant bytes, the scorer %" PRIu64 " and %" PRIu64 " (FPT-2)",
      row->working, row->constants, score->working, score->constants);
}

/* A layout that was looked at already has the same owners. */
static pp_status look_at_owners(const pp_trial *trial) {
  pp_run_plan *plan = trial->plan;
  pp_places places;
  trial->row->long_owners = pp_owners_reads(plan->final) > PP_OWNERS_MOST;
  if (trial->row->long_owners) return PP_OK;
  pp_status status = pp_places_find(trial->context, plan->final, &places);
  if (status != PP_OK) return no_memory(trial);
  bool known = plan->places.place && pp_places_same(&places, &plan->places);
  pp_places_free(known ? &places : &plan->places);
  if (!known) {
    plan->places = places;
    if (pp_owners_run(plan->final, &plan->places, plan->owners) != PP_OK)
      return no_memory(trial);
  }
  memcpy(trial->row->owners, plan->owners, sizeof plan->owners);
  return PP_OK;
}

/* Frees the context; status, or when that is PP_OK, what freeing it says. */
static pp_status first_error(const pp_trial *trial, pp_status status,
                             pp_context *context) {
  pp_failure later;
  pp_status freed =
      pp_context_free(context, status == PP_OK ? trial->failure : &later);
  return status == PP_OK ? freed : status;
}

/* A routine of the one node, which the host fills. */
static pp_status only(const pp_node *node, pp_routine **routine,
                      pp_failure *failure) {
  pp_node host = *node;
  size_t index = 0;
  host.intents = PP_HOST;
  *routine = pp_routine_new(node->label);
  if (!*routine) return pp_fail(failure, PP_NO_MEMORY, "out of memory");
  pp_status status = pp_routine_node(*routine, &host, &index, failure);
  return status == PP_OK ? pp_routine_seal(*routine, failure) : status;
}

/* What is in the merge buffer comes from a context of its own. */
static pp_status merge(const pp_trial *trial, const pp_node *node,
                       const unsigned char *bytes) {
  pp_routine *routine = NULL;
  pp_context *other = NULL;
  pp_status status = only(node, &routine, trial->failure);
  if (status == PP_OK)
    status = pp_link(trial->root, routine, NULL, &other, trial->failure);
  pp_routine_free(routine);
  if (status == PP_OK)
    status =
        pp_upload(other, node->uid, bytes, pp_node_bytes(node), trial->failure);
  if (status == PP_OK)
    status = pp_merge(trial->context, other, node->uid, trial->failure);
  return first_error(trial, status, other);
}

static pp_status fill(const pp_trial *trial) {
  const pp_routine *source = trial->truth->source;
  pp_status status = PP_OK;
  for (size_t i = 0; i < source->nodes && status == PP_OK; i++) {
    const pp_node *node = &source->node[i];
    const unsigned char *bytes = trial->truth->start.bytes[i];
    if (!pp_truth_draws(node)) continue;
    status = (node->intents & PP_MERGE) != 0
                 ? merge(trial, node, bytes)
                 : pp_upload(trial->context, node->uid, bytes,
                             pp_node_bytes(node), trial->failure);
  }
  return status;
}

static void compare(const pp_trial *trial, size_t step, const pp_node *node,
                    const unsigned char *wanted, const unsigned char *found) {
  char a[PP_VALUE_TEXT];
  char b[PP_VALUE_TEXT];
  uint64_t first = 0;
  trial->report->compared += pp_node_elements(node);
  trial->report->nans +=
      pp_count_nans(node->dtype, found, pp_node_elements(node));
  if (pp_same_values(node->dtype, found, wanted, pp_node_elements(node),
                     &first))
    return;
  (void)snprintf(trial->row->values, PP_RUN_TEXT,
                 "run %d, step %zu: element %" PRIu64
                 " of %s is %s, the interpreter has %s (BKD-6)",
                 trial->time, step + 1, first, node->label,
                 pp_value_text(node->dtype, found, first, a),
                 pp_value_text(node->dtype, wanted, first, b));
}

static pp_status look(const pp_trial *trial, size_t step) {
  const pp_truth *truth = trial->truth;
  const pp_routine *source = truth->source;
  for (size_t i = 0; i < source->nodes && fine(trial); i++) {
    const pp_node *node = &source->node[i];
    uint64_t bytes = pp_node_bytes(node);
    if (!pp_truth_looks(node)) continue;
    unsigned char *found = malloc(bytes > 0 ? bytes : 1);
    if (!found) return no_memory(trial);
    pp_status status =
        pp_download(trial->context, node->uid, found, bytes, trial->failure);
    if (status == PP_OK)
      compare(trial, step, node, truth->after[step * source->nodes + i], found);
    free(found);
    if (status != PP_OK) return status;
  }
  return PP_OK;
}

static pp_status link_and_run(pp_trial *trial) {
  const pp_link_options how = {.no_reuse = trial->plan->score.no_reuse};
  pp_status status = pp_link(trial->root, trial->plan->final, &how,
                             &trial->context, trial->failure);
  if (status != PP_OK) return status;
  count(trial);
  status = look_at_owners(trial);
  if (status == PP_OK) status = fill(trial);
  for (size_t s = 0; s < trial->truth->steps && status == PP_OK && fine(trial);
       s++) {
    status = pp_run(trial->context, trial->failure);
    if (status == PP_OK) status = look(trial, s);
  }
  return status;
}

static pp_status close_trial(const pp_trial *trial, pp_status status) {
  status = first_error(trial, status, trial->context);
  status = first_error(trial, status, trial->root);
  pp_failure later;
  pp_status ended =
      pp_teardown(trial->backend, status == PP_OK ? trial->failure : &later);
  return status == PP_OK ? ended : status;
}

static pp_status run_once(pp_trial *trial) {
  trial->root = trial->context = NULL;
  pp_status status =
      pp_make_context(trial->backend, 0, &trial->root, trial->failure);
  if (status == PP_OK) status = settle(trial, link_and_run(trial));
  return close_trial(trial, status);
}

static pp_status run_row(const pp_truth *truth, pp_run_plan *plan,
                         pp_backend *backend, pp_run_report *report,
                         pp_failure *failure) {
  pp_status status = PP_OK;
  pp_trial trial = {.truth = truth,
                    .plan = plan,
                    .backend = backend,
                    .row = &report->row[report->rows++],
                    .report = report,
                    .failure = failure};
  *trial.row = (pp_run_row){.backend = pp_backend_name(backend),
                            .plan = plan->name,
                            .alignment = plan->score.alignment,
                            .missed = plan->missed};
  for (int time = 1; time <= PP_RUN_TIMES && status == PP_OK && fine(&trial);
       time++) {
    trial.time = time;
    status = run_once(&trial);
  }
  return status;
}

/* Without reuse the first plan is the second. */
static bool wanted(const pp_run_options *options, size_t number) {
  unsigned wanted = options->plans;
  if (options->no_reuse && (wanted & 1) != 0) wanted = (wanted & ~1U) | 2;
  if (options->as_is) wanted &= 3;
  return (wanted >> number & 1) != 0;
}

/* The interpreter's memory twice, and what is looked at after each step. */
static pp_status measure(const pp_routine *source, size_t steps,
                         pp_failure *failure) {
  uint64_t sum = 0;
  for (size_t i = 0; i < source->nodes; i++) {
    uint64_t bytes = 0;
    size_t times = pp_truth_looks(&source->node[i]) ? steps + 2 : 2;
    if (__builtin_mul_overflow(pp_node_bytes(&source->node[i]), times,
                               &bytes) ||
        __builtin_add_overflow(sum, bytes, &sum) || sum > PP_RUN_BYTES)
      return pp_fail(failure, PP_OVER_CAP,
                     "its values take more than %" PRIu64
                     " bytes to run %zu step%s",
                     PP_RUN_BYTES, steps, steps == 1 ? "" : "s");
  }
  return PP_OK;
}

pp_status pp_run_score(const pp_routine *source, size_t steps,
                       const pp_run_options *options, pp_fitting **fitting,
                       pp_failure *failure) {
  pp_status status = PP_OK;
  *fitting = NULL;
  for (size_t k = 0; k < PP_RUN_PLANS && status == PP_OK; k++) {
    pp_run_plan plan = {0};
    if (!wanted(options, k) || is_fitted(options, k)) continue;
    status = open_plan(source, k, options, NULL, &plan, failure);
    close_plan(&plan);
  }
  if (status == PP_OK) status = measure(source, steps, failure);
  if (status == PP_OK && wanted(options, 0) && is_fitted(options, 0))
    status = pp_fit(source, NULL, NULL, options->budget, fitting, failure);
  return status;
}

/* Opens the plans anew for a device that is of another kind than the last. */
static pp_status open_plans(const pp_routine *source,
                            const pp_run_options *options, pp_backend *backend,
                            pp_limits *last, pp_run_plan *plan,
                            pp_failure *failure) {
  pp_limits limits = {.max_pool = 0};
  pp_status status = backend->call->limits(backend, 0, &limits);
  if (status != PP_OK)
    return pp_fail(failure, status, "limits of %s: %s",
                   pp_backend_name(backend), pp_status_text(status));
  if (limits.alignment == last->alignment && limits.max_pool == last->max_pool)
    return PP_OK;
  *last = limits;
  for (size_t k = 0; k < PP_RUN_PLANS; k++)
    close_plan(&plan[k]);
  for (size_t k = 0; k < PP_RUN_PLANS && status == PP_OK; k++)
    if (wanted(options, k))
      status = open_plan(source, k, options, &limits, &plan[k], failure);
  return status;
}

pp_status pp_run_routine(const pp_truth *truth, const pp_run_options *options,
                         pp_run_report *report, pp_failure *failure) {
  pp_run_plan plan[PP_RUN_PLANS] = {{0}};
  pp_limits last = {.max_pool = 0};
  pp_status status = PP_OK;
  report->rows = 0;
  report->compared = 0;
  report->nans = 0;
  for (unsigned id = 0; id < PP_BACKEND_COUNT && status == PP_OK; id++) {
    pp_backend *backend = pp_backend_module((pp_backend_id)id);
    if ((options->backends >> id & 1) == 0) continue;
    status = open_plans(truth->source, options, backend, &last, plan, failure);
    for (size_t k = 0; k < PP_RUN_PLANS && status == PP_OK; k++)
      if (plan[k].final)
        status = run_row(truth, &plan[k], backend, report, failure);
  }
  for (size_t k = 0; k < PP_RUN_PLANS; k++)
    close_plan(&plan[k]);
  return status;
}
