/* poolproof: one answer of an implementation, and making it small.
 * SPDX-License-Identifier: MIT */
#include "ask_shrink.h"
#include "conform_parts.h"

#include <string.h>

/* How often a process is started again while its misdeed is made small. */
enum { SHRINK_RESTARTS = 400 };

void pp_finding_judge(pp_finding *finding, const pp_exchange *exchange,
                      const pp_reply *expected, const pp_hello *hello,
                      pp_compare compare) {
  finding->misdeed = exchange->misdeed;
  if (exchange->misdeed == PP_BEHAVED) {
    pp_judge(exchange->ask, &exchange->reply, expected, hello, compare,
             &finding->judgement);
    return;
  }
  finding->judgement = (pp_judgement){.rule = ""};
  snprintf(finding->judgement.sentence, sizeof finding->judgement.sentence,
           "%s", exchange->sentence);
}

bool pp_finding_is_wrong(const pp_finding *finding) {
  return finding->misdeed != PP_BEHAVED || finding->judgement.wrong != PP_RIGHT;
}

int pp_conform_one(pp_peer *peer, const pp_ask *ask, const pp_hello *hello,
                   pp_compare compare, pp_finding *finding, pp_diag *diag) {
  pp_exchange exchange = {.ask = ask};
  pp_reply expected = {0};
  if (!pp_answer(PP_ANSWERER_REF, ask, &expected)) return pp_fail_memory(diag);
  int status = pp_peer_ask(peer, &exchange, 1, diag);
  if (status == 0) {
    pp_finding_judge(finding, &exchange, &expected, hello, compare);
    pp_reply_free(&finding->said);
    pp_reply_free(&finding->expected);
    finding->said = exchange.reply;
    finding->expected = expected;
    if (pp_ask_copy(&finding->ask, ask) && pp_wire_id(ask, finding->id))
      return 0;
    return pp_fail_memory(diag);
  }
  pp_reply_free(&exchange.reply);
  pp_reply_free(&expected);
  return status;
}

/* -- making one small ------------------------------------------------------ */

typedef struct pp_narrowing {
  pp_peer *peer;
  const pp_hello *hello;
  pp_compare compare;
  const pp_finding *wanted;
  pp_progress clock;
  double seconds;
  pp_diag diag;
} pp_narrowing;

static bool still_wrong(void *state, const pp_ask *ask) {
  pp_narrowing *narrowing = state;
  pp_finding trial = {0};
  if (narrowing->diag.code != 0 ||
      pp_progress_elapsed(&narrowing->clock) > narrowing->seconds)
    return false;
  int status = pp_conform_one(narrowing->peer, ask, narrowing->hello,
                              narrowing->compare, &trial, &narrowing->diag);
  bool same = status == 0 && pp_finding_is_wrong(&trial) &&
              trial.misdeed == narrowing->wanted->misdeed &&
              trial.judgement.wrong == narrowing->wanted->judgement.wrong;
  pp_finding_free(&trial);
  return same;
}

static int narrow(pp_narrowing *narrowing, pp_finding *finding, size_t tests,
                  pp_diag *diag) {
  pp_ask small = {0};
  if (!pp_ask_copy(&small, &finding->ask)) return pp_fail_memory(diag);
  (void)pp_ask_shrink(&small, still_wrong, narrowing, tests);
  int status = narrowing->diag.code;
  if (status != 0) *diag = narrowing->diag;
  pp_finding last = {.run = finding->run, .count = finding->count};
  if (status == 0)
    status = pp_conform_one(narrowing->peer, &small, narrowing->hello,
                            narrowing->compare, &last, diag);
  pp_ask_free(&small);
  if (status != 0 || !pp_finding_is_wrong(&last)) {
    pp_finding_free(&last);
    return status;
  }
  pp_finding_free(finding);
  *finding = last;
  return 0;
}

int pp_conform_shrink(const pp_peer_options *peer, pp_compare compare,
                      pp_finding *finding, size_t tests, double seconds,
                      pp_diag *diag) {
  pp_peer_options options = *peer;
  options.restarts = SHRINK_RESTARTS;
  pp_narrowing narrowing = {
      .compare = compare, .wanted = finding, .seconds = seconds};
  int status = pp_peer_open(&options, &narrowing.peer, diag);
  if (status != 0) return status;
  narrowing.hello =
      pp_peer_hello(narrowing.peer, &(pp_misdeed){0}, &(const char *){NULL});
  pp_progress_start(&narrowing.clock, NULL, "", true);
  if (narrowing.hello) status = narrow(&narrowing, finding, tests, diag);
  pp_peer_close(narrowing.peer);
  return status;
}
