/* poolproof: instructions of PTX with operands and what they give, worked out
 * by hand: instruction, a, b, c, result. Registers by letter: h 16 bits, r 32,
 * w 64, f and g floats, p predicate; 0 is the result, 1 to 3 are a to c.
 * SPDX-License-Identifier: MIT */
#ifndef FAKE_CASES_H
#define FAKE_CASES_H

/* clang-format off */
#define FAKE_CASES_INT(X) \
  X("add.u16 %h0, %h1, %h2", 0xffff, 2, 0, 1) \
  X("add.s16 %h0, %h1, %h2", 0x7fff, 1, 0, 0x8000) \
  X("add.u32 %r0, %r1, %r2", 0xffffffff, 3, 0, 2) \
  X("add.s32 %r0, %r1, -5", 3, 0, 0, 0xfffffffe) \
  X("add.u64 %w0, %w1, %w2", ~0ull, 4, 0, 3) \
  X("add.s64 %w0, %w1, -1", 0, 0, 0, ~0ull) \
  X("sub.u16 %h0, %h1, %h2", 1, 2, 0, 0xffff) \
  X("sub.s16 %h0, %h1, %h2", 0x8000, 1, 0, 0x7fff) \
  X("sub.u32 %r0, %r1, %r2", 1, 3, 0, 0xfffffffe) \
  X("sub.s32 %r0, %r1, %r2", 7, 9, 0, 0xfffffffe) \
  X("sub.u64 %w0, %w1, %w2", 0, 1, 0, ~0ull) \
  X("sub.s64 %w0, %w1, %w2", 5, 7, 0, ~1ull) \
  X("mul.lo.u16 %h0, %h1, %h2", 0x1234, 0x5678, 0, 0x0060) \
  X("mul.lo.s16 %h0, %h1, %h2", 0xffff, 0xffff, 0, 1) \
  X("mul.lo.u32 %r0, %r1, %r2", 0x10001, 0x10001, 0, 0x20001) \
  X("mul.lo.s32 %r0, %r1, -3", 7, 0, 0, 0xffffffeb) \
  X("mul.lo.u64 %w0, %w1, %w2", 1ull << 33, 1ull << 32, 0, 0) \
  X("mul.lo.s64 %w0, %w1, %w2", ~0ull, 5, 0, ~4ull) \
  X("mul.hi.u16 %h0, %h1, %h2", 0xffff, 0xffff, 0, 0xfffe) \
  X("mul.hi.s16 %h0, %h1, %h2", 0xffff, 2, 0, 0xffff) \
  X("mul.hi.u32 %r0, %r1, %r2", 0xffffffff, 16, 0, 15) \
  X("mul.hi.s32 %r0, %r1, %r2", 0x80000000, 2, 0, 0xffffffff) \
  X("mul.hi.u64 %w0, %w1, %w2", ~0ull, ~0ull, 0, ~1ull) \
  X("mul.hi.s64 %w0, %w1, %w2", ~0ull, ~0ull, 0, 0) \
  X("mul.wide.u16 %r0, %h1, %h2", 0xffff, 0xffff, 0, 0xfffe0001) \
  X("mul.wide.s16 %r0, %h1, %h2", 0xffff, 3, 0, 0xfffffffd) \
  X("mul.wide.u32 %w0, %r1, 8", 0xffffffff, 0, 0, 0x7fffffff8) \
  X("mul.wide.s32 %w0, %r1, %r2", 0xffffffff, 8, 0, ~7ull) \
  X("mad.lo.u16 %h0, %h1, %h2, %h3", 0x100, 0x100, 7, 7) \
  X("mad.lo.s16 %h0, %h1, %h2, %h3", 0xfffe, 3, 1, 0xfffb) \
  X("mad.lo.u32 %r0, %r1, %r2, %r3", 3, 5, 0xffffffff, 14) \
  X("mad.lo.s32 %r0, %r1, %r2, %r3", 0xffffffff, 5, 1, 0xfffffffc) \
  X("mad.lo.u64 %w0, %w1, %w2, %w3", 3, 5, 7, 22) \
  X("mad.lo.s64 %w0, %w1, %w2, %w3", ~0ull, 5, 7, 2) \
  X("mad.wide.u16 %r0, %h1, %h2, %r3", 0xffff, 2, 3, 0x20001) \
  X("mad.wide.s16 %r0, %h1, %h2, %r3", 0xffff, 2, 3, 1) \
  X("mad.wide.u32 %w0, %r1, %r2, %w3", 0xffffffff, 2, 3, 0x200000001) \
  X("mad.wide.s32 %w0, %r1, %r2, %w3", 0xffffffff, 2, 3, 1) \
  X("div.u16 %h0, %h1, %h2", 0xfffe, 3, 0, 0x5554) \
  X("div.s16 %h0, %h1, %h2", 0xfff9, 2, 0, 0xfffd) \
  X("div.u32 %r0, %r1, %r2", 0xfffffffe, 2, 0, 0x7fffffff) \
  X("div.s32 %r0, %r1, %r2", 0xfffffffe, 2, 0, 0xffffffff) \
  X("div.s32 %r0, %r1, -1", 0x80000000, 0, 0, 0x80000000) \
  X("div.u32 %r0, %r1, %r2", 7, 0, 0, 0xffffffff) \
  X("div.u64 %w0, %w1, %w2", ~1ull, 2, 0, ~0ull >> 1) \
  X("div.s64 %w0, %w1, %w2", ~6ull, 2, 0, ~2ull) \
  X("div.s64 %w0, %w1, -1", 1ull << 63, 0, 0, 1ull << 63) \
  X("rem.u16 %h0, %h1, %h2", 0xffff, 10, 0, 5) \
  X("rem.s16 %h0, %h1, %h2", 0xfff9, 2, 0, 0xffff) \
  X("rem.u32 %r0, %r1, %r2", 0xffffffff, 10, 0, 5) \
  X("rem.s32 %r0, %r1, %r2", 0xfffffff9, 4, 0, 0xfffffffd) \
  X("rem.s32 %r0, %r1, -1", 0x80000000, 0, 0, 0) \
  X("rem.u64 %w0, %w1, %w2", ~0ull, 10, 0, 5) \
  X("rem.u64 %w0, %w1, %w2", 9, 0, 0, 9) \
  X("rem.s64 %w0, %w1, %w2", ~6ull, 4, 0, ~2ull) \
  X("abs.s16 %h0, %h1", 0x8001, 0, 0, 0x7fff) \
  X("abs.s32 %r0, %r1", 0xfffffff6, 0, 0, 10) \
  X("abs.s64 %w0, %w1", ~9ull, 0, 0, 10) \
  X("abs.s64 %w0, %w1", 1ull << 63, 0, 0, 1ull << 63) \
  X("neg.s16 %h0, %h1", 1, 0, 0, 0xffff) \
  X("neg.s32 %r0, %r1", 2, 0, 0, 0xfffffffe) \
  X("neg.s64 %w0, %w1", 3, 0, 0, ~2ull) \
  X("min.u16 %h0, %h1, %h2", 0xffff, 1, 0, 1) \
  X("min.s16 %h0, %h1, %h2", 0xffff, 1, 0, 0xffff) \
  X("min.u32 %r0, %r1, %r2", 0xffffffff, 1, 0, 1) \
  X("min.s32 %r0, %r1, %r2", 0xffffffff, 1, 0, 0xffffffff) \
  X("min.u64 %w0, %w1, %w2", ~0ull, 1, 0, 1) \
  X("min.s64 %w0, %w1, %w2", ~0ull, 1, 0, ~0ull) \
  X("max.u16 %h0, %h1, %h2", 0xffff, 1, 0, 0xffff) \
  X("max.s16 %h0, %h1, %h2", 0xffff, 1, 0, 1) \
  X("max.u32 %r0, %r1, %r2", 0xffffffff, 1, 0, 0xffffffff) \
  X("max.s32 %r0, %r1, %r2", 0xffffffff, 1, 0, 1) \
  X("max.u64 %w0, %w1, %w2", ~0ull, 1, 0, ~0ull) \
  X("max.s64 %w0, %w1, %w2", ~0ull, 1, 0, 1)

