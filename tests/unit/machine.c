/* poolproof-backend: none
 * The expression machine against one loop over points and elements. */
#include "kernels/machine.h"

#include "random.h"
#include "support.h"
#include "values.h"

#include <math.h>
#include <string.h>

enum { MOST = 1 + PP_READS, POINTS = 20000, ROOM = 60100, TRIALS = 2000 };

/* A value of any dtype: of integers i, of floats d. */
typedef struct pp_number {
  int64_t i;
  double d;
} pp_number;

static bool is_float(pp_dtype dtype) {
  return dtype == PP_F32 || dtype == PP_F64;
}

static pp_number get(pp_dtype dtype, const unsigned char *from) {
  int32_t i = 0;
  float f = 0;
  if (dtype == PP_U8) return (pp_number){.i = *from};
  if (dtype == PP_I32) memcpy(&i, from, sizeof i);
  if (dtype == PP_F32) memcpy(&f, from, sizeof f);
  pp_number number = {.i = i, .d = (double)f};
  if (dtype == PP_I64) memcpy(&number.i, from, sizeof number.i);
  if (dtype == PP_F64) memcpy(&number.d, from, sizeof number.d);
  return number;
}

static void put(pp_dtype dtype, unsigned char *to, pp_number number) {
  float f = (float)number.d;
  if (dtype == PP_F32)
    memcpy(to, &f, sizeof f);
  else if (dtype == PP_F64)
    memcpy(to, &number.d, sizeof number.d);
  else
    memcpy(to, &number.i, pp_dtype_bytes(dtype)); /* the low bytes come first */
}

/* As the dtype holds it. */
static pp_number held(pp_dtype dtype, pp_number number) {
  unsigned char bytes[sizeof(uint64_t)];
  put(dtype, bytes, number);
  return get(dtype, bytes);
}

/* The least and the greatest of an integer dtype. */
static int64_t end(pp_dtype dtype, bool most) {
  if (dtype == PP_U8) return most ? UINT8_MAX : 0;
  if (dtype == PP_I32) return most ? INT32_MAX : INT32_MIN;
  return most ? INT64_MAX : INT64_MIN;
}

static pp_number convert(pp_dtype to, pp_dtype from, pp_number x) {
  if (is_float(to) && !is_float(from))
    return (pp_number){.d = to == PP_F32 ? (double)(float)x.i : (double)x.i};
  if (is_float(to) || !is_float(from)) return held(to, x);
  if (isnan(x.d)) return (pp_number){0, 0};
  if (x.d >= (double)end(to, true)) return (pp_number){.i = end(to, true)};
  if (x.d <= (double)end(to, false)) return (pp_number){.i = end(to, false)};
  return (pp_number){.i = (int64_t)x.d};
}

/* f32 through f64: the same bits, since 53 >= 2 * 24 + 2. */
static double float_pair(pp_op op, double x, double y) {
  switch (op) {
  case PP_OP_ADD:
    return x + y;
  case PP_OP_SUB:
    return x - y;
  case PP_OP_MUL:
    return x * y;
  case PP_OP_DIV:
    return x / y;
  case PP_OP_MIN:
    return x < y ? x : y;
  case PP_OP_MAX:
    return x > y ? x : y;
  case PP_OP_LT:
    return x < y;
  default:
    return x == y;
  }
}

PP_WRAPS static int64_t int_pair(pp_op op, int64_t x, int64_t y) {
  switch (op) {
  case PP_OP_ADD:
    return (int64_t)((uint64_t)x + (uint64_t)y);
  case PP_OP_SUB:
    return (int64_t)((uint64_t)x - (uint64_t)y);
  case PP_OP_MUL:
    return (int64_t)((uint64_t)x * (uint64_t)y);
  case PP_OP_MIN:
    return x < y ? x : y;
  case PP_OP_MAX:
    return x > y ? x : y;
  case PP_OP_LT:
    return x < y;
  default:
    return x == y;
  }
}

