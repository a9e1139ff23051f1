#include "serve.h"

#include "output.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 16 };

/* The input: bytes [begin, end) of buffer are unread, those before `looked`
 * have no line end among them. lost: the line is too long, and passed over. */
typedef struct pp_lines {
  int fd;
  char *buffer;
  size_t room, begin, looked, end;
  bool over, lost;
} pp_lines;

/* greeted: hello came; ended: bye came; text: answers not yet written. */
typedef struct pp_serving {
  pp_lines lines;
  FILE *out;
  const pp_hello *hello;
  pp_serve_answer *answer;
  void *state;
  pp_diag *diag;
  pp_text text;
  bool greeted, ended;
} pp_serving;

static void put_error(pp_serving *serving, uint64_t id, const char *text) {
  static const pp_ask none;
  pp_reply reply = {.kind = PP_REPLY_ERROR};
  (void)pp_printable(text, reply.text, sizeof reply.text);
  pp_wire_reply(&serving->text, &none, &reply, id);
}

static void put_answer(pp_serving *serving, const pp_ask *ask, uint64_t id) {
  pp_reply reply = {0};
  pp_capabilities missing = pp_ask_needs(ask) & ~serving->hello->capabilities;
  const char *wrong = pp_ask_wrong(ask);
  if (!wrong && missing == 0 && pp_ask_size(ask) > serving->hello->items)
    wrong = "the question is larger than limits.items";
  if (wrong) {
    put_error(serving, id, wrong);
    return;
  }
  if (missing != 0) {
    reply.kind = PP_REPLY_UNSUPPORTED;
    (void)snprintf(reply.text, sizeof reply.text, "%s",
                   pp_capability_name((unsigned)__builtin_ctz(missing)));
  } else if (!serving->answer(serving->state, ask, &reply)) {
    put_error(serving, id, "out of memory");
    return;
  }
  pp_wire_reply(&serving->text, ask, &reply, id);
  pp_reply_free(&reply);
}

static void put_hello(pp_serving *serving, uint64_t id, unsigned most) {
  if (serving->greeted) {
    put_error(serving, id, "hello came before");
  } else if (most < serving->hello->protocol) {
    put_error(serving, id, "only protocol 1 is known here");
  } else {
    serving->greeted = true;
    pp_wire_hello_reply(&serving->text, serving->hello, id);
  }
}

static void put_line(pp_serving *serving, const char *line, size_t size) {
  pp_diag diag = {0};
  pp_ask ask;
  uint64_t id = 0;
  unsigned most = 0;
  switch (pp_wire_read_line(line, size, &id, &most, &ask, &diag)) {
  case PP_LINE_HELLO:
    put_hello(serving, id, most);
    break;
  case PP_LINE_BYE:
    serving->ended = true;
    pp_wire_bye_reply(&serving->text, id);
    break;
  case PP_LINE_ASK:
    if (serving->greeted)
      put_answer(serving, &ask, id);
    else
      put_error(serving, id, "hello comes first");
    break;
  case PP_LINE_BAD:
    put_error(serving, id, diag.text);
    break;
  }
  pp_ask_free(&ask);
}

static int flush(pp_serving *serving) {
  const pp_text *text = &serving->text;
  if (text->failed) return pp_fail_memory(serving->diag);
  if (text->size == 0) return 0;
  if (fwrite(text->at, 1, text->size, serving->out) != text->size ||
      fflush(serving->out) != 0)
    return pp_fail_write(serving->out, serving->diag);
  serving->text.size = 0;
  return 0;
}

static bool input_waits(const pp_lines *lines) {
  struct pollfd look = {.fd = lines->fd, .events = POLLIN};
  return poll(&look, 1, 0) > 0;
}

/* Room for a piece behind what is unread. False: out of memory. */
static bool make_room(pp_lines *lines) {
  if (lines->begin > 0) {
    memmove(lines->buffer, lines->buffer + lines->begin,
            lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->looked -= lines->begin;
    lines->begin = 0;
  }
  if (lines->room - lines->end >= PIECE) return true;
  size_t room = lines->room * 2 + PIECE;
  char *buffer = realloc(lines->buffer, room);
  if (!buffer) return false;
  lines->buffer = buffer;
  lines->room = room;
  return true;
}

/* Reads some more; writes first what is to be written when it may wait. */
static int read_more(pp_serving *serving) {
  pp_lines *lines = &serving->lines;
  if (!make_room(lines)) return pp_fail_memory(serving->diag);
  if (serving->text.size > 0 && !input_waits(lines) && flush(serving) != 0)
    return serving->diag->code;
  ssize_t got = 0;
  do
    got = read(lines->fd, lines->buffer + lines->end, PIECE);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return pp_diag_fail(serving->diag, PP_EXIT_INPUT,
                        "the requests cannot be read: %s", strerror(errno));
  lines->over = got == 0;
  lines->end += (size_t)got;
  return 0;
}

/* Passes over a line that is too long, up to here. */
static void lose(pp_serving *serving, size_t here) {
  pp_lines *lines = &serving->lines;
  if (!lines->lost) put_error(serving, 0, "request: a line above 64 MiB");
  lines->lost = true;
  lines->begin = here;
}

/* Answers the whole lines that are there; at the end of the input, what
 * follows the last line end, too. */
static int put_lines(pp_serving *serving) {
  pp_lines *lines = &serving->lines;
  while (!serving->ended && lines->begin < lines->end) {
    const char *end =
        memchr(lines->buffer + lines->looked, '\n', lines->end - lines->looked);
    size_t stop = end ? (size_t)(end - lines->buffer) : lines->end;
    bool whole = end || lines->over;
    lines->looked = stop;
    if (stop - lines->begin > PP_SERVE_LINE) lose(serving, stop);
    if (!whole) return 0;
    if (!lines->lost)
      put_line(serving, lines->buffer + lines->begin, stop - lines->begin);
    lines->lost = false;
    lines->begin = end ? stop + 1 : stop;
    lines->looked = lines->begin;
    if ((serving->text.failed || serving->text.size >= PIECE) &&
        flush(serving) != 0)
      return serving->diag->code;
  }
  return 0;
}

int pp_serve(FILE *in, FILE *out, const pp_hello *hello,
             pp_serve_answer *answer, void *state, pp_diag *diag) {
  pp_serving serving = {.lines = {.fd = fileno(in)},
                        .out = out,
                        .hello = hello,
                        .answer = answer,
                        .state = state,
                        .diag = diag};
  int status = 0;
  while (status == 0 && !serving.ended && !serving.lines.over) {
    status = read_more(&serving);
    if (status == 0) status = put_lines(&serving);
  }
  if (status == 0) status = flush(&serving);
  pp_text_free(&serving.text);
  free(serving.lines.buffer);
  return status;
}
