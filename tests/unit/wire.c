#include "wire.h"
#include "support.h"

#include <string.h>

#define SOUND_VALIDATE                                                         \
  "{\"verb\":\"validate\",\"kind\":\"arena\",\"cap\":\"9007199254740993\","    \
  "\"items\":[{\"size\":8,\"align\":1,\"class\":0,\"span\":[0,2]},{\"size\":"  \
  "8,\"align\":1,\"class\":7}],\"layout\":{\"segment\":[0,"                    \
  "\"18446744073709551615\"],\"offset\":[0,8],\"sizes\":[8,0,0,1]}}"
#define RELEASE(contexts, constants, script)                                   \
  "{\"verb\":\"release\",\"contexts\":[" contexts                              \
  "],\"constants\":[" constants "],\"script\":[" script "]}"
#define HELD(uid, pool, offset)                                                \
  "{\"uid\":" #uid ",\"pool\":" #pool ",\"offset\":" #offset "}"
#define NODES(nodes) "{\"nodes\":[" nodes "]}"
#define CHILD(parent, nodes) "{\"parent\":" #parent ",\"nodes\":[" nodes "]}"
#define SPANS(nodes, accesses)                                                 \
  "{\"verb\":\"spans\",\"nodes\":[" nodes "],\"accesses\":[" accesses "]}"
#define SCORE(alignment, nodes)                                                \
  "{\"verb\":\"score\",\"cap\":64,\"alignment\":" alignment                    \
  ",\"nodes\":[" nodes "]}"
#define NODE(uid, dims, more)                                                  \
  "{\"uid\":" #uid ",\"dtype\":\"f32\",\"dims\":[" dims "]" more "}"
#define BYTES(n) "{\"uid\":1,\"dtype\":\"u8\",\"dims\":[" n "]}"

enum {
  CLASSES = 1 << (PP_ASK_COUNT + PP_FEATURE_CLASSES),
  ALWAYS_LIVE = 1 << (PP_ASK_COUNT + PP_FEATURE_ALWAYS_LIVE),
  ANY_ALIGN = 1 << (PP_ASK_COUNT + PP_FEATURE_ANY_ALIGN),
  ZERO_SIZE = 1 << (PP_ASK_COUNT + PP_FEATURE_ZERO_SIZE),
  U64 = 1 << (PP_ASK_COUNT + PP_FEATURE_U64)
};

/* In canonical form; the features that they need, and how large they are. */
static const struct {
  const char *text;
  pp_capabilities features;
  size_t size;
} questions[] = {
    {"{\"verb\":\"segments\",\"cap\":9007199254740992,\"items\":[{\"size\":8,"
     "\"align\":4},{\"size\":0,\"align\":1}]}",
     ZERO_SIZE, 2},
    {"{\"verb\":\"segments\",\"cap\":0,\"items\":[{\"size\":1,\"align\":3}]}",
     ANY_ALIGN, 1},
    {"{\"verb\":\"arena\",\"cap\":\"18446744073709551615\",\"items\":[]}", U64,
     0},
    {"{\"verb\":\"arena\",\"cap\":1,\"items\":[{\"size\":1,\"align\":1,"
     "\"class\":4294967295,\"span\":[5,4]}]}",
     0, 1},
    {"{\"verb\":\"arena\",\"cap\":1,\"items\":[{\"size\":1,\"align\":0,"
     "\"class\":5}]}",
     ALWAYS_LIVE | ANY_ALIGN, 1},
    {SOUND_VALIDATE, CLASSES | ALWAYS_LIVE | U64, 2},
    {"{\"verb\":\"spans\",\"opaque\":true,\"nodes\":[{\"uid\":7,\"intents\":"
     "[\"observable\",\"constant\",\"host\"],\"in_context\":false},{\"uid\":8}]"
     ","
     "\"accesses\":[{\"node\":1,\"position\":3,\"access\":\"fill\"},{\"node\":"
     "0,"
     "\"position\":3,\"access\":\"write\"},{\"node\":1,\"position\":0,"
     "\"access\":\"read\"}]}",
     0, 5},
    {"{\"verb\":\"score\",\"cap\":64,\"alignment\":48,\"aliasing\":false,"
     "\"nodes\":[{\"uid\":7,\"dtype\":\"f64\",\"dims\":[],\"intents\":"
     "[\"constant\"]},{\"uid\":6,\"dtype\":\"u8\",\"dims\":[2,0,2,2],\"span\":"
     "[0,3]}]}",
     CLASSES | ANY_ALIGN | ZERO_SIZE, 2},
    {RELEASE(NODES(HELD(3, 1, 0) "," HELD(2, 0, 8)) "," CHILD(0, "") "," CHILD(
                 1, HELD(3, 5, 0)),
             "{\"pool\":4,\"offset\":0}",
             "{\"do\":\"release\",\"context\":2,\"fail_await\":1},{\"do\":"
             "\"release\",\"context\":0,\"fail_free\":\"18446744073709551615\"}"
             ",{\"do\":\"touch\",\"context\":0,\"uid\":3}"),
     U64, 6},
};

