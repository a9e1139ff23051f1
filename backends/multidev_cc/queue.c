/* poolproof: the queues of the multidev_cc backend, a worker thread each.
 * SPDX-License-Identifier: MIT */
#include "multidev_cc/queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Bytes that are set or copied as fast as a worker wakes up. */
enum { QUICK = 4096 };

/* jobs  queued and running
 * busy  the worker, or who awaits it, does a job
 * work  tells the worker: a job came, its meeting moved, or it is to stop
 * done  tells callers: there are fewer jobs, or the device is lost */
typedef struct pp_queue {
  pthread_cond_t work, done;
  pthread_t worker;
  bool started, stops, lost, busy;
  size_t jobs;
  pp_job *first, *last;
} pp_queue;

#define PP_QUEUE_INIT                                                          \
  { .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER }

/* One lock for all: each holds it for a moment, and two queues change at one
 * moment. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pp_queue queues[PP_QUEUES] = {PP_QUEUE_INIT, PP_QUEUE_INIT,
                                     PP_QUEUE_INIT, PP_QUEUE_INIT};
static pid_t owner; /* the process that has the workers; 0: none yet */

pp_job *pp_job_new(pp_job_kind kind, size_t extra) {
  size_t bytes = 0;
  if (__builtin_add_overflow(sizeof(pp_job), extra, &bytes)) return NULL;
  pp_job *job = malloc(bytes);
  if (job != NULL) *job = (pp_job){.kind = kind};
  return job;
}

/* With the lock held, as all that follows up to the worker. */
static void job_free(pp_job *job) {
  pp_meeting *meeting = job->meeting;
  if (meeting != NULL && --meeting->left == 0) free(meeting);
  free(job);
}

static void tell_both(const pp_meeting *meeting) {
  pthread_cond_signal(&queues[meeting->to].work);
  pthread_cond_signal(&queues[meeting->from].work);
}

static pp_job *pop(pp_queue *queue) {
  pp_job *job = queue->first;
  if (job != NULL) queue->first = job->next;
  return job;
}

static void lose(pp_queue *queue) {
  pp_job *job = NULL;
  queue->lost = true;
  while ((job = pop(queue)) != NULL) {
    if (job->meeting != NULL) {
      job->meeting->failed = true;
      tell_both(job->meeting);
    }
    queue->jobs--;
    job_free(job);
  }
}

/* What needs no other device, without the lock. */
static pp_status work_alone(const pp_job *job) {
  if (job->kind == PP_JOB_RUN) return pp_host_run(job->kernel, job->operand);
  if (job->kind == PP_JOB_SET)
    pp_host_set(job->to, job->value, job->bytes);
  else
    pp_host_copy(job->to, job->from, job->bytes);
  return PP_OK;
}

static pp_status unlocked_work(const pp_job *job) {
  pthread_mutex_unlock(&lock);
  pp_status status = work_alone(job);
  pthread_mutex_lock(&lock);
  return status;
}

static pp_status work(pp_queue *queue, const pp_job *job) {
  pp_meeting *meeting = job->meeting;
  if (job->kind == PP_JOB_FETCH) {
    while (!meeting->ready && !meeting->failed)
      pthread_cond_wait(&queue->work, &lock);
    if (meeting->failed) return PP_DEVICE_LOST;
    (void)unlocked_work(job);
    meeting->done = true;
    tell_both(meeting);
    return PP_OK;
  }
  if (job->kind != PP_JOB_WAIT) return unlocked_work(job);
  meeting->ready = true;
  tell_both(meeting);
  while (!meeting->done && !meeting->failed)
    pthread_cond_wait(&queue->work, &lock);
  return PP_OK;
}

/* Of a queue that has jobs and is not busy. */
static void do_first(pp_queue *queue) {
  pp_job *job = pop(queue);
  queue->busy = true;
  if (work(queue, job) != PP_OK) lose(queue);
  queue->busy = false;
  job_free(job);
  queue->jobs--;
  pthread_cond_broadcast(&queue->done);
  if (queue->stops) pthread_cond_signal(&queue->work);
}

