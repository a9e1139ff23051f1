/* poolproof: random routines give the same bytes whether their nodes share
 * memory or not: linked with and without reuse, run twice, held against each
 * other and against the reference interpreter.
 *
 *   reuse [--seed S] [--runs N] [--backend NAME] [--plain]
 *
 * Run k has the seed S + k. Without a name the backends that are here take
 * turns; without --plain each is wrapped in the fault backend, which poisons,
 * delays and holds the runtime to the backends' contract. Exit status: 0 all
 * the same, 1 not, or something failed, 2 bad usage, or a backend that is not
 * here. SPDX-License-Identifier: MIT */
#include "common.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "here.h"
#include "number.h"
#include "ref/interp.h"
#include "routines.h"
#include "values.h"

enum { LENT = 1000 /* the uid of the node in the merge buffer */ };

/* One of the two ways to link. */
typedef struct world {
  const char *name;
  bool no_reuse;
  pp_backend *backend;
  pp_context *root, *lender, *step;
  uint64_t bytes; /* of working pools that the link took */
} world;

typedef struct trial {
  uint64_t seed;
  const char *backend;
  bool plain;
  pp_random random;
  size_t ordinal;
  uint64_t cap;
  pp_routine *routine;
  pp_routine *lending; /* the merge node's own, or NULL */
  pp_memory right;     /* the interpreter's */
  world world[2];
} trial;

typedef struct totals {
  uint64_t runs, sharing, larger; /* larger: sharing saved nothing */
  uint64_t dedicated, shared;     /* bytes of those that share */
} totals;

static void complain(const trial *t, const char *what, const char *why) {
  char *text = t->routine ? pp_routine_print(t->routine) : NULL;
  printf("seed %" PRIu64 ": %s: %s\n%s", t->seed, what, why, text ? text : "");
  printf("again: reuse --seed %" PRIu64 " --runs 1 --backend %s%s\n", t->seed,
         t->backend, t->plain ? " --plain" : "");
  free(text);
}

static bool fine(const trial *t, pp_status status, const pp_failure *failure,
                 const char *what) {
  if (status != PP_OK) complain(t, what, failure->text);
  return status == PP_OK;
}

static bool no_memory(const trial *t) {
  complain(t, "out of memory", "nothing is known");
  return false;
}

/* A routine with one host node and no statements. */
static pp_routine *make_lending(pp_random *random) {
  float data[6];
  size_t index = 0;
  pp_routine *routine = pp_routine_new("lending");
  const pp_node node = {.uid = LENT,
                        .label = "lent",
                        .dtype = PP_F32,
                        .rank = 2,
                        .dims = {2, 3},
                        .intents = PP_HOST,
                        .data = data};
  pp_random_values(random, PP_F32, false, data, 6);
  if (routine && pp_routine_node(routine, &node, &index, NULL) == PP_OK &&
      pp_routine_seal(routine, NULL) == PP_OK)
    return routine;
  pp_routine_free(routine);
  return NULL;
}

static bool draw_routine(trial *t) {
  pp_failure failure;
  pp_random *random = &t->random;
  pp_routine_limits limits = {.first_uid = 1 + pp_random_below(random, 9),
                              .nodes = 4 + pp_random_below(random, 9),
                              .statements = 12,
                              .extent = 1 + pp_random_below(random, 6),
                              .wild = pp_random_one_in(random, 3)};
  if (pp_random_one_in(random, 4)) {
    t->lending = make_lending(random);
    if (!t->lending) return no_memory(t);
    limits.merge = t->lending->node;
  }
  pp_status status = pp_random_routine(random, &limits, &t->routine, &failure);
  if (!fine(t, status, &failure, "drawing")) return false;
  if (pp_memory_new(t->routine, &t->right) != PP_OK) return no_memory(t);
  const pp_node *lent = limits.merge;
  for (size_t i = 0; lent && i < t->routine->nodes; i++)
    if (t->routine->node[i].uid == lent->uid)
      memcpy(t->right.bytes[i], lent->data, (size_t)pp_node_bytes(lent));
  return true;
}

/* At times so low that an arena does not fit, never too low for a node. */
static uint64_t draw_cap(trial *t) {
  uint64_t most = 1;
  for (size_t i = 0; i < t->routine->nodes; i++) {
    uint64_t bytes = pp_node_bytes(&t->routine->node[i]);
    if (bytes > most) most = bytes;
  }
  if (!pp_random_one_in(&t->random, 4)) return 0;
  return most + pp_random_below(&t->random, 2 * most);
}

