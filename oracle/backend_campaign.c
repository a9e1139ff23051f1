/* poolproof: how the campaigns that run on backends run.
 * SPDX-License-Identifier: MIT */
#include "backend_campaign.h"

#include "crash.h"
#include "number.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_over(pp_campaign_run *run, uint64_t done, uint64_t every) {
  const pp_backend_campaign *options = run->options;
  if (run->verdicts[PP_DISAGREE] > 0) return true;
  if (options->runs > 0 && done >= options->runs) return true;
  if (done % every != 0) return false;
  double elapsed = pp_progress_elapsed(&run->progress);
  double share = options->runs > 0 ? (double)done / (double)options->runs
                                   : elapsed / (double)run->seconds;
  pp_progress_show(&run->progress, done, share, 0);
  return run->seconds > 0 && elapsed >= (double)run->seconds;
}

uint64_t pp_campaign_all(pp_campaign_run *run,
                         const pp_backend_campaign *options, const char *what,
                         const char *again, uint64_t every, pp_campaign_one one,
                         void *state) {
  pp_crash_note note = {again, options->first, " --runs 1"};
  uint64_t done = 0;
  *run = (pp_campaign_run){.options = options, .seconds = options->seconds};
  if (options->seconds == 0 && options->runs == 0) run->seconds = 10;
  pp_crash_watch();
  run->cpu_before = pp_cpu_seconds();
  pp_progress_start(&run->progress, stderr, what, options->quiet);
  pp_crash_note_set(&note);
  while (!is_over(run, done, every)) {
    note.number = options->first + done++;
    run->verdicts[one(state, note.number)]++;
  }
  pp_crash_note_set(NULL);
  pp_progress_end(&run->progress);
  return done;
}

uint64_t pp_campaign_compared(const pp_campaign_run *run) {
  return run->verdicts[PP_AGREE] + run->verdicts[PP_DISAGREE];
}

void pp_campaign_rate(const pp_campaign_run *run) {
  char text[32];
  double cpu = pp_cpu_seconds() - run->cpu_before;
  double all = (double)pp_campaign_compared(run);
  printf("%s a second of a core\n",
         pp_grouped(cpu > 0 ? (uint64_t)(all / cpu) : 0, text, sizeof text));
}

const char *pp_campaign_backends(const pp_backend_campaign *options,
                                 char text[PP_BACKEND_OPTION]) {
  char names[PP_BACKEND_NAMES];
  text[0] = '\0';
  if (options->choice.named)
    (void)snprintf(text, PP_BACKEND_OPTION, "--backend %s ",
                   pp_backend_names(options->choice.backends, ",", names));
  return text;
}

int pp_campaign_path(const pp_backend_campaign *options, uint64_t number,
                     const char *end, char *path, size_t size, pp_diag *diag) {
  int n = snprintf(path, size, "%s/find-%" PRIu64 "-%" PRIu64 "%s",
                   options->find_dir ? options->find_dir : ".", options->seed,
                   number, end);
  if (n >= 0 && (size_t)n < size) return 0;
  return pp_diag_fail(diag, PP_EXIT_INPUT, "the path of the find is too long");
}