enum { QUESTIONS = sizeof questions / sizeof questions[0] };

static pp_ask read_ask(const char *text) {
  pp_ask ask;
  pp_diag diag = {0};
  cr_assert_eq(pp_wire_read_ask("q", text, strlen(text), &ask, &diag), 0, "%s",
               diag.text);
  return ask;
}

static void expect_canonical(const pp_ask *ask, const char *text) {
  pp_text out = {0};
  pp_wire_canonical(&out, ask);
  cr_assert_not(out.failed);
  cr_expect_str_eq(out.at, text);
  pp_text_free(&out);
}

Test(wire, questions_round) {
  for (size_t k = 0; k < QUESTIONS; k++) {
    const char *text = questions[k].text;
    pp_ask ask = read_ask(text);
    pp_capabilities verb = (pp_capabilities)1 << ask.verb;
    cr_expect_null(pp_ask_wrong(&ask), "%s", text);
    cr_expect_eq(pp_ask_needs(&ask), verb | questions[k].features, "%s", text);
    cr_expect_eq(pp_ask_size(&ask), questions[k].size, "%s", text);
    expect_canonical(&ask, text);
    pp_ask copy = read_ask(questions[(k + 1) % QUESTIONS].text);
    cr_assert(pp_ask_copy(&copy, &ask));
    pp_ask_free(&ask);
    expect_canonical(&copy, text);
    pp_text line = {0};
    pp_wire_ask(&line, &copy, UINT64_MAX);
    pp_diag diag = {0};
    uint64_t id = 0;
    unsigned most = 0;
    cr_assert_eq(pp_wire_read_line(line.at, line.size, &id, &most, &ask, &diag),
                 PP_LINE_ASK);
    cr_expect_eq(id, UINT64_MAX);
    expect_canonical(&ask, text);
    pp_ask_free(&ask);
    pp_ask_free(&copy);
    pp_text_free(&line);
  }
  pp_expect_no_leak();
}

/* sha256sum gives the same of the canonical text. */
Test(wire, ids_are_of_the_canonical_text) {
  static const char *const forms[] = {
      "{\"verb\":\"segments\",\"cap\":16,\"items\":[{\"size\":12,\"align\":1}]"
      "}",
      " {\"items\" : "
      "[{\"align\":\"1\",\"size\":12}],\r\n\"cap\":\"0016\",\"id\":"
      "null,\"verb\":\"segments\"} ",
  };
  char id[PP_ASK_ID];
  for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
    pp_ask ask = read_ask(forms[k]);
    cr_assert(pp_wire_id(&ask, id));
    cr_expect_str_eq(id, "segments-a410872bf5cb6a0c");
    pp_ask_free(&ask);
  }
}

