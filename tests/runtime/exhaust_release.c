/* poolproof: releases held to the reference, exhaustively (REL).
 *
 * Contexts of up to 5 nodes, each of every kind, in segments and in an arena,
 * under a parent that is alive or released; a fault at every await or free of
 * up to three attempts, in every combination. After each attempt the calls of
 * the backend in their order, the answer, the pools that live and the nodes
 * that are gone must be those of pp_ref_release and pp_ref_gone.
 * SPDX-License-Identifier: MIT */
#include "common.h"
#include "ref/release.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Offsets are multiples of 8 and a pool has 16 bytes, so that two halves share
 * one. */
enum {
  CAP = 16,
  ALIGNMENT = 8,
  NODES = 5,
  EXTRA = 8, /* uid of a node that only the parent's routine has */
  SINK = 9,  /* uid of what reads the nodes with spans */
  HELD = NODES + 2,
  ATTEMPTS = 4, /* the last one meets no fault */
  POOLS = 32
};

/* letter, what follows the node's name in the routine, who has it as well */
#define KINDS(X)                                                               \
  X(WHOLE, 'O', "i32 [4]", "")                                                 \
  X(HALF, 'H', "i32 [2]", "")                                                  \
  X(EMPTY, 'Z', "i32 [0]", "")                                                 \
  X(PARENTS, 'P', "i32 [2]", "parent")                                         \
  X(CONSTANT, 'C', "i32 [2] constant data 1 2", "")                            \
  X(CACHED, 'S', "i32 [2] constant data 3 4", "sibling")                       \
  X(PARENTS_CONSTANT, 'K', "i32 [2] constant data 5 6", "parent")

typedef enum pp_node_kind {
#define KIND(NAME, letter, text, who) NAME,
  KINDS(KIND)
#undef KIND
      KIND_COUNT
} pp_node_kind;

static const struct {
  char letter;
  const char *text;
  const char *who;
} kinds[] = {
#define KIND(NAME, letter, text, who) {letter, text, who},
    KINDS(KIND)
#undef KIND
};

/* One side of the comparison: what it calls, and which call of an attempt
 * fails (0 is the await, k the k-th free). */
typedef struct pp_driver {
  size_t fail_at;
  pp_status fault;
  size_t calls;
  uint64_t pool[POOLS];
} pp_driver;

static pp_driver real, model;

static pp_status drive(pp_driver *driver, uint64_t pool) {
  if (driver->calls == POOLS) pp_die("a release without end");
  driver->pool[driver->calls++] = pool;
  return driver->calls - 1 == driver->fail_at ? driver->fault : PP_OK;
}

pp_status pp_ref_await(void) {
  return drive(&model, 0);
}

pp_status pp_ref_free_pool(uint64_t pool) {
  return drive(&model, pool);
}

/* A fault backend whose await and free_pool are watched. Pool ids are counted:
 * every alloc_pool succeeds and takes the next one (CTX-1). */
static pp_backend *fault;
static pp_backend watched;
static pp_backend_table table;
static bool watching;
static void *handle[POOLS];
static uint64_t minted;

static pp_status watch_alloc(pp_backend *backend, size_t device, uint64_t bytes,
                             uint64_t align, pp_slab *slab) {
  (void)backend;
  if (minted == POOLS) pp_die("too many pools");
  pp_status status = fault->call->alloc_pool(fault, device, bytes, align, slab);
  if (status != PP_OK) pp_die("alloc_pool: %s", pp_status_text(status));
  handle[minted++] = slab->handle;
  return status;
}

static uint64_t id_of(pp_slab slab) {
  for (uint64_t k = 0; k < minted; k++)
    if (handle[k] == slab.handle) return k + 1;
  pp_die("free_pool of a slab that was never there");
}

static pp_status watch_free(pp_backend *backend, size_t device, pp_slab slab) {
  (void)backend;
  pp_status status = watching ? drive(&real, id_of(slab)) : PP_OK;
  if (status != PP_OK) return status;
  return fault->call->free_pool(fault, device, slab);
}

static pp_status watch_await(pp_backend *backend, size_t device) {
  (void)backend;
  pp_status status = watching ? drive(&real, 0) : PP_OK;
  return status == PP_OK ? fault->call->await(fault, device) : status;
}

