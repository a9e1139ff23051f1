/* poolproof: a conformance run as a page.  SPDX-License-Identifier: MIT */
#include "reports.h"

#include "number.h"

#include <inttypes.h>
#include <string.h>

enum {
  TOLD = 100,   /* findings told in full */
  LISTED = 200, /* vectors that were not answered */
  LABEL = 1200, /* characters of a name or sentence */
  LONG = 8000   /* of a line of the protocol */
};

static void put_xml(pp_sheet *sheet, const char *text) {
  pp_sheet_text(sheet, PP_FORM_XML, text, LABEL);
}

/* -- the head of the page -- */

static const char *const page_css =
    ":root{color-scheme:light dark;--ink:#1b2027;--paper:#fff;--line:#d5dae0;"
    "--soft:#f3f5f7;--dim:#57606a;--good:#1b6e3c;--bad:#b3001b;--grey:#57606a;"
    "--said:#b4540a;--want:#0a5a8a;--mark:#fff1d6}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e8ecf1;--paper:#14181d;"
    "--line:#39424d;--soft:#1d2329;--dim:#a3adb8;--good:#2e8b57;--bad:#c01024;"
    "--grey:#5f6873;--said:#f0a35e;--want:#6cc4f5;--mark:#4a3413}}\n"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:1120px;"
    "padding:16px;background:var(--paper);color:var(--ink);font:15px/1.5 "
    "system-ui,'DejaVu Sans',sans-serif}\n"
    ".q-banner{padding:14px 18px;border-radius:8px;color:#fff;"
    "font-weight:600;font-size:18px;overflow-wrap:anywhere;"
    "print-color-adjust:exact;-webkit-print-color-adjust:exact}\n"
    ".q-good{background:var(--good)}.q-bad{background:var(--bad)}"
    ".q-grey{background:var(--grey)}\n"
    "h2{font-size:19px;margin:32px 0 8px}h3{font-size:16px;margin:0 0 4px;"
    "break-after:avoid}p{margin:6px 0;overflow-wrap:anywhere}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 14px;"
    "margin:14px 0}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}\n"
    ".q-wide{overflow-x:auto;margin:10px 0}.q-wide>svg{display:block}"
    ".q-wide>svg:not(.q-lives){width:100%;min-width:760px;height:auto}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;"
    "font-size:14px}th,td{padding:3px 12px 3px 0;text-align:right;"
    "white-space:nowrap;border-bottom:1px solid var(--line)}"
    "th{color:var(--dim);font-weight:500}"
    "th:first-child,td:first-child,.q-words th,.q-words td{text-align:left}\n"
    ".q-differs td{background:var(--mark);print-color-adjust:exact;"
    "-webkit-print-color-adjust:exact}.q-zero{color:var(--dim)}"
    ".q-hit{color:var(--bad);font-weight:600}\n"
    "@media (prefers-color-scheme:dark){.q-hit{color:#ff7b81}}\n"
    ".q-find{border:1px solid var(--line);border-radius:8px;padding:12px "
    "16px;margin:14px 0}.q-dimmed{color:var(--dim);font-size:14px}\n"
    "pre{background:var(--soft);border-radius:6px;padding:8px 10px;margin:6px "
    "0;max-height:11em;overflow:auto;white-space:pre-wrap;"
    "overflow-wrap:anywhere;font-size:12.5px}code{font-size:13px}\n"
    "pre b{color:var(--dim);font-weight:500}"
    "li{overflow-wrap:anywhere}a{color:var(--want)}\n"
    ".q-lives text{font:13px system-ui,'DejaVu Sans',sans-serif;"
    "fill:var(--ink)}.q-lives .q-dim{font-size:11px;fill:var(--dim)}"
    ".q-lives .q-none,.q-lives .q-position{font-size:11px;fill:var(--dim)}\n"
    ".q-lives .q-access{font-family:'DejaVu Sans Mono',monospace}"
    ".q-said{fill:var(--said)}.q-want{fill:none;stroke:var(--want);"
    "stroke-width:1.6}.q-rule{stroke:var(--line)}\n"
    "@media print{body{max-width:none;padding:0}pre{max-height:none}"
    ".q-wide{overflow:visible}.q-wide>svg:not(.q-lives){min-width:0}}\n";

static void put_head(pp_sheet *sheet, const char *verdict) {
  pp_sheet_put(sheet,
               "<!DOCTYPE html>\n<html lang=\"en\"><head>"
               "<meta charset=\"utf-8\"/>\n"
               "<meta http-equiv=\"Content-Security-Policy\" content=\""
               "default-src 'none'; style-src 'unsafe-inline'\"/>\n"
               "<meta name=\"viewport\" content=\"width=device-width\"/>\n"
               "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
               "<title>");
  put_xml(sheet, verdict);
  pp_sheet_put(sheet, "</title>\n<style>\n");
  pp_sheet_put(sheet, page_css);
  pp_sheet_put(sheet, "</style></head>\n<body>\n");
}

