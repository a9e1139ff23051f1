#include "peer_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  SLOTS = 64,
  SIGNALS = 3,
  FIELDS = 19,     /* numbers of /proc/PID/stat, up to the start time */
  KILL_TRIES = 400 /* 5 ms apart */
};

static const int ends[SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

/* Guarded by the lock, but for slots, which the signals read. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int slots[SLOTS]; /* 0: free; -1: taken, none started yet */
static size_t opened;
static int reaped_before;

static void on_end(int number) {
  for (size_t i = 0; i < SLOTS; i++) {
    pid_t pid = atomic_load(&slots[i]);
    if (pid > 0) (void)kill(-pid, SIGKILL);
  }
  (void)signal(number, SIG_DFL);
  (void)raise(number);
}

static void watch_signals(void) {
  const struct sigaction ours = {.sa_handler = on_end};
  for (size_t i = 0; i < SIGNALS; i++) {
    struct sigaction now;
    if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
      (void)sigaction(ends[i], &ours, NULL);
  }
}

static void leave_signals(void) {
  const struct sigaction usual = {.sa_handler = SIG_DFL};
  for (size_t i = 0; i < SIGNALS; i++) {
    struct sigaction now;
    if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == on_end)
      (void)sigaction(ends[i], &usual, NULL);
  }
}

void pp_group_open(pp_group *group) {
  *group = (pp_group){.slot = -1};
  (void)pthread_mutex_lock(&lock);
  if (opened++ == 0) {
    reaped_before = 0;
    (void)prctl(PR_GET_CHILD_SUBREAPER, &reaped_before);
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    watch_signals();
  }
  for (int i = 0; i < SLOTS && group->slot < 0; i++) {
    if (atomic_load(&slots[i]) != 0) continue;
    atomic_store(&slots[i], -1);
    group->slot = i;
  }
  (void)pthread_mutex_unlock(&lock);
}

static void shut(pp_group *group) {
  (void)pthread_mutex_lock(&lock);
  if (group->slot >= 0) atomic_store(&slots[group->slot], 0);
  if (--opened == 0) {
    leave_signals();
    (void)prctl(PR_SET_CHILD_SUBREAPER, reaped_before);
  }
  (void)pthread_mutex_unlock(&lock);
  *group = (pp_group){.slot = -1};
}

static bool is_alone(void) {
  (void)pthread_mutex_lock(&lock);
  bool alone = opened == 1;
  (void)pthread_mutex_unlock(&lock);
  return alone;
}

/* -- what /proc says ------------------------------------------------------- */

typedef struct pp_stat {
  pid_t pid, parent, group, session;
  char state;
  uint64_t born;
  char name[16];
} pp_stat;

/* The name stands in parentheses and may hold anything, also parentheses. */
static bool parse_stat(char *text, pp_stat *stat) {
  const char *name = strchr(text, '(');
  char *end = strrchr(text, ')');
  if (!name || !end || end < name || end[1] != ' ') return false;
  size_t size = (size_t)(end - name - 1);
  if (size >= sizeof stat->name) size = sizeof stat->name - 1;
  memcpy(stat->name, name + 1, size);
  stat->name[size] = '\0';
  stat->state = end[2];
  if (!end[2]) return false;
  uint64_t value[FIELDS];
  char *at = end + 3;
  for (size_t i = 0; i < FIELDS; i++) {
    char *after = at;
    value[i] = (uint64_t)strtoll(at, &after, 10);
    if (after == at) return false;
    at = after;
  }
  stat->parent = (pid_t)value[0];
  stat->group = (pid_t)value[1];
  stat->session = (pid_t)value[2];
  stat->born = value[FIELDS - 1];
  return true;
}

static bool read_stat(pid_t pid, pp_stat *stat) {
  char path[40];
  char text[1024];
  (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t size = read(fd, text, sizeof text - 1);
  (void)close(fd);
  if (size <= 0) return false;
  text[size] = '\0';
  stat->pid = pid;
  return parse_stat(text, stat);
}

void pp_group_lead(pp_group *group, pid_t pid) {
  pp_stat stat;
  group->pid = pid;
  group->born = read_stat(pid, &stat) ? stat.born : 0;
  if (group->slot >= 0) atomic_store(&slots[group->slot], pid);
}

/* A process that took itself out of the group (setsid) and whose parent ended
 * is our child, in another session than ours, and younger than the leader.
 * With two groups open it could be either's: it is the last one's then. */
static bool belongs(const pp_group *group, const pp_stat *stat, bool alone) {
  if (stat->pid == group->pid) return false;
  if (stat->group == group->pid) return true;
  return alone && stat->parent == getpid() && stat->session != getsid(0) &&
         stat->born >= group->born;
}

/* Counts what runs; with a signal, sends it. */
static size_t look(const pp_group *group, int number, char name[16]) {
  DIR *proc = opendir("/proc");
  if (!proc) return 0;
  bool alone = is_alone();
  size_t count = 0;
  for (const struct dirent *entry; (entry = readdir(proc));) {
    char *end;
    long pid = strtol(entry->d_name, &end, 10);
    pp_stat stat;
    if (pid <= 0 || *end || !read_stat((pid_t)pid, &stat) ||
        !belongs(group, &stat, alone))
      continue;
    if (stat.state == 'Z' || stat.state == 'X') {
      if (stat.parent == getpid()) (void)waitpid(stat.pid, NULL, WNOHANG);
      continue;
    }
    if (count++ == 0) memcpy(name, stat.name, sizeof stat.name);
    if (number) (void)kill(stat.pid, number);
  }
  (void)closedir(proc);
  return count;
}

size_t pp_group_others(const pp_group *group, char name[16]) {
  return group->pid > 0 ? look(group, 0, name) : 0;
}

static void nap(void) {
  const struct timespec pause = {.tv_nsec = 5000000};
  (void)nanosleep(&pause, NULL);
}

/* The leader is reaped last: until then its number, and so the group's, is
 * nobody else's. */
void pp_group_end(pp_group *group) {
  char name[16];
  if (group->pid > 0) {
    siginfo_t info = {0};
    (void)kill(-group->pid, SIGKILL);
    for (int i = 0; i < KILL_TRIES; i++) {
      if (waitid(P_PID, (id_t)group->pid, &info, WEXITED | WNOHANG | WNOWAIT) !=
              0 ||
          info.si_pid != 0)
        break;
      nap();
    }
    for (int i = 0; i < KILL_TRIES && look(group, SIGKILL, name) > 0; i++)
      nap();
    (void)look(group, 0, name);
    (void)waitpid(group->pid, NULL, WNOHANG);
  }
  shut(group);
}