static void *worker(void *argument) {
  pp_queue *queue = argument;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (queue->busy || (queue->first == NULL && !queue->stops))
      pthread_cond_wait(&queue->work, &lock);
    if (queue->first == NULL) break;
    do_first(queue);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

/* Joins the workers, which first do what is queued. */
static void stop(void) {
  if (owner != getpid()) return;
  for (size_t i = 0; i < PP_QUEUES; i++) {
    pp_queue *queue = &queues[i];
    pthread_mutex_lock(&lock);
    bool started = queue->started;
    queue->stops = true;
    pthread_cond_signal(&queue->work);
    pthread_mutex_unlock(&lock);
    if (started) (void)pthread_join(queue->worker, NULL);
    pthread_mutex_lock(&lock);
    queue->started = queue->stops = false;
    pthread_mutex_unlock(&lock);
  }
}

/* The program's signals go to its own threads. */
static int start_unsignalled(pp_queue *queue) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&queue->worker, NULL, worker, queue);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failed;
}

/* With the lock held. */
static pp_status start(pp_queue *queue) {
  if (queue->started) return PP_OK;
  if (owner == 0 && atexit(stop) != 0) return PP_NO_MEMORY;
  owner = getpid();
  if (start_unsignalled(queue) != 0) return PP_NO_MEMORY;
  queue->started = true;
  return PP_OK;
}

/* Need the worker not be woken for it? Who awaits it does it then, or the
 * worker before what comes next. */
static bool is_quick(const pp_job *job) {
  return (job->kind == PP_JOB_SET || job->kind == PP_JOB_COPY) &&
         job->bytes <= QUICK;
}

static void append(pp_queue *queue, pp_job *job) {
  if (queue->first == NULL)
    queue->first = job;
  else
    queue->last->next = job;
  queue->last = job;
  queue->jobs++;
  if (!is_quick(job)) pthread_cond_signal(&queue->work);
}

/* With the lock held: the queue is not lost, has a worker and a room. */
static pp_status make_room(pp_queue *queue) {
  pp_status status = queue->lost ? PP_DEVICE_LOST : start(queue);
  while (status == PP_OK && queue->jobs >= PP_QUEUED) {
    pthread_cond_signal(&queue->work);
    pthread_cond_wait(&queue->done, &lock);
    if (queue->lost) status = PP_DEVICE_LOST;
  }
  return status;
}

pp_status pp_queue_state(size_t device) {
  if (device >= PP_QUEUES) return PP_NO_DEVICE;
  pthread_mutex_lock(&lock);
  bool lost = queues[device].lost;
  pthread_mutex_unlock(&lock);
  return lost ? PP_DEVICE_LOST : PP_OK;
}

pp_status pp_queue_add(size_t device, pp_job *job) {
  pp_queue *queue = &queues[device];
  pthread_mutex_lock(&lock);
  pp_status status = make_room(queue);
  if (status == PP_OK)
    append(queue, job);
  else
    job_free(job);
  pthread_mutex_unlock(&lock);
  return status;
}

/* Fills a queue's place that make_room has found: room for one more does not
 * go away while the lock is given up for the other queue, since only the
 * caller adds to either. A loss may come meanwhile. */
static pp_status make_rooms(pp_queue *to, pp_queue *from) {
  pp_status status = make_room(to);
  if (status == PP_OK) status = make_room(from);
  if (status == PP_OK && to->lost) status = PP_DEVICE_LOST;
  return status;
}

pp_status pp_queue_add_fetch(size_t to, size_t from, pp_job *fetch) {
  pp_meeting *meeting = malloc(sizeof *meeting);
  pp_job *wait = pp_job_new(PP_JOB_WAIT, 0);
  if (meeting == NULL || wait == NULL) {
    free(meeting);
    free(wait);
    free(fetch);
    return PP_NO_MEMORY;
  }
  *meeting = (pp_meeting){.to = to, .from = from, .left = 2};
  fetch->meeting = wait->meeting = meeting;
  pthread_mutex_lock(&lock);
  pp_status status = make_rooms(&queues[to], &queues[from]);
  if (status == PP_OK) {
    append(&queues[to], fetch);
    append(&queues[from], wait);
  } else {
    job_free(fetch);
    job_free(wait);
  }
  pthread_mutex_unlock(&lock);
  return status;
}

/* Does itself what the worker has not begun; a meeting is the workers' own,
 * who are told when it moves. */
pp_status pp_queue_await(size_t device) {
  pp_queue *queue = &queues[device];
  pthread_mutex_lock(&lock);
  while (queue->jobs > 0)
    if (!queue->busy && queue->first->kind != PP_JOB_FETCH &&
        queue->first->kind != PP_JOB_WAIT) {
      do_first(queue);
    } else {
      pthread_cond_signal(&queue->work);
      pthread_cond_wait(&queue->done, &lock);
    }
  bool lost = queue->lost;
  pthread_mutex_unlock(&lock);
  return lost ? PP_DEVICE_LOST : PP_OK;
}