/* Answers to one question: which one, and the answer's own object. */
static const struct {
  size_t question;
  const char *text;
} answers[] = {
    {0, "{\"result\":{\"segment\":[0,0],\"offset\":[0,8],\"sizes\":[12]}}"},
    {0, "{\"result\":{\"segment\":[0,0],\"offset\":[0,8],\"sizes\":[12,0]}}"},
    {0, "{\"result\":{\"segment\":[0,0],\"offset\":[0,9],\"sizes\":[12]}}"},
    {0, "{\"result\":{\"segment\":[0,1],\"offset\":[0,8],\"sizes\":[12]}}"},
    {0, "{\"reject\":\"item_over_cap\",\"index\":1}"},
    {0, "{\"reject\":\"item_over_cap\",\"index\":0}"},
    {0, "{\"reject\":\"bad_span\",\"index\":0}"},
    {0, "{\"reject\":\"over_cap\"}"},
    {0, "{\"unsupported\":\"u64\"}"},
    {0, "{\"skip\":\"https://example.org/1\"}"},
    {0, "{\"error\":\"a \\\"b\\\\ \\u0001 \xc3\xa9\"}"},
    {2, "{\"result\":{\"offset\":[],\"total\":0}}"},
    {2, "{\"result\":{\"offset\":[],\"total\":\"18446744073709551615\"}}"},
    {5, "{\"result\":{\"valid\":true}}"},
    {5, "{\"result\":{\"valid\":false,\"violation\":{\"kind\":"
        "\"no_such_segment\",\"item\":1}}}"},
    {5, "{\"result\":{\"valid\":false,\"violation\":{\"kind\":\"misaligned\","
        "\"item\":1}}}"},
    {5, "{\"result\":{\"valid\":false,\"violation\":{\"kind\":\"past_end\","
        "\"item\":1}}}"},
    {5, "{\"result\":{\"valid\":false,\"violation\":{\"kind\":"
        "\"segment_too_big\",\"segment\":1}}}"},
    {5, "{\"result\":{\"valid\":false,\"violation\":{\"kind\":\"shared_bytes\","
        "\"items\":[0,1],\"bytes\":[4,8]}}}"},
    {5, "{\"result\":{\"valid\":false,\"violation\":{\"kind\":\"wrong_size\","
        "\"segment\":1,\"claimed\":2,\"end\":3}}}"},
    {6, "{\"result\":{\"spans\":[null,null]}}"},
    {6, "{\"result\":{\"spans\":[null,[0,0]]}}"},
    {6, "{\"result\":{\"spans\":[null,[0,3]]}}"},
    {7,
     "{\"result\":{\"working\":1,\"constants\":2,\"total\":3,\"dedicated\":4,"
     "\"arena\":true,\"planned\":5,\"nodes\":6}}"},
    {7,
     "{\"result\":{\"working\":1,\"constants\":2,\"total\":3,\"dedicated\":4,"
     "\"arena\":false,\"planned\":5,\"nodes\":6}}"},
    {7,
     "{\"result\":{\"working\":1,\"constants\":2,\"total\":3,\"dedicated\":4,"
     "\"arena\":true,\"planned\":5,\"nodes\":7}}"},
    {8, "{\"result\":{\"steps\":[{\"status\":\"failed\",\"calls\":[\"await\"]},"
        "{\"status\":\"ok\",\"calls\":[\"await\",\"free 1\",\"free "
        "18446744073709551615\"]},{\"status\":\"pool_gone\",\"calls\":[]}],"
        "\"live\":[1,4]}}"},
    {8, "{\"result\":{\"steps\":[{\"status\":\"failed\",\"calls\":[\"await\"]},"
        "{\"status\":\"ok\",\"calls\":[\"await\",\"free 1\"]},{\"status\":"
        "\"ok\",\"calls\":[]}],\"live\":[1,4]}}"},
    {8, "{\"result\":{\"steps\":[{\"status\":\"failed\",\"calls\":[\"await\"]},"
        "{\"status\":\"ok\",\"calls\":[\"await\",\"free 1\"]},{\"status\":"
        "\"ok\",\"calls\":[]}],\"live\":[1]}}"},
};

enum { ANSWERS = sizeof answers / sizeof answers[0] };

static pp_reply read_reply(const pp_ask *ask, const char *text) {
  pp_reply reply;
  pp_diag diag = {0};
  cr_assert_eq(pp_wire_read_reply("a", text, strlen(text), ask, &reply, &diag),
               0, "%s: %s", text, diag.text);
  return reply;
}

