/* The reports of a made-up conformance run. */
#include "conform/conformance.h"
#include "support.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
/* What no report may pass on as it is. */
#define NASTY "\x1b[31m]]>\x07</svg><script>&\"'\\\xff\xc3\xa9\xed\xa0\x80"

static const struct {
  const char *request, *said, *expected;
  pp_wrong wrong;
  pp_misdeed misdeed;
  const char *rule, *url, *file;
  bool vector;
} made[] = {
    {"{\"verb\":\"segments\",\"cap\":16,\"items\":[{\"size\":8,\"align\":4},"
     "{\"size\":8,\"align\":3}]}",
     "{\"result\":{\"segment\":[0,0],\"offset\":[0,8],\"sizes\":[16]}}",
     "{\"result\":{\"segment\":[0,1],\"offset\":[0,0],\"sizes\":[8,8]}}",
     PP_WRONG_INVALID, PP_BEHAVED, "SEG-3", "", "", true},
    {"{\"verb\":\"arena\",\"cap\":\"18446744073709551615\",\"items\":["
     "{\"size\":8,\"align\":1,\"class\":0,\"span\":[0,1]},"
     "{\"size\":8,\"align\":1,\"class\":0,\"span\":[1,2]},"
     "{\"size\":1,\"align\":1,\"class\":7}]}",
     "{\"result\":{\"offset\":[0,0,8],\"total\":9}}",
     "{\"result\":{\"offset\":[0,8,16],\"total\":17}}", PP_WRONG_INVALID,
     PP_BEHAVED, "ARN-1", "", "finds/a b%.json", false},
    {"{\"verb\":\"arena\",\"cap\":4,\"items\":["
     "{\"size\":8,\"align\":1,\"class\":0,\"span\":[3,1]}]}",
     "{\"result\":{\"offset\":[0],\"total\":8}}",
     "{\"reject\":\"item_over_cap\",\"index\":0}", PP_WRONG_ANSWERED,
     PP_BEHAVED, "ARN-4", "https://example.org/7", "", true},
    {"{\"verb\":\"validate\",\"kind\":\"arena\",\"cap\":8,\"items\":["
     "{\"size\":8,\"align\":1,\"class\":0},{\"size\":4,\"align\":1,"
     "\"class\":0}],\"layout\":{\"segment\":[0,\"18446744073709551615\"],"
     "\"offset\":[0,2],\"sizes\":[9]}}",
     "{\"result\":{\"valid\":true}}",
     "{\"result\":{\"valid\":false,\"violation\":{\"kind\":"
     "\"no_such_segment\",\"item\":1}}}",
     PP_WRONG_VERDICT, PP_BEHAVED, "VAL-1", "", "", true},
    {"{\"verb\":\"spans\",\"nodes\":[{\"uid\":7,\"intents\":[\"host\"]},"
     "{\"uid\":9}],\"accesses\":[{\"node\":1,\"position\":3,\"access\":"
     "\"fill\"},{\"node\":1,\"position\":5,\"access\":\"read\"}]}",
     "{\"result\":{\"spans\":[null,[3,4]]}}",
     "{\"result\":{\"spans\":[null,[3,5]]}}", PP_WRONG_SPANS, PP_BEHAVED,
     "RTN-6", "", "", true},
    {"{\"verb\":\"score\",\"cap\":99,\"alignment\":64,\"nodes\":["
     "{\"uid\":7,\"dtype\":\"f32\",\"dims\":[4,4]}]}",
     "{\"result\":{\"working\":63,\"constants\":0,\"total\":63,\"dedicated\":"
     "64,\"arena\":false,\"planned\":0,\"nodes\":1}}",
     "{\"result\":{\"working\":64,\"constants\":0,\"total\":64,\"dedicated\":"
     "64,\"arena\":false,\"planned\":0,\"nodes\":1}}",
     PP_WRONG_SCORE, PP_BEHAVED, "FPT-1", "", "", true},
    {"{\"verb\":\"release\",\"contexts\":[{\"nodes\":[{\"uid\":3,\"pool\":1,"
     "\"offset\":0}]}],\"constants\":[],\"script\":[{\"do\":\"release\","
     "\"context\":0}]}",
     "{\"result\":{\"steps\":[{\"status\":\"ok\",\"calls\":[\"free 1\"]}],"
     "\"live\":[]}}",
     "{\"result\":{\"steps\":[{\"status\":\"ok\",\"calls\":[\"await\","
     "\"free 1\"]}],\"live\":[]}}",
     PP_WRONG_RELEASE, PP_BEHAVED, "REL-2", "", "", true},
    {"{\"verb\":\"segments\",\"cap\":1,\"items\":[]}", NULL, NULL, PP_RIGHT,
     PP_MISDEED_HANGS, "", "", "", false},
    {NULL, NULL, NULL, PP_RIGHT, PP_MISDEED_CHATTY, NULL, "", "", false},
};

