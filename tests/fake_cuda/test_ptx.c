/* poolproof: the fake driver's interpreter, instruction by instruction.
 * SPDX-License-Identifier: MIT */
#include "cases.h"
#include "driver.h"
#include "ptx.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 8192, LOG = 512, MEMORY = 64, TAG = 0x7d00 };

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

typedef struct test_case {
  const char *text;
  uint64_t operand[3];
  uint64_t result;
} test_case;

static unsigned failures;

__attribute__((format(printf, 1, 2))) static void fail(const char *format,
                                                       ...) {
  va_list list;
  va_start(list, format);
  (void)vfprintf(stderr, format, list);
  va_end(list);
  (void)fputc('\n', stderr);
  failures++;
}

/* A device's memory of one range of MEMORY bytes. */
static unsigned char bytes[MEMORY];
static unsigned char written[MEMORY / 8];
static fake_range table[FAKE_ENTRIES];
static const uint64_t base = (uint64_t)TAG << 48 | 0x500000100;

static fake_memory fresh_memory(void) {
  memset(bytes, 0, sizeof bytes);
  memset(written, 0xff, sizeof written);
  table[5] = (fake_range){base, MEMORY, bytes, written};
  return (fake_memory){TAG, table};
}

static const char head[] =
    ".version 6.0\n.target sm_60\n.address_size 64\n"
    ".visible .entry k(.param .u64 out, .param .b64 a, .param .b64 b,\n"
    ".param .b64 c)\n{\n"
    ".local .align 8 .b8 depot[16];\n"
    ".reg .b16 %h<5>; .reg .b32 %r<5>; .reg .b64 %w<5>; .reg .f32 %f<5>;\n"
    ".reg .f64 %g<5>; .reg .pred %p<5>; .reg .b64 %o<9>;\n"
    "ld.param.u64 %o0, [out];\n";
static const char tail[] = "ret;\n}\n";

static void append(char *text, const char *more) {
  const size_t length = strlen(text);
  if (length + strlen(more) >= TEXT) abort();
  memcpy(text + length, more, strlen(more) + 1);
}

static void load_operands(char *text) {
  char line[TEXT];
  for (unsigned o = 0; o < 3; o++) {
    const int c = (int)('a' + o);
    (void)snprintf(line, sizeof line,
                   "ld.param.u16 %%h%u, [%c];\nld.param.u32 %%r%u, [%c];\n"
                   "ld.param.u64 %%w%u, [%c];\nld.param.f32 %%f%u, [%c];\n"
                   "ld.param.f64 %%g%u, [%c];\nsetp.ne.u64 %%p%u, %%w%u, 0;\n",
                   o + 1, c, o + 1, c, o + 1, c, o + 1, c, o + 1, c, o + 1,
                   o + 1);
    append(text, line);
  }
}

/* Stores register 0 of the kind. */
static const char *store_of(char kind) {
  switch (kind) {
  case 'h':
    return "st.global.u16 [%o0], %h0;\n";
  case 'r':
    return "st.global.u32 [%o0], %r0;\n";
  case 'w':
    return "st.global.u64 [%o0], %w0;\n";
  case 'f':
    return "st.global.f32 [%o0], %f0;\n";
  case 'g':
    return "st.global.f64 [%o0], %g0;\n";
  default:
    return "selp.u32 %r0, 1, 0, %p0;\nst.global.u32 [%o0], %r0;\n";
  }
}

static const uint64_t no_operands[3] = {0};

/* Runs a text's entry k on one thread; the result is the first word. */
static int run_text(const char *text, const uint64_t *operand,
                    uint64_t *result) {
  char log[LOG];
  const fake_memory memory = fresh_memory();
  const fake_shape shape = {{1, 1, 1}, {1, 1, 1}};
  fake_tally tally = {.limit = 100000, .strict = true};
  uint64_t parameter[4] = {base, operand[0], operand[1], operand[2]};
  fake_ptx *ptx = fake_ptx_load(text, log, sizeof log);
  if (ptx == NULL) {
    fail("%s\nis refused: %s", text, log);
    return -1;
  }
  const int answer =
      fake_ptx_run(ptx, fake_ptx_entry(ptx, "k"),
                   (const unsigned char *)parameter, &shape, &memory, &tally);
  memcpy(result, bytes, sizeof *result);
  fake_ptx_free(ptx);
  return answer;
}

