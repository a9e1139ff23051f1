#include "routine.h"

#include "routines.h"
#include "same_routine.h"
#include "support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Whole texts. */
static const struct {
  const char *text;
  const char *sentence;
} faults[] = {
    {"", "line 1, column 1: 'routine' and a name is missing"},
    {"# nothing\n\n", "line 3, column 1: 'routine' and a name is missing"},
    {"\n  routin r\n",
     "line 2, column 3: 'routin' where 'routine' and a name should be"},
    {"routine\n", "line 1, column 8: the routine's name is missing"},
    {"routine 7\n", "line 1, column 9: '7' where the routine's name should be"},
    {"routine r s\n",
     "line 1, column 11: 's' where the end of the line should be"},
    {"routine r", "line 1, column 10: the routine's 'end' is missing"},
    {"routine r\n# no end\n",
     "line 3, column 1: the routine's 'end' is missing"},
    {"routine r\nend end\n",
     "line 2, column 5: 'end' where the end of the line should be"},
    {"routine r\nend\n\n x\n",
     "line 4, column 2: 'x' where nothing more after the routine's end should "
     "be"},
    {"routine r\nnode\nend\n", "line 2, column 5: the node's uid is missing"},
    {"routine r\nnode -1 a u8 []\nend\n",
     "line 2, column 6: '-' where the node's uid should be"},
    {"routine r\nnode 1e3 a u8 []\nend\n",
     "line 2, column 6: '1e3' where the node's uid should be"},
    {"routine r\nnode 18446744073709551616 a u8 []\nend\n",
     "line 2, column 6: the node's uid is above 2^64 - 1"},
    {"routine r\nnode 1 a234567890123456789012345678901z u8 []\nend\n",
     "line 2, column 8: the label has 32 letters, at most 31 may be"},
    {"routine r\nnode 1 a f33 []\nend\n",
     "line 2, column 10: 'f33' where a dtype should be"},
    {"routine r\nnode 1 a f32\nend\n", "line 2, column 13: '[' is missing"},
    {"routine r\nnode 1 a f32 [,]\nend\n",
     "line 2, column 15: ',' where a dimension should be"},
    {"routine r\nnode 1 a f32 [1 2]\nend\n",
     "line 2, column 17: '2' where ']' should be"},
    {"routine r\nnode 1 a f32 [1, 2, 3, 4, 5]\nend\n",
     "line 2, column 27: more than 4 dimensions"},
    {"routine r\nnode 1 a f32 [4294967296, 4294967296]\nend\n",
     "line 2, column 8: node a: its bytes do not fit 63 bits"},
    {"routine r\nnode 1 a f32 [] host merge\nend\n",
     "line 2, column 8: node a: a merge node has no other intent"},
    {"routine r\nnode 1 a f32 [] host host\nend\n",
     "line 2, column 22: 'host' stands twice"},
    {"routine r\nnode 1 a f32 [] span 3\nend\n",
     "line 2, column 23: the span's last statement is missing"},
    {"routine r\nnode 1 a f32 [] data 1 span 0 0\nend\n",
     "line 2, column 24: more data than the node's 1 elements"},
    {"routine r\nnode 1 a f32 [2] data 12\nend\n",
     "line 2, column 25: the data end after 1 of 2 elements"},
    {"routine r\nnode 1 a f32 [2] data 1 2 3\nend\n",
     "line 2, column 27: more data than the node's 2 elements"},
    {"routine r\nnode 1 a f32 [2] data 1 x\nend\n",
     "line 2, column 25: 'x' where a number should be"},
    {"routine r\nnode 1 a f32 [9] data 1 2\nend\n",
     "line 2, column 23: fewer data than the node's 9 elements"},
    {"routine r\nnode 1 a u8 [9223372036854775807] data 1\nend\n",
     "line 2, column 40: fewer data than the node's 9223372036854775807 "
     "elements"},
    {"routine r\nnode 1 a u8 [16777217] data fill 1\nend\n",
     "line 2, column 34: 'data fill' may ask for 16777216 bytes in a routine, "
     "all together"},
    {"routine r\nnode 1 a u8 [16777216] data fill 1\nnode 2 b u8 [1] data fill "
     "1\nend\n",
     "line 3, column 27: 'data fill' may ask for 16777216 bytes in a routine, "
     "all together"},
    {"routine r\nnode 1 a u8 []\na = 1\nnode 2 b u8 []\nend\n",
     "line 4, column 1: nodes come before all statements"},
    {"routine r\nnode 1 a u8 []\nnode 2 a u8 []\nend\n",
     "line 3, column 1: node a: an earlier node has the same label, uid 2"},
    {"routine r\nnode 1 a u8 []\nnode 1 b u8 []\nend\n",
     "line 3, column 1: node b: an earlier node has the same uid 1"},
};

