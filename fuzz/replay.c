/* poolproof: a fuzz target without a fuzzer.
 *
 * replay [-m N] FILE|FOLDER ... runs each file, and N mutations of it one
 * after the other, through the target that it is linked with, each file in a
 * process of its own. Prints "N passed, M failed; K compared": those that the
 * target was not only refusing. Exit status 1 when one failed, 2 when none
 * was compared.
 *
 * replay -s SECONDS FILE|FOLDER ... runs the files one after the other, again
 * and again, in one process that takes so much processor time, whoever else is
 * busy. Prints "N executions a second; B bytes an input; C % compared".
 * SPDX-License-Identifier: MIT */
#include "mutate.h"
#include "source.h"
#include "target.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct pp_input {
  uint8_t *bytes;
  size_t size;
} pp_input;

/* each    what is done with a file
 * input   those that were kept, to be timed */
typedef struct pp_replay {
  void (*each)(struct pp_replay *replay, const char *path);
  size_t mutations;
  size_t passed;
  size_t failed;
  size_t compared;
  pp_input *input;
  size_t inputs;
} pp_replay;

enum {
  MOST = 1 << 16,  /* bytes that a mutation may grow to */
  NOT_COMPARED = 9 /* the child's exit status for a file only refused */
};

/* The whole file; NULL after a sentence. */
static uint8_t *load(const char *path, size_t *size) {
  pp_diag diag = {0};
  char *bytes = pp_source_text(path, SIZE_MAX, size, &diag);
  if (!bytes) (void)fprintf(stderr, "%s\n", diag.text);
  return (uint8_t *)bytes;
}

/* A copy exactly as long as the input, so that reading past it is seen. */
static bool run_exact(const uint8_t *bytes, size_t size) {
  uint8_t *copy = malloc(size + (size == 0));
  if (!copy) return false;
  if (size > 0) memcpy(copy, bytes, size);
  (void)LLVMFuzzerTestOneInput(copy, size);
  free(copy);
  return true;
}

/* What the child does; its exit status. */
static int run_file(const char *path, size_t mutations) {
  size_t size = 0;
  uint8_t *bytes = load(path, &size);
  if (!bytes) return 1;
  bool good = run_exact(bytes, size);
  bool compared = pp_target_compared > 0;
  size_t room = size > MOST ? size : (size_t)MOST;
  uint8_t *buf = mutations > 0 ? malloc(room) : NULL;
  size_t length = size;
  for (size_t k = 0; good && buf && k < mutations; k++) {
    if (k % 8 == 0) {
      length = size;
      memcpy(buf, bytes, size);
    }
    length = pp_mutate(buf, length, room, k);
    good = run_exact(buf, length);
  }
  free(buf);
  free(bytes);
  if (!good) return 1;
  return compared ? 0 : NOT_COMPARED;
}

static void replay_file(pp_replay *replay, const char *path) {
  (void)fflush(NULL);
  pid_t child = fork();
  if (child == 0) exit(run_file(path, replay->mutations));
  int status = 1;
  if (child > 0)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  int code = child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  if (code == 0) replay->compared++;
  if (code == 0 || code == NOT_COMPARED) {
    replay->passed++;
    return;
  }
  replay->failed++;
  printf("failed: %s\n", path);
}

static void replay_path(pp_replay *replay, const char *path);

static void replay_folder(pp_replay *replay, const char *path) {
  struct dirent **entries = NULL;
  int count = scandir(path, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    char below[4096];
    int length =
        snprintf(below, sizeof below, "%s/%s", path, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.' && length > 0 &&
        (size_t)length < sizeof below)
      replay_path(replay, below);
    free(entries[i]);
  }
  free(entries);
}

static void replay_path(pp_replay *replay, const char *path) {
  struct stat info;
  if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
    replay_folder(replay, path);
  else
    replay->each(replay, path);
}

static void keep_file(pp_replay *replay, const char *path) {
  size_t room = (replay->inputs + 1) * sizeof *replay->input;
  pp_input *input = realloc(replay->input, room);
  if (input) replay->input = input;
  pp_input new = {.size = 0};
  if (input) new.bytes = load(path, &new.size);
  if (!new.bytes) {
    replay->failed++;
    return;
  }
  input[replay->inputs++] = new;
}

static double taken(void) {
  struct timespec time = {0};
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void time_inputs(const pp_replay *replay, double seconds) {
  double start = taken();
  double passed = 0;
  double bytes = 0;
  while (passed < seconds) {
    for (size_t i = 0; i < replay->inputs && passed < seconds; i++) {
      const pp_input *input = &replay->input[i];
      if (run_exact(input->bytes, input->size)) bytes += (double)input->size;
      if (pp_target_ran % 64 == 0) passed = taken() - start;
    }
  }
  double ran = (double)pp_target_ran;
  printf("%.0f executions a second; %.0f bytes an input; %.1f %% compared\n",
         ran / passed, bytes / ran, 100 * (double)pp_target_compared / ran);
}

static int time_files(int count, char **path, double seconds) {
  pp_replay replay = {.each = keep_file};
  for (int i = 0; i < count; i++)
    replay_path(&replay, path[i]);
  if (replay.inputs > 0) time_inputs(&replay, seconds);
  for (size_t i = 0; i < replay.inputs; i++)
    free(replay.input[i].bytes);
  free(replay.input);
  if (replay.failed > 0) return 1;
  return pp_target_compared > 0 ? 0 : 2;
}

int main(int argc, char **argv) {
  pp_replay replay = {.each = replay_file};
  int first = 1;
  if (argc > 2 && strcmp(argv[1], "-s") == 0)
    return time_files(argc - 3, argv + 3, strtod(argv[2], NULL));
  if (argc > 2 && strcmp(argv[1], "-m") == 0) {
    replay.mutations = strtoul(argv[2], NULL, 10);
    first = 3;
  }
  for (int i = first; i < argc; i++)
    replay_path(&replay, argv[i]);
  printf("%zu passed, %zu failed; %zu compared\n", replay.passed, replay.failed,
         replay.compared);
  if (replay.failed > 0) return 1;
  return replay.compared > 0 ? 0 : 2;
}
