#include "interp.h"

#include <math.h>
#include <string.h>

#include "element.h"

/* Arithmetic modulo 2^64 is meant in what follows this mark. */
#if defined(__clang__)
#define PP_WRAPS __attribute__((no_sanitize("unsigned-integer-overflow")))
#else
#define PP_WRAPS
#endif

/* One value of any dtype: integer kinds in the one field, floats in the
 * other; always a value that the dtype has.
 *
 * f32 is computed in f64 and rounded after each operation. That is the
 * correctly rounded f32 result for + - * / sqrt, because 53 >= 2 * 24 + 2
 * (Figueroa, "When is double rounding innocuous?"). */
typedef struct pp_value {
  int64_t integer;
  double real;
} pp_value;

#define IS_INT false
#define IS_FLOAT true

static const bool is_real[PP_DTYPE_COUNT + 1] = {
#define PP_KIND(NAME, name, type, kind) [PP_##NAME] = IS_##kind,
    PP_DTYPES(PP_KIND)
#undef PP_KIND
};

#define GET_INT(value, x) (value).integer = (int64_t)(x)
#define GET_FLOAT(value, x) (value).real = (double)(x)
#define PUT_INT(value) ((value).integer)
#define PUT_FLOAT(value) ((value).real)

static pp_value get(pp_dtype dtype, const unsigned char *at) {
  pp_value value = {0};
  switch (dtype) {
#define PP_GET(NAME, name, type, kind)                                         \
  case PP_##NAME: {                                                            \
    type x;                                                                    \
    memcpy(&x, at, sizeof x);                                                  \
    GET_##kind(value, x);                                                      \
    break;                                                                     \
  }
    PP_DTYPES(PP_GET)
#undef PP_GET
  case PP_DTYPE_COUNT:
    break;
  }
  return value;
}

static void put(pp_dtype dtype, unsigned char *at, pp_value value) {
  switch (dtype) {
#define PP_PUT(NAME, name, type, kind)                                         \
  case PP_##NAME: {                                                            \
    type x = (type)PUT_##kind(value);                                          \
    memcpy(at, &x, sizeof x);                                                  \
    break;                                                                     \
  }
    PP_DTYPES(PP_PUT)
#undef PP_PUT
  case PP_DTYPE_COUNT:
    break;
  }
}

/* The dtype's value for a result computed wider: modulo 2^w, or rounded. */
static pp_value narrow(pp_dtype dtype, pp_value value) {
  switch (dtype) {
#define PP_NARROW(NAME, name, type, kind)                                      \
  case PP_##NAME:                                                              \
    GET_##kind(value, (type)PUT_##kind(value));                                \
    break;
    PP_DTYPES(PP_NARROW)
#undef PP_NARROW
  case PP_DTYPE_COUNT:
    break;
  }
  return value;
}

static int64_t saturate(double x, size_t bytes, bool is_signed) {
  int64_t hi = (int64_t)(UINT64_MAX >> (64 - 8 * bytes + (is_signed ? 1 : 0)));
  int64_t lo = is_signed ? -hi - 1 : 0;
  if (isnan(x)) return 0;
  if (x <= (double)lo) return lo;
  return x >= (double)hi ? hi : (int64_t)x;
}

#define FROM_REAL_INT(type, x) saturate(x, sizeof(type), (type)-1 < (type)1)
#define FROM_REAL_FLOAT(type, x) ((type)(x))

static pp_value convert(pp_dtype to, pp_dtype from, pp_value value) {
  bool real = is_real[from];
  switch (to) {
#define PP_CONVERT(NAME, name, type, kind)                                     \
  case PP_##NAME:                                                              \
    if (real)                                                                  \
      GET_##kind(value, FROM_REAL_##kind(type, value.real));                   \
    else                                                                       \
      GET_##kind(value, (type)value.integer);                                  \
    break;
    PP_DTYPES(PP_CONVERT)
#undef PP_CONVERT
  case PP_DTYPE_COUNT:
    break;
  }
  return value;
}

/* A literal's pattern is in the low bits, whatever the byte order. */
static pp_value literal(pp_dtype dtype, uint64_t bits) {
  unsigned char pattern[sizeof bits] = {(unsigned char)(bits & UINT8_MAX)};
  uint32_t word = (uint32_t)(bits & UINT32_MAX);
  if (pp_ref_width(dtype) == sizeof word)
    memcpy(pattern, &word, sizeof word);
  else if (pp_ref_width(dtype) == sizeof bits)
    memcpy(pattern, &bits, sizeof bits);
  return get(dtype, pattern);
}

/* One or two operands: a is the deeper one. */
PP_WRAPS static int64_t integer_op(pp_op op, int64_t a, int64_t b) {
  uint64_t ua = (uint64_t)a;
  uint64_t ub = (uint64_t)b;
  switch (op) {
  case PP_OP_ADD:
    return (int64_t)(ua + ub);
  case PP_OP_SUB:
    return (int64_t)(ua - ub);
  case PP_OP_MUL:
    return (int64_t)(ua * ub);
  case PP_OP_MIN:
    return a < b ? a : b;
  case PP_OP_MAX:
    return a > b ? a : b;
  case PP_OP_LT:
    return a < b;
  case PP_OP_EQ:
    return a == b;
  case PP_OP_NEG:
    return (int64_t)(0 - ua);
  case PP_OP_ABS:
    return a < 0 ? (int64_t)(0 - ua) : a;
  default:
    return 0;
  }
}

