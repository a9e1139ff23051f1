/* poolproof: the offset matrix: kernels of every kind, and what each should
 * compute by a loop of its own.
 *
 * No operation may be contracted with another, so each is a function of its
 * own, and compilers contract inside one expression at most.
 * SPDX-License-Identifier: MIT */
#include "matrix_kernels.h"

#include "random.h"

#include <math.h>

/* Integers wrap; floats are what this processor does. */
#define PP_INT_OF(x) (uint64_t)(x)
#define PP_FLOAT_OF(x) (x)
#define PP_ARITHMETIC(NAME, name, type, kind)                                  \
  PP_WRAPS static type add_##name(type x, type y) {                            \
    return (type)(PP_##kind##_OF(x) + PP_##kind##_OF(y));                      \
  }                                                                            \
  PP_WRAPS static type sub_##name(type x, type y) {                            \
    return (type)(PP_##kind##_OF(x) - PP_##kind##_OF(y));                      \
  }                                                                            \
  PP_WRAPS static type mul_##name(type x, type y) {                            \
    return (type)(PP_##kind##_OF(x) * PP_##kind##_OF(y));                      \
  }
PP_DTYPES(PP_ARITHMETIC)
#undef PP_ARITHMETIC

/* Conversions: integers wrap, floats to integers truncate and saturate. */
static int64_t whole(double x, double least, double most, int64_t low,
                     int64_t high) {
  if (x != x) return 0;
  if (x <= least) return low;
  if (x >= most) return high;
  return (int64_t)x;
}

static uint8_t u8_of(double x) {
  return (uint8_t)whole(x, 0, 255, 0, 255);
}

static int32_t i32_of(double x) {
  return (int32_t)whole(x, -0x1p31, 0x1p31 - 1, INT32_MIN, INT32_MAX);
}

static int64_t i64_of(double x) {
  return whole(x, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX);
}

static float f32_of(double x) {
  return (float)x;
}

static double f64_of(double x) {
  return x;
}

#define PP_INT_CAST(type, x) (type)(uint64_t)(x)
#define PP_FLOAT_CAST(type, x) (type)(x)

#define PP_OPERAND(type, k) ((type *)operand[k])

static const char two_text[] = "routine two\n"
                               "node 1 t @ [$] observable\n"
                               "node 2 a @ [$] host\n"
                               "node 3 b @ [$] host\n"
                               "for i<$: t[i] = a[i] * b[i] + a[i]\n"
                               "end\n";
#define PP_TWO(NAME, name, type, kind)                                         \
  static void two_##name(void *const *operand, size_t n) {                     \
    const type *a = operand[1], *b = operand[2];                               \
    for (size_t i = 0; i < n; i++) {                                           \
      type product = mul_##name(a[i], b[i]);                                   \
      PP_OPERAND(type, 0)[i] = add_##name(product, a[i]);                      \
    }                                                                          \
  }
PP_DTYPES(PP_TWO)

static const char nine_text[] =
    "routine nine\n"
    "node 1 t @ [$] observable\n"
    "node 2 a @ [$] host\nnode 3 b @ [$] host\n"
    "node 4 c @ [$] host\nnode 5 d @ [$] host\n"
    "node 6 e @ [$] host\nnode 7 f @ [$] host\n"
    "node 8 g @ [$] host\nnode 9 h @ [$] host\n"
    "for i<$: t[i] = a[i] * b[i] + c[i] - d[i] * e[i] + min(f[i], g[i]) - "
    "h[i]\n"
    "end\n";
#define PP_NINE(NAME, name, type, kind)                                        \
  static void nine_##name(void *const *operand, size_t n) {                    \
    for (size_t i = 0; i < n; i++) {                                           \
      type x[9];                                                               \
      for (size_t k = 1; k < 9; k++)                                           \
        x[k] = PP_OPERAND(const type, k)[i];                                   \
      type v = mul_##name(x[1], x[2]);                                         \
      v = add_##name(v, x[3]);                                                 \
      v = sub_##name(v, mul_##name(x[4], x[5]));                               \
      v = add_##name(v, x[6] < x[7] ? x[6] : x[7]);                            \
      PP_OPERAND(type, 0)[i] = sub_##name(v, x[8]);                            \
    }                                                                          \
  }
PP_DTYPES(PP_NINE)

