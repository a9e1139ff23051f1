/* poolproof: an input made small by the project's shrinkers, whatever it shows.
 *
 * trim-input [-s SECONDS] FILE OUT COMMAND [ARGUMENT...] writes candidates to
 * OUT and runs the command with OUT as its last argument: exit status 0 says
 * that the candidate still shows it. In the end OUT holds the smallest one, or
 * what FILE holds. Prints how many bytes are left of how many, after how many
 * questions. Stops asking after so many seconds (60). Exit status 2: bad usage,
 * FILE cannot be read; 3: OUT cannot be written, or no memory.
 * SPDX-License-Identifier: MIT */
#include "source.h"
#include "trim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* command  ends with the path of the candidate's file and NULL
 * until    when to stop asking, by CLOCK_MONOTONIC in seconds */
typedef struct pp_question {
  const char *path;
  char **command;
  time_t until;
  size_t asked;
} pp_question;

static time_t now(void) {
  struct timespec time = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

static bool save(const char *path, const uint8_t *bytes, size_t size) {
  FILE *out = fopen(path, "wb");
  bool good = out && fwrite(bytes, 1, size, out) == size;
  if (out && fclose(out) != 0) good = false;
  if (!good) (void)fprintf(stderr, "trim-input: %s: cannot be written\n", path);
  return good;
}

/* Does what lies in the file still show it? */
static bool shows(const pp_question *question) {
  int status = 1;
  pid_t child = fork();
  if (child == 0) {
    (void)execvp(question->command[0], question->command);
    _exit(127);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Asks all that one shrinker asks; the bytes are replaced by the smallest that
 * shows it. -1: no memory or no file; 1: they are smaller now. */
static int shrink_once(pp_question *question, uint8_t **bytes, size_t *size) {
  pp_trim *trim = pp_trim_new(*bytes, *size);
  const uint8_t *candidate = NULL;
  size_t length = 0;
  int outcome = trim ? 0 : -1;
  while (outcome >= 0 && now() < question->until &&
         (length = pp_trim_next(trim, &candidate)) > 0) {
    if (!save(question->path, candidate, length)) {
      outcome = -1;
      break;
    }
    question->asked++;
    bool kept = shows(question);
    if (kept) {
      memcpy(*bytes, candidate, length); /* it is smaller than what was kept */
      *size = length;
      outcome = 1;
    }
    pp_trim_tell(trim, kept);
  }
  pp_trim_free(trim);
  return outcome;
}

static int usage(void) {
  (void)fputs("usage: trim-input [-s SECONDS] FILE OUT COMMAND [ARGUMENT...]\n",
              stderr);
  return 2;
}

int main(int argc, char **argv) {
  enum { SECONDS = 60, FEWEST = 3 };
  pp_question question = {.until = now() + SECONDS};
  int first = 1;
  if (argc > 2 && strcmp(argv[1], "-s") == 0) {
    question.until = now() + (time_t)strtoul(argv[2], NULL, 10);
    first = 3;
  }
  if (argc - first < FEWEST) return usage();
  size_t words = (size_t)(argc - first - 2);
  size_t size = 0;
  pp_diag diag = {0};
  uint8_t *bytes =
      (uint8_t *)pp_source_text(argv[first], SIZE_MAX, &size, &diag);
  if (!bytes) {
    (void)fprintf(stderr, "trim-input: %s\n", diag.text);
    return 2;
  }
  size_t before = size;
  question.path = argv[first + 1];
  question.command = calloc(words + 2, sizeof *question.command);
  int outcome = question.command ? 1 : -1;
  for (size_t k = 0; question.command && k < words; k++)
    question.command[k] = argv[(size_t)first + 2 + k];
  if (question.command) question.command[words] = argv[first + 1];
  while (outcome > 0)
    outcome = shrink_once(&question, &bytes, &size);
  if (!save(argv[first + 1], bytes, size)) outcome = -1;
  printf("%zu of %zu bytes, %zu questions\n", size, before, question.asked);
  free(question.command);
  free(bytes);
  return outcome < 0 ? 3 : 0;
}
