/* poolproof: a conformance run as a badge.  SPDX-License-Identifier: MIT */
#include "reports.h"

#include "number.h"

#include <string.h>

/* About the width of text in 11 px of a sans-serif face. */
static double width_of(const char *text) {
  double width = 0;
  for (; *text; text++)
    width += strchr("fijlrt/,.:|1 ", *text) ? 4.6
             : strchr("mwMW%", *text)       ? 10.2
                                            : 7;
  return width;
}

static size_t open_misdeeds(const pp_conformance *conformance) {
  size_t n = 0;
  for (size_t k = 0; k < conformance->findings; k++)
    n += !conformance->finding[k].waived &&
         conformance->finding[k].misdeed != PP_BEHAVED;
  return n;
}

/* "exact 312/312", "2 disagree"; and the colour. */
static const char *say(const pp_conformance *conformance, char *out,
                       size_t size) {
  char one[PP_NUMBER];
  char two[PP_NUMBER];
  size_t open = pp_conformance_open(conformance);
  pp_tally sum = pp_tally_sum(conformance->vectors);
  pp_verdict verdict = pp_verdict_of(conformance);
  if (verdict == PP_VERDICT_UNTESTED) {
    (void)snprintf(out, size, "not tested");
    return "#70757a";
  }
  if (verdict == PP_VERDICT_FAILS) {
    bool misdeeds = open_misdeeds(conformance) == open;
    (void)snprintf(out, size, "%zu %s%s", open,
                   misdeeds ? "misbehave" : "disagree", open == 1 ? "s" : "");
    return "#b3261e";
  }
  if (sum.asked > 0)
    (void)snprintf(out, size, "%s %s/%s", pp_compare_name(conformance->compare),
                   pp_grouped(sum.agreed, one, sizeof one),
                   pp_grouped(sum.asked, two, sizeof two));
  else
    (void)snprintf(
        out, size, "%s %s random", pp_compare_name(conformance->compare),
        pp_grouped(pp_tally_sum(conformance->fuzz).agreed, one, sizeof one));
  bool part = conformance->findings > 0 || sum.skipped + sum.unsupported > 0;
  return part ? "#7a6a00" : "#2e7d32";
}

static void put_words(pp_sheet *sheet, double at, double width,
                      const char *words) {
  pp_sheet_put(sheet, "<text");
  pp_pen_attr(&sheet->pen, "x", at + width / 2);
  pp_sheet_put(sheet, " y=\"14\"");
  pp_pen_attr(&sheet->pen, "textLength", width - 12);
  pp_sheet_print(sheet, ">%s</text>\n", words);
}

static void put_box(pp_sheet *sheet, double at, double width,
                    const char *colour) {
  pp_sheet_put(sheet, "<rect");
  pp_pen_attr(&sheet->pen, "x", at);
  pp_pen_attr(&sheet->pen, "width", width);
  pp_sheet_print(sheet, " height=\"20\" fill=\"%s\"/>\n", colour);
}

int pp_report_badge(FILE *out, const pp_conformance *conformance,
                    pp_diag *diag) {
  static const char name[] = "poolproof";
  pp_sheet sheet = {.pen = {.out = out}, .diag = diag};
  char words[3 * PP_NUMBER];
  char verdict[PP_VERDICT_TEXT];
  const char *colour = say(conformance, words, sizeof words);
  double left = width_of(name) + 12;
  double right = width_of(words) + 12;
  pp_verdict_text(conformance, verdict);
  pp_sheet_put(&sheet, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                       "height=\"20\" role=\"img\"");
  pp_pen_attr(&sheet.pen, "width", left + right);
  pp_sheet_print(&sheet, " aria-label=\"%s: %s\">\n<title>", name, words);
  pp_sheet_text(&sheet, PP_FORM_XML, verdict, PP_VERDICT_TEXT);
  pp_sheet_put(&sheet, "</title>\n<clipPath id=\"r\"><rect");
  pp_pen_attr(&sheet.pen, "width", left + right);
  pp_sheet_put(&sheet, " height=\"20\" rx=\"3\"/></clipPath>\n"
                       "<g clip-path=\"url(#r)\">\n");
  put_box(&sheet, 0, left, "#3d4247");
  put_box(&sheet, left, right, colour);
  pp_sheet_put(&sheet, "</g>\n<g fill=\"#fff\" text-anchor=\"middle\" "
                       "font-family=\"Verdana,DejaVu Sans,sans-serif\" "
                       "font-size=\"11\">\n");
  put_words(&sheet, 0, left, name);
  put_words(&sheet, left, right, words);
  pp_sheet_put(&sheet, "</g></svg>\n");
  return pp_sheet_end(&sheet);
}
