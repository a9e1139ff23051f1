#include "conform_parts.h"

#include <stdlib.h>

static bool make_room(pp_inquiry *run) {
  run->exchange = calloc(PP_CHUNK, sizeof *run->exchange);
  run->ask = calloc(PP_CHUNK, sizeof *run->ask);
  run->expected = calloc(PP_CHUNK, sizeof *run->expected);
  return run->exchange && run->ask && run->expected;
}

static void give_back(pp_inquiry *run) {
  for (size_t k = 0; run->ask && run->expected && k < PP_CHUNK; k++) {
    pp_ask_free(&run->ask[k]);
    pp_reply_free(&run->expected[k]);
  }
  free(run->exchange);
  free(run->ask);
  free(run->expected);
}

/* Misdeeds that belong to no question. */
static int add_misdeeds(pp_inquiry *run, pp_diag *diag) {
  const pp_exchange *list = NULL;
  size_t n = pp_peer_misdeeds(run->peer, &list);
  int status = 0;
  for (size_t k = 0; status == 0 && k < n; k++)
    status = pp_inquiry_misdeed(run, &list[k], diag);
  return status;
}

static int greet(pp_inquiry *run, pp_diag *diag) {
  pp_misdeed misdeed = PP_BEHAVED;
  const char *sentence = "";
  const pp_hello *hello = pp_peer_hello(run->peer, &misdeed, &sentence);
  if (hello) {
    run->out->hello = *hello;
    run->out->compare =
        run->options->has_compare ? run->options->compare : hello->compare;
    return 0;
  }
  pp_exchange never = {.misdeed = misdeed};
  snprintf(never.sentence, sizeof never.sentence, "%s", sentence);
  return pp_inquiry_misdeed(run, &never, diag);
}

static bool has_verb(const pp_hello *hello) {
  return (hello->capabilities & ((1U << PP_ASK_COUNT) - 1)) != 0;
}

int pp_conform(const pp_conform_options *options, pp_conformance *conformance,
               pp_diag *diag) {
  *conformance = (pp_conformance){.command = options->command,
                                  .plugin = options->plugin,
                                  .now = time(NULL),
                                  .seed = options->seed};
  pp_inquiry run = {.options = options, .out = conformance, .share = -1};
  int status = make_room(&run) ? 0 : pp_fail_memory(diag);
  pp_progress_start(&run.progress, options->progress, "questions",
                    options->progress == NULL);
  if (status == 0) status = pp_peer_open(&options->peer, &run.peer, diag);
  if (status == 0) status = greet(&run, diag);
  bool spoke = conformance->findings == 0 && has_verb(&conformance->hello);
  if (status == 0 && spoke) status = pp_inquiry_vectors(&run, diag);
  if (status == 0 && spoke) status = pp_inquiry_fuzz(&run, diag);
  if (run.peer) {
    pp_peer_end(run.peer);
    if (status == 0 && spoke) status = add_misdeeds(&run, diag);
    conformance->restarts = pp_peer_restarts(run.peer);
    pp_peer_close(run.peer);
  }
  pp_progress_end(&run.progress);
  give_back(&run);
  if (status == 0 && options->waivers) {
    conformance->stale = pp_waivers_stale(options->waivers, conformance->now);
    if (!conformance->stale) status = pp_fail_memory(diag);
  }
  return status;
}