/* Backend, ordinal and cap. */
static bool open_worlds(trial *t) {
  static const uint64_t alignments[] = {0, 0, 1, 2, 8, 64, 256};
  pp_failure failure;
  pp_backend *inner = NULL;
  size_t devices = 0;
  pp_limits limits = {.max_pool = 0};
  pp_fault_options options = {
      .delay = pp_random_one_in(&t->random, 2),
      .alignment = alignments[pp_random_below(
          &t->random, sizeof alignments / sizeof alignments[0])]};
  pp_status status = pp_get_backend(t->backend, &inner, &failure);
  if (!fine(t, status, &failure, "backend")) return false;
  status = inner->call->devices(inner, &devices);
  if (status == PP_OK) status = inner->call->limits(inner, 0, &limits);
  failure = (pp_failure){.text = "devices or limits failed"};
  if (!fine(t, status, &failure, "backend")) return false;
  options.alignment = pp_backend_align(inner, &limits, options.alignment);
  t->ordinal = (size_t)pp_random_below(&t->random, devices);
  t->cap = draw_cap(t);
  for (size_t k = 0; k < 2; k++) {
    t->world[k].backend = inner;
    if (t->plain) continue;
    if (pp_fault_backend_new(inner, &options, &t->world[k].backend) == PP_OK)
      continue;
    t->world[k].backend = NULL;
    return no_memory(t);
  }
  return true;
}

static uint64_t working_bytes(const trial *t, const world *w) {
  pp_census census;
  pp_device_census(w->backend, t->ordinal, &census);
  return census.working_bytes;
}

static bool link_world(trial *t, world *w) {
  pp_failure failure;
  const pp_link_options options = {.no_reuse = w->no_reuse, .cap = t->cap};
  pp_status status =
      pp_make_context(w->backend, t->ordinal, &w->root, &failure);
  if (status == PP_OK && t->lending)
    status = pp_link(w->root, t->lending, NULL, &w->lender, &failure);
  if (status == PP_OK && t->lending)
    status = pp_merge(w->root, w->lender, LENT, &failure);
  if (!fine(t, status, &failure, "opening")) return false;
  uint64_t before = working_bytes(t, w);
  status = pp_link(w->root, t->routine, &options, &w->step, &failure);
  w->bytes = working_bytes(t, w) - before;
  return fine(t, status, &failure, w->name);
}

/* New values for the nodes that the host may fill between two runs. */
static bool refill(trial *t) {
  pp_failure failure;
  pp_status status = PP_OK;
  for (size_t i = 0; status == PP_OK && i < t->routine->nodes; i++) {
    const pp_node *node = &t->routine->node[i];
    unsigned char *bytes = t->right.bytes[i];
    if ((node->intents & (PP_HOST | PP_CONSTANT)) != PP_HOST) continue;
    pp_random_values(&t->random, node->dtype, false, bytes,
                     pp_node_elements(node));
    for (size_t k = 0; status == PP_OK && k < 2; k++)
      status = pp_upload(t->world[k].step, node->uid, bytes,
                         pp_node_bytes(node), &failure);
  }
  return fine(t, status, &failure, "upload");
}

static bool same_node(const trial *t, const world *w, size_t i, void *got) {
  pp_failure failure;
  const pp_node *node = &t->routine->node[i];
  uint64_t first = 0;
  char why[160];
  pp_status status =
      pp_download(w->step, node->uid, got, pp_node_bytes(node), &failure);
  if (!fine(t, status, &failure, "download")) return false;
  if (pp_same_values(node->dtype, got, t->right.bytes[i],
                     pp_node_elements(node), &first))
    return true;
  size_t width = pp_dtype_bytes(node->dtype);
  int used = snprintf(why, sizeof why,
                      "%s differs at element %" PRIu64
                      "; its bytes, and the interpreter's:",
                      node->label, first);
  const unsigned char *const from[] = {got, t->right.bytes[i]};
  for (size_t k = 0; k < 2; k++)
    for (size_t byte = 0; byte < width; byte++)
      used += snprintf(why + used, sizeof why - (size_t)used, "%s%02x",
                       byte == 0 ? " " : "", from[k][first * width + byte]);
  complain(t, w->name, why);
  return false;
}

/* What shares bytes has no value to look at. */
static bool same_everywhere(trial *t) {
  for (size_t i = 0; i < t->routine->nodes; i++) {
    const pp_node *node = &t->routine->node[i];
    if (node->intents == PP_MERGE) continue;
    void *got = malloc((size_t)pp_node_bytes(node) + 1);
    bool same = got || no_memory(t);
    for (size_t k = 0; same && k < 2; k++)
      if (!pp_context_shared(t->world[k].step, node->uid))
        same = same_node(t, &t->world[k], i, got);
    free(got);
    if (!same) return false;
  }
  return true;
}

static bool run_both(trial *t) {
  pp_failure failure;
  pp_status status = PP_OK;
  pp_ref_interp(t->routine->node, t->routine->statement, t->routine->statements,
                t->right.bytes);
  for (size_t k = 0; status == PP_OK && k < 2; k++)
    status = pp_run(t->world[k].step, &failure);
  return fine(t, status, &failure, "run");
}

static bool run_twice(trial *t) {
  bool look = pp_random_one_in(&t->random, 2);
  return run_both(t) && (!look || same_everywhere(t)) && refill(t) &&
         run_both(t) && same_everywhere(t);
}