static void open_watched(void) {
  const pp_fault_options options = {.alignment = ALIGNMENT};
  if (pp_fault_backend_new(pp_backend_of("cc"), &options, &fault) != PP_OK)
    pp_die("out of memory");
  table = *fault->call;
  table.alloc_pool = watch_alloc;
  table.free_pool = watch_free;
  table.await = watch_await;
  watched.name = fault->name;
  watched.call = &table;
  watched.state = fault->state;
}

/* What all patterns of faults have in common. */
typedef struct pp_shape {
  char letters[NODES + 1];
  size_t nodes;
  pp_node_kind kind[NODES];
  bool arena;
  bool orphaned; /* the parent is released first */
  pp_routine *parent, *sibling, *child;
} pp_shape;

/* The nodes of one pattern as the reference takes them. */
typedef struct pp_case {
  pp_context *root, *parent, *sibling, *child;
  size_t held;
  uint64_t uid[HELD];
  pp_location at[HELD], parent_at[HELD];
  bool in_parent[HELD];
  pp_location constant[NODES];
  size_t constants;
  bool live[POOLS + 1];
  pp_ref_progress progress;
} pp_case;

static struct { uint64_t shapes, patterns, attempts, frees, most; } count;

static bool is_own(pp_node_kind kind) {
  return kind == WHOLE || kind == HALF || kind == EMPTY;
}

/* "node 1 n1 i32 [4]\n"; with spans each node has two statements. */
static size_t say_node(char *text, size_t room, const pp_shape *shape,
                       size_t i) {
  int n = snprintf(text, room, "node %zu n%zu %s", i + 1, i + 1,
                   kinds[shape->kind[i]].text);
  if (shape->arena && is_own(shape->kind[i]))
    n +=
        snprintf(text + n, room - (size_t)n, " span %zu %zu", 2 * i, 2 * i + 1);
  n += snprintf(text + n, room - (size_t)n, "\n");
  return (size_t)n;
}

static pp_routine *parent_or_sibling(const pp_shape *shape, const char *who) {
  char text[1024];
  size_t used = (size_t)snprintf(text, sizeof text, "routine %s\n", who);
  for (size_t i = 0; i < shape->nodes; i++)
    if (strcmp(kinds[shape->kind[i]].who, who) == 0)
      used += say_node(text + used, sizeof text - used, shape, i);
  if (strcmp(who, "parent") == 0)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "node %d extra i32 [2]\n", EXTRA);
  snprintf(text + used, sizeof text - used, "end\n");
  return pp_routine_of(text);
}

static pp_routine *child_of_shape(const pp_shape *shape) {
  char text[2048];
  size_t used = (size_t)snprintf(text, sizeof text, "routine child\n");
  for (size_t i = 0; i < shape->nodes; i++)
    used += say_node(text + used, sizeof text - used, shape, i);
  if (shape->arena)
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "node %d sink i32 [] observable\n", SINK);
  for (size_t i = 0; i < shape->nodes && shape->arena; i++) {
    if (is_own(shape->kind[i]))
      used += (size_t)snprintf(text + used, sizeof text - used,
                               "for i<%d: n%zu[i] = 1\n",
                               shape->kind[i] == WHOLE ? 4 : 2, i + 1);
    else
      used +=
          (size_t)snprintf(text + used, sizeof text - used, "sink[] += 1\n");
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "sink[] += n%zu[0]\n", i + 1);
  }
  snprintf(text + used, sizeof text - used, "end\n");
  return pp_routine_of(text);
}

static pp_context *link_capped(pp_context *parent, pp_routine *routine,
                               uint64_t cap) {
  const pp_link_options options = {.cap = cap};
  pp_context *child = NULL;
  pp_failure why;
  if (pp_link(parent, routine, &options, &child, &why) != PP_OK)
    pp_die("link: %s", why.text);
  return child;
}

static void hold(pp_case *c, uint64_t uid) {
  size_t i = c->held++;
  c->uid[i] = uid;
  if (!pp_context_location(c->child, uid, &c->at[i]))
    pp_die("the child holds no node %" PRIu64, uid);
  c->in_parent[i] = pp_context_location(c->parent, uid, &c->parent_at[i]);
}

static void list_live(pp_case *c) {
  pp_pool_info pool[POOLS];
  size_t n = 0;
  pp_device_pools(&watched, 0, pool, POOLS, &n);
  memset(c->live, 0, sizeof c->live);
  for (size_t i = 0; i < n; i++)
    c->live[pool[i].id] = true;
}

