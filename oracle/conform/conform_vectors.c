/* poolproof: a conformance run: vectors.  SPDX-License-Identifier: MIT */
#include "conform_parts.h"

#include <stdlib.h>

/* Why a question is not asked: what it needs, or its size; NULL: it is. */
static const char *left_out(const pp_hello *hello, const pp_ask *ask) {
  pp_capabilities lacking = pp_ask_needs(ask) & ~hello->capabilities;
  for (unsigned bit = 0; bit < PP_CAPABILITY_COUNT; bit++)
    if (lacking >> bit & 1) return pp_capability_name(bit);
  return pp_ask_size(ask) > hello->items ? "limits.items" : NULL;
}

static int vector_came(pp_inquiry *run, const pp_vector *vector,
                       pp_vector_outcome *outcome, pp_exchange *exchange,
                       pp_diag *diag) {
  pp_finding finding = {.vector = true};
  if (exchange->misdeed == PP_MISDEED_GIVEN_UP) {
    snprintf(outcome->text, sizeof outcome->text, "%s",
             pp_misdeed_about(exchange->misdeed));
    run->out->vectors[vector->ask.verb].left++;
    return pp_inquiry_give_up(run, exchange, diag);
  }
  pp_finding_judge(&finding, exchange, &vector->expect, &run->out->hello,
                   run->out->compare);
  pp_inquiry_count(&run->out->vectors[vector->ask.verb], &finding, exchange);
  if (!pp_finding_is_wrong(&finding)) {
    outcome->result = PP_VECTOR_AGREED;
    if (exchange->reply.kind == PP_REPLY_UNSUPPORTED)
      outcome->result = PP_VECTOR_UNSUPPORTED;
    if (exchange->reply.kind == PP_REPLY_SKIP)
      outcome->result = PP_VECTOR_SKIPPED;
    snprintf(outcome->text, sizeof outcome->text, "%s", exchange->reply.text);
    return 0;
  }
  outcome->result = PP_VECTOR_FOUND;
  outcome->finding = run->out->findings;
  snprintf(finding.comment, sizeof finding.comment, "%s", vector->comment);
  int status = pp_finding_keep(exchange, &vector->expect, &finding, diag);
  return status == 0 ? pp_inquiry_add(run, &finding, diag) : status;
}

/* Asks the vectors from *at on, PP_CHUNK at most. */
static int vectors_chunk(pp_inquiry *run, size_t *at, pp_diag *diag) {
  const pp_vectors *vectors = run->options->vectors;
  const pp_vector *asked[PP_CHUNK];
  size_t which[PP_CHUNK];
  size_t n = 0;
  size_t most = run->options->first ? 1 : PP_CHUNK;
  for (; *at < vectors->n && n < most; ++*at) {
    const pp_vector *vector = &vectors->vector[*at];
    pp_vector_outcome *outcome = &run->out->outcome[*at];
    *outcome =
        (pp_vector_outcome){.verb = vector->ask.verb, .result = PP_VECTOR_LEFT};
    snprintf(outcome->id, sizeof outcome->id, "%s", vector->id);
    const char *why = left_out(&run->out->hello, &vector->ask);
    if (why) {
      snprintf(outcome->text, sizeof outcome->text, "%s", why);
      run->out->vectors[vector->ask.verb].left++;
      continue;
    }
    run->exchange[n] = (pp_exchange){.ask = &vector->ask};
    which[n] = *at;
    asked[n++] = vector;
  }
  int status = pp_peer_ask(run->peer, run->exchange, n, diag);
  for (size_t k = 0; k < n; k++) {
    if (status == 0)
      status = vector_came(run, asked[k], &run->out->outcome[which[k]],
                           &run->exchange[k], diag);
    pp_reply_free(&run->exchange[k].reply);
  }
  run->done += n;
  pp_inquiry_say(run);
  return status;
}

int pp_inquiry_vectors(pp_inquiry *run, pp_diag *diag) {
  const pp_vectors *vectors = run->options->vectors;
  if (!vectors || vectors->n == 0) return 0;
  run->out->outcome = calloc(vectors->n, sizeof *run->out->outcome);
  if (!run->out->outcome) return pp_fail_memory(diag);
  int status = 0;
  for (size_t at = 0;
       status == 0 && at < vectors->n && !pp_inquiry_stopped(run);) {
    status = vectors_chunk(run, &at, diag);
    run->out->outcomes = at;
  }
  return status;
}
