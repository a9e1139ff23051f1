#include "peer_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { EXCERPT = 72, LAST_WORDS = 160 };

const char *pp_misdeed_name(pp_misdeed misdeed) {
  static const char *const names[] = {"behaved",
#define MISDEED_NAME(NAME, name, about) #name,
                                      PP_MISDEEDS(MISDEED_NAME)
#undef MISDEED_NAME
  };
  return (unsigned)misdeed < PP_MISDEED_COUNT ? names[misdeed] : "";
}

const char *pp_misdeed_about(pp_misdeed misdeed) {
  static const char *const about[] = {"it behaved",
#define MISDEED_ABOUT(NAME, name, text) text,
                                      PP_MISDEEDS(MISDEED_ABOUT)
#undef MISDEED_ABOUT
  };
  return (unsigned)misdeed < PP_MISDEED_COUNT ? about[misdeed] : "";
}

/* The first of some bytes, printable, and cut to `most` and to room. */
static const char *excerpt(const char *bytes, size_t size, size_t most,
                           char *out, size_t room) {
  char text[LAST_WORDS + 2];
  if (most > LAST_WORDS) most = LAST_WORDS;
  bool cut = size > most;
  size_t kept = cut ? most : size;
  if (kept > 0) memcpy(text, bytes, kept);
  for (size_t i = 0; i < kept; i++)
    if (text[i] == '\0') text[i] = '\1';
  text[kept] = '\0';
  (void)pp_printable(text, out, room);
  size_t length = strlen(out);
  if (cut && length + 4 <= room) memcpy(out + length, "...", 4);
  return out;
}

/* The last line of standard error that is not empty. */
static const char *last_words(const pp_process *process, char *out,
                              size_t room) {
  size_t end = process->tail_size;
  while (end > 0 && strchr(" \t\r\n", process->tail[end - 1]))
    end--;
  size_t from = end;
  while (from > 0 && process->tail[from - 1] != '\n')
    from--;
  return excerpt(process->tail + from, end - from, LAST_WORDS, out, room);
}

void pp_peer_tell(pp_exchange *found, pp_misdeed misdeed,
                  const pp_process *process, const char *format, ...) {
  char words[LAST_WORDS + 20] = "";
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(found->sentence, sizeof found->sentence, format, arguments);
  va_end(arguments);
  found->misdeed = misdeed;
  if (process) (void)last_words(process, words, sizeof words);
  if (!words[0]) return;
  size_t at = strlen(found->sentence);
  (void)snprintf(found->sentence + at, sizeof found->sentence - at,
                 "; on standard error: \"%s\"", words);
}

/* -- why there is no line -------------------------------------------------- */

static const char *before(const char *awaited, char *text, size_t room) {
  if (!awaited) return "while nothing was asked";
  (void)snprintf(text, room, "before it answered %s", awaited);
  return text;
}

const char *pp_signal_name(int number) {
  const char *name = sigabbrev_np(number);
  return name ? name : "of no name";
}

static void tell_end(pp_process *process, const char *awaited, bool half,
                     pp_exchange *found) {
  char when[80];
  char said[3 * EXCERPT];
  bool over = pp_process_over(process, PP_GRACE);
  if (over && process->killed)
    pp_peer_tell(found, PP_MISDEED_CRASHED, process,
                 "it was killed by SIG%s %s%s", pp_signal_name(process->killed),
                 before(awaited, when, sizeof when),
                 half ? ", within a line" : "");
  else if (half)
    pp_peer_tell(found, PP_MISDEED_HALF_LINE, process,
                 "its output ends within a line: \"%s\"",
                 excerpt(process->got + process->from,
                         process->to - process->from, EXCERPT, said,
                         sizeof said));
  else if (over)
    pp_peer_tell(found, PP_MISDEED_EXITED, process,
                 "it ended with status %d %s", process->status,
                 before(awaited, when, sizeof when));
  else
    pp_peer_tell(found, PP_MISDEED_CLOSED_STDOUT, process,
                 "it closed its standard output %s, and runs on",
                 before(awaited, when, sizeof when));
}