static pp_number pair(pp_dtype dtype, pp_op op, pp_number x, pp_number y) {
  pp_number result = {0, 0};
  if (is_float(dtype))
    result.d = float_pair(op, x.d, y.d);
  else
    result.i = int_pair(op, x.i, y.i);
  return held(dtype, result);
}

static pp_number unary(pp_dtype dtype, pp_op op, pp_number x) {
  if (op == PP_OP_SQRT) return held(dtype, (pp_number){.d = sqrt(x.d)});
  if (op == PP_OP_ABS && !(is_float(dtype) ? x.d < 0 : x.i < 0)) return x;
  if (is_float(dtype)) return (pp_number){.d = -x.d};
  return pair(dtype, PP_OP_SUB, (pp_number){0, 0}, x);
}

typedef struct pp_setup {
  pp_flat_statement statement;
  size_t operands;
  uint64_t elements[MOST];
  pp_dtype dtype[MOST];
} pp_setup;

static unsigned char *element(unsigned char *const *operand,
                              const pp_flat_access *access, unsigned axes,
                              const uint64_t *counter) {
  int64_t at = access->base;
  for (unsigned a = 0; a < axes; a++)
    at += access->stride[a] * (int64_t)counter[a];
  return operand[access->operand] + at * (int64_t)pp_dtype_bytes(access->dtype);
}

static pp_number evaluate(const pp_flat_statement *s,
                          unsigned char *const *operand,
                          const uint64_t *counter) {
  pp_number stack[PP_DEPTH] = {{0, 0}};
  pp_number *top = stack;
  for (unsigned k = 0; k < s->steps; k++) {
    const pp_step *step = &s->step[k];
    const pp_flat_access *read = &s->read[step->read];
    switch (step->op) {
    case PP_OP_LOAD:
      *top++ =
          convert(s->dtype, read->dtype,
                  get(read->dtype, element(operand, read, s->axes, counter)));
      break;
    case PP_OP_LIT:
      *top++ = get(s->dtype, (const unsigned char *)&step->bits);
      break;
    case PP_OP_NEG:
    case PP_OP_ABS:
    case PP_OP_SQRT:
      top[-1] = unary(s->dtype, step->op, top[-1]);
      break;
    case PP_OP_SELECT:
      top -= 2;
      top[-1] = top[-1].d != 0 || top[-1].i != 0 ? top[0] : top[1];
      break;
    default:
      top--;
      top[-1] = pair(s->dtype, step->op, top[-1], top[0]);
    }
  }
  return stack[0];
}

/* All points in row-major order: those of one element keep their order. */
static void scalar_loop(const pp_flat_statement *s,
                        unsigned char *const *operand) {
  static const pp_op folds[] = {PP_OP_COUNT, PP_OP_ADD, PP_OP_MUL, PP_OP_MIN,
                                PP_OP_MAX};
  uint64_t counter[PP_AXES] = {0};
  for (unsigned a = 0; a < s->axes; a++)
    if (s->extent[a] == 0) return;
  for (;;) {
    unsigned char *target = element(operand, &s->target, s->axes, counter);
    pp_number value = evaluate(s, operand, counter);
    if (s->fold != PP_FOLD_SET)
      value = pair(s->dtype, folds[s->fold], get(s->dtype, target), value);
    put(s->dtype, target, value);
    unsigned a = s->axes;
    while (a > 0 && counter[a - 1] + 1 == s->extent[a - 1])
      counter[--a] = 0;
    if (a == 0) return;
    counter[a - 1]++;
  }
}

/* Bits that are hard on the dtype, or any. */
static uint64_t draw_bits(pp_random *random, pp_dtype dtype) {
  static const double hard[] = {0.0,   -0.0,      1.0,     -1.5,     255.9,
                                256.0, -0.9,      1e10,    -1e10,    INFINITY,
                                NAN,   -INFINITY, 4.5e-44, 2.3e-308, 1e300};
  uint64_t any = pp_random_next(random);
  uint64_t bits = 0;
  pp_number number = {(int64_t)(any % 7) - 3, 0};
  uint64_t way = pp_random_below(random, 4);
  if (way == 0) return any;
  number.d = (double)number.i / 2;
  if (way == 1 && is_float(dtype)) number.d = hard[any % 15];
  if (way == 1 && !is_float(dtype)) number.i = end(dtype, any % 2 == 0);
  put(dtype, (unsigned char *)&bits, number);
  return bits;
}

