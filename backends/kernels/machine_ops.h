/* poolproof: the machine's operations on tiles, for every dtype of PP_DTYPES.
 *
 * In the common subset of C and OpenCL C. Whoever includes it has defined the
 * dtypes' lists and what differs between the two:
 *   PP_TILE         lanes of a tile
 *   PP_TILE_ALIGN   alignment of a tile, may be empty
 *   PP_GLOBAL       address space of operands
 *   PP_WRAPS        arithmetic modulo 2^w is meant in what follows
 *   PP_DIV(type, x, y), PP_SQRT(type, x)  correctly rounded, x and y a type
 *   PP_WIDE         the widest floats' name, and pp_wide their type
 *   type pp_read_NAME(from)     the element at an address, for each dtype
 *   void pp_write_NAME(to, x)
 * SPDX-License-Identifier: MIT */
#ifndef PP_MACHINE_OPS_H
#define PP_MACHINE_OPS_H

typedef union pp_tile {
#define PP_TILE_OF(NAME, name, type, kind) PP_TILE_ALIGN type name[PP_TILE];
  PP_DTYPES(PP_TILE_OF)
#undef PP_TILE_OF
} pp_tile;

/* A value of each lane; uniform: lane 0's is that of all. */
typedef struct pp_value {
  pp_tile tile;
  uint32_t uniform;
} pp_value;

/* The operations by kind, where the kinds differ. No x or y is evaluated
 * twice with effect. */
#define PP_INT_ADD(type, x, y) ((type)((uint64_t)(x) + (uint64_t)(y)))
#define PP_INT_SUB(type, x, y) ((type)((uint64_t)(x) - (uint64_t)(y)))
#define PP_INT_MUL(type, x, y) ((type)((uint64_t)(x) * (uint64_t)(y)))
#define PP_INT_NEG(type, x) ((type)(0 - (uint64_t)(x)))
#define PP_INT_ABS(type, x) ((x) < (type)1 ? PP_INT_NEG(type, x) : (x))
#define PP_INT_DIVIDE(EACH, name, type)
#define PP_INT_ROOT(type)
#define PP_FLOAT_ADD(type, x, y) ((type)((x) + (y)))
#define PP_FLOAT_SUB(type, x, y) ((type)((x) - (y)))
#define PP_FLOAT_MUL(type, x, y) ((type)((x) * (y)))
#define PP_FLOAT_NEG(type, x) (-(x))
#define PP_FLOAT_ABS(type, x) ((x) < 0 ? -(x) : (x))
#define PP_FLOAT_DIVIDE(EACH, name, type)                                      \
  case PP_OP_DIV:                                                              \
    EACH(name, type, PP_DIV(type, x, y));                                      \
    break
#define PP_FLOAT_ROOT(type)                                                    \
  case PP_OP_SQRT:                                                             \
    PP_EACH(type, PP_SQRT(type, x));                                           \
    break

/* What a type holds, as int64_t. */
#define PP_SIGNED(type) ((type)-1 < (type)1)
#define PP_BITS(type) (8 * sizeof(type))
#define PP_MOST(type)                                                          \
  ((int64_t)(~(uint64_t)0 >> (64 + (PP_SIGNED(type) ? 1 : 0) - PP_BITS(type))))
#define PP_LEAST(type) (PP_SIGNED(type) ? -PP_MOST(type) - 1 : (int64_t)0)

/* To a type from the widest of either kind, and the other way. */
#define PP_INT_FROM_INT(type, x) ((type)(uint64_t)(x))
#define PP_INT_FROM_FLOAT(type, x)                                             \
  ((type)pp_saturate(x, PP_LEAST(type), PP_MOST(type)))
#define PP_FLOAT_FROM_INT(type, x) ((type)(x))
#define PP_FLOAT_FROM_FLOAT(type, x) ((type)(x))
#define PP_INT_WIDE(wide) ((wide)->i64)
#define PP_FLOAT_WIDE(wide) ((wide)->PP_WIDE)
#define PP_INT_IS_FLOAT 0
#define PP_FLOAT_IS_FLOAT 1

static int64_t pp_saturate(pp_wide x, int64_t least, int64_t most) {
  if (x != x) return 0;
  if (x <= (pp_wide)least) return least;
  if (x >= (pp_wide)most) return most;
  return (int64_t)x;
}

/* p[i] = e, a function of x = p[i]. */
#define PP_EACH(type, e)                                                       \
  for (uint32_t i = 0; i < n; i++) {                                           \
    const type x = p[i];                                                       \
    p[i] = (e);                                                                \
  }