#define FAKE_CASES_BITS(X) \
  X("and.b16 %h0, %h1, %h2", 0xf0f0, 0xff00, 0, 0xf000) \
  X("and.b32 %r0, %r1, -2", 0xffffffff, 0, 0, 0xfffffffe) \
  X("and.b64 %w0, %w1, %w2", 0xff00ff00ff00ff00, 0xffff, 0, 0xff00) \
  X("or.b16 %h0, %h1, %h2", 0xf000, 0x000f, 0, 0xf00f) \
  X("or.b32 %r0, %r1, %r2", 0xf0000000, 1, 0, 0xf0000001) \
  X("or.b64 %w0, %w1, %w2", 1ull << 63, 1, 0, 0x8000000000000001) \
  X("xor.b16 %h0, %h1, %h2", 0xff00, 0xf0f0, 0, 0x0ff0) \
  X("xor.b32 %r0, %r1, %r2", 0xff00ff00, ~0ull, 0, 0x00ff00ff) \
  X("xor.b64 %w0, %w1, %w2", 3, 5, 0, 6) \
  X("not.b16 %h0, %h1", 0x00ff, 0, 0, 0xff00) \
  X("not.b32 %r0, %r1", 1, 0, 0, 0xfffffffe) \
  X("not.b64 %w0, %w1", 1, 0, 0, ~1ull) \
  X("shl.b16 %h0, %h1, 4", 0x1234, 0, 0, 0x2340) \
  X("shl.b16 %h0, %h1, 16", 0x1234, 0, 0, 0) \
  X("shl.b32 %r0, %r1, %r2", 0x80000001, 1, 0, 2) \
  X("shl.b32 %r0, %r1, %r2", 1, 32, 0, 0) \
  X("shl.b64 %w0, %w1, %r2", 3, 63, 0, 1ull << 63) \
  X("shl.b64 %w0, %w1, %r2", 3, 64, 0, 0) \
  X("shr.u16 %h0, %h1, 15", 0x8000, 0, 0, 1) \
  X("shr.s16 %h0, %h1, 20", 0x8000, 0, 0, 0xffff) \
  X("shr.b16 %h0, %h1, 8", 0x8000, 0, 0, 0x80) \
  X("shr.u32 %r0, %r1, %r2", 0x80000000, 31, 0, 1) \
  X("shr.u32 %r0, %r1, %r2", 0x80000000, 32, 0, 0) \
  X("shr.s32 %r0, %r1, %r2", 0x80000000, 4, 0, 0xf8000000) \
  X("shr.s32 %r0, %r1, %r2", 0x80000000, 4000, 0, 0xffffffff) \
  X("shr.b32 %r0, %r1, %r2", 0x80000000, 4, 0, 0x08000000) \
  X("shr.u64 %w0, %w1, %r2", ~0ull, 60, 0, 15) \
  X("shr.u64 %w0, %w1, %r2", ~0ull, 64, 0, 0) \
  X("shr.s64 %w0, %w1, %r2", 1ull << 63, 63, 0, ~0ull) \
  X("shr.s64 %w0, %w1, %r2", 1ull << 62, 99, 0, 0) \
  X("shr.b64 %w0, %w1, %r2", 1ull << 63, 63, 0, 1) \
  X("shr.s64 %w0, %w1, 64", 1ull << 63, 0, 0, ~0ull) \
  X("shr.b64 %w0, %w1, 64", 1ull << 63, 0, 0, 0) \
  X("shr.b16 %h0, %h1, 16", 0xffff, 0, 0, 0) \
  X("shr.u16 %h0, %h1, 16", 0xffff, 0, 0, 0) \
  X("shr.b32 %r0, %r1, 32", 0xffffffff, 0, 0, 0) \
  X("popc.b32 %r0, %r1", 0xf000000f, 0, 0, 8) \
  X("popc.b64 %r0, %w1", ~0ull, 0, 0, 64) \
  X("clz.b32 %r0, %r1", 1, 0, 0, 31) \
  X("clz.b32 %r0, %r1", 0, 0, 0, 32) \
  X("clz.b64 %r0, %w1", 1, 0, 0, 63) \
  X("clz.b64 %r0, %w1", 0, 0, 0, 64) \
  X("bfe.u32 %r0, %r1, 4, 8", 0x12345678, 0, 0, 0x67) \
  X("bfe.s32 %r0, %r1, 4, 8", 0x12345f78, 0, 0, 0xfffffff7) \
  X("bfe.s32 %r0, %r1, 4, 8", 0xfffff07f, 0, 0, 7) \
  X("bfe.u32 %r0, %r1, 28, 8", 0xf2345678, 0, 0, 0xf) \
  X("bfe.s32 %r0, %r1, 28, 8", 0xf2345678, 0, 0, 0xffffffff) \
  X("bfe.u64 %w0, %w1, 32, 16", 0x123456789abcdef0, 0, 0, 0x5678) \
  X("bfe.u64 %w0, %w1, 60, 4", 1ull << 63, 0, 0, 8) \
  X("bfe.u64 %w0, %w1, 64, 4", ~0ull, 0, 0, 0) \
  X("bfe.s64 %w0, %w1, 64, 4", ~0ull, 0, 0, ~0ull) \
  X("bfe.s64 %w0, %w1, 0, 64", ~0ull, 0, 0, ~0ull) \
  X("bfe.s64 %w0, %w1, 32, 0", ~0ull, 0, 0, 0) \
  X("bfe.s64 %w0, %w1, 60, 4", 1ull << 63, 0, 0, ~7ull) \
  X("and.pred %p0, %p1, %p2", 1, 0, 0, 0) \
  X("and.pred %p0, %p1, %p2", 1, 4, 0, 1) \
  X("or.pred %p0, %p1, %p2", 0, 4, 0, 1) \
  X("or.pred %p0, %p1, %p2", 0, 0, 0, 0) \
  X("xor.pred %p0, %p1, %p2", 1, 2, 0, 0) \
  X("xor.pred %p0, %p1, %p2", 1, 0, 0, 1) \
  X("not.pred %p0, %p1", 1, 0, 0, 0) \
  X("not.pred %p0, %p1", 0, 0, 0, 1) \
  X("mov.pred %p0, -1", 0, 0, 0, 1) \
  X("mov.pred %p0, 0", 0, 0, 0, 0) \
  X("mov.pred %p0, %p1", 7, 0, 0, 1)

