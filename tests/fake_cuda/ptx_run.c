/* poolproof: PTX run: one thread, instruction by instruction.
 * SPDX-License-Identifier: MIT */
#include "ptx_memory.h"

#include <math.h>
#include <string.h>

/* Arithmetic modulo 2^64 is meant. Checks of the pointers to instructions and
 * slots, thousands in one function, would be more than compilers can take. */
#if defined(__clang__)
#define WRAPS                                                                  \
  __attribute__((no_sanitize("unsigned-integer-overflow", "null", "alignment", \
                             "pointer-overflow", "bool", "enum")))
#else
#define WRAPS __attribute__((no_sanitize("null", "alignment")))
#endif

enum { DEPTH = 64 };

static const uint64_t fake_mask[4] = {UINT8_MAX, UINT16_MAX, UINT32_MAX,
                                      UINT64_MAX};

/* Values in slots: an integer's bits with zeros above, a float's bits. */
#define INT_SLOT(name, type, uint)                                             \
  static inline type get_##name(uint64_t slot) {                               \
    return (type)slot;                                                         \
  }                                                                            \
  static inline uint64_t put_##name(type value) {                              \
    return (uint)value;                                                        \
  }
INT_SLOT(u8, uint8_t, uint8_t)
INT_SLOT(s8, int8_t, uint8_t)
INT_SLOT(u16, uint16_t, uint16_t)
INT_SLOT(s16, int16_t, uint16_t)
INT_SLOT(b16, uint16_t, uint16_t)
INT_SLOT(u32, uint32_t, uint32_t)
INT_SLOT(s32, int32_t, uint32_t)
INT_SLOT(b32, uint32_t, uint32_t)
INT_SLOT(r32, uint32_t, uint32_t)
INT_SLOT(u64, uint64_t, uint64_t)
INT_SLOT(s64, int64_t, uint64_t)
INT_SLOT(b64, uint64_t, uint64_t)
INT_SLOT(r64, uint64_t, uint64_t)

static inline bool get_pred(uint64_t slot) {
  return slot != 0;
}

static inline uint64_t put_pred(bool value) {
  return value;
}

static inline float get_f32(uint64_t slot) {
  const uint32_t bits = (uint32_t)slot;
  float value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* All NaNs that operations on floats give are one. */
static inline uint64_t put_f32(float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return isnan(value) ? 0x7fffffffu : bits;
}

static inline double get_f64(uint64_t slot) {
  double value = 0;
  memcpy(&value, &slot, sizeof value);
  return value;
}

static inline uint64_t put_f64(double value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* An operand that there is not. */
static inline uint64_t get_none(uint64_t slot) {
  return slot;
}

WRAPS static inline uint64_t fake_divide(int64_t x, int64_t y) {
  if (y == 0) return UINT64_MAX;
  return y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
}

/* Bits [at, at + bits) of x; above the width they are zeros or the sign. */
WRAPS static inline uint64_t fake_field(uint64_t x, uint32_t at, uint32_t bits,
                                        unsigned width, bool is_signed) {
  at &= 0xff;
  bits &= 0xff;
  const uint64_t kept = bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
  const uint64_t value = at >= width ? 0 : (x & (~0ull >> (64 - width))) >> at;
  const unsigned last = at + bits > width ? width - 1 : at + bits - 1;
  if (bits == 0) return 0;
  if (!is_signed || (x >> last & 1) == 0) return value & kept;
  const unsigned have = at >= width ? 0 : last - at + 1;
  return (value & kept) | (have >= 64 ? 0 : ~0ull << have);
}

/* A NaN gives the other operand; of zeros the negative one is the less. */
#define LEAST_MOST(f, type)                                                    \
  static inline type fake_divide_##f(type x, type y) {                         \
    return x / y;                                                              \
  }                                                                            \
  static inline type fake_least_##f(type x, type y) {                          \
    if (isnan(x)) return y;                                                    \
    if (isnan(y)) return x;                                                    \
    return x < y || (!(y < x) && signbit(x)) ? x : y;                          \
  }                                                                            \
  static inline type fake_most_##f(type x, type y) {                           \
    if (isnan(x)) return y;                                                    \
    if (isnan(y)) return x;                                                    \
    return x > y || (!(y > x) && !signbit(x)) ? x : y;                         \
  }
