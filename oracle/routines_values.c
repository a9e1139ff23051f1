/* poolproof: random values and expressions of routines.
 * SPDX-License-Identifier: MIT */
#include "routines_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double small_real(pp_random *random) {
  double eighths = (double)pp_random_below(random, 65) - 32;
  return pp_random_one_in(random, 4) ? eighths / 10 : eighths / 8;
}

/* Ends of f32 and f64, and numbers that f32 has to round. */
static double wild_real(pp_random *random) {
  static const double ends[] = {
      0,       -0.0,    INFINITY, -INFINITY, NAN,    FLT_MAX,  -FLT_MAX,
      FLT_MIN, 1e-45,   DBL_MAX,  DBL_MIN,   5e-324, 16777217, 0x1p63,
      0x1p31,  -0x1p63, 255.5,    -0.75,     1e300,  0x1p-75};
  if (pp_random_one_in(random, 2)) return small_real(random);
  if (pp_random_one_in(random, 8)) {
    double any = 0;
    uint64_t bits = pp_random_next(random);
    memcpy(&any, &bits, sizeof any);
    return any;
  }
  return ends[pp_random_below(random, sizeof ends / sizeof ends[0])];
}

static int64_t small_integer(pp_random *random) {
  return (int64_t)pp_random_below(random, 13) - 4;
}

static int64_t wild_integer(pp_random *random) {
  static const int64_t ends[] = {
      0,
      -1,
      1,
      INT64_MIN,
      INT64_MAX,
      INT32_MIN,
      INT32_MAX,
      UINT8_MAX,
      INT64_MIN,
      16777217,
      (INT64_C(1) << 53) + 1,
      INT64_C(0x7fffffbfffffffff) /* halfway up for f32 */};
  if (pp_random_one_in(random, 2)) return small_integer(random);
  if (pp_random_one_in(random, 2)) return (int64_t)pp_random_next(random);
  return ends[pp_random_below(random, sizeof ends / sizeof ends[0])];
}

static int64_t draw_INT(pp_random *random, bool wild) {
  return wild ? wild_integer(random) : small_integer(random);
}

static double draw_FLOAT(pp_random *random, bool wild) {
  return wild ? wild_real(random) : small_real(random);
}

void pp_random_values(pp_random *random, pp_dtype dtype, bool wild, void *to,
                      uint64_t elements) {
  unsigned char *at = to;
  switch (dtype) {
#define PP_DRAW(NAME, name, type, kind)                                        \
  case PP_##NAME:                                                              \
    for (uint64_t i = 0; i < elements; i++, at += sizeof(type)) {              \
      type value = (type)draw_##kind(random, wild);                            \
      memcpy(at, &value, sizeof value);                                        \
    }                                                                          \
    break;
    PP_DTYPES(PP_DRAW)
#undef PP_DRAW
  case PP_DTYPE_COUNT:
    break;
  }
}

uint64_t pp_draft_literal(pp_draft *draft, pp_dtype dtype) {
  unsigned char pattern[sizeof(uint64_t)];
  uint8_t byte = 0;
  uint32_t word = 0;
  uint64_t whole = 0;
  pp_random_values(draft->random, dtype, draft->limits->wild, pattern, 1);
  switch (pp_dtype_bytes(dtype)) {
  case sizeof byte:
    memcpy(&byte, pattern, sizeof byte);
    return byte;
  case sizeof word:
    memcpy(&word, pattern, sizeof word);
    return word;
  default:
    memcpy(&whole, pattern, sizeof whole);
    return whole;
  }
}

static bool for_floats_alone(pp_op op) {
  return op == PP_OP_DIV || op == PP_OP_SQRT;
}

/* One of the operations listed that the dtype has. */
static pp_op one_of(pp_random *random, const pp_op *ops, uint64_t count,
                    bool real) {
  pp_op op = ops[pp_random_below(random, count)];
  while (!real && for_floats_alone(op))
    op = ops[pp_random_below(random, count)];
  return op;
}

static pp_op binary(pp_random *random, bool real) {
  static const pp_op ops[] = {PP_OP_ADD, PP_OP_ADD, PP_OP_ADD, PP_OP_MUL,
                              PP_OP_MUL, PP_OP_MUL, PP_OP_SUB, PP_OP_SUB,
                              PP_OP_DIV, PP_OP_MIN, PP_OP_MAX, PP_OP_LT,
                              PP_OP_EQ};
  return one_of(random, ops, sizeof ops / sizeof ops[0], real);
}

static pp_op unary(pp_random *random, bool real) {
  static const pp_op ops[] = {PP_OP_NEG, PP_OP_ABS, PP_OP_SQRT};
  return one_of(random, ops, sizeof ops / sizeof ops[0], real);
}

static void step(pp_statement *statement, pp_op op, unsigned read,
                 uint64_t bits) {
  statement->step[statement->steps++] =
      (pp_step){.op = op, .read = read, .bits = bits};
}

/* Every read is loaded once, in order; the stack never gets deeper than it
 * may, and there is always room for the operations that make one value of
 * what is on it and what is still to load. */
void pp_draft_steps(pp_draft *draft, pp_statement *statement) {
  pp_random *random = draft->random;
  pp_dtype dtype = draft->node[statement->target.node].dtype;
  bool real = dtype == PP_F32 || dtype == PP_F64;
  unsigned loaded = 0;
  unsigned depth = 0;
  statement->steps = 0;
  while (loaded < statement->reads || depth != 1 ||
         pp_random_one_in(random, 4)) {
    unsigned values = depth + statement->reads - loaded;
    unsigned ends = PP_STEPS - (statement->reads - loaded);
    unsigned spare = ends - statement->steps - (values > 1 ? values - 1 : 0);
    uint64_t way = pp_random_below(random, 16);
    bool push = depth == 0 || (way < 9 && depth < PP_DEPTH);
    if (push && loaded < statement->reads && (depth == 0 || way < 7)) {
      step(statement, PP_OP_LOAD, loaded++, 0);
      depth++;
    } else if (push && (depth == 0 || (way >= 7 && spare > 1))) {
      step(statement, PP_OP_LIT, 0, pp_draft_literal(draft, dtype));
      depth++;
    } else if (way >= 9 && way < 11 && spare > 0) {
      step(statement, unary(random, real), 0, 0);
    } else if (way >= 11 && way < 13 && depth > 2) {
      step(statement, PP_OP_SELECT, 0, 0);
      depth -= 2;
    } else if (depth > 1) {
      step(statement, binary(random, real), 0, 0);
      depth--;
    }
  }
}