pp_output pp_peer_take(pp_process *process, const char *awaited,
                       const char **line, size_t *size, pp_exchange *found) {
  pp_output output = pp_process_line(process, line, size);
  if (output == PP_OUTPUT_LONG)
    pp_peer_tell(found, PP_MISDEED_TOO_LONG, process,
                 "it wrote a line of more than %zu bytes", process->longest);
  if (output == PP_OUTPUT_HALF || output == PP_OUTPUT_END)
    tell_end(process, awaited, output == PP_OUTPUT_HALF, found);
  return output;
}

static void tell_late(const pp_process *process, const pp_wait *wait,
                      pp_exchange *found) {
  if (process->broken_at > 0)
    pp_peer_tell(found, PP_MISDEED_CLOSED_STDIN, process,
                 "it closed its standard input, runs on, and did not answer %s",
                 wait->awaited);
  else
    pp_peer_tell(found, PP_MISDEED_HANGS, process,
                 "it did not answer %s within %g s", wait->awaited,
                 wait->patience);
}

/* What can no longer be sent is not waited for as long as an answer. */
static double until(const pp_process *process, const pp_wait *wait) {
  double end = wait->last + wait->patience;
  double broken = process->broken_at + PP_GRACE;
  bool waits = process->broken_at > 0 && pp_process_unsent(process) > 0;
  return waits && broken < end ? broken : end;
}

/* Late is who has said nothing after one more look: it may be this process
 * that was slow. */
bool pp_peer_await(pp_process *process, const pp_wait *wait, const char **line,
                   size_t *size, pp_exchange *found) {
  for (bool late = false; !process->no_memory;) {
    pp_output output = pp_peer_take(process, wait->awaited, line, size, found);
    if (output == PP_OUTPUT_LINE) return true;
    if (output != PP_OUTPUT_NONE) return false;
    if (late) {
      tell_late(process, wait, found);
      return false;
    }
    double end = until(process, wait);
    late = pp_process_now() >= end;
    pp_process_pump(process, end);
  }
  return false;
}

/* -- what a line is -------------------------------------------------------- */

bool pp_peer_line_id(pp_process *process, const char *line, size_t size,
                     uint64_t *id, const char **what) {
  if (pp_wire_line_id(line, size, id, what)) return true;
  *id = 0;
  if (strcmp(*what, "out of memory") == 0) process->no_memory = true;
  return false;
}

void pp_peer_stray(pp_process *process, const char *line, size_t size,
                   const pp_ids *ids, uint64_t *id, pp_exchange *found) {
  char text[3 * EXCERPT];
  const char *what = "";
  if (!pp_peer_line_id(process, line, size, id, &what)) {
    pp_peer_tell(found, PP_MISDEED_GARBAGE, process,
                 "it wrote a line that is no answer (%s): \"%s\"", what,
                 excerpt(line, size, EXCERPT, text, sizeof text));
  } else if (*id > 0 && *id < ids->next)
    pp_peer_tell(found, PP_MISDEED_DUPLICATE, process,
                 "it answered request %" PRIu64 " a second time", *id);
  else if (*id > ids->next && *id < ids->end)
    pp_peer_tell(found, PP_MISDEED_OUT_OF_ORDER, process,
                 "it answered request %" PRIu64 " before request %" PRIu64, *id,
                 ids->next);
  else
    pp_peer_tell(found, PP_MISDEED_WRONG_ID, process,
                 "it answered request %" PRIu64
                 ", and the requests so far are 1 to %" PRIu64,
                 *id, ids->end - 1);
}

void pp_peer_banner(const pp_process *process, const char *line, size_t size,
                    const char *what, pp_exchange *found) {
  char text[3 * EXCERPT];
  pp_peer_tell(found, PP_MISDEED_BANNER, process,
               "before its answer to hello it printed \"%s\"%s%s",
               excerpt(line, size, EXCERPT, text, sizeof text),
               *what ? ", which is no answer: " : "", what);
}