static void try_case(const test_case *one) {
  char text[TEXT] = "";
  uint64_t result = 0;
  const char *zero = strchr(one->text, '0');
  while (zero != NULL && (zero[-2] != '%'))
    zero = strchr(zero + 1, '0');
  if (zero == NULL) abort();
  append(text, head);
  load_operands(text);
  append(text, one->text);
  append(text, ";\n");
  append(text, store_of(zero[-1]));
  append(text, tail);
  const int answer = run_text(text, one->operand, &result);
  if (answer != 0 || result != one->result)
    fail("%s of %#" PRIx64 ", %#" PRIx64 ", %#" PRIx64 ": %d, %#" PRIx64
         ", not %#" PRIx64,
         one->text, one->operand[0], one->operand[1], one->operand[2], answer,
         result, one->result);
}

static void test_values(void) {
  static const test_case cases[] = {
#define CASE(text, a, b, c, result) {text, {a, b, c}, result},
      FAKE_CASES_INT(CASE) FAKE_CASES_BITS(CASE) FAKE_CASES_MOVE(CASE)
          FAKE_CASES_CONVERT(CASE) FAKE_CASES_FLOAT(CASE)
#undef CASE
  };
  for (size_t c = 0; c < COUNT(cases); c++)
    try_case(&cases[c]);
}

typedef struct fake_order {
  const char *name;
  unsigned when; /* bits: below, equal, above, a NaN */
} fake_order;

/* As a value, then as a branch, which the interpreter does in one. */
static void try_order(const char *type, char kind, const fake_order *order,
                      uint64_t a, uint64_t b, unsigned which) {
  char text[TEXT];
  const uint64_t operand[3] = {a, b, 0};
  const uint64_t wanted = order->when >> which & 1;
  for (unsigned way = 0; way < 3; way++) {
    static const char *const then[] = {
        "selp.u32 %r0, 1, 0, %p0;\n",
        "mov.u32 %r0, 1;\n@%p0 bra DONE;\nmov.u32 %r0, 0;\nDONE:\n",
        "mov.u32 %r0, 0;\n@!%p0 bra DONE;\nmov.u32 %r0, 1;\nDONE:\n"};
    uint64_t result = 9;
    char line[TEXT];
    text[0] = 0;
    append(text, head);
    load_operands(text);
    const char *middle = then[way];
    const char *bra = strstr(middle, "@");
    (void)snprintf(line, sizeof line, "%.*s", (int)(bra ? bra - middle : 0),
                   middle);
    append(text, line);
    (void)snprintf(line, sizeof line, "setp.%s.%s %%p0, %%%c1, %%%c2;\n",
                   order->name, type, kind, kind);
    append(text, line);
    append(text, bra == NULL ? middle : bra);
    append(text, "st.global.u32 [%o0], %r0;\n");
    append(text, tail);
    const int answer = run_text(text, operand, &result);
    if (answer != 0 || result != wanted)
      fail("setp.%s.%s, way %u, of %#" PRIx64 ", %#" PRIx64 ": %d, %" PRIu64,
           order->name, type, way, a, b, answer, result);
  }
}

static const fake_order orders[] = {
#define ORDER(name, when) {name, when},
    FAKE_ORDERS(ORDER)
#undef ORDER
};
static const fake_order orders_unsigned[] = {
#define ORDER(name, when) {name, when},
    FAKE_ORDERS_UNSIGNED(ORDER)
#undef ORDER
};

/* The values are small, middle, large: signed and unsigned differ. */
static void try_ints(const char *const *type, const char *kind, size_t types,
                     const fake_order *order, const uint64_t *value) {
  for (size_t t = 0; t < types; t++) {
    const uint64_t *v = &value[2 * t];
    try_order(type[t], kind[t], order, v[0], v[1], 0);
    try_order(type[t], kind[t], order, v[1], v[1], 1);
    try_order(type[t], kind[t], order, v[1], v[0], 2);
  }
}

