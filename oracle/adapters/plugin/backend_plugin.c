/* A backend as a plugin: one synchronous device in host memory, kernels
 * interpreted step by step. Put your device in its place. See backend.h for
 * what each call must do, code.h and types.h for what kernels are.
 *
 * Build with -ffp-contract=off: no product and sum may become one rounding.
 * SPDX-License-Identifier: MIT */
#include <poolproof/plugin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* What a slab's handle is. */
typedef struct memory {
  uint64_t bytes;
  unsigned char *at;
} memory;

/* The bytes of a slab from offset on; NULL: the range is not inside it. */
static unsigned char *range(pp_slab slab, uint64_t offset, uint64_t bytes) {
  const memory *m = slab.handle;
  if (offset > m->bytes || bytes > m->bytes - offset) return NULL;
  return m->at + offset;
}

static pp_status devices(pp_backend *backend, size_t *count) {
  (void)backend;
  *count = 1;
  return PP_OK;
}

static pp_status limits(pp_backend *backend, size_t device, pp_limits *out) {
  (void)backend, (void)device;
  *out = (pp_limits){.name = "host memory",
                     .max_pool = PTRDIFF_MAX,
                     .alignment = ALIGNMENT,
                     .f64 = true,
                     .kernel_statements = 16};
  return PP_OK;
}

static pp_status alloc_pool(pp_backend *backend, size_t device, uint64_t bytes,
                            uint64_t align, pp_slab *slab) {
  void *at = NULL;
  (void)backend, (void)device;
  if (align == 0 || (align & (align - 1)) != 0) return PP_BACKEND_FAILED;
  if (bytes > PTRDIFF_MAX || align > PTRDIFF_MAX) return PP_NO_MEMORY;
  memory *m = malloc(sizeof *m);
  if (!m) return PP_NO_MEMORY;
  if (align < ALIGNMENT) align = ALIGNMENT;
  if (posix_memalign(&at, align, bytes > 0 ? bytes : 1) != 0) {
    free(m);
    return PP_NO_MEMORY;
  }
  *m = (memory){bytes, at};
  slab->handle = m;
  return PP_OK;
}

static pp_status free_pool(pp_backend *backend, size_t device, pp_slab slab) {
  memory *m = slab.handle;
  (void)backend, (void)device;
  free(m->at);
  free(m);
  return PP_OK;
}

static pp_status set(pp_backend *backend, size_t device, pp_slab slab,
                     uint64_t offset, uint64_t bytes, uint8_t value) {
  unsigned char *to = range(slab, offset, bytes);
  (void)backend, (void)device;
  if (!to) return PP_BACKEND_FAILED;
  memset(to, value, bytes);
  return PP_OK;
}

static pp_status from_host(pp_backend *backend, size_t device, pp_slab slab,
                           uint64_t offset, const void *from, uint64_t bytes) {
  unsigned char *to = range(slab, offset, bytes);
  (void)backend, (void)device;
  if (!to) return PP_BACKEND_FAILED;
  if (bytes > 0) memcpy(to, from, bytes);
  return PP_OK;
}

static pp_status to_host(pp_backend *backend, size_t device, void *to,
                         pp_slab slab, uint64_t offset, uint64_t bytes) {
  const unsigned char *from = range(slab, offset, bytes);
  (void)backend, (void)device;
  if (!from) return PP_BACKEND_FAILED;
  if (bytes > 0) memcpy(to, from, bytes);
  return PP_OK;
}

static pp_status device_to_device(pp_backend *backend, size_t to_device,
                                  pp_slab to_slab, uint64_t to_offset,
                                  size_t from_device, pp_slab from_slab,
                                  uint64_t from_offset, uint64_t bytes) {
  unsigned char *to = range(to_slab, to_offset, bytes);
  const unsigned char *from = range(from_slab, from_offset, bytes);
  (void)backend, (void)to_device, (void)from_device;
  if (!to || !from) return PP_BACKEND_FAILED;
  if (to_slab.handle == from_slab.handle && to < from + bytes &&
      from < to + bytes)
    return PP_BACKEND_FAILED;
  memcpy(to, from, bytes);
  return PP_OK;
}

/* -- kernels ---------------------------------------------------------------
 * A value of any dtype: integers in i, floats in f, always one that the dtype
 * has. f32 is computed in double and rounded after each operation, which
 * gives the same bits for + - * / and sqrt. */
typedef struct value {
  int64_t i;
  double f;
} value;

static bool is_float(pp_dtype dtype) {
  return dtype == PP_F32 || dtype == PP_F64;
}

static size_t width(pp_dtype dtype) {
  if (dtype == PP_U8) return 1;
  return dtype == PP_I32 || dtype == PP_F32 ? 4 : 8;
}

/* The dtype's value: modulo 2^w, or rounded. */
static value narrow(pp_dtype dtype, value v) {
  if (dtype == PP_U8) v.i = (uint8_t)v.i;
  if (dtype == PP_I32) v.i = (int32_t)v.i;
  if (dtype == PP_F32) v.f = (float)v.f;
  return v;
}

