/* poolproof: replays: what is compared after a step.
 * SPDX-License-Identifier: MIT */
#include "replay_parts.h"

#include <inttypes.h>
#include <stdarg.h>

pp_verdict pp_replay_differs(pp_replayer *replayer, const char *format, ...) {
  char operation[200];
  char what[600];
  pp_replay *replay = replayer->replay;
  va_list list;
  va_start(list, format);
  /* NOLINTNEXTLINE: clang-tidy 14 does not see va_start */
  (void)vsnprintf(what, sizeof what, format, list);
  va_end(list);
  (void)pp_operation_print(replayer->program, replayer->operation, operation,
                           sizeof operation);
  (void)snprintf(replay->sentence, sizeof replay->sentence, "%s %zu, %s: %s",
                 replayer->ending ? "at the end, after step" : "step",
                 replayer->step, operation, what);
  return PP_DISAGREE;
}

static pp_verdict check_calls(pp_replayer *replayer) {
  const pp_model *model = replayer->model;
  uint64_t made[PP_CALL_COUNT + 1];
  pp_fault_all_calls(replayer->backend, made);
  for (unsigned k = 0; k <= PP_CALL_COUNT; k++) {
    pp_backend_call call = (pp_backend_call)k;
    if (made[k] != model->calls[k])
      return pp_replay_differs(
          replayer,
          "%" PRIu64 " calls of %s since the counters were set, %" PRIu64
          " expected (BKD-5)",
          made[k], k < PP_CALL_COUNT ? pp_backend_call_name(call) : "any kind",
          model->calls[k]);
  }
  size_t struck = 0;
  for (size_t i = 0; i < model->faults; i++)
    struck += model->struck[i];
  if (pp_fault_struck(replayer->backend) == struck) return PP_AGREE;
  return pp_replay_differs(replayer,
                           "%zu faults have struck, %zu expected (BKD-5)",
                           pp_fault_struck(replayer->backend), struck);
}

static const char *use_text(pp_pool_use use) {
  static const char *const text[] = {"working", "constant", "orphan", "merge"};
  return text[use];
}

enum { POOLS = 4096 };

static pp_verdict check_pools(pp_replayer *replayer, size_t device) {
  const pp_model_device *expected = &replayer->model->device[device];
  static _Thread_local pp_pool_info pool[POOLS];
  size_t count = 0;
  pp_device_pools(replayer->backend, device, pool, POOLS, &count);
  for (size_t i = 0; i < expected->pools || i < count; i++) {
    const pp_pool_info *a = i < count ? &pool[i] : NULL;
    const pp_pool_info *b = i < expected->pools ? &expected->pool[i] : NULL;
    if (i >= POOLS) break;
    if (a && b && a->id == b->id && a->bytes == b->bytes && a->use == b->use)
      continue;
    if (a && (!b || a->id < b->id))
      return pp_replay_differs(replayer,
                               "device %zu holds pool %" PRIu64 " of %" PRIu64
                               " bytes (%s), which is not expected "
                               "(CTX-3, REL-1)",
                               device, a->id, a->bytes, use_text(a->use));
    if (!a || a->id > b->id)
      return pp_replay_differs(replayer,
                               "device %zu does not hold pool %" PRIu64
                               " of %" PRIu64 " bytes (%s) (CTX-1, REL-1)",
                               device, b->id, b->bytes, use_text(b->use));
    return pp_replay_differs(
        replayer,
        "pool %" PRIu64 " of device %zu has %" PRIu64 " bytes (%s), %" PRIu64
        " (%s) expected (CTX-1, CTX-2)",
        a->id, device, a->bytes, use_text(a->use), b->bytes, use_text(b->use));
  }
  return PP_AGREE;
}

static pp_verdict check_census(pp_replayer *replayer, size_t device) {
  pp_census a;
  pp_census b;
  pp_device_census(replayer->backend, device, &a);
  pp_model_census(replayer->model, device, &b);
  const struct {
    const char *what;
    uint64_t got, wanted;
  } rows[] = {
      {"working pools", a.working_pools, b.working_pools},
      {"working bytes", a.working_bytes, b.working_bytes},
      {"constant pools", a.constant_pools, b.constant_pools},
      {"constant bytes", a.constant_bytes, b.constant_bytes},
      {"orphan pools", a.orphan_pools, b.orphan_pools},
      {"orphan bytes", a.orphan_bytes, b.orphan_bytes},
      {"merge bytes", a.merge_bytes, b.merge_bytes},
      {"contexts alive", a.contexts, b.contexts},
      {"contexts released", a.released, b.released},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].got != rows[i].wanted)
      return pp_replay_differs(replayer,
                               "the census of device %zu says %" PRIu64
                               " %s, %" PRIu64 " expected (CTX-5)",
                               device, rows[i].got, rows[i].what,
                               rows[i].wanted);
  return PP_AGREE;
}

