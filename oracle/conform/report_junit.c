/* poolproof: a conformance run as JUnit XML.  SPDX-License-Identifier: MIT */
#include "reports.h"

#include <inttypes.h>

enum { LONG = 4000 }; /* characters of an attribute or a line */

/* What a suite holds. */
typedef struct pp_counts {
  size_t tests, failures, skipped;
} pp_counts;

static void put_attr(pp_sheet *sheet, const char *name, const char *text) {
  pp_sheet_print(sheet, " %s=\"", name);
  pp_sheet_text(sheet, PP_FORM_XML, text, LONG);
  pp_sheet_put(sheet, "\"");
}

static void open_suite(pp_sheet *sheet, const pp_conformance *conformance,
                       const char *name, const pp_counts *counts) {
  pp_sheet_print(sheet,
                 "<testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" "
                 "errors=\"0\" skipped=\"%zu\" timestamp=\"",
                 name, counts->tests, counts->failures, counts->skipped);
  pp_sheet_time(sheet, conformance->now, false);
  pp_sheet_put(sheet, "\">\n");
}

static void open_case(pp_sheet *sheet, const char *suite, const char *name) {
  pp_sheet_print(sheet, "<testcase classname=\"poolproof.%s\"", suite);
  put_attr(sheet, "name", name);
  pp_sheet_put(sheet, ">");
}

static void put_skipped(pp_sheet *sheet, const char *why, const char *text) {
  pp_sheet_print(sheet, "<skipped message=\"%s", why);
  pp_sheet_text(sheet, PP_FORM_XML, text, LONG);
  pp_sheet_put(sheet, "\"/>");
}

static void put_line(pp_sheet *sheet, const char *label,
                     const pp_finding *finding, pp_part part) {
  if (!pp_finding_has(finding, part)) return;
  pp_sheet_print(sheet, "\n%s: ", label);
  pp_sheet_part(sheet, PP_FORM_XML, finding, part, LONG);
}

static void put_body(pp_sheet *sheet, const pp_finding *finding) {
  pp_sheet_text(sheet, PP_FORM_XML, finding->judgement.sentence, LONG);
  pp_sheet_print(sheet, "\nrule: %s", pp_finding_rule(finding));
  put_line(sheet, "request", finding, PP_PART_REQUEST);
  put_line(sheet, "said", finding, PP_PART_SAID);
  put_line(sheet, "specified", finding, PP_PART_EXPECTED);
  if (finding->file[0]) {
    pp_sheet_put(sheet, "\nfile: ");
    pp_sheet_text(sheet, PP_FORM_XML, finding->file, LONG);
  }
}

static void open_failure(pp_sheet *sheet, const pp_finding *finding) {
  pp_sheet_print(sheet, "<failure type=\"%s\"", pp_finding_word(finding));
  put_attr(sheet, "message", finding->judgement.sentence);
  pp_sheet_put(sheet, ">");
}

static void put_finding(pp_sheet *sheet, const pp_finding *finding) {
  if (finding->waived) {
    put_skipped(sheet, "waived: ", finding->url);
    return;
  }
  open_failure(sheet, finding);
  put_body(sheet, finding);
  pp_sheet_put(sheet, "</failure>");
}

/* -- vectors: a suite a verb -- */

static const pp_finding *found(const pp_conformance *conformance,
                               const pp_vector_outcome *outcome) {
  return outcome->result == PP_VECTOR_FOUND &&
                 outcome->finding < conformance->findings
             ? &conformance->finding[outcome->finding]
             : NULL;
}

static pp_counts count_vectors(const pp_conformance *conformance,
                               pp_ask_verb verb) {
  pp_counts counts = {0};
  for (size_t k = 0; k < conformance->outcomes; k++) {
    const pp_vector_outcome *outcome = &conformance->outcome[k];
    const pp_finding *finding = found(conformance, outcome);
    if (outcome->verb != verb) continue;
    counts.tests++;
    if (finding && !finding->waived)
      counts.failures++;
    else if (outcome->result != PP_VECTOR_AGREED)
      counts.skipped++;
  }
  return counts;
}

static void put_vector(pp_sheet *sheet, const pp_conformance *conformance,
                       const pp_vector_outcome *outcome) {
  const pp_finding *finding = found(conformance, outcome);
  open_case(sheet, pp_ask_verb_name(outcome->verb), outcome->id);
  if (finding)
    put_finding(sheet, finding);
  else if (outcome->result == PP_VECTOR_UNSUPPORTED)
    put_skipped(sheet, "unsupported: ", outcome->text);
  else if (outcome->result == PP_VECTOR_SKIPPED)
    put_skipped(sheet, "skipped: ", outcome->text);
  else if (outcome->result != PP_VECTOR_AGREED)
    put_skipped(sheet, "not asked: ", outcome->text);
  pp_sheet_put(sheet, "</testcase>\n");
}

static void put_vectors(pp_sheet *sheet, const pp_conformance *conformance,
                        pp_ask_verb verb) {
  pp_counts counts = count_vectors(conformance, verb);
  if (counts.tests == 0) return;
  open_suite(sheet, conformance, pp_ask_verb_name(verb), &counts);
  for (size_t k = 0; k < conformance->outcomes; k++)
    if (conformance->outcome[k].verb == verb)
      put_vector(sheet, conformance, &conformance->outcome[k]);
  pp_sheet_put(sheet, "</testsuite>\n");
}