static void open_case(pp_case *c, const pp_shape *shape) {
  memset(c, 0, sizeof *c);
  minted = 0;
  c->root = pp_root_on(&watched, 0);
  c->sibling = link_capped(c->root, shape->sibling, CAP);
  c->parent = link_capped(c->root, shape->parent, CAP);
  c->child = link_capped(c->parent, shape->child, shape->arena ? 0 : CAP);
  for (size_t i = 0; i < shape->nodes; i++) {
    hold(c, i + 1);
    if (shape->kind[i] >= CONSTANT) c->constant[c->constants++] = c->at[i];
  }
  hold(c, EXTRA);
  if (shape->arena) hold(c, SINK);
  pp_failure why;
  if (shape->orphaned && pp_release(c->parent, &why) != PP_OK)
    pp_die("release of the parent: %s", why.text);
  list_live(c);
}

static void close_case(pp_case *c) {
  pp_failure why;
  pp_drop(c->parent);
  pp_drop(c->sibling);
  pp_drop(c->root);
  if (pp_teardown(&watched, &why) != PP_OK) pp_die("teardown: %s", why.text);
  if (pp_fault_slabs(fault) != 0) pp_die("slabs are left over");
}

static pp_status model_attempt(pp_case *c) {
  model.calls = 0;
  pp_status status = pp_ref_release(c->at, c->parent_at, c->in_parent, c->held,
                                    c->constant, c->constants, &c->progress);
  for (size_t k = 0; k < model.calls; k++)
    if (model.pool[k] != 0 && k != model.fail_at)
      c->live[model.pool[k]] = false;
  return status;
}

static pp_status real_attempt(pp_case *c, bool frees) {
  pp_failure why;
  real.calls = 0;
  watching = true;
  pp_status status =
      frees ? pp_context_free(c->child, &why) : pp_release(c->child, &why);
  watching = false;
  if (frees && status == PP_OK) c->child = NULL;
  return status;
}

static void expect_same_pools(const pp_case *c) {
  pp_pool_info pool[POOLS];
  size_t n = 0;
  size_t expected = 0;
  pp_device_pools(&watched, 0, pool, POOLS, &n);
  for (size_t i = 0; i < n; i++)
    if (!c->live[pool[i].id]) pp_die("pool %" PRIu64 " lives", pool[i].id);
  for (size_t id = 0; id <= POOLS; id++)
    expected += c->live[id];
  if (n != expected) pp_die("%zu pools live instead of %zu", n, expected);
}

/* REL-6, and that no other node is gone. */
static void expect_same_nodes(const pp_case *c, const pp_shape *shape) {
  pp_failure why;
  int32_t bytes[4];
  for (size_t i = 0; i < c->held; i++) {
    bool constant =
        c->uid[i] <= NODES && shape->kind[c->uid[i] - 1] >= CONSTANT;
    bool gone = c->in_parent[i]
                    ? shape->orphaned && !constant
                    : pp_ref_gone(c->at, c->parent_at, c->in_parent, c->held,
                                  c->constant, c->constants, &c->progress, i);
    pp_status expected = gone ? PP_POOL_GONE : PP_OK;
    uint64_t size = 8;
    if (c->uid[i] == SINK) size = 4;
    if (c->uid[i] <= NODES && shape->kind[c->uid[i] - 1] == WHOLE) size = 16;
    if (c->uid[i] <= NODES && shape->kind[c->uid[i] - 1] == EMPTY) size = 0;
    if (pp_context_shared(c->child, c->uid[i])) expected = PP_ALIASED;
    pp_status status = pp_download(c->child, c->uid[i], bytes, size, &why);
    if (status != expected)
      pp_die("download of node %" PRIu64 ": %s", c->uid[i],
             pp_status_text(status));
  }
}

static void expect_same(pp_case *c, const pp_shape *shape, pp_status status,
                        pp_status expected) {
  count.attempts++;
  if (status != expected)
    pp_die("%s instead of %s", pp_status_text(status),
           pp_status_text(expected));
  if (real.calls != model.calls)
    pp_die("%zu calls instead of %zu", real.calls, model.calls);
  for (size_t k = 0; k < real.calls; k++)
    if (real.pool[k] != model.pool[k])
      pp_die("call %zu: pool %" PRIu64 " instead of %" PRIu64, k, real.pool[k],
             model.pool[k]);
  if (real.calls > 0) count.frees += real.calls - 1;
  expect_same_pools(c);
  if (c->child == NULL) return;
  if (pp_context_released(c->child) != c->progress.released)
    pp_die("released or not?");
  expect_same_nodes(c, shape);
}