/* Its text as a link, where it is one. */
static void put_link(pp_sheet *sheet, const char *url) {
  bool link =
      strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0;
  if (link) {
    pp_sheet_put(sheet, "<a rel=\"noreferrer noopener\" href=\"");
    put_xml(sheet, url);
    pp_sheet_put(sheet, "\">");
  }
  put_xml(sheet, url);
  if (link) pp_sheet_put(sheet, "</a>");
}

static void put_facts(pp_sheet *sheet, const pp_conformance *conformance) {
  pp_sheet_put(sheet, "<dl><dt>command</dt><dd><code>");
  put_xml(sheet, conformance->command ? conformance->command : "");
  pp_sheet_put(sheet, "</code></dd>\n");
  if (conformance->hello.homepage[0]) {
    pp_sheet_put(sheet, "<dt>homepage</dt><dd>");
    put_link(sheet, conformance->hello.homepage);
    pp_sheet_put(sheet, "</dd>\n");
  }
  pp_sheet_print(sheet,
                 "<dt>compared</dt><dd>%s</dd>\n<dt>seed</dt><dd>%" PRIu64
                 "</dd>\n<dt>started again</dt><dd>%u</dd>\n"
                 "<dt>time</dt><dd>",
                 pp_compare_name(conformance->compare), conformance->seed,
                 conformance->restarts);
  pp_sheet_time(sheet, conformance->now, true);
  pp_sheet_put(sheet, "</dd></dl>\n");
}

static void put_count(pp_sheet *sheet, uint64_t count, bool bad) {
  char number[PP_NUMBER];
  const char *style = count == 0 ? "q-zero" : bad ? "q-hit" : "";
  pp_sheet_print(sheet, "<td class=\"%s\">%s</td>", style,
                 pp_grouped(count, number, sizeof number));
}

static void put_tally(pp_sheet *sheet, const char *verb, const char *what,
                      const pp_tally *tally) {
  if (tally->asked == 0 && tally->left == 0) return;
  pp_sheet_print(sheet, "<tr><td>%s</td><td>%s</td>", verb, what);
#define PP_PUT_TALLY(field, title)                                             \
  put_count(sheet, tally->field,                                               \
            &tally->field == &tally->disagreed ||                              \
                &tally->field == &tally->misbehaved);
  PP_TALLIES(PP_PUT_TALLY)
#undef PP_PUT_TALLY
  pp_sheet_put(sheet, "</tr>\n");
}

static void put_table(pp_sheet *sheet, const pp_conformance *conformance) {
  pp_sheet_put(sheet, "<div class=\"q-wide\"><table><thead><tr><th></th>"
                      "<th></th>");
#define PP_PUT_TITLE(field, title) pp_sheet_put(sheet, "<th>" title "</th>");
  PP_TALLIES(PP_PUT_TITLE)
#undef PP_PUT_TITLE
  pp_sheet_put(sheet, "</tr></thead><tbody>\n");
  for (size_t v = 0; v < PP_ASK_COUNT; v++) {
    const char *verb = pp_ask_verb_name((pp_ask_verb)v);
    put_tally(sheet, verb, "vectors", &conformance->vectors[v]);
    put_tally(sheet, verb, "random", &conformance->fuzz[v]);
  }
  pp_sheet_put(sheet, "</tbody></table></div>\n");
}

/* -- findings -- */

static void put_part(pp_sheet *sheet, const char *label,
                     const pp_finding *finding, pp_part part) {
  if (!pp_finding_has(finding, part)) return;
  pp_sheet_print(sheet, "<pre><b>%s</b> ", label);
  pp_sheet_part(sheet, PP_FORM_XML, finding, part, LONG);
  pp_sheet_put(sheet, "</pre>\n");
}

static void put_about(pp_sheet *sheet, const pp_finding *finding) {
  pp_sheet_put(sheet, "<p class=\"q-dimmed\">");
  if (finding->id[0] && finding->vector)
    pp_sheet_print(sheet, "vector %s; ", finding->id);
  else if (finding->id[0])
    pp_sheet_print(sheet, "random question %" PRIu64 ", made small: %s; ",
                   finding->run, finding->id);
  if (finding->comment[0]) {
    put_xml(sheet, finding->comment);
    pp_sheet_put(sheet, "; ");
  }
  if (finding->file[0]) {
    pp_sheet_put(sheet, "in <code>");
    put_xml(sheet, finding->file);
    pp_sheet_put(sheet, "</code>; ");
  }
  pp_sheet_print(sheet, "seen %" PRIu64 " time%s</p>\n", finding->count,
                 pp_plural(finding->count));
}

