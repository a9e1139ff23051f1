#include "asking.h"

#include "diag.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char *quoted(const char *text) {
  char *json = strdup(text);
  cr_assert(json != NULL);
  for (char *at = json; *at != '\0'; at++)
    if (*at == '\'') *at = '"';
  return json;
}

pp_ask pp_must_ask(const char *text) {
  char *json = quoted(text);
  pp_ask ask = {0};
  pp_diag diag = {0};
  cr_assert_eq(pp_wire_read_ask("a request", json, strlen(json), &ask, &diag),
               0, "%s: %s", text, diag.text);
  const char *wrong = pp_ask_wrong(&ask);
  cr_assert_null(wrong, "%s: %s", text, wrong);
  free(json);
  return ask;
}

pp_reply pp_must_reply(const pp_ask *ask, const char *text) {
  char *json = quoted(text);
  pp_reply reply = {0};
  pp_diag diag = {0};
  cr_assert_eq(
      pp_wire_read_reply("an answer", json, strlen(json), ask, &reply, &diag),
      0, "%s: %s", text, diag.text);
  free(json);
  return reply;
}
