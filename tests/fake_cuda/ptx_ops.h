/* poolproof: what each instruction of PTX computes: the fake driver's list.
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_PTX_OPS_H
#define FAKE_PTX_OPS_H

/* Types of operands: name, C's type, bits, class. r32 and r64 are floats that
 * are moved and not computed with. */
#define FAKE_TYPES(X)                                                          \
  X(none, uint64_t, 0, NONE)                                                   \
  X(pred, bool, 1, PREDICATE)                                                  \
  X(u8, uint8_t, 8, INT)                                                       \
  X(s8, int8_t, 8, INT)                                                        \
  X(b8, uint8_t, 8, BITS)                                                      \
  X(u16, uint16_t, 16, INT)                                                    \
  X(s16, int16_t, 16, INT)                                                     \
  X(b16, uint16_t, 16, BITS)                                                   \
  X(u32, uint32_t, 32, INT)                                                    \
  X(s32, int32_t, 32, INT)                                                     \
  X(b32, uint32_t, 32, BITS)                                                   \
  X(u64, uint64_t, 64, INT)                                                    \
  X(s64, int64_t, 64, INT)                                                     \
  X(b64, uint64_t, 64, BITS)                                                   \
  X(r32, uint32_t, 32, FLOAT)                                                  \
  X(r64, uint64_t, 64, FLOAT)                                                  \
  X(f32, float, 32, FLOAT)                                                     \
  X(f64, double, 64, FLOAT)

/* Each line: identifier, name in PTX, the types of d, a, b and c (none: not an
 * operand), and d as an expression of x = a, y = b and z = c. */