static void test_orders(void) {
  static const char *const type[] = {"u16", "s16", "u32", "s32", "u64", "s64"};
  static const char *const bits[] = {"b16", "b32", "b64"};
  static const uint64_t value[] = {1, 0x8000,     0x8000,     1,
                                   1, 0x80000000, 0x80000000, 1,
                                   1, 1ull << 63, 1ull << 63, 1};
  static const char *const is_unsigned[] = {"u16", "u32", "u64"};
  static const uint64_t unsigned_value[] = {1,          0x8000, 1,
                                            0x80000000, 1,      1ull << 63};
  for (size_t o = 0; o < 6; o++)
    try_ints(type, "hhrrww", 6, &orders[o], value);
  for (size_t o = 0; o < 2; o++)
    try_ints(bits, "hrw", 3, &orders[o], unsigned_value);
  for (size_t o = 0; o < COUNT(orders_unsigned); o++)
    try_ints(is_unsigned, "hrw", 3, &orders_unsigned[o], unsigned_value);
  for (size_t o = 0; o < COUNT(orders); o++) {
    static const char *const f[] = {"f32", "f64"};
    static const uint64_t low_high[] = {0xbf800000, 0x3f800000,
                                        0xbff0000000000000, 1};
    try_ints(f, "fg", 2, &orders[o], low_high);
    try_order("f32", 'f', &orders[o], 0, 0x80000000, 1);
    try_order("f32", 'f', &orders[o], 0x7fc00000, 0, 3);
    try_order("f64", 'g', &orders[o], 0, 0xfff8000000000000, 3);
    try_order("f64", 'g', &orders[o], 1ull << 63, 0, 1);
  }
}

typedef struct refusal {
  const char *text;
  const char *says;
} refusal;

static void test_refusals(void) {
  static const refusal refused[] = {
#define REFUSED(text, says) {text, says},
      FAKE_REFUSED(REFUSED)
#undef REFUSED
  };
  for (size_t r = 0; r < COUNT(refused); r++) {
    char text[TEXT] = "";
    char log[LOG];
    append(text, head);
    append(text, refused[r].text);
    append(text, ";\n");
    append(text, tail);
    fake_ptx *ptx = fake_ptx_load(text, log, sizeof log);
    if (ptx != NULL)
      fail("not refused: %s", refused[r].text);
    else if (strstr(log, refused[r].says) == NULL ||
             strstr(log, refused[r].text) == NULL ||
             strstr(log, "line 11: ") != log)
      fail("%s: says: %s", refused[r].text, log);
    fake_ptx_free(ptx);
  }
}

/* A whole body: its answer and the word that it stores. */
typedef struct body {
  const char *text;
  int answer;
  uint64_t result;
} body;

