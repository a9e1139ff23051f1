#include <criterion/criterion.h>

#include <string.h>

#include "ref/interp.h"
#include "values.h"

enum { MOST = 12, ROOM = 256 };

/* A pattern in the low bits, to a value's bytes and back. */
static void to_bytes(pp_dtype dtype, uint64_t bits, unsigned char *bytes) {
  uint8_t byte = (uint8_t)(bits & UINT8_MAX);
  uint32_t word = (uint32_t)(bits & UINT32_MAX);
  switch (pp_dtype_bytes(dtype)) {
  case 1:
    memcpy(bytes, &byte, sizeof byte);
    break;
  case 4:
    memcpy(bytes, &word, sizeof word);
    break;
  default:
    memcpy(bytes, &bits, sizeof bits);
    break;
  }
}

static pp_routine *routine;

static void open_routine(void) {
  routine = pp_routine_new("by_hand");
  cr_assert_not_null(routine);
}

static size_t add_node(pp_dtype dtype, unsigned rank, const uint64_t *dims,
                       const uint64_t *values) {
  unsigned char data[ROOM] = {0};
  pp_node node = {.uid = routine->nodes + 1, .dtype = dtype, .rank = rank};
  size_t index = 0;
  node.label[0] = (char)('a' + (int)routine->nodes);
  if (rank > 0) memcpy(node.dims, dims, rank * sizeof *dims);
  for (uint64_t i = 0; values && i < pp_node_elements(&node); i++)
    to_bytes(dtype, values[i], data + i * pp_dtype_bytes(dtype));
  node.data = values ? data : NULL;
  cr_assert_eq(pp_routine_node(routine, &node, &index, NULL), PP_OK);
  return index;
}

/* Runs the statement, holds the target against what is expected, and frees
 * the routine. */
static void expect(const char *what, const pp_statement *statement,
                   const uint64_t *expected) {
  pp_failure failure = {.text = ""};
  pp_memory memory;
  unsigned char right[ROOM];
  cr_assert_eq(pp_routine_statement(routine, statement, &failure), PP_OK,
               "%s: %s", what, failure.text);
  cr_assert_eq(pp_routine_seal(routine, &failure), PP_OK, "%s: %s", what,
               failure.text);
  cr_assert_eq(pp_memory_new(routine, &memory), PP_OK);
  pp_ref_interp(routine->node, routine->statement, routine->statements,
                memory.bytes);
  const pp_node *node = &routine->node[statement->target.node];
  uint64_t first = 0;
  for (uint64_t i = 0; i < pp_node_elements(node); i++)
    to_bytes(node->dtype, expected[i], right + i * pp_dtype_bytes(node->dtype));
  cr_expect(pp_same_values(node->dtype, memory.bytes[statement->target.node],
                           right, pp_node_elements(node), &first),
            "%s: element %llu", what, (unsigned long long)first);
  pp_memory_free(&memory);
  pp_routine_free(routine);
}

/* F: f32 and f64 patterns by name. */
#define F_INF 0x7f800000
#define F_NAN 0x7fc00000
#define F_NEG0 0x80000000
#define F_1 0x3f800000
#define F_2 0x40000000
#define F_NEG1 0xbf800000
#define F_MAX 0x7f7fffff
#define D_1 0x3ff0000000000000
#define D_NAN 0x7ff8000000000000

