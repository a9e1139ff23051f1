/* poolproof-backend: none
 * Loops inside expressions, and values remembered: the interpreter against
 * values by hand, the machines against the interpreter. */
#include "routine.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/machine.h"
#include "ref/interp.h"
#include "routines.h"
#include "values.h"

enum { MOST = 4, TRIALS = 4000, POINTS = 1000 };

/* Holds every node that the machines leave against the interpreter's; *right
 * is what the interpreter left, for the caller to free. */
static void run(const pp_routine *routine, const char *what, pp_memory *right) {
  cr_assert_eq(pp_memory_new(routine, right), PP_OK);
  pp_ref_interp(routine->node, routine->statement, routine->statements,
                right->bytes);
  for (int machine = 0; machine < PP_MACHINE_COUNT; machine++) {
    pp_memory got;
    if (!pp_machine_available((pp_machine)machine)) continue;
    cr_assert_eq(pp_memory_new(routine, &got), PP_OK);
    pp_machine_run_on((pp_machine)machine, routine->code, got.bytes);
    for (size_t i = 0; i < routine->nodes; i++) {
      const pp_node *node = &routine->node[i];
      uint64_t first = 0;
      bool same = pp_same_values(node->dtype, got.bytes[i], right->bytes[i],
                                 pp_node_elements(node), &first);
      char *text = same ? NULL : pp_routine_print(routine);
      cr_assert(same, "%s, machine %d: %s, element %llu\n%s", what, machine,
                node->label, (unsigned long long)first, text ? text : "");
      free(text);
    }
    pp_memory_free(&got);
  }
}

/* The first node is held against what is expected. */
static const struct {
  const char *what;
  const char *text; /* nodes and statements */
  double values[MOST];
} cases[] = {
    {"rows", /* 1 + 2 + 3, 4 + 5 + 6 */
     "node 1 y i64 [2]\nnode 2 a u8 [2, 3] data 1 2 3 4 5 6\n"
     "for i<2: y[i] = sum(0 for k<3: a[i, k])\n",
     {6, 15}},
    {"one after the other", /* ((1e8 + 1) - 1e8) + 1 */
     "node 1 y f32 []\nnode 2 a f32 [3] data 1 -1e8 1\n"
     "y = sum(1e8 for k<3: a[k])\n",
     {1}},
    {"the second axis faster", /* ((1e8 + 1) - 1e8) + 1 */
     "node 1 y f32 []\nnode 2 a f32 [2, 2] data 1e8 -1e8 1 1\n"
     "y = sum(0 for k<2, l<2: a[l, k])\n",
     {1}},
    {"wraps", /* 2 * 10 * 20 * 3 - 4 * 256 */
     "node 1 y u8 []\nnode 2 a u8 [3] data 10 20 3\n"
     "y = product(2 for k<3: a[k])\n",
     {176}},
    {"inf < nan is not", /* min(min(inf, nan), 1) */
     "node 1 y f64 []\nnode 2 a f64 [2] data nan 1\n"
     "y = least(inf for k<2: a[k])\n",
     {1}},
    {"greatest",
     "node 1 y i32 [2]\nnode 2 a i32 [2, 2] data -9 -7 -5 3\n"
     "for i<2: y[i] = greatest(-8 for k<2: a[i, k])\n",
     {-7, 3}},
    {"no points, at any depth", /* 7, 8 * 2 */
     "node 1 y i32 [1]\nnode 2 a i32 [2] data 1 2\n"
     "for i<1: y[i] = sum(7 for k<0: a[k] + sum(0 for l<2: a[l]))"
     " + sum(0 for l<2: product(8 for k<0: 1 + a[l] + sum(1 for m<2: 5)))\n",
     {23}},
    {"nested", /* 2 (1 + 1 + 2 + 3) + 3 (1 + 4 + 5 + 6) */
     "node 1 y f64 []\nnode 2 b i32 [2] data 2 3\n"
     "node 3 c i32 [2, 3] data 1 2 3 4 5 6\n"
     "y = sum(0 for k<2: b[k] * sum(1 for l<3: c[k, l]))\n",
     {62}},
    {"one after another", /* (1 + 2 + 3) + (1 + 4 + 9) - 2 * 3 */
     "node 1 y f32 []\nnode 2 a f32 [3] data 1 2 3\n"
     "y = sum(0 for k<3: a[k]) + sum(0 for k<3: a[k] * a[k])"
     " - sum(0 for k<3, l<1: a[1])\n",
     {14}},
    {"over some of another one's axes", /* 2 * 6 + 6 */
     "node 1 y f32 []\nnode 2 a f32 [3] data 1 2 3\n"
     "y = sum(0 for k<2, l<3: a[l]) + sum(0 for l<3: a[l])\n",
     {18}},
    {"remembered", /* (a + 1) squared */
     "node 1 y i64 [2]\nnode 2 a i64 [2] data 2 -4\n"
     "for i<2: y[i] = keep(0, a[i] + 1) * again(0)\n",
     {9, 9}},
    {"remembered at each point", /* 1 + 4 + 9 */
     "node 1 y i64 []\nnode 2 a i64 [3] data 1 2 3\n"
     "y = sum(0 for k<3: keep(3, a[k]) * again(3))\n",
     {14}},
    {"remembered across a loop", /* 2 + 2 * (1 + 2) + 2 */
     "node 1 y i64 [1]\nnode 2 a i64 [2] data 1 2\n"
     "for i<1: y[i] = keep(0, a[i + 1]) + sum(0 for k<2: again(0) * a[k])"
     " + again(0)\n",
     {10}},
    {"two at one time", /* 5 - 3 + 10 * (3 - 5) */
     "node 1 y i64 [1]\nnode 2 a i64 [2] data 5 3\n"
     "for i<1: y[i] = (keep(0, a[i]) - keep(1, a[i + 1]))"
     " + 10 * (again(1) - again(0))\n",
     {-18}},
    {"a barrier is nothing to do", "node 1 y i64 [] data 5\nbarrier\n", {5}},
    {"in a fold along a reduction", /* 3 + 40 * (7 + 2 * 7) */
     "node 1 y i64 [] data 3\nnode 2 a i64 [40] data fill 7\n"
     "node 3 o i64 [2] data 1 2\n"
     "for i<40: y += sum(0 for k<2: a[i] * o[k])\n",
     {843}},
};

