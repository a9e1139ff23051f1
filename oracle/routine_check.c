/* poolproof: routines, lowered in every way and run everywhere, held to what
 * they mean. SPDX-License-Identifier: MIT */
#include "routine_check_parts.h"

#include "here.h"
#include "same_routine.h"

#include <poolproof/fault.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  SIBLINGS = 3,  /* lowered between two lowerings that must be the same */
  DECISIONS = 6, /* at random */
  WAYS = 5       /* of lowering */
};

void pp_count(pp_routine_trial *trial, pp_routine_count what, uint64_t more) {
  trial->checked->count[what] += more;
}

bool pp_trial_differs(pp_routine_trial *trial, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  (void)vsnprintf(trial->checked->sentence, sizeof trial->checked->sentence,
                  format, rest);
  va_end(rest);
  trial->verdict = PP_DISAGREE;
  return false;
}

bool pp_trial_no_memory(pp_routine_trial *trial) {
  (void)pp_trial_differs(trial, "out of memory");
  trial->verdict = PP_UNDECIDED;
  return false;
}

bool pp_trial_fine(pp_routine_trial *trial, pp_status status,
                   const pp_failure *failure, const char *name,
                   const char *what) {
  if (status == PP_OK) return true;
  if (status == PP_NO_MEMORY) return pp_trial_no_memory(trial);
  return pp_trial_differs(trial, "%s: %s fails: %s: %s", name, what,
                          pp_status_text(status), failure->text);
}

/* Of the first source as it is lowered with these options. */
static bool lower_one(pp_routine_trial *trial, const pp_lower_options *options,
                      pp_lowered **lowered) {
  pp_failure failure;
  pp_status status = pp_lower(trial->source[0], options, lowered, &failure);
  pp_count(trial, PP_COUNT_LOWERED, 1);
  return pp_trial_fine(trial, status, &failure, "once more", "lowering");
}

static bool same_placed(const pp_placed *a, const pp_placed *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i].uid != b[i].uid || strcmp(a[i].label, b[i].label) != 0 ||
        a[i].placement != b[i].placement || a[i].reason != b[i].reason ||
        a[i].cost != b[i].cost)
      return false;
  return true;
}

static bool same_surface(const pp_lowered *a, const pp_lowered *b) {
  return a->nodes == b->nodes && a->candidates == b->candidates &&
         same_placed(a->placed, b->placed, a->nodes) &&
         same_placed(a->candidate, b->candidate, a->candidates);
}

/* options->lineage's decisions and `count` random ones; the caller frees. */
static bool draw_lineage(pp_routine_trial *trial, const pp_lineage *from,
                         size_t count, pp_lineage **lineage) {
  const pp_routine *source = trial->source[0];
  pp_lineage *own =
      from ? pp_lineage_hold((pp_lineage *)from) : pp_lineage_new();
  for (; own && count > 0 && source->nodes > 0; count--) {
    pp_lineage *fork = NULL;
    uint64_t uid =
        source->node[pp_random_below(&trial->random, source->nodes)].uid;
    bool inlines = pp_random_one_in(&trial->random, 2);
    pp_status status = inlines ? pp_decide_inline(own, uid, &fork, NULL)
                               : pp_decide_materialized(own, uid, &fork, NULL);
    pp_lineage_free(own);
    own = status == PP_OK ? fork : NULL;
  }
  *lineage = own;
  return own || pp_trial_no_memory(trial);
}

/* Something else is done with the same source and lineage. */
static bool do_sibling(pp_routine_trial *trial,
                       const pp_lower_options *options) {
  pp_lower_options other = *options;
  pp_lineage *lineage = NULL;
  pp_lowered *lowered = NULL;
  pp_failure failure;
  other.policy = (pp_policy)pp_random_below(&trial->random, 3);
  other.no_sinking = pp_random_one_in(&trial->random, 2);
  other.stages = pp_random_one_in(&trial->random, 4);
  if (!draw_lineage(trial, options->lineage, 2, &lineage)) return false;
  other.lineage = lineage;
  pp_status status =
      pp_random_one_in(&trial->random, 3)
          ? pp_decision_surface(trial->source[0], &other, &lowered, &failure)
          : pp_lower(trial->source[0], &other, &lowered, &failure);
  bool good = pp_trial_fine(trial, status, &failure, "a sibling", "lowering");
  pp_lowered_free(lowered);
  pp_lineage_free(lineage);
  return good;
}

/* RTN-1, RTN-7: siblings in between change nothing; the surface says what
 * lowering does. */