static const body bodies[] = {
    /* widths and signs of loads */
    {"st.global.u64 [%o0], -2; ld.global.u8 %h0, [%o0]; cvt.u64.u16 %w0, %h0;"
     "st.global.u64 [%o0], %w0;",
     0, 0xfe},
    {"st.global.u64 [%o0], -2; ld.global.s8 %r0, [%o0]; cvt.u64.u32 %w0, %r0;"
     "st.global.u64 [%o0], %w0;",
     0, 0xfffffffe},
    {"st.global.u64 [%o0], -2; ld.s32 %w0, [%o0]; st.u64 [%o0], %w0;", 0,
     ~1ull},
    {"st.global.u64 [%o0], -2; ld.u32 %w0, [%o0]; st.u64 [%o0], %w0;", 0,
     0xfffffffe},
    {"mov.u64 %w0, 0x1234; st.u8 [%o0+1], %w0;", 0, 0x3400},
    {"mov.u64 %w0, 0x123456; st.u16 [%o0+2], %w0;", 0, 0x34560000},
    /* vectors, the address overwritten by its first part */
    {"st.global.v2.u32 [%o0], {1, 2};", 0, 0x200000001},
    {"st.v2.u64 [%o0], {7, 9}; mov.u64 %w0, %o0; ld.v2.u64 {%w0, %w1}, [%w0];"
     "add.u64 %w0, %w0, %w1; st.u64 [%o0], %w0;",
     0, 16},
    {"ld.v2.u64 {%w0, %w1}, [%o0+8];", CUDA_ERROR_MISALIGNED_ADDRESS, 0},
    {"ld.v4.u32 {%r0, %r1, %r2, %r3}, [%o0+8];", CUDA_ERROR_MISALIGNED_ADDRESS,
     0},
    {"st.v4.u32 [%o0+16], {1, 2, 3, 4}; ld.v2.u32 {%r1, %r2}, [%o0+24];"
     "st.v2.u32 [%o0], {%r1, %r2};",
     0, 0x400000003},
    {"st.u32 [%o0], 5; ld.global.nc.u32 %r0, [%o0]; st.u32 [%o0+4], %r0;", 0,
     0x500000005},
    {"st.global.u64 [%o0], 0x80ff; ld.s16 %r0, [%o0]; cvt.u64.u32 %w0, %r0;"
     "st.u64 [%o0], %w0;",
     0, 0xffff80ff},
    /* local variables: by address space, and as generic ones */
    {"mov.u64 %w0, depot; st.local.u64 [%w0+8], 5; cvta.local.u64 %w1, %w0;"
     "ld.u64 %w2, [%w1+8]; st.u64 [%o0], %w2;",
     0, 5},
    {"mov.u64 %w0, depot; cvta.local.u64 %w1, %w0; st.u32 [%w1], 6;"
     "cvta.to.local.u64 %w2, %w1; ld.local.u32 %r0, [%w2];"
     "st.u32 [%o0], %r0;",
     0, 6},
    {"mov.u64 %w0, depot; st.local.u64 [%w0+16], 5;",
     CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {"mov.u64 %w0, depot; st.local.u8 [%w0+-1], 5;", CUDA_ERROR_ILLEGAL_ADDRESS,
     0},
    {"mov.u64 %w0, depot; st.local.u64 [%w0+4], 5;",
     CUDA_ERROR_MISALIGNED_ADDRESS, 0},
    {"mov.u64 %w0, depot; ld.local.u8 %r0, [%w0];", CUDA_ERROR_ILLEGAL_ADDRESS,
     0},
    {"mov.u64 %w0, depot; ld.param.u8 %r0, [%w0];", CUDA_ERROR_ILLEGAL_ADDRESS,
     0},
    {"mov.u64 %w0, depot; st.global.u8 [%w0], 1;", CUDA_ERROR_ILLEGAL_ADDRESS,
     0},
    {"mov.u64 %w0, depot; cvta.local.u64 %w0, %w0; st.global.u8 [%w0], 1;",
     CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {"st.local.u8 [%o0], 1;", CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {"mov.u64 %w0, 0; st.local.u8 [%w0], 1;", CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {"mov.u64 %w0, 0xff; st.local.u16 [%w0], 1;", CUDA_ERROR_ILLEGAL_ADDRESS,
     0},
    {"mov.u64 %w0, 0x10000; st.local.u8 [%w0], 1;", CUDA_ERROR_ILLEGAL_ADDRESS,
     0},
    {"mov.u64 %w0, 0x7c00000000000000; st.u8 [%w0], 1;",
     CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    /* parameters */
    {"mov.b64 %w0, out; ld.param.u64 %w1, [%w0]; st.u32 [%w1], 8;", 0, 8},
    {"ld.param.u64 %w1, [out+8];", CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {"ld.param.u64 %w1, [out+4];", CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    /* global memory's ends */
    {"st.u8 [%o0+63], 1;", 0, 0},
    {"st.u8 [%o0+64], 1;", CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {"st.u8 [%o0+-1], 1;", CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {"st.u64 [%o0+60], 1;", CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {"st.u16 [%o0+1], 1;", CUDA_ERROR_MISALIGNED_ADDRESS, 0},
    {"st.u32 [%o0+2], 1;", CUDA_ERROR_MISALIGNED_ADDRESS, 0},
    {"mov.u64 %w0, 0; ld.u8 %r0, [%w0];", CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {"mov.u64 %w0, -1; ld.u8 %r0, [%w0];", CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {"xor.b64 %w0, %o0, 0x1000000000000; ld.u8 %r0, [%w0];",
     CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    /* jumps */
    {"mov.u32 %r0, 0; L: add.u32 %r0, %r0, 3; setp.lt.u32 %p0, %r0, 10;"
     "@%p0 bra L; st.u32 [%o0], %r0;",
     0, 12},
    {"setp.eq.u32 %p0, 1, 1; @!%p0 st.u32 [%o0], 1; @%p0 st.u32 [%o0+4], 1;", 0,
     1ull << 32},
    {"setp.eq.u32 %p0, 1, 1; setp.eq.u32 %p1, 1, 2; @%p0 bra L;"
     "st.u8 [%o0], 1; L: @%p1 bra M; st.u8 [%o0+1], 1; M: @!%p0 bra N;"
     "st.u8 [%o0+2], 1; N: @!%p1 bra O; st.u8 [%o0+3], 1; O:"
     "@%p0 st.u8 [%o0+4], 1; @!%p0 st.u8 [%o0+5], 1;"
     "@%p1 st.u8 [%o0+6], 1; @!%p1 st.u8 [%o0+7], 1;",
     0, 0x0100000100010100},
    {"setp.eq.u32 %p0, 1, 2; @%p0 bra L; st.u32 [%o0], 1; L:", 0, 1},
    {"setp.eq.u32 %p0, 1, 1; @%p0 ret; st.u32 [%o0], 1;", 0, 0},
    {"exit; st.u32 [%o0], 1;", 0, 0},
    {"trap;", CUDA_ERROR_LAUNCH_FAILED, 0},
    {"L: bra.uni L;", CUDA_ERROR_LAUNCH_TIMEOUT, 0},
};

static void test_bodies(void) {
  for (size_t b = 0; b < COUNT(bodies); b++) {
    char text[TEXT] = "";
    uint64_t result = 0;
    append(text, head);
    append(text, bodies[b].text);
    append(text, tail);
    const int answer = run_text(text, no_operands, &result);
    if (answer != bodies[b].answer || result != bodies[b].result)
      fail("%s\n: %d, %#" PRIx64, bodies[b].text, answer, result);
  }
}

#define VERSION ".version 6.0 .target sm_60 .address_size 64\n"
#define ENTRY                                                                  \
  ".visible .entry k(.param .u64 out, .param .b64 a, .param .b64 b,\n"         \
  ".param .b64 c) { .reg .b64 %o<4>; .reg .b32 %r<4>; .reg .b64 %w<4>;\n"      \
  "ld.param.u64 %o0, [out];\n"

/* Whole texts: calls and what they take and give. says: it is refused. */
typedef struct whole {
  const char *text;
  const char *says;
  int answer;
  uint64_t result;
} whole;

#define MINUS                                                                  \
  ".func (.param .b32 given) minus(.param .b32 x, .param .align 8 .b8 "        \
  "y[16])\n"                                                                   \
  "{ .local .align 4 .b8 kept[8]; .reg .b32 %r<4>; .reg .b64 %w<2>;\n"         \
  "mov.b64 %w0, y; ld.param.u32 %r0, [x]; ld.param.u32 %r1, [%w0+12];\n"       \
  "mov.u64 %w1, kept; st.local.u32 [%w1+4], %r0;\n"                            \
  "ld.local.u32 %r2, [%w1+4]; sub.u32 %r2, %r2, %r1;\n"                        \
  "st.param.b32 [given+0], %r2; ret; }\n"
#define CALL(x, y)                                                             \
  "{ .param .b32 one; .param .align 8 .b8 two[16]; .param .b32 back;\n"        \
  "st.param.b32 [one+0], " x "; st.param.b32 [two+12], " y ";\n"               \
  "call.uni (back), minus, (one, two); ld.param.b32 %r0, [back+0]; }\n"

static const whole wholes[] = {
    {VERSION MINUS ENTRY CALL("9", "4") "st.global.u32 [%o0], %r0; ret; }",
     NULL, 0, 5},
    {VERSION MINUS ENTRY CALL("9", "4")
         CALL("%r0", "8") "st.global.u32 [%o0], %r0; ret; }",
     NULL, 0, 0xfffffffd},
    /* each call's variables are as new */
    {VERSION ".func f() { .local .align 4 .b8 kept[4]; .reg .b64 %w<2>;"
             ".reg .b32 %r<2>; mov.u64 %w0, kept; ld.local.u32 %r0, [%w0];"
             "ret; }" ENTRY "call.uni f, (); ret; }",
     "no parameter has that name", 0, 0},
    {VERSION ".func f { .local .align 4 .b8 kept[4]; .reg .b64 %w<2>;"
             ".reg .pred %p<1>; mov.u64 %w0, kept;"
             "st.local.u32 [%w0], 7; ret; }" ENTRY
             "call.uni f; st.global.u32 [%o0], 3; ret; }",
     NULL, 0, 3},
    {VERSION ".func f(.param .b32 x) { .local .align 4 .b8 kept[4];"
             ".reg .b64 %w<2>; .reg .b32 %r<2>; .reg .pred %p<1>;"
             "mov.u64 %w0, kept; ld.param.u32 %r0, [x];"
             "setp.ne.u32 %p0, %r0, 0; @%p0 ld.local.u32 %r1, [%w0];"
             "st.local.u32 [%w0], 7; ret; }" ENTRY
             "{ .param .b32 p; st.param.b32 [p], 0; call.uni f, (p); }"
             "{ .param .b32 p; st.param.b32 [p], 1; call.uni f, (p); }"
             "ret; }",
     NULL, CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    /* declared before, in another size; not at all; calling itself */
    {VERSION ".func f(.param .b32 x);" ENTRY
             "{ .param .b32 p; st.param.b32 [p], 6; call.uni f, (p); } ret; }"
             ".func f(.param .b32 y) { .reg .b32 %r<2>; .reg .b64 %w<2>;"
             "ld.param.u32 %r0, [y]; cvt.u64.u32 %w0, %r0; st.u8 [%w0], 1;"
             "ret; }",
     NULL, CUDA_ERROR_ILLEGAL_ADDRESS, 0},
    {VERSION ".func f(.param .b32 x); .func f(.param .b64 x) { ret; }" ENTRY
             "ret; }",
     "another one", 0, 0},
    {VERSION ".func f(.param .b32 x); " ENTRY
             "{ .param .b64 p; st.param.b64 [p], 6; call.uni f, (p); } ret; }"
             ".func f(.param .b32 x) { ret; }",
     "size", 0, 0},
    {VERSION ".func f(.param .b32 x); " ENTRY
             "{ .param .b32 p; st.param.b32 [p], 6; call.uni f, (p); } ret; }",
     "not defined", 0, 0},
    {VERSION ".func f; .func g { call.uni f; ret; }"
             ".func f { call.uni g; ret; }" ENTRY "ret; }",
     "call themselves", 0, 0},
    {VERSION ENTRY "ret;", "the text ends", 0, 0},
    {VERSION ENTRY "L: ret; L: }", "twice", 0, 0},
    {VERSION ".global .b32 x;" ENTRY "ret; }", "directive", 0, 0},
    {".target sm_60 " ENTRY "ret; }", "come first", 0, 0},
    {".version 6.0 .target sm_60 .address_size 32", "64 bits", 0, 0},
    {VERSION, "no function", 0, 0},
};

static void test_wholes(void) {
  for (size_t w = 0; w < COUNT(wholes); w++) {
    char log[LOG];
    uint64_t result = 0;
    const whole *one = &wholes[w];
    if (one->says == NULL) {
      const int answer = run_text(one->text, no_operands, &result);
      if (answer != one->answer || result != one->result)
        fail("%s\n: %d, %#" PRIx64, one->text, answer, result);
      continue;
    }
    fake_ptx *ptx = fake_ptx_load(one->text, log, sizeof log);
    if (ptx != NULL || strstr(log, one->says) == NULL)
      fail("%s\n: says: %s", one->text, ptx != NULL ? "nothing" : log);
    fake_ptx_free(ptx);
  }
}

int main(void) {
  test_values();
  test_orders();
  test_refusals();
  test_bodies();
  test_wholes();
  if (failures > 0) (void)fprintf(stderr, "%u failed\n", failures);
  return failures > 0;
}