static bool count_sharing(trial *t, totals *sum) {
  bool sharing = false;
  for (size_t i = 0; i < t->routine->nodes; i++) {
    uint64_t uid = t->routine->node[i].uid;
    sharing |= pp_context_shared(t->world[1].step, uid);
    if (!pp_context_shared(t->world[0].step, uid)) continue;
    complain(t, t->world[0].name, "there is a node that shares bytes");
    return false;
  }
  sum->runs++;
  if (!sharing) return true;
  sum->sharing++;
  sum->larger += t->world[1].bytes >= t->world[0].bytes ? 1 : 0;
  sum->dedicated += t->world[0].bytes;
  sum->shared += t->world[1].bytes;
  return true;
}

static bool close_contexts(const trial *t, world *w) {
  pp_failure failure;
  pp_status status = pp_context_free(w->step, &failure);
  if (status == PP_OK) status = pp_context_free(w->lender, &failure);
  if (status == PP_OK) status = pp_context_free(w->root, &failure);
  return fine(t, status, &failure, "freeing a context");
}

/* The backend as if never used, and nothing to complain of. */
static bool close_backend(const trial *t, world *w) {
  pp_failure failure;
  if (!w->backend) return true;
  bool good = fine(t, pp_teardown(w->backend, &failure), &failure, "teardown");
  if (t->plain) return good;
  if (pp_fault_breach(w->backend)) {
    complain(t, "breach of the contract", pp_fault_breach(w->backend));
    good = false;
  }
  if (pp_fault_backend_free(w->backend) > 0) {
    complain(t, w->name, "slabs or kernels were not given back");
    good = false;
  }
  return good;
}

static bool try_seed(trial *t, totals *sum) {
  world *worlds = t->world;
  pp_random_start(&t->random, t->seed, 0);
  worlds[0] = (world){.name = "without reuse", .no_reuse = true};
  worlds[1] = (world){.name = "with reuse"};
  bool good = draw_routine(t) && open_worlds(t) && link_world(t, &worlds[0]) &&
              link_world(t, &worlds[1]) && run_twice(t) &&
              count_sharing(t, sum);
  if (good) {
    good = close_contexts(t, &worlds[0]) && close_contexts(t, &worlds[1]);
    for (size_t k = 0; k < 2 && good; k++)
      good = close_backend(t, &worlds[k]);
  }
  pp_memory_free(&t->right);
  pp_routine_free(t->routine);
  pp_routine_free(t->lending);
  return good;
}

static int report(const totals *sum) {
  printf("%" PRIu64 " routines, the same bytes with and without reuse; "
         "%" PRIu64 " share bytes: %" PRIu64 " bytes instead of %" PRIu64
         ", nothing saved in %" PRIu64 "\n",
         sum->runs, sum->sharing, sum->shared, sum->dedicated, sum->larger);
  if (sum->runs < 100 || sum->sharing >= sum->runs / 5) return 0;
  printf("fewer than a fifth share bytes: this shows too little\n");
  return 1;
}

typedef struct wishes {
  uint64_t seed, runs;
  const char *backend;
  bool plain;
} wishes;

static bool read_wishes(int argc, char **argv, wishes *wish) {
  static const struct option options[] = {
      {"seed", required_argument, 0, 's'},
      {"runs", required_argument, 0, 'n'},
      {"backend", required_argument, 0, 'b'},
      {"plain", no_argument, 0, 'p'},
      {0, 0, 0, 0}};
  const char *wrong = NULL;
  int option = 0;
  while (!wrong && (option = getopt_long(argc, argv, "", options, NULL)) >= 0) {
    if (option == 's')
      wrong = pp_parse_u64(optarg, &wish->seed);
    else if (option == 'n')
      wrong = pp_parse_u64(optarg, &wish->runs);
    else if (option == 'b')
      wish->backend = optarg;
    else if (option == 'p')
      wish->plain = true;
    else
      wrong = "no such option";
  }
  if (!wrong && optind < argc) wrong = "no arguments are taken";
  if (wrong)
    fprintf(stderr,
            "%s\nusage: reuse [--seed S] [--runs N] [--backend NAME] "
            "[--plain]\n",
            wrong);
  return !wrong;
}

/* The backends that take turns; returns how many. */
static size_t list_names(const char *only, const char **name) {
  unsigned here = pp_backends_for(only);
  size_t names = 0;
  for (unsigned id = 0; id < PP_BACKEND_COUNT; id++)
    if ((here >> id & 1) != 0)
      name[names++] = pp_backend_id_name((pp_backend_id)id);
  return names;
}

int main(int argc, char **argv) {
  const char *name[PP_BACKEND_COUNT];
  wishes wish = {.seed = 1, .runs = 10000};
  totals sum = {0};
  if (!read_wishes(argc, argv, &wish)) return 2;
  size_t names = list_names(wish.backend, name);
  for (uint64_t k = 0; k < wish.runs; k++) {
    trial t = {
        .seed = wish.seed + k, .backend = name[k % names], .plain = wish.plain};
    if (!try_seed(&t, &sum)) return 1;
  }
  return report(&sum);
}
