/* poolproof: a conformance run, the parts.  SPDX-License-Identifier: MIT */
#ifndef PP_CONFORM_PARTS_H
#define PP_CONFORM_PARTS_H

#include "conform.h"
#include "progress.h"

enum { PP_CHUNK = 256 }; /* questions handed to the process at one time */

/* done      questions
 * share     of the work that is behind; below 0: not known
 * given_up  the process was started again too often
 * exchange, ask, expected   PP_CHUNK each */
typedef struct pp_inquiry {
  const pp_conform_options *options;
  pp_conformance *out;
  pp_peer *peer;
  pp_progress progress;
  uint64_t done;
  double share;
  bool given_up;
  pp_exchange *exchange;
  pp_ask *ask;
  pp_reply *expected;
} pp_inquiry;

/* -- conform_one.c --------------------------------------------------------- */

/* Judges an exchange against what the rules give. */
void pp_finding_judge(pp_finding *finding, const pp_exchange *exchange,
                      const pp_reply *expected, const pp_hello *hello,
                      pp_compare compare);

/* -- conform_run.c --------------------------------------------------------- */

void pp_inquiry_say(pp_inquiry *run);

/* Is it enough? (options->first, or given up) */
bool pp_inquiry_stopped(const pp_inquiry *run);

/* Where the tally of this answer stands. */
void pp_inquiry_count(pp_tally *tally, const pp_finding *finding,
                      const pp_exchange *exchange);

/* Makes a judged finding one of its own: copies the question and the expected
 * answer, takes over the exchange's reply. On failure it is freed. */
int pp_finding_keep(pp_exchange *exchange, const pp_reply *expected,
                    pp_finding *finding, pp_diag *diag);

/* Appends what was found, which the outcome then owns. */
int pp_inquiry_add(pp_inquiry *run, pp_finding *finding, pp_diag *diag);

/* A misdeed that belongs to no question. */
int pp_inquiry_misdeed(pp_inquiry *run, const pp_exchange *exchange,
                       pp_diag *diag);

/* The process was started again too often: one finding, and no more. */
int pp_inquiry_give_up(pp_inquiry *run, const pp_exchange *exchange,
                       pp_diag *diag);

/* -- conform_vectors.c, conform_fuzz.c ------------------------------------- */

int pp_inquiry_vectors(pp_inquiry *run, pp_diag *diag);
int pp_inquiry_fuzz(pp_inquiry *run, pp_diag *diag);

#endif