/* Each answer is written as it was read, and is no other answer. */
Test(wire, answers_round) {
  for (size_t k = 0; k < ANSWERS; k++) {
    pp_ask ask = read_ask(questions[answers[k].question].text);
    pp_reply reply = read_reply(&ask, answers[k].text);
    pp_text out = {0};
    uint64_t id = 0;
    const char *what = "";
    pp_wire_expect(&out, &ask, &reply);
    cr_expect_str_eq(out.at, answers[k].text);
    out.size = 0;
    pp_wire_reply(&out, &ask, &reply, 77);
    cr_expect(pp_wire_line_id(out.at, out.size, &id, &what), "%s", what);
    cr_expect_eq(id, 77);
    for (size_t j = 0; j < ANSWERS; j++) {
      if (answers[j].question != answers[k].question) continue;
      pp_reply other = read_reply(&ask, answers[j].text);
      cr_expect_eq(pp_reply_equal(&ask, &reply, &other), j == k, "%s\n%s",
                   answers[k].text, answers[j].text);
      pp_reply_free(&other);
    }
    pp_text_free(&out);
    pp_reply_free(&reply);
    pp_ask_free(&ask);
  }
  pp_expect_no_leak();
}

/* What is refused as a question, and as an answer to one of them. */
static const struct {
  const char *text;
  const char *sentence;
} bad_asks[] = {
    {"[1]", "q: not a JSON object"},
    {"{\"verb\":\"arena\"", "q: line 1, column 15: not JSON"},
    {"{\"verb\":\"arena\",\"verb\":\"arena\"}", "duplicate object key"},
    {"{\"cap\":1}", "\"verb\" is missing"},
    {"{\"verb\":\"hello\"}", "\"verb\" is none of"},
    {"{\"verb\":\"arena\",\"cap\":1}", "\"items\" is missing"},
    {"{\"verb\":\"arena\",\"cap\":1,\"items\":[],\"x\":1}", "\"x\" is not a"},
    {"{\"verb\":\"arena\",\"cap\":1e3,\"items\":[]}", "not written as a"},
    {"{\"verb\":\"arena\",\"cap\":\"18446744073709551616\",\"items\":[]}",
     "is above 2^64 - 1"},
    {"{\"verb\":\"arena\",\"cap\":1,\"items\":[{\"size\":1,\"align\":1,"
     "\"class\":0},{\"size\":1,\"align\":1}]}",
     "items[1]: \"class\" is missing"},
    {"{\"verb\":\"arena\",\"cap\":1,\"items\":[{\"size\":1,\"align\":1,"
     "\"class\":4294967296}]}",
     "items[0]: \"class\" is above 2^32 - 1"},
    {"{\"verb\":\"segments\",\"cap\":1,\"items\":[{\"size\":1,\"align\":1,"
     "\"class\":0}]}",
     "items[0]: \"class\" is not a key"},
    {"{\"verb\":\"arena\",\"cap\":1,\"items\":[{\"size\":1,\"align\":1,"
     "\"class\":0,\"span\":[1]}]}",
     "\"span\" is no pair"},
    {"{\"verb\":\"validate\",\"kind\":\"segments\",\"cap\":1,\"items\":[],"
     "\"layout\":{\"segment\":[0],\"offset\":[],\"sizes\":[]}}",
     "\"segment\" has not one number an item"},
    {SPANS("{\"uid\":1,\"intents\":[\"host\",\"host\"]}", ""),
     "nodes[0]: \"intents\" has a word twice"},
    {SPANS("{\"uid\":1}", "{\"node\":0,\"position\":1,\"access\":\"set\"}"),
     "accesses[0]: \"access\" is none of"},
    {SCORE("1", NODE(1, "1,1,1,1,1", "")), "\"dims\" has more than 4"},
    {RELEASE(NODES("{\"uid\":1,\"pool\":1}"), "", ""),
     "contexts[0].nodes[0]: \"offset\" is missing"},
    {RELEASE("", "",
             "{\"do\":\"touch\",\"context\":0,\"uid\":1,"
             "\"fail_free\":1}"),
     "script[0]: \"fail_free\" is not a key"},
};
static const struct {
  size_t question;
  const char *text;
  const char *sentence;
} bad_answers[] = {
    {0, "{\"id\":1}", "one of result, reject"},
    {0, "{\"result\":{},\"skip\":\"x\"}", "there are 2"},
    {0, "{\"result\":{\"segment\":[0],\"offset\":[0,8],\"sizes\":[12]}}",
     "\"segment\" has 1 numbers, the request has 2 items"},
    {0, "{\"result\":{\"offset\":[0,8],\"total\":12}}", "\"segment\" is"},
    {0, "{\"reject\":\"item_over_cap\"}", "\"index\" is missing"},
    {0, "{\"reject\":\"over_cap\",\"index\":1}", "goes with an item's"},
    {0, "{\"reject\":\"no_memory\"}", "\"reject\" is none of"},
    {0, "{\"skip\":\"x\",\"index\":1}", "goes with \"reject\""},
    {0, "{\"unsupported\":\"everything\"}", "is no capability"},
    {5, "{\"result\":{\"valid\":false}}", "\"violation\" is missing"},
    {5, "{\"result\":{\"valid\":false,\"violation\":{\"kind\":\"valid\"}}}",
     "\"kind\" of the violation"},
    {5,
     "{\"result\":{\"valid\":true,\"violation\":{\"kind\":\"past_end\","
     "\"item\":1}}}",
     "goes with \"valid\": false"},
    {6, "{\"result\":{\"spans\":[null]}}", "\"spans\" has not one"},
    {8, "{\"result\":{\"steps\":[],\"live\":[]}}", "\"steps\" has not one"},
    {8,
     "{\"result\":{\"steps\":[{\"status\":\"ok\",\"calls\":[\"free\"]},1,2"
     "],\"live\":[]}}",
     "steps[0]: \"calls\" has something else"},
};