/* The reduction's axes are not in the order of memory. */
static const char rows_text[] = "routine rows\n"
                                "node 1 t @ [$] host observable\n"
                                "node 2 a @ [$, 5, 2] host\n"
                                "for i<$, j<2, k<5: t[i] += a[i, k, j]\n"
                                "end\n";
#define PP_ROWS(NAME, name, type, kind)                                        \
  static void rows_##name(void *const *operand, size_t n) {                    \
    const type *a = operand[1];                                                \
    for (size_t i = 0; i < n; i++)                                             \
      for (size_t j = 0; j < 2; j++)                                           \
        for (size_t k = 0; k < 5; k++)                                         \
          PP_OPERAND(type, 0)                                                  \
    [i] = add_##name(PP_OPERAND(type, 0)[i], a[10 * i + 2 * k + j]);           \
  }
PP_DTYPES(PP_ROWS)

static const char dot_text[] = "routine dot\n"
                               "node 1 t @ [] host observable\n"
                               "node 2 a @ [$] host\n"
                               "node 3 b @ [$] host\n"
                               "for k<$: t += a[k] * b[k]\n"
                               "end\n";
#define PP_DOT(NAME, name, type, kind)                                         \
  static void dot_##name(void *const *operand, size_t n) {                     \
    const type *a = operand[1], *b = operand[2];                               \
    for (size_t k = 0; k < n; k++) {                                           \
      type product = mul_##name(a[k], b[k]);                                   \
      *PP_OPERAND(type, 0) = add_##name(*PP_OPERAND(type, 0), product);        \
    }                                                                          \
  }
PP_DTYPES(PP_DOT)

static const char accumulate_text[] = "routine accumulate\n"
                                      "node 1 t @ [$] host observable\n"
                                      "node 2 a @ [$] host\n"
                                      "for i<$: t[i] += t[i] * a[i]\n"
                                      "end\n";
#define PP_ACCUMULATE(NAME, name, type, kind)                                  \
  static void accumulate_##name(void *const *operand, size_t n) {              \
    const type *a = operand[1];                                                \
    for (size_t i = 0; i < n; i++) {                                           \
      type product = mul_##name(PP_OPERAND(type, 0)[i], a[i]);                 \
      PP_OPERAND(type, 0)[i] = add_##name(PP_OPERAND(type, 0)[i], product);    \
    }                                                                          \
  }
PP_DTYPES(PP_ACCUMULATE)

static const char loops_text[] =
    "routine loops\n"
    "node 1 t @ [$, 3] observable\n"
    "node 2 a @ [$, 4] host\n"
    "node 3 b @ [4, 3] host\n"
    "for i<$, j<3: t[i, j] = sum(1 for k<4: a[i, k] * b[k, j])\n"
    "end\n";
#define PP_LOOPS(NAME, name, type, kind)                                       \
  static void loops_##name(void *const *operand, size_t n) {                   \
    const type *a = operand[1], *b = operand[2];                               \
    for (size_t i = 0; i < n; i++)                                             \
      for (size_t j = 0; j < 3; j++) {                                         \
        type sum = 1;                                                          \
        for (size_t k = 0; k < 4; k++)                                         \
          sum = add_##name(sum, mul_##name(a[4 * i + k], b[3 * k + j]));       \
        PP_OPERAND(type, 0)[3 * i + j] = sum;                                  \
      }                                                                        \
  }
PP_DTYPES(PP_LOOPS)

static const char mixed_text[] =
    "routine mixed\n"
    "node 1 t @ [$] observable\n"
    "node 2 u u8 [$] host\nnode 3 w i32 [$] host\nnode 4 x i64 [$] host\n"
    "node 5 y f32 [$] host\nnode 6 z f64 [$] host\n"
    "for i<$: t[i] = u[i] + w[i] * x[i] - y[i] + z[i]\n"
    "end\n";
#define PP_MIXED(NAME, name, type, kind)                                       \
  static void mixed_##name(void *const *operand, size_t n) {                   \
    for (size_t i = 0; i < n; i++) {                                           \
      type u = (type)PP_OPERAND(const uint8_t, 1)[i];                          \
      type w = PP_##kind##_CAST(type, PP_OPERAND(const int32_t, 2)[i]);        \
      type x = PP_##kind##_CAST(type, PP_OPERAND(const int64_t, 3)[i]);        \
      type v = add_##name(u, mul_##name(w, x));                                \
      v = sub_##name(v, name##_of(PP_OPERAND(const float, 4)[i]));             \
      PP_OPERAND(type, 0)                                                      \
      [i] = add_##name(v, name##_of(PP_OPERAND(const double, 5)[i]));          \
    }                                                                          \
  }