#define FAKE_CASES_MOVE(X) \
  X("mov.u16 %h0, %h1", 0x1ffff, 0, 0, 0xffff) \
  X("mov.u16 %h0, -1", 0, 0, 0, 0xffff) \
  X("mov.b16 %h0, %h1", 7, 0, 0, 7) \
  X("mov.s16 %h0, -2", 0, 0, 0, 0xfffe) \
  X("mov.u32 %r0, %r1", ~0ull, 0, 0, 0xffffffff) \
  X("mov.u32 %r0, 0x1F", 0, 0, 0, 31) \
  X("mov.s32 %r0, -2147483648", 0, 0, 0, 0x80000000) \
  X("mov.b32 %r0, %f1", 0x7fc00001, 0, 0, 0x7fc00001) \
  X("mov.b32 %f0, %r1", 0x7f800001, 0, 0, 0x7f800001) \
  X("mov.f32 %f0, 0f3F800000", 0, 0, 0, 0x3f800000) \
  X("mov.f32 %f0, %f1", 0xff800001, 0, 0, 0xff800001) \
  X("mov.u64 %w0, 18446744073709551615", 0, 0, 0, ~0ull) \
  X("mov.s64 %w0, -9223372036854775808", 0, 0, 0, 1ull << 63) \
  X("mov.b64 %w0, %g1", 0x7ff0000000000001, 0, 0, 0x7ff0000000000001) \
  X("mov.b64 %g0, %w1", 5, 0, 0, 5) \
  X("mov.f64 %g0, 0dBFF0000000000000", 0, 0, 0, 0xbff0000000000000) \
  X("mov.f64 %g0, %g1", 9, 0, 0, 9) \
  X("mov.b64 %w0, {%r1, %r2}", 0x11111111, 0x22222222, 0, \
    0x2222222211111111) \
  X("mov.b32 %r0, {%h1, %h2}", 0x1111, 0x2222, 0, 0x22221111) \
  X("mov.b64 {%r4, %r0}, %w1", 0x2222222211111111, 0, 0, 0x22222222) \
  X("mov.b64 {%r0, %r4}, %w1", 0x2222222211111111, 0, 0, 0x11111111) \
  X("mov.b32 {%h0, %h4}, %r1", 0x22221111, 0, 0, 0x1111) \
  X("mov.b32 {%h4, %h0}, %r1", 0x22221111, 0, 0, 0x2222) \
  X("selp.u16 %h0, %h1, %h2, %p3", 1, 2, 1, 1) \
  X("selp.s16 %h0, %h1, %h2, %p3", 1, 2, 0, 2) \
  X("selp.b16 %h0, %h1, %h2, %p3", 1, 2, 0, 2) \
  X("selp.u32 %r0, 1, 0, %p3", 0, 0, 0, 0) \
  X("selp.s32 %r0, %r1, %r2, %p3", 1, 2, 1, 1) \
  X("selp.b32 %r0, %r1, 1, %p3", 5, 0, 1, 5) \
  X("selp.u64 %w0, %w1, %w2, %p3", 1, 2, 0, 2) \
  X("selp.s64 %w0, %w1, %w2, %p3", 1, 2, 1, 1) \
  X("selp.b64 %w0, %w1, %w2, %p3", 1, 2, 0, 2) \
  X("selp.f32 %f0, %f1, %f2, %p3", 1, 2, 0, 2) \
  X("selp.f64 %g0, 0d3FF0000000000000, %g2, %p3", 1, 2, 1, \
    0x3ff0000000000000) \
  X("mov.u32 %r0, %ntid.x", 0, 0, 0, 1) \
  X("mov.u32 %r0, %tid.y", 0, 0, 0, 0)