Test(wire, bad_form_is_refused) {
  for (size_t k = 0; k < sizeof bad_asks / sizeof bad_asks[0]; k++) {
    pp_ask ask;
    pp_diag diag = {0};
    const char *text = bad_asks[k].text;
    cr_expect_eq(pp_wire_read_ask("q", text, strlen(text), &ask, &diag),
                 PP_EXIT_INPUT, "%s", text);
    cr_expect(strstr(diag.text, bad_asks[k].sentence), "%s: %s", text,
              diag.text);
  }
  for (size_t k = 0; k < sizeof bad_answers / sizeof bad_answers[0]; k++) {
    pp_ask ask = read_ask(questions[bad_answers[k].question].text);
    pp_reply reply;
    pp_diag diag = {0};
    const char *text = bad_answers[k].text;
    cr_expect_eq(
        pp_wire_read_reply("a", text, strlen(text), &ask, &reply, &diag),
        PP_EXIT_INPUT, "%s", text);
    cr_expect(strstr(diag.text, bad_answers[k].sentence), "%s: %s", text,
              diag.text);
    pp_ask_free(&ask);
  }
  pp_expect_no_leak();
}

/* NULL: nothing is wrong. */
static const struct {
  const char *text;
  const char *wrong;
} wrongs[] = {
    {SPANS("{\"uid\":1},{\"uid\":2},{\"uid\":1}", ""), "one uid"},
    {SPANS("{\"uid\":1}", "{\"node\":1,\"position\":1,\"access\":\"read\"}"),
     "not there"},
    {SPANS("{\"uid\":1,\"intents\":[\"merge\",\"host\"]}", ""), "intent"},
    {SCORE("0", ""), "alignment"},
    {SCORE("1", BYTES("9223372036854775807")), NULL},
    {SCORE("1", BYTES("\"9223372036854775808\"")), "2^63 - 1"},
    {SCORE("1", NODE(1, "\"18446744073709551615\",0", "")), NULL},
    {SCORE("1", NODE(1, "1", ",\"span\":[1,0]")), "span"},
    {RELEASE(CHILD(0, ""), "", ""), "parent"},
    {RELEASE(NODES(HELD(1, 1, 0) "," HELD(1, 2, 0)), "", ""), "twice"},
    {RELEASE("", "", "{\"do\":\"release\",\"context\":0}"), "context"},
    {RELEASE(NODES(HELD(1, 1, 0)) "," NODES(HELD(2, 2, 0)), "",
             "{\"do\":\"touch\",\"context\":0,\"uid\":2}"),
     "touches"},
    /* Siblings: that own a pool, whose pool is a constant's or the merge
     * buffer, that inherit it; then a child with a node elsewhere in it. */
    {RELEASE(NODES(HELD(1, 9, 0)) "," NODES(HELD(2, 9, 8)), "", ""), "own"},
    {RELEASE(NODES(HELD(1, 9, 0)) "," NODES(HELD(2, 9, 8)),
             "{\"pool\":9,\"offset\":5}", ""),
     NULL},
    {RELEASE(NODES(HELD(1, 0, 0)) "," NODES(HELD(2, 0, 8)), "", ""), NULL},
    {RELEASE(NODES(HELD(1, 9, 0)) "," CHILD(0, HELD(1, 9, 0)) "," CHILD(
                 0, HELD(2, 9, 4) "," HELD(1, 9, 0)),
             "", ""),
     NULL},
    {RELEASE(NODES(HELD(1, 9, 0)) "," CHILD(0, HELD(1, 9, 8)), "", ""), "own"},
};