/* Gives the access a row-major layout of some axes, in any order of theirs,
 * some backwards, with gaps. */
static uint64_t draw_layout(pp_random *random, const pp_flat_statement *s,
                            unsigned axes, bool all, pp_flat_access *access) {
  unsigned order[PP_AXES];
  int64_t stride = pp_random_one_in(random, 4) ? 3 : 1;
  bool shuffle = pp_random_one_in(random, 2);
  access->base = pp_random_one_in(random, 4) ? 5 : 0;
  int64_t last = access->base;
  for (unsigned a = 0; a < axes; a++)
    order[a] = axes - 1 - a;
  for (unsigned a = axes; shuffle && a > 1; a--) {
    unsigned b = (unsigned)pp_random_below(random, a);
    unsigned kept = order[b];
    order[b] = order[a - 1];
    order[a - 1] = kept;
  }
  for (unsigned k = 0; k < axes; k++) {
    int64_t extent = (int64_t)s->extent[order[k]];
    if (!all && pp_random_one_in(random, 4)) continue;
    if (extent == 0) extent = 1;
    bool backwards = pp_random_one_in(random, 5);
    access->stride[order[k]] = backwards ? -stride : stride;
    if (backwards) access->base += stride * (extent - 1);
    last += stride * (extent - 1);
    stride *= extent;
  }
  return (uint64_t)last + 1;
}

static void draw_extents(pp_random *random, pp_flat_statement *s) {
  static const uint64_t extents[] = {1, 2, 3, 5, 17, 63, 64, 65, 256, 1030};
  uint64_t points = 1;
  s->parallel = (unsigned)pp_random_below(random, 5);
  s->axes = s->parallel + (unsigned)pp_random_below(random, 3);
  if (s->axes > 4) s->axes = 4;
  for (unsigned a = 0; a < s->axes; a++) {
    uint64_t extent = extents[pp_random_below(random, 10)];
    if (points * extent > POINTS) extent = 1;
    points *= extent;
    s->extent[a] = pp_random_one_in(random, 60) ? 0 : extent;
  }
  bool reduces = s->axes > s->parallel;
  s->fold = reduces ? (pp_fold)(1 + pp_random_below(random, 4))
                    : (pp_fold)pp_random_below(random, PP_FOLD_COUNT);
}

/* As many operations as fit, then enough to leave one value. */
static void draw_steps(pp_random *random, pp_flat_statement *s) {
  unsigned height = 0;
  unsigned most = 1 + (unsigned)pp_random_below(random, PP_STEPS - PP_DEPTH);
  while (s->steps < most || height > 1) {
    pp_step *step = &s->step[s->steps];
    bool ends = s->steps >= most;
    step->op = (pp_op)pp_random_below(random, PP_OP_KEEP);
    if (pp_random_one_in(random, 4)) step->op = PP_OP_SELECT;
    bool real = step->op == PP_OP_DIV || step->op == PP_OP_SQRT;
    if (real && !is_float(s->dtype)) continue;
    bool leaf = step->op <= PP_OP_LIT;
    bool one = step->op >= PP_OP_NEG && step->op <= PP_OP_SQRT;
    unsigned takes = leaf ? 0 : one ? 1 : step->op == PP_OP_SELECT ? 3 : 2;
    if (takes > height || height - takes + 1 > PP_DEPTH) continue;
    if (ends && takes < 2) continue;
    if (step->op == PP_OP_LOAD)
      step->read = (unsigned)pp_random_below(random, s->reads);
    if (step->op == PP_OP_LIT) step->bits = draw_bits(random, s->dtype);
    height = height - takes + 1;
    s->steps++;
  }
}