/* -- fuzzing: a case a verb -- */

/* The next finding of fuzzing this verb from *at on that is open (or waived);
 * NULL: no more. */
static const pp_finding *next_fuzzed(const pp_conformance *conformance,
                                     pp_ask_verb verb, bool waived,
                                     size_t *at) {
  while (*at < conformance->findings) {
    const pp_finding *finding = &conformance->finding[(*at)++];
    if (!finding->vector && finding->id[0] && finding->ask.verb == verb &&
        finding->waived == waived)
      return finding;
  }
  return NULL;
}

static void put_fuzzed(pp_sheet *sheet, const pp_conformance *conformance,
                       pp_ask_verb verb) {
  size_t at = 0;
  size_t from = 0;
  const pp_finding *first = next_fuzzed(conformance, verb, false, &at);
  const pp_finding *waived = next_fuzzed(conformance, verb, true, &from);
  open_case(sheet, "fuzz", pp_ask_verb_name(verb));
  if (first) {
    open_failure(sheet, first);
    put_body(sheet, first);
    while ((first = next_fuzzed(conformance, verb, false, &at)) != NULL) {
      pp_sheet_put(sheet, "\n\n");
      put_body(sheet, first);
    }
    pp_sheet_put(sheet, "</failure>");
  } else if (waived) {
    put_skipped(sheet, "waived: ", waived->url);
  } else if (conformance->fuzz[verb].asked == 0) {
    put_skipped(sheet, "not asked", "");
  }
  pp_sheet_print(sheet,
                 "<system-out>%" PRIu64 " asked, %" PRIu64
                 " agreed</system-out></testcase>\n",
                 conformance->fuzz[verb].asked, conformance->fuzz[verb].agreed);
}

static pp_counts count_fuzzed(const pp_conformance *conformance) {
  pp_counts counts = {.tests = PP_ASK_COUNT};
  for (size_t v = 0; v < PP_ASK_COUNT; v++) {
    size_t at = 0;
    size_t from = 0;
    if (next_fuzzed(conformance, (pp_ask_verb)v, false, &at))
      counts.failures++;
    else if (next_fuzzed(conformance, (pp_ask_verb)v, true, &from) ||
             conformance->fuzz[v].asked == 0)
      counts.skipped++;
  }
  return counts;
}

static void put_fuzz(pp_sheet *sheet, const pp_conformance *conformance,
                     const pp_counts *counts) {
  open_suite(sheet, conformance, "fuzz", counts);
  for (size_t v = 0; v < PP_ASK_COUNT; v++)
    put_fuzzed(sheet, conformance, (pp_ask_verb)v);
  pp_sheet_put(sheet, "</testsuite>\n");
}

/* -- the process: misdeeds that no question brought about -- */

static pp_counts count_process(const pp_conformance *conformance) {
  pp_counts counts = {0};
  for (size_t k = 0; k < conformance->findings; k++)
    counts.failures += conformance->finding[k].id[0] == '\0';
  counts.tests = counts.failures > 0 ? counts.failures : 1;
  return counts;
}

static void put_process(pp_sheet *sheet, const pp_conformance *conformance,
                        const pp_counts *counts) {
  open_suite(sheet, conformance, "process", counts);
  for (size_t k = 0; k < conformance->findings; k++) {
    const pp_finding *finding = &conformance->finding[k];
    if (finding->id[0]) continue;
    open_case(sheet, "process", pp_finding_word(finding));
    put_finding(sheet, finding);
    pp_sheet_put(sheet, "</testcase>\n");
  }
  if (counts->failures == 0) {
    open_case(sheet, "process", "protocol");
    pp_sheet_put(sheet, "</testcase>\n");
  }
  pp_sheet_put(sheet, "</testsuite>\n");
}

static void add(pp_counts *sum, const pp_counts *counts) {
  sum->tests += counts->tests;
  sum->failures += counts->failures;
  sum->skipped += counts->skipped;
}

int pp_report_junit(FILE *out, const pp_conformance *conformance,
                    pp_diag *diag) {
  pp_sheet sheet = {.pen = {.out = out}, .diag = diag};
  pp_counts fuzz = count_fuzzed(conformance);
  pp_counts process = count_process(conformance);
  pp_counts sum = process;
  char verdict[PP_VERDICT_TEXT];
  for (size_t v = 0; v < PP_ASK_COUNT; v++) {
    pp_counts counts = count_vectors(conformance, (pp_ask_verb)v);
    add(&sum, &counts);
  }
  if (conformance->fuzzed) add(&sum, &fuzz);
  pp_verdict_text(conformance, verdict);
  pp_sheet_put(&sheet, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<testsuites");
  put_attr(&sheet, "name", verdict);
  pp_sheet_print(&sheet,
                 " tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
                 "skipped=\"%zu\">\n",
                 sum.tests, sum.failures, sum.skipped);
  for (size_t v = 0; v < PP_ASK_COUNT; v++)
    put_vectors(&sheet, conformance, (pp_ask_verb)v);
  if (conformance->fuzzed) put_fuzz(&sheet, conformance, &fuzz);
  put_process(&sheet, conformance, &process);
  pp_sheet_put(&sheet, "</testsuites>\n");
  return pp_sheet_end(&sheet);
}
