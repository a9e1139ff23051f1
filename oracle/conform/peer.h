/* poolproof: another implementation, as a process that answers on a pipe.
 *
 * The process gets requests on its standard input and answers on its standard
 * output, a line each, in the order of the requests; its standard error is
 * read and kept from filling up. It runs in a process group of its own, and
 * nothing of that group outlives pp_peer_close. One thread at a time uses a
 * peer. SPDX-License-Identifier: MIT */
#ifndef PP_PEER_H
#define PP_PEER_H

#include "wire.h"

#include <stdio.h>

/* How a process can misbehave: enumerator, word, what it did. */
#define PP_MISDEEDS(X)                                                         \
  X(NOT_STARTED, not_started, "the command could not be started")              \
  X(HANGS_AT_START, hangs_at_start, "no answer to hello in time")              \
  X(BAD_HELLO, bad_hello, "its answer to hello breaks the protocol")           \
  X(HANGS, hangs, "no answer in time")                                         \
  X(CRASHED, crashed, "it was killed by a signal")                             \
  X(EXITED, exited, "it ended before bye")                                     \
  X(CLOSED_STDIN, closed_stdin, "it closed its standard input")                \
  X(CLOSED_STDOUT, closed_stdout, "it closed its standard output")             \
  X(HALF_LINE, half_line, "its output ends within a line")                     \
  X(GARBAGE, garbage, "a line that is no answer")                              \
  X(BANNER, banner, "it printed something before its first answer")            \
  X(TOO_LONG, too_long, "a line longer than any answer")                       \
  X(WRONG_ID, wrong_id, "an answer to a request that was never made")          \
  X(DUPLICATE, duplicate, "a second answer to one request")                    \
  X(OUT_OF_ORDER, out_of_order, "answers in another order than the requests")  \
  X(BAD_ANSWER, bad_answer, "an answer of the wrong form")                     \
  X(CHATTY, chatty, "too much on standard error")                              \
  X(IGNORES_BYE, ignores_bye, "it did not end after bye")                      \
  X(LEFT_BEHIND, left_behind, "processes that it started outlived it")         \
  X(GIVEN_UP, given_up, "not asked: it was restarted too often")

typedef enum pp_misdeed {
  PP_BEHAVED = 0,
#define PP_MISDEED_ENUM(NAME, name, about) PP_MISDEED_##NAME,
  PP_MISDEEDS(PP_MISDEED_ENUM)
#undef PP_MISDEED_ENUM
      PP_MISDEED_COUNT
} pp_misdeed;

const char *pp_misdeed_name(pp_misdeed misdeed);
const char *pp_misdeed_about(pp_misdeed misdeed);

/* argv     the command, NULL-terminated; argv[0] is looked up in PATH
 * start    seconds until hello is answered
 * answer   seconds from one answer (or from sending, when none was under way)
 *          to the next
 * restarts how often it is started again after a misdeed, over all of its life
 * chatter  bytes on standard error of one process before it is CHATTY */
typedef struct pp_peer_options {
  char *const *argv;
  double start;
  double answer;
  unsigned restarts;
  uint64_t chatter;
} pp_peer_options;

/* 10 s, 5 s, 20, 16 MiB. */
extern const pp_peer_options pp_peer_usual;

/* One request and what came of it.
 * misdeed   PP_BEHAVED: reply holds the answer. Otherwise sentence says what
 *           happened, with the last line of its standard error if there is one
 * reply     owned by the caller; freed before it is overwritten */
typedef struct pp_exchange {
  const pp_ask *ask;
  pp_reply reply;
  pp_misdeed misdeed;
  char sentence[500];
} pp_exchange;

typedef struct pp_peer pp_peer;

/* Starts the process and says hello. On a misdeed it is started again only
 * when asked something. *peer is NULL on failure: PP_EXIT_RESOURCE. A process
 * that misbehaves is no failure: pp_peer_hello then answers NULL. */
int pp_peer_open(const pp_peer_options *options, pp_peer **peer, pp_diag *diag);

/* What it said of itself, or NULL when it never answered hello rightly;
 * *misdeed and *sentence then say why (peer's own, until the next call). */
const pp_hello *pp_peer_hello(const pp_peer *peer, pp_misdeed *misdeed,
                              const char **sentence);

/* Asks n questions, up to hello's batch at a time, and fills each exchange. A
 * process that misbehaves is started again, and questions that were under way
 * are asked again one at a time, so that the misdeed goes to the question that
 * brings it about; a misdeed that does not come back goes to the first of
 * them, and says so, and from then on one question at a time is asked. After
 * an answer of the wrong form the same process goes on. What cannot be started
 * three times in a row is given up. Returns 0, or PP_EXIT_RESOURCE. */
int pp_peer_ask(pp_peer *peer, pp_exchange *exchange, size_t n, pp_diag *diag);

/* Misdeeds that belong to no question (chatty, left_behind, ignores_bye ...,
 * and each start that failed, pp_peer_open's too), so far, in order; and how
 * often it was started again. */
size_t pp_peer_misdeeds(const pp_peer *peer, const pp_exchange **list);
unsigned pp_peer_restarts(const pp_peer *peer);

/* Says bye, waits a second for it to end, kills what is left of its group. The
 * peer stays, for pp_peer_misdeeds. */
void pp_peer_end(pp_peer *peer);

/* Ends and frees. NULL is nothing. */
void pp_peer_close(pp_peer *peer);

#endif
