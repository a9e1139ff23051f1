#include "progress.h"

#include "number.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double read_clock(clockid_t clock) {
  struct timespec at = {0};
  (void)clock_gettime(clock, &at);
  return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static double now(void) {
  return read_clock(CLOCK_MONOTONIC);
}

double pp_cpu_seconds(void) {
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double pp_progress_elapsed(const pp_progress *progress) {
  return now() - progress->started;
}

void pp_progress_start(pp_progress *progress, FILE *stream, const char *noun,
                       bool quiet) {
  int file = stream ? fileno(stream) : -1;
  *progress = (pp_progress){.stream = quiet ? NULL : stream,
                            .terminal = file >= 0 && isatty(file) == 1,
                            .started = now(),
                            .noun = noun};
  progress->next = progress->terminal ? 0.2 : 5;
}

void pp_progress_show(pp_progress *progress, uint64_t done, double share,
                      uint64_t found) {
  double elapsed = pp_progress_elapsed(progress);
  if (!progress->stream || elapsed < progress->next) return;
  progress->next = elapsed + (progress->terminal ? 0.2 : 5);
  char count[32];
  char rate[32];
  char part[16] = "";
  (void)pp_grouped(done, count, sizeof count);
  (void)pp_grouped((uint64_t)((double)done / elapsed), rate, sizeof rate);
  if (share >= 0) (void)snprintf(part, sizeof part, " (%.0f %%)", 100 * share);
  (void)fprintf(progress->stream,
                "%s%s %s%s in %.0f s, %s a second, %" PRIu64 " found%s",
                progress->terminal ? "\r\033[K" : "", count, progress->noun,
                part, elapsed, rate, found, progress->terminal ? "" : "\n");
  (void)fflush(progress->stream);
}

void pp_progress_end(pp_progress *progress) {
  if (!progress->stream || !progress->terminal) return;
  (void)fputs("\r\033[K", progress->stream);
  (void)fflush(progress->stream);
}
