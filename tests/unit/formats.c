#include "format.h"
#include "number.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static pp_problem parse(const char *text) {
  pp_problem problem;
  pp_diag diag = {0};
  cr_assert_eq(pp_problem_parse("t", text, strlen(text), &problem, &diag), 0,
               "%s", diag.text);
  return problem;
}

static void expect_item(const pp_problem *problem, size_t i, const char *id,
                        const char *item_class, pp_item wanted) {
  const pp_item *item = &problem->items[i];
  cr_expect_str_eq(problem->ids[i], id);
  cr_expect_str_eq(problem->class_names[item->item_class], item_class);
  cr_expect_eq(item->size, wanted.size, "%s: size", id);
  cr_expect_eq(item->align, wanted.align, "%s: align", id);
  cr_expect_eq(item->has_span, wanted.has_span, "%s: has_span", id);
  cr_expect_eq(item->lo, wanted.lo, "%s: lo", id);
  cr_expect_eq(item->hi, wanted.hi, "%s: hi", id);
}

Test(formats, json_problem) {
  pp_problem problem = parse(
      "\xef\xbb\xbf\n {\"poolproof\":\"problem/1\",\"kind\":\"arena\","
      "\"cap\":\"18446744073709551615\",\"spans\":\"half-open\",\"items\":["
      "{\"id\":\"a\",\"size\":\"18446744073709551615\",\"align\":3,"
      "\"class\":\"x\",\"span\":[0,\"2\"]},"
      "{\"id\":\"\\u00e9\",\"size\":0,\"align\":0,\"class\":\"y\"}]}");
  cr_expect_eq(problem.cap, UINT64_MAX);
  cr_expect_eq(problem.n, 2);
  expect_item(
      &problem, 0, "a", "x",
      (pp_item){
          .size = UINT64_MAX, .align = 3, .lo = 0, .hi = 1, .has_span = true});
  expect_item(&problem, 1, "\xc3\xa9", "y", (pp_item){0});
  pp_problem_free(&problem);
  pp_expect_no_leak();
}

Test(formats, csv_conventions) {
  pp_problem half = parse("size,id,upper,lower\r\n\r\n7,\"a,\"\"b\",4,1\r\n");
  expect_item(&half, 0, "a,\"b", "default",
              (pp_item){.size = 7, .lo = 1, .hi = 3, .has_span = true});
  pp_problem closed = parse("buffer,start,end,size,alignment,class,offset\n"
                            "b,1,4,7,16,k,9\nc,,,2,,,\n");
  expect_item(
      &closed, 0, "b", "k",
      (pp_item){.size = 7, .align = 16, .lo = 1, .hi = 4, .has_span = true});
  expect_item(&closed, 1, "c", "", (pp_item){.size = 2});
  pp_problem_free(&half);
  pp_problem_free(&closed);
}

static char *print(const pp_problem *problem, size_t *size) {
  char *text = NULL;
  pp_diag diag = {0};
  FILE *out = open_memstream(&text, size);
  cr_assert_eq(pp_problem_write(out, problem, &diag), 0);
  cr_assert_eq(fclose(out), 0);
  return text;
}

Test(formats, what_is_printed_reads_back) {
  static const char *const texts[] = {
      "id,lower,upper,size,hint,gaps\n\"x y\",0,18446744073709551615,1,-1,\n"
      "\" z\",,,18446744073709551615,3,\n\"\tq\",1,2,3,,\n",
      "{\"poolproof\":\"problem/1\",\"kind\":\"segments\",\"items\":[{\"id\":"
      "\"\\\"\\\\\\n\",\"size\":9007199254740993,\"align\":1}]}",
      "{\"poolproof\":\"problem/1\",\"kind\":\"arena\",\"cap\":0,"
      "\"spans\":\"closed\",\"items\":[{\"id\":\"a\",\"size\":1,\"align\":1,"
      "\"class\":\"\",\"span\":[5,4]}]}",
  };
  for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
    size_t once_size = 0;
    size_t twice_size = 0;
    pp_problem first = parse(texts[k]);
    char *once = print(&first, &once_size);
    pp_problem second = parse(once);
    char *twice = print(&second, &twice_size);
    cr_expect_str_eq(once, twice);
    cr_assert_eq(first.n, second.n);
    for (size_t i = 0; i < first.n; i++)
      expect_item(&second, i, first.ids[i],
                  first.class_names[first.items[i].item_class], first.items[i]);
    cr_expect_eq(first.cap, second.cap);
    cr_expect_eq(first.kind, second.kind);
    pp_problem_free(&first);
    pp_problem_free(&second);
    free(once);
    free(twice);
  }
  pp_expect_no_leak();
}

