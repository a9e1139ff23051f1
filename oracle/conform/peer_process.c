#include "peer_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  CHUNK = 64 << 10, /* bytes of one read */
  TICK = 20         /* ms between looks at a process that no poll watches */
};

double pp_process_now(void) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* -- the start ------------------------------------------------------------- */

static void shut(int *fd) {
  if (*fd >= 0) (void)close(*fd);
  *fd = -1;
}

/* Above the standard streams, so that none is closed by another's dup2. */
static bool lift(int *fd) {
  if (*fd > STDERR_FILENO) return true;
  int high = fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  (void)close(*fd);
  *fd = high;
  return high >= 0;
}

static bool make_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) {
    ends[0] = ends[1] = -1;
    return false;
  }
  bool lifted = lift(&ends[0]);
  return lift(&ends[1]) && lifted;
}

static bool set_attributes(posix_spawnattr_t *attributes) {
  sigset_t none;
  sigset_t usual;
  (void)sigemptyset(&none);
  (void)sigemptyset(&usual);
  (void)sigaddset(&usual, SIGPIPE);
  (void)sigaddset(&usual, SIGXFSZ);
  return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP |
                                                  POSIX_SPAWN_SETSIGMASK |
                                                  POSIX_SPAWN_SETSIGDEF) == 0 &&
         posix_spawnattr_setpgroup(attributes, 0) == 0 &&
         posix_spawnattr_setsigmask(attributes, &none) == 0 &&
         posix_spawnattr_setsigdefault(attributes, &usual) == 0;
}

/* The child's ends become its standard streams. */
static int spawn(pid_t *pid, char *const *argv, const int child[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
  if (posix_spawnattr_init(&attributes) != 0) {
    (void)posix_spawn_file_actions_destroy(&actions);
    return ENOMEM;
  }
  bool ready = set_attributes(&attributes);
  for (int i = 0; i < 3; i++)
    ready =
        ready && posix_spawn_file_actions_adddup2(&actions, child[i], i) == 0;
  int error = ENOMEM;
  if (ready)
    error = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
  (void)posix_spawnattr_destroy(&attributes);
  (void)posix_spawn_file_actions_destroy(&actions);
  return error;
}

static bool is_resource(int error) {
  return error == ENOMEM || error == EAGAIN || error == EMFILE ||
         error == ENFILE;
}

static bool unblock(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

int pp_process_start(pp_process *process, char *const *argv) {
  *process = (pp_process){
      .in = -1, .out = -1, .err = -1, .watch = -1, .longest = PP_LINE_LEAST};
  int in[2];
  int out[2] = {-1, -1};
  int err[2] = {-1, -1};
  int error = EMFILE;
  pid_t pid = 0;
  bool piped = make_pipe(in) && make_pipe(out) && make_pipe(err);
  pp_group_open(&process->group);
  if (piped && unblock(in[1]) && unblock(out[0]) && unblock(err[0]))
    error = spawn(&pid, argv, (const int[]){in[0], out[1], err[1]});
  shut(&in[0]);
  shut(&out[1]);
  shut(&err[1]);
  process->in = in[1];
  process->out = out[0];
  process->err = err[0];
  if (error == 0) {
    pp_group_lead(&process->group, pid);
    process->watch = pidfd_open(pid, 0);
    return 0;
  }
  pp_process_stop(process);
  return is_resource(error) ? -1 : error;
}

void pp_process_stop(pp_process *process) {
  pp_group_end(&process->group);
  shut(&process->in);
  shut(&process->out);
  shut(&process->err);
  shut(&process->watch);
  pp_text_free(&process->queue);
  free(process->got);
  *process = (pp_process){
      .group.slot = -1, .in = -1, .out = -1, .err = -1, .watch = -1};
}

/* -- SIGPIPE -------------------------------------------------------------- */

void pp_hold_sigpipe(sigset_t *before) {
  sigset_t broken;
  (void)sigemptyset(&broken);
  (void)sigaddset(&broken, SIGPIPE);
  (void)pthread_sigmask(SIG_BLOCK, &broken, before);
}

void pp_release_sigpipe(const sigset_t *before) {
  const struct timespec no_time = {0};
  sigset_t broken;
  (void)sigemptyset(&broken);
  (void)sigaddset(&broken, SIGPIPE);
  int got = sigismember(before, SIGPIPE) == 0 ? -1 : 0;
  while (got < 0) {
    got = sigtimedwait(&broken, NULL, &no_time);
    if (got < 0 && errno != EINTR) break;
  }
  (void)pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* -- bytes out ------------------------------------------------------------- */

size_t pp_process_unsent(const pp_process *process) {
  return process->queue.size - process->sent;
}

static void break_input(pp_process *process) {
  shut(&process->in);
  process->broken_at = pp_process_now();
}

/* Moves what is left to the front, seldom enough. */
static void forget_sent(pp_process *process) {
  size_t left = pp_process_unsent(process);
  if (process->sent < left) return;
  if (left > 0)
    memmove(process->queue.at, process->queue.at + process->sent, left);
  process->queue.size = left;
  process->sent = 0;
}

void pp_process_send(pp_process *process) {
  size_t left = pp_process_unsent(process);
  if (process->in < 0 || left == 0) return;
  ssize_t size = write(process->in, process->queue.at + process->sent, left);
  if (size >= 0) {
    process->sent += (size_t)size;
    forget_sent(process);
  } else if (errno != EAGAIN && errno != EINTR)
    break_input(process);
}

/* -- bytes in -------------------------------------------------------------- */

static bool make_room(pp_process *process) {
  size_t kept = process->to - process->from;
  if (kept == 0) process->from = process->scanned = process->to = 0;
  if (process->room - process->to >= CHUNK) return true;
  if (process->from >= process->room / 2 && process->from > 0) {
    memmove(process->got, process->got + process->from, kept);
    process->scanned -= process->from;
    process->to = kept;
    process->from = 0;
    if (process->room - process->to >= CHUNK) return true;
  }
  size_t room = 2 * (process->room + CHUNK);
  char *grown = realloc(process->got, room);
  if (!grown) return false;
  process->got = grown;
  process->room = room;
  return true;
}

static void receive(pp_process *process) {
  if (!make_room(process)) {
    process->no_memory = true;
    return;
  }
  ssize_t size = read(process->out, process->got + process->to, CHUNK);
  if (size > 0)
    process->to += (size_t)size;
  else if (size == 0 || (errno != EAGAIN && errno != EINTR))
    shut(&process->out);
}

/* Keeps the last of it. */
static void overhear(pp_process *process) {
  char chunk[CHUNK];
  ssize_t got = read(process->err, chunk, sizeof chunk);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
    shut(&process->err);
  if (got <= 0) return;
  size_t size = (size_t)got;
  const char *from = chunk;
  process->said += size;
  if (size > PP_TAIL) {
    from += size - PP_TAIL;
    size = PP_TAIL;
  }
  size_t kept = PP_TAIL - size;
  if (kept > process->tail_size) kept = process->tail_size;
  memmove(process->tail, process->tail + process->tail_size - kept, kept);
  memcpy(process->tail + kept, from, size);
  process->tail_size = kept + size;
}

static bool is_full(const pp_process *process) {
  return process->to - process->from > process->longest;
}

/* It stays a zombie, so that its number, and its group's, stays its own. */
static void look(pp_process *process) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)process->group.pid, &info,
             WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid == 0)
    return;
  process->ended = true;
  if (info.si_code == CLD_EXITED)
    process->status = info.si_status;
  else
    process->killed = info.si_status;
}