LEAST_MOST(f32, float)
LEAST_MOST(f64, double)

/* A NaN is 0, but from f64 to 64 bits it is the sign bit alone. */
#define FAKE_NAN(t, f)                                                         \
  ((t)[1] == '6' && (t)[2] == '4' && (f)[1] == '6' ? 1ull << 63 : 0)

/* x is integral. Where a double does not hold the most, it holds the next. */
#define TO_INT(t, type)                                                        \
  static inline type fake_to_##t(double x, type least, type most,              \
                                 uint64_t nan) {                               \
    if (isnan(x)) return (type)nan;                                            \
    if (x <= (double)least) return least;                                      \
    return x >= (double)most ? most : (type)x;                                 \
  }
TO_INT(u8, uint8_t)
TO_INT(s8, int8_t)
TO_INT(u16, uint16_t)
TO_INT(s16, int16_t)
TO_INT(u32, uint32_t)
TO_INT(s32, int32_t)
TO_INT(u64, uint64_t)
TO_INT(s64, int64_t)

/* Where local variables and parameters of a function are is as if it had not
 * run before. */
static void forget(const fake_ptx *ptx, fake_place place) {
  memcpy(ptx->state + place.at, (unsigned char *)ptx->shadow.item + place.at,
         place.bytes);
}

static void copy_bytes(const fake_ptx *ptx, uint32_t to, uint32_t from,
                       uint32_t bytes) {
  memcpy(ptx->bytes + to, ptx->bytes + from, bytes);
  memcpy(ptx->state + to, ptx->state + from, bytes);
}

/* The instruction that the callee begins with. */
static uint32_t enter(const fake_ptx *ptx, const fake_call *call) {
  const fake_copy *copy = (const fake_copy *)ptx->copy.item + call->first;
  const fake_function *callee =
      (const fake_function *)ptx->function.item + call->callee;
  forget(ptx, callee->variables);
  for (size_t c = call->results; c < call->results + call->copies; c++)
    copy_bytes(ptx, copy[c].to, copy[c].from, copy[c].bytes);
  return callee->start;
}

static void bring_back(const fake_ptx *ptx, const fake_call *call) {
  const fake_copy *copy = (const fake_copy *)ptx->copy.item + call->first;
  for (size_t c = 0; c < call->results; c++)
    copy_bytes(ptx, copy[c].from, copy[c].to, copy[c].bytes);
}

#define at_generic(thread, at, width, store)                                   \
  fake_at_generic(thread, at, width, store)
#define at_global(thread, at, width, store)                                    \
  fake_at_global(thread, at, width, store)
#define at_local(thread, at, width, store)                                     \
  fake_at_private(thread, at, width, store, FAKE_LOCAL)
#define at_param(thread, at, width, store)                                     \
  fake_at_private(thread, at, width, store, FAKE_PARAM)

/* What follows are the parts of one switch over instructions. i is the
 * instruction, from the first one since the last jump. */
#define VALUE(td, ta, tb, tc, e)                                               \
  const __typeof__(get_##ta(0)) x = get_##ta(slot[i->a]);                      \
  const __typeof__(get_##tb(0)) y = get_##tb(slot[i->b]);                      \
  const __typeof__(get_##tc(0)) z = get_##tc(slot[i->c]);                      \
  (void)x, (void)y, (void)z;                                                   \
  slot[i->d] = put_##td((__typeof__(get_##td(0)))(e));
#define GO(where)                                                              \
  done += (uint64_t)(i - from) + 1;                                            \
  if (done > limit) {                                                          \
    thread->result = CUDA_ERROR_LAUNCH_TIMEOUT;                                \
    goto end;                                                                  \
  }                                                                            \
  i = from = code + (where);
#define DO_OP(id, name, td, ta, tb, tc, e)                                     \
  case FAKE_OP_##id: {                                                         \
    VALUE(td, ta, tb, tc, e)                                                   \
    i++;                                                                       \
    continue;                                                                  \
  }
#define DO_SETP(id, name, td, ta, tb, tc, e)                                   \
  case FAKE_OP_setp_##id: {                                                    \
    VALUE(td, ta, tb, tc, e)                                                   \
    i++;                                                                       \
    continue;                                                                  \
  }
#define DO_BRA(id, name, td, ta, tb, tc, e)                                    \
  case FAKE_OP_bra_##id: {                                                     \
    VALUE(td, ta, tb, tc, e)                                                   \
    const bool jumps = slot[i->d] == i[1].c;                                   \
    i++;                                                                       \
    if (jumps) {                                                               \
      GO(i->immediate)                                                         \
    } else                                                                     \
      i++;                                                                     \
    continue;                                                                  \
  }
