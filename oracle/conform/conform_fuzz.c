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

/* An open finding of fuzzing of this kind. Not a waived one: what is new is
 * never behind it. */
static pp_finding *of_kind(pp_conformance *out, const pp_finding *finding) {
  for (size_t i = 0; i < out->findings; i++) {
    pp_finding *other = &out->finding[i];
    if (!other->vector && !other->waived && pp_finding_alike(other, finding))
      return other;
  }
  return NULL;
}

/* A finding of fuzzing of this very question. */
static pp_finding *of_id(pp_conformance *out, const char *id) {
  for (size_t i = 0; i < out->findings; i++)
    if (!out->finding[i].vector && strcmp(out->finding[i].id, id) == 0)
      return &out->finding[i];
  return NULL;
}

/* A new kind: made small, and written. Takes over the finding. */
static int fuzz_found(pp_inquiry *run, pp_finding *finding, pp_diag *diag) {
  int status = pp_conform_shrink(&run->options->peer, run->out->compare,
                                 finding, SHRINK_TESTS, SHRINK_SECONDS, diag);
  pp_finding *other = status == 0 ? of_id(run->out, finding->id) : NULL;
  if (other) other->count++;
  if (status == 0 && !other) {
    char name[PP_ASK_ID + 16];
    snprintf(name, sizeof name, "find-%s.json", finding->id);
    status = pp_ask_save(&finding->ask, run->options->finds, name,
                         finding->file, sizeof finding->file, diag);
    if (status == 0) return pp_inquiry_add(run, finding, diag);
  }
  pp_finding_free(finding);
  return status;
}

static int fuzz_came(pp_inquiry *run, pp_exchange *exchange,
                     const pp_reply *expected, uint64_t number, pp_diag *diag) {
  pp_finding finding = {.run = number, .ask = {.verb = exchange->ask->verb}};
  if (exchange->misdeed == PP_MISDEED_GIVEN_UP) {
    run->out->fuzz[exchange->ask->verb].left++;
    return pp_inquiry_give_up(run, exchange, diag);
  }
  run->out->fuzz_runs++;
  pp_finding_judge(&finding, exchange, expected, &run->out->hello,
                   run->out->compare);
  pp_inquiry_count(&run->out->fuzz[exchange->ask->verb], &finding, exchange);
  if (!pp_finding_is_wrong(&finding)) return 0;
  pp_finding *other = of_kind(run->out, &finding);
  if (other) {
    other->count++;
    return 0;
  }
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
