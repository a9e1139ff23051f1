/* poolproof: final code on backends: values, census, owners of bytes.
 * SPDX-License-Identifier: MIT */
#include "routine_check_parts.h"

#include "run_owners.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A way on one backend.
 * on      the trial's; backend: the same
 * where   its name
 * lender  of the merge node's value, of source k
 * step    the context of source k; linked of them */
typedef struct pp_stage {
  pp_routine_trial *trial;
  const pp_way *way;
  pp_trial_backend *on;
  pp_backend *backend;
  const char *where;
  pp_context *root;
  pp_context *lender[PP_CHAIN];
  pp_context *step[PP_CHAIN];
  size_t linked;
} pp_stage;

static bool fine(const pp_stage *stage, pp_status status,
                 const pp_failure *failure, const char *what) {
  char name[160];
  (void)snprintf(name, sizeof name, "%s, %s", stage->way->name, stage->where);
  return pp_trial_fine(stage->trial, status, failure, name, what);
}

static const pp_node *merge_node(const pp_routine *routine) {
  for (size_t i = 0; i < routine->nodes; i++)
    if ((routine->node[i].intents & PP_MERGE) != 0) return &routine->node[i];
  return NULL;
}

/* A routine that holds what source k's merge node is lent. */
static pp_status make_lending(const pp_routine_trial *trial, size_t k,
                              pp_routine **lending, pp_failure *failure) {
  const pp_node *merge = merge_node(trial->source[k]);
  pp_node node = *merge;
  size_t index = 0;
  node.intents = PP_HOST;
  node.data = trial->lent[k].bytes[merge - trial->source[k]->node];
  pp_routine *routine = pp_routine_new("lending");
  if (!routine) return pp_fail(failure, PP_NO_MEMORY, "out of memory");
  pp_status status = pp_routine_node(routine, &node, &index, failure);
  if (status == PP_OK) status = pp_routine_seal(routine, failure);
  if (status == PP_OK)
    *lending = routine;
  else
    pp_routine_free(routine);
  return status;
}

static bool link_lender(pp_stage *stage, size_t k) {
  pp_failure failure;
  pp_routine *lending = NULL;
  if (!merge_node(stage->trial->source[k])) return true;
  pp_status status = make_lending(stage->trial, k, &lending, &failure);
  if (status == PP_OK)
    status = pp_link(stage->root, lending, NULL, &stage->lender[k], &failure);
  pp_routine_free(lending);
  return fine(stage, status, &failure, "lending");
}

/* FPT-2: the scorer and the allocator agree to the byte. */
static bool check_census(const pp_stage *stage, const pp_census *before,
                         const pp_footprint *score) {
  pp_census after;
  pp_device_census(stage->backend, 0, &after);
  uint64_t working = after.working_bytes - before->working_bytes;
  if (working == score->working && after.constant_bytes == score->constants)
    return true;
  return pp_trial_differs(
      stage->trial,
      "%s, %s: the link took %" PRIu64 " + %" PRIu64
      " bytes, the footprint is %" PRIu64 " + %" PRIu64 " (FPT-2)",
      stage->way->name, stage->where, working, after.constant_bytes,
      score->working, score->constants);
}

/* A link that is refused: an item over the cap where the score says so, or an
 * input whose bytes are shared. */
static bool refused(pp_stage *stage, size_t k, pp_status status,
                    pp_status scored, const pp_failure *failure) {
  if (status == PP_ITEM_OVER_CAP && scored == status) return true;
  if (status != PP_ALIASED || k == 0)
    return fine(stage, status, failure, "linking");
  pp_count(stage->trial, PP_COUNT_ALIASED, 1);
  if (pp_context_shared(stage->step[k - 1], failure->uid)) return true;
  return pp_trial_differs(stage->trial,
                          "%s, %s: routine %zu is refused, but uid %" PRIu64
                          " shares no bytes (CTX-4)",
                          stage->way->name, stage->where, k, failure->uid);
}

/* Links source k; *goes_on: it was not refused. */
static bool link_one(pp_stage *stage, size_t k, bool *goes_on) {
  const pp_way *way = stage->way;
  pp_context *parent = k > 0 ? stage->step[k - 1] : stage->root;
  pp_link_options options = way->link;
  const pp_score_options scoring = {.cap = options.cap,
                                    .alignment = stage->on->alignment,
                                    .no_reuse = options.no_reuse};
  pp_footprint score;
  pp_census before;
  pp_failure failure;
  options.lineage = way->lowered[k]->lineage;
  pp_status scored =
      pp_score_footprint(way->lowered[k]->routine, &scoring, &score, NULL);
  if (!link_lender(stage, k)) return false;
  pp_device_census(stage->backend, 0, &before);
  pp_status status = pp_link(parent, way->lowered[k]->routine, &options,
                             &stage->step[k], &failure);
  *goes_on = status == PP_OK;
  if (status != PP_OK) return refused(stage, k, status, scored, &failure);
  stage->linked++;
  pp_count(stage->trial, PP_COUNT_LINKS, 1);
  stage->trial->checked->links[stage->on->id]++;
  if (k > 0) return true;
  if (scored != PP_OK)
    return pp_trial_differs(stage->trial,
                            "%s, %s: linked, but it has no footprint (FPT-2)",
                            way->name, stage->where);
  return check_census(stage, &before, &score);
}

