#include "reports.h"

#include <string.h>

static void put_implementation(pp_sheet *sheet, const pp_hello *hello) {
  pp_sheet_string(sheet, ",\n\"implementation\":{\"name\":", hello->name);
  pp_sheet_string(sheet, ",\"version\":", hello->version);
  if (hello->homepage[0])
    pp_sheet_string(sheet, ",\"homepage\":", hello->homepage);
  pp_sheet_put(sheet, ",\"capabilities\":[");
  const char *before = "";
  for (unsigned bit = 0; bit < PP_CAPABILITY_COUNT; bit++) {
    if (!(hello->capabilities >> bit & 1)) continue;
    pp_sheet_string(sheet, before, pp_capability_name(bit));
    before = ",";
  }
  pp_sheet_put(sheet, "]}");
}

static void put_tally(pp_sheet *sheet, const char *before,
                      const pp_tally *tally) {
  pp_sheet_put(sheet, before);
  pp_sheet_number(sheet, "{\"asked\":", tally->asked);
  pp_sheet_number(sheet, ",\"agreed\":", tally->agreed);
  pp_sheet_number(sheet, ",\"disagreed\":", tally->disagreed);
  pp_sheet_number(sheet, ",\"unsupported\":", tally->unsupported);
  pp_sheet_number(sheet, ",\"skipped\":", tally->skipped);
  pp_sheet_number(sheet, ",\"misbehaved\":", tally->misbehaved);
  pp_sheet_number(sheet, ",\"left\":", tally->left);
  pp_sheet_put(sheet, "}");
}

static void put_verbs(pp_sheet *sheet, const pp_conformance *conformance) {
  pp_sheet_put(sheet, ",\n\"verbs\":{");
  for (size_t v = 0; v < PP_ASK_COUNT; v++) {
    pp_sheet_string(sheet, v ? ",\n" : "\n", pp_ask_verb_name((pp_ask_verb)v));
    put_tally(sheet, ":{\"vectors\":", &conformance->vectors[v]);
    put_tally(sheet, ",\"fuzz\":", &conformance->fuzz[v]);
    pp_sheet_put(sheet, "}");
  }
  pp_sheet_put(sheet, "}");
}

static void put_vectors(pp_sheet *sheet, const pp_conformance *conformance) {
  pp_sheet_put(sheet, ",\n\"vectors\":[");
  for (size_t k = 0; k < conformance->outcomes; k++) {
    const pp_vector_outcome *outcome = &conformance->outcome[k];
    pp_sheet_string(sheet, k ? ",\n{\"id\":" : "\n{\"id\":", outcome->id);
    pp_sheet_string(sheet, ",\"verb\":", pp_ask_verb_name(outcome->verb));
    pp_sheet_string(sheet,
                    ",\"result\":", pp_vector_result_name(outcome->result));
    if (outcome->text[0]) pp_sheet_string(sheet, ",\"text\":", outcome->text);
    pp_sheet_put(sheet, "}");
  }
  pp_sheet_put(sheet, "]");
}

static void put_finding(pp_sheet *sheet, const char *before,
                        const pp_finding *finding) {
  bool behaved = finding->misdeed == PP_BEHAVED;
  pp_sheet_string(sheet, before, finding->id);
  if (finding->id[0])
    pp_sheet_string(sheet, ",\"verb\":", pp_finding_verb(finding));
  else
    pp_sheet_put(sheet, ",\"verb\":null");
  pp_sheet_print(sheet, ",\"vector\":%s", finding->vector ? "true" : "false");
  if (!finding->vector) pp_sheet_number(sheet, ",\"run\":", finding->run);
  pp_sheet_string(sheet, behaved ? ",\"wrong\":" : ",\"misdeed\":",
                  pp_finding_word(finding));
  pp_sheet_string(sheet, ",\"rule\":", pp_finding_rule(finding));
  pp_sheet_string(sheet, ",\"sentence\":", finding->judgement.sentence);
  pp_sheet_number(
      sheet, ",\"size\":", finding->id[0] ? pp_ask_size(&finding->ask) : 0);
  pp_sheet_number(sheet, ",\"count\":", finding->count);
  pp_sheet_print(sheet, ",\"waived\":%s", finding->waived ? "true" : "false");
  if (finding->waived) pp_sheet_string(sheet, ",\"issue\":", finding->url);
  if (finding->comment[0])
    pp_sheet_string(sheet, ",\"comment\":", finding->comment);
  if (finding->file[0]) pp_sheet_string(sheet, ",\"file\":", finding->file);
  pp_sheet_json_part(sheet, ",\n\"request\":", finding, PP_PART_REQUEST);
  pp_sheet_json_part(sheet, ",\n\"said\":", finding, PP_PART_SAID);
  pp_sheet_json_part(sheet, ",\n\"expected\":", finding, PP_PART_EXPECTED);
  pp_sheet_put(sheet, "}");
}

static void put_findings(pp_sheet *sheet, const pp_conformance *conformance) {
  pp_sheet_put(sheet, ",\n\"findings\":[");
  for (size_t k = 0; k < conformance->findings; k++)
    put_finding(sheet,
                k ? ",\n{\"id\":" : "\n{\"id\":", &conformance->finding[k]);
  pp_sheet_put(sheet, "]");
}

static void put_stale(pp_sheet *sheet, const char *stale) {
  char line[PP_STALE_LINE];
  const char *before = "";
  pp_sheet_put(sheet, ",\n\"stale_waivers\":[");
  for (; pp_stale_line(&stale, line); before = ",")
    pp_sheet_string(sheet, before, line);
  pp_sheet_put(sheet, "]");
}

int pp_report_json(FILE *out, const pp_conformance *conformance,
                   pp_diag *diag) {
  pp_sheet sheet = {.pen = {.out = out}, .diag = diag};
  const pp_hello *hello = &conformance->hello;
  pp_sheet_put(&sheet, "{\"poolproof\":\"conformance/1\"");
  pp_sheet_string(&sheet, ",\n\"command\":",
                  conformance->command ? conformance->command : "");
  put_implementation(&sheet, hello);
  pp_sheet_number(&sheet, ",\n\"protocol\":", hello->protocol);
  pp_sheet_string(&sheet,
                  ",\"compare\":", pp_compare_name(conformance->compare));
  pp_sheet_print(&sheet, ",\"conforms\":%s",
                 pp_conforms(conformance) ? "true" : "false");
  pp_sheet_number(&sheet, ",\"seed\":", conformance->seed);
  if (conformance->fuzzed) {
    pp_sheet_put(&sheet, ",\"fuzz\":{\"seconds\":");
    pp_sheet_real(&sheet, conformance->fuzz_seconds);
    pp_sheet_number(&sheet, ",\"runs\":", conformance->fuzz_runs);
    pp_sheet_put(&sheet, "}");
  }
  put_verbs(&sheet, conformance);
  put_vectors(&sheet, conformance);
  put_findings(&sheet, conformance);
  pp_sheet_number(&sheet, ",\n\"restarts\":", conformance->restarts);
  put_stale(&sheet, conformance->stale);
  pp_sheet_put(&sheet, ",\n\"time\":\"");
  pp_sheet_time(&sheet, conformance->now, true);
  pp_sheet_put(&sheet, "\"}\n");
  return pp_sheet_end(&sheet);
}