static void put_finding(pp_sheet *sheet, pp_gallery *gallery,
                        const pp_finding *finding) {
  pp_sheet_print(sheet,
                 "<section class=\"q-find\"><h3>%s: %s, rule %s</h3>\n<p>",
                 pp_finding_verb(finding), pp_finding_word(finding),
                 pp_finding_rule(finding));
  put_xml(sheet, finding->judgement.sentence);
  pp_sheet_put(sheet, "</p>\n");
  put_about(sheet, finding);
  if (finding->id[0] && pp_ask_has_items(&finding->ask)) {
    char number[PP_NUMBER];
    pp_sheet_print(sheet, "<p class=\"q-dimmed\">cap %s</p>\n",
                   pp_grouped(finding->ask.c.cap, number, sizeof number));
  }
  pp_tables_finding(sheet, finding);
  pp_draw_finding(sheet, gallery, finding);
  put_part(sheet, "request", finding, PP_PART_REQUEST);
  put_part(sheet, "said", finding, PP_PART_SAID);
  put_part(sheet, "specified", finding, PP_PART_EXPECTED);
  pp_sheet_put(sheet, "</section>\n");
}

static void put_open(pp_sheet *sheet, const pp_conformance *conformance) {
  pp_gallery gallery = {0};
  size_t n = 0;
  for (size_t k = 0; k < conformance->findings; k++) {
    const pp_finding *finding = &conformance->finding[k];
    if (finding->waived) continue;
    if (n == 0) pp_sheet_put(sheet, "<h2>Findings</h2>\n");
    if (n++ < TOLD) {
      put_finding(sheet, &gallery, finding);
    } else {
      pp_sheet_print(sheet, "<p>%s %s: ", finding->id,
                     pp_finding_word(finding));
      put_xml(sheet, finding->judgement.sentence);
      pp_sheet_put(sheet, "</p>\n");
    }
  }
}

static void put_waived(pp_sheet *sheet, const pp_conformance *conformance) {
  if (pp_conformance_open(conformance) == conformance->findings) return;
  pp_sheet_put(sheet, "<h2>Waived</h2>\n<ul>\n");
  for (size_t k = 0; k < conformance->findings; k++) {
    const pp_finding *finding = &conformance->finding[k];
    if (!finding->waived) continue;
    pp_sheet_print(sheet, "<li>%s, %s, rule %s: ", finding->id,
                   pp_finding_word(finding), pp_finding_rule(finding));
    put_xml(sheet, finding->judgement.sentence);
    pp_sheet_put(sheet, " ");
    put_link(sheet, finding->url);
    pp_sheet_put(sheet, "</li>\n");
  }
  pp_sheet_put(sheet, "</ul>\n");
}

/* -- vectors that were not answered -- */

static void put_outcomes(pp_sheet *sheet, const pp_conformance *conformance,
                         enum pp_vector_result result, const char *title) {
  size_t n = 0;
  for (size_t k = 0; k < conformance->outcomes; k++) {
    const pp_vector_outcome *outcome = &conformance->outcome[k];
    if (outcome->result != result || n++ >= LISTED) continue;
    if (n == 1) pp_sheet_print(sheet, "<h2>%s</h2>\n<ul>\n", title);
    pp_sheet_print(sheet, "<li>%s: ", outcome->id);
    put_link(sheet, outcome->text);
    pp_sheet_put(sheet, "</li>\n");
  }
  if (n > 0) pp_sheet_put(sheet, "</ul>\n");
  if (n > LISTED) pp_sheet_print(sheet, "<p>and %zu more</p>\n", n - LISTED);
}

static void put_stale(pp_sheet *sheet, const char *stale) {
  char line[PP_STALE_LINE];
  if (!stale || !*stale) return;
  pp_sheet_put(sheet, "<h2>Waivers to be removed</h2>\n<ul>\n");
  while (pp_stale_line(&stale, line)) {
    pp_sheet_put(sheet, "<li>");
    put_xml(sheet, line);
    pp_sheet_put(sheet, "</li>\n");
  }
  pp_sheet_put(sheet, "</ul>\n");
}

int pp_report_html(FILE *out, const pp_conformance *conformance,
                   pp_diag *diag) {
  static const char *const styles[] = {"q-good", "q-bad", "q-grey"};
  pp_sheet sheet = {.pen = {.out = out}, .diag = diag};
  char verdict[PP_VERDICT_TEXT];
  pp_verdict_text(conformance, verdict);
  put_head(&sheet, verdict);
  pp_sheet_print(&sheet, "<div class=\"q-banner %s\">",
                 styles[pp_verdict_of(conformance)]);
  put_xml(&sheet, verdict);
  pp_sheet_put(&sheet, "</div>\n");
  put_facts(&sheet, conformance);
  put_table(&sheet, conformance);
  put_open(&sheet, conformance);
  put_waived(&sheet, conformance);
  put_outcomes(&sheet, conformance, PP_VECTOR_UNSUPPORTED, "Unsupported");
  put_outcomes(&sheet, conformance, PP_VECTOR_SKIPPED, "Skipped");
  put_outcomes(&sheet, conformance, PP_VECTOR_LEFT, "Not asked");
  put_stale(&sheet, conformance->stale);
  pp_sheet_put(&sheet, "</body></html>\n");
  return pp_sheet_end(&sheet);
}