static int patience(const pp_process *process, double until) {
  double left = ceil((until - pp_process_now()) * 1e3);
  if (process->ended || left <= 0) return 0;
  int most = process->watch < 0 ? TICK : 60000;
  return left < most ? (int)left : most;
}

/* What ended while a process that it started holds the pipe has an output all
 * the same: it ends with what is in the pipe. */
void pp_process_pump(pp_process *process, double until) {
  bool ended = process->ended;
  short sends = (short)(pp_process_unsent(process) > 0 ? POLLOUT : 0);
  struct pollfd fds[] = {
      {process->in, sends, 0},
      {is_full(process) ? -1 : process->out, POLLIN, 0},
      {process->err, POLLIN, 0},
      {ended ? -1 : process->watch, POLLIN, 0},
  };
  int events = poll(fds, sizeof fds / sizeof *fds, patience(process, until));
  if (events < 0) return;
  if (fds[0].revents & (POLLERR | POLLNVAL))
    break_input(process);
  else if (fds[0].revents)
    pp_process_send(process);
  if (fds[1].revents)
    receive(process);
  else if (ended && !is_full(process))
    shut(&process->out);
  if (fds[2].revents)
    overhear(process);
  else if (ended)
    shut(&process->err);
  if (!ended && (fds[3].revents || process->watch < 0)) look(process);
}

bool pp_process_over(pp_process *process, double seconds) {
  double until = pp_process_now() + seconds;
  while (!process->no_memory) {
    bool heard = process->err < 0 && (process->out < 0 || is_full(process));
    if (process->ended && heard) break;
    if (pp_process_now() >= until) break;
    pp_process_pump(process, until);
  }
  return process->ended;
}

bool pp_process_speaks(pp_process *process) {
  if (process->from == process->to && process->out >= 0)
    pp_process_pump(process, 0);
  return process->from < process->to || process->out < 0;
}

/* -- lines ----------------------------------------------------------------- */

pp_output pp_process_line(pp_process *process, const char **line,
                          size_t *size) {
  size_t fresh = process->to - process->scanned;
  const char *end =
      fresh ? memchr(process->got + process->scanned, '\n', fresh) : NULL;
  if (!end) {
    process->scanned = process->to;
    if (is_full(process)) return PP_OUTPUT_LONG;
    if (process->out >= 0) return PP_OUTPUT_NONE;
    return process->from < process->to ? PP_OUTPUT_HALF : PP_OUTPUT_END;
  }
  *line = process->got + process->from;
  *size = (size_t)(end - *line);
  process->from = process->scanned = (size_t)(end - process->got) + 1;
  return *size > process->longest ? PP_OUTPUT_LONG : PP_OUTPUT_LINE;
}
