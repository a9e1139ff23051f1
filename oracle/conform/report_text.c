#include "reports.h"

#include "number.h"

#include <inttypes.h>
#include <string.h>

enum {
  ROWS = 40,   /* items of a question */
  LONG = 2000, /* characters of a line of the protocol */
  LISTED = 20, /* vectors that were skipped or left */
  LABEL = 1200 /* characters of a name or sentence */
};

static void put_plain(pp_sheet *sheet, const char *text) {
  pp_sheet_text(sheet, PP_FORM_PLAIN, text, LABEL);
}

static void put_quoted(pp_sheet *sheet, const char *text) {
  pp_sheet_put(sheet, "'");
  for (; *text; text++) {
    const char one[2] = {*text, '\0'};
    if (*text == '\'')
      pp_sheet_put(sheet, "'\\''");
    else
      put_plain(sheet, one);
  }
  pp_sheet_put(sheet, "'");
}

/* -- the head -- */

/* The counts that are not all 0. */
static void put_tally(pp_sheet *sheet, const pp_tally *sum, const char *verb,
                      const char *what, const pp_tally *tally) {
  char number[PP_NUMBER];
  if (tally->asked == 0 && tally->left == 0) return;
  pp_sheet_print(sheet, "  %-8s %-7s", verb, what);
#define PP_PUT_TALLY(field, title)                                             \
  if (sum->field > 0)                                                          \
    pp_sheet_print(sheet, " %11s",                                             \
                   pp_grouped(tally->field, number, sizeof number));
  PP_TALLIES(PP_PUT_TALLY)
#undef PP_PUT_TALLY
  pp_sheet_put(sheet, "\n");
}

static void put_table(pp_sheet *sheet, const pp_conformance *conformance) {
  const pp_tally parts[PP_ASK_COUNT] = {pp_tally_sum(conformance->vectors),
                                        pp_tally_sum(conformance->fuzz)};
  const pp_tally sum = pp_tally_sum(parts);
  if (sum.asked == 0 && sum.left == 0) return;
  pp_sheet_print(sheet, "\n  %-8s %-7s", "", "");
#define PP_PUT_TITLE(field, title)                                             \
  if (sum.field > 0) pp_sheet_print(sheet, " %11s", title);
  PP_TALLIES(PP_PUT_TITLE)
#undef PP_PUT_TITLE
  pp_sheet_put(sheet, "\n");
  for (size_t v = 0; v < PP_ASK_COUNT; v++) {
    const char *verb = pp_ask_verb_name((pp_ask_verb)v);
    put_tally(sheet, &sum, verb, "vectors", &conformance->vectors[v]);
    put_tally(sheet, &sum, verb, "random", &conformance->fuzz[v]);
  }
}

static void put_head(pp_sheet *sheet, const pp_conformance *conformance) {
  char verdict[PP_VERDICT_TEXT];
  pp_verdict_text(conformance, verdict);
  put_plain(sheet, verdict);
  pp_sheet_put(sheet, "\n\n  command   ");
  put_plain(sheet, conformance->command ? conformance->command : "");
  if (conformance->hello.homepage[0]) {
    pp_sheet_put(sheet, "\n  homepage  ");
    put_plain(sheet, conformance->hello.homepage);
  }
  pp_sheet_print(sheet, "\n  seed      %" PRIu64, conformance->seed);
  if (conformance->restarts > 0)
    pp_sheet_print(sheet, "\n  started   again, %u time%s",
                   conformance->restarts, pp_plural(conformance->restarts));
  pp_sheet_put(sheet, "\n");
  put_table(sheet, conformance);
}

/* -- findings -- */