static const struct {
  const char *what;
  pp_dtype dtype;
  pp_op op;
  uint64_t in[3];
  uint64_t out;
} ops[] = {
    {"200 + 100", PP_U8, PP_OP_ADD, {200, 100}, 44},
    {"3 - 5", PP_U8, PP_OP_SUB, {3, 5}, 254},
    {"16 * 17", PP_U8, PP_OP_MUL, {16, 17}, 16},
    {"unsigned min", PP_U8, PP_OP_MIN, {3, 250}, 3},
    {"unsigned max", PP_U8, PP_OP_MAX, {3, 250}, 250},
    {"unsigned lt", PP_U8, PP_OP_LT, {3, 250}, 1},
    {"lt of equals", PP_U8, PP_OP_LT, {3, 3}, 0},
    {"eq", PP_U8, PP_OP_EQ, {9, 9}, 1},
    {"neg 1", PP_U8, PP_OP_NEG, {1}, 255},
    {"abs 200", PP_U8, PP_OP_ABS, {200}, 200},
    {"select 7", PP_U8, PP_OP_SELECT, {7, 2, 3}, 2},
    {"select 0", PP_U8, PP_OP_SELECT, {0, 2, 3}, 3},
    {"max + 1", PP_I32, PP_OP_ADD, {0x7fffffff, 1}, 0x80000000},
    {"min - 1", PP_I32, PP_OP_SUB, {0x80000000, 1}, 0x7fffffff},
    {"65537 squared", PP_I32, PP_OP_MUL, {65537, 65537}, 0x20001},
    {"signed min", PP_I32, PP_OP_MIN, {0xffffffff, 1}, 0xffffffff},
    {"signed max", PP_I32, PP_OP_MAX, {0xffffffff, 1}, 1},
    {"signed lt", PP_I32, PP_OP_LT, {0xffffffff, 1}, 1},
    {"neg of the least", PP_I32, PP_OP_NEG, {0x80000000}, 0x80000000},
    {"abs of the least", PP_I32, PP_OP_ABS, {0x80000000}, 0x80000000},
    {"abs -5", PP_I32, PP_OP_ABS, {0xfffffffb}, 5},
    {"max + 1", PP_I64, PP_OP_ADD, {INT64_MAX, 1}, 0x8000000000000000},
    {"wraps", PP_I64, PP_OP_MUL, {0x100000001, 0x100000001}, 0x200000001},
    {"abs of the least", PP_I64, PP_OP_ABS, {1ull << 63}, 1ull << 63},
    {"lt", PP_I64, PP_OP_LT, {1ull << 63, 0}, 1},
    {"1e8 + 1", PP_F32, PP_OP_ADD, {0x4cbebc20, F_1}, 0x4cbebc20},
    {"1 - 2", PP_F32, PP_OP_SUB, {F_1, F_2}, F_NEG1},
    {"tie to even below", PP_F32, PP_OP_MUL, {0x1a000000, 0x1a000000}, 0},
    {"least subnormal", PP_F32, PP_OP_MUL, {0x1a400000, 0x1a000000}, 1},
    {"overflow", PP_F32, PP_OP_MUL, {F_MAX, F_2}, F_INF},
    {"1 / 3", PP_F32, PP_OP_DIV, {F_1, 0x40400000}, 0x3eaaaaab},
    {"1 / 0", PP_F32, PP_OP_DIV, {F_1, 0}, F_INF},
    {"1 / -0", PP_F32, PP_OP_DIV, {F_1, F_NEG0}, 0xff800000},
    {"0 / 0", PP_F32, PP_OP_DIV, {0, 0}, F_NAN},
    {"min NaN 1", PP_F32, PP_OP_MIN, {F_NAN, F_1}, F_1},
    {"min 1 NaN", PP_F32, PP_OP_MIN, {F_1, F_NAN}, F_NAN},
    {"min -0 0", PP_F32, PP_OP_MIN, {F_NEG0, 0}, 0},
    {"min 0 -0", PP_F32, PP_OP_MIN, {0, F_NEG0}, F_NEG0},
    {"max NaN 1", PP_F32, PP_OP_MAX, {F_NAN, F_1}, F_1},
    {"max 1 NaN", PP_F32, PP_OP_MAX, {F_1, F_NAN}, F_NAN},
    {"max 0 -0", PP_F32, PP_OP_MAX, {0, F_NEG0}, F_NEG0},
    {"max -0 0", PP_F32, PP_OP_MAX, {F_NEG0, 0}, 0},
    {"lt NaN", PP_F32, PP_OP_LT, {F_NAN, F_1}, 0},
    {"lt", PP_F32, PP_OP_LT, {F_NEG1, F_1}, F_1},
    {"eq NaN", PP_F32, PP_OP_EQ, {F_NAN, F_NAN}, 0},
    {"eq 0 -0", PP_F32, PP_OP_EQ, {0, F_NEG0}, F_1},
    {"neg 0", PP_F32, PP_OP_NEG, {0}, F_NEG0},
    {"abs -0", PP_F32, PP_OP_ABS, {F_NEG0}, F_NEG0},
    {"abs -1", PP_F32, PP_OP_ABS, {F_NEG1}, F_1},
    {"sqrt 2", PP_F32, PP_OP_SQRT, {F_2}, 0x3fb504f3},
    {"sqrt -0", PP_F32, PP_OP_SQRT, {F_NEG0}, F_NEG0},
    {"sqrt -1", PP_F32, PP_OP_SQRT, {F_NEG1}, F_NAN},
    {"select NaN", PP_F32, PP_OP_SELECT, {F_NAN, F_1, F_2}, F_1},
    {"select -0", PP_F32, PP_OP_SELECT, {F_NEG0, F_1, F_2}, F_2},
    {"0.1 + 0.2",
     PP_F64,
     PP_OP_ADD,
     {0x3fb999999999999a, 0x3fc999999999999a},
     0x3fd3333333333334},
    {"1 / 3", PP_F64, PP_OP_DIV, {D_1, 0x4008000000000000}, 0x3fd5555555555555},
    {"sqrt 2", PP_F64, PP_OP_SQRT, {1ull << 62}, 0x3ff6a09e667f3bcd},
    {"min NaN 1", PP_F64, PP_OP_MIN, {D_NAN, D_1}, D_1},
    {"abs -0", PP_F64, PP_OP_ABS, {1ull << 63}, 1ull << 63},
    {"neg 0", PP_F64, PP_OP_NEG, {0}, 1ull << 63},
};