static pp_reply must_read(const char *text, const pp_ask *ask) {
  pp_reply reply = {0};
  pp_diag diag = {0};
  cr_assert_eq(pp_wire_read_reply("t", text, strlen(text), ask, &reply, &diag),
               0, "%s", diag.text);
  return reply;
}

static void make_finding(pp_finding *finding, size_t k) {
  pp_diag diag = {0};
  finding->vector = made[k].vector;
  finding->run = k;
  finding->count = 2;
  finding->misdeed = made[k].misdeed;
  finding->waived = made[k].url[0] != '\0';
  snprintf(finding->url, sizeof finding->url, "%s", made[k].url);
  snprintf(finding->file, sizeof finding->file, "%s", made[k].file);
  snprintf(finding->comment, sizeof finding->comment, "%s", NASTY);
  finding->judgement =
      (pp_judgement){.wrong = made[k].wrong, .rule = made[k].rule};
  sprintf(finding->judgement.sentence, "finding %zu: %s", k, NASTY);
  if (!made[k].request) return;
  cr_assert_eq(pp_wire_read_ask("t", made[k].request, strlen(made[k].request),
                                &finding->ask, &diag),
               0, "%zu: %s", k, diag.text);
  cr_assert(pp_wire_id(&finding->ask, finding->id));
  if (!made[k].said) return;
  finding->said = must_read(made[k].said, &finding->ask);
  finding->expected = must_read(made[k].expected, &finding->ask);
}

/* A vector that agreed, and one of each outcome without a finding. */
static void add_outcomes(pp_conformance *run) {
  static const struct {
    enum pp_vector_result result;
    const char *text;
  } rest[] = {{PP_VECTOR_AGREED, ""},
              {PP_VECTOR_UNSUPPORTED, "classes"},
              {PP_VECTOR_SKIPPED, "https://example.org/s"},
              {PP_VECTOR_LEFT, NASTY}};
  for (size_t k = 0; k < COUNT(rest); k++) {
    pp_vector_outcome *outcome = &run->outcome[run->outcomes++];
    outcome->verb = PP_ASK_ARENA;
    outcome->result = rest[k].result;
    snprintf(outcome->id, sizeof outcome->id, "arena-%016zx", k);
    snprintf(outcome->text, sizeof outcome->text, "%s", rest[k].text);
  }
  run->vectors[PP_ASK_ARENA].asked += 3;
  run->vectors[PP_ASK_ARENA].agreed = 1;
  run->vectors[PP_ASK_ARENA].left = 1;
  run->fuzz[PP_ASK_ARENA] = (pp_tally){.asked = 9, .agreed = 8, .disagreed = 1};
}

/* Every finding above. */
static pp_conformance make_run(void) {
  pp_conformance run = {.command = "./mine '" NASTY "'",
                        .hello = {.protocol = 1,
                                  .name = "pl\xc3\xa4n " NASTY,
                                  .version = "1.2",
                                  .homepage = "https://example.org/",
                                  .capabilities = PP_CAPABILITY_ALL},
                        .seed = UINT64_MAX,
                        .fuzzed = true,
                        .fuzz_seconds = 1.54,
                        .fuzz_runs = 48210,
                        .restarts = 3,
                        .stale = strdup("one\ntwo \x1b\n"),
                        .now = 1795953600};
  run.finding = calloc(COUNT(made), sizeof *run.finding);
  run.outcome = calloc(COUNT(made) + 4, sizeof *run.outcome);
  cr_assert(run.finding && run.outcome && run.stale);
  for (size_t k = 0; k < COUNT(made); k++) {
    pp_finding *finding = &run.finding[run.findings++];
    make_finding(finding, k);
    if (!finding->vector) continue;
    pp_vector_outcome *outcome = &run.outcome[run.outcomes++];
    outcome->verb = finding->ask.verb;
    outcome->result = PP_VECTOR_FOUND;
    outcome->finding = k;
    snprintf(outcome->id, sizeof outcome->id, "%s", finding->id);
    run.vectors[outcome->verb].asked++;
    run.vectors[outcome->verb].disagreed++;
  }
  add_outcomes(&run);
  return run;
}

