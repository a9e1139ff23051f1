#include "routine.h"

#include "support.h"

#include <stdio.h>
#include <stdlib.h>

/* Whole texts. */
static const struct {
  const char *text;
  const char *sentence;
} faults[] = {
    {"", "line 1, column 1: 'routine' and a name are missing"},
    {"# nothing\n\n", "line 3, column 1: 'routine' and a name are missing"},
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
     "line 2, column 10: 'f33' is no dtype; u8, i32, i64, f32, f64 are"},
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
     "line 2, column 23: the span's last position is missing"},
    {"routine r\nnode 1 a f32 [] data 1 span 0 0\nend\n",
     "line 2, column 24: 'span' where the end of the line should be"},
    {"routine r\nnode 1 a f32 [2] data 12\nend\n",
     "line 2, column 25: values given: 1, wanted: 2"},
    {"routine r\nnode 1 a f32 [2] data 1 2 3\nend\n",
     "line 2, column 27: values given: 3, wanted: 2"},
    {"routine r\nnode 1 a f32 [2] data 1 x\nend\n",
     "line 2, column 25: 'x' where a number should be"},
    {"routine r\nnode 1 a f32 [9] data 1 2\nend\n",
     "line 2, column 26: values given: 2, wanted: 9"},
    {"routine r\nnode 1 a u8 [9223372036854775807] data 1\nend\n",
     "line 2, column 41: values given: 1, wanted: 9223372036854775807"},
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
     "line 3, column 1: node 2 a: node 1 has the same label"},
    {"routine r\nnode 1 a u8 []\nnode 1 b u8 []\nend\n",
     "line 3, column 1: node 1 b: node a has the same uid"},
    {"routine r\nnode 1 a u8 []\nnode 2 a u8 [2]\na[3] = q\nend\n",
     "line 3, column 1: node 2 a: node 1 has the same label"},
    {"routine r\nnode 1 a u8 []\nnode 2 b u8 []\nnode 3 a u8 []\n"
     "node 4 b u8 []\nend\n",
     "line 4, column 1: node 3 a: node 1 has the same label"},
    {"routine r\nnode 1 a f32 [] hosted\nend\n",
     "line 2, column 17: 'hosted' where an intent (observable, constant, host, "
     "merge), span, data or the end of the line should be"},
    {"routine r\nnode 1 a f32 [] span 0 1 host\nend\n",
     "line 2, column 26: 'host' where data or the end of the line should be"},
    {"routine r\nnode 1 a f32 [] data\nend\n",
     "line 2, column 21: values given: 0, wanted: 1"},
    {"routine r\nnode 1 a f32 [] data fill\nend\n",
     "line 2, column 26: the value of 'data fill' is missing"},
    {"routine r\nnode 1 a f32 [] data fill 1 2\nend\n",
     "line 2, column 29: '2' where the end of the line should be"},
    {"routine r\nnode 1 a f32 [9] data 1 x\nend\n",
     "line 2, column 25: 'x' where a number should be"},
    {"routine r\nnode 1 a 32 []\nend\n",
     "line 2, column 10: '32' where a dtype should be"},
    {"routine r\n Node 1 a f32 []\nend\n",
     "line 2, column 2: 'Node' begins neither node, statement nor end"},
    {"routine r\nEND\n",
     "line 2, column 1: 'END' begins neither node, statement nor end"},
    {"\xef\xbb\xbfroutine 7\nend\n",
     "line 1, column 9: '7' where the routine's name should be"},
    {"\xef\xbbroutine r\nend\n",
     "line 1, column 1: byte 0xef where 'routine' and a name should be"},
};

Test(routine_text, faults_of_lines) {
  for (size_t k = 0; k < COUNT(faults); k++)
    pp_must_refuse(faults[k].text, strlen(faults[k].text), PP_BAD_ROUTINE,
                   faults[k].sentence);
}

