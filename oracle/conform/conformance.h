/* poolproof: an implementation held to the rules, and what came of it.
 * SPDX-License-Identifier: MIT */
#ifndef PP_CONFORMANCE_H
#define PP_CONFORMANCE_H

#include "judge.h"
#include "peer.h"

#include <time.h>

/* One thing found.
 * id         of the question (pp_wire_id); "" for a misdeed of no question
 * vector     it is a vector; otherwise found by fuzzing, as `run`, and shrunk
 * misdeed    PP_BEHAVED: an answer that is wrong; said, expected and judgement
 *            tell. Otherwise judgement.sentence tells
 * count      how often it was seen (fuzzing: the same verb and kind of fault)
 * waived     by the waiver whose issue is url; "" otherwise
 * comment    the vector's, or ""
 * file       where the question was written, or "" */
typedef struct pp_finding {
  char id[PP_ASK_ID];
  bool vector;
  uint64_t run;
  pp_misdeed misdeed;
  pp_ask ask;
  pp_reply said;
  pp_reply expected;
  pp_judgement judgement;
  uint64_t count;
  bool waived;
  char url[400];
  char comment[200];
  char file[300];
} pp_finding;

/* What was asked of one verb. asked = agreed + disagreed + unsupported +
 * skipped + misbehaved. left: not asked, since it needs what the
 * implementation does not claim, or is above its limit. */
typedef struct pp_tally {
  uint64_t asked, agreed, disagreed, unsupported, skipped, misbehaved, left;
} pp_tally;

/* A vector's outcome, for reports that list every one. */
typedef struct pp_vector_outcome {
  char id[PP_ASK_ID];
  pp_ask_verb verb;
  enum pp_vector_result {
    PP_VECTOR_AGREED,
    PP_VECTOR_FOUND, /* finding tells */
    PP_VECTOR_UNSUPPORTED,
    PP_VECTOR_SKIPPED,
    PP_VECTOR_LEFT
  } result;
  size_t finding; /* index, PP_VECTOR_FOUND */
  char text[400]; /* the capability, the URL, what it needs */
} pp_vector_outcome;

/* The whole outcome. Arrays are owned.
 * command    as given, for people
 * plugin     command is a library
 * hello      what it said; hello.name "" when it never answered rightly
 * compare    the mode in force
 * stale      waivers (ids) that expired or matched nothing, a line each; owned
 * now        when it was done, UTC seconds */
typedef struct pp_conformance {
  const char *command;
  bool plugin;
  pp_hello hello;
  pp_compare compare;
  uint64_t seed;
  bool fuzzed;
  double fuzz_seconds;
  uint64_t fuzz_runs;
  pp_tally vectors[PP_ASK_COUNT];
  pp_tally fuzz[PP_ASK_COUNT];
  size_t outcomes;
  pp_vector_outcome *outcome;
  size_t findings, finding_room;
  pp_finding *finding;
  unsigned restarts;
  char *stale;
  time_t now;
} pp_conformance;

/* Gives back what the finding owns. */
void pp_finding_free(pp_finding *finding);

/* Are they of one verb, and wrong in one way? */
bool pp_finding_alike(const pp_finding *a, const pp_finding *b);

/* Findings that no waiver covers. */
size_t pp_conformance_open(const pp_conformance *conformance);

/* Did at least one answer agree, is nothing open, and was no verb skipped, or
 * called unsupported, more often than it was answered? */
bool pp_conforms(const pp_conformance *conformance);

void pp_conformance_free(pp_conformance *conformance);

/* -- reports: each writes all of it. Return 0, or diag's exit status when out
 * failed or memory is short ------------------------------------------------ */

/* For people: the verdict first. */
int pp_report_text(FILE *out, const pp_conformance *conformance, pp_diag *diag);
/* conformance/1 (oracle/schema/). */
int pp_report_json(FILE *out, const pp_conformance *conformance, pp_diag *diag);
/* JUnit XML: a suite a verb for vectors and one for fuzzing. */
int pp_report_junit(FILE *out, const pp_conformance *conformance,
                    pp_diag *diag);
/* SARIF 2.1.0; waived findings are suppressed results with the URL. */
int pp_report_sarif(FILE *out, const pp_conformance *conformance,
                    pp_diag *diag);
/* One self-contained page: verdict, table, and for each finding the question
 * and both layouts drawn. */
int pp_report_html(FILE *out, const pp_conformance *conformance, pp_diag *diag);
/* A badge: "poolproof | exact 123/123". */
int pp_report_badge(FILE *out, const pp_conformance *conformance,
                    pp_diag *diag);

#endif