typedef int report(FILE *out, const pp_conformance *run, pp_diag *diag);

static char *render(report *write, const pp_conformance *run) {
  char *text = NULL;
  size_t size = 0;
  pp_diag diag = {0};
  FILE *out = open_memstream(&text, &size);
  cr_assert(out);
  cr_expect_eq(write(out, run, &diag), 0, "%s", diag.text);
  fclose(out);
  cr_expect_eq(strlen(text), size);
  return text;
}

static size_t count(const char *text, const char *what) {
  size_t n = 0;
  for (; (text = strstr(text, what)) != NULL; text++)
    n++;
  return n;
}

static void expect_has(const char *text, const char *const *pieces, size_t n) {
  for (size_t k = 0; k < n; k++)
    cr_expect(strstr(text, pieces[k]), "no \"%s\" in\n%.3000s", pieces[k],
              text);
}

static json_t *must_load(const char *text) {
  json_error_t error;
  json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  cr_assert(root, "%s at %d in\n%s", error.text, error.line, text);
  return root;
}

/* The text of a key. */
static const char *at(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "(no text)";
}

#define FIXED                                                                  \
  "\x1b[31m]]>\x07</svg><script>&\"'\\\xef\xbf\xbd\xc3\xa9"                    \
  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"

static void expect_finding(const json_t *finding, size_t k, const char *id) {
  bool misdeed = made[k].misdeed != PP_BEHAVED;
  const char *const keys[] = {"request", "said", "expected"};
  const char *const texts[] = {made[k].request, made[k].said, made[k].expected};
  cr_expect_str_eq(at(finding, "id"), id);
  cr_expect_str_eq(at(finding, misdeed ? "misdeed" : "wrong"),
                   misdeed ? pp_misdeed_name(made[k].misdeed)
                           : pp_wrong_name(made[k].wrong));
  cr_expect_str_eq(at(finding, "rule"), misdeed ? "PROTOCOL" : made[k].rule);
  cr_expect_eq(json_is_true(json_object_get(finding, "waived")), k == 2);
  for (size_t p = 0; p < 3; p++) {
    json_t *wanted = texts[p] ? must_load(texts[p]) : NULL;
    const json_t *part = json_object_get(finding, keys[p]);
    cr_expect(wanted ? json_equal(wanted, part) : part == NULL, "%zu: %s", k,
              keys[p]);
    json_decref(wanted);
  }
}

Test(reports, json) {
  pp_conformance run = make_run();
  char *text = render(pp_report_json, &run);
  json_t *root = must_load(text);
  cr_expect_str_eq(at(root, "command"), "./mine '" FIXED "'");
  cr_expect_str_eq(at(root, "seed"), "18446744073709551615");
  cr_expect_str_eq(at(root, "time"), "2026-11-29T12:00:00Z");
  cr_expect(json_is_false(json_object_get(root, "conforms")));
  cr_expect_eq(json_array_size(json_object_get(root, "vectors")), 10);
  cr_expect_eq(json_array_size(json_object_get(root, "stale_waivers")), 2);
  const json_t *arena =
      json_object_get(json_object_get(root, "verbs"), "arena");
  cr_expect_eq(json_integer_value(
                   json_object_get(json_object_get(arena, "vectors"), "left")),
               1);
  const json_t *findings = json_object_get(root, "findings");
  cr_assert_eq(json_array_size(findings), COUNT(made));
  for (size_t k = 0; k < COUNT(made); k++)
    expect_finding(json_array_get(findings, k), k, run.finding[k].id);
  json_decref(root);
  free(text);
  pp_conformance_free(&run);
  pp_expect_no_leak();
}