Test(routine_text, faults_of_lines) {
  for (size_t k = 0; k < COUNT(faults); k++)
    pp_must_refuse(faults[k].text, strlen(faults[k].text), PP_BAD_ROUTINE,
                   faults[k].sentence);
}

#define HEAD                                                                   \
  "routine r\nnode 1 a f32 [4]\nnode 2 m f32 [4, 4]\nnode 3 n i32 []\nnode 4 " \
  "s f32 []\n"

/* One statement each, on line 6. */
static const struct {
  const char *statement;
  size_t column;
  const char *words;
} wrong[] = {
    {"for : a[0] = 1", 5, "':' where the name of a loop should be"},
    {"for i=4: a[0] = 1", 6, "'=' where '<' should be"},
    {"for i<x: a[0] = 1", 7, "'x' where how often the loop runs should be"},
    {"for i<4, i<2: a[0] = 1", 10, "two loops of one name"},
    {"for i<4 a[i] = 1", 9, "'a' where ':' should be"},
    {"for i<1,j<1,k<1,l<1,m<1,n<1,o<1: s += 1", 29, "more than 6 loops"},
    {"for i<4: b[i] = 1", 10, "there is no such node"},
    {"for i<4: a[j] = 1", 12, "there is no such loop"},
    {"for i<4: a[i*2] = 1", 13, "'*' where ']' should be"},
    {"for i<4: a[2*2] = 1", 14,
     "'2' where a loop's name or a number should be"},
    {"a[] = 1", 1, "node a has 1 dimensions, not 0"},
    {"a = 1", 1, "node a has 1 dimensions, not 0"},
    {"a[0, 0] = 1", 1, "node a has 1 dimensions, not 2"},
    {"a[0, 0, 0, 0, 0] = 1", 15, "more than 4 indices"},
    {"a[9223372036854775808] = 1", 3, "the index passes 64 bits"},
    {"a[9223372036854775807 + 1] = 1", 25, "the index passes 64 bits"},
    {"a[0 - 9223372036854775809] = 1", 7, "the index passes 64 bits"},
    {"s 1", 3, "'1' where a fold (= += *= min= max=) should be"},
    {"s min = 1", 3, "'min' where a fold (= += *= min= max=) should be"},
    {"s", 2, "a fold (= += *= min= max=) is missing"},
    {"s =", 4, "a value is missing"},
    {"s = 1 2", 7, "'2' where the end of the line should be"},
    {"s = (1", 7, "')' is missing"},
    {"s = max(1)", 10, "')' where ',' should be"},
    {"s = max(1, 2, 3)", 13, "',' where ')' should be"},
    {"s = foo(1)", 5, "'foo' where a function should be"},
    {"s = load(1)", 5, "'load' where a function should be"},
    {"s = neg(1)", 5, "'neg' where a function should be"},
    {"s = 1 +* 2", 8, "'*' where a value should be"},
    {"s = 1..2", 5, "the f32 literal is not a number"},
    {"s = 1e", 5, "the f32 literal is not a number"},
    {"s = 1e39", 5, "the f32 literal is out of the range of its dtype"},
    {"n = 1.0", 5,
     "the i32 literal is not a whole number, which an integer dtype needs"},
    {"n = -2147483649", 6, "the i32 literal is out of the range of its dtype"},
    {"s = nan(1)", 9,
     "the f32 literal is not 0x and a bit pattern of the dtype"},
    {"s = nan(0x1)", 9, "the f32 literal is not a NaN's bit pattern"},
    {"s = nan(0x1ffffffff)", 9,
     "the f32 literal is not 0x and a bit pattern of the dtype"},
    {"s = nan(x)", 9, "'x' where a NaN's bit pattern should be"},
    {"n = inf", 5,
     "the i32 literal is not a whole number, which an integer dtype needs"},
    {"s = \x7f", 5, "byte 0x7f where a value should be"},
    {"s = (((((((((1)))))))))+(1+(1+(1+(1+(1+(1+(1+1)))))))", 46,
     "more than 8 values at one time"},
    {"s = -(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(1", 5,
     "')' is missing"},
    {"s = a[0]+a[1]+a[2]+a[3]+m[0,0]+m[0,1]+m[0,2]+m[0,3]+m[1,0]", 53,
     "more than 8 reads"},
    {"s = 1+1+1+1+1+1+1+1+1+1+1+1+1", 28, "more than 24 operations"},
};

