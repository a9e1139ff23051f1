#include "peer_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
  QUEUE = 256 << 10, /* bytes of requests that wait for their pipe, about */
  FAILURES = 3       /* starts that fail in a row until it is given up */
};

/* One call of pp_peer_ask.
 * first, sent   exchanges [first, sent) are under way; those before are done
 * origin, id    exchange origin was, or will be, asked as request id
 * clock         when the last answer came
 * alone         exchanges before it are asked one at a time: they were under
 *               way at the misdeed `kept`, suspect the first of them; back: it
 *               came back. 0: there are none */
typedef struct pp_round {
  pp_peer *peer;
  pp_exchange *exchange;
  size_t n;
  size_t first, sent;
  size_t origin;
  uint64_t id;
  double clock;
  size_t alone, suspect;
  bool back;
  pp_exchange kept;
} pp_round;

static pp_ids ids_of(const pp_round *round) {
  return (pp_ids){round->id + (round->first - round->origin),
                  round->id + (round->sent - round->origin)};
}

/* -- whose misdeed it is --------------------------------------------------- */

static void give(pp_exchange *exchange, const pp_exchange *found,
                 const char *note) {
  pp_reply_free(&exchange->reply);
  exchange->misdeed = found->misdeed;
  int room = (int)(sizeof exchange->sentence - strlen(note) - 1);
  (void)snprintf(exchange->sentence, sizeof exchange->sentence, "%s%.*s", note,
                 room, found->sentence);
}

/* All that were under way were asked again, each alone. A process that does
 * not bear several questions at a time gets one at a time from now on. */
static void settle(pp_round *round) {
  if (round->alone == 0 || round->first < round->alone) return;
  if (!round->back) {
    give(&round->exchange[round->suspect], &round->kept,
         "(seen with other questions under way, not when each was asked "
         "alone) ");
    round->peer->window = 1;
  }
  round->alone = 0;
}

/* The process is ended; the misdeed goes where it belongs. */
static void blame(pp_round *round, const pp_exchange *found) {
  size_t under_way = round->sent - round->first;
  pp_peer_drop(round->peer);
  if (under_way == 0) {
    pp_peer_note(round->peer, found);
  } else if (under_way == 1) {
    give(&round->exchange[round->first++], found, "");
    round->back = true;
    settle(round);
  } else {
    round->alone = round->first + under_way;
    round->suspect = round->first;
    round->back = false;
    round->kept = *found;
  }
  round->sent = round->first;
}

/* A second answer is the deed of the question that was answered, if it is one
 * of this call; never of those under way. */
static void blame_stray(pp_round *round, const pp_exchange *found,
                        uint64_t id) {
  if (found->misdeed != PP_MISDEED_DUPLICATE) {
    blame(round, found);
    return;
  }
  pp_peer_drop(round->peer);
  if (id >= round->id && id - round->id < round->first - round->origin)
    give(&round->exchange[round->origin + (id - round->id)], found, "");
  else
    pp_peer_note(round->peer, found);
  round->sent = round->first;
}

/* -- the process is there -------------------------------------------------- */

static void give_up(pp_round *round, const char *why) {
  size_t from = round->first;
  if (round->alone > 0) {
    give(&round->exchange[round->suspect], &round->kept,
         "(one of the questions that were under way) ");
    if (from == round->suspect) from++;
  }
  pp_exchange found = {.misdeed = PP_MISDEED_GIVEN_UP};
  (void)snprintf(found.sentence, sizeof found.sentence, "%s", why);
  for (size_t i = from; i < round->n; i++)
    give(&round->exchange[i], &found, "");
  round->first = round->sent = round->n;
  round->alone = 0;
}

static int start_again(pp_round *round, pp_diag *diag) {
  pp_peer *peer = round->peer;
  char why[sizeof peer->why.sentence];
  if (peer->failures >= FAILURES) {
    (void)snprintf(why, sizeof why, "not asked: %.400s", peer->why.sentence);
    give_up(round, why);
    return 0;
  }
  if (peer->restarts >= peer->options.restarts) {
    (void)snprintf(why, sizeof why, "not asked: it was started again %u times",
                   peer->restarts);
    give_up(round, why);
    return 0;
  }
  peer->restarts++;
  return pp_peer_start(peer, diag);
}

/* What came while nothing was asked is no question's. */
static void look_before(pp_round *round) {
  pp_peer *peer = round->peer;
  pp_exchange found = {0};
  const char *line = NULL;
  size_t size = 0;
  uint64_t id = 0;
  if (!peer->running || !pp_process_speaks(&peer->process)) return;
  pp_output output = pp_peer_take(&peer->process, NULL, &line, &size, &found);
  if (output == PP_OUTPUT_NONE) return;
  pp_ids ids = {peer->next_id, peer->next_id};
  if (output == PP_OUTPUT_LINE)
    pp_peer_stray(&peer->process, line, size, &ids, &id, &found);
  blame(round, &found);
}

/* A line that follows the last answer is the last question's. Anything else is
 * found by the next call. */