/* Arithmetic modulo 2^width. */
#define FAKE_MODULAR(X, t, u)                                                  \
  X(add_##t, "add." #t, u, u, u, none, 1ull * x + y)                           \
  X(sub_##t, "sub." #t, u, u, u, none, 1ull * x - y)                           \
  X(mul_lo_##t, "mul.lo." #t, u, u, u, none, 1ull * x * y)                     \
  X(mad_lo_##t, "mad.lo." #t, u, u, u, u, 1ull * x * y + z)                    \
  X(mov_##t, "mov." #t, u, u, none, none, x)                                   \
  X(selp_##t, "selp." #t, u, u, u, pred, z ? x : y)

#define FAKE_ORDERED(X, t, width, wider)                                       \
  X(mul_hi_##t, "mul.hi." #t, t, t, t, none, ((wider)x * y) >> (width))        \
  X(min_##t, "min." #t, t, t, t, none, x < y ? x : y)                          \
  X(max_##t, "max." #t, t, t, t, none, x > y ? x : y)

/* What a division by zero gives is the machine's own. */
#define FAKE_UNSIGNED(X, t, width)                                             \
  X(div_##t, "div." #t, t, t, t, none, y == 0 ? ~0ull : (uint64_t)x / y)       \
  X(rem_##t, "rem." #t, t, t, t, none, y == 0 ? x : (uint64_t)x % y)           \
  X(shr_##t, "shr." #t, t, t, u32, none, y >= (width) ? 0 : (uint64_t)x >> y)

#define FAKE_SIGNED(X, t, width)                                               \
  X(div_##t, "div." #t, t, t, t, none, fake_divide(x, y))                      \
  X(rem_##t, "rem." #t, t, t, t, none, y == 0 ? x : y == -1 ? 0 : x % y)       \
  X(abs_##t, "abs." #t, t, t, none, none,                                      \
    x < 0 ? 0 - (uint64_t)x : (uint64_t)x)                                     \
  X(neg_##t, "neg." #t, t, t, none, none, 0 - (uint64_t)x)                     \
  X(shr_##t, "shr." #t, t, t, u32, none, x >> (y >= (width) ? (width)-1 : y))

#define FAKE_BITS(X, b, width)                                                 \
  X(and_##b, "and." #b, b, b, b, none, x &y)                                   \
  X(or_##b, "or." #b, b, b, b, none, x | y)                                    \
  X(xor_##b, "xor." #b, b, b, b, none, x ^ y)                                  \
  X(not_##b, "not." #b, b, b, none, none, ~(uint64_t)x)                        \
  X(shl_##b, "shl." #b, b, b, u32, none, y >= (width) ? 0 : (uint64_t)x << y)  \
  X(shr_##b, "shr." #b, b, b, u32, none, y >= (width) ? 0 : (uint64_t)x >> y)  \
  X(mov_##b, "mov." #b, b, b, none, none, x)                                   \
  X(selp_##b, "selp." #b, b, b, b, pred, z ? x : y)

#define FAKE_COUNTED(X, b, width)                                              \
  X(popc_##b, "popc." #b, u32, b, none, none, __builtin_popcountll(x))         \
  X(clz_##b, "clz." #b, u32, b, none, none,                                    \
    x == 0 ? (width) : __builtin_clzll(x) - (64 - (width)))

#define FAKE_FIELDS(X, t, width, is_signed)                                    \
  X(bfe_##t, "bfe." #t, t, t, u32, u32,                                        \
    fake_field((uint64_t)x, y, z, width, is_signed))

#define FAKE_INTEGERS(X, width, wider, unsigned_wider)                         \
  FAKE_MODULAR(X, u##width, u##width)                                          \
  FAKE_MODULAR(X, s##width, u##width)                                          \
  FAKE_ORDERED(X, u##width, width, unsigned_wider)                             \
  FAKE_ORDERED(X, s##width, width, wider)                                      \
  FAKE_UNSIGNED(X, u##width, width)                                            \
  FAKE_SIGNED(X, s##width, width)                                              \
  FAKE_BITS(X, b##width, width)

#define FAKE_WIDE(X)                                                           \
  X(mul_wide_u16, "mul.wide.u16", u32, u16, u16, none, 1u * x * y)             \
  X(mul_wide_s16, "mul.wide.s16", s32, s16, s16, none, x *y)                   \
  X(mul_wide_u32, "mul.wide.u32", u64, u32, u32, none, 1ull * x * y)           \
  X(mul_wide_s32, "mul.wide.s32", s64, s32, s32, none, (int64_t)x *y)          \
  X(mad_wide_u16, "mad.wide.u16", u32, u16, u16, u32, 1u * x * y + z)          \
  X(mad_wide_s16, "mad.wide.s16", u32, s16, s16, u32, (uint32_t)(x * y) + z)   \
  X(mad_wide_u32, "mad.wide.u32", u64, u32, u32, u64, 1ull * x * y + z)        \
  X(mad_wide_s32, "mad.wide.s32", u64, s32, s32, u64,                          \
    (uint64_t)((int64_t)x * y) + z)

/* Only operations that say how they round, to nearest: the others may be
 * contracted or approximated. */
#define FAKE_FLOATS(X, f, r, sign, suffix)                                     \
  X(add_##f, "add.rn." #f, f, f, f, none, x + y)                               \
  X(sub_##f, "sub.rn." #f, f, f, f, none, x - y)                               \
  X(mul_##f, "mul.rn." #f, f, f, f, none, x *y)                                \
  X(div_##f, "div.rn." #f, f, f, f, none, fake_divide_##f(x, y))               \
  X(rcp_##f, "rcp.rn." #f, f, f, none, none, fake_divide_##f(1, x))            \
  X(sqrt_##f, "sqrt.rn." #f, f, f, none, none, sqrt##suffix(x))                \
  X(min_##f, "min." #f, f, f, f, none, fake_least_##f(x, y))                   \
  X(max_##f, "max." #f, f, f, f, none, fake_most_##f(x, y))                    \
  X(neg_##f, "neg." #f, r, r, none, none, x ^ (sign))                          \
  X(abs_##f, "abs." #f, r, r, none, none, x & ~(sign))                         \
  X(mov_##f, "mov." #f, r, r, none, none, x)                                   \
  X(selp_##f, "selp." #f, r, r, r, pred, z ? x : y)                            \
  X(cvt_rni_##f, "cvt.rni." #f "." #f, f, f, none, none, rint##suffix(x))      \
  X(cvt_rzi_##f, "cvt.rzi." #f "." #f, f, f, none, none, trunc##suffix(x))     \
  X(cvt_rmi_##f, "cvt.rmi." #f "." #f, f, f, none, none, floor##suffix(x))     \
  X(cvt_rpi_##f, "cvt.rpi." #f "." #f, f, f, none, none, ceil##suffix(x))

#define FAKE_TO_FLOAT(X, t)                                                    \
  X(cvt_f32_##t, "cvt.rn.f32." #t, f32, t, none, none, x)                      \
  X(cvt_f64_##t, "cvt.rn.f64." #t, f64, t, none, none, x)

/* To nearest, to zero, down, up; then to the type's nearest. */
#define FAKE_TO_INT(X, t, f, least, most)                                      \
  X(cvt_rni_##t##_##f, "cvt.rni." #t "." #f, t, f, none, none,                 \
    fake_to_##t(rint((double)x), least, most, FAKE_NAN(#t, #f)))               \
  X(cvt_rzi_##t##_##f, "cvt.rzi." #t "." #f, t, f, none, none,                 \
    fake_to_##t(trunc((double)x), least, most, FAKE_NAN(#t, #f)))              \
  X(cvt_rmi_##t##_##f, "cvt.rmi." #t "." #f, t, f, none, none,                 \
    fake_to_##t(floor((double)x), least, most, FAKE_NAN(#t, #f)))              \
  X(cvt_rpi_##t##_##f, "cvt.rpi." #t "." #f, t, f, none, none,                 \
    fake_to_##t(ceil((double)x), least, most, FAKE_NAN(#t, #f)))

#define FAKE_CONVERSIONS(X, t, least, most)                                    \
  FAKE_TO_FLOAT(X, t)                                                          \
  FAKE_TO_INT(X, t, f32, least, most)                                          \
  FAKE_TO_INT(X, t, f64, least, most)

/* All but comparisons, accesses, and jumps. The first lines have no name: what
 * is emitted for conversions of integers and for packed moves. */
#define FAKE_OPS(X)                                                            \
  X(low_u8, "", u64, u8, none, none, x &fake_mask[i->c])                       \
  X(low_s8, "", u64, s8, none, none, (uint64_t)x &fake_mask[i->c])             \
  X(low_u16, "", u64, u16, none, none, x &fake_mask[i->c])                     \
  X(low_s16, "", u64, s16, none, none, (uint64_t)x &fake_mask[i->c])           \
  X(low_u32, "", u64, u32, none, none, x &fake_mask[i->c])                     \
  X(low_s32, "", u64, s32, none, none, (uint64_t)x &fake_mask[i->c])           \
  X(low_u64, "", u64, u64, none, none, x &fake_mask[i->c])                     \
  X(pack_16, "", u32, u16, u16, none, x | (uint32_t)y << 16)                   \
  X(pack_32, "", u64, u32, u32, none, x | (uint64_t)y << 32)                   \
  X(high_16, "", u16, u32, none, none, x >> 16)                                \
  X(high_32, "", u32, u64, none, none, x >> 32)                                \
  X(to_window, "", u64, u64, none, none, x + FAKE_WINDOW)                      \
  X(from_window, "", u64, u64, none, none, x - FAKE_WINDOW)                    \
  FAKE_INTEGERS(X, 16, int, unsigned)                                          \
  FAKE_INTEGERS(X, 32, int64_t, uint64_t)                                      \
  FAKE_INTEGERS(X, 64, __int128, unsigned __int128)                            \
  FAKE_COUNTED(X, b32, 32)                                                     \
  FAKE_COUNTED(X, b64, 64)                                                     \
  FAKE_FIELDS(X, u32, 32, false)                                               \
  FAKE_FIELDS(X, s32, 32, true)                                                \
  FAKE_FIELDS(X, u64, 64, false)                                               \
  FAKE_FIELDS(X, s64, 64, true)                                                \
  FAKE_WIDE(X)                                                                 \
  X(and_pred, "and.pred", pred, pred, pred, none, x &&y)                       \
  X(or_pred, "or.pred", pred, pred, pred, none, x || y)                        \
  X(xor_pred, "xor.pred", pred, pred, pred, none, x != y)                      \
  X(not_pred, "not.pred", pred, pred, none, none, !x)                          \
  X(mov_pred, "mov.pred", pred, pred, none, none, x)                           \
  FAKE_FLOATS(X, f32, r32, 1u << 31, f)                                        \
  FAKE_FLOATS(X, f64, r64, 1ull << 63, )                                       \
  X(cvt_f64_f32, "cvt.f64.f32", f64, f32, none, none, x)                       \
  X(cvt_f32_f64, "cvt.rn.f32.f64", f32, f64, none, none, x)                    \
  FAKE_CONVERSIONS(X, u8, 0, UINT8_MAX)                                        \
  FAKE_CONVERSIONS(X, s8, INT8_MIN, INT8_MAX)                                  \
  FAKE_CONVERSIONS(X, u16, 0, UINT16_MAX)                                      \
  FAKE_CONVERSIONS(X, s16, INT16_MIN, INT16_MAX)                               \
  FAKE_CONVERSIONS(X, u32, 0, UINT32_MAX)                                      \
  FAKE_CONVERSIONS(X, s32, INT32_MIN, INT32_MAX)                               \
  FAKE_CONVERSIONS(X, u64, 0, UINT64_MAX)                                      \
  FAKE_CONVERSIONS(X, s64, INT64_MIN, INT64_MAX)

#define FAKE_EQUAL(X, t)                                                       \
  X(eq_##t, "setp.eq." #t, pred, t, t, none, x == y)                           \
  X(ne_##t, "setp.ne." #t, pred, t, t, none, x != y)

#define FAKE_ORDER(X, t)                                                       \
  FAKE_EQUAL(X, t)                                                             \
  X(lt_##t, "setp.lt." #t, pred, t, t, none, x < y)                            \
  X(le_##t, "setp.le." #t, pred, t, t, none, x <= y)                           \
  X(gt_##t, "setp.gt." #t, pred, t, t, none, x > y)                            \
  X(ge_##t, "setp.ge." #t, pred, t, t, none, x >= y)

#define FAKE_ORDER_UNSIGNED(X, t)                                              \
  FAKE_ORDER(X, t)                                                             \
  X(lo_##t, "setp.lo." #t, pred, t, t, none, x < y)                            \
  X(ls_##t, "setp.ls." #t, pred, t, t, none, x <= y)                           \
  X(hi_##t, "setp.hi." #t, pred, t, t, none, x > y)                            \
  X(hs_##t, "setp.hs." #t, pred, t, t, none, x >= y)

/* Of floats, a NaN makes the first ones false and those with a u true. */
#define FAKE_ORDER_FLOAT(X, t)                                                 \
  X(eq_##t, "setp.eq." #t, pred, t, t, none, x == y)                           \
  X(ne_##t, "setp.ne." #t, pred, t, t, none, x<y || x> y)                      \
  X(lt_##t, "setp.lt." #t, pred, t, t, none, x < y)                            \
  X(le_##t, "setp.le." #t, pred, t, t, none, x <= y)                           \
  X(gt_##t, "setp.gt." #t, pred, t, t, none, x > y)                            \
  X(ge_##t, "setp.ge." #t, pred, t, t, none, x >= y)                           \
  X(equ_##t, "setp.equ." #t, pred, t, t, none, !(x < y || x > y))              \
  X(neu_##t, "setp.neu." #t, pred, t, t, none, !(x == y))                      \
  X(ltu_##t, "setp.ltu." #t, pred, t, t, none, !(x >= y))                      \
  X(leu_##t, "setp.leu." #t, pred, t, t, none, !(x > y))                       \
  X(gtu_##t, "setp.gtu." #t, pred, t, t, none, !(x <= y))                      \
  X(geu_##t, "setp.geu." #t, pred, t, t, none, !(x < y))                       \
  X(num_##t, "setp.num." #t, pred, t, t, none, !isnan(x) && !isnan(y))         \
  X(nan_##t, "setp.nan." #t, pred, t, t, none, isnan(x) || isnan(y))

#define FAKE_COMPARISONS(X)                                                    \
  FAKE_ORDER_UNSIGNED(X, u16)                                                  \
  FAKE_ORDER(X, s16)                                                           \
  FAKE_EQUAL(X, b16)                                                           \
  FAKE_ORDER_UNSIGNED(X, u32)                                                  \
  FAKE_ORDER(X, s32)                                                           \
  FAKE_EQUAL(X, b32)                                                           \
  FAKE_ORDER_UNSIGNED(X, u64)                                                  \
  FAKE_ORDER(X, s64)                                                           \
  FAKE_EQUAL(X, b64)                                                           \
  FAKE_ORDER_FLOAT(X, f32)                                                     \
  FAKE_ORDER_FLOAT(X, f64)

/* Accesses: address space, and bytes. */
#define FAKE_WIDTHS(X, space)                                                  \
  X(space, 1, uint8_t)                                                         \
  X(space, 2, uint16_t)                                                        \
  X(space, 4, uint32_t)                                                        \
  X(space, 8, uint64_t)
#define FAKE_ACCESSES(X)                                                       \
  FAKE_WIDTHS(X, generic)                                                      \
  FAKE_WIDTHS(X, global)                                                       \
  FAKE_WIDTHS(X, local)                                                        \
  FAKE_WIDTHS(X, param)

/* What moves on elsewhere; aligned is the check before a vector's parts. */
#define FAKE_JUMPS(X)                                                          \
  X(bra)                                                                       \
  X(bra_if)                                                                    \
  X(bra_unless)                                                                \
  X(call)                                                                      \
  X(back)                                                                      \
  X(ret)                                                                       \
  X(exit)                                                                      \
  X(trap)                                                                      \
  X(aligned)

#endif