/* p[i] = e, a function of x = p[i] and y = q[i], either perhaps uniform. */
#define PP_EACH_PAIR(name, type, e)                                            \
  if (y_stays) {                                                               \
    const type y = q[0];                                                       \
    for (uint32_t i = 0; i < n; i++) {                                         \
      const type x = p[i];                                                     \
      p[i] = (e);                                                              \
    }                                                                          \
  } else if (x_stays) {                                                        \
    const type x = p[0];                                                       \
    for (uint32_t i = 0; i < n; i++) {                                         \
      const type y = q[i];                                                     \
      p[i] = (e);                                                              \
    }                                                                          \
  } else {                                                                     \
    for (uint32_t i = 0; i < n; i++) {                                         \
      const type x = p[i], y = q[i];                                           \
      p[i] = (e);                                                              \
    }                                                                          \
  }

/* The same, y the elements of memory at `from`. */
#define PP_EACH_MET(name, type, e)                                             \
  if (x_stays) {                                                               \
    const type x = p[0];                                                       \
    for (uint32_t i = 0; i < n; i++) {                                         \
      const type y = pp_read_##name(from + i * sizeof(type));                  \
      p[i] = (e);                                                              \
    }                                                                          \
  } else {                                                                     \
    for (uint32_t i = 0; i < n; i++) {                                         \
      const type x = p[i], y = pp_read_##name(from + i * sizeof(type));        \
      p[i] = (e);                                                              \
    }                                                                          \
  }