Test(reports, sarif) {
  pp_conformance run = make_run();
  char *text = render(pp_report_sarif, &run);
  json_t *root = must_load(text);
  const json_t *sarif = json_array_get(json_object_get(root, "runs"), 0);
  const json_t *rules = json_object_get(
      json_object_get(json_object_get(sarif, "tool"), "driver"), "rules");
  const json_t *results = json_object_get(sarif, "results");
  cr_assert_eq(json_array_size(results), COUNT(made));
  static const char *const uris[] = {"corpus/vectors/segments.json",
                                     "finds/a%20b%25.json",
                                     "corpus/vectors/arena.json",
                                     "corpus/vectors/validate.json",
                                     "corpus/vectors/spans.json",
                                     "corpus/vectors/score.json",
                                     "corpus/vectors/release.json",
                                     "oracle/PROTOCOL.md",
                                     "oracle/PROTOCOL.md"};
  for (size_t k = 0; k < COUNT(made); k++) {
    const json_t *result = json_array_get(results, k);
    json_int_t index = json_integer_value(json_object_get(result, "ruleIndex"));
    const json_t *place =
        json_object_get(json_array_get(json_object_get(result, "locations"), 0),
                        "physicalLocation");
    cr_expect_str_eq(at(result, "ruleId"),
                     at(json_array_get(rules, (size_t)index), "id"));
    cr_expect_str_eq(at(json_object_get(place, "artifactLocation"), "uri"),
                     uris[k]);
    cr_expect_eq(json_object_get(result, "suppressions") != NULL, k == 2);
    cr_expect_str_eq(at(json_object_get(result, "fingerprints"), "poolproof/1"),
                     k == 8 ? "chatty" : run.finding[k].id);
  }
  json_decref(root);
  free(text);
  pp_conformance_free(&run);
  pp_expect_no_leak();
}

Test(reports, text) {
  static const char *const pieces[] = {
      "DOES NOT CONFORM, exact: pl\\xc3\\xa4n \\x1b[31m]]>",
      ": 1 of 9 vectors (1 not asked), 48,210 random questions in 1.5 s, "
      "8 findings, 1 waived\n",
      "     1                    8        3                  0:8"
      "                  1:0\n",
      "     0                    8        1      0         [0, 1]"
      "                    0                    0\n",
      "     2                    1        1      7         always"
      "                    8                   16\n",
      "  again     poolproof shrink 'finds/a b%.json' --impl './mine '\\''",
      "\nwaived:\n  arena-",
      "  https://example.org/7  answered (ARN-4)\n",
      "\nunsupported:\n  arena-0000000000000001  classes\n",
      "\nskipped:\n  arena-0000000000000002  https://example.org/s\n",
      "\nprocess: finding 8: \\x1b",
      "rule PROTOCOL, chatty",
      "    said      {\"result\":{\"spans\":[null,[3,4]]}}\n",
      "  one\n  two \\x1b\n"};
  pp_conformance run = make_run();
  char *text = render(pp_report_text, &run);
  expect_has(text, pieces, COUNT(pieces));
  cr_expect_eq(count(text, "finding 2: "), 0, "what is waived is told");
  for (const char *c = text; *c; c++)
    cr_assert(*c == '\n' || (*c >= ' ' && *c < 0x7f), "byte %d", *c);
  free(text);
  pp_conformance_free(&run);
  pp_expect_no_leak();
}

Test(reports, markup) {
  static const char *const junit[] = {
      " tests=\"17\" failures=\"8\" errors=\"0\" skipped=\"8\">",
      "<testsuite name=\"arena\" tests=\"5\" failures=\"0\" errors=\"0\"",
      " skipped=\"4\" timestamp=\"2026-11-29T12:00:00\">",
      "<skipped message=\"waived: https://example.org/7\"/>",
      "<skipped message=\"unsupported: classes\"/>",
      "<failure type=\"chatty\" message=\"finding 8: ",
      "<testsuite name=\"fuzz\" tests=\"6\" failures=\"2\""};
  static const char *const html[] = {
      "<div class=\"q-banner q-bad\">DOES NOT CONFORM",
      "VAL-1",
      "<a rel=\"noreferrer noopener\" href=\"https://example.org/7\">",
      "<td>release context 0</td><td>ok: free 1</td>",
      "<td>ok: free 1</td><td>ok: await, free 1</td>",
      "<tr class=\"q-differs\"><td>working</td><td>63</td><td>64</td>",
      "<svg class=\"q-lives\""};
  pp_conformance run = make_run();
  char *texts[] = {render(pp_report_junit, &run), render(pp_report_html, &run),
                   render(pp_report_badge, &run)};
  expect_has(texts[0], junit, COUNT(junit));
  expect_has(texts[1], html, COUNT(html));
  cr_expect_eq(count(texts[1], "<svg"), 4);
  cr_expect_eq(count(texts[1], "<style>"), 2);
  cr_expect_eq(count(texts[1], "<defs>"), 1);
  for (size_t k = 0; k < COUNT(texts); k++) {
    cr_expect_eq(count(texts[k], "<svg"), count(texts[k], "</svg>"));
    cr_expect_eq(count(texts[k], "<script"), 0);
    cr_expect_eq(count(texts[k], "]]>"), 0);
    for (const char *c = texts[k]; *c; c++)
      cr_assert(*c == '\n' || (unsigned char)*c >= ' ', "byte %d", *c);
    free(texts[k]);
  }
  pp_conformance_free(&run);
  pp_expect_no_leak();
}