static unsigned arity(pp_op op) {
  static const unsigned arities[] = {
#define ARITY(NAME, name, takes) takes,
      PP_OPS(ARITY)
#undef ARITY
  };
  return arities[op];
}

Test(interp, every_operation) {
  for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++) {
    pp_statement statement = {.fold = PP_FOLD_SET};
    open_routine();
    statement.target.node = add_node(ops[k].dtype, 0, NULL, NULL);
    for (unsigned r = 0; r < arity(ops[k].op); r++) {
      statement.read[r].node = add_node(ops[k].dtype, 0, NULL, &ops[k].in[r]);
      statement.step[statement.steps++] =
          (pp_step){.op = PP_OP_LOAD, .read = r};
      statement.reads++;
    }
    statement.step[statement.steps++] = (pp_step){.op = ops[k].op};
    expect(ops[k].what, &statement, &ops[k].out);
  }
}

static const struct {
  const char *what;
  pp_dtype from, to;
  uint64_t in, out;
} loads[] = {
    {"wraps", PP_I64, PP_U8, 0x1fe, 0xfe},
    {"wraps", PP_I64, PP_I32, 0x180000005, 0x80000005},
    {"wraps", PP_I32, PP_U8, 0xffffffff, 255},
    {"no sign", PP_U8, PP_I32, 200, 200},
    {"sign", PP_I32, PP_I64, 0xfffffffe, 0xfffffffffffffffe},
    {"tie to even, down", PP_I32, PP_F32, 16777217, 0x4b800000},
    {"tie to even, up", PP_I32, PP_F32, 16777219, 0x4b800002},
    {"rounded once", PP_I64, PP_F32, 0x7fffffbfffffffff, 0x5effffff},
    {"tie to even", PP_I64, PP_F64, (1ull << 53) + 1, 0x4340000000000000},
    {"the least", PP_I64, PP_F64, 1ull << 63, 0xc3e0000000000000},
    {"no sign", PP_U8, PP_F64, 128, 0x4060000000000000},
    {"255.5", PP_F32, PP_U8, 0x437f8000, 255},
    {"256", PP_F32, PP_U8, 0x43800000, 255},
    {"-0.75", PP_F32, PP_U8, 0xbf400000, 0},
    {"-3", PP_F32, PP_U8, 0xc0400000, 0},
    {"NaN", PP_F32, PP_U8, F_NAN, 0},
    {"inf", PP_F32, PP_U8, F_INF, 255},
    {"2^31", PP_F32, PP_I32, 0x4f000000, 0x7fffffff},
    {"-inf", PP_F32, PP_I32, 0xff800000, 0x80000000},
    {"-1.75", PP_F32, PP_I32, 0xbfe00000, 0xffffffff},
    {"-0", PP_F32, PP_I32, F_NEG0, 0},
    {"2^31 - 0.5", PP_F64, PP_I32, 0x41dfffffffe00000, 0x7fffffff},
    {"-2^31 - 0.5", PP_F64, PP_I32, 0xc1e0000000100000, 0x80000000},
    {"2^63", PP_F64, PP_I64, 0x43e0000000000000, INT64_MAX},
    {"-2^63", PP_F64, PP_I64, 0xc3e0000000000000, 1ull << 63},
    {"below 2^63", PP_F64, PP_I64, 0x43dfffffffffffff, 0x7ffffffffffffc00},
    {"NaN", PP_F64, PP_I64, D_NAN, 0},
    {"1e300", PP_F64, PP_F32, 0x7e37e43c8800759c, F_INF},
    {"0.1", PP_F64, PP_F32, 0x3fb999999999999a, 0x3dcccccd},
    {"tie to even", PP_F64, PP_F32, 0x3ff0000010000000, F_1},
    {"above the tie", PP_F64, PP_F32, 0x3ff0000010000001, 0x3f800001},
    {"2^-150", PP_F64, PP_F32, 0x3690000000000000, 0},
    {"subnormal", PP_F32, PP_F64, 1, 0x36a0000000000000},
    {"-0", PP_F32, PP_F64, F_NEG0, 1ull << 63},
    {"NaN", PP_F32, PP_F64, F_NAN, D_NAN},
};

