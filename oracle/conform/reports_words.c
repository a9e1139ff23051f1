#include "reports.h"

#include "number.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

pp_verdict pp_verdict_of(const pp_conformance *conformance) {
  if (pp_conforms(conformance)) return PP_VERDICT_CONFORMS;
  if (conformance->hello.name[0] == '\0') return PP_VERDICT_UNTESTED;
  if (pp_conformance_open(conformance) > 0) return PP_VERDICT_FAILS;
  return PP_VERDICT_UNTESTED;
}

pp_tally pp_tally_sum(const pp_tally tally[PP_ASK_COUNT]) {
  pp_tally sum = {0};
  for (size_t v = 0; v < PP_ASK_COUNT; v++) {
#define PP_ADD_TALLY(field, title) sum.field += tally[v].field;
    PP_TALLIES(PP_ADD_TALLY)
#undef PP_ADD_TALLY
  }
  return sum;
}

__attribute__((format(printf, 2, 3))) static void
append(char out[PP_VERDICT_TEXT], const char *format, ...) {
  size_t n = strlen(out);
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(out + n, PP_VERDICT_TEXT - n, format, arguments);
  va_end(arguments);
}

static void append_name(const pp_conformance *c, char out[PP_VERDICT_TEXT]) {
  if (c->hello.name[0] == '\0') {
    append(out, "%.200s", c->command ? c->command : "");
    return;
  }
  append(out, "%s", c->hello.name);
  if (c->hello.version[0]) append(out, " %s", c->hello.version);
}

/* ": 310 of 312 vectors (4 not asked), 48,210 random questions in 60 s" */
static void append_counts(const pp_conformance *c, char out[PP_VERDICT_TEXT]) {
  char number[PP_NUMBER];
  pp_tally sum = pp_tally_sum(c->vectors);
  const char *before = ": ";
  if (sum.asked > 0 || sum.left > 0) {
    append(out, "%s%s of ", before,
           pp_grouped(sum.agreed, number, sizeof number));
    append(out, "%s vector%s", pp_grouped(sum.asked, number, sizeof number),
           pp_plural(sum.asked));
    if (sum.skipped + sum.unsupported > 0)
      append(out, " (%s skipped)",
             pp_grouped(sum.skipped + sum.unsupported, number, sizeof number));
    if (sum.left > 0)
      append(out, " (%s not asked)",
             pp_grouped(sum.left, number, sizeof number));
    before = ", ";
  }
  if (!c->fuzzed) return;
  double tenths = c->fuzz_seconds > 0 && c->fuzz_seconds < 1e9
                      ? c->fuzz_seconds * 10 + 0.5
                      : 0;
  append(out, "%s%s random question%s in ", before,
         pp_grouped(c->fuzz_runs, number, sizeof number),
         pp_plural(c->fuzz_runs));
  append(out, "%" PRIu64, (uint64_t)tenths / 10);
  if (tenths < 100) append(out, ".%" PRIu64, (uint64_t)tenths % 10);
  append(out, " s");
  pp_tally asked = pp_tally_sum(c->fuzz);
  if (asked.skipped + asked.unsupported > 0)
    append(
        out, " (%s skipped)",
        pp_grouped(asked.skipped + asked.unsupported, number, sizeof number));
}

void pp_verdict_text(const pp_conformance *conformance,
                     char out[PP_VERDICT_TEXT]) {
  size_t open = pp_conformance_open(conformance);
  size_t waived = conformance->findings - open;
  pp_verdict verdict = pp_verdict_of(conformance);
  out[0] = '\0';
  if (verdict == PP_VERDICT_UNTESTED)
    append(out, "NOT TESTED, too little was answered: ");
  else
    append(out, "%s, %s: ",
           verdict == PP_VERDICT_CONFORMS ? "CONFORMS" : "DOES NOT CONFORM",
           pp_compare_name(conformance->compare));
  append_name(conformance, out);
  append_counts(conformance, out);
  if (open > 0) append(out, ", %zu finding%s", open, pp_plural(open));
  if (waived > 0) append(out, ", %zu waived", waived);
}

const char *pp_vector_result_name(enum pp_vector_result result) {
  switch (result) {
  case PP_VECTOR_AGREED:
    return "agreed";
  case PP_VECTOR_FOUND:
    return "found";
  case PP_VECTOR_UNSUPPORTED:
    return "unsupported";
  case PP_VECTOR_SKIPPED:
    return "skipped";
  case PP_VECTOR_LEFT:
    break;
  }
  return "left";
}

const char *pp_finding_rule(const pp_finding *finding) {
  if (finding->misdeed != PP_BEHAVED) return "PROTOCOL";
  const char *rule = finding->judgement.rule;
  return rule && rule[0] ? rule : pp_ask_verb_rules(finding->ask.verb);
}

const char *pp_finding_word(const pp_finding *finding) {
  return finding->misdeed != PP_BEHAVED
             ? pp_misdeed_name(finding->misdeed)
             : pp_wrong_name(finding->judgement.wrong);
}

const char *pp_finding_verb(const pp_finding *finding) {
  return finding->id[0] ? pp_ask_verb_name(finding->ask.verb) : "process";
}

bool pp_ask_has_items(const pp_ask *ask) {
  return ask->verb == PP_ASK_SEGMENTS || ask->verb == PP_ASK_ARENA ||
         ask->verb == PP_ASK_VALIDATE;
}

static void cell(pp_ask_verb verb, const size_t *segment,
                 const uint64_t *offset, size_t i, char out[PP_CELL]) {
  if (!offset || (verb != PP_ASK_ARENA && !segment))
    (void)snprintf(out, PP_CELL, "-");
  else if (verb == PP_ASK_ARENA)
    (void)snprintf(out, PP_CELL, "%" PRIu64, offset[i]);
  else
    (void)snprintf(out, PP_CELL, "%zu:%" PRIu64, segment[i], offset[i]);
}

void pp_cell_said(const pp_finding *finding, size_t i, char out[PP_CELL]) {
  const pp_ask *ask = &finding->ask;
  const pp_reply *said = &finding->said;
  bool placed = finding->misdeed == PP_BEHAVED && said->kind == PP_REPLY_RESULT;
  if (ask->verb == PP_ASK_VALIDATE)
    cell(ask->verb, ask->claim.segment, ask->claim.offset, i, out);
  else
    cell(ask->verb, said->segment, placed ? said->offset : NULL, i, out);
}

void pp_cell_expected(const pp_finding *finding, size_t i, char out[PP_CELL]) {
  const pp_reply *expected = &finding->expected;
  bool placed =
      finding->misdeed == PP_BEHAVED && expected->kind == PP_REPLY_RESULT;
  cell(finding->ask.verb, expected->segment, placed ? expected->offset : NULL,
       i, out);
}

void pp_cell_span(const pp_item *item, char out[PP_CELL]) {
  if (item->has_span)
    (void)snprintf(out, PP_CELL, "[%" PRIu64 ", %" PRIu64 "]", item->lo,
                   item->hi);
  else
    (void)snprintf(out, PP_CELL, "always");
}
