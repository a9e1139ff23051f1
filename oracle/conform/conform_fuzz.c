/* poolproof: a conformance run: random questions.
 * SPDX-License-Identifier: MIT */
#include "ask_file.h"
#include "ask_generate.h"
#include "conform_parts.h"

#include <string.h>

/* What making one finding small may cost. */
enum { SHRINK_TESTS = 20000, SHRINK_SECONDS = 15 };

/* Questions at one time where the first finding ends it. */
enum { FIRST_CHUNK = 32, LEAST_CHUNK = 8 };

static bool same_fault(const pp_finding *a, const pp_finding *b) {
  return a->misdeed == b->misdeed && a->judgement.wrong == b->judgement.wrong &&
         a->ask.verb == b->ask.verb;
}

/* An open finding of fuzzing that this one repeats, by id or by kind. Waived
 * ones only by id: what is new is never behind them. */
static pp_finding *known(pp_conformance *out, const pp_finding *finding,
                         bool by_kind) {
  for (size_t i = 0; i < out->findings; i++) {
    pp_finding *other = &out->finding[i];
    if (other->vector) continue;
    if (by_kind ? !other->waived && same_fault(other, finding)
                : strcmp(other->id, finding->id) == 0)
      return other;
  }
  return NULL;
}

static int fuzz_found(pp_inquiry *run, pp_finding *finding, pp_diag *diag) {
  pp_finding *other = known(run->out, finding, true);
  int status = 0;
  if (!other) {
    status = pp_conform_shrink(&run->options->peer, run->out->compare, finding,
                               SHRINK_TESTS, SHRINK_SECONDS, diag);
    if (status == 0) other = known(run->out, finding, false);
  }
  if (status != 0 || other) {
    if (other) other->count++;
    pp_finding_free(finding);
    return status;
  }
  char name[PP_ASK_ID + 16];
  snprintf(name, sizeof name, "find-%s.json", finding->id);
  status = pp_ask_save(&finding->ask, run->options->finds, name, finding->file,
                       sizeof finding->file, diag);
  if (status == 0) return pp_inquiry_add(run, finding, diag);
  pp_finding_free(finding);
  return status;
}

static int fuzz_came(pp_inquiry *run, pp_exchange *exchange,
                     const pp_reply *expected, uint64_t number, pp_diag *diag) {
  pp_finding finding = {.run = number};
  if (exchange->misdeed == PP_MISDEED_GIVEN_UP) {
    run->out->fuzz[exchange->ask->verb].left++;
    return pp_inquiry_give_up(run, exchange, diag);
  }
  run->out->fuzz_runs++;
  pp_finding_judge(&finding, exchange, expected, &run->out->hello,
                   run->out->compare);
  pp_inquiry_count(&run->out->fuzz[exchange->ask->verb], &finding, exchange);
  if (!pp_finding_is_wrong(&finding)) return 0;
  int status = pp_finding_keep(exchange, expected, &finding, diag);
  return status == 0 ? fuzz_found(run, &finding, diag) : status;
}

/* One chunk of random questions, from number `first` on. */
static int fuzz_chunk(pp_inquiry *run, uint64_t first, size_t n,
                      pp_diag *diag) {
  const pp_conform_options *options = run->options;
  pp_hello *hello = &run->out->hello;
  size_t most =
      options->max_items < hello->items ? options->max_items : hello->items;
  int status = 0;
  for (size_t k = 0; k < n; k++) {
    run->exchange[k] = (pp_exchange){.ask = &run->ask[k]};
    pp_reply_free(&run->expected[k]);
    if (!pp_ask_generate(&run->ask[k], options->seed, first + k,
                         hello->capabilities, most) ||
        !pp_answer(PP_ANSWERER_REF, &run->ask[k], &run->expected[k]))
      return pp_fail_memory(diag);
  }
  status = pp_peer_ask(run->peer, run->exchange, n, diag);
  for (size_t k = 0; k < n; k++) {
    if (status == 0 && !pp_inquiry_stopped(run))
      status =
          fuzz_came(run, &run->exchange[k], &run->expected[k], first + k, diag);
    pp_reply_free(&run->exchange[k].reply);
  }
  run->done += n;
  pp_inquiry_say(run);
  return status;
}

/* A slow implementation gets fewer at one time, so that the end comes when it
 * was said to. */
static size_t next_chunk(const pp_conform_options *options, size_t chunk,
                         double took) {
  if (took > 0.5 && chunk > 1) return chunk / 2;
  size_t most = options->first ? FIRST_CHUNK : PP_CHUNK;
  return took < 0.1 && 2 * chunk <= most ? 2 * chunk : chunk;
}

int pp_inquiry_fuzz(pp_inquiry *run, pp_diag *diag) {
  const pp_conform_options *options = run->options;
  pp_conformance *out = run->out;
  out->seed = options->seed;
  out->fuzzed = options->seconds > 0 || options->runs > 0;
  double begin = pp_progress_elapsed(&run->progress);
  int status = 0;
  size_t chunk = LEAST_CHUNK;
  for (uint64_t next = 0;
       status == 0 && out->fuzzed && !pp_inquiry_stopped(run);) {
    double spent = pp_progress_elapsed(&run->progress) - begin;
    if (options->seconds > 0 && spent >= options->seconds) break;
    if (options->runs > 0 && next >= options->runs) break;
    size_t n = chunk;
    if (options->runs > 0 && options->runs - next < n)
      n = (size_t)(options->runs - next);
    run->share = options->seconds > 0 ? spent / options->seconds
                                      : (double)next / (double)options->runs;
    status = fuzz_chunk(run, next, n, diag);
    next += n;
    double took = pp_progress_elapsed(&run->progress) - begin - spent;
    chunk = next_chunk(options, chunk, took);
  }
  out->fuzz_seconds = pp_progress_elapsed(&run->progress) - begin;
  return status;
}
