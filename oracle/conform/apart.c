#include "apart.h"

#include "must.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TICK = 5000000 }; /* ns between looks */

pp_apart *pp_apart_new(void) {
  void *at = mmap(NULL, sizeof(pp_apart), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

void pp_apart_free(pp_apart *apart) {
  if (apart) (void)munmap(apart, sizeof *apart);
}

static pp_apart *told; /* in the child */

static void tell(const char *sentence) {
  (void)snprintf(told->sentence, sizeof told->sentence, "%s", sentence);
}

static _Noreturn void be_child(pp_apart *apart, pp_apart_work *work,
                               void *state, pid_t parent) {
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _Exit(0);
  (void)dup2(STDERR_FILENO, STDOUT_FILENO);
  told = apart;
  pp_die_told = tell;
  work(apart, state);
  apart->finished = true;
  _Exit(0);
}

/* " in memset of device 0", or "". */
static const char *where(pp_apart *apart, char text[80]) {
  const char *within = apart->within;
  text[0] = '\0';
  if (within)
    (void)snprintf(text, 80, " in %s of device %zu", within,
                   (size_t)apart->device);
  return text;
}

/* Waits for the child's end, or kills it for what it does not end. */
static int wait_for(pp_apart *apart, pid_t child,
                    const pp_apart_limits *limits) {
  const struct timespec tick = {.tv_nsec = TICK};
  double start = pp_seconds();
  double since = start;
  unsigned long long calls = 0;
  int status = 0;
  char text[80];
  for (;;) {
    pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child || (got < 0 && errno != EINTR)) return status;
    double now = pp_seconds();
    if (apart->calls != calls || !apart->within) {
      calls = apart->calls;
      since = now;
    }
    bool stuck = now - since > limits->call;
    if (stuck || now - start > limits->all) {
      (void)snprintf(apart->sentence, sizeof apart->sentence,
                     "it hangs%s: no end within %.0f s", where(apart, text),
                     stuck ? limits->call : limits->all);
      (void)kill(child, SIGKILL);
      (void)waitpid(child, &status, 0);
      return status;
    }
    (void)nanosleep(&tick, NULL);
  }
}

static void judge_end(pp_apart *apart, int status) {
  char text[80];
  if (apart->finished || apart->sentence[0] || apart->diag.code != 0) return;
  if (WIFSIGNALED(status))
    (void)snprintf(apart->sentence, sizeof apart->sentence,
                   "it crashes%s: SIG%s", where(apart, text),
                   sigabbrev_np(WTERMSIG(status)));
  else
    (void)snprintf(apart->sentence, sizeof apart->sentence,
                   "it ends the process%s, with status %d", where(apart, text),
                   WEXITSTATUS(status));
}

int pp_apart_run(pp_apart *apart, pp_apart_work *work, void *state,
                 const pp_apart_limits *limits, pp_diag *diag) {
  pid_t parent = getpid();
  apart->calls = 0;
  apart->within = NULL;
  apart->cases = 0;
  apart->finished = false;
  apart->sentence[0] = '\0';
  apart->diag = (pp_diag){0};
  (void)fflush(NULL);
  pid_t child = fork();
  if (child < 0)
    return pp_diag_fail(diag, PP_EXIT_RESOURCE, "no process can be made: %s",
                        strerror(errno));
  if (child == 0) be_child(apart, work, state, parent);
  judge_end(apart, wait_for(apart, child, limits));
  if (apart->diag.code == 0) return 0;
  return pp_diag_fail(diag, apart->diag.code, "%s", apart->diag.text);
}