static double value_of(pp_dtype dtype, const unsigned char *from) {
  double value = 0;
  switch (dtype) {
#define PP_VALUE_OF(NAME, name, type, kind)                                    \
  case PP_##NAME: {                                                            \
    type x;                                                                    \
    memcpy(&x, from, sizeof x);                                                \
    value = (double)x;                                                         \
    break;                                                                     \
  }
    PP_DTYPES(PP_VALUE_OF)
#undef PP_VALUE_OF
  case PP_DTYPE_COUNT:
    break;
  }
  return value;
}

Test(loops, by_hand) {
  for (size_t k = 0; k < COUNT(cases); k++) {
    char text[640];
    pp_memory right;
    snprintf(text, sizeof text, "routine r\n%send\n", cases[k].text);
    pp_routine *routine = pp_must_parse(text);
    const pp_node *node = &routine->node[0];
    size_t width = pp_dtype_bytes(node->dtype);
    run(routine, cases[k].what, &right);
    for (uint64_t i = 0; i < pp_node_elements(node); i++)
      cr_expect_eq(value_of(node->dtype, right.bytes[0] + i * width),
                   cases[k].values[i], "%s: element %llu", cases[k].what,
                   (unsigned long long)i);
    pp_memory_free(&right);
    pp_routine_free(routine);
  }
}

/* A statement that is drawn: open[a] of the axes that are known, how deep each
 * slot's value was kept, 0: it keeps none. */
typedef struct draft {
  pp_random random;
  pp_routine *routine;
  pp_statement s;
  pp_dtype dtype;
  bool open[PP_AXES];
  unsigned depth;
  unsigned kept[PP_SLOTS];
} draft;

static uint64_t below(draft *d, uint64_t bound) {
  return pp_random_below(&d->random, bound);
}

static bool is_float(pp_dtype dtype) {
  return dtype == PP_F32 || dtype == PP_F64;
}

/* Gives an index of the node its only axis, and the dimension its size. */
static void use_axis(draft *d, pp_node *node, pp_access *access,
                     unsigned axis) {
  static const int64_t scales[] = {1, 1, 1, 2, -1};
  int64_t scale = scales[below(d, COUNT(scales))];
  int64_t last = d->s.extent[axis] > 0 ? (int64_t)d->s.extent[axis] - 1 : 0;
  pp_index *index = &access->index[node->rank];
  index->scale[axis] = scale;
  index->base = scale < 0 ? last : (int64_t)below(d, 2);
  node->dims[node->rank++] =
      1 + (uint64_t)(index->base + (scale > 0 ? last * scale : 0));
}

static void add_node(draft *d, pp_node *node, pp_access *access) {
  pp_failure failure = {.text = ""};
  static unsigned char data[1 << 20];
  node->uid = 1 + d->routine->nodes;
  node->label[0] = (char)('a' + (int)d->routine->nodes);
  cr_assert_leq(pp_node_bytes(node), sizeof data);
  pp_random_values(&d->random, node->dtype, true, data, pp_node_elements(node));
  node->data = data;
  cr_assert_eq(pp_routine_node(d->routine, node, &access->node, &failure),
               PP_OK, "%s", failure.text);
}