PP_DTYPES(PP_MIXED)

static const char strides_text[] =
    "routine strides\n"
    "node 1 t @ [3, $] observable\n"
    "node 2 a @ [$, 7] host\n"
    "node 3 b @ [3] host\n"
    "node 4 c @ [$] host\n"
    "for i<$, j<3: t[2 - j, i] = a[i, 2*j + 1] - b[j] * c[$ - 1 - i]\n"
    "end\n";
#define PP_STRIDES(NAME, name, type, kind)                                     \
  static void strides_##name(void *const *operand, size_t n) {                 \
    const type *a = operand[1], *b = operand[2], *c = operand[3];              \
    for (size_t i = 0; i < n; i++)                                             \
      for (size_t j = 0; j < 3; j++) {                                         \
        type product = mul_##name(b[j], c[n - 1 - i]);                         \
        PP_OPERAND(type, 0)                                                    \
        [(2 - j) * n + i] = sub_##name(a[7 * i + 2 * j + 1], product);         \
      }                                                                        \
  }
PP_DTYPES(PP_STRIDES)

/* The second statement reads what other work items of the first wrote. */
static const char chain_text[] = "routine chain\n"
                                 "node 1 t @ [$] observable\n"
                                 "node 2 a @ [$] host\n"
                                 "node 3 s @ [$] observable\n"
                                 "for i<$: s[i] = a[i] + a[i]\n"
                                 "for i<$: t[i] = s[$ - 1 - i] * a[i]\n"
                                 "for i<$: s[i] *= t[i]\n"
                                 "end\n";
#define PP_CHAIN(NAME, name, type, kind)                                       \
  static void chain_##name(void *const *operand, size_t n) {                   \
    const type *a = operand[1];                                                \
    const type *t = operand[0], *s = operand[2];                               \
    for (size_t i = 0; i < n; i++)                                             \
      PP_OPERAND(type, 2)[i] = add_##name(a[i], a[i]);                         \
    for (size_t i = 0; i < n; i++)                                             \
      PP_OPERAND(type, 0)[i] = mul_##name(s[n - 1 - i], a[i]);                 \
    for (size_t i = 0; i < n; i++)                                             \
      PP_OPERAND(type, 2)[i] = mul_##name(s[i], t[i]);                         \
  }
PP_DTYPES(PP_CHAIN)

/* Correctly rounded, as this processor's are. */
static const char roots_text[] =
    "routine roots\n"
    "node 1 t @ [$] observable\n"
    "node 2 a @ [$] host\n"
    "node 3 b @ [$] host\n"
    "for i<$: t[i] = sqrt(abs(a[i])) / (abs(b[i]) + 3)\n"
    "end\n";
#define PP_ROOTS(name, type, root, magnitude)                                  \
  static void roots_##name(void *const *operand, size_t n) {                   \
    const type *a = operand[1], *b = operand[2];                               \
    for (size_t i = 0; i < n; i++) {                                           \
      type divisor = magnitude(b[i]) + 3;                                      \
      PP_OPERAND(type, 0)[i] = root(magnitude(a[i])) / divisor;                \
    }                                                                          \
  }
PP_ROOTS(f32, float, sqrtf, fabsf)
PP_ROOTS(f64, double, sqrt, fabs)

#define PP_FOR_ALL(kernel)                                                     \
  { kernel##_u8, kernel##_i32, kernel##_i64, kernel##_f32, kernel##_f64 }

const pp_matrix_kernel pp_matrix_kernels[PP_MATRIX_KERNELS] = {
    {"two reads", two_text, PP_FOR_ALL(two), true},
    {"eight reads", nine_text, PP_FOR_ALL(nine), true},
    {"rows", rows_text, PP_FOR_ALL(rows), false},
    {"dot", dot_text, PP_FOR_ALL(dot), false},
    {"in place", accumulate_text, PP_FOR_ALL(accumulate), false},
    {"loops", loops_text, PP_FOR_ALL(loops), false},
    {"mixed", mixed_text, PP_FOR_ALL(mixed), false},
    {"strides", strides_text, PP_FOR_ALL(strides), false},
    {"chain", chain_text, PP_FOR_ALL(chain), false},
    {"roots", roots_text, {[PP_F32] = roots_f32, [PP_F64] = roots_f64}, true},
};