Test(wire, wrong_questions) {
  for (size_t k = 0; k < sizeof wrongs / sizeof wrongs[0]; k++) {
    pp_ask ask = read_ask(wrongs[k].text);
    const char *wrong = pp_ask_wrong(&ask);
    if (wrongs[k].wrong)
      cr_expect(wrong && strstr(wrong, wrongs[k].wrong), "%s: %s",
                wrongs[k].text, wrong ? wrong : "nothing");
    else
      cr_expect_null(wrong, "%s: %s", wrongs[k].text, wrong);
    pp_ask_free(&ask);
  }
}

Test(wire, pools_ascend) {
  pp_ask ask = read_ask(RELEASE(NODES(HELD(1, 9, 0) "," HELD(2, 0, 0) "," HELD(
                                    3, 4, 0) "," HELD(4, 9, 8)),
                                "{\"pool\":6,\"offset\":0}", ""));
  uint64_t pool[3] = {0, 0, 77};
  cr_expect_eq(pp_ask_pools(&ask, pool, 2), 3);
  cr_expect(pool[0] == 4 && pool[1] == 6 && pool[2] == 77);
  pp_ask_free(&ask);
}

/* hello's answer: how it is written, or a piece of the sentence. */
static const struct {
  const char *text;
  const char *sentence;
} hellos[] = {
    {"{\"id\":1,\"result\":{\"protocol\":1,\"name\":\"n\",\"version\":\"\","
     "\"capabilities\":[]}}\n",
     NULL},
    {"{\"id\":1,\"result\":{\"protocol\":1,\"name\":\"n\",\"version\":\"2\","
     "\"homepage\":\"https://h\",\"capabilities\":[\"segments\",\"u64\"],"
     "\"limits\":{\"items\":5,\"batch\":1},\"compare\":\"total\"}}\n",
     NULL},
    {"{\"id\":1,\"result\":{\"protocol\":2,\"name\":\"n\",\"version\":\"\","
     "\"capabilities\":[]}}",
     "\"protocol\" is not 1"},
    {"{\"id\":1,\"result\":{\"protocol\":1,\"name\":\"\",\"version\":\"\","
     "\"capabilities\":[]}}",
     "\"name\" is empty"},
    {"{\"id\":1,\"result\":{\"protocol\":1,\"name\":\"n\",\"version\":\"\","
     "\"capabilities\":[\"arenas\"]}}",
     "\"capabilities\" has \"arenas\""},
    {"{\"id\":1,\"result\":{\"protocol\":1,\"name\":\"n\",\"version\":\"\","
     "\"capabilities\":[\"u64\",\"u64\"]}}",
     "twice"},
    {"{\"id\":1,\"result\":{\"protocol\":1,\"name\":\"n\",\"version\":\"\","
     "\"capabilities\":[],\"limits\":{\"batch\":0}}}",
     "\"batch\" is 0"},
    {"{\"id\":1,\"error\":\"x\"}", "\"result\" is missing"},
};

Test(wire, hello_and_bye) {
  for (size_t k = 0; k < sizeof hellos / sizeof hellos[0]; k++) {
    pp_hello hello;
    pp_diag diag = {0};
    pp_text out = {0};
    const char *text = hellos[k].text;
    int status =
        pp_wire_read_hello_reply("h", text, strlen(text), &hello, &diag);
    cr_expect_eq(status, hellos[k].sentence ? PP_EXIT_INPUT : 0, "%s", text);
    pp_wire_hello_reply(&out, &hello, 1);
    if (hellos[k].sentence)
      cr_expect(strstr(diag.text, hellos[k].sentence), "%s: %s", text,
                diag.text);
    else
      cr_expect_str_eq(out.at, text);
    pp_text_free(&out);
  }
}