static bool check_hermetic(pp_routine_trial *trial, const pp_way *way) {
  const pp_lowered *before = way->lowered[0];
  pp_lowered *after = NULL;
  pp_lowered *surface = NULL;
  pp_failure failure;
  bool good = true;
  for (size_t k = 0; k < SIBLINGS && good; k++)
    good = do_sibling(trial, &way->lower);
  if (!good || !lower_one(trial, &way->lower, &after)) return false;
  if (!pp_same_routine(before->routine, after->routine) ||
      !same_surface(before, after))
    good = pp_trial_differs(trial,
                            "%s: lowered again, after siblings, it comes out "
                            "differently (RTN-1)",
                            way->name);
  pp_lowered_free(after);
  if (!good) return false;
  pp_status status =
      pp_decision_surface(trial->source[0], &way->lower, &surface, &failure);
  if (!pp_trial_fine(trial, status, &failure, way->name, "the surface"))
    return false;
  if (!same_surface(before, surface) || surface->routine || surface->lineage)
    good = pp_trial_differs(
        trial, "%s: the surface is not what lowering decides (RTN-7)",
        way->name);
  pp_lowered_free(surface);
  return good;
}

/* RTN-5, RTN-6: spans at every granularity of kernels. */
static bool check_granularities(pp_routine_trial *trial, const pp_way *way) {
  static const size_t sizes[] = {0, 1, 2, 64};
  bool good = true;
  for (size_t k = 0; good && k < sizeof sizes / sizeof *sizes; k++) {
    pp_lower_options options = way->lower;
    pp_lowered *lowered = NULL;
    options.kernel_statements = sizes[k];
    if (!lower_one(trial, &options, &lowered)) return false;
    good = pp_check_lives(trial, way->name, lowered->routine);
    pp_lowered_free(lowered);
  }
  return good;
}

/* How often sinking changes something: values are the same either way. */
static bool count_sinking(pp_routine_trial *trial, const pp_way *way) {
  pp_lower_options options = way->lower;
  pp_lowered *lowered = NULL;
  options.no_sinking = !options.no_sinking;
  if (!lower_one(trial, &options, &lowered)) return false;
  if (!pp_same_routine(way->lowered[0]->routine, lowered->routine))
    pp_count(trial, PP_COUNT_SUNK, 1);
  pp_lowered_free(lowered);
  return true;
}

/* The same without reuse: shadows, census, values. */
static bool run_way(pp_routine_trial *trial, pp_way *way) {
  bool heavy = trial->heavy;
  for (size_t k = 0; k < way->n; k++)
    if (pp_code_work(way->lowered[k]->routine) > PP_CODE_WORK) heavy = true;
  if (heavy) {
    pp_count(trial, PP_COUNT_HEAVY, 1);
    return true;
  }
  if (!pp_way_interpret(trial, way) || !pp_way_run(trial, way)) return false;
  way->link.no_reuse = !way->link.no_reuse;
  return pp_way_run(trial, way);
}

/* At times so low that an arena, or a node, does not fit. */
static uint64_t draw_cap(pp_routine_trial *trial) {
  uint64_t most = 1;
  const pp_routine *source = trial->source[0];
  for (size_t i = 0; i < source->nodes; i++)
    if (pp_node_bytes(&source->node[i]) > most)
      most = pp_node_bytes(&source->node[i]);
  if (trial->heavy) return UINT64_MAX;
  if (trial->sources > 1 || !pp_random_one_in(&trial->random, 3)) return 0;
  if (pp_random_one_in(&trial->random, 8)) return most - most / 4;
  return most + pp_random_below(&trial->random, 2 * most);
}

static bool check_way(pp_routine_trial *trial, pp_way *way) {
  pp_random *random = &trial->random;
  static const size_t sizes[] = {0, 0, 2, 3, 64};
  if (pp_random_one_in(random, 6)) way->lower.no_sinking = true;
  way->lower.kernel_statements =
      sizes[pp_random_below(random, sizeof sizes / sizeof *sizes)];
  if (pp_random_one_in(random, 2))
    way->lower.kernel_operands = 2 + (size_t)pp_random_below(random, 6);
  way->link.cap = draw_cap(trial);
  way->link.no_reuse = pp_random_one_in(random, 2);
  bool good = pp_way_lower(trial, way) && pp_way_check_code(trial, way) &&
              run_way(trial, way);
  if (good && trial->sources == 1)
    good = check_granularities(trial, way) && count_sinking(trial, way) &&
           check_hermetic(trial, way);
  pp_way_free(way);
  return good;
}