#define NO_FUNCTION                                                            \
  " is no function; min, max, lt, eq, abs, sqrt, select, keep, again, sum, "   \
  "product, least and greatest are"

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
    {"for i<x: a[0] = 1", 7, "an extent, a whole number, is wanted after '<'"},
    {"for i<=8: a[i] = 1", 7, "an extent, a whole number, is wanted after '<'"},
    {"for i<1e3: a[0] = 1", 7, "'1e3' where an extent should be"},
    {"for i<4, i<2: a[0] = 1", 10, "two loops of one name"},
    {"for i<4 a[i] = 1", 9, "'a' where ':' should be"},
    {"for i<1,j<1,k<1,l<1,m<1,n<1,o<1: s += 1", 29, "more than 6 loops"},
    {"for i<4: b[i] = 1", 10, "there is no node 'b'"},
    {"for i<4: a[i] = i", 17, "'i' is a loop, not a value"},
    {"for i<4: i = 1", 10, "'i' is a loop, not a value"},
    {"for i<4: a[i] = q234567890123456789012345678901z", 17,
     "there is no node 'q234567890123456789012345678901'"},
    {"fro i<4: a[i] = 1", 1, "'fro' begins neither node, statement nor end"},
    {"fro", 1, "'fro' begins neither node, statement nor end"},
    {"fro 1", 1, "'fro' begins neither node, statement nor end"},
    {"1 s = 1", 1, "'1' where a node's label should be"},
    {"fro[1] = 1", 1, "there is no node 'fro'"},
    {"fro += 1", 1, "there is no node 'fro'"},
    {"fro min= 1", 1, "there is no node 'fro'"},
    {"for i<4: a[j] = 1", 12, "there is no loop 'j'"},
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
    {"s = foo(1)", 5, "'foo'" NO_FUNCTION},
    {"s = load(1)", 5, "'load'" NO_FUNCTION},
    {"s = neg(1)", 5, "'neg'" NO_FUNCTION},
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
    {"barrier s = 1", 9, "'s' where the end of the line should be"},
    {"barrier = 1", 9, "'=' where the end of the line should be"},
    {"opaque also s = 1", 8, "there is no node 'also'"},
    {"also barrier", 6, "there is no node 'barrier'"},
    {"for i<2: also a[i] = 1", 10, "there is no node 'also'"},
    {"s = sum(0)", 10, "')' where 'for' should be"},
    {"s = sum(0, 1)", 10, "',' where 'for' should be"},
    {"s = sum(0 for : 1)", 15, "':' where the name of a loop should be"},
    {"s = sum(0 for k<2)", 18, "')' where ':' should be"},
    {"s = sum(0 for k<2: )", 20, "')' where a value should be"},
    {"s = sum(0 for k<2: a[k]", 24, "')' is missing"},
    {"s = sum(0 for k<2, k<2: 1)", 20, "two loops of one name"},
    {"for i<4: a[i] = sum(0 for i<2: 1)", 27, "two loops of one name"},
    {"s = sum(0 for k<2: sum(0 for k<2: 1))", 30, "two loops of one name"},
    {"s = sum(a[k] for k<2: 1)", 11, "there is no loop 'k'"},
    {"s = sum(0 for k<2: 1) + k", 25, "there is no node 'k'"},
    {"s = sum(0 for k<2: 1) + a[k]", 27, "there is no loop 'k'"},
    {"s = sum(0 for a<1,b<1,c<1,d<1,e<1,f<1,g<1: 1)", 39, "more than 6 loops"},
    {"for i<4: a[i] = sum(0 for b<1,c<1,d<1,e<1,f<1,g<1: 1)", 27,
     "more than 6 loops"},
    {"s = sum(0 for b<1,c<1,d<1: sum(0 for e<1,f<1,g<1,h<1: 1))", 38,
     "more than 6 loops"},
    {"s = add(0 for k<2: 1)", 5, "'add'" NO_FUNCTION},
    {"s = loop(1)", 5, "'loop'" NO_FUNCTION},
    {"s = next(1, 2)", 5, "'next'" NO_FUNCTION},
    {"s = keep(1)", 11, "')' where ',' should be"},
    {"s = keep(s, 1)", 10, "'s' where a slot's number should be"},
    {"s = keep(4, 1)", 5, "slots are numbered 0 to 3"},
    {"s = again(4294967296)", 5, "slots are numbered 0 to 3"},
    {"s = again()", 11, "')' where a slot's number should be"},
    {"s = keep(0, 1) + again(1)", 18, "slot 1 remembers nothing"},
    {"s = again(0) + keep(0, 1)", 5, "slot 0 remembers nothing"},
    {"s = sum(0 for k<2: keep(0, 1)) + again(0)", 34,
     "slot 0 remembers nothing"},
    {"s = keep(0, 1) + sum(0 for k<2: keep(0, 1))", 33,
     "slot 0 remembers a value from outside the loop"},
    {"s = 1+(1+(1+(1+(1+(1+(1+sum(1 for k<2: 1)))))))", 40,
     "more than 8 values at one time"},
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
                 "line 1, column 1: 'routine' and a name are missing");
  static const char *const deep[] = {"(", "-", "abs(", "sum("};
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
    {"sum(0 for i<4: a[i])", NULL},
    {"-product(1 + 1 for x<2, y<3 : m[x,y] + 1) * 2",
     "-product(1 + 1 for i<2, j<3: m[i, j] + 1) * 2"},
    {"least(inf for i<4: a[i]) - greatest(-inf for i<4: -a[3 - i])", NULL},
    {"sum(0 for k<4: a[k]) + sum(0 for l<4: a[l])",
     "sum(0 for i<4: a[i]) + sum(0 for i<4: a[i])"},
    {"sum(0 for k<4: 1) + sum(0 for k<3, l<4: 1) + sum(0 for l<4, k<3: 1)",
     "sum(0 for i<4: 1) + sum(0 for j<3, k<4: 1) + sum(0 for i<4, j<3: 1)"},
    {"sum(0 for i<4: sum(a[i] for j<4: m[i, j])) + "
     "sum(0 for k<4, l<4: m[k, l])",
     "sum(0 for i<4: sum(a[i] for j<4: m[i, j])) + "
     "sum(0 for i<4, j<4: m[i, j])"},
    {"sum(sum(0 for i<2: a[i]) for i<2: a[i])", NULL},
    {"sum(0 for i<0: m[9, 9 - i])", NULL},
    {"keep(3, a[0] + 1) * again(3)", NULL},
    {"keep ( 0 , -1 )+sum(again(0)for i<2:keep(1,a[i])*again(1)+again(0))",
     "keep(0, -1) + sum(again(0) for i<2: keep(1, a[i]) * again(1) + "
     "again(0))"},
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

Test(routine_text, words_before_statements) {
  static const char text[] =
      "routine r\nnode 1 barrier f32 [2]\nnode 2 opaque f32 []\n"
      "node 3 also f32 []\nnode 4 sum f32 []\nnode 5 keep f32 []\n"
      "opaque[] = 1\nbarrier\nalso[] = sum[]\nalso also[] = keep[]\n"
      "barrier[1] = 1\nopaque opaque[] = 1\n"
      "opaque for i<2: barrier[i] = sum(sum[] for j<3: keep(0, keep[]))\n"
      "for i<2: barrier[i] = 1\nalso for i<2: barrier[i] += 1\n"
      "barrier\nend\n";
  pp_routine *routine = pp_must_parse(text);
  char *printed = pp_routine_print(routine);
  cr_expect_str_eq(printed, text);
  cr_expect_eq(routine->positions, 8);
  free(printed);
  pp_routine_free(routine);
  routine = pp_must_parse("\xef\xbb\xbfroutine r\nnode 4 sum f32 []\nnode 5 "
                          "keep f32 []\n\tbarrier# here\n"
                          "opaque sum=keep\nkeep=sum\nalso sum=keep\nend");
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
  pp_expect_no_leak();
}