Test(routine_text, faults_of_statements) {
  for (size_t k = 0; k < COUNT(wrong); k++) {
    char text[400];
    char sentence[300];
    size_t column = wrong[k].column;
    if (strstr(wrong[k].words, "is missing"))
      column = strlen(wrong[k].statement) + 1;
    (void)snprintf(text, sizeof text, HEAD "%s\nend\n", wrong[k].statement);
    (void)snprintf(sentence, sizeof sentence, "line 6, column %zu: %s", column,
                   wrong[k].words);
    pp_must_refuse(text, strlen(text), PP_BAD_ROUTINE, sentence);
  }
}

Test(routine_text, faults_of_bytes) {
  static const char zero[] = "routine r\0\nend\n";
  static const char high[] = "routine r\nend\n\xff";
  enum { DEEP = 100000 };
  pp_must_refuse(zero, sizeof zero - 1, PP_BAD_ROUTINE,
                 "line 1, column 10: byte 0x00 where the end of the line "
                 "should be");
  pp_must_refuse(high, sizeof high - 1, PP_BAD_ROUTINE,
                 "line 3, column 1: byte 0xff where nothing more after the "
                 "routine's end should be");
  pp_must_refuse(NULL, 0, PP_BAD_ROUTINE,
                 "line 1, column 1: 'routine' and a name is missing");
  static const char *const deep[] = {"(", "-", "abs("};
  for (size_t k = 0; k < COUNT(deep); k++) {
    static char text[5 * DEEP];
    char sentence[100];
    size_t length = (size_t)snprintf(text, sizeof text, HEAD "s = ");
    for (size_t n = 0; n < DEEP; n++, length += strlen(deep[k]))
      memcpy(text + length, deep[k], strlen(deep[k]));
    (void)snprintf(sentence, sizeof sentence,
                   "line 6, column %zu: nested deeper than 64 levels",
                   5 + 64 * strlen(deep[k]));
    pp_routine *routine = NULL;
    pp_failure failure = {.text = ""};
    cr_expect_eq(pp_routine_parse(text, length, &routine, &failure),
                 PP_BAD_ROUTINE);
    cr_expect_str_eq(failure.text, sentence);
  }
}