#define ADDRESS (slot[i->a] + (uint64_t)(int64_t)i->immediate)
#define DO_LD(space, width, type)                                              \
  case FAKE_OP_ld_##space##_##width: {                                         \
    type value;                                                                \
    const unsigned char *at = at_##space(thread, ADDRESS, width, false);       \
    if (at == NULL) goto end;                                                  \
    memcpy(&value, at, sizeof value);                                          \
    slot[i->d] = value;                                                        \
    i++;                                                                       \
    continue;                                                                  \
  }
#define DO_ST(space, width, type)                                              \
  case FAKE_OP_st_##space##_##width: {                                         \
    const type value = (type)slot[i->d];                                       \
    unsigned char *at = at_##space(thread, ADDRESS, width, true);              \
    if (at == NULL) goto end;                                                  \
    memcpy(at, &value, sizeof value);                                          \
    i++;                                                                       \
    continue;                                                                  \
  }

#define DO_BRANCH(id, jumps)                                                   \
  case FAKE_OP_##id: {                                                         \
    if (jumps) {                                                               \
      GO(i->immediate)                                                         \
    } else                                                                     \
      i++;                                                                     \
    continue;                                                                  \
  }
#define DO_CALLS                                                               \
  case FAKE_OP_call: {                                                         \
    if (depth == DEPTH) {                                                      \
      thread->result = CUDA_ERROR_HARDWARE_STACK_ERROR;                        \
      goto end;                                                                \
    }                                                                          \
    behind[depth++] = (uint32_t)(i - code) + 1;                                \
    GO(enter(ptx, &call[i->c]))                                                \
    continue;                                                                  \
  }                                                                            \
  case FAKE_OP_back: {                                                         \
    bring_back(ptx, &call[i->c]);                                              \
    i++;                                                                       \
    continue;                                                                  \
  }                                                                            \
  case FAKE_OP_ret: {                                                          \
    if (depth == 0) goto end;                                                  \
    depth--;                                                                   \
    GO(behind[depth])                                                          \
    continue;                                                                  \
  }
#define DO_ENDS                                                                \
  case FAKE_OP_trap: {                                                         \
    thread->result = CUDA_ERROR_LAUNCH_FAILED;                                 \
    goto end;                                                                  \
  }                                                                            \
  case FAKE_OP_aligned: {                                                      \
    if ((ADDRESS & (uint64_t)(i->c - 1)) != 0) {                               \
      thread->result = CUDA_ERROR_MISALIGNED_ADDRESS;                          \
      goto end;                                                                \
    }                                                                          \
    i++;                                                                       \
    continue;                                                                  \
  }

WRAPS void fake_run_thread(fake_thread *thread) {
  const fake_ptx *ptx = thread->ptx;
  const fake_instruction *code = (const fake_instruction *)ptx->code.item;
  const fake_instruction *from = code + thread->start;
  const fake_instruction *i = from;
  const fake_call *call = (const fake_call *)ptx->call.item;
  uint64_t *slot = (uint64_t *)ptx->slot.item;
  const uint64_t limit = thread->tally->limit;
  uint64_t done = 0;
  size_t depth = 0;
  uint32_t behind[DEPTH];
  for (;;) {
    switch ((fake_op)i->op) {
      FAKE_OPS(DO_OP)
      FAKE_COMPARISONS(DO_SETP)
      FAKE_COMPARISONS(DO_BRA)
      FAKE_ACCESSES(DO_LD)
      FAKE_ACCESSES(DO_ST)
      DO_BRANCH(bra, true)
      DO_BRANCH(bra_if, slot[i->a] != 0)
      DO_BRANCH(bra_unless, slot[i->a] == 0)
      DO_CALLS
      DO_ENDS
    case FAKE_OP_exit:
    case FAKE_OP_COUNT:
      goto end;
    }
  }
end:
  thread->tally->instructions += done + (uint64_t)(i - from) + 1;
}