/* How many pools the reference would free. */
static size_t own_pools(const pp_case *c) {
  pp_ref_progress progress = c->progress;
  model.calls = 0;
  model.fail_at = SIZE_MAX;
  pp_ref_release(c->at, c->parent_at, c->in_parent, c->held, c->constant,
                 c->constants, &progress);
  return model.calls - 1;
}

/* One attempt; true when nothing failed. */
static bool attempt(pp_case *c, const pp_shape *shape, size_t fail_at,
                    bool frees) {
  const pp_status faults[] = {PP_BACKEND_FAILED, PP_NO_MEMORY, PP_DEVICE_LOST};
  real.fail_at = model.fail_at = fail_at;
  real.fault = model.fault =
      faults[frees ? count.patterns / 2 % 2 : count.patterns % 3];
  pp_status expected = model_attempt(c);
  expect_same(c, shape, real_attempt(c, frees), expected);
  return expected == PP_OK;
}

/* One pattern: choice[a] is the call that fails in attempt a, and *options[a]
 * how many choices there were; the last one is none. Every other pattern is
 * driven by pp_context_free. Returns how many attempts it took. */
static size_t run_pattern(const pp_shape *shape, const size_t *choice,
                          size_t *options) {
  pp_case c;
  bool frees = count.patterns % 2 != 0;
  size_t a = 0;
  bool good = false;
  open_case(&c, shape);
  snprintf(pp_again, sizeof pp_again,
           "shape %s%s%s, failing calls %zu %zu %zu, pattern %" PRIu64,
           shape->letters, shape->arena ? ", arena" : "",
           shape->orphaned ? ", parent released" : "", choice[0], choice[1],
           choice[2], count.patterns);
  for (; !good; a++) {
    size_t own = own_pools(&c);
    if (own > count.most) count.most = own;
    options[a] = a + 1 < ATTEMPTS ? own + 2 : 1;
    bool fails = choice[a] + 1 < options[a];
    good = attempt(&c, shape, fails ? choice[a] : SIZE_MAX, frees);
  }
  if (!frees) {
    if (!attempt(&c, shape, 0, false)) pp_die("released twice");
    if (!attempt(&c, shape, 0, true)) pp_die("freed once more");
  }
  close_case(&c);
  count.patterns++;
  return a;
}

static void run_shape(pp_shape *shape) {
  size_t choice[ATTEMPTS] = {0};
  size_t options[ATTEMPTS] = {0};
  shape->parent = parent_or_sibling(shape, "parent");
  shape->sibling = parent_or_sibling(shape, "sibling");
  shape->child = child_of_shape(shape);
  for (bool more = true; more;) {
    size_t a = run_pattern(shape, choice, options);
    while (a > 0 && choice[a - 1] + 1 == options[a - 1])
      choice[--a] = 0;
    more = a > 0;
    if (more) choice[a - 1]++;
  }
  pp_routine_free(shape->parent);
  pp_routine_free(shape->sibling);
  pp_routine_free(shape->child);
  count.shapes++;
}

/* Every kind for every node; an empty node can have no span. */
static void run_all(size_t nodes, bool arena, bool orphaned) {
  pp_shape shape = {.nodes = nodes, .arena = arena, .orphaned = orphaned};
  for (bool more = true; more;) {
    for (size_t i = 0; i < nodes; i++)
      shape.letters[i] = kinds[shape.kind[i]].letter;
    if (!arena || strchr(shape.letters, 'Z') == NULL) run_shape(&shape);
    size_t i = 0;
    while (i < nodes && shape.kind[i] + 1 == KIND_COUNT)
      shape.kind[i++] = WHOLE;
    more = i < nodes;
    if (more) shape.kind[i]++;
  }
}

int main(void) {
  open_watched();
  for (size_t nodes = 0; nodes <= NODES; nodes++) {
    run_all(nodes, false, false);
    run_all(nodes, true, false);
  }
  for (size_t nodes = 0; nodes < NODES; nodes++)
    run_all(nodes, false, true);
  pp_close_fault(fault);
  printf("%" PRIu64 " contexts with up to %" PRIu64 " pools of their own, "
         "%" PRIu64 " patterns of faults, %" PRIu64 " releases, %" PRIu64
         " frees: as the reference\n",
         count.shapes, count.most, count.patterns, count.attempts, count.frees);
  return 0;
}