/* An expression, and how it is printed; NULL: the same. */
static const struct {
  const char *text;
  const char *printed;
} expressions[] = {
    {"1 + 2 * 3 - 4", NULL},
    {"1 - (2 - 3)", NULL},
    {"(1 - 2) - 3", "1 - 2 - 3"},
    {"1 + (2 + 3)", NULL},
    {"(1 + 2) * 3", NULL},
    {"8 / (2 / 2)", NULL},
    {"8 / (2 * 2)", NULL},
    {"8 / 2 / 2", NULL},
    {"-a[0] * s[]", NULL},
    {"-(a[0] * s)", "-(a[0] * s[])"},
    {"-1 * a[1]", NULL},
    {"-(1) * a[1]", NULL},
    {"- 1", "-1"},
    {"--1", "-(-1)"},
    {"---s", "-(-(-s[]))"},
    {"s - -1", "s[] - -1"},
    {"s--s", "s[] - -s[]"},
    {"2*-s", "2 * -s[]"},
    {"1-1", "1 - 1"},
    {"max(1, min(a[0], 2) + 1)", NULL},
    {"select(lt(s[], 0), -s[], sqrt(abs(s[])))", NULL},
    {"eq(n[], 3)", NULL},
    {"((((m[1, 2]))))", "m[1, 2]"},
    {"(((((((((((((((((((((1))))))))))))))))))))) * "
     "(((((((((((((((((((((2))))))))))))))))))))) * "
     "(((((((((((((((((((((3))))))))))))))))))))) * "
     "(((((((((((((((((((((4)))))))))))))))))))))",
     "1 * 2 * 3 * 4"},
    {"m[3 - 1, 0 + 2]", "m[2, 2]"},
    {"m[0-0,00]", "m[0, 0]"},
    {"a[0] * a[1] + a[0]", NULL},
    {"0.5 + .5 + 5e-1 + 0x1p-1", "0.5 + 0.5 + 0.5 + 0.5"},
    {"0.1 + 16777217 + 1e-45", "0.1 + 0x1p+24 + 1.4013e-45"},
    {"3.14159274", "0x1.921fb6p+1"},
    {"-0 + 0", NULL},
    {"inf - -inf", NULL},
    {"nan + nan(0x7fc00000)", "nan + nan"},
    {"-nan + nan(0xffc00001) + nan(0x7f800001)",
     "nan(0xffc00000) + nan(0xffc00001) + nan(0x7f800001)"},
    {"1 # a comment", "1"},
    {"\t1\r", "1"},
};

Test(routine_text, expressions) {
  for (size_t k = 0; k < COUNT(expressions); k++) {
    char text[400];
    const char *printed = expressions[k].printed;
    if (!printed) printed = expressions[k].text;
    (void)snprintf(text, sizeof text, HEAD "s = %s\nend\n",
                   expressions[k].text);
    pp_routine *routine = pp_must_parse(text);
    char *again = pp_routine_print(routine);
    (void)snprintf(text, sizeof text, HEAD "s[] = %s\nend\n", printed);
    cr_expect_str_eq(again, text, "%s: %s", expressions[k].text, again);
    free(again);
    pp_routine_free(routine);
  }
}

/* Labels that are words of the form elsewhere, and all of its spacing. */
Test(routine_text, words_are_no_keywords_where_labels_are) {
  pp_routine *routine = pp_must_parse(
      "routine end\nnode 1 for u8[ ]observable  data 7\nnode 2 end u8 "
      "[2]\nnode "
      "3 node f32 []\nnode 4 nan f32 []\nnode 5 max f32 []\n\n#c\n"
      "for[]=1#c\n  for for<2 , i<1:end[for]+=for[] # c\nnode[]+=nan[]*inf\n"
      "nan[] max= max[]\nmax=max(max, nan[])\nend[1]=2\nend");
  char *text = pp_routine_print(routine);
  cr_expect_str_eq(
      text, "routine end\nnode 1 for u8 [] observable data 7\nnode 2 end u8 "
            "[2]\nnode 3 node f32 []\nnode 4 nan f32 []\nnode 5 max f32 []\n"
            "for[] = 1\nfor i<2, j<1: end[i] += for[]\nnode[] += nan[] * inf\n"
            "nan[] max= max[]\nmax[] = max(max[], nan[])\nend[1] = 2\nend\n");
  free(text);
  pp_routine_free(routine);
}