/* A conversion reads the low bits of its type; what is narrower than its
 * register is made as wide by its type's sign. */
#define FAKE_CASES_CONVERT(X) \
  X("cvt.u64.u32 %w0, %r1", 0xffffffff, 0, 0, 0xffffffff) \
  X("cvt.s64.s32 %w0, %r1", 0xffffffff, 0, 0, ~0ull) \
  X("cvt.u64.s32 %w0, %r1", 0x80000000, 0, 0, 0xffffffff80000000) \
  X("cvt.s64.u32 %w0, %r1", 0x80000000, 0, 0, 0x80000000) \
  X("cvt.u32.u64 %r0, %w1", 0x123456789, 0, 0, 0x23456789) \
  X("cvt.u16.u64 %h0, %w1", 0x12345, 0, 0, 0x2345) \
  X("cvt.u32.u16 %r0, %h1", 0xffff, 0, 0, 0xffff) \
  X("cvt.s32.s16 %r0, %h1", 0xffff, 0, 0, 0xffffffff) \
  X("cvt.s32.s8 %r0, %r1", 0x1280, 0, 0, 0xffffff80) \
  X("cvt.u32.u8 %r0, %r1", 0x1280, 0, 0, 0x80) \
  X("cvt.s16.s8 %h0, %h1", 0x0180, 0, 0, 0xff80) \
  X("cvt.s8.s32 %r0, %r1", 0x180, 0, 0, 0xffffff80) \
  X("cvt.u8.s32 %r0, %r1", 0xfffffff0, 0, 0, 0xf0) \
  X("cvt.s16.s32 %r0, %r1", 0x18000, 0, 0, 0xffff8000) \
  X("cvt.u8.u32 %h0, %r1", 0x1ff, 0, 0, 0xff) \
  X("cvt.rzi.s64.f64 %w0, %g1", 0xc00c000000000000, 0, 0, ~2ull) \
  X("cvt.rzi.s64.f64 %w0, %g1", 0x43f0000000000000, 0, 0, ~0ull >> 1) \
  X("cvt.rzi.s64.f64 %w0, %g1", 0xc3f0000000000000, 0, 0, 1ull << 63) \
  X("cvt.rzi.s64.f64 %w0, %g1", 0x7ff8000000000000, 0, 0, 1ull << 63) \
  X("cvt.rzi.s32.f64 %r0, %g1", 0x7ff8000000000000, 0, 0, 0) \
  X("cvt.rzi.s32.f64 %r0, %g1", 0x41e0000000000000, 0, 0, 0x7fffffff) \
  X("cvt.rzi.s32.f64 %r0, %g1", 0xc1e0000000200000, 0, 0, 0x80000000) \
  X("cvt.rzi.s32.f64 %w0, %g1", 0xc008000000000000, 0, 0, ~2ull) \
  X("cvt.rzi.u64.f64 %w0, %g1", 0x43f0000000000000, 0, 0, ~0ull) \
  X("cvt.rzi.u64.f64 %w0, %g1", 0x43efffffffffffff, 0, 0, \
    0xfffffffffffff800) \
  X("cvt.rzi.u64.f32 %w0, %f1", 0xbf800000, 0, 0, 0) \
  X("cvt.rzi.u32.f32 %r0, %f1", 0x4f7fffff, 0, 0, 0xffffff00) \
  X("cvt.rzi.u32.f32 %r0, %f1", 0x4f800000, 0, 0, 0xffffffff) \
  X("cvt.rzi.s32.f32 %r0, %f1", 0x7fc00000, 0, 0, 0) \
  X("cvt.rzi.s64.f32 %w0, %f1", 0x7fc00000, 0, 0, 0) \
  X("cvt.rzi.s64.f32 %w0, %f1", 0xc0200000, 0, 0, ~1ull) \
  X("cvt.rzi.u16.f32 %h0, %f1", 0x477fff00, 0, 0, 0xffff) \
  X("cvt.rzi.s16.f64 %h0, %g1", 0xc0e0002000000000, 0, 0, 0x8000) \
  X("cvt.rzi.u8.f32 %h0, %f1", 0x43960000, 0, 0, 255) \
  X("cvt.rzi.s8.f32 %h0, %f1", 0xc3960000, 0, 0, 0xff80) \
  X("cvt.rni.s32.f32 %r0, %f1", 0x40200000, 0, 0, 2) \
  X("cvt.rni.s32.f32 %r0, %f1", 0x40600000, 0, 0, 4) \
  X("cvt.rmi.s32.f32 %r0, %f1", 0xc0200000, 0, 0, 0xfffffffd) \
  X("cvt.rpi.s32.f32 %r0, %f1", 0x40200000, 0, 0, 3) \
  X("cvt.rn.f32.s64 %f0, %w1", 0x1000001, 0, 0, 0x4b800000) \
  X("cvt.rn.f32.s64 %f0, %w1", 0x1000003, 0, 0, 0x4b800002) \
  X("cvt.rn.f32.s64 %f0, %w1", ~0ull, 0, 0, 0xbf800000) \
  X("cvt.rn.f32.u64 %f0, %w1", ~0ull, 0, 0, 0x5f800000) \
  X("cvt.rn.f64.s64 %g0, %w1", 0x20000000000001, 0, 0, 0x4340000000000000) \
  X("cvt.rn.f64.u64 %g0, %w1", 1ull << 63, 0, 0, 0x43e0000000000000) \
  X("cvt.rn.f32.s32 %f0, %r1", 0xffffffff, 0, 0, 0xbf800000) \
  X("cvt.rn.f32.u32 %f0, %r1", 0xffffffff, 0, 0, 0x4f800000) \
  X("cvt.rn.f64.s32 %g0, %r1", 0x80000000, 0, 0, 0xc1e0000000000000) \
  X("cvt.rn.f64.u32 %g0, %r1", 0x80000000, 0, 0, 0x41e0000000000000) \
  X("cvt.rn.f32.u16 %f0, %h1", 0xffff, 0, 0, 0x477fff00) \
  X("cvt.rn.f64.s16 %g0, %h1", 0xffff, 0, 0, 0xbff0000000000000) \
  X("cvt.rn.f32.u8 %f0, %h1", 0x1ff, 0, 0, 0x437f0000) \
  X("cvt.rn.f64.s8 %g0, %h1", 0x1ff, 0, 0, 0xbff0000000000000) \
  X("cvt.f64.f32 %g0, %f1", 0x00000001, 0, 0, 0x36a0000000000000) \
  X("cvt.rn.f32.f64 %f0, %g1", 0x3ff0000010000000, 0, 0, 0x3f800000) \
  X("cvt.rn.f32.f64 %f0, %g1", 0x3ff0000010000001, 0, 0, 0x3f800001) \
  X("cvt.rn.f32.f64 %f0, %g1", 0x7ff8000000000000, 0, 0, 0x7fffffff) \
  X("cvt.rni.f32.f32 %f0, %f1", 0x40200000, 0, 0, 0x40000000) \
  X("cvt.rni.f32.f32 %f0, %f1", 0x40600000, 0, 0, 0x40800000) \
  X("cvt.rni.f64.f64 %g0, %g1", 0x400c000000000000, 0, 0, \
    0x4010000000000000) \
  X("cvt.rni.f64.f64 %g0, %g1", 0x4004000000000000, 0, 0, \
    0x4000000000000000) \
  X("cvt.rzi.f32.f32 %f0, %f1", 0xc0200000, 0, 0, 0xc0000000) \
  X("cvt.rmi.f64.f64 %g0, %g1", 0xc004000000000000, 0, 0, \
    0xc008000000000000) \
  X("cvt.rpi.f32.f32 %f0, %f1", 0x40200000, 0, 0, 0x40400000) \
  X("cvt.rzi.f64.f64 %g0, %g1", 0xc00c000000000000, 0, 0, \
    0xc008000000000000) \
  X("cvt.rmi.f32.f32 %f0, %f1", 0xc0200000, 0, 0, 0xc0400000) \
  X("cvt.rpi.f64.f64 %g0, %g1", 0x4004000000000000, 0, 0, \
    0x4008000000000000)

