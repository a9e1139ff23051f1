#include "workers.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_JOBS = 256 };

unsigned pp_jobs(unsigned wanted) {
  if (wanted == 0) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    wanted = cores > 0 && cores < MOST_JOBS ? (unsigned)cores : 1;
  }
  return wanted < MOST_JOBS ? wanted : MOST_JOBS;
}

void *pp_workers_new(unsigned jobs, size_t bytes) {
  return calloc(jobs, bytes);
}

void pp_workers_free(void *parts) {
  free(parts);
}

/* What the threads and the watcher share. */
typedef struct pp_crew {
  pthread_mutex_t lock;
  pthread_cond_t one_done;
  unsigned working;
} pp_crew;

typedef struct pp_hand {
  pp_crew *crew;
  void *(*work)(void *part);
  void *part;
  pthread_t thread;
} pp_hand;

static void *hand_main(void *state) {
  pp_hand *hand = state;
  (void)hand->work(hand->part);
  (void)pthread_mutex_lock(&hand->crew->lock);
  hand->crew->working--;
  (void)pthread_cond_signal(&hand->crew->one_done);
  (void)pthread_mutex_unlock(&hand->crew->lock);
  return NULL;
}

static struct timespec soon(void) {
  struct timespec at = {0};
  (void)clock_gettime(CLOCK_REALTIME, &at);
  at.tv_nsec += 100000000;
  if (at.tv_nsec >= 1000000000) {
    at.tv_nsec -= 1000000000;
    at.tv_sec++;
  }
  return at;
}

/* The parts whose thread could not be started are left out: the others take
 * their share. */
static unsigned start(pp_hand *hands, unsigned jobs, pp_crew *crew) {
  unsigned started = 0;
  (void)pthread_mutex_lock(&crew->lock);
  while (started < jobs && pthread_create(&hands[started].thread, NULL,
                                          hand_main, &hands[started]) == 0)
    started++;
  crew->working = started;
  (void)pthread_mutex_unlock(&crew->lock);
  return started;
}

static void wait_for_all(pp_crew *crew, void (*watch)(void *state),
                         void *state) {
  (void)pthread_mutex_lock(&crew->lock);
  while (crew->working > 0) {
    struct timespec until = soon();
    (void)pthread_cond_timedwait(&crew->one_done, &crew->lock, &until);
    (void)pthread_mutex_unlock(&crew->lock);
    watch(state);
    (void)pthread_mutex_lock(&crew->lock);
  }
  (void)pthread_mutex_unlock(&crew->lock);
}

int pp_workers_run(void *(*work)(void *part), void *parts, size_t bytes,
                   unsigned jobs, void (*watch)(void *state), void *state,
                   pp_diag *diag) {
  pp_crew crew = {.lock = PTHREAD_MUTEX_INITIALIZER,
                  .one_done = PTHREAD_COND_INITIALIZER};
  pp_hand *hands = calloc(jobs, sizeof *hands);
  if (!hands) return pp_fail_memory(diag);
  for (unsigned j = 0; j < jobs; j++)
    hands[j] = (pp_hand){
        .crew = &crew, .work = work, .part = (char *)parts + (size_t)j * bytes};
  unsigned started = start(hands, jobs, &crew);
  wait_for_all(&crew, watch, state);
  for (unsigned j = 0; j < started; j++)
    (void)pthread_join(hands[j].thread, NULL);
  free(hands);
  if (started > 0) return 0;
  return pp_diag_fail(diag, PP_EXIT_RESOURCE, "no thread can be started");
}