static const struct {
  pp_tally vectors;
  size_t open, waived;
  pp_misdeed misdeed;
  bool fuzzed;
  const char *verdict, *badge;
} verdicts[] = {
    {{.asked = 312, .agreed = 312},
     0,
     0,
     PP_BEHAVED,
     true,
     "CONFORMS, exact: mine 1: 312 of 312 vectors, 1 random question in "
     "60 s",
     "aria-label=\"poolproof: exact 312/312\""},
    {{.asked = 2, .agreed = 1, .disagreed = 1},
     0,
     1,
     PP_BEHAVED,
     false,
     "CONFORMS, exact: mine 1: 1 of 2 vectors, 1 waived",
     "aria-label=\"poolproof: exact 1/2\""},
    {{.asked = 2000, .agreed = 1998},
     2,
     0,
     PP_BEHAVED,
     false,
     "DOES NOT CONFORM, exact: mine 1: 1,998 of 2,000 vectors, 2 findings",
     "aria-label=\"poolproof: 2 disagree\""},
    {{.asked = 1},
     1,
     0,
     PP_MISDEED_HANGS,
     false,
     "DOES NOT CONFORM, exact: mine 1: 0 of 1 vector, 1 finding",
     "aria-label=\"poolproof: 1 misbehaves\""},
    {{.left = 3},
     0,
     0,
     PP_BEHAVED,
     false,
     "NOT TESTED, too little was answered: mine 1: 0 of 0 vectors (3 not "
     "asked)",
     "aria-label=\"poolproof: not tested\""},
};

/* What a run of one verb says in a line and on its badge. */
Test(reports, verdicts) {
  for (size_t k = 0; k < COUNT(verdicts); k++) {
    pp_finding finding[2] = {{.misdeed = verdicts[k].misdeed},
                             {.misdeed = verdicts[k].misdeed}};
    finding[0].waived = verdicts[k].waived > 0;
    pp_conformance run = {.hello = {.name = "mine", .version = "1"},
                          .vectors = {verdicts[k].vectors},
                          .findings = verdicts[k].open + verdicts[k].waived,
                          .finding = finding,
                          .fuzzed = verdicts[k].fuzzed,
                          .fuzz_seconds = 60,
                          .fuzz_runs = 1};
    cr_expect_eq(pp_conformance_open(&run), verdicts[k].open);
    cr_expect_eq(pp_conforms(&run), k < 2);
    char *text = render(pp_report_text, &run);
    char *badge = render(pp_report_badge, &run);
    text[strcspn(text, "\n")] = '\0';
    cr_expect_str_eq(text, verdicts[k].verdict);
    expect_has(badge, &verdicts[k].badge, 1);
    free(text);
    free(badge);
  }
}

Test(reports, full_disk) {
  report *const reports[] = {pp_report_text,  pp_report_json, pp_report_junit,
                             pp_report_sarif, pp_report_html, pp_report_badge};
  pp_conformance run = make_run();
  for (size_t k = 0; k < COUNT(reports); k++) {
    pp_diag diag = {0};
    FILE *out = fopen("/dev/full", "w");
    cr_assert(out);
    cr_expect_eq(reports[k](out, &run, &diag), PP_EXIT_RESOURCE);
    cr_expect_str_eq(diag.text, "the output cannot be written: "
                                "No space left on device");
    fclose(out);
  }
  pp_conformance_free(&run);
  pp_expect_no_leak();
}
