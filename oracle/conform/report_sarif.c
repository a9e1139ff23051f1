/* poolproof: a conformance run as SARIF 2.1.0, as GitHub's code scanning reads
 * it.  SPDX-License-Identifier: MIT */
#include "reports.h"

#include <string.h>

enum { OTHERS = 32 }; /* rules beside those below */

/* Rule, what it is about. */
typedef struct pp_law {
  const char *id;
  const char *about;
} pp_law;

static const pp_law laws[] = {
    {"SEG", "Segments under a cap"},
    {"ARN", "One arena"},
    {"VAL", "Judging a layout"},
    {"FPT", "Footprints"},
    {"REL", "Release"},
    {"SEG-1", "An offset is a multiple of its item's alignment"},
    {"SEG-2", "The next item stands at the open segment's end, aligned up"},
    {"SEG-3", "An item that would pass the cap opens the next segment"},
    {"SEG-4", "A segment is as large as the end of its last item"},
    {"SEG-5", "An item larger than the cap refuses the call, the first named"},
    {"SEG-6", "No items, no segments; items without bytes are items"},
    {"SEG-7", "The rules leave one layout of segments"},
    {"ARN-1", "Items conflict unless spans are disjoint and classes equal"},
    {"ARN-2", "Items are placed by size, the largest first, ties by index"},
    {"ARN-3", "Each item takes the least aligned offset that is free for it"},
    {"ARN-4", "The total is the greatest end; above the cap: over_cap"},
    {"ARN-5", "The rules leave one layout of the arena"},
    {"VAL-1", "A claimed layout is judged: the first violation, in order"},
    {"VAL-2", "The answer is valid for valid layouts and no others"},
    {"RTN-6", "A node's span goes from its first access to its last"},
    {"FPT-1", "A routine's footprint: working bytes and constants"},
    {"FPT-2", "The footprint depends on code and placements alone"},
    {"FPT-3", "With aliasing off every node is always live"},
    {"REL-1", "A release frees exactly the pools that its context owns"},
    {"REL-2", "Pools are freed in uid order, after waiting for the device"},
    {"REL-3", "A second release does nothing"},
    {"REL-4", "A release that failed goes on where it stopped"},
    {"REL-6", "A location in a freed pool is refused"},
    {"PROTOCOL", "The process keeps to the protocol"},
};

enum { LAWS = sizeof laws / sizeof laws[0] };

/* All rules of a report. */
typedef struct pp_laws {
  size_t n;
  pp_law law[LAWS + OTHERS];
} pp_laws;

/* The rule's index; one that is not known is added while there is room. */
static size_t find_law(pp_laws *list, const char *id) {
  for (size_t k = 0; k < list->n; k++)
    if (strcmp(list->law[k].id, id) == 0) return k;
  if (list->n == LAWS + OTHERS) return SIZE_MAX;
  list->law[list->n] = (pp_law){id, id};
  return list->n++;
}

static void put_message(pp_sheet *sheet, const char *key, const char *text) {
  pp_sheet_print(sheet, ",\"%s\":{\"text\":", key);
  pp_sheet_string(sheet, "", text);
  pp_sheet_put(sheet, "}");
}

static void put_laws(pp_sheet *sheet, const pp_laws *list) {
  pp_sheet_put(sheet, "\"rules\":[");
  for (size_t k = 0; k < list->n; k++) {
    const pp_law *law = &list->law[k];
    pp_sheet_string(sheet, k ? ",\n{\"id\":" : "\n{\"id\":", law->id);
    put_message(sheet, "shortDescription", law->about);
    put_message(sheet, "fullDescription", law->about);
    put_message(sheet, "help",
                "ref/README.md states the rules, oracle/PROTOCOL.md the "
                "protocol.");
    pp_sheet_put(sheet, "}");
  }
  pp_sheet_put(sheet, "]");
}

/* A path as a URI: relative as it is, absolute with its scheme. */
static void put_uri(pp_sheet *sheet, const char *path) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstu"
                              "vwxyz0123456789-._~/";
  if (strncmp(path, "./", 2) == 0) path += 2;
  pp_sheet_put(sheet, path[0] == '/' ? "\"file://" : "\"");
  for (; *path; path++) {
    const char one[2] = {*path, '\0'};
    if (strchr(plain, *path))
      pp_sheet_put(sheet, one);
    else
      pp_sheet_print(sheet, "%%%02X", (unsigned)(unsigned char)*path);
  }
  pp_sheet_put(sheet, "\"");
}