static void put_items(pp_sheet *sheet, const pp_finding *finding) {
  const pp_case *c = &finding->ask.c;
  bool validate = finding->ask.verb == PP_ASK_VALIDATE;
  bool arena = c->kind == PP_ARENA;
  char cell[PP_CELL];
  if (c->n == 0) return;
  pp_sheet_print(sheet, "    %4s %20s %8s", "item", "size", "align");
  if (arena) pp_sheet_print(sheet, " %6s %14s", "class", "span");
  pp_sheet_print(sheet, " %20s", validate ? "claimed" : "said");
  pp_sheet_print(sheet, validate ? "\n" : " %20s\n", "specified");
  for (size_t i = 0; i < c->n && i < ROWS; i++) {
    const pp_item *item = &c->items[i];
    pp_sheet_print(sheet, "    %4zu %20" PRIu64 " %8" PRIu64, i, item->size,
                   item->align);
    pp_cell_span(item, cell);
    if (arena)
      pp_sheet_print(sheet, " %6" PRIu32 " %14s", item->item_class, cell);
    pp_cell_said(finding, i, cell);
    pp_sheet_print(sheet, " %20s", cell);
    pp_cell_expected(finding, i, cell);
    if (!validate) pp_sheet_print(sheet, " %20s", cell);
    pp_sheet_put(sheet, "\n");
  }
  if (c->n > ROWS) pp_sheet_print(sheet, "    and %zu more\n", c->n - ROWS);
}

static void put_part(pp_sheet *sheet, const char *label,
                     const pp_finding *finding, pp_part part) {
  if (!pp_finding_has(finding, part)) return;
  pp_sheet_print(sheet, "    %-10s", label);
  pp_sheet_part(sheet, PP_FORM_PLAIN, finding, part, LONG);
  pp_sheet_put(sheet, "\n");
}

/* How to see it again. */
static void put_again(pp_sheet *sheet, const pp_conformance *conformance,
                      const pp_finding *finding) {
  if (finding->file[0]) {
    pp_sheet_put(sheet, "    again     poolproof shrink ");
    put_quoted(sheet, finding->file);
    pp_sheet_put(sheet, conformance->plugin ? " --plugin " : " --impl ");
    put_quoted(sheet, conformance->command ? conformance->command : "");
    if (conformance->compare != conformance->hello.compare)
      pp_sheet_print(sheet, " --mode %s",
                     pp_compare_name(conformance->compare));
    pp_sheet_put(sheet, "\n");
  } else if (finding->vector) {
    pp_sheet_print(sheet, "    see       poolproof vectors show %s\n",
                   finding->id);
  }
}

static void put_finding(pp_sheet *sheet, const pp_conformance *conformance,
                        const pp_finding *finding) {
  pp_sheet_print(sheet, "\n%s: ", pp_finding_verb(finding));
  put_plain(sheet, finding->judgement.sentence);
  pp_sheet_print(sheet, "\n    rule %s, %s", pp_finding_rule(finding),
                 pp_finding_word(finding));
  if (finding->id[0] && finding->vector)
    pp_sheet_print(sheet, ", vector %s", finding->id);
  else if (finding->id[0])
    pp_sheet_print(sheet, ", random question %" PRIu64 ", made small: %s",
                   finding->run, finding->id);
  if (finding->count > 1)
    pp_sheet_print(sheet, ", seen %" PRIu64 " times", finding->count);
  pp_sheet_put(sheet, "\n");
  if (finding->comment[0]) {
    pp_sheet_put(sheet, "    about     ");
    put_plain(sheet, finding->comment);
    pp_sheet_put(sheet, "\n");
  }
  if (finding->id[0] && pp_ask_has_items(&finding->ask)) {
    pp_sheet_print(sheet, "    cap       %" PRIu64 "\n", finding->ask.c.cap);
    put_items(sheet, finding);
  }
  if (!pp_ask_has_items(&finding->ask) || !finding->file[0])
    put_part(sheet, "request", finding, PP_PART_REQUEST);
  put_part(sheet, "said", finding, PP_PART_SAID);
  put_part(sheet, "specified", finding, PP_PART_EXPECTED);
  put_again(sheet, conformance, finding);
}

/* How many open vectors before it were wrong in the same way. */
static size_t alike_before(const pp_conformance *conformance, size_t k) {
  const pp_finding *finding = &conformance->finding[k];
  size_t n = 0;
  for (size_t j = 0; finding->vector && j < k; j++) {
    const pp_finding *other = &conformance->finding[j];
    n += other->vector && !other->waived && pp_finding_alike(other, finding);
  }
  return n;
}