static void draw(pp_random *random, pp_setup *setup) {
  memset(setup, 0, sizeof *setup);
  pp_flat_statement *s = &setup->statement;
  draw_extents(random, s);
  s->dtype = s->target.dtype = (pp_dtype)pp_random_below(random, 5);
  setup->dtype[0] = s->dtype;
  setup->elements[0] = draw_layout(random, s, s->parallel, true, &s->target);
  s->reads = 1 + (unsigned)pp_random_below(random, 4);
  setup->operands = 1 + s->reads;
  for (unsigned k = 0; k < s->reads; k++) {
    pp_flat_access *read = &s->read[k];
    bool same = pp_random_one_in(random, 3);
    read->operand = k + 1;
    read->dtype = same ? s->dtype : (pp_dtype)pp_random_below(random, 5);
    setup->dtype[k + 1] = read->dtype;
    setup->elements[k + 1] = draw_layout(random, s, s->axes, false, read);
    if (s->axes == s->parallel && pp_random_one_in(random, 4))
      *read = s->target;
  }
  draw_steps(random, s);
}

/* Operands lie one byte off any alignment, with guards before and after. */
enum { GUARD = 17 };

static unsigned char memory[MOST][GUARD + ROOM * 8 + GUARD];
static unsigned char expected[MOST][GUARD + ROOM * 8 + GUARD];
static unsigned char start[MOST][GUARD + ROOM * 8 + GUARD];

static void fill(pp_random *random, const pp_setup *setup) {
  for (size_t k = 0; k < setup->operands; k++) {
    size_t width = pp_dtype_bytes(setup->dtype[k]);
    cr_assert_leq(setup->elements[k], (uint64_t)ROOM);
    memset(start[k], 0xa5, GUARD + setup->elements[k] * width + GUARD);
    for (uint64_t i = 0; i < setup->elements[k]; i++) {
      uint64_t bits = draw_bits(random, setup->dtype[k]);
      memcpy(start[k] + GUARD + i * width, &bits, width);
    }
  }
}

static void expect_same(const pp_setup *setup, pp_machine machine,
                        unsigned trial) {
  for (size_t k = 0; k < setup->operands; k++) {
    uint64_t first = 0;
    size_t bytes = setup->elements[k] * pp_dtype_bytes(setup->dtype[k]);
    cr_assert(pp_same_values(setup->dtype[k], memory[k] + GUARD,
                             expected[k] + GUARD, setup->elements[k], &first),
              "trial %u, machine %d: operand %zu differs at %llu", trial,
              (int)machine, k, (unsigned long long)first);
    cr_assert_arr_eq(memory[k], start[k], GUARD, "trial %u: before", trial);
    cr_assert_arr_eq(memory[k] + GUARD + bytes, start[k] + GUARD + bytes, GUARD,
                     "trial %u: after", trial);
  }
}

static void restart(const pp_setup *setup,
                    unsigned char (*to)[GUARD + ROOM * 8 + GUARD],
                    unsigned char **at) {
  for (size_t k = 0; k < setup->operands; k++) {
    size_t bytes = setup->elements[k] * pp_dtype_bytes(setup->dtype[k]);
    memcpy(to[k], start[k], GUARD + bytes + GUARD);
    at[k] = to[k] + GUARD;
  }
}

/* The machines against the loop, from what is in start. */
static void compare(pp_setup *setup, unsigned trial) {
  const pp_code code = {.operands = setup->operands,
                        .statements = 1,
                        .statement = &setup->statement};
  unsigned char *at[MOST];
  restart(setup, expected, at);
  scalar_loop(&setup->statement, at);
  for (unsigned m = 0; m < PP_MACHINE_COUNT; m++) {
    if (!pp_machine_available((pp_machine)m)) continue;
    restart(setup, memory, at);
    pp_machine_run_on((pp_machine)m, &code, at);
    expect_same(setup, (pp_machine)m, trial);
  }
}