static bool reduces(const draft *d) {
  for (unsigned a = 0; a < d->s.axes; a++) {
    bool used = false;
    for (unsigned k = 0; k < PP_RANK; k++)
      used = used || d->s.target.index[k].scale[a] != 0;
    if (!used) return true;
  }
  return false;
}

static void draw_read(draft *d) {
  pp_access *read = &d->s.read[d->s.reads++];
  bool same = pp_random_one_in(&d->random, 2);
  pp_node node = {.dtype =
                      same ? d->dtype : (pp_dtype)below(d, PP_DTYPE_COUNT)};
  if (!reduces(d) && pp_random_one_in(&d->random, 8)) {
    *read = d->s.target;
    return;
  }
  for (unsigned a = 0; a < d->s.axes + d->s.inner && node.rank < PP_RANK; a++)
    if (d->open[a] && !pp_random_one_in(&d->random, 3))
      use_axis(d, &node, read, a);
  add_node(d, &node, read);
}

static void draw_leaf(draft *d) {
  pp_step *step = &d->s.step[d->s.steps++];
  unsigned slot = (unsigned)below(d, PP_SLOTS);
  if (d->kept[slot] > 0) {
    *step = (pp_step){.op = PP_OP_AGAIN, .slot = slot};
  } else if (d->s.reads < PP_READS && !pp_random_one_in(&d->random, 5)) {
    *step = (pp_step){.op = PP_OP_LOAD, .read = d->s.reads};
    draw_read(d);
  } else {
    *step = (pp_step){.op = PP_OP_LIT};
    pp_random_values(&d->random, d->dtype, true, &step->bits, 1);
  }
}

static void draw_value(draft *d, unsigned budget, unsigned height);

/* Over axes of which none is open. */
static void draw_loop(draft *d, unsigned budget, unsigned height) {
  unsigned axis = d->s.axes + (unsigned)below(d, d->s.inner);
  unsigned axes = 0;
  unsigned most = 1 + (unsigned)below(d, 2);
  while (axes < most && axis + axes < d->s.axes + d->s.inner &&
         !d->open[axis + axes])
    axes++;
  unsigned first = 1 + (unsigned)below(d, budget - 3);
  draw_value(d, first, height);
  if (axes == 0) return;
  d->s.step[d->s.steps++] =
      (pp_step){.op = PP_OP_LOOP, .axis = axis, .axes = axes};
  d->depth++;
  for (unsigned a = axis; a < axis + axes; a++)
    d->open[a] = true;
  draw_value(d, budget - 2 - first, height + 1);
  for (unsigned a = axis; a < axis + axes; a++)
    d->open[a] = false;
  for (unsigned slot = 0; slot < PP_SLOTS; slot++)
    if (d->kept[slot] > d->depth) d->kept[slot] = 0;
  d->depth--;
  d->s.step[d->s.steps++] = (pp_step){
      .op = PP_OP_NEXT, .fold = (pp_fold)(1 + below(d, PP_FOLD_COUNT - 1))};
}

static void draw_keep(draft *d, unsigned budget, unsigned height) {
  unsigned slot = (unsigned)below(d, PP_SLOTS);
  draw_value(d, budget - 1, height);
  if (d->kept[slot] != 0 && d->kept[slot] != d->depth + 1) return;
  d->kept[slot] = d->depth + 1;
  d->s.step[d->s.steps++] = (pp_step){.op = PP_OP_KEEP, .slot = slot};
}

static void draw_operation(draft *d, unsigned budget, unsigned height) {
  static const pp_op ops[] = {PP_OP_ADD, PP_OP_SUB, PP_OP_MUL,   PP_OP_MIN,
                              PP_OP_MAX, PP_OP_LT,  PP_OP_NEG,   PP_OP_ABS,
                              PP_OP_EQ,  PP_OP_DIV, PP_OP_SELECT};
  pp_op op = ops[below(d, COUNT(ops) - (is_float(d->dtype) ? 0 : 2))];
  bool one = op == PP_OP_NEG || op == PP_OP_ABS;
  unsigned takes = one ? 1 : op == PP_OP_SELECT ? 3 : 2;
  unsigned left = budget - 1;
  for (unsigned k = takes; k > 0; k--) {
    unsigned share = k == 1 ? left : 1 + (unsigned)below(d, left - k + 1);
    draw_value(d, share, height + takes - k);
    left -= share;
  }
  d->s.step[d->s.steps++] = (pp_step){.op = op};
}

