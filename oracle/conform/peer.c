#include "peer_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  SPARE = 6,       /* misdeeds of no question that one process can bring */
  NOT_FOUND = 127, /* what a shell ends with when there is no such command */
  NOT_RUNNABLE = 126
};

static const double bye_seconds = 3;
static const double left_seconds = 0.5;

const pp_peer_options pp_peer_usual = {
    .start = 10, .answer = 5, .restarts = 20, .chatter = UINT64_C(16) << 20};

/* -- misdeeds of no question ----------------------------------------------- */

static bool make_room(pp_peer *peer) {
  if (peer->room - peer->misdeeds >= SPARE) return true;
  size_t room = 2 * peer->room + SPARE;
  pp_exchange *grown = realloc(peer->misdeed, room * sizeof *grown);
  if (!grown) return false;
  peer->misdeed = grown;
  peer->room = room;
  return true;
}

void pp_peer_note(pp_peer *peer, const pp_exchange *found) {
  if (peer->misdeeds < peer->room) peer->misdeed[peer->misdeeds++] = *found;
}

void pp_peer_listen(pp_peer *peer) {
  if (peer->chatty || peer->process.said <= peer->options.chatter) return;
  pp_exchange found = {0};
  peer->chatty = true;
  pp_peer_tell(&found, PP_MISDEED_CHATTY, &peer->process,
               "it wrote more than %llu bytes on standard error",
               (unsigned long long)peer->options.chatter);
  pp_peer_note(peer, &found);
}

void pp_peer_drop(pp_peer *peer) {
  pp_peer_listen(peer);
  pp_process_stop(&peer->process);
  peer->running = false;
}

/* -- hello ----------------------------------------------------------------- */

static bool same_hello(const pp_hello *a, const pp_hello *b) {
  return a->protocol == b->protocol && a->capabilities == b->capabilities &&
         a->items == b->items && a->batch == b->batch &&
         a->compare == b->compare && strcmp(a->name, b->name) == 0 &&
         strcmp(a->version, b->version) == 0;
}

static int read_hello(pp_peer *peer, const char *line, size_t size,
                      pp_exchange *found, pp_diag *diag) {
  uint64_t id;
  const char *what = "";
  pp_diag wrong = {0};
  pp_hello hello = {0};
  if (!pp_peer_line_id(&peer->process, line, size, &id, &what) || id != 1) {
    pp_peer_banner(&peer->process, line, size, what, found);
    return 0;
  }
  int status = pp_wire_read_hello_reply("its answer to hello", line, size,
                                        &hello, &wrong);
  if (status == PP_EXIT_RESOURCE) return pp_fail_memory(diag);
  if (status != 0)
    pp_peer_tell(found, PP_MISDEED_BAD_HELLO, &peer->process, "%s", wrong.text);
  else if (peer->greeted && !same_hello(&hello, &peer->hello))
    pp_peer_tell(found, PP_MISDEED_BAD_HELLO, &peer->process,
                 "started again, it answers hello in another way than before");
  else if (!peer->greeted) {
    peer->greeted = true;
    peer->hello = hello;
    peer->window = hello.batch < PP_UNDER_WAY ? hello.batch : PP_UNDER_WAY;
  }
  return 0;
}

static void no_hello(const pp_peer *peer, pp_exchange *found) {
  const pp_process *process = &peer->process;
  if (found->misdeed == PP_MISDEED_HANGS)
    found->misdeed = PP_MISDEED_HANGS_AT_START;
  if (found->misdeed != PP_MISDEED_EXITED) return;
  if (process->status != NOT_FOUND && process->status != NOT_RUNNABLE) return;
  pp_peer_tell(found, PP_MISDEED_NOT_STARTED, process,
               "the command could not be started (status %d)", process->status);
}

static int greet(pp_peer *peer, pp_exchange *found, pp_diag *diag) {
  pp_process *process = &peer->process;
  const char *line = NULL;
  size_t size = 0;
  pp_wire_hello(&process->queue, peer->next_id++);
  if (process->queue.failed) return pp_fail_memory(diag);
  pp_process_send(process);
  pp_wait wait = {"hello", pp_process_now(), peer->options.start};
  bool said = pp_peer_await(process, &wait, &line, &size, found);
  if (process->no_memory) return pp_fail_memory(diag);
  if (!said) no_hello(peer, found);
  int status = said ? read_hello(peer, line, size, found, diag) : 0;
  return process->no_memory ? pp_fail_memory(diag) : status;
}

int pp_peer_start(pp_peer *peer, pp_diag *diag) {
  pp_exchange found = {0};
  if (!make_room(peer)) return pp_fail_memory(diag);
  int error = pp_process_start(&peer->process, peer->options.argv);
  if (error < 0)
    return pp_diag_fail(diag, PP_EXIT_RESOURCE,
                        "no memory or descriptors for another process");
  peer->running = error == 0;
  peer->next_id = 1;
  peer->chatty = false;
  int status = 0;
  if (peer->running)
    status = greet(peer, &found, diag);
  else
    pp_peer_tell(&found, PP_MISDEED_NOT_STARTED, NULL,
                 "%s could not be started: %s", peer->options.argv[0],
                 strerrordesc_np(error));
  peer->failures = found.misdeed == PP_BEHAVED ? 0 : peer->failures + 1;
  peer->why = found;
  if (found.misdeed != PP_BEHAVED) pp_peer_note(peer, &found);
  if (peer->running && (status != 0 || found.misdeed != PP_BEHAVED))
    pp_peer_drop(peer);
  return status;
}