/* Where it is to be seen: the question's file, the file of the vectors, or
 * else the page that states what was broken. */
static void put_location(pp_sheet *sheet, const pp_finding *finding) {
  char vectors[64];
  (void)snprintf(vectors, sizeof vectors, "corpus/vectors/%s.json",
                 pp_finding_verb(finding));
  const char *path =
      finding->misdeed != PP_BEHAVED ? "oracle/PROTOCOL.md" : "ref/README.md";
  if (finding->vector && finding->id[0]) path = vectors;
  if (finding->file[0]) path = finding->file;
  pp_sheet_put(sheet, ",\n\"locations\":[{\"physicalLocation\":{"
                      "\"artifactLocation\":{\"uri\":");
  put_uri(sheet, path);
  pp_sheet_put(sheet, "},\"region\":{\"startLine\":1}}}]");
}

static void put_prints(pp_sheet *sheet, const pp_finding *finding) {
  const char *print = finding->id[0] ? finding->id : pp_finding_word(finding);
  pp_sheet_string(sheet, ",\n\"fingerprints\":{\"poolproof/1\":", print);
  pp_sheet_string(
      sheet, "},\"partialFingerprints\":{\"primaryLocationLineHash\":", print);
  pp_sheet_put(sheet, "}");
}

static void put_result(pp_sheet *sheet, const char *before, pp_laws *list,
                       const pp_finding *finding) {
  const char *rule = pp_finding_rule(finding);
  size_t index = find_law(list, rule);
  const char *sentence = finding->judgement.sentence;
  pp_sheet_string(sheet, before, rule);
  if (index != SIZE_MAX) pp_sheet_print(sheet, ",\"ruleIndex\":%zu", index);
  pp_sheet_put(sheet, ",\"level\":\"error\"");
  put_message(sheet, "message",
              sentence[0] ? sentence : pp_finding_word(finding));
  put_location(sheet, finding);
  put_prints(sheet, finding);
  if (finding->waived) {
    pp_sheet_string(sheet,
                    ",\n\"suppressions\":[{\"kind\":\"external\","
                    "\"justification\":",
                    finding->url);
    pp_sheet_put(sheet, "}]");
  }
  pp_sheet_string(sheet,
                  ",\n\"properties\":{\"verb\":", pp_finding_verb(finding));
  pp_sheet_string(sheet, ",\"fault\":", pp_finding_word(finding));
  pp_sheet_number(sheet, ",\"count\":", finding->count);
  pp_sheet_json_part(sheet, ",\n\"request\":", finding, PP_PART_REQUEST);
  pp_sheet_json_part(sheet, ",\n\"said\":", finding, PP_PART_SAID);
  pp_sheet_json_part(sheet, ",\n\"expected\":", finding, PP_PART_EXPECTED);
  pp_sheet_put(sheet, "}}");
}

static void put_run(pp_sheet *sheet, const pp_conformance *conformance,
                    pp_laws *list) {
  pp_sheet_put(sheet, "\"runs\":[{\"tool\":{\"driver\":{\"name\":"
                      "\"poolproof\",\n");
  for (size_t k = 0; k < conformance->findings; k++)
    (void)find_law(list, pp_finding_rule(&conformance->finding[k]));
  put_laws(sheet, list);
  pp_sheet_put(sheet, "}},\n\"invocations\":[{\"executionSuccessful\":true,"
                      "\"endTimeUtc\":\"");
  pp_sheet_time(sheet, conformance->now, true);
  pp_sheet_string(sheet, "\",\"commandLine\":",
                  conformance->command ? conformance->command : "");
  pp_sheet_put(sheet, "}],\n\"columnKind\":\"utf16CodeUnits\","
                      "\n\"results\":[");
  for (size_t k = 0; k < conformance->findings; k++)
    put_result(sheet, k ? ",\n{\"ruleId\":" : "\n{\"ruleId\":", list,
               &conformance->finding[k]);
  pp_sheet_put(sheet, "]}]}\n");
}

int pp_report_sarif(FILE *out, const pp_conformance *conformance,
                    pp_diag *diag) {
  pp_sheet sheet = {.pen = {.out = out}, .diag = diag};
  pp_laws list = {.n = LAWS};
  memcpy(list.law, laws, sizeof laws);
  pp_sheet_put(&sheet, "{\"$schema\":\"https://json.schemastore.org/"
                       "sarif-2.1.0.json\",\"version\":\"2.1.0\",\n");
  put_run(&sheet, conformance, &list);
  return pp_sheet_end(&sheet);
}
