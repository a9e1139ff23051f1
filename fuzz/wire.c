/* poolproof fuzz target: any bytes as a request, and as an answer to a few
 * questions; what was read is written and read again.
 * SPDX-License-Identifier: MIT */
#include "wire.h"
#include "target.h"

#include <string.h>

static const char *const questions[] = {
    "{\"verb\":\"segments\",\"cap\":9,\"items\":[{\"size\":8,\"align\":4}]}",
    "{\"verb\":\"arena\",\"cap\":9,\"items\":[{\"size\":8,\"align\":4,"
    "\"class\":"
    "0}]}",
    "{\"verb\":\"validate\",\"kind\":\"segments\",\"cap\":9,\"items\":[],"
    "\"layout\":{\"segment\":[],\"offset\":[],\"sizes\":[]}}",
    "{\"verb\":\"spans\",\"nodes\":[{\"uid\":1}],\"accesses\":[]}",
    "{\"verb\":\"score\",\"cap\":9,\"alignment\":1,\"nodes\":[]}",
    "{\"verb\":\"release\",\"contexts\":[{\"nodes\":[]}],\"constants\":[],"
    "\"script\":[{\"do\":\"release\",\"context\":0}]}",
};

static void check_failure(const pp_diag *diag) {
  if (diag->code != PP_EXIT_INPUT && diag->code != PP_EXIT_RESOURCE)
    pp_target_fail("a reader fails with status %d", diag->code);
  if (diag->text[0] == '\0')
    pp_target_fail("a reader fails without a sentence");
}

static void check_same(const pp_text *once, const pp_text *twice) {
  if (once->failed || twice->failed) return;
  if (strcmp(once->at, twice->at) != 0)
    pp_target_fail("it is written in two ways:\n%s\n%s", once->at, twice->at);
  pp_target_compare();
}

/* The question's line is read as the same question with the same id. */
static void check_ask(const pp_ask *ask, uint64_t id) {
  pp_text line = {0};
  pp_text canonical[2] = {{0}};
  pp_wire_ask(&line, ask, id);
  pp_wire_canonical(&canonical[0], ask);
  pp_diag diag = {0};
  pp_ask again = {0};
  uint64_t other = 0;
  unsigned most = 0;
  if (!line.failed && pp_wire_read_line(line.at, line.size, &other, &most,
                                        &again, &diag) == PP_LINE_ASK) {
    pp_wire_canonical(&canonical[1], &again);
    check_same(&canonical[0], &canonical[1]);
    if (other != id) pp_target_fail("an id is written as another");
    if (pp_ask_needs(ask) != pp_ask_needs(&again) ||
        pp_ask_size(ask) != pp_ask_size(&again) ||
        pp_ask_wrong(ask) != pp_ask_wrong(&again))
      pp_target_fail("a question reads back as another:\n%s", line.at);
  } else if (!line.failed && diag.code != PP_EXIT_RESOURCE) {
    pp_target_fail("%s: what was written is not read:\n%s", diag.text, line.at);
  }
  pp_ask_free(&again);
  for (size_t k = 0; k < 2; k++)
    pp_text_free(&canonical[k]);
  pp_text_free(&line);
}

static void check_line(const char *line, size_t size) {
  pp_ask ask;
  pp_diag diag = {0};
  uint64_t id = 0;
  uint64_t same = 0;
  unsigned most = 0;
  const char *what = "";
  pp_line_kind kind = pp_wire_read_line(line, size, &id, &most, &ask, &diag);
  bool has_id = pp_wire_line_id(line, size, &same, &what);
  if (id != 0 && (!has_id || same != id))
    pp_target_fail("a line has the id %zu, or not: %s", (size_t)id, what);
  if (kind == PP_LINE_BAD) check_failure(&diag);
  if (kind == PP_LINE_ASK) check_ask(&ask, id);
  pp_ask_free(&ask);
}

static void check_reply(const pp_ask *ask, const char *json, size_t size) {
  pp_reply reply;
  pp_reply again;
  pp_diag diag = {0};
  if (pp_wire_read_reply("input", json, size, ask, &reply, &diag) != 0) {
    check_failure(&diag);
    return;
  }
  pp_text text[2] = {{0}};
  pp_wire_expect(&text[0], ask, &reply);
  if (text[0].failed) {
    pp_reply_free(&reply);
    return;
  }
  if (pp_wire_read_reply("written", text[0].at, text[0].size, ask, &again,
                         &diag) == 0) {
    pp_wire_expect(&text[1], ask, &again);
    check_same(&text[0], &text[1]);
    if (!pp_reply_equal(ask, &reply, &again))
      pp_target_fail("an answer reads back as another:\n%s", text[0].at);
    pp_reply_free(&again);
  } else if (diag.code != PP_EXIT_RESOURCE) {
    pp_target_fail("%s: what was written is not read:\n%s", diag.text,
                   text[0].at);
  }
  pp_reply_free(&reply);
  pp_text_free(&text[0]);
  pp_text_free(&text[1]);
}

static void check_hello(const char *json, size_t size) {
  pp_hello hello;
  pp_hello again;
  pp_diag diag = {0};
  if (pp_wire_read_hello_reply("input", json, size, &hello, &diag) != 0) {
    check_failure(&diag);
    return;
  }
  pp_text text[2] = {{0}};
  pp_wire_hello_reply(&text[0], &hello, 1);
  if (!text[0].failed &&
      pp_wire_read_hello_reply("written", text[0].at, text[0].size, &again,
                               &diag) == 0) {
    pp_wire_hello_reply(&text[1], &again, 1);
    check_same(&text[0], &text[1]);
  } else if (!text[0].failed && diag.code != PP_EXIT_RESOURCE) {
    pp_target_fail("%s: what was written is not read:\n%s", diag.text,
                   text[0].at);
  }
  pp_text_free(&text[0]);
  pp_text_free(&text[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pp_target_begin();
  const char *json = (const char *)data;
  check_line(json, size);
  check_hello(json, size);
  for (size_t k = 0; k < sizeof questions / sizeof questions[0]; k++) {
    pp_ask ask;
    pp_diag diag = {0};
    if (pp_wire_read_ask("question", questions[k], strlen(questions[k]), &ask,
                         &diag) != 0)
      return 0;
    check_reply(&ask, json, size);
    pp_ask_free(&ask);
  }
  return 0;
}