Test(interp, every_conversion) {
  for (size_t k = 0; k < sizeof loads / sizeof loads[0]; k++) {
    pp_statement statement = {.reads = 1, .steps = 1};
    open_routine();
    statement.target.node = add_node(loads[k].to, 0, NULL, NULL);
    statement.read[0].node = add_node(loads[k].from, 0, NULL, &loads[k].in);
    expect(loads[k].what, &statement, &loads[k].out);
  }
}

static const struct {
  pp_dtype dtype;
  pp_fold fold;
  uint64_t d, v, out;
} folds[] = {
    {PP_U8, PP_FOLD_SET, 250, 10, 10},
    {PP_U8, PP_FOLD_ADD, 250, 10, 4},
    {PP_I32, PP_FOLD_MUL, 0xffffffff, 3, 0xfffffffd},
    {PP_I64, PP_FOLD_MIN, 1, UINT64_MAX, UINT64_MAX},
    {PP_I64, PP_FOLD_MAX, 1, UINT64_MAX, 1},
    {PP_F32, PP_FOLD_MIN, F_NAN, F_1, F_1},
    {PP_F32, PP_FOLD_MIN, F_1, F_NAN, F_NAN},
    {PP_F32, PP_FOLD_MAX, 0, F_NEG0, F_NEG0},
    {PP_F32, PP_FOLD_MUL, F_1, F_NEG0, F_NEG0},
    {PP_F64, PP_FOLD_ADD, 1ull << 63, 1ull << 63, 1ull << 63},
};

Test(interp, every_fold) {
  for (size_t k = 0; k < sizeof folds / sizeof folds[0]; k++) {
    pp_statement statement = {.fold = folds[k].fold, .steps = 1};
    open_routine();
    statement.target.node = add_node(folds[k].dtype, 0, NULL, &folds[k].d);
    statement.step[0] = (pp_step){.op = PP_OP_LIT, .bits = folds[k].v};
    expect("fold", &statement, &folds[k].out);
  }
}

/* (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 when it is contracted. */
Test(interp, nothing_is_contracted) {
  const uint64_t in[] = {0x3f800800, 0x3f801000};
  const uint64_t out = 0;
  pp_statement statement = {.reads = 3, .steps = 5};
  open_routine();
  statement.target.node = add_node(PP_F32, 0, NULL, NULL);
  statement.read[0].node = statement.read[1].node =
      add_node(PP_F32, 0, NULL, &in[0]);
  statement.read[2].node = add_node(PP_F32, 0, NULL, &in[1]);
  statement.step[1].read = 1;
  statement.step[2].op = PP_OP_MUL;
  statement.step[3].read = 2;
  statement.step[4].op = PP_OP_SUB;
  expect("a * a - b", &statement, &out);
}

/* What is added to 1e8 alone is lost. */
Test(interp, sums_in_row_major_order) {
  const uint64_t terms[] = {0x4cbebc20, F_1, 0xccbebc20, F_1};
  const uint64_t dims[] = {2, 2};
  const uint64_t by_rows = F_1;    /* ((1e8 + 1) - 1e8) + 1 */
  const uint64_t by_columns = F_2; /* ((1e8 - 1e8) + 1) + 1 */
  for (int turned = 0; turned < 2; turned++) {
    pp_statement statement = {.axes = 3, .fold = PP_FOLD_ADD, .reads = 1};
    const uint64_t one[] = {1};
    open_routine();
    statement.extent[0] = statement.extent[2] = 2;
    statement.extent[1] = 1; /* the target's, between the two reductions */
    statement.target.node = add_node(PP_F32, 1, one, NULL);
    statement.target.index[0].scale[1] = 1;
    statement.read[0].node = add_node(PP_F32, 2, dims, terms);
    statement.read[0].index[turned].scale[0] = 1;
    statement.read[0].index[1 - turned].scale[2] = 1;
    statement.steps = 1;
    expect("sum", &statement, turned ? &by_columns : &by_rows);
  }
}