static value get(pp_dtype dtype, const unsigned char *at) {
  value v = {0, 0};
  int32_t i = 0;
  float f = 0;
  if (dtype == PP_U8) v.i = *at;
  if (dtype == PP_I64) memcpy(&v.i, at, 8);
  if (dtype == PP_F64) memcpy(&v.f, at, 8);
  if (dtype == PP_I32) memcpy(&i, at, 4), v.i = i;
  if (dtype == PP_F32) memcpy(&f, at, 4), v.f = f;
  return v;
}

static void put(pp_dtype dtype, unsigned char *at, value v) {
  int32_t i = (int32_t)v.i;
  float f = (float)v.f;
  if (dtype == PP_U8) *at = (uint8_t)v.i;
  if (dtype == PP_I64) memcpy(at, &v.i, 8);
  if (dtype == PP_F64) memcpy(at, &v.f, 8);
  if (dtype == PP_I32) memcpy(at, &i, 4);
  if (dtype == PP_F32) memcpy(at, &f, 4);
}

/* load: to another dtype. Floats to integers saturate; NaN gives 0. */
static value convert(pp_dtype to, pp_dtype from, value v) {
  int64_t most = to == PP_U8 ? 255 : to == PP_I32 ? INT32_MAX : INT64_MAX;
  int64_t least = to == PP_U8 ? 0 : -most - 1;
  if (!is_float(from) && is_float(to))
    v.f = to == PP_F32 ? (float)v.i : (double)v.i;
  if (is_float(from) && !is_float(to)) {
    if (isnan(v.f)) return (value){0, 0};
    if (v.f <= (double)least) return (value){least, 0};
    if (v.f >= (double)most) return (value){most, 0};
    v.i = (int64_t)v.f;
  }
  return narrow(to, v);
}

static double float_op(pp_op op, double a, double b) {
  if (op == PP_OP_ADD) return a + b;
  if (op == PP_OP_SUB) return a - b;
  if (op == PP_OP_MUL) return a * b;
  if (op == PP_OP_DIV) return a / b;
  if (op == PP_OP_MIN) return a < b ? a : b;
  if (op == PP_OP_MAX) return a > b ? a : b;
  if (op == PP_OP_LT) return a < b;
  if (op == PP_OP_EQ) return a == b;
  if (op == PP_OP_NEG) return -a;
  if (op == PP_OP_ABS) return a < 0 ? -a : a;
  if (op == PP_OP_SQRT) return sqrt(a);
  return 0;
}

static int64_t integer_op(pp_op op, int64_t a, int64_t b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  if (op == PP_OP_ADD) return (int64_t)(x + y);
  if (op == PP_OP_SUB) return (int64_t)(x - y);
  if (op == PP_OP_MUL) return (int64_t)(x * y);
  if (op == PP_OP_MIN) return a < b ? a : b;
  if (op == PP_OP_MAX) return a > b ? a : b;
  if (op == PP_OP_LT) return a < b;
  if (op == PP_OP_EQ) return a == b;
  if (op == PP_OP_NEG) return (int64_t)(0 - x);
  if (op == PP_OP_ABS) return a < 0 ? (int64_t)(0 - x) : a;
  return 0;
}

static value apply(pp_dtype dtype, pp_op op, value a, value b) {
  value v = {0, 0};
  if (is_float(dtype))
    v.f = float_op(op, a.f, b.f);
  else
    v.i = integer_op(op, a.i, b.i);
  return narrow(dtype, v);
}

static value fold(pp_dtype dtype, pp_fold how, value d, value v) {
  static const pp_op ops[] = {PP_OP_ADD, PP_OP_ADD, PP_OP_MUL, PP_OP_MIN,
                              PP_OP_MAX};
  return how == PP_FOLD_SET ? v : apply(dtype, ops[how], d, v);
}

/* A statement at a point of its loops. at: the next step; stack[0] is below
 * the first value; open: where loops that are open begin. */
typedef struct point {
  const pp_flat_statement *s;
  unsigned char **operand;
  uint64_t counter[PP_AXES];
  value stack[PP_DEPTH + 1];
  value *top;
  value slot[PP_SLOTS];
  unsigned at;
  unsigned open[PP_AXES];
  unsigned loops;
} point;

static unsigned char *element(const point *p, const pp_flat_access *access) {
  int64_t index = access->base;
  for (unsigned a = 0; a < p->s->axes + p->s->inner; a++)
    index += access->stride[a] * (int64_t)p->counter[a];
  return p->operand[access->operand] + (uint64_t)index * width(access->dtype);
}

/* The next point of axes [first, end), row by row; false after the last. */
static bool next_point(point *p, unsigned first, unsigned end) {
  for (unsigned a = end; a > first; a--) {
    if (++p->counter[a - 1] < p->s->extent[a - 1]) return true;
    p->counter[a - 1] = 0;
  }
  return false;
}

