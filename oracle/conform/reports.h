/* poolproof: what the reports (conformance.h) share; nobody else includes this.
 *
 * A sheet is a report being written. A failed write or allocation is kept in
 * it and looked at once, by pp_sheet_end. SPDX-License-Identifier: MIT */
#ifndef PP_REPORTS_H
#define PP_REPORTS_H

#include "conformance.h"
#include "pen.h"

typedef struct pp_sheet {
  pp_pen pen;
  pp_diag *diag;
} pp_sheet;

/* -- reports.c: text out -------------------------------------------------- */

/* Text of ours, and numbers; never a user's. */
void pp_sheet_put(pp_sheet *sheet, const char *text);
void pp_sheet_print(pp_sheet *sheet, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A number of at most `tenths` decimals less than 1: "60" or "1.5". */
void pp_sheet_real(pp_sheet *sheet, double value);

/* What becomes of a user's text.
 * plain   control and non-ASCII bytes as \xNN
 * xml     escaped for XML and HTML, elements and attributes
 * json    JSON of the wire, which is written as it is */
typedef enum pp_form { PP_FORM_PLAIN, PP_FORM_XML, PP_FORM_JSON } pp_form;

/* A user's text; plain and xml: cut after `most` characters. */
void pp_sheet_text(pp_sheet *sheet, pp_form form, const char *text,
                   size_t most);
/* `before`, which is ours, and a number as JSON carries it. */
void pp_sheet_number(pp_sheet *sheet, const char *before, uint64_t value);
/* `before`, and text as a JSON string. */
void pp_sheet_string(pp_sheet *sheet, const char *before, const char *text);

/* 2026-11-30T12:00:00, and "Z" when zone. */
void pp_sheet_time(pp_sheet *sheet, time_t now, bool zone);

/* The parts of a finding that are lines of the protocol. */
typedef enum pp_part {
  PP_PART_REQUEST,
  PP_PART_SAID,
  PP_PART_EXPECTED
} pp_part;

/* Is there such a part? A misdeed has no answer, one of no question no part. */
bool pp_finding_has(const pp_finding *finding, pp_part part);
/* That part, which there is. */
void pp_sheet_part(pp_sheet *sheet, pp_form form, const pp_finding *finding,
                   pp_part part, size_t most);

/* `before`, and that part as JSON, if there is one. */
void pp_sheet_json_part(pp_sheet *sheet, const char *before,
                        const pp_finding *finding, pp_part part);

enum { PP_STALE_LINE = 600 };

/* Takes the next line, without its end, off a text of stale waivers, which may
 * be NULL. False: there was none left. */
bool pp_stale_line(const char **stale, char line[PP_STALE_LINE]);

/* 0, or diag's exit status. */
int pp_sheet_end(pp_sheet *sheet);

/* -- reports_words.c: what all reports say ---------------------------------*/

typedef enum pp_verdict {
  PP_VERDICT_CONFORMS,
  PP_VERDICT_FAILS,
  PP_VERDICT_UNTESTED
} pp_verdict;

pp_verdict pp_verdict_of(const pp_conformance *conformance);

enum { PP_VERDICT_TEXT = 1000 };

/* The verdict in one line; the user's names inside are as they came. */
void pp_verdict_text(const pp_conformance *conformance,
                     char out[PP_VERDICT_TEXT]);

/* The sum over all verbs. */
pp_tally pp_tally_sum(const pp_tally tally[PP_ASK_COUNT]);

/* A tally's columns: field, title. */
#define PP_TALLIES(X)                                                          \
  X(asked, "asked")                                                            \
  X(agreed, "agreed")                                                          \
  X(disagreed, "disagreed")                                                    \
  X(unsupported, "unsupported")                                                \
  X(skipped, "skipped")                                                        \
  X(misbehaved, "misbehaved")                                                  \
  X(left, "not asked")

/* agreed, found, unsupported, skipped, left. */
const char *pp_vector_result_name(enum pp_vector_result result);

/* The rule, "PROTOCOL" of a misdeed; the word of the fault or misdeed. */
const char *pp_finding_rule(const pp_finding *finding);
const char *pp_finding_word(const pp_finding *finding);
/* "arena", or "process" when it belongs to no question. */
const char *pp_finding_verb(const pp_finding *finding);

/* Are there items to be shown in a table: segments, arena, validate? */
bool pp_ask_has_items(const pp_ask *ask);

enum { PP_CELL = 64 };

/* Where an answer, or a claim (validate), puts item i: "8", "1:8", "-". */
void pp_cell_said(const pp_finding *finding, size_t i, char out[PP_CELL]);
void pp_cell_expected(const pp_finding *finding, size_t i, char out[PP_CELL]);
/* An item's span: "[0, 3]", "always". */
void pp_cell_span(const pp_item *item, char out[PP_CELL]);

/* -- report_draw.c, report_tables.c: the parts of the page ---------------- */

/* Whether a picture of layouts was drawn already: its style is in the page. */
typedef struct pp_gallery {
  bool styled;
  size_t pictures;
} pp_gallery;

/* The layouts, or the lives, of a finding, if they can be drawn. */
void pp_draw_finding(pp_sheet *sheet, pp_gallery *gallery,
                     const pp_finding *finding);
/* The question's items, the calls or the numbers, said beside specified. */
void pp_tables_finding(pp_sheet *sheet, const pp_finding *finding);

#endif
