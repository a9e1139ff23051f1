#include "crash.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static _Thread_local const pp_crash_note *volatile current;

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static void say(const char *text, size_t length) {
  while (length > 0) {
    ssize_t done = write(STDOUT_FILENO, text, length);
    if (done <= 0) return;
    text += done;
    length -= (size_t)done;
  }
}

/* Only what a signal handler may call. */
static void on_crash(int number) {
  const pp_crash_note *note = current;
  current = NULL;
  if (note) {
    char digits[20];
    size_t at = sizeof digits;
    uint64_t value = note->number;
    do {
      digits[--at] = (char)('0' + value % 10);
      value /= 10;
    } while (value > 0);
    static const char crashed[] =
        "found: a planner or checker crashed\nagain: ";
    say(crashed, sizeof crashed - 1);
    say(note->before, strlen(note->before));
    say(digits + at, sizeof digits - at);
    say(note->after, strlen(note->after));
    say("\n", 1);
  }
  (void)raise(number);
}

void pp_crash_watch(void) {
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction old;
    if (sigaction(signals[i], NULL, &old) != 0 || old.sa_handler != SIG_DFL)
      continue;
    struct sigaction action = {.sa_handler = on_crash};
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
    (void)sigaction(signals[i], &action, NULL);
  }
}

void pp_crash_note_set(const pp_crash_note *note) {
  current = note;
}
