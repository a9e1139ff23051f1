/* poolproof: the page of a conformance run, the tables of a finding.
 * SPDX-License-Identifier: MIT */
#include "reports.h"

#include "number.h"

#include <inttypes.h>
#include <string.h>

enum { ROWS = 100, LONG = 300 };

/* style: "", or "q-words" where the cells are words. */
static void open_table(pp_sheet *sheet, const char *style,
                       const char *const *titles, size_t n) {
  pp_sheet_print(sheet, "<div class=\"q-wide\"><table class=\"%s\"><thead><tr>",
                 style);
  for (size_t k = 0; k < n; k++)
    pp_sheet_print(sheet, "<th>%s</th>", titles[k]);
  pp_sheet_put(sheet, "</tr></thead><tbody>\n");
}

static void close_table(pp_sheet *sheet) {
  pp_sheet_put(sheet, "</tbody></table></div>\n");
}

static void put_cell(pp_sheet *sheet, const char *text) {
  pp_sheet_put(sheet, "<td>");
  pp_sheet_text(sheet, PP_FORM_XML, text, LONG);
  pp_sheet_put(sheet, "</td>");
}

static void put_number(pp_sheet *sheet, uint64_t value) {
  char text[PP_NUMBER];
  put_cell(sheet, pp_grouped(value, text, sizeof text));
}

static void open_row(pp_sheet *sheet, bool differs) {
  pp_sheet_put(sheet, differs ? "<tr class=\"q-differs\">" : "<tr>");
}

/* -- segments, arena, validate -- */

static void put_item(pp_sheet *sheet, const pp_finding *finding, size_t i,
                     bool arena) {
  const pp_item *item = &finding->ask.c.items[i];
  bool validate = finding->ask.verb == PP_ASK_VALIDATE;
  char said[PP_CELL];
  char expected[PP_CELL];
  char span[PP_CELL];
  pp_cell_said(finding, i, said);
  pp_cell_expected(finding, i, expected);
  pp_cell_span(item, span);
  open_row(sheet, !validate && strcmp(said, expected) != 0);
  put_number(sheet, i);
  put_number(sheet, item->size);
  put_number(sheet, item->align);
  if (arena) {
    put_number(sheet, item->item_class);
    put_cell(sheet, span);
  }
  put_cell(sheet, said);
  if (!validate) put_cell(sheet, expected);
  pp_sheet_put(sheet, "</tr>\n");
}

static void put_items(pp_sheet *sheet, const pp_finding *finding) {
  const pp_case *c = &finding->ask.c;
  bool validate = finding->ask.verb == PP_ASK_VALIDATE;
  bool arena = c->kind == PP_ARENA;
  const char *titles[7] = {"item", "size", "align"};
  size_t n = 3;
  if (c->n == 0) return;
  if (arena) {
    titles[n++] = "class";
    titles[n++] = "span";
  }
  titles[n++] = validate ? "claimed" : "said";
  if (!validate) titles[n++] = "specified";
  open_table(sheet, "", titles, n);
  for (size_t i = 0; i < c->n && i < ROWS; i++)
    put_item(sheet, finding, i, arena);
  close_table(sheet);
  if (c->n > ROWS)
    pp_sheet_print(sheet, "<p>and %zu items more</p>\n", c->n - ROWS);
}

/* -- score -- */

static void put_amount(pp_sheet *sheet, const char *name, uint64_t said,
                       uint64_t expected) {
  open_row(sheet, said != expected);
  put_cell(sheet, name);
  put_number(sheet, said);
  put_number(sheet, expected);
  pp_sheet_put(sheet, "</tr>\n");
}

static void put_score(pp_sheet *sheet, const pp_finding *finding) {
  static const char *const titles[] = {"", "said", "specified"};
  const pp_footprint *said = &finding->said.footprint;
  const pp_footprint *expected = &finding->expected.footprint;
  open_table(sheet, "", titles, 3);
  put_amount(sheet, "working", said->working, expected->working);
  put_amount(sheet, "constants", said->constants, expected->constants);
  put_amount(sheet, "total", said->total, expected->total);
  put_amount(sheet, "dedicated", said->dedicated, expected->dedicated);
  put_amount(sheet, "arena", said->arena, expected->arena);
  put_amount(sheet, "planned", said->planned, expected->planned);
  put_amount(sheet, "nodes", said->nodes, expected->nodes);
  close_table(sheet);
}