#define FAKE_CASES_FLOAT(X) \
  X("add.rn.f32 %f0, %f1, %f2", 0x4b800000, 0x3f800000, 0, 0x4b800000) \
  X("add.rn.f32 %f0, %f1, %f2", 0x7f800000, 0xff800000, 0, 0x7fffffff) \
  X("add.rn.f32 %f0, %f1, %f2", 0x00000001, 0x00000001, 0, 2) \
  X("add.rn.f64 %g0, %g1, %g2", 0x3ff0000000000000, 0x3ff0000000000000, 0, \
    0x4000000000000000) \
  X("sub.rn.f32 %f0, %f1, %f2", 0x3f800000, 0x3f800000, 0, 0) \
  X("sub.rn.f64 %g0, %g1, %g2", 0x3ff0000000000000, 0x4000000000000000, 0, \
    0xbff0000000000000) \
  X("mul.rn.f32 %f0, %f1, %f2", 0x3f800001, 0x3f800001, 0, 0x3f800002) \
  X("mul.rn.f64 %g0, %g1, %g2", 0x4008000000000000, 0xc000000000000000, 0, \
    0xc018000000000000) \
  X("div.rn.f32 %f0, %f1, %f2", 0x3f800000, 0x40400000, 0, 0x3eaaaaab) \
  X("div.rn.f32 %f0, %f1, %f2", 0x3f800000, 0x80000000, 0, 0xff800000) \
  X("div.rn.f64 %g0, %g1, %g2", 0x3ff0000000000000, 0x4008000000000000, 0, \
    0x3fd5555555555555) \
  X("rcp.rn.f32 %f0, %f1", 0x40400000, 0, 0, 0x3eaaaaab) \
  X("rcp.rn.f64 %g0, %g1", 0x4008000000000000, 0, 0, 0x3fd5555555555555) \
  X("sqrt.rn.f32 %f0, %f1", 0x40000000, 0, 0, 0x3fb504f3) \
  X("sqrt.rn.f32 %f0, %f1", 0xbf800000, 0, 0, 0x7fffffff) \
  X("sqrt.rn.f64 %g0, %g1", 0x4000000000000000, 0, 0, 0x3ff6a09e667f3bcd) \
  X("neg.f32 %f0, %f1", 0, 0, 0, 0x80000000) \
  X("neg.f64 %g0, %g1", 0, 0, 0, 1ull << 63) \
  X("neg.f32 %f0, %f1", 0xff800000, 0, 0, 0x7f800000) \
  X("neg.f64 %g0, %g1", 1ull << 63, 0, 0, 0) \
  X("abs.f32 %f0, %f1", 0xff800000, 0, 0, 0x7f800000) \
  X("abs.f64 %g0, %g1", 0x8000000000000001, 0, 0, 1) \
  X("min.f32 %f0, %f1, %f2", 0, 0x80000000, 0, 0x80000000) \
  X("min.f32 %f0, %f1, %f2", 0x7fc00000, 0x3f800000, 0, 0x3f800000) \
  X("min.f32 %f0, %f1, %f2", 0x7fc00000, 0x7fc00000, 0, 0x7fffffff) \
  X("max.f32 %f0, %f1, %f2", 0x80000000, 0, 0, 0) \
  X("max.f32 %f0, %f1, %f2", 0, 0x80000000, 0, 0) \
  X("min.f32 %f0, %f1, %f2", 0x80000000, 0, 0, 0x80000000) \
  X("max.f64 %g0, %g1, %g2", 1ull << 63, 0, 0, 0) \
  X("min.f64 %g0, %g1, %g2", 0x7ff8000000000000, 1, 0, 1) \
  X("max.f32 %f0, %f1, %f2", 0x3f800000, 0x7fc00000, 0, 0x3f800000) \
  X("min.f64 %g0, %g1, %g2", 0x3ff0000000000000, 0x4000000000000000, 0, \
    0x3ff0000000000000) \
  X("max.f64 %g0, %g1, %g2", 0x3ff0000000000000, 0x4000000000000000, 0, \
    0x4000000000000000)