Test(formats, layouts) {
  pp_problem problem = parse("id,lower,upper,size\na,0,1,4\nb,0,1,2\n");
  pp_layout layout;
  pp_diag diag = {0};
  const char csv[] = "offset,id\n4,b\n0,a\n";
  cr_assert_eq(pp_layout_parse("l", csv, strlen(csv), &problem, &layout, &diag),
               0);
  cr_expect_eq(layout.offset[0], 0);
  cr_expect_eq(layout.offset[1], 4);
  cr_expect_eq(layout.segments, 1);
  cr_expect_eq(layout.size[0], 6, "no size claimed: the greatest end");
  pp_layout_free(&layout);
  const char json[] = "{\"poolproof\":\"layout/1\",\"status\":\"ok\",\"total\":"
                      "7,\"segments\":[7],\"items\":[{\"id\":\"a\",\"offset\":"
                      "0}]}";
  cr_assert_eq(
      pp_layout_parse("l", json, strlen(json), &problem, &layout, &diag), 0);
  cr_expect_eq(layout.size[0], 7, "claimed");
  cr_expect_eq(layout.segment[1], SIZE_MAX, "b has no place");
  pp_layout_free(&layout);
  pp_problem_free(&problem);
  pp_expect_no_leak();
}

Test(formats, numbers) {
  static const struct {
    const char *text;
    const char *wrong;
    uint64_t value;
  } cases[] = {
      {"0", NULL, 0},
      {"18446744073709551615", NULL, UINT64_MAX},
      {"18446744073709551616", "is above 2^64 - 1", 0},
      {"-1", "is negative", 0},
      {"1.5", "is a fraction", 0},
      {"1e3", "is not a whole number", 0},
      {"", "is empty", 0},
      {" 1", "is not a whole number", 0},
      {"4k", NULL, 4096},
      {"3G", NULL, 3 * GIB},
      {"5m", NULL, 5 * KIB * KIB},
      {"unlimited", NULL, UINT64_MAX},
      {"17179869184G", "is above 2^64 - 1", 0},
      {"4KB", "is not a whole number", 0},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    uint64_t value = 0;
    const char *wrong = pp_parse_bytes(cases[k].text, &value);
    if (cases[k].wrong)
      cr_expect(wrong && strcmp(wrong, cases[k].wrong) == 0, "\"%s\": %s",
                cases[k].text, wrong ? wrong : "accepted");
    else
      cr_expect(!wrong && value == cases[k].value, "\"%s\": %s", cases[k].text,
                wrong ? wrong : "another value");
  }
  uint64_t value = 0;
  cr_expect_not_null(pp_parse_u64("4k", &value), "no suffix in files");
}

Test(formats, sentences_are_printable) {
  char out[16];
  cr_expect_str_eq(pp_printable("a\tb", out, sizeof out), "a\\x09b");
  cr_expect_str_eq(pp_printable("0123456789abcdefgh", out, sizeof out),
                   "0123456789ab...");
  cr_expect_str_eq(pp_printable("0123456789abcde", out, sizeof out),
                   "0123456789abcde");
  char human[24];
  cr_expect_str_eq(pp_human_bytes(1023, human, sizeof human), "1023 B");
  cr_expect_str_eq(pp_human_bytes(1536, human, sizeof human), "1.50 KiB");
  cr_expect_str_eq(pp_human_bytes(UINT64_MAX, human, sizeof human),
                   "16.00 EiB");
}

Test(formats, json_numbers_are_exact) {
  pp_problem problem =
      parse("{\"poolproof\":\"problem/1\",\"kind\":\"segments\",\"items\":["
            "{\"id\":\"a\",\"size\":9007199254740993,"
            "\"align\":9223372036854775807}]}");
  cr_expect_eq(problem.items[0].size, UINT64_C(9007199254740993));
  cr_expect_eq(problem.items[0].align, UINT64_C(9223372036854775807));
  pp_problem_free(&problem);
}

Test(formats, lines_end_with_cr_lf) {
  static const char text[] = "id,lower,upper,size\r\na,0,1,8\r\nb,0,x,8\r\n";
  pp_problem problem;
  pp_diag diag = {0};
  cr_assert_neq(pp_problem_parse("t", text, sizeof text - 1, &problem, &diag),
                0);
  cr_expect(strstr(diag.text, "line 3") != NULL, "%s", diag.text);
}