/* In full, but of vectors that are wrong in one way only the first three. */
static void put_open(pp_sheet *sheet, const pp_conformance *conformance) {
  enum { IN_FULL = 3 };
  size_t briefly = 0;
  for (int misdeeds = 0; misdeeds < 2; misdeeds++)
    for (size_t k = 0; k < conformance->findings; k++) {
      const pp_finding *finding = &conformance->finding[k];
      bool misdeed = finding->misdeed != PP_BEHAVED;
      if (finding->waived || misdeed != (misdeeds == 1)) continue;
      if (alike_before(conformance, k) >= IN_FULL)
        briefly++;
      else
        put_finding(sheet, conformance, finding);
    }
  if (briefly == 0) return;
  pp_sheet_put(sheet, "\nand, wrong in ways that are shown above:\n");
  for (size_t k = 0; k < conformance->findings; k++) {
    const pp_finding *finding = &conformance->finding[k];
    if (finding->waived || alike_before(conformance, k) < IN_FULL) continue;
    pp_sheet_print(sheet, "  %s  %s  ", finding->id, pp_finding_word(finding));
    put_plain(sheet, finding->comment);
    pp_sheet_put(sheet, "\n");
  }
}

static void put_waived(pp_sheet *sheet, const pp_conformance *conformance) {
  if (pp_conformance_open(conformance) == conformance->findings) return;
  pp_sheet_put(sheet, "\nwaived:\n");
  for (size_t k = 0; k < conformance->findings; k++) {
    const pp_finding *finding = &conformance->finding[k];
    if (!finding->waived) continue;
    pp_sheet_print(sheet, "  %s  ", finding->id);
    put_plain(sheet, finding->url);
    pp_sheet_print(sheet, "  %s (%s)\n", pp_finding_word(finding),
                   pp_finding_rule(finding));
  }
}

/* -- vectors that were not answered -- */

static void put_outcomes(pp_sheet *sheet, const pp_conformance *conformance,
                         enum pp_vector_result result, const char *title) {
  size_t n = 0;
  for (size_t k = 0; k < conformance->outcomes; k++) {
    const pp_vector_outcome *outcome = &conformance->outcome[k];
    if (outcome->result != result || n++ >= LISTED) continue;
    if (n == 1) pp_sheet_print(sheet, "\n%s:\n", title);
    pp_sheet_print(sheet, "  %s  ", outcome->id);
    put_plain(sheet, outcome->text);
    pp_sheet_put(sheet, "\n");
  }
  if (n > LISTED) pp_sheet_print(sheet, "  and %zu more\n", n - LISTED);
}

/* Vectors that were not asked, counted by what they need. */
static void put_left(pp_sheet *sheet, const pp_conformance *conformance) {
  bool any = false;
  for (size_t k = 0; k < conformance->outcomes; k++) {
    const char *needs = conformance->outcome[k].text;
    size_t n = 0;
    bool told = false;
    if (conformance->outcome[k].result != PP_VECTOR_LEFT) continue;
    for (size_t j = 0; j < conformance->outcomes; j++) {
      const pp_vector_outcome *other = &conformance->outcome[j];
      if (other->result != PP_VECTOR_LEFT || strcmp(other->text, needs) != 0)
        continue;
      told = told || j < k;
      n++;
    }
    if (told) continue;
    if (!any) pp_sheet_put(sheet, "\nnot asked:\n");
    any = true;
    pp_sheet_print(sheet, "  %5zu vector%s  ", n, pp_plural(n));
    put_plain(sheet, needs);
    pp_sheet_put(sheet, "\n");
  }
}

static void put_stale(pp_sheet *sheet, const char *stale) {
  char line[PP_STALE_LINE];
  if (!stale || !*stale) return;
  pp_sheet_put(sheet, "\nwaivers to be removed:\n");
  while (pp_stale_line(&stale, line)) {
    pp_sheet_put(sheet, "  ");
    put_plain(sheet, line);
    pp_sheet_put(sheet, "\n");
  }
}

int pp_report_text(FILE *out, const pp_conformance *conformance,
                   pp_diag *diag) {
  pp_sheet sheet = {.pen = {.out = out}, .diag = diag};
  put_head(&sheet, conformance);
  put_open(&sheet, conformance);
  put_waived(&sheet, conformance);
  put_outcomes(&sheet, conformance, PP_VECTOR_UNSUPPORTED, "unsupported");
  put_outcomes(&sheet, conformance, PP_VECTOR_SKIPPED, "skipped");
  put_left(&sheet, conformance);
  put_stale(&sheet, conformance->stale);
  return pp_sheet_end(&sheet);
}