static value load(const point *p, const pp_flat_access *read) {
  value v = get(read->dtype, element(p, read));
  return convert(p->s->dtype, read->dtype, v);
}

/* A literal's pattern is in the low bits: little-endian hosts alone. */
static value literal(pp_dtype dtype, uint64_t bits) {
  unsigned char pattern[8];
  memcpy(pattern, &bits, 8);
  return get(dtype, pattern);
}

static bool is_true(pp_dtype dtype, value v) {
  return is_float(dtype) ? v.f != 0 : v.i != 0;
}

/* The end of the innermost loop. */
static void next(point *p, pp_fold how) {
  unsigned begin = p->open[p->loops - 1];
  const pp_step *loop = &p->s->step[begin - 1];
  p->top--;
  p->top[0] = fold(p->s->dtype, how, p->top[0], p->top[1]);
  if (next_point(p, loop->axis, loop->axis + loop->axes))
    p->at = begin;
  else
    p->loops--;
}

static void operate(point *p, pp_op op) {
  bool one = op == PP_OP_NEG || op == PP_OP_ABS || op == PP_OP_SQRT;
  if (!one) p->top--;
  p->top[0] = apply(p->s->dtype, op, p->top[0], one ? p->top[0] : p->top[1]);
}

static void take_step(point *p, const pp_step *step) {
  if (step->op == PP_OP_LOAD) {
    *++p->top = load(p, &p->s->read[step->read]);
  } else if (step->op == PP_OP_LIT) {
    *++p->top = literal(p->s->dtype, step->bits);
  } else if (step->op == PP_OP_SELECT) {
    p->top -= 2;
    p->top[0] = p->top[is_true(p->s->dtype, p->top[0]) ? 1 : 2];
  } else if (step->op == PP_OP_KEEP) {
    p->slot[step->slot] = *p->top;
  } else if (step->op == PP_OP_AGAIN) {
    *++p->top = p->slot[step->slot];
  } else if (step->op == PP_OP_LOOP) {
    p->open[p->loops++] = p->at;
  } else if (step->op == PP_OP_NEXT) {
    next(p, step->fold);
  } else {
    operate(p, step->op);
  }
}

static void run_statement(const pp_flat_statement *s, unsigned char **operand) {
  point p = {.s = s, .operand = operand};
  for (unsigned a = 0; a < s->axes; a++)
    if (s->extent[a] == 0) return;
  do {
    p.top = p.stack;
    p.at = 0;
    while (p.at < s->steps)
      take_step(&p, &s->step[p.at++]);
    unsigned char *to = element(&p, &s->target);
    put(s->dtype, to, fold(s->dtype, s->fold, get(s->dtype, to), *p.top));
  } while (next_point(&p, 0, s->axes));
}

/* Code outlives its kernel. */
typedef struct program {
  const pp_code *code;
} program;

static pp_status compile(pp_backend *backend, size_t device,
                         const pp_code *code, void **kernel) {
  program *made = malloc(sizeof *made);
  (void)backend, (void)device;
  if (!made) return PP_NO_MEMORY;
  made->code = code;
  *kernel = made;
  return PP_OK;
}

static void discard(pp_backend *backend, size_t device, void *kernel) {
  (void)backend, (void)device;
  free(kernel);
}

static pp_status launch(pp_backend *backend, size_t device, void *kernel,
                        const pp_operand *operand, size_t operands) {
  const pp_code *code = ((program *)kernel)->code;
  (void)backend, (void)device;
  if (operands != code->operands) return PP_BACKEND_FAILED;
  unsigned char **at = malloc((operands + 1) * sizeof *at);
  if (!at) return PP_NO_MEMORY;
  for (size_t i = 0; i < operands; i++) {
    at[i] = range(operand[i].slab, operand[i].offset, code->operand_bytes[i]);
    if (!at[i]) {
      free(at);
      return PP_BACKEND_FAILED;
    }
  }
  for (size_t k = 0; k < code->statements; k++)
    run_statement(&code->statement[k], at);
  free(at);
  return PP_OK;
}

static pp_status await(pp_backend *backend, size_t device) {
  (void)backend, (void)device;
  return PP_OK;
}

static pp_status open(pp_backend **backend) {
  static const pp_backend_table table = {
      .devices = devices,
      .limits = limits,
      .alloc_pool = alloc_pool,
      .free_pool = free_pool,
      .memset = set,
      .from_host = from_host,
      .to_host = to_host,
      .device_to_device = device_to_device,
      .compile = compile,
      .discard = discard,
      .launch = launch,
      .await = await,
  };
  static pp_backend only = {.name = "example", .call = &table};
  *backend = &only;
  return PP_OK;
}

const pp_backend_plugin *pp_backend_plugin_v1(void) {
  static const pp_backend_plugin plugin = {
      .abi = PP_PLUGIN_ABI,
      .bytes = sizeof plugin,
      .name = "example backend",
      .version = "1.0",
      .open = open,
  };
  return &plugin;
}