/* -- release -- */

static const char *outcome(pp_status status) {
  return status == PP_OK          ? "ok"
         : status == PP_POOL_GONE ? "pool gone"
                                  : "failed";
}

static const char *calls_of(const pp_done *done) {
  return done->calls ? done->calls : "";
}

/* "ok: await, free 1": a line a call becomes a list. */
static void put_done(pp_sheet *sheet, const pp_done *done) {
  const char *calls = calls_of(done);
  const char *before = ": ";
  pp_sheet_print(sheet, "<td>%s", outcome(done->status));
  while (*calls) {
    char call[64] = "";
    size_t n = strcspn(calls, "\n");
    memcpy(call, calls, n < sizeof call ? n : sizeof call - 1);
    pp_sheet_put(sheet, before);
    pp_sheet_text(sheet, PP_FORM_XML, call, LONG);
    before = ", ";
    calls += n;
    if (*calls) calls++;
  }
  pp_sheet_put(sheet, "</td>");
}

static void put_act(pp_sheet *sheet, const pp_act *act) {
  pp_sheet_print(sheet, "<td>%s context %zu",
                 act->kind == PP_ACT_RELEASE ? "release" : "touch",
                 act->context);
  if (act->kind == PP_ACT_TOUCH)
    pp_sheet_print(sheet, ", uid %" PRIu64, act->uid);
  if (act->fail_await > 0)
    pp_sheet_print(sheet, ", await %" PRIu64 " fails", act->fail_await);
  if (act->fail_free > 0)
    pp_sheet_print(sheet, ", free %" PRIu64 " fails", act->fail_free);
  pp_sheet_put(sheet, "</td>");
}

static void put_live(pp_sheet *sheet, const pp_reply *reply) {
  pp_sheet_put(sheet, reply->lives > 0 ? "<td>" : "<td>none");
  for (size_t k = 0; k < reply->lives && k < ROWS; k++)
    pp_sheet_print(sheet, "%s%" PRIu64, k ? ", " : "", reply->live[k]);
  pp_sheet_put(sheet, reply->lives > ROWS ? ", ...</td>" : "</td>");
}

static bool same_live(const pp_reply *a, const pp_reply *b) {
  return a->lives == b->lives &&
         (a->lives == 0 ||
          memcmp(a->live, b->live, a->lives * sizeof *a->live) == 0);
}

static void put_release(pp_sheet *sheet, const pp_finding *finding) {
  static const char *const titles[] = {"step", "what", "said", "specified"};
  const pp_reply *said = &finding->said;
  const pp_reply *expected = &finding->expected;
  size_t acts = finding->ask.acts;
  open_table(sheet, "q-words", titles, 4);
  for (size_t k = 0; k < acts && k < ROWS; k++) {
    const pp_done *one = &said->done[k];
    const pp_done *two = &expected->done[k];
    open_row(sheet, one->status != two->status ||
                        strcmp(calls_of(one), calls_of(two)) != 0);
    put_number(sheet, k);
    put_act(sheet, &finding->ask.act[k]);
    put_done(sheet, one);
    put_done(sheet, two);
    pp_sheet_put(sheet, "</tr>\n");
  }
  open_row(sheet, !same_live(said, expected));
  pp_sheet_put(sheet, "<td></td><td>pools live at the end</td>");
  put_live(sheet, said);
  put_live(sheet, expected);
  pp_sheet_put(sheet, "</tr>\n");
  close_table(sheet);
}

void pp_tables_finding(pp_sheet *sheet, const pp_finding *finding) {
  bool both = pp_finding_has(finding, PP_PART_SAID) &&
              finding->said.kind == PP_REPLY_RESULT &&
              finding->expected.kind == PP_REPLY_RESULT;
  if (finding->id[0] == '\0') return;
  if (pp_ask_has_items(&finding->ask))
    put_items(sheet, finding);
  else if (both && finding->ask.verb == PP_ASK_SCORE)
    put_score(sheet, finding);
  else if (both && finding->ask.verb == PP_ASK_RELEASE)
    put_release(sheet, finding);
}
