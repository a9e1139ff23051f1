/* poolproof: a conformance run: what it counts and keeps.
 * SPDX-License-Identifier: MIT */
#include "conform_parts.h"

#include <stdlib.h>

void pp_inquiry_say(pp_inquiry *run) {
  pp_progress_show(&run->progress, run->done, run->share,
                   pp_conformance_open(run->out));
}

bool pp_inquiry_stopped(const pp_inquiry *run) {
  return run->given_up ||
         (run->options->first && pp_conformance_open(run->out) > 0);
}

void pp_inquiry_count(pp_tally *tally, const pp_finding *finding,
                      const pp_exchange *exchange) {
  tally->asked++;
  if (finding->misdeed != PP_BEHAVED)
    tally->misbehaved++;
  else if (finding->judgement.wrong != PP_RIGHT)
    tally->disagreed++;
  else if (exchange->reply.kind == PP_REPLY_UNSUPPORTED)
    tally->unsupported++;
  else if (exchange->reply.kind == PP_REPLY_SKIP)
    tally->skipped++;
  else
    tally->agreed++;
}

int pp_inquiry_add(pp_inquiry *run, pp_finding *finding, pp_diag *diag) {
  pp_conformance *out = run->out;
  if (out->findings == out->finding_room) {
    size_t room = 2 * out->finding_room + 8;
    pp_finding *grown = realloc(out->finding, room * sizeof *grown);
    if (!grown) {
      pp_finding_free(finding);
      return pp_fail_memory(diag);
    }
    out->finding = grown;
    out->finding_room = room;
  }
  const pp_waiver *waiver = NULL;
  if (run->options->waivers && finding->id[0])
    waiver = pp_waivers_find(run->options->waivers, finding->id, out->now);
  finding->waived = waiver != NULL;
  if (waiver) snprintf(finding->url, sizeof finding->url, "%s", waiver->url);
  if (finding->count == 0) finding->count = 1;
  out->finding[out->findings++] = *finding;
  return 0;
}

int pp_finding_keep(pp_exchange *exchange, const pp_reply *expected,
                    pp_finding *finding, pp_diag *diag) {
  pp_text text = {0};
  pp_wire_expect(&text, exchange->ask, expected);
  bool good = !text.failed && pp_wire_id(exchange->ask, finding->id) &&
              pp_ask_copy(&finding->ask, exchange->ask);
  int status = good ? 0 : pp_fail_memory(diag);
  if (status == 0)
    status = pp_wire_read_reply("answer", text.at, text.size, exchange->ask,
                                &finding->expected, diag);
  pp_text_free(&text);
  finding->said = exchange->reply;
  exchange->reply = (pp_reply){0};
  if (status != 0) pp_finding_free(finding);
  return status;
}

int pp_inquiry_misdeed(pp_inquiry *run, const pp_exchange *exchange,
                       pp_diag *diag) {
  pp_finding finding = {0};
  pp_finding_judge(&finding, exchange, NULL, NULL, PP_COMPARE_EXACT);
  return pp_inquiry_add(run, &finding, diag);
}

int pp_inquiry_give_up(pp_inquiry *run, const pp_exchange *exchange,
                       pp_diag *diag) {
  if (run->given_up) return 0;
  run->given_up = true;
  return pp_inquiry_misdeed(run, exchange, diag);
}