/* Below, equal, above, and one of them a NaN: a bit each. */
#define FAKE_ORDERS(X) \
  X("eq", 2) X("ne", 5) X("lt", 1) X("le", 3) X("gt", 4) X("ge", 6) \
  X("equ", 10) X("neu", 13) X("ltu", 9) X("leu", 11) X("gtu", 12) \
  X("geu", 14) X("num", 7) X("nan", 8)
#define FAKE_ORDERS_UNSIGNED(X) X("lo", 1) X("ls", 3) X("hi", 4) X("hs", 6)

/* What must be refused as it is loaded: what it says. */
#define FAKE_REFUSED(X) \
  X("fma.rn.f32 %f0, %f1, %f2, %f3", "not supported") \
  X("fma.rn.f64 %g0, %g1, %g2, %g3", "not supported") \
  X("mad.rn.f32 %f0, %f1, %f2, %f3", "not supported") \
  X("mad.f32 %f0, %f1, %f2, %f3", "not supported") \
  X("add.f32 %f0, %f1, %f2", "not supported") \
  X("add.f64 %g0, %g1, %g2", "not supported") \
  X("sub.f32 %f0, %f1, %f2", "not supported") \
  X("mul.f32 %f0, %f1, %f2", "not supported") \
  X("mul.f64 %g0, %g1, %g2", "not supported") \
  X("add.rz.f32 %f0, %f1, %f2", "not supported") \
  X("add.rn.ftz.f32 %f0, %f1, %f2", "not supported") \
  X("add.ftz.f32 %f0, %f1, %f2", "not supported") \
  X("mul.rn.sat.f32 %f0, %f1, %f2", "not supported") \
  X("div.approx.f32 %f0, %f1, %f2", "not supported") \
  X("div.full.f32 %f0, %f1, %f2", "not supported") \
  X("div.approx.ftz.f32 %f0, %f1, %f2", "not supported") \
  X("div.f64 %g0, %g1, %g2", "not supported") \
  X("sqrt.approx.f32 %f0, %f1", "not supported") \
  X("sqrt.rn.ftz.f32 %f0, %f1", "not supported") \
  X("rsqrt.approx.f32 %f0, %f1", "not supported") \
  X("rcp.approx.f32 %f0, %f1", "not supported") \
  X("min.ftz.f32 %f0, %f1, %f2", "not supported") \
  X("setp.eq.ftz.f32 %p0, %f1, %f2", "not supported") \
  X("neg.ftz.f32 %f0, %f1", "not supported") \
  X("cvt.f32.f64 %f0, %g1", "not supported") \
  X("cvt.rn.ftz.f32.f64 %f0, %g1", "not supported") \
  X("cvt.rz.f32.s64 %f0, %w1", "not supported") \
  X("cvt.f64.s64 %g0, %w1", "not supported") \
  X("cvt.s32.f32 %r0, %f1", "not supported") \
  X("cvt.sat.u8.s32 %r0, %r1", "not supported") \
  X("add.sat.s32 %r0, %r1, %r2", "not supported") \
  X("frobnicate.u32 %r0, %r1", "not supported") \
  X("ld.volatile.global.u32 %r0, [%o0]", "not supported") \
  X("atom.global.add.u32 %r0, [%o0], %r1", "not supported") \
  X("bar.sync 0", "not supported") \
  X("ld.shared.u32 %r0, [%o0]", "not supported") \
  X("ld.global.v4.u64 {%w0, %w1, %w2, %w3}, [%o0]", "not supported") \
  X("st.global.nc.u32 [%o0], %r1", "not supported") \
  X("ld.global.v3.u32 {%r0, %r1, %r2}, [%o0]", "not supported") \
  X("ld.globals.u32 %r0, [%o0]", "not supported") \
  X("mov.s64 %g0, %w1", "no s64") \
  X("ld.v2.u32 %r0, [%o0]", "{ was expected") \
  X("ld.v2.u32 {%r0 %r1}, [%o0]", ", was expected") \
  X("ld.v2.u32 {%r0, %r1, [%o0]", "} was expected") \
  X("ld.u32 %r0 [%o0]", ", was expected") \
  X("ld.u32 %r0, %o0", "[ was expected") \
  X("ld.u32 %r0, [%o0*4]", "not understood") \
  X("ld.u32 %r0, [%o0+4", "] was expected") \
  X("st.u32 [%o0] %r1", ", was expected") \
  X("mov.b64 {%r0, %h1}, %w1", "no b32") \
  X("mov.b64 %w0, {%r1, %w1}", "no b32") \
  X("cvta.local.u64 %w0, %r1", "no u64") \
  X("cvt.u32.u64 %w0 %w1", ", was expected") \
  X("cvt.u64.u32 %r0, %r1", "no u64") \
  X("cvt.rzi.s64.f64 %w0, %f1", "no f64") \
  X("setp.lt.b32 %p0, %r1, %r2", "not supported") \
  X("setp.eq.and.s32 %p0, %r1, %r2, %p3", "not supported") \
  X("add.u32 %r0, %r1, %w2", "no u32") \
  X("add.u32 %w0, %r1, %r2", "no u32") \
  X("add.u32 %f0, %r1, %r2", "no u32") \
  X("add.rn.f32 %r0, %w1, %r2", "no f32") \
  X("add.rn.f32 %f0, %f1, 0d3FF0000000000000", "no f32") \
  X("add.rn.f32 %f0, %f1, 1", "no f32") \
  X("add.u32 %r0, %r1, 0f3F800000", "no u32") \
  X("add.u32 %r0, %r1, 4294967296", "too large") \
  X("add.s16 %h0, %h1, -32769", "too large") \
  X("mov.u64 %w0, 18446744073709551616", "too large") \
  X("mov.u64 %g0, %w1", "no u64") \
  X("add.u32 %r0, %r1", ", was expected") \
  X("add.u32 %r0, %r1, %r2, %r3", "; was expected") \
  X("add.u32 %tid.x, %r1, %r2", "no register") \
  X("add.u32 %r0, %r1, %r99", "no register") \
  X("add.u32 %r0, %r1, %r02", "no register") \
  X("add.u32 %r0, %r1, %r-2", "no register") \
  X("mov.u32 %r0, %laneid", "no register") \
  X("ld.global.u32 %r0, [%r1]", "no u64") \
  X("ld.param.u64 %w0, [nothing]", "nothing has that name") \
  X("ld.global.u32 %r0, [%o0+2147483648]", "too large") \
  X("ld.global.u64 %r0, [%o0]", "no u64") \
  X("ld.global.s32 %g0, [%o0]", "no s32") \
  X("bra NOWHERE", "no such label") \
  X("call.uni nobody, (k)", "no function") \
  X("call.uni k", "does not fit") \
  X(".reg .u8 %b<2>", "8 bits")
/* clang-format on */

#endif
