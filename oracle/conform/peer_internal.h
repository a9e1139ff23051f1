/* poolproof: the parts of a peer: its process, the processes that this one
 * leaves, its output, and what is said of it.  SPDX-License-Identifier: MIT */
#ifndef PP_PEER_INTERNAL_H
#define PP_PEER_INTERNAL_H

#include "peer.h"

#include <signal.h>
#include <sys/types.h>

enum {
  PP_LINE_LEAST = 1 << 20, /* bytes of a line that are always let pass, */
  PP_LINE_EACH = 128,      /* and more for each item of a question */
  PP_TAIL = 2048,          /* bytes of standard error that are kept */
  PP_UNDER_WAY = 256       /* requests, whatever hello's batch is */
};

/* Seconds in which a process that broke a pipe may end by itself. */
#define PP_GRACE 0.2

/* -- peer_group.c: a process, its group, and what left the group ----------- */

/* While at least one group is open, processes whose parent ended become this
 * process's children, and SIGINT, SIGTERM and SIGHUP, unless somebody handles
 * them, kill every group before they end this process. */
typedef struct pp_group {
  int slot;      /* -1: not watched by the signals */
  pid_t pid;     /* of the process that leads it; 0: none yet */
  uint64_t born; /* when, in the kernel's ticks */
} pp_group;

void pp_group_open(pp_group *group);

/* The process that was started leads it. */
void pp_group_lead(pp_group *group, pid_t pid);

/* How many processes of it run, the leader left out; name (16 bytes) is what
 * the first of them is called. Reaps those that ended. */
size_t pp_group_others(const pp_group *group, char name[16]);

/* Kills and reaps all of it, its leader too, and closes it. */
void pp_group_end(pp_group *group);

/* -- peer_process.c: a process on three pipes ------------------------------ */

/* in, out, err  its standard streams, our ends; -1: closed
 * watch         readable when it ended; -1: the system has no such thing
 * broken_at     when its standard input turned out to be closed; 0: it is not
 * queue         what it is to be sent, from `sent` on
 * got           [from, to): output that was not taken; no line end before
 *               `scanned`
 * longest       line that is no misdeed, bytes, its end not counted
 * said, tail    bytes on standard error, and the last of them
 * ended         exit status in `status`, or signal in `killed`
 * no_memory     output could not be kept */
typedef struct pp_process {
  pp_group group;
  int in, out, err, watch;
  double broken_at;
  pp_text queue;
  size_t sent;
  char *got;
  size_t from, scanned, to, room;
  size_t longest;
  uint64_t said;
  char tail[PP_TAIL];
  size_t tail_size;
  bool ended;
  int status;
  int killed;
  bool no_memory;
} pp_process;

/* A pipe that nobody reads gives EPIPE, not a signal, in between. */
void pp_hold_sigpipe(sigset_t *before);
void pp_release_sigpipe(const sigset_t *before);

/* Seconds of the steady clock. */
double pp_process_now(void);

/* Starts argv. Returns 0, an errno, or -1 when there are no descriptors or no
 * memory for it. */
int pp_process_start(pp_process *process, char *const *argv);

/* Bytes of the queue that were not sent. */
size_t pp_process_unsent(const pp_process *process);

/* Sends what the pipe takes. */
void pp_process_send(pp_process *process);

/* Waits until something moved, or `until`; sends and receives. */
void pp_process_pump(pp_process *process, double until);

/* Pumps until it ended and all it said is here. False: it did not end in so
 * many seconds. */
bool pp_process_over(pp_process *process, double seconds);

/* Is there output that was not taken, or its end? Does not wait. */
bool pp_process_speaks(pp_process *process);

/* Kills what is left of its group, frees. */
void pp_process_stop(pp_process *process);

typedef enum pp_output {
  PP_OUTPUT_NONE, /* no whole line so far */
  PP_OUTPUT_LINE,
  PP_OUTPUT_LONG, /* a line of more than PP_OUTPUT_MOST bytes */
  PP_OUTPUT_HALF, /* the end, within a line */
  PP_OUTPUT_END
} pp_output;

/* Takes the next line, without its end; it lasts until the next pump. */
pp_output pp_process_line(pp_process *process, const char **line, size_t *size);

/* -- peer_tell.c: what it did, in words ------------------------------------ */

/* Sets the misdeed and its sentence, and adds the last line of standard
 * error; process may be NULL. Sentences name no request by its number unless
 * the number is what is wrong: the same deed gives the same sentence in every
 * run. */
void pp_peer_tell(pp_exchange *found, pp_misdeed misdeed,
                  const pp_process *process, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* "SEGV" of SIGSEGV. */
const char *pp_signal_name(int number);

/* A wait for a line.
 * awaited   what is to be answered; NULL: nothing
 * last      since when
 * patience  seconds */
typedef struct pp_wait {
  const char *awaited;
  double last;
  double patience;
} pp_wait;

/* Takes a line that is there. PP_OUTPUT_NONE: there is none; any other but
 * PP_OUTPUT_LINE: there will be none, and found says why. */
pp_output pp_peer_take(pp_process *process, const char *awaited,
                       const char **line, size_t *size, pp_exchange *found);

/* Waits for the next line. False: none came, and found says why; or memory was
 * short (process->no_memory). */
bool pp_peer_await(pp_process *process, const pp_wait *wait, const char **line,
                   size_t *size, pp_exchange *found);

/* Ids of one process: those below `next` were answered, [next, end) are under
 * way. */
typedef struct pp_ids {
  uint64_t next, end;
} pp_ids;

/* pp_wire_line_id; *id is 0 when there is none. Sets no_memory. */
bool pp_peer_line_id(pp_process *process, const char *line, size_t size,
                     uint64_t *id, const char **what);

/* What a line is that is not the answer to request ids->next; *id is its id,
 * or 0. */
void pp_peer_stray(pp_process *process, const char *line, size_t size,
                   const pp_ids *ids, uint64_t *id, pp_exchange *found);

/* Tells of a first line that is not the answer to hello; what: why, or "". */
void pp_peer_banner(const pp_process *process, const char *line, size_t size,
                    const char *what, pp_exchange *found);

/* -- peer.c ---------------------------------------------------------------- */

/* hello     what the first process said that said it rightly, if `greeted`
 * why       why the last start failed; misdeed 0: it did not
 * window    requests that may be under way
 * next_id   of this process
 * chatty    this process was found to be
 * failures  starts that failed, one after the other, to now
 * misdeed   those of no question, room for some more while it runs */
struct pp_peer {
  pp_peer_options options;
  bool greeted;
  pp_hello hello;
  pp_exchange why;
  size_t window;
  bool running;
  pp_process process;
  uint64_t next_id;
  bool chatty;
  unsigned restarts, failures;
  pp_exchange *misdeed;
  size_t misdeeds, room;
};

/* Starts the process and says hello. A failure is noted, and then it does not
 * run. Returns 0, or PP_EXIT_RESOURCE. */
int pp_peer_start(pp_peer *peer, pp_diag *diag);

/* Notes a misdeed of no question. */
void pp_peer_note(pp_peer *peer, const pp_exchange *found);

/* Notes it when it said too much on standard error. */
void pp_peer_listen(pp_peer *peer);

/* Ends the process at once. */
void pp_peer_drop(pp_peer *peer);

#endif