static void look_after(pp_round *round) {
  pp_peer *peer = round->peer;
  pp_exchange found = {0};
  const char *line = NULL;
  size_t size = 0;
  uint64_t id = 0;
  if (!peer->running || !pp_process_speaks(&peer->process) ||
      pp_process_line(&peer->process, &line, &size) != PP_OUTPUT_LINE)
    return;
  pp_ids ids = ids_of(round);
  pp_peer_stray(&peer->process, line, size, &ids, &id, &found);
  if (found.misdeed != PP_MISDEED_DUPLICATE) {
    pp_peer_drop(peer);
    give(&round->exchange[round->n - 1], &found, "");
  } else
    blame_stray(round, &found, id);
}

/* -- questions and answers ------------------------------------------------- */

/* Sends some more once half of those under way are answered: many lines a
 * write. */
static void feed(pp_round *round) {
  pp_peer *peer = round->peer;
  pp_process *process = &peer->process;
  size_t window = round->first < round->alone ? 1 : peer->window;
  size_t under_way = round->sent - round->first;
  if (under_way > window / 2) return;
  if (under_way == 0) round->clock = pp_process_now();
  while (round->sent < round->n && round->sent - round->first < window &&
         (round->sent == round->first || pp_process_unsent(process) < QUEUE)) {
    pp_wire_ask(&process->queue, round->exchange[round->sent++].ask,
                peer->next_id++);
  }
  pp_process_send(process);
}

/* The usual beginning of the answer that is waited for; what it does not
 * recognise is looked at properly. */
static bool starts_right(const char *line, size_t size, uint64_t id) {
  char start[32];
  int length = snprintf(start, sizeof start, "{\"id\":%" PRIu64, id);
  size_t n = length > 0 ? (size_t)length : 0;
  return size > n && memcmp(line, start, n) == 0 &&
         (line[n] == ',' || line[n] == '}');
}

static bool is_answer(pp_process *process, const char *line, size_t size,
                      uint64_t wanted) {
  uint64_t id = 0;
  const char *what;
  return pp_peer_line_id(process, line, size, &id, &what) && id == wanted;
}

/* A line of the right id and the wrong form leaves the process in step: it
 * goes on. */
static int take_answer(pp_round *round, const char *line, size_t size,
                       pp_diag *diag) {
  pp_exchange *exchange = &round->exchange[round->first];
  pp_process *process = &round->peer->process;
  pp_ids ids = ids_of(round);
  pp_diag wrong = {0};
  pp_exchange found = {0};
  uint64_t id = 0;
  int status = PP_EXIT_INPUT;
  bool mine = starts_right(line, size, ids.next) ||
              is_answer(process, line, size, ids.next);
  if (mine)
    status = pp_wire_read_reply("its answer", line, size, exchange->ask,
                                &exchange->reply, &wrong);
  if (status != 0) mine = mine && is_answer(process, line, size, ids.next);
  if (!mine) pp_peer_stray(process, line, size, &ids, &id, &found);
  if (status == PP_EXIT_RESOURCE || process->no_memory)
    return pp_fail_memory(diag);
  if (!mine) {
    blame_stray(round, &found, id);
    return 0;
  }
  if (status != 0) {
    pp_peer_tell(&found, PP_MISDEED_BAD_ANSWER, process, "%s", wrong.text);
    give(exchange, &found, "");
  }
  round->first++;
  settle(round);
  return 0;
}

static int step(pp_round *round, pp_diag *diag) {
  pp_process *process = &round->peer->process;
  pp_exchange found = {0};
  const char *line = NULL;
  size_t size = 0;
  feed(round);
  if (process->queue.failed) return pp_fail_memory(diag);
  pp_wait wait = {"the question", round->clock, round->peer->options.answer};
  bool said = pp_peer_await(process, &wait, &line, &size, &found);
  if (process->no_memory) return pp_fail_memory(diag);
  pp_peer_listen(round->peer);
  if (!said) {
    blame(round, &found);
    return 0;
  }
  round->clock = pp_process_now();
  return take_answer(round, line, size, diag);
}

/* No answer to any of these is longer. */
static size_t longest_answer(const pp_exchange *exchange, size_t n) {
  size_t most = 0;
  for (size_t i = 0; i < n; i++) {
    size_t size = pp_ask_size(exchange[i].ask);
    if (size > most) most = size;
  }
  if (most > SIZE_MAX / 2 / PP_LINE_EACH) return SIZE_MAX;
  return PP_LINE_LEAST + most * PP_LINE_EACH;
}

int pp_peer_ask(pp_peer *peer, pp_exchange *exchange, size_t n, pp_diag *diag) {
  sigset_t before;
  pp_round round = {.peer = peer, .exchange = exchange, .n = n};
  for (size_t i = 0; i < n; i++)
    give(&exchange[i], &(pp_exchange){.misdeed = PP_BEHAVED}, "");
  size_t longest = longest_answer(exchange, n);
  int status = 0;
  pp_hold_sigpipe(&before);
  look_before(&round);
  round.id = peer->next_id;
  while (status == 0 && round.first < n) {
    if (!peer->running) {
      status = start_again(&round, diag);
      round.origin = round.first;
      round.id = peer->next_id;
    } else {
      peer->process.longest = longest;
      status = step(&round, diag);
    }
  }
  if (status == 0 && n > 0) look_after(&round);
  if (status != 0 && peer->running) pp_peer_drop(peer);
  pp_release_sigpipe(&before);
  return status;
}