/* One more value, in `budget` steps at most. */
static void draw_value(draft *d, unsigned budget, unsigned height) {
  uint64_t way = below(d, 8);
  if (budget < 5 || height + 3 > PP_DEPTH)
    draw_leaf(d);
  else if (way < 3)
    draw_loop(d, budget, height);
  else if (way < 5)
    draw_keep(d, budget, height);
  else
    draw_operation(d, budget, height);
}

static void draw_axes(draft *d) {
  static const uint64_t outer[] = {1, 2, 3, 5, 40, 65, 300};
  static const uint64_t inner[] = {0, 1, 2, 3, 4, 2};
  uint64_t points = 1;
  pp_node node = {.dtype = d->dtype};
  d->s.axes = (unsigned)below(d, 4);
  d->s.inner = 1 + (unsigned)below(d, 3);
  for (unsigned a = 0; a < d->s.axes; a++) {
    uint64_t extent = outer[below(d, COUNT(outer))];
    d->s.extent[a] = points * extent > POINTS ? 1 : extent;
    points *= d->s.extent[a];
    d->open[a] = true;
    if (!pp_random_one_in(&d->random, 3)) use_axis(d, &node, &d->s.target, a);
  }
  for (unsigned a = d->s.axes; a < d->s.axes + d->s.inner; a++)
    d->s.extent[a] = inner[below(d, COUNT(inner))];
  add_node(d, &node, &d->s.target);
  bool set = !reduces(d) && pp_random_one_in(&d->random, 2);
  d->s.fold = set ? PP_FOLD_SET : (pp_fold)(1 + below(d, PP_FOLD_COUNT - 1));
}

/* Inner axes that no loop is over become none. */
static bool uses_all_axes(const draft *d) {
  bool used[PP_AXES] = {false};
  bool all = true;
  for (unsigned k = 0; k < d->s.steps; k++)
    for (unsigned a = 0; d->s.step[k].op == PP_OP_LOOP && a < d->s.step[k].axes;
         a++)
      used[d->s.step[k].axis + a] = true;
  for (unsigned a = d->s.axes; a < d->s.axes + d->s.inner; a++)
    all = all && used[a];
  return all;
}

/* Not sealed, which would give loops other axes. NULL: try again. */
static pp_routine *draw(uint64_t trial) {
  draft d = {.dtype = (pp_dtype)(trial % PP_DTYPE_COUNT)};
  pp_failure failure = {.text = ""};
  pp_random_start(&d.random, 6, trial);
  d.routine = pp_routine_new("r");
  cr_assert_not_null(d.routine);
  draw_axes(&d);
  draw_value(&d, PP_STEPS - 1, 0);
  if (!uses_all_axes(&d)) {
    pp_routine_free(d.routine);
    return NULL;
  }
  cr_assert_eq(pp_routine_statement(d.routine, &d.s, &failure), PP_OK, "%s",
               failure.text);
  d.routine->position = calloc(1, sizeof(size_t));
  cr_assert_not_null(d.routine->position);
  d.routine->code = pp_code_make(d.routine);
  cr_assert_not_null(d.routine->code);
  return d.routine;
}

Test(loops, the_machines_agree_with_the_interpreter) {
  unsigned ops[PP_DTYPE_COUNT][PP_OP_COUNT] = {{0}};
  unsigned folds[PP_DTYPE_COUNT][PP_FOLD_COUNT] = {{0}};
  for (uint64_t trial = 0; trial < TRIALS; trial++) {
    pp_routine *routine = draw(trial);
    pp_memory right;
    char what[40];
    if (!routine) continue;
    snprintf(what, sizeof what, "trial %llu", (unsigned long long)trial);
    run(routine, what, &right);
    const pp_flat_statement *s = routine->code->statement;
    for (unsigned k = 0; k < s->steps; k++) {
      ops[s->dtype][s->step[k].op]++;
      if (s->step[k].op == PP_OP_NEXT) folds[s->dtype][s->step[k].fold]++;
    }
    pp_memory_free(&right);
    pp_routine_free(routine);
  }
  for (unsigned d = 0; d < PP_DTYPE_COUNT; d++) {
    for (unsigned op = PP_OP_KEEP; op < PP_OP_COUNT; op++)
      cr_expect_gt(ops[d][op], 100, "dtype %u, operation %u", d, op);
    for (unsigned f = PP_FOLD_ADD; f < PP_FOLD_COUNT; f++)
      cr_expect_gt(folds[d][f], 50, "dtype %u, fold %u", d, f);
  }
}
