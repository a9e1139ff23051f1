#include "waivers.h"

#include "json.h"
#include "source.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Where sentences point to. */
typedef struct pp_where {
  const char *name;
  size_t index;
} pp_where;

static int wrong(const pp_where *where, pp_diag *diag, const char *key,
                 const char *value, const char *what) {
  return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: waiver %zu: \"%s\"%s%.100s %s",
                      where->name, where->index, key, value[0] ? ": " : "",
                      value, what);
}

static int get_text(const pp_where *where, const json_t *object,
                    const char *key, const char **text, pp_diag *diag) {
  const json_t *value = json_object_get(object, key);
  if (!value) return wrong(where, diag, key, "", "is missing");
  if (!json_is_string(value))
    return wrong(where, diag, key, "", "is not a string");
  *text = json_string_value(value);
  return 0;
}

/* "arena-0123456789abcdef": a verb, and 16 hex digits. */
static bool is_id(const char *text) {
  const char *dash = strrchr(text, '-');
  char verb[PP_ASK_ID] = "";
  pp_ask_verb known;
  if (!dash || strlen(text) >= PP_ASK_ID || strlen(dash + 1) != 16)
    return false;
  memcpy(verb, text, (size_t)(dash - text));
  return pp_ask_verb_named(verb, &known) &&
         strspn(dash + 1, "0123456789abcdef") == 16;
}

/* A date of the calendar, exactly as YYYY-MM-DD; *until is the first second
 * after it. */
static bool is_date(const char *text, time_t *until) {
  struct tm date = {0};
  char again[32];
  const char *end = strptime(text, "%Y-%m-%d", &date);
  if (!end || *end != '\0') return false;
  date.tm_isdst = 0;
  time_t start = timegm(&date);
  struct tm back;
  if (start == (time_t)-1 || !gmtime_r(&start, &back)) return false;
  if (strftime(again, sizeof again, "%Y-%m-%d", &back) == 0 ||
      strcmp(again, text) != 0)
    return false;
  *until = start + (time_t)24 * 60 * 60;
  return true;
}

static int only_keys(const pp_where *where, json_t *object, pp_diag *diag) {
  static const char *const keys[] = {"id", "issue", "expires", "reason"};
  const char *key = NULL;
  json_t *value = NULL;
  json_object_foreach(object, key, value) {
    bool known = false;
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
      known = known || strcmp(keys[k], key) == 0;
    if (!known) {
      char shown[60];
      return wrong(where, diag, pp_printable(key, shown, sizeof shown), "",
                   "is not a key that a waiver has");
    }
  }
  return 0;
}

static int read_waiver(const pp_where *where, json_t *object,
                       pp_waivers *waivers, pp_diag *diag) {
  const char *id = "";
  const char *url = "";
  const char *expires = "";
  const char *reason = "";
  if (!json_is_object(object))
    return pp_diag_fail(diag, PP_EXIT_INPUT, "%s: waiver %zu is not an object",
                        where->name, where->index);
  if (only_keys(where, object, diag) != 0 ||
      get_text(where, object, "id", &id, diag) != 0 ||
      get_text(where, object, "issue", &url, diag) != 0 ||
      get_text(where, object, "expires", &expires, diag) != 0 ||
      get_text(where, object, "reason", &reason, diag) != 0)
    return diag->code;
  pp_waiver *waiver = &waivers->waiver[waivers->n];
  if (!is_id(id))
    return wrong(where, diag, "id", id,
                 "is no question's id: a verb, a dash, 16 hex digits");
  for (size_t k = 0; k < waivers->n; k++)
    if (strcmp(waivers->waiver[k].id, id) == 0)
      return wrong(where, diag, "id", id, "is waived twice");
  if (!pp_wire_is_url(url) || strlen(url) >= sizeof waiver->url)
    return wrong(where, diag, "issue", url,
                 "is no http(s) URL of fewer than 400 characters");
  if (!is_date(expires, &waiver->until))
    return wrong(where, diag, "expires", expires,
                 "is no date of the form 2027-01-31");
  if (reason[0] == '\0') return wrong(where, diag, "reason", "", "is empty");
  memcpy(waiver->id, id, strlen(id) + 1);
  memcpy(waiver->url, url, strlen(url) + 1);
  waivers->n++;
  return 0;
}

static int read_root(const char *name, json_t *root, pp_waivers *waivers,
                     pp_diag *diag) {
  const json_t *format =
      json_is_object(root) ? json_object_get(root, "poolproof") : NULL;
  const char *text = json_string_value(format);
  if (!text || strcmp(text, "waivers/1") != 0)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: not waivers: an object with "
                        "\"poolproof\": \"waivers/1\" is wanted",
                        name);
  const json_t *list = json_object_get(root, "waivers");
  if (!json_is_array(list) || json_object_size(root) != 2)
    return pp_diag_fail(diag, PP_EXIT_INPUT,
                        "%s: \"waivers\", an array, is wanted beside "
                        "\"poolproof\", and no other key",
                        name);
  size_t n = json_array_size(list);
  waivers->waiver = calloc(n + 1, sizeof *waivers->waiver);
  if (!waivers->waiver) return pp_fail_memory(diag);
  for (size_t k = 0; k < n; k++) {
    const pp_where where = {name, k};
    if (read_waiver(&where, json_array_get(list, k), waivers, diag) != 0)
      return diag->code;
  }
  return 0;
}

int pp_waivers_read(const char *path, pp_waivers *waivers, pp_diag *diag) {
  pp_source source;
  *waivers = (pp_waivers){0};
  if (pp_source_open(&source, path, diag) != 0) return diag->code;
  json_t *root = pp_json_load(&source, diag);
  int status = root ? read_root(source.name, root, waivers, diag) : diag->code;
  json_decref(root);
  pp_source_close(&source);
  if (status != 0) pp_waivers_free(waivers);
  return status;
}

const pp_waiver *pp_waivers_find(pp_waivers *waivers, const char *id,
                                 time_t now) {
  for (size_t k = 0; k < waivers->n; k++) {
    pp_waiver *waiver = &waivers->waiver[k];
    if (strcmp(waiver->id, id) != 0 || now >= waiver->until) continue;
    waiver->used = true;
    return waiver;
  }
  return NULL;
}

/* "2027-01-31", the last day on which it holds. */
static void put_day(pp_text *text, time_t until) {
  time_t last = until - 1;
  struct tm day;
  char shown[32] = "?";
  if (gmtime_r(&last, &day))
    (void)strftime(shown, sizeof shown, "%Y-%m-%d", &day);
  pp_text_print(text, "%s", shown);
}

char *pp_waivers_stale(const pp_waivers *waivers, time_t now) {
  pp_text text = {0};
  pp_text_put(&text, "", 0);
  for (size_t k = 0; k < waivers->n; k++) {
    const pp_waiver *waiver = &waivers->waiver[k];
    bool expired = now >= waiver->until;
    if (!expired && waiver->used) continue;
    pp_text_print(&text, "%s: ", waiver->id);
    if (expired) {
      pp_text_print(&text, "expired after ");
      put_day(&text, waiver->until);
    } else {
      pp_text_print(&text, "matched nothing");
    }
    pp_text_print(&text, " (%s)\n", waiver->url);
  }
  if (!text.failed && !text.at) return strdup("");
  if (!text.failed) return text.at;
  pp_text_free(&text);
  return NULL;
}

void pp_waivers_free(pp_waivers *waivers) {
  free(waivers->waiver);
  *waivers = (pp_waivers){0};
}