/* No byte is read by a node that did not write it last. */
static bool check_owners(const pp_stage *stage, size_t k) {
  char text[PP_FAILURE_TEXT];
  pp_places places;
  const pp_routine *final = stage->way->lowered[k]->routine;
  if (pp_places_find(stage->step[k], final, &places) != PP_OK)
    return pp_trial_no_memory(stage->trial);
  pp_status status = pp_owners_run(final, &places, text);
  pp_places_free(&places);
  if (status != PP_OK) return pp_trial_no_memory(stage->trial);
  pp_count(stage->trial, PP_COUNT_OWNERS, 1);
  if (text[0] == '\0') return true;
  return pp_trial_differs(stage->trial, "%s: %s", stage->way->name, text);
}

static bool link_all(pp_stage *stage) {
  bool goes_on = true;
  for (size_t k = 0; k < stage->way->n && goes_on; k++)
    if (!link_one(stage, k, &goes_on)) return false;
  if (stage->way->link.no_reuse || stage->on != stage->trial->backend)
    return true;
  for (size_t k = 0; k < stage->linked; k++)
    if (!check_owners(stage, k)) return false;
  return true;
}

static bool upload(const pp_stage *stage, size_t k, const pp_memory *input) {
  const pp_routine *source = stage->trial->source[k];
  pp_failure failure;
  pp_status status = PP_OK;
  for (size_t i = 0; status == PP_OK && i < source->nodes; i++) {
    const pp_node *node = &source->node[i];
    if ((node->intents & (PP_HOST | PP_CONSTANT)) == PP_HOST)
      status = pp_upload(stage->step[k], node->uid, input->bytes[i],
                         pp_node_bytes(node), &failure);
  }
  return fine(stage, status, &failure, "uploading");
}

/* What is in context and shares no bytes is what it must be. */
static bool download(const pp_stage *stage, size_t step, size_t k) {
  const pp_routine *source = stage->trial->source[k];
  pp_context *context = stage->step[k];
  for (size_t i = 0; i < source->nodes; i++) {
    const pp_node *node = &source->node[i];
    pp_failure failure;
    pp_location location;
    if ((node->intents & PP_MERGE) != 0 ||
        !pp_context_location(context, node->uid, &location))
      continue;
    if (pp_context_shared(context, node->uid)) {
      pp_count(stage->trial, PP_COUNT_SHARING, 1);
      continue;
    }
    void *got = malloc((size_t)pp_node_bytes(node) + 1);
    if (!got) return pp_trial_no_memory(stage->trial);
    pp_status status =
        pp_download(context, node->uid, got, pp_node_bytes(node), &failure);
    bool good = fine(stage, status, &failure, "downloading") &&
                pp_as_expected(stage->trial, step, k, i, got, stage->way->name,
                               stage->where);
    free(got);
    if (!good) return false;
    stage->trial->checked->values[stage->on->id]++;
  }
  return true;
}

static bool run_one(const pp_stage *stage, size_t step, size_t k) {
  const pp_routine_trial *trial = stage->trial;
  const pp_expected_run *run = &trial->run[step * trial->sources + k];
  const pp_node *merge = merge_node(trial->source[k]);
  pp_failure failure;
  pp_status status = PP_OK;
  if (merge)
    status = pp_merge(stage->step[k], stage->lender[k], merge->uid, &failure);
  if (!fine(stage, status, &failure, "merging")) return false;
  if (run->uploads && !upload(stage, k, &run->input)) return false;
  status = pp_run(stage->step[k], &failure);
  return fine(stage, status, &failure, "running") && download(stage, step, k);
}

static bool run_all(const pp_stage *stage) {
  size_t n = stage->linked;
  size_t runs = n < stage->trial->sources ? n : PP_CHECK_STEPS * n;
  for (size_t r = 0; r < runs; r++)
    if (!run_one(stage, r / n, r % n)) return false;
  return true;
}

static pp_status close_stage(pp_stage *stage, pp_failure *failure) {
  pp_status status = PP_OK;
  for (size_t left = PP_CHAIN; status == PP_OK && left > 0; left--) {
    status = pp_context_free(stage->step[left - 1], failure);
    if (status == PP_OK)
      status = pp_context_free(stage->lender[left - 1], failure);
  }
  if (status == PP_OK) status = pp_context_free(stage->root, failure);
  if (status == PP_OK) status = pp_teardown(stage->backend, failure);
  return status;
}

static bool run_on(pp_routine_trial *trial, const pp_way *way,
                   pp_trial_backend *on) {
  char where[64];
  pp_stage stage = {.trial = trial,
                    .way = way,
                    .on = on,
                    .backend = on->backend,
                    .where = where};
  pp_failure failure;
  (void)snprintf(where, sizeof where, "%s%s", pp_backend_name(stage.backend),
                 way->link.no_reuse ? " without reuse" : "");
  pp_status status = pp_make_context(stage.backend, 0, &stage.root, &failure);
  bool good = fine(&stage, status, &failure, "making a context") &&
              link_all(&stage) && run_all(&stage);
  if (stage.linked > 0) on->served = way->number;
  status = close_stage(&stage, &failure);
  return good && fine(&stage, status, &failure, "closing");
}

/* Does it run this way? One that shares runs the first one from its turn on
 * that links. */
static bool is_due(const pp_routine_trial *trial, const pp_trial_backend *on,
                   const pp_way *way) {
  if (!on->shares || on->served == way->number) return true;
  return on->served == 0 && way->number >= trial->turn;
}

bool pp_way_run(pp_routine_trial *trial, const pp_way *way) {
  bool good = true;
  for (size_t b = 0; b < trial->backends && good; b++)
    if (is_due(trial, &trial->backend[b], way))
      good = run_on(trial, way, &trial->backend[b]);
  return good;
}