static double real_op(pp_op op, double a, double b) {
  switch (op) {
  case PP_OP_ADD:
    return a + b;
  case PP_OP_SUB:
    return a - b;
  case PP_OP_MUL:
    return a * b;
  case PP_OP_DIV:
    return a / b;
  case PP_OP_MIN:
    return a < b ? a : b;
  case PP_OP_MAX:
    return a > b ? a : b;
  case PP_OP_LT:
    return a < b ? 1 : 0;
  case PP_OP_EQ:
    return a == b ? 1 : 0;
  case PP_OP_NEG:
    return -a;
  case PP_OP_ABS:
    return a < 0 ? -a : a;
  case PP_OP_SQRT:
    return sqrt(a);
  default:
    return 0;
  }
}

static pp_value apply(pp_dtype dtype, pp_op op, pp_value a, pp_value b) {
  pp_value result = {0};
  if (is_real[dtype])
    result.real = real_op(op, a.real, b.real);
  else
    result.integer = integer_op(op, a.integer, b.integer);
  return narrow(dtype, result);
}

static bool truthy(pp_dtype dtype, pp_value value) {
  return is_real[dtype] ? value.real != 0 : value.integer != 0;
}

static pp_value fold(pp_dtype dtype, pp_fold how, pp_value d, pp_value v) {
  static const pp_op ops[] = {[PP_FOLD_ADD] = PP_OP_ADD,
                              [PP_FOLD_MUL] = PP_OP_MUL,
                              [PP_FOLD_MIN] = PP_OP_MIN,
                              [PP_FOLD_MAX] = PP_OP_MAX};
  return how == PP_FOLD_SET ? v : apply(dtype, ops[how], d, v);
}

/* A statement at a point.
 * counter  of all axes; those of loops that are not open are 0
 * top      the highest value; stack[0] is below the first
 * at       the step that comes next
 * loop     the first steps of the loops that are open */
typedef struct pp_point {
  const pp_node *node;
  const pp_statement *statement;
  unsigned char *const *bytes;
  pp_dtype dtype;
  uint64_t counter[PP_AXES];
  pp_value stack[PP_DEPTH + 1];
  unsigned top;
  pp_value slot[PP_SLOTS];
  unsigned at;
  unsigned loop[PP_AXES];
  unsigned loops;
} pp_point;

static unsigned char *element(const pp_point *p, const pp_access *access) {
  unsigned axes = p->statement->axes + p->statement->inner;
  return p->bytes[access->node] +
         pp_ref_element(&p->node[access->node], access, axes, p->counter);
}

static pp_value load(const pp_point *p, const pp_access *read) {
  pp_dtype from = p->node[read->node].dtype;
  return convert(p->dtype, from, get(from, element(p, read)));
}

static void begin_loop(pp_point *p, const pp_step *step) {
  if (pp_ref_has_points(p->statement->extent, step->axis,
                        step->axis + step->axes))
    p->loop[p->loops++] = p->at;
  else
    p->at = pp_ref_loop_end(p->statement, p->at - 1) + 1;
}

static void end_loop(pp_point *p, const pp_step *step) {
  unsigned begin = p->loop[p->loops - 1];
  const pp_step *loop = &p->statement->step[begin - 1];
  pp_value *accumulator = &p->stack[--p->top];
  *accumulator = fold(p->dtype, step->fold, accumulator[0], accumulator[1]);
  if (pp_ref_next_point(p->statement->extent, p->counter, loop->axis,
                        loop->axis + loop->axes))
    p->at = begin;
  else
    p->loops--;
}

/* One or two values to one. */
static void operate(pp_point *p, pp_op op) {
  bool one = op == PP_OP_NEG || op == PP_OP_ABS || op == PP_OP_SQRT;
  if (!one) p->top--;
  pp_value *a = &p->stack[p->top];
  *a = apply(p->dtype, op, a[0], one ? a[0] : a[1]);
}

static void take_step(pp_point *p, const pp_step *step) {
  switch (step->op) {
  case PP_OP_LOAD:
    p->stack[++p->top] = load(p, &p->statement->read[step->read]);
    break;
  case PP_OP_LIT:
    p->stack[++p->top] = literal(p->dtype, step->bits);
    break;
  case PP_OP_SELECT:
    p->top -= 2;
    p->stack[p->top] =
        p->stack[p->top + (truthy(p->dtype, p->stack[p->top]) ? 1 : 2)];
    break;
  case PP_OP_KEEP:
    p->slot[step->slot] = p->stack[p->top];
    break;
  case PP_OP_AGAIN:
    p->stack[++p->top] = p->slot[step->slot];
    break;
  case PP_OP_LOOP:
    begin_loop(p, step);
    break;
  case PP_OP_NEXT:
    end_loop(p, step);
    break;
  default:
    operate(p, step->op);
  }
}

static void run_statement(pp_point *p) {
  const pp_statement *s = p->statement;
  if (s->kind == PP_BARRIER || !pp_ref_has_points(s->extent, 0, s->axes))
    return;
  p->dtype = p->node[s->target.node].dtype;
  do {
    p->top = 0;
    p->at = 0;
    while (p->at < s->steps)
      take_step(p, &s->step[p->at++]);
    unsigned char *at = element(p, &s->target);
    pp_value value = fold(p->dtype, s->fold, get(p->dtype, at), p->stack[1]);
    put(p->dtype, at, value);
  } while (pp_ref_next_point(s->extent, p->counter, 0, s->axes));
}

void pp_ref_interp(const pp_node *node, const pp_statement *statement,
                   size_t statements, unsigned char *const *bytes) {
  for (size_t k = 0; k < statements; k++) {
    pp_point point = {.node = node, .statement = &statement[k], .bytes = bytes};
    run_statement(&point);
  }
}