/* What a line is to the side that serves. */
static const struct {
  const char *line;
  pp_line_kind kind;
  unsigned most;
  uint64_t id;
} line_cases[] = {
    {"{\"id\":1,\"verb\":\"hello\",\"protocol\":{\"min\":1,\"max\":9},"
     "\"spans\":\"closed\"}",
     PP_LINE_HELLO, 1, 1},
    {"{\"id\":2,\"verb\":\"hello\",\"protocol\":{\"min\":2,\"max\":9},"
     "\"spans\":\"closed\"}",
     PP_LINE_HELLO, 0, 2},
    {"{\"id\":2,\"verb\":\"hello\",\"protocol\":{\"min\":0,\"max\":0},"
     "\"spans\":\"closed\"}",
     PP_LINE_HELLO, 0, 2},
    {"{\"id\":3,\"verb\":\"hello\",\"protocol\":{\"min\":1,\"max\":1},"
     "\"spans\":\"half-open\"}",
     PP_LINE_BAD, 1, 3},
    {"{\"id\":\"9007199254740993\",\"verb\":\"bye\"}", PP_LINE_BYE, 0,
     UINT64_C(9007199254740993)},
    {"{\"id\":5,\"verb\":\"bye\",\"x\":1}", PP_LINE_BAD, 0, 5},
    {"{\"id\":6,\"verb\":\"arena\"}", PP_LINE_BAD, 0, 6},
    {"{\"id\":0,\"verb\":\"bye\"}", PP_LINE_BAD, 0, 0},
    {"{\"id\":-1,\"verb\":\"bye\"}", PP_LINE_BAD, 0, 0},
    {"{\"verb\":\"bye\"}", PP_LINE_BAD, 0, 0},
    {"\xef\xbb\xbf{\"id\":7,\"verb\":\"bye\"}", PP_LINE_BAD, 0, 0},
    {"", PP_LINE_BAD, 0, 0},
};

Test(wire, lines) {
  for (size_t k = 0; k < sizeof line_cases / sizeof line_cases[0]; k++) {
    pp_ask ask;
    pp_diag diag = {0};
    uint64_t id = 99;
    unsigned most = 99;
    const char *line = line_cases[k].line;
    cr_expect_eq(pp_wire_read_line(line, strlen(line), &id, &most, &ask, &diag),
                 line_cases[k].kind, "%s: %s", line, diag.text);
    cr_expect_eq(id, line_cases[k].id, "%s", line);
    cr_expect_eq(most, line_cases[k].most, "%s", line);
    cr_expect_eq(diag.code != 0, line_cases[k].kind == PP_LINE_BAD, "%s", line);
    pp_ask_free(&ask);
  }
}

/* What is no UTF-8 is replaced, never passed on. */
Test(wire, strings_are_utf8) {
  pp_ask ask = read_ask(questions[0].text);
  pp_reply reply = {.kind = PP_REPLY_ERROR,
                    .text = "\xff \xc3 \xed\xa0\x80 \xf0\x9f\x98\x80 \xc0\x80"};
  pp_text out = {0};
  pp_wire_expect(&out, &ask, &reply);
#define BAD "\xef\xbf\xbd"
  cr_expect_str_eq(out.at, "{\"error\":\"" BAD " " BAD " " BAD BAD BAD
                           " \xf0\x9f\x98\x80 " BAD BAD "\"}");
  out.size = 0;
  pp_text_print(&out, "{\"error\":\"%397s\xc3\xa9%s\"}", "",
                "\xf0\x9f\x98\x80\xf0\x9f\x98\x80");
  pp_reply cut = read_reply(&ask, out.at);
  cr_expect_eq(strlen(cut.text), 399, "no room for more than the e");
  pp_reply_free(&cut);
  out.size = 0;
  pp_text_print(&out, "{\"error\":\"%398s\xc3\xa9\"}", "");
  cut = read_reply(&ask, out.at);
  cr_expect_eq(strlen(cut.text), 398, "cut before the e");
  pp_reply_free(&cut);
  pp_text_free(&out);
  pp_ask_free(&ask);
}