int pp_peer_open(const pp_peer_options *options, pp_peer **peer,
                 pp_diag *diag) {
  sigset_t before;
  *peer = calloc(1, sizeof **peer);
  if (!*peer) return pp_fail_memory(diag);
  (*peer)->options = *options;
  pp_hold_sigpipe(&before);
  int status = pp_peer_start(*peer, diag);
  pp_release_sigpipe(&before);
  if (status == 0) return 0;
  pp_peer_close(*peer);
  *peer = NULL;
  return status;
}

const pp_hello *pp_peer_hello(const pp_peer *peer, pp_misdeed *misdeed,
                              const char **sentence) {
  *misdeed = peer->greeted ? PP_BEHAVED : peer->why.misdeed;
  *sentence = peer->greeted ? "" : peer->why.sentence;
  return peer->greeted ? &peer->hello : NULL;
}

size_t pp_peer_misdeeds(const pp_peer *peer, const pp_exchange **list) {
  *list = peer->misdeed;
  return peer->misdeeds;
}

unsigned pp_peer_restarts(const pp_peer *peer) {
  return peer->restarts;
}

/* -- bye ------------------------------------------------------------------- */

/* After a right answer to bye: it has to end, and to say no more. */
static void watch_end(pp_peer *peer, double seconds, const pp_ids *ids,
                      pp_exchange *found) {
  pp_process *process = &peer->process;
  const char *line = NULL;
  size_t size = 0;
  uint64_t id = 0;
  if (!pp_process_over(process, seconds))
    pp_peer_tell(found, PP_MISDEED_IGNORES_BYE, process,
                 "it answered bye and did not end within %g s", bye_seconds);
  else if (process->killed)
    pp_peer_tell(found, PP_MISDEED_CRASHED, process,
                 "after it answered bye it was killed by SIG%s",
                 pp_signal_name(process->killed));
  else if (pp_process_line(process, &line, &size) == PP_OUTPUT_LINE)
    pp_peer_stray(process, line, size, ids, &id, found);
}

static void say_bye(pp_peer *peer, pp_exchange *found) {
  pp_process *process = &peer->process;
  const char *line = NULL;
  const char *what;
  size_t size = 0;
  uint64_t id = 0;
  pp_ids ids = {peer->next_id, peer->next_id + 1};
  pp_wire_bye(&process->queue, peer->next_id++);
  if (process->queue.failed) return;
  pp_process_send(process);
  pp_wait wait = {"bye", pp_process_now(), bye_seconds};
  if (!pp_peer_await(process, &wait, &line, &size, found)) {
    if (found->misdeed == PP_MISDEED_HANGS)
      found->misdeed = PP_MISDEED_IGNORES_BYE;
    return;
  }
  pp_diag wrong = {0};
  bool mine =
      pp_peer_line_id(process, line, size, &id, &what) && id == ids.next;
  if (mine &&
      pp_wire_read_bye_reply("its answer to bye", line, size, &wrong) == 0) {
    ids.next = ids.end;
    watch_end(peer, wait.last + bye_seconds - pp_process_now(), &ids, found);
  } else if (!mine && !process->no_memory) {
    pp_peer_stray(process, line, size, &ids, &id, found);
  } else if (mine && wrong.code != PP_EXIT_RESOURCE)
    pp_peer_tell(found, PP_MISDEED_BAD_ANSWER, process, "%s", wrong.text);
}

/* Processes that it started may need a moment to see that it ended. */
static void look_behind(pp_peer *peer) {
  const struct timespec pause = {.tv_nsec = 10000000};
  double end = pp_process_now() + left_seconds;
  char name[16];
  char shown[64];
  size_t left = pp_group_others(&peer->process.group, name);
  while (left > 0 && pp_process_now() < end) {
    (void)nanosleep(&pause, NULL);
    left = pp_group_others(&peer->process.group, name);
  }
  if (left == 0) return;
  pp_exchange found = {0};
  pp_peer_tell(&found, PP_MISDEED_LEFT_BEHIND, NULL,
               "it ended, and %zu process%s that it started ran on: %s%s", left,
               left == 1 ? "" : "es", pp_printable(name, shown, sizeof shown),
               left == 1 ? "" : " ...");
  pp_peer_note(peer, &found);
}

void pp_peer_end(pp_peer *peer) {
  sigset_t before;
  pp_exchange found = {0};
  if (!peer->running) return;
  pp_hold_sigpipe(&before);
  say_bye(peer, &found);
  if (found.misdeed != PP_BEHAVED) pp_peer_note(peer, &found);
  if (peer->process.ended) look_behind(peer);
  pp_peer_drop(peer);
  pp_release_sigpipe(&before);
}

void pp_peer_close(pp_peer *peer) {
  if (!peer) return;
  pp_peer_end(peer);
  free(peer->misdeed);
  free(peer);
}
