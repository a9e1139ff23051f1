/* poolproof: the reference interpreter of routines (ORC-1).
 * SPDX-License-Identifier: MIT */
#include "interp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

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
  if (pp_dtype_bytes(dtype) == sizeof word)
    memcpy(pattern, &word, sizeof word);
  else if (pp_dtype_bytes(dtype) == sizeof bits)
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

static unsigned char *element(const pp_routine *routine,
                              unsigned char *const *bytes,
                              const pp_access *access, unsigned axes,
                              const uint64_t *counter) {
  const pp_node *node = &routine->node[access->node];
  uint64_t at = 0;
  for (unsigned d = 0; d < node->rank; d++) {
    int64_t index = access->index[d].base;
    for (unsigned a = 0; a < axes; a++)
      index += access->index[d].scale[a] * (int64_t)counter[a];
    at = at * node->dims[d] + (uint64_t)index;
  }
  return bytes[access->node] + at * pp_dtype_bytes(node->dtype);
}

static pp_value evaluate(const pp_routine *routine, const pp_statement *s,
                         pp_dtype dtype, unsigned char *const *bytes,
                         const uint64_t *counter) {
  pp_value stack[PP_DEPTH + 1] = {{0}};
  pp_value *top = stack; /* stack[0] is below the first value */
  for (unsigned k = 0; k < s->steps; k++) {
    const pp_step *step = &s->step[k];
    if (step->op == PP_OP_LOAD) {
      const pp_access *read = &s->read[step->read];
      pp_dtype from = routine->node[read->node].dtype;
      const unsigned char *at = element(routine, bytes, read, s->axes, counter);
      *++top = convert(dtype, from, get(from, at));
    } else if (step->op == PP_OP_LIT) {
      *++top = literal(dtype, step->bits);
    } else if (step->op == PP_OP_SELECT) {
      top -= 2;
      *top = truthy(dtype, top[0]) ? top[1] : top[2];
    } else if (step->op == PP_OP_NEG || step->op == PP_OP_ABS ||
               step->op == PP_OP_SQRT) {
      *top = apply(dtype, step->op, *top, *top);
    } else {
      top--;
      *top = apply(dtype, step->op, top[0], top[1]);
    }
  }
  return *top;
}

static pp_value fold(pp_dtype dtype, pp_fold how, pp_value d, pp_value v) {
  switch (how) {
  case PP_FOLD_ADD:
    return apply(dtype, PP_OP_ADD, d, v);
  case PP_FOLD_MUL:
    return apply(dtype, PP_OP_MUL, d, v);
  case PP_FOLD_MIN:
    return apply(dtype, PP_OP_MIN, d, v);
  case PP_FOLD_MAX:
    return apply(dtype, PP_OP_MAX, d, v);
  default:
    return v;
  }
}

/* The next point in row-major order; false after the last. */
static bool advance(const pp_statement *s, uint64_t *counter) {
  for (unsigned a = s->axes; a > 0; a--) {
    if (++counter[a - 1] < s->extent[a - 1]) return true;
    counter[a - 1] = 0;
  }
  return false;
}

static void run_statement(const pp_routine *routine, const pp_statement *s,
                          unsigned char *const *bytes) {
  pp_dtype dtype = routine->node[s->target.node].dtype;
  uint64_t counter[PP_AXES] = {0};
  for (unsigned a = 0; a < s->axes; a++)
    if (s->extent[a] == 0) return;
  do {
    pp_value value = evaluate(routine, s, dtype, bytes, counter);
    unsigned char *at = element(routine, bytes, &s->target, s->axes, counter);
    put(dtype, at, fold(dtype, s->fold, get(dtype, at), value));
  } while (advance(s, counter));
}

void pp_interp(const pp_routine *routine, unsigned char *const *bytes) {
  for (size_t k = 0; k < routine->statements; k++)
    run_statement(routine, &routine->statement[k], bytes);
}

pp_status pp_memory_new(const pp_routine *routine, pp_memory *memory) {
  memory->nodes = routine->nodes;
  memory->bytes = calloc(routine->nodes + 1, sizeof *memory->bytes);
  for (size_t i = 0; memory->bytes && i < routine->nodes; i++) {
    const pp_node *node = &routine->node[i];
    uint64_t bytes = pp_node_bytes(node);
    memory->bytes[i] = calloc(1, bytes > 0 ? bytes : 1);
    if (!memory->bytes[i]) {
      pp_memory_free(memory);
      break;
    }
    if (node->data && bytes > 0) memcpy(memory->bytes[i], node->data, bytes);
  }
  return memory->bytes ? PP_OK : PP_NO_MEMORY;
}

void pp_memory_free(pp_memory *memory) {
  for (size_t i = 0; memory->bytes && i < memory->nodes; i++)
    free(memory->bytes[i]);
  free((void *)memory->bytes);
  *memory = (pp_memory){0};
}

bool pp_same_values(pp_dtype dtype, const void *a, const void *b,
                    uint64_t elements, uint64_t *first) {
  size_t width = pp_dtype_bytes(dtype);
  const unsigned char *pa = a;
  const unsigned char *pb = b;
  for (uint64_t i = 0; i < elements; i++, pa += width, pb += width) {
    if (memcmp(pa, pb, width) == 0) continue;
    if (is_real[dtype] && isnan(get(dtype, pa).real) &&
        isnan(get(dtype, pb).real))
      continue;
    if (first) *first = i;
    return false;
  }
  return true;
}