/* Every policy, and random decisions on top of one. */
static bool check_policies(pp_routine_trial *trial) {
  pp_random *random = &trial->random;
  pp_way ways[] = {
      {.name = "policy cost"},
      {.name = "policy cost, a higher cap",
       .lower.cost_cap = 2 + pp_random_below(random, 30)},
      {.name = "policy inline", .lower.policy = PP_POLICY_INLINE},
      {.name = "policy materialise", .lower.policy = PP_POLICY_MATERIALISE},
      {.name = "random decisions"}};
  _Static_assert(sizeof ways / sizeof *ways == WAYS, "each has a turn");
  pp_lineage *lineage = NULL;
  if (!draw_lineage(trial, NULL, DECISIONS, &lineage)) return false;
  ways[WAYS - 1].lower.lineage = lineage;
  ways[WAYS - 1].lower.policy = (pp_policy)pp_random_below(random, 3);
  bool good = true;
  for (size_t k = 0; k < WAYS && good; k++) {
    ways[k].number = k + 1;
    good = check_way(trial, &ways[k]);
  }
  if (good && trial->sources == 1) {
    const pp_lower_options lower = {
        .cost_cap = pp_random_below(random, 4),
        .policy = pp_random_one_in(random, 2) ? PP_POLICY_COST
                                              : PP_POLICY_MATERIALISE,
        .lineage = pp_random_one_in(random, 3) ? lineage : NULL};
    good = pp_check_sinking(trial) && pp_check_fit(trial, &lower);
  }
  pp_lineage_free(lineage);
  return good;
}

static bool computes(const pp_routine_trial *trial, const pp_limits *limits) {
  bool can = true;
  for (size_t k = 0; k < trial->sources && can; k++)
    can = pp_device_computes(limits, trial->source[k]->node,
                             trial->source[k]->nodes);
  return can;
}

/* A slab is based at no more than what its device aligns to. */
static bool open_backend(pp_routine_trial *trial, pp_backend *inner,
                         pp_backend_id id, bool share, bool delay) {
  pp_limits limits = {.alignment = 0};
  pp_status status = inner->call->limits(inner, 0, &limits);
  if (status != PP_OK)
    return pp_trial_differs(trial, "the limits of %s: %s",
                            pp_backend_name(inner), pp_status_text(status));
  if (!computes(trial, &limits)) {
    trial->checked->left_out[id]++;
    return true;
  }
  uint64_t least = pp_backend_align(inner, &limits, trial->alignment);
  const pp_fault_options options = {.delay = delay, .alignment = least};
  pp_trial_backend *made = &trial->backend[trial->backends];
  *made = (pp_trial_backend){.id = id,
                             .alignment = least,
                             .shares = share && pp_backend_driven(inner)};
  if (pp_fault_backend_new(inner, &options, &made->backend) != PP_OK)
    return pp_trial_no_memory(trial);
  trial->backends++;
  return true;
}

static bool open_backends(pp_routine_trial *trial,
                          const pp_routine_where *where) {
  static const uint64_t alignments[] = {1, 2, 8, 64, 256};
  pp_random *random = &trial->random;
  trial->alignment = alignments[pp_random_below(
      random, sizeof alignments / sizeof *alignments)];
  bool delay = pp_random_one_in(random, 3);
  bool good = true;
  for (unsigned id = 0; id < PP_BACKEND_COUNT && good; id++)
    if ((where->backends >> id & 1) != 0)
      good = open_backend(trial, pp_backend_module((pp_backend_id)id),
                          (pp_backend_id)id, where->share, delay);
  if (where->other && good)
    good = open_backend(trial, where->other, PP_BACKEND_COUNT, where->share,
                        delay);
  return good;
}

static void close_backends(pp_routine_trial *trial) {
  for (size_t b = 0; b < trial->backends; b++) {
    pp_backend *backend = trial->backend[b].backend;
    const char *breach = pp_fault_breach(backend);
    if (breach && trial->verdict == PP_AGREE)
      (void)pp_trial_differs(trial, "the contract of backends is broken: %s",
                             breach);
    if (pp_fault_backend_free(backend) > 0 && trial->verdict == PP_AGREE)
      (void)pp_trial_differs(trial, "slabs or kernels were not given back");
  }
}

pp_verdict pp_routine_check(pp_routine *const *source, size_t sources,
                            uint64_t seed, const pp_routine_where *where,
                            pp_routine_checked *checked) {
  pp_routine_trial trial = {.source = source,
                            .sources = sources,
                            .turn = 1 + pp_random_mix(seed, WAYS) % WAYS,
                            .verdict = PP_AGREE,
                            .checked = checked};
  pp_random_start(&trial.random, seed, 0);
  for (size_t k = 0; k < sources; k++)
    if (pp_code_work(source[k]) > PP_CODE_WORK) trial.heavy = true;
  bool good = open_backends(&trial, where);
  if (good && !trial.heavy) good = pp_expect(&trial);
  if (good) (void)check_policies(&trial);
  pp_expected_free(&trial);
  close_backends(&trial);
  return trial.verdict;
}