static const struct {
  const char *what;
  unsigned axes;
  pp_fold fold;
  uint64_t extent[2];
  uint64_t to[2], from[2]; /* dims */
  pp_index target[2], read[2];
  uint64_t out[MOST];
} walks[] = {
    {"transposed",
     2,
     PP_FOLD_SET,
     {3, 2},
     {3, 2},
     {2, 3},
     {{0, {1, 0}}, {0, {0, 1}}},
     {{0, {0, 1}}, {0, {1, 0}}},
     {10, 13, 11, 14, 12, 15}},
    {"reversed, every second, shifted",
     1,
     PP_FOLD_SET,
     {3},
     {1, 6},
     {6, 1},
     {{0, {0}}, {5, {-2}}},
     {{1, {1}}, {0, {0}}},
     {0, 13, 0, 12, 0, 11}},
    {"broadcast",
     2,
     PP_FOLD_SET,
     {2, 2},
     {2, 2},
     {1, 2},
     {{0, {1, 0}}, {0, {0, 1}}},
     {{0, {0, 0}}, {0, {1, 0}}},
     {10, 10, 11, 11}},
    {"window of three",
     2,
     PP_FOLD_ADD,
     {2, 3},
     {2, 1},
     {4, 1},
     {{0, {1, 0}}, {0, {0, 0}}},
     {{0, {1, 1}}, {0, {0, 0}}},
     {33, 36}},
    {"greatest of a column",
     2,
     PP_FOLD_MAX,
     {2, 2},
     {1, 2},
     {2, 2},
     {{0, {0, 0}}, {0, {0, 1}}},
     {{0, {1, 0}}, {0, {0, 1}}},
     {12, 13}},
};

/* The read node counts up from 10. */
Test(interp, indices) {
  const uint64_t count[] = {10, 11, 12, 13, 14, 15};
  for (size_t k = 0; k < sizeof walks / sizeof walks[0]; k++) {
    pp_statement statement = {.axes = walks[k].axes, .fold = walks[k].fold};
    open_routine();
    memcpy(statement.extent, walks[k].extent, sizeof walks[k].extent);
    statement.target.node = add_node(PP_I32, 2, walks[k].to, NULL);
    statement.read[0].node = add_node(PP_I32, 2, walks[k].from, count);
    memcpy(statement.target.index, walks[k].target, sizeof walks[k].target);
    memcpy(statement.read[0].index, walks[k].read, sizeof walks[k].read);
    statement.reads = statement.steps = 1;
    expect(walks[k].what, &statement, walks[k].out);
  }
}

Test(interp, no_points_change_nothing) {
  const uint64_t two[] = {2};
  const uint64_t before[] = {5, 6};
  pp_statement statement = {
      .axes = 2, .extent = {2, 0}, .fold = PP_FOLD_ADD, .steps = 1};
  open_routine();
  statement.target.node = add_node(PP_I64, 1, two, before);
  statement.target.index[0].scale[0] = 1;
  statement.step[0] = (pp_step){.op = PP_OP_LIT, .bits = 7};
  expect("no points", &statement, before);
}

/* c = a b of 2 x 2, the reduction the slowest axis. */
Test(interp, matrix_product) {
  const uint64_t dims[] = {2, 2};
  const uint64_t a[] = {1, 2, 3, 4};
  const uint64_t b[] = {5, 6, 7, 8};
  const uint64_t c[] = {19, 22, 43, 50};
  pp_statement statement = {.axes = 3, .extent = {2, 2, 2}};
  open_routine();
  statement.fold = PP_FOLD_ADD;
  statement.target.node = add_node(PP_I64, 2, dims, NULL);
  statement.target.index[0].scale[1] = statement.target.index[1].scale[2] = 1;
  statement.read[0].node = add_node(PP_I64, 2, dims, a);
  statement.read[0].index[0].scale[1] = statement.read[0].index[1].scale[0] = 1;
  statement.read[1].node = add_node(PP_I64, 2, dims, b);
  statement.read[1].index[0].scale[0] = statement.read[1].index[1].scale[2] = 1;
  statement.reads = 2;
  statement.steps = 3;
  statement.step[1].read = 1;
  statement.step[2].op = PP_OP_MUL;
  expect("a b", &statement, c);
}

Test(interp, same_values) {
  const uint32_t nans[] = {F_1, F_NAN, 0xffc00001, 0};
  const uint32_t others[] = {F_1, 0xff800001, F_NAN, F_NEG0};
  uint64_t first = 9;
  cr_expect(pp_same_values(PP_F32, nans, others, 3, &first));
  cr_expect_eq(first, 9);
  cr_expect_not(pp_same_values(PP_F32, nans, others, 4, &first));
  cr_expect_eq(first, 3);
  cr_expect_not(pp_same_values(PP_F32, nans, nans + 1, 1, NULL));
  cr_expect_not(pp_same_values(PP_F32, nans + 1, nans, 1, NULL));
  cr_expect_not(pp_same_values(PP_I32, nans, others, 4, &first));
  cr_expect_eq(first, 1);
}