/* The operations of two values. */
#define PP_OF_TWO(EACH, name, type, kind)                                      \
  switch (op) {                                                                \
    PP_##kind##_DIVIDE(EACH, name, type);                                      \
  case PP_OP_ADD:                                                              \
    EACH(name, type, PP_##kind##_ADD(type, x, y));                             \
    break;                                                                     \
  case PP_OP_SUB:                                                              \
    EACH(name, type, PP_##kind##_SUB(type, x, y));                             \
    break;                                                                     \
  case PP_OP_MUL:                                                              \
    EACH(name, type, PP_##kind##_MUL(type, x, y));                             \
    break;                                                                     \
  case PP_OP_MIN:                                                              \
    EACH(name, type, x < y ? x : y);                                           \
    break;                                                                     \
  case PP_OP_MAX:                                                              \
    EACH(name, type, x > y ? x : y);                                           \
    break;                                                                     \
  case PP_OP_LT:                                                               \
    EACH(name, type, (type)(x < y));                                           \
    break;                                                                     \
  case PP_OP_EQ:                                                               \
    EACH(name, type, (type)(x == y));                                          \
    break;                                                                     \
  default:                                                                     \
    break;                                                                     \
  }

/* x = e for each y in order. */
#define PP_ALONG(type, e)                                                      \
  for (uint32_t i = 0; i < n; i++) {                                           \
    const type y = q[i];                                                       \
    x = (e);                                                                   \
  }

/* A type cannot stand in parentheses everywhere.
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define PP_TILE_MOVES(NAME, name, type, kind)                                  \
  static void pp_get_##name(pp_tile *tile, uint32_t at,                        \
                            const PP_GLOBAL unsigned char *from,               \
                            int64_t stride, uint32_t n) {                      \
    type *restrict p = tile->name + at;                                        \
    if (stride == (int64_t)sizeof(type))                                       \
      for (uint32_t i = 0; i < n; i++)                                         \
        p[i] = pp_read_##name(from + i * sizeof(type));                        \
    else if (stride == 0)                                                      \
      for (uint32_t i = 0; i < n; i++)                                         \
        p[i] = pp_read_##name(from);                                           \
    else                                                                       \
      for (uint32_t i = 0; i < n; i++)                                         \
        p[i] = pp_read_##name(from + (int64_t)i * stride);                     \
  }                                                                            \
  static void pp_put_##name(const pp_tile *tile, uint32_t at,                  \
                            PP_GLOBAL unsigned char *to, int64_t stride,       \
                            uint32_t n) {                                      \
    const type *restrict p = tile->name + at;                                  \
    if (stride == (int64_t)sizeof(type))                                       \
      for (uint32_t i = 0; i < n; i++)                                         \
        pp_write_##name(to + i * sizeof(type), p[i]);                          \
    else                                                                       \
      for (uint32_t i = 0; i < n; i++)                                         \
        pp_write_##name(to + (int64_t)i * stride, p[i]);                       \
  }
PP_DTYPES(PP_TILE_MOVES)
#undef PP_TILE_MOVES

#define PP_TILE_FILLS(NAME, name, type, kind)                                  \
  static void pp_literal_##name(pp_tile *tile, uint64_t bits) {                \
    const union {                                                              \
      uint64_t bits;                                                           \
      type value;                                                              \
    } pun = {bits};                                                            \
    tile->name[0] = pun.value;                                                 \
  }                                                                            \
  static void pp_spread_##name(pp_tile *tile, uint32_t n) {                    \
    type *p = tile->name;                                                      \
    const type x = p[0];                                                       \
    for (uint32_t i = 1; i < n; i++)                                           \
      p[i] = x;                                                                \
  }                                                                            \
  static void pp_copy_##name(pp_tile *restrict to,                             \
                             const pp_tile *restrict from, uint32_t n) {       \
    for (uint32_t i = 0; i < n; i++)                                           \
      to->name[i] = from->name[i];                                             \
  }
PP_DTYPES(PP_TILE_FILLS)
#undef PP_TILE_FILLS

#define PP_TILE_CONVERSIONS(NAME, name, type, kind)                            \
  static uint32_t pp_widen_##name(pp_tile *restrict wide,                      \
                                  const pp_tile *restrict from, uint32_t n) {  \
    const type *p = from->name;                                                \
    for (uint32_t i = 0; i < n; i++)                                           \
      PP_##kind##_WIDE(wide)[i] = p[i];                                        \
    return PP_##kind##_IS_FLOAT;                                               \
  }                                                                            \
  static void pp_narrow_##name(pp_tile *restrict to,                           \
                               const pp_tile *restrict wide,                   \
                               uint32_t is_float, uint32_t n) {                \
    type *p = to->name;                                                        \
    if (is_float)                                                              \
      for (uint32_t i = 0; i < n; i++)                                         \
        p[i] = PP_##kind##_FROM_FLOAT(type, wide->PP_WIDE[i]);                 \
    else                                                                       \
      for (uint32_t i = 0; i < n; i++)                                         \
        p[i] = PP_##kind##_FROM_INT(type, wide->i64[i]);                       \
  }
PP_DTYPES(PP_TILE_CONVERSIONS)
#undef PP_TILE_CONVERSIONS

#define PP_TILE_UNARY(NAME, name, type, kind)                                  \
  PP_WRAPS static void pp_unary_##name(uint32_t op, pp_tile *tile,             \
                                       uint32_t n) {                           \
    type *p = tile->name;                                                      \
    switch (op) {                                                              \
      PP_##kind##_ROOT(type);                                                  \
    case PP_OP_NEG:                                                            \
      PP_EACH(type, PP_##kind##_NEG(type, x));                                 \
      break;                                                                   \
    case PP_OP_ABS:                                                            \
      PP_EACH(type, PP_##kind##_ABS(type, x));                                 \
      break;                                                                   \
    default:                                                                   \
      break;                                                                   \
    }                                                                          \
  }
PP_DTYPES(PP_TILE_UNARY)
#undef PP_TILE_UNARY

#define PP_TILE_BINARY(NAME, name, type, kind)                                 \
  PP_WRAPS static void pp_binary_##name(                                       \
      uint32_t op, pp_tile *restrict a, const pp_tile *restrict b,             \
      uint32_t x_stays, uint32_t y_stays, uint32_t n) {                        \
    type *p = a->name;                                                         \
    const type *q = b->name;                                                   \
    PP_OF_TWO(PP_EACH_PAIR, name, type, kind)                                  \
  }                                                                            \
  PP_WRAPS static void pp_meet_##name(                                         \
      uint32_t op, pp_tile *restrict a,                                        \
      const PP_GLOBAL unsigned char *restrict from, uint32_t x_stays,          \
      uint32_t n) {                                                            \
    type *p = a->name;                                                         \
    PP_OF_TWO(PP_EACH_MET, name, type, kind)                                   \
  }
PP_DTYPES(PP_TILE_BINARY)
#undef PP_TILE_BINARY

#define PP_TILE_REST(NAME, name, type, kind)                                   \
  static void pp_select_##name(pp_tile *restrict c, const pp_tile *restrict a, \
                               const pp_tile *restrict b, uint32_t n) {        \
    type *p = c->name;                                                         \
    for (uint32_t i = 0; i < n; i++)                                           \
      p[i] = p[i] != 0 ? a->name[i] : b->name[i];                              \
  }                                                                            \
  PP_WRAPS static void pp_along_##name(uint32_t op, pp_tile *into,             \
                                       const pp_tile *tile, uint32_t n) {      \
    const type *q = tile->name;                                                \
    type x = into->name[0];                                                    \
    switch (op) {                                                              \
    case PP_OP_ADD:                                                            \
      PP_ALONG(type, PP_##kind##_ADD(type, x, y));                             \
      break;                                                                   \
    case PP_OP_MUL:                                                            \
      PP_ALONG(type, PP_##kind##_MUL(type, x, y));                             \
      break;                                                                   \
    case PP_OP_MIN:                                                            \
      PP_ALONG(type, x < y ? x : y);                                           \
      break;                                                                   \
    case PP_OP_MAX:                                                            \
      PP_ALONG(type, x > y ? x : y);                                           \
      break;                                                                   \
    default:                                                                   \
      break;                                                                   \
    }                                                                          \
    into->name[0] = x;                                                         \
  }
PP_DTYPES(PP_TILE_REST)
#undef PP_TILE_REST
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