/* An index keeps what it is, at the ends of 64 bits too. */
Test(routine_text, indices) {
  static const char text[] =
      "routine r\nnode 1 a f32 [4, 1]\nnode 2 s i64 []\n"
      "for i<4, j<1: a[3 - i, 9223372036854775807*j] = 0.25\n"
      "for i<4, j<1: a[i, -9223372036854775808*j] = 0.25\n"
      "for i<0: a[2*i - 9223372036854775808, -7] = 0.25\n"
      "for i<2, j<1, k<1: s[] += a[2 - 2*i + 3*j - k, 0]\n"
      "end\n";
  pp_routine *routine = pp_must_parse(text);
  cr_expect_eq(routine->statement[0].target.index[0].base, 3);
  cr_expect_eq(routine->statement[0].target.index[0].scale[0], -1);
  cr_expect_eq(routine->statement[0].target.index[1].scale[1], INT64_MAX);
  cr_expect_eq(routine->statement[1].target.index[1].scale[1], INT64_MIN);
  cr_expect_eq(routine->statement[2].target.index[0].base, INT64_MIN);
  char *printed = pp_routine_print(routine);
  cr_expect_str_eq(printed, text);
  free(printed);
  pp_routine_free(routine);
}

/* Print, parse, print: the same routine and the same text. */
static void expect_round(const pp_routine *routine) {
  char *text = pp_routine_print(routine);
  cr_assert_not_null(text);
  pp_routine *again = pp_must_parse(text);
  char *twice = pp_routine_print(again);
  cr_assert(pp_same_routine(routine, again), "%s", text);
  cr_assert_str_eq(text, twice);
  free(twice);
  free(text);
  pp_routine_free(again);
}

Test(routine_text, random_routines) {
  const pp_routine_limits limits = {
      .nodes = 12, .statements = 12, .extent = 5, .wild = true};
  pp_random random;
  pp_random_start(&random, 5, 0);
  for (int k = 0; k < 1000; k++) {
    pp_routine *routine = NULL;
    pp_failure failure = {.text = ""};
    cr_assert_eq(pp_random_routine(&random, &limits, &routine, &failure), PP_OK,
                 "%s", failure.text);
    expect_round(routine);
    pp_routine_free(routine);
  }
}

/* Any bits of a dtype, few of them in half of the draws. */
static uint64_t random_bits(pp_random *random, pp_dtype dtype) {
  uint64_t bits = pp_random_next(random);
  if (pp_random_one_in(random, 2))
    bits &= UINT64_MAX << pp_random_below(random, 64);
  return bits >> (64 - 8 * pp_dtype_bytes(dtype));
}

/* Any postfix expression that fits, with any literals. */
static pp_statement random_expression(pp_random *random, pp_dtype dtype) {
  static const int arity[] = {
#define ARITY(NAME, name, arity) arity,
      PP_OPS(ARITY)
#undef ARITY
  };
  pp_statement statement = {.target = {.node = dtype}};
  unsigned least = 1 + (unsigned)pp_random_below(random, PP_STEPS);
  statement.reads = 2;
  statement.read[1].node = PP_DTYPE_COUNT;
  for (int height = 0; height != 1 || statement.steps < least;) {
    pp_step *step = &statement.step[statement.steps];
    unsigned op = (unsigned)pp_random_below(random, PP_OP_COUNT);
    int after = height - arity[op] + 1;
    if (arity[op] > height || after > PP_DEPTH ||
        (unsigned)after + statement.steps > PP_STEPS ||
        (dtype < PP_F32 && (op == PP_OP_DIV || op == PP_OP_SQRT)))
      continue;
    *step = (pp_step){.op = op, .read = (unsigned)pp_random_below(random, 2)};
    step->bits = random_bits(random, dtype);
    statement.steps++;
    height = after;
  }
  return statement;
}