Test(machine, random_statements) {
  unsigned ops[PP_DTYPE_COUNT][PP_OP_KEEP] = {{0}};
  unsigned folds[PP_DTYPE_COUNT][PP_FOLD_COUNT] = {{0}};
  unsigned loads[PP_DTYPE_COUNT][PP_DTYPE_COUNT] = {{0}};
  for (unsigned trial = 0; trial < TRIALS; trial++) {
    static pp_setup setup;
    pp_random random;
    pp_random_start(&random, 4, trial);
    draw(&random, &setup);
    fill(&random, &setup);
    compare(&setup, trial);
    const pp_flat_statement *s = &setup.statement;
    folds[s->dtype][s->fold]++;
    for (unsigned k = 0; k < s->steps; k++) {
      ops[s->dtype][s->step[k].op]++;
      if (s->step[k].op == PP_OP_LOAD)
        loads[s->dtype][s->read[s->step[k].read].dtype]++;
    }
  }
  for (unsigned d = 0; d < PP_DTYPE_COUNT; d++) {
    bool real = is_float((pp_dtype)d);
    for (unsigned op = 0; op < PP_OP_KEEP; op++)
      if (real || (op != PP_OP_DIV && op != PP_OP_SQRT))
        cr_expect_gt(ops[d][op], 50, "dtype %u, operation %u", d, op);
    for (unsigned f = 0; f < PP_FOLD_COUNT; f++)
      cr_expect_gt(folds[d][f], 20, "dtype %u, fold %u", d, f);
    for (unsigned from = 0; from < PP_DTYPE_COUNT; from++)
      cr_expect_gt(loads[d][from], 20, "dtype %u from %u", d, from);
  }
}

/* Runs `s` on its operands with each machine and holds the target's bits
 * against values[0..n). */
static void expect_bits(const char *what, const pp_flat_statement *s,
                        uint64_t elements, const void *read,
                        const void *values) {
  pp_flat_statement statement = *s;
  pp_code code = {.operands = 2, .statements = 1, .statement = &statement};
  size_t width = pp_dtype_bytes(s->dtype);
  for (unsigned m = 0; m < PP_MACHINE_COUNT; m++) {
    unsigned char target[16 * sizeof(double)] = {0};
    unsigned char source[16 * sizeof(double)];
    unsigned char *at[] = {target, source};
    memcpy(source, read, elements * pp_dtype_bytes(s->read[0].dtype));
    if (!pp_machine_available((pp_machine)m)) continue;
    pp_machine_run_on((pp_machine)m, &code, at);
    cr_expect_arr_eq(target, values, elements * width, "%s, machine %u", what,
                     m);
  }
}

/* target[i] = op read[i], PP_OP_LOAD: the conversion alone */
static pp_flat_statement each(pp_dtype to, pp_dtype from, pp_op op,
                              uint64_t elements) {
  return (pp_flat_statement){.dtype = to,
                             .parallel = 1,
                             .axes = 1,
                             .extent = {elements},
                             .target = {0, to, 0, {1}},
                             .reads = 1,
                             .read = {{1, from, 0, {1}}},
                             .steps = op == PP_OP_LOAD ? 1 : 2,
                             .step = {{.op = PP_OP_LOAD}, {.op = op}}};
}

/* Expected values are worked out by hand from what routine.h says. */
Test(machine, conversions) {
  const double reals[] = {NAN,   INFINITY, -INFINITY, -0.9,    255.9,
                          256.0, -1.0,     1e10,      -1.5e10, 0x1p63};
  const uint8_t u8[] = {0, 255, 0, 0, 255, 255, 0, 255, 0, 255};
  const int32_t i32[] = {0,   INT32_MAX, INT32_MIN, 0,         255,
                         256, -1,        INT32_MAX, INT32_MIN, INT32_MAX};
  const int64_t i64[] = {0,  INT64_MAX,   INT64_MIN,    0,        255, 256,
                         -1, 10000000000, -15000000000, INT64_MAX};
  pp_flat_statement s = each(PP_U8, PP_F64, PP_OP_LOAD, 10);
  expect_bits("f64 to u8", &s, 10, reals, u8);
  s = each(PP_I32, PP_F64, PP_OP_LOAD, 10);
  expect_bits("f64 to i32", &s, 10, reals, i32);
  s = each(PP_I64, PP_F64, PP_OP_LOAD, 10);
  expect_bits("f64 to i64", &s, 10, reals, i64);
  const int64_t wide[] = {16777217, 16777219, -16777217, INT64_MAX,
                          (INT64_C(1) << 54) + (INT64_C(1) << 30) + 1};
  const float rounded[] = {16777216.0F, 16777220.0F, -16777216.0F, 0x1p63F,
                           0x1.000002p54F};
  s = each(PP_F32, PP_I64, PP_OP_LOAD, 5);
  expect_bits("i64 to f32, rounded once", &s, 5, wide, rounded);
  const int32_t narrow[] = {-1, 256, 511, INT32_MIN};
  const uint8_t wrapped[] = {255, 0, 255, 0};
  s = each(PP_U8, PP_I32, PP_OP_LOAD, 4);
  expect_bits("i32 to u8 wraps", &s, 4, narrow, wrapped);
}