/* What the backend holds is what the tables say. */
static pp_verdict check_slabs(pp_replayer *replayer) {
  uint64_t pools = 0;
  uint64_t bytes = 0;
  for (size_t i = 0; i < replayer->model->devices; i++) {
    const pp_model_device *device = &replayer->model->device[i];
    pools += device->pools;
    for (size_t k = 0; k < device->pools; k++)
      bytes += device->pool[k].bytes;
  }
  uint64_t slabs = pp_fault_slabs(replayer->backend);
  uint64_t held = pp_fault_bytes(replayer->backend);
  if (slabs == pools && held == bytes) return PP_AGREE;
  return pp_replay_differs(replayer,
                           "the backend holds %" PRIu64 " slabs of %" PRIu64
                           " bytes, %" PRIu64 " of %" PRIu64
                           " expected (CTX-3, REL-1, REL-7)",
                           slabs, held, pools, bytes);
}

static pp_verdict check_released(pp_replayer *replayer) {
  const pp_model *model = replayer->model;
  for (size_t i = 0; i < model->contexts; i++) {
    if (!replayer->context[i]) continue;
    bool released = pp_context_released(replayer->context[i]);
    if (released != model->context[i].released)
      return pp_replay_differs(replayer, "%s counts as %sreleased (REL-4)",
                               replayer->program->context[i].text,
                               released ? "" : "not ");
  }
  return PP_AGREE;
}

pp_verdict pp_replay_check_breach(pp_replayer *replayer) {
  const char *breach = pp_fault_breach(replayer->backend);
  if (!breach) return PP_AGREE;
  return pp_replay_differs(
      replayer, "the backend's contract is broken: %s (BKD-5)", breach);
}

pp_verdict pp_replay_check(pp_replayer *replayer) {
  pp_verdict verdict = check_calls(replayer);
  for (size_t i = 0; i < replayer->model->devices && verdict == PP_AGREE; i++) {
    verdict = check_pools(replayer, i);
    if (verdict == PP_AGREE) verdict = check_census(replayer, i);
  }
  if (verdict == PP_AGREE) verdict = check_slabs(replayer);
  if (verdict == PP_AGREE) verdict = check_released(replayer);
  return verdict;
}

static pp_verdict check_absent(pp_replayer *replayer, size_t context,
                               uint64_t uid) {
  pp_location at;
  if (pp_model_find(&replayer->model->context[context], uid) ||
      !pp_context_location(replayer->context[context], uid, &at))
    return PP_AGREE;
  return pp_replay_differs(
      replayer, "%s holds node %" PRIu64 ", which is not expected (CTX-2)",
      replayer->program->context[context].text, uid);
}

pp_verdict pp_replay_check_nodes(pp_replayer *replayer, size_t context) {
  const pp_model_context *expected = &replayer->model->context[context];
  const char *name = replayer->program->context[context].text;
  const pp_context *got = replayer->context[context];
  uint64_t after = 0;
  for (size_t i = 0; i < expected->nodes; i++) {
    const pp_model_node *node = &expected->node[i];
    pp_location want = expected->at[i];
    pp_location at = {0, 0};
    if (!pp_context_location(got, node->uid, &at))
      return pp_replay_differs(replayer,
                               "%s does not hold node %" PRIu64 " (CTX-2)",
                               name, node->uid);
    if (at.pool != want.pool || at.offset != want.offset)
      return pp_replay_differs(
          replayer,
          "%s has node %" PRIu64 " in pool %" PRIu64 " at %" PRIu64
          ", pool %" PRIu64 " at %" PRIu64 " expected (CTX-2, ARN, SEG)",
          name, node->uid, at.pool, at.offset, want.pool, want.offset);
    if (pp_context_shared(got, node->uid) != node->shared)
      return pp_replay_differs(replayer,
                               "the bytes of node %" PRIu64
                               " of %s count as %sshared (CTX-4)",
                               node->uid, name, node->shared ? "not " : "");
    after = node->uid;
  }
  if (check_absent(replayer, context, 0) != PP_AGREE) return PP_DISAGREE;
  return after == UINT64_MAX ? PP_AGREE
                             : check_absent(replayer, context, after + 1);
}