Test(routine_text, random_expressions) {
  pp_random random;
  pp_random_start(&random, 6, 0);
  for (int k = 0; k < 1000; k++) {
    pp_routine *routine = pp_routine_new("r");
    pp_failure failure = {.text = ""};
    for (unsigned n = 0; n <= PP_DTYPE_COUNT; n++) {
      pp_node node = {.uid = n, .dtype = n % PP_DTYPE_COUNT};
      size_t index = 0;
      (void)snprintf(node.label, sizeof node.label, "n%u", n);
      cr_assert_eq(pp_routine_node(routine, &node, &index, NULL), PP_OK);
    }
    for (unsigned dtype = 0; dtype < PP_DTYPE_COUNT; dtype++) {
      pp_statement statement = random_expression(&random, dtype);
      statement.read[0].node = dtype;
      cr_assert_eq(pp_routine_statement(routine, &statement, &failure), PP_OK,
                   "%s", failure.text);
    }
    cr_assert_eq(pp_routine_seal(routine, &failure), PP_OK, "%s", failure.text);
    expect_round(routine);
    pp_routine_free(routine);
  }
}

static void random_words(pp_random *random, uint64_t *to, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = pp_random_next(random);
}

/* Data: any bits of any dtype, listed or filled, and 16 MiB of fills. */
Test(routine_text, data) {
  enum { ELEMENTS = 40 };
  pp_random random;
  pp_random_start(&random, 7, 0);
  for (unsigned k = 0; k < 200; k++) {
    uint64_t data[ELEMENTS] = {0};
    pp_routine *routine = pp_routine_new("r");
    pp_node node = {.label = "a", .dtype = k % PP_DTYPE_COUNT, .rank = 1};
    size_t index = 0;
    node.dims[0] = pp_random_below(&random, ELEMENTS);
    node.data = data;
    if (k % 3 != 0) random_words(&random, data, ELEMENTS);
    cr_assert_eq(pp_routine_node(routine, &node, &index, NULL), PP_OK);
    cr_assert_eq(pp_routine_seal(routine, NULL), PP_OK);
    expect_round(routine);
    pp_routine_free(routine);
  }
  pp_routine *routine = pp_must_parse(
      "routine r\nnode 1 a u8 [16777215] data fill 7\nnode 2 b u8 [2] data 3 "
      "3\nnode 3 c u8 [1] data fill 255\nnode 4 d f64 [0] data\nend\n");
  char *text = pp_routine_print(routine);
  cr_expect_str_eq(
      text, "routine r\nnode 1 a u8 [16777215] data fill 7\nnode 2 b u8 [2] "
            "data 3 3\nnode 3 c u8 [1] data 255\nnode 4 d f64 [0] data\nend\n");
  free(text);
  expect_round(routine);
  cr_expect_eq(((const uint8_t *)routine->node[0].data)[16777214], 7);
  pp_routine_free(routine);
}

Test(routine_text, only_sealed_ones_print) {
  pp_routine *routine = pp_routine_new("r");
  cr_expect_null(pp_routine_print(routine));
  pp_routine_free(routine);
}

static pp_routine *parse_file(const char *path) {
  static char text[1 << 16];
  FILE *in = fopen(path, "rb");
  cr_assert_not_null(in, "%s", path);
  size_t size = fread(text, 1, sizeof text - 1, in);
  text[size] = '\0';
  (void)fclose(in);
  cr_expect_not_null(strstr(text, "# poolproof-backend: "), "%s", path);
  return pp_must_parse(text);
}

Test(routine_text, corpus) {
  const char *source = getenv("PP_SOURCE");
  char folder[1000];
  char path[2000];
  size_t files = 0;
  cr_assert_not_null(source);
  (void)snprintf(folder, sizeof folder, "%s/corpus/routines", source);
  DIR *open = opendir(folder);
  cr_assert_not_null(open);
  for (const struct dirent *entry = readdir(open); entry;
       entry = readdir(open)) {
    if (!strstr(entry->d_name, ".ppr")) continue;
    (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    pp_routine *routine = parse_file(path);
    expect_round(routine);
    pp_routine_free(routine);
    files++;
  }
  (void)closedir(open);
  cr_expect_gt(files, 5);
  pp_expect_no_leak();
}