Test(machine, signs) {
  const int32_t ints[] = {INT32_MIN, -1, 0, 5};
  const int32_t magnitudes[] = {INT32_MIN, 1, 0, 5};
  const uint8_t bytes[] = {0, 1, 128, 255};
  const uint8_t negated[] = {0, 255, 128, 1};
  const float floats[] = {-0.0F, 0.0F, -INFINITY, 2.0F};
  const float flipped[] = {0.0F, -0.0F, INFINITY, -2.0F};
  const float absolute[] = {-0.0F, 0.0F, INFINITY, 2.0F};
  pp_flat_statement s = each(PP_I32, PP_I32, PP_OP_ABS, 4);
  expect_bits("abs of i32", &s, 4, ints, magnitudes);
  s = each(PP_U8, PP_U8, PP_OP_ABS, 4);
  expect_bits("abs of u8", &s, 4, bytes, bytes);
  s = each(PP_U8, PP_U8, PP_OP_NEG, 4);
  expect_bits("neg of u8", &s, 4, bytes, negated);
  s = each(PP_F32, PP_F32, PP_OP_NEG, 4);
  expect_bits("neg of f32", &s, 4, floats, flipped);
  s = each(PP_F32, PP_F32, PP_OP_ABS, 4);
  expect_bits("abs of f32: only what is below 0", &s, 4, floats, absolute);
}

/* BKD-6: from the present value on, in row-major order, nothing regrouped. */
Test(machine, order_of_a_sum) {
  enum { PRIME = 100003, COLUMNS = 67 };
  static float terms[PRIME];
  float sum[COLUMNS] = {0};
  pp_flat_statement s = each(PP_F32, PP_F32, PP_OP_LOAD, PRIME);
  s.parallel = 0;
  s.fold = PP_FOLD_ADD;
  s.target.stride[0] = 0;
  pp_code code = {.operands = 2, .statements = 1, .statement = &s};
  for (size_t i = 0; i < PRIME; i++)
    terms[i] = (i % 3 == 0 ? 1e8F : i % 3 == 1 ? 1.0F : -1e8F) / (float)(i + 1);
  for (unsigned wide = 0; wide < 2 * PP_MACHINE_COUNT; wide++) {
    unsigned char *at[] = {(unsigned char *)sum, (unsigned char *)terms};
    float expects = 3.0F;
    if (!pp_machine_available((pp_machine)(wide / 2))) continue;
    for (size_t i = 0; i < PRIME; i++)
      expects += terms[i];
    for (size_t i = 0; i < COLUMNS; i++)
      sum[i] = 3.0F;
    if (wide % 2 == 1) { /* the same sum in each of many lanes */
      s.parallel = 1;
      s.axes = 2;
      s.extent[0] = COLUMNS;
      s.extent[1] = PRIME;
      s.target.stride[0] = s.read[0].stride[1] = 1;
      s.target.stride[1] = s.read[0].stride[0] = 0;
    }
    pp_machine_run_on((pp_machine)(wide / 2), &code, at);
    for (size_t i = 0; i < (wide % 2 == 1 ? COLUMNS : 1); i++)
      cr_expect_eq(sum[i], expects, "lane %zu: %a for %a", i, (double)sum[i],
                   (double)expects);
  }
}
